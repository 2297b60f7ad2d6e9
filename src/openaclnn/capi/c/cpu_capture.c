/* Captures of the CPU: the work of some streams, kept in the order in which it was asked for, which
   satisfies every event between them; and models, which do that work again. */
#include "cpu_stream.h"

#include <stdlib.h>

struct Model {
    struct Tasks tasks;
    unsigned references; /* its handle, and executions that are still to come */
};

int cpu_capture_begin(uint64_t number, int32_t mode)
{
    static uint64_t latest;
    struct Stream *stream = cpu_stream_of(number);
    struct Capture *capture = calloc(1, sizeof *capture);
    (void)mode;
    if (!capture)
        return fail(ACL_ERROR_BAD_ALLOC, "aclmdlRICaptureBegin", "out of host memory");
    cpu_streams_lock();
    bool again = stream->capture;
    if (!again) {
        capture->id = ++latest;
        capture->origin = stream;
        stream->capture = capture;
        stream->apart = false;
        __atomic_add_fetch(&stream->pending, 1, __ATOMIC_RELEASE);
    }
    cpu_streams_unlock(false);
    if (again)
        free(capture);
    return again ? fail(ACL_ERROR_RT_STREAM_CAPTURED, "aclmdlRICaptureBegin",
                        "the stream is captured already")
                 : 0;
}

int cpu_capture_get_info(uint64_t number, bool *active, uint64_t *id)
{
    cpu_streams_lock();
    struct Capture *capture = cpu_stream_of(number)->capture;
    *active = capture;
    *id = capture ? capture->id : 0;
    cpu_streams_unlock(false);
    return 0;
}

int cpu_capture_join(struct Stream *stream, uint64_t id, struct Stream *from)
{
    int status = 0;
    cpu_streams_lock();
    struct Capture *capture = from->capture && from->capture->id == id ? from->capture : NULL;
    if (!capture || (stream->capture ? stream->capture != capture : stream->pending)) {
        status = capture ? ACL_ERROR_STREAM_CAPTURE_CONFLICT : ACL_ERROR_RT_EVENT_CAPTURED;
    } else {
        if (!stream->capture) {
            stream->capture = capture;
            stream->apart = true;
            __atomic_add_fetch(&stream->pending, 1, __ATOMIC_RELEASE);
        }
        if (stream != from)
            from->apart = false;
    }
    cpu_streams_unlock(false);
    if (status == ACL_ERROR_STREAM_CAPTURE_CONFLICT)
        return fail(status, "aclrtStreamWaitEvent",
                    "the event is part of a capture, and the stream has other work");
    return status ? fail(status, "aclrtStreamWaitEvent", "the event's capture has ended") : 0;
}

/* Let every stream of a capture work again; the lock is held. Whether one was left apart. */
static bool dissolve(struct Capture *capture)
{
    bool apart = false;
    for (struct Stream *stream = cpu_streams(); stream; stream = stream->next) {
        if (stream->capture != capture)
            continue;
        apart |= stream->apart && stream != capture->origin;
        stream->capture = NULL;
        __atomic_sub_fetch(&stream->pending, 1, __ATOMIC_RELEASE);
    }
    cpu_streams_wake();
    return apart;
}

void cpu_capture_leave(struct Stream *stream)
{
    cpu_streams_lock();
    struct Capture *capture = stream->capture;
    if (capture)
        dissolve(capture);
    cpu_streams_unlock(false);
    if (capture)
        cpu_drop_all(&capture->tasks);
    free(capture);
}

int cpu_capture_end(uint64_t number, uint64_t *result)
{
    struct Stream *stream = cpu_stream_of(number);
    struct Model *model = calloc(1, sizeof *model);
    if (!model)
        return fail(ACL_ERROR_BAD_ALLOC, "aclmdlRICaptureEnd", "out of host memory");
    cpu_streams_lock();
    struct Capture *capture = stream->capture;
    bool here = capture && capture->origin == stream, apart = here && dissolve(capture);
    cpu_streams_unlock(false);
    if (here)
        *model = (struct Model){capture->tasks, 1};
    if (!here || apart) {
        cpu_drop_all(&model->tasks);
        free(model);
        model = NULL;
    }
    if (here)
        free(capture);
    *result = (uint64_t)model;
    if (apart)
        return fail(ACL_ERROR_RT_STREAM_UNJOINED, "aclmdlRICaptureEnd",
                    "a stream that took part has work that no other stream waits for");
    return here ? 0
                : fail(capture ? ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED
                               : ACL_ERROR_RT_STREAM_NOT_CAPTURED, "aclmdlRICaptureEnd",
                       capture ? "the capture began in another stream" : "the stream is not captured");
}

static int run_model(const struct Model *model)
{
    int status = 0;
    for (struct Task *task = model->tasks.first; task && !status; task = task->next)
        status = task->run(task);
    return is_operators(status) ? ACL_ERROR_RT_MODEL_EXECUTE : status;
}

static void release(struct Model *model)
{
    if (__atomic_sub_fetch(&model->references, 1, __ATOMIC_ACQ_REL))
        return;
    cpu_drop_all(&model->tasks);
    free(model);
}

struct Execution {
    struct Task task;
    struct Model *model;
};

static int execute(struct Task *task)
{
    return run_model(((struct Execution *)task)->model);
}

static void drop_execution(struct Task *task)
{
    release(((struct Execution *)task)->model);
    free(task);
}

int cpu_execute_async(uint64_t number, uint64_t stream)
{
    struct Model *model = (struct Model *)number;
    if (cpu_stream_is_free(stream))
        return run_model(model);
    struct Execution *execution = cpu_task(sizeof *execution, execute);
    if (!execution)
        return ACL_ERROR_BAD_ALLOC;
    __atomic_add_fetch(&model->references, 1, __ATOMIC_RELAXED);
    execution->model = model;
    execution->task.drop = drop_execution;
    return cpu_submit(stream, &execution->task);
}

int cpu_destroy_model(uint64_t model)
{
    release((struct Model *)model);
    return 0;
}
