"""The objects that operators work on: tensors, scalars, arrays, lists, and executors."""

from __future__ import annotations

from openaclnn.capi.runtime_api.function import Function, Section, function

_VIEW = (
    "const int64_t *viewDims:viewDimsNum, uint64_t viewDimsNum, aclDataType dataType, "
    "const int64_t *stride:viewDimsNum, int64_t offset, aclFormat format, "
    "const int64_t *storageDims:storageDimsNum, uint64_t storageDimsNum, void *tensorData"
)


def _of(name: str, prototype: str, sentence: str, returns: str = "aclnnStatus ") -> Function:
    return function(name, prototype, sentence, returns=returns, python=None)


def _array(name: str, item: str) -> tuple[Function, ...]:
    return (
        _of(f"aclCreate{name}", f"{item}value:size, uint64_t size",
            "Make an array of numbers.", f"acl{name} *"),
        _of(f"aclDestroy{name}", f"const acl{name} *array", "End an array."),
        _of(f"aclGet{name}Size", f"const acl{name} *array, out uint64_t *size",
            "Get how many numbers an array has."),
    )  # fmt: skip


def _list(name: str, member: str, argument: str) -> tuple[Function, ...]:
    return (
        _of(f"aclCreate{name}", f"const {member} *const *value:size, uint64_t size",
            "Make a list, which owns its members from now on.", f"acl{name} *"),
        _of(f"aclDestroy{name}", f"const acl{name} *array", "End a list and its members."),
        _of(f"aclGet{name}Size", f"const acl{name} *{argument}, out uint64_t *size",
            "Get how many members a list has."),
    )  # fmt: skip


def _setters(spelling: str) -> tuple[Function, ...]:
    """Each replaces an address in an executor and in the tensor."""
    counted = {"Input": "the index counts inputs", "Output": "the index counts outputs",
               "": "the index counts all tensors"}  # fmt: skip
    return tuple(
        made
        for which, how in counted.items()
        for made in (
            _of(f"{spelling}Set{which}TensorAddr",
                "aclOpExecutor *executor, const size_t index, aclTensor *tensor, void *addr",
                f"Replace an address, in the executor and in the tensor; {how}."),
            _of(f"{spelling}SetDynamic{which}TensorAddr",
                "aclOpExecutor *executor, size_t irIndex, const size_t relativeIndex, "
                "aclTensorList *tensors, void *addr",
                f"Replace the address of a tensor of a list; {how}."),
        )
    )  # fmt: skip


TENSORS = Section("aclnn/acl_meta.h", "Tensors", (
    _of("aclCreateTensor", _VIEW,
        "Make a tensor. Strides and offset count elements; null strides mean contiguous, null "
        "storageDims the view's own shape.", "aclTensor *"),
    _of("aclInitTensor", f"aclTensor *tensor, {_VIEW}", "Describe a tensor anew."),
    _of("aclDestroyTensor", "const aclTensor *tensor", "End a tensor."),
    _of("aclGetViewShape",
        "const aclTensor *tensor, out int64_t **viewDims, out uint64_t *viewDimsNum",
        "Get the view's shape, an array to be freed with delete[]."),
    _of("aclGetStorageShape",
        "const aclTensor *tensor, out int64_t **storageDims, out uint64_t *storageDimsNum",
        "Get the storage's shape, an array to be freed with delete[]."),
    _of("aclGetViewStrides",
        "const aclTensor *tensor, out int64_t **stridesValue, out uint64_t *stridesNum",
        "Get the view's strides, an array to be freed with delete[]."),
    _of("aclGetViewOffset", "const aclTensor *tensor, out int64_t *offset",
        "Get the view's offset."),
    _of("aclGetFormat", "const aclTensor *tensor, out aclFormat *format", "Get the format."),
    _of("aclGetDataType", "const aclTensor *tensor, out aclDataType *dataType",
        "Get the element type."),
    _of("aclSetRawTensorAddr", "aclTensor *tensor, void *addr", "Let a tensor lie elsewhere."),
    _of("aclGetRawTensorAddr", "const aclTensor *tensor, out void **addr",
        "Get where a tensor lies."),
))  # fmt: skip

SCALARS = Section("aclnn/acl_meta.h", "Scalars", (
    _of("aclCreateScalar", "void *value, aclDataType dataType", "Make a scalar.", "aclScalar *"),
    _of("aclDestroyScalar", "const aclScalar *scalar", "End a scalar."),
))  # fmt: skip

ARRAYS = Section("aclnn/acl_meta.h", "Arrays", (
    *_array("IntArray", "const int64_t *"),
    *_array("FloatArray", "const float *"),
    *_array("BoolArray", "const bool *"),
))  # fmt: skip

LISTS = Section("aclnn/acl_meta.h", "Lists; a list owns its members", (
    *_list("TensorList", "aclTensor", "tensorList"),
    *_list("ScalarList", "aclScalar", "scalarList"),
))  # fmt: skip

EXECUTORS = Section("aclnn/acl_meta.h", "Executors", (
    _of("aclSetAclOpExecutorRepeatable", "aclOpExecutor *executor",
        "Let an executor run as often as it is asked to."),
    _of("aclDestroyAclOpExecutor", "aclOpExecutor *executor", "End an executor."),
    *_setters("acl"),
    *_setters("Acl"),
))  # fmt: skip

SECTIONS = (TENSORS, SCALARS, ARRAYS, LISTS, EXECUTORS)
