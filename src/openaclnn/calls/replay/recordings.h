/* Calls that differ from earlier ones in sizes, strides, numbers and addresses: what Python did for
   those (recordings.py) is done again; of one call, or of its first phase for the second one to run. */
#pragma once
#include "launch.h"

enum { HEAD = 8 }; /* words of a launch before those that the kernel takes */

/* The recordings for a call, found sooner the next time: what is never met is the last, which makes
   room. */
static struct Recorded **recorded_of(struct Table *table, const struct Key *key)
{
    struct Recorded **all = table->recorded;
    for (int i = 0; i < RECORDED && all[i]; i++)
        if (all[i]->count == key->fact_count &&
            !memcmp(all[i]->words, key->facts, key->fact_count * sizeof *key->facts)) {
            struct Recorded *found = all[i];
            if (!i)
                return all;
            all[i] = all[i - 1];
            all[i - 1] = found;
            return &all[i - 1];
        }
    return NULL;
}

static void end_recorded(struct Recorded *recorded)
{
    if (recorded->users) {
        recorded->dropped = true;
        return;
    }
    struct Recorded kept = *recorded;
    free(recorded);
    let_go(&kept.launch, kept.results);
}

/* Whether a call is the one after so many like it, of which Python is to tell how it is launched: to
   replay takes a third of a small call's time. */
enum { OFTEN = 16 };
static bool comes_often(struct Table *table, const struct Key *key)
{
    uint64_t hash = hash_of(key), place = hash % MET;
    if (table->met[place] != hash) {
        table->met[place] = hash;
        table->times[place] = 0;
    }
    return table->times[place] <= OFTEN && table->times[place]++ == OFTEN;
}

static bool is_output(const struct Table *table, int operand)
{
    for (int k = 0; k < table->outputs; k++)
        if (table->output[k] == operand)
            return true;
    return false;
}

/* The inputs of recordings: sizes and strides in elements, attributes, addresses. False where there
   are no elements, or strides are no whole ones. */
static bool put_inputs(const struct Table *table, const struct Recorded *recorded,
                       const struct Given *given, bool made, int64_t *values)
{
    int64_t *value = values;
    for (int k = 0; k < table->operands; k++) {
        const struct View *view = &given->views[k];
        int64_t size = recorded->itemsizes[k];
        if (made && is_output(table, k))
            continue;
        if (!given->addresses[k] || view->dims > DIMS)
            return false;
        for (int64_t d = 0; d < view->dims; d++)
            if ((*value++ = view->sizes[d]) <= 0)
                return false;
        for (int64_t d = 0; d < view->dims; d++) {
            *value++ = size == 1 ? view->strides[d] : view->strides[d] / size;
            if (size != 1 && view->strides[d] % size)
                return false;
        }
    }
    memcpy(value, given->traced, given->count * sizeof *value);
    value += given->count;
    memcpy(value, given->addresses, table->operands * sizeof *value);
    return value + table->operands + 1 - values == recorded->inputs;
}

/* A result whose sizes are known now. */
static Object *make_result(const struct Result *like, const int32_t *slots, int32_t dims,
                           int64_t *values, int64_t *address)
{
    struct Result shape = *like;
    int64_t step = 1;
    shape.dims = dims;
    if (dims > DIMS)
        return NULL;
    for (int32_t d = dims - 1; d >= 0; d--) {
        shape.sizes[d] = values[slots[d]];
        shape.strides[d] = step;
        if (shape.sizes[d] <= 0 || __builtin_mul_overflow(step, shape.sizes[d], &step))
            return NULL;
    }
    return make(&shape, (uint64_t *)address);
}

/* The next launch of a leaf, its words; null: there is none. `at` is the first slot that is left. */
static uint64_t *next_launch(const struct Node *leaf, const int64_t *values, int32_t *at,
                             struct Launch *launch, uint64_t *block, int64_t *words)
{
    const int32_t *slot = leaf->word + leaf->words + *at;
    if (leaf->yes - *at < HEAD)
        return NULL;
    *words = values[slot[1]];
    if (*words > BLOCK || *words > leaf->yes - *at - HEAD)
        return NULL;
    launch->function = (void *)values[slot[0]];
    if (launch->on_gpu) {
        launch->programs = (uint32_t)values[slot[2]];
        launch->threads = (uint32_t)values[slot[3]];
        launch->shared = (uint32_t)values[slot[4]];
    } else {
        launch->of_units = (void *)values[slot[2]];
        launch->units = (uint64_t)values[slot[3]];
        launch->on_threads = (void (*)(void *, void *, int64_t, int32_t))values[slot[4]];
        launch->holding = (int32_t)values[slot[5]];
    }
    for (int64_t i = 0; i < *words; i++)
        block[i] = (uint64_t)values[slot[HEAD + i]];
    *at += HEAD + (int32_t)*words;
    return block;
}

static bool launch_all(const struct Recorded *recorded, const struct Node *leaf,
                       const int64_t *values)
{
    struct Launch launch = recorded->launch;
    uint64_t block[BLOCK];
    int64_t words;
    int32_t at = 0;
    while (next_launch(leaf, values, &at, &launch, block, &words))
        if (!launch_block(&launch, block, words))
            return false;
    return at > 0;
}

