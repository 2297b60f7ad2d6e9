"""The meaning of trees of basic operations: a small interpreter in NumPy, exact by IEEE 754.

Integers are unsigned here; what is signed about them says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from openaclnn.arithmetic.nodes import FLOATS, Node, in_order, steps_of

Array = np.ndarray[Any, Any]
TYPES = {
    "f32": np.float32, "f64": np.float64, "i1": np.bool_, "i8": np.uint8, "i16": np.uint16,
    "i32": np.uint32, "i64": np.uint64,
}  # fmt: skip


def evaluate(root: Node, *loads: Array, uniforms: Sequence[float] = ()) -> Array:
    """What a tree gives for these operands, operation by operation."""
    values: dict[Node, Any] = {}
    with np.errstate(all="ignore"):
        for node in in_order(root):
            args = [values[arg] for arg in node.args]
            kind = TYPES[node.type]
            if node.op == "load":
                value = loads[int(node.value)]
            elif node.op == "uniform":
                number = uniforms[int(node.value)]
                value = kind(number if node.type in FLOATS else int(number) % 2**64)
            elif node.op == "const":
                integer = node.type not in FLOATS
                number = int(node.value) % 2 ** int(node.type[1:]) if integer else node.value
                value = kind(number)
            elif node.op in ("bits", "float"):
                value = np.asarray(args[0]).view(kind)
            elif node.op in ("widen", "narrow", "zext", "trunc", "from_unsigned"):
                value = np.asarray(args[0]).astype(kind)
            elif node.op in ("sext", "from_int", "to_int"):
                value = _signed(args[0]).astype(_SIGNED.get(node.type, kind)).view(kind)
            elif node.op == "repeat":
                value = _repeated(node, args)
            elif node.op in ("lt", "le") or (node.op == "div" and node.type not in FLOATS):
                value = _OPERATIONS[node.op](*map(_signed, args)).astype(kind)
            else:
                value = _OPERATIONS[node.op](*args)
            values[node] = value
    return np.asarray(values[root])


def _repeated(node: Node, given: list[Any]) -> Array:
    steps = steps_of(node)
    for _ in range(steps.times):
        given[: len(steps.results)] = [evaluate(result, *given) for result in steps.results]
    return given[0]  # type: ignore[no-any-return]


def fma(a: Array, b: Array, c: Array) -> Array:
    """a·b + c rounded once."""
    a, b, c = np.broadcast_arrays(a, b, c)
    return fma32(a, b, c) if a.dtype == np.float32 else fma64(a, b, c)


def fma32(a: Array, b: Array, c: Array) -> Array:
    """The product is exact in float64; the sum is rounded to odd there."""
    return _odd_sum(a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)).astype(
        np.float32
    )


def fma64(a: Array, b: Array, c: Array) -> Array:
    """From exact sums and products of parts, the last but one rounded to odd (Boldo, Melquiond)."""
    product = a * b
    sizes = np.abs([a, b, product, c])
    usual = np.all(((sizes > 2.0**-450) & (sizes < 2.0**900)) | (sizes == 0), axis=0)
    usual &= (product != 0) | (a == 0) | (b == 0)
    low = _product_error(a, b, product)
    sum_high, sum_low = _two_sum(c, low)
    high, rest = _two_sum(product, sum_high)
    result = np.where(usual, high + _odd_sum(sum_low, rest), product + c)
    exact = ~usual & np.isfinite(a) & np.isfinite(b) & np.isfinite(c)
    for place in np.argwhere(exact):
        x, y, z = (float(v[tuple(place)]) for v in (a, b, c))
        total = Fraction(x) * Fraction(y) + Fraction(z)
        result[tuple(place)] = nearest(total, 53, -1022) if total else x * y + z
    return np.asarray(result)


def nearest(value: Fraction, precision: int, lowest: int) -> float:
    """The float of so many bits nearest to a rational, ties to even; no overflow but float64's."""
    if value == 0:
        return 0.0
    magnitude = abs(value)
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    ulp = Fraction(2) ** (max(exponent, lowest) - precision + 1)
    try:
        return float(round(value / ulp) * ulp)  # Python rounds ties to even
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    total = a + b
    back = total - a
    return total, (a - (total - back)) + (b - back)


def _product_error(a: Array, b: Array, product: Array) -> Array:
    parts = []
    for x in (a, b):
        shifted = x * 134217729.0
        high = shifted - (shifted - x)
        parts.append((high, x - high))
    (ah, al), (bh, bl) = parts
    return al * bl - (((product - ah * bh) - al * bh) - ah * bl)


def _odd_sum(a: Array, b: Array) -> Array:
    """a + b where it is exact, else the neighbour whose last bit is odd."""
    total, error = _two_sum(a, b)
    pattern = np.asarray(total).view(np.int64)
    outward = (error > 0) == (total > 0)
    inexact = (error != 0) & np.isfinite(error)
    step = np.where(inexact & (pattern & 1 == 0), np.where(outward, 1, -1), 0)
    return np.asarray((pattern + step).view(np.float64))


_SIGNED = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}


def _signed(x: Array) -> Array:
    x = np.asarray(x)
    return x.view(x.dtype.str.replace("u", "i")) if x.dtype.kind == "u" else x


def _from_f16(x: Array) -> Array:
    return np.asarray(x).view(np.float16).astype(np.float32)


def _to_f16(x: Array) -> Array:
    return np.asarray(x).astype(np.float16).view(np.uint16)


def _divide(a: Array, b: Array) -> Array:
    """Of integers towards 0."""
    return a / b if a.dtype.kind == "f" else (a - np.fmod(a, b)) // b


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": _divide,
    "quotient": np.divide, "root": np.sqrt, "fma": fma, "neg": np.negative, "abs": np.abs,
    "sqrt": np.sqrt, "lt": np.less,
    "le": np.less_equal, "eq": np.equal, "ne": np.not_equal, "select": np.where,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor, "not": np.logical_not,
    "shl": np.left_shift, "shr": np.right_shift,
    "from_f16": _from_f16, "to_f16": _to_f16,
}  # fmt: skip
