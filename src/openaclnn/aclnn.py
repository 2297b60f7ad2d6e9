"""The C API as Python functions: the same names, the same order of arguments, and statuses as
return values.

Out-parameters are returned: `aclnnSiluBackwardGetWorkspaceSize(grad, x, out)` gives
`(status, workspace_size, executor)`. Tensors may be arrays of NumPy, PyTorch or others that speak
DLPack. None is the null pointer. Nothing here raises: a wrong call answers with its status, and
`aclGetRecentErrMsg` says why. (A wrong number of arguments, which no C compiler would take, is
Python's TypeError.)

>>> import numpy as np
>>> x = np.linspace(-2, 2, 5, dtype=np.float32)
>>> out = np.empty_like(x)
>>> status, size, executor = aclnnSiluBackwardGetWorkspaceSize(np.ones_like(x), x, out)
>>> status, size, aclnnSiluBackward(None, 0, executor, None)
(0, 0, 0)
>>> aclnnSiluBackwardGetWorkspaceSize(x, None, out)
(161001, 0, None)
>>> aclGetRecentErrMsg()
'aclnnSiluBackward: self is null; expected a tensor'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from openaclnn.base import dtypes
from openaclnn.base.dtypes import DType
from openaclnn.base.fork_lock import fork_lock
from openaclnn.base.scalars import Scalar, scalar
from openaclnn.base.status import AclnnError, Status, take_recent
from openaclnn.base.tensors import Tensor, view, whatever_its_storage
from openaclnn.calls import c_shaped, two_phase
from openaclnn.calls.c_names import *  # noqa: F403  the constants; in the stubs the calls, too
from openaclnn.calls.executor import Executor


def _dtype(data_type: DType | int) -> DType:
    return data_type if isinstance(data_type, DType) else dtypes.by_code(data_type)


def aclCreateTensor(
    viewDims: Sequence[int],
    dataType: DType | int,
    stride: Sequence[int] | None,
    offset: int,
    format: int,
    storageDims: Sequence[int],
    tensorData: Any,
) -> Tensor | None:
    """A view of a storage; `tensorData` is an address, or an array that begins the storage.

    None where C would give a null pointer.

    >>> import numpy as np
    >>> storage = np.zeros(6, np.float32)
    >>> aclCreateTensor([2, 3], ACL_FLOAT, None, 0, ACL_FORMAT_ND, [6], storage).shape
    (2, 3)
    """

    def create() -> Tensor:
        if viewDims is None or storageDims is None:
            raise AclnnError(Status.PARAM_NULLPTR, "aclCreateTensor: the dimensions are null")
        facts = view(_dtype(dataType), viewDims, stride, offset, format, storageDims)
        if tensorData is None or isinstance(tensorData, int):
            return Tensor(facts, tensorData or 0)
        begin = c_shaped.as_tensor(tensorData, called="aclCreateTensor: tensorData")
        needed = facts.storage_numel * facts.dtype.itemsize
        if begin.end - begin.first < needed:
            raise AclnnError(
                Status.PARAM_INVALID,
                f"aclCreateTensor: the array has {begin.end - begin.first} bytes; expected "
                f"{needed} for a storage of shape {list(facts.storage_shape)}",
            )
        wider = whatever_its_storage(facts)
        if begin.end - begin.first >= wider.end_byte:
            facts = wider
        return Tensor(facts, begin.first, begin.device, begin, begin.read_only)

    tensor: Tensor | None = two_phase.answering(create)[1]
    return tensor


def aclDestroyTensor(tensor: Tensor | None) -> int:
    """Nothing to do but to answer: Python frees what nobody holds."""
    return c_shaped.status_of_handle(tensor, Tensor, "aclDestroyTensor: the tensor")


def aclCreateScalar(value: Any, dataType: DType | int) -> Scalar | None:
    """A scalar; None where the value does not fit the dtype, or is null.

    >>> aclCreateScalar(0.1, ACL_FLOAT16).value
    0.0999755859375
    """

    def create() -> Scalar:
        if value is None:
            raise AclnnError(Status.PARAM_NULLPTR, "aclCreateScalar: value is null")
        try:
            return scalar(value, _dtype(dataType))
        except (TypeError, ValueError, OverflowError) as error:
            raise AclnnError(Status.PARAM_INVALID, f"aclCreateScalar: {error}") from None

    result: Scalar | None = two_phase.answering(create)[1]
    return result


def aclDestroyScalar(scalar: Scalar | None) -> int:
    """Nothing to do but to answer: Python frees what nobody holds."""
    return c_shaped.status_of_handle(scalar, Scalar, "aclDestroyScalar: the scalar")


def aclSetAclOpExecutorRepeatable(executor: Executor | None) -> int:
    """Let an executor run any number of times, until it is destroyed."""
    return two_phase.set_repeatable(executor)


def aclDestroyAclOpExecutor(executor: Executor | None) -> int:
    """End an executor, before or after its run."""
    return two_phase.destroy(executor)


def aclSetInputTensorAddr(
    executor: Executor | None, index: int, tensor: Tensor | None, addr: int
) -> int:
    """Replace the address of an input tensor, counted from 0, here and in `tensor` itself."""
    return c_shaped.set_address("input", executor, index, tensor, addr)


def aclSetOutputTensorAddr(
    executor: Executor | None, index: int, tensor: Tensor | None, addr: int
) -> int:
    """Replace the address of an output tensor, counted from 0, here and in `tensor` itself."""
    return c_shaped.set_address("output", executor, index, tensor, addr)


def aclSetTensorAddr(
    executor: Executor | None, index: int, tensor: Tensor | None, addr: int
) -> int:
    """Replace the address of a tensor, counted from 0 in C order, here and in `tensor` itself."""
    return c_shaped.set_address("tensor", executor, index, tensor, addr)


def aclSetDynamicInputTensorAddr(
    executor: Executor | None,
    irIndex: int,
    relativeIndex: int,
    tensors: Sequence[Tensor] | None,
    addr: int,
) -> int:
    """Replace the address of a tensor in a list of inputs, here and in the tensor itself."""
    return c_shaped.set_dynamic_address("input", executor, irIndex, relativeIndex, tensors, addr)


def aclSetDynamicOutputTensorAddr(
    executor: Executor | None,
    irIndex: int,
    relativeIndex: int,
    tensors: Sequence[Tensor] | None,
    addr: int,
) -> int:
    """Replace the address of a tensor in a list of outputs, here and in the tensor itself."""
    return c_shaped.set_dynamic_address("output", executor, irIndex, relativeIndex, tensors, addr)


def aclSetDynamicTensorAddr(
    executor: Executor | None,
    irIndex: int,
    relativeIndex: int,
    tensors: Sequence[Tensor] | None,
    addr: int,
) -> int:
    """Replace the address of a tensor in any list, here and in the tensor itself."""
    return c_shaped.set_dynamic_address("tensor", executor, irIndex, relativeIndex, tensors, addr)


def aclGetRecentErrMsg() -> str | None:
    """Why the calling thread's latest failure happened, once; None when there was none."""
    return take_recent()


if not TYPE_CHECKING:  # checkers know every name, and are to find those that are none

    def __getattr__(name: str) -> Any:
        """Both calls of every operator, made when they are first used."""
        if name.startswith("aclnn"):
            try:
                with fork_lock:
                    globals()[name] = found = c_shaped.function(name)
            except LookupError as error:
                raise AttributeError(
                    f"module {__name__!r} has no attribute {name!r}: {error}"
                ) from None
            return found
        if name == "__all__":
            return [*(n for n in globals() if n[:3].lower() == "acl"), *c_shaped.names()]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    public = (name for name in globals() if name[:3].lower() == "acl" or name[:2] == "__")
    return sorted({*public, *c_shaped.names()})
