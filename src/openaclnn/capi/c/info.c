/* What the device and the runtime are, and options of the system. */
#include "internal.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* The release whose functions these are. */
static const char VERSION[] = "8.5.0";
static const int32_t VERSION_NUMBER = 80500000; /* major * 10000000 + minor * 100000 + patch * 1000 */

static int check_device(const char *function, uint32_t id)
{
    uint32_t count = 0;
    int status = run_aclrtGetDeviceCount(&count);
    if (!status && id >= count)
        status = fail(ACL_ERROR_RT_INVALID_DEVICEID, function, "there is no device %u", (unsigned)id);
    return status;
}

static int about_device(const char *function, uint32_t id, int attribute, int64_t *value)
{
    int status = check_device(function, id);
    const struct Device *device = status ? NULL : device_kind(&status);
    return device ? device->get_device_info((int32_t)id, attribute, value) : status;
}

aclError run_aclrtGetDeviceInfo(uint32_t deviceId, aclrtDevAttr attr, int64_t *value)
{
    switch (attr) {
    case ACL_DEV_ATTR_AICORE_CORE_NUM:
    case ACL_DEV_ATTR_CUBE_CORE_NUM:
    case ACL_DEV_ATTR_VECTOR_CORE_NUM:
        return about_device(__func__, deviceId, ACL_DEV_ATTR_VECTOR_CORE_NUM, value);
    case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE:
    case ACL_DEV_ATTR_L2_CACHE_SIZE: return about_device(__func__, deviceId, attr, value);
    case ACL_DEV_ATTR_PHY_CHIP_ID: *value = deviceId; return check_device(__func__, deviceId);
    case ACL_DEV_ATTR_IS_VIRTUAL: *value = 0; return check_device(__func__, deviceId);
    default:
        return FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "attr is %d, which has no meaning here",
                    (int)attr);
    }
}

aclError run_aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t *value)
{
    switch (deviceInfo) {
    case ACL_DEVICE_INFO_AI_CORE_NUM:
    case ACL_DEVICE_INFO_VECTOR_CORE_NUM:
        return about_device(__func__, deviceId, ACL_DEV_ATTR_VECTOR_CORE_NUM, value);
    case ACL_DEVICE_INFO_L2_SIZE:
        return about_device(__func__, deviceId, ACL_DEV_ATTR_L2_CACHE_SIZE, value);
    default:
        return FAIL(ACL_ERROR_INVALID_PARAM, "deviceInfo is %d; expected 0 to 2", (int)deviceInfo);
    }
}

aclError run_aclGetCannAttributeList(const aclCannAttr **cannAttrList, size_t *num)
{
    static const aclCannAttr known[] = {ACL_CANN_ATTR_INF_NAN, ACL_CANN_ATTR_BF16};
    *cannAttrList = known;
    *num = ELEMENTS(known);
    return 0;
}

aclError run_aclGetCannAttribute(aclCannAttr cannAttr, int32_t *value)
{
    switch (cannAttr) {
    case ACL_CANN_ATTR_INF_NAN: *value = 1; return 0; /* results overflow to infinity, always */
    case ACL_CANN_ATTR_BF16: *value = chip_chosen()->bf16; return 0;
    default:
        return FAIL(ACL_ERROR_INVALID_PARAM, "cannAttr is %d; expected one that "
                    "aclGetCannAttributeList names", (int)cannAttr);
    }
}

const char *run_aclrtGetSocName(void)
{
    return chip_chosen()->name;
}

aclError run_aclsysGetVersionStr(char *pkgName, char *versionStr)
{
    if (!pkgName)
        return FAIL(ACL_ERROR_INVALID_PARAM, "pkgName is null");
    memcpy(versionStr, VERSION, sizeof VERSION);
    return 0;
}

aclError run_aclsysGetVersionNum(char *pkgName, int32_t *versionNum)
{
    if (!pkgName)
        return FAIL(ACL_ERROR_INVALID_PARAM, "pkgName is null");
    *versionNum = VERSION_NUMBER;
    return 0;
}

aclError run_aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion *version)
{
    if ((int)name < ACL_PKG_NAME_CANN || name > ACL_PKG_NAME_DRIVER)
        return FAIL(ACL_ERROR_INVALID_PARAM, "name is %d; expected 0 to 7", (int)name);
    int number = VERSION_NUMBER / 1000;
    memset(version, 0, sizeof *version);
    memcpy(version->version, VERSION, sizeof VERSION);
    snprintf(version->majorVersion, sizeof version->majorVersion, "%d", number / 10000);
    snprintf(version->minorVersion, sizeof version->minorVersion, "%d", number / 100 % 100);
    snprintf(version->releaseVersion, sizeof version->releaseVersion, "%d", number % 100);
    return 0;
}

aclError run_aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion, int32_t *patchVersion)
{
    *majorVersion = ACL_MAJOR_VERSION;
    *minorVersion = ACL_MINOR_VERSION;
    *patchVersion = ACL_PATCH_VERSION;
    return 0;
}

