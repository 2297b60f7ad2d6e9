/* Calls of a known form in a new layout or shape, or with a new number: their loops are laid by
   plan.h, those of calls that fold or have several passes by folds.h; what operators that work on parts
   of their tensors do with these is reckoned before (reckoning.h). */
#pragma once
#include "recipes.h"

/* Let a form be found sooner: what is new is the last, which makes room. */
static struct NewLayouts **up(struct NewLayouts **forms, int i)
{
    if (!i)
        return forms;
    struct NewLayouts *before = forms[i - 1];
    forms[i - 1] = forms[i];
    forms[i] = before;
    return &forms[i - 1];
}

/* The form of a call, where it is known; of one that is reckoned, the sums that are its own, which
   give these values. */
static struct NewLayouts **form_of(struct Door *door, const struct Key *key,
                                   const struct Given *given, int64_t *values)
{
    for (int i = 0; i < FORMS && door->forms[i]; i++) {
        const struct NewLayouts *known = door->forms[i];
        if (known->count == key->form_count &&
            !memcmp(known->words, key->form, key->form_count * sizeof *key->form) &&
            (!known->sums || reckon(known->sums, given->views, known->forms->in_bytes,
                                    given->wholes, given->wholes_count, values)))
            return up(door->forms, i);
    }
    return NULL;
}

static void end_form(struct NewLayouts *known)
{
    if (known->users) {
        known->dropped = true;
        return;
    }
    Object *kept[] = {known->launch.keep, known->launch.stream, known->result.dtype};
    free(known->forms);
    free(known->sums);
    free(known);
    for (int i = 0; i < 3; i++) /* last: this may run anything */
        Py_DecRef(kept[i]);
}

/* The output of a call that is about to be launched: the one that was given, or one that is made. */
static Object *begin(struct NewLayouts *known, Object *given, const struct Result *shape,
                     uint64_t *address)
{
    known->users++;
    if (given == NONE)
        return make(shape, address);
    Py_IncRef(given);
    return given;
}

static void leave_form(struct NewLayouts *known)
{
    if (--known->users == 0 && known->dropped)
        end_form(known);
}

/* A call's loop, and what its result is like, where that is to be made. */
static bool lay_loop(const struct Door *door, const struct Form *form, struct Given *given,
                     struct Result *result, bool made, struct Loop *loop, int64_t *numel)
{
    int64_t strides[DIMS];
    if (!shape_of(form, given->views, made, &result->dims, result->sizes))
        return false;
    int64_t size = made && form->in_bytes ? form->itemsizes[form->operands - 1] : 1;
    *numel = 1;
    for (int64_t d = result->dims - 1; d >= 0; d--) {
        result->strides[d] = *numel;
        strides[d] = *numel * size;
        if (__builtin_mul_overflow(*numel, result->sizes[d], numel))
            return false;
    }
    if (made)
        given->views[door->output] = (struct View){result->dims, result->sizes, strides};
    return *numel && lay(form, given->views, result->dims, result->sizes, loop);
}

/* How often calls like this one were laid anew, which a caller counts. */
static uint32_t *meetings(struct Door *door, const struct Key *key)
{
    uint64_t hash = hash_of(key), place = hash % MET;
    if (door->met[place] != hash) {
        door->met[place] = hash;
        door->times[place] = 0;
    }
    return &door->times[place];
}

/* The same of a call of one pass, which is counted where it matters. */
static uint32_t meet(struct Door *door, const struct Form *form, const struct Key *key,
                     int64_t numel)
{
    return form->on_gpu && numel >= form->below ? (*meetings(door, key))++ : 0;
}

/* Elements of a call below which its layout has a GPU's kernel for any layout. A layout that was met
   so `often` has it, though one cut for it is faster, until it has taken as much longer as Python takes
   to cut one, 0.9 ms: 2^20 elements transposed take 5 µs longer, 2^25 150. */
enum { WORTH_CUTTING = 1 << 27 };
static int64_t below_for(const struct Form *form, int64_t numel, uint32_t often)
{
    bool rather = form->on_gpu && numel <= WORTH_CUTTING / ((int64_t)often + 1);
    return rather ? WORTH_CUTTING : form->below;
}

