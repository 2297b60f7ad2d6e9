/* Calls that differ from earlier ones in addresses, layouts and numbers only: what Python found out of
   the first of their form (calls/forms.py) holds for them, and plan.h lays the loop; of operators that
   move elements reckoning.h finds out first what their passes are over. A call is read from its key.
   What is not certain here is Python's to see to. All of this with the handles' lock. */
#include "internal.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function" /* a GPU's part */
#include "reckoning.h"
#pragma GCC diagnostic pop

#include <stdlib.h>

enum { FORMS = 32, FLOAT_CODE = ACL_FLOAT, DOUBLE_CODE = ACL_DOUBLE };

struct Known {
    struct CallKey key;
    struct Sharing sharing; /* of large calls; units are each call's own */
    struct Sums *sums;      /* what passes are over, where that is reckoned; else null */
    void (*in_turn)(void *block); /* runs several */
    int count;
    struct Form forms[]; /* of its passes that are not alike */
};
struct Layouts {
    uint64_t any;    /* a bit for each attribute that may be any number */
    uint64_t wholes; /* for each that a reckoning is given */
    int count;
    struct Known *known[FORMS];
};

/* A call taken apart: what its form has in common with others, and what is its own. */
struct Given {
    struct CallKey form;
    int tensors, attributes;
    uint64_t addresses[OPERANDS]; /* of first elements */
    struct View views[OPERANDS];
    uint64_t numbers[OPERANDS]; /* attributes as float64, by their bits */
    uint64_t taken;             /* a bit for each of them that is not part of the form */
    int64_t wholes[WHOLES];
    int wholes_count;
};

/* A tensor that is read or written; false where it may not lie inside its storage and its memory. */
static bool read_tensor(struct Given *given, const struct Description *its)
{
    const int64_t *sizes = its->numbers, *strides = sizes + its->dims, *storage = strides + its->dims;
    const int32_t facts[] = {its->dtype, its->format};
    int64_t low = its->offset, high = low, reach, room = 1, end;
    int64_t itemsize = (int64_t)run_aclDataTypeSize((aclDataType)its->dtype);
    if (!its->data || !itemsize || its->dims > DIMS || given->tensors == OPERANDS)
        return false;
    for (uint64_t d = 0; d < its->dims; d++) {
        int64_t *side = strides[d] < 0 ? &low : &high;
        if (sizes[d] <= 0 || __builtin_mul_overflow(sizes[d] - 1, strides[d], &reach) ||
            __builtin_add_overflow(*side, reach, side))
            return false;
    }
    for (uint64_t d = 0; d < its->storage_dims; d++)
        if (storage[d] < 0 || __builtin_mul_overflow(room, storage[d], &room))
            return false;
    if (low < 0 || high >= room || __builtin_mul_overflow(room, itemsize, &room) ||
        __builtin_add_overflow((int64_t)its->data, room, &end))
        return false;
    uint64_t first = (uint64_t)its->data + low * itemsize;
    if (its->memory.start && (first < its->memory.start ||
                              (uint64_t)its->data + (high + 1) * itemsize > its->memory.end))
        return false;
    given->addresses[given->tensors] = (uint64_t)its->data + its->offset * itemsize;
    given->views[given->tensors++] = (struct View){(int64_t)its->dims, sizes, strides};
    return key_add(&given->form, facts, sizeof facts);
}

/* A float32 as a float64, by its bits; 0 where it is not ordinary. */
static uint64_t widened(uint32_t bits)
{
    uint32_t exponent = bits >> 23 & 0xFF;
    if (bits >> 31 || !exponent || exponent == 0xFF)
        return 0;
    return (uint64_t)(exponent + 1023 - 127) << 52 | (uint64_t)(bits & 0x7FFFFF) << 29;
}

/* A number that kernels take as it comes; 0 where it is none, or none of the usual. */
static uint64_t usual_number(enum Passing passing, const void *bytes, size_t size)
{
    int32_t dtype = passing == PASS_DOUBLE ? DOUBLE_CODE : FLOAT_CODE;
    uint64_t bits = 0, narrow;
    uint32_t single;
    if (!bytes)
        return 0;
    if (passing == PASS_SCALAR) {
        memcpy(&dtype, bytes, sizeof dtype);
        bytes = (const char *)bytes + sizeof dtype;
        size -= sizeof dtype;
    }
    if (dtype == DOUBLE_CODE && size == sizeof bits) {
        memcpy(&bits, bytes, sizeof bits);
    } else if (dtype == FLOAT_CODE && size == sizeof single) {
        memcpy(&single, bytes, sizeof single);
        bits = widened(single);
    }
    narrow = bits;
    bool usual = bits - 1 < ((uint64_t)0x7FF << 52) - 1 && narrowed(&narrow, TO_FLOAT);
    return usual && narrow != (uint64_t)0x3FF << 52 ? bits : 0; /* 1 has a kernel of its own */
}

