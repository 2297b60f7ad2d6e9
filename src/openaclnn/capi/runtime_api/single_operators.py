"""Single operators by name (aclop): descriptors of tensors, attributes, execution, and options of
a compiler. An operator that is one of ours by name and arguments is computed."""

from __future__ import annotations

from openaclnn.base.acl_codes import Code
from openaclnn.capi.runtime_api.function import Function, Section, function

_DESCRIBED = (Code.INVALID_PARAM, Code.RT_INVALID_HANDLE)
_OPERATOR = (
    "const char *opType, int numInputs, {c}aclTensorDesc *{c}*inputDesc, "
    "{c}aclDataBuffer *{c}*inputs, int numOutputs, {c}aclTensorDesc *{c}*outputDesc, "
    "aclDataBuffer *{c}*outputs, {c}aclopAttr *attr, aclopEngineType engineType, "
    "aclopCompileType compileFlag, const char *opPath, aclrtStream stream"
)
_EXECUTED = (
    Code.INVALID_PARAM, Code.OP_NOT_FOUND, Code.RT_INVALID_HANDLE, Code.RT_STREAM_CONTEXT,
)  # fmt: skip


def _plain(name: str, prototype: str, sentence: str, *codes: Code, **rest: str) -> Function:
    return function(name, prototype, sentence, *codes, python=None, **rest)


DESCRIPTORS = Section("acl/acl_base.h", "Descriptors of tensors", (
    _plain("aclCreateTensorDesc",
           "aclDataType dataType, int numDims, const int64_t *dims, aclFormat format",
           "Make a descriptor; null where the dimensions are none.", returns="aclTensorDesc *"),
    _plain("aclDestroyTensorDesc", "const aclTensorDesc *desc",
           "End a descriptor.", returns="void "),
    _plain("aclSetTensorShape", "aclTensorDesc *desc, int numDims, const int64_t *dims",
           "Let a descriptor have another shape of its storage; the first one stays what "
           "aclGetTensorDescDimV2 gives.", *_DESCRIBED),
    _plain("aclSetTensorFormat", "aclTensorDesc *desc, aclFormat format",
           "Let a descriptor have another format of its storage.", *_DESCRIBED),
    _plain("aclSetTensorPlaceMent", "aclTensorDesc *desc, aclMemType memType",
           "Say whether the tensor lies in the device's memory or in the host's.", *_DESCRIBED),
    _plain("aclSetTensorConst", "aclTensorDesc *desc, void *dataBuffer, size_t length",
           "Give a descriptor the values of a constant.", *_DESCRIBED),
    _plain("aclSetTensorDescName", "aclTensorDesc *desc, const char *name",
           "Give a descriptor a name.", returns="void "),
    _plain("aclGetTensorDescName", "aclTensorDesc *desc",
           "Get the name, empty where there is none.", returns="const char *"),
    _plain("aclGetTensorDescType", "const aclTensorDesc *desc",
           "Get the type of the elements.", returns="aclDataType "),
    _plain("aclGetTensorDescFormat", "const aclTensorDesc *desc",
           "Get the format.", returns="aclFormat "),
    _plain("aclGetTensorDescNumDims", "const aclTensorDesc *desc",
           "Get how many dimensions there are.", returns="size_t "),
    _plain("aclGetTensorDescDimV2",
           "const aclTensorDesc *desc, size_t index, out int64_t *dimSize",
           "Get the size of a dimension.", *_DESCRIBED),
    _plain("aclGetTensorDescElementCount", "const aclTensorDesc *desc",
           "Get how many elements there are.", returns="size_t "),
    _plain("aclGetTensorDescSize", "const aclTensorDesc *desc",
           "Get how many bytes the elements have.", returns="size_t "),
))  # fmt: skip


def _attribute(kind: str, value: str) -> Function:
    return _plain(
        f"aclopSetAttr{kind}", f"aclopAttr *attr, const char *attrName, {value}",
        "Give attributes one of a name.", *_DESCRIBED, Code.BAD_ALLOC,
    )  # fmt: skip


ATTRIBUTES = Section("acl/acl_op.h", "Attributes of single operators", (
    _plain("aclopCreateAttr", "", "Make an empty set of attributes.", returns="aclopAttr *"),
    _plain("aclopDestroyAttr", "const aclopAttr *attr", "End one.", returns="void "),
    _attribute("Bool", "uint8_t attrValue"),
    _attribute("Int", "int64_t attrValue"),
    _attribute("Float", "float attrValue"),
    _attribute("String", "const char *attrValue"),
    _attribute("DataType", "aclDataType attrValue"),
    _attribute("ListBool", "int numValues, const uint8_t *values"),
    _attribute("ListInt", "int numValues, const int64_t *values"),
    _attribute("ListFloat", "int numValues, const float *values"),
    _attribute("ListListInt",
               "int numLists, const int *numValues, const int64_t *const *values"),
))  # fmt: skip

EXECUTION = Section("acl/acl_op_compiler.h", "Single operators", (
    _plain("aclopCompileAndExecute", _OPERATOR.format(c="const "),
           "Run an operator that has the name and arguments of one of ours, or that copies or "
           "chooses elements (Identity, Pack, ReduceMax, ReduceMin: what printing a tensor "
           "needs). Any other is named on stderr and refused: by this call where "
           "TASK_QUEUE_ENABLE is 0, otherwise by the next synchronisation of the stream.",
           *_EXECUTED),
    _plain("aclopCompileAndExecuteV2", _OPERATOR.format(c=""),
           "As aclopCompileAndExecute.", *_EXECUTED),
))  # fmt: skip

OPTIONS = Section("acl/acl_op_compiler.h", "Options of the compiler; nothing depends on them", (
    _plain("aclSetCompileopt", "aclCompileOpt opt, const char *value",
           "Keep an option.", Code.INVALID_PARAM),
    _plain("aclGetCompileoptSize", "aclCompileOpt opt",
           "Get the bytes of an option, with the end of its text.", returns="size_t "),
    _plain("aclGetCompileopt", "aclCompileOpt opt, char *value, size_t length",
           "Get an option; empty where it was never set.", Code.INVALID_PARAM),
))  # fmt: skip

SECTIONS = (DESCRIPTORS, ATTRIBUTES, EXECUTION, OPTIONS)
