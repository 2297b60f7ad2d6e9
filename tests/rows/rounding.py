"""Integers, and what is left of others."""

import math

import torch

from rows import FLOATS, Known, Rows
from rows.families import unary_rows

NAN, INF = math.nan, math.inf
HALVES = [-2.5, -1.5, -0.5, -0.0, 0.5, 1.5, 2.5]


def rounding(name: str, *expected: float) -> tuple[Rows, ...]:
    return unary_rows(
        name,
        Known((HALVES,), ([*expected],), dtypes=(*FLOATS, "f64")),
        Known(([INF, -INF, NAN, 2.0**30],), ([INF, -INF, NAN, 2.0**30],), dtypes=("bf16",)),
        Known(([-7, 100],), ([-7, 100],), dtypes=("s64",)),
        oracle=getattr(torch, name),
        dtypes=("f32", "s8"),
        twin=True,
    )


ROWS = (
    *rounding("floor", -3, -2, -1, -0.0, 0, 1, 2),
    *rounding("ceil", -2, -1, -0.0, -0.0, 1, 2, 3),
    *rounding("trunc", -2, -1, -0.0, -0.0, 0, 1, 2),
    *rounding("round", -2, -2, -0.0, -0.0, 0, 2, 2),
    *unary_rows(
        "round_decimals",
        Known(([1.2345, -0.125, 1250],), ([1, -0.0, 1250],)),
        Known(([0.125, 0.375, -0.5],), ([0.12, 0.38, -0.5],), {"decimals": 2}, within=1e-8),
        Known(([1250, 150, -250],), ([1200, 200, -200],), {"decimals": -2}, (*FLOATS,)),
        Known(([INF, NAN, 3e38],), ([INF, NAN, 3e38],), {"decimals": 30}, ("f32",), within=1e32),
        oracle=lambda x, decimals=0: torch.round(x * 10.0**decimals) / 10.0**decimals,
        floats=True,
        twin=True,
        attributes=({}, {"decimals": 3}),
        plain={"decimals": 2},
    ),
    *unary_rows(
        "frac",
        Known((HALVES,), ([-0.5, -0.5, -0.5, 0, 0.5, 0.5, 0.5],), dtypes=("f16", "f64")),
        Known(([INF, NAN],), ([NAN, NAN],)),
        oracle=torch.frac,
        floats=True,
        twin=True,
    ),
    *unary_rows(
        "reciprocal",
        Known(([-4, 0, -0.0, INF],), ([-0.25, INF, -INF, 0],), dtypes=(*FLOATS, "f64")),
        Known(([-4, 0],), ([-0.25, INF],), dtypes=("s8",), out="f32"),
        oracle=torch.reciprocal,
        dtypes=("f32", "f16"),
        twin=True,
    ),
    *unary_rows(
        "square",
        Known(([-3, 20],), ([9, -112],), dtypes=("s8",)),
        Known(([-3, NAN],), ([9, NAN],), dtypes=("f64",)),
        oracle=torch.square,
    ),
)
