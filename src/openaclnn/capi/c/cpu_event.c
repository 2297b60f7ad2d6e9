/* Events of the CPU. */
#include "cpu_stream.h"

#include <stdlib.h>

struct Event {
    struct Event *next;      /* among those that were destroyed, to be used again */
    uint64_t recorded, done; /* how often, and up to which of them the mark was reached */
    int64_t when;            /* the latest was, in nanoseconds */
    uint64_t capture;        /* that the latest record is part of, 0: of none */
    struct Stream *from;     /* the stream of that record */
};

static struct Event *free_events;

int cpu_create_event(uint32_t flags, uint64_t *number)
{
    (void)flags;
    cpu_streams_lock();
    struct Event *event = free_events;
    if (event)
        free_events = event->next;
    cpu_streams_unlock(false);
    if (event)
        event->capture = 0;
    else
        event = calloc(1, sizeof *event);
    *number = (uint64_t)event;
    return event ? 0 : fail(ACL_ERROR_BAD_ALLOC, "aclrtCreateEvent", "out of host memory");
}

int cpu_destroy_event(uint64_t number)
{
    struct Event *event = (struct Event *)number;
    cpu_streams_lock();
    event->done = event->recorded; /* nobody waits for it any more */
    event->next = free_events;
    free_events = event;
    cpu_streams_wake();
    cpu_streams_unlock(false);
    return 0;
}

/* A mark that a stream sets, or that it waits for. */
struct Mark {
    struct Task task;
    struct Event *event;
    uint64_t which;
};

static int reach(struct Task *task)
{
    struct Mark *mark = (struct Mark *)task;
    cpu_streams_lock();
    if (mark->event->done < mark->which) {
        mark->event->done = mark->which;
        mark->event->when = cpu_now();
    }
    cpu_streams_wake();
    cpu_streams_unlock(false);
    return 0;
}

static int await(struct Task *task)
{
    struct Mark *mark = (struct Mark *)task;
    cpu_streams_lock();
    while (mark->event->done < mark->which)
        cpu_streams_wait(-1);
    cpu_streams_unlock(false);
    return 0;
}

/* Queue what happens to a mark. */
static int submit_mark(uint64_t stream, int (*run)(struct Task *), struct Event *event,
                       uint64_t which)
{
    struct Mark *mark = cpu_task(sizeof *mark, run);
    if (!mark)
        return ACL_ERROR_BAD_ALLOC;
    mark->event = event;
    mark->which = which;
    return cpu_submit(stream, &mark->task);
}

int cpu_record_event(uint64_t number, uint64_t stream_number)
{
    struct Event *event = (struct Event *)number;
    cpu_streams_lock();
    struct Stream *stream = cpu_stream_of(stream_number);
    uint64_t which = 0;
    event->capture = stream->capture ? stream->capture->id : 0;
    event->from = stream;
    if (!stream->capture) {
        which = ++event->recorded;
        if (!stream->pending) {
            event->done = which;
            event->when = cpu_now();
            cpu_streams_wake();
            which = 0;
        }
    }
    cpu_streams_unlock(false);
    return which ? submit_mark(stream_number, reach, event, which) : 0;
}

int cpu_stream_wait_event(uint64_t stream, uint64_t number)
{
    struct Event *event = (struct Event *)number;
    cpu_streams_lock();
    uint64_t which = event->recorded, capture = event->capture;
    bool reached = event->done >= which, captured = cpu_stream_of(stream)->capture;
    struct Stream *from = event->from;
    cpu_streams_unlock(false);
    if (capture)
        return cpu_capture_join(cpu_stream_of(stream), capture, from);
    if (reached)
        return 0;
    if (captured)
        return fail(ACL_ERROR_RT_CAPTURE_DEPENDENCY, "aclrtStreamWaitEvent",
                    "what is captured cannot wait for work that is not");
    return submit_mark(stream, await, event, which);
}

/* Whether an event's latest record is part of a capture, so that it is never reached; refused. */
static int refuse_captured(const char *function, const struct Event *event)
{
    return event->capture ? fail(ACL_ERROR_RT_EVENT_CAPTURED, function,
                                 "the event was recorded in a capture, where nothing is done")
                          : 0;
}

int cpu_synchronize_event(uint64_t number, int32_t timeout_ms)
{
    struct Event *event = (struct Event *)number;
    int64_t end = cpu_end_of(timeout_ms);
    int status = refuse_captured("aclrtSynchronizeEvent", event);
    if (status)
        return status;
    cpu_streams_lock();
    uint64_t which = event->recorded;
    bool in_time = true;
    while (event->done < which && in_time)
        in_time = cpu_streams_wait(end);
    bool reached = event->done >= which;
    cpu_streams_unlock(false);
    return reached ? 0
                   : fail(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, "aclrtSynchronizeEvent",
                          "the event was not reached after %d ms", (int)timeout_ms);
}

int cpu_query_event(uint64_t number, bool *done)
{
    struct Event *event = (struct Event *)number;
    cpu_streams_lock();
    *done = event->done >= event->recorded;
    cpu_streams_unlock(false);
    return refuse_captured("aclrtQueryEvent", event);
}

int cpu_event_get_timestamp(uint64_t number, int64_t *nanoseconds)
{
    struct Event *event = (struct Event *)number;
    cpu_streams_lock();
    bool reached = event->done >= event->recorded;
    *nanoseconds = event->when;
    cpu_streams_unlock(false);
    int status = refuse_captured("aclrtEventGetTimestamp", event);
    return status    ? status
           : reached ? 0
                   : fail(ACL_ERROR_RT_EVENT_NOT_COMPLETE, "aclrtEventGetTimestamp",
                          "the event is not reached yet");
}

int cpu_event_elapsed_time(uint64_t start, uint64_t end, int64_t *nanoseconds)
{
    int64_t first, last;
    int status = cpu_event_get_timestamp(start, &first);
    if (!status)
        status = cpu_event_get_timestamp(end, &last);
    if (!status)
        *nanoseconds = last - first;
    return status;
}

