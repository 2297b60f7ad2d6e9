/* Allocation, copies and fills. Every range is checked against what was allocated, so a copy that
   would run beyond its block, or into memory that was freed, is an error and not a crash. */
#include "internal.h"

#include <string.h>
#include <unistd.h>

enum Side { ANYWHERE, ON_DEVICE, ON_HOST };

static int allocate(const char *function, void **result, size_t size, bool host)
{
    int status = 0;
    aclrtContext context;
    if (!size)
        return fail(ACL_ERROR_INVALID_PARAM, function, "size is 0; expected at least 1");
    if (size > SIZE_MAX - 64)
        return fail(ACL_ERROR_INVALID_PARAM, function, "size is %zu; rounded up it is no number",
                    size);
    const struct Device *device = device_ready(function, &context, &status);
    if (!device)
        return status;
    status = host ? device->malloc_host(size, result) : device->malloc(size, result);
    if (!status && !block_add(*result, size, host, device->margin))
        status = fail(ACL_ERROR_BAD_ALLOC, function, "out of host memory"); /* the block is lost */
    return status;
}

static int release(const char *function, void *address, bool host)
{
    int status = 0;
    struct Block around;
    if (!address)
        return fail(ACL_ERROR_INVALID_PARAM, function, "the address is null");
    const struct Device *device = device_for_existing(&status);
    if (!device)
        return status;
    if (block_remove(address, host, device->owns_all_memory))
        return host ? device->free_host(address) : device->free(address);
    if (!block_around(address, &around))
        return fail(ACL_ERROR_RT_PARAM_INVALID, function,
                    "%p is not allocated: freed before, or not by %s", address,
                    host ? "aclrtMallocHost" : "aclrtMalloc");
    if (around.reservation || around.registered)
        return fail(ACL_ERROR_RT_PARAM_INVALID, function, "%p is %s; %s ends that", address,
                    around.registered ? "registered" : "mapped",
                    around.registered ? "aclrtHostUnregister" : "aclrtUnmapMem");
    if (around.start == address)
        return fail(ACL_ERROR_RT_PARAM_INVALID, function, "%p is %s memory; free it with %s", address,
                    host ? "device" : "host", host ? "aclrtFree" : "aclrtFreeHost");
    return fail(ACL_ERROR_RT_PARAM_INVALID, function,
                "%p lies inside the block that begins at %p; free that", address,
                (void *)around.start);
}

aclError run_aclrtMalloc(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
    (void)policy; /* page sizes are the host's affair */
    return allocate(__func__, devPtr, size, false);
}

aclError run_aclrtMallocAlign32(void **devPtr, size_t size, aclrtMemMallocPolicy policy)
{
    (void)policy;
    return allocate(__func__, devPtr, size, false);
}

aclError run_aclrtFree(void *devPtr)
{
    return release(__func__, devPtr, false);
}

aclError run_aclrtMallocHost(void **hostPtr, size_t size)
{
    return allocate(__func__, hostPtr, size, true);
}

aclError run_aclrtFreeHost(void *hostPtr)
{
    return release(__func__, hostPtr, true);
}

static int check_range(const char *function, const char *name, const void *address, size_t count,
                       enum Side side)
{
    struct Block block;
    uint64_t none = 0;
    if (!address)
        return fail(ACL_ERROR_INVALID_PARAM, function, "%s is null", name);
    bool known = block_around(address, &block);
    int status = 0;
    const struct Device *device = device_kind(&status);
    if (side == ON_DEVICE && (known ? block.host && !block.registered
                                    : device && device->owns_all_memory))
        return fail(ACL_ERROR_RT_PARAM_INVALID, function,
                    "%s (%p) is no device memory: %s; kind says that it is", name, address,
                    known ? "aclrtMallocHost gave it"
                    : memory_at(address, &none).start == BY_UNMAP
                        ? "nothing is mapped there (aclrtMapMem), or it was unmapped"
                        : "aclrtMalloc did not give it, or it was freed");
    if (side == ON_HOST && known && !block.host)
        return fail(ACL_ERROR_RT_PARAM_INVALID, function,
                    "%s (%p) is device memory; kind says that it is the host's", name, address);
    if (known && count > block.size - (size_t)((const char *)address - block.start))
        return fail(ACL_ERROR_RT_PARAM_INVALID, function,
                    "%zu bytes at %s run beyond its block: %zu of its %zu bytes are left", count,
                    name, block.size - (size_t)((const char *)address - block.start), block.size);
    return 0;
}

int check_places(const char *function, const void *to, size_t to_bytes, const void *from,
                 size_t from_bytes, int kind)
{
    static const enum Side sides[][2] = {
        [ACL_MEMCPY_HOST_TO_HOST] = {ON_HOST, ON_HOST},
        [ACL_MEMCPY_HOST_TO_DEVICE] = {ON_DEVICE, ON_HOST},
        [ACL_MEMCPY_DEVICE_TO_HOST] = {ON_HOST, ON_DEVICE},
        [ACL_MEMCPY_DEVICE_TO_DEVICE] = {ON_DEVICE, ON_DEVICE},
        [ACL_MEMCPY_DEFAULT] = {ANYWHERE, ANYWHERE},
    };
    if (kind < 0 || kind >= (int)ELEMENTS(sides))
        return fail(ACL_ERROR_INVALID_PARAM, function, "kind is %d; expected 0 to 4", kind);
    int status = to_bytes ? check_range(function, "dst", to, to_bytes, sides[kind][0]) : 0;
    if (!status && from_bytes)
        status = check_range(function, "src", from, from_bytes, sides[kind][1]);
    return status;
}

