"""The basic operations behind the formulas, evaluated by a small interpreter of their trees."""

from __future__ import annotations

import itertools
import struct
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import openaclnn
from interpreter import Array, evaluate, fma32, fma64, nearest
from openaclnn.arithmetic import rounding
from openaclnn.arithmetic.lower import Body, lower
from openaclnn.arithmetic.nodes import Node, const, fma, in_order, make
from openaclnn.arithmetic.simplify import (
    fewer_choices,
    simplified,
    unguarded_where_finite,
    unguarded_where_numbers,
)
from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT, FLOAT16, DType
from openaclnn.engines import plain
from openaclnn.ops import all_ops, by_default, find
from openaclnn.spec import describe
from openaclnn.spec.formula import walk
from openaclnn.spec.op import Op
from openaclnn.spec.steps import elementwise


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    with np.errstate(all="ignore"):
        yield


def load(type: str) -> Node:
    return make("load", type, value=0)


def test_the_interpreters_fma() -> None:
    """Against exact rationals, rounded by hand."""
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, 500)).astype(np.float32)
    c = (-a * b * (1 + rng.choice([0, 2.0**-24, 2.0**-20, 1], 500))).astype(np.float32)
    for x, y, z, found in zip(a, b, c, fma32(a, b, c), strict=True):
        exact = Fraction(float(x)) * Fraction(float(y)) + Fraction(float(z))
        assert found == nearest(exact, 24, -126)
    wide = [values.astype(np.float64) * (1 + 2.0**-40) for values in (a, b, c)]
    wide[2][:20] *= 2.0**-1060
    for x, y, z, found in zip(*wide, fma64(*wide), strict=True):
        assert found == nearest(Fraction(x) * Fraction(y) + Fraction(z), 53, -1022)
    assert evaluate(fma(load("f32"), load("f32"), -1.0), np.array([3], np.float32)).tolist() == [8]


def hard_doubles(target: DType) -> Array:
    """Doubles at, and just beside, the ties of a 16-bit type: what rounding twice gets wrong."""
    finite = np.arange(0x7C00 if target is FLOAT16 else 0x7F80, dtype=np.uint16)
    values = finite.view(target.numpy).astype(np.float64)
    ties = (values[:-1] + values[1:]) / 2
    rng = np.random.default_rng(3)
    ties = np.concatenate([ties[:200], rng.choice(ties, 1500), ties[-200:]])
    steps = np.array([0, 2.0**-52, -(2.0**-52), 2.0**-40, -(2.0**-40), 2.0**-26, -(2.0**-26)])
    near = (ties[:, None] * (1 + steps)).ravel()
    return np.concatenate([near, -near])


@pytest.mark.parametrize("target", [FLOAT16, BF16], ids=repr)
def test_doubles_are_rounded_once(target: DType) -> None:
    """Leaky ReLU hands a positive branch through, so the output is the rounding alone."""
    g = hard_doubles(target)
    out = np.empty(g.shape, target.numpy)
    openaclnn.leaky_relu_backward(g, np.ones_like(g), out=out)
    precision, lowest = (11, -14) if target is FLOAT16 else (8, -126)
    largest = float(np.finfo(np.float16).max) if target is FLOAT16 else float(
        ml_dtypes.finfo(ml_dtypes.bfloat16).max
    )  # fmt: skip
    for value, found in zip(g.tolist(), out.astype(np.float64).tolist(), strict=True):
        expected = nearest(Fraction(value), precision, lowest)
        if abs(expected) > largest:
            expected = float(np.copysign(np.inf, value))
        assert found == expected, (value.hex(), found, expected)


@pytest.mark.parametrize("target", [FLOAT16, BF16], ids=repr)
def test_narrowing_to_odd_then_rounding(target: DType) -> None:
    """The same by the tree itself, float32's extremes and specials included."""
    extremes = [0.0, -0.0, np.inf, -np.inf, 1e308, -1e308, 5e-324, 3.5e38, 1e-46, 2.0**-150]
    g = np.concatenate([hard_doubles(target), extremes])
    tree = rounding.write(load("f64"), DOUBLE, target)
    found = evaluate(tree, g).view(target.numpy).astype(np.float64)
    out = np.empty(g.shape, target.numpy)
    openaclnn.leaky_relu_backward(g, np.ones_like(g), out=out)
    assert np.array_equal(found, out.astype(np.float64))


