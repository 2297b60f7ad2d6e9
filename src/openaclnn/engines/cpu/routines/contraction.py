"""Contractions on the CPU: which kernel, on which blocks of the result."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from openaclnn.arithmetic.folding import folding_of
from openaclnn.base.dtypes import BOOL, DOUBLE, FLOAT, DType
from openaclnn.base.floating import plain_arithmetic
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import View
from openaclnn.engines.cpu import compile, sums, threads
from openaclnn.engines.cpu.routines.contraction_kernel import (
    ALONG_K,
    ALONG_LINES,
    CHUNK,
    NAME,
    OUT,
    STRIDED,
    WINDOW,
    A,
    B,
    C,
    ProductKind,
    source,
    tile,
)
from openaclnn.spec.contraction import Contraction, Window

if TYPE_CHECKING:
    from openaclnn.plan import RoutinePass

_SERIAL_BELOW = 1 << 15  # products for which waking a thread takes longer than the work
_ROWS, _COLUMNS = 192, 384  # of a block at most: its sums and its panels fit into the L2 cache


@dataclass(frozen=True)
class ContractedAxis:
    """One dimension of the loop: how many, and how far each operand moves, in elements; then how
    far the positions of a window do."""

    size: int
    moves: tuple[int, int, int, int]
    positions: tuple[int, int] = (0, 0)

    def words(self, itemsizes: Sequence[int]) -> list[int]:
        bytes = [move * size for move, size in zip(self.moves, itemsizes, strict=True)]
        return [self.size, *bytes, *self.positions, 0]


@dataclass(frozen=True)
class AxesOfLetters:
    """The dimensions of a contraction's letters."""

    batch: tuple[ContractedAxis, ...]
    m: tuple[ContractedAxis, ...]
    n: tuple[ContractedAxis, ...]
    k: tuple[ContractedAxis, ...]


@dataclass(frozen=True)
class WalkedOperand:
    """How the loop walks an operand: the sizes and strides of its dimensions, the element where it
    starts, and of one with edges how its positions move."""

    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    start: int = 0
    moves: tuple[tuple[int, int], ...] = ()
    edges: tuple[int, int] = (0, 0)
    first: tuple[int, int] = (0, 0)

    @property
    def windowed(self) -> bool:
        """Whether it may be read outside."""
        return bool(self.moves)


def operand_of(view: View, window: Window | None = None) -> WalkedOperand:
    """The operand that is read as it is, or through a window. Only along dimensions that the
    window leaves are there positions to look at."""
    if window is None:
        return WalkedOperand(view.shape, view.strides)
    pairs = [*zip(range(len(view.shape)), view.strides, strict=True)]
    strides = tuple(sum(move[d] * stride for d, stride in pairs) for move in window.moves)
    start = sum(window.start[d] * stride for d, stride in pairs)
    ranges = [window.range_along(d) for d in range(len(view.shape))]
    left = [
        d for d, (low, high) in enumerate(ranges) if low < 0 or high >= view.shape[d]
    ]  # fmt: skip
    if not left:
        return WalkedOperand(window.sizes, strides, start)
    if len(left) > 2:
        raise NotImplementedError("a window that leaves three dimensions")
    one, other = left[0], left[1] if len(left) > 1 else None

    def both(values: Sequence[int], absent: int = 0) -> tuple[int, int]:
        return values[one], absent if other is None else values[other]

    return WalkedOperand(
        window.sizes,
        strides,
        start,
        tuple(both(move) for move in window.moves),
        both(view.shape, absent=1),
        both(window.start),
    )


