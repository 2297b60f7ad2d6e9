// A user's own operators, from libcust_opapi.so: every kind of argument, and what is refused of each.
#include <utility>

#include "check.h"

#include "aclnn_doubled_rows.h"
#include "aclnn_every_kind.h"
#include "aclnn_relu_backward.h"
#include "aclnn_triple.h"

static float* Copied(const std::vector<float>& values) {
  void* memory = nullptr;
  const size_t bytes = values.size() * sizeof(float);
  EXPECT(0, aclrtMalloc(&memory, bytes ? bytes : 1, ACL_MEM_MALLOC_HUGE_FIRST));
  if (bytes) EXPECT(0, aclrtMemcpy(memory, bytes, values.data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
  return static_cast<float*>(memory);
}

static void RequireValues(const float* memory, const std::vector<float>& wanted, const char* what) {
  std::vector<float> found(wanted.size());
  const size_t bytes = wanted.size() * sizeof(float);
  EXPECT(0, aclrtSynchronizeDevice());
  EXPECT(0, aclrtMemcpy(found.data(), bytes, memory, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
  for (size_t i = 0; i < wanted.size(); ++i)
    if (found[i] != wanted[i]) {
      std::printf("WRONG %s: element %zu is %g instead of %g\n", what, i, found[i], wanted[i]);
      ++failures;
    }
}

// What may be done with any value: one of every kind, each with a default that a row changes.
struct Kinds {
  const aclTensor *self = nullptr, *other = nullptr;
  const aclTensorList* tensors = nullptr;
  int8_t small = 1;
  int32_t middle = 0;
  int64_t large = 0;
  uint32_t natural = 0;
  uint64_t huge = 0;
  float number = 2;
  double precise = 5;
  bool flag = false;
  const aclScalar *scalar = nullptr, *factor = nullptr;
  const aclIntArray* dims = nullptr;
  const aclFloatArray* weights = nullptr;
  const aclBoolArray* mask = nullptr;
  aclDataType dtype = ACL_FLOAT;
  const char* mode = nullptr;
  aclTensor *out = nullptr, *rest = nullptr;

  int First(uint64_t* size, aclOpExecutor** executor) const {
    return aclnnEveryKindGetWorkspaceSize(self, other, tensors, small, middle, large, natural, huge,
                                          number, precise, flag, scalar, factor, dims, weights, mask,
                                          dtype, mode, out, rest, size, executor);
  }
  void Refused(int status, const char* word) const {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    Expect(word, First(&size, &executor), status, word);
  }
  // Refused with a message that has this word; a message can be asked for only once.
  void Told(const char* word) const { Refused(161002, word); }
  void Ran(aclrtStream stream) const {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT(0, First(&size, &executor));
    EXPECT(0, aclnnEveryKind(nullptr, size, executor, stream));
  }
};

static void EveryKind(aclrtStream stream) {
  float *x = Copied({1, 2, 3}), *y = Copied({10, 20, 30}), *a = Copied({0, 0, 0}), *b = Copied({0, 0, 0});
  aclTensor *self = Make({3}, x), *other = Make({3}, y), *out = Make({3}, a), *rest = Make({3}, b);
  const aclTensor* members[] = {Make({3}, x), Make({3}, y)};
  aclTensorList* tensors = aclCreateTensorList(members, 2);
  double half = 0.5;
  aclScalar *scalar = aclCreateScalar(&half, ACL_DOUBLE), *dead = aclCreateScalar(&half, ACL_DOUBLE);
  EXPECT(0, aclDestroyScalar(dead));
  const int64_t sizes[] = {-1, INT64_MIN, INT64_MAX};
  const float parts[] = {0.1f, -0.0f, INFINITY};
  const bool truths[] = {true, false, true};
  aclIntArray* dims = aclCreateIntArray(sizes, 3);
  aclFloatArray* weights = aclCreateFloatArray(parts, 3);
  aclBoolArray* mask = aclCreateBoolArray(truths, 3);
  Kinds base;
  base.self = self, base.tensors = tensors, base.scalar = scalar, base.dims = dims, base.weights = weights;
  base.out = out, base.rest = rest;

  base.Ran(stream);
  RequireValues(a, {3, 5, 7}, "without the optional tensor");
  RequireValues(b, {4, 3, 2}, "the second output");
  Kinds row = base;
  row.other = other, row.small = -128, row.number = 0.5f;
  row.Ran(stream);
  RequireValues(a, {-117.5f, -107, -96.5f}, "with the optional tensor");
  row = base, row.rest = nullptr, row.small = 0;
  EXPECT(0, aclrtMemset(b, 12, 0, 12));
  row.Ran(stream);
  RequireValues(a, {2, 4, 6}, "without the optional output");
  RequireValues(b, {0, 0, 0}, "an output that nobody wants is left alone");

  // what arrives, to the last bit
  row = base, row.mode = "tell";
  row.small = -128, row.middle = INT32_MIN, row.large = INT64_MIN, row.natural = UINT32_MAX;
  row.huge = UINT64_MAX, row.number = 0.1f, row.precise = 0.1, row.flag = true, row.mask = mask;
  row.dtype = ACL_BF16;
  row.Told("2 tensors small=-128 middle=-2147483648 large=-9223372036854775808 natural=4294967295 "
           "huge=18446744073709551615 number=0.10000000149011612 precise=0.1 flag=True "
           "scalar=Scalar(value=0.5, dtype=DOUBLE) factor=None "
           "dims=(-1, -9223372036854775808, 9223372036854775807) "
           "weights=(0.10000000149011612, -0.0, inf) mask=(True, False, True) dtype=BF16 mode='tell'");
  row.small = 127, row.huge = 0, row.number = 1e-45f, row.precise = 5e-324, row.factor = scalar;
  row.Told("small=127 ");
  row.Told("huge=0 number=1.401298464324817e-45 precise=5e-324 ");
  row.Told("factor=Scalar(value=0.5, dtype=DOUBLE)");
  row.dtype = static_cast<aclDataType>(63);
  row.Told("unknown dtype 63");
  row.dtype = ACL_DT_UNDEFINED;
  row.Told("dtype=DT_UNDEFINED");
  row.mask = nullptr;
  row.Told("mask=None");
  aclIntArray* none = aclCreateIntArray(nullptr, 0);
  row.dims = none;
  row.Told("dims=() ");
  EXPECT(0, aclDestroyIntArray(none));
  row = base, row.mode = "\xff";
  row.Told("mode is b'\\xff'; expected text");
  row.mode = "\xe5\x8d\x87";  // text, but not the one that tells
  row.Ran(stream);

  // null where something is needed
  const std::pair<const char*, void (*)(Kinds&)> nulls[] = {
      {"self is null; expected a tensor", [](Kinds& k) { k.self = nullptr; }},
      {"tensors is null; expected a list of tensors", [](Kinds& k) { k.tensors = nullptr; }},
      {"scalar is null; expected a scalar", [](Kinds& k) { k.scalar = nullptr; }},
      {"dims is null; expected a list", [](Kinds& k) { k.dims = nullptr; }},
      {"weights is null; expected a list", [](Kinds& k) { k.weights = nullptr; }},
      {"out is null; expected a tensor", [](Kinds& k) { k.out = nullptr; }},
  };
  for (const auto& missing : nulls) {
    row = base;
    missing.second(row);
    row.Refused(161001, missing.first);
  }

  // handles that died, or are something else
  row = base, row.scalar = dead;
  row.Told("scalar is an aclScalar that was destroyed");
  row.scalar = reinterpret_cast<const aclScalar*>(dims);
  row.Told("scalar is no aclScalar but an aclIntArray");
  row = base, row.dims = reinterpret_cast<const aclIntArray*>(weights);
  row.Told("dims is no aclIntArray but an aclFloatArray");
  row = base, row.tensors = reinterpret_cast<const aclTensorList*>(self);
  row.Told("tensors is no aclTensorList but an aclTensor");
  row = base, row.self = reinterpret_cast<const aclTensor*>(0x1234567890);
  row.Told("self is no aclTensor (0x1234567890)");
  aclIntArray* gone = aclCreateIntArray(sizes, 3);
  EXPECT(0, aclDestroyIntArray(gone));
  row = base, row.dims = gone;
  row.Told("dims is an aclIntArray that was destroyed");

  // two outputs must be apart, in a repeated call too
  row = base;
  row.Ran(stream);
  row.rest = out;
  row.Told("out and rest share memory");

  EXPECT(0, aclDestroyTensorList(tensors));
  row = base;
  row.Told("tensors is an aclTensorList that was destroyed");
  for (aclTensor* tensor : {self, other, out, rest}) EXPECT(0, aclDestroyTensor(tensor));
  EXPECT(0, aclDestroyScalar(scalar));
  EXPECT(0, aclDestroyIntArray(dims));
  EXPECT(0, aclDestroyFloatArray(weights));
  EXPECT(0, aclDestroyBoolArray(mask));
  for (float* memory : {x, y, a, b}) EXPECT(0, aclrtFree(memory));
}

static void InPlace(aclrtStream stream) {
  float *x = Copied({1, -2, 3}), *again = Copied({5, 6, 7});
  aclTensor* self = Make({3}, x);
  uint64_t size = 7;
  aclOpExecutor *e = nullptr, *late = nullptr;
  EXPECT(0, aclnnInplaceTripleGetWorkspaceSize(self, &size, &e));
  Require(size == 0, "no workspace in place");
  EXPECT(0, aclSetAclOpExecutorRepeatable(e));
  EXPECT(0, aclnnInplaceTriple(nullptr, 0, e, stream));
  EXPECT(0, aclnnInplaceTriple(nullptr, 0, e, stream));
  RequireValues(x, {9, -18, 27}, "in place, twice");
  EXPECT(0, aclSetInputTensorAddr(e, 0, self, again));  // it is an input and an output
  EXPECT(0, aclnnInplaceTriple(nullptr, 0, e, stream));
  RequireValues(again, {15, 18, 21}, "in place, elsewhere");
  EXPECT(0, aclSetOutputTensorAddr(e, 0, self, x));
  EXPECT(0, aclnnInplaceTriple(nullptr, 0, e, stream));
  RequireValues(x, {27, -54, 81}, "in place, there again");
  EXPECT(0, aclnnInplaceTripleGetWorkspaceSize(self, &size, &late));
  EXPECT(0, aclrtFree(x));
  EXPECT(161002, aclnnInplaceTriple(nullptr, 0, e, stream), "self lies at 0x");
  EXPECT(161002, aclnnInplaceTriple(nullptr, 0, late, stream), "in memory that was freed (aclrtFree)");
  EXPECT(161002, aclnnInplaceTripleGetWorkspaceSize(self, &size, &late), "in memory that was freed");
  EXPECT(161001, aclnnInplaceTripleGetWorkspaceSize(nullptr, &size, &late), "self is null");
  EXPECT(0, aclDestroyAclOpExecutor(e));
  aclTensor* out = Make({3}, again);
  EXPECT(0, aclSetRawTensorAddr(self, again));
  EXPECT(0, aclnnTripleGetWorkspaceSize(self, out, &size, &e));  // its twin, from the same header
  EXPECT(0, aclnnTriple(nullptr, size, e, stream));
  RequireValues(again, {45, 54, 63}, "the output is the input");
  for (aclTensor* tensor : {self, out}) EXPECT(0, aclDestroyTensor(tensor));
  EXPECT(0, aclrtFree(again));
}

static void Lists(aclrtStream stream) {
  float *x = Copied({1, 2}), *y = Copied({3, 4, 5}), *z = Copied({6, 7, 8}), *out = Copied({0, 0, 0, 0, 0});
  const aclTensor* members[] = {Make({2}, x), Make({3}, y)};
  aclTensorList* list = aclCreateTensorList(members, 2);
  aclTensor *result = Make({5}, out), *small = Make({4}, out);
  uint64_t size = 0;
  aclOpExecutor *e = nullptr, *late = nullptr;
  void* address = nullptr;
  EXPECT(0, aclnnDoubledRowsGetWorkspaceSize(list, result, &size, &e));
  EXPECT(0, aclSetAclOpExecutorRepeatable(e));
  EXPECT(0, aclnnDoubledRows(nullptr, size, e, stream));
  RequireValues(out, {2, 4, 6, 8, 10}, "a list");
  EXPECT(161002, aclnnDoubledRowsGetWorkspaceSize(list, small, &size, &late), "expected [5]");

  // other addresses for its members, in the executor and in the tensors themselves
  EXPECT(0, aclSetDynamicInputTensorAddr(e, 0, 1, list, z));
  EXPECT(0, aclGetRawTensorAddr(members[1], &address));
  Require(address == z, "the member lies where it was put");
  EXPECT(0, aclnnDoubledRows(nullptr, size, e, stream));
  RequireValues(out, {2, 4, 12, 14, 16}, "a member elsewhere");
  EXPECT(0, AclSetDynamicTensorAddr(e, 0, 0, list, y));
  EXPECT(0, aclnnDoubledRows(nullptr, size, e, stream));
  RequireValues(out, {6, 8, 12, 14, 16}, "another member elsewhere");
  EXPECT(0, aclnnDoubledRowsGetWorkspaceSize(list, result, &size, &late));
  EXPECT(0, aclnnDoubledRows(nullptr, size, late, stream));
  RequireValues(out, {6, 8, 12, 14, 16}, "so do later calls");
  EXPECT(161002, aclSetDynamicInputTensorAddr(e, 0, 1, list, z + 1),
         "tensors[1] reaches 12 bytes from its address; 8 are allocated there");
  EXPECT(161002, aclSetDynamicInputTensorAddr(e, 0, 2, list, z), "the list has 2 tensors");
  EXPECT(161002, aclSetDynamicInputTensorAddr(e, 1, 0, list, z), "there is no input tensor number 1");
  EXPECT(161002, aclSetDynamicOutputTensorAddr(e, 0, 0, list, z), "out is a tensor; a list");
  EXPECT(161002, aclSetInputTensorAddr(e, 0, result, out), "tensors is a list of tensors; one tensor");
  EXPECT(0, aclSetOutputTensorAddr(e, 0, result, out));

  // memory of a member that was freed
  EXPECT(0, aclnnDoubledRowsGetWorkspaceSize(list, result, &size, &late));
  EXPECT(0, aclrtFree(z));
  EXPECT(161002, aclnnDoubledRows(nullptr, size, late, stream), "tensors[1] lies at 0x");
  EXPECT(161002, aclnnDoubledRows(nullptr, size, e, stream), "in memory that was freed (aclrtFree)");
  EXPECT(161002, aclnnDoubledRowsGetWorkspaceSize(list, result, &size, &late), "tensors[1] lies at 0x");
  EXPECT(0, aclSetDynamicInputTensorAddr(e, 0, 1, list, y));
  EXPECT(0, aclnnDoubledRows(nullptr, size, e, stream));
  RequireValues(out, {6, 8, 6, 8, 10}, "with memory again");
  EXPECT(0, aclDestroyAclOpExecutor(e));

  // members without data, which comes later
  const aclTensor* nowhere[] = {Make({2}, nullptr), Make({0}, nullptr), Make({3}, nullptr)};
  aclTensorList* later = aclCreateTensorList(nowhere, 3);
  EXPECT(0, aclnnDoubledRowsGetWorkspaceSize(later, result, &size, &e));
  EXPECT(161001, aclnnDoubledRows(nullptr, size, e, stream), "tensors[0] has a null data address");
  EXPECT(0, aclSetDynamicInputTensorAddr(e, 0, 0, later, x));
  EXPECT(161001, aclnnDoubledRows(nullptr, size, e, stream), "tensors[2] has a null data address");
  EXPECT(0, aclSetDynamicInputTensorAddr(e, 0, 2, later, y));
  EXPECT(0, aclnnDoubledRows(nullptr, size, e, stream));
  RequireValues(out, {2, 4, 6, 8, 10}, "data that came later");
  EXPECT(0, aclDestroyTensorList(later));

  // null and dead members, members that are wrong or too large
  const aclTensor *holes[] = {Make({2}, x), nullptr}, *odd[] = {Make({2}, x), Make({3}, y, ACL_INT32)};
  const aclTensor *broken[] = {Make({2}, x), Make({3}, y)}, *large[] = {Make({2}, x), Make({4}, y)};
  const aclTensor* negative[] = {Make({2}, x), Make({-3}, y)};
  struct { const aclTensor** members; int code; const char* why; } rows[] = {
      {holes, 161001, "tensors[1] is null; expected a tensor"},
      {odd, 161002, "tensors[1] has dtype INT32"},
      {broken, 161002, "tensors[1] is an aclTensor that was destroyed"},
      {large, 161002, "tensors[1] reaches 16 bytes from its address; 12 are allocated there"},
      {negative, 161002, "tensors[1]: the shape [-3] has a negative size"},
  };
  float* six = Copied(std::vector<float>(6));
  aclTensor* wide = Make({6}, six);
  for (const auto& row : rows) {
    aclTensorList* wrong = aclCreateTensorList(row.members, 2);
    if (row.members == broken) EXPECT(0, aclDestroyTensor(broken[1]));
    EXPECT(row.code, aclnnDoubledRowsGetWorkspaceSize(wrong, row.members == large ? wide : result, &size,
                                                      &e), row.why);
    EXPECT(row.members == broken ? 161002 : 0, aclDestroyTensorList(wrong), "member 1");
  }
  std::vector<const aclTensor*> many;  // more than a stack would hold
  for (int i = 0; i < 100000; ++i) many.push_back(members[i % 2]);
  aclTensorList* all = aclCreateTensorList(many.data(), many.size());
  EXPECT(161002, aclnnDoubledRowsGetWorkspaceSize(all, result, &size, &e), "expected [250000]");
  EXPECT(161002, aclDestroyTensorList(all), "the list owns its members");
  EXPECT(161002, aclDestroyTensorList(list), "the list owns its members");
  for (aclTensor* tensor : {result, small, wide}) EXPECT(0, aclDestroyTensor(tensor));
  for (float* memory : {x, y, out, six}) EXPECT(0, aclrtFree(memory));
}

// The operator of CONTRIBUTING.
static void ReluBackward(aclrtStream stream) {
  float *g = Copied({1, 2, 3}), *x = Copied({-1, 0, 2}), *out = Copied({7, 7, 7});
  aclTensor *grad = Make({3}, g), *self = Make({3}, x), *result = Make({3}, out);
  uint64_t size = 0;
  aclOpExecutor* e = nullptr;
  EXPECT(0, aclnnReluBackwardGetWorkspaceSize(grad, self, result, &size, &e));
  EXPECT(0, aclnnReluBackward(nullptr, size, e, stream));
  RequireValues(out, {0, 0, 3}, "relu_backward");
  EXPECT(161001, aclnnReluBackwardGetWorkspaceSize(grad, nullptr, result, &size, &e), "self is null");
  for (aclTensor* tensor : {grad, self, result}) EXPECT(0, aclDestroyTensor(tensor));
  for (float* memory : {g, x, out}) EXPECT(0, aclrtFree(memory));
}

int main() {
  aclrtStream stream = nullptr;
  EXPECT(0, aclInit(nullptr));
  EXPECT(0, aclrtSetDevice(0));
  EXPECT(0, aclrtCreateStream(&stream));
  EveryKind(stream);
  InPlace(stream);
  Lists(stream);
  ReluBackward(stream);
  EXPECT(0, aclrtDestroyStream(stream));
  std::printf("own operators: %s\n", failures ? "WRONG" : "right");
  return failures != 0;
}
