"""Gradients that are hard on a kernel: their product with a slope lies beside a rounding midpoint.
For specialists in number theory; `strata` uses it and need not know how it works.

There the smallest error of the slope decides between two results, so that the whole of it shows.
With g = n·2^E and a slope s·2^e, an integer n of the type's significand is wanted for which the
fraction of n·s is close to 1/2. Euclid's algorithm on (s mod 1, 1) gives ever smaller steps, each
a count to add to n and the little that the fraction then grows; taking as many of each as fit
ends about 2⁻²² away from the midpoint in float32.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from openaclnn.base.dtypes import DType
from openaclnn.golden.draws import Stream, Words
from openaclnn.truth.double_double import Floats, Pair
from openaclnn.truth.ulp import format_of

_HALF = np.uint64(1 << 63)
_ONE = np.uint64(1)
_STEPS = 32


def hard_gradients(slope: Pair, dtype: DType, stream: Stream) -> Floats:
    """One gradient for every slope (its value for a gradient of 1); 1 where the slope is 0 or no
    number. Products come close to midpoints from both sides, some of them among subnormals."""
    f = format_of(dtype)
    count = slope.high.size
    usable = np.isfinite(slope.high) & (slope.high != 0)
    high = np.where(usable, np.abs(slope.high), 1.0)
    low = np.where(usable, slope.low * np.sign(slope.high), 0.0)
    fraction, exponent = np.frexp(high)
    exponent = exponent.astype(np.int64) - 1  # high = s · 2^exponent with 1 <= s < 2
    s = 2 * fraction
    # s · 2⁶³ as an integer: the first 53 bits, then what the low part adds
    whole = np.ldexp(fraction, 53).astype(np.uint64) << np.uint64(11)
    tail = np.ldexp(low, 63 - np.clip(exponent, -1000, 1000)).astype(np.int64).view(np.uint64)
    scaled = whole + tail

    words = stream.words(count, 0)
    deep = (exponent <= -3) & (words % np.uint64(8) == 0)  # results among the subnormals
    depth = 2 + (words >> np.uint64(8)).astype(np.int64) % np.clip(-exponent - 1, 1, f.bits - 3)
    lower = s < 1.5  # n·s below 2^bits, where an ULP is 1, or above, where it is 2
    most = np.where(lower & ~deep, np.floor(2.0**f.bits / s), 2.0**f.bits - 1)
    least = np.where(lower | deep, 2.0 ** (f.bits - 1), np.ceil(2.0**f.bits / s))
    shift = np.where(deep, depth - 1, 0).astype(np.uint64)
    step = np.where(lower & ~deep, scaled << _ONE, scaled >> shift)
    room = np.maximum(most - least, 0.0)
    start = least + np.floor(stream.uniform(count, 1) * room / 4)
    from_above = (words >> np.uint64(4)) & _ONE == _ONE
    step = np.where(from_above, np.uint64(0) - step, step)
    n = _nearest_to_half(start.astype(np.uint64), most.astype(np.uint64), step)

    # the power of two: any that keeps gradient and result normal, or one for that depth
    smallest = f.lowest - (f.bits - 1)
    fewest = np.maximum(smallest, smallest - exponent)
    largest = np.minimum(f.highest - (f.bits - 1), f.highest - f.bits - exponent)
    spread = np.maximum(largest - fewest + 1, 1)
    power = fewest + (words >> np.uint64(24)).astype(np.int64) % spread
    power = np.where(deep, smallest - depth - exponent, power)
    power = np.clip(power, smallest, f.highest - (f.bits - 1))
    sign = np.where((words >> np.uint64(5)) & _ONE == _ONE, -1.0, 1.0)
    return np.where(usable, np.ldexp(sign * n.astype(np.float64), power), 1.0)


def _nearest_to_half(n: Words, most: Words, step: Words) -> Words:
    """n, and more up to `most`, so that n·step mod 2⁶⁴ comes up to 2⁶³ from below.

    Most numbers are there after half of the turns: only the others go on, which takes two thirds
    of the time.
    """
    found: Words = n.copy()
    places = np.arange(n.size)
    with np.errstate(all="ignore"):
        left = _HALF - n * step
        up, up_count = step.copy(), np.ones_like(n)
        down, down_count = np.uint64(0) - step, np.ones_like(n)
        for _ in range(_STEPS):
            # counts only grow, steps become smaller until one is 0: who has ended stays so
            more = (up_count <= most - n) & (up != 0) & ((down != 0) | (up <= left))
            if np.count_nonzero(more) <= 0.75 * n.size:
                found[places] = n
                places, n, most, left = places[more], n[more], most[more], left[more]
                up, up_count, down, down_count = (
                    each[more] for each in (up, up_count, down, down_count)
                )
            if not n.size:
                break
            steps = np.minimum(_divided(left, up), (most - n) // up_count)
            n = n + steps * up_count
            left = left - steps * up
            longer = up > down
            times = _divided(np.where(longer, up, down) - _ONE, np.where(longer, down, up))
            up = up - np.where(longer, times * down, np.uint64(0))
            up_count = up_count + np.where(longer, times * down_count, np.uint64(0))
            down = down - np.where(longer, np.uint64(0), times * up)
            down_count = down_count + np.where(longer, np.uint64(0), times * up_count)
            # a count that no longer fits is of no use, whatever it is: let none overflow
            up_count = np.minimum(up_count, np.uint64(1 << 60))
            down_count = np.minimum(down_count, np.uint64(1 << 60))
    found[places] = n
    return found


def _divided(a: Any, b: Any) -> Words:
    """a // b, and 0 where b is 0, as NumPy has it, or the quotient is absurdly large."""
    quotient = np.asarray(a // b, np.uint64)
    return np.where(quotient > np.uint64(1 << 56), np.uint64(0), quotient)
