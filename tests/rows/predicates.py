"""What is true of a number, or of two."""

import math

import torch

from rows import FLOATS, Known, Rows, T
from rows.families import binary_rows, unary_rows

NAN, INF = math.nan, math.inf
OUT = {"out": T("bool")}
NUMBERS = [1, -0.0, INF, -INF, NAN]


def predicate(name: str, oracle: str, *expected: int, twin: bool = False) -> tuple[Rows, ...]:
    return unary_rows(
        name,
        Known((NUMBERS,), ([*expected],), dtypes=FLOATS, out="bool"),
        oracle=getattr(torch, oracle),
        dtypes=("f32", "s8"),
        plain=OUT,
        twin=twin,
    )


def logical(name: str, *expected: int, twin: bool = True) -> tuple[Rows, ...]:
    pairs = [0, 0, 2, 2], [0, 3, 0, 3]
    return binary_rows(
        name,
        Known(pairs, ([*expected],), dtypes=("f16", "s64", "u8"), out="bool"),
        Known(([0, 0, 1, 1], [0, 1, 0, 1]), ([*expected],), dtypes=("bool",), out="bool"),
        Known(([NAN, -0.0], [NAN, -0.0]), ([expected[3], expected[0]],), out="bool"),
        oracle=getattr(torch, name),
        dtypes=("f32", "s8"),
        plain=OUT,
        twin=twin,
    )


ROWS = (
    *predicate("is_finite", "isfinite", 1, 1, 0, 0, 0),
    *predicate("is_inf", "isinf", 0, 0, 1, 1, 0),
    *predicate("is_pos_inf", "isposinf", 0, 0, 1, 0, 0),
    *predicate("is_neg_inf", "isneginf", 0, 0, 0, 1, 0),
    *predicate("signbit", "signbit", 0, 1, 0, 1, 0),
    *predicate("logical_not", "logical_not", 0, 1, 0, 0, 0, twin=True),
    *logical("logical_and", 0, 0, 0, 1),
    *logical("logical_or", 0, 1, 1, 1),
    *logical("logical_xor", 0, 1, 1, 0, twin=False),
    *binary_rows(
        "is_close",
        Known(([1, 1, INF, NAN], [1 + 1e-6, 1.1, INF, NAN]), ([1, 0, 1, 0],), out="bool"),
        Known(([NAN, 1], [NAN, NAN]), ([1, 0],), {"equal_nan": True}, ("f16",), out="bool"),
        Known(([100, 100], [101, 103]), ([1, 0],), {"rtol": 0.02}, ("s8",), out="bool"),
        oracle=torch.isclose,
        dtypes=("f32", "s64"),
        plain={"rtol": 1e-5, "atol": 1e-8, "equal_nan": False, **OUT},
        twin=False,
    ),
)
