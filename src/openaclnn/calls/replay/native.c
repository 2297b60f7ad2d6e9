/* The table of calls on arrays: what a call is told apart by is read from them into words (objects.h);
   where an equal call had the same words, its kernel runs on this one's addresses (launch.h). One that
   differs in its layout or a number is replayed (recordings.h). Whatever is unusual, fails, or was never
   met is Python's: `slow` gets the same arguments, and says what is wrong with them. */
#include "recordings.h"

/* Make a call that is like earlier ones; false where it is not. A null result: Python has an
   error. */
static bool take(struct Table *table, Object *const *arguments, Object **result)
{
    struct Key key;
    struct Given given;
    if (!read_call(table, arguments, &key, &given))
        return false;
    struct Known *known = table->latest;
    if (!known || !is_for(known, &key))
        known = *place_of(table, &key);
    if (known) {
        table->latest = known;
        return follow(table, known, arguments, &given, result);
    }
    struct Recorded **recorded = recorded_of(table, &key);
    return recorded && !comes_often(table, &key) &&
           adapt(table, *recorded, arguments, &given, result);
}

/* A function of Python's: the table, and what takes a call that it does not know. */
struct Entrance {
    struct Table *table;
    Object *slow;
};

/* What Python answers where C knows no answer. */
static Object *ask(Object *slow, Object *const *arguments, intptr_t count)
{
    PyErr_Clear();
    Object *all = PyTuple_New(count);
    for (intptr_t i = 0; all && i < count; i++) {
        Py_IncRef(arguments[i]);
        PyTuple_SetItem(all, i, arguments[i]);
    }
    Object *result = all ? PyObject_CallObject(slow, all) : NULL;
    Py_DecRef(all);
    return result;
}

static Object *enter(Object *self, Object *const *arguments, intptr_t count)
{
    const struct Entrance *entrance = PyCapsule_GetPointer(self, NAME);
    struct Table *table = entrance->table;
    Object *result = NULL;
    if (count == table->tensors + table->attributes + 1 && take(table, arguments, &result))
        return result;
    return ask(entrance->slow, arguments, count);
}

/* The tables of an operator that takes a list of tensors, by its length, or tensors that may be None, by
   those that are given, a bit for each: to a table they are arguments of their own. */
enum { VARIANTS = 32 };
struct Variants {
    int list; /* its place among the arguments; -1: there is none */
    int tensors, arguments;
    struct Table *tables[VARIANTS];
};
struct VariantsEntrance {
    struct Variants *variants;
    Object *slow;
};

/* The table for these arguments, and what it takes; null where there is none. */
static struct Table *table_for(const struct Variants *variants, Object *const *arguments,
                             Object **flat, int *count)
{
    Object *const *rest = arguments + variants->tensors;
    Object *given = variants->list < 0 ? NULL : arguments[variants->list];
    intptr_t which = 0;
    *count = 0;
    for (int i = 0; i < variants->tensors; i++)
        if (arguments[i] != given && (given || arguments[i] != NONE)) {
            which |= given ? 0 : 1 << i;
            flat[(*count)++] = arguments[i];
        } else if (given) {
            bool list = given->type == (Object *)PyList_Type;
            if (!list && given->type != (Object *)PyTuple_Type)
                return NULL;
            which = list ? PyList_Size(given) : PyTuple_Size(given);
            for (intptr_t k = 0; k < which && which < VARIANTS; k++)
                flat[(*count)++] = list ? PyList_GetItem(given, k) : PyTuple_GetItem(given, k);
        }
    for (int i = variants->tensors; i < variants->arguments; i++)
        flat[(*count)++] = *rest++;
    return which < VARIANTS ? variants->tables[which] : NULL;
}

static Object *enter_variant(Object *self, Object *const *arguments, intptr_t count)
{
    const struct VariantsEntrance *entrance = PyCapsule_GetPointer(self, NAME);
    Object *flat[count + VARIANTS], *result = NULL;
    int given = 0;
    struct Table *table = count == entrance->variants->arguments
                            ? table_for(entrance->variants, arguments, flat, &given)
                            : NULL;
    if (table) {
        for (int i = 0; i < given; i++) /* a list may be changed while Python's lock is away */
            Py_IncRef(flat[i]);
        bool taken = take(table, flat, &result);
        for (int i = 0; i < given; i++)
            Py_DecRef(flat[i]);
        if (taken)
            return result;
    }
    return ask(entrance->slow, arguments, count);
}

/* What native.py calls, with Python's lock. */

#define EXPORT __attribute__((visibility("default")))

