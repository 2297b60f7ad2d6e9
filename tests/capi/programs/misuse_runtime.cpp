// Everything that can be done wrongly with the runtime and with objects: a code and a message each
// time, never a crash. Nothing here needs an operator, so nothing here starts Python.
#include "check.h"

static void* const kNonsense = reinterpret_cast<void*>(0x123456789abcdef0);

static void Initialisation() {
  EXPECT(100001, aclFinalize(), "not initialised");
  EXPECT(100003, aclInit("/no/such/file.json"), "No such file");
  EXPECT(0, aclInit(nullptr));
  EXPECT(100002, aclInit(nullptr), "already");
  EXPECT(0, aclFinalize());
  EXPECT(100037, aclFinalize(), "already");
  EXPECT(0, aclInit(nullptr));  // again after the end
  EXPECT(0, aclnnInit(nullptr));
  EXPECT(0, aclnnFinalize());
}

static void NoDevice() {
  void* memory = nullptr;
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
  aclrtContext context = nullptr;
  int32_t device = 0;
  size_t free = 0, total = 0;
  EXPECT(107002, aclrtMalloc(&memory, 8, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtSetDevice");
  EXPECT(107002, aclrtCreateStream(&stream), "aclrtSetDevice");
  EXPECT(107002, aclrtCreateEvent(&event), "aclrtSetDevice");
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  EXPECT(107002, aclrtGetDevice(&device), "aclrtSetDevice");
  EXPECT(107002, aclrtGetCurrentContext(&context), "no context");
  Require(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL) == ACL_SUCCESS, "a question is no error");
  EXPECT(107002, aclrtSynchronizeDevice(), "aclrtSetDevice");
  EXPECT(107002, aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), "aclrtSetDevice");
  EXPECT(107002, aclrtResetDevice(0), "not set");
}

static void Devices() {
  uint32_t count = 0;
  int32_t device = -1, can = -1;
  aclrtRunMode mode = ACL_DEVICE;
  EXPECT(107001, aclrtSetDevice(-1), "no device -1");
  EXPECT(107001, aclrtSetDevice(99), "no device 99");
  EXPECT(0, aclrtSetDevice(0));
  EXPECT(0, aclrtGetDevice(&device));
  Require(device == 0, "the device is 0");
  EXPECT(0, aclrtGetDeviceCount(&count));
  Require(count >= 1, "there is a device");
  EXPECT(0, aclrtGetRunMode(&mode));
  Require(mode == ACL_HOST, "run mode");
  EXPECT(0, aclrtSynchronizeDevice());
  EXPECT(0, aclrtDeviceCanAccessPeer(&can, 0, 0));
  EXPECT(107001, aclrtDeviceCanAccessPeer(&can, 0, 50), "no device 50");
  EXPECT(107001, aclrtDeviceEnablePeerAccess(50, 0), "no device 50");
  EXPECT(100000, aclrtGetDevice(nullptr), "null");
  EXPECT(100000, aclrtGetDeviceCount(nullptr), "null");
  EXPECT(100000, aclrtGetRunMode(nullptr), "null");
  EXPECT(100000, aclrtDeviceCanAccessPeer(nullptr, 0, 0), "null");
  Require(std::strcmp(aclrtGetSocName(), "Ascend910B3") == 0, "the default chip");
}

