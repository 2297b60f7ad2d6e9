"""Inclusive scans (cumulative sums, products, extremes) as trees of basic operations.

A scan carries states; each element is one more `step`. Prefix sums of floats are exact: a pair of
float64 has the sum, as long as nothing is rounded off; where something is, the sum is kept as
digits of 32 bits, as sums of folds are (arithmetic/folding.py). A prefix is rounded once, so it
does not depend on which of the two it came from, nor on the order of additions.
"""

from __future__ import annotations

from functools import lru_cache

from openaclnn.arithmetic import conversion, rounding
from openaclnn.arithmetic.nodes import (
    Node,
    bits,
    const,
    equal,
    from_bits,
    make,
    select,
    unequal,
)
from openaclnn.arithmetic.pairs import two_sum
from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT, FLOAT16, DType
from openaclnn.base.records import dataclass

_DIGIT = 32
_MASK = (1 << _DIGIT) - 1
# the lowest bit of a number, and what it is below, as powers of two
_RANGE = {FLOAT16: (-24, 16), BF16: (-133, 128), FLOAT: (-149, 128)}
_COUNTED = 41  # bits for the number of elements, and a sign


@dataclass(frozen=True)
class Scanning:
    """States as they start; `step` makes them anew from states and the element that is read, which
    is loaded after them; `result` is what is stored, of states alone. `certain`: whether what was
    stored is right; where it is not, another scan says what is."""

    starts: tuple[Node, ...]
    step: tuple[Node, ...]
    result: Node
    added: tuple[Node, ...] = ()  # what an element adds to each state, where that is all it does
    certain: Node | None = None
    otherwise: Scanning | None = None

    @property
    def loads(self) -> tuple[Node, ...]:
        """The states as trees load them."""
        return tuple(make("load", s.type, value=k) for k, s in enumerate(self.starts))


@lru_cache(maxsize=256)
def scanning(kind: str, given: DType, out: DType) -> Scanning:
    """The scan of elements of a dtype to those of another, which they are converted to first."""
    if kind == "mul":
        return _product(given, out)
    if out.kind != "float":
        return _of_integers(given, out)
    if out is DOUBLE:
        return _of_pairs(given, out)
    return _in_pairs(given, out)


def _element(given: DType, out: DType, place: int) -> Node:
    """The element that is loaded, as a value of the dtype that is computed in, in its carrier."""
    value = conversion.read_as_is(place, given)
    return conversion.converted(value, given, out)


def _of_integers(given: DType, out: DType) -> Scanning:
    total = make("load", "i64", value=0)
    x = _element(given, out, 1)
    if x.type == "i1":
        x = select(x, const("i64", 1), const("i64", 0))
    x = conversion.resized(x, "i64")
    type = conversion.stored_as(out)
    result = conversion.resized(total, type)
    return Scanning((const("i64", 0),), (total + x,), result, added=(x,))


def _product(given: DType, out: DType) -> Scanning:
    """A product of FLOAT and less as a fraction from 1 to 2 and an exponent, so that what leaves
    float64's range may come back; what is 0 or not finite goes as it is."""
    if out.kind != "float":
        total, x = make("load", "i64", value=0), _element(given, out, 1)
        x = select(x, const("i64", 1), const("i64", 0)) if x.type == "i1" else x
        result = conversion.resized(total, conversion.stored_as(out))
        return Scanning((const("i64", 1),), (total * conversion.resized(x, "i64"),), result)
    one = const("f64", 1.0)
    if out is DOUBLE:
        (total,) = _states("f64")
        return Scanning((one,), (total * _wide(_element(given, out, 1)),), _stored(total, out))
    fraction, exponent = _states("f64", "i64")
    product = fraction * _wide(_element(given, out, 2))
    whole = bits(product)
    grown = (whole >> 52) & 0x7FF
    usual = unequal(grown, 0) & unequal(grown, 0x7FF)
    scaled = from_bits((whole & ~(0x7FF << 52)) | (1023 << 52))
    step = (
        select(usual, scaled, product),
        exponent + select(usual, grown - 1023, const("i64", 0)),
    )
    least, most = const("i64", -400), const("i64", 400)
    near = select(exponent < least, least, select(exponent > most, most, exponent))
    value = fraction * from_bits((near + 1023) << 52)
    return Scanning((one, const("i64", 0)), step, _stored(value, out))


def _states(*types: str) -> list[Node]:
    return [make("load", type, value=k) for k, type in enumerate(types)]


def _apart(x: Node) -> tuple[Node, Node]:
    """A finite number, and what is not finite: the other is 0."""
    finite = abs(x) < float("inf")
    zero = const("f64", 0.0)
    return select(finite, x, zero), select(finite, zero, x)


def _wide(x: Node) -> Node:
    return make("widen", "f64", x) if x.type == "f32" else x


