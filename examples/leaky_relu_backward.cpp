// The gradient of leaky ReLU: scaled by the slope where x <= 0.
#include "aclnnop/aclnn_leaky_relu_backward.h"
#include "device.h"

int main() {
  Device device;
  Tensor grad({4}, {2, 3, 4, 5});
  Tensor x({4}, {1, -2, 0, 4});
  Tensor out({4}, std::vector<float>(4));
  float value = 0.25f;
  aclScalar* slope = aclCreateScalar(&value, ACL_FLOAT);

  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnLeakyReluBackwardGetWorkspaceSize(grad.get(), x.get(), slope, false, out.get(),
                                               &size, &executor));
  Workspace workspace(size);
  CHECK(aclnnLeakyReluBackward(workspace.get(), size, executor, device.stream()));
  device.Synchronize();
  Print("leaky_relu_backward", out.Values());
  aclDestroyScalar(slope);
  return 0;
}
