// The gradient of log(sigmoid(x)): grad / (1 + e^x). The buffer must be there and is not read.
#include "aclnnop/aclnn_logsigmoid_backward.h"
#include "device.h"

int main() {
  Device device;
  Tensor grad({4}, {1, 1, 1, 1});
  Tensor x({4}, {-2, 0, 2, 20});
  Tensor buffer({4}, std::vector<float>(4));
  Tensor out({4}, std::vector<float>(4));

  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnLogSigmoidBackwardGetWorkspaceSize(grad.get(), x.get(), buffer.get(), out.get(), &size,
                                                &executor));
  Workspace workspace(size);
  CHECK(aclnnLogSigmoidBackward(workspace.get(), size, executor, device.stream()));
  device.Synchronize();
  Print("log_sigmoid_backward", out.Values());
  return 0;
}