static void Contexts() {
  aclrtContext primary = nullptr, context = nullptr, current = nullptr;
  aclrtStream outside = nullptr, inside = nullptr;
  EXPECT(0, aclrtGetCurrentContext(&primary));
  EXPECT(0, aclrtCreateStream(&outside));
  EXPECT(0, aclrtCreateContext(&context, 0));
  EXPECT(0, aclrtGetCurrentContext(&current));
  Require(current == context, "a new context is current");
  EXPECT(0, aclrtCreateStream(&inside));
  EXPECT(0, aclrtSynchronizeStream(inside));
  EXPECT(107003, aclrtSynchronizeStream(outside), "another context");
  EXPECT(0, aclrtSetCurrentContext(primary));
  EXPECT(0, aclrtSynchronizeStream(outside));
  EXPECT(107003, aclrtSynchronizeStream(inside), "another context");
  EXPECT(0, aclrtDestroyStream(inside));
  EXPECT(0, aclrtDestroyStream(outside));
  EXPECT(0, aclrtDestroyContext(context));
  EXPECT(107017, aclrtDestroyContext(context), "destroyed");
  EXPECT(107017, aclrtSetCurrentContext(context), "destroyed");
  EXPECT(107000, aclrtDestroyContext(primary), "aclrtResetDevice");
  EXPECT(100000, aclrtSetCurrentContext(nullptr), "null");
  EXPECT(100000, aclrtDestroyContext(nullptr), "null");
  EXPECT(107001, aclrtCreateContext(&context, 77), "no device 77");
  EXPECT(100000, aclrtCreateContext(nullptr, 0), "null");
}

