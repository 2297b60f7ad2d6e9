"""What verify's figures stand on: fast errors, multiplied slopes, hard gradients, tallies."""

from __future__ import annotations

import hashlib

import mpmath
import numpy as np
import pytest

from openaclnn.base.dtypes import BF16, FLOAT, FLOAT16, DType
from openaclnn.golden.draws import Stream, every_exponent
from openaclnn.ops import find
from openaclnn.truth.double_double import Pair
from openaclnn.truth.reference import reference
from openaclnn.truth.ulp import round_to, ulp_error
from openaclnn.verify.batches import Slopes, bits_of
from openaclnn.verify.gradients import hard_gradients
from openaclnn.verify.measure import errors, values
from openaclnn.verify.points import special_values
from openaclnn.verify.sweeps import obvious
from openaclnn.verify.tally import Tally, Worst, edges, hash_of, over_self, place_of
from openaclnn.verify.work import parts_of

DTYPES = pytest.mark.parametrize("dtype", [FLOAT16, BF16, FLOAT], ids=str)


@DTYPES
def test_errors_are_those_of_ulp(dtype: DType) -> None:
    rng = np.random.default_rng(3)
    numbers = every_exponent(Stream(0, "t"), 5000, dtype)
    special = values(special_values(dtype), dtype)
    a, b = (m.ravel() for m in np.meshgrid(special, special))
    high = np.concatenate(
        [numbers * rng.uniform(0.9, 1.1, 5000), b, [1e39, -7e4, 65519.0, 65520.0]]
    )
    low = np.where(np.isfinite(high), high * rng.uniform(-1, 1, high.size) * 2.0**-54, 0.0)
    bits = np.concatenate([bits_of(numbers, dtype), bits_of(a, dtype), bits_of(high[-4:], dtype)])
    truth = Pair(high, low)
    found, right = errors(bits, dtype, truth), ulp_error(bits, dtype, truth)
    power = np.frexp(np.abs(high))[0] == 0.5
    assert np.array_equal(found[~power], right[~power])
    # beside a power of two at most twice as much, and nothing where the result is right
    assert (found[power] >= right[power]).all()
    assert (found[power] <= 2 * right[power]).all()


@DTYPES
@pytest.mark.parametrize("name", ["silu_backward", "hardsigmoid_backward", "leaky_relu_backward"])
def test_multiplied_slopes_are_the_reference(name: str, dtype: DType) -> None:
    attributes = {"negative_slope": 0.3} if name == "leaky_relu_backward" else {}
    x = values(np.append(special_values(dtype), bits_of(np.linspace(-9, 9, 999), dtype)), dtype)
    slopes = Slopes(find(name), [x], attributes)
    for g in values(bits_of([0.0, -0.0, 1.0, -3.3, 1e-7, -6e4, 2.0**-24], dtype), dtype):
        found = slopes.times(abs(g), bool(np.signbit(g)))
        true = reference(find(name), [g, x], attributes)
        assert np.array_equal(np.isnan(found.high), np.isnan(true.high))
        signs = np.signbit(found.high) == np.signbit(true.high)
        assert (signs | np.isnan(true.high)).all()
        number = np.isfinite(true.high) & (np.abs(true.high) > 1e-250)
        off = (found.high - true.high) + (found.low - true.low)
        assert (np.abs(off[number]) <= np.abs(true.high[number]) * 2.0**-75).all()


@pytest.mark.parametrize("name", ["silu_backward", "log_sigmoid_backward"])
@pytest.mark.parametrize("first", [0x00000000, 0x31FFFF00, 0x44800000, 0x7F7FFF00])
@pytest.mark.parametrize("sign", [0, 1 << 31])
def test_obvious_slopes(name: str, first: int, sign: int) -> None:
    x = values(np.arange(first, first + 256, dtype=np.uint32) | np.uint32(sign), FLOAT)
    found = obvious(find(name), x)
    assert found is not None
    with mpmath.workprec(400):
        for number, high, low in zip(x[::37], found.high[::37], found.low[::37], strict=True):
            number = mpmath.mpf(number)
            sigma = 1 / (1 + mpmath.exp(-number))
            true = 1 - sigma if name[0] == "l" else sigma * (1 + number * (1 - sigma))
            if high == 0:
                assert abs(true) < mpmath.mpf(2) ** -1400
                assert np.signbit(high) == (name[0] == "s")
            else:
                assert abs(mpmath.mpf(high) + mpmath.mpf(low) - true) < 2.0**-80


