// Calls that differ from earlier ones in layouts, addresses and numbers: few of them go to Python, all
// are judged and computed like any others.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "check.h"
#include "aclnnop/aclnn_cat.h"
#include "aclnnop/aclnn_constant_pad_nd.h"
#include "aclnnop/aclnn_mul.h"
#include "aclnnop/aclnn_permute.h"
#include "aclnnop/aclnn_repeat.h"
#include "aclnnop/aclnn_slice.h"
#include "aclnnop/aclnn_tril.h"

typedef std::vector<int64_t> Numbers;

static int64_t ROOM = 4096;  // elements of a block
static aclrtStream stream;
static std::mt19937 chance(1);

static int64_t Draw(int64_t low, int64_t high) {
  return low + static_cast<int64_t>(chance() % static_cast<uint64_t>(high - low + 1));
}

// A tensor somewhere in a block of memory, in an order of its own, perhaps backwards.
struct Laid {
  Numbers shape, strides;
  int64_t offset = 0;
  std::vector<float>* memory = nullptr;

  aclTensor* Tensor() const {
    return aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, strides.data(), offset,
                           ACL_FORMAT_ND, &ROOM, 1, memory->data());
  }
  float& At(const Numbers& index) const {
    int64_t place = offset;
    for (size_t d = 0; d < shape.size(); ++d) place += index[d] * strides[d];
    return (*memory)[static_cast<size_t>(place)];
  }
};

static Laid Lay(const Numbers& shape, std::vector<float>* memory) {
  Laid found{shape, Numbers(shape.size()), Draw(0, 9), memory};
  Numbers order(shape.size());
  for (size_t d = 0; d < order.size(); ++d) order[d] = static_cast<int64_t>(d);
  if (Draw(0, 1)) std::shuffle(order.begin(), order.end(), chance);
  int64_t step = Draw(1, 8) == 1 ? 2 : 1;
  for (size_t k = order.size(); k-- > 0;) {
    size_t dim = static_cast<size_t>(order[k]);
    found.strides[dim] = step;
    step *= shape[dim];
    if (Draw(0, 9) == 0) {
      found.offset += (shape[dim] - 1) * found.strides[dim];
      found.strides[dim] *= -1;
    }
  }
  return found;
}

static bool Next(Numbers* index, const Numbers& shape) {
  for (size_t d = shape.size(); d-- > 0;) {
    if (++(*index)[d] < shape[d]) return true;
    (*index)[d] = 0;
  }
  return false;
}

static aclnnStatus Both(aclTensor* g, aclTensor* x, float slope, aclTensor* out) {
  aclScalar* scalar = aclCreateScalar(&slope, ACL_FLOAT);
  uint64_t size = 7;
  aclOpExecutor* executor = nullptr;
  aclnnStatus status = aclnnLeakyReluBackwardGetWorkspaceSize(g, x, scalar, false, out, &size, &executor);
  std::vector<float> workspace(size / sizeof(float) + 1);
  if (!status) status = aclnnLeakyReluBackward(size ? workspace.data() : nullptr, size, executor, stream);
  aclDestroyScalar(scalar);
  return status;
}

// A call on tensors anywhere, in place now and then, its values compared.
static void Anything(std::vector<float>* a, std::vector<float>* b, std::vector<float>* c) {
  static const float slopes[] = {0.5f, 1.f, 0.f, -2.f, 3.25f};
  Numbers shape(static_cast<size_t>(Draw(0, 3)));
  for (int64_t& size : shape) size = Draw(1, 6);
  for (int64_t i = 0; i < ROOM; ++i) {
    (*a)[static_cast<size_t>(i)] = static_cast<float>(Draw(-99, 99));
    (*b)[static_cast<size_t>(i)] = static_cast<float>(Draw(-99, 99));
  }
  Laid g = Lay(shape, a), x = Lay(shape, b), out = Draw(0, 5) ? Lay(shape, c) : Lay(shape, b);
  if (Draw(0, 9) == 0) out = x;
  float slope = Draw(0, 1) ? slopes[Draw(0, 4)] : static_cast<float>(Draw(1, 999)) / 64.f;
  Numbers index(shape.size());
  std::vector<float> wanted;
  do wanted.push_back(x.At(index) > 0 ? g.At(index) : g.At(index) * slope);
  while (Next(&index, shape));
  aclTensor *tensors[] = {g.Tensor(), x.Tensor(), out.Tensor()};
  EXPECT(0, Both(tensors[0], tensors[1], slope, tensors[2]));
  EXPECT(0, aclrtSynchronizeStream(stream));
  size_t number = 0;
  do Require(out.At(index) == wanted[number++], "a value of a call in a layout of its own");
  while (Next(&index, shape));
  for (aclTensor* tensor : tensors) EXPECT(0, aclDestroyTensor(tensor));
}

