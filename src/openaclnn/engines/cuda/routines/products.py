"""Large matrix products on a GPU: four kernels.

Two read a factor each: they add up the squares of its lines, and write it as lines of float32 that
are contiguous along K and padded with zeros, unless it lies so. The third computes tiles of the
result by the tensor cores, without a mask in its loop, and lists the elements that its bound leaves
open. The fourth repairs these. By themselves the loops have the registers that they need: in one
kernel, as for small products, the speed is half of it.
"""

from __future__ import annotations

from dataclasses import replace

from openaclnn.base.dtypes import FLOAT
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import View, view
from openaclnn.engines.cuda.body import INTERPRETER
from openaclnn.engines.cuda.kernel import Kernel
from openaclnn.engines.cuda.routines.contraction import REGISTERS, ContractionWriter, rounded_at
from openaclnn.engines.cuda.routines.rows import pointee
from openaclnn.plan import RoutinePass
from openaclnn.plan.contractions import (
    A,
    AxesOfLetters,
    B,
    ContractedAxis,
    accumulator,
    layout_of,
    merged,
    operand_of,
    size_of,
)
from openaclnn.plan.passes import Room
from openaclnn.spec.contraction import Contraction

_WORK = 1 << 24  # products from which four kernels take less time than one
_FEWEST = 64  # lines of each factor
_TILE = (32, 64)  # lines of each factor: 52.3 TFLOP/s of 4096³, 64x32 51.6, 64x64 49.5
_STEP = 32  # terms of a tile that are multiplied at once
# The loop adds a chunk to the total without leaving its pipeline: two nested loops have 0.90 of the
# speed (H200, Triton 3.6).
_CHUNK = 512
_PACKED = (32, 128)  # lines and terms of a factor that are packed at once
_PART = 512  # terms whose squares a program adds up
_PARTS = 8  # of a line's norm, read at once
_COUNT = 16  # bytes of how many elements are open, before the list of them
_REPAIRING, _AT_ONCE = 512, 4  # programs, and elements that one of them repairs at once
# the program's number, which the compiler takes for another one
_PROGRAM = "tl.inline_asm_elementwise('mov.u32 $0, %ctaid.x;', '=r', [], tl.int32, False, 1)"
_ALIGNED = 4  # elements of float32 that are read at once


