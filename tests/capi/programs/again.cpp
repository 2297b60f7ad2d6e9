// Calls equal to earlier ones, which run without asking Python: they are judged like any others.
#include <atomic>
#include <thread>

#include "check.h"

static const int N = 6;
static aclrtStream stream;

static float* Block() {
  void* memory = nullptr;
  EXPECT(0, aclrtMalloc(&memory, N * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST));
  return static_cast<float*>(memory);
}

static void Fill(float* block, float value) {
  std::vector<float> values(N, value);
  EXPECT(0, aclrtMemcpy(block, sizeof(float) * N, values.data(), sizeof(float) * N,
                        ACL_MEMCPY_HOST_TO_DEVICE));
}

static void Holds(float* block, float value, const char* what) {
  std::vector<float> values(N);
  EXPECT(0, aclrtSynchronizeStream(stream));
  EXPECT(0, aclrtMemcpy(values.data(), sizeof(float) * N, block, sizeof(float) * N,
                        ACL_MEMCPY_DEVICE_TO_HOST));
  for (float found : values) Require(found == value, what);
}

static aclOpExecutor* First(aclTensor* g, aclTensor* x, aclScalar* slope, aclTensor* out) {
  uint64_t size = 7;
  aclOpExecutor* executor = nullptr;
  EXPECT(0, aclnnLeakyReluBackwardGetWorkspaceSize(g, x, slope, false, out, &size, &executor));
  Require(size == 0, "no workspace");
  return executor;
}

static std::atomic<bool> waiting{true};
static void Wait(void*) {
  while (waiting) std::this_thread::yield();
}

int main() {
  EXPECT(0, aclInit(nullptr));
  EXPECT(0, aclrtSetDevice(0));
  EXPECT(0, aclrtCreateStream(&stream));
  float *a = Block(), *b = Block(), *c = Block(), *d = Block();
  aclTensor *g = Make({N}, a), *x = Make({N}, b), *out = Make({N}, c);
  float half = 0.5f, quarter = 0.25f;
  aclScalar *slope = aclCreateScalar(&half, ACL_FLOAT), *other = aclCreateScalar(&quarter, ACL_FLOAT);
  Fill(b, -1);
  for (int turn = 1; turn < 5; ++turn) {
    Fill(a, turn);
    EXPECT(0, aclnnLeakyReluBackward(nullptr, 0, First(g, x, slope, out), stream));
    Holds(c, turn * 0.5f, "values of the moment");
    EXPECT(0, aclnnLeakyReluBackward(nullptr, 0, First(g, x, other, out), stream));
    Holds(c, turn * 0.25f, "another slope");
  }

  Fill(a, 8);
  aclOpExecutor *once = First(g, x, slope, out), *often = First(g, x, slope, out);
  EXPECT(161002, aclnnSiluBackward(nullptr, 0, First(g, x, slope, out), stream), "LeakyRelu");
  EXPECT(161001, aclnnLeakyReluBackward(nullptr, 4, once, stream), "the workspace is null");
  EXPECT(0, aclnnLeakyReluBackward(nullptr, 0, once, stream));
  EXPECT(561000, aclnnLeakyReluBackward(nullptr, 0, once, stream), "has run already");
  EXPECT(0, aclSetAclOpExecutorRepeatable(often));
  for (int turn = 0; turn < 3; ++turn) EXPECT(0, aclnnLeakyReluBackward(nullptr, 0, often, stream));
  EXPECT(0, aclSetOutputTensorAddr(often, 0, out, d));
  Fill(c, 0);
  for (int turn = 0; turn < 2; ++turn) EXPECT(0, aclnnLeakyReluBackward(nullptr, 0, often, stream));
  Holds(d, 4, "where the output was moved to");
  Holds(c, 0, "and nothing where it was");
  EXPECT(0, aclDestroyAclOpExecutor(often));
  EXPECT(0, aclDestroyTensor(out));
  out = Make({N}, c);

  EXPECT(0, aclDestroyAclOpExecutor(First(g, x, slope, out)));
  aclOpExecutor* orphan = First(g, x, slope, out);
  EXPECT(0, aclDestroyTensor(g));
  EXPECT(0, aclnnLeakyReluBackward(nullptr, 0, orphan, stream));  // it keeps what it needs
  Holds(c, 4, "tensors that were destroyed after phase 1");
  g = Make({N}, a);

  aclOpExecutor* late = First(g, x, slope, out);
  Fill(c, 0);
  EXPECT(0, aclrtLaunchHostFunc(stream, Wait, nullptr));
  EXPECT(0, aclnnLeakyReluBackward(nullptr, 0, late, stream));
  waiting = false;
  Holds(c, 4, "behind what the stream had to do");

  aclOpExecutor* lost = First(g, x, slope, out);
  EXPECT(0, aclrtFree(b));
  EXPECT(161002, aclnnLeakyReluBackward(nullptr, 0, lost, stream), "freed");
  uint64_t size;
  EXPECT(161002, aclnnLeakyReluBackwardGetWorkspaceSize(g, x, slope, false, out, &size, &lost), "freed");
  b = Block();
  aclTensor* fresh = Make({N}, b);
  Fill(b, 1);
  for (int turn = 0; turn < 2; ++turn)
    EXPECT(0, aclnnLeakyReluBackward(nullptr, 0, First(g, fresh, slope, out), stream));
  Holds(c, 8, "memory that took the place of another");

  // more of them than are kept
  for (int turn = 0; turn < 20000; ++turn) {
    float value = turn / 64.f;
    aclScalar* one = aclCreateScalar(&value, ACL_FLOAT);
    aclOpExecutor* executor = First(g, fresh, one, out);
    if (turn % 2) EXPECT(0, aclnnLeakyReluBackward(nullptr, 0, executor, stream));
    else EXPECT(0, aclDestroyAclOpExecutor(executor));
    EXPECT(0, aclDestroyScalar(one));
  }
  std::printf("%s\n", failures ? "WRONG" : "right");
  return failures != 0;
}
