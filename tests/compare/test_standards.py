"""Each standard's verdict on arrays small enough to judge by hand."""

from __future__ import annotations

import numpy as np
import pytest

from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT, FLOAT16, DType
from openaclnn.compare import compare
from openaclnn.compare.standards import ALL
from openaclnn.golden.manifest import through

INF, NAN = float("inf"), float("nan")


def ones(count: int, *errors: float) -> np.ndarray:
    """So many ones, the first few off by these errors."""
    values = np.ones(count)
    values[: len(errors)] += errors
    return values


ROWS = [
    # standard, dtype, actual, golden, passes
    # at golden 1 the tolerance is 2⁻¹⁰ + 2⁻¹⁶ = 0.00099
    ("mixed", FLOAT, ones(100, 0.005), ones(100), True),  # 99 % within
    ("mixed", FLOAT, ones(100, 0.005, 0.005), ones(100), False),  # 98 %
    ("mixed", FLOAT, ones(100, 0.0105), ones(100), False),  # beyond 1e-2 and 32 ULP
    ("mixed", FLOAT, [1e6 + 1.5], [1e6], True),  # 24 ULP of 0.0625
    ("mixed", FLOAT, [1e6 + 2.5], [1e6], False),  # 40 ULP
    ("mixed", FLOAT, [2.0**-16], [0.0], True),
    ("mixed", FLOAT, [2.0**-15], [0.0], False),
    ("mixed", FLOAT16, [1 + 2.0**-8], [1.0], True),
    ("mixed", FLOAT16, [1 + 2.0**-8 + 2.0**-10], [1.0], False),
    ("mixed", FLOAT16, ones(100, 0.0625 + 0.03125), ones(100), True),
    ("mixed", FLOAT16, ones(100, 0.125), ones(100), False),
    ("mixed", BF16, [1 + 2.0**-5], [1.0], True),
    ("mixed", BF16, [1 + 2.0**-5 + 2.0**-7], [1.0], False),
    ("mixed", BF16, ones(100, 1.0), ones(100), True),
    ("mixed", BF16, ones(100, 1 + 2.0**-6), ones(100), False),
    # t = 2⁻¹³, 2⁻¹⁰, 2⁻⁷; the 1e-7 in the divisor brings an error of t just below t
    ("relative", FLOAT, [1 + 2.0**-13], [1.0], True),
    ("relative", FLOAT, [1 + 2.0**-13 + 2.0**-23], [1.0], False),
    ("relative", FLOAT, ones(1000, 9 * 2.0**-13), ones(1000), True),
    ("relative", FLOAT, ones(1000, 11 * 2.0**-13), ones(1000), False),
    ("relative", FLOAT, [1e-12], [0.0], True),  # 1e-12 / 1e-7
    ("relative", FLOAT, [1e-10], [0.0], False),
    ("relative", FLOAT16, [1 + 2.0**-10], [1.0], True),
    ("relative", FLOAT16, [1 + 2.0**-9], [1.0], False),
    ("relative", BF16, [1 + 2.0**-7], [1.0], True),
    ("relative", BF16, [1 + 2.0**-6], [1.0], False),
    # 1 + 2⁻⁹ is off by 0.195 %
    ("double-thousandth", FLOAT16, ones(1000, 2.0**-9), ones(1000), False),  # 0.1 %, not fewer
    ("double-thousandth", FLOAT16, ones(1001, 2.0**-9), ones(1001), True),
    ("double-thousandth", FLOAT16, ones(10, 2.0**-10), ones(10), True),  # 0.098 %
    ("double-thousandth", BF16, ones(10, 2.0**-7), ones(10), False),
    ("double-thousandth", FLOAT, ones(10000, 2e-4), ones(10000), False),
    ("double-thousandth", FLOAT, ones(10001, 2e-4), ones(10001), True),
    ("double-thousandth", FLOAT, [1e-30], [0.0], False),  # a missed zero is off without bound
    ("double-thousandth", FLOAT, [-0.0], [0.0], True),
    ("adapter", FLOAT, [1 + 1.9e-4], [1.0], True),
    ("adapter", FLOAT, [1 + 2.1e-4], [1.0], False),
    ("adapter", FLOAT, ones(10**5, 2.1e-4), ones(10**5), False),  # one element is enough
    ("adapter", FLOAT16, [1 + 2.0**-9], [1.0], True),
    ("adapter", FLOAT16, [1 + 3 * 2.0**-10], [1.0], False),
    ("adapter", BF16, [100.0], [100.1], True),  # 0.001 + 0.1001
    ("adapter", BF16, [1.0], [1.0021], False),
    ("msprobe", FLOAT, [1 + 2.0**-20], [1.0], True),
    ("msprobe", FLOAT, [1 + 2.0**-20 + 2.0**-23], [1.0], False),
    ("msprobe", FLOAT, [2.0**-21 + 2.0**-30], [2.0**-21], True),  # small: absolute
    ("msprobe", FLOAT, [2.0**-21 + 2.0**-29], [2.0**-21], False),
    ("msprobe", FLOAT, [2.0**-20 + 2.0**-30], [2.0**-20], False),  # not small: relative
    ("msprobe", FLOAT16, [1 + 2.0**-10], [1.0], True),
    ("msprobe", FLOAT16, [1 + 2.0**-9], [1.0], False),
    ("msprobe", FLOAT16, [2.0**-11 + 2.0**-16], [2.0**-11], True),
    ("msprobe", FLOAT16, [2.0**-11 + 2.0**-16 + 2.0**-21], [2.0**-11], False),
    ("msprobe", BF16, [1.0], [1 + 2.0**-8], True),
    ("msprobe", BF16, [1.0], [1 + 2.0**-7], False),
    ("msprobe", BF16, [2.0**-11], [2.0**-11 + 1e-17], True),
    ("msprobe", BF16, [2.0**-11], [2.0**-11 + 1e-15], False),
    ("ulp", FLOAT, [1.0], [1 + 0.5 * 2.0**-23], True),
    ("ulp", FLOAT, [1.0], [1 + 0.52 * 2.0**-23], False),
    ("ulp", FLOAT, [1.0], [1 - 0.52 * 2.0**-24], False),  # the binade below 1 is finer
    ("ulp", FLOAT, [2.0**-149], [0.5 * 2.0**-149], True),
    ("ulp", FLOAT, [0.0], [0.6 * 2.0**-149], False),
    ("ulp", FLOAT16, [1.0], [1 + 0.5 * 2.0**-10], True),
    ("ulp", BF16, [1.0], [1 + 0.52 * 2.0**-7], False),
    ("ulp", DOUBLE, [1.0], [1 + 2.0**-52], True),  # golden is no finer: it may be off itself
    ("ulp", DOUBLE, [1.0], [1 + 2.0**-51], False),
]  # fmt: skip


