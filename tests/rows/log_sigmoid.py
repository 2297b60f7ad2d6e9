"""-log(1 + e^-x)."""

import math

import torch

from rows import FLOATS, Call, Known, Rows, T
from rows.families import floats_only

ROWS = (
    Rows(
        op="log_sigmoid",
        known=(
            Known(([-1000, 1000],), ([-1000, -0.0],), dtypes=FLOATS),
            Known(([-math.inf, math.nan],), ([-math.inf, math.nan],), dtypes=FLOATS),
            Known(([0],), ([-math.log(2)],), within=1e-7),
        ),
        calls=floats_only("aclnnLogSigmoid"),
        oracle=torch.nn.functional.logsigmoid,
        edges=(0.0, -88.0, 88.0, 103.0),
    ),
    Rows(
        op="log_sigmoid_forward",
        known=(Known(([-1000, 1000, 0],), ([-1000, -0.0, -math.log(2)], [0, 0, 1]), within=1e-7),),
        calls=(
            Call({}),
            Call({"buffer": T(shape=(0,))}),
            Call({"self": None}, 161001, "self is null"),
            Call({"buffer": None}, 161001, "buffer is null"),
            Call({"self": T("s32")}, 161002, "self has dtype INT32"),
            Call({"buffer": T("f16")}, 161002, "buffer has dtype FLOAT16; expected FLOAT"),
            Call({"out": T(shape=(3,))}, 161002, "out has shape [3]; expected [2, 3]"),
            Call({"buffer": T(shape=(3,))}, 161002, "expected [2, 3], as self has or [0]"),
        ),
        oracle=lambda x: (torch.nn.functional.logsigmoid(x), torch.exp(-x.abs())),
        edges=(0.0, -88.0, 88.0),
    ),
)
