/* Calls that were prepared before: where the same bytes come again, the kernel that was chosen for
   them runs at once, and Python is not asked. All of this with the handles' lock. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

enum { KEPT = 4096 }; /* places; who comes to one that is taken takes it over */

struct Prepared {
    struct Prepared *next; /* of those that lost their places */
    struct Operator *op;
    void (*kernel)(void *);
    struct Sharing sharing;
    int users; /* executors */
    size_t key_size, block_size;
    unsigned char bytes[]; /* the key, then the block */
};

static struct Prepared *kept[KEPT], *retired;

static size_t place_of(const struct Operator *op, const struct CallKey *key)
{
    uint64_t hash = (uint64_t)op, word;
    for (size_t i = 0; i < key->size; i += sizeof word) {
        memcpy(&word, key->bytes + i, sizeof word);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    return hash % KEPT;
}

static bool is_for(const struct Prepared *prepared, const struct Operator *op,
                   const struct CallKey *key)
{
    return prepared && prepared->op == op && prepared->key_size == key->size &&
           !memcmp(prepared->bytes, key->bytes, key->size);
}

struct Prepared *prepared_find(struct Operator *op, const struct CallKey *key)
{
    struct Prepared *found = op->latest;
    if (!is_for(found, op, key))
        found = kept[place_of(op, key)];
    if (!is_for(found, op, key))
        return NULL;
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
    struct Prepared *made = malloc(sizeof *made + key->size + work->size);
    if (!made)
        return;
    *made = (struct Prepared){.op = op, .kernel = work->kernel, .sharing = work->sharing,
                              .key_size = key->size, .block_size = work->size};
    memcpy(made->bytes, key->bytes, key->size);
    memcpy(made->bytes + key->size, work->block, work->size);
    struct Prepared **place = &kept[place_of(op, key)], *before = *place;
    *place = made;
    if (before) {
        before->op->latest = NULL;
        before->next = retired;
        retired = before;
    }
    sweep();
}

void prepared_work(const struct Prepared *prepared, struct Work *work)
{
    work->kernel = prepared->kernel;
    work->sharing = prepared->sharing;
    work->size = prepared->block_size;
    memcpy(work->block, prepared->bytes + prepared->key_size, prepared->block_size);
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

void work_run(struct Work *work)
{
    const struct Sharing *how = &work->sharing;
    int64_t count = forked ? 1 : how->threads < how->units ? how->threads : how->units;
    if (count > 1 && how->on_threads)
        how->on_threads((void *)how->share, work->block, how->units, (int32_t)count);
    else if (count > 1)
        how->share(how->of_units, work->block, how->units, (int32_t)count);
    else
        work->kernel(work->block);
}
