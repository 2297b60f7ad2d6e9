/* The traces of base/trace.py, done again for a call of other sizes, strides, numbers and addresses: a
   tree of words, whose branches are guards and whose leaves say what to launch. Nothing here knows
   Python, or what the numbers mean. */
#pragma once
#include <fenv.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { SLOTS = 8192, SORTED = 64 }; /* of a path: MOST_SLOTS; of a sort */
enum {
    CONSTANT, ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER, LEAST, MOST, LESS, EQUAL, BITS,
    SORT, PICK, ALL_SAME, TO_FLOAT, NARROW, FLOAT_ADD, FLOAT_SUBTRACT, FLOAT_MULTIPLY, FLOAT_DIVIDE,
    FOUND
};
enum { ROOM_OF_TABLE = 512 };
enum { BELOW, SAME, FLOAT_BELOW, FLOAT_SAME, LEAF, MADE };
enum { WORKSPACE, RESULT }; /* what is made; the second result is behind the first one */

/* A node of a tree: what it asks, of which slots, and where it goes on, 0: nowhere; then how many words
   compute what it asks, and these. Behind those of a leaf stand the slots of its results, as many as
   `yes` says; of something that is to be made, which `a` says, those of what it is made of, `b`. */
struct Node {
    int32_t asks, a, b, no, yes, words, word[];
};

/* A quotient towards minus infinity, as Python's; false where there is none. */
static bool divide(int64_t a, int64_t b, int64_t *quotient)
{
    if (!b || (b == -1 && a == INT64_MIN))
        return false;
    *quotient = a / b - (a % b != 0 && (a < 0) != (b < 0));
    return true;
}

static int64_t bits_of_integer(int64_t value)
{
    uint64_t size = value < 0 ? -(uint64_t)value : (uint64_t)value;
    return size ? 64 - __builtin_clzll(size) : 0;
}

/* The columns of some items sorted by two keys, the largest first, equal ones as they came. */
static void sort(const int32_t *keys, int32_t count, int32_t columns, const int64_t *values,
                 int64_t *found)
{
    int32_t order[SORTED];
    for (int32_t n = 0; n < count; n++) {
        int64_t first = values[keys[2 * n]], second = values[keys[2 * n + 1]];
        int32_t place = n;
        for (; place > 0; place--) {
            const int32_t *other = &keys[2 * order[place - 1]];
            int64_t its = values[other[0]];
            if (its > first || (its == first && values[other[1]] >= second))
                break;
            order[place] = order[place - 1];
        }
        order[place] = n;
    }
    const int32_t *column = keys + 2 * count;
    for (int32_t k = 0; k < columns; k++, column += count)
        for (int32_t n = 0; n < count; n++)
            *found++ = values[column[order[n]]];
}

/* Whether a float64 is a subnormal, which a host may have the processor take for 0. */
static bool is_subnormal(int64_t bits)
{
    uint64_t word = (uint64_t)bits;
    return !(word & (uint64_t)0x7FF << 52) && word << 12;
}

static double float_of(int64_t bits)
{
    double found;
    memcpy(&found, &bits, sizeof found);
    return found;
}

/* The float32, float16 or bfloat16 nearest to a float64, by its bits: a host may have set another
   rounding. False for what is subnormal or NaN then, or too large. */
static bool narrow(int64_t given, int32_t to, int64_t *found)
{
    int drop = to == 0 ? 29 : to == 1 ? 42 : 45, low = to == 1 ? 14 : 126, high = to == 1 ? 16 : 128;
    uint64_t sign = (uint64_t)given & (uint64_t)1 << 63, rest = (uint64_t)given ^ sign;
    uint64_t unit = (uint64_t)1 << drop, left = rest & (unit - 1);
    rest -= left;
    if (left > unit / 2 || (left == unit / 2 && rest & unit))
        rest += unit;
    *found = (int64_t)(sign | rest);
    if (!((uint64_t)given << 1) || !((uint64_t)given << 1 ^ (uint64_t)0x7FF << 53)) { /* 0, infinite */
        *found = given;
        return true;
    }
    return rest >= (uint64_t)(1023 - low) << 52 && rest < (uint64_t)(1023 + high) << 52;
}

/* Whether the host lets the processor round to nearest, and traps nothing. */
static bool is_usual_arithmetic(void)
{
    return fegetround() == FE_TONEAREST && !fegetexcept();
}