@pytest.mark.parametrize(("standard", "dtype", "actual", "golden", "passes"), ROWS)
def test_verdict(standard: str, dtype: DType, actual: object, golden: object, passes: bool) -> None:
    values = np.asarray(actual).astype(np.float32 if dtype is BF16 else dtype.numpy)
    result = compare(values.astype(dtype.numpy), np.asarray(golden, np.float64), standard=standard)
    assert result.passed is passes, str(result)
    assert bool(result) is passes


BENCHMARK_ROWS = [
    # actual, another device's, golden, passes
    ([1 + 2.0**-9], [1 + 2.0**-10], [1.0], True),  # twice the error
    ([1 + 2.0**-9 + 2.0**-20], [1 + 2.0**-10], [1.0], False),
    (ones(100, 10 * 2.0**-12), ones(100, *[2.0**-12] * 100), ones(100), True),  # largest: 10 times
    (ones(100, 11 * 2.0**-12), ones(100, *[2.0**-12] * 100), ones(100), False),
    ([1.0], [1.0], [1.0], True),
    ([1 + 2.0**-20], [1.0], [1.0], False),  # they made no error at all
    ([1.0], [NAN], [1.0], True),
    ([NAN], [1.0], [1.0], False),
]


@pytest.mark.parametrize(("actual", "other", "golden", "passes"), BENCHMARK_ROWS)
def test_benchmark(actual: object, other: object, golden: object, passes: bool) -> None:
    result = compare(
        np.float32(actual), np.float64(golden), "msprobe-benchmark", benchmark=np.float32(other)
    )
    assert result.passed is passes, str(result)


