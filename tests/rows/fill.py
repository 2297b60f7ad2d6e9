"""Every element becomes a number."""

from rows import NUMBERS, Call, Known, Rows, S, T
from rows.families import in_place

WHOLE = {"start": S(0, "s64"), "end": S(3, "s64"), "step": S(1, "s64")}
MASKED = (
    Call({"mask": T("bool", (3,))}),
    Call({"mask": T("u8", (2, 1))}),
    Call({"mask": None}, 161001, "mask is null; expected a tensor"),
    Call({"mask": T()}, 161002, "mask has dtype FLOAT; expected BOOL or UINT8"),
    Call({"mask": T("bool", (2, 2))}, 161002, "mask has shape [2, 2]; expected one that"),
)

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
        op="arange",
        known=(
            Known((5,), ([0, 1, 2, 3, 4],), out="s64"),
            Known((2, -3), ([2, 0, -2],), {"step": -2}, out="s64"),
            Known((0.0, 1.0, 0.25), ([0, 0.25, 0.5, 0.75],), out="f32"),
            Known((0,), ([],), out="s64"),
        ),
        calls=(
            Call({}),
            Call({"out": T("f16", (3,), strides=(2,), storage=(6,))}),
            Call(
                {"out": T("s8", (3,)), "end": S(3, "s8"), "start": S(0, "s8"), "step": S(1, "s8")}
            ),
            Call({"out": T(shape=(1, 1, 1, 3))}),
            Call({"out": T(shape=(1, 3, 1), strides=(9, 2, 1), storage=(6,))}),
            Call({"end": S(1.0), "out": T(shape=(1, 1))}),
            Call({"end": S(0.0), "out": T(shape=(1, 0))}),
            Call({"end": S(4.0), "out": T(shape=(2, 2))}, 161002, "has shape [2, 2]; expected [4]"),
            Call({"end": S(1.0), "out": T(shape=())}, 161002, "has shape []; expected [1]"),
            Call({"out": T(shape=(1,) * 8 + (3,))}, 161002, "out has 9 dimensions"),
            Call({"start": None}, 161001, "start is null; expected a scalar"),
            Call({"out": None}, 161001, "out is null"),
            Call({"out": T("c64", (3,))}, 161002, "out has dtype COMPLEX64"),
            Call({"out": T("s32", (3,))}, 161002, "start has dtype FLOAT; expected an integer"),
            Call({"step": S(0.0)}, 161002, "step is 0; expected another number"),
            Call({"step": S(-1.0)}, 161002, "step is -1.0; expected one that leads from 0.0 to"),
            Call({"end": S(float("inf"))}, 161002, "end is inf; expected a finite number"),
            Call({"out": T(shape=(4,))}, 161002, "out has shape [4]; expected [3]"),
        ),
        plain={"start": S(0.0), "end": S(3.0), "step": S(1.0), "out": T(shape=(3,))},
    ),
    Rows(
        op="range",
        known=(
            Known((4,), ([0, 1, 2, 3, 4],), out="s64"),
            Known((2, -3), ([2, 0, -2],), {"step": -2}, out="s64"),
            Known((0.0, 1.0, 0.25), ([0, 0.25, 0.5, 0.75, 1],), out="f32"),
        ),
        calls=(
            Call({}),
            Call({"out": T(shape=(1, 4, 1))}),
            Call({"start": None}, 161001, "start is null; expected a scalar"),
            Call({"out": None}, 161001, "out is null"),
            Call({"out": T("c64", (4,))}, 161002, "out has dtype COMPLEX64"),
            Call({"step": S(0.0)}, 161002, "step is 0; expected another number"),
            Call({"out": T(shape=(3,))}, 161002, "out has shape [3]; expected [4]"),
        ),
        plain={"start": S(0.0), "end": S(3.0), "step": S(1.0), "out": T(shape=(4,))},
    ),
    Rows(
        op="linspace",
        known=(
            Known((0, 1, 5), ([0, 0.25, 0.5, 0.75, 1],), out="f32"),
            Known((3, -3, 3), ([3, 0, -3],), out="f32"),
            Known((7, 9, 1), ([7],), out="f32"),
            Known((7, 9, 0), ([],), out="f32"),
        ),
        calls=(
            Call({}),
            Call({"out": T("f16", (3,), strides=(2,), storage=(6,))}),
            Call({"start": None}, 161001, "start is null; expected a scalar"),
            Call({"end": None}, 161001, "end is null; expected a scalar"),
            Call({"out": None}, 161001, "out is null"),
            Call({"out": T("s64", (3,))}, 161002, "out has dtype INT64"),
            Call({"steps": -1}, 161002, "steps is -1; expected at least 0"),
            Call({"out": T(shape=(4,))}, 161002, "out has shape [4]; expected [3]"),
        ),
        plain={"start": S(0.0), "end": S(1.0), "steps": 3, "out": T(shape=(3,))},
    ),
    Rows(
        op="eye",
        known=(
            Known((2, 3), ([[1, 0, 0], [0, 1, 0]],), out="f32"),
            Known((3, 1), ([[1], [0], [0]],), out="f32"),
        ),
        calls=(
            Call({}),
            Call({"out": T("bool", strides=(1, 2))}),
            Call({"n": 0, "out": T("s64", (0, 3))}),
            Call({"out": None}, 161001, "out is null"),
            Call({"out": T("c64")}, 161002, "out has dtype COMPLEX64"),
            Call({"n": -1}, 161002, "n is -1; expected at least 0"),
            Call({"m": -1}, 161002, "m is -1; expected at least 0"),
            Call({"out": T(shape=(3, 2))}, 161002, "out has shape [3, 2]; expected [2, 3]"),
        ),
        plain={"n": 2, "m": 3},
    ),
    Rows(
        op="inplace_zero",
        known=(Known(([1, 2, 3],), ([0, 0, 0],), dtypes=(*NUMBERS, "bool")),),
        calls=in_place("aclnnInplaceZero"),
    ),
    Rows(
        op="inplace_masked_fill_scalar",
        known=(Known(([1, 2, 3], [1, 0, 1], 7), ([7, 2, 7],), dtypes=("u8",)),),
        calls=(
            *in_place("aclnnInplaceMaskedFillScalar"),
            *MASKED,
            Call({"value": None}, 161001, "value is null; expected a scalar"),
            Call({"value": S(1j, "c64")}, 161002, "value has dtype COMPLEX64"),
        ),
        plain={"mask": T("bool"), "value": S(2.5)},
    ),
    Rows(
        op="inplace_masked_fill_tensor",
        known=(Known(([1, 2, 3], [1, 0, 1], [7]), ([7, 2, 7],), dtypes=("u8",)),),
        calls=(
            *in_place("aclnnInplaceMaskedFillTensor"),
            *MASKED,
            Call({"value": T(shape=())}),
            Call({"value": None}, 161001, "value is null; expected a tensor"),
            Call({"value": T(shape=(2, 2))}, 161002, "expected one that broadcasts to [2, 3]"),
        ),
        plain={"mask": T("bool"), "value": T(shape=(1,))},
    ),
)