EXPORT void use_numpy(const struct Numpy *given)
{
    numpy = *given;
}

EXPORT void use_torch(const struct Torch *given)
{
    torch = *given;
}

EXPORT void use_threads(void (*by)(void *, void *, int64_t, int32_t), Object *count)
{
    Py_IncRef(count);
    threads = count;
    share = by;
}

EXPORT struct Table *new_table(const struct Table *given)
{
    struct Table *table = calloc(1, sizeof *table);
    if (table)
        memcpy(table, given, offsetof(struct Table, latest));
    return table;
}

/* A function of Python's that knows something, of which it gets a copy that stays. */
static Object *function_with(struct Method *method, const void *known, size_t size)
{
    void *kept = malloc(size);
    Object *self = kept ? PyCapsule_New(memcpy(kept, known, size), NAME, NULL) : NULL;
    Object *function = self ? PyCFunction_NewEx(method, self, NULL) : NULL;
    Py_DecRef(self);
    return function;
}

/* A function that takes every argument of an operator by its place, then `out`. */
EXPORT Object *entrance(struct Table *table, Object *slow)
{
    static struct Method method = {"call", enter, METH_FASTCALL, NULL};
    Py_IncRef(slow);
    return function_with(&method, &(struct Entrance){table, slow}, sizeof(struct Entrance));
}

EXPORT struct Variants *new_variants(int list, int tensors, int arguments)
{
    struct Variants *variants = calloc(1, sizeof *variants);
    if (variants)
        *variants = (struct Variants){list, tensors, arguments, {0}};
    return variants;
}

EXPORT void use_for(struct Variants *variants, int which, struct Table *table)
{
    if (variants && which < VARIANTS)
        variants->tables[which] = table;
}

/* The same for an operator of several tables. */
EXPORT Object *variants_entrance(struct Variants *variants, Object *slow)
{
    static struct Method method = {"call", enter_variant, METH_FASTCALL, NULL};
    struct VariantsEntrance entrance = {variants, slow};
    Py_IncRef(slow);
    return function_with(&method, &entrance, sizeof entrance);
}

/* Whether a tree answers for these inputs, addresses of results among them. */
EXPORT bool answers(const int32_t *tree, const int64_t *inputs, int64_t count)
{
    int64_t values[SLOTS];
    const struct Node *node = NULL;
    memcpy(values, inputs, (size_t)count * sizeof *values);
    for (int32_t at = 0; (node = replay(tree, at, values)) && node->asks == MADE;)
        at = node->yes;
    return node;
}

/* A function of nothing: is_quiet. */
EXPORT Object *quiet(void)
{
    static struct Method method = {"is_quiet", is_quiet, METH_FASTCALL, NULL};
    return PyCFunction_NewEx(&method, NULL, NULL);
}

/* A function of an operator's arguments in C order, and one of what it gives and a stream. */
EXPORT Object *first_phase(const struct FirstPhase *given)
{
    static struct Method method = {"prepare", prepare, METH_FASTCALL, NULL};
    return function_with(&method, given, sizeof *given);
}

EXPORT Object *second_phase(void)
{
    static struct Method method = {"run", run_prepared, METH_FASTCALL, NULL};
    return PyCFunction_NewEx(&method, NULL, NULL);
}

/* What a result is like, and where it lies. */
static bool read_result(struct Result *found, Object *result, uint64_t *address)
{
    if (result->type == numpy.type) {
        const struct Array *array = (const struct Array *)result;
        found->dims = array->dims;
        found->dtype = array->dtype;
        Py_IncRef(found->dtype);
        if (found->dims <= DIMS)
            memcpy(found->sizes, array->sizes, array->dims * sizeof *array->sizes);
        *address = (uint64_t)array->data;
        return found->dims <= DIMS;
    }
    void *tensor = (char *)result + torch.tensor, *data;
    int64_t *sizes, *strides;
    if (torch.dims(tensor, &found->dims) || found->dims > DIMS || torch.sizes(tensor, &sizes) ||
        torch.strides(tensor, &strides) || torch.dtype(tensor, &found->code) ||
        torch.device_type(tensor, &found->device_type) ||
        torch.device_index(tensor, &found->device_index) || torch.data(tensor, &data))
        return false;
    memcpy(found->sizes, sizes, found->dims * sizeof *sizes);
    memcpy(found->strides, strides, found->dims * sizeof *strides);
    *address = (uint64_t)data;
    return true;
}