/* Options of the system: those of the process, and those of a context. */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t options[SYSTEM_OPTIONS]; /* each 0 until it is set */

static int check_option(const char *function, aclSysParamOpt option)
{
    return (int)option >= 0 && (int)option < SYSTEM_OPTIONS
               ? 0
               : fail(ACL_ERROR_RT_PARAM_INVALID, function, "opt is %d; expected 0 to %d",
                      (int)option, SYSTEM_OPTIONS - 1);
}

aclError run_aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value)
{
    int status = check_option(__func__, opt);
    if (status)
        return status;
    pthread_mutex_lock(&lock);
    options[opt] = value;
    pthread_mutex_unlock(&lock);
    return 0;
}

aclError run_aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t *value)
{
    int status = check_option(__func__, opt);
    if (status)
        return status;
    pthread_mutex_lock(&lock);
    *value = options[opt];
    pthread_mutex_unlock(&lock);
    return 0;
}

/* Read or set an option of the calling thread's context. */
static int of_context(const char *function, aclSysParamOpt option, int64_t *value, bool set)
{
    int status = check_option(function, option);
    if (status)
        return status;
    aclrtContext current = context_current();
    handles_lock();
    struct Context *context = handle_find(CONTEXT, current);
    if (context && set)
        context->options[option] = *value;
    else if (context)
        *value = context->options[option];
    handles_unlock();
    return context ? 0
                   : fail(ACL_ERROR_RT_CONTEXT_NULL, function,
                          "no device is set; call aclrtSetDevice first");
}

aclError run_aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value)
{
    return of_context(__func__, opt, &value, true);
}

aclError run_aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t *value)
{
    return of_context(__func__, opt, value, false);
}

aclError run_aclrtSetDeviceSatMode(aclrtFloatOverflowMode mode)
{
    if (mode == ACL_RT_OVERFLOW_MODE_INFNAN)
        return 0;
    if (mode == ACL_RT_OVERFLOW_MODE_SATURATION)
        return FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                    "mode is saturation; results here overflow to infinity");
    return FAIL(ACL_ERROR_RT_PARAM_INVALID, "mode is %d; expected 0 or 1", (int)mode);
}

aclError run_aclrtGetDeviceSatMode(aclrtFloatOverflowMode *mode)
{
    *mode = ACL_RT_OVERFLOW_MODE_INFNAN;
    return 0;
}

/* No operator is ever stopped for taking too long. */

aclError run_aclrtSetOpExecuteTimeOut(uint32_t timeout)
{
    (void)timeout;
    return 0;
}

aclError run_aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t *actualTimeout)
{
    *actualTimeout = timeout;
    return 0;
}

aclError run_aclrtSetOpWaitTimeout(uint32_t timeout)
{
    (void)timeout;
    return 0;
}

/* Limits of cores, of the first devices; 0: not set. */

enum { LIMITED_DEVICES = 64, LIMITS = ACL_RT_DEV_RES_VECTOR_CORE + 1 };
static uint32_t limits[LIMITED_DEVICES][LIMITS];

static int check_limit(const char *function, int32_t device, int type)
{
    int status = check_device(function, (uint32_t)device);
    if (!status && device >= LIMITED_DEVICES)
        status = fail(ACL_ERROR_RT_INVALID_DEVICEID, function, "there is no device %d", (int)device);
    if (!status && (type < 0 || type >= LIMITS))
        status = fail(ACL_ERROR_RT_PARAM_INVALID, function, "type is %d; expected 0 or 1", type);
    return status;
}

aclError run_aclrtGetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t *value)
{
    int64_t cores = 0;
    int status = check_limit(__func__, deviceId, (int)type);
    if (!status)
        status = about_device(__func__, (uint32_t)deviceId, ACL_DEV_ATTR_VECTOR_CORE_NUM, &cores);
    if (status)
        return status;
    uint32_t set = __atomic_load_n(&limits[deviceId][type], __ATOMIC_RELAXED);
    *value = set ? set : (uint32_t)cores;
    return 0;
}

aclError run_aclrtSetDeviceResLimit(int32_t deviceId, aclrtDevResLimitType type, uint32_t value)
{
    int status = check_limit(__func__, deviceId, (int)type);
    if (!status && !value)
        status = FAIL(ACL_ERROR_RT_PARAM_INVALID, "value is 0; expected a number of cores");
    if (!status)
        __atomic_store_n(&limits[deviceId][type], value, __ATOMIC_RELAXED);
    return status;
}

aclError run_aclrtResetDeviceResLimit(int32_t deviceId)
{
    int status = check_limit(__func__, deviceId, 0);
    for (int type = 0; !status && type < LIMITS; type++)
        __atomic_store_n(&limits[deviceId][type], 0, __ATOMIC_RELAXED);
    return status;
}
