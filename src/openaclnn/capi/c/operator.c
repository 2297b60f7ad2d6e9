/* The two phases of every operator, and executors. Arguments are handed to Python as they are; the
   rules are there. What stays here of an executor is its handle and the Python object behind it; or,
   of a call that was prepared before, what to run, and Python makes the object when it is needed. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

struct Executor {
    PythonObject *object;      /* or null: then it is */
    struct Prepared *prepared;
    bool repeatable;
    uint64_t frees; /* when all the blocks were there */
    struct Places places;
};

/* The functions of the bridge for this operator, on its kind of device. */
static bool prepare(struct Operator *op, int *status)
{
    if (op->second_phase)
        return true;
    const struct Device *device = device_kind(status);
    PythonObject *find = device ? python_bridge(op->name, "operator", status) : NULL;
    if (!find)
        return false;
    PythonObject *facts[] = {python_text(op->python_name), python_text(device->name),
                             python_text(op->signature),
                             op->own_file ? python_text(op->own_file) : python_none()};
    PythonObject *pair = python_call(op->name, find, python_tuple(facts, ELEMENTS(facts)), status);
    python_drop(find);
    if (!pair)
        return false;
    op->first_phase = python_keep(python_item(pair, 1));
    op->second_phase = python_keep(python_item(pair, 2));
    python_drop(pair);
    return true;
}

/* Inside Python only, where the executor has an object. */
static void drop_parts(struct Executor *executor)
{
    if (executor->object)
        python_drop(executor->object);
    if (executor->prepared) {
        handles_lock();
        prepared_leave(executor->prepared);
        handles_unlock();
    }
    free(executor->places.items);
}

static void discard(struct Executor *executor)
{
    if (executor)
        drop_parts(executor);
    free(executor);
}

/* A handle for an executor, which is taken over; null without memory. */
static aclOpExecutor *executor_handle(struct Executor made)
{
    struct Executor *executor = malloc(sizeof *executor);
    if (executor) {
        *executor = made;
        aclOpExecutor *handle = handle_new(EXECUTOR, executor);
        if (handle)
            return handle;
    }
    drop_parts(&made);
    return NULL;
}

/* What was prepared for a call like this one, or is now, where its form is known; or null. */
static struct Prepared *prepared_or_planned(struct Operator *op, const struct CallKey *key)
{
    struct Work work;
    struct Prepared *found = prepared_find(op, key);
    if (found || !op->recordings || !recordings_replay(op, key, &work))
        return found;
    prepared_keep(op, key, &work);
    return prepared_find(op, key);
}

/* An executor for a call that needs no Python, or null. */
static aclOpExecutor *recall(struct Operator *op, const union Argument *arguments,
                             struct CallKey *key, uint64_t *workspace_size)
{
    struct Executor made = {.frees = block_frees()};
    handles_lock();
    bool known = key_of(op, arguments, key, &made.places);
    made.prepared = known ? prepared_or_planned(op, key) : NULL;
    if (made.prepared)
        *workspace_size = prepared_workspace(made.prepared);
    handles_unlock();
    if (!known)
        key->size = 0;
    if (made.prepared)
        return executor_handle(made);
    free(made.places.items);
    return NULL;
}

/* What Python told of a call; false where there is no room for it. */
static bool work_told(const struct Told *told, struct Work *work)
{
    size_t moved = told->moved_count * sizeof *work->moved;
    size_t limits = told->limit_count * sizeof *work->limits;
    if (told->block_bytes > sizeof work->block || moved > sizeof work->moved ||
        limits > sizeof work->limits)
        return false;
    work->kernel = (void (*)(void *))told->kernel;
    work->sharing = told->sharing;
    work->workspace = told->workspace;
    work->size = told->block_bytes;
    work->moved_count = (int)told->moved_count;
    work->limit_count = (int)told->limit_count;
    memcpy(work->block, told->bytes, work->size);
    memcpy(work->moved, told->bytes + work->size, moved);
    memcpy(work->limits, told->bytes + work->size + moved, limits);
    return true;
}

/* The executor that Python answered with. Where it told what that runs, Python is not needed again,
   for this one nor for equal calls. */
