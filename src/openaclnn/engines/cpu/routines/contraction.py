"""Contractions on the CPU: which kernel, on which blocks of the result."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from openaclnn.arithmetic.folding import folding_of
from openaclnn.base.dtypes import DOUBLE, FLOAT, INT4
from openaclnn.base.floating import plain_arithmetic
from openaclnn.base.trace import as_float, as_word, least, most
from openaclnn.engines.cpu import compile, threads
from openaclnn.engines.cpu.routines import KernelRunner
from openaclnn.engines.cpu.routines.products.kernel import source
from openaclnn.engines.cpu.routines.products.kind import (
    ALONG_K,
    ALONG_LINES,
    NAME,
    OUT,
    STRIDED,
    WINDOW,
    A,
    B,
    C,
    ProductKind,
    tile,
)
from openaclnn.engines.cpu.sums import accumulator as sums
from openaclnn.plan.contractions import (
    SHIFTED,
    AxesOfLetters,
    ContractedAxis,
    accumulator,
    bound,
    grouped,
    layout_of,
    operand_of,
    size_of,
)
from openaclnn.spec.contraction import Contraction

if TYPE_CHECKING:
    from openaclnn.plan import RoutinePass

_SERIAL_BELOW = 1 << 15  # products for which waking a thread takes longer than the work
_ROWS, _COLUMNS = 192, 384  # of a block at most: its sums and its panels fit into the L2 cache
_LONG = 1024  # columns of a block of one row, of which a stretch is read at once


def _pattern(
    lines: Sequence[ContractedAxis], k: Sequence[ContractedAxis], operand: int, windowed: bool
) -> str:
    """Along which dimension an operand is contiguous."""
    if windowed:
        return WINDOW
    follow = (
        outer.moves[operand] == inner.size * inner.moves[operand] for outer, inner in pairwise(k)
    )
    if k and k[-1].moves[operand] == 1 and all(follow):
        return ALONG_K
    if len(lines) == 1 and lines[0].moves[operand] == 1:
        return ALONG_LINES
    return STRIDED


def _packed_pattern(layout: AxesOfLetters, pattern: str) -> str:
    """The same of numbers of 4 bits, which are read by bytes: not where a run of them may begin
    inside one."""
    axes = (*layout.batch, *layout.n, *layout.k)
    even = all(axis.moves[B] == 1 or axis.moves[B] % 2 == 0 for axis in axes)
    # an odd length along which they are contiguous makes the other axis odd
    return pattern if even else STRIDED


@cache
def _exact_sum() -> tuple[int, int, int]:
    """The functions of an exact sum's state that a kernel calls: start, add terms, round to odd."""
    how = folding_of("add", DOUBLE, FLOAT, "f64")
    module = sums.functions(how, compile.architecture())
    names = ("openaclnn_init", "openaclnn_absorb", "openaclnn_value")
    first, second, third = (compile.function(module, name) for name in names)
    return first, second, third


def _blocks(count: int, at_most: int, unit: int, parts: int) -> int:
    """How many lines a block has: as many as others, in units; as many blocks for each of so many
    parts, if there are enough lines."""
    number = most(-(-count // at_most), 1)
    number = most(least(-(-number // parts) * parts, -(-count // unit)), 1)
    lines: int = -(-count // number)
    return -(-lines // unit) * unit


class ContractionRunner(KernelRunner):
    """The kernel of a contraction and the numbers it takes."""

    def __init__(self, one: RoutinePass) -> None:
        how = one.routine
        assert isinstance(how, Contraction)
        a, b, *rest = one.views
        count = how.quantities
        quantised, rest = rest[:count], rest[count:]
        c, out = (rest[0], rest[1]) if len(rest) == 2 else (None, rest[0])
        right = operand_of(b, how.window)
        layout = layout_of(how, operand_of(a), right, c, out)
        k, operands = size_of(layout.k), [A, B, C, OUT]
        start_of_b = right.start * b.dtype.itemsize
        if quantised:
            layout = grouped(layout, how.group, *quantised)
        elif not right.windowed and _is_transposed(layout):
            # columns are the result's fastest dimension
            layout = _turned(layout)
            operands = [B, A, C, OUT]
            a, b = b, a
        beta = how.beta if c is not None else 1
        acc = accumulator(a.dtype, b.dtype, out.dtype)
        scaled = how.alpha != 1 or beta != 1
        along = _pattern(layout.n, layout.k, B, right.windowed)
        self.kind = ProductKind(
            a=a.dtype,
            b=b.dtype,
            c=c.dtype if c is not None else None,
            out=out.dtype,
            acc=acc,
            a_pattern=_pattern(layout.m, layout.k, A, False),
            b_pattern=_packed_pattern(layout, along) if b.dtype is INT4 else along,
            scale=quantised[0].dtype if quantised else None,
            offset=quantised[1].dtype if how.shifted else None,
            scales_along=all(view.strides[0] == 1 for view in quantised),
            out_contiguous=len(layout.n) <= 1 and all(axis.moves[OUT] == 1 for axis in layout.n),
            scaled=scaled,
        )
        batch, m, n = (size_of(axes) for axes in (layout.batch, layout.m, layout.n))
        shape = tile()
        parts = threads.get_num_threads() if batch == 1 else 1
        if n >= m:
            alone = m == 1 and (self.kind.by_lines or self.kind.across_lines)
            block_n = _blocks(n, _LONG if alone else _COLUMNS, shape.columns, parts)
            block_m = _blocks(m, _ROWS, shape.rows, 1)
        else:
            block_m = _blocks(m, _ROWS, shape.rows, parts)
            block_n = _blocks(n, _COLUMNS, shape.columns, 1)
        blocks_m, blocks_n = -(-m // block_m), -(-n // block_n)
        self.units = batch * blocks_m * blocks_n
        self.threaded = self.units > 1 and batch * m * n * most(k, 1) >= _SERIAL_BELOW
        sizes = [0 if view is None else view.dtype.itemsize or 1 for view in (a, b, c, out)]
        sizes += [view.dtype.itemsize for view in quantised] + [1] * (2 - count)
        letters = (layout.batch, layout.m, layout.n, layout.k)
        dims = [word for axes in letters for axis in axes for word in axis.words(sizes)]
        high, wide = right.edges
        steps = [view.strides[1] * view.dtype.itemsize for view in quantised]
        steps += [0] * (2 - count)
        start = (0, 0, 0, 0, *right.first)
        roundings = self.kind.additions(k, m == 1, how.group) + 4 + (SHIFTED if how.shifted else 0)
        gamma = bound(roundings, k) * abs(how.alpha)
        numbers = [_word(how.alpha), _word(beta)] if acc == "f64" else [int(how.alpha), int(beta)]
        self.words = [
            m, n, k, block_m, block_n, blocks_m, blocks_n, *numbers, _word(gamma), *_exact_sum(),
            high, wide, how.group, *steps, *map(len, letters), *start, *dims,
        ]  # fmt: skip
        first = 2 + count
        given = {A: 0, B: 1, C: None if c is None else first, OUT: first + (c is not None)}
        self.places = [*(given[k] for k in operands), *[*range(2, first), None, None][:2]]
        self.starts = [start_of_b if k == B else 0 for k in operands] + [0, 0]

    @property
    def text(self) -> str:  # type: ignore[override]
        return source(self.kind)

    @property
    def address(self) -> int:  # type: ignore[override]
        return _address(self.kind)


@cache
@plain_arithmetic()
def _address(kind: ProductKind) -> int:
    return compile.function(source(kind), NAME)


def _word(number: float) -> int:
    found: int = as_word(as_float(number))
    return found


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
