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

SOURCE = "signatures: op-plugin, llama.cpp; promotion and values: PyTorch's clamp"
LOW = Attr("clip_value_min", "the lower limit", "下限", SCALAR, promotes=True)
HIGH = Attr("clip_value_max", "the upper limit", "上限", SCALAR, promotes=True)
BOTH = tuple(
    Attr(a.name, a.en, a.zh, SCALAR, default=None, optional=True, promotes=True)
    for a in (LOW, HIGH)
)


def uniforms(attributes: Mapping[str, Any], numel: int, promoted: DType) -> dict[str, Any]:
    low, high = attributes["clip_value_min"], attributes["clip_value_max"]
    ends = integers(promoted) if promoted.kind == "int" else (-math.inf, math.inf)
    return {"low": ends[0] if low is None else low, "high": ends[-1] if high is None else high}


OPS = (
    *unary(
        "clamp",
        formula=lambda self, low, high: minimum(maximum(self, low), high),
        dtypes=NUMBERS,
        attributes=BOTH,
        rules=(Integral(("clip_value_min", "clip_value_max")),),
        uniforms=uniforms,
        en="Clamp",
        zh="截断到区间",
        wide=never,
        torch="clamp",
        source=SOURCE,
        example="""
>>> import numpy as np, openaclnn
>>> openaclnn.clamp(np.array([-2, 0, 3], np.float32), clip_value_min=-1, clip_value_max=1)
array([-1.,  0.,  1.], dtype=float32)
""",
    ),
    *unary(
        "clamp_min",
        formula=lambda self, clip_value_min: maximum(self, clip_value_min),
        dtypes=NUMBERS,
        attributes=(LOW,),
        rules=(Integral(("clip_value_min",)),),
        header="aclnn_clamp.h",
        en="Clamp from below",
        zh="截断下限",
        in_place=True,
        wide=never,
        torch="clamp_min",
        source=SOURCE,
        example="",
    ),
    *unary(
        "clamp_max",
        formula=lambda self, clip_value_max: minimum(self, clip_value_max),
        dtypes=NUMBERS,
        attributes=(HIGH,),
        rules=(Integral(("clip_value_max",)),),
        header="aclnn_clamp.h",
        en="Clamp from above",
        zh="截断上限",
        in_place=True,
        wide=never,
        torch="clamp_max",
        source=SOURCE,
        example="",
    ),
)