static struct Executor answered(struct Operator *op, const struct CallKey *key,
                                PythonObject *answer)
{
    struct Executor executor = {0};
    const struct Told *told = python_to_bytes(python_item(answer, 3));
    struct Work work;
    if (told->kernel && key->size && python_is_ours() && work_told(told, &work)) {
        handles_lock();
        prepared_keep(op, key, &work);
        executor.prepared = prepared_find(op, key);
        if (told->tree_bytes)
            recordings_add(op, key, told);
        handles_unlock();
    }
    if (!executor.prepared)
        executor.object = python_keep(python_item(answer, 2));
    return executor;
}

static aclnnStatus ask_first_phase(struct Operator *op, const union Argument *arguments,
                                   const struct CallKey *key, uint64_t *workspace_size,
                                   aclOpExecutor **executor)
{
    int status = 0;
    struct Entry *entry = python_enter(op->name, &status);
    if (!entry)
        return status;
    struct Places places = {0};
    uint64_t frees = block_frees();
    uint64_t begun = record_begun();
    PythonObject *tuple = prepare(op, &status) ? pack(op, arguments, &places, &status) : NULL;
    PythonObject *answer = tuple ? python_call(op->name, op->first_phase, tuple, &status) : NULL;
    record_span("check and plan", begun, 0);
    if (answer) {
        *workspace_size = python_to_unsigned(python_item(answer, 1));
        struct Executor made = answered(op, key, answer);
        made.frees = frees;
        made.places = places;
        places = (struct Places){0};
        *executor = executor_handle(made);
        if (!*executor)
            status = fail(ACLNN_ERR_INNER_CREATE_EXECUTOR, op->name, "out of host memory");
        python_drop(answer);
    }
    free(places.items);
    python_leave(entry);
    return status;
}

static aclnnStatus run_first_phase(struct Operator *op, const union Argument *arguments,
                                   uint64_t *workspace_size, aclOpExecutor **executor)
{
    struct CallKey key;
    if (!workspace_size || !executor)
        return fail(ACLNN_ERR_PARAM_NULLPTR, op->name, "%s is null; expected where to store",
                    workspace_size ? "executor" : "workspaceSize");
    *executor = recall(op, arguments, &key, workspace_size);
    return *executor ? 0 : ask_first_phase(op, arguments, &key, workspace_size, executor);
}

/* An operator's status; where it is an error, the latest one is no longer the runtime's. */
static aclnnStatus operators(aclnnStatus status)
{
    if (status)
        last_error_forget();
    return status;
}

aclnnStatus first_phase(struct Operator *op, const union Argument *arguments,
                        uint64_t *workspace_size, aclOpExecutor **executor)
{
    if (!RECORDING)
        return operators(run_first_phase(op, arguments, workspace_size, executor));
    struct Call call = record_first_phase(op, arguments);
    aclnnStatus status = operators(run_first_phase(op, arguments, workspace_size, executor));
    if (!status)
        record_arguments(&call, op, arguments);
    const struct Piece outs[] = {{workspace_size, sizeof *workspace_size},
                                 {executor, sizeof *executor}};
    record_end(&call, BITS(status), outs, ELEMENTS(outs));
    return status;
}

/* Let Python run an executor's object as often as it is asked; inside Python only. */
static int make_repeatable(const char *function, PythonObject *object)
{
    int status = 0;
    PythonObject *callee = python_bridge(function, "set_repeatable", &status);
    if (callee) {
        PythonObject *items[] = {python_keep(object)};
        python_drop(python_call(function, callee, python_tuple(items, 1), &status));
        python_drop(callee);
    }
    return status;
}

