"""Random numbers: the generator's published answers, distributions, and calls that share nothing.
Seeds and limits are fixed, so a test that passes passes always."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest

import openaclnn
from interpreter import evaluate
from mathematics import drawn as bits
from openaclnn.arithmetic import philox
from openaclnn.arithmetic.nodes import make
from openaclnn.engines.plain import random_numbers

COUNT = 1 << 17
# of the generator's authors: counter, key, what they give
ANSWERS = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        (0xA4093822, 0x299F31D0),
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "key", "expected"), ANSWERS)
def test_the_generator_is_philox(counter: Any, key: Any, expected: Any) -> None:
    loads = [make("load", "i64", value=k) for k in range(5)]
    words = philox.words(loads[0], (loads[1], loads[2]), (loads[3], loads[4]))
    place = counter[0] | counter[1] << 32
    given = [np.array([word], np.uint64) for word in (place, *key, *counter[2:])]
    assert tuple(int(evaluate(word, *given)[0]) for word in words) == expected
    place = place if place < 1 << 63 else place - (1 << 64)
    for half in (0, 1):
        (found,) = random_numbers("integer", half, np.array([place]), *key, *counter[2:])
        assert found == (expected[2 * half] << 32 | expected[2 * half + 1]) >> 1


def drawn(name: str, dtype: str, *arguments: Any, count: int = COUNT, **given: Any) -> Any:
    x = np.empty(count, dtype)
    stream = {"seed": 42, "offset": 0, **given}
    getattr(openaclnn, f"inplace_{name}")(x, *arguments, **stream)
    return x


def farthest(x: Any, distribution: Callable[[float], float]) -> float:
    """Kolmogorov and Smirnov's distance, times √n."""
    values = np.sort(x.astype(np.float64))
    expected = np.array([distribution(value) for value in values])
    steps = np.arange(values.size + 1) / values.size
    distance = max((steps[1:] - expected).max(), (expected - steps[:-1]).max())
    return float(distance * math.sqrt(values.size))


def normal(x: float) -> float:
    return 0.5 * math.erfc(-x / math.sqrt(2))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_distributions(dtype: str) -> None:
    """1.95: one in a thousand is farther."""
    assert farthest(drawn("normal", dtype, mean=0.0, std=1.0), normal) < 1.95
    shifted = drawn("normal", dtype, mean=3.0, std=0.5)
    assert farthest((shifted - 3) / 0.5, normal) < 1.95
    assert farthest(drawn("uniform", dtype), lambda x: x) < 1.95


def test_tails() -> None:
    x = np.abs(drawn("normal", "float32", mean=0.0, std=1.0, count=1 << 22).astype(np.float64))
    for limit in (3.0, 4.0, 4.5):
        expected = 2 * normal(-limit) * x.size
        assert abs((x > limit).sum() - expected) < 4 * math.sqrt(expected)


@pytest.mark.parametrize("span", [2, 7, 100, 1000])
def test_integers_are_as_likely(span: int) -> None:
    """chi² with span − 1 degrees of freedom, within four of its deviations."""
    x = drawn("random", "int64", low=-5, high=span - 5)
    counts = np.bincount(x + 5, minlength=span)
    expected = COUNT / span
    chi = float(((counts - expected) ** 2 / expected).sum())
    assert abs(chi - (span - 1)) < 4 * math.sqrt(2 * (span - 1)) + 1


def test_the_largest_spans() -> None:
    for low, high in ((-(2**63), 2**63 - 1), (-(2**63), 2**62), (-(2**62), 2**63 - 1)):
        x = drawn("random", "int64", low=low, high=high)
        assert np.unique(x).size == COUNT
        assert low <= x.min() < low + 2**58
        assert high - 2**58 < x.max() < high


@pytest.mark.parametrize("p", [0.001, 0.25, 0.5, 0.999])
def test_probabilities(p: float) -> None:
    allowed = 4 * math.sqrt(p * (1 - p) / COUNT)
    assert abs(drawn("bernoulli", "float32", p).mean(dtype=np.float64) - p) < allowed
    assert abs(drawn("bernoulli", "bool", p).mean() - p) < allowed
    each = np.full(COUNT, p)
    assert abs(drawn("bernoulli_tensor", "int8", each).mean() - p) < allowed
    mask = openaclnn.dropout_gen_mask((COUNT,), p, seed=42, offset=0)
    assert abs(np.unpackbits(mask).mean() - (1 - p)) < allowed