/* Whole numbers that a reckoning is given: how many there are is part of the form. */
static bool read_wholes(struct Given *given, const void *bytes, size_t size)
{
    uint64_t count = size / sizeof *given->wholes;
    if (!bytes)
        return key_add(&given->form, NULL, 0);
    if (count > (uint64_t)(WHOLES - given->wholes_count))
        return false;
    memcpy(given->wholes + given->wholes_count, bytes, size);
    given->wholes_count += (int)count;
    return key_add(&given->form, &count, sizeof count);
}

/* An attribute: of one that may be any number the dtype is part of the form, else all of it. */
static bool read_attribute(struct Given *given, uint64_t any, uint64_t wholes, enum Passing passing,
                           const void *bytes, size_t size)
{
    int number = given->attributes++;
    if (number >= OPERANDS)
        return false;
    if (wholes >> number & 1)
        return read_wholes(given, bytes, size);
    uint64_t bits = any >> number & 1 ? usual_number(passing, bytes, size) : 0;
    if (!bits)
        return key_add(&given->form, bytes, size);
    given->numbers[number] = bits;
    given->taken |= (uint64_t)1 << number;
    return key_add(&given->form, bytes, passing == PASS_SCALAR ? sizeof(int32_t) : 0);
}

/* A list of tensors: how many there are is part of the form. */
static bool read_list(struct Given *given, const struct CallKey *key, size_t *at, const void *bytes)
{
    uint64_t count;
    size_t size = 0;
    memcpy(&count, bytes, sizeof count);
    bool fine = key_add(&given->form, &count, sizeof count);
    for (uint64_t i = 0; i < count && fine; i++) {
        bytes = key_next(key, at, &size);
        fine = bytes && read_tensor(given, bytes);
    }
    return fine;
}

static bool read_call(const struct Operator *op, const struct CallKey *key, uint64_t any,
                      uint64_t wholes, struct Given *given)
{
    size_t at = 0, size = 0;
    given->form.size = 0;
    given->tensors = given->attributes = given->wholes_count = 0;
    given->taken = 0;
    for (int i = 0; i < op->count; i++) {
        const struct Parameter *parameter = &op->parameters[i];
        const void *bytes = key_next(key, &at, &size);
        bool is_list = parameter->passing == PASS_TENSOR_LIST;
        bool fine = parameter->passing != PASS_TENSOR && !is_list
                        ? read_attribute(given, any, wholes, parameter->passing, bytes, size)
                    : bytes && is_list         ? parameter->used && read_list(given, key, &at, bytes)
                    : bytes && parameter->used ? read_tensor(given, bytes)
                                               : key_add(&given->form, bytes, size);
        if (!fine)
            return false;
    }
    return true;
}

/* What is known of a call like this one; of one that is reckoned, by the sums that are its own, which
   give these values. */
static struct Known *known_of(const struct Layouts *layouts, const struct Given *given,
                              int64_t *values)
{
    for (int i = 0; i < layouts->count; i++) {
        struct Known *known = layouts->known[i];
        if (known->key.size == given->form.size &&
            !memcmp(known->key.bytes, given->form.bytes, given->form.size) &&
            (!known->sums || reckon(known->sums, given->views, false, given->wholes,
                                    given->wholes_count, values)))
            return known;
    }
    return NULL;
}

/* The loop over a call's tensors; false where a rule may forbid it, or the output touches what is
   read. */
static bool lay_loop(const struct Form *form, const struct Given *given, struct Loop *loop,
                     int64_t *numel)
{
    int64_t dims, sizes[DIMS];
    if (given->tensors != form->tensors || !shape_of(form, given->views, false, &dims, sizes))
        return false;
    *numel = 1;
    for (int64_t d = 0; d < dims; d++)
        if (__builtin_mul_overflow(*numel, sizes[d], numel))
            return false;
    return lay(form, given->views, dims, sizes, loop) && !touches(form, loop, given->addresses);
}

