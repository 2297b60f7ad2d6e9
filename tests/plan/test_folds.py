"""Folds: exact sums whatever the order, the layout, the parts and the threads; softmax."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest

import openaclnn
import sums
from arena import bits
from openaclnn.arithmetic.folding import MOST_POWERS, SPECIAL, folding_of
from openaclnn.arithmetic.nodes import in_order
from openaclnn.base import settings
from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT
from openaclnn.calls import two_phase
from openaclnn.calls.arrays import as_tensor
from openaclnn.calls.functions import Caller
from openaclnn.engines.cpu import CpuEngine, launch, threads
from openaclnn.engines.cpu.sums import accumulator as cpu_sums
from openaclnn.engines.cuda.rows import with_terms
from openaclnn.ops import find
from openaclnn.plan import Plan
from openaclnn.spec.formula import fold, tensor, text
from openaclnn.truth.double_double import Pair
from openaclnn.truth.ulp import ulp_error

DTYPES = pytest.mark.parametrize("dtype", sums.DTYPES, ids=lambda dtype: np.dtype(dtype).name)


@DTYPES
def test_sums_are_exact(dtype: Any) -> None:
    rng = np.random.default_rng(0)
    for length in (1, 2, 31, 64, 1000, 1025, 3000, 4100, 20_000):
        assert sums.complaints(rng, 20 if length < 4000 else 5, length, dtype) == []


def test_beside_a_tie() -> None:
    """What lies half-way between two float32, but for less than a float64 shows."""
    near = np.float32(float.fromhex("0x1.10ba8ep58"))
    row = np.array([near, 2.0**34, -57], np.float32)
    assert openaclnn.reduce_sum(row) == sums.exact(row, np.float32) == near


@DTYPES
def test_blocks_of_every_kind(dtype: Any) -> None:
    """Near each other, further apart, far: whatever was learnt of a block, the next is right."""
    rng = np.random.default_rng(2)
    spreads = rng.integers(0, 4, 12) * (4 if dtype == np.float16 else 20)
    parts = [rng.normal(0, 1, 9_000) * 2.0 ** rng.integers(-s, 1, 9_000) for s in spreads]
    values = np.concatenate(parts).astype(dtype)
    assert openaclnn.reduce_sum(values) == sums.exact(values, dtype)
    assert openaclnn.reduce_sum(-values[::-1].copy()) == -sums.exact(values, dtype)


@DTYPES
def test_outputs_of_any_stride(dtype: Any) -> None:
    """Sums of rows and of columns, side by side or not."""
    values = np.random.default_rng(7).integers(-3, 4, (37, 40)).astype(dtype)
    expected = values.astype(np.float64).sum(1).tolist()
    for view, step in itertools.product((values, np.asfortranarray(values)), (1, 2, 3, -1)):
        out = np.full(37 * abs(step), 5).astype(dtype)
        openaclnn.reduce_sum(view, dims=(1,), out=out[::step])
        assert out[::step].tolist() == expected
        out[::step] = 5
        assert np.all(out == 5)


@DTYPES
def test_few_terms_are_small(dtype: Any) -> None:
    """They are set aside, if there is room; zeros take none, and many small terms find none."""
    rng = np.random.default_rng(8)
    for share in (0, 0.0005, 0.003, 0.05, 0.5):
        values = rng.normal(0, 1, 70_000) ** 2
        values[rng.random(70_000) < 0.2] = 0
        values[rng.random(70_000) < share] *= 2.0**-22
        values = (values * rng.choice([1, -1])).astype(dtype)
        expected = sums.exact(values, dtype)
        for view in (values, values[::-1], np.sort(values)):
            assert openaclnn.reduce_sum(view) == expected


@DTYPES
def test_processors_that_do_not_tell_of_roundings(
    dtype: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cpu_sums, "NOTES", {})
    monkeypatch.setattr(two_phase, "_ready", {})
    launch._kernels_of_fold.cache_clear()
    values = sums.terms(np.random.default_rng(9), (7, 3001), dtype)
    found = np.asarray(openaclnn.reduce_sum(values, dims=(1,)))
    launch._kernels_of_fold.cache_clear()
    assert found.tolist() == [sums.exact(row, dtype) for row in values]


def test_functions_for_other_processors() -> None:
    """What LLVM knows how to ask an ARM processor."""
    llvm = pytest.importorskip("llvmlite.binding")
    for dtype, compute in ((FLOAT, "f32"), (BF16, "f32"), (DOUBLE, "f64")):
        how = folding_of("add", dtype, FLOAT, compute)
        llvm.parse_assembly(cpu_sums.functions(how, "aarch64")).verify()


@DTYPES
def test_any_number_of_parts(dtype: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads have parts of what is folded, by OpenMP or by Python."""
    values = sums.terms(np.random.default_rng(1), (3, 50_000), dtype)
    right = [sums.exact(row, dtype) for row in values]
    for count in (1, 2, 7, 50, 3):
        monkeypatch.setattr(threads, "_count", count)
        if count == 3:
            in_python = threads._SHARE_TYPE(threads._share_in_python)
            monkeypatch.setattr(threads, "sharer_for_c", lambda call=in_python: call)
            monkeypatch.setattr(two_phase, "_ready", {})
        view = values[:, ::-1] if count == 2 else values
        assert np.asarray(openaclnn.reduce_sum(view, dims=(1,))).tolist() == right


