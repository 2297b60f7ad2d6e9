/* Which memory was allocated, and how much of it: a table sorted by address, so that the block
   around any address is found by bisection. */
#include "internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct Block *blocks;
static size_t count, capacity;

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

bool block_add(void *start, size_t size, bool host)
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
    blocks[place] = (struct Block){start, size, host};
    count++;
    blocks_unlock();
    return true;
}

bool block_remove(void *start, bool host)
{
    blocks_lock();
    size_t place = begin_below(start);
    bool found = place && blocks[place - 1].start == start && blocks[place - 1].host == host;
    if (found) {
        memmove(&blocks[place - 1], &blocks[place], (count - place) * sizeof *blocks);
        count--;
    }
    blocks_unlock();
    return found;
}

uint64_t block_end(const void *address)
{
    struct Block block;
    return address && block_around(address, &block) ? (uint64_t)block.start + block.size : 0;
}

bool block_around(const void *address, struct Block *found)
{
    blocks_lock();
    size_t place = begin_below(address);
    bool inside = place && (size_t)((const char *)address - blocks[place - 1].start) <
                               blocks[place - 1].size;
    if (inside)
        *found = blocks[place - 1];
    blocks_unlock();
    return inside;
}
