"""Integers in formulas: the kernels' bits are those of exact arithmetic, and nothing traps."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import openaclnn
from bodies import on_cpu
from interpreter import evaluate
from openaclnn.arithmetic import integers as of_integers
from openaclnn.arithmetic.lower import Body, lower
from openaclnn.arithmetic.nodes import make
from openaclnn.base.dtypes import DOUBLE, FLOAT, INT8, INT32, INT64, UINT8, DType, integers
from openaclnn.spec import formula as words
from openaclnn.spec.formula import tensor, trace

COMPUTE = {FLOAT: "f64", DOUBLE: "f64", INT8: "i32", UINT8: "i32", INT32: "i32", INT64: "i64"}
BOTH = {"a": tensor("a"), "b": tensor("b")}


def body_of(word: str, dtype: DType, compute: str = "") -> Body:
    function: Callable[..., Any] = getattr(words, word)
    names = {"a": tensor("a")} if word in ROUNDING else BOTH
    traced = trace(lambda **given: function(*given.values()), names)
    return lower(traced, (dtype,) * len(names), dtype, (dtype,), compute or COMPUTE[dtype])


def floats(count: int, seed: int) -> Any:
    rng = np.random.default_rng(seed)
    special = [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1e-45, 2.0**23, 2.0**52, 3e38, np.inf, np.nan]
    spread = rng.normal(size=count) * 2.0 ** rng.integers(-140, 120, count)
    found = np.concatenate([special, -np.array(special), rng.normal(0, 9, count), spread])
    return rng.permutation(found.astype(np.float32))


ROUNDING = {"floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "rounded": np.rint}


@pytest.mark.parametrize("word", ROUNDING)
@pytest.mark.parametrize(("dtype", "compute"), [(FLOAT, "f32"), (FLOAT, "f64"), (DOUBLE, "f64")])
def test_rounding(word: str, dtype: DType, compute: str) -> None:
    x = floats(300, 1).astype(dtype.numpy)
    x = np.concatenate([x, np.nextafter(x, np.inf), np.nextafter(x, -np.inf)])
    found, expected = on_cpu(body_of(word, dtype, compute), [x], dtype), ROUNDING[word](x)
    same = (found == expected) & (np.signbit(found) == np.signbit(expected))
    assert (same | np.isnan(x)).all()


def edges(dtype: DType) -> tuple[Any, Any]:
    """Every pair of small numbers, ends and some between."""
    every = integers(dtype)
    some = {every[0], every[0] + 1, every[-1], every[-1] - 1, every[-1] // 3, 7, 8, 31, 32, 63, 64}
    some |= {number for number in range(-4, 5) if number in every}
    values = np.array(sorted(some & set(every) if dtype.bits == 8 else some), dtype.numpy)
    a, b = np.meshgrid(values, values)
    return a.ravel(), b.ravel()


def exactly(word: str, a: int, b: int, dtype: DType) -> int:
    """In Python's integers."""
    if word in ("trunc_div", "floor_div", "fmod", "remainder"):
        towards = (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1) if b else 0
        down = a // b if b else 0
        return {
            "trunc_div": towards,
            "floor_div": down,
            "fmod": a - towards * b,
            "remainder": a - down * b,
        }[word]
    if word in ("shift_left", "shift_right"):
        if not 0 <= b < 64:
            return 0 if word == "shift_left" or a >= 0 else -1
        return a << b if word == "shift_left" else a >> b
    return {"bit_and": a & b, "bit_or": a | b, "bit_xor": a ^ b, "gcd": math.gcd(a, b)}[word]


WORDS = ("trunc_div", "floor_div", "fmod", "remainder", "shift_left", "shift_right", "bit_and",
         "bit_or", "bit_xor", "gcd")  # fmt: skip


@pytest.mark.parametrize("dtype", [INT8, UINT8, INT32, INT64], ids=str)
@pytest.mark.parametrize("word", WORDS)
def test_integers(word: str, dtype: DType) -> None:
    a, b = edges(dtype)
    expected = [exactly(word, int(x), int(y), dtype) for x, y in zip(a, b, strict=True)]
    span = 1 << dtype.bits
    wrapped = [(n - integers(dtype)[0]) % span + integers(dtype)[0] for n in expected]
    body = body_of(word, dtype)
    assert on_cpu(body, [a, b], dtype).tolist() == wrapped
    unsigned = f"u{dtype.itemsize}"
    found = evaluate(body.results[0], a.view(unsigned), b.view(unsigned)).view(dtype.numpy)
    assert found.tolist() == wrapped