def test_constants_are_rounded_and_shared() -> None:
    assert const("f32", 0.1).value == struct.unpack("f", struct.pack("f", 0.1))[0]
    assert const("f32", 0.1) is const("f32", 0.1)
    assert const("f64", 0.0) is not const("f64", -0.0)


@pytest.mark.parametrize("name", ["silu_backward", "log_sigmoid_backward"])
def test_both_formulas_mean_the_same(name: str) -> None:
    op = find(name)
    x = np.random.default_rng(5).uniform(-300, 300, 10000)
    x = x[abs(x + 1.2784645) > 1e-3]  # where silu's slope is no difference of like numbers
    values = [
        plain.evaluate(op.traced_in(compute).results[0], {"grad_output": 1.0, "self": x}, {})
        for compute in ("f32", "f64")
    ]
    np.testing.assert_allclose(*values, rtol=1e-12)


UNIFORMS = list(itertools.product((1.0, 0.3), (1.0,), (1.0, 0.1), (0.0, -0.0)))


@pytest.mark.parametrize("uniforms", UNIFORMS)
def test_steps_that_change_nothing_are_left_out(uniforms: tuple[float, ...]) -> None:
    body = lower(
        find("smooth_l1_loss_backward").traced_in("f64"), (FLOAT,) * 3, FLOAT, (FLOAT,), "f32"
    )
    simple = simplified(body, uniforms)
    patterns = np.random.default_rng(4).integers(0, 2**32, (3, 4000), np.uint32)
    patterns[:, :5] = [0, 1 << 31, 0x7F800000, 0xFF800000, 0x7F800001]
    loads = patterns.view(np.float32)
    loads[2][:2000] = 0
    whole = evaluate(body.results[0], *loads, uniforms=uniforms)
    assert (evaluate(simple.results[0], *loads, uniforms=uniforms) == whole).all()
    assert _multiplications(simple) == 1 + (uniforms[0] != 1) + (uniforms[2] != 1)


def test_factors_of_one_are_left_out() -> None:
    """With them LLVM rounds float16 one by one."""
    op = find("round_decimals")
    traced = op.traced_in("f32")
    body = lower(traced, (FLOAT16,), FLOAT16, (FLOAT16,), "f32")
    assert not _multiplications(simplified(body, (1.0, 1.0)))


@pytest.mark.parametrize("dtype", [FLOAT, FLOAT16, BF16], ids=lambda dtype: dtype.name)
@pytest.mark.parametrize("name", ["maximum", "hardtanh", "neg", "abs", "threshold", "mul"])
def test_choices_that_change_nothing_are_left_out(name: str, dtype: DType) -> None:
    op = find(name)
    body = lower(op.traced_in("f32"), (dtype,) * len(op.reads), dtype, (dtype,), "f32")
    short = fewer_choices(body)
    bits = dtype.bits
    random = np.random.default_rng(6).integers(0, 2**bits, (2, 1 << 16), f"u{bits // 8}")
    infinity = np.array([np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0]).astype(dtype.numpy)
    special = np.append(infinity, infinity[:2]).view(random.dtype)
    special[-2:] += 1  # NaN of either sign, not the usual ones
    random[:, :64] = np.stack(np.meshgrid(special, special)).reshape(2, -1)
    loads = random.view("f4" if dtype is FLOAT else "i2")[: len(op.reads)]
    for uniforms in itertools.product((-1.0, 0.3, np.nan), repeat=2):
        whole, found = (
            evaluate(one.results[0], *loads, uniforms=uniforms).astype(random.dtype)
            for one in (body, short)
        )
        assert (found == whole).all()
    same = ("mul", "neg", "abs", "threshold") if dtype is FLOAT else ("mul",)
    assert (short.results == body.results) == (name in same)


def test_the_unguarded_way_for_finite_numbers() -> None:
    body = lower(
        find("hardsigmoid_backward").traced_in("f64"), (FLOAT,) * 2, FLOAT, (FLOAT,), "f32"
    )
    short = unguarded_where_finite(body)
    assert short.unguarded is not None
    assert short.rare is not None
    patterns = np.random.default_rng(5).integers(0, 2**32, (2, 20000), np.uint32)
    patterns[0, :6] = [0, 1 << 31, 0x7F800000, 0xFF800000, 0x7F800001, 0x7F7FFFFF]
    patterns[1, :10000] = 0
    loads = patterns.view(np.float32)
    rare = evaluate(short.rare, *loads).astype(bool)
    assert (rare == ~np.isfinite(loads[0])).all()
    same = evaluate(short.unguarded[0], *loads) == evaluate(body.results[0], *loads)
    assert same[~rare].all()


