"""The reference against mpmath, at random points and at the hard ones."""

from __future__ import annotations

from collections.abc import Iterator

import mpmath
import numpy as np
import pytest

import openaclnn
from mathematics import drawn
from openaclnn.base.dtypes import DOUBLE, FLOAT
from openaclnn.base.scalars import scalar
from openaclnn.ops import find
from openaclnn.spec.sample import sample_call
from openaclnn.truth.double_double import Pair, exp
from openaclnn.truth.reference import reference, results

ROOT = np.float32(-1.27846454276107379510935873902298)


@pytest.fixture(autouse=True)
def bits_enough() -> Iterator[None]:
    with mpmath.workprec(400):
        yield


def slope(op: str, x: float) -> mpmath.mpf:
    x = mpmath.mpf(x)
    sigma = 1 / (1 + mpmath.exp(-x))
    return 1 - sigma if op == "log_sigmoid_backward" else sigma * (1 + x * (1 - sigma))


def relative_bits(high: np.ndarray, low: np.ndarray, true: list[mpmath.mpf]) -> float:
    """The largest relative error, as a power of two."""
    worst = mpmath.mpf(2) ** -300
    for a, b, t in zip(high.tolist(), low.tolist(), true, strict=True):
        worst = max(worst, abs((mpmath.mpf(a) + mpmath.mpf(b) - t) / t))
    return float(mpmath.log(worst, 2))


def points() -> np.ndarray:
    generator = np.random.default_rng(5)
    magnitudes = 10.0 ** generator.uniform(-45, 2, 150)
    parts = [
        generator.normal(0, 5, 200),
        generator.uniform(-200, 200, 200),
        magnitudes, -magnitudes,
        [-198.0, -104.0, -87.5, 87.5, 104.0, -650.0, 3e38, -1e-45, 1e-45],
    ]  # fmt: skip
    return np.concatenate(parts).astype(np.float32).astype(np.float64)


def test_exp() -> None:
    x = np.concatenate([points(), np.linspace(-1400, 1400, 301)])
    x = x[np.abs(x) <= 1400]
    (high, low), exponent = exp(x)
    true = [mpmath.exp(v) * mpmath.mpf(2) ** -int(n) for v, n in zip(x, exponent, strict=True)]
    assert relative_bits(high, low, true) < -100
    assert high.min() >= 0.99
    assert high.max() <= 2.01


@pytest.mark.parametrize("op", ["log_sigmoid_backward", "silu_backward"])
def test_smooth_operators(op: str) -> None:
    x = points()
    if op == "log_sigmoid_backward":
        x = x[x < 600]  # 3e38 gives a true value that float64 cannot hold
    g = np.float32(10.0 ** np.random.default_rng(6).uniform(-10, 38, x.size)).astype(np.float64)
    high, low = reference(find(op), [g, x])
    assert (
        relative_bits(high, low, [mpmath.mpf(a) * slope(op, b) for a, b in zip(g, x, strict=True)])
        < -95
    )


def test_silu_beside_its_root() -> None:
    x = [ROOT]
    for _ in range(30):
        x = [np.nextafter(x[0], np.float32(-9)), *x, np.nextafter(x[-1], np.float32(9))]
    wide = np.array(x, np.float64)
    high, low = reference(find("silu_backward"), [np.ones_like(wide), wide])
    assert relative_bits(high, low, [slope("silu_backward", v) for v in wide]) < -75


def test_silu_far_below_zero_is_scaled_last() -> None:
    high, _ = reference(
        find("silu_backward"), [[3e38, 1.0, 1.0, np.inf], [-198.0, -720.0, -3e38, -3e38]]
    )
    true = 3e38 * -197 * mpmath.exp(-198)
    assert abs(high[0] / true - 1) < 1e-15
    assert abs(high[1] / (-719 * mpmath.exp(-720)) - 1) < 1e-2  # a subnormal of float64
    assert high[2] == 0
    assert np.signbit(high[2])
    assert high[3] == -np.inf  # the slope is tiny, not 0


@pytest.mark.parametrize("reduction", [0, 1, 2])
@pytest.mark.parametrize("beta", [1e-45, 0.1, 1.0, 7.0])
def test_smooth_l1(reduction: int, beta: float) -> None:
    beta = float(np.float32(beta))
    generator = np.random.default_rng(7)
    g, x, y = generator.normal(0, 3, (3, 300)).astype(np.float32).astype(np.float64)
    y[:100] = x[:100] * np.float32(1 + 2**-20)
    x[100:104], y[100:104] = [1e30, 1.0, 1.0, -1.0], [1.0, 1e-30, 1.0 + beta, -1.0 + beta]
    high, low = reference(
        find("smooth_l1_loss_backward"), [g, x, y], {"reduction": reduction, "beta": beta}
    )
    true = []
    for a, b, c in zip(g, x, y, strict=True):
        d = mpmath.mpf(b) - mpmath.mpf(c)
        value = d / mpmath.mpf(beta) if abs(d) < beta else mpmath.sign(d)
        true.append(mpmath.mpf(a) * value / (300 if reduction == 1 else 1))
    kept = np.array([t != 0 for t in true])
    assert (high[~kept] == 0).all()
    assert relative_bits(high[kept], low[kept], [t for t in true if t != 0]) < -95


def test_products_and_sixths() -> None:
    generator = np.random.default_rng(8)
    g = generator.normal(0, 1, 200) * 10.0 ** generator.uniform(-280, 300, 200)
    x = generator.normal(0, 2, 200)
    op, attributes = find("leaky_relu_backward"), {"negative_slope": 0.3}
    high, low = reference(op, [g, x], attributes, promoted=DOUBLE)
    true = [mpmath.mpf(a) * (1 if b > 0 else mpmath.mpf(0.3)) for a, b in zip(g, x, strict=True)]
    assert relative_bits(high, low, true) < -95
    g = generator.normal(0, 1, 200).astype(np.float32).astype(np.float64)
    high, low = reference(find("hardsigmoid_backward"), [g, 2.9])
    assert relative_bits(high, low, [mpmath.mpf(a) / 6 for a in g]) < -100


