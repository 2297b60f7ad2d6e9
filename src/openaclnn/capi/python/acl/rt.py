"""acl.rt: devices, contexts, memory, streams and events. Handles and addresses are
integers. Written from the tables of openaclnn's runtime."""

from ctypes import c_float, c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

from .callbacks import launch_callback as launch_callback
from .library import Out, given

get_last_error = given("aclrtGetLastError", c_int)
peek_at_last_error = given("aclrtPeekAtLastError", c_int)

set_device = given("aclrtSetDevice", c_int32)
reset_device = given("aclrtResetDevice", c_int32)
reset_device_force = given("aclrtResetDeviceForce", c_int32)
get_device = given("aclrtGetDevice", Out(c_int32))
get_device_count = given("aclrtGetDeviceCount", Out(c_uint32))
get_run_mode = given("aclrtGetRunMode", Out(c_int))
synchronize_device = given("aclrtSynchronizeDevice")
synchronize_device_with_timeout = given("aclrtSynchronizeDeviceWithTimeout", c_int32)
device_can_access_peer = given("aclrtDeviceCanAccessPeer", Out(c_int32), c_int32, c_int32)
device_enable_peer_access = given("aclrtDeviceEnablePeerAccess", c_int32, c_uint32)
device_disable_peer_access = given("aclrtDeviceDisablePeerAccess", c_int32)
get_device_info = given("aclrtGetDeviceInfo", c_uint32, c_int, Out(c_int64))

create_context = given("aclrtCreateContext", Out(c_void_p), c_int32)
destroy_context = given("aclrtDestroyContext", c_void_p)
set_context = given("aclrtSetCurrentContext", c_void_p)
get_context = given("aclrtGetCurrentContext", Out(c_void_p))

malloc = given("aclrtMalloc", Out(c_void_p), c_size_t, c_int)
malloc_align32 = given("aclrtMallocAlign32", Out(c_void_p), c_size_t, c_int)
free = given("aclrtFree", c_void_p)
malloc_host = given("aclrtMallocHost", Out(c_void_p), c_size_t)
free_host = given("aclrtFreeHost", c_void_p)
memcpy = given("aclrtMemcpy", c_void_p, c_size_t, c_void_p, c_size_t, c_int)
memcpy_async = given("aclrtMemcpyAsync", c_void_p, c_size_t, c_void_p, c_size_t, c_int, c_void_p)
memset = given("aclrtMemset", c_void_p, c_size_t, c_int32, c_size_t)
memset_async = given("aclrtMemsetAsync", c_void_p, c_size_t, c_int32, c_size_t, c_void_p)
host_register = given("aclrtHostRegister", c_void_p, c_uint64, c_int, Out(c_void_p))
host_register_v2 = given("aclrtHostRegisterV2", c_void_p, c_uint64, c_uint32)
host_unregister = given("aclrtHostUnregister", c_void_p)
get_mem_info = given("aclrtGetMemInfo", c_int, Out(c_size_t), Out(c_size_t))

memcpy2d = given("aclrtMemcpy2d", c_void_p, c_size_t, c_void_p, c_size_t, c_size_t, c_size_t, c_int)
memcpy2d_async = given(
    "aclrtMemcpy2dAsync",
    c_void_p,
    c_size_t,
    c_void_p,
    c_size_t,
    c_size_t,
    c_size_t,
    c_int,
    c_void_p,
)

reserve_mem_address = given(
    "aclrtReserveMemAddress", Out(c_void_p), c_size_t, c_size_t, c_void_p, c_uint64
)
release_mem_address = given("aclrtReleaseMemAddress", c_void_p)

create_stream = given("aclrtCreateStream", Out(c_void_p))
create_stream_with_config = given("aclrtCreateStreamWithConfig", Out(c_void_p), c_uint32, c_uint32)
destroy_stream = given("aclrtDestroyStream", c_void_p)
destroy_stream_force = given("aclrtDestroyStreamForce", c_void_p)
synchronize_stream = given("aclrtSynchronizeStream", c_void_p)
synchronize_stream_with_timeout = given("aclrtSynchronizeStreamWithTimeout", c_void_p, c_int32)
stream_query = given("aclrtStreamQuery", c_void_p, Out(c_int))
stream_get_id = given("aclrtStreamGetId", c_void_p, Out(c_int32))
set_stream_failure_mode = given("aclrtSetStreamFailureMode", c_void_p, c_uint64)
stream_wait_event = given("aclrtStreamWaitEvent", c_void_p, c_void_p)

create_event = given("aclrtCreateEvent", Out(c_void_p))
create_event_with_flag = given("aclrtCreateEventWithFlag", Out(c_void_p), c_uint32)
create_event_ex_with_flag = given("aclrtCreateEventExWithFlag", Out(c_void_p), c_uint32)
destroy_event = given("aclrtDestroyEvent", c_void_p)
record_event = given("aclrtRecordEvent", c_void_p, c_void_p)
reset_event = given("aclrtResetEvent", c_void_p, c_void_p)
synchronize_event = given("aclrtSynchronizeEvent", c_void_p)
synchronize_event_with_timeout = given("aclrtSynchronizeEventWithTimeout", c_void_p, c_int32)
query_event = given("aclrtQueryEvent", c_void_p, Out(c_int))
query_event_status = given("aclrtQueryEventStatus", c_void_p, Out(c_int))
query_event_wait_status = given("aclrtQueryEventWaitStatus", c_void_p, Out(c_int))
event_get_timestamp = given("aclrtEventGetTimestamp", c_void_p, Out(c_uint64))
event_elapsed_time = given("aclrtEventElapsedTime", Out(c_float), c_void_p, c_void_p)

subscribe_report = given("aclrtSubscribeReport", c_uint64, c_void_p)
unsubscribe_report = given("aclrtUnSubscribeReport", c_uint64, c_void_p)
process_report = given("aclrtProcessReport", c_int32)

get_version = given("aclrtGetVersion", Out(c_int32), Out(c_int32), Out(c_int32))

set_sys_param_opt = given("aclrtSetSysParamOpt", c_int, c_int64)
get_sys_param_opt = given("aclrtGetSysParamOpt", c_int, Out(c_int64))
ctx_set_sys_param_opt = given("aclrtCtxSetSysParamOpt", c_int, c_int64)
ctx_get_sys_param_opt = given("aclrtCtxGetSysParamOpt", c_int, Out(c_int64))
set_device_sat_mode = given("aclrtSetDeviceSatMode", c_int)
get_device_sat_mode = given("aclrtGetDeviceSatMode", Out(c_int))
set_op_execute_time_out = given("aclrtSetOpExecuteTimeOut", c_uint32)
set_op_execute_time_out_v2 = given("aclrtSetOpExecuteTimeOutV2", c_uint64, Out(c_uint64))
set_op_wait_timeout = given("aclrtSetOpWaitTimeout", c_uint32)
