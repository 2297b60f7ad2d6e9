"""The loops of a contraction: dimensions of each letter, how operands walk them, and the bound of
the error of its sums."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from openaclnn.base.dtypes import BOOL, DType
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import View
from openaclnn.base.trace import most
from openaclnn.spec.contraction import Contraction, Window

A, B, C, OUT = range(4)  # operands, in a dimension's moves
SHIFTED = 4  # roundings of a term more, where a quantised number has an offset


@dataclass(frozen=True)
class ContractedAxis:
    """One dimension of the loop: how many, and how far each operand moves, in elements; then how
    far the positions of a window do, or scale and offset of a quantised operand."""

    size: int
    moves: tuple[int, int, int, int]
    positions: tuple[int, int] = (0, 0)

    def words(self, itemsizes: Sequence[int]) -> list[int]:
        moves = (*self.moves, *self.positions)
        return [self.size, *(move * n for move, n in zip(moves, itemsizes, strict=True)), 0]


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
    if not left or 0 in window.sizes:  # or nothing is read
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
        return tuple(merged(found))

    batch, m, n = how.batch, how.m, how.n
    return AxesOfLetters(
        axes(batch, (0, 0, 0)),
        axes(m, (batch, None, batch)),
        axes(n, (None, batch, batch + m)),
        axes(how.k, (batch + m, batch + n, None)),
    )


def merged(axes: list[ContractedAxis]) -> list[ContractedAxis]:
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


def grouped(layout: AxesOfLetters, group: int, *quantised: View) -> AxesOfLetters:
    """The same where `b` has a scale, and perhaps an offset, [n, groups]: the terms of the sum in
    groups, of which the last one may be shorter than its axis says."""
    strides = [*(view.strides for view in quantised), (0, 0)][:2]
    along_n, along_k = ((strides[0][d], strides[1][d]) for d in range(2))
    n = tuple(replace(axis, positions=along_n) for axis in layout.n)
    if not layout.k or layout.k[0].size <= group:
        return replace(layout, n=n)
    (k,) = layout.k
    moves = tuple(move * group for move in k.moves)
    outer = ContractedAxis(-(-k.size // group), moves, along_k)  # type: ignore[arg-type]
    return replace(layout, n=n, k=(outer, replace(k, size=group)))


def accumulator(a: DType, b: DType, out: DType) -> str:
    """What products of these dtypes are added up in: floats in float64, integers as wide as the
    result at least."""
    if "float" in (a.kind, b.kind, out.kind):
        return "f64"
    return "i64" if max(a.bits, b.bits, out.bits) > 32 or BOOL in (a, b, out) else "i32"


def bound(additions: int, k: int) -> float:
    """What the error of a sum of K products is of the sum of their sizes, for so many roundings of
    each: γ, made larger for the roundings of norms."""
    unit = 2.0**-53
    found: float = additions * unit / (1 - additions * unit)
    found *= (1 + most(k, 1) * 2.0**-51) * (1 + 2.0**-40)
    return found


def size_of(axes: Sequence[ContractedAxis]) -> int:
    """How many indices a letter has."""
    return math.prod(axis.size for axis in axes)
