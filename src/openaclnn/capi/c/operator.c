/* The two phases of every operator, and executors. Arguments are handed to Python as they are; the
   rules are there. What stays here of an executor is its handle and the Python object behind it. */
#include "internal.h"

#include <stdlib.h>

struct Executor {
    PythonObject *object;
    bool repeatable;
};

/* What Python gets for one argument, or null where a handle is dead. */
static PythonObject *packed(const struct Parameter *parameter, const union Argument *argument)
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
            tensor->description.end = block_end(tensor->description.data);
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

static PythonObject *pack(struct Operator *op, const union Argument *arguments, int *status)
{
    PythonObject *items[op->count];
    for (int i = 0; i < op->count; i++) {
        const struct Parameter *parameter = &op->parameters[i];
        items[i] = packed(parameter, &arguments[i]);
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

static aclOpExecutor *executor_handle(PythonObject *object)
{
    struct Executor *executor = malloc(sizeof *executor);
    if (executor)
        *executor = (struct Executor){python_keep(object), false};
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
    PythonObject *tuple = prepare(op, &status) ? pack(op, arguments, &status) : NULL;
    PythonObject *answer = tuple ? python_call(op->name, op->first_phase, tuple, &status) : NULL;
    if (answer) {
        *workspace_size = python_to_unsigned(python_item(answer, 1));
        *executor = executor_handle(python_item(answer, 2));
        if (!*executor)
            status = fail(ACLNN_ERR_INNER_CREATE_EXECUTOR, op->name, "out of host memory");
        python_drop(answer);
    }
    python_leave(entry);
    return status;
}

/* The Python object of an executor, to be dropped by the caller; inside Python only. */
static PythonObject *object_of(const aclOpExecutor *executor, bool *repeatable)
{
    handles_lock();
    struct Executor *found = handle_find(EXECUTOR, executor);
    PythonObject *object = found ? python_keep(found->object) : NULL;
    if (found)
        *repeatable = found->repeatable;
    handles_unlock();
    return object;
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

aclnnStatus second_phase(struct Operator *op, void *workspace, uint64_t workspace_size,
                         aclOpExecutor *executor, aclrtStream stream)
{
    int status = 0;
    uint64_t number;
    bool repeatable = false;
    if (!executor)
        return refuse_dead(op->name, executor);
    uint64_t end = block_end(workspace);
    if (end && end - (uint64_t)workspace < workspace_size)
        return fail(ACLNN_ERR_PARAM_INVALID, op->name,
                    "workspaceSize is %llu, but only %llu bytes are allocated there",
                    (unsigned long long)workspace_size,
                    (unsigned long long)(end - (uint64_t)workspace));
    if (stream_number(stream, op->name, &number) || !device_for_existing(&status))
        return ACLNN_ERR_RUNTIME_ERROR;
    struct Entry *entry = python_enter(op->name, &status);
    if (!entry)
        return status;
    PythonObject *object = object_of(executor, &repeatable);
    if (!object) {
        status = refuse_dead(op->name, executor);
    } else if (prepare(op, &status)) {
        PythonObject *items[] = {python_integer((uint64_t)workspace), python_integer(workspace_size),
                                 object, python_integer(number)};
        PythonObject *answer =
            python_call(op->name, op->second_phase, python_tuple(items, 4), &status);
        if (answer)
            python_drop(answer);
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

/* Call a function of the bridge with an executor and numbers. */
static int ask(const char *function, const char *name, aclOpExecutor *executor,
               const uint64_t *values, int count)
{
    int status = 0;
    bool repeatable;
    if (!executor)
        return refuse(EXECUTOR, executor, function, "executor");
    struct Entry *entry = python_enter(function, &status);
    if (!entry)
        return status;
    PythonObject *object = object_of(executor, &repeatable);
    PythonObject *callee = object ? python_bridge(function, name, &status) : NULL;
    if (!object) {
        status = fail_handle(EXECUTOR, executor, function, "executor");
    } else if (!callee) {
        python_drop(object);
    } else {
        PythonObject *items[4] = {object};
        for (int i = 0; i < count; i++)
            items[i + 1] = python_integer(values[i]);
        PythonObject *answer = python_call(function, callee, python_tuple(items, count + 1), &status);
        if (answer)
            python_drop(answer);
        python_drop(callee);
    }
    python_leave(entry);
    return status;
}

aclnnStatus aclSetAclOpExecutorRepeatable(aclOpExecutor *executor)
{
    int status = ask(__func__, "set_repeatable", executor, NULL, 0);
    handles_lock();
    struct Executor *found = handle_find(EXECUTOR, executor);
    if (found && !status)
        found->repeatable = true;
    handles_unlock();
    return status;
}

static int set_address(const char *function, const char *name, aclOpExecutor *executor,
                       size_t index, aclTensor *tensor, void *address)
{
    handles_lock();
    bool lives = handle_find(TENSOR, tensor);
    handles_unlock();
    if (executor && !lives)
        return refuse(TENSOR, tensor, function, "tensor");
    int status = ask(function, name, executor,
                     (const uint64_t[]){index, (uint64_t)address, block_end(address)}, 3);
    return status ? status : aclSetRawTensorAddr(tensor, address);
}

#define SETTER(Which, name)                                                                        \
    aclnnStatus aclSet##Which##Addr(aclOpExecutor *executor, const size_t index,                   \
                                    aclTensor *tensor, void *addr)                                 \
    {                                                                                              \
        return set_address(__func__, name, executor, index, tensor, addr);                         \
    }                                                                                              \
    aclnnStatus AclSet##Which##Addr(aclOpExecutor *executor, const size_t index,                   \
                                    aclTensor *tensor, void *addr)                                 \
    {                                                                                              \
        return set_address(__func__, name, executor, index, tensor, addr);                         \
    }

SETTER(InputTensor, "set_input_address")
SETTER(OutputTensor, "set_output_address")
SETTER(Tensor, "set_tensor_address")
