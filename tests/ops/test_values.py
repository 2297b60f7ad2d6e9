"""Results: against known rows, the true value, PyTorch and mpmath, for every mix of dtypes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import mpmath
import numpy as np
import pytest
import torch

import openaclnn
from arena import bits, compute
from openaclnn.base import dtypes
from openaclnn.base.dtypes import promote
from openaclnn.ops import find
from openaclnn.truth.double_double import Pair
from openaclnn.truth.reference import reference
from openaclnn.truth.ulp import round_to, ulp_error, wrong_zeros
from samples import ANY_FLOAT, EVERY_OUTPUT, Known, Samples
from walks import ALL, every_op_in, every_sampled_op

BOUND = 0.51
QUIET_NAN = {"f32": 0x7FC00000, "f16": 0x7E00, "bf16": 0x7FC0, "f64": 0x7FF8 << 48}
SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 1e-45, -1e-45, 6e-8, 3e38, -3e38, 65504.0,
           -65504.0, 3.0, -3.0, -1.2784645, 88.0, 103.0, -100.0, -190.0]  # fmt: skip


def promoted(input_dtypes: tuple[str, ...]) -> str:
    found = promote(*map(dtypes.by_name, input_dtypes))
    assert found is not None
    return found.short


def product_for(samples: Samples, input_dtypes: tuple[str, ...], out: str) -> str | None:
    """A product with all dtypes that takes this mix."""
    for name in ("Ascend910B", "Ascend950"):
        if samples.takes(input_dtypes, out, name):
            return name
    return None


def mixes(samples: Samples) -> Iterator[tuple[str, ...]]:
    """Every mix of input dtypes that some product takes."""
    for mix in product(samples.dtypes, repeat=len(samples.inputs)):
        if product_for(samples, mix, promoted(mix)):
            yield mix


def as_used(attributes: Mapping[str, Any], promoted_dtype: str) -> dict[str, Any]:
    """Attributes as the operator uses them: beta and the slope as float32, but for DOUBLE."""
    used = dict(attributes)
    for name in ("beta", "negative_slope"):
        if name in used and promoted_dtype != "f64":
            used[name] = float(np.float32(used[name]))
    return used


def defaults(samples: Samples, attributes: Mapping[str, Any]) -> dict[str, Any]:
    plain = {
        "smooth_l1_loss_backward": {"reduction": "mean", "beta": 1.0},
        "leaky_relu_backward": {"negative_slope": 0.01},
    }
    return {**plain.get(samples.op, {}), **attributes}


def draw(samples: Samples, mix: tuple[str, ...], count: int = 3000) -> list[np.ndarray]:
    """Values in their dtypes, as float64: all magnitudes, many near the edges, no NaN."""
    rng = np.random.default_rng([ord(letter) for letter in samples.op + "".join(mix)])
    columns = []
    for position, dtype in enumerate(mix):
        normal = rng.normal(0, 3, count)
        wide = rng.choice([-1, 1], count) * 10.0 ** rng.uniform(-46, 38, count)
        deep = rng.uniform(-200, 110, count)
        near = rng.choice(samples.edges, count) * (1 + rng.choice([0, 1e-7, 1e-3, 0.05], count))
        pick = rng.integers(0, 4, count)
        values = np.choose(pick, [normal, wide, normal if position == 0 else deep, near])
        with np.errstate(all="ignore"):
            values = values.astype(dtypes.by_name(dtype).numpy).astype(np.float64)
        columns.append(np.where(np.isfinite(values), values, 1.0))
    return columns


def assert_right(
    samples: Samples, actual: np.ndarray, dtype: str, inputs: list[Any], attributes: Any
) -> None:
    """Within the bound of the true value; zeros of the right sign; NaN in its one form."""
    promoted_dtype = dtypes.by_name(dtype)
    true = reference(find(samples.op), inputs, attributes, promoted=promoted_dtype)
    error = ulp_error(actual, dtype, true)
    worst = int(np.argmax(error.ravel()))
    where = [np.broadcast_to(values, actual.shape).ravel()[worst] for values in inputs]
    assert error.max(initial=0) <= BOUND, f"{error.max()} ULP at {where}: {actual.ravel()[worst]!r}"
    assert not wrong_zeros(actual, dtypes.by_name(dtype), true).any()
    assert_one_nan(actual, dtype)


def assert_one_nan(actual: np.ndarray, dtype: str) -> None:
    nan = np.isnan(actual)
    assert (bits(actual)[nan] == QUIET_NAN[dtype]).all()


KNOWN = [(samples, row, dtype) for samples in ALL for row in samples.known for dtype in row.dtypes]


@pytest.mark.parametrize(
    ("samples", "row", "dtype"), KNOWN, ids=[f"{s.op}-{d}-{r.why}" for s, r, d in KNOWN]
)
def test_known_results(samples: Samples, row: Known, dtype: str, engine: str) -> None:
    if engine == "plain" and row.beyond_float64:
        pytest.skip("plain NumPy has float64's range")
    actual = compute(samples, row.inputs, [dtype] * len(row.inputs), dtype, row.attributes)
    expected = round_to(dtypes.by_name(dtype), Pair(np.array(row.expected, float), np.float64(0)))
    if row.within:
        np.testing.assert_allclose(actual, row.expected, rtol=0, atol=row.within)
    else:
        actual, expected = bits(actual), bits(expected)
        assert [hex(b) for b in actual] == [hex(b) for b in expected]


MIXES = [(samples, mix) for samples in ALL for mix in mixes(samples)]
by_mix = pytest.mark.parametrize(
    ("samples", "mix"), MIXES, ids=[f"{s.op}-{'-'.join(m)}" for s, m in MIXES]
)


@by_mix
def test_within_the_bound(samples: Samples, mix: tuple[str, ...]) -> None:
    inputs, out = draw(samples, mix), promoted(mix)
    name = product_for(samples, mix, out)
    assert name is not None
    for attributes in samples.attributes:
        with openaclnn.using(product=name):
            actual = compute(samples, inputs, mix, out, attributes)
        assert_right(samples, actual, out, inputs, attributes)


@by_mix
def test_special_values(samples: Samples, mix: tuple[str, ...]) -> None:
    out = promoted(mix)
    with np.errstate(all="ignore"):
        columns = [
            np.array(SPECIAL).astype(dtypes.by_name(dtype).numpy).astype(np.float64)
            for dtype in mix
        ]
    inputs = [values.ravel() for values in np.meshgrid(*columns)]
    name = product_for(samples, mix, out)
    assert name is not None
    for attributes in samples.attributes:
        with openaclnn.using(product=name):
            actual = compute(samples, inputs, mix, out, attributes)
        assert_right(samples, actual, out, inputs, attributes)


OUTPUTS = [
    (samples, mix, out)
    for samples, mix in MIXES
    for out in EVERY_OUTPUT
    if out != promoted(mix) and samples.takes(mix, out, "Ascend910B")
]


@pytest.mark.parametrize(
    ("samples", "mix", "out"), OUTPUTS, ids=[f"{s.op}-{'-'.join(m)}-{o}" for s, m, o in OUTPUTS]
)
def test_other_outputs_are_conversions(samples: Samples, mix: tuple[str, ...], out: str) -> None:
    """Rounded to the promoted dtype, and that then converted: the same as from NumPy."""
    inputs = [np.concatenate([values[:500], SPECIAL]) for values in draw(samples, mix)]
    inputs[-1][500:] = np.roll(inputs[-1][500:], 3)
    attributes = samples.attributes[1 % len(samples.attributes)]
    first = compute(samples, inputs, mix, promoted(mix), attributes).astype(np.float64)
    actual = compute(samples, inputs, mix, out, attributes)
    part = {"c64": "f32", "c128": "f64"}.get(out, out)
    if part != out:
        assert (bits(actual.imag) == 0).all()
        actual = np.ascontiguousarray(actual.real)
    expected = round_to(dtypes.by_name(part), Pair(first, np.float64(0)))
    np.testing.assert_array_equal(bits(actual), bits(expected))


@every_op_in("f16", "bf16")
def test_every_16_bit_number(samples: Samples, dtype: str) -> None:
    facts = dtypes.by_name(dtype)
    with np.errstate(all="ignore"):  # ml_dtypes warns of signalling NaNs
        everything = np.arange(1 << 16, dtype=np.uint16).view(facts.numpy).astype(np.float64)
    others = [np.ones(1 << 16)] + [np.full(1 << 16, 0.375)] * (len(samples.inputs) - 2)
    for position in range(len(samples.inputs)):
        inputs = list(others)
        inputs.insert(position, everything)
        actual = compute(samples, inputs, [dtype] * len(inputs), dtype)
        assert_right(samples, actual, dtype, inputs, {})


@every_op_in(*ANY_FLOAT)
def test_pytorch_agrees(samples: Samples, dtype: str) -> None:
    inputs = draw(samples, (dtype,) * len(samples.inputs))
    spacing = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-23, "f64": 2.0**-52}[dtype]
    smallest = {"f16": 2.0**-24, "bf16": 2.0**-133, "f32": 2.0**-149, "f64": 2.0**-1074}[dtype]
    largest = {"f16": 65504.0, "bf16": 3.38e38, "f32": 3.4e38, "f64": 1.7e308}[dtype]
    for attributes in samples.attributes:
        actual = compute(samples, inputs, [dtype] * len(inputs), dtype, attributes)
        used = as_used(defaults(samples, attributes), dtype)
        true = samples.oracle(*map(torch.from_numpy, inputs), **used).numpy()
        ok = np.isfinite(true) & (np.abs(true) < largest)
        # what PyTorch itself loses: cancellation of order g·2⁻⁵² at silu's root
        error = np.abs(actual.astype(np.float64) - true)[ok]
        allowed = 0.51 * (spacing * np.abs(true) + smallest) + 4 * 2.0**-52 * np.abs(inputs[0])
        assert (error <= allowed[ok]).all()


def neighbours(value: float) -> list[float]:
    x = np.float32(value)
    return [float(np.nextafter(x, np.float32(-np.inf))), float(x), float(np.nextafter(x, np.inf))]


@every_sampled_op
def test_hard_points_against_mpmath(samples: Samples) -> None:
    rows = [
        (float(np.float32(row[0])), x, *(float(np.float32(v)) for v in row[2:]))
        for row in samples.hard
        for x in neighbours(row[1])
    ]
    inputs = [np.array(column) for column in zip(*rows, strict=True)]
    attributes = {"reduction": "none"} if "reduction" in samples.plain else {}
    actual = compute(samples, inputs, ["f32"] * len(inputs), "f32", attributes)
    used = as_used(defaults(samples, attributes), "f32")
    with mpmath.workprec(600):
        for row, value in zip(rows, actual.tolist(), strict=True):
            true = samples.exact(*map(mpmath.mpf, row), **used)
            if abs(true) >= mpmath.mpf(2) ** 128:
                continue
            exponent = max(int(mpmath.floor(mpmath.log(abs(true), 2))) if true else -126, -126)
            error = abs(mpmath.mpf(value) - true) / mpmath.mpf(2) ** (exponent - 23)
            assert error <= BOUND, f"{float(error)} ULP at {row}: {value!r}"


@by_mix
def test_plain_engine_agrees(
    samples: Samples, mix: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The obvious engine gives the same up to what its textbook formula loses."""
    from openaclnn.calls import executor, two_phase
    from openaclnn.engines.plain import PlainEngine

    inputs, out = draw(samples, mix, 800), promoted(mix)
    attributes = samples.attributes[-1]
    name = product_for(samples, mix, out)
    assert name is not None
    with openaclnn.using(product=name):
        fast = compute(samples, inputs, mix, out, attributes).astype(np.float64)
        monkeypatch.setattr(executor, "engine_for", lambda device: PlainEngine())
        two_phase._ready.clear()
        plain = compute(samples, inputs, mix, out, attributes).astype(np.float64)
        two_phase._ready.clear()
    spacing = {"f16": 2.0**-10, "bf16": 2.0**-7, "f32": 2.0**-23, "f64": 2.0**-52}[out]
    smallest = {"f16": 2.0**-24, "bf16": 2.0**-133, "f32": 2.0**-149, "f64": 2.0**-1074}[out]
    with np.errstate(all="ignore"):
        allowed = spacing * np.abs(fast) + smallest + 2.0**-48 * np.abs(inputs[0])
        same = (fast == plain) | (np.abs(fast - plain) <= allowed)
    assert same.all()


