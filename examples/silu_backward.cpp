// The gradient of SiLU, x * sigmoid(x). At x = -1.278 it changes its sign.
#include "aclnnop/aclnn_silu_backward.h"
#include "device.h"

int main() {
  Device device;
  Tensor grad({5}, {1, 1, 1, 1, 1});
  Tensor x({5}, {-3, -1.2784645f, 0, 1, 3});
  Tensor out({5}, std::vector<float>(5));

  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnSiluBackwardGetWorkspaceSize(grad.get(), x.get(), out.get(), &size, &executor));
  Workspace workspace(size);
  CHECK(aclnnSiluBackward(workspace.get(), size, executor, device.stream()));
  device.Synchronize();
  Print("silu_backward", out.Values());
  return 0;
}
