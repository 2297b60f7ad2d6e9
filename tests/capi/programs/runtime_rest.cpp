// Data buffers, copies of many parts, registered memory, the latest error, options, facts.
#include <thread>

#include "check.h"

static void* const kNonsense = reinterpret_cast<void*>(0x123456789abcdef0);

static void DataBuffers() {
  int data[4] = {};
  aclDataBuffer* buffer = aclCreateDataBuffer(data, sizeof data);
  Require(aclGetDataBufferAddr(buffer) == data && aclGetDataBufferSizeV2(buffer) == sizeof data &&
              aclGetDataBufferSize(buffer) == sizeof data, "a data buffer");
  EXPECT(0, aclUpdateDataBuffer(buffer, data + 1, size_t(1) << 33));
  Require(aclGetDataBufferAddr(buffer) == data + 1 &&
              aclGetDataBufferSizeV2(buffer) == size_t(1) << 33, "an updated buffer");
  EXPECT(0, aclDestroyDataBuffer(buffer));
  EXPECT(107017, aclDestroyDataBuffer(buffer), "destroyed");
  EXPECT(107017, aclUpdateDataBuffer(buffer, data, 4), "destroyed");
  EXPECT(100000, aclDestroyDataBuffer(nullptr), "null");
  Require(aclGetDataBufferAddr(buffer) == nullptr && aclGetRecentErrMsg(), "no buffer, no address");
  Require(aclGetDataBufferSizeV2(nullptr) == 0 && aclGetRecentErrMsg(), "no buffer, no size");
}

