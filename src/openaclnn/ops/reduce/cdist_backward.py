"""The gradient of the distances of points with respect to the first ones: with d = x1 − x2 it is
the sum of grad·sign(d)·(|d|/cdist)^(p − 1) over the other points. Of a distance of 0 it is 0, and
for p below 1 where d is; an infinite p leaves the numbers that are as large as the distance."""

from functools import cache
from math import inf
from typing import Any

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.call import Call
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, equal, fold, pow, where
from openaclnn.spec.host import FLOAT32
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Out
from openaclnn.spec.proof import Proof
from openaclnn.spec.shaped import laid, shape_fault, shaped
from openaclnn.spec.steps import Step, parts, zeros

INFINITE = -1  # as op-plugin passes an infinite exponent


@cache
def formula_of(special: float | None) -> Any:
    """`special`: the exponent, where it has a formula of its own."""

    def formula(grad: Expr, x1: Expr, x2: Expr, cdist: Expr, p: Expr) -> Expr:
        d = x1 - x2
        size = abs(d)
        sign = where(d > 0, 1, where(d < 0, -1, d))
        unit = where(equal(cdist, 0), 1, cdist)
        if special == 1:
            term = grad * sign
        elif special == 2:
            term = grad * d / unit
        elif special == inf:
            term = where(equal(size, cdist), grad * sign, 0)
        else:
            term = grad * sign * pow(size / unit, p - 1)
            term = where(equal(d, 0) & (p < 1), 0, term)
        return fold(where(equal(cdist, 0), 0, term), "add", over="others")

    return formula


def steps(call: Call) -> tuple[Step, ...]:
    known, p, out = parts(call), call["p"], parts(call)["out"]
    if p == 0 or not call["x2"].shape[-2]:
        return (Step({}, (out,), zeros),)
    rank = len(call["x1"].shape) + 1
    outer = range(rank - 3)
    point, number, other = rank - 3, rank - 2, rank - 1
    dims = {
        "grad": (*outer, point, other), "cdist": (*outer, point, other),
        "x1": (*outer, point, number), "x2": (*outer, other, number),
    }  # fmt: skip
    reads = {name: laid(known[name], rank, along) for name, along in dims.items()}
    target = laid(out, rank, (*outer, point, number))
    special = inf if p == INFINITE else p if p in (1, 2, inf) else None
    return (Step(reads, (target,), formula_of(special), {"others": (other,)}),)


def wrong(call: Call) -> str | None:
    p = call["p"]
    return None if p >= 0 or p == INFINITE else f"p is {p:g}; expected a number from 0 up, or -1"


def fits(call: Call) -> str | None:
    one, other = call["x1"].shape, call["x2"].shape
    for name, shape in (("x1", one), ("x2", other)):
        if len(shape) < 2:
            return f"{name} has {len(shape)} dimensions; expected at least 2"
    points = (*one[:-2], one[-2], other[-2])
    return shape_fault(call, x2=(*one[:-2], other[-2], one[-1]), grad=points, cdist=points, out=one)


OP = shaped(
    "cdist_backward",
    (
        In("grad", "gradient with respect to the distances", "距离的梯度"),
        In("x1", "points, the last dimension each", "点，最后一维为坐标"),
        In("x2", "others", "另一组点"),
        In("cdist", "the distances", "距离"),
        Attr("p", "the norm's exponent", "范数的指数", FLOAT32, 2.0),
        Out("out", "gradient with respect to x1", "x1 的梯度"),
    ),
    formula_of(2.0),
    steps,
    lambda call: [call["x1"].shape],
    fits,
    (
        "x1 and x2 have points of as many numbers in the last dimension, and the same dimensions "
        "before the last two; grad and cdist have a number for each two, out has x1's shape",
        "x1 与 x2 最后一维相同，最后两维之前的维度相同；grad 与 cdist 对每两个点有一个元素，"
        "out 的 shape 与 x1 相同",
    ),
    en="Gradient of pairwise distances",
    zh="两组点之间距离的反向传播",
    dtypes=(*FLOATS, DOUBLE),
    rules=(Sound(wrong, "p is at least 0, or -1 for infinity", "p 不小于 0，或为表示无穷的 -1"),),
    shapes=lambda shape, attributes: {
        "grad": (2, 4), "cdist": (2, 4), "x1": (2, 3), "x2": (4, 3)
    },
    proof=Proof(exact={DOUBLE: None}),
    source="signature: op-plugin; values: PyTorch's _cdist_backward",
    example="""
>>> import numpy as np, openaclnn
>>> g, x1, x2 = np.float32([[10]]), np.float32([[0, 0]]), np.float32([[3, 4]])
>>> openaclnn.cdist_backward(g, x1, x2, openaclnn.cdist(x1, x2))
array([[-6., -8.]], dtype=float32)
""",
)  # fmt: skip