// A block of numbers that are all different.
static void Count(std::vector<float>* memory) {
  for (size_t i = 0; i < memory->size(); ++i) (*memory)[i] = static_cast<float>(i);
}

typedef aclnnStatus (*Second)(void*, uint64_t, aclOpExecutor*, aclrtStream);

// A call that was prepared is run, and every element of its output compared with what a function of its
// index says.
template <typename Wanted>
static void Compare(aclnnStatus status, aclOpExecutor* executor, Second run, const Laid& out,
                    const char* what, Wanted wanted) {
  EXPECT(0, status);
  EXPECT(0, run(nullptr, 0, executor, stream));
  EXPECT(0, aclrtSynchronizeStream(stream));
  Numbers index(out.shape.size());
  do Require(out.At(index) == wanted(index), what);
  while (Next(&index, out.shape));
}

// Elements that move, in shapes and with numbers of their own; `large`: threads share them.
static void Moves(std::vector<float>* a, std::vector<float>* b, bool large) {
  Numbers shape = {Draw(1, 6), Draw(2, 9), Draw(1, 7)};
  if (large) shape = {Draw(50, 60), Draw(40, 50), 31};
  Laid x = Lay(shape, a);
  aclTensor* self = x.Tensor();
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  {
    int64_t start = Draw(0, shape[1] - 1), end = Draw(start + 1, shape[1] + 3), step = Draw(1, 3);
    Laid out = Lay({shape[0], (std::min(end, shape[1]) - start + step - 1) / step, shape[2]}, b);
    aclTensor* result = out.Tensor();
    aclnnStatus status = aclnnSliceGetWorkspaceSize(self, 1, start, end, step, result, &size, &executor);
    Compare(status, executor, aclnnSlice, out, "a slice",
            [&](const Numbers& at) { return x.At({at[0], start + at[1] * step, at[2]}); });
    EXPECT(161002, aclnnSliceGetWorkspaceSize(self, 1, start, end, 0, result, &size, &executor), "step");
    EXPECT(161002, aclnnSliceGetWorkspaceSize(self, 3, start, end, step, result, &size, &executor), "dim");
    EXPECT(0, aclDestroyTensor(result));
  }
  {
    Laid out = Lay({shape[2], shape[0], shape[1]}, b);
    const int64_t order[] = {2, 0, 1};
    aclIntArray* dims = aclCreateIntArray(order, 3);
    aclTensor* result = out.Tensor();
    aclnnStatus status = aclnnPermuteGetWorkspaceSize(self, dims, result, &size, &executor);
    Compare(status, executor, aclnnPermute, out, "a permutation",
            [&](const Numbers& at) { return x.At({at[1], at[2], at[0]}); });
    EXPECT(0, aclDestroyIntArray(dims));
    EXPECT(0, aclDestroyTensor(result));
  }
  {
    const int64_t pads[] = {Draw(0, 2), Draw(0, 2), Draw(1, 3), Draw(0, 1)};
    Laid out = Lay({shape[0], shape[1] + pads[2] + pads[3], shape[2] + pads[0] + pads[1]}, b);
    float value = -7.f;
    aclScalar* scalar = aclCreateScalar(&value, ACL_FLOAT);
    aclIntArray* padding = aclCreateIntArray(pads, 4);
    aclTensor* result = out.Tensor();
    aclnnStatus status =
        aclnnConstantPadNdGetWorkspaceSize(self, padding, scalar, result, &size, &executor);
    Compare(status, executor, aclnnConstantPadNd, out, "a padding", [&](const Numbers& at) {
      int64_t row = at[1] - pads[2], column = at[2] - pads[0];
      bool inside = row >= 0 && row < shape[1] && column >= 0 && column < shape[2];
      return inside ? x.At({at[0], row, column}) : value;
    });
    EXPECT(0, aclDestroyIntArray(padding));
    EXPECT(0, aclDestroyScalar(scalar));
    EXPECT(0, aclDestroyTensor(result));
  }
  {
    const int64_t counts[] = {Draw(1, 2), Draw(1, 2), 1, Draw(1, 3)};
    Laid out = Lay({counts[0], shape[0] * counts[1], shape[1], shape[2] * counts[3]}, b);
    aclIntArray* repeats = aclCreateIntArray(counts, 4);
    aclTensor* result = out.Tensor();
    aclnnStatus status = aclnnRepeatGetWorkspaceSize(self, repeats, result, &size, &executor);
    Compare(status, executor, aclnnRepeat, out, "a repetition", [&](const Numbers& at) {
      return x.At({at[1] % shape[0], at[2], at[3] % shape[2]});
    });
    EXPECT(0, aclDestroyIntArray(repeats));
    EXPECT(0, aclDestroyTensor(result));
  }
  {
    Laid other = Lay({shape[0], Draw(1, 5), shape[2]}, a);
    Laid out = Lay({shape[0], shape[1] + other.shape[1] + shape[1], shape[2]}, b);
    aclTensor* members[] = {x.Tensor(), other.Tensor(), x.Tensor()};
    aclTensorList* list = aclCreateTensorList(members, 3);
    aclTensor* result = out.Tensor();
    aclnnStatus status = aclnnCatGetWorkspaceSize(list, 1, result, &size, &executor);
    Compare(status, executor, aclnnCat, out, "a concatenation", [&](const Numbers& at) {
      int64_t row = at[1];
      if (row < shape[1]) return x.At(at);
      row -= shape[1];
      if (row < other.shape[1]) return other.At({at[0], row, at[2]});
      return x.At({at[0], row - other.shape[1], at[2]});
    });
    EXPECT(161002, aclnnCatGetWorkspaceSize(list, 2, result, &size, &executor), "shape");
    EXPECT(161001, aclnnCatGetWorkspaceSize(nullptr, 1, result, &size, &executor), "null");
    status = aclnnCatGetWorkspaceSize(list, 1, result, &size, &executor);
    EXPECT(0, aclDestroyTensorList(list));  // an executor holds what it was given
    Compare(status, executor, aclnnCat, out, "a concatenation of a list that is gone",
            [&](const Numbers& at) { return at[1] < shape[1] ? x.At(at) : out.At(at); });
    EXPECT(0, aclDestroyTensor(result));
  }
  {
    Laid out = Lay(shape, b);
    aclTensor* result = out.Tensor();
    aclnnStatus status = aclnnTrilGetWorkspaceSize(self, 1, result, &size, &executor);
    Compare(status, executor, aclnnTril, out, "a triangle",
            [&](const Numbers& at) { return at[2] - at[1] <= 1 ? x.At(at) : 0.f; });
    EXPECT(0, aclDestroyTensor(result));
  }
  EXPECT(0, aclDestroyTensor(self));
}

