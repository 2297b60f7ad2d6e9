/* Descriptors of tensors, for operators by name: what a tensor is, without its data. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

static void discard(struct Descriptor *descriptor)
{
    if (descriptor)
        free(descriptor->name);
    free(descriptor);
}

/* Copy the descriptor of a handle without its name; false, and an error, where it does not live. */
bool descriptor_of(const aclTensorDesc *handle, struct Descriptor *copy, const char *function)
{
    handles_lock();
    struct Descriptor *found = handle_find(DESCRIPTOR, handle);
    if (found)
        *copy = *found;
    handles_unlock();
    copy->name = NULL;
    if (!found)
        fail_handle(DESCRIPTOR, handle, function, "desc");
    return found != NULL;
}

void descriptor_reshape(const aclTensorDesc *handle, int count, const int64_t *dims)
{
    handles_lock();
    struct Descriptor *found = handle_find(DESCRIPTOR, handle);
    if (found && count <= DESCRIBED_DIMS) {
        found->count = count;
        memcpy(found->dims, dims, count * sizeof *dims);
    }
    handles_unlock();
}

static int check_dims(const char *function, int count, const int64_t *dims)
{
    if (count < 0 || count > DESCRIBED_DIMS)
        return fail(ACL_ERROR_INVALID_PARAM, function, "numDims is %d; expected 0 to %d", count,
                    DESCRIBED_DIMS);
    if (count && !dims)
        return fail(ACL_ERROR_INVALID_PARAM, function, "dims is null; expected %d sizes", count);
    return 0;
}

aclTensorDesc *run_aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t *dims,
                                       aclFormat format)
{
    if (check_dims(__func__, numDims, dims))
        return NULL;
    struct Descriptor *made = calloc(1, sizeof *made);
    if (made) {
        *made = (struct Descriptor){.dtype = dataType, .format = format, .storage_format = format,
                                    .count = numDims};
        if (numDims)
            memcpy(made->dims, dims, numDims * sizeof *dims);
    }
    return handle_new(DESCRIPTOR, made);
}

void run_aclDestroyTensorDesc(const aclTensorDesc *desc)
{
    struct Descriptor *found = handle_end(DESCRIPTOR, desc, DESTROYED);
    if (!found && desc)
        fail_handle(DESCRIPTOR, desc, __func__, "desc");
    discard(found);
}

/* Change a descriptor that lives while the handles are locked: { CHANGE(desc) found->x = ...; DONE } */
#define CHANGE(handle)                                                                             \
    handles_lock();                                                                                \
    struct Descriptor *found = handle_find(DESCRIPTOR, handle);                                    \
    if (found)
#define CHANGED(handle)                                                                            \
    handles_unlock();                                                                              \
    return found ? 0 : fail_handle(DESCRIPTOR, handle, __func__, "desc")

aclError run_aclSetTensorShape(aclTensorDesc *desc, int numDims, const int64_t *dims)
{
    int status = check_dims(__func__, numDims, dims); /* of the storage, which is contiguous here */
    if (status)
        return status;
    CHANGE(desc)
        found->storage_count = numDims;
    CHANGED(desc);
}

aclError run_aclSetTensorFormat(aclTensorDesc *desc, aclFormat format)
{
    CHANGE(desc)
        found->storage_format = format;
    CHANGED(desc);
}

aclError run_aclSetTensorPlaceMent(aclTensorDesc *desc, aclMemType memType)
{
    CHANGE(desc)
        found->on_host = memType != ACL_MEMTYPE_DEVICE;
    CHANGED(desc);
}

aclError run_aclSetTensorConst(aclTensorDesc *desc, void *dataBuffer, size_t length)
{
    if (length && !dataBuffer)
        return FAIL(ACL_ERROR_INVALID_PARAM, "dataBuffer is null; expected %zu bytes", length);
    CHANGE(desc)
        found->on_host = true;
    CHANGED(desc);
}

void run_aclSetTensorDescName(aclTensorDesc *desc, const char *name)
{
    char *copy = name ? strdup(name) : NULL;
    handles_lock();
    struct Descriptor *found = handle_find(DESCRIPTOR, desc);
    if (found) {
        free(found->name);
        found->name = copy;
    }
    handles_unlock();
    if (!found) {
        free(copy);
        fail_handle(DESCRIPTOR, desc, __func__, "desc");
    }
}

const char *run_aclGetTensorDescName(aclTensorDesc *desc)
{
    handles_lock();
    struct Descriptor *found = handle_find(DESCRIPTOR, desc);
    const char *name = found && found->name ? found->name : "";
    handles_unlock();
    return name;
}

aclDataType run_aclGetTensorDescType(const aclTensorDesc *desc)
{
    struct Descriptor found;
    return descriptor_of(desc, &found, __func__) ? (aclDataType)found.dtype : ACL_DT_UNDEFINED;
}

aclFormat run_aclGetTensorDescFormat(const aclTensorDesc *desc)
{
    struct Descriptor found;
    return descriptor_of(desc, &found, __func__) ? (aclFormat)found.format : ACL_FORMAT_UNDEFINED;
}

size_t run_aclGetTensorDescNumDims(const aclTensorDesc *desc)
{
    struct Descriptor found;
    return descriptor_of(desc, &found, __func__) ? (size_t)found.count : 0;
}

aclError run_aclGetTensorDescDimV2(const aclTensorDesc *desc, size_t index, int64_t *dimSize)
{
    struct Descriptor found;
    if (!descriptor_of(desc, &found, __func__))
        return fail_handle(DESCRIPTOR, desc, __func__, "desc");
    if (index >= (size_t)found.count)
        return FAIL(ACL_ERROR_INVALID_PARAM, "index is %zu; there are %d dimensions", index,
                    found.count);
    *dimSize = found.dims[index];
    return 0;
}

size_t run_aclGetTensorDescElementCount(const aclTensorDesc *desc)
{
    struct Descriptor found;
    if (!descriptor_of(desc, &found, __func__))
        return 0;
    size_t total = 1;
    for (int i = 0; i < found.count; i++)
        total *= (size_t)found.dims[i];
    return total;
}

size_t run_aclGetTensorDescSize(const aclTensorDesc *desc)
{
    return run_aclGetTensorDescElementCount(desc) *
           run_aclDataTypeSize(run_aclGetTensorDescType(desc));
}
