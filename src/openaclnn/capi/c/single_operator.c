/* Operators by name (aclop): attributes, execution, options of a compiler. One that has the name, the
   inputs, the outputs and the attributes of an operator of ours is that operator; any other is named
   at once, and the stream fails. */
#include "internal.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

/* attributes */

enum Type { TYPE_BOOL, TYPE_INT, TYPE_FLOAT, TYPE_TEXT, TYPE_BOOLS, TYPE_INTS, TYPE_FLOATS, TYPE_LISTS };
struct Attribute {
    struct Attribute *next;
    char *name;
    enum Type type;
    uint64_t count; /* of a list */
    union {
        bool truth;
        int64_t integer;
        float number;
        void *items; /* of a list, or a text */
    } value;
};
struct Attributes {
    struct Attribute *first;
};

static void discard(struct Attribute *attribute)
{
    if (attribute && attribute->type >= TYPE_TEXT)
        free(attribute->value.items);
    if (attribute)
        free(attribute->name);
    free(attribute);
}

aclopAttr *run_aclopCreateAttr(void)
{
    return handle_new(ATTRIBUTES, calloc(1, sizeof(struct Attributes)));
}

void run_aclopDestroyAttr(const aclopAttr *attr)
{
    struct Attributes *found = handle_end(ATTRIBUTES, attr, DESTROYED);
    if (!found && attr)
        fail_handle(ATTRIBUTES, attr, __func__, "attr");
    for (struct Attribute *next, *each = found ? found->first : NULL; each; each = next) {
        next = each->next;
        discard(each);
    }
    free(found);
}

/* Add an attribute, or replace that of the same name. Items are copied. */
static int set(const char *function, aclopAttr *attr, const char *name, struct Attribute given,
               const void *items, size_t bytes)
{
    if (!name)
        return fail(ACL_ERROR_INVALID_PARAM, function, "attrName is null");
    if (given.type >= TYPE_TEXT && bytes && !items)
        return fail(ACL_ERROR_INVALID_PARAM, function, "the value of %s is null", name);
    struct Attribute *made = malloc(sizeof *made);
    if (made) {
        *made = given;
        made->name = strdup(name);
        if (given.type >= TYPE_TEXT && (made->value.items = malloc(bytes + 1)))
            memcpy(made->value.items, items ? items : "", items ? bytes : 1);
    }
    if (!made || !made->name || (given.type >= TYPE_TEXT && !made->value.items)) {
        discard(made);
        return fail(ACL_ERROR_BAD_ALLOC, function, "out of host memory");
    }
    struct Attribute *old = NULL;
    handles_lock();
    struct Attributes *found = handle_find(ATTRIBUTES, attr);
    if (found) {
        struct Attribute **at = &found->first;
        while (*at && strcmp((*at)->name, name))
            at = &(*at)->next;
        old = *at;
        made->next = old ? old->next : NULL;
        *at = made;
    }
    handles_unlock();
    discard(found ? old : made);
    return found ? 0 : fail_handle(ATTRIBUTES, attr, function, "attr");
}

static int set_list(const char *function, aclopAttr *attr, const char *name, enum Type type,
                    int count, const void *items, size_t size)
{
    if (count < 0)
        return fail(ACL_ERROR_INVALID_PARAM, function, "numValues is %d", count);
    struct Attribute given = {.type = type, .count = (uint64_t)count};
    return set(function, attr, name, given, items, (size_t)count * size);
}

aclError run_aclopSetAttrBool(aclopAttr *attr, const char *attrName, uint8_t attrValue)
{
    struct Attribute given = {.type = TYPE_BOOL, .value = {.truth = attrValue != 0}};
    return set(__func__, attr, attrName, given, NULL, 0);
}

aclError run_aclopSetAttrInt(aclopAttr *attr, const char *attrName, int64_t attrValue)
{
    struct Attribute given = {.type = TYPE_INT, .value = {.integer = attrValue}};
    return set(__func__, attr, attrName, given, NULL, 0);
}

