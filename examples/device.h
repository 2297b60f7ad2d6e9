// Small C++11 owners for what the C API hands out, so that the examples show the operators.
#ifndef EXAMPLES_DEVICE_H
#define EXAMPLES_DEVICE_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "acl/acl.h"
#include "aclnn/aclnn_base.h"

// Ends the program with the library's own words when a call is refused.
inline void Check(int status, const char* what) {
  if (status == 0) return;
  const char* message = aclGetRecentErrMsg();
  std::fprintf(stderr, "%s failed with %d\n%s\n", what, status, message ? message : "");
  std::exit(1);
}
#define CHECK(call) Check((call), #call)

// A device and a stream on it, from construction to destruction.
class Device {
 public:
  explicit Device(int32_t id = 0) : id_(id) {
    CHECK(aclInit(nullptr));
    CHECK(aclrtSetDevice(id_));
    CHECK(aclrtCreateStream(&stream_));
  }
  ~Device() {
    aclrtDestroyStream(stream_);
    aclrtResetDevice(id_);
    aclFinalize();
  }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  aclrtStream stream() const { return stream_; }
  void Synchronize() const { CHECK(aclrtSynchronizeStream(stream_)); }

 private:
  int32_t id_;
  aclrtStream stream_ = nullptr;
};

// A float tensor and the device memory that it describes.
class Tensor {
 public:
  Tensor(std::vector<int64_t> shape, const std::vector<float>& values) : count_(values.size()) {
    CHECK(aclrtMalloc(&memory_, Bytes(), ACL_MEM_MALLOC_HUGE_FIRST));
    CHECK(aclrtMemcpy(memory_, Bytes(), values.data(), Bytes(), ACL_MEMCPY_HOST_TO_DEVICE));
    tensor_ = View(shape, Contiguous(shape), 0);
  }
  ~Tensor() {
    aclDestroyTensor(tensor_);
    aclrtFree(memory_);
  }
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;

  // Another look at the same memory; the caller destroys it.
  aclTensor* View(const std::vector<int64_t>& shape, const std::vector<int64_t>& strides,
                  int64_t offset) const {
    const int64_t storage = static_cast<int64_t>(count_);
    return aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, strides.data(), offset,
                           ACL_FORMAT_ND, &storage, 1, memory_);
  }
  std::vector<float> Values() const {
    std::vector<float> values(count_);
    CHECK(aclrtMemcpy(values.data(), Bytes(), memory_, Bytes(), ACL_MEMCPY_DEVICE_TO_HOST));
    return values;
  }
  aclTensor* get() const { return tensor_; }
  void* memory() const { return memory_; }
  size_t Bytes() const { return count_ * sizeof(float); }

 private:
  static std::vector<int64_t> Contiguous(const std::vector<int64_t>& shape) {
    std::vector<int64_t> strides(shape.size(), 1);
    for (size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
    return strides;
  }

  size_t count_;
  void* memory_ = nullptr;
  aclTensor* tensor_ = nullptr;
};

// Device memory for an operator that asks for some; most ask for none.
class Workspace {
 public:
  explicit Workspace(uint64_t size) {
    if (size > 0) CHECK(aclrtMalloc(&memory_, size, ACL_MEM_MALLOC_HUGE_FIRST));
  }
  ~Workspace() {
    if (memory_ != nullptr) aclrtFree(memory_);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  void* get() const { return memory_; }

 private:
  void* memory_ = nullptr;
};

inline void Print(const char* name, const std::vector<float>& values) {
  std::printf("%s:", name);
  for (float value : values) std::printf(" %g", value);
  std::printf("\n");
}

#endif
