/* Calls that differ from earlier ones in sizes, strides, numbers and addresses only: what Python did for
   those (calls/replay/recordings.py) is done again (calls/replay/replay.h). A call is read from its key. What no
   recording answers is Python's to see to. All of this with the handles' lock. */
#include "internal.h"
#include "replay.h"

#include <stdlib.h>

enum { KNOWN = 128, HEAD = 8, BLOCK = 512, DIMS = 16 };

/* The recordings of calls that have this key in common. */
struct Known {
    struct CallKey key;
    uint64_t tree; /* Python's number for it */
    int64_t inputs, count;
    int32_t *words;
};
struct Recordings {
    uint64_t traced; /* a bit for each attribute that is an input */
    int count;
    struct Known *known[KNOWN];
};

/* A call taken apart: what it has in common with others, and what recordings are given. */
struct Given {
    struct CallKey key;
    int tensors, attributes;
    int64_t count, values[SLOTS], addresses[64];
};

static bool give(struct Given *given, const int64_t *values, uint64_t count)
{
    if (count > (uint64_t)(SLOTS / 2 - given->count))
        return false;
    memcpy(given->values + given->count, values, count * sizeof *values);
    given->count += (int64_t)count;
    return true;
}

/* A tensor that is read or written; false where it may not lie inside its storage and its memory. */
static bool read_tensor(struct Given *given, const struct Description *its)
{
    const int64_t *sizes = its->numbers, *strides = sizes + its->dims, *storage = strides + its->dims;
    const int32_t facts[] = {its->dtype, its->format, (int32_t)its->dims};
    int64_t low = its->offset, high = low, reach, room = 1, end;
    int64_t itemsize = (int64_t)run_aclDataTypeSize((aclDataType)its->dtype);
    if (!its->data || !itemsize || its->dims > DIMS ||
        given->tensors == (int)(sizeof given->addresses / sizeof *given->addresses))
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
    given->addresses[given->tensors++] = (int64_t)its->data + its->offset * itemsize;
    return give(given, sizes, its->dims) && give(given, strides, its->dims) &&
           key_add(&given->key, facts, sizeof facts);
}

/* A float32 as a float64, by its bits; false where it is subnormal, infinite or NaN. */
static bool widened(uint32_t bits, int64_t *found)
{
    uint64_t exponent = bits >> 23 & 0xFF, sign = (uint64_t)(bits >> 31) << 63;
    *found = (int64_t)sign;
    if (!(bits << 1))
        return true;
    *found |= (int64_t)((exponent + 1023 - 127) << 52 | (uint64_t)(bits & 0x7FFFFF) << 29);
    return exponent && exponent != 0xFF;
}

/* A number that is an input; false where it is for Python. */
static bool give_number(struct Given *given, bool is_double, const void *bytes)
{
    int64_t bits;
    uint32_t single;
    if (is_double) {
        memcpy(&bits, bytes, sizeof bits);
    } else {
        memcpy(&single, bytes, sizeof single);
        if (!widened(single, &bits))
            return false;
    }
    return give(given, &bits, 1);
}

/* An attribute that is an input: of a list its length is in common, of a scalar its dtype, which tells
   floats from what is no input. */
static bool read_input(struct Given *given, enum Passing passing, const void *bytes, size_t size)
{
    int32_t dtype;
    uint64_t count = size / sizeof *given->values;
    switch (passing) {
    case PASS_INTEGER:
        return give(given, bytes, 1);
    case PASS_INT_ARRAY:
        return key_add(&given->key, &count, sizeof count) && give(given, bytes, count);
    case PASS_FLOAT:
    case PASS_DOUBLE:
        return give_number(given, passing == PASS_DOUBLE, bytes);
    case PASS_SCALAR:
        memcpy(&dtype, bytes, sizeof dtype);
        if (dtype != ACL_FLOAT && dtype != ACL_DOUBLE)
            return key_add(&given->key, bytes, size);
        return key_add(&given->key, &dtype, sizeof dtype) &&
               give_number(given, dtype == ACL_DOUBLE, (const char *)bytes + sizeof dtype);
    default:
        return false;
    }
}

static bool read_attribute(struct Given *given, uint64_t traced, enum Passing passing,
                           const void *bytes, size_t size)
{
    int number = given->attributes++;
    if (number >= 64)
        return false;
    return bytes && traced >> number & 1 ? read_input(given, passing, bytes, size)
                                         : key_add(&given->key, bytes, size);
}

/* A list of tensors: how many there are is in common. */
static bool read_list(struct Given *given, const struct CallKey *key, size_t *at, const void *bytes)
{
    uint64_t count;
    size_t size = 0;
    memcpy(&count, bytes, sizeof count);
    bool fine = key_add(&given->key, &count, sizeof count);
    for (uint64_t i = 0; i < count && fine; i++) {
        bytes = key_next(key, at, &size);
        fine = bytes && read_tensor(given, bytes);
    }
    return fine;
}

