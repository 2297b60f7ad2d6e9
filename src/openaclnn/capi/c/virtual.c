/* Reserved addresses, physical memory, and the mapping of one to the other. Every step is checked
   here; what lies where is known to blocks.c. */
#include "internal.h"

#include <stdlib.h>

struct Physical {
    uint64_t number; /* the device's own */
    size_t size;
};

/* The device to work on, and the bytes that sizes and addresses must be multiples of. */
static const struct Device *prepare(const char *function, size_t *granularity, int *status)
{
    aclrtContext context;
    int32_t id = 0;
    const struct Device *device = device_ready(function, &context, status);
    if (!device || (*status = run_aclrtGetDevice(&id)) ||
        (*status = device->mem_get_allocation_granularity(id, granularity)))
        return NULL;
    return device;
}

static int refuse_number(const char *function, const char *name, size_t number, size_t granularity)
{
    return fail(ACL_ERROR_RT_PARAM_INVALID, function,
                "%s is %zu; expected a multiple of the granularity, %zu", name, number, granularity);
}

static int check_flags(const char *function, uint64_t flags, uint64_t most)
{
    return flags <= most ? 0
                         : fail(ACL_ERROR_RT_PARAM_INVALID, function, "flags is %llu; expected 0%s",
                                (unsigned long long)flags, most ? " or 1" : "");
}

/* The device that a description of physical memory means. */
static int check_property(const char *function, const aclrtPhysicalMemProp *prop, int32_t *id)
{
    uint32_t count = 0;
    if (!prop)
        return fail(ACL_ERROR_INVALID_PARAM, function, "prop is null");
    if (prop->handleType != ACL_MEM_HANDLE_TYPE_NONE ||
        prop->allocationType != ACL_MEM_ALLOCATION_TYPE_PINNED ||
        prop->location.type != ACL_MEM_LOCATION_TYPE_DEVICE)
        return fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT, function,
                    "prop asks for handleType %d, allocationType %d, location.type %d; there is "
                    "only pinned memory of the device, without a shared handle",
                    (int)prop->handleType, (int)prop->allocationType, (int)prop->location.type);
    int status = run_aclrtGetDeviceCount(&count);
    if (!status && prop->location.id >= count)
        status = fail(ACL_ERROR_RT_INVALID_DEVICEID, function, "there is no device %u",
                      (unsigned)prop->location.id);
    *id = (int32_t)prop->location.id;
    return status;
}

aclError run_aclrtMemGetAllocationGranularity(aclrtPhysicalMemProp *prop,
                                              aclrtMemGranularityOptions option,
                                              size_t *granularity)
{
    int32_t id;
    int status = check_property(__func__, prop, &id);
    if (!status && option != ACL_RT_MEM_ALLOC_GRANULARITY_MINIMUM &&
        option != ACL_RT_MEM_ALLOC_GRANULARITY_RECOMMENDED)
        status = FAIL(ACL_ERROR_RT_PARAM_INVALID, "option is %d; expected 0 or 1", (int)option);
    const struct Device *device = status ? NULL : device_for_existing(&status);
    return device ? device->mem_get_allocation_granularity(id, granularity) : status;
}

aclError run_aclrtReserveMemAddress(void **virPtr, size_t size, size_t alignment, void *expectPtr,
                                    uint64_t flags)
{
    size_t granularity = 1;
    int status = check_flags(__func__, flags, 1);
    if (!status && !size)
        status = FAIL(ACL_ERROR_INVALID_PARAM, "size is 0; expected at least 1");
    if (!status && (alignment & (alignment - 1)))
        status = FAIL(ACL_ERROR_RT_PARAM_INVALID, "alignment is %zu; expected 0 or a power of two",
                      alignment);
    const struct Device *device = status ? NULL : prepare(__func__, &granularity, &status);
    if (!device)
        return status;
    if (size > SIZE_MAX / 2)
        return FAIL(ACL_ERROR_RT_MEMORY_ALLOCATION, "there are no %zu addresses", size);
    size = (size + granularity - 1) / granularity * granularity;
    if (alignment < granularity)
        alignment = granularity;
    if ((status = device->reserve_mem_address(size, alignment, expectPtr, virPtr)))
        return status;
    if (!block_reserve(*virPtr, size)) {
        device->release_mem_address(*virPtr, size);
        status = FAIL(ACL_ERROR_BAD_ALLOC, "out of host memory");
    }
    return status;
}

