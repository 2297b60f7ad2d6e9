// Calls an operator of the user's own, then a built-in one; says what each answered.
#include "check.h"

#include "aclnn_triple.h"

int main() {
  float x[] = {1, 2, 3}, out[3] = {};
  uint64_t size = 0;
  aclOpExecutor* e = nullptr;
  if (aclInit(nullptr) || aclrtSetDevice(0)) return 1;
  aclTensor *self = Make({3}, x), *result = Make({3}, out);
  for (int round = 0; round < 2; ++round) {  // a refusal is no reason to forget the way
    int own = aclnnTripleGetWorkspaceSize(self, result, &size, &e);
    const char* why = own ? aclGetRecentErrMsg() : nullptr;
    if (!own) own = aclnnTriple(nullptr, size, e, nullptr);
    std::printf("own: %d %g %s\n", own, out[2], why ? std::strstr(why, "): ") + 3 : "");
  }
  int built_in = aclnnSiluBackwardGetWorkspaceSize(self, self, result, &size, &e);
  if (!built_in) built_in = aclnnSiluBackward(nullptr, size, e, nullptr);
  std::printf("built in: %d %.4f\n", built_in, out[0]);
  return 0;
}
