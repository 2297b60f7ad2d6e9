/* Copies of many parts: rows of a matrix, and batches. */
#include "internal.h"

/* The bytes from the first row's begin to the last row's end; false where they are no number. */
static bool extent(size_t pitch, size_t width, size_t height, size_t *bytes)
{
    return !__builtin_mul_overflow(pitch, height - 1, bytes) &&
           !__builtin_add_overflow(*bytes, width, bytes);
}

static int check_rows(const char *function, void *dst, size_t dpitch, const void *src,
                      size_t spitch, size_t width, size_t height, int kind)
{
    size_t to, from;
    if (!width || !height)
        return fail(ACL_ERROR_INVALID_PARAM, function, "%s is 0; expected at least 1",
                    width ? "height" : "width");
    if (width > dpitch || width > spitch)
        return fail(ACL_ERROR_RT_PARAM_INVALID, function, "width is %zu and %s only %zu", width,
                    width > dpitch ? "dpitch" : "spitch", width > dpitch ? dpitch : spitch);
    if (!extent(dpitch, width, height, &to) || !extent(spitch, width, height, &from))
        return fail(ACL_ERROR_RT_PARAM_INVALID, function, "%zu rows are more than there can be",
                    height);
    return check_places(function, dst, to, src, from, kind);
}

aclError run_aclrtMemcpy2d(void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                           size_t height, aclrtMemcpyKind kind)
{
    int status = check_rows(__func__, dst, dpitch, src, spitch, width, height, (int)kind);
    if (!status)
        status = refuse_in_capture(__func__);
    const struct Device *device = status ? NULL : device_for_existing(&status);
    return device ? device->memcpy2d(dst, dpitch, src, spitch, width, height, (int)kind) : status;
}

aclError run_aclrtMemcpy2dAsync(void *dst, size_t dpitch, const void *src, size_t spitch,
                                size_t width, size_t height, aclrtMemcpyKind kind,
                                aclrtStream stream)
{
    uint64_t number = 0;
    int status = check_rows(__func__, dst, dpitch, src, spitch, width, height, (int)kind);
    if (!status)
        status = stream_number(stream, __func__, &number);
    const struct Device *device = status ? NULL : device_for_existing(&status);
    return device ? device->memcpy2d_async(dst, dpitch, src, spitch, width, height, (int)kind, number)
                  : status;
}

struct Batch {
    void **dsts;
    size_t *room;
    void **srcs;
    size_t *sizes, count;
    const aclrtMemcpyBatchAttr *attributes;
    const size_t *first; /* the copy that an attribute begins with */
    size_t attribute_count;
};

static bool is_place(aclrtMemLocationType type)
{
    return type == ACL_MEM_LOCATION_TYPE_HOST || type == ACL_MEM_LOCATION_TYPE_DEVICE;
}

static int check_batch(const char *function, const struct Batch *batch)
{
    const void *const pointers[] = {batch->dsts, batch->room, batch->srcs, batch->sizes,
                                    batch->attributes, batch->first};
    static const char *const names[] = {"dsts", "destMax", "srcs", "sizes", "attrs", "attrsIndexes"};
    for (size_t i = 0; i < ELEMENTS(pointers); i++)
        if (!pointers[i])
            return fail(ACL_ERROR_INVALID_PARAM, function, "%s is null", names[i]);
    if (!batch->count || !batch->attribute_count || batch->attribute_count > batch->count)
        return fail(ACL_ERROR_INVALID_PARAM, function,
                    "numBatches is %zu and numAttrs %zu; expected at least 1, and no more "
                    "attributes than copies", batch->count, batch->attribute_count);
    for (size_t i = 0; i < batch->attribute_count; i++) {
        if (i ? batch->first[i] <= batch->first[i - 1] : batch->first[i] != 0)
            return fail(ACL_ERROR_RT_PARAM_INVALID, function,
                        "attrsIndexes[%zu] is %zu; expected 0 first, then larger ones", i,
                        batch->first[i]);
        if (!is_place(batch->attributes[i].dstLoc.type) || !is_place(batch->attributes[i].srcLoc.type))
            return fail(ACL_ERROR_RT_PARAM_INVALID, function,
                        "attrs[%zu] is from %d to %d; expected the host's (0) or the device's (1)",
                        i, (int)batch->attributes[i].srcLoc.type,
                        (int)batch->attributes[i].dstLoc.type);
    }
    return 0;
}

static int kind_of(const aclrtMemcpyBatchAttr *attribute)
{
    bool to_device = attribute->dstLoc.type == ACL_MEM_LOCATION_TYPE_DEVICE;
    if (attribute->srcLoc.type == ACL_MEM_LOCATION_TYPE_DEVICE)
        return to_device ? ACL_MEMCPY_DEVICE_TO_DEVICE : ACL_MEMCPY_DEVICE_TO_HOST;
    return to_device ? ACL_MEMCPY_HOST_TO_DEVICE : ACL_MEMCPY_HOST_TO_HOST;
}

/* All copies are checked before the first is made. */
static int copy_batch(const char *function, const struct Batch *batch, size_t *failed,
                      const uint64_t *stream)
{
    *failed = SIZE_MAX;
    int status = check_batch(function, batch);
    if (!status && !stream)
        status = refuse_in_capture(function);
    const struct Device *device = status ? NULL : device_for_existing(&status);
    for (int copies = 0; device && copies < 2; copies++) {
        const aclrtMemcpyBatchAttr *attribute = batch->attributes;
        for (size_t i = 0, next = 1; i < batch->count && !status; i++) {
            if (next < batch->attribute_count && batch->first[next] == i)
                attribute = &batch->attributes[next++];
            void *to = batch->dsts[i], *from = batch->srcs[i];
            size_t size = batch->sizes[i];
            int kind = kind_of(attribute);
            if (!copies) {
                status = size > batch->room[i]
                             ? fail(ACL_ERROR_RT_PARAM_INVALID, function,
                                    "sizes[%zu] is %zu and destMax only %zu; nothing was copied", i,
                                    size, batch->room[i])
                             : check_places(function, to, size, from, size, kind);
            } else if (size) {
                status = stream ? device->memcpy_async(to, from, size, kind, *stream)
                                : device->memcpy(to, from, size, kind);
            }
            if (status)
                *failed = i;
        }
        if (status)
            break;
    }
    return status;
}

aclError run_aclrtMemcpyBatch(void **dsts, size_t *destMax, void **srcs, size_t *sizes,
                              size_t numBatches, aclrtMemcpyBatchAttr *attrs, size_t *attrsIndexes,
                              size_t numAttrs, size_t *failIndex)
{
    const struct Batch batch = {dsts, destMax, srcs, sizes, numBatches, attrs, attrsIndexes,
                                numAttrs};
    return copy_batch(__func__, &batch, failIndex, NULL);
}

aclError run_aclrtMemcpyBatchAsync(void **dsts, size_t *destMax, void **srcs, size_t *sizes,
                                   size_t numBatches, aclrtMemcpyBatchAttr *attrs,
                                   size_t *attrsIndexes, size_t numAttrs, size_t *failIndex,
                                   aclrtStream stream)
{
    const struct Batch batch = {dsts, destMax, srcs, sizes, numBatches, attrs, attrsIndexes,
                                numAttrs};
    uint64_t number = 0;
    int status = stream_number(stream, __func__, &number);
    return status ? status : copy_batch(__func__, &batch, failIndex, &number);
}
