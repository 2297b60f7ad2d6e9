"""Uniform random numbers: from + (to − from)·u, where u are as fine as the dtype between 0 and 1,
and below 1."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.call import Call
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, floor
from openaclnn.spec.host import FLOAT64
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, InOut, Op, always
from openaclnn.spec.proof import Proof
from openaclnn.spec.random import STREAM, drawing, numbers, steps
from openaclnn.spec.rules import Dtypes, MaxDims


def ordered(call: Call) -> str | None:
    low, high = call["low"], call["high"]
    if not low <= high:
        return f"from is {low:g} and to is {high:g}; expected from to be at most to"
    return None


def formula(unit: Expr, low: Expr, high: Expr, grain: Expr) -> Expr:
    return low + (high - low) * (floor(unit * grain) / grain)


OP = Op(
    "inplace_uniform",
    "Fill with uniform random numbers",
    "以均匀分布随机数填充",
    (
        InOut("self", "what is overwritten", "被覆盖的张量", read=False),
        Attr("low", "where they begin", "下界", FLOAT64, default=0.0),
        Attr("high", "where they end", "上界", FLOAT64, default=1.0),
        *STREAM,
    ),
    (
        Dtypes(("self",), (*FLOATS, DOUBLE)),
        Sound(ordered, "from is at most to", "from 不大于 to"),
        MaxDims(("self",)),
    ),
    drawing(formula),
    promotes=lambda call: call["self"].dtype,
    uniforms=numbers,
    steps=steps,
    wide=always,
    # low and what is added may cancel
    proof=Proof(exact=dict.fromkeys((*FLOATS, DOUBLE))),
    source="signature: op-plugin, candle; values: openaclnn's own stream",
    example="""
>>> import numpy as np, openaclnn
>>> x = openaclnn.inplace_uniform(np.empty(1000, np.float32), seed=42, offset=0)
>>> 0 <= float(x.min()), float(x.max()) < 1, 0.45 < float(x.mean()) < 0.55
(True, True, True)
""",
)
