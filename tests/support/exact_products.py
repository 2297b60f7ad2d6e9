"""Random products of every kind, and what each element of them is: the exact rational number,
rounded once."""

from __future__ import annotations

import math
from dataclasses import dataclass
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
KINDS = ("normal", "wide", "integers", "tiny", "huge", "sparse", "cancelling", "ties")


def rounded(x: Array, dtype: Any) -> Array:
    """Float64 as the nearest numbers of a dtype, each rounded once."""
    digits, least, beyond = _FORMS[np.dtype(dtype).name]
    unit = np.ldexp(1.0, np.maximum(np.frexp(x)[1] - 1, least) - digits + 1)
    found = np.rint(x / unit) * unit
    return np.where(abs(found) < 2.0**beyond, found, np.copysign(np.inf, x))


@dataclass
class ExactSums:
    """What sums of products are: Σ lefts·rights + added, of numbers whose products have at most 53
    bits. Lefts are [m, k], rights [n, k]."""

    lefts: list[Array]
    rights: list[Array]
    added: Array | None = None

    def element(self, i: int, j: int) -> float:
        """A float64 that rounds to fewer bits as the exact sum does: the nearest one; if it may be
        the middle between two numbers, one on the sum's side of it."""
        terms = self._terms(i, j)
        found = math.fsum(terms) + 0.0
        if np.float64(found).view(np.uint64) & 0xFFFFFFF:  # no middle has so many bits
            return found
        rest = math.fsum([*terms, -found])
        return math.nextafter(found, math.copysign(math.inf, rest)) if rest else found

    def _terms(self, i: int, j: int) -> list[float]:
        pairs = zip(self.lefts, self.rights, strict=True)
        terms = [one for left, right in pairs for one in (left[i] * right[j]).tolist()]
        return terms if self.added is None else [*terms, float(self.added[i, j])]

    def wrong(
        self, out: Array, random: np.random.Generator, count: int, most: int = 200
    ) -> list[tuple[int, int]]:
        """Which elements of a result are not the exact ones rounded once.

        All are looked at. Where float64 with its bound tells what is right, that decides; of the
        others, which are those that are repaired and some more, at most so many are added up
        exactly, and so are `count` random ones.
        """
        m, n = out.shape
        if not out.size:
            return []
        near, sizes = np.zeros((m, n)), np.zeros((m, n))
        for left, right in zip(self.lefts, self.rights, strict=True):
            near += left @ right.T
            sizes += abs(left) @ abs(right).T
        if self.added is not None:
            near, sizes = near + self.added, sizes + abs(self.added)
        terms = sum(left.shape[1] for left in self.lefts) + len(self.lefts) + 8
        error = sizes * (1.01 * 2.0**-53 * terms)
        low, high = rounded(near - error, out.dtype), rounded(near + error, out.dtype)
        found = out.astype(np.float64)
        doubtful = (low != high) | (low == 0)
        bad = [(int(i), int(j)) for i, j in np.argwhere(~doubtful & (found != low))]
        places = np.flatnonzero(doubtful)
        if len(places) > most:
            places = random.choice(places, most, replace=False)
        places = np.concatenate([places, random.integers(0, out.size, count)])
        pairs = [(int(place) // n, int(place) % n) for place in places]
        right = rounded(np.array([self.element(i, j) for i, j in pairs]), out.dtype)
        own = np.array([found[place] for place in pairs])
        wrong = (own != right) | (np.signbit(own) != np.signbit(right))
        return bad + [pairs[k] for k in np.flatnonzero(wrong)]


def halves(x: Array) -> list[Array]:
    """Numbers of 48 bits as sums of two of 24."""
    bits = x.view(np.uint64) & np.uint64(-(1 << 29) & (1 << 64) - 1)
    high = bits.view(np.float64)
    return [high, x - high]


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

    @property
    def exact(self) -> ExactSums:
        """What the elements are."""
        a, b = self.a.astype(np.float64), self.b.astype(np.float64)
        added = None if self.c is None else self.c.astype(np.float64) * self.beta
        if self.scale is not None:
            scale, *more = (
                np.repeat(one.astype(np.float64), self.group, 1)[:, : b.shape[1]]
                for one in (self.scale, self.offset)
                if one is not None
            )
            rights = [factor * scale for factor in (b, *more)]
            return ExactSums([a] * len(rights), rights, added)
        lefts = [a] if self.alpha == 1 else halves(a * self.alpha)
        return ExactSums(lefts, [b] * len(lefts), added)

    def wrong(self, random: np.random.Generator, count: int) -> list[tuple[int, int]]:
        """The elements that are not the exact ones rounded once; so many random ones, and those
        that are close to the middle between two numbers, are added up exactly."""
        return self.exact.wrong(self.out, random, count)


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