// What is wrong is said, though the form is known.
static void Refusals() {
  void* memory = nullptr;
  EXPECT(0, aclrtMalloc(&memory, 24 * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST));
  const int64_t shape[] = {4, 6}, twice[] = {1, 1}, far[] = {7, 1}, storage = 64, before = -1;
  aclTensor *right = Make({4, 6}, memory), *other = Make({6, 4}, memory), *none = Make({4, 6}, nullptr);
  aclTensor *large = Make({5, 6}, memory), *long_ago = Make({1, 1, 1, 1, 1, 1, 1, 1, 1}, memory);
  aclTensor* onto = aclCreateTensor(shape, 2, ACL_FLOAT, twice, 0, ACL_FORMAT_ND, &storage, 1, memory);
  aclTensor* behind = aclCreateTensor(shape, 2, ACL_FLOAT, far, 0, ACL_FORMAT_ND, &storage, 1, memory);
  aclTensor* outside = aclCreateTensor(shape, 2, ACL_FLOAT, far, 0, ACL_FORMAT_ND, shape, 2, memory);
  aclTensor* early = aclCreateTensor(shape, 2, ACL_FLOAT, far, before, ACL_FORMAT_ND, &storage, 1, memory);
  aclTensor* text = Make({4, 6}, memory, ACL_STRING);
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT(0, Both(right, right, 0.5f, right));
    EXPECT(161002, Both(right, other, 0.5f, right), "shape");
    EXPECT(161002, Both(right, right, 0.5f, other), "shape");
    EXPECT(161002, Both(right, right, 0.5f, onto), "two indices");
    EXPECT(161002, Both(right, behind, 0.5f, right), "bytes from its address");
    EXPECT(161002, Both(right, outside, 0.5f, right), "storage");
    EXPECT(161002, Both(right, early, 0.5f, right), "storage");
    EXPECT(161002, Both(large, large, 0.5f, large), "bytes from its address");
    EXPECT(161002, Both(long_ago, long_ago, 0.5f, long_ago), "dim");
    EXPECT(161002, Both(right, text, 0.5f, right), "STRING");
    EXPECT(161001, Both(right, nullptr, 0.5f, right), "null");
    EXPECT(161001, Both(right, none, 0.5f, right), "null data address");
  }
  for (aclTensor* tensor : {right, other, none, large, long_ago, onto, behind, outside, early, text})
    EXPECT(0, aclDestroyTensor(tensor));
  EXPECT(0, aclrtFree(memory));
}

