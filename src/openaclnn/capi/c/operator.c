/* The two phases of every operator, and executors. Arguments are handed to Python as they are; the
   rules are there. What stays here of an executor is its handle and the Python object behind it. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* Where a tensor of an executor lies. */
struct Place {
    const void *data;
    uint64_t block; /* 0: in none of ours */
    uint64_t reach; /* bytes from data to the tensor's end */
};
struct Executor {
    PythonObject *object;
    bool repeatable;
    uint64_t frees; /* when all the blocks were there */
    int count;
    struct Place places[]; /* one for each argument of the operator */
};

/* What Python gets for one argument, or null where a handle is dead; and where the argument lies. */
static PythonObject *packed(const struct Parameter *parameter, const union Argument *argument,
                            struct Place *place)
{
    PythonObject *result = NULL;
    switch (parameter->passing) {
    case PASS_INTEGER: return python_signed(argument->integer);
    case PASS_FLOAT: return python_float(argument->number);
    case PASS_BOOL: return python_bool(argument->truth);
    case PASS_TENSOR:
    case PASS_SCALAR: break;
    }
    if (!argument->pointer)
        return python_none();
    handles_lock();
    if (parameter->passing == PASS_TENSOR) {
        struct Tensor *tensor = handle_find(TENSOR, argument->pointer);
        if (tensor) {
            tensor_look(tensor);
            *place = (struct Place){tensor->description.data, tensor->block,
                                    tensor_reach(&tensor->description)};
            result = python_bytes(&tensor->description, tensor->size);
        }
    } else {
        struct Scalar *scalar = handle_find(SCALAR, argument->pointer);
        if (scalar)
            result = python_bytes(&scalar->dtype, scalar->size);
    }
    handles_unlock();
    return result;
}

static PythonObject *pack(struct Operator *op, const union Argument *arguments,
                          struct Place *places, int *status)
{
    PythonObject *items[op->count];
    for (int i = 0; i < op->count; i++) {
        const struct Parameter *parameter = &op->parameters[i];
        places[i] = (struct Place){0};
        items[i] = packed(parameter, &arguments[i], &places[i]);
        if (!items[i]) {
            *status = fail_handle(parameter->passing == PASS_TENSOR ? TENSOR : SCALAR,
                                  arguments[i].pointer, op->name, parameter->name);
            while (i--)
                python_drop(items[i]);
            return NULL;
        }
    }
    return python_tuple(items, op->count);
}

/* The functions of the bridge for this operator, on its kind of device. */
static bool prepare(struct Operator *op, int *status)
{
    if (op->second_phase)
        return true;
    const struct Device *device = device_kind(status);
    PythonObject *find = device ? python_bridge(op->name, "operator", status) : NULL;
    if (!find)
        return false;
    PythonObject *names[] = {python_text(op->name), python_text(device->name)};
    PythonObject *pair = python_call(op->name, find, python_tuple(names, 2), status);
    python_drop(find);
    if (!pair)
        return false;
    op->first_phase = python_keep(python_item(pair, 1));
    op->second_phase = python_keep(python_item(pair, 2));
    python_drop(pair);
    return true;
}

static aclOpExecutor *executor_handle(PythonObject *object, const struct Place *places, int count,
                                      uint64_t frees)
{
    struct Executor *executor = malloc(sizeof *executor + count * sizeof *places);
    if (executor) {
        *executor = (struct Executor){python_keep(object), false, frees, count};
        memcpy(executor->places, places, count * sizeof *places);
    }
    return handle_new(EXECUTOR, executor);
}

aclnnStatus first_phase(struct Operator *op, const union Argument *arguments,
                        uint64_t *workspace_size, aclOpExecutor **executor)
{
    int status = 0;
    if (!workspace_size || !executor)
        return fail(ACLNN_ERR_PARAM_NULLPTR, op->name, "%s is null; expected where to store",
                    workspace_size ? "executor" : "workspaceSize");
    *executor = NULL;
    struct Entry *entry = python_enter(op->name, &status);
    if (!entry)
        return status;
    struct Place places[op->count];
    uint64_t frees = block_frees();
    PythonObject *tuple = prepare(op, &status) ? pack(op, arguments, places, &status) : NULL;
    PythonObject *answer = tuple ? python_call(op->name, op->first_phase, tuple, &status) : NULL;
    if (answer) {
        *workspace_size = python_to_unsigned(python_item(answer, 1));
        *executor = executor_handle(python_item(answer, 2), places, op->count, frees);
        if (!*executor)
            status = fail(ACLNN_ERR_INNER_CREATE_EXECUTOR, op->name, "out of host memory");
        python_drop(answer);
    }
    python_leave(entry);
    return status;
}

