/* A device that the library does not know itself: every request goes to Python, to the module that
   openaclnn.runtime names. All values are integers; times are nanoseconds. */
#include "internal.h"

enum { VALUES_AT_MOST = 6 };

/* Ask for `name` with the given values; the answer's first two values go to `answer`. */
static int ask(const char *name, const uint64_t *values, int count, uint64_t *answer, int answers)
{
    static PythonObject *runtime;
    int status = 0;
    struct Entry *entry = python_enter(name, &status);
    if (!entry)
        return status;
    if (!runtime)
        runtime = python_bridge(name, "runtime_call", &status);
    if (runtime) {
        PythonObject *items[VALUES_AT_MOST + 1] = {python_text(name)};
        for (int i = 0; i < count; i++)
            items[i + 1] = python_signed((int64_t)values[i]);
        PythonObject *tuple = python_tuple(items, count + 1);
        PythonObject *result = python_call(name, runtime, tuple, &status);
        for (int i = 0; result && i < answers; i++)
            answer[i] = (uint64_t)python_to_integer(python_item(result, i + 1));
        if (result)
            python_drop(result);
    }
    python_leave(entry);
    return status;
}

#define ASK(name, answer, answers, ...)                                                            \
    ask(name, (const uint64_t[]){__VA_ARGS__}, ELEMENTS(((const uint64_t[]){__VA_ARGS__})),        \
        answer, answers)
#define TELL(name, ...) ASK(name, NULL, 0, __VA_ARGS__)

bool forwarded_device_exists(void)
{
    uint64_t exists = 0;
    return ask("exists", NULL, 0, &exists, 1) == 0 && exists;
}

static int count(uint32_t *result)
{
    uint64_t answer = 0;
    int status = ask("device_count", NULL, 0, &answer, 1);
    *result = (uint32_t)answer;
    return status;
}

static int use(int32_t device)
{
    return TELL("set_device", (uint64_t)device);
}

static int synchronize(void)
{
    return ask("synchronize_device", NULL, 0, NULL, 0);
}

static int allocate(void **block, size_t size)
{
    uint64_t answer = 0;
    int status = ASK("malloc", &answer, 1, size);
    *block = (void *)answer;
    return status;
}

static int release(void *block)
{
    return TELL("free", (uint64_t)block);
}

static int allocate_host(void **block, size_t size)
{
    uint64_t answer = 0;
    int status = ASK("malloc_host", &answer, 1, size);
    *block = (void *)answer;
    return status;
}

static int release_host(void *block)
{
    return TELL("free_host", (uint64_t)block);
}

static int copy(void *to, const void *from, size_t bytes, int kind)
{
    return TELL("memcpy", (uint64_t)to, (uint64_t)from, bytes, (uint64_t)kind);
}

static int copy_async(void *to, const void *from, size_t bytes, int kind, uint64_t stream)
{
    return TELL("memcpy_async", (uint64_t)to, (uint64_t)from, bytes, (uint64_t)kind, stream);
}

static int fill(void *to, int value, size_t bytes)
{
    return TELL("memset", (uint64_t)to, (uint64_t)(value & 255), bytes);
}

static int fill_async(void *to, int value, size_t bytes, uint64_t stream)
{
    return TELL("memset_async", (uint64_t)to, (uint64_t)(value & 255), bytes, stream);
}

static int memory(size_t *available, size_t *total)
{
    uint64_t answer[2] = {0, 0};
    int status = ask("mem_info", NULL, 0, answer, 2);
    *available = answer[0];
    *total = answer[1];
    return status;
}

static int can_access_peer(int32_t device, int32_t peer, bool *can)
{
    uint64_t answer = 0;
    int status = ASK("can_access_peer", &answer, 1, (uint64_t)device, (uint64_t)peer);
    *can = answer;
    return status;
}

static int create_stream(uint32_t priority, uint32_t flags, uint64_t *stream)
{
    return ASK("create_stream", stream, 1, priority, flags);
}

static int destroy_stream(uint64_t stream)
{
    return TELL("destroy_stream", stream);
}

static int synchronize_stream(uint64_t stream, int32_t timeout_ms)
{
    return TELL("synchronize_stream", stream, (uint64_t)(int64_t)timeout_ms);
}

static int query_stream(uint64_t stream, bool *done)
{
    uint64_t answer = 0;
    int status = ASK("query_stream", &answer, 1, stream);
    *done = answer;
    return status;
}

static int stream_wait_event(uint64_t stream, uint64_t event)
{
    return TELL("stream_wait_event", stream, event);
}

static int create_event(uint32_t flags, uint64_t *event)
{
    return ASK("create_event", event, 1, flags);
}

static int destroy_event(uint64_t event)
{
    return TELL("destroy_event", event);
}

static int record_event(uint64_t event, uint64_t stream)
{
    return TELL("record_event", event, stream);
}

static int synchronize_event(uint64_t event)
{
    return TELL("synchronize_event", event);
}

static int query_event(uint64_t event, bool *done)
{
    uint64_t answer = 0;
    int status = ASK("query_event", &answer, 1, event);
    *done = answer;
    return status;
}

static int elapsed_ms(uint64_t start, uint64_t end, float *ms)
{
    uint64_t nanoseconds = 0;
    int status = ASK("elapsed_ms", &nanoseconds, 1, start, end);
    *ms = (float)((double)(int64_t)nanoseconds * 1e-6);
    return status;
}

const struct Device FORWARDED = {
    .name = "cuda",
    .count = count,
    .use = use,
    .synchronize = synchronize,
    .allocate = allocate,
    .release = release,
    .allocate_host = allocate_host,
    .release_host = release_host,
    .copy = copy,
    .copy_async = copy_async,
    .fill = fill,
    .fill_async = fill_async,
    .memory = memory,
    .can_access_peer = can_access_peer,
    .create_stream = create_stream,
    .destroy_stream = destroy_stream,
    .synchronize_stream = synchronize_stream,
    .query_stream = query_stream,
    .stream_wait_event = stream_wait_event,
    .create_event = create_event,
    .destroy_event = destroy_event,
    .record_event = record_event,
    .synchronize_event = synchronize_event,
    .query_event = query_event,
    .elapsed_ms = elapsed_ms,
};
