// A tour: two streams, events, copies that do not wait, views of other shapes of the same memory, an
// executor that runs again on other data, and what a refused call says.
#include "aclnnop/aclnn_leaky_relu_backward.h"
#include "aclnnop/aclnn_silu_backward.h"
#include "device.h"

// Work on every second column of a matrix, and write the result transposed: nothing is copied.
void Views(const Device& device) {
  Tensor grad({2, 4}, {1, 9, 1, 9, 1, 9, 1, 9});
  Tensor x({2, 4}, {0, 9, 1, 9, 2, 9, 3, 9});
  Tensor out({2, 2}, std::vector<float>(4));
  aclTensor* columns_of_grad = grad.View({2, 2}, {4, 2}, 0);
  aclTensor* columns_of_x = x.View({2, 2}, {4, 2}, 0);
  aclTensor* transposed = out.View({2, 2}, {1, 2}, 0);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnSiluBackwardGetWorkspaceSize(columns_of_grad, columns_of_x, transposed, &size,
                                          &executor));
  aclDestroyTensor(columns_of_grad);  // the executor keeps what it needs
  aclDestroyTensor(columns_of_x);
  aclDestroyTensor(transposed);
  Workspace workspace(size);
  CHECK(aclnnSiluBackward(workspace.get(), size, executor, device.stream()));
  device.Synchronize();
  Print("every second column, transposed", out.Values());
}

// Prepare once, run often: only the addresses change.
void Repeat(const Device& device) {
  Tensor grad({4}, {1, 2, 3, 4});
  Tensor x({4}, {1, -1, 1, -1});
  Tensor other({4}, {-1, 1, -1, 1});
  Tensor out({4}, std::vector<float>(4));
  float value = 0.5f;
  aclScalar* slope = aclCreateScalar(&value, ACL_FLOAT);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnLeakyReluBackwardGetWorkspaceSize(grad.get(), x.get(), slope, false, out.get(), &size,
                                               &executor));
  aclDestroyScalar(slope);
  CHECK(aclSetAclOpExecutorRepeatable(executor));
  CHECK(aclnnLeakyReluBackward(nullptr, size, executor, device.stream()));
  device.Synchronize();
  Print("first data", out.Values());
  CHECK(aclSetInputTensorAddr(executor, 1, x.get(), other.memory()));
  CHECK(aclnnLeakyReluBackward(nullptr, size, executor, device.stream()));
  device.Synchronize();
  Print("other data", out.Values());
  CHECK(aclDestroyAclOpExecutor(executor));
}

// Copy on one stream, compute on another that waits for the copy, and time it all.
void StreamsAndEvents(const Device& device) {
  const std::vector<float> host = {-2, -1, 1, 2};
  Tensor grad({4}, {1, 1, 1, 1});
  Tensor x({4}, std::vector<float>(4));
  Tensor out({4}, std::vector<float>(4));
  aclrtStream copies = nullptr;
  aclrtEvent start = nullptr, copied = nullptr, done = nullptr;
  CHECK(aclrtCreateStream(&copies));
  CHECK(aclrtCreateEvent(&start));
  CHECK(aclrtCreateEvent(&copied));
  CHECK(aclrtCreateEvent(&done));

  CHECK(aclrtRecordEvent(start, copies));
  CHECK(aclrtMemcpyAsync(x.memory(), x.Bytes(), host.data(), x.Bytes(), ACL_MEMCPY_HOST_TO_DEVICE,
                         copies));
  CHECK(aclrtRecordEvent(copied, copies));
  CHECK(aclrtStreamWaitEvent(device.stream(), copied));
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  CHECK(aclnnSiluBackwardGetWorkspaceSize(grad.get(), x.get(), out.get(), &size, &executor));
  CHECK(aclnnSiluBackward(nullptr, size, executor, device.stream()));
  CHECK(aclrtRecordEvent(done, device.stream()));
  CHECK(aclrtSynchronizeEvent(done));
  float ms = -1;
  CHECK(aclrtEventElapsedTime(&ms, start, done));
  Print("after an asynchronous copy", out.Values());
  std::printf("time was measured: %s\n", ms >= 0 && ms < 60000 ? "yes" : "no");

  for (aclrtEvent event : {start, copied, done}) CHECK(aclrtDestroyEvent(event));
  CHECK(aclrtDestroyStream(copies));
}

// A refused call answers a status and remembers a sentence.
void Refusal() {
  Tensor grad({2, 3}, std::vector<float>(6));
  Tensor x({3, 2}, std::vector<float>(6));
  Tensor out({2, 3}, std::vector<float>(6));
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const int status =
      aclnnSiluBackwardGetWorkspaceSize(grad.get(), x.get(), out.get(), &size, &executor);
  const char* message = aclGetRecentErrMsg();
  std::printf("refused with %d: %s\n", status, message ? message : "no message");
}

int main() {
  Device device;
  std::printf("playing %s\n", aclrtGetSocName());
  Views(device);
  Repeat(device);
  StreamsAndEvents(device);
  Refusal();
  return 0;
}
