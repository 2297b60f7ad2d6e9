/* Streams of the CPU and their queues. */
#include "cpu_stream.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed; /* some task is done; on the clock that nobody sets */
static pthread_once_t changed_once = PTHREAD_ONCE_INIT;
static struct Stream default_stream;
static struct Stream *streams = &default_stream;

static void make_condition(void)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

void cpu_streams_lock(void)
{
    pthread_once(&changed_once, make_condition);
    pthread_mutex_lock(&lock);
}

void cpu_streams_unlock(bool forked)
{
    if (forked) { /* the threads that worked are not in the child, nor is what they waited for */
        for (struct Stream *stream = streams; stream; stream = stream->next) {
            stream->queue = (struct Tasks){NULL, NULL};
            stream->pending = stream->capture ? 1 : 0;
            stream->working = false;
        }
        make_condition();
    }
    pthread_mutex_unlock(&lock);
}

int64_t cpu_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

bool cpu_streams_wait(int64_t end)
{
    if (end < 0) {
        pthread_cond_wait(&changed, &lock);
        return true;
    }
    struct timespec time = {end / 1000000000, end % 1000000000};
    return pthread_cond_timedwait(&changed, &lock, &time) != ETIMEDOUT;
}

int64_t cpu_end_of(int32_t timeout_ms)
{
    return timeout_ms < 0 ? -1 : cpu_now() + (int64_t)timeout_ms * 1000000;
}

struct Stream *cpu_stream_of(uint64_t number)
{
    return number ? (struct Stream *)number : &default_stream;
}

struct Stream *cpu_streams(void)
{
    return streams;
}

void cpu_streams_wake(void)
{
    pthread_cond_broadcast(&changed);
}

bool cpu_stream_is_free(uint64_t number)
{
    return __atomic_load_n(&cpu_stream_of(number)->pending, __ATOMIC_ACQUIRE) == 0;
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
    cpu_streams_lock();
    while (stream->queue.first) {
        struct Task *task = stream->queue.first;
        stream->queue.first = task->next;
        bool stopped = stream->stops && stream->error;
        cpu_streams_unlock(false);
        uint64_t begun = record_begun();
        int status = stopped ? 0 : task->run(task);
        record_work(task->call, begun);
        task->drop(task);
        pthread_mutex_lock(&lock);
        if (status)
            keep_error(stream, status);
        __atomic_sub_fetch(&stream->pending, 1, __ATOMIC_RELEASE);
        cpu_streams_wake();
    }
    stream->working = false;
    cpu_streams_unlock(false);
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
    stream->working = !failed;
    return failed;
}

void cpu_append(struct Tasks *tasks, struct Task *task)
{
    task->next = NULL;
    if (tasks->first)
        tasks->last->next = task;
    else
        tasks->first = task;
    tasks->last = task;
}

void cpu_drop_all(struct Tasks *tasks)
{
    while (tasks->first) {
        struct Task *task = tasks->first;
        tasks->first = task->next;
        task->drop(task);
    }
}

int cpu_submit(uint64_t number, struct Task *task)
{
    struct Stream *stream = cpu_stream_of(number);
    int failed = 0;
    cpu_streams_lock();
    if (stream->capture) {
        cpu_append(&stream->capture->tasks, task);
        stream->apart = true;
    } else if (stream->working || !(failed = start_working(stream))) {
        cpu_append(&stream->queue, task); /* a new thread waits for the lock, and will find it */
        __atomic_add_fetch(&stream->pending, 1, __ATOMIC_RELEASE);
    }
    cpu_streams_unlock(false);
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
        task->call = record_current();
    } else {
        fail(ACL_ERROR_BAD_ALLOC, "openaclnn", "out of host memory");
    }
    return task;
}

int cpu_create_stream(uint32_t priority, uint32_t flags, uint64_t *number)
{
    (void)priority, (void)flags;
    cpu_streams_lock();
    struct Stream *stream = streams;
    while (stream && (!stream->destroyed || stream->pending || stream->working))
        stream = stream->next;
    if (!stream && (stream = calloc(1, sizeof *stream))) {
        stream->next = streams;
        streams = stream;
    }
    if (stream)
        stream->destroyed = stream->stops = false;
    cpu_streams_unlock(false);
    *number = (uint64_t)stream;
    return stream ? 0 : fail(ACL_ERROR_BAD_ALLOC, "aclrtCreateStream", "out of host memory");
}

static void forget_error(struct Stream *stream)
{
    free(stream->reason);
    stream->reason = NULL;
    stream->error = 0;
}

/* Wait until a stream has nothing to do, then tell its error; the lock is held. */
static int drain(struct Stream *stream, int64_t end)
{
    if (stream->capture)
        return ACL_ERROR_RT_STREAM_CAPTURED;
    while (stream->pending)
        if (!cpu_streams_wait(end) && stream->pending)
            return ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
    int status = stream->error;
    if (status)
        fail_again(status, stream->reason);
    if (!stream->stops)
        forget_error(stream);
    return status;
}

int cpu_destroy_stream(uint64_t number, bool force)
{
    struct Stream *stream = cpu_stream_of(number);
    struct Tasks dropped = {NULL, NULL};
    cpu_capture_leave(stream);
    cpu_streams_lock();
    if (force) { /* what is at work goes on by itself */
        dropped = stream->queue;
        stream->queue = (struct Tasks){NULL, NULL};
        for (struct Task *task = dropped.first; task; task = task->next)
            stream->pending--;
    }
    while (stream->pending && !force)
        cpu_streams_wait(-1);
    forget_error(stream);
    stream->destroyed = true;
    cpu_streams_unlock(false);
    cpu_drop_all(&dropped);
    return 0;
}

/* What drain answers, as an error. */
static int told(int status, const char *function, const char *what, int32_t timeout_ms)
{
    if (status == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT)
        return fail(status, function, "the %s was not done after %d ms", what, (int)timeout_ms);
    if (status == ACL_ERROR_RT_STREAM_CAPTURED)
        return fail(status, function, "work that is captured is not done; aclmdlRICaptureEnd "
                    "comes first");
    return status;
}

int cpu_synchronize_stream(uint64_t number, int32_t timeout_ms)
{
    struct Stream *stream = cpu_stream_of(number);
    if (cpu_stream_is_free(number) && !__atomic_load_n(&stream->error, __ATOMIC_RELAXED))
        return 0;
    cpu_streams_lock();
    int status = drain(stream, cpu_end_of(timeout_ms));
    cpu_streams_unlock(false);
    return told(status, "aclrtSynchronizeStream", "stream", timeout_ms);
}

int cpu_synchronize_device(int32_t timeout_ms)
{
    int64_t end = cpu_end_of(timeout_ms);
    int status = 0;
    cpu_streams_lock();
    for (struct Stream *stream = streams; stream && !status; stream = stream->next)
        status = stream->destroyed ? 0 : drain(stream, end);
    cpu_streams_unlock(false);
    return told(status, "aclrtSynchronizeDevice", "device", timeout_ms);
}

int cpu_stream_query(uint64_t number, bool *done)
{
    cpu_streams_lock();
    bool captured = cpu_stream_of(number)->capture;
    cpu_streams_unlock(false);
    *done = cpu_stream_is_free(number);
    return captured ? told(ACL_ERROR_RT_STREAM_CAPTURED, "aclrtStreamQuery", "stream", 0) : 0;
}

int cpu_set_stream_failure_mode(uint64_t number, uint64_t mode)
{
    cpu_streams_lock();
    cpu_stream_of(number)->stops = mode == ACL_STOP_ON_FAILURE;
    cpu_streams_unlock(false);
    return 0;
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
