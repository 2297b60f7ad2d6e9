"""What results are like: functions from a call to the shape and dtype of each output. They answer
for any call, the wrong ones too: those are refused by the rules, not here."""

from __future__ import annotations

from collections.abc import Callable

from openaclnn.base.dtypes import BOOL, FLOAT, DType
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
    """The inputs' broadcast shape, true or false."""
    return (Meta(_shape(call), BOOL),) * len(call.op.outputs)


def like(name: str) -> Results:
    """Shape and dtype of an input, for every output."""

    def results(call: Call) -> tuple[Meta, ...]:
        tensor: Tensor | None = call[name]
        found = Meta((), FLOAT) if tensor is None else Meta(tensor.shape, tensor.dtype)
        return (found,) * len(call.op.outputs)

    return results