aclError run_aclopSetAttrDataType(aclopAttr *attr, const char *attrName, aclDataType attrValue)
{
    struct Attribute given = {.type = TYPE_INT, .value = {.integer = attrValue}};
    return set(__func__, attr, attrName, given, NULL, 0);
}

aclError run_aclopSetAttrFloat(aclopAttr *attr, const char *attrName, float attrValue)
{
    struct Attribute given = {.type = TYPE_FLOAT, .value = {.number = attrValue}};
    return set(__func__, attr, attrName, given, NULL, 0);
}

aclError run_aclopSetAttrString(aclopAttr *attr, const char *attrName, const char *attrValue)
{
    struct Attribute given = {.type = TYPE_TEXT};
    return set(__func__, attr, attrName, given, attrValue, attrValue ? strlen(attrValue) + 1 : 1);
}

aclError run_aclopSetAttrListBool(aclopAttr *attr, const char *attrName, int numValues,
                                  const uint8_t *values)
{
    return set_list(__func__, attr, attrName, TYPE_BOOLS, numValues, values, sizeof *values);
}

aclError run_aclopSetAttrListInt(aclopAttr *attr, const char *attrName, int numValues,
                                 const int64_t *values)
{
    return set_list(__func__, attr, attrName, TYPE_INTS, numValues, values, sizeof *values);
}

aclError run_aclopSetAttrListFloat(aclopAttr *attr, const char *attrName, int numValues,
                                   const float *values)
{
    return set_list(__func__, attr, attrName, TYPE_FLOATS, numValues, values, sizeof *values);
}

aclError run_aclopSetAttrListListInt(aclopAttr *attr, const char *attrName, int numLists,
                                     const int *numValues, const int64_t *const *values)
{
    (void)values; /* no operator of ours takes one: that it is there is all that matters */
    return set_list(__func__, attr, attrName, TYPE_LISTS, numLists, numValues, sizeof *numValues);
}

/* execution */

/* What an operator is given, and what must be ended when it has run. */
struct Given {
    union Argument arguments[PARAMETERS_AT_MOST];
    aclTensor *tensors[PARAMETERS_AT_MOST];
    aclScalar *scalars[PARAMETERS_AT_MOST];
    aclIntArray *ints[PARAMETERS_AT_MOST];
    aclFloatArray *floats[PARAMETERS_AT_MOST];
    void *memory[PARAMETERS_AT_MOST]; /* of the device, for tensors that lie on the host */
};

static void end(struct Given *given, int count)
{
    for (int i = 0; i < count; i++) {
        if (given->tensors[i])
            run_aclDestroyTensor(given->tensors[i]);
        if (given->scalars[i])
            run_aclDestroyScalar(given->scalars[i]);
        if (given->ints[i])
            run_aclDestroyIntArray(given->ints[i]);
        if (given->floats[i])
            run_aclDestroyFloatArray(given->floats[i]);
        if (given->memory[i])
            run_aclrtFree(given->memory[i]);
    }
}

/* Copy a tensor of the host to memory of the device, or null. */
static void *moved(const aclTensorDesc *desc, const void *data)
{
    void *memory = NULL;
    size_t bytes = run_aclGetTensorDescSize(desc);
    if (!data || run_aclrtMalloc(&memory, bytes ? bytes : 1, ACL_MEM_MALLOC_HUGE_FIRST))
        return NULL;
    if (bytes && run_aclrtMemcpy(memory, bytes, data, bytes, ACL_MEMCPY_HOST_TO_DEVICE)) {
        run_aclrtFree(memory);
        return NULL;
    }
    return memory;
}

/* A contiguous tensor on the device, or null; false where it is none that an operator can take.
   Memory that was allocated for it is stored. */
