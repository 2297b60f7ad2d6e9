"""The same elements as a matrix: dimensions before an axis are its rows, the others its columns."""

from openaclnn.base.tensors import contiguous_strides, product_of
from openaclnn.spec.call import Call
from openaclnn.spec.host import INT64
from openaclnn.spec.moves import Shape, Sound, move, moving
from openaclnn.spec.op import Attr
from openaclnn.spec.steps import Part, Step


def axis_of(call: Call) -> int:
    axis, rank = call["axis"], len(call["self"].shape)
    found: int = axis + rank if axis < 0 else axis
    return found


def inside(call: Call) -> str | None:
    rank = len(call["self"].shape)
    if -rank <= call["axis"] <= rank:
        return None
    return f"axis is {call['axis']}; expected {-rank} to {rank}"


def shape(call: Call) -> Shape:
    sizes, axis = call["self"].shape, axis_of(call)
    return product_of(sizes[:axis]), product_of(sizes[axis:])


def steps(call: Call, self: Part, out: Part) -> list[Step]:
    sizes, axis, own = self.view.shape, axis_of(call), out.view
    strides = [
        step * stride
        for part, stride in zip((sizes[:axis], sizes[axis:]), own.strides, strict=True)
        for step in contiguous_strides(part)
    ]
    return [move(self, self.view, out, own.seen(sizes, strides, own.offset))]


OP = moving(
    "flatten",
    "Flattening to a matrix",
    "展平为矩阵",
    attributes=(Attr("axis", "the first dimension of the columns", "列的第一维", INT64, usual=1),),
    rules=(
        Sound(inside, "axis is from minus the rank of self to the rank",
              "axis 的绝对值不超过 self 的维数"),
    ),
    shape=shape,
    steps=steps,
    source="signature: candle; values: ONNX's Flatten",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.flatten(np.zeros((2, 3, 4), np.float32), 2).shape
(6, 4)
""",
)  # fmt: skip
