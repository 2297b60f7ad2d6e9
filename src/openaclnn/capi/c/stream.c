/* Streams: who they are and what may be done with them. The work is the device's. */
#include "internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct Stream {
    uint64_t number; /* the device's own */
    aclrtContext context;
    int32_t id;
};

/* Failures of streams that no synchronisation has answered yet. */
struct Failure {
    struct Failure *next;
    aclrtStream stream;
    char *text;
};
static struct Failure *failures;
static pthread_mutex_t failures_lock = PTHREAD_MUTEX_INITIALIZER;

void stream_fail(aclrtStream stream, const char *text)
{
    struct Failure *made = malloc(sizeof *made);
    if (!made)
        return;
    *made = (struct Failure){NULL, stream, strdup(text)};
    pthread_mutex_lock(&failures_lock);
    struct Failure **at = &failures;
    while (*at)
        at = &(*at)->next;
    *at = made;
    pthread_mutex_unlock(&failures_lock);
}

int stream_failure(aclrtStream stream, const char *function)
{
    int status = 0;
    if (!__atomic_load_n(&failures, __ATOMIC_ACQUIRE))
        return 0;
    pthread_mutex_lock(&failures_lock);
    for (struct Failure **at = &failures; *at;) {
        struct Failure *each = *at;
        if (stream != ALL_STREAMS && each->stream != stream) {
            at = &each->next;
            continue;
        }
        *at = each->next;
        if (!status && function) /* the first one is the cause */
            status = fail(ACL_ERROR_RT_AICORE_EXCEPTION, function, "%s",
                          each->text ? each->text : "an operator was not computed");
        free(each->text);
        free(each);
    }
    pthread_mutex_unlock(&failures_lock);
    return status;
}

int stream_number(aclrtStream stream, const char *function, uint64_t *number)
{
    *number = 0; /* null is the default stream */
    if (!stream)
        return 0;
    aclrtContext context = NULL;
    handles_lock();
    struct Stream *found = handle_find(STREAM, stream);
    if (found) {
        *number = found->number;
        context = found->context;
    }
    handles_unlock();
    if (!found)
        return fail_handle(STREAM, stream, function, "stream");
    aclrtContext current = context_current();
    if (current && current != context)
        return fail(ACL_ERROR_RT_STREAM_CONTEXT, function,
                    "the stream was made in another context than the current one");
    return 0;
}

bool stream_find(aclrtStream stream, uint64_t *number)
{
    handles_lock();
    struct Stream *found = stream ? handle_find(STREAM, stream) : NULL;
    *number = found ? found->number : 0;
    handles_unlock();
    return found || !stream;
}

static int create_stream(const char *function, aclrtStream *stream, uint32_t priority,
                         uint32_t flags)
{
    int status = 0;
    aclrtContext context;
    struct Stream made = {0};
    const struct Device *device = device_ready(function, &context, &status);
    if (!device || (status = device->create_stream(priority, flags, &made.number)))
        return status;
    static int32_t latest_id;
    made.context = context;
    made.id = __atomic_add_fetch(&latest_id, 1, __ATOMIC_RELAXED);
    struct Stream *kept = malloc(sizeof *kept);
    if (kept)
        *kept = made;
    *stream = handle_new(STREAM, kept);
    return *stream ? 0 : fail(ACL_ERROR_BAD_ALLOC, function, "out of host memory");
}

aclError run_aclrtCreateStream(aclrtStream *stream)
{
    return create_stream(__func__, stream, 0, 0);
}

aclError run_aclrtCreateStreamWithConfig(aclrtStream *stream, uint32_t priority, uint32_t flag)
{
    return create_stream(__func__, stream, priority, flag);
}

static int destroy_stream(const char *function, aclrtStream stream, bool force)
{
    int status = 0;
    const struct Device *device = device_for_existing(&status);
    if (!device)
        return status;
    struct Stream *found = handle_end(STREAM, stream, DESTROYED);
    if (!found)
        return fail_handle(STREAM, stream, function, "stream");
    reports_forget(stream);
    capture_forget(stream);
    stream_failure(stream, NULL);
    status = device->destroy_stream(found->number, force);
    free(found);
    return status;
}

aclError run_aclrtDestroyStream(aclrtStream stream)
{
    return destroy_stream(__func__, stream, false);
}

aclError run_aclrtDestroyStreamForce(aclrtStream stream)
{
    return destroy_stream(__func__, stream, true);
}

static int synchronize_stream(const char *function, aclrtStream stream, int32_t timeout_ms)
{
    uint64_t number;
    if (timeout_ms < -1)
        return fail(ACL_ERROR_RT_PARAM_INVALID, function,
                    "timeout is %d ms; expected -1 (for ever) or more", (int)timeout_ms);
    int status = stream_number(stream, function, &number);
    const struct Device *device = status ? NULL : device_for_existing(&status);
    if (device && !(status = device->synchronize_stream(number, timeout_ms)))
        status = stream_failure(stream, function);
    return status;
}

aclError run_aclrtSynchronizeStream(aclrtStream stream)
{
    return synchronize_stream(__func__, stream, -1);
}

aclError run_aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout)
{
    return synchronize_stream(__func__, stream, timeout);
}

aclError run_aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus *status)
{
    uint64_t number;
    bool done = false;
    int code = stream_number(stream, __func__, &number);
    const struct Device *device = code ? NULL : device_for_existing(&code);
    if (device && !(code = device->stream_query(number, &done)))
        *status = done ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
    return code;
}

aclError run_aclrtStreamGetId(aclrtStream stream, int32_t *streamId)
{
    uint64_t number;
    int status = stream_number(stream, __func__, &number);
    *streamId = 0; /* the default stream's */
    handles_lock();
    struct Stream *found = stream ? handle_find(STREAM, stream) : NULL;
    if (found)
        *streamId = found->id;
    handles_unlock();
    return status;
}

aclError run_aclrtSetStreamFailureMode(aclrtStream stream, uint64_t mode)
{
    uint64_t number;
    if (mode != ACL_CONTINUE_ON_FAILURE && mode != ACL_STOP_ON_FAILURE)
        return FAIL(ACL_ERROR_RT_PARAM_INVALID, "mode is %llu; expected 0 or 1",
                    (unsigned long long)mode);
    if (!stream)
        return FAIL(ACL_ERROR_INVALID_PARAM, "stream is null; the default stream's cannot be set");
    int status = stream_number(stream, __func__, &number);
    const struct Device *device = status ? NULL : device_for_existing(&status);
    return device ? device->set_stream_failure_mode(number, mode) : status;
}

aclError run_aclrtSetStreamAttribute(aclrtStream stream, aclrtStreamAttr stmAttrType,
                                     aclrtStreamAttrValue *value)
{
    uint64_t number;
    if (!value)
        return FAIL(ACL_ERROR_INVALID_PARAM, "value is null");
    switch (stmAttrType) {
    case ACL_STREAM_ATTR_FAILURE_MODE:
        return run_aclrtSetStreamFailureMode(stream, value->failureMode);
    case ACL_STREAM_ATTR_CACHE_OP_INFO: /* for a profiler, which none is */
        return value->cacheOpInfoSwitch > 1
                   ? FAIL(ACL_ERROR_RT_PARAM_INVALID, "cacheOpInfoSwitch is %u; expected 0 or 1",
                          (unsigned)value->cacheOpInfoSwitch)
                   : stream_number(stream, __func__, &number);
    default:
        return FAIL(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, "stmAttrType is %d, which has no meaning here",
                    (int)stmAttrType);
    }
}