static bool tensor_of(const aclTensorDesc *desc, const aclDataBuffer *buffer, aclTensor **tensor,
                      void **memory)
{
    struct Descriptor found;
    int64_t strides[DESCRIBED_DIMS + 1];
    *tensor = NULL;
    if (!desc || !descriptor_of(desc, &found, "aclopCompileAndExecute"))
        return !desc;
    if ((aclDataType)found.dtype == ACL_DT_UNDEFINED)
        return true; /* an optional one that is not given */
    void *data = run_aclGetDataBufferAddr(buffer);
    if (found.on_host && !(data = *memory = moved(desc, data)))
        return false;
    strides[found.count] = 1;
    for (int i = found.count - 1; i >= 0; i--)
        strides[i] = strides[i + 1] * (i + 1 < found.count ? found.dims[i + 1] : 1);
    *tensor = run_aclCreateTensor(found.dims, (uint64_t)found.count, (aclDataType)found.dtype, strides,
                                  0, (aclFormat)found.format, found.dims, (uint64_t)found.count, data);
    return *tensor != NULL;
}

/* The value of an attribute as an operator takes it; false where it takes no such. */
static bool attribute_of(const struct Attribute *from, enum Passing passing, struct Given *given, int i)
{
    union Argument *to = &given->arguments[i];
    enum Type type = from->type;
    switch (passing) {
    case PASS_BOOL: to->truth = from->value.truth; return type == TYPE_BOOL;
    case PASS_INTEGER: to->integer = from->value.integer; return type == TYPE_INT;
    case PASS_UNSIGNED: to->natural = (uint64_t)from->value.integer; return type == TYPE_INT;
    case PASS_FLOAT: to->number = from->value.number; return type == TYPE_FLOAT;
    case PASS_DOUBLE: to->wide = from->value.number; return type == TYPE_FLOAT;
    case PASS_TEXT: to->pointer = from->value.items; return type == TYPE_TEXT;
    case PASS_INT_ARRAY:
        if (type != TYPE_INTS)
            return false;
        to->pointer = given->ints[i] = run_aclCreateIntArray(from->value.items, from->count);
        return to->pointer != NULL;
    case PASS_FLOAT_ARRAY:
        if (type != TYPE_FLOATS)
            return false;
        to->pointer = given->floats[i] = run_aclCreateFloatArray(from->value.items, from->count);
        return to->pointer != NULL;
    case PASS_SCALAR:
        if (type != TYPE_FLOAT && type != TYPE_INT)
            return false;
        to->pointer = given->scalars[i] = run_aclCreateScalar(
            (void *)&from->value, type == TYPE_FLOAT ? ACL_FLOAT : ACL_INT64);
        return to->pointer != NULL;
    default: return false;
    }
}

struct Asked {
    const char *type;
    int inputs, outputs;
    const aclTensorDesc *const *input_descs, *const *output_descs;
    const aclDataBuffer *const *input_buffers, *const *output_buffers;
    const struct Attribute *attributes;
};

static void *data_of(const aclDataBuffer *const *buffers, int i)
{
    return run_aclGetDataBufferAddr(buffers[i]);
}

/* Whether what is asked is this operator, argument by argument: then what it is given. A tensor that
   is changed in place is an input and, where there are outputs for such, the output that lies there. */
static bool matches(const struct Asked *asked, const struct Operator *op, struct Given *given)
{
    int inputs = 0, outputs = 0, attributes = 0, changed = 0;
    for (int i = 0; i < op->count; i++)
        outputs += op->parameters[i].out;
    bool told_twice = asked->outputs > outputs;
    outputs = 0;
    for (const struct Attribute *each = asked->attributes; each; each = each->next)
        attributes++;
    for (int i = 0; i < op->count; i++) {
        const struct Parameter *parameter = &op->parameters[i];
        if (parameter->passing == PASS_TENSOR) {
            int *at = parameter->out ? &outputs : &inputs;
            if (*at >= (parameter->out ? asked->outputs : asked->inputs))
                return false;
            const aclTensorDesc *desc =
                parameter->out ? asked->output_descs[*at] : asked->input_descs[*at];
            const aclDataBuffer *buffer =
                parameter->out ? asked->output_buffers[*at] : asked->input_buffers[*at];
            if (!tensor_of(desc, buffer, &given->tensors[i], &given->memory[i]))
                return false;
            given->arguments[i].pointer = given->tensors[i];
            if (parameter->changed && told_twice) {
                if (changed >= asked->outputs ||
                    data_of(asked->output_buffers, changed) != data_of(asked->input_buffers, inputs))
                    return false;
                changed++;
            }
            ++*at;
            continue;
        }
        const struct Attribute *each = asked->attributes;
        while (each && strcmp(each->name, parameter->name))
            each = each->next;
        if (!each || !attribute_of(each, parameter->passing, given, i))
            return false;
        attributes--;
    }
    return inputs == asked->inputs && outputs + changed == asked->outputs && attributes == 0;
}

