/* Streams and events of the CPU. A stream does its work at once, on the thread that asks for it, as
   long as nothing has to be waited for. What may have to wait (a function of the host, an event of a
   stream that waits) goes into the stream's queue, and so does all that comes behind it; a thread
   works the queue off and ends with it. */
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct Stream {
    struct Stream *next;       /* among all; a stream that was destroyed stays, to be used again */
    struct Task *first, *last; /* the queue */
    unsigned pending;          /* tasks in the queue, and the one at work */
    bool destroyed, stops;     /* stops: what comes behind an error is not done */
    int error;                 /* of what was queued, not yet told */
    char *reason;
};
struct Event {
    struct Event *next;       /* among those that were destroyed, to be used again */
    uint64_t recorded, done;  /* how often, and up to which of them the mark was reached */
    int64_t when;             /* the latest was, in nanoseconds */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed; /* some task is done; on the clock that nobody sets */
static pthread_once_t changed_once = PTHREAD_ONCE_INIT;
static struct Stream default_stream;
static struct Stream *streams = &default_stream;
static struct Event *free_events;

static void make_condition(void)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void take_lock(void)
{
    pthread_once(&changed_once, make_condition);
    pthread_mutex_lock(&lock);
}

void cpu_streams_lock(void)
{
    take_lock();
}

void cpu_streams_unlock(bool forked)
{
    if (forked) { /* the threads that worked are not in the child, nor is what they waited for */
        for (struct Stream *stream = streams; stream; stream = stream->next) {
            stream->first = stream->last = NULL;
            stream->pending = 0;
        }
        make_condition();
    }
    pthread_mutex_unlock(&lock);
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Wait, with the lock held, until something changes or the time is over (-1: never). */
static bool wait_until(int64_t end)
{
    if (end < 0) {
        pthread_cond_wait(&changed, &lock);
        return true;
    }
    struct timespec time = {end / 1000000000, end % 1000000000};
    return pthread_cond_timedwait(&changed, &lock, &time) != ETIMEDOUT;
}

static int64_t end_of(int32_t timeout_ms)
{
    return timeout_ms < 0 ? -1 : now() + (int64_t)timeout_ms * 1000000;
}

static struct Stream *stream_of(uint64_t number)
{
    return number ? (struct Stream *)number : &default_stream;
}

bool cpu_stream_is_free(uint64_t number)
{
    return __atomic_load_n(&stream_of(number)->pending, __ATOMIC_ACQUIRE) == 0;
}

/* Keep the first error of a stream until somebody asks. */
static void keep_error(struct Stream *stream, int status)
{
    const char *text = run_aclGetRecentErrMsg();
    if (!stream->error) {
        stream->error = is_operators(status) ? ACL_ERROR_RT_AICORE_EXCEPTION : status;
        stream->reason = text ? strdup(text) : NULL;
    }
}

static void *work_off(void *argument)
{
    struct Stream *stream = argument;
    take_lock();
    while (stream->first) {
        struct Task *task = stream->first;
        stream->first = task->next;
        bool stopped = stream->stops && stream->error;
        pthread_mutex_unlock(&lock);
        int status = stopped ? 0 : task->run(task);
        task->drop(task);
        pthread_mutex_lock(&lock);
        if (status)
            keep_error(stream, status);
        __atomic_sub_fetch(&stream->pending, 1, __ATOMIC_RELEASE);
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

/* The thread handles none of the program's signals. */
static int start_working(struct Stream *stream)
{
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    int failed = pthread_create(&thread, &attributes, work_off, stream);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

int cpu_submit(uint64_t number, struct Task *task)
{
    struct Stream *stream = stream_of(number);
    int failed = 0;
    take_lock();
    if (!stream->pending)
        failed = start_working(stream);
    if (!failed) { /* the thread waits for the lock, and will find it */
        task->next = NULL;
        if (stream->first)
            stream->last->next = task;
        else
            stream->first = task;
        stream->last = task;
        __atomic_add_fetch(&stream->pending, 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
    if (failed) {
        task->drop(task);
        return fail(ACL_ERROR_RT_RESOURCE_ALLOC_FAIL, "openaclnn", "no thread for a stream: %s",
                    strerror(failed));
    }
    return 0;
}

static void free_task(struct Task *task)
{
    free(task);
}

void *cpu_task(size_t size, int (*run)(struct Task *))
{
    struct Task *task = calloc(1, size);
    if (task) {
        task->run = run;
        task->drop = free_task;
    } else {
        fail(ACL_ERROR_BAD_ALLOC, "openaclnn", "out of host memory");
    }
    return task;
}

int cpu_create_stream(uint32_t priority, uint32_t flags, uint64_t *number)
{
    (void)priority, (void)flags;
    take_lock();
    struct Stream *stream = streams;
    while (stream && !(stream->destroyed && !stream->pending))
        stream = stream->next;
    if (!stream && (stream = calloc(1, sizeof *stream))) {
        stream->next = streams;
        streams = stream;
    }
    if (stream)
        stream->destroyed = stream->stops = false;
    pthread_mutex_unlock(&lock);
    *number = (uint64_t)stream;
    return stream ? 0 : fail(ACL_ERROR_BAD_ALLOC, "aclrtCreateStream", "out of host memory");
}

/* Wait until a stream has nothing to do, then tell and forget its error; the lock is held. */
static int drain(struct Stream *stream, int64_t end)
{
    while (stream->pending)
        if (!wait_until(end) && stream->pending)
            return ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
    int status = stream->error;
    if (status) {
        fail_again(status, stream->reason);
        if (!stream->stops) {
            free(stream->reason);
            stream->reason = NULL;
            stream->error = 0;
        }
    }
    return status;
}

int cpu_destroy_stream(uint64_t number)
{
    struct Stream *stream = stream_of(number);
    take_lock();
    drain(stream, -1);
    free(stream->reason);
    stream->reason = NULL;
    stream->error = 0;
    stream->destroyed = true;
    pthread_mutex_unlock(&lock);
    return 0;
}

int cpu_synchronize_stream(uint64_t number, int32_t timeout_ms)
{
    struct Stream *stream = stream_of(number);
    if (cpu_stream_is_free(number) && !__atomic_load_n(&stream->error, __ATOMIC_RELAXED))
        return 0;
    take_lock();
    int status = drain(stream, end_of(timeout_ms));
    pthread_mutex_unlock(&lock);
    return status == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT
               ? fail(status, "aclrtSynchronizeStream", "the stream was not done after %d ms",
                      (int)timeout_ms)
               : status;
}

int cpu_synchronize_device(int32_t timeout_ms)
{
    int64_t end = end_of(timeout_ms);
    int status = 0;
    take_lock();
    for (struct Stream *stream = streams; stream && !status; stream = stream->next)
        status = drain(stream, end);
    pthread_mutex_unlock(&lock);
    return status == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT
               ? fail(status, "aclrtSynchronizeDevice", "the device was not done after %d ms",
                      (int)timeout_ms)
               : status;
}

int cpu_stream_query(uint64_t number, bool *done)
{
    *done = cpu_stream_is_free(number);
    return 0;
}

int cpu_set_stream_failure_mode(uint64_t number, uint64_t mode)
{
    take_lock();
    stream_of(number)->stops = mode == ACL_STOP_ON_FAILURE;
    pthread_mutex_unlock(&lock);
    return 0;
}

int cpu_create_event(uint32_t flags, uint64_t *number)
{
    (void)flags;
    take_lock();
    struct Event *event = free_events;
    if (event)
        free_events = event->next;
    pthread_mutex_unlock(&lock);
    if (!event)
        event = calloc(1, sizeof *event);
    *number = (uint64_t)event;
    return event ? 0 : fail(ACL_ERROR_BAD_ALLOC, "aclrtCreateEvent", "out of host memory");
}

int cpu_destroy_event(uint64_t number)
{
    struct Event *event = (struct Event *)number;
    take_lock();
    event->done = event->recorded; /* nobody waits for it any more */
    event->next = free_events;
    free_events = event;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
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
    take_lock();
    if (mark->event->done < mark->which) {
        mark->event->done = mark->which;
        mark->event->when = now();
    }
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return 0;
}

static int await(struct Task *task)
{
    struct Mark *mark = (struct Mark *)task;
    take_lock();
    while (mark->event->done < mark->which)
        wait_until(-1);
    pthread_mutex_unlock(&lock);
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

int cpu_record_event(uint64_t number, uint64_t stream)
{
    struct Event *event = (struct Event *)number;
    take_lock();
    uint64_t which = ++event->recorded;
    bool at_once = !stream_of(stream)->pending;
    if (at_once) {
        event->done = which;
        event->when = now();
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
    return at_once ? 0 : submit_mark(stream, reach, event, which);
}

int cpu_stream_wait_event(uint64_t stream, uint64_t number)
{
    struct Event *event = (struct Event *)number;
    take_lock();
    uint64_t which = event->recorded;
    bool reached = event->done >= which;
    pthread_mutex_unlock(&lock);
    return reached ? 0 : submit_mark(stream, await, event, which);
}

int cpu_synchronize_event(uint64_t number, int32_t timeout_ms)
{
    struct Event *event = (struct Event *)number;
    int64_t end = end_of(timeout_ms);
    take_lock();
    uint64_t which = event->recorded;
    bool in_time = true;
    while (event->done < which && in_time)
        in_time = wait_until(end);
    bool reached = event->done >= which;
    pthread_mutex_unlock(&lock);
    return reached ? 0
                   : fail(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, "aclrtSynchronizeEvent",
                          "the event was not reached after %d ms", (int)timeout_ms);
}

int cpu_query_event(uint64_t number, bool *done)
{
    struct Event *event = (struct Event *)number;
    take_lock();
    *done = event->done >= event->recorded;
    pthread_mutex_unlock(&lock);
    return 0;
}

int cpu_event_get_timestamp(uint64_t number, int64_t *nanoseconds)
{
    struct Event *event = (struct Event *)number;
    take_lock();
    bool reached = event->done >= event->recorded;
    *nanoseconds = event->when;
    pthread_mutex_unlock(&lock);
    return reached ? 0
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

struct HostFunction {
    struct Task task;
    void (*function)(void *);
    void *data;
};

static int call(struct Task *task)
{
    struct HostFunction *host = (struct HostFunction *)task;
    host->function(host->data);
    return 0;
}

int cpu_launch_host_func(uint64_t stream, void *function, void *data)
{
    struct HostFunction *host = cpu_task(sizeof *host, call);
    if (!host)
        return ACL_ERROR_BAD_ALLOC;
    *(void **)&host->function = function;
    host->data = data;
    return cpu_submit(stream, &host->task);
}
