"""Sizes of weights in other formats, which operators' headers declare. Memory has one format here,
ND: a weight keeps its elements as they are, whatever format it is said to have."""

from __future__ import annotations

from openaclnn.capi.runtime_api.function import Function, Section, function


def _of(name: str, prototype: str, sentence: str) -> Function:
    return function(name, prototype, sentence, returns="aclnnStatus ", python=None)


MATMUL = Section("aclnnop/aclnn_trans_matmul_weight.h", "Sizes of weights", (
    _of("aclnnCalculateMatmulWeightSize",
        "const aclIntArray *tensorShape, out uint64_t *weightTensorSize",
        "Get how many elements a weight of a shape has once it is prepared: as many as before."),
    _of("aclnnCalculateMatmulWeightSizeV2",
        "const aclIntArray *tensorShape, aclDataType dataType, out uint64_t *weightTensorSize",
        "Get how many elements a weight of any dtype has once it is prepared: as many as before."),
))  # fmt: skip

FORMATS = Section("aclnnop/aclnn_npu_format_cast.h", "Sizes of tensors in other formats", (
    _of("aclnnNpuFormatCastCalculateSizeAndFormat",
        "const aclTensor *srcTensor, const int dstFormat, const int additionalDtype, "
        "out int64_t **dstShape, out uint64_t *dstShapeSize, out int *actualFormat",
        "Get the storage's shape of a tensor in another format, an array to be freed with "
        "delete[]: the shape that it has, and the format that was asked for."),
))  # fmt: skip

SECTIONS = (MATMUL, FORMATS)
