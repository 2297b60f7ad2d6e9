"""Values that once were wrong, beside oracles that share nothing with the kernels: fractions,
mpmath, NumPy's IEEE operations and PyTorch."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import ml_dtypes
import mpmath
import numpy as np
import pytest
import torch

import openaclnn
from openaclnn.base.dtypes import BF16, FLOAT16, DType
from openaclnn.ops import all_ops
from openaclnn.spec.op import Op

LEVELS = pytest.mark.parametrize("level", ["exact", "fast"])
DIVISORS = (3.0, 7.0, 10.0, 255.0, -0.1, 1e-40, 1e38, 2.0**100 * 1.3, 0.0, np.inf)


def every_size(seed: int, count: int = 4000) -> np.ndarray:
    """Float32 of ordinary sizes, of all exponents, the smallest subnormals and special ones."""
    rng = np.random.default_rng(seed)
    wide = rng.choice([-1, 1], count) * 2.0 ** rng.uniform(-149, 128, count)
    tiny = np.arange(-200, 200) * 2.0**-149
    special = [0.0, -0.0, np.inf, -np.inf, np.nan]
    return np.concatenate([rng.normal(size=count), wide, tiny, special]).astype(np.float32)


@LEVELS
def test_a_quotient_by_a_number_is_correctly_rounded(level: str) -> None:
    x = every_size(1)
    for divisor in DIVISORS:
        with np.errstate(all="ignore"):
            right = x / np.float32(divisor)
        changed = x.copy()
        with openaclnn.using(math=level):
            np.testing.assert_array_equal(openaclnn.divs(x, divisor), right)
            np.testing.assert_array_equal(openaclnn.div(x, divisor), right)
            openaclnn.inplace_divs(changed, divisor)
        np.testing.assert_array_equal(changed, right)


@LEVELS
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
def test_integers_are_divided_by_a_number_as_pytorch_does(level: str, dtype: type) -> None:
    limits = np.iinfo(dtype)
    x = np.random.default_rng(2).integers(limits.min, limits.max, 500, dtype)
    for divisor in (3, 10, 0.1, -7):
        with openaclnn.using(math=level):
            found = openaclnn.divs(x, divisor)
        np.testing.assert_array_equal(found, torch.from_numpy(x) / divisor)


FILLED = [
    (np.int8, 300.0, 127), (np.int8, -300.0, -128), (np.int8, 2.9, 2),
    (np.int32, np.inf, 2**31 - 1), (np.int32, -np.inf, -(2**31)), (np.uint8, -2.9, 0),
    (np.uint8, 1e9, 255), (np.int64, np.inf, 2**63 - 1), (np.int64, 1e300, 2**63 - 1),
    (np.int16, np.nan, 0), (np.bool_, np.nan, 1),
]  # fmt: skip


@pytest.mark.parametrize(("dtype", "number", "expected"), FILLED)
def test_a_number_is_filled_in_as_a_cast_has_it(dtype: type, number: float, expected: int) -> None:
    filled = openaclnn.inplace_fill_scalar(np.zeros(3, dtype), number)
    assert filled.tolist() == [expected] * 3
    padded = openaclnn.constant_pad_nd(np.zeros(1, dtype), [1, 0], value=number)
    assert padded.tolist() == [expected, 0]
    out = np.zeros(1, dtype)
    if out.dtype != np.bool_:  # what a cast of the same number says
        cast = openaclnn.cast(np.array([number]), out.dtype)
        assert cast.tolist() == [expected]


BESIDE_16_BITS = {
    "adds": torch.add, "subs": torch.sub, "rsubs": torch.rsub, "fmod_scalar": torch.fmod,
    "remainder_tensor_scalar": torch.remainder, "pow_tensor_scalar": torch.pow,
    "muls": torch.mul, "divs": torch.div, "floor_divides": torch.floor_divide,
    "eq_scalar": torch.eq, "lt_scalar": torch.lt,
    "hardshrink": torch.nn.functional.hardshrink,
    "softshrink": torch.nn.functional.softshrink,
}  # fmt: skip


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("name", BESIDE_16_BITS)
def test_a_number_beside_16_bits_is_rounded_where_pytorch_rounds_it(
    name: str, dtype: torch.dtype
) -> None:
    """New numbers again and again, so that C takes some of them, too."""
    rng = np.random.default_rng(4)
    for k, number in enumerate([*rng.uniform(0, 2, 40), 1 / 3, 0.99999, 1e-6, 3.7e-5]):
        numbers = torch.from_numpy(abs(rng.normal(0, 3, 64))).to(dtype)
        numbers[0] = number
        named = {"lambd": float(number)} if "shrink" in name else {}
        given = () if named else (float(number),)
        found = getattr(openaclnn, name)(numbers, *given, **named)
        right = BESIDE_16_BITS[name](numbers, float(number))
        assert torch.equal(found, right), (k, number)


def test_factors_beside_16_bits_are_rounded_first() -> None:
    rng = np.random.default_rng(5)
    x, y = (torch.from_numpy(rng.normal(0, 3, 64)).half() for _ in "xy")
    for alpha in rng.uniform(0, 2, 20):
        for name in ("add", "sub", "rsub"):
            found = getattr(openaclnn, name)(x, y, alpha=float(alpha))
            assert torch.equal(found, getattr(torch, name)(x, y, alpha=float(alpha)))
        rows = torch.arange(64)  # the product is rounded to FLOAT16 as well, before it is added
        found = openaclnn.index_add(x, 0, rows, y, alpha=float(alpha))
        assert torch.equal(found, torch.index_add(x, 0, rows, y, alpha=float(alpha)))
    found = openaclnn.pow_scalar_tensor(0.1, abs(x))
    assert torch.equal(found, torch.pow(0.1, abs(x)))


@pytest.mark.parametrize("dtype", ["int32", "int64", "int16", "uint8"])
@pytest.mark.parametrize("out", ["float32", "float64", "float16"])
def test_integers_are_added_up_exactly_before_they_are_floats(dtype: str, out: str) -> None:
    rng = np.random.default_rng(7)
    limits = np.iinfo(dtype)
    low, high = max(limits.min, -(2**53)), min(limits.max, 2**53)  # what float64 holds exactly
    for count in (2, 1000, 40_000):
        x = rng.integers(low, high, count).astype(dtype)
        total = sum(map(int, x))
        found = openaclnn.reduce_sum(x, dtype=out)
        with np.errstate(over="ignore"):
            assert found == np.array(total, object).astype(out)
    assert openaclnn.reduce_sum(np.int32([16777217, 1]), dtype="float32") == 16777218


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_infinities_become_the_largest_number_of_the_dtype(dtype: torch.dtype) -> None:
    x = torch.tensor([np.inf, -np.inf, np.nan, 1.5], dtype=dtype)
    for _ in range(3):
        assert torch.equal(openaclnn.nan_to_num(x), torch.nan_to_num(x))
    some = openaclnn.nan_to_num(x, posinf=9.0)
    assert torch.equal(some, torch.nan_to_num(x, posinf=9.0))


@LEVELS
@pytest.mark.parametrize("dtype", [np.float16, np.float32, ml_dtypes.bfloat16])
def test_softplus_turns_linear_where_the_product_itself_is_above(level: str, dtype: type) -> None:
    """50 · 0.1f is above 5, and the float32 nearest to it is 5."""
    x = np.arange(1, 200).astype(dtype)
    for beta, threshold in ((0.1, 5.0), (0.3, 15.0), (0.7, 7.0), (1.1, 11.0)):
        exact = Fraction(float(np.float32(beta)))
        linear = [Fraction(float(one)) * exact > threshold for one in x]
        with openaclnn.using(math=level):
            found = openaclnn.softplus(x, beta=beta, threshold=threshold)
            slopes = openaclnn.softplus_backward(np.ones_like(x), x, beta=beta, threshold=threshold)
        np.testing.assert_array_equal(found[linear], x[linear])
        assert (slopes[linear] == 1).all()
        first = linear.index(True)
        scaled = float(exact) * float(x[first - 1])
        right = np.log1p(np.exp(scaled)) / float(exact)
        assert abs(float(found[first - 1]) - right) <= 2.0**-8 * right


LARGEST = np.finfo(np.float64).max


def exact_mean(x: np.ndarray) -> float:
    return float(sum(map(Fraction, x.ravel().tolist())) / x.size)


@pytest.mark.parametrize("shape", [(2,), (3, 5), (5, 300), (40_001,)])
def test_a_mean_of_double_does_not_overflow(shape: tuple[int, ...]) -> None:
    assert openaclnn.mean(np.full(shape, LARGEST)) == LARGEST
    columns = openaclnn.mean(np.full(shape, -LARGEST), dim=[0])
    assert (columns == -LARGEST).all()
    x = np.random.default_rng(8).uniform(0.4, 1, shape) * LARGEST
    assert openaclnn.mean(x) == exact_mean(x)
    x.flat[0] = np.inf
    assert openaclnn.mean(x) == np.inf


def test_the_page_names_what_16_bits_promise_nothing_for_at_level_fast() -> None:
    """Those that are computed in float32 at level fast only."""
    page = (Path(__file__).parents[2] / "docs" / "accuracy.md").read_text(encoding="utf-8")
    for row, dtypes in (("| FLOAT16 and BF16 | ", (FLOAT16, BF16)), ("| BF16 | `", (BF16,))):
        line = next(line for line in page.splitlines() if line.startswith(row))
        named = set(re.findall(r"`(\w+)`", line))
        found = {
            op.name
            for op in all_ops().values()
            if not op.in_place
            and op.repeats is None
            and tuple(d for d in (FLOAT16, BF16) if _shorter_at_fast(op, d)) == dtypes
        }
        assert named == found


def _shorter_at_fast(op: Op, dtype: DType) -> bool:
    taken = any(dtype in getattr(rule, "allowed", ()) for rule in op.rules)
    return taken and [op.computes_in(dtype, level) for level in ("exact", "fast")] == ["f64", "f32"]


def in_ulp(found: float, true: Any) -> float:
    """How far a float64 is from a true value, of mpmath or a fraction, in ULP of that."""
    if true == 0:
        return 0.0 if found == 0 else np.inf
    _, exponent = math.frexp(float(true))
    unit = Fraction(2) ** max(exponent - 53, -1074)
    if isinstance(true, Fraction):
        return float(abs(Fraction(found) - true) / unit)
    return float(abs(mpmath.mpf(found) - true) / mpmath.mpf(float(unit)))


def worst(found: np.ndarray, true: list[Any]) -> float:
    return max(map(in_ulp, found.tolist(), true))


def test_erf_of_double_is_within_1_ulp() -> None:
    rng = np.random.default_rng(9)
    x = np.concatenate([rng.uniform(0.4, 0.9, 1500), rng.normal(0, 1, 300), [0.8606745933484281]])
    with mpmath.workprec(200):
        assert worst(openaclnn.erf(x), [mpmath.erf(mpmath.mpf(one)) for one in x.tolist()]) < 0.75


def test_cubes_of_double_are_within_1_ulp() -> None:
    rng = np.random.default_rng(10)
    wide = rng.choice([-1, 1], 500) * 2.0 ** rng.uniform(-355, 341, 500)
    x = np.concatenate([rng.uniform(1, 2, 2000), wide])
    assert worst(openaclnn.pow_tensor_scalar(x, 3.0), [Fraction(one) ** 3 for one in x]) < 0.6
    ends = np.array([np.inf, -np.inf, np.nan, -0.0, 0.0, 1e200, -1e200, 1e-200])
    with np.errstate(all="ignore"):
        right = ends * ends * ends
    found = openaclnn.pow_tensor_scalar(ends, 3)
    np.testing.assert_array_equal(found, right)
    np.testing.assert_array_equal(np.signbit(found), np.signbit(right))


SPANS = [
    (1e308, 1.5e308, 7), (0.0, 1e306, 1001), (-1 / 3, 1 / 3, 101), (0.1, 0.7, 100),
    (-1.7e308, 1.7e308, 51), (5e-324, 1e-310, 100), (1e-320, 1.0, 77), (-1e-300, 1e-300, 99),
]  # fmt: skip


def test_linspace_of_integers_is_cut() -> None:
    for ends, expected in (
        ((-1, 100), [-1, 19, 39, 59, 79, 100]),
        ((2, -3), [2, 1, 0, -1, -2, -3]),
    ):
        out = np.empty(6, np.int32)
        openaclnn.linspace(*ends, 6, out=out)
        assert out.tolist() == expected
    out = np.empty(3, np.int32)
    openaclnn.linspace(0, 2**30 - 1, 3, out=out)  # FLOAT would have 2**29
    assert out.tolist() == [0, 2**29 - 1, 2**30 - 1]


@pytest.mark.parametrize(("start", "end", "steps"), SPANS)
def test_linspace_of_double_has_its_ends_and_its_middle(
    start: float, end: float, steps: int
) -> None:
    found = openaclnn.linspace(start, end, steps, out=np.empty(steps))
    last, low, high = steps - 1, Fraction(start), Fraction(end)
    true = [(low * (last - i) + high * i) / last for i in range(steps)]
    assert worst(found, true) < 0.75
    assert (found[0], found[-1]) == (start, end)


def cancelling(seed: int, product: np.ndarray) -> np.ndarray:
    """Numbers that take a product away, all of it, nearly so, or not at all."""
    rng = np.random.default_rng(seed)
    apart = rng.choice([0.0, 2.0**-52, 2.0**-45, 2.0**-20, 1.0], product.size)
    return -product * (1 + apart * rng.normal(size=product.size))


@pytest.mark.parametrize("value", [1.0, 0.1, -3.7])
@pytest.mark.parametrize("name", ["addcmul", "addcdiv"])
def test_sums_of_double_are_rounded_once_where_terms_cancel(name: str, value: float) -> None:
    rng = np.random.default_rng(11)
    a, b = rng.normal(size=1000) * 2.0 ** rng.integers(-200, 200, 1000), rng.normal(size=1000)
    self = cancelling(12, value * a * b if name == "addcmul" else value * a / b)
    found = getattr(openaclnn, name)(self, a, b, value=value)
    true = [
        Fraction(s) + Fraction(value) * (x * y if name == "addcmul" else x / y)
        for s, x, y in zip(self.tolist(), map(Fraction, a), map(Fraction, b), strict=True)
    ]
    assert worst(found, true) <= 0.51


def test_lerp_of_double_is_rounded_once_where_terms_cancel() -> None:
    rng = np.random.default_rng(13)
    start, end = (rng.normal(size=1000) * 2.0 ** rng.integers(-9, 9, 1000) for _ in "ab")
    weight = -cancelling(14, start / (start - end))
    found = openaclnn.lerp(start, end, weight)
    true = [
        s + w * (e - s)
        for s, e, w in zip(*(map(Fraction, x.tolist()) for x in (start, end, weight)), strict=True)
    ]
    assert worst(found, true) <= 0.51


@pytest.mark.parametrize("name", ["addcmul", "addcdiv"])
def test_zeros_and_infinities_of_double_are_those_of_the_plain_formula(name: str) -> None:
    numbers = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 1e308, -1e308]
    a, b, c = map(np.ravel, np.meshgrid(numbers, numbers, numbers))
    with np.errstate(all="ignore"):
        right = a + b * c if name == "addcmul" else a + b / c
    found = getattr(openaclnn, name)(a, b, c)
    np.testing.assert_array_equal(found, right)
    number = ~np.isnan(right)
    np.testing.assert_array_equal(np.signbit(found)[number], np.signbit(right)[number])


FUNCTIONS = ("sin", "cos", "tan", "exp", "log", "sqrt", "atan", "reciprocal")


@LEVELS
@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_functions_of_integers_are_those_of_their_floats(level: str, dtype: type) -> None:
    """As PyTorch has it, which converts first; so both levels answer for the same number."""
    limits = np.iinfo(dtype)
    x = np.random.default_rng(15).integers(limits.min, limits.max, 500, dtype)
    x[:3] = 1728582398, 16777217, 27021597764222979 % limits.max
    for name in FUNCTIONS:
        with openaclnn.using(math=level):
            found = getattr(openaclnn, name)(x)
            right = getattr(openaclnn, name)(x.astype(np.float32))
        np.testing.assert_array_equal(found, right)
        expected = getattr(torch, name)(torch.from_numpy(x)).numpy()
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-37)


NEGATIVE = {
    "lt_scalar": torch.lt, "ge_scalar": torch.ge, "eq_scalar": torch.eq, "adds": torch.add,
    "floor_divides": torch.floor_divide, "fmod_scalar": torch.fmod, "rsubs": torch.rsub,
    "remainder_tensor_scalar": torch.remainder, "muls": torch.mul,
}  # fmt: skip


@pytest.mark.parametrize("name", NEGATIVE)
def test_a_negative_number_beside_unsigned_integers_wraps(name: str) -> None:
    x = np.arange(256, dtype=np.uint8)
    for number in (-1, -7, -128, -200):
        right = NEGATIVE[name](torch.from_numpy(x), number)
        np.testing.assert_array_equal(getattr(openaclnn, name)(x, number), right)


@pytest.mark.parametrize("name", ["log_add_exp", "log_add_exp2"])
def test_sums_of_exponentials_of_double_near_0(name: str) -> None:
    """Within 1 ULP where the result is 2⁻⁴⁸ or more, however much of both terms cancels."""
    rng = np.random.default_rng(16)
    with mpmath.workprec(400):
        unit = mpmath.log(2) if name.endswith("2") else mpmath.mpf(1)
        near = rng.uniform(1e-3, 0.69, 300), 2.0 ** rng.uniform(-300, -20, 100)
        larger = -np.concatenate(near) / float(unit)
        meets = [float(mpmath.log(-mpmath.expm1(a * unit)) / unit) for a in larger.tolist()]
        smaller = np.array(meets) * (1 + rng.normal(size=400) * 2.0 ** rng.uniform(-46, -1, 400))
        true = [
            mpmath.log(mpmath.exp(a * unit) + mpmath.exp(b * unit)) / unit
            for a, b in zip(larger.tolist(), smaller.tolist(), strict=True)
        ]
        found = getattr(openaclnn, name)(larger, smaller)
        enough = [abs(t) >= abs(a) * 2.0**-48 for t, a in zip(true, larger.tolist(), strict=True)]
        assert np.mean(enough) > 0.5
        kept = [t for t, ok in zip(true, enough, strict=True) if ok]
        assert worst(found[enough], kept) < 1
    assert openaclnn.log_add_exp2(np.array([-1.0]), np.array([-1.0])) == 0


def test_addcmul_at_level_fast_multiplies_in_the_order_of_pytorch() -> None:
    """1e20·1e20·1e-30 is no infinity on the way."""
    rng = np.random.default_rng(17)
    self, a, b = (torch.from_numpy(rng.normal(size=512)).float() for _ in range(3))
    self[0], a[0], b[0] = 1, 1e20, 1e20
    with openaclnn.using(math="fast"):
        for value in (1.0, 0.1, 1e-30):
            found = openaclnn.addcmul(self, a, b, value=value)
            assert torch.equal(found, torch.addcmul(self, a, b, value=value))


def nearest_ulp(found: np.ndarray, true: list[Any]) -> float:
    """The largest error of float32 results, in ULP of the true values."""
    units = [Fraction(2) ** max(math.frexp(float(t))[1] - 24, -149) for t in true]
    errors = [
        abs(mpmath.mpf(float(f)) - t) / mpmath.mpf(float(unit))
        for f, t, unit in zip(found.tolist(), true, units, strict=True)
    ]
    return float(max(errors))


@pytest.mark.parametrize("target", [0.0, 1.0, 0.25])
def test_cross_entropy_of_logits_keeps_what_is_small_beside_a_logit(target: float) -> None:
    """log(1 + e^-50) is 2e-22, and 50 + log(1 + e^-50) - 50 is 0."""
    x = np.float32([-90, -50, -30, -20, -8, -0.5, 0.5, 8, 20, 30, 50, 90])
    targets, weights = np.full_like(x, target), np.full_like(x, 3.5)
    found = openaclnn.binary_cross_entropy_with_logits(x, targets, None, weights, reduction="none")
    with mpmath.workprec(300):
        true = [
            3.5 * target * mpmath.log1p(mpmath.exp(-mpmath.mpf(one)))
            + (1 - target) * mpmath.log1p(mpmath.exp(mpmath.mpf(one)))
            for one in x.tolist()
        ]
        assert nearest_ulp(found, true) <= 0.51


def test_cross_entropy_of_logits_is_0_beside_the_largest_weights() -> None:
    """e^-1000 is nothing, however many factors it has."""
    x, one, large = np.float32([1000]), np.float32([1]), np.float32([3e38])
    back = openaclnn.binary_cross_entropy_with_logits_backward
    assert back(large, x, one, large, large, reduction="none") == 0
    forward = openaclnn.binary_cross_entropy_with_logits
    assert forward(x, one, large, large, reduction="none") == 0


@pytest.mark.parametrize("p", [6.5, 30.0, 100.0, 1000.0, -30.0, -300.0])
def test_norms_of_large_exponents_do_not_overflow_on_the_way(p: float) -> None:
    rng = np.random.default_rng(18)
    for scale in (1e-30, 1.0, 1e30):
        x = (rng.normal(size=(4, 33)) * scale).astype(np.float32)
        found = openaclnn.norm(x, p_scalar=p, dim=[1])
        with mpmath.workprec(200):
            rows = [[mpmath.power(abs(mpmath.mpf(v)), p) for v in row] for row in x.tolist()]
            true = [mpmath.power(mpmath.fsum(row), mpmath.mpf(1) / p) for row in rows]
            assert nearest_ulp(found, true) <= 0.51
        if p > 0 and scale >= 1:
            shrunk = openaclnn.renorm(x, p=p, dim=0, max_norm=scale / 4)
            norms = openaclnn.norm(shrunk, p_scalar=p, dim=[1])
            np.testing.assert_array_less(abs(norms / (scale / 4) - 1), 1e-5)
    for given in ([0.0, 4.0], [0.0, 0.0], [np.inf, 4.0], [np.nan, 4.0], [np.inf, np.inf]):
        found = openaclnn.norm(np.float32(given), p_scalar=p)
        right = openaclnn.norm(np.float32(given), p_scalar=math.inf if p > 0 else -math.inf)
        np.testing.assert_array_equal(found, right)


def test_places_beyond_an_image_are_at_its_end_however_small_the_factor() -> None:
    x = np.arange(5, dtype=np.float32)[None, None]
    for factor in (1e-5, 1e-10, 1e-30, 1e-45):
        found = openaclnn.upsample_nearest1d_v2(x, output_size=[4], scale_l=factor)
        assert found.ravel().tolist() == [0, 4, 4, 4], factor
        image = x.reshape(1, 1, 1, 5)
        sizes = {"output_size": [1, 4], "align_corners": False}
        found = openaclnn.upsample_bilinear2d(image, **sizes, scales_h=1.0, scales_w=factor)
        assert found.ravel().tolist() == [4, 4, 4, 4], factor


@pytest.mark.parametrize("asked", ["int8", "int16", "int32", "uint8"])
def test_products_of_integers_wrap_in_a_narrower_dtype(asked: str) -> None:
    """It was an internal error: INT64 is not computed in i32."""
    for x in (np.array([[300, 7], [-11, 13]]), np.array([2**40 + 3, 5]), np.arange(6)[::2] + 1):
        found = openaclnn.prod(x, dtype=asked)
        assert found == np.array(math.prod(x.ravel().tolist())).astype(asked)
        assert found.dtype == asked


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "bool", "int64", "float16"])
def test_a_tensor_fills_a_mask_in_any_dtype(dtype: str) -> None:
    """It was an internal error beside integers, unless both dtypes were one."""
    mask = np.array([True, False, True])
    for value in (np.array(3.5, np.float32), np.array(-2), np.array(True), np.float16([7])):
        changed = np.array([1, 0, 1], dtype)
        if dtype == "int64" and value.dtype.kind == "f":
            with pytest.raises(openaclnn.AclnnError, match="expected integers beside INT64"):
                openaclnn.inplace_masked_fill_tensor(changed, mask, value)
            continue
        found = openaclnn.inplace_masked_fill_tensor(changed, mask, value)
        filled = openaclnn.inplace_masked_fill_scalar(changed.copy(), mask, value.item())
        if value.item() >= 0:
            np.testing.assert_array_equal(found, filled)
        assert found[1] == 0
    large = np.array([2**31 - 1] * 3, np.int32)
    found = openaclnn.inplace_masked_fill_tensor(large, mask, np.array(0.5))
    assert found.tolist() == [0, 2**31 - 1, 0]


@pytest.mark.parametrize("sizes", [[2, 0, 2**62], [0, 2**62], [2**62, 0]])
def test_empty_results_beyond_memory_are_refused(sizes: list[int]) -> None:
    with pytest.raises(openaclnn.AclnnError):
        openaclnn.expand(np.zeros((1, 1), np.float32), sizes)
    with pytest.raises(openaclnn.AclnnError):
        openaclnn.repeat(np.zeros((1, 2), np.float32), sizes)
