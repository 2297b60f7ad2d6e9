// What frameworks ask of the runtime: operators by name, options of a compiler, collectives.
#include "acl/acl_op_compiler.h"
#include "check.h"
#include "hccl/hccl.h"

static void Descriptors() {
  const int64_t dims[] = {2, 3};
  int64_t size = 0;
  aclTensorDesc* desc = aclCreateTensorDesc(ACL_FLOAT16, 2, dims, ACL_FORMAT_ND);
  Require(aclGetTensorDescType(desc) == ACL_FLOAT16 && aclGetTensorDescNumDims(desc) == 2 &&
              aclGetTensorDescFormat(desc) == ACL_FORMAT_ND &&
              aclGetTensorDescElementCount(desc) == 6 && aclGetTensorDescSize(desc) == 12,
          "a descriptor");
  EXPECT(0, aclGetTensorDescDimV2(desc, 1, &size));
  Require(size == 3, "a dimension");
  EXPECT(100000, aclGetTensorDescDimV2(desc, 2, &size), "index is 2");
  aclSetTensorDescName(desc, "x");
  Require(std::string(aclGetTensorDescName(desc)) == "x", "a name");
  EXPECT(0, aclSetTensorFormat(desc, ACL_FORMAT_NCHW));
  EXPECT(0, aclSetTensorShape(desc, 2, dims));
  EXPECT(0, aclSetTensorPlaceMent(desc, ACL_MEMTYPE_HOST));
  EXPECT(100000, aclSetTensorShape(desc, 99, dims), "numDims is 99");
  aclDestroyTensorDesc(desc);
  EXPECT(107017, aclSetTensorFormat(desc, ACL_FORMAT_ND), "destroyed");
  Require(!aclCreateTensorDesc(ACL_FLOAT, -1, dims, ACL_FORMAT_ND), "no dimensions");
}

static void Options() {
  char text[16] = "old";
  Require(aclGetCompileoptSize(ACL_OP_JIT_COMPILE) == 1, "an option that was never set");
  EXPECT(0, aclGetCompileopt(ACL_OP_JIT_COMPILE, text, sizeof text));
  Require(!*text, "is empty");
  EXPECT(0, aclSetCompileopt(ACL_OP_JIT_COMPILE, "disable"));
  Require(aclGetCompileoptSize(ACL_OP_JIT_COMPILE) == 8, "the size of an option");
  EXPECT(0, aclGetCompileopt(ACL_OP_JIT_COMPILE, text, sizeof text));
  Require(std::string(text) == "disable", "an option");
  EXPECT(100000, aclGetCompileopt(ACL_OP_JIT_COMPILE, text, 4), "4 bytes");
  EXPECT(100000, aclSetCompileopt(static_cast<aclCompileOpt>(99), ""), "opt is 99");
  EXPECT(100000, aclSetCompileopt(ACL_OP_JIT_COMPILE, nullptr), "null");
}

// Run an operator by its name on four floats; the results replace them.
static int ByName(const char* type, const aclopAttr* attr, void* memory, aclrtStream stream,
                  aclDataType to = ACL_FLOAT) {
  const int64_t dims[] = {4};
  const aclTensorDesc* in = aclCreateTensorDesc(ACL_FLOAT, 1, dims, ACL_FORMAT_ND);
  const aclTensorDesc* out = aclCreateTensorDesc(to, 1, dims, ACL_FORMAT_ND);
  aclDataBuffer* buffer = aclCreateDataBuffer(memory, 16);
  const aclDataBuffer* input = buffer;
  int status = aclopCompileAndExecute(type, 1, &in, &input, 1, &out, &buffer, attr, ACL_ENGINE_SYS,
                                      ACL_COMPILE_SYS, nullptr, stream);
  aclDestroyTensorDesc(in);
  aclDestroyTensorDesc(out);
  aclDestroyDataBuffer(buffer);
  return status;
}

// What is changed in place cannot be an output somewhere else.
static void ElsewhereInPlace() {
  const int64_t dims[] = {4};
  void* memory = nullptr;
  EXPECT(0, aclrtMalloc(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST));
  const aclTensorDesc* desc = aclCreateTensorDesc(ACL_FLOAT, 1, dims, ACL_FORMAT_ND);
  const aclDataBuffer* in = aclCreateDataBuffer(memory, 16);
  aclDataBuffer* out = aclCreateDataBuffer(static_cast<char*>(memory) + 32, 16);
  setenv("TASK_QUEUE_ENABLE", "0", 1);
  EXPECT(100024, aclopCompileAndExecute("InplaceNeg", 1, &desc, &in, 1, &desc, &out, nullptr,
                                        ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, nullptr),
         "are not those of aclnnInplaceNeg");
  aclDestroyTensorDesc(desc);
  for (const aclDataBuffer* buffer : {in, static_cast<const aclDataBuffer*>(out)}) aclDestroyDataBuffer(buffer);
  EXPECT(0, aclrtFree(memory));
}

