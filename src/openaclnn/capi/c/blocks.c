/* Which memory was allocated, and how much of it: a table sorted by address, so that the block
   around any address is found by bisection. Each block has a number that no other ever gets: an
   address may be given out again, and is another block then.

   A block that was freed may rest here before its memory goes back, so that for a while its
   addresses are nobody else's, and known to be freed.

   Reserved addresses are blocks too, without a gap: what is mapped, and what is not (freed). */
#include "internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { RESTING_AT_MOST = 256 };
static const size_t RESTING_BYTES_AT_MOST = 1 << 30;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct Block *blocks;
static size_t count, capacity;
static uint64_t latest, frees;
static struct Block resting[RESTING_AT_MOST]; /* a ring: the oldest first */
static size_t oldest, resting_count, resting_bytes;

void blocks_lock(void)
{
    pthread_mutex_lock(&lock);
}

void blocks_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

/* How many blocks begin at or below an address. */
static size_t begin_below(const char *address)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (blocks[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* See that there is room for some more blocks. */
static bool make_room(size_t more)
{
    if (count + more <= capacity)
        return true;
    size_t larger = capacity ? capacity * 2 : 64;
    struct Block *grown = realloc(blocks, larger * sizeof *blocks);
    if (grown) {
        blocks = grown;
        capacity = larger;
    }
    return grown;
}

/* Put a block where its address belongs, with a new number. */
static void put(struct Block block)
{
    size_t place = begin_below(block.start);
    memmove(&blocks[place + 1], &blocks[place], (count - place) * sizeof *blocks);
    block.number = ++latest | (block.registered ? REGISTERED : 0);
    blocks[place] = block;
    count++;
}

bool block_add(void *start, size_t size, bool host, size_t margin)
{
    blocks_lock();
    bool room = make_room(1);
    if (room)
        put((struct Block){.start = start, .size = size, .margin = margin, .host = host});
    blocks_unlock();
    return room;
}

bool block_register(void *start, size_t size)
{
    blocks_lock();
    size_t place = begin_below(start);
    const struct Block *before = place ? &blocks[place - 1] : NULL;
    const struct Block *behind = place < count ? &blocks[place] : NULL;
    bool free_place = (!before || before->start + before->size <= (char *)start) &&
                      (!behind || behind->start >= (char *)start + size);
    bool done = free_place && make_room(1);
    if (done)
        put((struct Block){.start = start, .size = size, .host = true, .registered = true});
    blocks_unlock();
    return done;
}

static void take_out(size_t place)
{
    memmove(&blocks[place], &blocks[place + 1], (count - place - 1) * sizeof *blocks);
    count--;
}

bool block_remove(void *start, bool host, bool rests)
{
    blocks_lock();
    size_t place = begin_below(start);
    struct Block *block = place ? &blocks[place - 1] : NULL;
    bool found = block && block->start == start && block->host == host && !block->freed &&
                 !block->reservation && !block->registered;
    if (found) {
        __atomic_add_fetch(&frees, 1, __ATOMIC_RELEASE);
        if (rests)
            block->freed = true;
        else
            take_out(place - 1);
    }
    blocks_unlock();
    return found;
}

/* The oldest block's rest is over. */
static void end_rest(GiveBack give_back)
{
    struct Block *block = &resting[oldest];
    oldest = (oldest + 1) % RESTING_AT_MOST;
    resting_count--;
    resting_bytes -= block->size;
    take_out(begin_below(block->start) - 1);
    give_back(block);
}

void block_rest(void *start, GiveBack give_back)
{
    blocks_lock();
    size_t place = begin_below(start) - 1;
    struct Block block = blocks[place];
    if (block.size > RESTING_BYTES_AT_MOST) {
        take_out(place);
        give_back(&block);
    } else {
        while (resting_count == RESTING_AT_MOST || resting_bytes + block.size > RESTING_BYTES_AT_MOST)
            end_rest(give_back);
        resting[(oldest + resting_count++) % RESTING_AT_MOST] = block;
        resting_bytes += block.size;
    }
    blocks_unlock();
}

bool blocks_end_rest(GiveBack give_back)
{
    blocks_lock();
    bool any = resting_count;
    while (resting_count)
        end_rest(give_back);
    blocks_unlock();
    return any;
}

uint64_t block_frees(void)
{
    return __atomic_load_n(&frees, __ATOMIC_ACQUIRE);
}

bool block_unregister(void *start)
{
    blocks_lock();
    size_t place = begin_below(start) - 1; /* where there is none, beyond the count */
    bool found = place < count && blocks[place].start == start && blocks[place].registered;
    if (found) {
        __atomic_add_fetch(&frees, 1, __ATOMIC_RELEASE);
        take_out(place);
    }
    blocks_unlock();
    return found;
}

bool block_reserve(void *start, size_t size)
{
    blocks_lock();
    bool room = make_room(1);
    if (room)
        put((struct Block){.start = start, .size = size, .freed = true, .reservation = latest + 1});
    blocks_unlock();
    return room;
}

/* Cut a block that is reserved in two, at so many bytes from its start. */
static void cut(size_t place, size_t at)
{
    struct Block rest = blocks[place];
    if (at == 0 || at == rest.size)
        return;
    blocks[place].size = at;
    rest.start += at;
    rest.size -= at;
    put(rest);
}

const char *block_map(void *start, size_t size)
{
    const char *why = NULL;
    blocks_lock();
    size_t place = begin_below(start);
    struct Block *block = place ? &blocks[place - 1] : NULL;
    size_t before = block ? (size_t)((char *)start - block->start) : 0;
    if (!block || !block->reservation || before >= block->size) {
        why = "is not reserved";
    } else if (!block->freed) {
        why = "is mapped already";
    } else if (size > block->size - before) {
        why = "and so many bytes run into what is mapped, or beyond what is reserved";
    } else if (!make_room(2)) {
        why = "cannot be mapped: out of host memory";
    } else {
        cut(place - 1, before);
        place = begin_below(start) - 1;
        cut(place, size);
        blocks[place].freed = false;
        blocks[place].number = ++latest;
        __atomic_add_fetch(&frees, 1, __ATOMIC_RELEASE); /* what touches it reaches further now */
    }
    blocks_unlock();
    return why;
}

static bool are_one_hole(const struct Block *a, const struct Block *b)
{
    return a->freed && b->freed && a->reservation && a->reservation == b->reservation;
}

size_t block_unmap(void *start)
{
    size_t size = 0;
    blocks_lock();
    size_t place = begin_below(start) - 1;
    if (place < count && blocks[place].start == start && blocks[place].reservation &&
        !blocks[place].freed) {
        __atomic_add_fetch(&frees, 1, __ATOMIC_RELEASE);
        size = blocks[place].size;
        blocks[place].freed = true;
        if (place + 1 < count && are_one_hole(&blocks[place], &blocks[place + 1])) {
            blocks[place].size += blocks[place + 1].size;
            take_out(place + 1);
        }
        if (place && are_one_hole(&blocks[place - 1], &blocks[place])) {
            blocks[place - 1].size += blocks[place].size;
            take_out(place);
        }
    }
    blocks_unlock();
    return size;
}

const char *block_release(void *start, size_t *size)
{
    const char *why = NULL;
    blocks_lock();
    size_t place = begin_below(start) - 1;
    struct Block *block = place < count ? &blocks[place] : NULL;
    if (!block || block->start != start || !block->reservation ||
        (place && block[-1].reservation == block->reservation)) {
        why = "is no beginning of reserved addresses";
    } else if (!block->freed ||
               (place + 1 < count && block[1].reservation == block->reservation)) {
        why = "has memory mapped; aclrtUnmapMem comes first";
    } else {
        __atomic_add_fetch(&frees, 1, __ATOMIC_RELEASE);
        *size = block->size;
        take_out(place);
    }
    blocks_unlock();
    return why;
}

/* What is mapped before and behind a mapped block without a gap belongs to it. */
static void widen(struct Block *found, size_t place)
{
    for (size_t i = place; i-- > 0 && blocks[i].reservation == found->reservation &&
                           !blocks[i].freed;) {
        found->start -= blocks[i].size;
        found->size += blocks[i].size;
    }
    for (size_t i = place + 1; i < count && blocks[i].reservation == found->reservation &&
                               !blocks[i].freed; i++)
        found->size += blocks[i].size;
}

static bool covers(const struct Block *block, const void *address)
{
    uintptr_t start = (uintptr_t)block->start, place = (uintptr_t)address;
    return place + block->margin >= start && place < start + block->size + block->margin;
}

enum Where block_at(const void *address, struct Block *found)
{
    enum Where where = NOT_OURS;
    blocks_lock();
    size_t place = begin_below(address);
    for (size_t i = place ? place - 1 : 0; where == NOT_OURS && i < count && i <= place; i++) {
        if (covers(&blocks[i], address)) {
            *found = blocks[i];
            size_t distance = (size_t)((const char *)address - found->start);
            where = found->freed ? FREED : distance < found->size ? INSIDE : BESIDE;
            if (found->reservation && !found->freed)
                widen(found, i);
        }
    }
    blocks_unlock();
    return where;
}

void blocks_visit(void (*visit)(const struct Block *))
{
    blocks_lock();
    for (size_t i = 0; i < count; i++)
        if (!blocks[i].freed)
            visit(&blocks[i]);
    blocks_unlock();
}

bool block_around(const void *address, struct Block *found)
{
    return block_at(address, found) == INSIDE;
}
