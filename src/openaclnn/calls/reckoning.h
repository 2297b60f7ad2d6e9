/* The sums that reckoning.py wrote down of an operator that moves elements, done for a call of other
   sizes: which elements each of its passes reads and writes. */
#pragma once
#include "plan.h"

enum { LINES = 1024, WHOLES = 64, PASSES = 12 };
enum { CONSTANT, ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER, BELOW, NOT_BELOW, SAME, NOT_SAME };

/* What is written down: words, then these, each a line's number but for counts. */
struct Sums {
    int64_t words; /* of all, this one included */
    int64_t tensors, wholes, lines, dims, passes;
    struct {
        int64_t rank, itemsize; /* of a tensor; rank -1: it is to be made */
    } tensor[];
    /* for every line what it does, and its operands; the result's sizes; for every pass its form, how
       many dimensions it has, of every operand the tensor that it is, then sizes, and of every
       operand where it starts, and its strides */
};

/* Which words of Sums are what. */
struct Reading {
    const int64_t *line, *result, *pass;
};

static struct Reading reading_of(const struct Sums *sums)
{
    const int64_t *line = &sums->tensor[sums->tensors].rank, *result = line + 3 * sums->lines;
    return (struct Reading){line, result, result + sums->dims};
}

/* A quotient towards minus infinity, as Python's; false where there is none. */
static bool divide(int64_t a, int64_t b, int64_t *quotient)
{
    if (!b || (b == -1 && a == INT64_MIN))
        return false;
    *quotient = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return true;
}

static bool do_line(const int64_t *line, const int64_t *values, int64_t *value)
{
    if (line[0] == CONSTANT) {
        *value = line[1];
        return true;
    }
    int64_t a = values[line[1]], b = values[line[2]];
    switch (line[0]) {
    case ADD:
        return !__builtin_add_overflow(a, b, value);
    case SUBTRACT:
        return !__builtin_sub_overflow(a, b, value);
    case MULTIPLY:
        return !__builtin_mul_overflow(a, b, value);
    case DIVIDE:
        return divide(a, b, value);
    case REMAINDER:
        if (!divide(a, b, value))
            return false;
        *value = a - *value * b;
        return true;
    case BELOW:
        return a < b;
    case NOT_BELOW:
        return a >= b;
    case SAME:
        return a == b;
    default:
        return a != b;
    }
}

/* Do the sums for a call's tensors and whole attributes; false where they are not its sums. */
static bool reckon(const struct Sums *sums, const struct View *views, bool in_bytes,
                   const int64_t *wholes, int count, int64_t *values)
{
    const int64_t *line = reading_of(sums).line;
    int64_t *value = values;
    if (count != sums->wholes)
        return false;
    for (int64_t t = 0; t < sums->tensors; t++) {
        int64_t rank = sums->tensor[t].rank, unit = in_bytes ? sums->tensor[t].itemsize : 1;
        if (rank < 0)
            continue;
        if (views[t].dims != rank || rank > DIMS)
            return false;
        for (int64_t d = 0; d < rank; d++) {
            value[d] = views[t].sizes[d];
            value[rank + d] = views[t].strides[d] / unit;
            if (views[t].strides[d] % unit)
                return false;
        }
        value += 2 * rank;
    }
    memcpy(value, wholes, count * sizeof *value);
    value += count;
    for (int64_t i = 0; i < sums->lines; i++, line += 3)
        if (!do_line(line, values, value++))
            return false;
    return true;
}

/* `output_is_odd` of a call that is reckoned. */
static bool output_of_sums_is_odd(const struct Sums *sums, bool in_bytes, const struct View *views,
                                  const uint64_t *addresses)
{
    int64_t itemsizes[OPERANDS];
    for (int64_t t = 0; t < sums->tensors; t++)
        itemsizes[t] = sums->tensor[t].itemsize;
    return output_is_odd(itemsizes, (int)sums->tensors, in_bytes, views, addresses);
}

/* A pass over parts of a call's tensors. */
struct ReckonedPass {
    const struct Form *form;
    const int64_t *tensors; /* that its operands are */
    struct Loop loop;
    int64_t numel;
};

/* The pass that stands at `at`, which moves to the next; false where it has no elements, or an output
   may have two indices for one. */
static bool next_pass(const int64_t **at, const int64_t *values, const struct Form *forms,
                      struct ReckonedPass *pass)
{
    const int64_t *word = *at;
    struct Loop *loop = &pass->loop;
    int64_t *numel = &pass->numel;
    pass->form = &forms[*word++];
    int64_t dims = *word++, n = pass->form->operands;
    struct Dim found[DIMS];
    pass->tensors = word;
    word += n;
    *numel = 1;
    for (int64_t d = 0; d < dims; d++) {
        found[d] = (struct Dim){values[*word++], {0}};
        if (__builtin_mul_overflow(*numel, found[d].size, numel) || found[d].size <= 0)
            return false;
    }
    loop->operands = (int)n;
    for (int64_t k = 0; k < n; k++) {
        loop->starts[k] = values[*word++];
        for (int64_t d = 0; d < dims; d++)
            found[d].strides[k] = values[*word++];
    }
    *at = word;
    walk(found, (int)dims, (int)n - 1, loop);
    return is_apart(loop, (int)n - 1);
}
