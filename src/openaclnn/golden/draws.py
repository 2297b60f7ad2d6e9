"""Random numbers that are the same on every machine and with every version of NumPy.

Bits come from SplitMix64 over a counter, in 64-bit integers. Everything after that is + - * /,
square roots and bit patterns, which IEEE 754 fixes: the logarithm and the cosine of the normal
distribution are polynomials here, not a math library's. They need to be repeatable, not perfect,
and are good to about 1e-15.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.base.dtypes import BOOL, DType, integers
from openaclnn.base.records import dataclass
from openaclnn.spec.steps import Limit
from openaclnn.truth.double_double import Floats, Pair
from openaclnn.truth.ulp import format_of, round_to

Words = NDArray[np.uint64]


def _mixed(z: Words) -> Words:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return np.asarray(z ^ (z >> np.uint64(31)), np.uint64)


def _mixed_integer(z: int) -> int:
    """The same of one integer of Python's."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    return z ^ (z >> 31)


@dataclass(frozen=True)
class Stream:
    """An endless row of random words; streams of one seed with different labels are independent."""

    seed: int
    label: str

    def words(self, count: int, purpose: int) -> Words:
        """The first words of the row for one purpose."""
        with np.errstate(over="ignore"):
            key = np.uint64(self._key(purpose))
            counter = np.arange(1, count + 1, dtype=np.uint64)
            return _mixed(key + counter * np.uint64(0x9E3779B97F4A7C15))

    def _key(self, purpose: int) -> int:
        key = self.seed % 2**64
        for byte in (*self.label.encode(), 256 + purpose):
            key = _mixed_integer((key * 257 + byte + 1) % 2**64)
        return key

    def uniform(self, count: int, purpose: int) -> Floats:
        """Numbers in [0, 1), multiples of 2⁻⁵³."""
        return np.asarray(self.words(count, purpose) >> np.uint64(11), np.float64) * 2.0**-53

    def normal(self, count: int, purpose: int) -> Floats:
        """Mean 0, deviation 1, by Box and Muller."""
        radius = np.sqrt(-2.0 * _log(1.0 - self.uniform(count, purpose)))
        return radius * _cos_turns(self.uniform(count, purpose + 1))


def _log(x: Floats) -> Floats:
    """The natural logarithm of positive normal numbers, as 2·artanh((m - 1)/(m + 1))."""
    bits = x.view(np.int64)
    exponent = (bits >> 52) - 1023
    m = ((bits & ((1 << 52) - 1)) | (1023 << 52)).view(np.float64)
    large = m > 1.4142135623730951
    m, exponent = np.where(large, m / 2, m), exponent + large
    s = (m - 1) / (m + 1)
    total, square = np.zeros_like(s), s * s
    for k in range(21, 0, -2):
        total = total * square + 1.0 / k
    return exponent * 0.6931471805599453 + 2 * s * total


def _cos_turns(t: Floats) -> Floats:
    """cos(2πt) for 0 <= t < 1, by the series of the distance to the nearest quarter turn."""
    quarter = np.floor(t * 4 + 0.5)
    angle = (t - quarter / 4) * 6.283185307179586
    square = angle * angle
    # in place: every one of the many steps would ask for memory, which takes half the time
    cosine, sine = np.zeros_like(t), np.zeros_like(t)
    for k in range(18, 1, -2):
        for series, odd in ((cosine, -1), (sine, 1)):
            series += 1
            series *= square
            series *= -1.0 / (k * (k + odd))
    cosine += 1
    sine += 1
    sine *= angle
    turned = quarter.astype(np.int64) & 3
    found = np.where(turned & 1, sine, cosine)
    return np.negative(found, out=found, where=(turned == 1) | (turned == 2))


Distribution = Callable[[Stream, int, DType], Floats]

_CHOICE, _FIRST, _SECOND, _PARAMETERS, _SPECIAL = 0, 1, 2, 4, 5  # purposes; normal takes two


def standard(stream: Stream, count: int, dtype: DType) -> Floats:
    """The standard's rule: half uniform in [-5, 5], half normal with one mean in [-5, 5] and one
    deviation in [0.1, 2]; a random bit per element decides which half it belongs to."""
    mean, deviation = stream.uniform(2, _PARAMETERS) * (10, 1.9) + (-5, 0.1)
    uniform = stream.uniform(count, _FIRST) * 10 - 5
    normal = stream.normal(count, _SECOND) * deviation + mean
    return np.where(stream.words(count, _CHOICE) >> np.uint64(63) == 0, uniform, normal)


