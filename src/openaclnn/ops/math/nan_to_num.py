"""x, but other numbers in place of NaN and of the infinities. The largest float32, which is what
infinities become where nothing is said, stands for the largest number of the dtype."""

import math
import sys
from collections.abc import Mapping
from typing import Any

from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT16, DType
from openaclnn.spec.families import ALL, unary
from openaclnn.spec.formula import not_equal, where
from openaclnn.spec.host import FLOAT32
from openaclnn.spec.op import Attr, never


def formula(self, nan, posinf, neginf):  # type: ignore[no-untyped-def]
    infinite = not_equal(self - self, 0)
    found = where(infinite, where(self > 0, posinf, neginf), self)
    return where(not_equal(self, self), nan, found)


LARGEST = 3.4028234663852886e38
LARGEST_OF = {FLOAT16: 65504.0, BF16: 3.3895313892515355e38, DOUBLE: sys.float_info.max}


def uniforms(attributes: Mapping[str, Any], numel: int, promoted: DType) -> dict[str, Any]:
    most = LARGEST_OF.get(promoted, LARGEST)
    return {
        name: math.copysign(most, value) if abs(value) == LARGEST else value
        for name, value in attributes.items()
    }


OPS = unary(
    "nan_to_num",
    formula=formula,
    dtypes=ALL,
    attributes=(
        Attr("nan", "what NaN becomes", "NaN 的替换值", FLOAT32, default=0.0, by_place=True),
        Attr("posinf", "what infinity becomes; the largest float: the dtype's largest",
             "正无穷的替换值；float 的最大值表示该数据类型的最大值", FLOAT32, default=LARGEST,
             by_place=True),
        Attr("neginf", "what -infinity becomes; the lowest float: the dtype's lowest",
             "负无穷的替换值；float 的最小值表示该数据类型的最小值", FLOAT32, default=-LARGEST,
             by_place=True),
    ),
    en="Replacement of NaN and infinities",
    zh="替换 NaN 与无穷",
    in_place=True,
    wide=never,
    uniforms=uniforms,
    torch="nan_to_num",
    source="signatures: op-plugin; values: PyTorch's nan_to_num",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.nan_to_num(np.array([np.nan, np.inf, 1], np.float32), posinf=9)
array([0., 9., 1.], dtype=float32)
>>> openaclnn.nan_to_num(np.array([np.inf, -np.inf], np.float16)).tolist()
[65504.0, -65504.0]
""",
)  # fmt: skip