/* Whether what is asked is a copy, which no aclnn function is: formats differ in name only here. */
static bool is_copy(const struct Asked *asked)
{
    return strcmp(asked->type, "Identity") == 0 && asked->inputs == 1 && asked->outputs == 1;
}

static int copy(const struct Asked *asked, aclrtStream stream)
{
    size_t bytes = run_aclGetTensorDescSize(asked->input_descs[0]);
    size_t room = run_aclGetTensorDescSize(asked->output_descs[0]);
    if (bytes != room || run_aclGetTensorDescType(asked->input_descs[0]) !=
                             run_aclGetTensorDescType(asked->output_descs[0]))
        return FAIL(ACL_ERROR_INVALID_PARAM, "input and output are not of the same type and size");
    if (!bytes)
        return 0;
    return run_aclrtMemcpyAsync(run_aclGetDataBufferAddr(asked->output_buffers[0]), room,
                                run_aclGetDataBufferAddr(asked->input_buffers[0]), bytes,
                                ACL_MEMCPY_DEVICE_TO_DEVICE, stream);
}

/* Operators that choose among elements, for which Python has the elements on the host (by_name.py). */

enum { CHOSEN_FROM = 128 }; /* inputs at most */
struct Staged {
    struct Descriptor descriptor;
    size_t bytes;
    void *host; /* owned */
};

/* A tensor's elements on the host; false where it cannot be read. Of an output: room for them. */
static bool stage(const aclTensorDesc *desc, const aclDataBuffer *buffer, bool out,
                  struct Staged *staged)
{
    if (!descriptor_of(desc, &staged->descriptor, "aclopCompileAndExecute"))
        return false;
    void *data = run_aclGetDataBufferAddr(buffer);
    staged->bytes = run_aclGetTensorDescSize(desc);
    staged->host = malloc(staged->bytes + 1);
    if (!staged->host || (staged->bytes && !data))
        return false;
    if (out || !staged->bytes)
        return true;
    if (staged->descriptor.on_host)
        return memcpy(staged->host, data, staged->bytes);
    return run_aclrtMemcpy(staged->host, staged->bytes, data, staged->bytes,
                           ACL_MEMCPY_DEVICE_TO_HOST) == 0;
}

static PythonObject *python_staged(const struct Staged *staged)
{
    PythonObject *items[2 + DESCRIBED_DIMS];
    int count = staged->descriptor.count;
    items[0] = python_signed(staged->descriptor.dtype);
    items[1] = python_integer((uint64_t)staged->host);
    for (int i = 0; i < count; i++)
        items[2 + i] = python_signed(staged->descriptor.dims[i]);
    return python_tuple(items, 2 + count);
}

static PythonObject *python_attributes(const struct Attribute *first)
{
    PythonObject *pairs[PARAMETERS_AT_MOST];
    int count = 0;
    for (const struct Attribute *each = first; each && count < PARAMETERS_AT_MOST; each = each->next) {
        PythonObject *value = each->type == TYPE_BOOL    ? python_bool(each->value.truth)
                              : each->type == TYPE_INT   ? python_signed(each->value.integer)
                              : each->type == TYPE_FLOAT ? python_float(each->value.number)
                                                         : python_none();
        PythonObject *pair[] = {python_text(each->name), value};
        pairs[count++] = python_tuple(pair, 2);
    }
    return python_tuple(pairs, count);
}

