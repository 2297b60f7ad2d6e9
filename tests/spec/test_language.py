"""What the language of operators must bear, row by row; random_operators draws what nobody thought
of."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from openaclnn.base.dtypes import BOOL, FLOAT, FLOAT16, INT32
from openaclnn.base.status import AclnnError
from openaclnn.calls.by_name import friendly
from openaclnn.calls.functions import make_function
from openaclnn.calls.stubs import default_text
from openaclnn.cli.main import commands
from openaclnn.ops import all_ops
from openaclnn.spec import describe, host
from openaclnn.spec.call import Meta
from openaclnn.spec.formula import Expr, constant, equal, known_as, tensor, text
from openaclnn.spec.op import Attr, In, InOut, Op, Out
from openaclnn.spec.rules import (
    Broadcast,
    Castable,
    Dtypes,
    Into,
    NotNegative,
    Promotable,
    ResultDtype,
    SameShape,
)
from openaclnn.spec.sample import sample_call
from openaclnn.verify.trials import call_in

X = In("self", "the input", "输入")
OUT = Out("out", "the result", "结果")
ONES = np.ones(3, np.float32)


def attr(name: str, kind: host.Host, *default: Any, **more: Any) -> Attr:
    given = {"default": default[0]} if default else {}
    return Attr(name, f"the {name}", f"属性 {name}", kind, **given, **more)


def operator(formula: Any, *arguments: Any, **more: Any) -> Op:
    """An operator on floats and integers."""
    rules = (
        Dtypes(("self",), (FLOAT, FLOAT16, INT32)),
        Promotable(),
        Broadcast(("self",)),
        *more.pop("rules", (Castable(),)),
    )
    return Op("drawn", "Drawn", "随机", (*arguments, OUT), rules, formula, "", **more)


@pytest.mark.parametrize("name", ["type", "tuple", "map", "repr", "id", "min", "input", "from_"])
def test_arguments_that_python_knows_by_other_names(name: str) -> None:
    scaled, summed, doubled = (
        eval(f"lambda {text}".format(name))
        for text in ("self, {0}: self * {0}", "self, {0}: self * sum({0})", "{0}: {0} + {0}")
    )
    rules = (Dtypes((name,), (FLOAT,)), Castable())
    ops = [
        operator(scaled, X, attr(name, host.FLOAT32, 2.0)),
        operator(summed, X, attr(name, host.FLOAT_ARRAY, (2.0,))),
        Op("drawn", "Drawn", "随机", (In(name, "the input", "输入"), OUT), rules, doubled, ""),
    ]
    for op in ops:
        function = make_function(op)
        for _ in range(2):  # the second takes the call cache
            assert function(ONES).tolist() == [2, 2, 2]


@pytest.mark.parametrize(
    ("kind", "formula"),
    [
        (host.FLOAT_ARRAY, lambda self, v: sum(v) * self),
        (host.BOOL_ARRAY, lambda self, v: self if any(v) else -self),
        (host.TEXT, lambda self, v: self if v.startswith("a") else -self),
        (host.DATA_TYPE, lambda self, v: self if v.bits > 16 else -self),
        (host.FLAG, lambda self, v: self if v else -self),
    ],
    ids=["floats", "bools", "text", "dtype", "flag"],
)
def test_formulas_that_ask_an_attribute_without_a_default(kind: host.Host, formula: Any) -> None:
    """To show them, something is asked of the formula."""
    assert "Drawn: " in (make_function(operator(formula, X, attr("v", kind))).__doc__ or "")


def test_defaults_without_a_text() -> None:
    def results(call: Any) -> tuple[Meta, ...]:
        return (Meta(call["self"].shape, call["dtype"]),)

    op = operator(
        lambda self, most: self * most, X, attr("dtype", host.DATA_TYPE, FLOAT16),
        attr("most", host.FLOAT64, math.inf), rules=(ResultDtype((FLOAT, FLOAT16)),),
        results=results,
    )  # fmt: skip
    result = make_function(op)(ONES)
    assert (result.dtype, result.tolist()) == (np.float16, [math.inf] * 3)
    assert make_function(op)(ONES, most=2, dtype=FLOAT).dtype == np.float32
    assert [default_text(value) for value in (FLOAT, math.inf, 0.5, "a", None, (1, 2))] == [
        "...", "...", "0.5", '"a"', "None", "(1, 2)",
    ]  # fmt: skip


def test_an_optional_number_that_must_not_be_negative() -> None:
    function = make_function(
        operator(
            lambda self, most: self * most, X, attr("most", host.SCALAR, 2.0, optional=True),
            rules=(NotNegative("most"),),
        )
    )  # fmt: skip
    assert function(ONES, most=None).tolist() == function(ONES).tolist() == [2, 2, 2]
    with pytest.raises(AclnnError, match="most is -1; expected at least 0"):
        function(ONES, most=-1)


def test_a_sample_of_what_is_made_of_nothing() -> None:
    """Its dtype is that of an attribute, and those that it may be are the operator's."""
    op = Op(
        "drawn", "Drawn", "随机",
        (attr("size", host.INT_ARRAY), attr("dtype", host.DATA_TYPE, FLOAT), OUT),
        (ResultDtype((FLOAT16, INT32)),), lambda: 1, "",
        results=lambda call: (Meta(call["size"], call["dtype"]),),
        promotes=lambda call: call["dtype"],
    )  # fmt: skip
    assert describe.dtypes(op) == (FLOAT16, INT32)
    for dtype in describe.dtypes(op):
        call = call_in(op, dtype, (2, 2), {"size": (3, 4)})
        assert (call["out"].dtype, call["out"].shape) == (dtype, (3, 4))