static void Memory() {
  void *device = nullptr, *host = nullptr, *other = nullptr;
  std::vector<char> mine(64, 1);
  EXPECT(100000, aclrtMalloc(nullptr, 8, ACL_MEM_MALLOC_HUGE_FIRST), "null");
  EXPECT(100000, aclrtMalloc(&device, 0, ACL_MEM_MALLOC_HUGE_FIRST), "size is 0");
  EXPECT(100000, aclrtMalloc(&device, SIZE_MAX, ACL_MEM_MALLOC_HUGE_FIRST), "no number");
  EXPECT(100000, aclrtMallocHost(&host, SIZE_MAX - 31), "no number");
  EXPECT(207001, aclrtMalloc(&device, size_t(1) << 60, ACL_MEM_MALLOC_HUGE_FIRST), "no memory");
  EXPECT(200000, aclrtMallocHost(&host, size_t(1) << 60), "no memory");
  EXPECT(0, aclrtMalloc(&device, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT(0, aclrtMallocAlign32(&other, 64, ACL_MEM_MALLOC_NORMAL_ONLY));
  EXPECT(0, aclrtMallocHost(&host, 64));
  char* d = static_cast<char*>(device);

  EXPECT(0, aclrtMemcpy(d, 64, mine.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE));
  mine.assign(64, 2);
  EXPECT(107000, aclrtMemcpy(d, 63, mine.data(), 64, ACL_MEMCPY_HOST_TO_DEVICE), "destMax");
  EXPECT(107000, aclrtMemcpy(d, 128, mine.data(), 65, ACL_MEMCPY_HOST_TO_DEVICE), "beyond");
  EXPECT(107000, aclrtMemcpy(d + 60, 64, mine.data(), 5, ACL_MEMCPY_HOST_TO_DEVICE), "4 of its 64");
  EXPECT(0, aclrtMemcpy(mine.data(), 64, d, 64, ACL_MEMCPY_DEVICE_TO_HOST));
  for (char byte : mine) Require(byte == 1, "refused copies wrote nothing");
  EXPECT(107000, aclrtMemcpy(mine.data(), 64, mine.data(), 8, ACL_MEMCPY_DEVICE_TO_HOST), "no device");
  EXPECT(107000, aclrtMemcpy(host, 64, d, 8, ACL_MEMCPY_HOST_TO_DEVICE), "no device memory");
  EXPECT(107000, aclrtMemcpy(host, 64, d, 8, ACL_MEMCPY_HOST_TO_HOST), "is device memory");
  EXPECT(100000, aclrtMemcpy(nullptr, 64, d, 8, ACL_MEMCPY_DEVICE_TO_HOST), "dst is null");
  EXPECT(100000, aclrtMemcpy(host, 64, nullptr, 8, ACL_MEMCPY_DEVICE_TO_HOST), "src is null");
  EXPECT(100000, aclrtMemcpy(host, 64, d, 8, static_cast<aclrtMemcpyKind>(7)), "kind is 7");
  EXPECT(0, aclrtMemcpy(host, 64, d, 64, ACL_MEMCPY_DEFAULT));
  EXPECT(0, aclrtMemcpy(other, 64, d, 64, ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT(0, aclrtMemcpy(nullptr, 0, nullptr, 0, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT(0, aclrtMemcpyAsync(host, 64, d, 64, ACL_MEMCPY_DEVICE_TO_HOST, nullptr));
  EXPECT(107000, aclrtMemcpyAsync(host, 3, d, 4, ACL_MEMCPY_DEVICE_TO_HOST, nullptr), "destMax");
  EXPECT(107017, aclrtMemcpyAsync(host, 4, d, 4, ACL_MEMCPY_DEVICE_TO_HOST, kNonsense), "stream");

  EXPECT(0, aclrtMemset(d, 64, 0x55, 64));
  EXPECT(107000, aclrtMemset(d, 63, 0, 64), "maxCount");
  EXPECT(107000, aclrtMemset(d + 1, 64, 0, 64), "beyond");
  EXPECT(100000, aclrtMemset(nullptr, 64, 0, 64), "null");
  EXPECT(107017, aclrtMemsetAsync(d, 64, 0, 64, kNonsense), "stream");
  EXPECT(0, aclrtMemcpy(mine.data(), 64, d, 64, ACL_MEMCPY_DEVICE_TO_HOST));
  for (char byte : mine) Require(byte == 0x55, "memset");
  EXPECT(0, aclrtMemsetAsync(d, 64, 0, 64, nullptr));

  size_t free = 0, total = 0;
  EXPECT(0, aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  Require(free > 0 && free <= total, "memory information");
  EXPECT(100000, aclrtGetMemInfo(ACL_HBM_MEM, nullptr, &total), "free is null");

  EXPECT(107000, aclrtFree(d + 8), "inside");
  EXPECT(107000, aclrtFree(host), "aclrtFreeHost");
  EXPECT(107000, aclrtFreeHost(device), "aclrtFree");
  EXPECT(107000, aclrtFree(mine.data()), "not allocated");
  EXPECT(100000, aclrtFree(nullptr), "null");
  EXPECT(0, aclrtFree(device));
  EXPECT(107000, aclrtFree(device), "freed before");
  EXPECT(107000, aclrtMemcpy(device, 64, mine.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE), "freed");
  EXPECT(0, aclrtFree(other));
  EXPECT(0, aclrtFreeHost(host));
  EXPECT(107000, aclrtFreeHost(host), "freed before");
}

static void StreamsAndEvents() {
  aclrtStream stream = nullptr, other = nullptr;
  aclrtEvent start = nullptr, end = nullptr, third = nullptr;
  aclrtStreamStatus stream_status = ACL_STREAM_STATUS_NOT_READY;
  aclrtEventStatus event_status = ACL_EVENT_STATUS_COMPLETE;
  aclrtEventRecordedStatus recorded = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  float ms = -1;
  EXPECT(100000, aclrtCreateStream(nullptr), "null");
  EXPECT(0, aclrtCreateStream(&stream));
  EXPECT(0, aclrtCreateStreamWithConfig(&other, 0, ACL_STREAM_FAST_LAUNCH | ACL_STREAM_FAST_SYNC));
  EXPECT(0, aclrtSynchronizeStream(stream));
  EXPECT(0, aclrtSynchronizeStream(nullptr));
  EXPECT(0, aclrtSynchronizeStreamWithTimeout(stream, 100));
  EXPECT(107000, aclrtSynchronizeStreamWithTimeout(stream, -2), "timeout");
  EXPECT(0, aclrtStreamQuery(stream, &stream_status));
  Require(stream_status == ACL_STREAM_STATUS_COMPLETE, "what nobody asked for is done");
  EXPECT(100000, aclrtStreamQuery(stream, nullptr), "null");

  EXPECT(0, aclrtCreateEvent(&start));
  EXPECT(0, aclrtCreateEventWithFlag(&end, ACL_EVENT_TIME_LINE));
  EXPECT(0, aclrtCreateEventExWithFlag(&third, ACL_EVENT_SYNC));
  EXPECT(0, aclrtQueryEvent(start, &event_status));
  EXPECT(0, aclrtQueryEventStatus(start, &recorded));
  Require(event_status == ACL_EVENT_STATUS_NOT_READY, "not recorded yet");
  Require(recorded == ACL_EVENT_RECORDED_STATUS_NOT_READY, "not recorded yet");
  EXPECT(107000, aclrtEventElapsedTime(&ms, start, end), "never recorded");
  EXPECT(0, aclrtRecordEvent(start, stream));
  for (volatile int i = 0; i < 2000000; ++i) {
  }
  EXPECT(0, aclrtRecordEvent(end, stream));
  EXPECT(0, aclrtStreamWaitEvent(other, end));
  EXPECT(0, aclrtSynchronizeEvent(end));
  EXPECT(0, aclrtQueryEvent(end, &event_status));
  EXPECT(0, aclrtQueryEventStatus(end, &recorded));
  Require(event_status == ACL_EVENT_STATUS_COMPLETE, "recorded");
  Require(recorded == ACL_EVENT_RECORDED_STATUS_COMPLETE, "recorded");
  EXPECT(0, aclrtEventElapsedTime(&ms, start, end));
  Require(ms > 0 && ms < 60000, "elapsed time");

  EXPECT(100000, aclrtEventElapsedTime(nullptr, start, end), "null");
  EXPECT(100000, aclrtRecordEvent(nullptr, stream), "null");
  EXPECT(107017, aclrtRecordEvent(stream, stream), "is no aclrtEvent");
  EXPECT(107017, aclrtRecordEvent(kNonsense, stream), "is no aclrtEvent");
  EXPECT(107017, aclrtStreamWaitEvent(kNonsense, end), "is no aclrtStream");
  EXPECT(0, aclrtDestroyEvent(start));
  EXPECT(107017, aclrtDestroyEvent(start), "destroyed");
  EXPECT(107017, aclrtSynchronizeEvent(start), "destroyed");
  EXPECT(107017, aclrtEventElapsedTime(&ms, start, end), "destroyed");
  EXPECT(100000, aclrtDestroyEvent(nullptr), "null");
  EXPECT(0, aclrtDestroyEvent(end));
  EXPECT(0, aclrtDestroyEvent(third));
  EXPECT(0, aclrtDestroyStream(stream));
  EXPECT(107017, aclrtDestroyStream(stream), "destroyed");
  EXPECT(107017, aclrtSynchronizeStream(stream), "destroyed");
  EXPECT(100000, aclrtDestroyStream(nullptr), "null");
  EXPECT(0, aclrtDestroyStreamForce(other));
}

static void Tensors() {
  const std::vector<int64_t> shape = {2, 3}, strides = {1, 2}, storage = {7};
  float data[7] = {};
  aclTensor* tensor = aclCreateTensor(shape.data(), 2, ACL_FLOAT, strides.data(), 1, ACL_FORMAT_NCHW,
                                      storage.data(), 1, data);
  int64_t *dims = nullptr, offset = 0;
  uint64_t count = 0;
  aclFormat format = ACL_FORMAT_ND;
  aclDataType type = ACL_BOOL;
  void* address = nullptr;
  EXPECT(0, aclGetViewShape(tensor, &dims, &count));
  Require(count == 2 && dims[0] == 2 && dims[1] == 3, "view shape");
  delete[] dims;
  EXPECT(0, aclGetViewStrides(tensor, &dims, &count));
  Require(count == 2 && dims[0] == 1 && dims[1] == 2, "view strides");
  delete[] dims;
  EXPECT(0, aclGetStorageShape(tensor, &dims, &count));
  Require(count == 1 && dims[0] == 7, "storage shape");
  delete[] dims;
  EXPECT(0, aclGetViewOffset(tensor, &offset));
  EXPECT(0, aclGetFormat(tensor, &format));
  EXPECT(0, aclGetDataType(tensor, &type));
  EXPECT(0, aclGetRawTensorAddr(tensor, &address));
  Require(offset == 1 && format == ACL_FORMAT_NCHW && type == ACL_FLOAT && address == data, "facts");
  EXPECT(0, aclSetRawTensorAddr(tensor, nullptr));
  EXPECT(0, aclGetRawTensorAddr(tensor, &address));
  Require(address == nullptr, "a replaced address");
  EXPECT(0, aclInitTensor(tensor, shape.data(), 1, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, nullptr, 0,
                          data));
  EXPECT(0, aclGetViewShape(tensor, &dims, &count));
  Require(count == 1 && dims[0] == 2, "a new description");
  delete[] dims;
  EXPECT(161001, aclGetViewShape(tensor, nullptr, &count), "null");
  EXPECT(161001, aclGetDataType(nullptr, &type), "null");
  EXPECT(0, aclDestroyTensor(nullptr));  // nothing to destroy: so in the documents
  EXPECT(161001, aclInitTensor(tensor, nullptr, 1, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, nullptr, 0,
                               data), "viewDims is null");
  Require(aclCreateTensor(nullptr, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr, 0, data) ==
              nullptr && aclGetRecentErrMsg() != nullptr, "no shape, no tensor");
  Require(aclCreateTensor(shape.data(), uint64_t(1) << 62, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND,
                          nullptr, 0, data) == nullptr, "too many dimensions to be described");
  EXPECT(0, aclDestroyTensor(tensor));
  EXPECT(161002, aclDestroyTensor(tensor), "destroyed");
  EXPECT(161002, aclGetFormat(tensor, &format), "destroyed");
  EXPECT(161002, aclDestroyTensor(static_cast<aclTensor*>(kNonsense)), "is no aclTensor");

  aclTensor* scalar_like = aclCreateTensor(nullptr, 0, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, nullptr,
                                           0, data);
  EXPECT(0, aclGetViewShape(scalar_like, &dims, &count));
  Require(count == 0, "no dimensions");
  delete[] dims;
  EXPECT(0, aclDestroyTensor(scalar_like));

  double value = 1.5;
  aclScalar* scalar = aclCreateScalar(&value, ACL_DOUBLE);
  Require(scalar != nullptr, "a scalar");
  EXPECT(161002, aclDestroyTensor(reinterpret_cast<aclTensor*>(scalar)), "is no aclTensor");
  EXPECT(0, aclDestroyScalar(scalar));
  EXPECT(161002, aclDestroyScalar(scalar), "destroyed");
  EXPECT(0, aclDestroyScalar(nullptr));
  EXPECT(0, aclDestroyIntArray(nullptr));
  EXPECT(0, aclDestroyFloatArray(nullptr));
  EXPECT(0, aclDestroyBoolArray(nullptr));
  EXPECT(0, aclDestroyTensorList(nullptr));
  EXPECT(0, aclDestroyScalarList(nullptr));
  Require(aclCreateScalar(nullptr, ACL_FLOAT) == nullptr, "no value, no scalar");
  Require(aclCreateScalar(&value, ACL_STRING) == nullptr, "no scalar strings");
}

static void Collections() {
  const int64_t numbers[] = {1, 2, 3};
  const float floats[] = {1, 2};
  const bool truths[] = {true};
  uint64_t size = 0;
  aclIntArray* ints = aclCreateIntArray(numbers, 3);
  aclFloatArray* reals = aclCreateFloatArray(floats, 2);
  aclBoolArray* bools = aclCreateBoolArray(truths, 1);
  aclIntArray* empty = aclCreateIntArray(nullptr, 0);
  EXPECT(0, aclGetIntArraySize(ints, &size));
  Require(size == 3, "size of ints");
  EXPECT(0, aclGetFloatArraySize(reals, &size));
  Require(size == 2, "size of floats");
  EXPECT(0, aclGetBoolArraySize(bools, &size));
  Require(size == 1, "size of bools");
  EXPECT(0, aclGetIntArraySize(empty, &size));
  Require(size == 0, "size of nothing");
  EXPECT(161001, aclGetIntArraySize(ints, nullptr), "null");
  EXPECT(161001, aclGetIntArraySize(nullptr, &size), "null");
  EXPECT(0, aclDestroyIntArray(ints));
  EXPECT(0, aclDestroyIntArray(empty));
  EXPECT(161002, aclDestroyIntArray(ints), "destroyed");
  EXPECT(0, aclDestroyFloatArray(reals));
  EXPECT(0, aclDestroyBoolArray(bools));
  Require(aclCreateIntArray(nullptr, 3) == nullptr && aclGetRecentErrMsg(), "no values, no array");

  float data[2] = {};
  const aclTensor* members[] = {Make({2}, data), Make({2}, data)};
  aclTensorList* list = aclCreateTensorList(members, 2);
  EXPECT(0, aclGetTensorListSize(list, &size));
  Require(size == 2, "size of a list");
  EXPECT(0, aclDestroyTensorList(list));
  EXPECT(161002, aclDestroyTensor(members[0]), "list that owned it");
  EXPECT(161002, aclDestroyTensorList(list), "destroyed");
  Require(aclCreateTensorList(members, 2) == nullptr && aclGetRecentErrMsg(), "no dead members");

  float value = 1;
  const aclScalar* scalars[] = {aclCreateScalar(&value, ACL_FLOAT)};
  aclScalarList* scalar_list = aclCreateScalarList(scalars, 1);
  EXPECT(0, aclDestroyScalar(scalars[0]));
  EXPECT(161002, aclDestroyScalarList(scalar_list), "the list owns its members");
}

static void Numbers() {
  for (uint32_t half = 0; half < 65536; ++half) {
    const float wide = aclFloat16ToFloat(static_cast<aclFloat16>(half));
    const bool nan = (half & 0x7c00) == 0x7c00 && (half & 0x3ff);
    Require(nan ? std::isnan(wide) : aclFloatToFloat16(wide) == half, "float16 and back");
    if (nan) continue;
    double exact = (half & 0x7c00) == 0x7c00 ? INFINITY
                   : half & 0x7c00 ? std::ldexp(1024 + (half & 0x3ff), int(half >> 10 & 31) - 25)
                                   : std::ldexp(half & 0x3ff, -24);
    Require(wide == (half & 0x8000 ? -exact : exact), "float16 to float");
  }
  const struct { float value; uint16_t half; } rows[] = {
      {65504, 0x7bff}, {65519.996f, 0x7bff}, {65520, 0x7c00}, {1e30f, 0x7c00}, {-INFINITY, 0xfc00},
      {0x1p-24f, 1}, {0x1p-25f, 0}, {0x1.000002p-25f, 1}, {0x1.8p-24f, 2}, {0x1.ff8p-15f, 0x3ff},
      {0x1.ffep-15f, 0x400}, {1.0009765625f, 0x3c01}, {1.00048828125f, 0x3c00},
      {1.0014648438f, 0x3c02}, {-0.0f, 0x8000}, {NAN, 0x7e00}};
  for (const auto& row : rows) Require(aclFloatToFloat16(row.value) == row.half, "float to float16");
  Require(aclDataTypeSize(ACL_BF16) == 2 && aclDataTypeSize(ACL_COMPLEX128) == 16 &&
              aclDataTypeSize(ACL_BOOL) == 1 && aclDataTypeSize(ACL_DT_UNDEFINED) == 0, "sizes");
}

int main() {
  Initialisation();
  NoDevice();
  Devices();
  Contexts();
  Memory();
  StreamsAndEvents();
  Tensors();
  Collections();
  Numbers();
  EXPECT(0, aclrtResetDevice(0));
  EXPECT(0, aclFinalize());
  std::printf("runtime: %s\n", failures ? "WRONG" : "right");
  return failures != 0;
}