/* Call the function of the bridge; its answer, or null and *status. */
static PythonObject *ask(const char *name, PythonObject **items, int count, int *status)
{
    PythonObject *callee = python_bridge("aclopCompileAndExecute", name, status);
    PythonObject *arguments = python_tuple(items, count);
    if (!callee) {
        python_drop(arguments);
        return NULL;
    }
    PythonObject *answer = python_call("aclopCompileAndExecute", callee, arguments, status);
    python_drop(callee);
    return answer;
}

static bool chooses(const struct Asked *asked)
{
    int status = 0;
    if (asked->outputs != 1 || asked->inputs < 1 || asked->inputs > CHOSEN_FROM)
        return false;
    struct Entry *entry = python_enter("aclopCompileAndExecute", &status);
    if (!entry)
        return false;
    PythonObject *items[] = {python_text(asked->type)};
    PythonObject *answer = ask("chooses", items, 1, &status);
    bool known = answer && python_to_integer(python_item(answer, 1));
    if (answer)
        python_drop(answer);
    python_leave(entry);
    return known;
}

/* Compute what Python was given; the result's shape is stored. */
static int ask_to_choose(const struct Asked *asked, const struct Staged *staged, int *count,
                         int64_t *dims)
{
    int status = 0;
    struct Entry *entry = python_enter("aclopCompileAndExecute", &status);
    if (!entry)
        return status;
    PythonObject *inputs[CHOSEN_FROM];
    for (int i = 0; i < asked->inputs; i++)
        inputs[i] = python_staged(&staged[i]);
    PythonObject *items[] = {python_text(asked->type), python_tuple(inputs, asked->inputs),
                             python_staged(&staged[asked->inputs]),
                             python_attributes(asked->attributes)};
    PythonObject *answer = ask("choose", items, ELEMENTS(items), &status);
    if (answer) {
        *count = (int)python_to_integer(python_item(answer, 1));
        for (int i = 0; i < *count; i++)
            dims[i] = python_to_integer(python_item(answer, 2 + i));
        python_drop(answer);
    }
    python_leave(entry);
    return status;
}

static int choose(const struct Asked *asked, aclrtStream stream)
{
    struct Staged staged[CHOSEN_FROM + 1] = {{{0}, 0, NULL}};
    int64_t dims[DESCRIBED_DIMS];
    int count = 0, last = asked->inputs, status = run_aclrtSynchronizeStream(stream);
    bool ready = !status && stage(asked->output_descs[0], asked->output_buffers[0], true, &staged[last]);
    for (int i = 0; ready && i < asked->inputs; i++)
        ready = stage(asked->input_descs[i], asked->input_buffers[i], false, &staged[i]);
    if (!ready && !status)
        status = FAIL(ACL_ERROR_INVALID_PARAM, "an input or the output has no memory");
    if (!status)
        status = ask_to_choose(asked, staged, &count, dims);
    if (!status && staged[last].bytes)
        status = run_aclrtMemcpy(run_aclGetDataBufferAddr(asked->output_buffers[0]),
                                 staged[last].bytes, staged[last].host, staged[last].bytes,
                                 ACL_MEMCPY_HOST_TO_DEVICE);
    if (!status)
        descriptor_reshape(asked->output_descs[0], count, dims);
    for (int i = 0; i <= last; i++)
        free(staged[i].host);
    return status;
}

static struct Operator *operator_named(const char *type)
{
    for (struct Operator *const *op = OPERATORS; *op; op++)
        if (strcasecmp((*op)->name + strlen("aclnn"), type) == 0 && (*op)->count <= PARAMETERS_AT_MOST)
            return *op;
    return NULL;
}

/* Give the outputs' descriptors the shapes of tensors whose elements decided them. */
static void tell_shapes(const struct Asked *asked, const struct Operator *op, const struct Given *given)
{
    for (int i = 0, out = 0; i < op->count; i++) {
        if (op->parameters[i].passing != PASS_TENSOR || !op->parameters[i].out)
            continue;
        int64_t dims[DESCRIBED_DIMS];
        int count = 0;
        handles_lock();
        struct Tensor *tensor = handle_find(TENSOR, given->tensors[i]);
        if (tensor) {
            count = (int)tensor->description.dims;
            memcpy(dims, tensor->description.numbers, count * sizeof *dims);
        }
        handles_unlock();
        if (tensor)
            descriptor_reshape(asked->output_descs[out], count, dims);
        out++;
    }
}

