/* Which memory was allocated, and how much of it: a table sorted by address, so that the block
   around any address is found by bisection. Each block has a number that no other ever gets: an
   address may be given out again, and is another block then.

   A block that was freed may rest here before its memory goes back, so that for a while its
   addresses are nobody else's, and known to be freed. */
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

bool block_add(void *start, size_t size, bool host, size_t margin)
{
    blocks_lock();
    if (count == capacity) {
        size_t larger = capacity ? capacity * 2 : 64;
        struct Block *grown = realloc(blocks, larger * sizeof *blocks);
        if (!grown) {
            blocks_unlock();
            return false;
        }
        blocks = grown;
        capacity = larger;
    }
    size_t place = begin_below(start);
    memmove(&blocks[place + 1], &blocks[place], (count - place) * sizeof *blocks);
    blocks[place] = (struct Block){start, size, margin, ++latest, host, false};
    count++;
    blocks_unlock();
    return true;
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
    bool found = block && block->start == start && block->host == host && !block->freed;
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
        }
    }
    blocks_unlock();
    return where;
}

bool block_around(const void *address, struct Block *found)
{
    return block_at(address, found) == INSIDE;
}
