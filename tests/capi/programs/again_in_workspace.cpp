// Calls that need a workspace, that look up indices, or that are products: the first of its kind is
// planned, an equal one runs again, one of other sizes is replayed. All are judged alike.
#include <algorithm>
#include <atomic>
#include <thread>

#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_softmax.h"
#include "check.h"

static const int ROOM = 1 << 16;
static aclrtStream stream;
static float *x, *y, *z;
static int64_t* places;
static char* workspace;

static float Random() { return (std::rand() % 2001 - 1000) / 250.f; }

template <class Type>
static Type* Block() {
  void* memory = nullptr;
  EXPECT(0, aclrtMalloc(&memory, ROOM * sizeof(Type), ACL_MEM_MALLOC_HUGE_FIRST));
  return static_cast<Type*>(memory);
}

static std::vector<float> Drawn(float* memory, int count) {
  std::vector<float> values(count);
  for (float& value : values) value = Random();
  EXPECT(0, aclrtMemcpy(memory, 4 * count, values.data(), 4 * count, ACL_MEMCPY_HOST_TO_DEVICE));
  return values;
}

static void Holds(const float* memory, const std::vector<double>& wanted, double near,
                  const char* what) {
  std::vector<float> found(wanted.size());
  EXPECT(0, aclrtSynchronizeStream(stream));
  EXPECT(0, aclrtMemcpy(found.data(), 4 * found.size(), memory, 4 * found.size(),
                        ACL_MEMCPY_DEVICE_TO_HOST));
  bool fine = true;
  for (size_t i = 0; i < found.size(); ++i)
    fine &= std::fabs(found[i] - wanted[i]) <= near * (1 + std::fabs(wanted[i]));
  Require(fine, what);
}

static void Softmax(int rows, int columns, int turns) {
  aclTensor *in = Make({rows, columns}, x), *out = Make({rows, columns}, y);
  for (int turn = 0; turn < turns; ++turn) {
    std::vector<float> given = Drawn(x, rows * columns);
    std::vector<double> wanted(given.size());
    for (int r = 0; r < rows; ++r) {
      double total = 0;
      for (int k = 0; k < columns; ++k) total += std::exp(double(given[r * columns + k]));
      for (int k = 0; k < columns; ++k)
        wanted[r * columns + k] = std::exp(double(given[r * columns + k])) / total;
    }
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT(0, aclnnSoftmaxGetWorkspaceSize(in, 1, out, &size, &executor));
    char* own = workspace + 64 * (std::rand() % 64);
    if (size && turn == 1) {
      EXPECT(161001, aclnnSoftmax(nullptr, size, executor, stream), "workspace");
      EXPECT(161002, aclnnSoftmax(own, size - 1, executor, stream), "expected");
    }
    EXPECT(0, aclnnSoftmax(own, size, executor, stream));
    Holds(y, wanted, 1e-6, "softmax");
  }
  EXPECT(0, aclDestroyTensor(in));
  EXPECT(0, aclDestroyTensor(out));
}

static void Product(int m, int k, int n, bool transposed) {
  std::vector<int64_t> sizes = {k, n}, strides = {transposed ? 1 : n, transposed ? k : 1};
  int64_t room = int64_t(k) * n;
  aclTensor *a = Make({m, k}, x), *out = Make({m, n}, z);
  aclTensor* b = aclCreateTensor(sizes.data(), 2, ACL_FLOAT, strides.data(), 0, ACL_FORMAT_ND, &room,
                                 1, y);
  for (int turn = 0; turn < 2; ++turn) {
    std::vector<float> left = Drawn(x, m * k), right = Drawn(y, k * n);
    std::vector<double> wanted(m * n);
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j)
        for (int p = 0; p < k; ++p)
          wanted[i * n + j] += double(left[i * k + p]) * right[p * strides[0] + j * strides[1]];
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT(0, aclnnMmGetWorkspaceSize(a, b, out, 0, &size, &executor));
    EXPECT(0, aclnnMm(workspace, size, executor, stream));
    Holds(z, wanted, 1e-6, "a product");
  }
  for (aclTensor* one : {a, b, out}) EXPECT(0, aclDestroyTensor(one));
}