static int run(const struct Asked *asked, struct Operator *op, const struct Given *given,
               aclrtStream stream)
{
    uint64_t size = 0;
    aclOpExecutor *executor = NULL;
    void *workspace = NULL;
    int status = first_phase(op, given->arguments, &size, &executor);
    if (!status && size)
        status = run_aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_HUGE_FIRST);
    if (!status)
        status = second_phase(op, workspace, size, executor, stream);
    bool wait = workspace;
    for (int i = 0; i < op->count; i++)
        wait |= given->memory[i] != NULL; /* which is freed when it has run */
    int waited = wait ? run_aclrtSynchronizeStream(stream) : 0;
    if (!status && !waited && workspace) /* what counts elements has one */
        tell_shapes(asked, op, given);
    if (workspace)
        run_aclrtFree(workspace);
    return status ? status : waited;
}

/* Whether the caller hears of an error at once. A queue of torch_npu's would end at it, and all later
   operators would do nothing without an error: there, the stream tells when it is waited for. */
static bool told_at_once(void)
{
    const char *queue = getenv("TASK_QUEUE_ENABLE");
    return queue && strcmp(queue, "0") == 0;
}

/* Name what cannot be run, at once; its results would be old bytes otherwise. */
static int refuse(const struct Asked *asked, const char *reason, aclrtStream stream)
{
    char *text = NULL;
    if (asprintf(&text, "the operator %s is not computed: %s", asked->type, reason) < 0)
        return FAIL(ACL_ERROR_OP_NOT_FOUND, "the operator %s is not computed", asked->type);
    fprintf(stderr, "openaclnn: %s\n", text);
    int status = 0;
    if (told_at_once())
        status = fail_told(ACL_ERROR_OP_NOT_FOUND, "aclopCompileAndExecute", text);
    else
        stream_fail(stream, text);
    free(text);
    return status;
}

/* Why an operator is not one of ours, by the name of the function that would compute it. */
static int refuse_unknown(const struct Asked *asked, bool named, aclrtStream stream)
{
    char reason[512], looked_for[128];
    if (missing_function(looked_for, sizeof looked_for))
        snprintf(reason, sizeof reason, "openaclnn does not have %s yet", looked_for);
    else if (named)
        snprintf(reason, sizeof reason,
                 "its inputs, outputs or attributes are not those of aclnn%s; aclnn functions are "
                 "computed, operators by name only where both are the same", asked->type);
    else
        snprintf(reason, sizeof reason,
                 "openaclnn does not have aclnn%s, nor another function that the program looked for "
                 "first", asked->type);
    return refuse(asked, reason, stream);
}

static int execute(const struct Asked *asked, const aclopAttr *attr, aclrtStream stream)
{
    struct Given given = {0};
    uint64_t number;
    int status;
    if (!asked->type)
        return FAIL(ACL_ERROR_INVALID_PARAM, "opType is null; expected an operator's name");
    if ((status = stream_number(stream, "aclopCompileAndExecute", &number)))
        return status;
    struct Operator *op = operator_named(asked->type);
    handles_lock();
    struct Attributes *attributes = handle_find(ATTRIBUTES, attr);
    struct Asked full = *asked;
    full.attributes = attributes ? attributes->first : NULL; /* the caller keeps them meanwhile */
    handles_unlock();
    if (attr && !attributes)
        return fail_handle(ATTRIBUTES, attr, "aclopCompileAndExecute", "attr");
    if (is_copy(&full)) {
        status = copy(&full, stream);
    } else if (!op && chooses(&full)) {
        status = choose(&full, stream);
    } else if (!op || !matches(&full, op, &given)) {
        end(&given, op ? op->count : 0);
        return refuse_unknown(&full, op != NULL, stream);
    } else {
        status = run(&full, op, &given, stream);
        end(&given, op->count);
    }
    if (!status) {
        missing_function(NULL, 0); /* whatever it was, the program did without */
        return 0;
    }
    const char *message = run_aclGetRecentErrMsg();
    return refuse(&full, message ? message : "it was refused", stream);
}