/* Have Python make the object of an executor that was prepared before; inside Python only. */
static void make_object(const aclOpExecutor *executor)
{
    int status = 0;
    struct CallKey key;
    handles_lock();
    struct Executor *found = handle_find(EXECUTOR, executor);
    struct Prepared *prepared = found ? found->prepared : NULL;
    struct Operator *op = prepared ? prepared_for(prepared) : NULL;
    if (prepared)
        prepared_key(prepared, &key);
    bool repeatable = found && found->repeatable;
    handles_unlock();
    PythonObject *answer =
        prepared ? python_call(op->name, op->first_phase, pack_again(op, &key), &status) : NULL;
    if (!answer)
        return;
    PythonObject *object = python_keep(python_item(answer, 2));
    python_drop(answer);
    if (repeatable)
        make_repeatable(op->name, object);
    handles_lock();
    found = handle_find(EXECUTOR, executor);
    bool still = found && found->prepared; /* no other thread was faster, nor ended it */
    if (still) {
        prepared_leave(found->prepared);
        found->prepared = NULL;
        found->object = object;
    }
    handles_unlock();
    if (!still)
        python_drop(object);
}

/* The Python object of an executor, to be dropped by the caller; inside Python only. Whether it is
   repeatable, and whether blocks were freed since its own were all there. */
static PythonObject *object_of(const aclOpExecutor *executor, bool *repeatable, bool *frees)
{
    make_object(executor);
    handles_lock();
    struct Executor *found = handle_find(EXECUTOR, executor);
    PythonObject *object = found ? python_keep(found->object) : NULL;
    if (found) {
        *repeatable = found->repeatable;
        *frees = found->frees != block_frees();
    }
    handles_unlock();
    return object;
}

/* The first place the memory of which is there no more, or not all of it, and how it ended; or
   null. */
static const struct Place *first_lost(const struct Places *places, enum Ending *how)
{
    for (int i = 0; i < places->count; i++) {
        const struct Place *place = &places->items[i];
        uint64_t end = (uint64_t)place->data + place->reach, block = place->block;
        struct Memory memory = {0};
        if (!block || !place->reach || (memory = memory_at(place->data, &block)).end >= end)
            continue;
        *how = memory.end ? BY_UNMAP : (enum Ending)memory.start; /* only that ends a part */
        return place;
    }
    return NULL;
}

/* Refuse to run on a place whose memory is there no more; inside Python only. */
static int refuse_lost(const char *function, const struct Place *lost, enum Ending how,
                       PythonObject *object)
{
    int status = 0;
    PythonObject *callee = python_bridge(function, "freed", &status);
    if (callee) {
        PythonObject *items[] = {python_keep(object), python_signed(lost->argument),
                                 python_integer(lost->member), python_integer((uint64_t)lost->data),
                                 python_integer(how)};
        python_drop(python_call(function, callee, python_tuple(items, ELEMENTS(items)), &status));
        python_drop(callee);
    }
    return status;
}

/* Refuse an executor whose memory was freed; inside Python only. */
static bool memory_lives(const char *function, const aclOpExecutor *executor, PythonObject *object,
                         int *status)
{
    struct Place place;
    enum Ending how = BY_FREE;
    uint64_t frees = block_frees();
    handles_lock();
    struct Executor *found = handle_find(EXECUTOR, executor);
    const struct Place *lost = found ? first_lost(&found->places, &how) : NULL;
    if (lost)
        place = *lost;
    else if (found)
        found->frees = frees;
    handles_unlock();
    if (lost)
        *status = refuse_lost(function, &place, how, object);
    return !lost;
}

static void finish(const aclOpExecutor *executor, enum Fate fate)
{
    discard(handle_end(EXECUTOR, executor, fate));
}

static int refuse_dead(const char *function, const aclOpExecutor *executor)
{
    handles_lock();
    enum Fate fate = handle_fate(EXECUTOR, executor);
    handles_unlock();
    if (executor && fate == HAS_RUN)
        return fail(ACLNN_ERR_INNER, function,
                    "the executor has run already; call %sGetWorkspaceSize again, or make it "
                    "repeatable with aclSetAclOpExecutorRepeatable before it runs", function);
    return fail_handle(EXECUTOR, executor, function, "executor");
}

