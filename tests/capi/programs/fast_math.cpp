// Built with -Ofast a program flushes subnormal numbers to zero, in all its threads. The operators'
// results must not: silu's slope at -100 is subnormal. The program's own setting must survive.
#include <thread>

#include "check.h"

#ifdef __aarch64__
static uint64_t Control() {
  uint64_t word;
  asm volatile("mrs %0, fpcr" : "=r"(word));
  return word;
}
const uint64_t flushing = 1 << 24;
#else
#include <xmmintrin.h>
static uint64_t Control() { return _mm_getcsr() & ~0x3fu; }  // but for what happened so far
const uint64_t flushing = 0x8040;
#endif

static void Work(int n) {
  const uint64_t before = Control();
  Require((before & flushing) == flushing, "this program flushes subnormals");
  std::vector<float> ones(n, 1.0f), x(n, -100.0f), out(n);
  aclTensor *g = Make({n}, ones.data()), *self = Make({n}, x.data()), *result = Make({n}, out.data());
  uint64_t size = 0;
  aclOpExecutor* e = nullptr;
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(g, self, result, &size, &e));
  EXPECT(0, aclnnSiluBackward(nullptr, size, e, nullptr));
  int wrong = 0;
  for (float& value : out) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    wrong += bits != 0x80000a44;  // -3.68e-42
  }
  Require(wrong == 0, "subnormal results");
  Require(Control() == before, "the program's own setting");
}

// With a beta that is subnormal, a difference of half of it is not beyond it.
static void SubnormalAttribute() {
  float one = 1, difference = 0, zero = 0, out = 0;
  const uint32_t half = 0x8000, beta_bits = 0x10000;
  float beta;
  std::memcpy(&difference, &half, sizeof half);
  std::memcpy(&beta, &beta_bits, sizeof beta);
  aclTensor *g = Make({1}, &one), *self = Make({1}, &difference), *target = Make({1}, &zero);
  aclTensor* result = Make({1}, &out);
  uint64_t size = 0;
  aclOpExecutor* e = nullptr;
  EXPECT(0, aclnnSmoothL1LossBackwardGetWorkspaceSize(g, self, target, 0, beta, result, &size, &e));
  EXPECT(0, aclnnSmoothL1LossBackward(nullptr, size, e, nullptr));
  Require(out == 0.5f, "a subnormal beta");
}

int main(int argc, char** argv) {
#pragma omp parallel
  { volatile float busy = 1; (void)busy; }
  const int n = argc > 1 ? std::atoi(argv[1]) : 10;
  Work(n);
  std::thread(Work, n).join();
  SubnormalAttribute();
  std::printf("fast math: %s\n", failures ? "WRONG" : "right");
  return failures != 0;
}