aclError run_aclrtReleaseMemAddress(void *virPtr)
{
    int status = 0;
    size_t size = 0;
    const struct Device *device = device_for_existing(&status);
    if (!device)
        return status;
    if (!virPtr)
        return FAIL(ACL_ERROR_INVALID_PARAM, "virPtr is null");
    const char *why = block_release(virPtr, &size);
    return why ? FAIL(ACL_ERROR_RT_PARAM_INVALID, "virPtr (%p) %s", virPtr, why)
               : device->release_mem_address(virPtr, size);
}

aclError run_aclrtMallocPhysical(aclrtDrvMemHandle *handle, size_t size,
                                 const aclrtPhysicalMemProp *prop, uint64_t flags)
{
    size_t granularity = 1;
    int32_t id = 0;
    struct Physical made = {0, size};
    int status = check_property(__func__, prop, &id);
    if (!status)
        status = check_flags(__func__, flags, 0);
    const struct Device *device = status ? NULL : prepare(__func__, &granularity, &status);
    if (!device)
        return status;
    if (!size || size % granularity)
        return refuse_number(__func__, "size", size, granularity);
    if ((status = device->malloc_physical(size, id, &made.number)))
        return status;
    struct Physical *kept = malloc(sizeof *kept);
    if (kept)
        *kept = made;
    *handle = handle_new(PHYSICAL_MEMORY, kept);
    if (!*handle) {
        device->free_physical(made.number, size);
        status = FAIL(ACL_ERROR_BAD_ALLOC, "out of host memory");
    }
    return status;
}

aclError run_aclrtFreePhysical(aclrtDrvMemHandle handle)
{
    int status = 0;
    const struct Device *device = device_for_existing(&status);
    struct Physical *found = device ? handle_end(PHYSICAL_MEMORY, handle, DESTROYED) : NULL;
    if (device && !found)
        return fail_handle(PHYSICAL_MEMORY, handle, __func__, "handle");
    if (device)
        status = device->free_physical(found->number, found->size);
    free(found);
    return status;
}

aclError run_aclrtMapMem(void *virPtr, size_t size, size_t offset, aclrtDrvMemHandle handle,
                         uint64_t flags)
{
    size_t granularity = 1;
    int status = check_flags(__func__, flags, 0);
    if (!status && !virPtr)
        status = FAIL(ACL_ERROR_INVALID_PARAM, "virPtr is null");
    const struct Device *device = status ? NULL : prepare(__func__, &granularity, &status);
    if (!device)
        return status;
    handles_lock();
    struct Physical *found = handle_find(PHYSICAL_MEMORY, handle);
    struct Physical memory = found ? *found : (struct Physical){0};
    handles_unlock();
    if (!found)
        return fail_handle(PHYSICAL_MEMORY, handle, __func__, "handle");
    if (!size || size % granularity)
        return refuse_number(__func__, "size", size, granularity);
    if (offset % granularity)
        return refuse_number(__func__, "offset", offset, granularity);
    if ((uintptr_t)virPtr % granularity)
        return refuse_number(__func__, "virPtr", (size_t)virPtr, granularity);
    if (offset > memory.size || size > memory.size - offset)
        return FAIL(ACL_ERROR_RT_PARAM_INVALID,
                    "%zu bytes from offset %zu run beyond the memory of handle: it has %zu", size,
                    offset, memory.size);
    const char *why = block_map(virPtr, size);
    if (why)
        return FAIL(ACL_ERROR_RT_PARAM_INVALID, "virPtr (%p) %s", virPtr, why);
    if ((status = device->map_mem(virPtr, size, offset, memory.number)))
        block_unmap(virPtr);
    return status;
}

aclError run_aclrtUnmapMem(void *virPtr)
{
    int status = 0;
    const struct Device *device = device_for_existing(&status);
    if (!device)
        return status;
    if (!virPtr)
        return FAIL(ACL_ERROR_INVALID_PARAM, "virPtr is null");
    size_t size = block_unmap(virPtr);
    return size ? device->unmap_mem(virPtr, size)
                : FAIL(ACL_ERROR_RT_PARAM_INVALID, "nothing is mapped from %p on", virPtr);
}
