"""Initialisation, and what the runtime and the operators share."""

from __future__ import annotations

from openaclnn.base.acl_codes import Code
from openaclnn.capi.runtime_api.function import Section, function

INITIALISATION = Section("acl/acl.h", "Initialisation", (
    function("aclInit", "const char *configPath",
             "Initialise. The path of settings may be null; the file must exist and is not read. "
             "OPENACLNN_SOC must name a chip.",
             Code.INVALID_PARAM, Code.REPEAT_INITIALIZE, Code.INVALID_FILE),
    function("aclFinalize", "",
             "Finalise. A program may call aclInit again.",
             Code.UNINITIALIZE, Code.REPEAT_FINALIZE),
))  # fmt: skip

NUMBERS = Section("acl/acl_base.h", "Numbers", (
    function("aclFloat16ToFloat", "aclFloat16 value",
             "Widen a float16 number.", returns="float "),
    function("aclFloatToFloat16", "float value",
             "Round to the nearest float16 number, ties to even.", returns="aclFloat16 "),
    function("aclDataTypeSize", "aclDataType dataType",
             "Get the bytes of an element; 0 where it has no whole ones.", returns="size_t "),
))  # fmt: skip

BUFFERS = Section("acl/acl_base.h", "Data buffers: an address and a size", (
    function("aclCreateDataBuffer", "void *data, size_t size",
             "Make a data buffer; null where there is no memory.", returns="aclDataBuffer *"),
    function("aclDestroyDataBuffer", "const aclDataBuffer *dataBuffer",
             "End a data buffer; what it points to stays.",
             Code.INVALID_PARAM, Code.RT_INVALID_HANDLE),
    function("aclUpdateDataBuffer", "aclDataBuffer *dataBuffer, void *data, size_t size",
             "Let a data buffer point elsewhere.", Code.INVALID_PARAM, Code.RT_INVALID_HANDLE),
    function("aclGetDataBufferAddr", "const aclDataBuffer *dataBuffer",
             "Get the address of a data buffer; null where it is none.", returns="void *"),
    function("aclGetDataBufferSize", "const aclDataBuffer *dataBuffer",
             "Get the size of a data buffer, its lowest 32 bits.", returns="uint32_t "),
    function("aclGetDataBufferSizeV2", "const aclDataBuffer *dataBuffer",
             "Get the size of a data buffer; 0 where it is none.", returns="size_t ",
             python="acl.get_data_buffer_size_v2"),
))  # fmt: skip

MESSAGES = Section("acl/acl_base.h", "Messages", (
    function("aclGetRecentErrMsg", "",
             "Get the text of the calling thread's latest error, once; null when there is none.",
             returns="const char *"),
    function("aclAppLog",
             "aclLogLevel logLevel, const char *func, const char *file, uint32_t line, "
             "const char *fmt, ...",
             "Write a message to the log, from ASCEND_GLOBAL_LOG_LEVEL upwards (3, errors, is the "
             "default): to stderr, or to stdout with ASCEND_SLOG_PRINT_TO_STDOUT=1. "
             "set_env.sh sets 02, which shows errors only and learns from torch_npu's log what it "
             "misses.",
             returns="void ", python="acl.app_log"),
))  # fmt: skip

LAST_ERRORS = Section("acl/acl_rt.h", "The latest error", (
    function("aclrtGetLastError", "aclrtLastErrLevel level",
             "Get the code of the calling thread's latest error in the runtime, once.",
             Code.RT_PARAM_INVALID),
    function("aclrtPeekAtLastError", "aclrtLastErrLevel level",
             "Get the code of the calling thread's latest error without clearing it.",
             Code.RT_PARAM_INVALID),
))  # fmt: skip

SECTIONS = (INITIALISATION, NUMBERS, MESSAGES, LAST_ERRORS, BUFFERS)
