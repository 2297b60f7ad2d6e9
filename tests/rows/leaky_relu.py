"""x, below 0 times a slope."""

import math

import torch

from rows import FLOATS, Call, Known, Rows, S
from rows.families import floats_only, in_place

SLOPE = {"negative_slope": S(0.25)}

ROWS = (
    Rows(
        op="leaky_relu",
        known=(
            Known(([-2, 0, 3],), ([-0.5, 0, 3],), {"negative_slope": 0.25}, (*FLOATS, "f64")),
            Known(([-math.inf, math.nan],), ([-math.inf, math.nan],), {"negative_slope": 0.25}),
            Known(([-math.inf, -1],), ([math.nan, -0.0],), {"negative_slope": 0}),
        ),
        calls=(
            *floats_only("aclnnLeakyRelu"),
            Call({"negative_slope": None}, 161001, "negative_slope is null; expected a scalar"),
            Call({"negative_slope": S(1j, "c64")}, 161002, "negative_slope has dtype COMPLEX64"),
        ),
        oracle=lambda x, negative_slope=0.01: torch.where(
            x > 0, x, x * torch.tensor(negative_slope).float().double()
        ),
        attributes=({}, {"negative_slope": -2.5}),
        plain=SLOPE,
        in_place="inplace_leaky_relu",
    ),
    Rows("inplace_leaky_relu", (), in_place("aclnnInplaceLeakyRelu", "s32"), plain=SLOPE),
)
