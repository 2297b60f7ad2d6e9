"""mean + std·z, where z are normal random numbers: √(−2·ln(u))·cos(2π·v) of two uniform ones (Box
and Muller). The seed, the offset and an element's number decide them and nothing else:
`openaclnn.spec.random`."""

import math

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.families import FLOATS, float_unless_given
from openaclnn.spec.formula import Expr, cos, known_as, log, sqrt
from openaclnn.spec.host import FLOAT32
from openaclnn.spec.op import Argument, Attr, In, InOut, Op, Out, always
from openaclnn.spec.proof import Proof
from openaclnn.spec.random import STREAM, drawing, numbers, steps
from openaclnn.spec.rules import Broadcast, Castable, Dtypes, MaxDims, NotNegative, Promotable

KINDS = (*FLOATS, DOUBLE)
EXAMPLE = """
>>> import numpy as np, openaclnn
>>> x = openaclnn.inplace_normal(np.empty(1000, np.float32), mean=0, std=1, seed=42, offset=0)
>>> -0.1 < float(x.mean()) < 0.1, 0.9 < float(x.std()) < 1.1
(True, True)
"""


def formula(centre: Expr, angle: Expr, mean: Expr, std: Expr) -> Expr:
    z = sqrt(-2 * log(centre)) * cos(angle * (2 * math.pi))
    return mean + std * known_as("z", z)


def drawn(name: str, mean: Argument, std: Argument) -> Op:
    """Means and standard deviations, each a number or a tensor."""
    tensors = tuple(a.name for a in (mean, std) if isinstance(a, In))
    positive = () if std.name in tensors else (NotNegative(std.name),)
    shapes = (Promotable(), Broadcast(tensors), Castable()) if tensors else ()
    promoted = {} if tensors else {"promotes": float_unless_given}
    return Op(
        name,
        "Normal random numbers",
        "正态分布随机数",
        (mean, std, *STREAM, Out("out", "the numbers", "结果")),
        (Dtypes((*tensors, "out"), KINDS), *positive, MaxDims((*tensors, "out")), *shapes),
        drawing(formula),
        header="aclnn_normal.h" if name == "normal" else "",
        **promoted,  # type: ignore[arg-type]
        **SHARED,  # type: ignore[arg-type]
    )


SHARED = {
    "uniforms": numbers,
    "steps": steps,
    "wide": always,
    "proof": Proof(exact=dict.fromkeys(KINDS)),  # the mean and what is added may cancel
    "source": "signatures: op-plugin, candle; values: openaclnn's own stream",
}
MEAN = Attr("mean", "the mean", "均值", FLOAT32)
STD = Attr("std", "the standard deviation", "标准差", FLOAT32, usual=1)
MEANS = In("mean", "the means", "均值")
STDS = In("std", "the standard deviations", "标准差")

OPS = (
    Op(
        "inplace_normal",
        "Fill with normal random numbers",
        "以正态分布随机数填充",
        (InOut("self", "what is overwritten", "被覆盖的张量", read=False), MEAN, STD, *STREAM),
        (Dtypes(("self",), KINDS), NotNegative("std"), MaxDims(("self",))),
        drawing(formula),
        EXAMPLE,
        promotes=lambda call: call["self"].dtype,
        **SHARED,  # type: ignore[arg-type]
    ),
    drawn("normal_float_float", MEAN, STD),
    drawn("normal_tensor_tensor", MEANS, STDS),
    drawn("normal_tensor_float", MEANS, STD),
    drawn("normal_float_tensor", MEAN, STDS),
)