def test_sums_need_no_workspace() -> None:
    """Not on a CPU, however long they are."""
    for size in (1000, 1 << 17):
        given = [as_tensor(np.ones(size, np.float32)), (0,), False, FLOAT]
        out = as_tensor(np.empty((), np.float32), True)
        assert two_phase.prepare(find("reduce_sum"), [*given, out]).workspace_size == 0


def test_sums_of_numbers_far_apart() -> None:
    """Every exponent that float64 has, and what overflows on the way but not in the end."""
    rng = np.random.default_rng(2)
    for _ in range(100):
        values = rng.integers(0, 0x7FF << 52, 400).view(np.float64) * rng.choice([-1, 1], 400)
        values[:4] = [1.7e308, 1.7e308, -1.7e308, -1.7e308]
        expected = sum(map(Fraction, values.tolist()))
        limit = Fraction(2) ** 1024 - Fraction(2) ** 970
        wanted = float(expected) if abs(expected) < limit else math.copysign(math.inf, expected > 0)
        if abs(expected) >= limit and expected < 0:
            wanted = -math.inf
        assert openaclnn.reduce_sum(rng.permutation(values)) == wanted


def test_special_numbers() -> None:
    inf, nan = math.inf, math.nan
    for values, expected in (
        ([inf, 1, 2], inf), ([-inf, 5], -inf), ([inf, -inf], nan), ([nan, inf], nan), ([], 0.0),
    ):  # fmt: skip
        for dtype in (np.float32, np.float16, np.float64):
            for length in (len(values), 5000):
                padded = np.zeros(length, dtype)
                padded[: len(values)] = values
                found = openaclnn.reduce_sum(padded)
                assert found == expected or (math.isnan(expected) and np.isnan(found))


@pytest.mark.parametrize("op", ["l1_loss", "mse_loss", "smooth_l1_loss"])
def test_losses_are_rounded_once(op: str) -> None:
    """The exact sum of terms that are right to 53 bits, as one number."""
    rng = np.random.default_rng(3)
    for length in (1, 17, 1000, 70_000, 300_000):
        x, y = (sums.terms(rng, (length,), np.float32) for _ in range(2))
        d = np.abs(x.astype(np.float64) - y)
        terms = {"l1_loss": d, "mse_loss": d * d}.get(op)
        if terms is None:
            terms = np.where(d < 1, d * d * 0.5, d - 0.5)
        total = math.fsum(terms)
        results = [getattr(openaclnn, op)(x, y, reduction=way) for way in ("sum", "mean")]
        assert [np.float32(total), np.float32(total / length)] == results


