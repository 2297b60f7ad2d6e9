/* OPENACLNN_RECORD_TIMES: when a device did what its streams were asked for, where it has a time of its
   own. An event stands before each piece of work and one behind it; when the second is reached, both
   tell. */
#include "internal.h"

#include <pthread.h>
#include <stdlib.h>

enum { AT_MOST = 1 << 12 };

struct Timed {
    uint64_t call, before, after; /* events */
};

static bool asked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct Timed waiting[AT_MOST];
static int count;

void times_start(void)
{
    asked = getenv("OPENACLNN_RECORD_TIMES") != NULL;
}

/* The device, where it has a time of its own and the thread may use it. */
static const struct Device *device_with_time(void)
{
    int status = 0;
    const struct Device *device = asked && context_current() ? device_kind(&status) : NULL;
    return device != &CPU ? device : NULL;
}

/* An event at the end of a stream, or 0. */
static uint64_t mark(const struct Device *device, uint64_t stream)
{
    uint64_t event = 0;
    if (device->create_event(0, &event))
        return 0;
    if (!device->record_event(event, stream))
        return event;
    device->destroy_event(event);
    return 0;
}

void times_begin(struct Call *call, aclrtStream stream)
{
    const struct Device *device = device_with_time();
    if (device && stream_find(stream, &call->stream) && !capture_is_active(call->stream))
        call->before = mark(device, call->stream);
}

/* A call has asked a stream for something: what it does has a beginning and an end. */
static void keep(const struct Call *call)
{
    const struct Device *device = device_with_time();
    uint64_t after = device ? mark(device, call->stream) : 0;
    pthread_mutex_lock(&lock);
    if (after && count < AT_MOST)
        waiting[count++] = (struct Timed){call->number, call->before, after};
    pthread_mutex_unlock(&lock);
}

static void tell_one(const struct Device *device, const struct Timed *work)
{
    int64_t begun = 0, done = 0;
    if (device->event_get_timestamp(work->before, &begun) ||
        device->event_get_timestamp(work->after, &done))
        return;
    record_times(work->call, (uint64_t)begun, (uint64_t)done);
    device->destroy_event(work->before);
    device->destroy_event(work->after);
}

/* Write when things were done that are done by now. */
static void tell(void)
{
    const struct Device *device = device_with_time();
    if (!device || pthread_mutex_trylock(&lock))
        return;
    int left = 0;
    for (int i = 0; i < count; i++) {
        bool done = false;
        if (!left && !device->query_event(waiting[i].after, &done) && done)
            tell_one(device, &waiting[i]);
        else
            waiting[left++] = waiting[i];
    }
    __atomic_store_n(&count, left, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
}

void times_end(const struct Call *call)
{
    if (call->before)
        keep(call);
    else if (__atomic_load_n(&count, __ATOMIC_RELAXED))
        tell();
}