INF, NAN = np.inf, np.nan
SMOOTH = {"reduction": 0, "beta": 1.0}
SPECIAL = [
    # operator, inputs, attributes, result
    ("hardsigmoid_backward", (6.0, NAN), {}, 0.0),
    ("hardsigmoid_backward", (NAN, 3.0), {}, 0.0),
    ("hardsigmoid_backward", (NAN, -2.9), {}, NAN),
    ("hardsigmoid_backward", (-INF, 0.0), {}, -INF),
    ("hardsigmoid_backward", (-0.0, 0.0), {}, -0.0),
    ("hardsigmoid_backward", (-5.0, -3.0), {}, 0.0),
    ("log_sigmoid_backward", (2.0, -INF), {}, 2.0),
    ("log_sigmoid_backward", (-2.0, INF), {}, -0.0),
    ("log_sigmoid_backward", (INF, INF), {}, NAN),
    ("log_sigmoid_backward", (INF, 1e4), {}, INF),
    ("log_sigmoid_backward", (0.0, NAN), {}, NAN),
    ("log_sigmoid_backward", (-0.0, 1.0), {}, -0.0),
    ("silu_backward", (1.0, INF), {}, NAN),
    ("silu_backward", (1.0, -INF), {}, NAN),
    ("silu_backward", (1.0, NAN), {}, NAN),
    ("silu_backward", (-0.0, 1.0), {}, -0.0),
    ("silu_backward", (0.0, -5.0), {}, -0.0),
    ("silu_backward", (1.0, 0.0), {}, 0.5),
    ("silu_backward", (1.0, -0.0), {}, 0.5),
    ("silu_backward", (7.0, 3e38), {}, 7.0),
    ("smooth_l1_loss_backward", (-1.0, 2.0, 2.0), SMOOTH, -0.0),
    ("smooth_l1_loss_backward", (1.0, INF, INF), SMOOTH, NAN),
    ("smooth_l1_loss_backward", (1.0, INF, 0.0), SMOOTH, 1.0),
    ("smooth_l1_loss_backward", (2.0, -INF, 0.0), SMOOTH, -2.0),
    ("smooth_l1_loss_backward", (INF, 0.0, 0.0), SMOOTH, NAN),
    ("smooth_l1_loss_backward", (NAN, 0.0, 5.0), SMOOTH, NAN),
    ("smooth_l1_loss_backward", (-3.0, 1.0, 1.0), {"reduction": 2, "beta": 0.0}, -0.0),
    ("smooth_l1_loss_backward", (-3.0, 1.0, 2.0), {"reduction": "sum", "beta": INF}, 0.0),
    ("smooth_l1_loss_backward", (3.0, INF, 2.0), {"reduction": "mean", "beta": INF}, 3.0),
    ("leaky_relu_backward", (2.0, NAN), {"negative_slope": 0.5}, 1.0),
    ("leaky_relu_backward", (2.0, -0.0), {"negative_slope": -0.5}, -1.0),
    ("leaky_relu_backward", (INF, -1.0), {"negative_slope": 0.0}, NAN),
    ("leaky_relu_backward", (1e300, -1.0), {"negative_slope": 1e300}, INF),
    ("leaky_relu_backward", (-0.0, 1.0), {"negative_slope": 1.0}, -0.0),
]


@pytest.mark.parametrize(("op", "inputs", "attributes", "expected"), SPECIAL)
def test_special_values(op: str, inputs: tuple, attributes: dict, expected: float) -> None:
    high, low = reference(find(op), inputs, attributes, promoted=DOUBLE)
    assert high.shape == ()
    assert low == 0 or abs(low) < 1e-250
    np.testing.assert_array_equal(high, expected)
    assert np.signbit(high) == np.signbit(expected) or np.isnan(expected)


def test_shapes() -> None:
    high, low = reference(
        find("leaky_relu_backward"), [np.ones((3, 1)), np.ones(4)], {"negative_slope": 1}
    )
    assert high.shape == low.shape == (3, 4)
    high, _ = reference(find("silu_backward"), [np.ones((0, 3)), np.ones(3)])
    assert high.shape == (0, 3)


def test_what_a_call_leaves_alone_stays() -> None:
    """Only some of the rows of a tensor are filled."""
    given = {"dim": 0, "index": (2, -1), "value": scalar(7.0)}
    call = sample_call(find("inplace_index_fill_tensor"), [FLOAT], (4, 3), attributes=given)
    (truth,) = results(call, [np.arange(12, dtype=np.float32)])
    assert isinstance(truth, Pair)
    assert truth.high.tolist() == [[0, 1, 2], [3, 4, 5], [7, 7, 7], [7, 7, 7]]


def test_random_numbers_of_the_first_element() -> None:
    """Its place, 0, has no exponent of its own."""
    op = find("dropout_gen_mask")
    given = {"shape_array": (64,), "p": 0.1, "seed": 70, "offset": 70}
    call = sample_call(op, [], (), attributes=given)
    (truth,) = results(call, [None])
    assert isinstance(truth, Pair)
    found = openaclnn.dropout_gen_mask([64], p=0.1, seed=70, offset=70)
    assert truth.high.tolist() == found.tolist()
    first = [drawn("unit", 0, k, 70, 0, 70, 0) < 1 - 0.1 for k in range(8)]
    assert truth.high[0] == sum(1 << k for k, kept in enumerate(first) if kept)
