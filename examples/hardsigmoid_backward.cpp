// The gradient of hardsigmoid: a sixth of it passes where -3 < x < 3.
#include "aclnnop/aclnn_hardsigmoid_backward.h"
#include "device.h"

int main() {
  Device device;
  Tensor grad({2, 3}, {6, 6, 6, 6, 6, 6});
  Tensor x({2, 3}, {-4, -3, -1, 0, 2.5f, 3});
  Tensor out({2, 3}, std::vector<float>(6));

  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnHardsigmoidBackwardGetWorkspaceSize(grad.get(), x.get(), out.get(), &size, &executor));
  Workspace workspace(size);
  CHECK(aclnnHardsigmoidBackward(workspace.get(), size, executor, device.stream()));
  device.Synchronize();
  Print("hardsigmoid_backward", out.Values());
  return 0;
}
