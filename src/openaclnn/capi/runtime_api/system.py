"""What the device and the runtime are, and options of the system."""

from __future__ import annotations

from openaclnn.base.acl_codes import Code
from openaclnn.capi.runtime_api.function import Section, function

CAPABILITIES = Section("acl/acl_base.h", "Capabilities", (
    function("aclGetCannAttributeList", "out const aclCannAttr **cannAttrList, out size_t *num",
             "Get the attributes that aclGetCannAttribute knows.", python=None),
    function("aclGetCannAttribute", "aclCannAttr cannAttr, out int32_t *value",
             "Get whether results can be infinite (1), and whether the chip has bfloat16."),
    function("aclGetDeviceCapability",
             "uint32_t deviceId, aclDeviceInfo deviceInfo, out int64_t *value",
             "Get how many cores the device has, or the bytes of its last cache.",
             Code.RT_INVALID_DEVICEID),
))  # fmt: skip

VERSIONS = Section("acl/acl_rt.h", "Versions", (
    function("aclrtGetVersion",
             "out int32_t *majorVersion, out int32_t *minorVersion, out int32_t *patchVersion",
             "Get the version of the runtime's functions."),
    function("aclsysGetVersionStr", "char *pkgName, out char *versionStr",
             "Get the release that these functions are part of, whatever the package.",
             Code.INVALID_PARAM, python=None),
    function("aclsysGetVersionNum", "char *pkgName, out int32_t *versionNum",
             "Get the release as a number: 80500000 is 8.5.0.", Code.INVALID_PARAM, python=None),
    function("aclsysGetCANNVersion",
             "aclCANNPackageName name, out aclCANNPackageVersion *version",
             "Get the release in parts.", Code.INVALID_PARAM, python=None),
))  # fmt: skip

OPTIONS = Section("acl/acl_rt.h", "Options of the system; results do not depend on them", (
    function("aclrtSetSysParamOpt", "aclSysParamOpt opt, int64_t value",
             "Set an option of the process. Results are deterministic in any case.",
             Code.RT_PARAM_INVALID),
    function("aclrtGetSysParamOpt", "aclSysParamOpt opt, out int64_t *value",
             "Get an option of the process; 0 where it was never set.", Code.RT_PARAM_INVALID),
    function("aclrtCtxSetSysParamOpt", "aclSysParamOpt opt, int64_t value",
             "Set an option of the calling thread's context.",
             Code.RT_PARAM_INVALID, Code.RT_CONTEXT_NULL),
    function("aclrtCtxGetSysParamOpt", "aclSysParamOpt opt, out int64_t *value",
             "Get an option of the calling thread's context; 0 where it was never set.",
             Code.RT_PARAM_INVALID, Code.RT_CONTEXT_NULL),
    function("aclrtSetDeviceSatMode", "aclrtFloatOverflowMode mode",
             "Choose what overflows become. Infinity is all there is; saturation is refused.",
             Code.RT_PARAM_INVALID, Code.RT_FEATURE_NOT_SUPPORT),
    function("aclrtGetDeviceSatMode", "out aclrtFloatOverflowMode *mode",
             "Get what overflows become: infinity, always."),
    function("aclrtSetOpExecuteTimeOut", "uint32_t timeout",
             "Set the seconds that an operator may take; none is stopped here."),
    function("aclrtSetOpExecuteTimeOutV2", "uint64_t timeout, out uint64_t *actualTimeout",
             "Set the microseconds that an operator may take; none is stopped here."),
    function("aclrtSetOpWaitTimeout", "uint32_t timeout",
             "Set the seconds that a stream may wait for an event; none is stopped here."),
))  # fmt: skip

LIMITS = Section("acl/acl_rt.h", "Limits of cores; nothing depends on them", (
    function("aclrtGetDeviceResLimit",
             "int32_t deviceId, aclrtDevResLimitType type, out uint32_t *value",
             "Get how many cores of a kind may be used: all, until it is set.",
             Code.RT_INVALID_DEVICEID, Code.RT_PARAM_INVALID, python=None),
    function("aclrtSetDeviceResLimit",
             "int32_t deviceId, aclrtDevResLimitType type, uint32_t value",
             "Set how many cores of a kind may be used; it has no effect.",
             Code.RT_INVALID_DEVICEID, Code.RT_PARAM_INVALID, python=None),
    function("aclrtResetDeviceResLimit", "int32_t deviceId",
             "Undo aclrtSetDeviceResLimit.", Code.RT_INVALID_DEVICEID, python=None),
))  # fmt: skip

SECTIONS = (CAPABILITIES, VERSIONS, OPTIONS, LIMITS)
