"""Reductions that do not depend on order: how terms are accumulated, partial results merged, and
the total rounded, the same on every engine.

Sums of floats are exact. A term is an integer multiple of 2^lowest, so a sum is one, too; it is
kept as digits of 32 bits, each in a word of 64 that takes 2³¹ additions before a carry is due. What
engines do on the way there is theirs: the number does not depend on it. At the end it is rounded
once, to odd: a float64 whose last bit tells whether something was cut off, so that rounding it once
more to a dtype of fewer bits is right. Beside digits there is one number for what is not finite.

A sum that goes on elsewhere is left as integers, its `digits`, which add up with those of other
sums: how many NaN, how many infinities of either sign, digits from the lowest to the highest, which
has all that is above it. Each counts for one of `weights`.

Powers, of which none is above 1 and one is 1 (softmax's), are added up as multiples of 2⁻⁴⁷: up to
2¹⁵ of them are an integer of 64 bits, off by 2⁻³³ of it at most.

The largest number is found among integers that are ordered as the numbers are: -0 below 0, NaN
above all.

>>> sum_of = folding_of("add", FLOAT, DOUBLE, "f32")
>>> sum_of.lowest, sum_of.digits, sum_of.words
(-149, 12, 15)
>>> digits_left("f32"), weights("f32")[3:5]
(13, (1.401298464324817e-45, 6.018531076210112e-36))
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from math import inf, nan

from openaclnn.arithmetic import conversion, rounding
from openaclnn.arithmetic.lower import Body
from openaclnn.arithmetic.nodes import (
    FLOATS,
    Node,
    bits,
    const,
    from_bits,
    is_nan,
    make,
    pattern,
    select,
)
from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT, FLOAT16, DType
from openaclnn.base.records import dataclass

DIGIT = 32  # bits
SPECIAL = 3  # integers before the digits: how many NaN, inf, -inf
_TERMS = 40  # a fold has fewer than two to the power of this

# The lowest bit of a term, how many bits it has, and what it is below: as powers of two
_TERM_OF = {FLOAT16: (-24, 11, 16), BF16: (-133, 8, 128), FLOAT: (-149, 24, 128)}
_FLOAT64 = (-1074, 53, 1024)

MOST_POWERS = 1 << 15
_POWERS_UNIT = 2.0**-47
ROUNDER = 1.5 * 2.0**52 * _POWERS_UNIT  # its sum with a power ends with the nearest multiple


@dataclass(frozen=True)
class Folding:
    """One way to fold: terms of a type to a value of a type."""

    kind: str  # add, mean, max, powers or digits
    term: str  # the type of a term as the body stores it: f32, f64, i32 or i64
    value: str  # the type of what `finish` gets
    lowest: int = 0  # of sums of floats: the unit is two to the power of this
    bits: int = 0  # of a term
    highest: int = 0  # terms are below two to the power of this
    nearest: bool = False  # whether the sum is a result of 53 bits itself, not to be rounded again

    @property
    def sums_floats(self) -> bool:
        return self.term in FLOATS and self.kind != "powers"

    @property
    def halves(self) -> bool:
        """Whether terms are numbers of 16 bits as they come."""
        return self.bits in (_TERM_OF[FLOAT16][1], _TERM_OF[BF16][1])

    @property
    def digits(self) -> int:
        """How many there are; what is added to one reaches two digits further."""
        return (self.highest - self.lowest + _TERMS) // DIGIT + 3 if self.sums_floats else 0

    @property
    def left(self) -> int:
        """How many digits of a sum go on, the last with all above it: beyond what a float64 has
        there is none, and a last one of more than 53 bits is one of a sum that is infinite."""
        bits = min(self.highest + _TERMS, _FLOAT64[2]) - self.lowest
        return bits // DIGIT + 1

    @property
    def words(self) -> int:
        """What a part of a fold leaves, in words of 64 bits: a flag, what is pending, what is not
        finite, digits; or the value."""
        return self.digits + 3 if self.sums_floats else 1


def folding_of(kind: str, term: DType, promoted: DType, compute: str) -> Folding:
    """How terms computed in a type are folded. `term` is their dtype where they are numbers of an
    input as they come, else the compute type's; `promoted` is the result's."""
    if compute not in FLOATS:
        return Folding(kind, "i64", "i64")
    if kind == "powers":
        return Folding(kind, compute, "i64")
    if kind == "max":
        return Folding(kind, FLOATS[compute], FLOATS[compute])
    if kind == "digits":  # the same for all that is computed in a type
        term = FLOAT
    lowest, bits, highest = _FLOAT64 if compute == "f64" else _TERM_OF.get(term, _TERM_OF[FLOAT])
    return Folding(kind, compute, "f64", lowest, bits, highest, nearest=promoted is DOUBLE)


def digits_left(compute: str) -> int:
    """How many integers the digits of a sum are."""
    return SPECIAL + folding_of("digits", FLOAT, FLOAT, compute).left


def weights(compute: str) -> tuple[float, ...]:
    """What each of the integers counts for, where it is not 0."""
    how = folding_of("digits", FLOAT, FLOAT, compute)
    return nan, inf, -inf, *(2.0 ** (how.lowest + DIGIT * k) for k in range(how.left))


@lru_cache(maxsize=1024)
def terms(body: Body, kind: str, compute: str) -> Body:
    """The body of what is folded, from one that stores it: numbers, whatever NaN they are, or for
    the largest integers in their place."""
    if compute not in FLOATS:
        return body
    term = _ordered if kind == "max" else _number
    unguarded = body.unguarded and tuple(map(term, body.unguarded))
    return replace(body, results=tuple(map(term, body.results)), unguarded=unguarded)


def _number(stored: Node) -> Node:
    """The number whose bits are stored, a NaN as one certain NaN."""
    if stored.op == "bits":
        return stored.args[0]
    if stored.op == "select":
        test, yes, no = stored.args
        number = _number(no)
        return number if test is is_nan(number) else select(test, _number(yes), number)
    return stored if stored.type in FLOATS else from_bits(stored)


def in_units(power: Node) -> Node:
    """How many units a power has: an integer."""
    wide = make("widen", "f64", power) if power.type == "f32" else power
    return bits(wide + ROUNDER) - pattern("f64", ROUNDER)


def _ordered(stored: Node) -> Node:
    x = _number(stored)
    whole = bits(x)
    highest = (1 << (int(whole.type[1:]) - 1)) - 1
    turned = select(whole < 0, whole ^ highest, whole)
    return select(is_nan(x), const(whole.type, highest), turned)


@lru_cache(maxsize=1024)
def finishing(how: Folding, promoted: DType, out: DType) -> Body:
    """The body that stores a fold's value as an element of an output."""
    if how.kind == "digits":  # which are stored as they are
        return Body(("i64",), (), (make("load", "i64", value=0),), (False,))
    value = make("load", how.value, value=0)
    if how.kind == "max" and how.value == how.term and promoted.kind == "float":
        highest = (1 << (int(value.type[1:]) - 1)) - 1
        value = from_bits(select(value < 0, value ^ highest, value))
    if how.kind == "powers":
        value = make("from_int", "f64", value) * _POWERS_UNIT
    target = rounding.part_of(out)
    if how.value == "f64" and promoted.kind == target.kind == "float":  # one rounding, no other
        if target is not promoted:
            value = rounding.rounded(value, promoted)
        result = rounding.stored(value, target)
    else:
        result = conversion.write(value, promoted, out)
    return Body((how.value,), (), (result,), (target is not out,))