static void Copies(int rows, int columns, int count) {
  aclTensor *self = Make({rows, columns}, x), *source = Make({count, columns}, y);
  aclTensor* index = Make({count}, places, ACL_INT64);
  for (int turn = 0; turn < 5; ++turn) {
    std::vector<float> before = Drawn(x, rows * columns), given = Drawn(y, count * columns);
    std::vector<int64_t> where(count);
    for (int64_t& one : where) one = std::rand() % (2 * rows) - rows;
    int outside = turn == 1 || turn == 3 ? std::rand() % count : -1;
    if (outside >= 0) where[outside] = turn == 1 ? rows : -rows - 1;
    EXPECT(0, aclrtMemcpy(places, 8 * count, where.data(), 8 * count, ACL_MEMCPY_HOST_TO_DEVICE));
    std::vector<double> wanted(before.begin(), before.end());
    for (int i = 0; i < count; ++i)
      if (i != outside)
        std::copy_n(&given[i * columns], columns, &wanted[(where[i] + rows) % rows * columns]);
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    EXPECT(0, aclnnInplaceIndexCopyGetWorkspaceSize(self, 0, index, source, &size, &executor));
    EXPECT(outside < 0 ? 0 : 361001, aclnnInplaceIndexCopy(workspace, size, executor, stream),
           "aclnnInplaceIndexCopy: index has ");
    if (outside >= 0)
      EXPECT(561000, aclnnInplaceIndexCopy(workspace, size, executor, stream), "has run already");
    Holds(x, wanted, 0, "slices copied to indices");
  }
  for (aclTensor* one : {self, source, index}) EXPECT(0, aclDestroyTensor(one));
}

static std::atomic<bool> waiting{true};
static void Wait(void*) {
  while (waiting) std::this_thread::yield();
}

int main() {
  EXPECT(0, aclInit(nullptr));
  EXPECT(0, aclrtSetDevice(0));
  EXPECT(0, aclrtCreateStream(&stream));
  x = Block<float>(), y = Block<float>(), z = Block<float>();
  places = Block<int64_t>(), workspace = Block<char>();
  for (int turn = 0; turn < 40; ++turn) {
    Softmax(1 + std::rand() % 9, 1 + std::rand() % 70, 3);
    Product(1 + std::rand() % 40, 1 + std::rand() % 40, 1 + std::rand() % 40, turn % 2);
    Product(1, 1 + std::rand() % 200, 1 + std::rand() % 200, turn % 2);
  }
  for (int turn = 0; turn < 4; ++turn)
    Copies(1 + std::rand() % 9, 1 + std::rand() % 9, 1 + std::rand() % 9);

  aclTensor *in = Make({2, 8}, x), *out = Make({2, 8}, y);
  std::vector<double> wanted(16, 0.125);
  std::vector<float> zeros(16);
  uint64_t size = 0;
  aclOpExecutor *often = nullptr, *late = nullptr, *lost = nullptr;
  for (int turn = 0; turn < 2; ++turn) {  // planned, then prepared
    EXPECT(0, aclrtMemcpy(x, 64, zeros.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE));
    EXPECT(0, aclnnSoftmaxGetWorkspaceSize(in, 1, out, &size, &often));
    EXPECT(0, aclSetAclOpExecutorRepeatable(often));
    for (int run = 0; run < 3; ++run) EXPECT(0, aclnnSoftmax(workspace + 64 * run, size, often, stream));
    Holds(y, wanted, 1e-6, "again and again");
    EXPECT(0, aclSetOutputTensorAddr(often, 0, out, z));
    EXPECT(0, aclnnSoftmax(workspace, size, often, stream));
    Holds(z, wanted, 1e-6, "where the output was moved to");
    EXPECT(0, aclDestroyAclOpExecutor(often));
    EXPECT(0, aclDestroyTensor(out));
    out = Make({2, 8}, y);
  }
  EXPECT(0, aclnnSoftmaxGetWorkspaceSize(in, 1, out, &size, &late));
  EXPECT(0, aclrtLaunchHostFunc(stream, Wait, nullptr));
  EXPECT(0, aclnnSoftmax(workspace, size, late, stream));
  waiting = false;
  Holds(y, wanted, 1e-6, "behind what the stream had to do");
  EXPECT(0, aclnnSoftmaxGetWorkspaceSize(in, 1, out, &size, &lost));
  EXPECT(0, aclrtFree(workspace));
  EXPECT(161002, aclnnSoftmax(workspace, size, lost, stream), "freed");
  std::printf("%s\n", failures ? "WRONG" : "right");
  return failures != 0;
}
