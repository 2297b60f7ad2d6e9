"""A diagonal of a matrix, or the matrix with a vector there and zeros beside it. Diagonals are
counted upwards from the main one."""

from openaclnn.base.tensors import View
from openaclnn.spec.call import Call
from openaclnn.spec.host import INT64
from openaclnn.spec.moves import Shape, Sound, move, moving
from openaclnn.spec.op import Attr
from openaclnn.spec.steps import Part, Step, zeros


def deep(call: Call) -> str | None:
    rank = len(call["self"].shape)
    return None if rank in (1, 2) else f"self has {rank} dimensions; expected 1 or 2"


def along(view: View, diagonal: int) -> View:
    """The elements of a diagonal of a matrix."""
    rows, columns = view.shape
    down, right = max(-diagonal, 0), max(diagonal, 0)
    count = max(min(rows - down, columns - right), 0)
    start = view.offset + (down * view.strides[0] + right * view.strides[1]) * bool(count)
    return view.seen((count,), (sum(view.strides),), start)


def shape(call: Call) -> Shape:
    own: Shape = call["self"].shape
    diagonal: int = call["diagonal"]
    if len(own) == 1:
        return (own[0] + abs(diagonal),) * 2
    if len(own) != 2:
        return own
    rows, columns = own
    return (max(min(rows - max(-diagonal, 0), columns - max(diagonal, 0)), 0),)


def steps(call: Call, self: Part, out: Part) -> list[Step]:
    if len(self.view.shape) == 2:
        return [move(self, along(self.view, call["diagonal"]), out, out.view)]
    written = along(out.view, call["diagonal"])
    return [Step({}, (out,), zeros), move(self, self.view, out, written)]


OP = moving(
    "diag",
    "Diagonal of a matrix, or a matrix with a given diagonal",
    "矩阵的对角线，或以向量为对角线的矩阵",
    attributes=(Attr("diagonal", "which diagonal", "对角线", INT64, default=0, by_place=True),),
    rules=(Sound(deep, "self has 1 or 2 dimensions", "self 为 1 或 2 维"),),
    shape=shape,
    steps=steps,
    torch="diag",
    source="signature: op-plugin, candle; values: PyTorch's diag",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.diag(np.array([[1, 2], [3, 4]]))
array([1, 4])
>>> openaclnn.diag(np.array([1, 2]))
array([[1, 0],
       [0, 2]])
""",
)
