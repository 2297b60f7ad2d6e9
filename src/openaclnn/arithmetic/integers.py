"""Integers: rounding of floats, division with remainder, and bit operations.

Nothing here ever traps: an integer divided by 0 is 0, and what does not fit wraps.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

from openaclnn.arithmetic.compute_types import F64
from openaclnn.arithmetic.nodes import (
    FLOATS,
    Node,
    bits,
    const,
    equal,
    fma,
    from_bits,
    make,
    maximum,
    quotient,
    repeat,
    select,
    unequal,
)
from openaclnn.arithmetic.scaling import power_of_two

_WHOLE = {"f32": 2.0**23, "f64": 2.0**52}  # from here on there are no fractions


def rounded(x: Node) -> Node:
    """The nearest integer, of two the even one."""
    return x if _is_integer(x) else _if_small(x, _nearest(abs(x)))


def trunc(x: Node) -> Node:
    if _is_integer(x):
        return x
    near = _nearest(abs(x))
    return _if_small(x, select(near > abs(x), near - 1.0, near))


def floor(x: Node) -> Node:
    if _is_integer(x):
        return x
    near = rounded(x)
    return select(near > x, near - 1.0, near)


def ceil(x: Node) -> Node:
    if _is_integer(x):
        return x
    near = rounded(x)
    return _with_sign(select(near < x, near + 1.0, near), x)  # -0 of what is above -1


def _is_integer(x: Node) -> bool:
    return x.type not in FLOATS


def _nearest(size: Node) -> Node:
    """The integer nearest to one that is not negative and not large."""
    return (size + _WHOLE[size.type]) - _WHOLE[size.type]


def _if_small(x: Node, size: Node) -> Node:
    """This size with the sign of x; a large x, and NaN, as it is."""
    return select(abs(x) < _WHOLE[x.type], _with_sign(size, x), x)


def _with_sign(size: Node, x: Node) -> Node:
    """The magnitude of one number with the sign of another."""
    sign = -1 << (int(x.type[1:]) - 1)
    return from_bits(bits(abs(size)) | (bits(x) & sign))


@cache  # kernels ask for the same nodes many times, and every answer takes a dozen nodes to make
def instruction(node: Node) -> tuple[str, Node] | None:
    """What most processors do in one instruction, if that is what a node does: "rint", "trunc",
    "floor" or "ceil" (in C's words), and of what."""
    if node.type not in FLOATS:
        return None
    if node.op == "select":
        x = node.args[2]
        if node is rounded(x):
            return "rint", x
        if node is trunc(x):
            return "trunc", x
        if x.op == "select" and node is floor(x.args[2]):
            return "floor", x.args[2]
    if node.op == "float" and node.args[0].op == "or":
        signed = node.args[0].args[1]
        if signed.op == "and" and signed.args[0].op == "bits":
            x = signed.args[0].args[0]
            return ("ceil", x) if node is ceil(x) else None
    return None


def trunc_div(a: Node, b: Node) -> Node:
    if _is_integer(a):
        divisor = select(equal(b, 0) | equal(b, -1), const(b.type, 1), b)
        found = select(equal(b, -1), -a, make("div", a.type, a, divisor))
        return select(equal(b, 0), const(a.type, 0), found)
    quotient = a / b
    size = abs(trunc(quotient))
    # the quotient may have been rounded up to an integer: then less than nothing is left
    return _with_sign(select(fma(-size, abs(b), abs(a)) < 0.0, size - 1.0, size), quotient)


def floor_div(a: Node, b: Node) -> Node:
    if _is_integer(a):
        quotient = trunc_div(a, b)
        down = _apart(a - quotient * b, b) & unequal(b, 0)
        return quotient - make("zext", a.type, down)
    quotient = a / b
    found = floor(quotient)
    found = select(_apart(fma(-found, b, a), b), found - 1.0, found)
    # as PyTorch: an infinite divisor goes 0 or -1 times, an infinite dividend leaves no number
    found = select(_infinite(b) & _apart(a, b), const(a.type, -1.0), found)
    return select(_infinite(a) & unequal(b, 0.0), const(a.type, math.nan), found)


def _infinite(x: Node) -> Node:
    return equal(abs(x), math.inf)


def _apart(rest: Node, b: Node) -> Node:
    """Whether a number is neither 0 nor on another's side of it."""
    return ((rest < 0) & (b > 0)) | ((rest > 0) & (b < 0))


def far_apart(a: Node, b: Node, double: bool = False) -> Node:
    """Whether more than one step leads to what is left of a."""
    if a.type == "f32":  # the nearest multiple is found but for one
        extreme = (abs(b) < 2.0**-60) | (abs(b) > 2.0**60)
        return ~(abs(a) < abs(b) * 2.0**20) | extreme
    if not double:
        return ~(abs(a) < abs(b) * 2.0**27) | _infinite(b)
    extreme = (abs(b) < 2.0**-900) | (abs(b) > 2.0**900)
    return ~(abs(a) * 2.0**-_STEP < abs(b)) | extreme


def fmod(a: Node, b: Node, near: bool = False, double: bool = False) -> Node:
    """What is left of a: integers, float64 that hold numbers of float32 or shorter, or where it is
    `double` any. `near`: they are not `far_apart`, and may be float32.

    Multiples of b·2^s are taken away for one s after the other, each time 28 bits of the quotient;
    every step is exact. The nearest multiple may be too large by one, which shows at the end.
    """
    if _is_integer(a):
        return a - trunc_div(a, b) * b
    size, divisor = abs(a), abs(b)
    if double and not near:
        return _with_sign(_left_of_any(size, divisor), a)
    inverse, rest = quotient(const(a.type, 1.0), divisor), size
    for places in () if near else range(261, 0, -29):  # 2²⁷⁷ is the largest quotient
        rest = _left(rest, rest * (inverse * 2.0**-places), divisor * 2.0**places)
    rest = _left(rest, rest * inverse, divisor)
    rest = select(rest < 0.0, rest + divisor, rest)
    if near:
        return _with_sign(rest, a)
    return _with_sign(select(_infinite(divisor), select(size < math.inf, size, math.nan), rest), a)


def _left(rest: Node, times: Node, divisor: Node) -> Node:
    """What the nearest multiple of a divisor leaves, below 0 or above."""
    magic = 1.5 * _WHOLE[rest.type]
    return fma(-((times + magic) - magic), divisor, rest)


_STEP = 48  # bits of a quotient that one step takes away
_STEPS = 2098 // _STEP + 1  # 2²⁰⁹⁸ is the largest quotient of float64


def _left_of_any(size: Node, divisor: Node) -> Node:
    """Of two float64 that are not negative: by their significands, and as many steps as their
    exponents are apart."""
    (high, rest), (low, by) = _significand(size), _significand(divisor)
    apart = high - low
    steps = trunc(apart * (1 / _STEP))
    inverse = 1.0 / by
    rest = rest * power_of_two(F64, maximum(0.0, fma(steps, -float(_STEP), apart)) + _MAGIC)
    rest = _left(rest, rest * inverse, by)
    rest = repeat(_STEPS, _one_step_less, rest, steps, by, inverse)
    rest = select(rest < 0.0, rest + by, rest)
    half = trunc(low * 0.5)  # 2^low may be no number of its own
    found = rest * power_of_two(F64, half + _MAGIC) * power_of_two(F64, (low - half) + _MAGIC)
    found = select(size < divisor, size, found)
    return select((size < math.inf) & (divisor > 0.0), found, const("f64", math.nan))


def _one_step_less(rest: Node, steps: Node, by: Node, inverse: Node) -> tuple[Node, ...]:
    raised = rest * 2.0**_STEP
    return select(steps > 0.0, _left(raised, raised * inverse, by), rest), steps - 1.0


def _significand(x: Node) -> tuple[Node, Node]:
    """The exponent of a float64, and it without that: between 1 and 2."""
    small = x < 2.0**-900
    pattern = bits(select(small, x * 2.0**200, x))
    exponent = from_bits((pattern >> 52) + bits(const("f64", _MAGIC))) - (_MAGIC + F64.bias)
    significand = from_bits((pattern & ((1 << 52) - 1)) | bits(const("f64", 1.0)))
    return exponent - select(small, const("f64", 200.0), 0.0), significand


_MAGIC = 1.5 * 2.0**52  # added and subtracted, leaves the nearest integer


def remainder(a: Node, b: Node, near: bool = False, double: bool = False) -> Node:
    if _is_integer(a):
        return a - floor_div(a, b) * b
    rest = fmod(a, b, near, double)
    other_side = ((bits(rest) ^ bits(b)) < 0) & unequal(rest, 0.0)
    return select(other_side, rest + b, rest)


def gcd(a: Node, b: Node) -> Node:
    """The largest divisor of both, by differences of odd numbers: their sum is halved in each step,
    so there are as many steps as an integer has bits. That of INT_MIN and 0 wraps."""
    compute_type = max(int((x.args[0] if x.op in ("sext", "zext") else x).type[1:]) for x in (a, b))
    a, b = abs(a), abs(b)
    found = repeat(compute_type - 1, _smaller, _odd(b), _odd(a)) * _lowest_bit(a | b)
    return select(equal(a, 0), b, select(equal(b, 0), a, found))


def _smaller(y: Node, x: Node) -> tuple[Node, ...]:
    """The smaller of two odd numbers, and what their difference leaves of the other."""
    apart = x - y
    less = apart < 0
    y = select(less, x, y)
    return y, select(equal(apart, 0), y, _odd(select(less, -apart, apart)))


def _lowest_bit(x: Node) -> Node:
    return x & -x


def _odd(x: Node) -> Node:
    """An integer without its factors of 2, by the exponent of the last of its bits."""
    exponent = bits(make("from_unsigned", "f32", _lowest_bit(x))) >> 23
    places = (exponent + 1) & (int(x.type[1:]) - 1)  # less 127, but for multiples; of 0 any
    return make("shr", x.type, x, make("zext", "i64", places) if x.type == "i64" else places)


def shift_left(x: Node, places: Node) -> Node:
    inside = _within(places)
    moved = make("shl", x.type, x, select(inside, places, const(x.type, 0)))
    return select(inside, moved, const(x.type, 0))


def shift_right(x: Node, places: Node) -> Node:
    highest = const(x.type, int(x.type[1:]) - 1)
    turned = select(x < 0, x ^ -1, x)  # a shift brings zeros
    moved = make("shr", x.type, turned, select(_within(places), places, highest))
    return select(x < 0, moved ^ -1, moved)


def _within(places: Node) -> Node:
    return (places >= 0) & (places < int(places.type[1:]))


def signbit(x: Node) -> Node:
    return x < 0 if _is_integer(x) else bits(x) < 0


OPERATIONS: dict[str, Callable[..., Node]] = {
    "floor": floor,
    "ceil": ceil,
    "trunc": trunc,
    "round": rounded,
    "trunc_div": trunc_div,
    "floor_div": floor_div,
    "fmod": fmod,
    "remainder": remainder,
    "gcd": gcd,
    "bit_and": lambda a, b: a & b,
    "bit_or": lambda a, b: a | b,
    "bit_xor": lambda a, b: a ^ b,
    "shift_left": shift_left,
    "shift_right": shift_right,
    "signbit": signbit,
}
