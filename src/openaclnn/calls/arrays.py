"""Arrays of other libraries as tensors, without copies: NumPy, PyTorch, CuPy, JAX, DLPack."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np

from openaclnn.base import dtypes
from openaclnn.base.dtypes import DType
from openaclnn.base.status import AclnnTypeError, Status
from openaclnn.base.tensors import Tensor, View, product_of, strided_view
from openaclnn.calls import array_readers, dlpack
from openaclnn.calls.dlpack import UnusableError


def as_tensor(array: Any, written: bool = False, called: str = "the array") -> Tensor:
    """The tensor that an array is; `written`: it must allow that. `called` is what a refusal
    calls it: the operator and the argument."""
    if isinstance(array, Tensor):
        return array
    try:
        return _as_tensor(array, written)
    except UnusableError as reason:
        raise AclnnTypeError(Status.PARAM_INVALID, f"{called} {reason}") from None


def _as_tensor(array: Any, written: bool) -> Tensor:
    if type(array) is np.ndarray:  # before all that would be asked for an interface
        return _from_numpy(array, written)
    torch = sys.modules.get("torch")  # who has no torch module has no torch tensor
    if torch is not None and isinstance(array, torch.Tensor):
        return _from_torch(array, torch, written)
    _refuse_traced(array)
    if hasattr(array, "__cuda_array_interface__"):
        return _from_interface(array, array.__cuda_array_interface__, "cuda", written)
    if hasattr(array, "__array_interface__"):
        return _from_numpy(array, written)
    if hasattr(array, "__dlpack__"):
        return dlpack.as_tensor(array, written)
    if written:
        raise _no_output(array)
    found = np.asarray(array)
    if dtypes.from_numpy(found.dtype) is None:  # text, or an object of another class
        among = " with what is no number" if isinstance(array, (list, tuple)) else ""
        came = f"is a {type(array).__name__}{among}"
        raise UnusableError(f"{came}; expected an array or numbers")
    return _from_numpy(found, written)


def _refuse_traced(array: Any) -> None:
    """JAX's jit, grad and vmap call functions on stand-ins for arrays, which have no memory."""
    jax = sys.modules.get("jax")
    if jax is not None and isinstance(array, jax.core.Tracer):
        raise UnusableError(
            "is an array that JAX traces (jit, grad, vmap); expected one with values: call this "
            "function outside, or through jax.pure_callback"
        )


def _no_output(array: Any) -> UnusableError:
    return UnusableError(f"is a {type(array).__name__}; expected an array that can be written")


def empty_like(array: Any, shape: tuple[int, ...], dtype: DType) -> Any:
    """A new array of the same kind and on the same device."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor):
        return torch.empty(shape, dtype=getattr(torch, dtype.numpy_name), device=array.device)
    cupy = sys.modules.get("cupy")
    if cupy is not None and isinstance(array, cupy.ndarray):
        with cupy.cuda.Device(array.device):
            return cupy.empty(shape, dtype.numpy)
    if _from_jax(array):
        # JAX never changes an array, but this one nobody has seen yet
        return sys.modules["jax"].numpy.empty(shape, dtype.numpy, device=array.device)
    return np.empty(shape, dtype.numpy)


def begin_of(array: Any, shape: tuple[int, ...]) -> Any:
    """The first elements of a contiguous array, in a shape."""
    if array is None or tuple(array.shape) == shape:
        return array
    return array.reshape(-1)[: product_of(shape)].reshape(shape)


def _from_jax(array: Any) -> bool:
    jax = sys.modules.get("jax")
    return jax is not None and isinstance(array, jax.Array)


def wait_for(array: Any) -> None:
    """Wait until an array is there: JAX computes in the background, on streams of its own."""
    if _from_jax(array):
        array.block_until_ready()


def hand_over(array: Any, device: str) -> None:
    """Wait until a result is there, where the array's library could not know that it is not."""
    if device == "cuda" and _from_jax(array):
        from openaclnn.runtime import cuda

        cuda.synchronize_device()


def mark_written(array: Any) -> None:
    """Tell PyTorch that a tensor was written to: what autograd saved of it is no longer that."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor):
        tell = array_readers.torch_written(torch)
        if tell is not None:
            tell(array)


def current_stream(array: Any) -> int | None:
    """The stream that the caller's library works on, for arrays on a GPU."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor):
        ask = array_readers.torch_stream(torch, array.device)
        return ask() if ask is not None else None
    cupy = sys.modules.get("cupy")
    if cupy is not None and isinstance(array, cupy.ndarray):
        return int(cupy.cuda.get_current_stream().ptr)
    return None