static int check_workspace(const char *function, const void *workspace, uint64_t size)
{
    uint64_t begin = (uint64_t)workspace, block = 0;
    struct Memory memory = memory_at(workspace, &block);
    if (memory.start && !memory.end)
        return fail(ACLNN_ERR_PARAM_INVALID, function, "workspace (%p) lies %s", workspace,
                    memory.start == BY_UNMAP ? "where nothing is mapped" : "in memory that was freed");
    uint64_t room = begin >= memory.start && begin < memory.end ? memory.end - begin : 0;
    if (memory.start && room < size)
        return fail(ACLNN_ERR_PARAM_INVALID, function,
                    "workspaceSize is %llu, but only %llu bytes are allocated there",
                    (unsigned long long)size, (unsigned long long)room);
    return 0;
}

/* Give tensors the shapes that data decided, as the bridge tells them. With the handles' lock. */
static void resize(const struct Places *places, const int64_t *told)
{
    for (int64_t left = *told++; left > 0; left--) {
        int64_t argument = *told++, dims = *told++;
        for (int i = 0; i < places->count; i++) {
            const struct Place *place = &places->items[i];
            struct Tensor *tensor =
                place->argument == argument ? handle_find(TENSOR, place->tensor) : NULL;
            if (tensor)
                tensor_resize(tensor, told, (uint64_t)dims);
        }
        told += dims;
    }
}

/* Run an executor's object; inside Python only. The object is taken over. The places are those of an
   executor that lives, or of a copy. */
static int run(struct Operator *op, void *workspace, uint64_t workspace_size, PythonObject *object,
               uint64_t stream, const aclOpExecutor *executor, const struct Executor *copy)
{
    int status = 0;
    PythonObject *items[] = {python_integer((uint64_t)workspace), python_integer(workspace_size),
                             object, python_integer(stream)};
    PythonObject *answer = python_call(op->name, op->second_phase, python_tuple(items, 4), &status);
    if (answer) {
        handles_lock();
        const struct Executor *found = copy ? copy : handle_find(EXECUTOR, executor);
        if (found)
            resize(&found->places, python_to_bytes(python_item(answer, 1)));
        handles_unlock();
        python_drop(answer);
    }
    return status;
}

/* An operator that a stream of the CPU comes to later. */
struct Later {
    struct Task task;
    struct Operator *op;
    void *workspace;
    uint64_t workspace_size, stream;
    struct Executor *executor; /* a copy, with a reference of its own */
};

static int run_later(struct Task *task)
{
    struct Later *later = (struct Later *)task;
    struct Executor *executor = later->executor;
    int status = 0;
    struct Entry *entry = python_enter(later->op->name, &status);
    if (!entry)
        return status;
    uint64_t frees = block_frees();
    enum Ending how = BY_FREE;
    const struct Place *lost = executor->frees == frees ? NULL : first_lost(&executor->places, &how);
    if (lost) {
        status = refuse_lost(later->op->name, lost, how, executor->object);
    } else {
        executor->frees = frees;
        status = run(later->op, later->workspace, later->workspace_size,
                     python_keep(executor->object), later->stream, NULL, executor);
    }
    python_leave(entry);
    return status;
}

static void drop_later(struct Task *task)
{
    struct Later *later = (struct Later *)task;
    int status;
    struct Entry *entry = python_enter(later->op->name, &status);
    if (entry) {
        discard(later->executor);
        python_leave(entry);
    }
    free(later);
}

/* A copy of a living executor, or null; inside Python only. */
static struct Executor *copy_of(const aclOpExecutor *handle)
{
    handles_lock();
    const struct Executor *found = handle_find(EXECUTOR, handle);
    size_t size = found ? found->places.count * sizeof *found->places.items : 0;
    struct Executor *copy = found ? malloc(sizeof *copy) : NULL;
    struct Place *items = copy ? malloc(size + 1) : NULL;
    if (items) {
        *copy = *found;
        copy->places.items = size ? memcpy(items, found->places.items, size) : items;
        python_keep(copy->object);
    } else {
        free(copy);
    }
    handles_unlock();
    return items ? copy : NULL;
}

