"""Refuses Python operations that need a symbol's value (its truth, equality, conversion to a
number): Python would go on with a wrong value. The error says what to write instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn

from openaclnn.spec.mistakes import FormulaError, vocabulary

_WORDS = "from openaclnn.spec.formula"

# what a line with a symbol in a condition says, and what it should say
_CONDITIONS = {
    r"\bmax\s*\(": "maximum(a, b) for max(a, b)",
    r"\bmin\s*\(": "minimum(a, b) for min(a, b)",
    r"\b(if|while|assert)\b": "where(condition, yes, no) for if",
    r"\b(and|or|not)\b": "(a) & (b), (a) | (b) and ~(a) for and, or and not",
    r"[<>]=?[^<>,]*[^<>,\s-][^<>,]*[<>]": "(a < x) & (x < b) for a < x < b",
    r"\bsorted\s*\(": "minimum(a, b) and maximum(a, b)",
}


def _condition(source: str) -> str:
    found = [instead for sign, instead in _CONDITIONS.items() if re.search(sign, source)]
    return "write " + ", ".join(found or [*_CONDITIONS.values()][:-1])


def _function(source: str) -> str:
    """The words of the vocabulary that a line calls, of whatever module."""
    called = dict.fromkeys(re.findall(r"\b([a-z]\w*)\s*\(", source))
    names = [name for name in called if name in vocabulary()]
    return f"use {' and '.join(names) or 'the functions'} {_WORDS}"


def _write(instead: str) -> Callable[[str], str]:
    return lambda source: f"write {instead} {_WORDS}"


_NO_TRUTH = "`{}` may hold for one element and not for the next, so Python cannot decide by it"
_NO_NUMBER = "`{}` is a symbol and no number yet"
_ONE_ELEMENT = "`{}` is one element, which has no length and no items"

_REFUSED: dict[str, tuple[str, Callable[[str], str]]] = {
    "__bool__": (_NO_TRUTH, _condition),
    "__eq__": (
        "== does not compare symbols",
        lambda source: f"write equal(a, b) {_WORDS}, and `is None` of what may be absent",
    ),
    "__ne__": (
        "!= does not compare symbols",
        lambda source: f"write not_equal(a, b) {_WORDS}, and `is not None` of what may be absent",
    ),
    **dict.fromkeys(("__float__", "__complex__", "__index__"), (_NO_NUMBER, _function)),
    "__int__": (_NO_NUMBER, _write("trunc(x)")),
    "__round__": (_NO_NUMBER, _write("rounded(x)")),
    "__trunc__": (_NO_NUMBER, _write("trunc(x)")),
    "__floor__": (_NO_NUMBER, _write("floor(x)")),
    "__ceil__": (_NO_NUMBER, _write("ceil(x)")),
    **dict.fromkeys(
        ("__len__", "__iter__", "__getitem__", "__contains__", "__reversed__"),
        (_ONE_ELEMENT, lambda source: "a formula says what becomes of one element of each tensor"),
    ),
}
_SIGNS = {
    "pow": ("**", "pow(x, y), or x * x,"),
    "mod": ("%", "remainder(a, b) or fmod(a, b)"),
    "floordiv": ("//", "floor_div(a, b)"),
    "divmod": ("divmod", "floor_div(a, b) and remainder(a, b)"),
    "lshift": ("<<", "shift_left(a, b)"),
    "rshift": (">>", "shift_right(a, b)"),
    "matmul": ("@", "fold(a * b, 'add')"),
}
for _name, (_sign, _instead) in _SIGNS.items():
    for _side in ("", "r"):
        _REFUSED[f"__{_side}{_name}__"] = f"formulas do not have {_sign}", _write(_instead)

# operators that NumPy's numbers have, too: np.float32(2) * x
_UFUNCS = {
    "add": "__add__", "subtract": "__sub__", "multiply": "__mul__", "divide": "__truediv__",
    "true_divide": "__truediv__", "less": "__lt__", "less_equal": "__le__", "greater": "__gt__",
    "greater_equal": "__ge__", "equal": "__eq__", "not_equal": "__ne__", "power": "__pow__",
}  # fmt: skip


def _refusing(why: str, advice: Callable[[str], str]) -> Callable[..., NoReturn]:
    def refuse(self: Undecided, *others: Any) -> NoReturn:
        raise FormulaError(why.format(self), advice)

    return refuse


class Undecided:
    """What is known of elements before there are any: a tree, by identity."""

    __slots__ = ()

    __hash__ = object.__hash__

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **more: Any) -> Any:
        """NumPy's own numbers may stand beside symbols; its functions do not know them."""
        name = _UFUNCS.get(ufunc.__name__)
        if name is None or method != "__call__" or more or len(inputs) != 2:
            raise _unknown(self, f"NumPy's {ufunc.__name__}")
        first, second = (one if isinstance(one, Undecided) else self.number(one) for one in inputs)
        return getattr(first, name)(second)

    def __array_function__(self, function: Any, *_: Any) -> NoReturn:
        raise _unknown(self, f"NumPy's {function.__name__}")

    @staticmethod
    def number(value: Any) -> Undecided:
        """The symbol of a number."""
        raise NotImplementedError


def _unknown(symbol: Undecided, whose: str) -> FormulaError:
    return FormulaError(f"{whose} does not know the symbol `{symbol}`", _function)


for _name, (_why, _advice) in _REFUSED.items():
    setattr(Undecided, _name, _refusing(_why, _advice))
