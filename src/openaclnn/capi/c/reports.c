/* Callbacks: a program lends a thread to some streams, and functions that are launched in those
   streams run there, when the thread asks for them. */
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct Callback {
    struct Callback *next;
    struct Thread *thread;
    aclrtCallback function;
    void *data;
    bool blocks, done; /* blocks: the stream waits until it is done */
};
struct Thread {
    struct Thread *next;
    uint64_t id;
    struct Callback *first, *last; /* what waits for it */
    bool subscribed;
};
struct Subscription {
    struct Subscription *next;
    aclrtStream stream;
    struct Thread *thread;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static pthread_once_t changed_once = PTHREAD_ONCE_INIT;
static struct Thread *threads; /* they stay: callbacks may still be on their way */
static struct Subscription *subscriptions;

static void make_condition(void)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

void reports_lock(void)
{
    pthread_once(&changed_once, make_condition);
    pthread_mutex_lock(&lock);
}

void reports_unlock(bool forked)
{
    if (forked)
        make_condition(); /* who waited is not in the child */
    pthread_mutex_unlock(&lock);
}

static struct Thread *find_thread(uint64_t id)
{
    struct Thread *thread = threads;
    while (thread && thread->id != id)
        thread = thread->next;
    return thread;
}

/* Where a stream's subscription is linked, or would be. */
static struct Subscription **find_stream(aclrtStream stream)
{
    struct Subscription **link = &subscriptions;
    while (*link && (*link)->stream != stream)
        link = &(*link)->next;
    return link;
}

static struct Thread *known_thread(uint64_t id)
{
    struct Thread *thread = find_thread(id);
    if (!thread && (thread = calloc(1, sizeof *thread))) {
        thread->id = id;
        thread->next = threads;
        threads = thread;
    }
    return thread;
}

static bool subscribe(uint64_t id, aclrtStream stream)
{
    struct Subscription *made = calloc(1, sizeof *made);
    struct Thread *thread = made ? known_thread(id) : NULL;
    if (!thread) {
        free(made);
        return false;
    }
    *made = (struct Subscription){subscriptions, stream, thread};
    subscriptions = made;
    thread->subscribed = true;
    return true;
}

aclError run_aclrtSubscribeReport(uint64_t threadId, aclrtStream stream)
{
    uint64_t number;
    int status = stream_number(stream, __func__, &number);
    if (status)
        return status;
    reports_lock();
    bool again = *find_stream(stream), done = !again && subscribe(threadId, stream);
    reports_unlock(false);
    if (again)
        return FAIL(ACL_ERROR_RT_STREAM_SUBSCRIBE, "the stream has a thread already");
    return done ? 0 : FAIL(ACL_ERROR_BAD_ALLOC, "out of host memory");
}

static bool unsubscribe(struct Subscription **link)
{
    struct Subscription *ended = *link;
    struct Thread *thread = ended->thread;
    *link = ended->next;
    free(ended);
    thread->subscribed = false;
    for (struct Subscription *other = subscriptions; other; other = other->next)
        thread->subscribed |= other->thread == thread;
    pthread_cond_broadcast(&changed); /* it may wait in vain */
    return true;
}

aclError run_aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream)
{
    reports_lock();
    struct Subscription **link = find_stream(stream);
    bool known = *link, done = known && (*link)->thread->id == threadId && unsubscribe(link);
    reports_unlock(false);
    if (!known)
        return FAIL(ACL_ERROR_RT_STREAM_NO_CB_REG, "the stream has no thread; aclrtSubscribeReport "
                    "comes first");
    return done ? 0 : FAIL(ACL_ERROR_RT_THREAD_SUBSCRIBE, "the stream has another thread");
}

void reports_forget(aclrtStream stream)
{
    reports_lock();
    struct Subscription **link = find_stream(stream);
    if (*link)
        unsubscribe(link);
    reports_unlock(false);
}