SPECIAL_ROWS = [
    # dtype, actual, golden, passes
    (FLOAT, NAN, NAN, True),
    (FLOAT, INF, INF, True),
    (FLOAT, -INF, -INF, True),
    (FLOAT, -INF, INF, False),
    (FLOAT, NAN, INF, False),
    (FLOAT, NAN, 1.0, False),
    (FLOAT, 1.0, NAN, False),
    (FLOAT, INF, 1.0, False),
    (FLOAT, 1.0, -INF, False),
    (FLOAT, INF, 1e39, True),  # rounds to infinity in float32
    (FLOAT, 3.4e38, 1e39, False),
    (FLOAT16, INF, 65520.0, True),
    (FLOAT16, INF, 65519.0, False),
    (FLOAT16, -INF, -1e5, True),
]


@pytest.mark.parametrize("standard", [key for key in ALL if key != "msprobe-benchmark"])
@pytest.mark.parametrize(("dtype", "actual", "golden", "passes"), SPECIAL_ROWS)
def test_nan_and_infinity(
    standard: str, dtype: DType, actual: float, golden: float, passes: bool
) -> None:
    """Also among ten thousand right elements, where a share would not show it."""
    for others in (0, 10001):
        a, g = np.ones(others + 1), np.ones(others + 1)
        a[0], g[0] = actual, golden
        result = compare(a.astype(dtype.numpy), g, standard=standard)
        assert result.passed is passes, str(result)
        assert result.mismatched == (not passes)
        assert result.special == passes


@pytest.mark.parametrize("dtype", [FLOAT16, BF16, FLOAT, DOUBLE])
def test_nothing_to_fail(dtype: DType) -> None:
    result = compare(np.zeros((0, 3), dtype.numpy), np.zeros((0, 3)))
    assert result.passed
    assert "no elements" in str(result)


def test_a_standard_that_has_no_thresholds_says_so() -> None:
    result = compare(np.ones(3), np.ones(3))
    said = {verdict.standard: verdict.passed for verdict in result.verdicts}
    assert said == {
        key: True if key == "ulp" else None for key in ALL if key != "msprobe-benchmark"
    }
    assert "says nothing about DOUBLE" in str(result)


def test_a_standard_that_nothing_can_pass_says_so() -> None:
    golden = np.random.default_rng(0).normal(0, 1e-4, 5000)
    actual = golden.astype(np.float32).astype(BF16.numpy)
    result = compare(actual, golden)
    assert result.passed
    found = {verdict.standard: verdict for verdict in result.verdicts}
    assert found["msprobe"].passed is None
    note = "results within 0.51 ULP of golden fail this too"
    assert found["msprobe"].note == f"not counted: {note}"
    assert found["mixed"].passed
    assert not found["mixed"].note
    assert compare(actual, golden, round_golden=True).passed
    # who chooses it is told, and it counts
    result = compare(actual, golden, standard=["mixed", "msprobe"])
    assert not result.passed
    assert result.verdicts[1].note.startswith(f"{note}: judge against golden rounded")
    # and it is no excuse for what others pass
    actual[7] *= 2
    failed = [v.standard for v in compare(actual, golden).verdicts if v.passed is False]
    assert failed == ["relative", "ulp"]


def test_good_results_may_round_the_other_way() -> None:
    """0.505 ULP is not the nearest number, and no reason to fail, rounded golden or not."""
    golden = np.ones(5000) + 2.0**-8 * 0.99  # all but half a unit of BF16
    actual = np.ones(5000, BF16.numpy)
    actual[3] = 1 + 2.0**-7
    for rounds in (False, True):
        assert compare(actual, golden, round_golden=rounds).passed
        assert not compare(actual, golden, "adapter", round_golden=rounds).passed