def every_exponent(stream: Stream, count: int, dtype: DType) -> Floats:
    """Finite bit patterns of the dtype, each as likely as any other."""
    f = format_of(dtype)
    significand = (stream.words(count, _FIRST) >> np.uint64(64 - f.bits + 1)).astype(np.float64)
    span = np.uint64(f.highest - f.lowest + 2)  # the subnormals and every normal exponent
    field = (stream.words(count, _SECOND) >> np.uint64(11)) % span
    exponent = np.maximum(field.astype(np.int64), 1) - 1 + f.lowest
    fraction = significand * 2.0 ** (1 - f.bits) + (field != 0)
    power = ((exponent + 1023) << 52).view(np.float64)
    negative = stream.words(count, _CHOICE) >> np.uint64(63) == 1
    return np.asarray(np.where(negative, -fraction, fraction) * power)


def distribution(text: str) -> Distribution:
    """standard, bits, uniform:LOW,HIGH or normal:MEAN,DEVIATION."""
    if text in ("standard", "bits"):
        return standard if text == "standard" else every_exponent
    number = r"([-+]?\d*\.?\d+(?:[eE][-+]?\d+)?)"
    match = re.fullmatch(rf"(uniform|normal):{number},{number}", text)
    if match is None:
        raise ValueError(
            f"{text!r} is no distribution; expected standard, bits, uniform:LOW,HIGH "
            "or normal:MEAN,DEVIATION"
        )
    first, second = float(match[2]), float(match[3])
    if not (math.isfinite(first) and math.isfinite(second)):
        raise ValueError(f"{text!r} is no distribution; expected finite numbers")
    if match[1] == "uniform" and first > second:
        raise ValueError(f"{text!r} is no distribution: LOW is greater than HIGH")
    if match[1] == "normal" and second < 0:
        raise ValueError(f"{text!r} is no distribution: DEVIATION is negative")
    if match[1] == "uniform":
        return lambda stream, count, dtype: stream.uniform(count, _FIRST) * (second - first) + first
    return lambda stream, count, dtype: stream.normal(count, _SECOND) * second + first


def draw(
    stream: Stream, count: int, dtype: DType, distribution: Distribution, special: bool
) -> NDArray[Any]:
    """So many numbers of a dtype; with `special` one in sixteen is a value that breaks kernels."""
    if dtype is BOOL:
        return np.asarray(stream.words(count, _CHOICE) >> np.uint64(63) == 1)
    if dtype.kind == "int":
        return _draw_integers(stream, count, dtype, distribution, special)
    values = distribution(stream, count, dtype)
    if special:
        f = format_of(dtype)
        tiny, normal = 2.0 ** (f.lowest - f.bits + 1), 2.0**f.lowest
        positive = (np.nan, np.inf, 0.0, tiny, normal - tiny, normal, f.largest, 3 * tiny)
        table = np.array([*positive, *(-value for value in positive)])
        values = _sprinkled(stream, values, table)
    return round_to(dtype, Pair(values, np.zeros_like(values)))


def _draw_integers(
    stream: Stream, count: int, dtype: DType, distribution: Distribution, special: bool
) -> NDArray[Any]:
    """The integers nearest to what is drawn; of `bits` any of them."""
    held = integers(dtype)
    if distribution is every_exponent:
        words = stream.words(count, _FIRST) >> np.uint64(64 - dtype.bits)
        values = words.astype(f"u{dtype.itemsize}").view(dtype.numpy)
    else:
        drawn = np.clip(np.rint(distribution(stream, count, dtype)), -(2.0**52), 2.0**52)
        inside = np.clip(drawn.astype(np.int64), held[0], min(held[-1], 2**52))
        values = inside.astype(dtype.numpy)
    if special:
        table = [n for n in (0, 1, -1, held[0], held[0] + 1, held[-1] - 1, held[-1]) if n in held]
        values = _sprinkled(stream, values, np.array(table, dtype.numpy))
    return np.asarray(values)


def within(limit: Limit, drawn: NDArray[Any]) -> NDArray[Any]:
    """Indices that are taken, spread over all of those."""
    found = limit.low + drawn % (limit.high - limit.low + 1)
    if limit.but is not None:
        found = np.where(drawn % 7 == 0, limit.but, found)
    return np.asarray(found, drawn.dtype)


def _sprinkled(stream: Stream, values: NDArray[Any], table: NDArray[Any]) -> NDArray[Any]:
    """The values, but one in sixteen from a table."""
    words = stream.words(values.size, _SPECIAL)
    chosen = table[(words >> np.uint64(4)) % np.uint64(table.size)]
    return np.where(words % np.uint64(16) == 0, chosen, values)