/* Of two floats; false where a host may have made the processor do it in another way. */
static bool compute_float(int64_t does, int64_t a, int64_t b, int64_t *found)
{
    double x = float_of(a), y = float_of(b), z = 0;
    if (is_subnormal(a) || is_subnormal(b) || !is_usual_arithmetic())
        return false;
    switch (does) {
    case FLOAT_ADD:
        z = x + y;
        break;
    case FLOAT_SUBTRACT:
        z = x - y;
        break;
    case FLOAT_MULTIPLY:
        z = x * y;
        break;
    default:
        z = x / y;
    }
    memcpy(found, &z, sizeof z);
    bool may_be_0 = does == FLOAT_MULTIPLY ? x == 0 || y == 0 : does != FLOAT_DIVIDE || x == 0;
    return z - z == 0 && !is_subnormal(*found) && (z != 0 || may_be_0) &&
           !(does == FLOAT_DIVIDE && y == 0);
}

/* The word of a key in a table that Python adds to meanwhile; 0: there is none. */
static int64_t find(const int64_t *table, int64_t key)
{
    for (uint64_t at = (uint64_t)key % ROOM_OF_TABLE;; at = (at + 1) % ROOM_OF_TABLE) {
        int64_t its = __atomic_load_n(&table[2 * at], __ATOMIC_ACQUIRE);
        if (!its || its == key + 1)
            return its ? __atomic_load_n(&table[2 * at + 1], __ATOMIC_RELAXED) : 0;
    }
}

/* Some instructions; false where one has no result. */
static bool compute(const int32_t *word, const int32_t *end, int64_t *values)
{
    while (word < end) {
        int64_t *found = &values[word[1]], a, b;
        if (word[0] == CONSTANT) {
            *found = (int64_t)((uint64_t)word[3] << 32 | (uint32_t)word[2]);
            word += 4;
            continue;
        }
        a = values[word[2]];
        switch (word[0]) {
        case SORT:
            sort(word + 4, word[2], word[3], values, found);
            word += 4 + word[2] * (2 + word[3]);
            continue;
        case PICK:
            *found = values[word[4 + a]];
            word += 4 + word[3];
            continue;
        case ALL_SAME:
            *found = 1;
            for (int32_t i = 0; i < word[2] && *found; i++)
                *found = values[word[3 + i]] == values[word[3 + word[2] + i]];
            word += 3 + 2 * word[2];
            continue;
        case BITS:
            *found = bits_of_integer(a);
            word += 3;
            continue;
        case TO_FLOAT:
            if (a <= -((int64_t)1 << 53) || a >= (int64_t)1 << 53)
                return false;
            double x = (double)a;
            memcpy(found, &x, sizeof x);
            word += 3;
            continue;
        case NARROW:
            if (!narrow(a, word[3], found))
                return false;
            word += 4;
            continue;
        case ADD:
            if (__builtin_add_overflow(a, values[word[3]], found))
                return false;
            break;
        case SUBTRACT:
            if (__builtin_sub_overflow(a, values[word[3]], found))
                return false;
            break;
        case MULTIPLY:
            if (__builtin_mul_overflow(a, values[word[3]], found))
                return false;
            break;
        case DIVIDE:
            if (!divide(a, values[word[3]], found))
                return false;
            break;
        case REMAINDER:
            b = values[word[3]];
            if (!divide(a, b, found))
                return false;
            *found = a - *found * b;
            break;
        case LEAST:
            b = values[word[3]];
            *found = a < b ? a : b;
            break;
        case MOST:
            b = values[word[3]];
            *found = a > b ? a : b;
            break;
        case LESS:
            *found = a < values[word[3]];
            break;
        case EQUAL:
            *found = a == values[word[3]];
            break;
        case FOUND:
            *found = find((const int64_t *)values[word[3]], a);
            if (!*found)
                return false;
            break;
        default:
            if (!compute_float(word[0], a, values[word[3]], found))
                return false;
        }
        word += 4;
    }
    return true;
}

/* Whether what a node asks is so; -1: nobody knows. */
static int answer(const struct Node *node, const int64_t *values)
{
    int64_t a = values[node->a], b = values[node->b];
    switch (node->asks) {
    case BELOW:
        return a < b;
    case SAME:
        return a == b;
    }
    if (is_subnormal(a) || is_subnormal(b) || !is_usual_arithmetic())
        return -1;
    return node->asks == FLOAT_SAME ? float_of(a) == float_of(b) : float_of(a) < float_of(b);
}

/* The leaf that a call's values lead to from a node, whose slots are filled then, or what is to be made
   before; null where no trace went their way. The first values are the call's inputs. */
static const struct Node *replay(const int32_t *tree, int32_t at, int64_t *values)
{
    while (tree) {
        const struct Node *node = (const struct Node *)(tree + at);
        if (node->words && !compute(node->word, node->word + node->words, values))
            return NULL;
        if (node->asks >= LEAF)
            return node;
        int yes = answer(node, values);
        at = yes < 0 ? 0 : yes ? node->yes : node->no;
        if (!at)
            return NULL;
    }
    return NULL;
}
