"""Functions that need an NPU: running compiled kernels, sharing memory with other processes,
dumping tensors. Programs link these functions, and each refuses with a message."""

from __future__ import annotations

from openaclnn.base.acl_codes import Code
from openaclnn.capi.runtime_api.function import Function, Section, function


def _refused(name: str, prototype: str, sentence: str, code: Code, reason: str) -> Function:
    return function(name, prototype, sentence, code, python=None, refuses=reason)


def _kernel(name: str, prototype: str, sentence: str) -> Function:
    reason = "there is no NPU here that could run a compiled kernel"
    return _refused(name, prototype, sentence, Code.RT_FEATURE_NOT_SUPPORT, reason)


def _shared(name: str, prototype: str, sentence: str) -> Function:
    reason = "memory cannot be shared with other processes here"
    return _refused(name, prototype, sentence, Code.RT_FEATURE_NOT_SUPPORT, reason)


def _dump(name: str, prototype: str, sentence: str) -> Function:
    reason = "tensors are not dumped here; openaclnn trace shows every call"
    return _refused(name, prototype, sentence, Code.FEATURE_UNSUPPORTED, reason)


KERNELS = Section("acl/acl_rt.h", "Compiled kernels: refused", (
    _kernel("aclrtBinaryLoadFromData",
            "const void *data, size_t length, const aclrtBinaryLoadOptions *options, "
            "out aclrtBinHandle *binHandle", "Load kernels."),
    _kernel("aclrtBinaryGetFunction",
            "const aclrtBinHandle binHandle, const char *kernelName, "
            "out aclrtFuncHandle *funcHandle", "Get a kernel by its name."),
    _kernel("aclrtGetFunctionAddr",
            "aclrtFuncHandle funcHandle, out void **aicAddr, out void **aivAddr",
            "Get where a kernel lies."),
))  # fmt: skip

SHARING = Section("acl/acl_rt.h", "Memory shared with other processes: refused", (
    function("aclrtDeviceGetBareTgid", "out int32_t *pid",
             "Get the number of the process.", python=None),
    _shared("aclrtMemExportToShareableHandle",
            "aclrtDrvMemHandle handle, aclrtMemHandleType handleType, uint64_t flags, "
            "out uint64_t *shareableHandle", "Share physical memory."),
    _shared("aclrtMemImportFromShareableHandle",
            "uint64_t shareableHandle, int32_t deviceId, out aclrtDrvMemHandle *handle",
            "Get physical memory that another process shares."),
    _shared("aclrtMemSetPidToShareableHandle",
            "uint64_t shareableHandle, int32_t *pid, size_t pidNum",
            "Choose with whom memory is shared."),
))  # fmt: skip

DUMPS = Section("acl/acl_mdl.h", "Dumps of tensors: refused", (
    _dump("aclmdlInitDump", "", "Begin with dumps."),
    _dump("aclmdlSetDump", "const char *dumpCfgPath", "Choose what is dumped."),
    _dump("aclmdlFinalizeDump", "", "End with dumps."),
))  # fmt: skip

SECTIONS = (KERNELS, SHARING, DUMPS)
