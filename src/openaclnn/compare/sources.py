"""Sources of numbers to compare: a dtype and a shape, and one pass over the elements in C order, in
chunks, so that files may be larger than memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from openaclnn.base import dtypes
from openaclnn.base.dtypes import DType
from openaclnn.base.records import dataclass
from openaclnn.base.status import OpenaclnnError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

STRETCH = 1 << 16  # elements: temporaries of half a megabyte stay in the cache


class UnreadableError(OpenaclnnError, ValueError):
    """A file that is not what it says, or that holds something else than numbers."""


@dataclass(frozen=True, eq=False)
class Source:
    """Numbers by name: `walk` yields consecutive flat stretches of `STRETCH` elements."""

    name: str
    dtype: DType
    shape: tuple[int, ...]
    walk: Callable[[], Iterator[NDArray[Any]]]

    @property
    def numel(self) -> int:
        return math.prod(self.shape)


def interpret(name: str, found: np.dtype[Any], wanted: DType | None) -> DType:
    """The dtype of elements that NumPy calls `found`, where the user said `wanted` (or nothing).

    Bit patterns (unsigned integers, raw bytes) become what was wanted; numbers stay what they
    are, since results of a narrow type are often handed over in a wider one.
    """
    own = dtypes.from_numpy(found.newbyteorder("="))
    if own is not None and (own.kind in ("float", "bool") or found.kind == "i"):
        return own
    if found.kind in "uV" and found.names is None and wanted is not None:
        if found.itemsize != wanted.itemsize:
            raise UnreadableError(
                f"{name} has elements of {found.itemsize} bytes; {wanted} needs {wanted.itemsize}"
            )
        return wanted
    if own is not None and own.kind == "int":
        return own
    bits = found.kind == "V" and found.names is None and found.itemsize in (2, 4, 8)
    hint = "; if these are bit patterns, say of which type (dtype)" if bits else ""
    raise UnreadableError(f"{name} has elements of type {found}; expected real numbers{hint}")


def from_array(array: Any, name: str, wanted: DType | None = None) -> Source:
    """A source of an array in memory: NumPy's, PyTorch's, or anything NumPy makes an array of."""
    import numpy as np

    if hasattr(array, "detach"):
        return from_torch(array, name)
    values: NDArray[Any] = np.asarray(array)
    return _of(values, name, interpret(name, values.dtype, wanted))


def _of(values: NDArray[Any], name: str, dtype: DType) -> Source:
    def walk() -> Iterator[NDArray[Any]]:
        flat = values.reshape(-1) if values.flags.c_contiguous else values.flat
        for start in range(0, values.size, STRETCH):
            yield native(flat[start : start + STRETCH], dtype)

    return Source(name, dtype, values.shape, walk)


def native(stretch: NDArray[Any], dtype: DType) -> NDArray[Any]:
    """The same elements in this machine's byte order and under their own dtype."""
    if dtype is dtypes.BOOL:
        return stretch.astype(bool)
    if not stretch.dtype.isnative:
        stretch = stretch.astype(stretch.dtype.newbyteorder("="))
    return stretch if stretch.dtype == dtype.numpy else stretch.view(dtype.numpy)


def from_torch(tensor: Any, name: str) -> Source:
    """A source of a PyTorch tensor; NumPy cannot take its bfloat16, so the bits go over."""
    import torch

    kinds = ("float", "int", "bool")
    names = {
        getattr(torch, d.numpy_name): d
        for d in dtypes.ALL
        if d.kind in kinds and hasattr(torch, d.numpy_name)
    }
    where = "nested" if tensor.is_nested else tensor.layout
    if tensor.dtype not in names or where is not torch.strided or tensor.device.type == "meta":
        raise UnreadableError(
            f"{name} is a tensor of {tensor.dtype}, {where}, on {tensor.device}; "
            "expected a dense one of real numbers with values"
        )
    if tensor.is_neg():
        raise UnreadableError(
            f"{name} is a lazy negation; expected values: call resolve_neg() first"
        )
    dtype = names[tensor.dtype]
    values = tensor.detach().cpu()
    return _of((values.view(torch.int16) if dtype is dtypes.BF16 else values).numpy(), name, dtype)


def common_shape(sources: list[Source]) -> tuple[int, ...]:
    """The one shape; a flat source, raw bytes say, takes on that of the others."""
    shapes = {source.shape for source in sources if source.shape != (source.numel,)}
    if len({source.numel for source in sources}) == 1 and len(shapes) <= 1:
        return shapes.pop() if shapes else sources[0].shape
    listed = ", ".join(f"{source.name} has shape {list(source.shape)}" for source in sources)
    raise ValueError(f"the shapes differ: {listed}")
