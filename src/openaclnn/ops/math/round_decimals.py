"""The multiple of 10^-decimals nearest to x, of two the even one: x·10^d, rounded to an integer
and divided again, the first exactly for up to 12 decimals."""

from collections.abc import Mapping
from typing import Any

from openaclnn.base.dtypes import DType
from openaclnn.spec.families import FLOATS, unary
from openaclnn.spec.formula import Expr, rounded
from openaclnn.spec.host import INT64
from openaclnn.spec.op import Attr

_MOST = 300  # beyond it float64 has no power of ten


def uniforms(attributes: Mapping[str, Any], numel: int, promoted: DType) -> dict[str, float]:
    places = max(-_MOST, min(int(attributes["decimals"]), _MOST))
    return {"up": 10.0 ** max(places, 0), "down": 10.0 ** max(-places, 0)}


def wide(promoted: DType, level: str, attributes: Mapping[str, Any]) -> bool:
    return bool(attributes["decimals"])


def formula(self: Expr, up: Expr, down: Expr) -> Expr:
    return rounded(self * up / down) * down / up


OPS = unary(
    "round_decimals",
    formula=formula,
    dtypes=FLOATS,
    attributes=(Attr("decimals", "places that stay behind the point", "保留的小数位数", INT64, 0),),
    uniforms=uniforms,
    header="aclnn_round.h",
    en="Rounding to decimals",
    zh="按小数位取整",
    in_place=True,
    wide=wide,
    torch="round",
    source="signatures: op-plugin; values: PyTorch's round",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.round_decimals(np.array([1.2345, -0.125, 1250], np.float32), decimals=2)
array([ 1.23e+00, -1.20e-01,  1.25e+03], dtype=float32)
""",
)
