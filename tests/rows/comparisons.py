"""Which of two numbers is larger."""

import math

import torch

from rows import FLOATS, Known, Rows, S, T
from rows.families import binary_rows

NAN = math.nan
OUT = {"out": T("bool")}


def compared(name: str, *expected: int) -> tuple[Rows, ...]:
    """By what comes of 1 and 2, 2 and 2, 3 and 2, and a NaN and 2."""
    whole = expected[:3]
    return binary_rows(
        f"{name}_tensor",
        Known(([1, 2, 3], [2, 2, 2]), ([*whole],), dtypes=("f64", "s8", "u8", "s64"), out="bool"),
        Known(([1, 2, 3, NAN], [2, 2, 2, 2]), ([*expected],), dtypes=FLOATS, out="bool"),
        Known(([0.0], [-0.0]), ([whole[1]],), out="bool"),
        Known(([2**53, 2**53 + 2], [2**53 + 1] * 2), ([whole[0], whole[2]],), dtypes=("s64",),
              out="bool"),
        oracle=getattr(torch, name),
        scalar=f"{name}_scalar",
        of_numbers=(
            Known(([1, 2, 3, NAN], 2), ([*expected],), dtypes=("f16",), out="bool"),
            Known(([0.1], 0.1), ([whole[1]],), dtypes=FLOATS, out="bool"),
            Known(([1, 2, 3], 2), ([*whole],), dtypes=("s16",), out="bool"),
        ),
        number=S(2.0),
        plain=OUT,
    )  # fmt: skip


ROWS = (
    *compared("ne", 1, 0, 1, 1),
    *compared("lt", 1, 0, 0, 0),
    *compared("le", 1, 1, 0, 0),
    *compared("gt", 0, 0, 1, 0),
    *compared("ge", 0, 1, 1, 0),
)