/* Launch a GPU's kernel on a block that ends here. */
static void give_kernel(const struct Kernel *kernel, uint64_t *block, uint64_t *end,
                        struct Launch *launch)
{
    *end++ = 0; /* Triton's scratch memory, of which there is none */
    *end++ = 0;
    launch->function = kernel->function;
    launch->threads = (uint32_t)kernel->threads;
    launch->shared = (uint32_t)kernel->shared;
    launch->block_words = (uint64_t)(end - block);
}

/* What a new layout's kernel takes; false where Python is to see to it. */
static bool plan(const struct Form *form, const struct Given *given, struct Loop *loop,
                 int64_t numel, int64_t below, uint64_t *block, struct Launch *launch)
{
    uint64_t *word = block + form->operands, *end, together = 0;
    if (!put_numbers(form, given->numbers, numel, word))
        return false;
    word += form->numbers;
    for (int k = 0; k < form->operands; k++) {
        bool somewhere = form->places[k] >= 0;
        uint64_t address = somewhere ? given->addresses[form->places[k]] : 0;
        uint64_t size = form->itemsizes[k];
        block[k] = address + (uint64_t)loop->starts[k] * size;
        together |= block[k];
        if ((somewhere && !address) || (form->on_gpu && block[k] % (size < 8 ? size : 8)))
            return false;
    }
    const struct Kernel *kernel;
    if (form->on_gpu) {
        kernel = on_gpu(form, loop, numel, below, together % 16 == 0, word, &end,
                        &launch->programs);
        if (!kernel)
            return false;
        give_kernel(kernel, block, end, launch);
        return true;
    }
    bool serial = numel < form->serial_below;
    if (numel >= form->below || !(serial || share))
        return false;
    kernel = on_cpu(form, loop, numel, word, &end, &launch->units);
    if (!kernel)
        return false;
    launch->holding = numel < form->holding_below;
    launch->of_units = kernel->of_units;
    if (serial)
        launch->units = 1;
    launch->function = kernel->function;
    launch->block_words = (uint64_t)(end - block);
    return true;
}

/* Make a call of a known form in a layout, or with a number, of its own. */
static bool adapt(struct Door *door, struct NewLayouts *known, const struct Key *key,
                  Object *const *arguments, struct Given *found, Object **result)
{
    const struct Form *form = known->forms;
    struct Result shape = known->result;
    struct Launch launch = known->launch;
    struct Loop loop;
    uint64_t block[BLOCK];
    int64_t numel;
    Object *out = arguments[door->changed >= 0 ? door->changed : door->tensors + door->attributes];
    bool given = out != NONE, of_torch = !shape.dtype;
    if (!lay_loop(door, form, found, &shape, !given, &loop, &numel) ||
        (given && touches(form, &loop, found->addresses)))
        return false;
    if (!given)
        found->addresses[door->output] = 16; /* until it is made, to know whether it is worth it */
    int64_t below = below_for(form, numel, meet(door, form, key, numel));
    if (!plan(form, found, &loop, numel, below, block, &launch))
        return false;
    out = begin(known, out, &shape, &found->addresses[door->output]);
    bool done = out && plan(form, found, &loop, numel, below, block, &launch) &&
                launch_block(&launch, block);
    leave_form(known);
    return hand_over(out, done, given && of_torch, result);
}

/* The launches of a call that is reckoned; false where Python is to see to it. */
static bool plan_reckoned(const struct NewLayouts *known, const int64_t *values,
                          const struct Given *given, uint32_t often, uint64_t (*blocks)[BLOCK],
                          struct Launch *launches)
{
    const int64_t *at = reading_of(known->sums).pass;
    struct ReckonedPass pass;
    struct Given part; /* the tensors by operands */
    for (int p = 0; p < known->sums->passes; p++) {
        if (!next_pass(&at, values, known->forms, &pass))
            return false;
        const struct Form *form = pass.form;
        for (int k = 0; k < form->operands; k++)
            part.addresses[k] = form->places[k] < 0 ? 0 : given->addresses[pass.tensors[k]];
        launches[p] = known->launch;
        if ((known->sums->passes == 1 && touches(form, &pass.loop, part.addresses)) ||
            !plan(form, &part, &pass.loop, pass.numel, below_for(form, pass.numel, often),
                  blocks[p], &launches[p]))
            return false;
    }
    return true;
}

