"""Exact sums are rounded once: the trees, evaluated without any engine, against fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from interpreter import evaluate
from openaclnn.arithmetic import sum_rounding
from openaclnn.arithmetic.folding import folding_of
from openaclnn.arithmetic.nodes import make
from openaclnn.base.dtypes import DOUBLE, FLOAT

WORDS = [make("load", "i64", value=number) for number in range(3)]
FLAGS = [make("load", "i1", value=3), make("load", "i1", value=4)]
NUMBERS = [make("load", "f64", value=number) for number in range(3)]


def nearest(exact: Fraction) -> float:
    return exact.numerator / exact.denominator  # which Python rounds once


def odd(exact: Fraction) -> float:
    near = nearest(exact)
    if Fraction(near) == exact or np.float64(near).view(np.int64) & 1:
        return near
    return float(np.nextafter(near, np.inf if exact > near else -np.inf))


def magnitudes(rng: Any) -> tuple[list[int], list[int]]:
    """Upper and lower words: random ones, ties, and what is next to them."""
    uppers = [int(word) | 1 << 63 for word in rng.integers(0, 1 << 63, 200)]
    lowers = [int(word) for word in rng.integers(0, 1 << 63, 200)]
    for cut in (1 << 52, (1 << 52) + 1, (1 << 53) - 1, (1 << 53) - 2):
        for under in (0, 1, 1023, 1024, 1025, 2047):
            uppers += [cut << 11 | under] * 3
            lowers += [0, 1, (1 << 64) - 1]
    return uppers, lowers


@pytest.mark.parametrize("promoted", [FLOAT, DOUBLE])
def test_digits_are_rounded_once(promoted: Any) -> None:
    how = folding_of("add", FLOAT, promoted, "f32")
    rng = np.random.default_rng(1)
    uppers, lowers = magnitudes(rng)
    count = len(uppers)
    exponents = rng.integers(-900, 800, count)
    below, negative = rng.integers(0, 2, (2, count)).astype(bool)
    *tree, shift = sum_rounding.rounded(how, WORDS[0], WORDS[1], FLAGS[0], WORDS[2], FLAGS[1])
    words = [np.array(w, np.uint64) for w in (uppers, lowers)]
    given = [*words, exponents.view(np.uint64), below, negative]
    value, remainder = (evaluate(node, *given) for node in tree)
    for k in range(count):
        sign = -1 if negative[k] else 1
        exact = sign * Fraction((uppers[k] << 64 | lowers[k]) * 2 + int(below[k]), 1 << 76)
        exact *= Fraction(2) ** int(exponents[k])
        assert value[k] == (nearest if how.nearest else odd)(exact)
        lacks = exact - Fraction(float(value[k]))
        assert abs(Fraction(float(remainder[k])) - lacks) <= abs(exact) * Fraction(1, 2**104)
    assert shift.value == 0


def test_pairs_are_rounded_to_odd() -> None:
    rng = np.random.default_rng(2)
    value = rng.normal(size=300) * 2.0 ** rng.integers(-60, 60, 300)
    rest = value * 2.0**-54 * rng.integers(-1, 2, 300) * rng.random(300)
    how = folding_of("add", FLOAT, FLOAT, "f32")
    found, lacks = (
        evaluate(node, value, rest)
        for node in sum_rounding.rounded_pair(how, NUMBERS[0], NUMBERS[1])
    )
    for k in range(300):
        exact = Fraction(value[k]) + Fraction(rest[k])
        assert found[k] == odd(exact)
        off = Fraction(lacks[k]) - (exact - Fraction(found[k]))
        assert abs(off) <= abs(exact) * Fraction(1, 2**104)


def test_means_are_corrected() -> None:
    """A mean of DOUBLE has no more error than its division; also where the sum is infinite."""
    how = folding_of("mean", DOUBLE, DOUBLE, "f64")
    upper, exponents = (np.full(3, 0xC123 << 48 | 12345, np.uint64), np.array([0, 971, 990]))
    zeros, no = np.zeros(3, np.uint64), np.zeros(3, bool)
    tree = sum_rounding.rounded(how, WORDS[0], WORDS[1], FLAGS[0], WORDS[2], FLAGS[1])
    given = [upper, zeros, exponents.view(np.uint64), no, no]
    value, remainder, shift = (evaluate(node, *given) for node in tree)
    loads = sum_rounding.RoundedSum(NUMBERS[0], NUMBERS[1], WORDS[2])
    divisor = 2.0**40
    found = evaluate(
        sum_rounding.mean(loads, make("load", "f64", value=3)),
        value,
        remainder,
        np.broadcast_to(shift, 3).astype(np.uint64),
        np.full(3, divisor),
    )
    for k in range(3):
        exact = Fraction(int(upper[k]), 1 << 11) * Fraction(2) ** int(exponents[k])
        assert found[k] == nearest(exact / int(divisor))
    infinite = [np.array([np.inf]), np.zeros(1), np.zeros(1, np.uint64), np.full(1, 3.0)]
    assert evaluate(sum_rounding.mean(loads, make("load", "f64", value=3)), *infinite) == np.inf