// A number beside a tensor lies on the host.
static void OnTheHost() {
  float host[4] = {-1, 2, -3, 4}, three = 3;
  const int64_t dims[] = {4};
  void* memory = nullptr;
  EXPECT(0, aclrtMalloc(&memory, sizeof host, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT(0, aclrtMemcpy(memory, 16, host, 16, ACL_MEMCPY_HOST_TO_DEVICE));
  aclTensorDesc* number = aclCreateTensorDesc(ACL_FLOAT, 0, nullptr, ACL_FORMAT_ND);
  EXPECT(0, aclSetTensorPlaceMent(number, ACL_MEMTYPE_HOST));
  const aclTensorDesc* in[] = {aclCreateTensorDesc(ACL_FLOAT, 1, dims, ACL_FORMAT_ND), number};
  aclDataBuffer* out = aclCreateDataBuffer(memory, 16);
  const aclDataBuffer* inputs[] = {out, aclCreateDataBuffer(&three, sizeof three)};
  EXPECT(0, aclopCompileAndExecute("Mul", 2, in, inputs, 1, in, &out, nullptr, ACL_ENGINE_SYS,
                                   ACL_COMPILE_SYS, nullptr, nullptr));
  EXPECT(0, aclrtSynchronizeDevice());
  EXPECT(0, aclrtMemcpy(host, 16, memory, 16, ACL_MEMCPY_DEVICE_TO_HOST));
  Require(host[0] == -3 && host[1] == 6 && host[2] == -9 && host[3] == 12, "a product");
  for (const aclTensorDesc* desc : in) aclDestroyTensorDesc(desc);
  for (const aclDataBuffer* buffer : inputs) aclDestroyDataBuffer(buffer);
  EXPECT(0, aclrtFree(memory));
}

static void OperatorsByName() {
  float host[4] = {-1, 2, -3, 4};
  void* memory = nullptr;
  aclrtStream stream = nullptr;
  EXPECT(0, aclrtCreateStream(&stream));
  EXPECT(0, aclrtMalloc(&memory, sizeof host, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT(0, aclrtMemcpy(memory, 16, host, 16, ACL_MEMCPY_HOST_TO_DEVICE));
  aclopAttr* attr = aclopCreateAttr();
  const int64_t numbers[] = {1, 2};
  EXPECT(0, aclopSetAttrFloat(attr, "negative_slope", 0.25f));
  EXPECT(0, aclopSetAttrFloat(attr, "negative_slope", 0.5f));
  EXPECT(0, ByName("LeakyRelu", attr, memory, stream));
  EXPECT(0, ByName("Identity", nullptr, memory, stream));
  for (int twice = 0; twice < 2; twice++)  // the tensor that is changed is input and output
    EXPECT(0, ByName("InplaceNeg", nullptr, memory, stream));
  EXPECT(0, aclrtSynchronizeStream(stream));
  EXPECT(0, aclrtMemcpy(host, 16, memory, 16, ACL_MEMCPY_DEVICE_TO_HOST));
  Require(host[0] == -0.5f && host[1] == 2 && host[2] == -1.5f && host[3] == 4, "leaky relu");

  // What is not computed is named; with a queue of tasks, by the stream.
  setenv("TASK_QUEUE_ENABLE", "0", 1);
  EXPECT(100024, ByName("LeakyRelu", nullptr, memory, stream), "aclnnLeakyRelu");
  EXPECT(100024, ByName("Identity", nullptr, memory, stream, ACL_INT32), "type");
  aclAppLog(ACL_WARNING, __func__, __FILE__, __LINE__, "[PTA]:%s or %sGetWorkspaceSize not in %s",
            "aclnnOther", "aclnnOther", "libopapi.so");  // so torch_npu says what it misses
  EXPECT(100024, ByName("Unheard", attr, memory, stream), "does not have aclnnOther");
  EXPECT(100024, ByName("Unheard", attr, memory, stream), "does not have aclnnUnheard");
  EXPECT(0, aclrtSynchronizeStream(stream));
  setenv("TASK_QUEUE_ENABLE", "1", 1);
  EXPECT(0, ByName("Unheard", attr, memory, stream));
  EXPECT(0, ByName("LeakyRelu", attr, memory, stream));
  EXPECT(507015, aclrtSynchronizeStream(stream), "Unheard");
  EXPECT(0, aclrtSynchronizeStream(stream));
  EXPECT(0, aclopSetAttrListInt(attr, "another", 2, numbers));
  EXPECT(0, ByName("LeakyRelu", attr, memory, stream));
  EXPECT(507015, aclrtSynchronizeDevice(), "LeakyRelu");
  EXPECT(0, ByName("LeakyRelu", attr, memory, stream));
  EXPECT(507015, aclrtSynchronizeStreamWithTimeout(stream, 100), "LeakyRelu");
  EXPECT(100000, ByName(nullptr, attr, memory, stream), "opType");
  aclopDestroyAttr(attr);
  EXPECT(107017, ByName("LeakyRelu", attr, memory, stream), "destroyed");
  EXPECT(107017, aclopSetAttrInt(attr, "a", 1), "destroyed");
  EXPECT(0, aclrtFree(memory));
  EXPECT(0, aclrtDestroyStream(stream));
}

// Results whose shape depends on the elements: the descriptor has it when the call returns.
static void Choosing() {
  float host[4] = {-1, 2, -3, 4};
  const bool wanted[4] = {false, true, true, false};
  const int64_t dims[] = {4};
  int64_t size = 0;
  void *memory = nullptr, *mask = nullptr, *out = nullptr;
  EXPECT(0, aclrtMalloc(&memory, 16, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT(0, aclrtMalloc(&mask, 4, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT(0, aclrtMalloc(&out, 16, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT(0, aclrtMemcpy(memory, 16, host, 16, ACL_MEMCPY_HOST_TO_DEVICE));
  EXPECT(0, aclrtMemcpy(mask, 4, wanted, 4, ACL_MEMCPY_HOST_TO_DEVICE));
  aclTensorDesc* in[] = {aclCreateTensorDesc(ACL_FLOAT, 1, dims, ACL_FORMAT_ND),
                         aclCreateTensorDesc(ACL_BOOL, 1, dims, ACL_FORMAT_ND)};
  aclTensorDesc* results[] = {aclCreateTensorDesc(ACL_FLOAT, 1, dims, ACL_FORMAT_ND)};
  aclDataBuffer* inputs[] = {aclCreateDataBuffer(memory, 16), aclCreateDataBuffer(mask, 4)};
  aclDataBuffer* outputs[] = {aclCreateDataBuffer(out, 16)};
  EXPECT(0, aclopCompileAndExecuteV2("MaskedSelect", 2, in, inputs, 1, results, outputs, nullptr,
                                     ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, nullptr));
  EXPECT(0, aclGetTensorDescDimV2(results[0], 0, &size));
  EXPECT(0, aclrtMemcpy(host, 8, out, 8, ACL_MEMCPY_DEVICE_TO_HOST));
  Require(size == 2 && host[0] == 2 && host[1] == -3, "chosen elements");
  setenv("TASK_QUEUE_ENABLE", "0", 1);
  EXPECT(100024, aclopCompileAndExecuteV2("MaskedSelect", 1, in, inputs, 1, results, outputs, nullptr,
                                          ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, nullptr), "aclnnMaskedSelect");
  for (aclTensorDesc* desc : {in[0], in[1], results[0]}) aclDestroyTensorDesc(desc);
  for (aclDataBuffer* buffer : {inputs[0], inputs[1], outputs[0]}) aclDestroyDataBuffer(buffer);
  for (void* each : {memory, mask, out}) EXPECT(0, aclrtFree(each));
}

static void Collectives() {
  float host[4] = {1, 2, 3, 4}, back[4] = {};
  void *from = nullptr, *to = nullptr;
  uint32_t rank = 9, size = 9;
  char name[COMM_NAME_MAX_LENGTH] = "";
  HcclResult error = HCCL_E_INTERNAL;
  HcclComm comm = nullptr;
  HcclRootInfo info;
  EXPECT(HCCL_SUCCESS, HcclGetRootInfo(&info));
  EXPECT(HCCL_E_NOT_SUPPORT, HcclCommInitRootInfo(2, &info, 0, &comm), "world size 1");
  EXPECT(HCCL_E_PARA, HcclCommInitRootInfo(1, &info, 1, &comm), "rank 1 of 1");
  EXPECT(HCCL_E_PTR, HcclCommInitRootInfo(1, &info, 0, nullptr), "comm is null");
  EXPECT(HCCL_SUCCESS, HcclCommInitRootInfo(1, &info, 0, &comm));
  EXPECT(HCCL_SUCCESS, HcclGetRankSize(comm, &size));
  EXPECT(HCCL_SUCCESS, HcclGetRankId(comm, &rank));
  EXPECT(HCCL_SUCCESS, HcclGetCommName(comm, name));
  EXPECT(HCCL_SUCCESS, HcclGetCommAsyncError(comm, &error));
  Require(size == 1 && rank == 0 && *name && error == HCCL_SUCCESS, "a communicator");
  EXPECT(0, aclrtMalloc(&from, sizeof host, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT(0, aclrtMalloc(&to, sizeof host, ACL_MEM_MALLOC_HUGE_FIRST));
  EXPECT(0, aclrtMemcpy(from, 16, host, 16, ACL_MEMCPY_HOST_TO_DEVICE));
  const HcclDataType type = HCCL_DATA_TYPE_FP32;
  auto check = [&](const char* what) {
    EXPECT(0, aclrtSynchronizeDevice());
    EXPECT(0, aclrtMemcpy(back, 16, to, 16, ACL_MEMCPY_DEVICE_TO_HOST));
    Require(std::memcmp(host, back, sizeof host) == 0, what);
    EXPECT(0, aclrtMemset(to, 16, 0, 16));
  };
  EXPECT(0, HcclAllReduce(from, to, 4, type, HCCL_REDUCE_SUM, comm, nullptr));
  check("all reduce");
  EXPECT(0, HcclReduce(from, to, 4, type, HCCL_REDUCE_MAX, 0, comm, nullptr));
  check("reduce");
  EXPECT(0, HcclReduceScatter(from, to, 4, type, HCCL_REDUCE_SUM, comm, nullptr));
  check("reduce scatter");
  EXPECT(0, HcclAllGather(from, to, 4, type, comm, nullptr));
  check("all gather");
  EXPECT(0, HcclScatter(from, to, 4, type, 0, comm, nullptr));
  check("scatter");
  EXPECT(0, HcclAlltoAll(from, 4, type, to, 4, type, comm, nullptr));
  check("all to all");
  const uint64_t four = 4, none = 0;
  EXPECT(0, HcclAlltoAllV(from, &four, &none, type, to, &four, &none, type, comm, nullptr));
  check("all to all of any length");
  EXPECT(0, HcclBroadcast(from, 4, type, 0, comm, nullptr));
  EXPECT(0, HcclAllReduce(from, from, 4, type, HCCL_REDUCE_SUM, comm, nullptr));
  EXPECT(0, HcclBarrier(comm, nullptr));
  EXPECT(HCCL_E_NOT_SUPPORT, HcclSend(from, 4, type, 1, comm, nullptr), "no other rank");
  EXPECT(HCCL_E_NOT_SUPPORT, HcclRecv(to, 4, type, 1, comm, nullptr), "no other rank");
  EXPECT(HCCL_E_PARA, HcclBroadcast(from, 4, type, 1, comm, nullptr), "root is 1");
  EXPECT(HCCL_E_PARA, HcclAllReduce(from, to, 4, HCCL_DATA_TYPE_RESERVED, HCCL_REDUCE_SUM, comm,
                                    nullptr), "dataType");
  EXPECT(HCCL_E_PARA, HcclAlltoAll(from, 4, type, to, 3, type, comm, nullptr), "4 elements");
  EXPECT(HCCL_E_PTR, HcclAllGather(from, nullptr, 4, type, comm, nullptr), "recvBuf");
  EXPECT(0, HcclCommDestroy(comm));
  EXPECT(HCCL_E_PARA, HcclAllGather(from, to, 4, type, comm, nullptr), "destroyed");
  EXPECT(0, aclrtFree(from));
  EXPECT(0, aclrtFree(to));
}

static void Facts() {
  int32_t active = 9, logic = 9, pid = 0;
  uint32_t flags = 9;
  aclrtUuid uuid;
  aclrtBinHandle kernels = nullptr;
  EXPECT(0, aclrtGetPrimaryCtxState(0, &flags, &active));
  Require(active == 1 && flags == 0, "the device's own context");
  EXPECT(107001, aclrtGetPrimaryCtxState(99, &flags, &active), "no device 99");
  EXPECT(0, aclrtGetLogicDevIdByUserDevId(0, &logic));
  EXPECT(0, aclrtDeviceGetUuid(0, &uuid));
  EXPECT(0, aclrtDeviceGetBareTgid(&pid));
  Require(logic == 0 && pid > 0 && uuid.bytes[0], "facts");
  EXPECT(207000, aclrtBinaryLoadFromData("", 0, nullptr, &kernels), "no NPU");
  EXPECT(200006, aclmdlInitDump(), "openaclnn trace");
}

int main() {
  EXPECT(0, aclInit(nullptr));
  EXPECT(0, aclrtSetDevice(0));
  Descriptors();
  Options();
  OperatorsByName();
  ElsewhereInPlace();
  OnTheHost();
  Choosing();
  Collectives();
  Facts();
  EXPECT(0, aclrtResetDevice(0));
  EXPECT(0, aclFinalize());
  std::printf("what frameworks ask for: %s\n", failures ? "WRONG" : "right");
  return failures != 0;
}