/* The block of a pass over elements, and its kernel; null: it is Python's to see to. */
static const struct Kernel *plan_pass(const struct Form *form, const struct Loop *loop,
                                      int64_t numel, const uint64_t *addresses,
                                      const uint64_t *numbers, uint64_t *block, uint64_t **end,
                                      uint64_t *units)
{
    if (numel >= form->below)
        return NULL;
    for (int k = 0; k < form->operands; k++) {
        uint64_t address = form->places[k] < 0 ? 0 : addresses[form->places[k]];
        *block++ = address + (uint64_t)(loop->starts[k] * form->itemsizes[k]);
    }
    if (!put_numbers(form, numbers, numel, block))
        return NULL;
    return on_cpu(form, loop, numel, block + form->numbers, end, units);
}

/* The work of one pass whose kernel has its block. */
static bool one_pass(const struct Known *known, const struct Form *form,
                     const struct Kernel *kernel, int64_t numel, uint64_t units,
                     const uint64_t *end, struct Work *work)
{
    bool large = numel >= form->serial_below && units > 1;
    if (!kernel || (large && !known->sharing.share))
        return false;
    work->kernel = (void (*)(void *))kernel->function;
    work->sharing = large ? known->sharing : (struct Sharing){0};
    work->sharing.of_units = kernel->of_units;
    work->sharing.units = (int64_t)units;
    work->sharing.on_threads = NULL; /* of calls of several kernels; here is one */
    work->size = (size_t)(end - work->block) * sizeof *end;
    return true;
}

/* Passes one after the other, in a block as `_in_turn` of engines/cpu/launch.py has it: the tensors'
   addresses, and two more words; for every pass its kernel, its block's length, its operands, how
   threads share it, of every operand the word with its address and what is added to it, then its
   block; 0. */
enum { PASS_HEAD = 5 };
static bool several_passes(const struct Known *known, const struct Given *given,
                           const int64_t *values, struct Work *work)
{
    const struct Sums *sums = known->sums;
    const int64_t *at = reading_of(sums).pass;
    int64_t most = 0;
    uint64_t *word = work->block, *end, units;
    void *of_units = NULL; /* of the pass that has most of them */
    if (!known->in_turn || output_of_sums_is_odd(sums, false, given->views, given->addresses))
        return false;
    for (int t = 0; t < given->tensors; t++)
        *word++ = given->addresses[t];
    *word++ = 0;
    *word++ = 0;
    for (int64_t p = 0; p < sums->passes; p++) {
        struct ReckonedPass pass;
        uint64_t none[OPERANDS] = {0};
        if (!next_pass(&at, values, known->forms, &pass))
            return false;
        int n = pass.form->operands, dims = pass.loop.dims > 2 ? pass.loop.dims - 2 : 0;
        int words = PASS_HEAD + 3 * n + pass.form->numbers + 3 * AXES + 2 + AXES * n + dims * (n + 1);
        uint64_t *block = word + PASS_HEAD + 2 * n;
        if (word + words + 1 > work->block + BLOCK)
            return false;
        const struct Kernel *kernel = plan_pass(pass.form, &pass.loop, pass.numel, none,
                                                given->numbers, block, &end, &units);
        if (!kernel)
            return false;
        bool shared = pass.numel >= pass.form->serial_below && units > 1;
        word[0] = (uint64_t)kernel->function;
        word[1] = (uint64_t)(end - block);
        word[2] = (uint64_t)n;
        word[3] = shared ? (uint64_t)kernel->of_units : 0;
        word[4] = shared ? units : 0;
        for (int k = 0; k < n; k++) {
            bool nowhere = pass.form->places[k] < 0;
            word[PASS_HEAD + 2 * k] = nowhere ? (uint64_t)given->tensors : (uint64_t)pass.tensors[k];
            word[PASS_HEAD + 2 * k + 1] = block[k]; /* from the tensor's first element */
        }
        if (shared && (int64_t)units > most) {
            most = (int64_t)units;
            of_units = kernel->of_units;
        }
        word = end;
    }
    bool large = most > 0;
    if (large && !(known->sharing.share && known->sharing.on_threads))
        return false;
    *word++ = 0;
    work->kernel = known->in_turn;
    work->sharing = large ? known->sharing : (struct Sharing){0};
    work->sharing.of_units = of_units;
    work->sharing.units = most;
    work->size = (size_t)(word - work->block) * sizeof *word;
    return true;
}