// Python takes over an executor that it has never seen.
static void Moved() {
  std::vector<float> a(30, 2.f), b(30, -1.f), c(30), d(30);
  float slope = 0.5f;
  uint64_t size = 7;
  aclScalar* scalar = aclCreateScalar(&slope, ACL_FLOAT);
  for (int64_t rows : {2, 3, 5, 6, 10}) {
    aclOpExecutor* executor = nullptr;
    Numbers shape = {rows, 30 / rows};
    aclTensor *g = Make(shape, a.data()), *x = Make(shape, b.data()), *out = Make(shape, c.data());
    EXPECT(0, aclnnLeakyReluBackwardGetWorkspaceSize(g, x, scalar, false, out, &size, &executor));
    EXPECT(0, aclSetAclOpExecutorRepeatable(executor));
    EXPECT(0, aclSetOutputTensorAddr(executor, 0, out, d.data()));
    EXPECT(0, aclnnLeakyReluBackward(nullptr, 0, executor, stream));
    EXPECT(0, aclrtSynchronizeStream(stream));
    Require(d[29] == 1.f && c[29] == 0.f, "an output that was moved");
    d[29] = 0;
    EXPECT(0, aclDestroyAclOpExecutor(executor));
    for (aclTensor* tensor : {g, x, out}) EXPECT(0, aclDestroyTensor(tensor));
  }
  EXPECT(0, aclDestroyScalar(scalar));
}

// So many elements that threads share them, of whom a forked child has none.
static bool Large(int64_t rows) {
  const int64_t columns = 251, count = rows * columns;
  std::vector<float> a(count), b(count, -1.f), c(count);
  for (int64_t i = 0; i < count; ++i) a[i] = static_cast<float>(i % 1000);
  Numbers shape = {rows, columns}, turned = {1, rows};
  aclTensor *g = aclCreateTensor(shape.data(), 2, ACL_FLOAT, turned.data(), 0, ACL_FORMAT_ND, &count, 1,
                                 a.data());
  aclTensor *x = Make(shape, b.data()), *out = Make(shape, c.data());
  EXPECT(0, Both(g, x, 0.5f, out));
  EXPECT(0, aclrtSynchronizeStream(stream));
  bool right = true;
  for (int64_t i = 0; i < count; ++i)
    right = right && c[i] == a[i / columns + i % columns * rows] * 0.5f;
  for (aclTensor* tensor : {g, x, out}) EXPECT(0, aclDestroyTensor(tensor));
  return right;
}

// Calls in place, which Python runs as plans of passes, are laid as one kernel.
static bool LargeInPlace(int64_t rows) {
  const int64_t columns = 251, count = rows * columns;
  std::vector<float> a(static_cast<size_t>(count), 3.f);
  float number = -2.f;
  uint64_t size = 7;
  aclOpExecutor* executor = nullptr;
  aclTensor* x = Make({rows, columns}, a.data());
  aclScalar* scalar = aclCreateScalar(&number, ACL_FLOAT);
  EXPECT(0, aclnnInplaceMulsGetWorkspaceSize(x, scalar, &size, &executor));
  EXPECT(0, aclnnInplaceMuls(nullptr, 0, executor, stream));
  EXPECT(0, aclrtSynchronizeStream(stream));
  EXPECT(0, aclDestroyScalar(scalar));
  EXPECT(0, aclDestroyTensor(x));
  return std::count(a.begin(), a.end(), -6.f) == count;
}

// Of ten shares of the random calls so many: all, if no number is given.
int main(int argc, char** argv) {
  int shares = argc > 1 ? std::atoi(argv[1]) : 10;
  EXPECT(0, aclInit(nullptr));
  EXPECT(0, aclrtSetDevice(0));
  EXPECT(0, aclrtCreateStream(&stream));
  std::vector<float> a(ROOM), b(ROOM), c(ROOM);
  for (int call = 0; call < 25 * shares; ++call) Anything(&a, &b, &c);
  ROOM = 1 << 20;
  std::vector<float> from(ROOM), to(ROOM);
  Count(&from);
  for (int call = 0; call < 6 * shares; ++call) Moves(&from, &to, call % 10 == 9);
  Refusals();
  Moved();
  for (int64_t rows = 200; rows < 206; ++rows) {
    Require(Large(rows), "a large call");
    Require(LargeInPlace(rows), "a large call in place");
  }
  std::fflush(stdout);
  pid_t child = fork();
  if (child == 0) _exit(Large(204) && Large(207) ? 0 : 1);
  int status = 1;
  Require(waitpid(child, &status, 0) == child && status == 0, "large calls of a forked child");
  std::printf("%s\n", failures ? "WRONG" : "right");
  return failures != 0;
}
