"""Contractions on the CPU: every element is the exact sum, rounded once, whatever computes it."""

from __future__ import annotations

import numpy as np
import pytest

import openaclnn
from exact_convolutions import random_convolution
from exact_products import (
    FLOATS,
    KINDS,
    ExactSums,
    Product,
    numbers,
    random_product,
    random_quantised,
    rounded,
)
from openaclnn.engines.cpu import threads


def test_elements_are_exact_sums_rounded_once() -> None:
    random = np.random.default_rng(36)
    for _ in range(60):
        one = random_product(random)
        one.run()
        assert one.wrong(random, 8) == [], one


def test_quantised_numbers_are_what_they_stand_for() -> None:
    random = np.random.default_rng(8)
    for _ in range(120):
        one = random_quantised(random)
        one.run()
        assert one.wrong(random, 8) == [], one


def test_convolutions_and_their_gradients_are_exact() -> None:
    random = np.random.default_rng(12)
    for _ in range(12):
        one = random_convolution(random)
        out = one.run()
        assert not one.wrong(out, random), one
        grad = numbers(random, (out.size, 1), one.x.dtype, "wide").reshape(out.shape)
        assert one.gradients_wrong(grad, one.gradients(grad), random) == [], one


def test_the_exact_sums_of_these_tests() -> None:
    """They are those of rational arithmetic, and one bit more or less is seen."""
    random = np.random.default_rng(4)
    x = random.standard_normal(1000) * 2.0 ** random.integers(-160, 140, 1000)
    for dtype in (np.float32, np.float16):
        with np.errstate(over="ignore"):
            assert rounded(x, dtype).astype(dtype).tobytes() == x.astype(dtype).tobytes()
    for more, expected in ((0.0, 1.0), (2.0**-70, 1 + 2.0**-23), (-(2.0**-70), 1.0)):
        sums = ExactSums([np.array([[1, 2.0**-24, more]])], [np.ones((1, 3))])
        assert rounded(np.array(sums.element(0, 0)), np.float32) == expected
    one = random_product(random)
    one.run()
    assert one.wrong(random, 0) == []
    one.out[0, 0] = np.nextafter(one.out[0, 0], one.out.dtype.type(np.inf))
    assert one.wrong(random, 0) == [(0, 0)]


@pytest.mark.parametrize("rows", [1, 9])
@pytest.mark.parametrize("across", [False, True])
def test_a_product_of_which_every_element_is_repaired(rows: int, across: bool) -> None:
    """Sums of numbers near 1 that leave 2^-60: far less than what float64 is certain of."""
    random = np.random.default_rng(1)
    a = random.standard_normal((rows, 64)).astype(np.float32)
    left = np.concatenate([a, -a, np.full((rows, 1), 2.0**-60, np.float32)], axis=1)
    columns = random.standard_normal((37, 64)).astype(np.float32)
    columns = np.concatenate([columns, columns, np.ones((37, 1), np.float32)], axis=1)
    right = np.asfortranarray(columns) if across else columns
    one = Product(left, right, np.empty((rows, 37), np.float32))
    one.run()
    assert (one.out == np.float32(2.0**-60)).all()


def test_a_convolution_of_which_every_element_is_repaired() -> None:
    random = np.random.default_rng(2)
    x = random.standard_normal((2, 3, 20)).astype(np.float32)
    x = np.concatenate([x, x, np.ones((2, 1, 20), np.float32)], axis=1)
    weight = random.standard_normal((4, 3, 1)).astype(np.float32)
    weight = np.concatenate([weight, -weight, np.full((4, 1, 1), 2.0**-60, np.float32)], axis=1)
    found = openaclnn.convolution(x, weight, [1], [0], [1])
    assert (found == np.float32(2.0**-60)).all()


@pytest.mark.parametrize("dtype", FLOATS, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_one_row(kind: str, dtype: type) -> None:
    """Which reads the other factor as it lies, along K or across."""
    random = np.random.default_rng(9)
    for k in (1, 31, 100, 1500):
        for n in (3, 50, 83):
            a, b = numbers(random, (1, k), dtype, kind), numbers(random, (n, k), dtype, kind)
            for laid in (b, np.asfortranarray(b)):
                one = Product(a, laid, np.empty((1, n), dtype))
                one.run()
                assert one.wrong(random, 10) == []


def test_exact_ties() -> None:
    """1 + 2^-24 is halfway between two float32; 2^-70 more or less decides."""
    for more, expected in ((0.0, 1.0), (2.0**-70, 1 + 2.0**-23), (-(2.0**-70), 1.0)):
        a = np.array([[1, 2.0**-24, more]], np.float32)
        one = Product(a, np.ones((1, 3), np.float32), np.empty((1, 1), np.float32))
        one.run()
        assert one.out[0, 0] == np.float32(expected)


@pytest.mark.parametrize("shape", [(70, 130, 200), (3, 500, 40), (500, 3, 300)])
def test_threads_change_no_bits(shape: tuple[int, int, int]) -> None:
    m, n, k = shape
    random = np.random.default_rng(m)
    a, b = (random.standard_normal((size, k)).astype(np.float32) for size in (m, n))
    before, found = threads.get_num_threads(), []
    try:
        for count in (1, 2, 3):
            threads.set_num_threads(count)
            one = Product(a, b, np.empty((m, n), np.float32))
            one.run()
            found.append(one.out.tobytes())
    finally:
        threads.set_num_threads(before)
    assert len({*found}) == 1


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.int32, np.int64])
def test_integers_wrap(dtype: type[np.integer]) -> None:
    random = np.random.default_rng(3)
    span = np.iinfo(dtype)
    a, b = (
        random.integers(span.min, span.max, (size, 50), dtype, endpoint=True) for size in (11, 30)
    )
    one = Product(a, b, np.empty((11, 30), dtype))
    one.run()
    np.testing.assert_array_equal(one.out, a @ b.T)


def test_what_is_not_finite() -> None:
    inf, nan = np.inf, np.nan
    a = np.array([[1, inf, 0], [nan, 1, 1], [0, 1, 1], [-inf, inf, 1]], np.float32)
    b = np.array([[1, 1, 1], [1, 0, 1], [-1, -1, 3]], np.float32)
    one = Product(a, b, np.empty((4, 3), np.float32))
    one.run()
    expected = [[inf, nan, -inf], [nan, nan, nan], [2, 1, 2], [nan, nan, nan]]
    np.testing.assert_array_equal(one.out, np.array(expected, np.float32))


def test_float64_has_its_bound() -> None:
    random = np.random.default_rng(5)
    a, b = random.standard_normal((20, 1000)), random.standard_normal((30, 1000))
    one = Product(a, b, np.empty((20, 30)))
    one.run()
    sizes = np.abs(a) @ np.abs(b).T
    assert (np.abs(one.out - (a.astype(np.longdouble) @ b.T.astype(np.longdouble)))
            <= 140 * 2.0**-53 * sizes).all()  # fmt: skip
