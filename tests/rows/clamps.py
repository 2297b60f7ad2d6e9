"""Activations that cut off, and two that are smooth."""

import math

import torch

from rows import FLOATS, Call, Known, Rows, S, T
from rows.families import binary_rows, unary_rows

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
    *binary_rows(
        "clamp_min_tensor",
        Known(([-5, 0, 5], [-1, 2, 2]), ([-1, 2, 5],), dtypes=("f32", "s8")),
        Known(([NAN, -INF, 1], [-1, -1, NAN]), ([NAN, -1, NAN],), dtypes=FLOATS),
        oracle=torch.maximum,
        second="clip_value_min",
    ),
    *binary_rows(
        "clamp_max_tensor",
        Known(([-5, 0, 5], [1, -2, 2]), ([-5, -2, 2],), dtypes=("f32", "s8")),
        Known(([NAN, INF, 1], [1, 1, NAN]), ([NAN, 1, NAN],), dtypes=FLOATS),
        oracle=torch.minimum,
        second="clip_value_max",
    ),
    Rows(
        op="clamp_tensor",
        known=(
            Known(([-5, 0, 5], [-2, 1, 1], [3, 3, 3]), ([-2, 1, 3],), dtypes=("f16", "s32")),
            Known(([0, 5], None, [3, 3]), ([0, 3],)),
            Known(([0, 5], [3, 3], None), ([3, 5],)),
            Known(([NAN, 5, 5], [2, NAN, 2], [1, 1, 1]), ([NAN, NAN, 1],), dtypes=FLOATS),
        ),
        calls=(
            Call({}),
            Call({"clip_value_min": None}),
            Call({"clip_value_max": None}),
            Call({"clip_value_min": T(shape=(1, 3)), "clip_value_max": T(shape=())}),
            Call({"clip_value_min": T("s32")}),
            Call({"self": None}, 161001, "aclnnClampTensor: self is null"),
            Call({"out": None}, 161001, "out is null"),
            Call({"clip_value_max": T("c64")}, 161002, "clip_value_max has dtype COMPLEX64"),
            Call({"clip_value_max": T(shape=(4,))}, 161002, "clip_value_max"),
            Call({"out": T("s32")}, 161002, "out has dtype INT32; expected one that FLOAT"),
            Call({"out": T(shape=(3, 2))}, 161002, "out has shape [3, 2]; expected [2, 3]"),
        ),
        oracle=lambda x, low, high: torch.minimum(torch.maximum(x, low), high),
        inputs=3,
        plain={"clip_value_min": T(), "clip_value_max": T()},
    ),
    *binary_rows(
        "heaviside",
        Known(([-5, 0, -0.0, 5, NAN], [7, 7, 8, 7, 7]), ([0, 7, 8, 1, 0],), dtypes=FLOATS),
        Known(([-5, 0, 5], [7, 7, 7]), ([0, 7, 1],), dtypes=("s8",)),
        oracle=torch.heaviside,
        second="values",
        twin=False,
    ),
    *binary_rows(
        "add_relu",
        Known(([1, -3, NAN], [1, 2, 2]), ([2, 0, NAN],), dtypes=FLOATS),
        Known(([1, -3], [1, 2]), ([3, 1],), {"alpha": 2}, ("f32", "s8")),
        Known(([100, 32], [2, -8]), ([0, 40],), {"alpha": 63}, ("s8",)),
        oracle=lambda x, y, alpha=1: torch.relu(x + alpha * y),
        dtypes=("f32", "bf16"),
        plain={"alpha": S(1.0)},
        calls=(Call({"alpha": None}, 161001, "alpha is null; expected a scalar"),),
    ),
)  # fmt: skip
