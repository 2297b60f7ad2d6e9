"""Initialisation, and what the runtime and the operators share."""

from __future__ import annotations

from openaclnn.base.acl_codes import Code
from openaclnn.capi.runtime_api.function import Section, function

INITIALISATION = Section("acl/acl.h", "Initialisation", (
    function("aclInit", "const char *configPath",
             "Begin. The file of settings may be null.", Code.REPEAT_INITIALIZE),
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
))  # fmt: skip