/* Let a stream of the CPU run an executor when it comes to it; inside Python only. */
static int submit(struct Operator *op, void *workspace, uint64_t workspace_size,
                  const aclOpExecutor *executor, uint64_t stream)
{
    struct Executor *copy = copy_of(executor);
    int status = copy && capture_is_active(stream) ? make_repeatable(op->name, copy->object) : 0;
    struct Later *later = copy && !status ? cpu_task(sizeof *later, run_later) : NULL;
    if (!later) {
        discard(copy);
        return status ? status : fail(ACLNN_ERR_INNER, op->name, "out of host memory");
    }
    *later = (struct Later){later->task, op, workspace, workspace_size, stream, copy};
    later->task.drop = drop_later;
    return cpu_submit(stream, &later->task);
}

/* Whether an executor needs no Python to run on this operator's behalf: then what it does. */
static bool work_of(const struct Operator *op, const aclOpExecutor *executor, struct Work *work,
                    struct CallKey *key, bool *repeatable)
{
    uint64_t frees = block_frees();
    enum Ending how;
    handles_lock();
    struct Executor *found = handle_find(EXECUTOR, executor);
    bool known = found && found->prepared && prepared_for(found->prepared) == op &&
                 (found->frees == frees || !first_lost(&found->places, &how));
    if (known) {
        found->frees = frees;
        *repeatable = found->repeatable;
        prepared_work(found->prepared, work);
        if (work->limit_count)
            prepared_key(found->prepared, key);
    }
    handles_unlock();
    return known;
}

/* Refuse the indices that a call has read, which are not what they may be. */
static int refuse_indices(struct Operator *op, const struct CallKey *key, uint64_t workspace)
{
    int status = 0;
    struct Entry *entry = python_enter(op->name, &status);
    if (!entry)
        return status;
    PythonObject *again = prepare(op, &status) ? pack_again(op, key) : NULL;
    PythonObject *answer = again ? python_call(op->name, op->first_phase, again, &status) : NULL;
    PythonObject *callee = answer ? python_bridge(op->name, "judge_indices", &status) : NULL;
    if (callee) {
        PythonObject *items[] = {python_keep(python_item(answer, 2)), python_integer(workspace)};
        python_drop(python_call(op->name, callee, python_tuple(items, ELEMENTS(items)), &status));
        python_drop(callee);
    }
    if (answer)
        python_drop(answer);
    python_leave(entry);
    return status;
}

/* Run an executor that needs no Python; false where it does. */
static bool run_prepared(struct Operator *op, uint64_t workspace, uint64_t workspace_size,
                         aclOpExecutor *executor, uint64_t stream, int *status)
{
    struct Work work;
    struct CallKey key;
    bool repeatable;
    if (!cpu_stream_is_free(stream) || !work_of(op, executor, &work, &key, &repeatable) ||
        work.workspace > workspace_size)
        return false;
    if (!repeatable) { /* of two threads that try, one runs */
        struct Executor *taken = handle_end(EXECUTOR, executor, HAS_RUN);
        if (!taken) {
            *status = refuse_dead(op->name, executor);
            return true;
        }
        discard(taken);
    }
    uint64_t begun = record_begun();
    work_run(&work, workspace);
    if (!work_within_limits(&work, workspace))
        *status = refuse_indices(op, &key, workspace);
    record_work(record_current(), begun);
    return true;
}

static aclnnStatus run_second_phase(struct Operator *op, void *workspace, uint64_t workspace_size,
                                    aclOpExecutor *executor, aclrtStream stream)
{
    int status = 0;
    uint64_t number;
    bool repeatable = false, frees = false;
    if (!executor)
        return refuse_dead(op->name, executor);
    if (workspace && (status = check_workspace(op->name, workspace, workspace_size)))
        return status;
    if (stream_number(stream, op->name, &number))
        return ACLNN_ERR_RUNTIME_ERROR;
    const struct Device *device = device_for_existing(&status);
    if (!device)
        return ACLNN_ERR_RUNTIME_ERROR;
    if (device == &CPU && (workspace || !workspace_size) &&
        run_prepared(op, (uint64_t)workspace, workspace_size, executor, number, &status))
        return status;
    struct Entry *entry = python_enter(op->name, &status);
    if (!entry)
        return status;
    PythonObject *object = object_of(executor, &repeatable, &frees);
    if (!object) {
        status = refuse_dead(op->name, executor);
    } else if (prepare(op, &status) &&
               (!frees || memory_lives(op->name, executor, object, &status))) {
        if (device != &CPU || cpu_stream_is_free(number)) {
            uint64_t begun = device == &CPU ? record_begun() : 0; /* others have a time of their own */
            status = run(op, workspace, workspace_size, object, number, executor, NULL);
            record_work(record_current(), begun);
        } else {
            status = submit(op, workspace, workspace_size, executor, number);
            python_drop(object);
        }
        if (!status && !repeatable)
            finish(executor, HAS_RUN);
    } else {
        python_drop(object);
    }
    python_leave(entry);
    return status;
}

