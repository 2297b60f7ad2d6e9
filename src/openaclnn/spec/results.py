"""What results are like: functions from a call to the shape and dtype of each output. They answer
for any call, the wrong ones too: those are refused by the rules, not here."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any

from openaclnn.base.dtypes import BOOL, FLOAT, DType
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import Tensor, broadcast
from openaclnn.spec.call import Call, Meta

Results = Callable[[Call], tuple[Meta, ...]]


def _shape(call: Call) -> tuple[int, ...]:
    shapes = [given.tensor.shape for given in call.reads]
    shape = broadcast(*shapes)
    return shape if shape is not None else shapes[0]


def promoted_dtype(call: Call) -> DType:
    """What is computed in; of a wrong call, the first input's."""
    promoted = call.promoted
    if promoted is not None and promoted.numpy_name:
        return promoted
    return call.reads[0].tensor.dtype if call.reads else FLOAT


def broadcast_and_promote(call: Call) -> tuple[Meta, ...]:
    """The inputs' broadcast shape in their promoted dtype, for every output."""
    found = Meta(_shape(call), promoted_dtype(call))
    return (found,) * len(call.op.outputs)


def compared(call: Call) -> tuple[Meta, ...]:
    """The inputs' broadcast shape, with dtype BOOL."""
    return (Meta(_shape(call), BOOL),) * len(call.op.outputs)


@dataclass(frozen=True)
class Like:
    """Shape and dtype of an input, for every output."""

    name: str

    def __call__(self, call: Call) -> tuple[Meta, ...]:
        tensor: Tensor | None = call[self.name]
        found = Meta((), FLOAT) if tensor is None else Meta(tensor.shape, tensor.dtype)
        return (found,) * len(call.op.outputs)


@dataclass(frozen=True)
class OverDims:
    """The first input's shape without the dimensions that an attribute names (none: all of them),
    or with size 1 there if another attribute says so; the promoted dtype."""

    dims: str
    keep: str

    def __call__(self, call: Call) -> tuple[Meta, ...]:
        shape = call.reads[0].tensor.shape
        folded = folded_dims(call.attributes[self.dims], len(shape))
        sizes = [(1 if k in folded else size) for k, size in enumerate(shape)]
        if not call.attributes[self.keep]:
            sizes = [size for k, size in enumerate(sizes) if k not in folded]
        return (Meta(tuple(sizes), promoted_dtype(call)),) * len(call.op.outputs)


def folded_dims(value: Any, rank: int) -> tuple[int, ...]:
    """The dimensions that a fold is over, in order, as an attribute's value names them: one or
    several, below 0 counted from the end; none means all.

    >>> folded_dims((-1, 0), 3), folded_dims((), 2), folded_dims(1, 2)
    ((0, 2), (0, 1), (1,))
    """
    if value is None or value == ():
        return tuple(range(rank))
    dims = value if isinstance(value, (tuple, list)) else (value,)
    return tuple(sorted({index(dim) % rank for dim in dims})) if rank else ()


@dataclass(frozen=True)
class ReducedBy:
    """The inputs' broadcast shape, or 0-D unless the reduction attribute is 0 (none); the promoted
    dtype."""

    reduction: str

    def __call__(self, call: Call) -> tuple[Meta, ...]:
        shape = _shape(call) if call.attributes[self.reduction] == 0 else ()
        return (Meta(shape, promoted_dtype(call)),) * len(call.op.outputs)