def test_means_of_doubles() -> None:
    rng = np.random.default_rng(4)
    for _ in range(300):
        values = rng.normal(0, 1, rng.integers(1, 2000)) * 2.0 ** rng.integers(-30, 30)
        exact = sum(map(Fraction, values.tolist())) / len(values)
        found = float(openaclnn.mean(values))
        error = abs(Fraction(found) - exact) / Fraction(math.ulp(found))
        assert error <= Fraction(51, 100)


@pytest.mark.parametrize("dtype", ["f32", "f16", "bf16"])
def test_softmax_is_within_its_bound(dtype: str) -> None:
    rng = np.random.default_rng(5)
    numpy_dtype = {"f32": np.float32, "f16": np.float16, "bf16": sums.DTYPES[2]}[dtype]
    for rows, length, spread in ((40, 33, 3), (10, 300, 30), (8, 5, 90), (2, 5000, 1)):
        x = rng.normal(0, spread, (rows, length)).astype(numpy_dtype)
        x[0, 0] += 100
        y = openaclnn.softmax(x, dim=1)
        g = rng.normal(0, 1, (rows, length)).astype(numpy_dtype)
        gradient = openaclnn.softmax_backward(g, y, dim=1)
        with mpmath.workprec(120):
            for k in range(rows):
                powers = [mpmath.exp(v) for v in x[k].astype(np.float64).tolist()]
                total = mpmath.fsum(powers)
                assert_near(y[k], dtype, [p / total for p in powers])
                ys, gs = (list(map(mpmath.mpf, v[k].astype(np.float64).tolist())) for v in (y, g))
                inner = mpmath.fsum(a * b for a, b in zip(ys, gs, strict=True))
                true = [a * (b - inner) for a, b in zip(ys, gs, strict=True)]
                # where nearly all digits of the difference cancel, a float64's last one is left
                left = [a * (abs(b) + abs(inner)) * 2.0**-52 for a, b in zip(ys, gs, strict=True)]
                assert_near(gradient[k], dtype, true, left)


def assert_near(found: Any, dtype: str, true: list[Any], left: list[Any] | None = None) -> None:
    high = np.array([float(value) for value in true])
    low = np.array([float(value - float(value)) for value in true])
    error = ulp_error(found, dtype, Pair(high, low))
    if left is not None:
        error[np.abs(found.astype(np.float64) - high) <= np.array(left, np.float64)] = 0
    assert error.max() <= 0.51


def test_threads_and_layouts_of_losses() -> None:
    rng = np.random.default_rng(6)
    x, y = (rng.normal(0, 1, (300, 700)).astype(np.float32) for _ in range(2))
    threads = openaclnn.get_num_threads()
    found = set()
    try:
        for count in (1, 2, 7):
            openaclnn.set_num_threads(count)
            for a, b in ((x, y), (x.T, y.T), (x[::-1], y[::-1]), (np.asfortranarray(x), y)):
                found.add(bits(openaclnn.mse_loss(a, b)).tobytes())
    finally:
        openaclnn.set_num_threads(threads)
    assert len(found) == 1


def test_what_is_no_fold() -> None:
    with pytest.raises(ValueError, match="a fold is one of add, mean, max, digits, not 'median'"):
        fold(tensor("x"), "median")


def test_the_text_of_folds() -> None:
    x = tensor("x")
    assert text(x / fold(abs(x), "add")) == "x / sum(|x|)"