def _in_pairs(given: DType, out: DType) -> Scanning:
    """Sums of floats as pairs of float64, exact unless a third would be needed."""
    high, low, special, exact = _states("f64", "f64", "f64", "i1")
    x, infinite = _apart(_wide(_element(given, out, 4)))
    first = two_sum(high, x)
    second = two_sum(low, first.low)
    total = two_sum(first.high, second.high)
    step = (total.high, total.low, special + infinite, exact & equal(second.low, 0.0))
    value = select(equal(special, 0.0), _to_odd(high, low), special)
    zero, yes = const("f64", 0.0), equal(const("i64", 0), 0)
    return Scanning(
        (zero, zero, zero, yes),
        step,
        _stored(value, out),
        certain=exact,
        otherwise=_in_digits(given, out),
    )


def _of_pairs(given: DType, out: DType) -> Scanning:
    """Sums of DOUBLE in pairs of float64, one element after the other."""
    high, low, special = _states("f64", "f64", "f64")
    x, infinite = _apart(_wide(_element(given, out, 3)))
    zero = const("f64", 0.0)
    first = two_sum(high, x)
    room = abs(first.high) < float("inf")  # else it stays infinite
    total = two_sum(first.high, select(room, low + first.low, zero))
    value = select(equal(special, 0.0), high, special)
    step = (total.high, select(room, total.low, zero), special + infinite)
    return Scanning((zero, zero, zero), step, _stored(value, out))


def _to_odd(high: Node, low: Node) -> Node:
    """A sum of two float64, of which the first is the nearest, with an odd last bit where it is not
    the first alone."""
    pattern = bits(high)
    less = make("lt", "i1", bits(high) ^ bits(low), 0)  # of other signs: it lies nearer to zero
    moved = (select(less, pattern - 1, pattern)) | 1
    return from_bits(select(equal(low, 0.0), pattern, moved))


def _stored(value: Node, out: DType) -> Node:
    return rounding.stored(value, out)


def _in_digits(given: DType, out: DType) -> Scanning:
    """The same as an integer number of units."""
    lowest, highest = _RANGE[out]
    count = (highest - lowest + _COUNTED) // _DIGIT + 1
    *digits, special = _states(*["i64"] * count, "f64")
    x, infinite = _apart(_wide(_element(given, out, count + 1)))
    size = bits(abs(x))
    fraction = (size & ((1 << 52) - 1)) | select(equal(x, 0.0), const("i64", 0), 1 << 52)
    # what is converted has no more than 24 bits
    units = fraction >> 28
    place = (size >> 52) - (1023 + lowest) - 24
    # so many bits below the unit are zeros: of what is small the shift is the other way
    small = place < 0
    below = select(small, const("i64", 0) - place, const("i64", 0))
    units = make("shr", "i64", units, select(below > 63, const("i64", 63), below))
    place = select(small, const("i64", 0), place)
    digit, within = place >> 5, place & 31
    whole = make("shl", "i64", units, within)
    low, high = whole & _MASK, whole >> _DIGIT
    negative = x < 0.0
    low, high = (select(negative, const("i64", 0) - half, half) for half in (low, high))
    zero = const("i64", 0)
    added = [
        select(equal(digit, k), low, select(equal(digit, k - 1), high, zero)) for k in range(count)
    ]
    step = [own + part for own, part in zip(digits, added, strict=True)]
    value = select(equal(special, 0.0), _of_digits(digits, lowest), special)
    return Scanning(
        (*(zero,) * count, const("f64", 0.0)),
        (*step, special + infinite),
        _stored(value, out),
        (*added, infinite),
    )


def _of_digits(digits: list[Node], lowest: int) -> Node:
    """The number that digits with signs make, to odd."""
    carry, own = const("i64", 0), []
    for digit in digits:
        total = digit + carry
        own.append(total & _MASK)
        # shifted with its sign
        carry = ((total ^ (-1 << 63)) >> _DIGIT) - (1 << (63 - _DIGIT))
    negative = carry < 0
    added = select(negative, const("i64", 1), const("i64", 0))
    sizes = []
    for digit in own:
        total = select(negative, digit ^ _MASK, digit) + added
        sizes.append(total & _MASK)
        added = total >> _DIGIT
    window, unit, rest = const("i64", 0), const("f64", 1.0), const("i64", 0)
    for k in reversed(range(len(sizes))):
        room = equal(window >> (_DIGIT - 1), 0)
        rest = select(room, rest, rest | sizes[k])
        unit = select(room, const("f64", 2.0 ** (lowest + _DIGIT * k)), unit)
        window = select(room, (window << _DIGIT) | sizes[k], window)
    cut = (window >> 11) << 11
    long = unequal(window >> 53, 0)
    lost = select(long, window & 0x7FF, const("i64", 0)) | rest
    odd = select(equal(lost, 0), const("i64", 0), select(long, const("i64", 1 << 11), 1))
    whole = select(long, cut, window) | odd
    size = make("from_int", "f64", whole) * unit
    return select(negative, -size, size)
