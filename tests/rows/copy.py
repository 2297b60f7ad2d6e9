"""A tensor gets another one's values."""

from rows import NUMBERS, Call, Known, Rows, T
from rows.families import in_place

ROWS = (
    Rows(
        op="inplace_copy",
        known=(
            Known(([0, 0, 0], [1, 2, 3]), ([1, 2, 3],), dtypes=NUMBERS),
            Known(([[0, 0], [0, 0]], [1, 2]), ([[1, 2], [1, 2]],), dtypes=NUMBERS),
        ),
        calls=(
            *in_place("aclnnInplaceCopy"),
            Call({"src": T("s32")}),
            Call({"src": T(shape=(3,))}),
            Call({"src": None}, 161001, "src is null"),
            Call({"src": T("c64")}, 161002, "src has dtype COMPLEX64"),
            Call({"src": T(shape=(2, 2))}, 161002, "src has shape [2, 2]; expected one that"),
        ),
    ),
)
