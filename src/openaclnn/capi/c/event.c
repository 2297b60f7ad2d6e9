/* Events: who they are and what may be done with them. The work is the device's. */
#include "internal.h"

#include <fenv.h>
#include <stdlib.h>

struct Event {
    uint64_t number; /* the device's own */
    bool recorded;
};

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

/* Forget that an event was recorded, or remember it. */
static void set_recorded(aclrtEvent event, bool recorded)
{
    handles_lock();
    struct Event *found = handle_find(EVENT, event);
    if (found)
        found->recorded = recorded;
    handles_unlock();
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
    set_recorded(event, true);
    return 0;
}

aclError run_aclrtResetEvent(aclrtEvent event, aclrtStream stream)
{
    uint64_t number;
    struct Event found;
    int status = stream_number(stream, __func__, &number);
    if (!status)
        status = look_up(event, __func__, "event", &found);
    if (!status)
        set_recorded(event, false); /* who waits for it knows which record it waits for */
    return status;
}

static int synchronize(const char *function, aclrtEvent event, int32_t timeout_ms)
{
    struct Event found;
    if (timeout_ms < -1)
        return fail(ACL_ERROR_RT_PARAM_INVALID, function,
                    "timeout is %d ms; expected -1 (for ever) or more", (int)timeout_ms);
    int status = look_up(event, function, "event", &found);
    const struct Device *device = status ? NULL : device_for_existing(&status);
    return device && found.recorded ? device->synchronize_event(found.number, timeout_ms) : status;
}

aclError run_aclrtSynchronizeEvent(aclrtEvent event)
{
    return synchronize(__func__, event, -1);
}

aclError run_aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout)
{
    return synchronize(__func__, event, timeout);
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

/* In plain arithmetic: the program may trap what is rounded here. */
static void write_milliseconds(float *ms, int64_t nanoseconds)
{
    volatile int64_t count = nanoseconds; /* read between the calls, not before them */
    fenv_t environment;
    fegetenv(&environment);
    fesetenv(FE_DFL_ENV);
    *ms = (float)((double)count * 1e-6);
    fesetenv(&environment);
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
        write_milliseconds(ms, nanoseconds);
    return status;
}

aclError run_aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus *status)
{
    struct Event found;
    bool done = true;
    int code = look_up(event, __func__, "event", &found);
    const struct Device *device = code ? NULL : device_for_existing(&code);
    if (device && found.recorded)
        code = device->query_event(found.number, &done);
    if (!code)
        *status = done ? ACL_EVENT_WAIT_STATUS_COMPLETE : ACL_EVENT_WAIT_STATUS_NOT_READY;
    return code;
}

aclError run_aclrtEventGetTimestamp(aclrtEvent event, uint64_t *timestamp)
{
    struct Event found;
    int64_t nanoseconds = 0;
    int status = look_up(event, __func__, "event", &found);
    if (!status && !found.recorded)
        status = FAIL(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, "the event was never recorded");
    const struct Device *device = status ? NULL : device_for_existing(&status);
    if (device && !(status = device->event_get_timestamp(found.number, &nanoseconds)))
        *timestamp = (uint64_t)nanoseconds / 1000;
    return status;
}
