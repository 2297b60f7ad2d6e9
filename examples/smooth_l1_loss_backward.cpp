// The gradient of the mean smooth L1 loss: one gradient for all elements, broadcast.
#include "aclnnop/aclnn_smooth_l1_loss_backward.h"
#include "device.h"

int main() {
  Device device;
  Tensor grad({1}, {1});
  Tensor x({2, 2}, {0, 1, 1.5f, 4});
  Tensor target({2, 2}, {1, 1, 1, 1});
  Tensor out({2, 2}, std::vector<float>(4));
  const int64_t mean = 1;
  const float beta = 1.0f;

  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnSmoothL1LossBackwardGetWorkspaceSize(grad.get(), x.get(), target.get(), mean, beta,
                                                  out.get(), &size, &executor));
  Workspace workspace(size);
  CHECK(aclnnSmoothL1LossBackward(workspace.get(), size, executor, device.stream()));
  device.Synchronize();
  Print("smooth_l1_loss_backward", out.Values());
  return 0;
}
