"""x/(1 + e^(-beta·x))."""

import torch

from rows import FLOATS, Call, Known, Rows, S
from rows.families import floats_only

ROWS = (
    Rows(
        op="swish",
        known=(Known(([0, 1000, -1000],), ([0, 1000, -0.0],), {"beta": 2}, FLOATS),),
        calls=(
            *floats_only("aclnnSwish"),
            Call({"beta": None}),
            Call({"beta": S(1j, "c64")}, 161002, "beta has dtype COMPLEX64"),
        ),
        oracle=lambda x, beta=1.0: x * torch.sigmoid(x * torch.tensor(beta).float().double()),
        attributes=({}, {"beta": 1.702}, {"beta": -0.5}),
        plain={"beta": S(2.0)},
    ),
)