def layout_of(
    how: Contraction, a: WalkedOperand, b: WalkedOperand, c: View | None, out: View
) -> AxesOfLetters:
    """The dimensions of each letter, neighbours merged where all operands walk them as one, those
    of size 1 left out."""

    def axes(
        count: int, places: tuple[int | None, int | None, int | None]
    ) -> tuple[ContractedAxis, ...]:
        found = []
        for d in range(count):
            of_a, of_b, of_out = (None if at is None else at + d for at in places)
            moves = (
                0 if of_a is None else a.strides[of_a],
                0 if of_b is None else b.strides[of_b],
                0 if of_out is None or c is None else c.strides[of_out],
                0 if of_out is None else out.strides[of_out],
            )
            sizes = [a.sizes[of_a]] if of_a is not None else []
            sizes += [b.sizes[of_b]] if of_b is not None else []
            positions = b.moves[of_b] if b.windowed and of_b is not None else (0, 0)
            if sizes[0] != 1:
                found.append(ContractedAxis(sizes[0], moves, positions))
        return tuple(_merged(found))

    batch, m, n = how.batch, how.m, how.n
    return AxesOfLetters(
        axes(batch, (0, 0, 0)),
        axes(m, (batch, None, batch)),
        axes(n, (None, batch, batch + m)),
        axes(how.k, (batch + m, batch + n, None)),
    )


def _merged(axes: list[ContractedAxis]) -> list[ContractedAxis]:
    found: list[ContractedAxis] = []
    for axis in axes:
        if found:
            outer = found[-1]
            steps = (*axis.moves, *axis.positions)
            if (*outer.moves, *outer.positions) == tuple(step * axis.size for step in steps):
                found[-1] = ContractedAxis(outer.size * axis.size, axis.moves, axis.positions)
                continue
        found.append(axis)
    return found


def _size(axes: Sequence[ContractedAxis]) -> int:
    return math.prod(axis.size for axis in axes)


def _pattern(
    lines: Sequence[ContractedAxis], k: Sequence[ContractedAxis], operand: int, windowed: bool
) -> str:
    """Along which dimension an operand is contiguous."""
    if windowed:
        return WINDOW
    if len(k) == 1 and k[0].moves[operand] == 1:
        return ALONG_K
    if len(lines) == 1 and lines[0].moves[operand] == 1:
        return ALONG_LINES
    return STRIDED


def accumulator(a: DType, b: DType, out: DType) -> str:
    """What products of these dtypes are added up in: floats in float64, integers as wide as the
    result at least."""
    if "float" in (a.kind, b.kind, out.kind):
        return "f64"
    return "i64" if max(a.bits, b.bits, out.bits) > 32 or BOOL in (a, b, out) else "i32"


@cache
def _exact_sum() -> tuple[int, int, int]:
    """The functions of an exact sum's state that a kernel calls: start, add terms, round to odd."""
    how = folding_of("add", DOUBLE, FLOAT, "f64")
    module = sums.functions(how, compile.architecture())
    names = ("openaclnn_init", "openaclnn_absorb", "openaclnn_value")
    first, second, third = (compile.function(module, name) for name in names)
    return first, second, third