@pytest.mark.parametrize("apart", [{"offset": 10}, {"offset": 1}, {"seed": 43}])
def test_calls_share_nothing(apart: dict[str, int]) -> None:
    """Neither the numbers nor, at any lag, what they do together."""
    first = drawn("normal", "float64", mean=0.0, std=1.0)
    second = drawn("normal", "float64", mean=0.0, std=1.0, **apart)
    assert not set(first.tolist()) & set(second.tolist())
    for lag in (0, 1, 2, 4, 10):
        together = float((first[lag:] * second[: COUNT - lag]).mean())
        assert abs(together) * math.sqrt(COUNT) < 4


def test_neighbours_have_nothing_in_common() -> None:
    x = drawn("uniform", "float64") - 0.5
    for lag in (1, 2, 3, 4, 8, 256):
        assert abs(float((x[lag:] * x[:-lag]).mean())) * 12 * math.sqrt(COUNT) < 4


def test_an_elements_number_decides() -> None:
    """Not the layout, the size, nor the number of threads."""
    flat = drawn("normal", "float32", mean=0.0, std=1.0, count=6000)
    turned = np.empty((100, 60), np.float32).T
    openaclnn.inplace_normal(turned, mean=0.0, std=1.0, seed=42, offset=0)
    np.testing.assert_array_equal(turned, flat.reshape(60, 100))
    short = drawn("normal", "float32", mean=0.0, std=1.0, count=10)
    np.testing.assert_array_equal(short, flat[:10])


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_uniform_numbers_stay_below_one(dtype: str) -> None:
    x = drawn("uniform", dtype, count=1 << 20)
    assert x.min() >= 0
    assert x.max() < 1


def test_masks_keep_and_enlarge() -> None:
    x = np.arange(1, 1001, dtype=np.float32).reshape(8, 125)
    mask = openaclnn.dropout_gen_mask((8, 125), 0.25, seed=1, offset=20)
    bits = np.unpackbits(mask, bitorder="little")[:1000].reshape(8, 125)
    expected = np.where(bits, (x / np.float64(0.75)).astype(np.float32), np.float32(0))
    np.testing.assert_array_equal(openaclnn.dropout_do_mask(x, mask, 0.25), expected)


def test_masks_are_bernoulli_numbers() -> None:
    """PyTorch's dropout in place draws those, and is to drop the same elements."""
    for p in (0.0, 0.1, 0.3, 1.0):
        mask = openaclnn.dropout_gen_mask((1000,), p, seed=7, offset=12)
        bits = np.unpackbits(mask, bitorder="little")[:1000]
        numbers = np.empty(1000, np.float32)
        openaclnn.inplace_bernoulli(numbers, 1 - p, seed=7, offset=12)
        np.testing.assert_array_equal(bits, numbers)


@pytest.mark.parametrize("seed", [0, 42, 2**40 + 7])
def test_values_are_those_of_the_generators_bits(seed: int) -> None:
    """Normal numbers around 0, and uniform ones of one sign: within 0.51 ULP."""
    halves = (seed % 2**32, seed // 2**32, 3, 0)
    count = 300
    normals = np.empty(count, np.float32)
    openaclnn.inplace_normal(normals, mean=0.0, std=1.75, seed=seed, offset=3)
    uniforms = np.empty(count, np.float32)
    openaclnn.inplace_uniform(uniforms, low=2.0, high=5.5, seed=seed, offset=3)
    with mpmath.workprec(160):
        for place in range(count):
            centre = exactly(bits("centre", 0, place, *halves))
            angle = exactly(bits("unit", 1, place, *halves))
            z = mpmath.sqrt(-2 * mpmath.log(centre)) * mpmath.cos(2 * mpmath.pi * angle)
            assert in_ulp(normals[place], 1.75 * z) <= 0.51
            unit = bits("unit", 0, place, *halves)
            grain = Fraction(int(unit * 2**24), 2**24)  # as fine as FLOAT below 1
            assert in_ulp(uniforms[place], exactly(2 + Fraction(7, 2) * grain)) <= 0.51


def exactly(number: Fraction) -> Any:
    return mpmath.mpf(number.numerator) / number.denominator


def in_ulp(found: Any, true: Any) -> float:
    unit = mpmath.mpf(2) ** max(math.frexp(float(true))[1] - 24, -149)
    return float(abs(mpmath.mpf(float(found)) - true) / unit)
