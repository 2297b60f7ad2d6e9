/* The CPU as a device: its memory is the host's, and a stream does its work when it is told. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ALIGNMENT = 512, HUGE_PAGE = 2 << 20 };

static int count(uint32_t *result)
{
    *result = 1;
    return 0;
}

static int use(int32_t device)
{
    (void)device;
    return 0;
}

static int synchronize(void)
{
    return 0;
}

static int allocate(void **block, size_t size)
{
    bool large = size >= 2 * HUGE_PAGE;
    if (posix_memalign(block, large ? HUGE_PAGE : ALIGNMENT, size))
        return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "aclrtMalloc", "no memory for %zu bytes", size);
    if (large)
        madvise(*block, size, MADV_HUGEPAGE);
    return 0;
}

static int allocate_host(void **block, size_t size)
{
    if (posix_memalign(block, ALIGNMENT, size))
        return fail(ACL_ERROR_BAD_ALLOC, "aclrtMallocHost", "no memory for %zu bytes", size);
    return 0;
}

static int release(void *block)
{
    free(block);
    return 0;
}

static int copy(void *to, const void *from, size_t bytes, int kind)
{
    (void)kind;
    memmove(to, from, bytes); /* ranges may overlap here, as nowhere in the documents forbidden */
    return 0;
}

static int copy_async(void *to, const void *from, size_t bytes, int kind, uint64_t stream)
{
    (void)stream;
    return copy(to, from, bytes, kind);
}

static int fill(void *to, int value, size_t bytes)
{
    memset(to, value, bytes);
    return 0;
}

static int fill_async(void *to, int value, size_t bytes, uint64_t stream)
{
    (void)stream;
    return fill(to, value, bytes);
}

static int memory(size_t *available, size_t *total)
{
    char line[128];
    unsigned long long kib;
    FILE *file = fopen("/proc/meminfo", "re");
    *available = *total = 0;
    while (file && fgets(line, sizeof line, file)) {
        if (sscanf(line, "MemTotal: %llu", &kib) == 1)
            *total = kib * 1024;
        else if (sscanf(line, "MemAvailable: %llu", &kib) == 1)
            *available = kib * 1024;
    }
    if (file)
        fclose(file);
    return *total ? 0 : fail(ACL_ERROR_INTERNAL_ERROR, "aclrtGetMemInfo", "/proc/meminfo is silent");
}

static int can_access_peer(int32_t device, int32_t peer, bool *can)
{
    (void)device, (void)peer;
    *can = false;
    return 0;
}

static int create(uint32_t priority, uint32_t flags, uint64_t *stream)
{
    (void)priority, (void)flags;
    *stream = 0;
    return 0;
}

static int create_event(uint32_t flags, uint64_t *event)
{
    return create(0, flags, event);
}

static int nothing(uint64_t number)
{
    (void)number;
    return 0;
}

static int nothing_for(uint64_t first, uint64_t second)
{
    (void)first, (void)second;
    return 0;
}

static int synchronize_stream(uint64_t stream, int32_t timeout_ms)
{
    (void)stream, (void)timeout_ms;
    return 0;
}

static int query(uint64_t number, bool *done)
{
    (void)number;
    *done = true;
    return 0;
}

const struct Device CPU = {
    .name = "cpu",
    .count = count,
    .use = use,
    .synchronize = synchronize,
    .allocate = allocate,
    .release = release,
    .allocate_host = allocate_host,
    .release_host = release,
    .copy = copy,
    .copy_async = copy_async,
    .fill = fill,
    .fill_async = fill_async,
    .memory = memory,
    .can_access_peer = can_access_peer,
    .create_stream = create,
    .destroy_stream = nothing,
    .synchronize_stream = synchronize_stream,
    .query_stream = query,
    .stream_wait_event = nothing_for,
    .create_event = create_event,
    .destroy_event = nothing,
    .record_event = nothing_for,
    .synchronize_event = nothing,
    .query_event = query,
};
