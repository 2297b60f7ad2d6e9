"""Initialisation, and what the runtime and the operators share."""

from __future__ import annotations

from openaclnn.base.acl_codes import Code
from openaclnn.capi.runtime_api.function import Section, function

INITIALISATION = Section("acl/acl.h", "Initialisation", (
    function("aclInit", "const char *configPath",
             "Begin. The file of settings may be null; it is not read, but must be there.",
             Code.REPEAT_INITIALIZE, Code.INVALID_FILE),
    function("aclFinalize", "",
             "End. A program may begin again.", Code.UNINITIALIZE, Code.REPEAT_FINALIZE),
))  # fmt: skip

NUMBERS = Section("acl/acl_base.h", "Numbers", (
    function("aclFloat16ToFloat", "aclFloat16 value",
             "Widen a float16 number.", returns="float "),
    function("aclFloatToFloat16", "float value",
             "Round to the nearest float16 number, ties to even.", returns="aclFloat16 "),
    function("aclDataTypeSize", "aclDataType dataType",
             "Get the bytes of an element; 0 where it has no whole ones.", returns="size_t "),
))  # fmt: skip

MESSAGES = Section("acl/acl_base.h", "Messages", (
    function("aclGetRecentErrMsg", "",
             "Get the text of the calling thread's latest error, once; null when there is none.",
             returns="const char *"),
    function("aclAppLog",
             "aclLogLevel logLevel, const char *func, const char *file, uint32_t line, "
             "const char *fmt, ...",
             "Write a message to the log, from ASCEND_GLOBAL_LOG_LEVEL upwards (3, errors, is the "
             "default): to stderr, or to stdout with ASCEND_SLOG_PRINT_TO_STDOUT=1.",
             returns="void ", python="acl.app_log"),
))  # fmt: skip