aclError run_aclopCompileAndExecute(const char *opType, int numInputs,
                                    const aclTensorDesc *const *inputDesc,
                                    const aclDataBuffer *const *inputs, int numOutputs,
                                    const aclTensorDesc *const *outputDesc,
                                    aclDataBuffer *const *outputs, const aclopAttr *attr,
                                    aclopEngineType engineType, aclopCompileType compileFlag,
                                    const char *opPath, aclrtStream stream)
{
    (void)engineType, (void)compileFlag, (void)opPath;
    struct Asked asked = {opType, numInputs, numOutputs, inputDesc, outputDesc, inputs,
                          (const aclDataBuffer *const *)outputs, NULL};
    return execute(&asked, attr, stream);
}

aclError run_aclopCompileAndExecuteV2(const char *opType, int numInputs, aclTensorDesc **inputDesc,
                                      aclDataBuffer **inputs, int numOutputs,
                                      aclTensorDesc **outputDesc, aclDataBuffer **outputs,
                                      aclopAttr *attr, aclopEngineType engineType,
                                      aclopCompileType compileFlag, const char *opPath,
                                      aclrtStream stream)
{
    (void)engineType, (void)compileFlag, (void)opPath;
    struct Asked asked = {opType,
                          numInputs,
                          numOutputs,
                          (const aclTensorDesc *const *)inputDesc,
                          (const aclTensorDesc *const *)outputDesc,
                          (const aclDataBuffer *const *)inputs,
                          (const aclDataBuffer *const *)outputs,
                          NULL};
    return execute(&asked, attr, stream);
}

/* options of a compiler */

enum { OPTIONS = ACL_OP_DEBUG_OPTION + 1 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *options[OPTIONS];

static int check_option(const char *function, aclCompileOpt option)
{
    return (int)option >= 0 && (int)option < OPTIONS
               ? 0
               : fail(ACL_ERROR_INVALID_PARAM, function, "opt is %d; expected 0 to %d", (int)option,
                      OPTIONS - 1);
}

aclError run_aclSetCompileopt(aclCompileOpt opt, const char *value)
{
    int status = check_option(__func__, opt);
    if (status)
        return status;
    if (!value)
        return FAIL(ACL_ERROR_INVALID_PARAM, "value is null; expected a text");
    char *copy = strdup(value);
    pthread_mutex_lock(&lock);
    free(options[opt]);
    options[opt] = copy;
    pthread_mutex_unlock(&lock);
    return 0;
}

size_t run_aclGetCompileoptSize(aclCompileOpt opt)
{
    if (check_option(__func__, opt))
        return 0;
    pthread_mutex_lock(&lock);
    size_t size = options[opt] ? strlen(options[opt]) + 1 : 1;
    pthread_mutex_unlock(&lock);
    return size;
}

aclError run_aclGetCompileopt(aclCompileOpt opt, char *value, size_t length)
{
    int status = check_option(__func__, opt);
    if (status)
        return status;
    pthread_mutex_lock(&lock);
    const char *text = options[opt] ? options[opt] : "";
    bool fits = value && strlen(text) < length;
    if (fits)
        strcpy(value, text);
    pthread_mutex_unlock(&lock);
    return fits ? 0 : FAIL(ACL_ERROR_INVALID_PARAM, "value has %zu bytes; aclGetCompileoptSize tells "
                           "how many are needed", value ? length : (size_t)0);
}

/* what frameworks tell a profiler */

uint64_t run_MsprofGetHashId(const char *hashInfo, size_t length)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; hashInfo && i < length; i++)
        hash = (hash ^ (unsigned char)hashInfo[i]) * 1099511628211u;
    return hash;
}

uint64_t run_MsprofSysCycleTime(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
