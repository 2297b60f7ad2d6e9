/* Initialisation, devices and contexts.

   A thread's context is the one it set last. A thread that never set any uses the context of the
   device that the process set last, so that a pool of threads need not repeat aclrtSetDevice. */
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { DEVICES_AT_MOST = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static enum { NOT_YET, INITIALISED, FINALISED } stage;
static struct {
    aclrtContext context;
    int references; /* aclrtSetDevice counts up, aclrtResetDevice down */
} primary[DEVICES_AT_MOST];
static int32_t last_set;

static __thread aclrtContext own_context;
static __thread int32_t device_in_use = -1;

void devices_lock(void)
{
    pthread_mutex_lock(&lock);
}

void devices_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

aclError run_aclInit(const char *configPath)
{
    if (configPath && *configPath && access(configPath, R_OK)) /* it is for dumps and profiles */
        return FAIL(ACL_ERROR_INVALID_FILE, "%s cannot be read: %s", configPath, strerror(errno));
    const char *unknown = chip_unknown();
    if (unknown) { /* programs tell the code alone, and nobody would look here for the reason */
        fprintf(stderr, "openaclnn: OPENACLNN_SOC: '%s' is no product; expected one of %s\n", unknown,
                CHIPS_EXPECTED);
        return FAIL(ACL_ERROR_INVALID_PARAM, "OPENACLNN_SOC: '%s' is no product; expected one of %s",
                    unknown, CHIPS_EXPECTED);
    }
    devices_lock();
    bool again = stage == INITIALISED;
    stage = INITIALISED;
    devices_unlock();
    return again ? FAIL(ACL_ERROR_REPEAT_INITIALIZE, "acl is initialised already") : 0;
}

aclError run_aclFinalize(void)
{
    devices_lock();
    int before = stage;
    if (before == INITIALISED)
        stage = FINALISED;
    devices_unlock();
    if (before == INITIALISED)
        return 0;
    return before == FINALISED
               ? FAIL(ACL_ERROR_REPEAT_FINALIZE, "acl is finalised already")
               : FAIL(ACL_ERROR_UNINITIALIZE, "acl is not initialised; call aclInit first");
}

aclnnStatus aclnnInit(const char *configPath)
{
    (void)configPath;
    return 0;
}

aclnnStatus aclnnFinalize(void)
{
    return 0;
}

/* Without NVIDIA's driver (or its passage into WSL) Python need not be asked for a GPU. */
static bool nvidia_driver(void)
{
    return access("/dev/nvidiactl", F_OK) == 0 || access("/dev/dxg", F_OK) == 0;
}

const struct Device *device_kind(int *status)
{
    static const struct Device *chosen;
    const struct Device *kind = __atomic_load_n(&chosen, __ATOMIC_ACQUIRE);
    if (kind)
        return kind;
    const char *wanted = getenv("OPENACLNN_DEVICE");
    if (!wanted || !*wanted || strcmp(wanted, "auto") == 0)
        kind = nvidia_driver() && forwarded_device_exists() ? &FORWARDED : &CPU;
    else if (strcmp(wanted, "cpu") == 0)
        kind = &CPU;
    else if (strcmp(wanted, "cuda") == 0)
        kind = &FORWARDED;
    else
        *status = fail(ACL_ERROR_INVALID_PARAM, "OPENACLNN_DEVICE",
                       "it is '%s'; expected auto, cpu or cuda", wanted);
    __atomic_store_n(&chosen, kind, __ATOMIC_RELEASE);
    return kind;
}

/* Copy the context of a living handle; false where it does not live. */
static bool look_up(aclrtContext handle, struct Context *found)
{
    handles_lock();
    struct Context *context = handle_find(CONTEXT, handle);
    if (context)
        *found = *context;
    handles_unlock();
    return context != NULL;
}

aclrtContext context_current(void)
{
    struct Context context;
    if (own_context && look_up(own_context, &context))
        return own_context;
    devices_lock();
    aclrtContext found = primary[last_set].context;
    for (int i = 0; !found && i < DEVICES_AT_MOST; i++)
        found = primary[i].context;
    devices_unlock();
    return found;
}

static int use(const struct Device *device, int32_t id)
{
    if (device_in_use == id)
        return 0;
    int status = device->set_device(id);
    if (!status)
        device_in_use = id;
    return status;
}

const struct Device *device_for_existing(int *status)
{
    const struct Device *device = device_kind(status);
    struct Context context;
    if (device && look_up(context_current(), &context) && (*status = use(device, context.device)))
        return NULL;
    return device;
}

const struct Device *device_ready(const char *function, aclrtContext *context, int *status)
{
    *context = context_current();
    if (!*context) {
        *status = fail(ACL_ERROR_RT_CONTEXT_NULL, function,
                       "no device is set; call aclrtSetDevice first");
        return NULL;
    }
    return device_for_existing(status);
}

/* The device of an id that exists, or an error. */
static int check_id(const char *function, int32_t id, const struct Device **device)
{
    int status = 0;
    uint32_t count = 0;
    *device = device_kind(&status);
    if (!*device || (status = (*device)->get_device_count(&count)))
        return status;
    if (id < 0 || (uint32_t)id >= count || id >= DEVICES_AT_MOST)
        return fail(ACL_ERROR_RT_INVALID_DEVICEID, function,
                    "there is no device %d; there %s %u (%s)", (int)id, count == 1 ? "is" : "are",
                    (unsigned)count, (*device)->name);
    return 0;
}

static aclrtContext new_context(int32_t device, bool is_primary)
{
    struct Context *context = malloc(sizeof *context);
    if (context)
        *context = (struct Context){.device = device, .primary = is_primary};
    return handle_new(CONTEXT, context);
}

aclError run_aclrtSetDevice(int32_t deviceId)
{
    const struct Device *device;
    int status = check_id(__func__, deviceId, &device);
    if (status || (status = use(device, deviceId)))
        return status;
    devices_lock();
    if (!primary[deviceId].context)
        primary[deviceId].context = new_context(deviceId, true);
    primary[deviceId].references++;
    last_set = deviceId;
    own_context = primary[deviceId].context;
    devices_unlock();
    return own_context ? 0 : FAIL(ACL_ERROR_BAD_ALLOC, "out of host memory");
}

static int reset(const char *function, int32_t id, bool force)
{
    const struct Device *device;
    int status = check_id(function, id, &device);
    if (status)
        return status;
    devices_lock();
    bool was_set = primary[id].references > 0;
    aclrtContext ended = NULL;
    if (was_set && (force || primary[id].references == 1)) {
        ended = primary[id].context;
        primary[id].context = NULL;
        primary[id].references = 0;
    } else if (was_set) {
        primary[id].references--;
    }
    devices_unlock();
    if (ended)
        free(handle_end(CONTEXT, ended, DESTROYED));
    return was_set ? 0 : fail(ACL_ERROR_RT_CONTEXT_NULL, function, "device %d is not set", (int)id);
}

aclError run_aclrtResetDevice(int32_t deviceId)
{
    return reset(__func__, deviceId, false);
}

aclError run_aclrtResetDeviceForce(int32_t deviceId)
{
    return reset(__func__, deviceId, true);
}

aclError run_aclrtGetDevice(int32_t *deviceId)
{
    struct Context context;
    if (!look_up(context_current(), &context))
        return answer_none(ACL_ERROR_RT_CONTEXT_NULL, __func__,
                           "no device is set; call aclrtSetDevice first");
    *deviceId = context.device;
    return 0;
}

aclError run_aclrtGetDeviceCount(uint32_t *count)
{
    int status = 0;
    const struct Device *device = device_kind(&status);
    return device ? device->get_device_count(count) : status;
}

aclError run_aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t *flags, int32_t *active)
{
    const struct Device *device;
    int status = check_id(__func__, deviceId, &device);
    if (status)
        return status;
    devices_lock();
    *active = primary[deviceId].context != NULL;
    devices_unlock();
    if (flags)
        *flags = 0;
    return 0;
}

