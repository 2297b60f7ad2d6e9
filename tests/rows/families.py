"""Calls that every operator of a family answers alike, and the rows of whole families."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rows import FLOATS, Call, Known, Rows, S, T

NINE = (1,) * 9
FEW = ("f32", "bf16", "s8")  # dtypes that an oracle's inputs are drawn in
TWO = S(2, "s64")


def unary(c_name: str, wrong: str = "c64", of: str = "f32") -> tuple[Call, ...]:
    """One tensor in, one of the same shape out; `of` is a dtype that it takes."""
    nine = T(of, NINE)
    return (
        Call({}),
        Call({"self": T(of, ()), "out": T(of, ())}),
        Call({"self": T(of, (0, 3)), "out": T(of, (0, 3))}),
        Call({"self": None}, 161001, f"{c_name}: self is null; expected a tensor"),
        Call({"out": None}, 161001, "out is null"),
        Call({"self": T(wrong)}, 161002, f"{c_name}: self has dtype"),
        Call({"self": nine, "out": nine}, 161002, "self has 9 dimensions"),
        Call({"out": T(of, (3, 2))}, 161002, "out has shape [3, 2]; expected [2, 3], as"),
        Call({"self": T(of, storage=(2,))}, 161002, "self reaches elements 0 to 5 of its storage"),
        Call({"out": T(of, strides=(0, 1))}, 161002, "out has two indices for one element"),
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


def in_place(c_name: str, wrong: str = "c64", of: str = "f32") -> tuple[Call, ...]:
    """One tensor that is changed."""
    return (
        Call({}),
        Call({"self": None}, 161001, f"{c_name}: self is null; expected a tensor"),
        Call({"self": T(wrong)}, 161002, "self has dtype"),
        Call({"self": T(of, NINE)}, 161002, "self has 9 dimensions"),
        Call({"self": T(of, strides=(0, 1))}, 161002, "self has two indices for one element"),
    )


def binary(c_name: str, of: str = "f32", second: str = "other") -> tuple[Call, ...]:
    """Two tensors that broadcast and promote; `of` is a dtype that they take."""
    mixed = (Call({"self": T("s32"), second: T("f16"), "out": T("f32")}),)
    return (
        Call({}),
        Call({"self": T(of, (2, 1)), second: T(of, (3,))}),
        *(mixed if of == "f32" else ()),
        Call({"self": None}, 161001, f"{c_name}: self is null; expected a tensor"),
        Call({second: None}, 161001, f"{second} is null"),
        Call({"out": None}, 161001, "out is null"),
        Call({"self": T("c64")}, 161002, f"{c_name}: self has dtype COMPLEX64"),
        Call({second: T("u16")}, 161002, f"{second} has dtype UINT16"),
        Call({"self": T(of, NINE)}, 161002, "self has 9 dimensions"),
        Call({"self": T(of, (2, 2))}, 161002, "expected shapes that broadcast to a common one"),
        Call({"out": T(of, (3,))}, 161002, "out has shape [3]; expected [2, 3]"),
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


def c_name(op: str) -> str:
    """The C spelling of a name."""
    return "aclnn" + "".join(word.capitalize() for word in op.split("_"))


def unary_rows(
    op: str,
    *known: Known,
    oracle: Callable[..., Any] | None = None,
    dtypes: tuple[str, ...] = FEW,
    floats: bool = False,
    twin: bool = False,
    calls: tuple[Call, ...] = (),
    **more: Any,
) -> tuple[Rows, ...]:
    """Rows of an operator of one tensor, and of its in-place variant; `floats`: it takes only
    them."""
    plain = more.get("plain", {})
    of = plain["self"].dtype if "self" in plain else "f32"
    usual = floats_only(c_name(op)) if floats else unary(c_name(op), of=of)
    twin_of = {"in_place": f"inplace_{op}"} if twin else {}
    given = [d for d in dtypes if not floats or d in FLOATS]
    rows = Rows(op, known, (*usual, *calls), oracle, dtypes=tuple(given), **twin_of, **more)
    if not twin:
        return (rows,)
    changed = in_place(c_name(f"inplace_{op}"), "s32" if floats else "c64")
    inner = {name: value for name, value in plain.items() if name != "out"}
    return rows, Rows(f"inplace_{op}", (), changed, plain=inner)


def binary_rows(
    op: str,
    *known: Known,
    oracle: Callable[..., Any] | None = None,
    dtypes: tuple[str, ...] = FEW,
    scalar: str = "",
    twin: bool = True,
    calls: tuple[Call, ...] = (),
    of_numbers: tuple[Known, ...] = (),
    number: S = TWO,
    second: str = "other",
    **more: Any,
) -> tuple[Rows, ...]:
    """Rows of an operator of two tensors, of the one that takes a number for the second, and of
    their in-place variants. `of_numbers` are results of the one with a number."""
    plain = more.get("plain", {})
    inner = {name: value for name, value in plain.items() if name != "out"}
    names = {"in_place": f"inplace_{op}" if twin else "", "scalar": scalar}
    of = plain["self"].dtype if "self" in plain else "f32"
    usual = (*binary(c_name(op), of, second), *calls)
    found = [Rows(op, known, usual, oracle, inputs=2, dtypes=dtypes, **names, **more)]
    if twin:
        found.append(
            Rows(f"inplace_{op}", (), in_place(c_name(f"inplace_{op}"), of=of), plain=inner)
        )
    if scalar:
        refused = (
            Call({}),
            Call({"other": None}, 161001, "other is null; expected a scalar"),
            Call({"self": T("c64")}, 161002, "self has dtype COMPLEX64, which openaclnn"),
            Call({"out": T(of, (3,))}, 161002, "out has shape [3]"),
        )
        if of == "s32":  # the operator takes no fractions
            refused += (Call({"other": S(2.0), "out": T()}, 161002, "other has dtype FLOAT; "),)
        beside = {"other": number}
        found.append(Rows(scalar, of_numbers, refused, plain={**plain, **beside}))
        if twin:
            changed = in_place(c_name(f"inplace_{scalar}"), of=of)
            found.append(Rows(f"inplace_{scalar}", (), changed, plain={**inner, **beside}))
    return tuple(found)


def backward_rows(
    op: str,
    *known: Known,
    oracle: Callable[..., Any],
    second: str = "self",
    out: str = "grad_input",
    calls: tuple[Call, ...] = (),
    **more: Any,
) -> Rows:
    """Rows of a gradient and the tensor that its slope is of."""
    first = "grad_output"
    usual = (
        Call({}),
        Call({first: T(shape=(2, 1)), second: T(shape=(3,))}),
        Call({first: T("f16"), out: T("f16")}),
        Call({first: None}, 161001, f"{c_name(op)}: grad_output is null; expected a tensor"),
        Call({second: None}, 161001, f"{second} is null"),
        Call({out: None}, 161001, f"{out} is null"),
        Call({second: T("s32")}, 161002, f"{c_name(op)}: {second} has dtype INT32"),
        Call({first: T(shape=NINE)}, 161002, "grad_output has 9 dimensions"),
        Call({first: T(shape=(2, 2))}, 161002, "expected shapes that broadcast to a common one"),
        Call({out: T(shape=(3,))}, 161002, f"{out} has shape [3]; expected [2, 3]"),
        Call({out: T("s32")}, 161002, f"{out} has dtype INT32; expected one that FLOAT"),
        Call({second: T("s32"), first: T(shape=NINE)}, 161002, f"{second} has dtype INT32"),
    )
    more = {"dtypes": ("f32", "f16"), **more}
    return Rows(op, known, (*usual, *calls), oracle, inputs=2, **more)


def loss_backward_rows(
    op: str, *known: Known, oracle: Callable[..., Any], out: str = "grad_input", **more: Any
) -> Rows:
    """Rows of the gradient of a loss; `plain` says mean."""
    usual = (
        Call({}),
        Call({"grad_output": T(shape=()), "target": T(shape=(3,))}),
        Call({"grad_output": None}, 161001, f"{c_name(op)}: grad_output is null"),
        Call({"self": None}, 161001, "self is null"),
        Call({"target": None}, 161001, "target is null"),
        Call({out: None}, 161001, f"{out} is null"),
        Call({"self": T("s32")}, 161002, f"{c_name(op)}: self has dtype INT32"),
        Call({"target": T(shape=NINE)}, 161002, "target has 9 dimensions"),
        Call({"reduction": 3}, 161002, "reduction is 3; expected"),
        Call({"target": T(shape=(2, 2))}, 161002, "expected shapes that broadcast to a common one"),
        Call({out: T(shape=(3,))}, 161002, f"{out} has shape [3]; expected [2, 3]"),
    )
    plain = {"reduction": 1}
    each = ({"reduction": "sum"}, {"reduction": "mean"})
    more = {"dtypes": ("f32", "f16"), "attributes": each, "plain": plain, **more}
    return Rows(op, known, usual, oracle, inputs=3, **more)
