"""out[i] = self.flatten()[index[i]]; negative indices count from the end."""

from openaclnn.spec.call import Call
from openaclnn.spec.formula import Expr, around, floor_div
from openaclnn.spec.indexed import OUT, indexed, limit
from openaclnn.spec.op import In
from openaclnn.spec.shaped import laid
from openaclnn.spec.steps import Part, Step, integer, mapped, parts

MOST = 8  # dimensions


def formula(self: Expr, index: Expr, numel: Expr) -> Expr:
    """The number, taken apart into places along all dimensions."""
    left, places = around(index, numel), {}
    for dim in reversed(range(1, MOST)):
        size = self.size(f"d{dim}")
        rest = floor_div(left, size)
        places[f"d{dim}"], left = left - rest * size, rest
    return self.at(d0=left, **places)


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    whole, index = known["self"], known["index"]
    own, before = whole.view, MOST - len(whole.view.shape)
    dims = zip((1,) * before + own.shape, (0,) * before + own.strides, strict=True)
    axes = {f"d{number}": dim for number, dim in enumerate(dims)}
    one = laid(Part(whole.tensor, own.seen((), (), own.offset)), len(index.view.shape), ())
    reads = {**mapped("self", one, **axes), "index": index, "numel": integer(own.numel)}
    return (Step(reads, (known["out"],), limits=(limit(index, own.numel),)),)


OP = indexed(
    "take",
    (In("self", "the tensor", "被索引的张量"), In("index", "which elements", "索引"), OUT),
    formula,
    steps,
    lambda call: call["index"].shape,
    lambda call: None,
    ("out has index's shape", "out 的 shape 与 index 相同"),
    en="Elements by their index in row-major order",
    zh="按编号取元素",
    source="signature: op-plugin; values: PyTorch's take",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.take(np.array([[1, 2], [3, 4]]), np.array([3, -3]))
array([4, 2])
""",
)
