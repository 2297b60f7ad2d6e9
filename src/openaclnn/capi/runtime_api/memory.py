"""Memory: allocation, copies, fills; reserved addresses and what is mapped there."""

from __future__ import annotations

from openaclnn.base.acl_codes import Code
from openaclnn.capi.runtime_api.function import Section, function

_CAPTURE = Code.RT_CAPTURE_MODE_NOT_SUPPORT  # not while a stream is captured
_ALLOCATED = (Code.INVALID_PARAM, Code.RT_CONTEXT_NULL, Code.RT_MEMORY_ALLOCATION)
_FREED = (Code.INVALID_PARAM, Code.RT_PARAM_INVALID)
_MOVED = (Code.INVALID_PARAM, Code.RT_PARAM_INVALID, _CAPTURE)
_MOVED_ASYNC = (*_FREED, Code.RT_INVALID_HANDLE, Code.RT_STREAM_CONTEXT)

MEMORY = Section("acl/acl_rt.h", "Memory", (
    function("aclrtMalloc", "out void **devPtr, size_t size, aclrtMemMallocPolicy policy",
             "Allocate memory of the device.", *_ALLOCATED),
    function("aclrtMallocAlign32", "out void **devPtr, size_t size, aclrtMemMallocPolicy policy",
             "Allocate memory of the device, for programs that round sizes themselves.",
             *_ALLOCATED, asks="malloc"),
    function("aclrtFree", "void *devPtr",
             "Free memory of the device.", *_FREED),
    function("aclrtMallocHost", "out void **hostPtr, size_t size",
             "Allocate memory of the host that copies reach directly.",
             Code.INVALID_PARAM, Code.RT_CONTEXT_NULL, Code.BAD_ALLOC),
    function("aclrtFreeHost", "void *hostPtr",
             "Free what aclrtMallocHost gave.", *_FREED),
    function("aclrtMemcpy",
             "void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind",
             "Copy bytes, and return when they are there.", *_MOVED),
    function("aclrtMemcpyAsync",
             "void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind, "
             "aclrtStream stream",
             "Copy bytes in the order of a stream.", *_MOVED_ASYNC),
    function("aclrtMemset", "void *devPtr, size_t maxCount, int32_t value, size_t count",
             "Set bytes, and return when they are set.", *_MOVED),
    function("aclrtMemsetAsync",
             "void *devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream",
             "Set bytes in the order of a stream.", *_MOVED_ASYNC),
    function("aclrtHostRegister",
             "void *ptr, uint64_t size, aclrtHostRegisterType type, out void **devPtr",
             "Let devices use memory of the program; get the address that they use.",
             *_FREED, Code.RT_CONTEXT_NULL),
    function("aclrtHostRegisterV2", "void *ptr, uint64_t size, uint32_t flag",
             "Let devices use memory of the program.", *_FREED, Code.RT_CONTEXT_NULL,
             asks="host_register"),
    function("aclrtHostUnregister", "void *ptr",
             "Undo aclrtHostRegister.", *_FREED),
    function("aclrtPointerGetAttributes",
             "const void *ptr, out aclrtPtrAttributes *attributes",
             "Get where an address lies: in the device's memory, in the host's, or unknown.",
             Code.INVALID_PARAM, python=None),
    function("aclrtGetMemInfo", "aclrtMemAttr attr, out size_t *free, out size_t *total",
             "Get the free and the total bytes of the device.", Code.RT_CONTEXT_NULL),
))  # fmt: skip

COPIES = Section("acl/acl_rt.h", "Copies of many parts", (
    function("aclrtMemcpy2d",
             "void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, "
             "size_t height, aclrtMemcpyKind kind",
             "Copy rows of bytes that lie apart.", *_MOVED),
    function("aclrtMemcpy2dAsync",
             "void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, "
             "size_t height, aclrtMemcpyKind kind, aclrtStream stream",
             "Copy rows of bytes with pitches, in the order of a stream.", *_MOVED_ASYNC),
    function("aclrtMemcpyBatch",
             "void **dsts:numBatches, size_t *destMax:numBatches, void **srcs:numBatches, "
             "size_t *sizes:numBatches, size_t numBatches, "
             "aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs, "
             "out size_t *failIndex",
             "Make many copies; all are checked before the first is made.", *_MOVED,
             python=None, asks="memcpy"),
    function("aclrtMemcpyBatchAsync",
             "void **dsts:numBatches, size_t *destMax:numBatches, void **srcs:numBatches, "
             "size_t *sizes:numBatches, size_t numBatches, "
             "aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes, size_t numAttrs, "
             "out size_t *failIndex, aclrtStream stream",
             "Make many copies in the order of a stream.", *_MOVED_ASYNC, python=None,
             asks="memcpy_async"),
))  # fmt: skip

VIRTUAL = Section("acl/acl_rt.h", "Reserved addresses and physical memory", (
    function("aclrtMemGetAllocationGranularity",
             "aclrtPhysicalMemProp *prop, aclrtMemGranularityOptions option, "
             "out size_t *granularity",
             "Get the bytes that sizes, offsets and addresses must be multiples of.",
             Code.INVALID_PARAM, Code.RT_PARAM_INVALID, Code.RT_INVALID_DEVICEID,
             Code.RT_FEATURE_NOT_SUPPORT, python=None),
    function("aclrtReserveMemAddress",
             "out void **virPtr, size_t size, size_t alignment, void *expectPtr, uint64_t flags",
             "Reserve addresses for memory to be mapped.", *_ALLOCATED, Code.RT_PARAM_INVALID),
    function("aclrtReleaseMemAddress", "void *virPtr",
             "Give reserved addresses back; nothing may be mapped there.", *_FREED),
    function("aclrtMallocPhysical",
             "out aclrtDrvMemHandle *handle, size_t size, const aclrtPhysicalMemProp *prop, "
             "uint64_t flags",
             "Allocate physical memory that has no address yet.", *_ALLOCATED,
             Code.RT_PARAM_INVALID, Code.RT_INVALID_DEVICEID, Code.RT_FEATURE_NOT_SUPPORT,
             python=None),
    function("aclrtFreePhysical", "aclrtDrvMemHandle handle",
             "Free physical memory; where it is mapped it stays until it is unmapped.",
             Code.INVALID_PARAM, Code.RT_INVALID_HANDLE, python=None),
    function("aclrtMapMem",
             "void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle, uint64_t flags",
             "Map physical memory at reserved addresses.", *_FREED, Code.RT_CONTEXT_NULL,
             Code.RT_INVALID_HANDLE, Code.RT_MEMORY_ALLOCATION, python=None),
    function("aclrtUnmapMem", "void *virPtr",
             "Undo one aclrtMapMem; the physical memory keeps its bytes.", *_FREED, python=None),
))  # fmt: skip

SECTIONS = (MEMORY, COPIES, VIRTUAL)
