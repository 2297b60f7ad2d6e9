/* Calls that differ from earlier ones in addresses, layouts and numbers only: what Python found out of
   the first of their form (calls/forms.py) holds for them, and plan.h lays the loop. A call is read
   from its key. What is not certain here is Python's to see to. All of this with the handles' lock. */
#include "internal.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function" /* a GPU's part */
#include "plan.h"
#pragma GCC diagnostic pop

#include <stdlib.h>

enum { FORMS = 32, FLOAT_CODE = ACL_FLOAT, DOUBLE_CODE = ACL_DOUBLE };

struct Known {
    struct CallKey key;
    struct Form form;
    struct Sharing sharing; /* of large calls; units are each call's own */
};
struct Layouts {
    uint64_t any; /* a bit for each attribute that may be any number */
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
    bool usual = bits - 1 < ((uint64_t)0x7FF << 52) - 1 && narrowed(&narrow);
    return usual && narrow != (uint64_t)0x3FF << 52 ? bits : 0; /* 1 has a kernel of its own */
}

/* An attribute: of one that may be any number the dtype is part of the form, else all of it. */
static bool read_attribute(struct Given *given, uint64_t any, enum Passing passing,
                           const void *bytes, size_t size)
{
    int number = given->attributes++;
    if (number >= OPERANDS)
        return false;
    uint64_t bits = any >> number & 1 ? usual_number(passing, bytes, size) : 0;
    if (!bits)
        return key_add(&given->form, bytes, size);
    given->numbers[number] = bits;
    given->taken |= (uint64_t)1 << number;
    return key_add(&given->form, bytes, passing == PASS_SCALAR ? sizeof(int32_t) : 0);
}

static bool read_call(const struct Operator *op, const struct CallKey *key, uint64_t any,
                      struct Given *given)
{
    size_t at = 0, size = 0;
    given->form.size = 0;
    given->tensors = given->attributes = 0;
    given->taken = 0;
    for (int i = 0; i < op->count; i++) {
        const struct Parameter *parameter = &op->parameters[i];
        const void *bytes = key_next(key, &at, &size);
        bool fine = parameter->passing != PASS_TENSOR
                        ? read_attribute(given, any, parameter->passing, bytes, size)
                    : bytes && parameter->used ? read_tensor(given, bytes)
                                               : key_add(&given->form, bytes, size);
        if (!fine)
            return false;
    }
    return true;
}

static struct Known *known_of(const struct Layouts *layouts, const struct CallKey *form)
{
    for (int i = 0; i < layouts->count; i++) {
        struct Known *known = layouts->known[i];
        if (known->key.size == form->size && !memcmp(known->key.bytes, form->bytes, form->size))
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

bool layouts_plan(const struct Operator *op, const struct CallKey *key, struct Work *work)
{
    struct Given given;
    struct Loop loop;
    int64_t numel;
    uint64_t *word = work->block, *end, units;
    const struct Known *known = NULL;
    if (read_call(op, key, op->layouts->any, &given))
        known = known_of(op->layouts, &given.form);
    const struct Form *form = known ? &known->form : NULL;
    if (!form || !lay_loop(form, &given, &loop, &numel) || numel >= form->below)
        return false;
    for (int k = 0; k < form->operands; k++)
        *word++ = given.addresses[form->places[k]] + (uint64_t)(loop.starts[k] * form->itemsizes[k]);
    if (!put_numbers(form, given.numbers, numel, word))
        return false;
    const struct Kernel *kernel = on_cpu(form, &loop, numel, word + form->numbers, &end, &units);
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

/* Another kernel of a form that is known. */
static void add_kernel(struct Form *form, const struct Kernel *kernel)
{
    for (int i = 0; i < form->kernels; i++)
        if (form->kernel[i].patterns == kernel->patterns && form->kernel[i].lanes == kernel->lanes)
            return;
    if (form->kernels < KERNELS)
        form->kernel[form->kernels++] = *kernel;
}

void layouts_learn(struct Operator *op, const struct CallKey *key, const struct Told *told)
{
    struct Given given;
    const struct Form *form = (const struct Form *)(told->bytes + told->block_bytes);
    if (told->form_bytes != sizeof *form || !read_call(op, key, told->any, &given) ||
        given.taken != told->taken)
        return;
    if (!op->layouts)
        op->layouts = calloc(1, sizeof *op->layouts);
    struct Layouts *layouts = op->layouts;
    if (!layouts)
        return;
    layouts->any = told->any;
    struct Known *known = known_of(layouts, &given.form);
    if (known) {
        add_kernel(&known->form, form->kernel);
    } else if ((known = calloc(1, sizeof *known))) {
        if (layouts->count == FORMS) { /* the oldest makes room */
            free(layouts->known[0]);
            memmove(layouts->known, layouts->known + 1, --layouts->count * sizeof known);
        }
        known->key = given.form;
        known->form = *form;
        layouts->known[layouts->count++] = known;
    }
    if (known && told->sharing.share)
        known->sharing = told->sharing;
}
