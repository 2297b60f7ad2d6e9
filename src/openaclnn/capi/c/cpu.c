/* The CPU as a device: its memory is the host's, and a stream does its work when it is told. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { MARGIN = 512, HUGE_PAGE = 2 << 20, WORTH_GIVING_BACK = 64 << 10 };

int cpu_get_device_count(uint32_t *count)
{
    *count = 1;
    return 0;
}

int cpu_set_device(int32_t device)
{
    (void)device;
    return 0;
}

int cpu_synchronize_device(void)
{
    return 0;
}

int cpu_get_mem_info(size_t *available, size_t *total)
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

int cpu_get_device_info(int32_t device, int32_t attribute, int64_t *value)
{
    size_t available, total = 0;
    int status = 0;
    (void)device;
    switch (attribute) {
    case ACL_DEV_ATTR_VECTOR_CORE_NUM: *value = sysconf(_SC_NPROCESSORS_ONLN); break;
    case ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE:
        status = cpu_get_mem_info(&available, &total);
        *value = (int64_t)total;
        break;
    default: /* the last cache; some systems do not tell */
        *value = sysconf(_SC_LEVEL3_CACHE_SIZE);
        if (*value <= 0)
            *value = sysconf(_SC_LEVEL2_CACHE_SIZE);
        *value = *value > 0 ? *value : 0;
    }
    return status;
}

int cpu_device_can_access_peer(int32_t device, int32_t peer, bool *can)
{
    (void)device, (void)peer;
    *can = false;
    return 0;
}

/* Large blocks lie on huge pages. */
static bool is_large(size_t size, bool host)
{
    return !host && size >= 2 * HUGE_PAGE;
}

/* The bytes before a block that are allocated with it; those behind it are MARGIN. */
static size_t front(size_t size, bool host)
{
    return is_large(size, host) ? HUGE_PAGE : MARGIN;
}

static bool allocate_with_margins(void **block, size_t size, bool host)
{
    size_t before = front(size, host);
    if (size > SIZE_MAX / 2 || posix_memalign(block, before, before + size + MARGIN))
        return false;
    *block = (char *)*block + before;
    return true;
}

static void give_back(const struct Block *block)
{
    free(block->start - front(block->size, block->host));
}

static bool allocate_anywhere(void **block, size_t size, bool host)
{
    return allocate_with_margins(block, size, host) ||
           (blocks_end_rest(give_back) && allocate_with_margins(block, size, host));
}

int cpu_malloc(size_t size, void **block)
{
    if (!allocate_anywhere(block, size, false))
        return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "aclrtMalloc", "no memory for %zu bytes", size);
    if (is_large(size, false))
        madvise(*block, size, MADV_HUGEPAGE);
    return 0;
}

int cpu_malloc_host(size_t size, void **block)
{
    if (!allocate_anywhere(block, size, true))
        return fail(ACL_ERROR_BAD_ALLOC, "aclrtMallocHost", "no memory for %zu bytes", size);
    return 0;
}

/* A freed block rests: its addresses stay ours for a while, its pages go back to the system. */
int cpu_free(void *start)
{
    struct Block block;
    if (block_at(start, &block) == FREED && block.size >= WORTH_GIVING_BACK) {
        uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
        uintptr_t first = ((uintptr_t)start + page - 1) / page * page;
        uintptr_t end = ((uintptr_t)start + block.size) / page * page;
        madvise((void *)first, end - first, MADV_DONTNEED);
    }
    block_rest(start, give_back);
    return 0;
}

int cpu_free_host(void *start)
{
    return cpu_free(start);
}

__attribute__((destructor)) static void at_exit(void)
{
    blocks_end_rest(give_back);
}

int cpu_host_register(void *address, size_t size, void **for_device)
{
    (void)size;
    *for_device = address;
    return 0;
}

int cpu_host_unregister(void *address)
{
    (void)address;
    return 0;
}

int cpu_memcpy(void *to, const void *source, size_t count, int32_t kind)
{
    (void)kind;
    memmove(to, source, count); /* ranges may overlap here, as nowhere in the documents forbidden */
    return 0;
}

int cpu_memcpy_async(void *to, const void *source, size_t count, int32_t kind,
                            uint64_t stream)
{
    (void)stream;
    return cpu_memcpy(to, source, count, kind);
}

int cpu_memcpy2d(void *to, size_t to_pitch, const void *source, size_t source_pitch, size_t width,
                 size_t height, int32_t kind)
{
    (void)kind;
    for (size_t row = 0; row < height; row++)
        memmove((char *)to + row * to_pitch, (const char *)source + row * source_pitch, width);
    return 0;
}

int cpu_memcpy2d_async(void *to, size_t to_pitch, const void *source, size_t source_pitch,
                       size_t width, size_t height, int32_t kind, uint64_t stream)
{
    (void)stream;
    return cpu_memcpy2d(to, to_pitch, source, source_pitch, width, height, kind);
}

int cpu_memset(void *to, int32_t value, size_t count)
{
    memset(to, value, count);
    return 0;
}

int cpu_memset_async(void *to, int32_t value, size_t count, uint64_t stream)
{
    (void)stream;
    return cpu_memset(to, value, count);
}

int cpu_create_stream(uint32_t priority, uint32_t flags, uint64_t *stream)
{
    (void)priority, (void)flags;
    *stream = 0;
    return 0;
}

int cpu_destroy_stream(uint64_t stream)
{
    (void)stream;
    return 0;
}

int cpu_synchronize_stream(uint64_t stream, int32_t timeout_ms)
{
    (void)stream, (void)timeout_ms;
    return 0;
}

int cpu_stream_query(uint64_t stream, bool *done)
{
    (void)stream;
    *done = true;
    return 0;
}

int cpu_stream_wait_event(uint64_t stream, uint64_t event)
{
    (void)stream, (void)event;
    return 0;
}

/* An event is the time of its latest record, in nanoseconds. */
int cpu_create_event(uint32_t flags, uint64_t *event)
{
    (void)flags;
    *event = (uint64_t)calloc(1, sizeof(int64_t));
    return *event ? 0 : fail(ACL_ERROR_BAD_ALLOC, "aclrtCreateEvent", "out of host memory");
}

int cpu_destroy_event(uint64_t event)
{
    free((void *)event);
    return 0;
}

int cpu_record_event(uint64_t event, uint64_t stream)
{
    struct timespec now;
    (void)stream;
    clock_gettime(CLOCK_MONOTONIC, &now);
    *(int64_t *)event = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    return 0;
}

int cpu_synchronize_event(uint64_t event)
{
    (void)event;
    return 0;
}

int cpu_query_event(uint64_t event, bool *done)
{
    (void)event;
    *done = true;
    return 0;
}

int cpu_event_elapsed_time(uint64_t start, uint64_t end, int64_t *nanoseconds)
{
    *nanoseconds = *(const int64_t *)end - *(const int64_t *)start;
    return 0;
}

const struct Device CPU = {
    .name = "cpu", .owns_all_memory = true, .margin = MARGIN, DEVICE_FUNCTIONS(cpu_)};