/* The stream has come to a callback: hand it to its thread. Runs on a thread of the device. */
static void deliver(void *argument)
{
    struct Callback *callback = argument;
    struct Thread *thread = callback->thread;
    bool blocks = callback->blocks;
    reports_lock();
    callback->next = NULL;
    if (thread->first)
        thread->last->next = callback;
    else
        thread->first = callback;
    thread->last = callback;
    pthread_cond_broadcast(&changed);
    while (blocks && !callback->done)
        pthread_cond_wait(&changed, &lock);
    reports_unlock(false);
    if (blocks)
        free(callback);
}

aclError run_aclrtLaunchCallback(aclrtCallback fn, void *userData, aclrtCallbackBlockType blockType,
                                 aclrtStream stream)
{
    uint64_t number = 0;
    if (!fn)
        return FAIL(ACL_ERROR_INVALID_PARAM, "fn is null");
    if (blockType != ACL_CALLBACK_NO_BLOCK && blockType != ACL_CALLBACK_BLOCK)
        return FAIL(ACL_ERROR_RT_PARAM_INVALID, "blockType is %d; expected 0 or 1", (int)blockType);
    int status = stream_number(stream, __func__, &number);
    const struct Device *device = status ? NULL : device_for_existing(&status);
    if (!device)
        return status;
    reports_lock();
    struct Subscription *subscription = *find_stream(stream);
    struct Thread *thread = subscription ? subscription->thread : NULL;
    reports_unlock(false);
    if (!thread)
        return FAIL(ACL_ERROR_RT_STREAM_NO_CB_REG, "the stream has no thread for callbacks; "
                    "aclrtSubscribeReport comes first");
    if (capture_is_active(number))
        return FAIL(ACL_ERROR_RT_STREAM_CAPTURED, "a callback cannot be captured; "
                    "aclrtLaunchHostFunc can");
    struct Callback *callback = malloc(sizeof *callback);
    if (!callback)
        return FAIL(ACL_ERROR_BAD_ALLOC, "out of host memory");
    *callback = (struct Callback){NULL, thread, fn, userData, blockType == ACL_CALLBACK_BLOCK, false};
    if ((status = device->launch_host_func(number, (void *)deliver, callback)))
        free(callback);
    return status;
}

/* Take the next callback of a thread, after waiting so long at most; the lock is held. */
static struct Callback *take_callback(struct Thread *thread, int32_t timeout_ms)
{
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += timeout_ms / 1000;
    end.tv_nsec += timeout_ms % 1000 * 1000000L;
    if (end.tv_nsec >= 1000000000L) {
        end.tv_sec++;
        end.tv_nsec -= 1000000000L;
    }
    while (!thread->first && thread->subscribed) {
        if (timeout_ms < 0)
            pthread_cond_wait(&changed, &lock);
        else if (pthread_cond_timedwait(&changed, &lock, &end) == ETIMEDOUT)
            break;
    }
    struct Callback *callback = thread->first;
    if (callback)
        thread->first = callback->next;
    return callback;
}

aclError run_aclrtProcessReport(int32_t timeout)
{
    if (timeout < -1)
        return FAIL(ACL_ERROR_RT_PARAM_INVALID, "timeout is %d ms; expected -1 (for ever) or more",
                    (int)timeout);
    reports_lock();
    struct Thread *thread = find_thread((uint64_t)pthread_self());
    bool known = thread && (thread->subscribed || thread->first);
    struct Callback *callback = known ? take_callback(thread, timeout) : NULL;
    reports_unlock(false);
    if (!known)
        return FAIL(ACL_ERROR_RT_THREAD_SUBSCRIBE, "no stream has this thread; aclrtSubscribeReport "
                    "comes first");
    if (!callback)
        return FAIL(ACL_ERROR_RT_REPORT_TIMEOUT, "no callback came within %d ms", (int)timeout);
    callback->function(callback->data);
    reports_lock();
    bool waited_for = callback->blocks;
    callback->done = true;
    pthread_cond_broadcast(&changed);
    reports_unlock(false);
    if (!waited_for)
        free(callback);
    return 0;
}

aclError run_aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc func, void *args)
{
    uint64_t number = 0;
    if (!func)
        return FAIL(ACL_ERROR_INVALID_PARAM, "func is null");
    int status = stream_number(stream, __func__, &number);
    const struct Device *device = status ? NULL : device_for_existing(&status);
    return device ? device->launch_host_func(number, (void *)func, args) : status;
}
