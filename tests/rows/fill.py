"""Every element becomes a number."""

from rows import NUMBERS, Call, Known, Rows, S
from rows.families import in_place

ROWS = (
    Rows(
        op="inplace_fill_scalar",
        known=(
            Known(([0, 0, 0], 2), ([2, 2, 2],), dtypes=NUMBERS),
            Known(([0, 0], 2.75), ([2, 2],), dtypes=("s8", "s32", "s64")),
            Known(([0, 0], 2**53 + 1), ([2**53 + 1] * 2,), dtypes=("s64",)),
            Known(([False], 0.5), ([True],), dtypes=("bool",)),
        ),
        calls=(
            *in_place("aclnnInplaceFillScalar"),
            Call({"value": None}, 161001, "value is null; expected a scalar"),
            Call({"value": S(1j, "c64")}, 161002, "value has dtype COMPLEX64"),
        ),
        plain={"value": S(2.5)},
    ),
    Rows(
        op="inplace_zero",
        known=(Known(([1, 2, 3],), ([0, 0, 0],), dtypes=(*NUMBERS, "bool")),),
        calls=in_place("aclnnInplaceZero"),
    ),
)
