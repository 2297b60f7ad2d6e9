/* Sizes of weights in other formats: memory has one format, ND, so nothing becomes larger. */
#include "internal.h"

static aclnnStatus elements_of(const char *function, const aclIntArray *shape, uint64_t *count)
{
    handles_lock();
    struct Items found = items_of(INT_ARRAY, shape);
    uint64_t product = 1;
    bool counted = found.items != NULL;
    int64_t wrong = 0;
    for (uint64_t i = 0; counted && i < found.count; i++) {
        int64_t size = ((const int64_t *)found.items)[i];
        if (size < 0)
            wrong = size;
        else if (__builtin_mul_overflow(product, (uint64_t)size, &product))
            wrong = size;
    }
    handles_unlock();
    if (!shape)
        return fail(ACLNN_ERR_PARAM_NULLPTR, function, "tensorShape is null; expected a list");
    if (!counted)
        return fail_handle(INT_ARRAY, shape, function, "tensorShape");
    if (wrong)
        return fail(ACLNN_ERR_PARAM_INVALID, function, "tensorShape has %lld; expected sizes",
                    (long long)wrong);
    *count = product;
    return 0;
}

aclnnStatus run_aclnnCalculateMatmulWeightSize(const aclIntArray *tensorShape,
                                               uint64_t *weightTensorSize)
{
    return elements_of(__func__, tensorShape, weightTensorSize);
}

aclnnStatus run_aclnnCalculateMatmulWeightSizeV2(const aclIntArray *tensorShape,
                                                 aclDataType dataType, uint64_t *weightTensorSize)
{
    (void)dataType; /* elements are counted */
    return elements_of(__func__, tensorShape, weightTensorSize);
}

aclnnStatus run_aclnnNpuFormatCastCalculateSizeAndFormat(const aclTensor *srcTensor,
                                                         const int dstFormat,
                                                         const int additionalDtype,
                                                         int64_t **dstShape, uint64_t *dstShapeSize,
                                                         int *actualFormat)
{
    (void)additionalDtype;
    *actualFormat = dstFormat;
    return run_aclGetViewShape(srcTensor, dstShape, dstShapeSize);
}
