"""NumPy's functions on symbols: what is written for arrays of float64 leaves a tree of basic
operations instead, which an engine can print. So true values are computed where kernels run, by the
same lines, to the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.typing import NDArray

from openaclnn.arithmetic import integers
from openaclnn.arithmetic.nodes import (
    Node,
    bits,
    const,
    equal,
    fma,
    from_bits,
    is_nan,
    make,
    select,
    square_root,
    unequal,
)

_DTYPES = {"f64": np.dtype(np.float64), "i64": np.dtype(np.int64), "i1": np.dtype(bool)}
_SIGN = -1 << 63
_HALF = 1 << 62  # makes any exponent positive


class Tables:
    """Numbers that are looked up: all of them one after the other."""

    def __init__(self) -> None:
        self.starts: dict[int, int] = {}
        self.held: list[NDArray[np.float64]] = []

    def start(self, table: NDArray[np.float64]) -> int:
        """Where a table begins."""
        if id(table) not in self.starts:
            self.starts[id(table)] = 1 + sum(one.size for one in self.held)
            self.held.append(table)  # so that nothing else gets its id
        return self.starts[id(table)]

    def joined(self) -> NDArray[np.float64]:
        return np.concatenate([np.zeros(1), *self.held])


class Symbol(NDArrayOperatorsMixin):
    """A float64, an integer of 64 bits or a condition, of which only the tree is known."""

    shape, ndim = (), 0

    def __init__(self, node: Node, tables: Tables) -> None:
        self.node, self.tables = node, tables

    @property
    def dtype(self) -> np.dtype[Any]:
        return _DTYPES[self.node.type]

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, **kwargs: Any) -> Any:
        if method != "__call__" or kwargs:
            return NotImplemented
        return self.applied(_UFUNCS[ufunc.__name__], *args)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return self.applied(_FUNCTIONS[function.__name__], *args)

    def applied(self, function: Callable[..., Any], *args: Any) -> Any:
        type = max((_type(arg) for arg in args), key=_RANKS.index)
        found = function(*(arg.node if isinstance(arg, Symbol) else arg for arg in args), type=type)
        if isinstance(found, tuple):
            return tuple(Symbol(node, self.tables) for node in found)
        return Symbol(found, self.tables) if isinstance(found, Node) else found

    def view(self, dtype: Any) -> Symbol:
        change = from_bits if np.dtype(dtype) == np.float64 else bits
        return Symbol(change(self.node), self.tables)

    def astype(self, dtype: Any) -> Symbol:
        type = {of: name for name, of in _DTYPES.items()}[np.dtype(dtype)]
        return Symbol(_as(type, self.node), self.tables)

    def fused(self, other: Any, more: Any) -> Symbol:
        """self·other + more, rounded once."""
        numbers = (one.node if isinstance(one, Symbol) else one for one in (other, more))
        return Symbol(fma(self.node, *(_as("f64", one) for one in numbers)), self.tables)

    def taken_from(self, table: NDArray[np.float64]) -> Symbol:
        start = self.tables.start(table)
        return Symbol(make("gather", "f64", self.node + start), self.tables)


_RANKS = ("i1", "i64", "f64")


def _type(value: Any) -> str:
    if isinstance(value, Symbol):
        return value.node.type
    kind = np.asarray(value).dtype.kind
    return "i1" if kind == "b" else "f64" if kind == "f" else "i64"


def _as(type: str, value: Any) -> Node:
    """A node of a type."""
    if not isinstance(value, Node):
        return const(type, np.asarray(value).item())
    if value.type == type:
        return value
    if type == "f64":
        one = const("f64", 1.0)
        return select(value, one, 0.0) if value.type == "i1" else make("from_int", "f64", value)
    if type == "i1":
        return unequal(value, 0)
    return make("zext" if value.type == "i1" else "to_int", "i64", value)


def _alike(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of nodes of one type."""
    return lambda *args, type: function(*(_as(type, arg) for arg in args))