@every_sampled_op
def test_fast_level_is_close(samples: Samples) -> None:
    """float32 throughout: not exact, but no worse than a few units where nothing cancels."""
    inputs = draw(samples, ("f32",) * len(samples.inputs))
    with openaclnn.using(math="fast"):
        actual = compute(samples, inputs, ["f32"] * len(inputs), "f32").astype(np.float64)
    used = as_used(defaults(samples, {}), "f32")
    true = samples.oracle(*map(torch.from_numpy, inputs), **used).numpy()
    ok = np.isfinite(actual) & (np.abs(true) < 3.4e38)
    allowed = 8 * 2.0**-23 * np.abs(true) + 2.0**-148 + 4 * 2.0**-23 * np.abs(inputs[0])
    assert ok.mean() > 0.9
    assert (np.abs(actual - true)[ok] <= allowed[ok]).all()


@every_op_in("f32", "f16", "bf16")
def test_nan_payloads_end(samples: Samples, dtype: str, engine: str) -> None:
    """Every NaN that comes in, signalling and negative ones too, leaves as the one quiet NaN."""
    facts = dtypes.by_name(dtype)
    patterns = {
        "f32": [0x7FC00001, 0xFFC00000, 0x7F800001, 0xFF812345, 0x7FFFFFFF],
        "f16": [0x7E01, 0xFE00, 0x7C01, 0xFC55, 0x7FFF],
        "bf16": [0x7FC1, 0xFFC0, 0x7F81, 0xFF85, 0x7FFF],
    }[dtype]
    unsigned = f"u{facts.itemsize}"
    nans = np.array(patterns, unsigned).view(facts.numpy)
    ones = np.ones(len(nans), facts.numpy)
    outputs = [
        out for out in EVERY_OUTPUT if samples.takes((dtype,) * len(samples.inputs), out, "")
    ]
    for out in outputs:
        actual = compute(
            samples, [nans] + [ones] * (len(samples.inputs) - 1), [dtype] * len(samples.inputs), out
        )
        part = {"c64": "f32", "c128": "f64"}.get(out, out)
        real = np.ascontiguousarray(actual.real) if part != out else actual
        assert [hex(b) for b in bits(real)] == [hex(QUIET_NAN[part])] * len(nans)
