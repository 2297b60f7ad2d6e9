/* Models: work of streams that is captured once and executed as often as one likes. */
#include "internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 128 };
struct Model {
    uint64_t number; /* the device's own, 0 while it is captured */
    uint32_t id;
    char name[NAME_BYTES];
};
struct Capture {
    struct Capture *next;
    aclrtStream stream; /* where it began */
    uint64_t id;        /* the device's own */
    aclmdlRI model;
    aclmdlRICaptureMode mode;
    pthread_t thread;
};

static struct Capture *captures; /* under the lock of handles */
/* Which captures forbid something to the calling thread: all that forbid it to others, its own, none. */
static __thread aclmdlRICaptureMode heeded = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;

int refuse_in_capture(const char *function)
{
    if (!__atomic_load_n(&captures, __ATOMIC_RELAXED) ||
        heeded == ACL_MODEL_RI_CAPTURE_MODE_RELAXED)
        return 0;
    bool refused = false;
    handles_lock();
    for (struct Capture *capture = captures; capture; capture = capture->next)
        refused |= capture->mode != ACL_MODEL_RI_CAPTURE_MODE_RELAXED &&
                   (pthread_equal(capture->thread, pthread_self()) ||
                    (capture->mode == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL &&
                     heeded == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    handles_unlock();
    return refused ? fail(ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT, function,
                          "a stream is captured, and this would not be part of it; "
                          "aclmdlRICaptureEnd comes first")
                   : 0;
}

static int check_mode(const char *function, aclmdlRICaptureMode mode)
{
    bool known =
        (int)mode >= ACL_MODEL_RI_CAPTURE_MODE_GLOBAL && mode <= ACL_MODEL_RI_CAPTURE_MODE_RELAXED;
    return known ? 0
                 : fail(ACL_ERROR_RT_PARAM_INVALID, function, "mode is %d; expected 0 to 2",
                        (int)mode);
}

aclError run_aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode *mode)
{
    if (!mode)
        return FAIL(ACL_ERROR_INVALID_PARAM, "mode is null; expected one, and where to store");
    aclmdlRICaptureMode before = heeded;
    int status = check_mode(__func__, *mode);
    if (status)
        return status;
    heeded = *mode;
    *mode = before;
    return 0;
}

static struct Capture **find_capture(aclrtStream stream)
{
    struct Capture **link = &captures;
    while (*link && (*link)->stream != stream)
        link = &(*link)->next;
    return link;
}

/* The device and its number of a stream that can be captured. */
static const struct Device *prepare(const char *function, aclrtStream stream, uint64_t *number,
                                    int *status)
{
    if (!stream) {
        *status = fail(ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT, function,
                       "stream is null; the default stream cannot be captured");
        return NULL;
    }
    *status = stream_number(stream, function, number);
    return *status ? NULL : device_for_existing(status);
}

aclError run_aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode)
{
    uint64_t number;
    int status = 0;
    bool active;
    if ((status = check_mode(__func__, mode)))
        return status;
    const struct Device *device = prepare(__func__, stream, &number, &status);
    struct Capture *capture = device ? calloc(1, sizeof *capture) : NULL;
    if (!device || !capture)
        return device ? FAIL(ACL_ERROR_BAD_ALLOC, "out of host memory") : status;
    *capture = (struct Capture){.stream = stream, .mode = mode, .thread = pthread_self()};
    static uint32_t latest_id;
    struct Model *model = calloc(1, sizeof *model);
    if (model)
        model->id = __atomic_add_fetch(&latest_id, 1, __ATOMIC_RELAXED);
    capture->model = handle_new(MODEL, model);
    if ((status = device->capture_begin(number, (int32_t)mode))) {
        free(handle_end(MODEL, capture->model, DESTROYED));
        free(capture);
        return status;
    }
    device->capture_get_info(number, &active, &capture->id);
    handles_lock();
    capture->next = captures;
    __atomic_store_n(&captures, capture, __ATOMIC_RELAXED);
    handles_unlock();
    return 0;
}

aclError run_aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus *status,
                                    aclmdlRI *modelRI)
{
    uint64_t number, id = 0;
    bool active = false;
    int code = stream_number(stream, __func__, &number);
    const struct Device *device = code ? NULL : device_for_existing(&code);
    if (!device || (code = device->capture_get_info(number, &active, &id)))
        return code;
    *status = active ? ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE : ACL_MODEL_RI_CAPTURE_STATUS_NONE;
    *modelRI = NULL;
    handles_lock();
    for (struct Capture *capture = captures; active && capture; capture = capture->next)
        if (capture->id == id)
            *modelRI = capture->model;
    handles_unlock();
    return 0;
}