aclError run_aclrtGetLogicDevIdByUserDevId(int32_t userDevid, int32_t *logicDevId)
{
    const struct Device *device;
    *logicDevId = userDevid;
    return check_id(__func__, userDevid, &device);
}

aclError run_aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid *uuid)
{
    const struct Device *device;
    int status = check_id(__func__, deviceId, &device);
    memset(uuid, 0, sizeof *uuid);
    if (!status)
        snprintf(uuid->bytes, sizeof uuid->bytes, "openaclnn %s%d", device->name, (int)deviceId);
    return status;
}

aclError run_aclrtDeviceGetBareTgid(int32_t *pid)
{
    *pid = (int32_t)getpid();
    return 0;
}

aclError run_aclrtGetRunMode(aclrtRunMode *runMode)
{
    *runMode = ACL_HOST;
    return 0;
}

aclError run_aclrtSynchronizeDevice(void)
{
    int status = 0;
    aclrtContext context;
    const struct Device *device = device_ready(__func__, &context, &status);
    if (device && (status = refuse_in_capture(__func__)))
        return status;
    if (device && !(status = device->synchronize_device(-1)))
        status = stream_failure(ALL_STREAMS, __func__);
    return status;
}

aclError run_aclrtSynchronizeDeviceWithTimeout(int32_t timeout)
{
    int status = 0;
    aclrtContext context;
    if (timeout < -1)
        return FAIL(ACL_ERROR_RT_PARAM_INVALID, "timeout is %d ms; expected -1 (for ever) or more",
                    (int)timeout);
    const struct Device *device = device_ready(__func__, &context, &status);
    if (device && (status = refuse_in_capture(__func__)))
        return status;
    if (device && !(status = device->synchronize_device(timeout)))
        status = stream_failure(ALL_STREAMS, __func__);
    return status;
}