def test_results_that_were_rounded_twice() -> None:
    """To both types of 16 bits: a small range and few bits."""
    golden = np.array([1.0039, 3e-8, 1e-9, 65500.0, 65519.0, 7e4, -65410.0, 70.3])
    with np.errstate(all="ignore"):
        there = golden.astype(np.float32).astype(BF16.numpy).astype(np.float16)
        back = golden.astype(np.float16).astype(BF16.numpy)
    for actual, dtype in ((there, through(BF16, FLOAT16)), (back, through(FLOAT16, BF16))):
        for rounds in (False, True):
            result = compare(actual, golden, dtype=dtype, round_golden=rounds)
            assert result.passed, str(result)
    assert not compare(back, golden, dtype="bf16").passed


def test_the_worst_come_first() -> None:
    golden = np.ones((200, 1000))
    actual = golden.astype(np.float32)
    actual[150, 7] += np.float32(0.5)
    actual[3, 999] -= np.float32(0.25)
    actual[199, 0] = NAN
    result = compare(actual, golden, worst=3)
    assert [e.index for e in result.worst] == [(199, 0), (150, 7), (3, 999)]
    assert [e.ulp_error for e in result.worst] == [INF, 0.5 * 2**23, 0.25 * 2**23]
    assert result.worst[1].abs_error == result.worst[1].rel_error == 0.5
    assert len(compare(actual, golden, worst=0).worst) == 0
    assert len(compare(actual, golden, worst=9).worst) == 3


def test_results_in_a_wider_array_are_judged_as_their_type() -> None:
    golden = np.full(10, 1 + 2.0**-9)
    actual = np.ones(10, np.float32)  # BF16 results, kept in float32
    assert not compare(actual, golden, "ulp").passed
    assert compare(actual, golden, "ulp", dtype="bf16").passed
    bits = np.full(10, 0x3F80, np.uint16)
    assert compare(bits, golden, "ulp", dtype="bf16").passed


def test_wrong_usage() -> None:
    x = np.ones((2, 3), np.float32)
    with pytest.raises(
        ValueError, match=r"shapes differ: actual has shape \[2, 3\], golden .*\[3, 2\]"
    ):
        compare(x, x.T)
    with pytest.raises(ValueError, match="'strict' is no standard; expected default, all, mixed"):
        compare(x, x, standard="strict")
    with pytest.raises(ValueError, match="no standard was chosen; expected default, all, mixed"):
        compare(x, x, standard=[])
    with pytest.raises(ValueError, match="needs another device's results"):
        compare(x, x, standard="msprobe-benchmark")
    with pytest.raises(ValueError, match="actual has dtype INT64; expected DOUBLE, as golden"):
        compare(np.ones(3, int), np.ones(3))
    with pytest.raises(ValueError, match=r"UINT16; expected DOUBLE.*say of which type"):
        compare(np.ones(3, np.uint16), np.ones(3))
    with pytest.raises(ValueError, match="complex64; expected real numbers"):
        compare(np.ones(3, np.complex64), np.ones(3))


def test_integers_are_equal_or_wrong() -> None:
    x = np.array([[1, 2**53, -3], [4, 5, 2**63 - 1]])
    good = compare(x, x)
    assert good.passed
    assert [verdict.standard for verdict in good.verdicts] == ["equal"]
    off = x.copy()
    off[0, 1] += 1
    off[1, 2] = -1
    result = compare(off, x, standard="mixed", worst=1)
    assert not result.passed
    assert result.equal == 4
    assert "2 elements that differ" in str(result)
    assert "[0, 1]  9007199254740993  9007199254740992" in str(result)
    assert "says nothing about INT64" in str(result)


def test_truth_values_may_come_as_bytes() -> None:
    golden = np.array([True, False, True])
    assert compare(np.array([7, 0, 1], np.uint8), golden, dtype="bool").passed
    assert not compare(np.array([1, 1, 1], np.uint8), golden, dtype="bool").passed


def test_any_layout_and_tensor() -> None:
    torch = pytest.importorskip("torch")
    golden = np.arange(12.0).reshape(3, 4)
    assert compare(golden.T.astype(np.float32), golden.T).passed
    assert compare(torch.tensor(golden, dtype=torch.bfloat16, requires_grad=True), golden).passed
    assert compare(golden.astype(">f4")[:, ::-1], golden[:, ::-1]).passed