def test_a_call_like_an_earlier_one_tells_its_workspace() -> None:
    x = np.linspace(-1, 1, 40_000, dtype=np.float32)  # no row of one kernel
    out, found = np.empty_like(x), []
    for _ in range(3):
        status, size, executor = openaclnn.aclnn.aclnnSoftmaxGetWorkspaceSize(x, 0, out)
        memory = np.empty(size, np.uint8)
        assert openaclnn.aclnn.aclnnSoftmax(memory, size, executor) == 0
        found.append((status, size))
    assert found[0][1] > 0
    assert found == found[:1] * 3


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))), ids=str)
@pytest.mark.parametrize("dim", [0, 1, 2])
def test_rows_in_one_kernel(
    order: tuple[int, ...], dim: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Passes over whole rows in one kernel, and one after the other: dimensions of equal sizes tell
    whether a unit is the same rows to all of them."""
    x = np.random.default_rng(1).normal(0, 5, (40, 40, 40)).astype(np.float32).transpose(order)
    found = openaclnn.softmax(x, dim=dim)
    monkeypatch.setattr(two_phase, "_ready", {})
    monkeypatch.setattr(CpuEngine, "prepare", _apart)
    monkeypatch.setattr(CpuEngine, "workspace_size", lambda engine, plan: plan.workspace_size)
    apart = np.empty_like(found)
    executor = two_phase.prepare(find("softmax"), [as_tensor(x), dim, as_tensor(apart, True)])
    workspace, keep = executor.ready.allocate()
    executor.run(workspace, executor.workspace_size, None)
    del keep
    assert np.array_equal(found, apart)


def _apart(engine: CpuEngine, plan: Plan) -> Any:
    return _prepare(engine, replace(plan, rows=None, whole=None))


_prepare = CpuEngine.prepare


@pytest.mark.parametrize("level", ["exact", "fast"])
def test_powers_of_softmax_are_computed_once(level: str) -> None:
    """On a GPU the last pass has the terms of the sum, and one reciprocal serves a row; nobody sees
    to powers above 1, which there are not."""
    x = np.zeros((4, 8), np.float32)
    with openaclnn.using(math=level):
        ready = two_phase.prepare(find("softmax"), [as_tensor(x), -1, as_tensor(x.copy())]).ready
    rows = ready.plan.rows
    assert rows is not None
    powers, last = rows.passes[1].body, rows.passes[2].body
    terms = ((powers.results[0], rows.reads[1], "term"),)
    shorter, names = with_terms(last, rows.reads[2], terms)
    assert names == ("term",)
    operations = [node.op for node in in_order(*shorter.results)]
    assert operations.count("div") == 1
    assert "quotient" not in operations
    assert "quotient" not in [node.op for node in in_order(*powers.results)]
    unequal_reads = ((powers.results[0], (7, *rows.reads[1][1:]), "of another operand"),)
    assert with_terms(last, rows.reads[2], unequal_reads) == (last, ())


def test_many_powers_are_added_up_in_another_way() -> None:
    """An integer has no room for them; calls in new shapes are not taken for those of fewer."""
    for count in (100, 200, 1 << 18, 300, MOST_POWERS, MOST_POWERS + 1):
        found = openaclnn.softmax(np.full(count, 7, np.float32), dim=0)
        assert np.array_equal(found, np.full(count, 1 / count, np.float32))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_digits_of_a_sum(engine: str, dtype: Any) -> None:
    """Integers of the exact sum, whatever carries an engine has made."""
    pytest.importorskip("torch")
    from openaclnn.torch import shares

    op = shares.digits(find("mean"))
    attributes = (1,), False, op.attributes[2].default
    rng = np.random.default_rng(3)
    rows = sums.terms(rng, (3, 500), dtype)
    rows[1, :2] = np.inf, -np.inf
    rows[2, 0] = -np.inf
    found = np.asarray(Caller(op).call(rows, *attributes, None)).tolist()
    assert [row[:SPECIAL] for row in found] == [[0, 0, 0], [1, 0, 0], [0, 0, 1]]
    lowest = -1074 if dtype is np.float64 else -149
    for row, (_, _, _, *digits) in zip(rows.tolist(), found, strict=True):
        total = sum(digit << 32 * k for k, digit in enumerate(digits))
        assert total * Fraction(2) ** lowest == sum(map(Fraction, filter(math.isfinite, row)))


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
@pytest.mark.parametrize("shape", [(3, 5), (40, 5), (300, 5), (3, 1000), (2, 40_000)])
def test_of_powers_in_float32(name: str, shape: tuple[int, int]) -> None:
    """What is left to do with a row's terms may take other things than those."""
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    with settings.using(math="fast"):
        found = getattr(openaclnn, name)(x, 1)
    wide = x.astype(np.float64) - x.max(1, keepdims=True)
    powers = np.exp(wide)
    total = powers.sum(1, keepdims=True)
    expected = powers / total if name == "softmax" else wide - np.log(total)
    assert np.allclose(found, expected, 1e-5, 1e-6)