aclnnStatus second_phase(struct Operator *op, void *workspace, uint64_t workspace_size,
                         aclOpExecutor *executor, aclrtStream stream)
{
    if (!RECORDING)
        return operators(run_second_phase(op, workspace, workspace_size, executor, stream));
    struct Call call = record_second_phase(op, workspace, workspace_size, executor, stream);
    aclnnStatus status =
        operators(run_second_phase(op, workspace, workspace_size, executor, stream));
    record_end(&call, BITS(status), NULL, 0);
    return status;
}

aclnnStatus refuse_declared(const char *function, aclOpExecutor **executor)
{
    if (executor)
        *executor = NULL;
    return fail(ACLNN_ERR_INNER_FIND_KERNEL_ERROR, function,
                "openaclnn does not have this operator yet: it is declared, so that programs link, "
                "and not computed (openaclnn ops --all tells the two apart)");
}

/* Refuse a handle that is null or dead; null has a code of its own around executors. */
static int refuse(enum Kind kind, const void *handle, const char *function, const char *argument)
{
    return handle ? fail_handle(kind, handle, function, argument)
                  : fail(ACLNN_ERR_INNER_NULLPTR, function, "%s is null", argument);
}

aclnnStatus run_aclDestroyAclOpExecutor(aclOpExecutor *executor)
{
    int status = 0;
    handles_lock();
    enum Fate fate = handle_fate(EXECUTOR, executor);
    handles_unlock();
    if (fate == HAS_RUN || fate == LONG_GONE) {
        handle_end(EXECUTOR, executor, DESTROYED);
        return 0; /* its run ended it; programs may destroy it still */
    }
    if (fate != LIVES)
        return refuse(EXECUTOR, executor, __func__, "executor");
    struct Executor *ended = handle_end(EXECUTOR, executor, DESTROYED);
    bool in_python = ended && ended->object;
    struct Entry *entry = in_python ? python_enter(__func__, &status) : NULL;
    if (in_python && !entry)
        return status;
    discard(ended);
    if (entry)
        python_leave(entry);
    return 0;
}

/* Call a function of the bridge with an executor and numbers; its answer is a number too. */
static int ask(const char *function, const char *name, aclOpExecutor *executor,
               const uint64_t *values, int count, int64_t *result)
{
    int status = 0;
    bool repeatable, frees;
    if (!executor)
        return refuse(EXECUTOR, executor, function, "executor");
    struct Entry *entry = python_enter(function, &status);
    if (!entry)
        return status;
    PythonObject *object = object_of(executor, &repeatable, &frees);
    PythonObject *callee = object ? python_bridge(function, name, &status) : NULL;
    if (!object) {
        status = fail_handle(EXECUTOR, executor, function, "executor");
    } else if (!callee) {
        python_drop(object);
    } else {
        PythonObject *items[1 + count];
        items[0] = object;
        for (int i = 0; i < count; i++)
            items[i + 1] = python_integer(values[i]);
        PythonObject *answer = python_call(function, callee, python_tuple(items, count + 1), &status);
        if (answer)
            *result = python_to_integer(python_item(answer, 1));
        python_drop(answer);
        python_drop(callee);
    }
    python_leave(entry);
    return status;
}

aclnnStatus run_aclSetAclOpExecutorRepeatable(aclOpExecutor *executor)
{
    int64_t ignored;
    handles_lock();
    struct Executor *found = handle_find(EXECUTOR, executor);
    bool prepared = found && found->prepared;
    if (prepared)
        found->repeatable = true;
    handles_unlock();
    int status = prepared ? 0 : ask(__func__, "set_repeatable", executor, NULL, 0, &ignored);
    if (prepared || status)
        return status;
    handles_lock();
    found = handle_find(EXECUTOR, executor);
    if (found)
        found->repeatable = true;
    handles_unlock();
    return 0;
}