def test_slopes_that_are_not_obvious() -> None:
    for pattern in (0x32000000, 0x447FFF00, 0x7F800000):
        x = values(np.arange(pattern, pattern + 256, dtype=np.uint32), FLOAT)
        assert obvious(find("silu_backward"), x) is None


@pytest.mark.parametrize(("dtype", "closeness"), [(FLOAT, 1e-5), (FLOAT16, 0.06), (BF16, 0.2)])
def test_hard_gradients_lead_beside_midpoints(dtype: DType, closeness: float) -> None:
    x = values(bits_of(np.random.default_rng(1).uniform(-12, 4, 4000), dtype), dtype)
    slope = reference(find("silu_backward"), [np.ones_like(x), x])
    g = hard_gradients(slope, dtype, Stream(0, "test"))
    assert np.array_equal(values(bits_of(g, dtype), dtype), g)
    true = reference(find("silu_backward"), [g, x])
    missing = 0.5 - ulp_error(round_to(dtype, true), dtype, true)
    assert np.median(missing) < closeness
    assert (np.sign(true.high) != 0).all()


def test_tallies_add_up_in_any_order() -> None:
    rng = np.random.default_rng(0)
    parts = []
    for number in range(6):
        places = np.unique(rng.integers(0, 1 << 14, 50)).astype(np.uint16)
        part = Tally(10, Worst(0.25, (number, 3)), digest=hash_of(rng.bytes(8), (number, 0)))  # type: ignore[arg-type]
        part.places, part.peaks = places, rng.uniform(0.1, 1, places.size)
        parts.append(part)
    forwards, backwards = Tally(), Tally()
    for part in parts:
        forwards.add(part)
    for part in reversed(parts):
        backwards.add(part)
    assert forwards.worst == backwards.worst == Worst(0.25, (0, 3))
    assert forwards.digest == backwards.digest
    assert forwards.count == 60
    assert np.array_equal(forwards.places, backwards.places)
    assert np.array_equal(forwards.peaks, backwards.peaks)


def test_digests_tell_places_apart() -> None:
    zeros, ones = np.zeros(4, np.uint16), np.ones(4, np.uint16)
    assert hash_of(zeros, (0, 0)) + hash_of(ones, (0, 1)) != hash_of(ones, (0, 0)) + hash_of(
        zeros, (0, 1)
    )


def test_errors_over_self_lie_where_self_is() -> None:
    expected = {-1.3: 1.0, 0.001: 2.0, 300.0: 3.0}
    tally = Tally()
    for x, peak in expected.items():
        tally.add(Tally(places=place_of(np.array([x])), peaks=np.array([peak])))
    borders, heights = edges(), over_self(tally)
    assert len(borders) == len(heights) + 1
    for x, peak in expected.items():
        assert heights[int(np.searchsorted(borders, x)) - 1] == peak
    assert sum(height > 0 for height in heights) == 3


@pytest.mark.parametrize(
    ("name", "dtype", "digest"),
    [
        ("silu_backward", "f32", "239bf1c78020e22b"),
        ("log_sigmoid_backward", "bf16", "42e167437cfccf03"),
        ("smooth_l1_loss_backward", "f16", "b51a12345e44a62c"),
    ],
)
def test_the_sample_is_the_same_on_every_machine(name: str, dtype: str, digest: str) -> None:
    found = hashlib.sha256()
    for part in parts_of(name, dtype, exhaustive=False):
        for index in range(min(part.batches, 2)):
            for bits in part.make(index).inputs:
                found.update(bits.tobytes())
    assert found.hexdigest()[:16] == digest
