"""max(x, 0)."""

import math

import torch

from rows import FLOATS, INTEGERS, Known, Rows
from rows.families import in_place, unary

ROWS = (
    Rows(
        op="relu",
        known=(
            Known(([-2, 0, 3],), ([0, 0, 3],), dtypes=(*FLOATS, "s8", "s16", "s32", "s64")),
            Known(([-math.inf, math.inf, math.nan, -0.0],), ([0, math.inf, math.nan, 0],)),
            Known(([0, 200],), ([0, 200],), dtypes=("u8",)),
        ),
        calls=unary("aclnnRelu"),
        oracle=torch.relu,
        dtypes=(*FLOATS, *INTEGERS),
        in_place="inplace_relu",
    ),
    Rows("inplace_relu", (), in_place("aclnnInplaceRelu")),
)
