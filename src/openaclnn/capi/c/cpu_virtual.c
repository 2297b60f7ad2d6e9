/* Virtual memory of the CPU. Reserved addresses are pages that nothing may touch. Physical memory is
   a shared mapping of its own; mapping it elsewhere lets the kernel show the same pages there too, so
   that they keep their bytes wherever, and however often, they are mapped. */
#include "internal.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum { GRANULARITY = 2 << 20, UNTOUCHABLE = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE };

int cpu_mem_get_allocation_granularity(int32_t device, size_t *granularity)
{
    (void)device;
    *granularity = GRANULARITY;
    return 0;
}

int cpu_reserve_mem_address(size_t size, size_t alignment, void *wanted, void **address)
{
    size_t whole = size + alignment;
    char *start = whole > size ? mmap(wanted, whole, PROT_NONE, UNTOUCHABLE, -1, 0) : MAP_FAILED;
    if (start == MAP_FAILED)
        return fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "aclrtReserveMemAddress",
                    "there are no %zu addresses: %s", size, strerror(errno));
    size_t before = -(uintptr_t)start & (alignment - 1);
    if (before)
        munmap(start, before);
    munmap(start + before + size, alignment - before);
    *address = start + before;
    return 0;
}

int cpu_release_mem_address(void *address, size_t size)
{
    munmap(address, size);
    return 0;
}

int cpu_malloc_physical(size_t size, int32_t device, uint64_t *memory)
{
    size_t available, total;
    void *pages = MAP_FAILED;
    (void)device;
    int status = cpu_get_mem_info(&available, &total);
    if (!status && size <= total)
        pages = mmap(NULL, size, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    *memory = (uint64_t)pages;
    return pages != MAP_FAILED ? 0
                               : fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "aclrtMallocPhysical",
                                      "no memory for %zu bytes", size);
}

int cpu_free_physical(uint64_t memory, size_t size)
{
    munmap((void *)memory, size); /* where it is mapped it stays */
    return 0;
}

int cpu_map_mem(void *address, size_t size, size_t offset, uint64_t memory)
{
    /* an old size of 0 asks for a second mapping of the same pages */
    void *mapped = mremap((char *)memory + offset, 0, size, MREMAP_MAYMOVE | MREMAP_FIXED, address);
    return mapped != MAP_FAILED ? 0
                                : fail(ACL_ERROR_RT_MEMORY_ALLOCATION, "aclrtMapMem",
                                       "the system refuses: %s", strerror(errno));
}

int cpu_unmap_mem(void *address, size_t size)
{
    void *empty = mmap(address, size, PROT_NONE, UNTOUCHABLE | MAP_FIXED, -1, 0);
    return empty != MAP_FAILED ? 0
                               : fail(ACL_ERROR_RT_INTERNAL_ERROR, "aclrtUnmapMem",
                                      "the system refuses: %s", strerror(errno));
}
