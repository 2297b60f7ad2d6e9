"""x/6 + 1/2 between 0 and 1."""

import math

import torch

from rows import FLOATS, Known, Rows
from rows.families import floats_only, in_place

ROWS = (
    Rows(
        op="hardsigmoid",
        known=(
            Known(([-4, -3, 0, 1.5, 3, 9],), ([0, 0, 0.5, 0.75, 1, 1],), dtypes=FLOATS),
            Known(([-math.inf, math.inf, math.nan],), ([0, 1, math.nan],), dtypes=FLOATS),
        ),
        calls=floats_only("aclnnHardsigmoid"),
        oracle=lambda x: torch.clamp(x + 3, 0, 6) / 6,
        edges=(-3.0, 3.0),
        in_place="inplace_hardsigmoid",
    ),
    Rows("inplace_hardsigmoid", (), in_place("aclnnInplaceHardsigmoid", "s32")),
)
