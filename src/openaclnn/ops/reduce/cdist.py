"""Distances of points: the p-norm of the difference of each of one set and each of another."""

from functools import cache
from typing import Any

from openaclnn.base.dtypes import DOUBLE
from openaclnn.base.tensors import broadcast
from openaclnn.ops.reduce.norm import norm, special_of
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import FLOATS
from openaclnn.spec.host import FLOAT32, INT64
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, exact_level
from openaclnn.spec.proof import Proof
from openaclnn.spec.rules import Dtypes, MaxDims, NotNegative, ResultShape, SameDtype
from openaclnn.spec.steps import Part, Step, parts, zeros


@cache
def distance(special: float | str | None) -> Any:
    return lambda x1, x2, p: norm(x1 - x2, p, special)


def shape_of(call: Call) -> tuple[int, ...]:
    one, other = call["x1"].shape, call["x2"].shape
    return (*(broadcast(one[:-2], other[:-2]) or ()), *one[-2:-1], *other[-2:-1])


def steps(call: Call) -> tuple[Step, ...]:
    known, out = parts(call), parts(call)["out"]
    reads: dict[str, Part | None] = {}
    for name, at in (("x1", 1), ("x2", 2)):  # from the end: where there is one element for all
        own = known[name].view
        rank = len(own.shape)
        shape = (*own.shape[: rank - at], 1, *own.shape[rank - at :])
        strides = (*own.strides[: rank - at], 0, *own.strides[rank - at :])
        reads[name] = Part(known[name].tensor, own.seen(shape, strides, own.offset))
    if not call["x1"].shape[-1]:
        return (Step({}, (out,), zeros),)
    own = out.view
    target = Part(out.tensor, own.seen((*own.shape, 1), (*own.strides, 0), own.offset))
    axes = {"row": (len(own.shape),)}
    return (Step(reads, (target,), distance(special_of(call["p"])), axes),)


def fits(call: Call) -> str | None:
    one, other = call["x1"].shape, call["x2"].shape
    for name, shape in (("x1", one), ("x2", other)):
        if len(shape) < 2:
            return f"{name} has {len(shape)} dimensions; expected at least 2"
    if one[-1] != other[-1]:
        dim = len(other) - 1
        return f"x2 has size {other[-1]} along dimension {dim}; expected {one[-1]}, as x1 has"
    if broadcast(one[:-2], other[:-2]) is None:
        expected = "dimensions before the last two that broadcast"
        return f"x1 has shape {list(one)}, x2 has shape {list(other)}; expected {expected}"
    return None


OP = Op(
    "cdist",
    "Pairwise distances of points",
    "两组点之间的距离",
    (
        In("x1", "points, the last dimension each", "点，最后一维为坐标"),
        In("x2", "others", "另一组点"),
        Attr("p", "the norm's exponent", "范数的指数", FLOAT32, 2.0),
        Attr("compute_mode", "no effect", "不起作用", INT64, 0),
        Out("out", "the distances", "距离"),
    ),
    (
        Dtypes(("x1", "x2"), (*FLOATS, DOUBLE)),
        SameDtype(("x1", "x2")),
        NotNegative("p"),
        MaxDims(("x1", "x2", "out")),
        Sound(fits, "x1 and x2 have points of as many numbers; dimensions before the last two "
              "broadcast", "x1 与 x2 最后一维相同，最后两维之前的维度可以广播"),
        ResultShape(),
    ),
    distance(2.0),
    """
>>> import numpy as np, openaclnn
>>> openaclnn.cdist(np.float32([[0, 0]]), np.float32([[3, 4], [1, 0]]))
array([[5., 1.]], dtype=float32)
""",
    results=lambda call: (Meta(shape_of(call), call["x1"].dtype),),
    steps=steps,
    wide=exact_level,
    torch="cdist",
    proof=Proof(exact={DOUBLE: None}),
    source="signature: op-plugin; values: PyTorch's cdist",
)  # fmt: skip
