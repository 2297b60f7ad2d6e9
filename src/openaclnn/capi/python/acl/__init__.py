"""pyACL, the Python module of the acl runtime, on openaclnn's library.

Results come back as values, the error code last: `ptr, ret = acl.rt.malloc(size, policy)`.
Addresses and handles are integers. Operators are called through ctypes, as programs for Ascend do.
"""

from ctypes import (
    c_char_p,
    c_float,
    c_int,
    c_int32,
    c_int64,
    c_size_t,
    c_uint16,
    c_uint32,
    c_void_p,
)

from . import op, rt, util
from .library import Out, given, returning

__all__ = [
    "app_log", "create_data_buffer", "data_type_size", "destroy_data_buffer", "finalize",
    "float16_to_float", "float_to_float16", "get_cann_attribute", "get_data_buffer_addr",
    "get_data_buffer_size", "get_data_buffer_size_v2", "get_device_capability",
    "get_recent_err_msg", "get_soc_name", "init", "op", "rt", "update_data_buffer", "util",
]  # fmt: skip

_init = given("aclInit", c_char_p)
finalize = given("aclFinalize")
data_type_size = returning(c_size_t, "aclDataTypeSize", c_int)
float16_to_float = returning(c_float, "aclFloat16ToFloat", c_uint16)
float_to_float16 = returning(c_uint16, "aclFloatToFloat16", c_float)
create_data_buffer = returning(c_void_p, "aclCreateDataBuffer", c_void_p, c_size_t)
destroy_data_buffer = given("aclDestroyDataBuffer", c_void_p)
update_data_buffer = given("aclUpdateDataBuffer", c_void_p, c_void_p, c_size_t)
get_data_buffer_addr = returning(c_void_p, "aclGetDataBufferAddr", c_void_p)
get_data_buffer_size = returning(c_uint32, "aclGetDataBufferSize", c_void_p)
get_data_buffer_size_v2 = returning(c_size_t, "aclGetDataBufferSizeV2", c_void_p)
get_cann_attribute = given("aclGetCannAttribute", c_int, Out(c_int32))
get_device_capability = given("aclGetDeviceCapability", c_uint32, c_int, Out(c_int64))
_soc_name = returning(c_char_p, "aclrtGetSocName")
_recent_err_msg = returning(c_char_p, "aclGetRecentErrMsg")
_app_log = returning(None, "aclAppLog", c_int, c_char_p, c_char_p, c_uint32, c_char_p, c_char_p)


def init(config_path: str | None = None) -> int:
    """Initialise; the file of settings concerns the NPU and is not read."""
    code: int = _init(config_path.encode() if config_path else None)
    return code


def app_log(log_level: int, func: str, file: str, line: int, fmt: str) -> None:
    """Write a message to the log."""
    _app_log(log_level, func.encode(), file.encode(), line, b"%s", fmt.encode())


def get_soc_name() -> str:
    """The emulated chip."""
    return str(_soc_name().decode())


def get_recent_err_msg() -> str | None:
    """The text of this thread's latest error, once; None when there is none."""
    text = _recent_err_msg()
    return text.decode() if text else None
