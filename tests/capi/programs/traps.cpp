// A program that traps floating-point exceptions: what Python does, from its start on, is none of them.
#include <cfenv>

#include "check.h"

int main() {
  EXPECT(0, aclrtSetDevice(0));
  const int traps = FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT;
  feenableexcept(traps);
  float data[] = {-100, -88, 0, 100}, out[4] = {};
  aclTensor *x = Make({4}, data), *result = Make({4}, out);
  uint64_t size = 0;
  aclOpExecutor* e = nullptr;
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(x, x, result, &size, &e));
  EXPECT(0, aclnnSiluBackward(nullptr, size, e, nullptr));
  Require(fegetexcept() == traps, "the program's own setting");
  fedisableexcept(traps);
  Require(out[3] == 100, "the result");
  std::printf("traps: %s\n", failures ? "WRONG" : "right");
  return failures != 0;
}
