"""Every tensor of a list rounded: 1 to the nearest integer (of two the even one), 2 down, 3 up, 5
towards 0; 7 leaves what is behind the point."""

from dataclasses import replace

from openaclnn.spec.call import Call
from openaclnn.spec.families import FLOATS, unary
from openaclnn.spec.foreach import foreach, one_number
from openaclnn.spec.formula import Expr, ceil, equal, floor, rounded, trunc, where
from openaclnn.spec.host import SCALAR
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, never
from openaclnn.spec.proof import Proof

MODES = (1, 2, 3, 5, 7)


def formula(self: Expr, round_mode: Expr) -> Expr:
    down = where(equal(round_mode, 2), floor(self), self - trunc(self))
    towards = where(equal(round_mode, 5), trunc(self), down)
    up = where(equal(round_mode, 3), ceil(self), towards)
    return where(equal(round_mode, 1), rounded(self), up)


def known(call: Call) -> str | None:
    mode = call["round_mode"].value
    return None if mode in MODES else f"round_mode is {mode}; expected 1, 2, 3, 5 or 7"


KNOWN = Sound(known, "round_mode is 1, 2, 3, 5 or 7", "round_mode 为 1、2、3、5 或 7")
(ROUND,) = unary(
    "round_off_number",
    formula,
    FLOATS,
    "Rounding with a mode",
    "按模式取整",
    "",
    attributes=(Attr("round_mode", "1 nearest, 2 down, 3 up, 5 towards 0, 7 fraction",
                     "1 四舍六入五取偶，2 向下，3 向上，5 向零，7 小数部分", SCALAR, usual=1),),
    wide=never,
)  # fmt: skip
TRIED = Proof(attributes=tuple({"round_mode": mode} for mode in MODES))
SOURCE = "signatures and modes: op-plugin; values: PyTorch's rounding functions"

OPS = (
    foreach(
        "foreach_round_off_number", ROUND, (one_number("round_mode", "the mode, as a number"),),
        self="self", round_mode="round_mode", out="out", source=SOURCE,
        example="""
>>> import numpy as np, openaclnn
>>> down = np.array([2], np.int8)
>>> openaclnn.foreach_round_off_number([np.array([-1.5, 2.5], np.float32)], down)
[array([-2.,  2.], dtype=float32)]
""",
    ),
    foreach(
        "foreach_round_off_number_v2", replace(ROUND, rules=(KNOWN, *ROUND.rules), proof=TRIED),
        self="x", round_mode="round_mode", out="out", source=SOURCE,
        example="""
>>> import numpy as np, openaclnn
>>> openaclnn.foreach_round_off_number_v2([np.array([-1.5, 2.5], np.float32)], round_mode=3)
[array([-1.,  3.], dtype=float32)]
""",
    ),
)  # fmt: skip