/* The work of a call that is reckoned. */
static bool plan_reckoned(const struct Known *known, const struct Given *given,
                          const int64_t *values, struct Work *work)
{
    const int64_t *at = reading_of(known->sums).pass;
    struct ReckonedPass pass;
    uint64_t addresses[OPERANDS], *end, units;
    if (known->sums->passes > 1)
        return several_passes(known, given, values, work);
    if (!next_pass(&at, values, known->forms, &pass))
        return false;
    for (int k = 0; k < pass.form->operands; k++)
        addresses[k] = pass.form->places[k] < 0 ? 0 : given->addresses[pass.tensors[k]];
    if (touches(pass.form, &pass.loop, addresses))
        return false;
    const struct Kernel *kernel = plan_pass(pass.form, &pass.loop, pass.numel, addresses,
                                            given->numbers, work->block, &end, &units);
    return one_pass(known, pass.form, kernel, pass.numel, units, end, work);
}

bool layouts_plan(const struct Operator *op, const struct CallKey *key, struct Work *work)
{
    struct Given given;
    struct Loop loop;
    int64_t numel, values[LINES];
    uint64_t *end, units;
    const struct Known *known = NULL;
    if (read_call(op, key, op->layouts->any, op->layouts->wholes, &given))
        known = known_of(op->layouts, &given, values);
    if (known && known->sums)
        return plan_reckoned(known, &given, values, work);
    const struct Form *form = known ? known->forms : NULL;
    if (!form || !lay_loop(form, &given, &loop, &numel))
        return false;
    const struct Kernel *kernel = plan_pass(form, &loop, numel, given.addresses, given.numbers,
                                            work->block, &end, &units);
    return one_pass(known, form, kernel, numel, units, end, work);
}

/* Another kernel of a form that is known. */
static void add_kernel(struct Form *form, const struct Kernel *kernel)
{
    for (int i = 0; i < form->kernels; i++)
        if (form->kernel[i].patterns == kernel->patterns && form->kernel[i].lanes == kernel->lanes)
            return;
    if (form->kernels < KERNELS)
        form->kernel[form->kernels++] = *kernel;
}

/* What is known of a form that was not, or of sums that were not; null: there is no room. */
static struct Known *new_known(struct Layouts *layouts, const struct Given *given,
                               const struct Told *told)
{
    const unsigned char *forms = told->bytes + told->block_bytes;
    struct Known *known = calloc(1, sizeof *known + told->form_bytes);
    struct Sums *sums = told->sums_bytes ? malloc(told->sums_bytes) : NULL;
    if (!known || (told->sums_bytes && !sums)) {
        free(known);
        free(sums);
        return NULL;
    }
    if (layouts->count == FORMS) { /* the oldest makes room */
        free(layouts->known[0]->sums);
        free(layouts->known[0]);
        memmove(layouts->known, layouts->known + 1, --layouts->count * sizeof known);
    }
    known->key = given->form;
    known->count = (int)(told->form_bytes / sizeof *known->forms);
    memcpy(known->forms, forms, told->form_bytes);
    if (sums)
        known->sums = memcpy(sums, forms + told->form_bytes, told->sums_bytes);
    known->in_turn = (void (*)(void *))told->kernel;
    return layouts->known[layouts->count++] = known;
}

void layouts_learn(struct Operator *op, const struct CallKey *key, const struct Told *told)
{
    struct Given given;
    int64_t values[LINES];
    const struct Form *forms = (const struct Form *)(told->bytes + told->block_bytes);
    if (told->form_bytes % sizeof *forms ||
        !read_call(op, key, told->any, told->wholes, &given) || given.taken != told->taken)
        return;
    if (!op->layouts)
        op->layouts = calloc(1, sizeof *op->layouts);
    struct Layouts *layouts = op->layouts;
    if (!layouts)
        return;
    layouts->any = told->any;
    layouts->wholes = told->wholes;
    struct Known *known = known_of(layouts, &given, values);
    if (!known)
        known = new_known(layouts, &given, told);
    else
        for (int f = 0; f < known->count; f++)
            for (int i = 0; i < forms[f].kernels; i++)
                add_kernel(&known->forms[f], &forms[f].kernel[i]);
    if (known && told->sharing.share)
        known->sharing = told->sharing;
}
