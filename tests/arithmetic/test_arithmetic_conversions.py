"""From every dtype to every other, at the values where conversions differ."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from bodies import on_cpu
from conversions import (
    FLOATS,
    INTEGERS,
    REAL,
    SAME,
    as_loaded,
    compute_of,
    edges,
    expected,
    limits,
    same,
)
from interpreter import Array, evaluate
from openaclnn.arithmetic.lower import lower
from openaclnn.base.dtypes import (
    BOOL,
    COMPLEX64,
    COMPLEX128,
    DOUBLE,
    FLOAT,
    FLOAT16,
    INT8,
    INT32,
    INT64,
    DType,
)
from openaclnn.base.status import AclnnError, Status
from openaclnn.spec.formula import Expr, Traced, equal, exp, tensor, trace, uniform


@pytest.mark.parametrize("source", REAL, ids=str)
@pytest.mark.parametrize("target", REAL, ids=str)
def test_every_pair(source: DType, target: DType) -> None:
    body = lower(SAME, (source,), source, (target,), compute_of(source))
    values = edges(source)
    wanted = expected(values, source, target)
    found = evaluate(body.results[0], as_loaded(values, source))
    assert same(found.view(target.numpy), wanted)
    assert on_cpu(body, [values], target).tobytes() == found.tobytes()


@pytest.mark.parametrize("source", REAL, ids=str)
@pytest.mark.parametrize("target", [COMPLEX64, COMPLEX128], ids=str)
def test_complex_outputs_are_real(source: DType, target: DType) -> None:
    body = lower(SAME, (source,), source, (target,), compute_of(source))
    assert body.complex == (True,)
    values = edges(source)
    found = on_cpu(body, [values], target)
    part = FLOAT if target is COMPLEX64 else DOUBLE
    assert same(np.ascontiguousarray(found.real), expected(values, source, part))
    assert not found.imag.any()


@pytest.mark.parametrize("dtype", [*INTEGERS, BOOL], ids=str)
@pytest.mark.parametrize("promoted", FLOATS, ids=str)
def test_integers_in_float_formulas(dtype: DType, promoted: DType) -> None:
    """A product with 1 in f32 or f64 shows what an integer is read as."""
    compute = "f64" if promoted is DOUBLE else "f32"
    once = trace(lambda x, one: x * one, {"x": tensor("x"), "one": tensor("one")})
    target = DOUBLE if promoted is DOUBLE else FLOAT
    body = lower(once, (dtype, promoted), target, (target,), compute)
    values = edges(dtype)
    ones = np.ones(values.shape, promoted.numpy)
    found = on_cpu(body, [values, ones], target)
    assert same(found, expected(values, dtype, target))


def wrapped(value: int, dtype: DType) -> int:
    low, _ = limits(dtype)
    return (value - low) % 2**dtype.bits + low


@pytest.mark.parametrize("dtype", INTEGERS, ids=str)
def test_integer_formulas(dtype: DType) -> None:
    """Sums, differences and products wrap; comparisons know signs and their absence."""
    x, y, k = tensor("x"), tensor("y"), uniform("k")
    parameters = {"x": x, "y": y, "k": k}
    values = edges(dtype)
    pairs = list(itertools.product(values.tolist()[::7], repeat=2))
    a, b = (np.array(column, dtype.numpy) for column in zip(*pairs, strict=True))
    rows: list[tuple[Expr, Callable[[int, int], int]]] = [
        (x * y + k, lambda a, b: a * b + 3),
        (x - y, lambda a, b: a - b),
        (-x, lambda a, b: -a),
        (abs(x), lambda a, b: abs(a)),
        (x * 5 - 7, lambda a, b: a * 5 - 7),
    ]
    for tree, meant in rows:
        found = _integers(tree, parameters, dtype, dtype, (a, b))
        assert found.tolist() == [wrapped(meant(p, q), dtype) for p, q in pairs], tree
    tests: list[tuple[Expr, Callable[[int, int], bool]]] = [
        (x < y, lambda a, b: a < b),
        (x <= y, lambda a, b: a <= b),
        (x > y, lambda a, b: a > b),
        (x >= y, lambda a, b: a >= b),
        (equal(x, y), lambda a, b: a == b),
        ((x < y) & ~equal(x, 0), lambda a, b: a < b and a != 0),
        ((x < y) ^ (y > 1), lambda a, b: (a < b) != (b > 1)),
    ]
    for tree, holds in tests:
        for out in (BOOL, INT64, FLOAT16):
            found = _integers(tree, parameters, dtype, out, (a, b))
            assert found.tolist() == [holds(p, q) for p, q in pairs], (tree, out)


def _integers(
    tree: Expr, parameters: dict[str, Expr], dtype: DType, out: DType, values: tuple[Array, Array]
) -> Array:
    body = lower(
        trace(lambda **_: tree, parameters), (dtype, dtype), dtype, (out,), compute_of(dtype)
    )
    loads = [as_loaded(v, dtype) for v in values]
    found = on_cpu(body, values, out, [3])
    assert evaluate(body.results[0], *loads, uniforms=[3]).tobytes() == found.tobytes()
    return found


def boolean(tree: Expr, *names: str) -> Traced:
    return trace(lambda **_: tree, {name: tensor(name) for name in names})


def test_conditions_of_numbers_and_numbers_of_conditions() -> None:
    x, y = tensor("x"), tensor("y")
    values = np.array([0.0, -0.0, 1.5, np.nan, np.inf, -3.0], np.float32)
    others = np.array([1, 0, 2, 0, 255, 0], np.uint8)
    truth, other = values != 0, others != 0

    def found(tree: Expr, out: DType) -> list[object]:
        body = lower(boolean(tree, "x", "y"), (FLOAT, BOOL), FLOAT, (out,), "f32")
        return on_cpu(body, [values, others], out).tolist()

    assert found(x & y, BOOL) == (truth & other).tolist()
    assert found(x | y, BOOL) == (truth | other).tolist()
    assert found(x ^ y, INT8) == (truth ^ other).tolist()
    assert found(~x, FLOAT) == (~truth).astype(np.float32).tolist()
    assert found((x > 0) + y, FLOAT) == ((values > 0).astype(np.float32) + other).tolist()


def test_several_results() -> None:
    x = tensor("x")
    traced = trace(lambda x: (x * 2, x > 1), {"x": x})
    body = lower(traced, (FLOAT,), FLOAT, (COMPLEX64, BOOL), "f32")
    assert [result.type for result in body.results] == ["i32", "i8"]
    assert body.complex == (True, False)
    values = np.array([0.5, 3.0], np.float32)
    assert evaluate(body.results[0], values).view(np.float32).tolist() == [1.0, 6.0]
    assert evaluate(body.results[1], values).tolist() == [0, 1]


def test_what_no_compute_type_has_is_refused() -> None:
    half = trace(lambda x: x * 0.5, {"x": tensor("x")})
    with pytest.raises(ValueError, match=r"0\.5 is no constant of a formula in i32"):
        lower(half, (INT32,), INT32, (INT32,), "i32")
    with pytest.raises(ValueError, match="INT64 is not computed in i32"):
        lower(SAME, (INT64,), INT32, (INT32,), "i32")
    with pytest.raises(ValueError, match="FLOAT is not computed in i64"):
        lower(SAME, (FLOAT,), INT64, (INT64,), "i64")


def test_words_of_uniforms() -> None:
    product = trace(lambda x, k: x * k, {"x": tensor("x"), "k": uniform("k")})
    floats = lower(product, (FLOAT,), FLOAT, (FLOAT,), "f32")
    assert floats.uniforms == ("f64",)
    assert floats.packed([0.5]) == np.float64(0.5).tobytes()
    integers = lower(product, (INT8,), INT8, (INT8,), "i32")
    assert integers.uniforms == ("i64",)
    assert integers.packed([-2]) == np.int64(-2).tobytes()
    assert evaluate(integers.results[0], np.array([3], np.uint8), uniforms=[-2]) == 250


def test_functions_of_integers_are_refused() -> None:
    grown = trace(lambda x: exp(x), {"x": tensor("x")})
    with pytest.raises(AclnnError, match="openaclnn does not compute exp for integers") as caught:
        lower(grown, (INT32,), INT32, (INT32,), "i32")
    assert caught.value.status is Status.INNER_FIND_KERNEL_ERROR


def test_a_double_divided_by_a_constant_is_rounded_once() -> None:
    sixth = trace(lambda x: x / 6, {"x": tensor("x")})
    body = lower(sixth, (DOUBLE,), DOUBLE, (DOUBLE,), "f64")
    x = np.random.default_rng(1).normal(size=10000)
    assert (evaluate(body.results[0], x).view(np.float64) == x / 6).all()
