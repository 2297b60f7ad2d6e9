// Everything that can be done wrongly with an operator: a code and a message each time.
#include "check.h"

static float* Zeros(int count) {
  void* memory = nullptr;
  aclrtMalloc(&memory, count * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemset(memory, count * sizeof(float), 0, count * sizeof(float));
  return static_cast<float*>(memory);
}

int main() {
  EXPECT(0, aclInit(nullptr));
  EXPECT(0, aclrtSetDevice(0));
  aclrtStream stream = nullptr, gone = nullptr;
  EXPECT(0, aclrtCreateStream(&stream));
  EXPECT(0, aclrtCreateStream(&gone));
  EXPECT(0, aclrtDestroyStream(gone));
  float *a = Zeros(600), *b = Zeros(600), *c = Zeros(600);
  aclTensor *g = Make({2, 3}, a), *x = Make({2, 3}, b), *out = Make({2, 3}, c);
  aclTensor *other = Make({3, 2}, b), *ints = Make({2, 3}, b, ACL_INT32);
  aclTensor *nine = Make({1, 1, 1, 1, 1, 1, 1, 2, 3}, b);
  aclTensor *strange = Make({2, 3}, b, static_cast<aclDataType>(4711)), *dead = Make({2, 3}, a);
  aclTensor *negative = Make({2, -3}, b), *nowhere = Make({2, 3}, nullptr);
  EXPECT(0, aclDestroyTensor(dead));
  uint64_t size = 7;
  aclOpExecutor *e = nullptr, *used = nullptr;

  EXPECT(161001, aclnnSiluBackwardGetWorkspaceSize(nullptr, x, out, &size, &e), "is null");
  EXPECT(161001, aclnnSiluBackwardGetWorkspaceSize(g, nullptr, out, &size, &e), "is null");
  EXPECT(161001, aclnnSiluBackwardGetWorkspaceSize(g, x, nullptr, &size, &e), "is null");
  EXPECT(161001, aclnnSiluBackwardGetWorkspaceSize(g, x, out, nullptr, &e), "workspaceSize");
  EXPECT(161001, aclnnSiluBackwardGetWorkspaceSize(g, x, out, &size, nullptr), "executor");
  EXPECT(161001, aclnnLeakyReluBackwardGetWorkspaceSize(g, x, nullptr, false, out, &size, &e));
  EXPECT(161002, aclnnSiluBackwardGetWorkspaceSize(g, ints, out, &size, &e), "INT32");
  EXPECT(161002, aclnnSiluBackwardGetWorkspaceSize(g, strange, out, &size, &e), "4711");
  EXPECT(161002, aclnnSiluBackwardGetWorkspaceSize(g, other, out, &size, &e), "[3, 2]");
  EXPECT(161002, aclnnSiluBackwardGetWorkspaceSize(g, nine, out, &size, &e), "9 dimensions");
  EXPECT(161002, aclnnSiluBackwardGetWorkspaceSize(g, negative, out, &size, &e), "negative");
  EXPECT(161002, aclnnSiluBackwardGetWorkspaceSize(dead, x, out, &size, &e), "destroyed");
  EXPECT(161002, aclnnSiluBackwardGetWorkspaceSize(reinterpret_cast<aclTensor*>(stream), x, out, &size,
                                                   &e), "is no aclTensor");
  EXPECT(161002, aclnnSmoothL1LossBackwardGetWorkspaceSize(g, x, x, 3, 1, out, &size, &e), "reduction");
  EXPECT(161002, aclnnSmoothL1LossBackwardGetWorkspaceSize(g, x, x, 0, NAN, out, &size, &e), "beta");
  int64_t minus = -1;
  aclScalar* slope = aclCreateScalar(&minus, ACL_INT64);
  EXPECT(161002, aclnnLeakyReluBackwardGetWorkspaceSize(g, x, slope, true, out, &size, &e), "slope");
  EXPECT(0, aclnnLeakyReluBackwardGetWorkspaceSize(g, x, slope, false, out, &size, &e));
  EXPECT(0, aclDestroyAclOpExecutor(e));  // never run
  EXPECT(561000, aclDestroyAclOpExecutor(e), "destroyed");
  EXPECT(0, aclDestroyScalar(slope));
  EXPECT(161002, aclnnLeakyReluBackwardGetWorkspaceSize(g, x, slope, false, out, &size, &e), "destroyed");
  int32_t half[2] = {};
  aclScalar* odd = aclCreateScalar(half, ACL_COMPLEX32);
  EXPECT(161002, aclnnLeakyReluBackwardGetWorkspaceSize(g, x, odd, false, out, &size, &e), "COMPLEX32");
  EXPECT(0, aclDestroyScalar(odd));

  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(g, x, out, &size, &used));
  Require(size == 0, "no workspace");
  EXPECT(161002, aclnnHardsigmoidBackward(nullptr, 0, used, stream), "aclnnSiluBackward");
  EXPECT(361001, aclnnSiluBackward(nullptr, 0, used, gone), "destroyed");
  EXPECT(361001, aclnnSiluBackward(nullptr, 0, used, reinterpret_cast<aclrtStream>(g)), "aclrtStream");
  EXPECT(161001, aclnnSiluBackward(nullptr, 4, used, stream), "the workspace is null");
  EXPECT(0, aclnnSiluBackward(nullptr, 0, used, stream));  // refused runs have not used it up
  EXPECT(561000, aclnnSiluBackward(nullptr, 0, used, stream), "has run already");
  EXPECT(561000, aclSetAclOpExecutorRepeatable(used), "has run already");
  EXPECT(0, aclDestroyAclOpExecutor(used));  // after its run: allowed
  EXPECT(561000, aclDestroyAclOpExecutor(used), "destroyed");
  EXPECT(561000, aclnnSiluBackward(nullptr, 0, used, stream), "destroyed");
  EXPECT(161001, aclnnSiluBackward(nullptr, 0, nullptr, stream), "null");
  EXPECT(561000, aclnnSiluBackward(nullptr, 0, reinterpret_cast<aclOpExecutor*>(g), stream), "is no");
  EXPECT(561103, aclDestroyAclOpExecutor(nullptr), "null");
  EXPECT(561103, aclSetAclOpExecutorRepeatable(nullptr), "null");

  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(g, nowhere, out, &size, &e));
  EXPECT(161001, aclnnSiluBackward(nullptr, 0, e, stream), "null data address");
  EXPECT(0, aclSetAclOpExecutorRepeatable(e));
  EXPECT(0, aclSetInputTensorAddr(e, 1, nowhere, b));
  EXPECT(0, aclnnSiluBackward(nullptr, 0, e, stream));
  EXPECT(0, AclSetOutputTensorAddr(e, 0, out, c));
  EXPECT(0, aclSetTensorAddr(e, 2, out, c));
  EXPECT(0, aclnnSiluBackward(nullptr, 0, e, stream));
  EXPECT(161002, aclSetInputTensorAddr(e, 2, g, a), "2");
  EXPECT(161002, aclSetTensorAddr(e, 3, g, a), "3");
  EXPECT(161002, aclSetTensorAddr(e, 0, dead, a), "destroyed");
  EXPECT(161002, aclSetInputTensorAddr(e, 0, g, a + 597), "reaches 24 bytes from its address; 12 are");
  EXPECT(0, aclnnSiluBackward(nullptr, 0, e, stream));  // a refused address has not replaced one
  EXPECT(561103, aclSetTensorAddr(e, 0, nullptr, a), "tensor is null");
  EXPECT(561103, aclSetTensorAddr(nullptr, 0, g, a), "executor is null");
  EXPECT(561103, aclSetInputTensorAddr(e, 0, nullptr, a), "tensor is null");
  EXPECT(561103, AclSetOutputTensorAddr(nullptr, 0, nullptr, a), "executor is null");
  // the address of a tensor in a list, of an operator that has none
  const aclTensor* members[] = {Make({2, 3}, a), nullptr};
  aclTensorList* list = aclCreateTensorList(members, 2);
  EXPECT(161002, aclSetDynamicInputTensorAddr(e, 0, 0, list, b), "grad_output is a tensor; a list");
  EXPECT(161002, aclSetDynamicOutputTensorAddr(e, 0, 0, list, b), "is a tensor; a list");
  EXPECT(161002, AclSetDynamicTensorAddr(e, 3, 0, list, b), "there is no tensor number 3");
  EXPECT(161002, aclSetDynamicTensorAddr(e, 0, 2, list, b), "the list has 2 tensors");
  EXPECT(561103, aclSetDynamicTensorAddr(e, 0, 1, list, b), "null");
  EXPECT(561103, AclSetDynamicInputTensorAddr(e, 0, 0, nullptr, b), "tensors is null");
  EXPECT(561103, AclSetDynamicOutputTensorAddr(nullptr, 0, 0, list, b), "executor is null");
  void* unmoved = nullptr;
  EXPECT(0, aclGetRawTensorAddr(members[0], &unmoved));
  Require(unmoved == a, "a refused address changes nothing");
  EXPECT(0, aclDestroyTensorList(list));
  EXPECT(161002, aclSetDynamicInputTensorAddr(e, 0, 0, list, b), "destroyed");
  EXPECT(0, aclnnSiluBackward(nullptr, 0, e, stream));
  EXPECT(0, aclDestroyAclOpExecutor(e));
  EXPECT(561000, aclSetTensorAddr(e, 0, g, a), "destroyed");

  // the output overlaps an input by one element: a workspace is asked for, and must be given
  aclTensor *shifted = aclCreateTensor(nullptr, 0, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, b);
  const int64_t shape[] = {5}, storage[] = {6};
  EXPECT(0, aclInitTensor(shifted, shape, 1, ACL_FLOAT, nullptr, 1, ACL_FORMAT_ND, storage, 1, b));
  aclTensor* front = aclCreateTensor(shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, storage, 1, b);
  aclTensor* grad = Make({5}, a);
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(grad, front, shifted, &size, &e));
  Require(size > 0, "an overlap asks for a workspace");
  EXPECT(161002, aclnnSiluBackward(c, size - 1, e, stream), "workspace");
  EXPECT(161001, aclnnSiluBackward(nullptr, size, e, stream), "workspace");
  EXPECT(0, aclnnSiluBackward(c, size, e, stream));

  // a tensor, or a workspace, larger than its memory
  aclTensor* large = Make({601}, b);
  EXPECT(161002, aclnnSiluBackwardGetWorkspaceSize(large, large, large, &size, &e), "2400 are allocated");
  // but for one that nobody reads
  EXPECT(0, aclnnLogSigmoidBackwardGetWorkspaceSize(g, x, large, out, &size, &e));
  EXPECT(0, aclSetInputTensorAddr(e, 2, large, b + 1));
  EXPECT(0, aclnnLogSigmoidBackward(nullptr, 0, e, stream));
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(grad, front, shifted, &size, &e));
  EXPECT(161002, aclnnSiluBackward(c + 599, size, e, stream), "only 4 bytes");
  EXPECT(0, aclDestroyAclOpExecutor(e));

  // tens of thousands of executors that nobody destroys
  for (int i = 0; i < 20000 && !failures; ++i) {
    EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(g, x, out, &size, &e));
    if (i == 0) used = e;
    EXPECT(0, aclnnSiluBackward(nullptr, 0, e, stream));
  }
  EXPECT(561000, aclnnSiluBackward(nullptr, 0, used, stream), "destroyed or has run already");
  EXPECT(0, aclDestroyAclOpExecutor(used));

  for (aclTensor* t : {g, x, out, other, ints, nine, strange, negative, nowhere, shifted, front, grad,
                        large})
    EXPECT(0, aclDestroyTensor(t));
  for (float* memory : {a, b, c}) EXPECT(0, aclrtFree(memory));
  EXPECT(0, aclrtDestroyStream(stream));
  EXPECT(0, aclrtResetDevice(0));
  EXPECT(0, aclFinalize());
  std::printf("operators: %s\n", failures ? "WRONG" : "right");
  return failures != 0;
}