def test_a_mask_before_the_input() -> None:
    """What may be absent does not say what an operator computes in."""
    mask = In("mask", "which count", "掩码", optional=True)
    rules = (Dtypes(("mask",), (BOOL,)), Dtypes(("self",), (FLOAT16, FLOAT)), Castable())
    op = Op("drawn", "Drawn", "随机", (mask, X, OUT), rules, lambda mask, self: self * 0.5, "")
    assert describe.dtypes(op) == (FLOAT16, FLOAT)


def test_lists_of_zeros_of_either_sign() -> None:
    op = operator(lambda self, shift: self * shift[0], X, attr("shift", host.FLOAT_ARRAY))
    function = make_function(op)
    signs = [math.copysign(1, function(ONES, [zero])[0]) for zero in (0.0, -0.0, 0.0)]
    assert signs == [1, -1, 1]


def test_formula_that_is_a_number() -> None:
    function = make_function(operator(lambda self: 2, X))
    assert function(ONES).tolist() == [2, 2, 2]


def changing(*arguments: Any) -> Op:
    """self is changed to self + src."""
    rules = (Dtypes(("self", "src"), (FLOAT,)), Into(("src",), "self"), Castable())
    return Op("drawn", "Drawn", "随机", arguments, rules, lambda self, src: self + src, "")


def test_what_is_changed_may_stand_anywhere() -> None:
    changed, source = InOut("self", "what is changed", "输入输出"), In("src", "the input", "输入")
    function = make_function(changing(source, changed))
    for _ in range(2):  # the second takes the call cache
        here = ONES.copy()
        assert function(ONES, here) is here
        assert here.tolist() == [2, 2, 2]


def test_a_result_beside_what_is_changed() -> None:
    count = InOut("count", "what is changed", "输入输出")
    rules = (Dtypes(("self", "count"), (FLOAT,)), Castable(), SameShape(("self", "count")))
    op = Op(
        "drawn", "Drawn", "随机", (X, count, OUT), rules,
        lambda self, count: (count + 1, self * count), "",
    )  # fmt: skip
    function = make_function(op)
    state, given = np.full(3, 2, np.float32), np.empty(3, np.float64)
    first, second = function(ONES * 3, state)
    assert first is state
    assert (state.tolist(), second.tolist()) == ([3, 3, 3], [6, 6, 6])
    assert function(ONES * 3, state, out=given)[1] is given
    assert (state.tolist(), given.tolist()) == ([4, 4, 4], [9, 9, 9])
    call = sample_call(op, [FLOAT], (2, 3))
    assert [given.label for given in call.used] == ["self", "count", "out"]