bool capture_is_active(uint64_t stream)
{
    int status = 0;
    bool active = false;
    uint64_t id;
    const struct Device *device = device_kind(&status);
    if (__atomic_load_n(&captures, __ATOMIC_RELAXED) && device)
        device->capture_get_info(stream, &active, &id);
    return active;
}

static void forget(aclrtStream stream)
{
    handles_lock();
    struct Capture **link = find_capture(stream), *ended = *link;
    if (ended)
        *link = ended->next;
    handles_unlock();
    free(ended);
}

void capture_forget(aclrtStream stream)
{
    handles_lock();
    struct Capture *capture = *find_capture(stream);
    aclmdlRI model = capture ? capture->model : NULL;
    handles_unlock();
    if (model) {
        free(handle_end(MODEL, model, DESTROYED));
        forget(stream);
    }
}

aclError run_aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI *modelRI)
{
    uint64_t number, model = 0;
    int status = 0;
    const struct Device *device = prepare(__func__, stream, &number, &status);
    if (!device)
        return status;
    handles_lock();
    struct Capture *capture = *find_capture(stream);
    bool others = capture && capture->mode != ACL_MODEL_RI_CAPTURE_MODE_RELAXED &&
                  !pthread_equal(capture->thread, pthread_self());
    *modelRI = capture ? capture->model : NULL;
    handles_unlock();
    if (others)
        return FAIL(ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED, "another thread began this capture");
    status = device->capture_end(number, &model);
    if (!*modelRI)
        return status;
    if (status) {
        free(handle_end(MODEL, *modelRI, DESTROYED));
        *modelRI = NULL;
    } else {
        handles_lock();
        struct Model *made = handle_find(MODEL, *modelRI);
        if (made)
            made->number = model;
        handles_unlock();
    }
    forget(stream);
    return status;
}

aclError run_aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream)
{
    uint64_t number;
    handles_lock();
    struct Model *found = handle_find(MODEL, modelRI);
    uint64_t model = found ? found->number : 0;
    handles_unlock();
    if (!found)
        return fail_handle(MODEL, modelRI, __func__, "modelRI");
    if (!model)
        return FAIL(ACL_ERROR_RT_MODEL_CAPTURED, "the model is still captured");
    int status = stream_number(stream, __func__, &number);
    const struct Device *device = status ? NULL : device_for_existing(&status);
    return device ? device->execute_async(model, number) : status;
}

aclError run_aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout)
{
    aclrtStream stream = NULL;
    int status = run_aclrtCreateStream(&stream);
    if (status)
        return status;
    status = run_aclmdlRIExecuteAsync(modelRI, stream);
    if (!status)
        status = run_aclrtSynchronizeStreamWithTimeout(stream, timeout);
    int ended = run_aclrtDestroyStream(stream);
    return status ? status : ended;
}

aclError run_aclmdlRISetName(aclmdlRI modelRI, const char *name)
{
    if (!name || strlen(name) >= NAME_BYTES)
        return FAIL(ACL_ERROR_INVALID_PARAM, "name %s; expected fewer than %d bytes",
                    name ? "is too long" : "is null", NAME_BYTES);
    handles_lock();
    struct Model *found = handle_find(MODEL, modelRI);
    if (found)
        strcpy(found->name, name);
    handles_unlock();
    return found ? 0 : fail_handle(MODEL, modelRI, __func__, "modelRI");
}

aclError run_aclmdlRIGetName(aclmdlRI modelRI, uint32_t maxLen, char *name)
{
    bool fits = false;
    handles_lock();
    struct Model *found = handle_find(MODEL, modelRI);
    if (found && (fits = strlen(found->name) < maxLen))
        strcpy(name, found->name);
    handles_unlock();
    if (!found)
        return fail_handle(MODEL, modelRI, __func__, "modelRI");
    return fits ? 0 : FAIL(ACL_ERROR_INVALID_PARAM, "maxLen is %u; the name is longer", maxLen);
}

aclError run_aclmdlRIGetId(aclmdlRI modelRI, uint32_t *modelRIId)
{
    handles_lock();
    struct Model *found = handle_find(MODEL, modelRI);
    if (found)
        *modelRIId = found->id;
    handles_unlock();
    return found ? 0 : fail_handle(MODEL, modelRI, __func__, "modelRI");
}

aclError run_aclmdlRIDestroy(aclmdlRI modelRI)
{
    int status = 0;
    const struct Device *device = device_for_existing(&status);
    if (!device)
        return status;
    handles_lock();
    struct Model *found = handle_find(MODEL, modelRI);
    bool captured = found && !found->number;
    handles_unlock();
    if (captured)
        return FAIL(ACL_ERROR_RT_MODEL_CAPTURED, "the model is still captured");
    found = handle_end(MODEL, modelRI, DESTROYED);
    if (!found)
        return fail_handle(MODEL, modelRI, __func__, "modelRI");
    status = device->destroy_model(found->number);
    free(found);
    return status;
}
