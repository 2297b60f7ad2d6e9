// A weight is made ready and multiplied as llama.cpp does it; memory keeps its elements as they are.
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_npu_format_cast.h"
#include "aclnnop/aclnn_trans_matmul_weight.h"
#include "check.h"

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  const int64_t sizes[] = {4, 3}, wrong[] = {4, -3};
  uint64_t count = 0, size = 0;
  aclOpExecutor* executor = nullptr;
  aclIntArray *shape = aclCreateIntArray(sizes, 2), *bad = aclCreateIntArray(wrong, 2);
  EXPECT(0, aclnnCalculateMatmulWeightSizeV2(shape, ACL_FLOAT16, &count));
  Require(count == 12, "as many elements as the shape has");
  count = 0;
  EXPECT(0, aclnnCalculateMatmulWeightSize(shape, &count));
  Require(count == 12, "as many elements as the shape has");
  EXPECT(161001, aclnnCalculateMatmulWeightSizeV2(nullptr, ACL_FLOAT16, &count), "null");
  EXPECT(161001, aclnnCalculateMatmulWeightSizeV2(shape, ACL_FLOAT16, nullptr), "null");
  EXPECT(161002, aclnnCalculateMatmulWeightSizeV2(bad, ACL_FLOAT16, &count), "-3");

  void *w, *x, *y;
  for (void** memory : {&w, &x, &y}) aclrtMalloc(memory, 64, ACL_MEM_MALLOC_HUGE_FIRST);
  auto numbers = static_cast<float*>(w);
  for (int i = 0; i < 12; ++i) numbers[i] = i;
  for (int i = 0; i < 3; ++i) static_cast<float*>(x)[i] = 1;
  aclTensor* weight = Make({4, 3}, w);
  EXPECT(0, aclnnTransMatmulWeightGetWorkspaceSize(weight, &size, &executor));
  EXPECT(0, aclnnTransMatmulWeight(nullptr, 0, executor, nullptr));
  Require(numbers[5] == 5, "the weight stays as it is");

  const int64_t across[] = {3, 4}, strides[] = {1, 3};
  aclTensor* prepared =
      aclCreateTensor(across, 2, ACL_FLOAT, strides, 0, ACL_FORMAT_FRACTAL_NZ, sizes, 2, w);
  aclTensor *row = Make({1, 3}, x), *out = Make({1, 4}, y);
  EXPECT(0, aclnnMmGetWorkspaceSize(row, prepared, out, 2, &size, &executor));
  EXPECT(0, aclnnMm(nullptr, 0, executor, nullptr));
  aclrtSynchronizeDevice();
  Require(static_cast<float*>(y)[1] == 12, "the product with the weight");

  int64_t* dims = nullptr;
  int format = 0;
  EXPECT(0, aclnnNpuFormatCastCalculateSizeAndFormat(weight, ACL_FORMAT_FRACTAL_NZ, ACL_FLOAT, &dims,
                                                     &count, &format));
  Require(count == 2 && dims[0] == 4 && dims[1] == 3, "the storage's shape");
  Require(format == ACL_FORMAT_FRACTAL_NZ, "the format that was asked for");
  delete[] dims;
  aclTensor* cast = aclCreateTensor(sizes, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_FRACTAL_NZ, sizes, 2, y);
  EXPECT(0, aclnnNpuFormatCastGetWorkspaceSize(weight, cast, &size, &executor));
  EXPECT(0, aclnnNpuFormatCast(nullptr, 0, executor, nullptr));
  aclrtSynchronizeDevice();
  Require(std::memcmp(w, y, 48) == 0, "the same elements");
  std::puts(failures ? "wrong" : "right");
  return failures;
}
