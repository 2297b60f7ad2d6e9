/* Both phases: what phase 1 lays for phase 2 to run. */
#pragma once
#include "new_layouts.h"

/* A call that phase 1 has laid, for phase 2 to run. */
struct Prepared {
    struct Launch launch; /* its `keep` is ours, too */
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

/* The launch of one pass over elements. */
static bool lay_one_pass(struct Door *door, const struct Form *form, const struct Key *key,
                         struct Given *given, uint64_t *block, struct Launch *launch)
{
    struct Result shape;
    struct Loop loop;
    int64_t numel;
    return lay_loop(door, form, given, &shape, false, &loop, &numel) &&
           !touches(form, &loop, given->addresses) &&
           plan(form, given, &loop, numel, below_for(form, numel, meet(door, form, key, numel)),
                block, launch);
}

/* The launch of one fold. */
static bool lay_one_fold(const struct Form *form, const struct Given *given, uint64_t *block,
                         struct Launch *launch)
{
    struct Course course;
    struct FoldTiling tiling;
    struct Work work;
    for (int t = 0; t < form->tensors; t++)
        if (!given->addresses[t])
            return false;
    if (!course_of(form, given->views, false, &course) ||
        output_of_pass_is_odd(form, given->views, given->addresses))
        return false;
    if (form->on_gpu) {
        struct GpuFold cut;
        return plan_fold_on_gpu(form, given->views, &course, given->addresses, &cut, block,
                                launch) &&
               cut.parts == 1; /* else there is a workspace */
    }
    if (!lay_fold(form, given->views, &course, given->addresses, &tiling, &work))
        return false;
    bool serial = work.numel < form->serial_below;
    if (!(serial || share))
        return false;
    launch->function = work.kernel->function;
    launch->on_threads = (void (*)(void *, void *, int64_t, int32_t))work.kernel->on_threads;
    launch->units = serial ? 1 : (uint64_t)work.units;
    launch->holding = work.numel < form->holding_below;
    launch->block_words = BLOCK;
    memcpy(block, work.block, sizeof work.block);
    return true;
}

/* A call of a known form in any layout; null where it is Python's to see to. */
static struct Prepared *lay_phase(struct Door *door, Object *const *arguments)
{
    struct Key key;
    struct Given given;
    uint64_t block[BLOCK];
    if (!read_call(door, arguments, &key, &given))
        return NULL;
    int64_t values[LINES];
    struct NewLayouts **known = form_of(door, &key, &given, values);
    if (!known || ((*known)->sums ? (*known)->sums->passes : (*known)->passes) > 1)
        return NULL;
    const struct Form *form = (*known)->forms;
    struct Launch launch = (*known)->launch;
    uint32_t often = (*known)->sums && form->on_gpu ? (*meetings(door, &key))++ : 0;
    if (!((*known)->sums ? plan_reckoned(*known, values, &given, often, &block, &launch)
          : of_elements(*known) ? lay_one_pass(door, form, &key, &given, block, &launch)
                                : form->folds && lay_one_fold(form, &given, block, &launch)))
        return NULL;
    size_t size = launch.block_words * sizeof *block;
    struct Prepared *prepared = malloc(sizeof *prepared + size);
    if (!prepared)
        return NULL;
    prepared->launch = launch;
    memcpy(prepared->block, block, size);
    Py_IncRef(launch.keep);
    return prepared;
}

/* A door for phase 1: where it has each argument, in C order. */
struct FirstPhase {
    struct Door *door;
    int32_t count, place[3 * OPERANDS];
};

/* What phase 2 is to run, or None. */
static Object *prepare(Object *self, Object *const *arguments, intptr_t count)
{
    const struct FirstPhase *first = PyCapsule_GetPointer(self, NAME);
    struct Door *door = first->door;
    Object *items[3 * OPERANDS];
    struct Prepared *prepared = NULL;
    int last = door->tensors + door->attributes;
    if (count == first->count) {
        items[last] = NONE; /* of what is changed in place there is no other */
        for (intptr_t i = 0; i < count; i++)
            items[first->place[i]] = arguments[i];
        prepared = lay_phase(door, items);
    }
    PyErr_Clear();
    Object *out = prepared ? items[door->changed >= 0 ? door->changed : last] : NULL;
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
    bool done = prepared->launch.on_gpu
                    ? launch_on_stream(&prepared->launch, prepared->block, stream)
                    : launch_block(&prepared->launch, prepared->block);
    Object *answer = (Object *)(done ? _Py_TrueStruct : _Py_FalseStruct);
    Py_IncRef(answer);
    return answer;
}
