// Documented flows around executors: data that comes later, addresses that are replaced, memory that
// is freed too early.
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

static bool OnCpu() { return std::strcmp(std::getenv("OPENACLNN_DEVICE"), "cpu") == 0; }

static float* Ones() { return Copied(std::vector<float>(kCount, 1)); }

// Memory that was freed before phase 1 is refused there, and nothing is read.
static void FreedBeforePhaseOne() {
  float *kept = Ones(), *out = Ones(), *gone = Ones();
  aclTensor *g = Make({kCount}, kept), *result = Make({kCount}, out), *x = Make({kCount}, gone);
  aclTensor* empty = Make({0}, gone);
  uint64_t size = 0;
  aclOpExecutor* e = nullptr;
  EXPECT(0, aclrtFree(gone));
  EXPECT(161002, aclnnSiluBackwardGetWorkspaceSize(g, x, result, &size, &e),
         "self lies at 0x");
  EXPECT(161002, aclnnSiluBackwardGetWorkspaceSize(x, g, result, &size, &e), "that was freed");
  EXPECT(161002, aclnnSiluBackwardGetWorkspaceSize(g, g, x, &size, &e), "that was freed");
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(empty, empty, empty, &size, &e));
  EXPECT(0, aclDestroyAclOpExecutor(e));
  EXPECT(0, aclnnLogSigmoidBackwardGetWorkspaceSize(g, g, x, result, &size, &e));  // nobody reads x
  EXPECT(0, aclnnLogSigmoidBackward(nullptr, 0, e, nullptr));
  aclTensor* late = Make({kCount}, gone);  // made when its memory was gone already
  if (OnCpu())
    EXPECT(161002, aclnnSiluBackwardGetWorkspaceSize(g, late, result, &size, &e), "that was freed");
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(g, g, result, &size, &e));
  EXPECT(0, aclSetAclOpExecutorRepeatable(e));
  if (OnCpu()) EXPECT(161002, aclSetInputTensorAddr(e, 1, g, gone), "that was freed");
  EXPECT(0, aclSetRawTensorAddr(x, kept));
  EXPECT(0, aclDestroyAclOpExecutor(e));
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(g, x, result, &size, &e));  // it lies elsewhere now
  EXPECT(0, aclnnSiluBackward(nullptr, 0, e, nullptr));
  for (aclTensor* tensor : {g, x, result, late, empty}) EXPECT(0, aclDestroyTensor(tensor));
  for (float* memory : {kept, out}) EXPECT(0, aclrtFree(memory));
}

// Memory that was freed after phase 1 is refused in phase 2, until the executor gets other memory.
static void FreedBetweenThePhases(aclrtStream stream, size_t count) {
  const std::vector<float> ones(count, 1);
  const int64_t n = static_cast<int64_t>(count);
  float *kept = Copied(ones), *out = Copied(ones), *gone = Copied(ones);
  aclTensor *g = Make({n}, kept), *result = Make({n}, out), *x = Make({n}, gone);
  uint64_t size = 0;
  aclOpExecutor *once = nullptr, *repeatable = nullptr, *writing = nullptr, *unread = nullptr;
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(g, x, result, &size, &once));
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(g, g, x, &size, &writing));
  EXPECT(0, aclnnLogSigmoidBackwardGetWorkspaceSize(g, g, x, result, &size, &unread));
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(g, x, result, &size, &repeatable));
  EXPECT(0, aclSetAclOpExecutorRepeatable(repeatable));
  EXPECT(0, aclnnSiluBackward(nullptr, 0, repeatable, stream));
  EXPECT(0, aclrtFree(gone));
  EXPECT(161002, aclnnSiluBackward(nullptr, 0, once, stream), "aclnnSiluBackward: self lies at 0x");
  EXPECT(161002, aclnnSiluBackward(nullptr, 0, once, stream), "in memory that was freed (aclrtFree)");
  EXPECT(161002, aclnnSiluBackward(nullptr, 0, writing, stream), "that was freed");
  EXPECT(161002, aclnnSiluBackward(nullptr, 0, repeatable, stream), "that was freed");
  EXPECT(0, aclnnLogSigmoidBackward(nullptr, 0, unread, stream));
  EXPECT(0, aclSetInputTensorAddr(repeatable, 1, x, kept));
  EXPECT(0, aclnnSiluBackward(nullptr, 0, repeatable, stream));
  EXPECT(0, aclnnSiluBackward(nullptr, 0, repeatable, stream));
  EXPECT(0, aclDestroyAclOpExecutor(once));
  EXPECT(0, aclDestroyAclOpExecutor(writing));
  EXPECT(0, aclDestroyAclOpExecutor(repeatable));
  for (aclTensor* tensor : {g, x, result}) EXPECT(0, aclDestroyTensor(tensor));
  for (float* memory : {kept, out}) EXPECT(0, aclrtFree(memory));
}

