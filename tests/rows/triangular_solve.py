"""Systems of equations with triangular matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from rows import Call, Case, Known, Rows, T

LOWER, UPPER = [[2, 9], [1, 4]], [[2, 1], [9, 4]]  # 9 is not read
UNREAD = [[2, float("nan")], [1, 4]]
TYPES = ("f32", "f64")


def solved(
    self: Any, a: Any, *, upper: bool = False, transpose: bool = False, unitriangular: bool = False
) -> tuple[Any, Any]:
    matrix = a.transpose(-1, -2) if transpose else a
    x = torch.linalg.solve_triangular(
        matrix, self, upper=upper != transpose, unitriangular=unitriangular
    )
    return x, a


def systems(*shape: int) -> Any:
    """Well conditioned ones: what is not on the diagonal is small."""

    def draw(random: Any) -> dict[str, Any]:
        a = random.standard_normal((*shape[:-1], shape[-2])) / 64 + np.eye(shape[-2])
        return {"self": random.standard_normal(shape), "a": a}

    return draw


KINDS = tuple(
    {"upper": upper, "transpose": transpose, "unitriangular": unit}
    for upper in (False, True)
    for transpose in (False, True)
    for unit in (False, True)
)

ROWS = (
    Rows(
        op="triangular_solve",
        known=(
            Known(([[2], [5]], LOWER), ([[1], [1]], LOWER), dtypes=TYPES),
            Known(([[2], [5]], UNREAD), ([[1], [1]], UNREAD), dtypes=TYPES),
            Known(([[3], [13]], UPPER), ([[-0.125], [3.25]], UPPER), {"upper": True}),
            Known(([[5], [4]], LOWER), ([[2], [1]], LOWER), {"transpose": True}),
            Known(([[2], [5]], LOWER), ([[2], [3]], LOWER), {"unitriangular": True}),
            Known(([[0], [1]], [[0, 0], [0, 1]]), ([[np.nan], [np.nan]], [[0, 0], [0, 1]])),
        ),
        calls=(
            Call({}),
            Call({"a": None}, 161001, "aclnnTriangularSolve: a is null; expected a tensor"),
            Call({"self": T("f16", (3, 2))}, 161002, "self has dtype FLOAT16; expected FLOAT or"),
            Call(
                {"a": T(shape=(2, 2))}, 161002, "a has shape [2, 2]; expected [3, 3], as self has"
            ),
            Call({"self": T(shape=(3,))}, 161002, "self has 1 dimensions; expected at least 2"),
            Call({"x_out": T(shape=(3, 3))}, 161002, "x_out has shape [3, 3]; expected [3, 2]"),
        ),
        plain={
            **KINDS[0],
            "self": T(shape=(3, 2)),
            "a": T(shape=(3, 3)),
            "x_out": T(shape=(3, 2)),
            "m_out": T(shape=(3, 3)),
        },
        cases=(
            *(Case(systems(2, 9, 5), solved, kind, TYPES, bound=2.0**12) for kind in KINDS),
            Case(systems(40, 3), solved, dtypes=TYPES, bound=2.0**12),
        ),
    ),
)
