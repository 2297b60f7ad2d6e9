// Documented flows around executors: data that comes later, addresses that are replaced.
#include "check.h"

constexpr int kCount = 6;

static float* Copied(const std::vector<float>& values) {
  void* memory = nullptr;
  const size_t bytes = values.size() * sizeof(float);
  EXPECT(0, aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT(0, aclrtMemcpy(memory, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  return static_cast<float*>(memory);
}

static float Element(const float* memory, int index) {
  float value = 0;
  EXPECT(0, aclrtSynchronizeDevice());
  EXPECT(0, aclrtMemcpy(&value, sizeof value, memory + index, sizeof value,
                        ACL_MEMCPY_DEVICE_TO_HOST));
  return value;
}

static float Silu(float x) {
  const float sigmoid = 1 / (1 + std::exp(-x));
  return sigmoid * (1 + x * (1 - sigmoid));
}

static bool Near(float got, float wanted) { return std::fabs(got - wanted) < 1e-6f; }

// Tensors without data in phase 1, of other layouts and dtypes than their neighbours.
static void NullData(aclrtStream stream) {
  const int64_t shape[] = {2, 3}, transposed[] = {1, 2}, storage[] = {3, 2};
  float *ones = Copied(std::vector<float>(kCount, 1)), *x = Copied({-2, -1, 0, 1, 2, 3});
  float* out = Copied(std::vector<float>(kCount, 7));
  aclTensor *g = Make({2, 3}, nullptr), *result = Make({2, 3}, nullptr);
  aclTensor* t = aclCreateTensor(shape, 2, ACL_FLOAT, transposed, 0, ACL_FORMAT_ND, storage, 2, nullptr);
  uint64_t size = 7;
  aclOpExecutor* e = nullptr;
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(g, t, result, &size, &e));
  Require(size == 0, "no workspace for tensors that lie nowhere");
  EXPECT(0, aclSetAclOpExecutorRepeatable(e));
  EXPECT(161001, aclnnSiluBackward(nullptr, 0, e, stream), "null data address");
  EXPECT(0, aclSetInputTensorAddr(e, 0, g, ones));
  EXPECT(0, aclSetInputTensorAddr(e, 1, t, x));
  EXPECT(0, aclSetOutputTensorAddr(e, 0, result, out));
  EXPECT(0, aclnnSiluBackward(nullptr, 0, e, stream));
  const float expected[] = {-2, 0, 2, -1, 1, 3};  // x read by columns
  for (int i = 0; i < kCount; ++i)
    Require(Near(Element(out, i), Silu(expected[i])), "null data, set later");
  EXPECT(0, aclDestroyAclOpExecutor(e));
  for (aclTensor* tensor : {g, t, result}) EXPECT(0, aclDestroyTensor(tensor));
  for (float* memory : {ones, x, out}) EXPECT(0, aclrtFree(memory));
}

// Replacing an address in an executor replaces it in the tensor: the next operator reads there.
static void ReplacedAddresses(aclrtStream stream) {
  float *ones = Copied(std::vector<float>(kCount, 1)), *out = Copied(std::vector<float>(kCount, 7));
  float *before = Copied(std::vector<float>(kCount, 1)), *after = Copied(std::vector<float>(kCount, -1));
  aclTensor *g = Make({kCount}, ones), *x = Make({kCount}, before), *result = Make({kCount}, out);
  uint64_t size = 0;
  aclOpExecutor *e = nullptr, *earlier = nullptr;
  void* address = nullptr;
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(g, x, result, &size, &earlier));
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(g, x, result, &size, &e));
  EXPECT(0, aclSetAclOpExecutorRepeatable(e));
  EXPECT(0, aclSetInputTensorAddr(e, 1, x, after));
  EXPECT(0, aclGetRawTensorAddr(x, &address));
  Require(address == after, "aclGetRawTensorAddr gives the address that was set");
  EXPECT(161002, aclSetInputTensorAddr(e, 1, x, after + 1), "bytes");
  EXPECT(161002, aclSetInputTensorAddr(e, 2, x, before), "2");
  EXPECT(0, aclGetRawTensorAddr(x, &address));
  Require(address == after, "a refused address changes nothing");
  EXPECT(0, aclnnSiluBackward(nullptr, 0, e, stream));
  Require(Near(Element(out, 0), Silu(-1)), "the executor reads the address that was set");
  EXPECT(0, aclnnSiluBackward(nullptr, 0, earlier, stream));
  Require(Near(Element(out, 0), Silu(1)), "an executor made before keeps its own");
  EXPECT(0, aclDestroyAclOpExecutor(e));
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(g, x, result, &size, &e));
  EXPECT(0, aclnnSiluBackward(nullptr, 0, e, stream));
  Require(Near(Element(out, 0), Silu(-1)), "so does the next operator");
  for (aclTensor* tensor : {g, x, result}) EXPECT(0, aclDestroyTensor(tensor));
  for (float* memory : {ones, before, after, out}) EXPECT(0, aclrtFree(memory));
}

int main() {
  aclrtStream stream = nullptr;
  EXPECT(0, aclInit(nullptr));
  EXPECT(0, aclrtSetDevice(0));
  EXPECT(0, aclrtCreateStream(&stream));
  NullData(stream);
  ReplacedAddresses(stream);
  EXPECT(0, aclrtDestroyStream(stream));
  std::printf("flows: %s\n", failures ? "WRONG" : "right");
  return failures != 0;
}