// An address that was given out again is another block: what was made for the first is refused. Blocks
// of this size lie alone, so that the system uses their addresses again.
static void GivenOutAgain(aclrtStream stream) {
  const size_t kLarge = (size_t{1} << 30) + 4096;
  void *gone = nullptr, *again = nullptr;
  float *kept = Ones(), *out = Ones();
  EXPECT(0, aclrtMalloc(&gone, kLarge, ACL_MEM_MALLOC_HUGE_FIRST));
  aclTensor *g = Make({kCount}, kept), *result = Make({kCount}, out), *x = Make({kCount}, gone);
  uint64_t size = 0;
  aclOpExecutor *e = nullptr, *fresh = nullptr;
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(g, x, result, &size, &e));
  EXPECT(0, aclrtFree(gone));
  EXPECT(0, aclrtMalloc(&again, kLarge, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT(161002, aclnnSiluBackward(nullptr, 0, e, stream), "that was freed");
  EXPECT(161002, aclnnSiluBackwardGetWorkspaceSize(g, x, result, &size, &fresh), "that was freed");
  EXPECT(0, aclSetRawTensorAddr(x, again));
  EXPECT(0, aclrtMemset(again, kLarge, 0, kCount * sizeof(float)));
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(g, x, result, &size, &fresh));
  EXPECT(0, aclnnSiluBackward(nullptr, 0, fresh, stream));
  EXPECT(0, aclDestroyAclOpExecutor(e));
  for (aclTensor* tensor : {g, x, result}) EXPECT(0, aclDestroyTensor(tensor));
  for (float* memory : {kept, out}) EXPECT(0, aclrtFree(memory));
  EXPECT(0, aclrtFree(again));
}

// On the CPU, memory that nobody allocated here is the program's own affair; beside a block it is not.
static void OtherMemory(aclrtStream stream) {
  if (!OnCpu()) return;
  float own[kCount] = {1, 1, 1, 1, 1, 1}, *memory = Ones(), *large = Copied(std::vector<float>(2 << 20));
  aclTensor *g = Make({kCount}, own), *result = Make({kCount}, memory);
  uint64_t size = 0;
  aclOpExecutor* e = nullptr;
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(g, g, result, &size, &e));
  EXPECT(0, aclnnSiluBackward(nullptr, 0, e, stream));
  for (float* block : {memory, large}) {
    const int count = block == memory ? kCount : 2 << 20;
    aclTensor *behind = Make({1}, block + count), *before = Make({1}, block - 1);
    aclTensor *one = Make({1}, block);
    EXPECT(161002, aclnnSiluBackwardGetWorkspaceSize(one, behind, one, &size, &e), "just behind a block");
    EXPECT(161002, aclnnSiluBackwardGetWorkspaceSize(one, before, one, &size, &e), "just before a block");
    for (aclTensor* tensor : {behind, before, one}) EXPECT(0, aclDestroyTensor(tensor));
  }
  for (aclTensor* tensor : {g, result}) EXPECT(0, aclDestroyTensor(tensor));
  for (float* block : {memory, large}) EXPECT(0, aclrtFree(block));
}

// A workspace that was freed, or ends too early.
static void Workspaces(aclrtStream stream) {
  float *kept = Ones(), *shared = Copied(std::vector<float>(kCount + 1, 1)), *gone = Ones();
  aclTensor *g = Make({kCount}, kept), *x = Make({kCount}, shared), *y = Make({kCount}, shared + 1);
  uint64_t size = 0;
  aclOpExecutor* e = nullptr;
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(g, x, y, &size, &e));
  Require(size == kCount * sizeof(float), "an overlap asks for a workspace");
  EXPECT(0, aclrtFree(gone));
  if (OnCpu()) {
    EXPECT(161002, aclnnSiluBackward(gone, size, e, stream), "was freed");
    EXPECT(161002, aclnnSiluBackward(kept + kCount, size, e, stream), "only 0 bytes");
    EXPECT(161002, aclnnSiluBackward(kept - 1, size, e, stream), "only 0 bytes");
  }
  EXPECT(161002, aclnnSiluBackward(kept + 1, size, e, stream), "only 20 bytes");
  gone = Ones();
  EXPECT(0, aclnnSiluBackward(gone, size, e, stream));
  for (aclTensor* tensor : {g, x, y}) EXPECT(0, aclDestroyTensor(tensor));
  for (float* memory : {kept, shared, gone}) EXPECT(0, aclrtFree(memory));
}