static void Rows() {
  unsigned char host[6][10], back[6][10] = {};
  for (int i = 0; i < 60; ++i) host[i / 10][i % 10] = i;
  void *device = nullptr, *other = nullptr;
  aclrtStream stream = nullptr;
  EXPECT(0, aclrtCreateStream(&stream));
  EXPECT(0, aclrtMalloc(&device, 6 * 16, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT(0, aclrtMalloc(&other, 6 * 7, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT(0, aclrtMemcpy2d(device, 16, host, 10, 7, 6, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT(0, aclrtMemcpy2dAsync(other, 7, device, 16, 7, 6, ACL_MEMCPY_DEVICE_TO_DEVICE, stream));
  EXPECT(0, aclrtMemcpy2dAsync(back, 10, other, 7, 7, 6, ACL_MEMCPY_DEVICE_TO_HOST, stream));
  EXPECT(0, aclrtSynchronizeStream(stream));
  for (int i = 0; i < 60; ++i) Require(back[i / 10][i % 10] == (i % 10 < 7 ? i : 0), "rows");
  EXPECT(0, aclrtMemcpy2d(back, 10, host, 10, 10, 6, ACL_MEMCPY_HOST_TO_HOST));
  Require(std::memcmp(back, host, 60) == 0, "rows of the host");
  EXPECT(107000, aclrtMemcpy2d(device, 6, host, 10, 7, 6, ACL_MEMCPY_HOST_TO_DEVICE), "dpitch");
  EXPECT(107000, aclrtMemcpy2d(device, 16, host, 6, 7, 6, ACL_MEMCPY_HOST_TO_DEVICE), "spitch");
  EXPECT(107000, aclrtMemcpy2d(device, 16, host, 10, 7, 7, ACL_MEMCPY_HOST_TO_DEVICE), "beyond");
  EXPECT(107000, aclrtMemcpy2d(device, 16, host, 10, 7, SIZE_MAX / 8, ACL_MEMCPY_HOST_TO_DEVICE),
         "rows");
  EXPECT(107000, aclrtMemcpy2d(host, 10, device, 16, 7, 6, ACL_MEMCPY_HOST_TO_DEVICE), "device");
  EXPECT(100000, aclrtMemcpy2d(device, 16, host, 10, 0, 6, ACL_MEMCPY_HOST_TO_DEVICE), "width");
  EXPECT(107017, aclrtMemcpy2dAsync(back, 10, other, 7, 7, 6, ACL_MEMCPY_DEVICE_TO_HOST, kNonsense),
         "stream");
  EXPECT(0, aclrtFree(device));
  EXPECT(0, aclrtFree(other));
  EXPECT(0, aclrtDestroyStream(stream));
}

static void Batches() {
  char host[3][8] = {"first", "second", "third"}, back[3][8] = {};
  void* device[3] = {};
  for (void*& memory : device) EXPECT(0, aclrtMalloc(&memory, 8, ACL_MEM_MALLOC_HUGE_FIRST));
  aclrtMemcpyBatchAttr in = {}, out = {};
  in.dstLoc.type = out.srcLoc.type = ACL_MEM_LOCATION_TYPE_DEVICE;
  in.srcLoc.type = out.dstLoc.type = ACL_MEM_LOCATION_TYPE_HOST;
  void* to[] = {device[0], device[1], device[2], back[0], back[1], back[2]};
  void* from[] = {host[0], host[1], host[2], device[0], device[1], device[2]};
  size_t room[] = {8, 8, 8, 8, 8, 8}, sizes[] = {8, 8, 8, 8, 8, 8}, first[] = {0, 3}, failed = 7;
  aclrtMemcpyBatchAttr attributes[] = {in, out};
  EXPECT(0, aclrtMemcpyBatch(to, room, from, sizes, 6, attributes, first, 2, &failed));
  Require(std::memcmp(host, back, sizeof host) == 0 && failed == SIZE_MAX, "a batch");
  std::memset(back, 0, sizeof back);
  EXPECT(0, aclrtMemcpyBatchAsync(to, room, from, sizes, 6, attributes, first, 2, &failed, nullptr));
  EXPECT(0, aclrtSynchronizeStream(nullptr));
  Require(std::memcmp(host, back, sizeof host) == 0, "a batch in a stream");
  room[4] = 7;
  std::memset(back, 0, sizeof back);
  EXPECT(107000, aclrtMemcpyBatch(to, room, from, sizes, 6, attributes, first, 2, &failed), "sizes[4]");
  Require(failed == 4 && back[0][0] == 0, "nothing was copied");
  room[4] = 8;
  sizes[1] = room[1] = 9;
  EXPECT(107000, aclrtMemcpyBatch(to, room, from, sizes, 6, attributes, first, 2, &failed), "beyond");
  Require(failed == 1, "the second copy fails");
  sizes[1] = 8;
  size_t wrong[] = {0, 0};
  EXPECT(107000, aclrtMemcpyBatch(to, room, from, sizes, 6, attributes, wrong, 2, &failed),
         "attrsIndexes[1]");
  Require(failed == SIZE_MAX, "no copy is to blame");
  EXPECT(107000, aclrtMemcpyBatch(to, room, from, sizes, 6, attributes, first, 1, &failed), "device");
  EXPECT(100000, aclrtMemcpyBatch(to, room, from, sizes, 0, attributes, first, 1, &failed), "0");
  EXPECT(100000, aclrtMemcpyBatch(to, room, nullptr, sizes, 6, attributes, first, 2, &failed), "srcs");
  EXPECT(100000, aclrtMemcpyBatch(to, room, from, sizes, 6, attributes, first, 2, nullptr), "null");
  for (void* memory : device) EXPECT(0, aclrtFree(memory));
}

static void Registered() {
  std::vector<float> mine(64, 1);
  const size_t bytes = mine.size() * sizeof(float);
  void *there = nullptr, *device = nullptr;
  aclrtPtrAttributes facts = {};
  EXPECT(0, aclrtMalloc(&device, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT(0, aclrtPointerGetAttributes(mine.data(), &facts));
  Require(facts.location.type == ACL_MEM_LOCATION_TYPE_UNREGISTERED, "nobody knows it yet");
  EXPECT(0, aclrtPointerGetAttributes(device, &facts));
  Require(facts.location.type == ACL_MEM_LOCATION_TYPE_DEVICE && facts.pageSize > 0, "the device's");
  EXPECT(100000, aclrtPointerGetAttributes(nullptr, &facts), "null");
  EXPECT(0, aclrtHostRegister(mine.data(), bytes, ACL_HOST_REGISTER_MAPPED, &there));
  EXPECT(0, aclrtPointerGetAttributes(mine.data() + 1, &facts));
  Require(facts.location.type == ACL_MEM_LOCATION_TYPE_HOST, "the host's");
  EXPECT(107000, aclrtHostRegister(mine.data() + 2, 8, ACL_HOST_REGISTER_MAPPED, &there), "known");
  EXPECT(107000, aclrtHostRegister(mine.data() - 2, 16, ACL_HOST_REGISTER_MAPPED, &there), "known");
  EXPECT(107000, aclrtHostRegister(device, 8, ACL_HOST_REGISTER_MAPPED, &there), "known");
  EXPECT(0, aclrtMemset(there, bytes, 0, bytes));
  Require(mine[5] == 0, "one memory at two addresses");
  EXPECT(0, aclrtMemcpy(device, bytes, there, bytes, ACL_MEMCPY_DEVICE_TO_DEVICE));
  EXPECT(107000, aclrtFreeHost(mine.data()), "aclrtHostUnregister");
  aclTensor* x = Make({64}, there);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT(0, aclnnSiluBackwardGetWorkspaceSize(x, x, x, &size, &executor));
  EXPECT(0, aclrtHostUnregister(mine.data()));
  EXPECT(161002, aclnnSiluBackward(nullptr, size, executor, nullptr),
         "in memory that was unregistered (aclrtHostUnregister)");
  EXPECT(0, aclDestroyTensor(x));
  EXPECT(107000, aclrtHostUnregister(mine.data()), "not registered");
  EXPECT(100000, aclrtHostUnregister(nullptr), "null");
  EXPECT(100000, aclrtHostRegister(nullptr, 8, ACL_HOST_REGISTER_MAPPED, &there), "null");
  EXPECT(100000, aclrtHostRegister(mine.data(), 0, ACL_HOST_REGISTER_MAPPED, &there), "size");
  EXPECT(0, aclrtHostRegisterV2(mine.data(), bytes, ACL_HOST_REG_MAPPED));
  EXPECT(0, aclrtHostUnregister(mine.data()));
  EXPECT(107000, aclrtHostRegisterV2(mine.data(), bytes, 1), "flag");
  EXPECT(0, aclrtFree(device));
}

static void LatestErrors() {
  void* memory = nullptr;
  aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  Require(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL) == ACL_SUCCESS, "no error yet");
  aclrtFree(nullptr);
  aclrtMalloc(&memory, 8, ACL_MEM_MALLOC_HUGE_FIRST);  // success changes nothing
  std::thread([] {
    Require(aclrtGetLastError(ACL_RT_THREAD_LEVEL) == 0, "another thread's errors are its own");
  }).join();
  aclDestroyTensor(static_cast<aclTensor*>(kNonsense));  // nor does an operator's object
  Require(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL) == ACL_ERROR_INVALID_PARAM, "peek");
  Require(aclrtGetLastError(ACL_RT_THREAD_LEVEL) == ACL_ERROR_INVALID_PARAM, "get");
  Require(aclrtGetLastError(ACL_RT_THREAD_LEVEL) == ACL_SUCCESS, "once");
  EXPECT(107000, aclrtGetLastError(static_cast<aclrtLastErrLevel>(5)), "level");
  EXPECT(0, aclrtFree(memory));
}

static void Options() {
  int64_t value = 5;
  EXPECT(0, aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
  Require(value == 0, "an option that was never set");
  EXPECT(0, aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1));
  value = 5;
  EXPECT(0, aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
  Require(value == 0, "an option of the context that was never set");
  EXPECT(0, aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 0));
  EXPECT(0, aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
  Require(value == 1, "an option of the process");
  EXPECT(0, aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value));
  Require(value == 0, "an option of the context");
  EXPECT(107000, aclrtSetSysParamOpt(static_cast<aclSysParamOpt>(3), 1), "opt is 3");
  EXPECT(107000, aclrtCtxGetSysParamOpt(static_cast<aclSysParamOpt>(-1), &value), "opt is -1");

  aclrtFloatOverflowMode mode = ACL_RT_OVERFLOW_MODE_SATURATION;
  EXPECT(0, aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_INFNAN));
  EXPECT(207000, aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_SATURATION), "infinity");
  EXPECT(107000, aclrtSetDeviceSatMode(ACL_RT_OVERFLOW_MODE_UNDEF), "mode is 2");
  EXPECT(0, aclrtGetDeviceSatMode(&mode));
  Require(mode == ACL_RT_OVERFLOW_MODE_INFNAN, "overflows become infinity");
  uint64_t actual = 0;
  EXPECT(0, aclrtSetOpExecuteTimeOut(30));
  EXPECT(0, aclrtSetOpExecuteTimeOutV2(1000, &actual));
  EXPECT(0, aclrtSetOpWaitTimeout(30));
  Require(actual == 1000, "as asked");
}

static void Facts() {
  int64_t cores = 0, value = 0;
  EXPECT(0, aclrtGetDeviceInfo(0, ACL_DEV_ATTR_VECTOR_CORE_NUM, &cores));
  EXPECT(0, aclGetDeviceCapability(0, ACL_DEVICE_INFO_AI_CORE_NUM, &value));
  Require(cores > 0 && value == cores, "cores");
  EXPECT(0, aclrtGetDeviceInfo(0, ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE, &value));
  size_t free = 0, total = 0;
  EXPECT(0, aclrtGetMemInfo(ACL_HBM_MEM, &free, &total));
  Require(value > int64_t(total / 2), "the bytes of memory");
  EXPECT(0, aclGetDeviceCapability(0, ACL_DEVICE_INFO_L2_SIZE, &value));
  Require(value >= 0, "the bytes of a cache");
  EXPECT(0, aclrtGetDeviceInfo(0, ACL_DEV_ATTR_IS_VIRTUAL, &value));
  EXPECT(207000, aclrtGetDeviceInfo(0, ACL_DEV_ATTR_MAINBOARD_ID, &value), "attr is 407");
  EXPECT(107001, aclrtGetDeviceInfo(88, ACL_DEV_ATTR_CUBE_CORE_NUM, &value), "no device 88");
  EXPECT(107001, aclGetDeviceCapability(88, ACL_DEVICE_INFO_L2_SIZE, &value), "no device 88");
  EXPECT(100000, aclGetDeviceCapability(0, ACL_DEVICE_INFO_UNDEFINED, &value), "deviceInfo is -1");
  EXPECT(107001, aclrtDeviceDisablePeerAccess(88), "no device 88");

  const aclCannAttr* known = nullptr;
  size_t count = 0;
  int32_t number = -1;
  EXPECT(0, aclGetCannAttributeList(&known, &count));
  Require(count >= 2, "attributes");
  for (size_t i = 0; i < count; ++i) EXPECT(0, aclGetCannAttribute(known[i], &number));
  EXPECT(0, aclGetCannAttribute(ACL_CANN_ATTR_BF16, &number));
  Require(number == 1, "the default chip has bfloat16");
  EXPECT(100000, aclGetCannAttribute(ACL_CANN_ATTR_JIT_COMPILE, &number), "cannAttr is 2");

  char name[] = "runtime", text[ACL_PKG_VERSION_MAX_SIZE];
  aclCANNPackageVersion version = {};
  int32_t parts[3] = {};
  EXPECT(0, aclsysGetVersionStr(name, text));
  EXPECT(0, aclsysGetVersionNum(name, &number));
  EXPECT(0, aclsysGetCANNVersion(ACL_PKG_NAME_CANN, &version));
  EXPECT(0, aclrtGetVersion(&parts[0], &parts[1], &parts[2]));
  std::string joined = std::string(version.majorVersion) + "." + version.minorVersion + "." +
                       version.releaseVersion;
  Require(joined == text && joined == version.version, "the version in parts");
  Require(number / 10000000 == std::atoi(version.majorVersion), "the version as a number");
  Require(parts[0] == ACL_MAJOR_VERSION && parts[1] == ACL_MINOR_VERSION, "the functions' version");
  EXPECT(100000, aclsysGetVersionStr(nullptr, text), "pkgName");
  EXPECT(100000, aclsysGetVersionNum(name, nullptr), "versionNum");
  uint32_t usual = 0, fewer = 0;
  EXPECT(0, aclrtGetDeviceResLimit(0, ACL_RT_DEV_RES_VECTOR_CORE, &usual));
  EXPECT(0, aclrtSetDeviceResLimit(0, ACL_RT_DEV_RES_VECTOR_CORE, usual + 3));
  EXPECT(0, aclrtGetDeviceResLimit(0, ACL_RT_DEV_RES_VECTOR_CORE, &fewer));
  Require(usual > 0 && fewer == usual + 3, "a limit");
  EXPECT(0, aclrtResetDeviceResLimit(0));
  EXPECT(0, aclrtGetDeviceResLimit(0, ACL_RT_DEV_RES_VECTOR_CORE, &fewer));
  Require(fewer == usual, "no limit");
  EXPECT(107000, aclrtSetDeviceResLimit(0, static_cast<aclrtDevResLimitType>(2), 1), "type is 2");
  EXPECT(107001, aclrtGetDeviceResLimit(99, ACL_RT_DEV_RES_CUBE_CORE, &usual), "no device 99");
  EXPECT(100000, aclsysGetCANNVersion(static_cast<aclCANNPackageName>(9), &version), "name is 9");
}

int main() {
  EXPECT(107002, aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 1), "aclrtSetDevice");
  EXPECT(0, aclInit(nullptr));
  EXPECT(0, aclrtSetDevice(0));
  DataBuffers();
  Rows();
  Batches();
  Registered();
  LatestErrors();
  Options();
  Facts();
  EXPECT(0, aclrtResetDevice(0));
  EXPECT(0, aclFinalize());
  std::printf("the rest of the runtime: %s\n", failures ? "WRONG" : "right");
  return failures != 0;
}