static void forget_all(struct Table *table)
{
    struct Known *all[ROOM];
    memcpy(all, table->known, sizeof all);
    memset(table->known, 0, sizeof table->known);
    memset(table->times, 0, sizeof table->times);
    table->latest = NULL;
    table->known_count = 0;
    for (int i = 0; i < ROOM; i++) /* last: this may run anything */
        if (all[i])
            end_known(all[i]);
}

/* The same of every result, of several in a tuple. */
static bool read_results(const struct Table *table, struct Result *found, Object *result)
{
    uint64_t address;
    for (int k = 0; k < table->outputs; k++)
        if (!read_result(&found[k], table->outputs > 1 ? PyTuple_GetItem(result, k) : result, &address))
            return false;
    return true;
}

/* What Python knows of a launch: words without addresses, and where these are added. */
struct Told {
    struct Launch launch;
    const uint64_t *block;
    const struct Pointer *pointers;
    const struct Near *near;
    int64_t block_words, pointer_count, workspace;
};

/* A call that is told, or null. */
static struct Known *new_known(const struct Table *table, const struct Key *key, Object *result,
                               const struct Told *told)
{
    struct Known *known = calloc(1, sizeof *known + key->count * sizeof *key->words);
    size_t size = (size_t)told->block_words * sizeof *told->block, all;
    all = size + (size_t)told->pointer_count * sizeof *told->pointers;
    uint64_t *block = known ? malloc(all) : NULL;
    struct Result *results = block ? calloc(OUTPUTS, sizeof *results) : NULL;
    if (!results || !read_results(table, results, result)) {
        if (results)
            let_go(&(struct Launch){0}, results);
        free(results);
        free(block);
        free(known);
        return NULL;
    }
    known->launch = told->launch;
    known->results = results;
    known->block = memcpy(block, told->block, size);
    known->block_words = told->block_words;
    known->pointers = memcpy(block + told->block_words, told->pointers, all - size);
    known->pointer_count = told->pointer_count;
    known->workspace = told->workspace;
    Py_IncRef(told->launch.keep);
    Py_IncRef(told->launch.stream);
    memcpy(known->near, told->near, table->operands * sizeof *told->near);
    known->count = key->count;
    memcpy(known->words, key->words, key->count * sizeof *key->words);
    return known;
}

/* What a call that went well has; `arguments` is a tuple. */
static bool read_tuple(struct Table *table, Object *arguments, struct Key *key, struct Given *given)
{
    int count = table->tensors + table->attributes + 1;
    Object *items[count];
    for (int i = 0; i < count; i++) {
        items[i] = PyTuple_GetItem(arguments, i);
        if (torch.type && type_of(items[i]) == torch.type)
            learn_keys(items[i]);
    }
    if (read_call(table, items, key, given))
        return true;
    PyErr_Clear();
    return false;
}

/* Remember how a call that went well was launched. */
EXPORT void learn(struct Table *table, Object *arguments, Object *result, const struct Told *told)
{
    struct Key key;
    struct Given given;
    if (told->block_words > BLOCK || !read_tuple(table, arguments, &key, &given))
        return;
    struct Known *known = new_known(table, &key, result, told);
    if (!known)
        return;
    if (table->known_count >= KNOWN)
        forget_all(table);
    struct Known **place = place_of(table, &key), *before = *place;
    *place = table->latest = known;
    table->known_count += !before;
    if (before)
        end_known(before);
}

/* Remember in which tree recordings of calls like one that went well are. */
EXPORT void learn_tree(struct Table *table, Object *arguments, Object *result,
                       const struct Launch *launch, const int32_t **tree, int64_t inputs,
                       const int64_t *itemsizes)
{
    struct Key key;
    struct Given given;
    if (!read_tuple(table, arguments, &key, &given) || key.fact_count > FACTS)
        return;
    struct Recorded **place = recorded_of(table, &key), *before = place ? *place : NULL;
    if (before && before->tree == tree)
        return;
    struct Recorded *made = calloc(1, sizeof *made);
    if (!made || !read_results(table, made->results, result)) {
        if (made)
            let_go(&(struct Launch){0}, made->results);
        free(made);
        return;
    }
    made->launch = *launch;
    Py_IncRef(launch->keep);
    Py_IncRef(launch->stream);
    made->tree = tree;
    made->inputs = inputs;
    memcpy(made->itemsizes, itemsizes, sizeof made->itemsizes);
    made->count = key.fact_count;
    memcpy(made->words, key.facts, key.fact_count * sizeof *key.facts);
    if (!place) {
        place = table->recorded;
        while (place < table->recorded + RECORDED - 1 && *place)
            place++;
        before = *place; /* the last makes room */
    }
    *place = made;
    if (before)
        end_recorded(before);
}
