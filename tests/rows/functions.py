"""Functions of mathematics: a number each, and where they end."""

import math
from collections.abc import Callable
from typing import Any

import torch

from rows import FLOATS, Call, Known, Rows, T
from rows.families import in_place, unary

INF, NAN = math.inf, math.nan
Numbers = list[float]


def rows(
    name: str,
    c_name: str,
    known: list[tuple[float, float]],
    at_one: float,
    edges: tuple[float, ...] = (0.0,),
    oracle: Callable[..., Any] | None = None,
) -> tuple[Rows, ...]:
    """`known` are arguments and results to the bit in every dtype; `at_one` is a number to 7
    digits, for integers."""
    given, found = (list(numbers) for numbers in zip(*known, (NAN, NAN), strict=True))
    call, refused = {"self": T("s32")}, "out has dtype INT32; expected one that FLOAT"
    return (
        Rows(
            op=name,
            known=(
                Known((given,), (found,), dtypes=(*FLOATS, "f64")),
                Known(([1],), ([at_one],), dtypes=("s32", "u8", "bool"), out="f32", within=1e-6),
            ),
            calls=(
                *unary(c_name),
                Call(call),
                Call({"self": T("bool")}),
                Call({**call, "out": T("f16")}),
                Call({**call, "out": T("s32")}, 161002, refused),
            ),
            oracle=oracle or getattr(torch, name),
            edges=edges,
            in_place=f"inplace_{name}",
        ),
        Rows(f"inplace_{name}", (), in_place(c_name.replace("aclnn", "aclnnInplace"), "s32")),
    )


ROOTS: list[tuple[float, float]] = [(0, 0), (-0.0, -0.0), (4, 2), (INF, INF), (-1, NAN)]
ROWS = (
    *rows("sqrt", "aclnnSqrt", ROOTS, 1.0),
    *rows("rsqrt", "aclnnRsqrt", [(0, INF), (-0.0, -INF), (4, 0.5), (INF, 0), (-1, NAN)],
          1.0),
    *rows("log", "aclnnLog", [(0, -INF), (-0.0, -INF), (1, 0), (INF, INF), (-1, NAN)],
          0.0, edges=(1.0, 0.6666667)),
    *rows("log1p", "aclnnLog1p", [(0, 0), (-0.0, -0.0), (-1, -INF), (INF, INF), (-2, NAN)],
          0.6931472, edges=(0.0, -1.0)),
    *rows("exp", "aclnnExp", [(0, 1), (-0.0, 1), (INF, INF), (-INF, 0), (2000, INF)],
          2.7182818, edges=(0.0, 88.0, -103.0)),
    *rows("expm1", "aclnnExpm1", [(0, 0), (-0.0, -0.0), (INF, INF), (-INF, -1), (-99, -1)],
          1.7182818, edges=(0.0, 88.0)),
    *rows("sin", "aclnnSin", [(0, 0), (-0.0, -0.0), (INF, NAN), (-INF, NAN)],
          0.8414710, edges=(math.pi, math.pi / 2, 355.0)),
    *rows("cos", "aclnnCos", [(0, 1), (-0.0, 1), (INF, NAN), (-INF, NAN)],
          0.5403023, edges=(math.pi, math.pi / 2, 33.0 * math.pi / 2)),
    *rows("tanh", "aclnnTanh", [(0, 0), (-0.0, -0.0), (INF, 1), (-INF, -1), (99, 1), (-99, -1)],
          0.7615942, edges=(0.0, 9.0)),
    *rows("exp2", "aclnnExp2", [(0, 1), (-1, 0.5), (INF, INF), (-INF, 0), (2000, INF)], 2.0,
          edges=(0.0, 127.9, -149.0)),
    *rows("log2", "aclnnLog2", [(0, -INF), (8, 3), (0.25, -2), (INF, INF), (-1, NAN)], 0.0,
          edges=(1.0, 0.6666667)),
    *rows("log10", "aclnnLog10", [(0, -INF), (1, 0), (1000, 3), (INF, INF), (-1, NAN)], 0.0,
          edges=(1.0, 0.6666667)),
    *rows("tan", "aclnnTan", [(0, 0), (-0.0, -0.0), (INF, NAN), (-INF, NAN)], 1.5574077,
          edges=(math.pi, math.pi / 2, 355.0)),
    *rows("asin", "aclnnAsin", [(0, 0), (-0.0, -0.0), (2, NAN), (INF, NAN)], 1.5707963,
          edges=(0.5, 1.0)),
    *rows("acos", "aclnnAcos", [(1, 0), (2, NAN), (-INF, NAN)], 0.0, edges=(0.5, 1.0)),
    *rows("atan", "aclnnAtan", [(0, 0), (-0.0, -0.0)], 0.7853982, edges=(0.41, 2.41)),
    *rows("sinh", "aclnnSinh", [(0, 0), (-0.0, -0.0), (INF, INF), (-INF, -INF), (2000, INF)],
          1.1752012, edges=(0.0, 89.4)),
    *rows("cosh", "aclnnCosh", [(0, 1), (INF, INF), (-INF, INF), (-2000, INF)], 1.5430806,
          edges=(0.0, 89.4)),
    *rows("asinh", "aclnnAsinh", [(0, 0), (-0.0, -0.0), (INF, INF), (-INF, -INF)], 0.8813736),
    *rows("acosh", "aclnnAcosh", [(1, 0), (INF, INF), (0, NAN), (-INF, NAN)], 0.0, edges=(1.0,)),
    *rows("atanh", "aclnnAtanh", [(0, 0), (-0.0, -0.0), (1, INF), (-1, -INF), (2, NAN)], INF,
          edges=(1.0,)),
    *rows("erfc", "aclnnErfc", [(0, 1), (INF, 0), (-INF, 2), (-9, 2), (30, 0)], 0.1572992,
          edges=(0.5, 10.0)),
    *rows("erfinv", "aclnnErfinv", [(0, 0), (-0.0, -0.0), (1, INF), (-1, -INF), (2, NAN)], INF,
          edges=(0.9966, 1.0)),
    *rows("erf", "aclnnErf", [(0, 0), (-0.0, -0.0), (INF, 1), (-INF, -1), (9, 1), (-9, -1)],
          0.8427008, edges=(0.0, 1.25, 3.9)),
)  # fmt: skip