static int check_copy(const char *function, void *to, size_t room, const void *from, size_t count,
                      int kind)
{
    if (count > room)
        return fail(ACL_ERROR_RT_PARAM_INVALID, function,
                    "count is %zu and destMax only %zu; nothing was copied", count, room);
    return check_places(function, to, count, from, count, kind);
}

aclError run_aclrtMemcpy(void *dst, size_t destMax, const void *src, size_t count, aclrtMemcpyKind kind)
{
    int status = check_copy(__func__, dst, destMax, src, count, (int)kind);
    if (!status)
        status = refuse_in_capture(__func__);
    const struct Device *device = status ? NULL : device_for_existing(&status);
    return device && count ? device->memcpy(dst, src, count, (int)kind) : status;
}

aclError run_aclrtMemcpyAsync(void *dst, size_t destMax, const void *src, size_t count,
                              aclrtMemcpyKind kind, aclrtStream stream)
{
    uint64_t number = 0;
    int status = check_copy(__func__, dst, destMax, src, count, (int)kind);
    if (!status)
        status = stream_number(stream, __func__, &number);
    const struct Device *device = status ? NULL : device_for_existing(&status);
    return device && count ? device->memcpy_async(dst, src, count, (int)kind, number) : status;
}

static int check_fill(const char *function, void *to, size_t room, size_t count)
{
    if (count > room)
        return fail(ACL_ERROR_RT_PARAM_INVALID, function,
                    "count is %zu and maxCount only %zu; nothing was written", count, room);
    return count ? check_range(function, "devPtr", to, count, ANYWHERE) : 0;
}

aclError run_aclrtMemset(void *devPtr, size_t maxCount, int32_t value, size_t count)
{
    int status = check_fill(__func__, devPtr, maxCount, count);
    if (!status)
        status = refuse_in_capture(__func__);
    const struct Device *device = status ? NULL : device_for_existing(&status);
    return device && count ? device->memset(devPtr, value, count) : status;
}

aclError run_aclrtMemsetAsync(void *devPtr, size_t maxCount, int32_t value, size_t count,
                              aclrtStream stream)
{
    uint64_t number = 0;
    int status = check_fill(__func__, devPtr, maxCount, count);
    if (!status)
        status = stream_number(stream, __func__, &number);
    const struct Device *device = status ? NULL : device_for_existing(&status);
    return device && count ? device->memset_async(devPtr, value, count, number) : status;
}

aclError run_aclrtGetMemInfo(aclrtMemAttr attr, size_t *free, size_t *total)
{
    int status = 0;
    aclrtContext context;
    (void)attr; /* there is one kind of memory */
    const struct Device *device = device_ready(__func__, &context, &status);
    return device ? device->get_mem_info(free, total) : status;
}

static int host_register(const char *function, void *address, uint64_t size, void **for_device)
{
    int status = 0;
    aclrtContext context;
    if (!address || !size)
        return fail(ACL_ERROR_INVALID_PARAM, function, "%s", address ? "size is 0" : "ptr is null");
    const struct Device *device = device_ready(function, &context, &status);
    if (!device)
        return status;
    if (!block_register(address, size))
        return fail(ACL_ERROR_RT_PARAM_INVALID, function,
                    "%p and %llu bytes are known already, in part at least", address,
                    (unsigned long long)size);
    if ((status = device->host_register(address, size, for_device)))
        block_unregister(address);
    return status;
}

aclError run_aclrtHostRegister(void *ptr, uint64_t size, aclrtHostRegisterType type, void **devPtr)
{
    if (type != ACL_HOST_REGISTER_MAPPED)
        return FAIL(ACL_ERROR_RT_PARAM_INVALID, "type is %d; expected 0", (int)type);
    return host_register(__func__, ptr, size, devPtr);
}

aclError run_aclrtHostRegisterV2(void *ptr, uint64_t size, uint32_t flag)
{
    void *for_device;
    if (flag & ~(uint32_t)(ACL_HOST_REG_MAPPED | ACL_HOST_REG_PINNED))
        return FAIL(ACL_ERROR_RT_PARAM_INVALID, "flag is %#x; expected ACL_HOST_REG_ flags",
                    (unsigned)flag);
    return host_register(__func__, ptr, size, &for_device);
}

aclError run_aclrtHostUnregister(void *ptr)
{
    int status = 0;
    if (!ptr)
        return FAIL(ACL_ERROR_INVALID_PARAM, "ptr is null");
    const struct Device *device = device_for_existing(&status);
    if (!device)
        return status;
    return block_unregister(ptr) ? device->host_unregister(ptr)
                                 : FAIL(ACL_ERROR_RT_PARAM_INVALID, "%p is not registered", ptr);
}

aclError run_aclrtPointerGetAttributes(const void *ptr, aclrtPtrAttributes *attributes)
{
    struct Block block;
    int32_t id = 0;
    if (!ptr)
        return FAIL(ACL_ERROR_INVALID_PARAM, "ptr is null");
    bool known = block_around(ptr, &block);
    if (known && !block.host)
        run_aclrtGetDevice(&id);
    memset(attributes, 0, sizeof *attributes);
    attributes->location.id = (uint32_t)id;
    attributes->location.type = !known       ? ACL_MEM_LOCATION_TYPE_UNREGISTERED
                                : block.host ? ACL_MEM_LOCATION_TYPE_HOST
                                             : ACL_MEM_LOCATION_TYPE_DEVICE;
    attributes->pageSize = (uint32_t)sysconf(_SC_PAGESIZE);
    return 0;
}
