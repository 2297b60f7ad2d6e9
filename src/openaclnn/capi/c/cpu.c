/* The CPU as a device: its memory is the host's. */
#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MARGIN = 512, HUGE_PAGE = 2 << 20, WORTH_GIVING_BACK = 64 << 10, RED = 0xa5 };

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
    if (RECORDING) {
        memset((char *)*block - MARGIN, RED, MARGIN);
        memset((char *)*block + size, RED, MARGIN);
    }
    return true;
}

void cpu_inspect(const struct Block *block)
{
    const char *places[] = {block->start - MARGIN, block->start + block->size};
    for (size_t i = 0; block->margin == MARGIN && i < 2 * MARGIN; i++) {
        const char *place = places[i / MARGIN] + i % MARGIN;
        if (*(const unsigned char *)place != RED) {
            record_damage(block->start, place);
            return;
        }
    }
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
    bool rests = block_at(start, &block) == FREED;
    if (rests && RECORDING)
        cpu_inspect(&block);
    if (rests && block.size >= WORTH_GIVING_BACK) {
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

struct Copy {
    struct Task task;
    void *to;
    const void *source;
    size_t to_pitch, source_pitch, width, height;
};

static int copy(struct Task *task)
{
    const struct Copy *copy = (const struct Copy *)task;
    return cpu_memcpy2d(copy->to, copy->to_pitch, copy->source, copy->source_pitch, copy->width,
                        copy->height, ACL_MEMCPY_DEFAULT);
}

int cpu_memcpy_async(void *to, const void *source, size_t count, int32_t kind, uint64_t stream)
{
    return cpu_memcpy2d_async(to, count, source, count, count, 1, kind, stream);
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
    if (cpu_stream_is_free(stream)) {
        uint64_t begun = record_begun();
        int status = cpu_memcpy2d(to, to_pitch, source, source_pitch, width, height, kind);
        record_work(record_current(), begun);
        return status;
    }
    struct Copy *made = cpu_task(sizeof *made, copy);
    if (!made)
        return ACL_ERROR_BAD_ALLOC;
    *made = (struct Copy){made->task, to, source, to_pitch, source_pitch, width, height};
    return cpu_submit(stream, &made->task);
}

int cpu_memset(void *to, int32_t value, size_t count)
{
    memset(to, value, count);
    return 0;
}

struct Fill {
    struct Task task;
    void *to;
    int32_t value;
    size_t count;
};

static int fill(struct Task *task)
{
    const struct Fill *fill = (const struct Fill *)task;
    return cpu_memset(fill->to, fill->value, fill->count);
}

int cpu_memset_async(void *to, int32_t value, size_t count, uint64_t stream)
{
    if (cpu_stream_is_free(stream)) {
        uint64_t begun = record_begun();
        int status = cpu_memset(to, value, count);
        record_work(record_current(), begun);
        return status;
    }
    struct Fill *made = cpu_task(sizeof *made, fill);
    if (!made)
        return ACL_ERROR_BAD_ALLOC;
    *made = (struct Fill){made->task, to, value, count};
    return cpu_submit(stream, &made->task);
}

const struct Device CPU = {
    .name = "cpu", .owns_all_memory = true, .margin = MARGIN, DEVICE_FUNCTIONS(cpu_)};