def _of_floats(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, type: function(*(_as("f64", arg) for arg in args))


def _of_conditions(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, type: function(*(_as("i1", arg) for arg in args))


def _number(type: str) -> str:
    return "i64" if type == "i1" else type  # conditions add up as integers


def _arithmetic(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, type: function(*(_as(_number(type), arg) for arg in args))


def _shift_right(x: Node, places: Any, type: str) -> Node:
    """Of a number with a sign, towards the smaller."""
    count = int(places)
    return ((_as("i64", x) + _HALF) >> count) - (_HALF >> count)


def _is_finite(x: Node) -> Node:
    return abs(x) < float("inf")


def _is_negative(x: Node) -> Node:
    return bits(x) < 0


def _copy_sign(size: Node, x: Node) -> Node:
    return from_bits(bits(abs(size)) | (bits(x) & _SIGN))


def _frexp(x: Node) -> tuple[Node, Node]:
    """A fraction from 1/2 to 1 and an exponent; a zero, an infinity and NaN stay, with 0."""
    tiny = abs(x) < 2.0**-1022
    lifted = bits(select(tiny, x * 2.0**54, x))
    exponent = ((lifted >> 52) & 0x7FF) - 1022 - select(tiny, const("i64", 54), 0)
    fraction = from_bits((lifted & ~(0x7FF << 52)) | (1022 << 52))
    plain = equal(x, 0.0) | ~_is_finite(x)
    return select(plain, x, fraction), select(plain, const("i64", 0), exponent)


def _ldexp(x: Any, exponent: Any, type: str) -> Any:
    """x·2^exponent in three steps, of exponents up to 3000; what becomes subnormal on the way may
    be rounded once more."""
    if not isinstance(x, Node) and not x:
        return np.float64(x)
    x, left = _as("f64", x), _as("i64", exponent)
    for steps in (3, 2, 1):
        part = _limited(left if steps == 1 else _third(left, steps))
        x, left = x * from_bits((part + 1023) << 52), left - part
    return x


def _third(exponent: Node, steps: int) -> Node:
    return make("div", "i64", exponent, steps)


def _limited(exponent: Node) -> Node:
    exponent = select(exponent < -1022, const("i64", -1022), exponent)
    return select(exponent > 1023, const("i64", 1023), exponent)


def _fmod(x: Node, modulus: Any, type: str) -> Node:
    """Of a power of two, for which every step is exact."""
    number = float(modulus)
    assert np.frexp(number)[0] == 0.5
    return _copy_sign(x - integers.trunc(x * (1 / number)) * number, x)


def _sign(x: Node) -> Node:
    one = const("f64", 1.0)
    return select(x > 0.0, one, select(x < 0.0, -one, x))


def _where(condition: Any, yes: Any, no: Any, type: str) -> Any:
    if not isinstance(condition, Node):
        return yes if condition else no
    types = [one.type if isinstance(one, Node) else _type(one) for one in (yes, no)]
    type = max(types, key=_RANKS.index)
    chosen, other = _as(type, yes), _as(type, no)
    if type == "i1":
        return (condition & chosen) | (~condition & other)
    return select(condition, chosen, other)


def _larger(x: Node, y: Node) -> Node:
    return select(x < y, y, x)


def _smaller(x: Node, y: Node) -> Node:
    return select(y < x, y, x)


_UFUNCS: dict[str, Callable[..., Any]] = {
    "add": _arithmetic(lambda x, y: x + y),
    "subtract": _arithmetic(lambda x, y: x - y),
    "multiply": _arithmetic(lambda x, y: x * y),
    "divide": _of_floats(lambda x, y: x / y),
    "negative": _arithmetic(lambda x: -x),
    "absolute": _alike(abs),
    "less": _arithmetic(lambda x, y: x < y),
    "less_equal": _arithmetic(lambda x, y: make("le", "i1", x, y)),
    "greater": _arithmetic(lambda x, y: x > y),
    "greater_equal": _arithmetic(lambda x, y: x >= y),
    "equal": _arithmetic(equal),
    "not_equal": _arithmetic(unequal),
    "bitwise_and": _alike(lambda x, y: x & y),
    "bitwise_or": _alike(lambda x, y: x | y),
    "bitwise_xor": _alike(lambda x, y: x ^ y),
    "invert": _alike(lambda x: ~x if x.type == "i1" else x ^ -1),
    "logical_and": _of_conditions(lambda x, y: x & y),
    "logical_or": _of_conditions(lambda x, y: x | y),
    "logical_xor": _of_conditions(lambda x, y: x ^ y),
    "logical_not": _of_conditions(lambda x: ~x),
    "left_shift": lambda x, y, type: _as("i64", x) << int(y),
    "right_shift": _shift_right,
    "isfinite": _of_floats(_is_finite),
    "isnan": _of_floats(is_nan),
    "isinf": _of_floats(lambda x: equal(abs(x), float("inf"))),
    "signbit": _of_floats(_is_negative),
    "copysign": _of_floats(_copy_sign),
    "sign": _of_floats(_sign),
    "sqrt": _of_floats(square_root),
    "rint": _of_floats(integers.rounded),
    "floor": _of_floats(integers.floor),
    "ceil": _of_floats(integers.ceil),
    "trunc": _of_floats(integers.trunc),
    "fmod": _fmod,
    "frexp": _of_floats(_frexp),
    "ldexp": _ldexp,
    "maximum": _arithmetic(_larger),
    "minimum": _arithmetic(_smaller),
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "where": _where,
    "clip": _arithmetic(lambda x, low, high: _smaller(_larger(x, low), high)),
    "zeros_like": lambda x, type: np.float64(0.0),
    "ones_like": lambda x, type: np.float64(1.0),
    "broadcast_to": lambda x, shape, type: x,
    # what may be so for some elements is so, and what should be for all is not
    "any": lambda x, type: True,
    "all": lambda x, type: False,
}