/* The Python object of an executor, to be dropped by the caller; inside Python only. Whether it is
   repeatable, and whether blocks were freed since its own were all there. */
static PythonObject *object_of(const aclOpExecutor *executor, bool *repeatable, bool *frees)
{
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

/* Refuse places in memory that was freed; inside Python only, which knows what is used. */
static bool places_live(const char *function, struct Place *places, int count, PythonObject *object,
                        int *status)
{
    for (int i = 0; i < count && !*status; i++) {
        uint64_t end = (uint64_t)places[i].data + places[i].reach;
        if (!places[i].block || memory_at(places[i].data, &places[i].block).end >= end)
            continue;
        PythonObject *items[] = {python_keep(object), python_signed(i),
                                 python_integer((uint64_t)places[i].data)};
        PythonObject *callee = python_bridge(function, "freed", status);
        PythonObject *tuple = python_tuple(items, 3);
        PythonObject *answer = callee ? python_call(function, callee, tuple, status) : NULL;
        python_drop(callee ? callee : tuple);
        python_drop(answer);
    }
    return !*status;
}

/* Refuse an executor whose memory was freed. */
static bool memory_lives(const char *function, const aclOpExecutor *executor, PythonObject *object,
                         int *status)
{
    uint64_t frees = block_frees();
    handles_lock();
    struct Executor *found = handle_find(EXECUTOR, executor);
    int count = found ? found->count : 0;
    struct Place places[count + 1];
    if (found)
        memcpy(places, found->places, count * sizeof *places);
    handles_unlock();
    places_live(function, places, count, object, status);
    handles_lock();
    found = *status ? NULL : handle_find(EXECUTOR, executor);
    if (found)
        found->frees = frees;
    handles_unlock();
    return !*status;
}

static void finish(const aclOpExecutor *executor, enum Fate fate)
{
    struct Executor *found = handle_end(EXECUTOR, executor, fate);
    if (found)
        python_drop(found->object);
    free(found);
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
        return fail(ACLNN_ERR_PARAM_INVALID, function, "workspace (%p) lies in memory that was freed",
                    workspace);
    uint64_t room = begin >= memory.start && begin < memory.end ? memory.end - begin : 0;
    if (memory.start && room < size)
        return fail(ACLNN_ERR_PARAM_INVALID, function,
                    "workspaceSize is %llu, but only %llu bytes are allocated there",
                    (unsigned long long)size, (unsigned long long)room);
    return 0;
}

/* Run an executor's object; inside Python only. The object is taken over. */
static int run(struct Operator *op, void *workspace, uint64_t workspace_size, PythonObject *object,
               uint64_t stream)
{
    int status = 0;
    PythonObject *items[] = {python_integer((uint64_t)workspace), python_integer(workspace_size),
                             object, python_integer(stream)};
    python_drop(python_call(op->name, op->second_phase, python_tuple(items, 4), &status));
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
    bool lives = executor->frees == frees ||
                 places_live(later->op->name, executor->places, executor->count, executor->object, &status);
    if (lives) {
        executor->frees = frees;
        status = run(later->op, later->workspace, later->workspace_size,
                     python_keep(executor->object), later->stream);
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
        python_drop(later->executor->object);
        python_leave(entry);
    }
    free(later->executor);
    free(later);
}

/* A copy of a living executor, or null; inside Python only. */
static struct Executor *copy_of(const aclOpExecutor *handle)
{
    handles_lock();
    struct Executor *found = handle_find(EXECUTOR, handle), *copy = NULL;
    size_t size = found ? sizeof *found + found->count * sizeof *found->places : 0;
    if (found && (copy = malloc(size))) {
        memcpy(copy, found, size);
        python_keep(copy->object);
    }
    handles_unlock();
    return copy;
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

/* Let a stream of the CPU run an executor when it comes to it; inside Python only. */
static int submit(struct Operator *op, void *workspace, uint64_t workspace_size,
                  const aclOpExecutor *executor, uint64_t stream)
{
    struct Executor *copy = copy_of(executor);
    int status = copy && capture_is_active(stream) ? make_repeatable(op->name, copy->object) : 0;
    if (status) {
        python_drop(copy->object);
        free(copy);
        return status;
    }
    struct Later *later = copy ? cpu_task(sizeof *later, run_later) : NULL;
    if (!later) {
        if (copy)
            python_drop(copy->object);
        free(copy);
        return fail(ACLNN_ERR_INNER, op->name, "out of host memory");
    }
    *later = (struct Later){later->task, op, workspace, workspace_size, stream, copy};
    later->task.drop = drop_later;
    return cpu_submit(stream, &later->task);
}

aclnnStatus second_phase(struct Operator *op, void *workspace, uint64_t workspace_size,
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
    struct Entry *entry = python_enter(op->name, &status);
    if (!entry)
        return status;
    PythonObject *object = object_of(executor, &repeatable, &frees);
    if (!object) {
        status = refuse_dead(op->name, executor);
    } else if (prepare(op, &status) &&
               (!frees || memory_lives(op->name, executor, object, &status))) {
        if (device != &CPU || cpu_stream_is_free(number)) {
            status = run(op, workspace, workspace_size, object, number);
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

/* Refuse a handle that is null or dead; null has a code of its own around executors. */
static int refuse(enum Kind kind, const void *handle, const char *function, const char *argument)
{
    return handle ? fail_handle(kind, handle, function, argument)
                  : fail(ACLNN_ERR_INNER_NULLPTR, function, "%s is null", argument);
}

aclnnStatus aclDestroyAclOpExecutor(aclOpExecutor *executor)
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
    struct Entry *entry = python_enter(__func__, &status);
    if (!entry)
        return status;
    finish(executor, DESTROYED);
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

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *executor)
{
    int64_t ignored;
    int status = ask(__func__, "set_repeatable", executor, NULL, 0, &ignored);
    handles_lock();
    struct Executor *found = handle_find(EXECUTOR, executor);
    if (found && !status)
        found->repeatable = true;
    handles_unlock();
    return status;
}

/* Replace the address of a tensor that lives: in Python's executor, here, and in the tensor. */
static int replace_address(const char *function, const char *name, aclOpExecutor *executor,
                           const uint64_t *index, int count, const aclTensor *tensor, void *address)
{
    uint64_t block = 0, values[5];
    struct Memory memory = memory_at(address, &block);
    const uint64_t place[] = {(uint64_t)address, memory.start, memory.end};
    memcpy(values, index, count * sizeof *index);
    memcpy(values + count, place, sizeof place);
    int64_t position = 0;
    int status = ask(function, name, executor, values, count + (int)ELEMENTS(place), &position);
    if (status)
        return status;
    handles_lock();
    struct Executor *found = handle_find(EXECUTOR, executor);
    if (found && position < found->count)
        found->places[position] = (struct Place){address, block, found->places[position].reach};
    handles_unlock();
    return aclSetRawTensorAddr((aclTensor *)tensor, address);
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
    uint64_t count;
    handles_lock();
    bool lives = handle_find(TENSOR_LIST, list);
    const aclTensor *tensor = list_member(TENSOR_LIST, list, relative, &count);
    bool member_lives = handle_find(TENSOR, tensor);
    handles_unlock();
    if (executor && !lives)
        return refuse(TENSOR_LIST, list, function, "tensors");
    if (executor && relative >= count)
        return fail(ACLNN_ERR_PARAM_INVALID, function,
                    "relativeIndex is %llu; the list has %llu tensors", (unsigned long long)relative,
                    (unsigned long long)count);
    if (executor && !member_lives)
        return refuse(TENSOR, tensor, function, "the tensor of the list");
    return replace_address(function, name, executor, (const uint64_t[]){index, relative}, 2, tensor,
                           address);
}

#define SETTERS(spelling, Which, which)                                                            \
    aclnnStatus spelling##Set##Which##TensorAddr(aclOpExecutor *executor, const size_t index,      \
                                                 aclTensor *tensor, void *addr)                    \
    {                                                                                              \
        return set_address(__func__, "set_" which "_address", executor, index, tensor, addr);      \
    }                                                                                              \
    aclnnStatus spelling##SetDynamic##Which##TensorAddr(                                           \
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