/* Make a call of which there are recordings. */
static bool adapt(struct Table *table, struct Recorded *recorded, Object *const *arguments,
                  const struct Given *found, Object **result)
{
    int64_t values[SLOTS];
    int32_t at = 0;
    struct Workspace workspace = {NULL, NULL};
    Object *out = arguments[table->changed >= 0 ? table->changed : table->tensors + table->attributes];
    bool given = out != NONE, of_torch = !recorded->results->dtype, fine = true;
    int made = 0;
    const struct Node *node = NULL;
    if (!put_inputs(table, recorded, found, !given, values))
        return false;
    int64_t *behind = values + recorded->inputs - 1; /* the addresses */
    if (given)
        Py_IncRef(out);
    else
        out = NULL;
    recorded->users++;
    while (fine && (node = replay(*recorded->tree, at, values)) && node->asks == MADE) {
        const int32_t *slots = node->word + node->words;
        at = node->yes;
        if (node->a == RESULT + made && made < table->outputs) {
            int64_t *result_at = behind - table->operands + table->output[made];
            Object *one = make_result(&recorded->results[made], slots, node->b, values, result_at);
            fine = add_result(&out, made++, table->outputs, one);
        } else if (!workspace.data) {
            fine = begin_workspace(&recorded->launch, recorded->results, values[slots[0]],
                                   &workspace);
        }
        *behind = (int64_t)workspace.data;
    }
    fine &= given || made == table->outputs;
    bool done = fine && out && node && launch_all(recorded, node, values);
    end_workspace(&workspace);
    if (--recorded->users == 0 && recorded->dropped)
        end_recorded(recorded);
    return hand_over(out, done, given && of_torch, result);
}

/* A call that phase 1 has laid, for phase 2 to run. */
struct Prepared {
    struct Launch launch; /* its `keep` is ours, too */
    int64_t words;
    uint64_t block[];
};
static const char PREPARED[] = "openaclnn prepared call";

static void end_prepared(Object *self)
{
    struct Prepared *prepared = PyCapsule_GetPointer(self, PREPARED);
    Object *keep = prepared->launch.keep;
    free(prepared);
    Py_DecRef(keep);
}

/* A call of one launch without a workspace; null where it is Python's to see to. */
static struct Prepared *lay_phase(struct Table *table, Object *const *arguments)
{
    struct Key key;
    struct Given given;
    int64_t values[SLOTS], words;
    uint64_t block[BLOCK];
    int32_t at = 0;
    if (!read_call(table, arguments, &key, &given))
        return NULL;
    struct Recorded **recorded = recorded_of(table, &key);
    if (!recorded || !put_inputs(table, *recorded, &given, false, values))
        return NULL;
    const struct Node *leaf = replay(*(*recorded)->tree, 0, values);
    struct Launch launch = (*recorded)->launch;
    if (!leaf || leaf->asks != LEAF || !next_launch(leaf, values, &at, &launch, block, &words) ||
        at != leaf->yes)
        return NULL;
    struct Prepared *prepared = malloc(sizeof *prepared + (size_t)words * sizeof *block);
    if (!prepared)
        return NULL;
    prepared->launch = launch;
    prepared->words = words;
    memcpy(prepared->block, block, (size_t)words * sizeof *block);
    Py_IncRef(launch.keep);
    return prepared;
}

/* A table for phase 1: where it has each argument, in C order. */
struct FirstPhase {
    struct Table *table;
    int32_t count, place[3 * OPERANDS];
};

/* What phase 2 is to run, or None. */
static Object *prepare(Object *self, Object *const *arguments, intptr_t count)
{
    const struct FirstPhase *first = PyCapsule_GetPointer(self, NAME);
    struct Table *table = first->table;
    Object *items[3 * OPERANDS];
    struct Prepared *prepared = NULL;
    int last = table->tensors + table->attributes;
    if (count == first->count) {
        items[last] = NONE; /* of what is changed in place there is no other */
        for (intptr_t i = 0; i < count; i++)
            items[first->place[i]] = arguments[i];
        prepared = lay_phase(table, items);
    }
    PyErr_Clear();
    Object *out = prepared ? items[table->changed >= 0 ? table->changed : last] : NULL;
    Object *found = prepared ? PyCapsule_New(prepared, PREPARED, end_prepared) : NONE;
    if (!prepared)
        Py_IncRef(NONE);
    if (out && found && out->type == torch.type && torch.written && !tell(out)) {
        Py_DecRef(found);
        return NULL;
    }
    return found;
}

/* Run a prepared call on a stream: whether that went well. */
static Object *run_prepared(Object *self, Object *const *arguments, intptr_t count)
{
    (void)self;
    struct Prepared *prepared = count == 2 ? PyCapsule_GetPointer(arguments[0], PREPARED) : NULL;
    if (!prepared)
        return NULL;
    uint64_t stream = PyLong_AsUnsignedLongLong(arguments[1]);
    if (PyErr_Occurred())
        return NULL;
    bool done =
        prepared->launch.on_gpu
            ? launch_on_stream(&prepared->launch, prepared->block, prepared->words, stream)
            : launch_block(&prepared->launch, prepared->block, prepared->words);
    Object *answer = (Object *)(done ? _Py_TrueStruct : _Py_FalseStruct);
    Py_IncRef(answer);
    return answer;
}
