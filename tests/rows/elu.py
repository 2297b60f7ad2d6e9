"""x, below 0 e^x − 1, with factors."""

import math

import torch

from rows import FLOATS, Call, Known, Rows, S
from rows.families import floats_only, in_place

PLAIN = {"alpha": S(1.0), "scale": S(1.0), "input_scale": S(1.0)}


def oracle(
    x: torch.Tensor, alpha: float = 1.0, scale: float = 1.0, input_scale: float = 1.0
) -> torch.Tensor:
    a, s, i = (torch.tensor(v).float().double() for v in (alpha, scale, input_scale))
    return torch.where(x <= 0, torch.expm1(x * i) * (a * s), x * s)


ROWS = (
    Rows(
        op="elu",
        known=(
            Known(([0, 2, -1000],), ([0, 2, -1],), dtypes=FLOATS),
            Known(([-math.inf, math.inf, math.nan],), ([-2, math.inf, math.nan],), {"alpha": 2}),
            Known(([-1e-30, 3],), ([-2e-30, 6],), {"scale": 2}, within=1e-36),
        ),
        calls=(
            *floats_only("aclnnElu"),
            Call({"alpha": None}, 161001, "alpha is null; expected a scalar"),
            Call({"scale": S(1j, "c64")}, 161002, "scale has dtype COMPLEX64"),
        ),
        oracle=oracle,
        attributes=({}, {"alpha": 0.5, "scale": 1.5}, {"alpha": -3.0, "input_scale": 0.25}),
        edges=(0.0, -16.0, -88.0),
        plain=PLAIN,
        in_place="inplace_elu",
    ),
    Rows("inplace_elu", (), in_place("aclnnInplaceElu", "s32"), plain=PLAIN),
)