/* The result of a call that is reckoned. */
static bool shape_reckoned(const struct Sums *sums, const int64_t *values, struct Result *result)
{
    const int64_t *size = reading_of(sums).result;
    int64_t step = 1;
    result->dims = sums->dims;
    for (int64_t d = sums->dims - 1; d >= 0; d--) {
        result->sizes[d] = values[size[d]];
        result->strides[d] = step;
        if (result->sizes[d] <= 0 || __builtin_mul_overflow(step, result->sizes[d], &step))
            return false;
    }
    return true;
}

/* Make a call that is reckoned. */
static bool adapt_reckoned(struct Door *door, struct NewLayouts *known, const struct Key *key,
                           const int64_t *values, Object *const *arguments, struct Given *found,
                           Object **result)
{
    struct Result shape = known->result;
    uint64_t blocks[PASSES][BLOCK];
    struct Launch launches[PASSES];
    Object *out = arguments[door->changed >= 0 ? door->changed : door->tensors + door->attributes];
    bool given = out != NONE, of_torch = !shape.dtype;
    uint32_t often = known->forms->on_gpu ? (*meetings(door, key))++ : 0;
    if (given ? known->sums->passes > 1 &&
                    output_of_sums_is_odd(known->sums, known->forms->in_bytes, found->views,
                                          found->addresses)
              : !shape_reckoned(known->sums, values, &shape))
        return false;
    if (!given)
        found->addresses[door->output] = 16; /* until it is made, to know whether it is worth it */
    if (!plan_reckoned(known, values, found, often, blocks, launches))
        return false;
    out = begin(known, out, &shape, &found->addresses[door->output]);
    bool done =
        out && (given || plan_reckoned(known, values, found, often, blocks, launches));
    for (int p = 0; p < known->sums->passes && done; p++)
        done = launch_block(&launches[p], blocks[p]);
    leave_form(known);
    return hand_over(out, done, given && of_torch, result);
}

/* Run passes that are laid: one after the other, or unit by unit. */
static void run_passes(const struct NewLayouts *known, struct Work *work, int count, bool together)
{
    const struct Form *form = known->forms;
    struct Work *last = &work[count - 1];
    int64_t most = 0, threads = 1;
    for (int p = 0; p < count; p++)
        most = work[p].numel > most ? work[p].numel : most;
    if (most >= form->serial_below && share)
        threads = count_threads();
    void *state = most < form->holding_below ? NULL : PyEval_SaveThread();
    for (int p = together ? count : 0; p < count; p++) {
        const struct Kernel *kernel = work[p].kernel;
        int64_t some = threads < work[p].units ? threads : work[p].units;
        if (some < 2 || work[p].numel < form->serial_below)
            ((void (*)(void *))kernel->function)(work[p].block);
        else if (kernel->on_threads)
            ((void (*)(void *, void *, int64_t, int32_t))kernel->on_threads)(
                (void *)share, work[p].block, work[p].units, (int32_t)some);
        else
            share(kernel->of_units, work[p].block, work[p].units, (int32_t)some);
    }
    if (together) {
        uint64_t words[2 * OPERANDS];
        int64_t some = threads < last->units ? threads : last->units;
        for (int p = 0; p < count; p++) {
            words[2 * p] = (uint64_t)work[p].kernel->of_units;
            words[2 * p + 1] = (uint64_t)work[p].block;
        }
        if (some > 1)
            share(known->launch.function, words, last->units, (int32_t)some);
        else
            ((void (*)(void *, int64_t, int64_t))known->launch.function)(words, 0, last->units);
    }
    if (state)
        PyEval_RestoreThread(state);
}

/* The launch of a fold, or of all passes over rows, by a GPU's kernel; null: it is Python's. */
static const struct Kernel *plan_fold_on_gpu(const struct Form *form, const struct View *views,
                                             const struct Course *course,
                                             const uint64_t *addresses, struct GpuFold *cut,
                                             uint64_t *block, struct Launch *launch)
{
    uint64_t *end;
    if (!cut_on_gpu(form, views, course, addresses, cut))
        return NULL;
    const struct Kernel *kernel = fold_on_gpu(form, cut, block, &end);
    if (kernel) {
        launch->programs = (uint32_t)cut->programs;
        give_kernel(kernel, block, end, launch);
    }
    return kernel;
}

enum { BYTES = 0 }; /* PyTorch's code of uint8 */

/* Launch a fold, and what merges its parts: of those PyTorch has the memory, as a graph's or a
   stream's. */
