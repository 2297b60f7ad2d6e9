"""Activations that cut off, and two that are smooth."""

import math

import torch

from rows import FLOATS, Call, Known, S, T
from rows.families import unary_rows

NAN, INF = math.nan, math.inf
LOW, HIGH = {"clip_value_min": S(-1.0)}, {"clip_value_max": S(1.0)}
WHOLE = {"self": T("s32"), "out": T("s32")}
CUT = {"threshold": S(1.0), "value": S(9.0)}

ROWS = (
    *unary_rows(
        "sigmoid",
        Known(([0, -INF, INF, NAN],), ([0.5, 0, 1, NAN],), dtypes=FLOATS),
        oracle=torch.sigmoid,
        floats=True,
        twin=True,
        edges=(0.0, -88.0, 88.0, -103.0),
    ),
    *unary_rows(
        "hardswish",
        Known(([-4, -3, -1.5, 0, 3, 8],), ([-0.0, -0.0, -0.375, 0, 3, 8],), dtypes=FLOATS),
        Known(([INF, NAN, 3e38],), ([INF, NAN, 3e38],), dtypes=("f32", "bf16")),
        oracle=lambda x: x * (torch.clamp(x + 3, 0, 6) / 6),
        floats=True,
        twin=True,
        edges=(-3.0, 3.0),
    ),
    *unary_rows(
        "softplus",
        Known(([30, 1000, INF, -INF, NAN],), ([30, 1000, INF, 0, NAN],), dtypes=FLOATS),
        Known(([4],), ([4],), {"beta": 2, "threshold": 7}),
        oracle=lambda x, beta=1.0, threshold=20.0: torch.where(
            x * beta > threshold,
            x,
            (torch.clamp(x * beta, min=0) + torch.log1p(torch.exp(-abs(x * beta)))) / beta,
        ),
        floats=True,
        calls=(
            Call({"beta": None}, 161001, "beta is null; expected a scalar"),
            Call({"threshold": S(1j, "c64")}, 161002, "threshold has dtype COMPLEX64"),
        ),
        attributes=({}, {"beta": 2.0, "threshold": 8.0}, {"beta": -0.5}),
        edges=(0.0, 20.0, -88.0),
        plain={"beta": S(1.0), "threshold": S(20.0)},
    ),
    *unary_rows(
        "threshold",
        Known(([-2, 1, 3], 1, 9), ([9, 9, 3],), dtypes=("f16", "s8", "f64")),
        Known(([NAN, -INF, INF], 1, 9), ([NAN, 9, INF],), dtypes=FLOATS),
        twin=True,
        calls=(Call({**WHOLE}, 161002, "threshold has dtype FLOAT; expected an integer"),),
        plain=CUT,
    ),
    *unary_rows(
        "clamp",
        Known(([-5, 0, 5, -0.0],), ([-2, 0, 3, -0.0],), {"clip_value_min": -2, "clip_value_max": 3},
              FLOATS),
        Known(([-5, 0, 5],), ([-2, 0, 5],), {"clip_value_min": -2}, ("f32", "s8", "s64")),
        Known(([0, 200],), ([0, 3],), {"clip_value_max": 3}, ("u8",)),
        Known(([NAN, 5],), ([NAN, 1],), {"clip_value_min": 2, "clip_value_max": 1}),
        Known(([1, 2],), ([NAN, NAN],), {"clip_value_min": NAN}),
        Known(([1, 2],), ([1, 1.5],), {"clip_value_max": 1.5}, ("s32",), out="f32"),
        calls=(
            Call({"clip_value_min": None}),
            Call({"clip_value_min": None, "clip_value_max": None}),
            Call({**WHOLE}, 161002, "out has dtype INT32; expected one that FLOAT"),
        ),
        oracle=lambda x, clip_value_min=None, clip_value_max=9: torch.clamp(
            x, clip_value_min, clip_value_max
        ),
        attributes=({"clip_value_min": -2, "clip_value_max": 9},),
        plain={**LOW, **HIGH},
    ),
    *unary_rows(
        "clamp_min",
        Known(([-5, 0, 5], -1), ([-1, 0, 5],), dtypes=("f32", "s8")),
        Known(([NAN, -INF], -1), ([NAN, -1],), dtypes=FLOATS),
        twin=True,
        plain=LOW,
    ),
    *unary_rows(
        "clamp_max",
        Known(([-5, 0, 5], 1), ([-5, 0, 1],), dtypes=("f32", "s8")),
        Known(([NAN, INF], 1), ([NAN, 1],), dtypes=FLOATS),
        twin=True,
        plain=HIGH,
    ),
)  # fmt: skip
