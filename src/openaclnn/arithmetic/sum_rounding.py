"""Rounding an exact sum (what a Kulisch accumulator holds) once, and dividing it by a count: the
trees of basic operations that every engine prints. `folding` says what such a sum is.

A sum that is rounded again later is rounded to odd: a float64 whose last bit tells whether
something was cut off. A result of 53 bits is rounded to nearest, ties to even. Either leaves a
remainder, which a mean is corrected by.
"""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from openaclnn.arithmetic.folding import Folding
from openaclnn.arithmetic.nodes import (
    Node,
    bits,
    const,
    equal,
    fma,
    from_bits,
    make,
    select,
    unequal,
)

_FAR = 960  # exponents from which on a quotient may be a number where the sum is none


class RoundedSum(NamedTuple):
    """A float64, what it lacks, and the power of two by which both have to be multiplied yet."""

    value: Node
    remainder: Node
    shift: Node


def rounded(
    how: Folding, upper: Node, lower: Node, below: Node, exponent: Node, negative: Node
) -> RoundedSum:
    """A magnitude's leading 128 bits, of which the first is set, as two words; `below`: whether
    there are more; `exponent`: of the last of the leading 53 bits."""
    cut, under = upper >> 11, upper & 2047
    more = below | unequal(lower, 0)
    if how.nearest:
        tie_up = equal(under, 1024) & (more | unequal(cut & 1, 0))
        mantissa = cut + _integer((under > 1024) | tie_up)
    else:
        mantissa = cut | _integer(more | unequal(under, 0))
    rest = ((upper - (mantissa << 11)) << 51) | (lower >> 13)
    shift = const("i64", 0)
    if how.nearest and how.kind == "mean":
        shift = select(exponent > _FAR, const("i64", 64), 0)
    exponent = exponent - shift
    value, remainder = (make("from_int", "f64", each) for each in (mantissa, rest))
    return RoundedSum(
        scaled(select(negative, -value, value), exponent),
        scaled(select(negative, -remainder, remainder), exponent - 62),
        shift,
    )


def _integer(condition: Node) -> Node:
    return select(condition, const("i64", 1), 0)


def rounded_pair(how: Folding, value: Node, rest: Node) -> tuple[Node, Node]:
    """The same of two float64, the first of which is the one nearest to their sum: of the float64
    on both sides the odd one, and what it lacks."""
    if how.nearest:
        return value, rest
    pattern = bits(value)
    away = select((pattern ^ bits(rest)) < 0, const("i64", -1), 1)
    moves = equal(pattern & 1, 0) & unequal(rest, 0.0)
    odd = from_bits(select(moves, pattern + away, pattern))
    return odd, rest - (odd - value)


def scaled(x: Node, exponent: Node) -> Node:
    """x·2^exponent, in two steps that float64 has the powers for."""
    low = select(exponent < -2000, const("i64", -2000), exponent)
    near = select(low > 2000, const("i64", 2000), low)
    first = ((near + 2048) >> 1) - 1024  # half of it, rounded down: shifts bring in zeros
    powers = (from_bits((part + 1023) << 52) for part in (first, near - first))
    return x * next(powers) * next(powers)


def quotient(total: Node, remainder: Node, count: Node) -> tuple[Node, Node]:
    """(total + remainder) / count as a quotient, and corrected by what division left over."""
    found = total / count
    left = fma(-found, count, total)
    return found, found + (left + remainder) / count


def mean(total: RoundedSum, count: Node) -> Node:
    """A sum divided by a count; what is not finite stays."""
    found, better = quotient(total.value, total.remainder, count)
    return select(abs(found) < inf, scaled(better, total.shift), found)