def _from_numpy(array: Any, written: bool) -> Tensor:
    if type(array) is not np.ndarray:
        if written and isinstance(array, np.generic):  # asarray would copy it
            raise _no_output(array)
        _refuse_masked(array)
        array = np.asarray(array)
    dtype = dtypes.from_numpy(array.dtype)
    if dtype is None:
        raise UnusableError(f"has dtype {array.dtype}, which aclnn does not know")
    if not dtype.itemsize:
        raise UnusableError(
            f"has dtype {array.dtype}, one element to a byte in NumPy and several in aclnn; "
            "expected a dtype of whole bytes"
        )
    writeable = array.flags.writeable
    if written and not writeable:
        raise UnusableError("is read-only; expected an array to write to")
    view = _view(dtype, array.shape, array.strides)
    address = array_readers.numpy_address(array) - view.offset * dtype.itemsize
    return Tensor(view, address, "cpu", array, not writeable)


def _refuse_masked(array: Any) -> None:
    masked = sys.modules.get("numpy.ma")  # not imported for its own sake
    if masked is not None and isinstance(array, masked.MaskedArray):
        raise UnusableError(
            "is a masked array, and its mask would be lost; expected plain values: "
            "call filled() first, or take its .data"
        )


def _from_interface(array: Any, facts: dict[str, Any], device: str, written: bool) -> Tensor:
    dtype = dtypes.from_numpy(np.dtype(facts["typestr"]))
    if dtype is None and hasattr(array, "__dlpack__"):  # bfloat16 has no letter there
        return dlpack.as_tensor(array, written)
    if dtype is None:
        raise UnusableError(f"has type {facts['typestr']}, which aclnn does not know")
    address, read_only = facts["data"]
    if written and read_only:
        raise UnusableError("is read-only; expected an array to write to")
    strides = facts.get("strides") or _byte_strides(facts["shape"], dtype.itemsize)
    view = _view(dtype, tuple(facts["shape"]), tuple(strides))
    return Tensor(view, address - view.offset * dtype.itemsize, device, array)


def _byte_strides(shape: Sequence[int], itemsize: int) -> list[int]:
    strides = [itemsize] * len(shape)
    for position in range(len(shape) - 2, -1, -1):
        strides[position] = strides[position + 1] * shape[position + 1]
    return strides


@lru_cache(maxsize=4096)
def _view(dtype: DType, shape: tuple[int, ...], strides: tuple[int, ...]) -> View:
    """A view from strides in bytes."""
    itemsize = dtype.itemsize
    if any(stride % itemsize for stride, size in zip(strides, shape, strict=True) if size > 1):
        raise UnusableError(
            f"has strides of {list(strides)} bytes; expected multiples of its elements' "
            f"{itemsize} bytes: make it contiguous first"
        )
    return strided_view(dtype, shape, [stride // itemsize for stride in strides])


@cache
def _torch_dtype(dtype: Any) -> DType:
    try:
        return dtypes.by_name(str(dtype).removeprefix("torch."))
    except ValueError:
        raise UnusableError(f"has dtype {dtype}, which aclnn does not know") from None


def _from_torch(tensor: Any, torch: Any, written: bool) -> Tensor:
    dtype = _torch_dtype(tensor.dtype)
    device = tensor.device.type
    if tensor.layout is not torch.strided or device not in ("cpu", "cuda"):
        raise UnusableError(
            f"is {tensor.layout} on {tensor.device}; expected strided memory of a CPU or CUDA "
            "device"
        )
    if tensor.is_neg() or tensor.is_conj():
        raise UnusableError(
            "is a lazy negation or conjugate; expected its values: call resolve_neg() or "
            "resolve_conj() first"
        )
    if tensor.requires_grad and torch.is_grad_enabled():  # as PyTorch's own numpy() and out= do
        raise UnusableError(
            "requires grad, and PyTorch would not learn of this call; expected a tensor that does "
            f"not: {'write to another' if written else 'call detach() first'}, or call inside "
            "torch.no_grad()"
        )
    if array_readers.has_tangent(torch, tensor):
        raise UnusableError(
            "has a tangent (forward mode), and PyTorch would not learn of this call; expected a "
            "tensor without: call it outside of forward mode, or differentiate by backward()"
        )
    view = strided_view(dtype, tensor.shape, tensor.stride())
    return Tensor(view, tensor.data_ptr(), device, tensor)