aclError run_aclrtDeviceCanAccessPeer(int32_t *canAccessPeer, int32_t deviceId, int32_t peerDeviceId)
{
    const struct Device *device;
    bool can = false;
    int status = check_id(__func__, deviceId, &device);
    if (!status)
        status = check_id(__func__, peerDeviceId, &device);
    if (!status && deviceId != peerDeviceId)
        status = device->device_can_access_peer(deviceId, peerDeviceId, &can);
    if (!status)
        *canAccessPeer = can;
    return status;
}

aclError run_aclrtDeviceEnablePeerAccess(int32_t peerDeviceId, uint32_t flags)
{
    const struct Device *device;
    if (flags)
        return FAIL(ACL_ERROR_INVALID_PARAM, "flags is %u; expected 0", (unsigned)flags);
    return check_id(__func__, peerDeviceId, &device);
}

const struct Chip *chip_chosen(void)
{
    static __thread struct Chip unknown;
    const char *wanted = getenv("OPENACLNN_SOC");
    if (!wanted || !*wanted)
        return CHIPS;
    for (const struct Chip *chip = CHIPS; chip->chosen; chip++)
        if (strcasecmp(chip->chosen, wanted) == 0)
            return chip;
    unknown = (struct Chip){wanted, wanted, false}; /* the operators refuse it, and say which it is */
    return &unknown;
}

const char *chip_unknown(void)
{
    const char *wanted = getenv("OPENACLNN_SOC");
    return wanted && *wanted && chip_chosen()->chosen == wanted ? wanted : NULL;
}

aclError run_aclrtDeviceDisablePeerAccess(int32_t peerDeviceId)
{
    const struct Device *device;
    return check_id(__func__, peerDeviceId, &device);
}

aclError run_aclrtCreateContext(aclrtContext *context, int32_t deviceId)
{
    const struct Device *device;
    int status = check_id(__func__, deviceId, &device);
    if (status || (status = use(device, deviceId)))
        return status;
    *context = own_context = new_context(deviceId, false);
    return own_context ? 0 : FAIL(ACL_ERROR_BAD_ALLOC, "out of host memory");
}

aclError run_aclrtDestroyContext(aclrtContext context)
{
    struct Context found;
    if (look_up(context, &found) && found.primary)
        return FAIL(ACL_ERROR_RT_PARAM_INVALID,
                    "the context belongs to aclrtSetDevice; aclrtResetDevice ends it");
    void *object = handle_end(CONTEXT, context, DESTROYED);
    free(object);
    return object ? 0 : fail_handle(CONTEXT, context, __func__, "context");
}

aclError run_aclrtSetCurrentContext(aclrtContext context)
{
    struct Context found;
    int status = 0;
    if (!look_up(context, &found))
        return fail_handle(CONTEXT, context, __func__, "context");
    const struct Device *device = device_kind(&status);
    if (!device || (status = use(device, found.device)))
        return status;
    own_context = context;
    return 0;
}

aclError run_aclrtGetCurrentContext(aclrtContext *context)
{
    *context = context_current();
    return *context ? 0
                    : answer_none(ACL_ERROR_RT_CONTEXT_NULL, __func__, "the thread has no context");
}