static bool run_fold_on_gpu(const struct NewLayouts *known, const struct View *views,
                            const struct Course *course, const uint64_t *addresses)
{
    const struct Form *form = known->forms;
    struct GpuFold cut;
    struct Launch launch = known->launch;
    uint64_t block[BLOCK], out;
    const struct Kernel *kernel =
        plan_fold_on_gpu(form, views, course, addresses, &cut, block, &launch);
    if (!kernel || (cut.parts > 1 && !kernel->merging))
        return false;
    if (cut.parts == 1)
        return launch_on_gpu(&launch, block);
    const struct Result *like = &known->result;
    int64_t size = cut.outputs * cut.parts * form->states, step = 1;
    void *states, *data = NULL;
    if (torch.empty(1, &size, &step, BYTES, like->device_type, like->device_index, &states))
        return false;
    torch.data(states, &data);
    out = cut.pointers[form->operands - 1];
    block[form->operands - 1] = (uint64_t)data;
    bool done = data && launch_on_gpu(&launch, block);
    block[0] = (uint64_t)data;
    block[1] = out;
    uint64_t *end = put_parameters(kernel, kernel->parameters, kernel->all_parameters, cut.numbers,
                                   block + 2);
    launch.programs = (uint32_t)cut.outputs;
    give_kernel(kernel, block, end, &launch);
    launch.function = kernel->merging;
    launch.threads = (uint32_t)kernel->merging_threads;
    launch.shared = (uint32_t)kernel->merging_shared;
    done = done && launch_on_gpu(&launch, block);
    torch.drop(states);
    return done;
}

/* Lay a call's passes over tensors and slots, and run them; false where Python is to see to it. */
static bool lay_and_run(const struct NewLayouts *known, struct Given *found,
                        const struct Course *course)
{
    const struct Form *form = known->forms;
    bool together = false;
    int tensors = form->tensors, count = known->passes;
    struct Work work[OPERANDS];
    uint64_t addresses[2 * OPERANDS], near[1024], *slots = near;
    int64_t kept = course->terms.numel;
    for (int64_t d = 0; d < course->terms.dims; d++)
        if (course->over >> d & 1)
            kept /= course->terms.sizes[d];
    for (int t = 0; t < tensors; t++) {
        addresses[t] = found->addresses[t];
        if (!addresses[t])
            return false;
    }
    if (form->on_gpu)
        return run_fold_on_gpu(known, found->views, course, addresses);
    if ((count - 1) * kept > 1024)
        slots = malloc((size_t)(count - 1) * (size_t)kept * sizeof *slots);
    for (int p = 0; p < count - 1; p++)
        addresses[tensors + p] = (uint64_t)(slots + p * kept);
    bool done = slots && lay_passes(known->forms, count, found->views, course, addresses, work,
                                    &together);
    if (done)
        run_passes(known, work, count, together);
    if (slots != near)
        free(slots);
    return done;
}

/* Make a call of a known form that folds, or has several passes, in a layout of its own. */
static bool adapt_passes(struct Door *door, struct NewLayouts *known, Object *const *arguments,
                         struct Given *found, Object **result)
{
    const struct Form *last = &known->forms[known->passes - 1];
    struct Result shape = known->result;
    struct Course course;
    int64_t strides[DIMS], step = 1;
    int written = last->tensors - 1;
    Object *out = arguments[door->tensors + door->attributes];
    bool given = out != NONE, of_torch = !shape.dtype;
    if (!course_of(last, found->views, !given, &course) ||
        (given && output_of_pass_is_odd(last, found->views, found->addresses)))
        return false;
    if (!given) {
        shape.dims = course.result.dims;
        memcpy(shape.sizes, course.result.sizes, sizeof shape.sizes);
        for (int64_t d = shape.dims - 1; d >= 0; d--) {
            shape.strides[d] = step;
            strides[d] = step * (last->in_bytes ? last->itemsizes[last->operands - 1] : 1);
            step *= shape.sizes[d];
        }
        found->views[written] = (struct View){shape.dims, shape.sizes, strides};
    }
    out = begin(known, out, &shape, &found->addresses[written]);
    bool done = out && lay_and_run(known, found, &course);
    leave_form(known);
    return hand_over(out, done, given && of_torch, result);
}

/* Whether a form's calls are of one pass over elements of whole tensors. */
static bool of_elements(const struct NewLayouts *known)
{
    return known->passes == 1 && !known->sums && !known->forms->folds;
}