FLAG_ROWS = [
    ((), "--from", 2), ((), "--no-from", 3), ((), "", None), ((True,), "", 2),
    ((True,), "--no-from", 3), ((False,), "", 3), ((False,), "--from", 2),
]  # fmt: skip
LIST_ROWS = [
    ((), "", None), ((), "--from 1,2", 3), (([4, 1],), "", 5), ((6,), "", 6), ((None,), "", 7),
]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "default", "typed", "factor"),
    [*((host.FLAG, *row) for row in FLAG_ROWS), *((host.INT_ARRAY, *row) for row in LIST_ROWS)],
)
def test_options_of_the_command_line(
    kind: host.Host,
    default: tuple[Any, ...],
    typed: str,
    factor: float | None,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    def formula(self: Any, from_: Any) -> Any:
        if kind is host.INT_ARRAY:
            return self * (7 if from_ is None else sum(from_))
        return self * (2 if from_ else 3)

    op = operator(formula, X, attr("from_", kind, *default, optional=kind is not host.FLAG))
    monkeypatch.setattr("openaclnn.ops.find", lambda name: op)
    np.save(tmp_path / "x.npy", ONES)
    line = ["call", "drawn", str(tmp_path / "x.npy"), "--json", *typed.split()]
    result = CliRunner().invoke(commands, line)
    if factor is None:
        assert (result.exit_code, "--from" in result.output) == (2, True)
    else:
        assert json.loads(result.output)["values"] == [factor] * 3


A, B = tensor("a"), tensor("b")
NUMBERS = st.recursive(
    st.sampled_from([A, B, constant(2), constant(-3)]),
    lambda inner: st.one_of(
        *(
            st.builds(made, inner, inner)
            for made in (Expr.__add__, Expr.__sub__, Expr.__mul__, Expr.__truediv__)
        ),
        st.builds(Expr.__neg__, inner),
        st.just(known_as("a + b", A + B)),
        st.just(known_as("(a + b)·(a)", (A + B) * A)),
    ),
    max_leaves=8,
)
CONDITIONS = st.recursive(
    st.builds(Expr.__lt__, NUMBERS, NUMBERS) | st.builds(equal, NUMBERS, NUMBERS),
    lambda inner: (
        st.builds(Expr.__and__, inner, inner)
        | st.builds(Expr.__or__, inner, inner)
        | st.builds(Expr.__invert__, inner)
    ),
    max_leaves=4,
)
SIGNS = {"·": "*", "−": "-", " = ": " == "}
OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "neg": lambda a: -a,
    "lt": lambda a, b: a < b,
    "equal": lambda a, b: a == b,
    "and": lambda a, b: a and b,
    "or": lambda a, b: a or b,
    "not": lambda a: not a,
    "known_as": lambda a: a,
}


def meaning(tree: Expr, values: dict[str, Fraction]) -> Any:
    if tree.op in ("input", "const"):
        return values[tree.name] if tree.name else Fraction(tree.value)
    return OPERATIONS[tree.op](*(meaning(arg, values) for arg in tree.args))


@given(NUMBERS | CONDITIONS)
def test_texts_of_formulas_mean_what_is_computed(tree: Expr) -> None:
    """Python, given the text, computes the same."""
    source = text(tree)
    for sign, here in SIGNS.items():
        source = source.replace(sign, here)
    source = re.sub(r"(\d+)", r"Fraction(\1)", source)
    values = {"a": Fraction(7, 3), "b": Fraction(-5, 11)}
    try:
        expected = meaning(tree, values)
    except ZeroDivisionError:
        return
    assert eval(source, {"Fraction": Fraction}, values) == expected, text(tree)


def test_texts_of_constants() -> None:
    numbers = (0.1, 1e-300, 2.0**24 + 1, -1.5, 3, 1 / 3)
    assert [text(constant(number)) for number in numbers] == [
        "0.1", "1e−300", "16777217", "−1.5", "3", "0.3333333333333333",
    ]  # fmt: skip


def test_a_short_name_is_first_of_all_the_operators_own() -> None:
    import openaclnn

    x = np.array([1, 5], np.float32)
    assert openaclnn.clamp_tensor(x, None, x).tolist() == [1, 5]  # which is loaded now
    assert openaclnn.clamp(x, clip_value_max=2).tolist() == [1, 2]
    assert openaclnn.clamp_max(x, 3).tolist() == [1, 3]
    known = [all_ops()[name] for name in ("clamp", "clamp_tensor", "eq_tensor")]
    assert friendly(known) == {"eq": "eq_tensor", "clip": "clamp"}