@pytest.mark.parametrize("word", ["trunc_div", "floor_div", "fmod", "remainder"])
def test_floats_leave_what_fractions_leave(word: str) -> None:
    a, b = floats(600, 2), floats(600, 3)
    found = on_cpu(body_of(word, FLOAT), [a, b], FLOAT)
    if word in ("fmod", "remainder"):  # by way of float64 in any case
        assert np.array_equal(on_cpu(body_of(word, FLOAT, "f32"), [a, b], FLOAT), found, True)
    finite = np.isfinite(a) & np.isfinite(b) & (b != 0)
    for x, y, z in zip(a[finite], b[finite], found[finite], strict=True):
        quotient = Fraction(float(x)) / Fraction(float(y))
        times = int(quotient) if word in ("trunc_div", "fmod") else quotient.__floor__()
        rest = Fraction(float(x)) - times * Fraction(float(y))
        exact = Fraction(times) if word.endswith("div") else rest
        with np.errstate(over="ignore"):
            assert z == np.float32(float(exact)), (x, y)
    with np.errstate(all="ignore"):
        if word == "fmod":
            assert np.array_equal(found, np.fmod(a, b), equal_nan=True)
            assert np.array_equal(np.signbit(found)[finite], np.signbit(a)[finite])


def test_doubles_leave_what_fractions_leave() -> None:
    rng = np.random.default_rng(4)
    special = [0.0, -0.0, 5e-324, -2.3e-308, 1.0, -3.0, 1.7e308, np.inf, -np.inf, np.nan]
    sizes = 2.0 ** rng.uniform(-1074, 1023, (2, 900)) * rng.choice([-1, 1], (2, 900))
    near = rng.normal(0, 9, (2, 900))
    a, b = (
        np.concatenate([one, two, three.ravel()])
        for one, two, three in zip(sizes, near, np.meshgrid(special, special), strict=True)
    )
    body = body_of("fmod", DOUBLE)
    assert body.unguarded is not None
    assert body.rare is not None
    with np.errstate(all="ignore"):
        expected = np.fmod(a, b)
    found, short, rare = (
        evaluate(node, a, b).view(np.float64 if node.type == "i64" else np.bool_)
        for node in (body.results[0], body.unguarded[0], body.rare)
    )
    same = (found == expected) & (np.signbit(found) == np.signbit(expected))
    assert (same | (np.isnan(found) & np.isnan(expected))).all()
    assert np.array_equal(found[~rare], short[~rare])
    assert on_cpu(body, [a, b], DOUBLE).tobytes() == found.tobytes()


@pytest.mark.parametrize("type", ["f32", "f64"])
def test_what_one_instruction_does_is_recognised(type: str) -> None:
    x = make("load", type, value=0)
    for word, function in (("rint", of_integers.rounded), ("trunc", of_integers.trunc), ("floor",
                           of_integers.floor), ("ceil", of_integers.ceil)):  # fmt: skip
        assert of_integers.instruction(function(x)) == (word, x)
    for other in (
        x,
        -x,
        abs(x),
        of_integers.floor(x) - 1.0,
        of_integers.trunc_div(x, x + 1.0),
    ):
        assert of_integers.instruction(other) is None


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_an_infinite_divisor_leaves_all_or_goes_once_more(dtype: type) -> None:
    a, infinite = np.full(300, 1.5, dtype), np.full(300, np.inf, dtype)
    for found in (
        openaclnn.fmod_scalar(a, np.inf),
        openaclnn.fmod_scalar(a, -np.inf),
        openaclnn.fmod_tensor(a, -infinite),
        openaclnn.remainder_tensor_scalar(a, np.inf),
        openaclnn.remainder_scalar_tensor(1.5, infinite),
    ):
        assert np.array_equal(found, a)
    assert np.array_equal(openaclnn.remainder_tensor_scalar(a, -np.inf), -infinite)
    assert np.array_equal(openaclnn.remainder_scalar_tensor(1.5, -infinite), -infinite)