/* Tensors first, as recordings have their inputs, then attributes, then addresses. */
static bool read_call(const struct Operator *op, const struct CallKey *key, uint64_t traced,
                      struct Given *given)
{
    given->key.size = 0;
    given->tensors = given->attributes = 0;
    given->count = 0;
    for (int attributes = 0; attributes < 2; attributes++) {
        size_t at = 0, size = 0;
        for (int i = 0; i < op->count; i++) {
            const struct Parameter *parameter = &op->parameters[i];
            const void *bytes = key_next(key, &at, &size);
            bool is_list = parameter->passing == PASS_TENSOR_LIST, fine = true;
            bool is_tensor = is_list || parameter->passing == PASS_TENSOR;
            if (is_list && bytes && attributes) { /* its members are arguments of their own */
                uint64_t count;
                memcpy(&count, bytes, sizeof count);
                while (count--)
                    key_next(key, &at, &size);
            } else if (!is_tensor == attributes) {
                fine = !is_tensor ? read_attribute(given, traced, parameter->passing, bytes, size)
                       : bytes && is_list ? parameter->used && read_list(given, key, &at, bytes)
                       : bytes && parameter->used ? read_tensor(given, bytes)
                                                  : key_add(&given->key, bytes, size);
            }
            if (!fine)
                return false;
        }
    }
    int64_t workspace = 0; /* there is none */
    return give(given, given->addresses, (uint64_t)given->tensors) && give(given, &workspace, 1);
}

static struct Known *known_of(const struct Recordings *recordings, const struct Given *given)
{
    for (int i = 0; i < recordings->count; i++) {
        struct Known *known = recordings->known[i];
        if (known->key.size == given->key.size &&
            !memcmp(known->key.bytes, given->key.bytes, given->key.size))
            return known;
    }
    return NULL;
}

/* What a call's values lead to, where its workspace is at an address: the function, how many words it
   takes, how threads share it, and these words. */
static bool replay_at(const struct Known *known, struct Given *given, int64_t address,
                      struct Work *work)
{
    int64_t *value = given->values;
    int32_t at = 0;
    const struct Node *leaf;
    work->workspace = 0;
    value[given->count - 1] = 0;
    while ((leaf = replay(known->words, at, value)) && leaf->asks == MADE) {
        if (leaf->a != WORKSPACE || work->workspace)
            return false;
        work->workspace = (uint64_t)value[leaf->word[leaf->words]];
        value[given->count - 1] = address;
        at = leaf->yes;
    }
    if (!leaf || leaf->asks != LEAF || leaf->yes < HEAD || leaf->yes - HEAD > BLOCK)
        return false;
    const int32_t *slot = leaf->word + leaf->words;
    int64_t words = value[slot[1]];
    work->kernel = (void (*)(void *))value[slot[0]];
    work->sharing = (struct Sharing){
        (void *)value[slot[2]], value[slot[3]],
        (void (*)(void *, void *, int64_t, int32_t))value[slot[6]], value[slot[7]],
        (void (*)(void *, void *, int64_t, int32_t))value[slot[4]]};
    work->size = (size_t)words * sizeof *work->block;
    for (int64_t i = 0; i < words && i < BLOCK; i++)
        work->block[i] = (uint64_t)value[slot[HEAD + i]];
    return leaf->yes == HEAD + words;
}

/* Of two answers for workspaces at 0 and at another address: the words to which it is added. */
static bool find_moved(struct Work *work, const struct Work *other, uint64_t address)
{
    size_t words = work->size / sizeof *work->block;
    if (other->kernel != work->kernel || other->size != work->size ||
        other->workspace != work->workspace)
        return false;
    for (size_t i = 0; i < words; i++) {
        if (other->block[i] == work->block[i])
            continue;
        if (other->block[i] - work->block[i] != address ||
            work->moved_count == (int)(sizeof work->moved / sizeof *work->moved))
            return false;
        work->moved[work->moved_count++] = i;
    }
    return true;
}

bool recordings_replay(const struct Operator *op, const struct CallKey *key, struct Work *work)
{
    enum { ELSEWHERE = 1 << 30 };
    struct Given given;
    const struct Known *known = NULL;
    struct Work other;
    if (read_call(op, key, op->recordings->traced, &given))
        known = known_of(op->recordings, &given);
    work->moved_count = work->limit_count = 0;
    if (!known || known->inputs != given.count || !known->count ||
        !replay_at(known, &given, 0, work))
        return false;
    return !work->workspace || (replay_at(known, &given, ELSEWHERE, &other) &&
                                find_moved(work, &other, ELSEWHERE));
}

/* The recordings of a key that is new; null: there is no room. */
static struct Known *new_known(struct Recordings *recordings, const struct Given *given)
{
    struct Known *known = recordings->count < KNOWN ? calloc(1, sizeof *known) : NULL;
    if (known) {
        known->key = given->key;
        known->inputs = given->count;
        recordings->known[recordings->count++] = known;
    }
    return known;
}

/* Where the tree's new words are. */
static const void *told_tree(const struct Told *told)
{
    return told->bytes + told->block_bytes + told->moved_count * sizeof(uint64_t) +
           told->limit_count * sizeof(struct Limit);
}

void recordings_add(struct Operator *op, const struct CallKey *key, const struct Told *told)
{
    struct Given given;
    if (!op->recordings)
        op->recordings = calloc(1, sizeof *op->recordings);
    if (!op->recordings || !read_call(op, key, told->traced, &given))
        return;
    op->recordings->traced = told->traced;
    struct Known *known = known_of(op->recordings, &given);
    if (!known)
        known = new_known(op->recordings, &given);
    if (!known)
        return;
    if (known->tree != told->tree) { /* Python has begun anew */
        known->tree = told->tree;
        known->count = 0;
    }
    uint64_t count = told->tree_bytes / sizeof *known->words;
    if ((uint64_t)known->count != told->before || known->inputs != (int64_t)told->inputs)
        return;
    int32_t *words = realloc(known->words, (told->before + count) * sizeof *words);
    if (!words)
        return;
    memcpy(words + told->before, told_tree(told), told->tree_bytes);
    if (told->before)
        words[told->hole] = (int32_t)told->before;
    known->words = words;
    known->count += (int64_t)count;
}
