"""1 with a probability, else 0."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.call import Call
from openaclnn.spec.families import ALL, FLOATS
from openaclnn.spec.formula import Expr, where
from openaclnn.spec.host import SCALAR
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, InOut, Op, always
from openaclnn.spec.random import STREAM, drawing, numbers, steps
from openaclnn.spec.rules import Dtypes, Into, MaxDims

_CHANGED = InOut("self", "what is overwritten", "被覆盖的张量", read=False)


def likely(call: Call) -> str | None:
    prob = call["prob"].value
    if not isinstance(prob, complex) and 0 <= prob <= 1:
        return None
    return f"prob is {prob:g}; expected a number from 0 to 1"


def formula(unit: Expr, prob: Expr) -> Expr:
    return where(unit < prob, 1, 0)


SHARED = {
    "promotes": lambda call: DOUBLE,
    "uniforms": numbers,
    "steps": steps,
    "wide": always,
    "source": "signatures: op-plugin; values: openaclnn's own stream",
}

OPS = (
    Op(
        "inplace_bernoulli",
        "Fill with 1 with a given probability, else 0",
        "以伯努利分布填充",
        (_CHANGED, Attr("prob", "the probability of 1", "取 1 的概率", SCALAR, usual=0.5), *STREAM),
        (
            Dtypes(("self",), ALL),
            Sound(likely, "prob is a number from 0 to 1", "prob 为 0 到 1 之间的数"),
            MaxDims(("self",)),
        ),
        drawing(formula),
        """
>>> import numpy as np, openaclnn
>>> x = openaclnn.inplace_bernoulli(np.empty(1000, np.float32), 0.25, seed=42, offset=0)
>>> np.unique(x), 0.2 < float(x.mean()) < 0.3
(array([0., 1.], dtype=float32), True)
""",
        **SHARED,  # type: ignore[arg-type]
    ),
    Op(
        "inplace_bernoulli_tensor",
        "Fill with 1, each with a probability of its own, else 0",
        "以逐元素伯努利分布填充",
        (_CHANGED, In("prob", "the probabilities of 1", "各元素取 1 的概率"), *STREAM),
        (
            Dtypes(("self",), ALL),
            Dtypes(("prob",), (*FLOATS, DOUBLE)),
            MaxDims(("self", "prob")),
            Into(("prob",), "self"),
        ),
        drawing(formula),
        header="aclnn_bernoulli_tensor.h",
        **SHARED,  # type: ignore[arg-type]
    ),
)
