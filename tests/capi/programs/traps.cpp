// A program that traps floating-point exceptions from before its first call until it has ended, in
// all its threads: what operators and Python do is none of them, and the setting survives each call.
#include <cfenv>
#include <thread>

#include "check.h"

const int traps = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT;
static const int plain = feenableexcept(traps);  // before main

#define CALL(wanted, call)                                         \
  do {                                                             \
    EXPECT(wanted, call);                                          \
    Require(fegetexcept() == traps, "the setting after " #call);   \
  } while (0)

static void Note(void* traps_there) { *static_cast<int*>(traps_there) = fegetexcept(); }

// Operators on numbers that overflow, underflow and are invalid; n of them.
static void Compute(int64_t n, void* x, void* out, aclrtStream stream) {
  const float third = 1 / 3.0f;  // rounded by the compiler
  aclTensor *self = Make({n}, x), *result = Make({n}, out), *longer = Make({n + 1}, out);
  aclScalar* slope = aclCreateScalar(const_cast<float*>(&third), ACL_FLOAT);
  uint64_t size = 0;
  aclOpExecutor* e = nullptr;
  CALL(161002, aclnnSiluBackwardGetWorkspaceSize(self, longer, result, &size, &e));
  CALL(0, aclnnLogSigmoidBackwardGetWorkspaceSize(self, self, self, result, &size, &e));
  CALL(0, aclnnLogSigmoidBackward(nullptr, size, e, stream));
  CALL(0, aclnnLeakyReluBackwardGetWorkspaceSize(self, self, slope, false, result, &size, &e));
  CALL(0, aclnnLeakyReluBackward(nullptr, size, e, stream));
  CALL(0, aclnnSmoothL1LossBackwardGetWorkspaceSize(self, self, self, 1, third, result, &size, &e));
  CALL(0, aclnnSmoothL1LossBackward(nullptr, size, e, stream));
  CALL(0, aclnnSiluBackwardGetWorkspaceSize(self, self, result, &size, &e));
  CALL(0, aclnnSiluBackward(nullptr, size, e, stream));
  for (aclTensor* tensor : {self, result, longer}) CALL(0, aclDestroyTensor(tensor));
  CALL(0, aclDestroyScalar(slope));
}

static void Work(int n) {
  const float some[] = {-100, -88, 0, 100, INFINITY, NAN, 1e-45f, 3e38f};
  std::vector<float> x(n), out(n);
  for (int i = 0; i < n; ++i) x[i] = some[i % 8];
  const size_t bytes = n * sizeof(float);
  void *from = nullptr, *to = nullptr;
  aclrtStream stream = nullptr;
  aclrtEvent begin = nullptr, end = nullptr;
  CALL(0, aclrtMalloc(&from, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  CALL(0, aclrtMalloc(&to, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  CALL(0, aclrtCreateStream(&stream));
  CALL(0, aclrtCreateEvent(&begin));
  CALL(0, aclrtCreateEvent(&end));
  CALL(0, aclrtRecordEvent(begin, stream));
  CALL(0, aclrtMemcpyAsync(from, bytes, x.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  Compute(n, from, to, stream);
  Compute(n, from, to, stream);  // by now everything is known
  int traps_there = 0;
  CALL(0, aclrtLaunchHostFunc(stream, Note, &traps_there));
  CALL(0, aclrtRecordEvent(end, stream));
  CALL(0, aclrtSynchronizeStream(stream));
  Require(traps_there == traps, "the setting in a host function");
  float milliseconds = -1;
  CALL(0, aclrtEventElapsedTime(&milliseconds, begin, end));
  Require(milliseconds >= 0, "the time between the events");
  CALL(0, aclrtMemcpy(out.data(), bytes, to, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
  int wrong = 0;
  for (int i = 3; i < n; i += 8) wrong += out[i] != 100;
  Require(wrong == 0, "the results");
  for (void* memory : {from, to}) CALL(0, aclrtFree(memory));
  for (aclrtEvent event : {begin, end}) CALL(0, aclrtDestroyEvent(event));
  CALL(0, aclrtDestroyStream(stream));
}

int main(int argc, char** argv) {
  Require(plain == 0, "no traps at first");
  const int n = argc > 1 ? std::atoi(argv[1]) : 10;
  CALL(0, aclInit(nullptr));
  CALL(0, aclrtSetDevice(0));
  Work(n);
  std::thread(Work, n).join();
  CALL(0, aclrtResetDevice(0));
  CALL(0, aclFinalize());
  std::printf("traps: %s\n", failures ? "WRONG" : "right");
  return failures != 0;
}
