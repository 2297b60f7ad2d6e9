"""Fast readers of the two kinds of arrays that most calls get: NumPy's and PyTorch's.

A kind says how in lines of source, which `keys` compiles for all arrays of a call at once.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from typing import Any

import numpy as np

from openaclnn.base.records import dataclass
from openaclnn.base.tensors import contiguous_strides


@dataclass(frozen=True, eq=False)
class Kind:
    """How to read arrays of exactly one type; `{0}` is the array."""

    facts: str  # items of a tuple, hashable: all but the memory and how it is laid out …
    shape: str  # … that is this, …
    strides: str  # … and this, in elements or in bytes
    in_bytes: bool
    flat: str  # whether elements follow each other
    output: str  # an item that outputs add to facts
    address: str  # of the first element
    names: Mapping[str, Any]  # that these lines know
    like: Callable[[Any], Any]  # what arrays of any shape have in common with one
    # how to make a flat one of a shape, of what it has in common with a result, from the first
    # array, or one of its layout
    maker: Callable[[Any, tuple[int, ...], Any], Callable[[Any], Any]]
    # how to ask for the stream that an array's library works on; None on a CPU
    stream: Callable[[Any], Callable[[], int] | None]
    # what is to be told that an array the caller gave was written to
    written: Callable[[Any], None] | None = None
    # what its library does otherwise just now, which the compiled call cache tells calls apart by
    state: Callable[[], tuple[int, ...]] = tuple


_at = ctypes.c_size_t.from_address
_HEAD = object.__basicsize__  # bytes of any object, which an array's address follows


def _ask_address(array: Any) -> int:
    address: int = array.__array_interface__["data"][0]
    return address


def _stands_behind_head() -> bool:
    """Whether NumPy's arrays have their addresses where they have always had them; to ask an array
    takes six times as long as to look there."""
    if sys.implementation.name != "cpython":  # elsewhere an id is no address
        return False
    probes = (np.empty(3), np.empty((2, 5), np.int8)[1:, ::2], np.empty(()))
    return all(_at(id(probe) + _HEAD).value == _ask_address(probe) for probe in probes)


_STANDS = _stands_behind_head()


def numpy_address(array: np.ndarray[Any, Any]) -> int:
    """The address of an array's first element."""
    return _at(id(array) + _HEAD).value if _STANDS else _ask_address(array)


def _numpy() -> Kind:
    def maker(first: Any, shape: tuple[int, ...], like: Any) -> Callable[[Any], Any]:
        return lambda first: np.empty(shape, like)

    return Kind(
        facts="{0}.dtype",
        shape="{0}.shape",
        strides="{0}.strides",
        in_bytes=True,
        flat="{0}.flags.c_contiguous",
        like=lambda result: result.dtype,
        output="{0}.flags.writeable",
        address=f"_at(_id({{0}}) + {_HEAD}).value" if _STANDS else "_ask({0})",
        names={"_ask": _ask_address, "_at": _at},
        maker=maker,
        stream=lambda array: None,
    )


def _torch(torch: Any) -> Kind:
    def maker(first: Any, shape: tuple[int, ...], like: Any) -> Callable[[Any], Any]:
        dtype, device = like
        same = first.dtype is dtype and first.shape == shape
        if same and first.stride() == contiguous_strides(shape):
            return torch.empty_like  # type: ignore[no-any-return]  # takes half the time
        return lambda first: torch.empty(shape, dtype=dtype, device=device)

    return Kind(
        # what is not strided has no stride(); but for is_neg() a lazy negation is like its values;
        # a device takes longer to read, hash and compare than the rest; what autograd would have
        # to record is refused, so no call that was learnt is like it
        facts="{0}.dtype, {0}.is_cpu or {0}.device, {0}.is_neg(), "
        "{0}.requires_grad and _grad_enabled(), _forward._current_level >= 0 and _tangent({0})",
        shape="{0}.shape",
        strides="{0}.stride()",
        in_bytes=False,
        flat="{0}.is_contiguous()",
        like=lambda result: (result.dtype, result.device),
        output="True",
        address="{0}.data_ptr()",
        names={
            "_grad_enabled": torch.is_grad_enabled,
            "_forward": torch.autograd.forward_ad,
            "_tangent": lambda tensor: has_tangent(torch, tensor),
        },
        maker=maker,
        stream=lambda tensor: torch_stream(torch, tensor.device),
        written=torch_written(torch),
        state=lambda: torch_state(torch),
    )


FORWARD_LEVEL = "_current_level"  # of forward mode, -1 outside of it


def has_tangent(torch: Any, tensor: Any) -> bool:
    """Whether a tensor has a derivative in forward mode, which a plain function would drop."""
    forward = torch.autograd.forward_ad
    return getattr(forward, FORWARD_LEVEL) >= 0 and forward.unpack_dual(tensor).tangent is not None


def torch_state(torch: Any) -> tuple[int, int]:
    """The dispatch keys that this thread adds, and those that it leaves out."""
    local = torch._C
    return (
        local._dispatch_tls_local_include_set().raw_repr(),
        local._dispatch_tls_local_exclude_set().raw_repr(),
    )


@cache
def torch_written(torch: Any) -> Callable[[Any], None] | None:
    """How to tell PyTorch that a tensor was written to; old versions cannot be told."""
    raw, probe = getattr(torch._C, "_increment_version", None), torch.empty(1)
    with suppress(Exception):  # what its own function calls takes half the time, and tuples today
        before = probe._version
        raw((probe,))  # type: ignore[misc]
        if probe._version == before + 1:
            return lambda tensor: raw((tensor,))  # type: ignore[misc]
    return getattr(torch.autograd.graph, "increment_version", None)


def torch_stream(torch: Any, device: Any) -> Callable[[], int] | None:
    """How to ask for PyTorch's current stream on a device."""
    if device.type != "cuda":
        return None
    raw = getattr(torch._C, "_cuda_getCurrentRawStream", None)
    if raw is not None:  # what PyTorch's compiled programs ask: no object is made
        return partial(raw, device.index)
    return lambda: int(torch.cuda.current_stream(device).cuda_stream)


_kinds: dict[type, Kind] = {np.ndarray: _numpy()}


def kind_of(array: Any) -> Kind | None:
    """The kind of an array, if it is one of these two; of subclasses only PyTorch's parameters are,
    which differ in nothing that counts here."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.Tensor not in _kinds and isinstance(array, torch.Tensor):
        _kinds[torch.Tensor] = _kinds[torch.nn.Parameter] = _torch(torch)
    return _kinds.get(type(array))