def _blocks(count: int, most: int, unit: int, parts: int) -> int:
    """How many lines a block has: as many as others, in units."""
    number = max(-(-count // most), min(parts, -(-count // unit)), 1)
    lines = -(-count // number)
    return -(-lines // unit) * unit


class ContractionRunner:
    """The kernel of a contraction and the numbers it takes."""

    def __init__(self, one: RoutinePass) -> None:
        how = one.routine
        assert isinstance(how, Contraction)
        a, b, *rest = one.views
        c, out = (rest[0], rest[1]) if len(rest) == 2 else (None, rest[0])
        self.added = c is not None
        right = operand_of(b, how.window)
        layout = layout_of(how, operand_of(a), right, c, out)
        operands = [A, B, C, OUT]
        self.start_of_b = right.start * b.dtype.itemsize
        if not right.windowed and _is_transposed(layout):
            # columns are the result's fastest dimension
            layout = _turned(layout)
            operands = [B, A, C, OUT]
            a, b = b, a
        self.order = operands
        beta = how.beta if c is not None else 1
        acc = accumulator(a.dtype, b.dtype, out.dtype)
        scaled = how.alpha != 1 or beta != 1
        self.kind = ProductKind(
            a=a.dtype,
            b=b.dtype,
            c=c.dtype if c is not None else None,
            out=out.dtype,
            acc=acc,
            a_pattern=_pattern(layout.m, layout.k, A, False),
            b_pattern=_pattern(layout.n, layout.k, B, right.windowed),
            out_contiguous=len(layout.n) <= 1 and all(axis.moves[OUT] == 1 for axis in layout.n),
            scaled=scaled,
        )
        batch, m, n, k = (_size(axes) for axes in (layout.batch, layout.m, layout.n, layout.k))
        shape = tile()
        parts = threads.get_num_threads() if batch == 1 else 1
        if n >= m:
            block_n = _blocks(n, _COLUMNS, shape.columns, parts)
            block_m = _blocks(m, _ROWS, shape.rows, 1)
        else:
            block_m = _blocks(m, _ROWS, shape.rows, parts)
            block_n = _blocks(n, _COLUMNS, shape.columns, 1)
        blocks_m, blocks_n = -(-m // block_m), -(-n // block_n)
        self.units = batch * blocks_m * blocks_n
        self.threaded = self.units > 1 and batch * m * n * max(k, 1) >= _SERIAL_BELOW
        sizes = [view.dtype.itemsize if view is not None else 0 for view in (a, b, c, out)]
        letters = (layout.batch, layout.m, layout.n, layout.k)
        dims = [word for axes in letters for axis in axes for word in axis.words(sizes)]
        high, wide = right.edges
        start = (0, 0, 0, 0, *right.first)
        chunks = -(-k // CHUNK)
        gamma = bound(min(k, CHUNK) + chunks + 4, k) * abs(how.alpha)
        numbers = [_word(how.alpha), _word(beta)] if acc == "f64" else [int(how.alpha), int(beta)]
        self.words = [
            m, n, k, block_m, block_n, blocks_m, blocks_n, *numbers, _word(gamma), *_exact_sum(),
            high, wide, *map(len, letters), *start, *dims,
        ]  # fmt: skip
        self.struct = struct.Struct(f"{4 + len(self.words)}q")

    def pack(self, addresses: Sequence[int], workspace: int) -> bytes:
        a, b, *rest = addresses
        c, out = rest if self.added else (0, rest[0])
        given = {A: a, B: b + self.start_of_b, C: c, OUT: out}
        return self.struct.pack(*(given[k] for k in self.order), *self.words)

    def run(self, packed: bytes) -> None:
        count = threads.get_num_threads() if self.threaded else 1
        if count > 1:
            threads.sharer()(self.address, packed, self.units, min(count, self.units))
        else:
            self.kernel(packed, 0, self.units)

    @property
    def address(self) -> int:
        return _address(self.kind)

    @property
    def kernel(self) -> Any:
        return _function(self.kind)


@cache
@plain_arithmetic()
def _address(kind: ProductKind) -> int:
    return compile.function(source(kind), NAME)


@cache
def _function(kind: ProductKind) -> Any:
    return threads.KERNEL(_address(kind))


def bound(additions: int, k: int) -> float:
    """What the error of a sum of K products is of the sum of their sizes, for so many roundings of
    each: γ, made larger for the roundings of norms."""
    unit = 2.0**-53
    return additions * unit / (1 - additions * unit) * (1 + max(k, 1) * 2.0**-51) * (1 + 2.0**-40)


def _word(number: float) -> int:
    (word,) = struct.unpack("q", struct.pack("d", number))
    return int(word)


def _is_transposed(layout: AxesOfLetters) -> bool:
    """Whether the result is contiguous along its rows and not along its columns, or has fewer
    columns than a vector and more rows."""
    along_m = layout.m and layout.m[-1].moves[OUT] == 1
    along_n = layout.n and layout.n[-1].moves[OUT] == 1
    return bool(along_m and not along_n)


def _turned(layout: AxesOfLetters) -> AxesOfLetters:
    def turn(axis: ContractedAxis) -> ContractedAxis:
        a, b, c, out = axis.moves
        return ContractedAxis(axis.size, (b, a, c, out), axis.positions)

    letters = (layout.batch, layout.m, layout.n, layout.k)
    batch, m, n, k = (tuple(map(turn, axes)) for axes in letters)
    return AxesOfLetters(batch, n, m, k)


def runner(one: RoutinePass) -> ContractionRunner:
    """What runs a pass."""
    return ContractionRunner(one)