// A dense view may begin beyond its storage's shape, but must stay inside its block.
static void BeyondTheStorage(aclrtStream stream) {
  const int64_t shape[] = {8}, step[] = {1}, wide[] = {2};
  float *memory = Copied(std::vector<float>(64, 1)), *out = Copied(std::vector<float>(64, 7));
  uint64_t size = 0;
  aclOpExecutor* e = nullptr;
  aclTensor* result = aclCreateTensor(shape, 1, ACL_FLOAT, step, 4, ACL_FORMAT_ND, shape, 1, out);
  struct { int64_t offset, first; const int64_t* strides; int status; const char* why; } rows[] = {
      {4, 0, step, 0, ""}, {56, 0, step, 0, ""}, {57, 0, step, 161002, "256 are allocated"},
      {4, 52, step, 0, ""}, {4, 53, step, 161002, "44 are allocated there"},
      {-1, 8, step, 161002, "storage"}, {4, 0, wide, 161002, "storage"},
  };
  for (const auto& row : rows) {
    aclTensor* x = aclCreateTensor(shape, 1, ACL_FLOAT, row.strides, row.offset, ACL_FORMAT_ND, shape, 1,
                                   memory + row.first);
    EXPECT(row.status, aclnnSiluBackwardGetWorkspaceSize(x, x, result, &size, &e), row.why);
    if (!row.status) EXPECT(0, aclnnSiluBackward(nullptr, 0, e, stream));
    EXPECT(0, aclDestroyTensor(x));
  }
  Require(Near(Element(out, 3), 7) && Near(Element(out, 4), Silu(1)) && Near(Element(out, 11), Silu(1)) &&
              Near(Element(out, 12), 7), "the view of the output, and only that, is written");
  const int64_t matrix[] = {2, 4}, transposed[] = {1, 2};
  aclTensor* whole = aclCreateTensor(matrix, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, matrix, 2, out);
  for (int64_t offset : {4, 56, 57}) {
    aclTensor* x = aclCreateTensor(matrix, 2, ACL_FLOAT, transposed, offset, ACL_FORMAT_ND, shape, 1,
                                   memory);
    EXPECT(offset < 57 ? 0 : 161002, aclnnSiluBackwardGetWorkspaceSize(x, x, whole, &size, &e),
           "256 are allocated");
    if (offset < 57) EXPECT(0, aclnnSiluBackward(nullptr, 0, e, stream));
    EXPECT(0, aclDestroyTensor(x));
  }
  EXPECT(0, aclDestroyTensor(whole));
  aclTensor* later = aclCreateTensor(shape, 1, ACL_FLOAT, step, 4, ACL_FORMAT_ND, shape, 1, nullptr);
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(later, later, result, &size, &e));
  EXPECT(161002, aclSetInputTensorAddr(e, 0, later, memory + 53), "44 are allocated there");
  EXPECT(0, aclSetInputTensorAddr(e, 0, later, memory + 52));
  EXPECT(0, aclSetInputTensorAddr(e, 1, later, memory));
  EXPECT(0, aclnnSiluBackward(nullptr, 0, e, stream));
  for (aclTensor* tensor : {result, later}) EXPECT(0, aclDestroyTensor(tensor));
  for (float* block : {memory, out}) EXPECT(0, aclrtFree(block));
}

int main() {
  aclrtStream stream = nullptr;
  EXPECT(0, aclInit(nullptr));
  EXPECT(0, aclrtSetDevice(0));
  EXPECT(0, aclrtCreateStream(&stream));
  NullData(stream);
  ReplacedAddresses(stream);
  FreedBeforePhaseOne();
  FreedBetweenThePhases(stream, kCount);
  FreedBetweenThePhases(stream, 2 << 20);
  GivenOutAgain(stream);
  OtherMemory(stream);
  Workspaces(stream);
  BeyondTheStorage(stream);
  EXPECT(0, aclrtDestroyStream(stream));
  std::printf("flows: %s\n", failures ? "WRONG" : "right");
  return failures != 0;
}
