"""prelu(x) = x where x > 0, else weight·x: one weight for all, or one for each channel, which are
along the second dimension. A NaN x takes the second branch."""

from openaclnn.spec.call import Call
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import where
from openaclnn.spec.op import In, Op, Out, never
from openaclnn.spec.results import Like
from openaclnn.spec.rules import Channels, Dtypes, MaxDims, ResultShape, SameDtype
from openaclnn.spec.steps import Part, Step, parts


def weights(call: Call, name: str) -> Part:
    """One number for each channel along the dimensions of self, or one for all."""
    known = parts(call)
    of, behind = known[name].view, len(call["self"].shape) - 2
    shape, strides = of.shape, of.strides
    if of.numel == 1:  # which a number of no dimensions has room for
        shape, strides = (), ()
    elif len(shape) == 1:  # channels, and what is behind them
        shape, strides = (*shape, *[1] * behind), (*strides, *[0] * behind)
    return Part(known[name].tensor, of.seen(shape, strides, of.offset))


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    return (Step({"self": known["self"], "weight": weights(call, "weight")}, (known["out"],)),)


OP = Op(
    name="prelu",
    en="Parametric ReLU",
    zh="PReLU 激活函数",
    arguments=(
        In("self", "the input", "输入"),
        In("weight", "the slopes below 0", "负半轴的斜率"),
        Out("out", "the result", "结果"),
    ),
    rules=(
        Dtypes(("self", "weight"), FLOATS),
        SameDtype(("self", "weight")),
        MaxDims(("self", "weight", "out")),
        Channels("weight", "self"),
        ResultShape(),
    ),
    source="signature and weight's shape: op-plugin; values: PyTorch's prelu",
    formula=lambda self, weight: where(self > 0, self, weight * self),
    results=Like("self"),
    steps=steps,
    wide=never,
    torch="prelu",
    shapes=lambda shape, attributes: {"weight": (1,)},
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.prelu(np.array([[-2, -4], [3, -6]], np.float32), np.array([0.5, 2], np.float32))
array([[ -1.,  -8.],
       [  3., -12.]], dtype=float32)
""",
)
