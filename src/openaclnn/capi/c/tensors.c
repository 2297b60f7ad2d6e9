/* Tensors and scalars: descriptions that the operators read. Whether they make sense is the
   operators' check; here only what cannot be described is refused. */
#include "internal.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { DIMS_AT_MOST = 4096 };

static void fill_contiguous(int64_t *strides, const int64_t *shape, uint64_t dims)
{
    uint64_t step = 1; /* unsigned: a shape too large for 64 bits wraps here and is refused later */
    for (uint64_t i = dims; i-- > 0;) {
        strides[i] = (int64_t)step;
        step *= (uint64_t)shape[i];
    }
}

struct Memory memory_at(const void *address, uint64_t *block)
{
    struct Block found = {0};
    enum Where where = address ? block_at(address, &found) : NOT_OURS;
    bool ended = where == FREED || (*block && found.number != *block);
    enum Ending how = *block & REGISTERED ? BY_UNREGISTER : found.reservation ? BY_UNMAP : BY_FREE;
    if (!*block)
        *block = found.number;
    if (ended)
        return (struct Memory){how, 0};
    return (struct Memory){(uint64_t)found.start, (uint64_t)found.start + found.size};
}

uint64_t tensor_reach(const struct Description *description)
{
    const int64_t *shape = description->numbers, *strides = shape + description->dims;
    uint64_t last = (uint64_t)description->offset; /* what wraps is refused elsewhere */
    for (uint64_t i = 0; i < description->dims; i++) {
        if (shape[i] <= 0)
            return 0;
        if (strides[i] > 0)
            last += (uint64_t)(shape[i] - 1) * (uint64_t)strides[i];
    }
    return (last + 1) * run_aclDataTypeSize((aclDataType)description->dtype);
}

void tensor_resize(struct Tensor *tensor, const int64_t *shape, uint64_t dims)
{
    int64_t *numbers = tensor->description.numbers;
    if (dims != tensor->description.dims) /* it was described anew meanwhile */
        return;
    memcpy(numbers, shape, dims * sizeof *numbers);
    fill_contiguous(numbers + dims, shape, dims);
}

static void place(struct Tensor *tensor, void *data)
{
    tensor->frees = block_frees();
    tensor->block = 0;
    tensor->description.data = data;
    tensor->description.memory = memory_at(data, &tensor->block);
}

void tensor_look(struct Tensor *tensor)
{
    uint64_t frees = block_frees();
    if (tensor->block && tensor->frees == frees)
        return;
    tensor->frees = frees;
    tensor->description.memory = memory_at(tensor->description.data, &tensor->block);
}

static struct Tensor *describe(const char *function, const int64_t *shape, uint64_t dims,
                               aclDataType dtype, const int64_t *strides, int64_t offset,
                               aclFormat format, const int64_t *storage, uint64_t storage_dims,
                               void *data)
{
    if (!storage) {
        storage = shape;
        storage_dims = dims;
    }
    if (dims > DIMS_AT_MOST || storage_dims > DIMS_AT_MOST) {
        fail(ACLNN_ERR_PARAM_INVALID, function, "%llu dimensions came; expected at most %d",
             (unsigned long long)(dims > storage_dims ? dims : storage_dims), DIMS_AT_MOST);
        return NULL;
    }
    if (dims && !shape) {
        fail(ACLNN_ERR_PARAM_NULLPTR, function, "viewDims is null; expected %llu sizes",
             (unsigned long long)dims);
        return NULL;
    }
    size_t size = sizeof(struct Description) + (2 * dims + storage_dims) * sizeof(int64_t);
    struct Tensor *tensor = malloc(offsetof(struct Tensor, description) + size);
    if (!tensor) {
        fail(ACL_ERROR_BAD_ALLOC, function, "out of host memory");
        return NULL;
    }
    place(tensor, data);
    tensor->size = size;
    tensor->description.dtype = dtype;
    tensor->description.format = format;
    tensor->description.offset = offset;
    tensor->description.dims = dims;
    tensor->description.storage_dims = storage_dims;
    int64_t *numbers = tensor->description.numbers;
    if (dims)
        memcpy(numbers, shape, dims * sizeof *numbers);
    if (dims && strides)
        memcpy(numbers + dims, strides, dims * sizeof *numbers);
    else
        fill_contiguous(numbers + dims, shape, dims);
    if (storage_dims)
        memcpy(numbers + 2 * dims, storage, storage_dims * sizeof *numbers);
    return tensor;
}

aclTensor *run_aclCreateTensor(const int64_t *viewDims, uint64_t viewDimsNum, aclDataType dataType,
                               const int64_t *stride, int64_t offset, aclFormat format,
                               const int64_t *storageDims, uint64_t storageDimsNum, void *tensorData)
{
    return handle_new(TENSOR, describe(__func__, viewDims, viewDimsNum, dataType, stride, offset,
                                       format, storageDims, storageDimsNum, tensorData));
}

aclnnStatus run_aclDestroyTensor(const aclTensor *tensor)
{
    struct Tensor *found = handle_end(TENSOR, tensor, DESTROYED);
    free(found);
    return found || !tensor ? 0 : fail_handle(TENSOR, tensor, __func__, "tensor");
}