@pytest.mark.parametrize("name", ["mul", "maximum", "threshold_backward"])
def test_the_unguarded_way_for_numbers(name: str) -> None:
    body = lower(find(name).traced_in("f32"), (FLOAT,) * 2, FLOAT, (FLOAT,), "f32")
    short = unguarded_where_numbers(fewer_choices(body))
    assert short.unguarded is not None
    assert short.rare is not None
    patterns = np.random.default_rng(7).integers(0, 2**32, (2, 20000), np.uint32)
    patterns[:, :4] = [0x7F800000, 0xFF800000, 0x7F800001, 0]
    loads = patterns.view(np.float32)
    rare = evaluate(short.rare, *loads, uniforms=(0.5,)).astype(bool)
    whole = evaluate(body.results[0], *loads, uniforms=(0.5,))
    assert (rare == np.isnan(whole.view(np.float32))).all()
    assert (evaluate(short.unguarded[0], *loads, uniforms=(0.5,)) == whole)[~rare].all()


@pytest.mark.parametrize("op", by_default().values(), ids=lambda op: op.name)
@pytest.mark.parametrize("dtype", [FLOAT, FLOAT16, BF16], ids=lambda dtype: dtype.name)
def test_only_hardsigmoid_has_that_way(op: Op, dtype: DType) -> None:
    inputs = (dtype,) * len(op.reads)
    body = lower(op.traced_in("f32"), inputs, dtype, (dtype,), "f32")
    found = unguarded_where_finite(body) is not body
    assert found == ((op.name, dtype) == ("hardsigmoid_backward", FLOAT))


def _multiplications(body: Body) -> int:
    return sum(node.op in ("mul", "fma") for node in in_order(body.results[0]))


FUNCTIONS = [
    op
    for op in all_ops().values()
    if len(op.reads) == 1 and not op.attributes and op.steps is elementwise
    if not {"fold", "described"} & {one.op for tree in op.expressions for one in walk(tree)}
]


@pytest.mark.parametrize("op", [op for op in FUNCTIONS if not op.in_place], ids=lambda op: op.name)
def test_what_a_short_cut_divides_is_finite(op: Op) -> None:
    """A GPU's way to a quotient makes NaN of an infinite dividend."""
    for dtype, level in itertools.product((FLOAT, FLOAT16, BF16), ("exact", "fast")):
        if dtype not in describe.dtypes(op):
            continue
        compute = op.computes_in(dtype, level)
        traced = op.traced_in(compute)
        body = lower(traced, (dtype,), dtype, (dtype,) * len(traced.results), compute)
        x = np.array([-np.inf, -3e38, -1e4, -1, 0, 1, 1e4, 3e38, np.inf], np.float32)
        given = x.astype(dtype.numpy)
        loaded = given if dtype is FLOAT else given.view(np.uint16)
        for node in in_order(*body.results):
            if node.op == "quotient":
                assert not np.isinf(evaluate(node.args[0], loaded)).any(), (dtype, level)


def test_a_reciprocal_of_an_estimate_is_the_nearest() -> None:
    """The same, for estimates that are the nearest or beside it; an H200 was asked for all 2²³
    significands."""
    rng = np.random.default_rng(7)
    b = rng.integers(0x3F800000, 0x40000000, 1 << 16, np.uint32)
    b = np.concatenate([b, [0x3F800000, 0x3F800001, 0x3FFFFFFE]]).astype(np.uint32).view(np.float32)
    exact, one = 1 / b, np.ones_like(b)
    for off in (-1, 0, 1):
        r = (exact.view(np.int32) + np.int32(off)).view(np.float32)
        assert np.array_equal(fma32(r, fma32(-b, r, one), r), exact)


def test_a_root_of_an_estimate_is_the_nearest() -> None:
    """As a GPU computes it (engines/cuda/instructions.py), whatever the estimate's last bits."""
    rng = np.random.default_rng(6)
    a = rng.integers(0x3F800000, 0x40800000, 1 << 14, np.uint32).view(np.float32)
    exact = (1 / np.sqrt(a.astype(np.float64))).astype(np.float32).view(np.int32)
    for off in range(-4, 5):
        y = (exact + np.int32(off)).view(np.float32)
        g, h = a * y, y * np.float32(0.5)
        e = fma32(-g, h, np.full_like(g, 0.5))
        g, h = fma32(g, e, g), fma32(h, e, h)
        assert np.array_equal(fma32(fma32(-g, g, a), h, g), np.sqrt(a))
