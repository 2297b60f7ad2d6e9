"""Functions that frameworks look up by name and no header declares.

Memory for descriptions that is kept for a thread, and a cache of executors by a key of theirs:
there is none of either here. Equal calls share their plan in any case, and a cache that holds
nothing lets them make the two calls."""

from __future__ import annotations

from openaclnn.base.acl_codes import Code
from openaclnn.capi.runtime_api.function import NOTHING, UNDECLARED, Function, Section, function


def _private(
    name: str, prototype: str, sentence: str, returns: str, answers: str = NOTHING
) -> Function:
    return function(name, prototype, sentence, returns=returns, python=None, answers=answers)


def _kernel(name: str, prototype: str) -> Function:
    return function(
        name, prototype, "Refuse to load or launch a kernel for NPUs.",
        Code.RT_FEATURE_NOT_SUPPORT, returns="int ", python=None,
        refuses="there is no NPU here that could run a compiled kernel",
    )  # fmt: skip


FRAMEWORKS = Section(UNDECLARED, "Looked up by name, declared nowhere", (
    _private("InitHugeMemThreadLocal", "void *arg, bool shared",
             "Begin to keep memory for a thread's calls; there is nothing to keep.", "int ", "0"),
    _private("UnInitHugeMemThreadLocal", "void *arg, bool shared",
             "End that.", "void "),
    _private("ReleaseHugeMem", "void *arg, bool shared",
             "Give such memory back.", "void "),
    _private("CanUsePTACache", "const char *api",
             "Get whether executors of an operator are kept by a caller's key: never.", "bool ",
             "false"),
    _private("InitPTACacheThreadLocal", "",
             "Begin to keep them; nothing is kept.", "void "),
    _private("UnInitPTACacheThreadLocal", "",
             "End that.", "void "),
    _private("SetPTAHashKey", "uint64_t hash",
             "Name the key of the next call.", "void "),
    _private("SetPTACacheHashKey", "uint8_t *key, size_t size",
             "Name the key of the next call.", "void "),
    _private("AddTensorAddrToCachedList", "void *addr",
             "Add an address to what is kept.", "void "),
    _private("PTAGetExecCache", "uint64_t hash, uint64_t *workspaceSize",
             "Get the executor of a key: null, so that the two calls are made.",
             "aclOpExecutor *", "NULL"),
    _private("PTAFindExecCache", "uint8_t *key, size_t size, uint64_t *workspaceSize",
             "Get the executor of a key: null, so that the two calls are made.",
             "aclOpExecutor *", "NULL"),
))  # fmt: skip

KERNELS = Section(UNDECLARED, "Compiled kernels of frameworks", (
    _kernel("rtDevBinaryRegister", "const void *bin, void **handle"),
    _kernel("rtFunctionRegister",
            "void *binHandle, const void *stubFunc, const char *stubName, "
            "const void *kernelInfoExt, uint32_t funcMode"),
    _kernel("rtKernelLaunch",
            "const void *stubFunc, uint32_t blockDim, void *args, uint32_t argsSize, "
            "void *smDesc, aclrtStream stream"),
    _kernel("rtGetC2cCtrlAddr", "uint64_t *addr, uint32_t *len"),
))  # fmt: skip

PROFILER = Section(UNDECLARED, "What frameworks tell a profiler; none listens", (
    _private("MsprofRegisterCallback", "uint32_t moduleId, void *handle",
             "Name a function that a profiler would call; it is never called.", "int32_t ", "0"),
    _private("MsprofReportApi", "uint32_t agingFlag, const void *api",
             "Report a call; nobody listens.", "int32_t ", "0"),
    _private("MsprofReportCompactInfo", "uint32_t agingFlag, const void *data, uint32_t length",
             "Report a detail; nobody listens.", "int32_t ", "0"),
    _private("MsprofReportAdditionalInfo", "uint32_t agingFlag, const void *data, uint32_t length",
             "Report a detail; nobody listens.", "int32_t ", "0"),
    function("MsprofGetHashId", "const char *hashInfo, size_t length",
             "Get a number for a text (FNV-1a, 64 bits).", returns="uint64_t ", python=None),
    function("MsprofSysCycleTime", "",
             "Get the time in nanoseconds since some start.", returns="uint64_t ", python=None),
))  # fmt: skip

SECTIONS = (FRAMEWORKS, KERNELS, PROFILER)
