"""The number between two limits that is nearest to x; the upper one decides where they cross. NaN
stays NaN, and a NaN limit makes everything NaN. A limit that is null is none."""

import math
from collections.abc import Mapping
from typing import Any

from openaclnn.base.dtypes import DType, integers
from openaclnn.spec.families import NUMBERS, unary
from openaclnn.spec.formula import maximum, minimum
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, never
from openaclnn.spec.rules import Integral

LOW, HIGH = "clip_value_min", "clip_value_max"
NONE: dict[str, Any] = {"default": None, "optional": True, "promotes": True}


def uniforms(attributes: Mapping[str, Any], numel: int, promoted: DType) -> dict[str, Any]:
    low, high = attributes[LOW], attributes[HIGH]
    ends = integers(promoted) if promoted.kind == "int" else (-math.inf, math.inf)
    return {"low": ends[0] if low is None else low, "high": ends[-1] if high is None else high}


OPS = unary(
    "clamp",
    formula=lambda self, low, high: minimum(maximum(self, low), high),
    dtypes=NUMBERS,
    attributes=(
        Attr(LOW, "the lower limit", "下限", SCALAR, **NONE, by_place=True),
        Attr(HIGH, "the upper limit", "上限", SCALAR, **NONE, by_place=True),
    ),
    rules=(Integral((LOW, HIGH)),),
    uniforms=uniforms,
    en="Clamp",
    zh="截断到区间",
    wide=never,
    torch="clamp",
    source="signatures: op-plugin, llama.cpp; promotion and values: PyTorch's clamp",
    aliases=("clip",),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.clamp(np.array([-2, 0, 3], np.float32), clip_value_min=-1, clip_value_max=1)
array([-1.,  0.,  1.], dtype=float32)
""",
)