@dataclass(frozen=True)
class PackedProduct:
    """Where a product's kernels find its factors. The layout moves along these; its positions are
    the numbers of lines of `a` and of `b`, in all batches."""

    layout: AxesOfLetters
    as_it_lies: tuple[bool, bool]
    lines: tuple[int, int]
    width: int  # terms of a line, with the padding
    factors: tuple[int, int]  # where the workspace has the packed ones,
    norms: tuple[int, int]  # the squares of lines, a row for each part of the terms,
    places: int  # and the open elements: how many, then where they are
    index: str  # the type of these places
    size: int

    @property
    def parts(self) -> int:
        return -(-self.width // _PART)


def packing_of(one: RoutinePass) -> PackedProduct | None:
    """How a product is packed, if it is one that is worth it. A window is read as it is: packed, a
    convolution's input would be many times as large."""
    how = one.routine
    assert isinstance(how, Contraction)
    if how.window is not None or how.group or len(one.views) > 4:
        return None
    a, b, *rest = one.views
    c, out = rest if len(rest) == 2 else (None, rest[0])
    if accumulator(a.dtype, b.dtype, out.dtype) != "f64" or 64 in {v.dtype.bits for v in one.views}:
        return None
    layout = layout_of(how, operand_of(a), operand_of(b), c, out)
    batch, m, n, k = (size_of(getattr(layout, x)) for x in ("batch", "m", "n", "k"))
    if min(m, n) < _FEWEST or batch * m * n * k < _WORK:
        return None
    width = -(-k // _STEP) * _STEP
    room = Room()
    lies, lines, factors, norms = [], [], [], []
    for side, letter, factor in ((A, layout.m, a), (B, layout.n, b)):
        rows = size_of(letter) * size_of(_moving(layout.batch, side))
        lies.append(_lies_so(factor, side, layout, letter, width))
        lines.append(rows)
        factors.append(0 if lies[-1] else room.take(rows * width * FLOAT.itemsize))
        norms.append(room.take(rows * -(-width // _PART) * 8))
    short = batch * m * n < 1 << 31
    places = room.take(_COUNT + batch * m * n * (4 if short else 8))
    found = PackedProduct(
        layout, (lies[0], lies[1]), (lines[0], lines[1]), width, (factors[0], factors[1]),
        (norms[0], norms[1]), places, "tl.int32" if short else "tl.int64", room.size,
    )  # fmt: skip
    return replace(found, layout=_packed_layout(found))


def _moving(axes: tuple[ContractedAxis, ...], side: int) -> tuple[ContractedAxis, ...]:
    """The axes along which an operand moves; along others it is repeated."""
    return tuple(axis for axis in axes if axis.moves[side])


def _lies_so(
    factor: View, side: int, layout: AxesOfLetters, lines: tuple[ContractedAxis, ...], width: int
) -> bool:
    steps = [axis.moves[side] for axis in (*layout.batch, *lines)]
    return (
        factor.dtype is FLOAT
        and len(layout.k) == 1
        and layout.k[0].moves[side] == 1
        and layout.k[0].size == width
        and not any(step % _ALIGNED for step in (*steps, factor.offset))
    )


def _packed_layout(one: PackedProduct) -> AxesOfLetters:
    layout = one.layout
    of_lines = {A: _numbered(layout.batch, layout.m, A), B: _numbered(layout.batch, layout.n, B)}

    def axes(own: tuple[ContractedAxis, ...], sides: tuple[int, ...]) -> list[ContractedAxis]:
        found = []
        for axis in own:
            moves, numbers = [*axis.moves], [0, 0]
            for side in sides:
                numbers[side] = of_lines[side][id(axis)]
                if not one.as_it_lies[side]:
                    moves[side] = numbers[side] * one.width
            found.append(ContractedAxis(axis.size, (*moves,), (*numbers,)))  # type: ignore[arg-type]
        return found

    k = ContractedAxis(size_of(layout.k), (1, 1, 0, 0))
    return AxesOfLetters(
        tuple(merged(axes(layout.batch, (A, B)))),
        tuple(merged(axes(layout.m, (A,)))),
        tuple(merged(axes(layout.n, (B,)))),
        (k,),
    )


def _numbered(
    batch: tuple[ContractedAxis, ...], lines: tuple[ContractedAxis, ...], side: int
) -> dict[int, int]:
    """How far an axis moves in the number of a line."""
    found, step = dict.fromkeys(map(id, batch), 0), 1
    for axis in reversed((*_moving(batch, side), *lines)):
        found[id(axis)] = step
        step *= axis.size
    return found


def kernels(
    one: RoutinePass, packed: PackedProduct, arch: int
) -> list[tuple[Kernel, tuple[int, ...]]]:
    """The kernels in order, each with its operands; the one after the last is the workspace."""
    room = len(one.views)
    operands = (*range(room), room)
    return [
        (_line_kernel(one, packed, A, arch), (A, room)),
        (_line_kernel(one, packed, B, arch), (B, room)),
        (_product_kernel(one, packed, arch), operands),
        (_repairing_kernel(one, packed, arch), operands),
    ]


def _line_kernel(one: RoutinePass, packed: PackedProduct, side: int, arch: int) -> Kernel:
    """Adds up the squares of a factor's lines, and packs them."""
    writer = ContractionWriter(one, arch)
    layout, letter, name = writer.layout, "mn"[side], "ab"[side]
    own = _moving(layout.batch, side)
    writer.layout = replace(layout, batch=own)
    lines, terms = _PACKED
    tiles = -(-size_of(getattr(layout, letter)) // lines)
    writer.given |= {
        "lines": size_of(getattr(layout, letter)), "k": writer.terms, "width": packed.width,
        "tiles": tiles, "parts": packed.parts, "all_lines": packed.lines[side],
        "at_factor": packed.factors[side], "at_norms": packed.norms[side],
        "at_places": packed.places,
    }  # fmt: skip
    writer.tiles = tiles * packed.parts
    writer.lines += [
        "pid = tl.program_id(0).to(tl.int64)",
        *_list(packed),
        "if pid == 0:",
        "    tl.store(count, 0)",
        f"i = pid % tiles * {lines} + tl.arange(0, {lines}).to(tl.int64)",
        "part = pid // tiles % parts",
    ]
    writer.walk("batch", "(pid // tiles // parts)")
    writer.walk(letter, "i")
    writer.lines += [
        f"p{name} += batch_{name}",
        "line = pid // tiles // parts * lines + i",
        "factor = (room + at_factor).to(tl.pointer_type(tl.float32))",
        "norms = (room + at_norms).to(tl.pointer_type(tl.float64))",
        f"squares = tl.zeros([{lines}, {terms}], tl.float64)",
        f"for k0 in range(part * {_PART}, tl.minimum(part * {_PART} + {_PART}, width), {terms}):",
        f"    kk = k0 + tl.arange(0, {terms}).to(tl.int64)",
    ]
    writer.walk("k", "kk", " " * 4)
    inside = "(i < lines)[:, None] & (kk < {})[None, :]"
    writer.lines += [
        f"    x = wide_{name}(tl.load(p{name} + {letter}_{name}[:, None] + k_{name}[None, :], "
        f"mask={inside.format('k')}, other=0))",
        "    squares += x * x",
        *[
            "    tl.store(factor + line[:, None] * width + kk[None, :], x.to(tl.float32), "
            f"mask={inside.format('width')})"
        ]
        * (not packed.as_it_lies[side]),
        "tl.store(norms + part * all_lines + line, tl.sum(squares, 1), mask=i < lines)",
    ]
    return writer.finished([f"p{name}", "room"], [pointee(one.views[side]), "*i8"], (True, True))


def _on_packed(one: RoutinePass, packed: PackedProduct, arch: int) -> ContractionWriter:
    """A writer whose factors are the packed ones."""
    writer = ContractionWriter(one, arch)
    writer.layout = packed.layout
    writer.a = writer.b = view(FLOAT, (1,))
    writer.numbers(_CHUNK)
    writer.given |= {"at_places": packed.places}
    for side, name in ((A, "a"), (B, "b")):
        writer.given |= {f"lines_{name}": packed.lines[side]}
        if not packed.as_it_lies[side]:
            writer.given[f"at_{name}"] = packed.factors[side]
            writer.lines.append(f"p{name} = (room + at_{name}).to(tl.pointer_type(tl.float32))")
    return writer


def _kernel_on_packed(
    one: RoutinePass, packed: PackedProduct, writer: ContractionWriter, registers: int = 0
) -> Kernel:
    last = len(one.views) - 1
    pointers = [pointee(v, number == last) for number, v in enumerate(one.views)]
    added = ["pc"] if writer.c is not None else []
    aligned = (*packed.as_it_lies, *[False] * len(added), True, True)
    operands = ["pa", "pb", *added, "po", "room"]
    return writer.finished(operands, [*pointers, "*i8"], aligned, registers)


def _list(packed: PackedProduct) -> list[str]:
    """Lines that find the list of open elements."""
    return [
        "count = (room + at_places).to(tl.pointer_type(tl.int32))",
        f"places = (room + at_places + {_COUNT}).to(tl.pointer_type({packed.index}))",
    ]


def _product_kernel(one: RoutinePass, packed: PackedProduct, arch: int) -> Kernel:
    writer = _on_packed(one, packed, arch)
    writer.given |= {"width": packed.width, "parts": packed.parts,
                     "at_norm_a": packed.norms[A], "at_norm_b": packed.norms[B]}  # fmt: skip
    writer.tile(*_TILE)
    # lines beyond the last are the last again: their sums are not stored
    writer.walk("m", "tl.minimum(i, m - 1)")
    writer.walk("n", "tl.minimum(j, n - 1)")
    writer.begin("a", "b")
    zeros = f"tl.zeros([{_TILE[0]}, {_TILE[1]}], tl.float64)"
    writer.lines += [
        f"pa += m_a[:, None] + tl.arange(0, {_STEP})[None, :]",
        f"pb += n_b[None, :] + tl.arange(0, {_STEP})[:, None]",
        f"total = {zeros}",
        f"part = {zeros}",
        f"for k0 in range(0, width.to(tl.int32), {_STEP}):",
        "    x, y = tl.load(pa).to(tl.float64), tl.load(pb).to(tl.float64)",
        '    part = tl.dot(x, y, part, out_dtype=tl.float64, input_precision="ieee")',
        f"    pa += {_STEP}",
        f"    pb += {_STEP}",
        f"    if (k0 + {_STEP}) % {_CHUNK} == 0:",
        "        total += part",
        f"        part = {zeros}",
        "total += part",
    ]
    # found once more, so that the loop's registers need not keep where the tile is
    writer.tile(*_TILE, "tl.program_id(0)" if arch == INTERPRETER else _PROGRAM)
    writer.walk("m", "tl.minimum(i, m - 1)")
    writer.walk("n", "tl.minimum(j, n - 1)")
    writer.begin("c", "o")
    writer.lines += _list(packed)
    lines = zip("ab", ("batch_h + m_h", "batch_w + n_w"), _TILE, strict=True)
    for name, line, count in lines:
        writer.lines += [
            f"norms_{name} = (room + at_norm_{name}).to(tl.pointer_type(tl.float64))",
            f"norm_{name} = tl.zeros([{count}], tl.float64)",
            f"for first in range(0, parts, {_PARTS}):",
            f"    each = first + tl.arange(0, {_PARTS}).to(tl.int64)",
            f"    squares = tl.load(norms_{name} + ({line})[:, None] "
            f"+ each[None, :] * lines_{name}, mask=(each < parts)[None, :], other=0)",
            f"    norm_{name} += tl.sum(squares, 1)",
        ]
    writer.finish()
    writer.judge("norms")
    writer.lines += [
        "tl.store(po + m_o[:, None] + n_o[None, :], result, mask=mask)",
        "one = left_open.to(tl.int32)",
        "if tl.sum(tl.sum(one, 1), 0) > 0:",
        "    at = tl.atomic_add(count + one * 0, one, mask=left_open)",
        "    place = ((pid // tiles).to(tl.int64) * m + i[:, None]) * n + j[None, :]",
        f"    tl.store(places + at, place.to({packed.index}), mask=left_open)",
    ]
    return _kernel_on_packed(one, packed, writer)


def _repairing_kernel(one: RoutinePass, packed: PackedProduct, arch: int) -> Kernel:
    """Goes through the list of open elements, some at once, until it ends."""
    writer = _on_packed(one, packed, arch)
    writer.tiles = _REPAIRING
    writer.lines += [
        *_list(packed),
        "open_elements = tl.load(count)",
        f"for first in range(tl.program_id(0) * {_AT_ONCE}, open_elements, "
        f"{_REPAIRING * _AT_ONCE}):",
    ]
    outside, writer.lines = writer.lines, []
    writer.lines += [
        f"each = tl.arange(0, {_AT_ONCE})",
        "inside = first + each < open_elements",
        "place = tl.load(places + first + each, mask=inside, other=0).to(tl.int64)",
    ]
    writer.walk("batch", "(place // n // m)")
    writer.walk("m", "(place // n % m)")
    writer.walk("n", "(place % n)")
    writer.lines += [
        "row, column = batch_a + m_a, batch_b + n_b",
        "rows_a, columns_b = row[:, None], column[:, None]",
    ]
    added = writer.c is not None
    if added:
        found = "wide_c(tl.load(pc + batch_c + m_c + n_c, mask=inside, other=0))"
        writer.lines.append(f"all_added = {found}" + " * beta" * writer.scaled)
    writer.in_pairs("", _AT_ONCE)
    writer.lines += [
        # a number in one of a warp's lanes
        "here = inside[:, None] & (tl.arange(0, 32) == 0)[None, :]",
        f"low = {rounded_at('here', 'below[:, None]')}",
        f"high_end = {rounded_at('here', 'above[:, None]')}",
        "undecided = tl.max((low != high_end).to(tl.int32), 1)",
        "sums = below",
        "while tl.max(undecided, 0) > 0:",
        "    it = each == tl.max(tl.where(undecided > 0, each, 0), 0)",
        "    row_a = tl.sum(tl.where(it, row, 0), 0)",
        "    column_b = tl.sum(tl.where(it, column, 0), 0)",
        *["    added = tl.sum(tl.where(it, all_added, 0.0), 0)"] * added,
    ]
    writer.in_digits(" " * 4)
    writer.lines += [
        "    sums = tl.where(it, found, sums)",
        "    undecided = tl.where(it, 0, undecided)",
        f"result = {rounded_at('here', 'sums[:, None]')}",
        "tl.store(po + (batch_o + m_o + n_o)[:, None] + tl.zeros([1, 32], tl.int32), result, "
        "mask=here)",
    ]
    writer.lines = [*outside, *(" " * 4 + line for line in writer.lines)]
    return _kernel_on_packed(one, packed, writer, REGISTERS)
