"""x/(1 + e^-x)."""

import math

import torch

from rows import FLOATS, Known, Rows
from rows.families import floats_only

ROWS = (
    Rows(
        op="silu",
        known=(
            Known(([0, -0.0, 1000],), ([0, -0.0, 1000],), dtypes=FLOATS),
            Known(([math.inf, math.nan],), ([math.inf, math.nan],), dtypes=FLOATS),
            Known(([-100],), ([-3.72e-42],), within=1e-44),
        ),
        calls=floats_only("aclnnSilu"),
        oracle=torch.nn.functional.silu,
        edges=(0.0, -88.0, 88.0, -103.0),
    ),
)
