/* Calls that were prepared before: where the same bytes come again, the kernel that was chosen for
   them runs at once, and Python is not asked. All of this with the handles' lock. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { SETS = 4096, WAYS = 4 }; /* who comes to a full set takes the place of the oldest */

struct Prepared {
    struct Prepared *next; /* of those that lost their places */
    struct Operator *op;
    void (*kernel)(void *);
    struct Sharing sharing;
    int users; /* executors */
    int moved_count, limit_count;
    uint64_t workspace;
    size_t key_size, block_size;
    unsigned char bytes[]; /* the key, the block, the moved words, limits */
};

static struct Prepared *kept[SETS][WAYS], *retired;

static struct Prepared **set_of(const struct Operator *op, const struct CallKey *key)
{
    uint64_t hash = (uint64_t)op, word;
    for (size_t i = 0; i < key->size; i += sizeof word) {
        memcpy(&word, key->bytes + i, sizeof word);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return kept[hash % SETS];
}

static bool is_for(const struct Prepared *prepared, const struct Operator *op,
                   const struct CallKey *key)
{
    return prepared && prepared->op == op && prepared->key_size == key->size &&
           !memcmp(prepared->bytes, key->bytes, key->size);
}

struct Prepared *prepared_find(struct Operator *op, const struct CallKey *key)
{
    struct Prepared *found = op->latest, **set = set_of(op, key);
    for (int way = 0; !is_for(found, op, key); way++) {
        if (way == WAYS)
            return NULL;
        found = set[way];
    }
    op->latest = found; /* never another operator's, which ends without asking this one */
    found->users++;
    return found;
}

void prepared_leave(struct Prepared *prepared)
{
    prepared->users--;
}

/* Free what lost its place and has no user. */
static void sweep(void)
{
    for (struct Prepared **link = &retired; *link;) {
        struct Prepared *one = *link;
        if (one->users) {
            link = &one->next;
            continue;
        }
        *link = one->next;
        free(one);
    }
}

void prepared_keep(struct Operator *op, const struct CallKey *key, const struct Work *work)
{
    size_t moved = (size_t)work->moved_count * sizeof *work->moved;
    size_t limits = (size_t)work->limit_count * sizeof *work->limits;
    struct Prepared *made = malloc(sizeof *made + key->size + work->size + moved + limits);
    if (!made)
        return;
    *made = (struct Prepared){.op = op, .kernel = work->kernel, .sharing = work->sharing,
                              .workspace = work->workspace, .moved_count = work->moved_count,
                              .limit_count = work->limit_count, .key_size = key->size,
                              .block_size = work->size};
    unsigned char *to = made->bytes;
    memcpy(to, key->bytes, key->size);
    memcpy(to += key->size, work->block, work->size);
    memcpy(to += work->size, work->moved, moved);
    memcpy(to + moved, work->limits, limits);
    struct Prepared **set = set_of(op, key), *oldest = set[WAYS - 1];
    memmove(set + 1, set, (WAYS - 1) * sizeof *set);
    set[0] = made;
    if (oldest) {
        oldest->op->latest = NULL;
        oldest->next = retired;
        retired = oldest;
    }
    sweep();
}

void prepared_work(const struct Prepared *prepared, struct Work *work)
{
    const unsigned char *from = prepared->bytes + prepared->key_size;
    work->kernel = prepared->kernel;
    work->sharing = prepared->sharing;
    work->workspace = prepared->workspace;
    work->size = prepared->block_size;
    work->moved_count = prepared->moved_count;
    work->limit_count = prepared->limit_count;
    memcpy(work->block, from, work->size);
    from += work->size;
    memcpy(work->moved, from, (size_t)work->moved_count * sizeof *work->moved);
    from += (size_t)work->moved_count * sizeof *work->moved;
    memcpy(work->limits, from, (size_t)work->limit_count * sizeof *work->limits);
}

uint64_t prepared_workspace(const struct Prepared *prepared)
{
    return prepared->workspace;
}

struct Operator *prepared_for(const struct Prepared *prepared)
{
    return prepared->op;
}

void prepared_key(const struct Prepared *prepared, struct CallKey *key)
{
    key->size = prepared->key_size;
    memcpy(key->bytes, prepared->bytes, key->size);
}

static bool forked;

void work_in_child(void)
{
    forked = true;
}

void work_run(struct Work *work, uint64_t workspace)
{
    const struct Sharing *how = &work->sharing;
    for (int i = 0; i < work->moved_count; i++)
        work->block[work->moved[i]] += workspace;
    int64_t count = forked ? 1 : how->threads < how->units ? how->threads : how->units;
    if (count > 1 && how->on_threads)
        how->on_threads((void *)how->share, work->block, how->units, (int32_t)count);
    else if (count > 1)
        how->share(how->of_units, work->block, how->units, (int32_t)count);
    else
        work->kernel(work->block);
}

bool work_within_limits(const struct Work *work, uint64_t workspace)
{
    for (int i = 0; i < work->limit_count; i++) {
        const struct Limit *limit = &work->limits[i];
        int64_t words[2];
        memcpy(words, (const char *)workspace + limit->offset, sizeof words);
        int64_t largest = words[0], smallest = -1 - words[1];
        if (largest < limit->low || largest > limit->high || smallest < limit->low ||
            smallest > limit->high)
            return false;
    }
    return true;
}
