// Built with -Ofast a program flushes subnormal numbers to zero, in all its threads. The operators'
// results must not: silu's slope at -100 is subnormal. The program's own setting must survive.
#include <xmmintrin.h>

#include <thread>

#include "check.h"

static void Work(int n) {
  const unsigned before = _mm_getcsr();
  Require((before & 0x8040) == 0x8040, "this program flushes subnormals");
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
  Require((_mm_getcsr() & ~0x3fu) == (before & ~0x3fu), "the program's own setting");
}

int main(int argc, char** argv) {
#pragma omp parallel
  { volatile float busy = 1; (void)busy; }
  const int n = argc > 1 ? std::atoi(argv[1]) : 10;
  Work(n);
  std::thread(Work, n).join();
  std::printf("fast math: %s\n", failures ? "WRONG" : "right");
  return failures != 0;
}
