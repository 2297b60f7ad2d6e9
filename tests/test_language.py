"""What the language of operators must bear, row by row; random_operators draws what nobody thought
of."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from openaclnn.base.dtypes import FLOAT, FLOAT16, INT32
from openaclnn.calls.functions import make_function
from openaclnn.calls.stubs import default_text
from openaclnn.spec import host
from openaclnn.spec.call import Meta
from openaclnn.spec.op import Attr, In, Op, Out
from openaclnn.spec.rules import Broadcast, Castable, Dtypes, Promotable, ResultDtype

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
        for _ in range(2):  # the second takes the short cut
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


def test_lists_of_zeros_of_either_sign() -> None:
    op = operator(lambda self, shift: self * shift[0], X, attr("shift", host.FLOAT_ARRAY))
    function = make_function(op)
    signs = [math.copysign(1, function(ONES, [zero])[0]) for zero in (0.0, -0.0, 0.0)]
    assert signs == [1, -1, 1]


def test_formula_that_is_a_number() -> None:
    function = make_function(operator(lambda self: 2, X))
    assert function(ONES).tolist() == [2, 2, 2]