/* Where an executor will read or write the tensor of an argument from now on. */
static void move_place(const aclOpExecutor *executor, int64_t argument, uint64_t member,
                       const void *address, uint64_t block)
{
    handles_lock();
    struct Executor *found = handle_find(EXECUTOR, executor);
    for (int i = 0; found && i < found->places.count; i++) {
        struct Place *place = &found->places.items[i];
        if (place->argument == argument && place->member == member) {
            place->data = address;
            place->block = block;
        }
    }
    handles_unlock();
}

/* Replace the address of a tensor that lives: in Python's executor, here, and in the tensor. The
   index says which argument it is and, of a list, which member. */
static int replace_address(const char *function, const char *name, aclOpExecutor *executor,
                           const uint64_t *index, int count, const aclTensor *tensor, void *address)
{
    uint64_t block = 0, values[5];
    struct Memory memory = memory_at(address, &block);
    const uint64_t place[] = {(uint64_t)address, memory.start, memory.end};
    memcpy(values, index, count * sizeof *index);
    memcpy(values + count, place, sizeof place);
    int64_t argument = 0;
    int status = ask(function, name, executor, values, count + (int)ELEMENTS(place), &argument);
    if (status)
        return status;
    move_place(executor, argument, count > 1 ? index[1] : 0, address, block);
    return run_aclSetRawTensorAddr((aclTensor *)tensor, address);
}

static int set_address(const char *function, const char *name, aclOpExecutor *executor,
                       uint64_t index, aclTensor *tensor, void *address)
{
    handles_lock();
    bool lives = handle_find(TENSOR, tensor);
    handles_unlock();
    if (executor && !lives)
        return refuse(TENSOR, tensor, function, "tensor");
    return replace_address(function, name, executor, &index, 1, tensor, address);
}

/* The same for a member of a list. */
static int set_dynamic_address(const char *function, const char *name, aclOpExecutor *executor,
                               uint64_t index, uint64_t relative, aclTensorList *list, void *address)
{
    handles_lock();
    struct Items found = items_of(TENSOR_LIST, list);
    const aclTensor *tensor = tensor_of_list(list, relative);
    bool member_lives = handle_find(TENSOR, tensor);
    handles_unlock();
    if (executor && !found.items)
        return refuse(TENSOR_LIST, list, function, "tensors");
    if (executor && relative >= found.count)
        return fail(ACLNN_ERR_PARAM_INVALID, function,
                    "relativeIndex is %llu; the list has %llu tensors", (unsigned long long)relative,
                    (unsigned long long)found.count);
    if (executor && !member_lives)
        return refuse(TENSOR, tensor, function, "the tensor of the list");
    return replace_address(function, name, executor, (const uint64_t[]){index, relative}, 2, tensor,
                           address);
}

#define SETTERS(spelling, Which, which)                                                            \
    aclnnStatus run_##spelling##Set##Which##TensorAddr(                                           \
        aclOpExecutor *executor, const size_t index, aclTensor *tensor, void *addr)                \
    {                                                                                              \
        return set_address(__func__, "set_" which "_address", executor, index, tensor, addr);      \
    }                                                                                              \
    aclnnStatus run_##spelling##SetDynamic##Which##TensorAddr(                                       \
        aclOpExecutor *executor, size_t irIndex, const size_t relativeIndex,                       \
        aclTensorList *tensors, void *addr)                                                        \
    {                                                                                              \
        return set_dynamic_address(__func__, "set_dynamic_" which "_address", executor, irIndex,   \
                                   relativeIndex, tensors, addr);                                  \
    }

SETTERS(acl, Input, "input")
SETTERS(Acl, Input, "input")
SETTERS(acl, Output, "output")
SETTERS(Acl, Output, "output")
SETTERS(acl, , "tensor")
SETTERS(Acl, , "tensor")
