/* Streams and events: who they are and what may be done with them. The work is the device's. */
#include "internal.h"

#include <stdlib.h>

struct Stream {
    uint64_t number; /* the device's own */
    aclrtContext context;
};
struct Event {
    uint64_t number;
    bool recorded;
};

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

static int create_stream(const char *function, aclrtStream *stream, uint32_t priority,
                         uint32_t flags)
{
    int status = 0;
    aclrtContext context;
    struct Stream made = {0};
    const struct Device *device = device_ready(function, &context, &status);
    if (!device || (status = device->create_stream(priority, flags, &made.number)))
        return status;
    made.context = context;
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

static int destroy_stream(const char *function, aclrtStream stream)
{
    int status = 0;
    const struct Device *device = device_for_existing(&status);
    if (!device)
        return status;
    struct Stream *found = handle_end(STREAM, stream, DESTROYED);
    if (!found)
        return fail_handle(STREAM, stream, function, "stream");
    status = device->destroy_stream(found->number);
    free(found);
    return status;
}

aclError run_aclrtDestroyStream(aclrtStream stream)
{
    return destroy_stream(__func__, stream);
}

aclError run_aclrtDestroyStreamForce(aclrtStream stream)
{
    return destroy_stream(__func__, stream);
}

static int synchronize_stream(const char *function, aclrtStream stream, int32_t timeout_ms)
{
    uint64_t number;
    if (timeout_ms < -1)
        return fail(ACL_ERROR_RT_PARAM_INVALID, function,
                    "timeout is %d ms; expected -1 (for ever) or more", (int)timeout_ms);
    int status = stream_number(stream, function, &number);
    const struct Device *device = status ? NULL : device_for_existing(&status);
    return device ? device->synchronize_stream(number, timeout_ms) : status;
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

/* Copy the event of a handle, or refuse it. */
static int look_up(aclrtEvent event, const char *function, const char *name, struct Event *copy)
{
    handles_lock();
    struct Event *found = handle_find(EVENT, event);
    *copy = found ? *found : (struct Event){0};
    handles_unlock();
    return found ? 0 : fail_handle(EVENT, event, function, name);
}

aclError run_aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event)
{
    uint64_t number;
    struct Event found;
    int status = stream_number(stream, __func__, &number);
    if (!status)
        status = look_up(event, __func__, "event", &found);
    const struct Device *device = status ? NULL : device_for_existing(&status);
    return device ? device->stream_wait_event(number, found.number) : status;
}

static int create_event(const char *function, aclrtEvent *event, uint32_t flags)
{
    int status = 0;
    aclrtContext context;
    uint64_t number;
    const struct Device *device = device_ready(function, &context, &status);
    if (!device || (status = device->create_event(flags, &number)))
        return status;
    struct Event *kept = calloc(1, sizeof *kept);
    if (kept)
        kept->number = number;
    *event = handle_new(EVENT, kept);
    return *event ? 0 : fail(ACL_ERROR_BAD_ALLOC, function, "out of host memory");
}

aclError run_aclrtCreateEvent(aclrtEvent *event)
{
    return create_event(__func__, event, ACL_EVENT_TIME_LINE | ACL_EVENT_SYNC);
}

aclError run_aclrtCreateEventWithFlag(aclrtEvent *event, uint32_t flag)
{
    return create_event(__func__, event, flag);
}

aclError run_aclrtCreateEventExWithFlag(aclrtEvent *event, uint32_t flag)
{
    return create_event(__func__, event, flag);
}

aclError run_aclrtDestroyEvent(aclrtEvent event)
{
    int status = 0;
    const struct Device *device = device_for_existing(&status);
    if (!device)
        return status;
    struct Event *found = handle_end(EVENT, event, DESTROYED);
    if (!found)
        return fail_handle(EVENT, event, __func__, "event");
    status = device->destroy_event(found->number);
    free(found);
    return status;
}

aclError run_aclrtRecordEvent(aclrtEvent event, aclrtStream stream)
{
    uint64_t number;
    struct Event found;
    int status = stream_number(stream, __func__, &number);
    if (!status)
        status = look_up(event, __func__, "event", &found);
    const struct Device *device = status ? NULL : device_for_existing(&status);
    if (!device || (status = device->record_event(found.number, number)))
        return status;
    handles_lock();
    struct Event *kept = handle_find(EVENT, event);
    if (kept)
        kept->recorded = true;
    handles_unlock();
    return 0;
}

aclError run_aclrtSynchronizeEvent(aclrtEvent event)
{
    struct Event found;
    int status = look_up(event, __func__, "event", &found);
    const struct Device *device = status ? NULL : device_for_existing(&status);
    return device && found.recorded ? device->synchronize_event(found.number) : status;
}

/* An event that was never recorded is not done. */
static int query(const char *function, aclrtEvent event, bool *done)
{
    struct Event found;
    int status = look_up(event, function, "event", &found);
    const struct Device *device = status ? NULL : device_for_existing(&status);
    *done = false;
    return device && found.recorded ? device->query_event(found.number, done) : status;
}

aclError run_aclrtQueryEvent(aclrtEvent event, aclrtEventStatus *status)
{
    bool done;
    int code = query(__func__, event, &done);
    if (!code)
        *status = done ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
    return code;
}

aclError run_aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus *status)
{
    bool done;
    int code = query(__func__, event, &done);
    if (!code)
        *status = done ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
    return code;
}

aclError run_aclrtEventElapsedTime(float *ms, aclrtEvent startEvent, aclrtEvent endEvent)
{
    struct Event start, end;
    int64_t nanoseconds = 0;
    int status = look_up(startEvent, __func__, "startEvent", &start);
    if (!status)
        status = look_up(endEvent, __func__, "endEvent", &end);
    if (status)
        return status;
    if (!start.recorded || !end.recorded)
        return FAIL(ACL_ERROR_RT_PARAM_INVALID, "%s was never recorded",
                    start.recorded ? "endEvent" : "startEvent");
    const struct Device *device = device_for_existing(&status);
    if (!device)
        return status;
    if (!(status = device->event_elapsed_time(start.number, end.number, &nanoseconds)))
        *ms = (float)((double)nanoseconds * 1e-6);
    return status;
}
