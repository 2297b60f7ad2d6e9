"""Calls that every operator of a family answers alike."""

from __future__ import annotations

from rows import Call, T

NINE = (1,) * 9


def unary(c_name: str, wrong: str = "c64") -> tuple[Call, ...]:
    """One tensor in, one of the same shape out."""
    return (
        Call({}),
        Call({"self": T(shape=()), "out": T(shape=())}),
        Call({"self": T(shape=(0, 3)), "out": T(shape=(0, 3))}),
        Call({"self": None}, 161001, f"{c_name}: self is null; expected a tensor"),
        Call({"out": None}, 161001, "out is null"),
        Call({"self": T(wrong)}, 161002, f"{c_name}: self has dtype"),
        Call({"self": T(shape=NINE), "out": T(shape=NINE)}, 161002, "self has 9 dimensions"),
        Call({"out": T(shape=(3, 2))}, 161002, "out has shape [3, 2]; expected [2, 3], as"),
        Call({"self": T(storage=(2,))}, 161002, "self reaches elements 0 to 5 of its storage"),
        Call({"out": T(strides=(0, 1))}, 161002, "out has two indices for one element"),
        # the first of two faults decides
        Call({"self": T(wrong), "out": None}, 161001, "out is null"),
        Call({"self": T(wrong, NINE)}, 161002, "self has dtype"),
    )


def floats_only(c_name: str) -> tuple[Call, ...]:
    """A float converts to floats and complex numbers only."""
    return (
        *unary(c_name, "s32"),
        Call({"out": T("f16")}),
        Call({"out": T("c64")}),
        Call({"out": T("s32")}, 161002, "out has dtype INT32; expected one that FLOAT"),
        Call({"self": T("bf16")}, 161002, "on Ascend910", "Ascend910"),
    )


def in_place(c_name: str, wrong: str = "c64") -> tuple[Call, ...]:
    """One tensor that is changed."""
    return (
        Call({}),
        Call({"self": None}, 161001, f"{c_name}: self is null; expected a tensor"),
        Call({"self": T(wrong)}, 161002, "self has dtype"),
        Call({"self": T(shape=NINE)}, 161002, "self has 9 dimensions"),
        Call({"self": T(strides=(0, 1))}, 161002, "self has two indices for one element"),
    )


def binary(c_name: str) -> tuple[Call, ...]:
    """Two tensors that broadcast and promote."""
    return (
        Call({}),
        Call({"self": T(shape=(2, 1)), "other": T(shape=(3,))}),
        Call({"self": T("s32"), "other": T("f16"), "out": T("f32")}),
        Call({"self": None}, 161001, f"{c_name}: self is null; expected a tensor"),
        Call({"other": None}, 161001, "other is null"),
        Call({"out": None}, 161001, "out is null"),
        Call({"self": T("c64")}, 161002, f"{c_name}: self has dtype COMPLEX64"),
        Call({"other": T("u16")}, 161002, "other has dtype UINT16"),
        Call({"self": T(shape=NINE)}, 161002, "self has 9 dimensions"),
        Call({"self": T(shape=(2, 2))}, 161002, "expected shapes that broadcast to a common one"),
        Call({"out": T(shape=(3,))}, 161002, "out has shape [3]; expected [2, 3]"),
        Call({"self": T("c64"), "out": T(shape=(3,))}, 161002, "self has dtype COMPLEX64"),
    )


def reduction(c_name: str, dim: str = "dim") -> tuple[Call, ...]:
    """A fold over dimensions; `plain` names the last one of (2, 3)."""
    twice, row = f"{dim} has dimension 1 twice", T(shape=(2,))
    return (
        Call({"out": row}),
        Call({"out": T(shape=()), dim: ()}),
        Call({"self": None}, 161001, f"{c_name}: self is null; expected a tensor"),
        Call({"out": None}, 161001, "out is null"),
        Call({"self": T("c64")}, 161002, f"{c_name}: self has dtype COMPLEX64"),
        Call({dim: (2,)}, 161002, f"{dim} has 2; expected -2 to 1, as self has 2 dimensions"),
        Call({dim: (1, -1), "out": row}, 161002, twice),
        Call({"self": T(shape=NINE), "out": row}, 161002, "self has 9 dimensions"),
        Call({"out": T(shape=(2, 3))}, 161002, "out has shape [2, 3]; expected [2]"),
        Call({"self": T("c64"), dim: (5,)}, 161002, "self has dtype COMPLEX64"),
    )


def loss(c_name: str) -> tuple[Call, ...]:
    """A prediction and a target; `plain` says mean."""
    every, number = {"reduction": 0}, T(shape=())
    return (
        Call({"out": number}),
        Call({**every}),
        Call({**every, "target": T(shape=(3,))}),
        Call({"self": None}, 161001, f"{c_name}: self is null; expected a tensor"),
        Call({"target": None}, 161001, "target is null"),
        Call({"out": None}, 161001, "out is null"),
        Call({"self": T("s32")}, 161002, f"{c_name}: self has dtype INT32"),
        Call({"target": T(shape=NINE)}, 161002, "target has 9 dimensions"),
        Call({"reduction": 3}, 161002, "reduction is 3; expected"),
        Call({"target": T(shape=(2, 2))}, 161002, "expected shapes that broadcast to a common one"),
        Call({"out": T("s32", ())}, 161002, "out has dtype INT32"),
        Call({"out": T()}, 161002, "out has shape [2, 3]; expected []"),
        Call({**every, "out": number}, 161002, "out has shape []; expected [2, 3]"),
    )
