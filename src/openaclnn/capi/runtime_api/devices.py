"""Devices and contexts."""

from __future__ import annotations

from openaclnn.base.acl_codes import Code
from openaclnn.capi.runtime_api.function import Section, function

_CAPTURED = (Code.RT_CAPTURE_MODE_NOT_SUPPORT, Code.RT_STREAM_CAPTURED)

DEVICES = Section("acl/acl_rt.h", "Devices", (
    function("aclrtSetDevice", "int32_t deviceId",
             "Let the calling thread work on a device.", Code.RT_INVALID_DEVICEID),
    function("aclrtResetDevice", "int32_t deviceId",
             "Undo one aclrtSetDevice; the last one ends the device's context.",
             Code.RT_INVALID_DEVICEID, Code.RT_CONTEXT_NULL),
    function("aclrtResetDeviceForce", "int32_t deviceId",
             "End a device's context, however often it was set.",
             Code.RT_INVALID_DEVICEID, Code.RT_CONTEXT_NULL),
    function("aclrtGetDevice", "out int32_t *deviceId",
             "Get the calling thread's device.", Code.RT_CONTEXT_NULL),
    function("aclrtGetDeviceCount", "out uint32_t *count",
             "Get the number of devices."),
    function("aclrtGetPrimaryCtxState",
             "int32_t deviceId, uint32_t *flags, out int32_t *active",
             "Get whether a device's own context is there; its flags, where asked for, are 0.",
             Code.RT_INVALID_DEVICEID, python=None),
    function("aclrtGetLogicDevIdByUserDevId", "int32_t userDevid, out int32_t *logicDevId",
             "Get the number of a device that the user calls so: the same.",
             Code.RT_INVALID_DEVICEID, python=None),
    function("aclrtDeviceGetUuid", "int32_t deviceId, out aclrtUuid *uuid",
             "Get what tells a device from others: a name.",
             Code.RT_INVALID_DEVICEID, python=None),
    function("aclrtGetRunMode", "out aclrtRunMode *runMode",
             "Get where the program runs: ACL_HOST, always."),
    function("aclrtSynchronizeDevice", "",
             "Wait for everything that was started on the device.",
             Code.RT_CONTEXT_NULL, Code.RT_AICORE_EXCEPTION, *_CAPTURED),
    function("aclrtSynchronizeDeviceWithTimeout", "int32_t timeout",
             "Wait for the device, at most so many milliseconds; -1 waits for ever.",
             Code.RT_PARAM_INVALID, Code.RT_CONTEXT_NULL, Code.RT_STREAM_SYNC_TIMEOUT,
             Code.RT_AICORE_EXCEPTION, *_CAPTURED,
             asks="synchronize_device"),
    function("aclrtDeviceCanAccessPeer",
             "out int32_t *canAccessPeer, int32_t deviceId, int32_t peerDeviceId",
             "Get whether a device can read another's memory.", Code.RT_INVALID_DEVICEID),
    function("aclrtDeviceEnablePeerAccess", "int32_t peerDeviceId, uint32_t flags",
             "Let the current device use another's memory.",
             Code.INVALID_PARAM, Code.RT_INVALID_DEVICEID),
    function("aclrtDeviceDisablePeerAccess", "int32_t peerDeviceId",
             "Undo aclrtDeviceEnablePeerAccess.", Code.RT_INVALID_DEVICEID),
    function("aclrtGetDeviceInfo", "uint32_t deviceId, aclrtDevAttr attr, out int64_t *value",
             "Get a device's number of cores, bytes of memory, or bytes of the last cache.",
             Code.RT_INVALID_DEVICEID, Code.RT_FEATURE_NOT_SUPPORT),
    function("aclrtGetSocName", "",
             "Get the name of the emulated chip.", returns="const char *",
             python="acl.get_soc_name"),
))  # fmt: skip

CONTEXTS = Section("acl/acl_rt.h", "Contexts", (
    function("aclrtCreateContext", "out aclrtContext *context, int32_t deviceId",
             "Make a context and let the calling thread use it.", Code.RT_INVALID_DEVICEID),
    function("aclrtDestroyContext", "aclrtContext context",
             "End a context that aclrtCreateContext made.",
             Code.INVALID_PARAM, Code.RT_PARAM_INVALID, Code.RT_INVALID_HANDLE),
    function("aclrtSetCurrentContext", "aclrtContext context",
             "Let the calling thread use a context.", Code.INVALID_PARAM, Code.RT_INVALID_HANDLE,
             python="acl.rt.set_context"),
    function("aclrtGetCurrentContext", "out aclrtContext *context",
             "Get the calling thread's context.", Code.RT_CONTEXT_NULL,
             python="acl.rt.get_context"),
))  # fmt: skip

SECTIONS = (DEVICES, CONTEXTS)
