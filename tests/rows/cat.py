"""Tensors one behind the other."""

from rows import NUMBERS, Call, Known, Rows, T

PAIR = (T(shape=(1, 3)), T(shape=(1, 3)))

ROWS = (
    Rows(
        op="cat",
        known=(
            Known(([[[1, 2]], [[3, 4], [5, 6]]],), ([[1, 2], [3, 4], [5, 6]],), dtypes=NUMBERS),
            Known(([[[1], [2]], [[3], [4]]],), ([[1, 3], [2, 4]],), {"dim": -1}, NUMBERS),
            Known(([[], [1, 2], [3]],), ([1, 2, 3],), dtypes=NUMBERS),
        ),
        calls=(
            Call({"tensors": PAIR}),
            Call({"tensors": (T("f16", (1, 3)), T("s32", (1, 3)))}),
            Call({"tensors": (T(shape=(0,)), T())}),
            Call({"tensors": None}, 161001, "tensors is null; expected a list of tensors"),
            Call({"tensors": (T(), None)}, 161001, "tensors[1] is null"),
            Call({"tensors": ()}, 161002, "tensors is empty; expected at least one"),
            Call({"tensors": (T(), T("c64"))}, 161002, "tensors[1] has dtype COMPLEX64"),
            Call({"tensors": (T(), T(shape=(1, 2)))}, 161002, "tensors[1] has shape [1, 2]"),
            Call({"tensors": PAIR, "dim": 2}, 161002, "dim is 2; expected -2 to 1"),
            Call({"tensors": (T(shape=()),)}, 161002, "tensors[0] has no dimensions"),
            Call({"tensors": (T(), T())}, 161002, "out has shape [2, 3]; expected [4, 3]"),
        ),
        plain={"dim": 0},
    ),
)
