"""Update of the loss scale of mixed-precision training: times `backoff_factor` where a gradient was
not finite, and the count of steps begins anew; times `growth_factor` after `growth_interval` finite
steps, unless that is infinite."""

from math import prod

from openaclnn.base.dtypes import FLOAT, INT32
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.formula import Expr, constant, equal, where
from openaclnn.spec.host import FLOAT64, INT64
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, always
from openaclnn.spec.rules import Dtypes, MaxDims

FLOATS = ("current_scale", "found_inf", "updated_scale")
COUNTS = ("growth_tracker", "updated_growth_tracker")
ROUNDS_TO_INFINITY = 2.0**128 - 2.0**103  # as a float32, from here on


def formula(
    current_scale: Expr, growth_tracker: Expr, found_inf: Expr,
    growth_factor: Expr, backoff_factor: Expr, growth_interval: Expr,
) -> tuple[Expr, Expr]:  # fmt: skip
    grown, steps = current_scale * growth_factor, growth_tracker + 1
    due = equal(steps, growth_interval)
    kept = where(due & (abs(grown) < ROUNDS_TO_INFINITY), grown, current_scale)
    finite = equal(found_inf, 0)
    return (
        where(finite, kept, current_scale * backoff_factor),
        where(finite, where(due, constant(0), steps), 0),
    )


def single(call: Call) -> str | None:
    for name in (*FLOATS, *COUNTS):
        if prod(call[name].shape) != 1 or len(call[name].shape) > 1:
            return f"{name} has shape {list(call[name].shape)}; expected one element"
    return None


OP = Op(
    name="amp_update_scale",
    en="Update of the loss scale of mixed-precision training",
    zh="混合精度训练后更新损失缩放系数",
    arguments=(
        In("current_scale", "the factor", "当前缩放系数"),
        In("growth_tracker", "how many steps were finite", "连续有限的步数"),
        In("found_inf", "not 0 where a gradient was not finite", "梯度出现非有限值时非 0"),
        Attr("growth_factor", "what the factor grows by", "增长系数", FLOAT64, usual=2.0),
        Attr("backoff_factor", "what it shrinks by", "回退系数", FLOAT64, usual=0.5),
        Attr("growth_interval", "after how many steps it grows", "增长间隔", INT64, usual=2),
        Out("updated_scale", "the new factor", "新的缩放系数"),
        Out("updated_growth_tracker", "the new count", "新的步数"),
    ),
    rules=(
        Dtypes(FLOATS, (FLOAT,)),
        Dtypes(COUNTS, (INT32,)),
        MaxDims((*FLOATS, *COUNTS)),
        Sound(single, "each tensor has one element", "每个张量只有一个元素"),
    ),
    formula=formula,
    promotes=lambda call: FLOAT,
    results=lambda call: (
        Meta(call["current_scale"].shape, FLOAT),
        Meta(call["growth_tracker"].shape, INT32),
    ),
    wide=always,
    shapes=lambda shape, attributes: dict.fromkeys((*FLOATS, *COUNTS), (1,)),
    source="signature: op-plugin; values: PyTorch's _amp_update_scale_",
    example="""
>>> import numpy as np, openaclnn
>>> scale, tracker, found = np.float32([8]), np.int32([1]), np.float32([0])
>>> openaclnn.amp_update_scale(scale, tracker, found, 2.0, 0.5, 2)
(array([16.], dtype=float32), array([0], dtype=int32))
""",
)