/* Run statements on the tensor of a handle while nobody can destroy it; refuse dead handles. */
#define WITH_TENSOR(handle, statements)                                                            \
    do {                                                                                           \
        handles_lock();                                                                            \
        struct Tensor *found = handle_find(TENSOR, handle);                                        \
        if (found) {                                                                               \
            statements;                                                                            \
        }                                                                                          \
        handles_unlock();                                                                          \
        return found ? 0 : fail_handle(TENSOR, handle, __func__, "tensor");                        \
    } while (0)

aclnnStatus run_aclInitTensor(aclTensor *tensor, const int64_t *viewDims, uint64_t viewDimsNum,
                              aclDataType dataType, const int64_t *stride, int64_t offset,
                              aclFormat format, const int64_t *storageDims, uint64_t storageDimsNum,
                              void *tensorData)
{
    struct Tensor *fresh = describe(__func__, viewDims, viewDimsNum, dataType, stride, offset,
                                    format, storageDims, storageDimsNum, tensorData);
    if (!fresh)
        return viewDimsNum && !viewDims ? ACLNN_ERR_PARAM_NULLPTR : ACLNN_ERR_PARAM_INVALID;
    handles_lock();
    struct Tensor *old = handle_replace(TENSOR, tensor, fresh);
    handles_unlock();
    free(old ? old : fresh);
    return old ? 0 : fail_handle(TENSOR, tensor, __func__, "tensor");
}

/* The caller frees these arrays with delete[], so they must come from operator new[] wherever the
   process has one: AddressSanitizer and valgrind tell malloc and new[] apart. */
static int64_t *for_the_caller(const int64_t *numbers, uint64_t count)
{
    static void *(*new_array)(size_t);
    if (!new_array) {
        void *found = dlsym(RTLD_DEFAULT, "_Znam");
        new_array = found ? (void *(*)(size_t))found : malloc;
    }
    int64_t *copy = new_array(count ? count * sizeof *copy : 1);
    if (copy && count)
        memcpy(copy, numbers, count * sizeof *copy);
    return copy;
}

aclnnStatus run_aclGetViewShape(const aclTensor *tensor, int64_t **viewDims, uint64_t *viewDimsNum)
{
    WITH_TENSOR(tensor, {
        *viewDimsNum = found->description.dims;
        *viewDims = for_the_caller(found->description.numbers, *viewDimsNum);
    });
}

aclnnStatus run_aclGetViewStrides(const aclTensor *tensor, int64_t **stridesValue,
                                  uint64_t *stridesNum)
{
    WITH_TENSOR(tensor, {
        *stridesNum = found->description.dims;
        *stridesValue = for_the_caller(found->description.numbers + *stridesNum, *stridesNum);
    });
}

aclnnStatus run_aclGetStorageShape(const aclTensor *tensor, int64_t **storageDims,
                                   uint64_t *storageDimsNum)
{
    WITH_TENSOR(tensor, {
        *storageDimsNum = found->description.storage_dims;
        *storageDims = for_the_caller(found->description.numbers + 2 * found->description.dims,
                                      *storageDimsNum);
    });
}

aclnnStatus run_aclGetViewOffset(const aclTensor *tensor, int64_t *offset)
{
    WITH_TENSOR(tensor, *offset = found->description.offset);
}

aclnnStatus run_aclGetFormat(const aclTensor *tensor, aclFormat *format)
{
    WITH_TENSOR(tensor, *format = (aclFormat)found->description.format);
}

aclnnStatus run_aclGetDataType(const aclTensor *tensor, aclDataType *dataType)
{
    WITH_TENSOR(tensor, *dataType = (aclDataType)found->description.dtype);
}

aclnnStatus run_aclSetRawTensorAddr(aclTensor *tensor, void *addr)
{
    WITH_TENSOR(tensor, place(found, addr));
}

aclnnStatus run_aclGetRawTensorAddr(const aclTensor *tensor, void **addr)
{
    WITH_TENSOR(tensor, *addr = found->description.data);
}

aclScalar *run_aclCreateScalar(void *value, aclDataType dataType)
{
    size_t size = run_aclDataTypeSize(dataType);
    struct Scalar *scalar = NULL;
    if (!value)
        FAIL(ACLNN_ERR_PARAM_NULLPTR, "value is null; expected the address of a number");
    else if (!size || size > sizeof scalar->value)
        FAIL(ACLNN_ERR_PARAM_INVALID, "dtype %d has no whole bytes that a scalar could hold",
             (int)dataType);
    else if (!(scalar = calloc(1, sizeof *scalar)))
        FAIL(ACL_ERROR_BAD_ALLOC, "out of host memory");
    if (scalar) {
        scalar->size = sizeof scalar->dtype + size;
        scalar->dtype = dataType;
        memcpy(scalar->value, value, size);
    }
    return handle_new(SCALAR, scalar);
}

aclnnStatus run_aclDestroyScalar(const aclScalar *scalar)
{
    struct Scalar *found = handle_end(SCALAR, scalar, DESTROYED);
    free(found);
    return found || !scalar ? 0 : fail_handle(SCALAR, scalar, __func__, "scalar");
}
