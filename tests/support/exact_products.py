"""Random products of every kind, and what each element of them is: the exact rational number,
rounded once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np

from openaclnn.base import dtypes
from openaclnn.base.tensors import View, view
from openaclnn.engines.cpu.routines.contraction import ContractionRunner, runner
from openaclnn.plan import Place, RoutinePass
from openaclnn.spec.contraction import Contraction

Array = np.ndarray[Any, Any]

FLOATS = (np.float32, np.float16, ml_dtypes.bfloat16)
_FORMS = {"float16": (11, -14, 16), "bfloat16": (8, -126, 128), "float32": (24, -126, 128)}
_SHIFT = 200  # bits: every float32 is a multiple of 2^-200
KINDS = ("normal", "wide", "integers", "tiny", "huge", "sparse", "cancelling", "ties")


def nearest(exact: Fraction, dtype: Any) -> float:
    """The float of a dtype nearest to a number, of two the even one."""
    digits, least, beyond = _FORMS[np.dtype(dtype).name]
    exponent = exact.numerator.bit_length() - exact.denominator.bit_length()
    if not exact:
        return 0.0
    exponent -= abs(exact) < Fraction(2) ** exponent
    unit = Fraction(2) ** (max(exponent, least) - digits + 1)
    found = round(exact / unit) * unit
    return float(found) if abs(found) < Fraction(2) ** beyond else math.copysign(math.inf, found)


def in_units(row: Array) -> list[int]:
    """Numbers as multiples of 2^-200."""
    parts, exponents = np.frexp(row.astype(np.float64))
    shifts = exponents.astype(int) - 53 + _SHIFT
    digits = (parts * 2.0**53).astype(np.int64)
    return [
        int(d) << int(s) if s >= 0 else int(d) >> -int(s)
        for d, s in zip(digits, shifts, strict=True)
    ]


def numbers(random: np.random.Generator, shape: tuple[int, int], dtype: Any, kind: str) -> Array:
    """Random numbers of a kind."""
    short = np.dtype(dtype) == np.float16
    x = random.standard_normal(shape)
    if kind in ("wide", "cancelling"):
        span = 8 if short else 30
        x = x * 2.0 ** random.integers(-span, span, shape)
    if kind in ("integers", "ties"):
        x = random.integers(-8, 9, shape).astype(np.float64)
    if kind == "tiny":
        x = x * 2.0 ** (-12 if short else -72)
    if kind == "huge":
        x = x * 2.0 ** (7 if short else 62)
    if kind == "sparse":
        x = x * (random.random(shape) < 0.3)
    return x.astype(dtype)


def laid_out(random: np.random.Generator, x: Array) -> Array:
    """The same numbers in some layout."""
    way = random.integers(5)
    if way == 1:
        return np.asfortranarray(x)
    if way == 2:
        wide = np.zeros((x.shape[0], 2 * x.shape[1]), x.dtype)
        wide[:, ::2] = x
        return wide[:, ::2]
    if way == 3:
        return np.ascontiguousarray(x[::-1, ::-1])[::-1, ::-1]
    return np.ascontiguousarray(x)


@dataclass
class Product:
    """alpha · a · bᵀ + beta · c, ready to run into `out`; b may be quantised, in groups along a
    row, and packed: two numbers of 4 bits to a byte."""

    a: Array
    b: Array
    out: Array
    c: Array | None = None
    alpha: float = 1.0
    beta: float = 1.0
    scale: Array | None = None
    offset: Array | None = None
    group: int = 0
    packed: Array | None = None

    @property
    def operands(self) -> list[Array]:
        b = self.b if self.packed is None else self.packed
        there = (self.a, b, self.scale, self.offset, self.c, self.out)
        return [one for one in there if one is not None]

    @property
    def planned(self) -> RoutinePass:
        operands = self.operands
        views = [*map(view_of, operands)]
        if self.packed is not None:
            views[1] = view(dtypes.INT4, self.b.shape)
        how = Contraction(alpha=self.alpha, beta=self.beta, group=self.group,
                          shifted=self.offset is not None)  # fmt: skip
        places = tuple(map(Place, range(len(operands))))
        return RoutinePass(how, places, tuple(views), len(operands) - 1)

    def run(self) -> ContractionRunner:
        made = runner(self.planned)
        made.run(made.pack([x.ctypes.data for x in self.operands], 0))
        return made

    def meant(self, j: int, k: int) -> Fraction:
        """What a quantised number stands for."""
        assert self.scale is not None
        place = (j, k // self.group)
        shift = 0.0 if self.offset is None else float(self.offset[place])
        return (Fraction(int(self.b[j, k])) + Fraction(shift)) * Fraction(float(self.scale[place]))

    def exact(self, i: int, j: int) -> Fraction:
        """An element, not rounded."""
        if self.scale is not None:
            terms = (Fraction(float(x)) * self.meant(j, k) for k, x in enumerate(self.a[i]))
            bias = 0 if self.c is None else Fraction(float(self.c[i, j]))
            return sum(terms, Fraction(0)) + bias
        pairs = zip(in_units(self.a[i]), in_units(self.b[j]), strict=True)
        total = Fraction(sum(x * y for x, y in pairs), 1 << 2 * _SHIFT) * Fraction(self.alpha)
        added = 0 if self.c is None else Fraction(self.beta) * Fraction(float(self.c[i, j]))
        return total + added

    def wrong(self, random: np.random.Generator, count: int) -> list[tuple[int, int]]:
        """Of so many random elements, those that are not the exact ones rounded once."""
        found = []
        for _ in range(count):
            i, j = int(random.integers(self.out.shape[0])), int(random.integers(self.out.shape[1]))
            if float(self.out[i, j]) != nearest(self.exact(i, j), self.out.dtype):
                found.append((i, j))
        return found


def view_of(x: Array) -> View:
    """An array as a view from its first element on."""
    dtype = dtypes.from_numpy(x.dtype)
    assert dtype is not None
    return view(dtype, x.shape, tuple(s // x.itemsize for s in x.strides))


def random_product(random: np.random.Generator, most: int = 40, long: int = 300) -> Product:
    """A product of random sizes, dtypes, layouts and numbers."""
    m, n = (int(size) for size in random.integers(1, most, 2))
    k = int(random.integers(0, long))
    dtype_a, dtype_b, dtype_c, dtype_out = (FLOATS[i] for i in random.integers(0, 3, 4))
    kind = KINDS[random.integers(len(KINDS))]
    a, b = numbers(random, (m, k), dtype_a, kind), numbers(random, (n, k), dtype_b, kind)
    if kind == "cancelling":
        half = k // 2
        a[:, half : 2 * half], b[:, half : 2 * half] = -a[:, :half], b[:, :half]
        a[:, :1] = a[:, :1] * a.dtype.type(1.01)
    out = laid_out(random, np.zeros((m, n), dtype_out))
    found = Product(laid_out(random, a), laid_out(random, b), out)
    if random.random() < 0.5:
        found.c = laid_out(random, numbers(random, (m, n), dtype_c, kind))
        if random.random() < 0.7:
            found.alpha, found.beta = map(float, random.standard_normal(2).astype(np.float32))
    return found


def random_quantised(random: np.random.Generator, most: int = 40, long: int = 300) -> Product:
    """A product with random integers of 8 or 4 bits, which have scales and perhaps offsets."""
    m, n = (int(size) for size in random.integers(1, most, 2))
    k, dtype = int(random.integers(1, long)), FLOATS[random.integers(1, 3)]
    if random.random() < 0.3:
        m = 1
    group = int(random.choice([32, 64, k]))
    if group < 32:
        group = k
    kind = KINDS[random.integers(len(KINDS))]
    shape = (n, -(-k // group))
    a, scale = numbers(random, (m, k), dtype, kind), numbers(random, shape, dtype, kind)
    out = laid_out(random, np.zeros((m, n), dtype))
    bits = int(random.choice([4, 8]))
    half = 1 << bits - 1
    b = random.integers(-half, half, (n, k)).astype(np.int8)
    found = Product(laid_out(random, a), laid_out(random, b), out, group=group)
    found.scale = laid_out(random, scale)
    if random.random() < 0.5:
        found.offset = laid_out(random, numbers(random, shape, dtype, "normal"))
    if random.random() < 0.5:
        found.c = laid_out(random, numbers(random, (m, n), dtype, kind))
    if bits == 4:
        found.b = b
        nibbles = np.append(b.reshape(-1), np.zeros(b.size % 2, np.int8)).view(np.uint8) & 15
        found.packed = nibbles[::2] | nibbles[1::2] << 4
    return found
