"""Writes the Triton source of a kernel: a body over the tiles of a tiling.

The source depends on the tiling's form, never on its numbers: sizes, strides and the multipliers
that stand for divisions are arguments, which `Kernel.parameters` lists in order.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from openaclnn.arithmetic.lower import Body
from openaclnn.base.records import dataclass
from openaclnn.base.trace import less, pick
from openaclnn.engines.cuda import ptx
from openaclnn.engines.cuda import tile_table as tiles
from openaclnn.engines.cuda.body import INTERPRETER, TYPES, arguments, function_source
from openaclnn.engines.cuda.tiling import (
    AnyTiling,
    Axis,
    Dim,
    LateTiling,
    Places,
    ShiftedTiling,
    StagedTiling,
    Tiling,
)

NAME = "kernel"
HEAD = "import triton\nimport triton.language as tl\n\n\n"
_ROWS = 128  # of a tile, at most, that begin in it or before
_RUN = 16  # elements: more than along any axis of which nothing is known
SHARED = 16  # indices of an axis whose offsets are decoded once for all threads
_POINTEES = {"f32": "fp32", "f64": "fp64"}
FETCHED = "# loads fetch whole lines"  # marks a source that is compiled so


@dataclass(frozen=True)
class Parameter:
    """One argument after the pointers and the uniforms: what Triton calls it, and its number."""

    name: str
    type: str
    number: int
    multiple: int = 1  # what the number is known to be a multiple of
    # where the tiling has the number, and whether this is part 1 or 2 of what divides by it
    at: int | None = None
    part: int = 0


@dataclass(frozen=True)
class Kernel:
    """A source, and what its arguments are for one tiling."""

    source: str
    pointers: tuple[str, ...]  # Triton's types, in the order of the operands
    uniforms: int
    parameters: tuple[Parameter, ...]
    arch: int  # 90 is sm_90
    warps: int
    registers: int  # the most that a thread may use; 0: as many as it likes
    programs: int
    alignable: tuple[bool, ...]  # operands that are walked in vectors, where their address allows
    spills: bool = True  # whether what registers do not hold may be kept in memory
    stages: int = 1  # of a loop's loads: how many turns before they are used they begin

    def numbers(self, tiling: Tiling) -> list[int]:
        """What the parameters are for a tiling of the same form."""
        found = tiling.numbers
        return [
            divider(found[p.at])[p.part - 1] if p.part else found[p.at]
            for p in self.parameters
            if p.at is not None
        ]


def kernel_of(body: Body, tiling: Tiling, arch: int) -> Kernel:
    """The kernel of a body for a tiling on an architecture."""
    if isinstance(tiling, StagedTiling):
        from openaclnn.engines.cuda.unaligned_transpose import StagedWriter

        return StagedWriter(body, tiling, arch).kernel()
    if isinstance(tiling, ShiftedTiling):
        from openaclnn.engines.cuda.unaligned_rows import ShiftedWriter

        return ShiftedWriter(body, tiling, arch).kernel()
    return Writer(body, tiling, arch).kernel()


class Writer:
    def __init__(self, body: Body, tiling: Tiling, arch: int) -> None:
        self.body, self.tiling, self.arch = body, tiling, arch
        self.out = len(body.loads)  # the first of the operands that are stored
        self.sizes = body.sizes
        self.operands = range(len(self.sizes))
        self.wide = tiling.wide(len(self.operands))
        self.index = "i64" if self.wide else "i32"
        # the common case: no 64-bit multiplications to find a tile
        self.far = "i32" if tiling.short(len(self.operands)) else "i64"
        # assembly computes several elements at once, which there have to be: what all inputs repeat
        # along an axis is computed once
        varied = [
            axis for axis in tiling.axes if any(axis.pattern(k) != "0" for k in range(self.out))
        ]
        most = tiles.OF_LONG if tiles.long(body) else tiling.tile.elements
        self.at_once = min(most, math.prod(axis.tile for axis in varied))
        self.heavy = arch != INTERPRETER and ptx.fits(body) and self.at_once > 1
        self.turned = not all(map(self.like_output, self.operands))
        self.like = [tiling.twin(operand, self.sizes) for operand in self.operands]
        self.places = Places(tiling)
        self.narrow = max(self.sizes) == 2
        # Elements that are decoded one by one but for the output's: where stores are no vectors
        # either 0.76 (rows of 3 in five dimensions), else 0.63. Two operands' vectors pay.
        decoded = len(tiling.axes) == 1 and self.narrow and {*tiling.axes[0].patterns[:-1]} == {"d"}
        self.apart = decoded and tiling.axes[0].patterns[-1] == "1"
        self.late = isinstance(tiling, LateTiling)
        self.lines: list[str] = []
        self.parameters: list[Parameter] = []

    def kernel(self) -> Kernel:
        self.place()
        self.offsets()
        self.work()
        if self.heavy:
            value = ptx.function_source("value", self.body, self.arch, self.at_once)
        else:
            value = function_source("value", self.body, self.arch, self.turned)
        if self.fetches_lines():
            self.lines.insert(0, f"    {FETCHED}")
        kernel = self.finished(f"{value}\n\n{self.function()}", spills=self.body.costly)
        return kernel if self.heavy or not self.body.costly else replace(kernel, registers=0)

    def function(self) -> str:
        """The kernel as it is now."""
        names = [f"p{k}" for k in self.operands]
        names += [f"u{number}" for number in range(len(self.body.uniforms))]
        names += [parameter.name for parameter in self.parameters]
        lines = "\n".join(self.lines)
        return f"@triton.jit\ndef {NAME}({', '.join(names)}):\n{lines}\n"

    def finished(self, source: str, **others: Any) -> Kernel:
        """The kernel with the functions that it calls; `others` is what is not as the tiling has
        it."""
        facts = {
            "pointers": tuple(map(self.pointee, self.operands)),
            "warps": self.tiling.tile.warps,
            "registers": self.tiling.tile.registers,
            "programs": self.tiling.programs,
            "alignable": tuple(map(self.tiling.alignable, self.operands, self.sizes)),
        }
        return Kernel(
            source=HEAD + source,
            uniforms=len(self.body.uniforms),
            parameters=tuple(self.parameters),
            arch=self.arch,
            **{**facts, **others},
        )

    def fetches_lines(self) -> bool:
        """Whether what lies beside the sectors that a load reads, which tiles beside this one ask
        for, is fetched at once: it comes over the link between the second cache's halves once then.
        Three axes 1.05 times as fast (34 random layouts), of two where columns are several
        dimensions 1.01 (65); where inputs have vectors 1.00 to 0.91, windows and rows 0.98."""
        axes = self.tiling.axes
        plain = type(self.tiling) is Tiling and self.narrow and self.turned
        decoded = len(axes) == 2 and "d" in axes[1].patterns
        in_vectors = any(map(self.tiling.alignable, range(self.out), self.sizes))
        usual = plain and (len(axes) == 3 or (decoded and not in_vectors))
        return self.tiling.tile.lines or usual

    def pointee(self, operand: int) -> str:
        if operand >= self.out:
            # a complex64 is written as one integer whose upper half, the imaginary part, is 0
            type = self.body.results[operand - self.out].type
            return "*i64" if self.pairs(operand) and type == "i32" else f"*{type}"
        type = self.body.loads[operand]
        return "i64" if type == "position" else f"*{_POINTEES.get(type, type)}"

    def pairs(self, operand: int) -> bool:
        """Whether zeros are stored beside an output's values."""
        return self.body.complex[operand - self.out]

    def line(self, text: str, depth: int = 1) -> None:
        self.lines.append("    " * depth + text)

    def parameter(
        self,
        name: str,
        type: str,
        number: int,
        multiple: int = 1,
        at: int | None = None,
        part: int = 0,
    ) -> str:
        wanted = Parameter(name, type, number, multiple, at, part)
        if wanted not in self.parameters:
            self.parameters.append(wanted)
        return name

    def stride(self, name: str, type: str, dim: Dim, operand: int) -> str:
        """A stride, which is known to keep vectors aligned where it does."""
        if self.like[operand] != operand:
            return name
        alignable = self.tiling.alignable(operand, self.sizes[operand])
        multiple = max(1, 16 // self.sizes[operand]) if alignable else 1
        at = self.places.stride(dim, operand)
        return self.parameter(name, type, dim.strides[operand], multiple, at)

    def place(self) -> None:
        """From the program's number to the tile's start on every axis and every pointer's."""
        axes, outer = self.tiling.axes, self.tiling.outer
        self.line("j = tl.program_id(0)")
        digits = [
            (f"outer{number}", f"e{number}", dim.size, self.places.size(dim))
            for number, dim in enumerate(outer)
        ]
        digits[self.tiling.near : self.tiling.near] = [
            (f"tile{number}", f"t{number}", axes[number].tiles, self.places.tiles(number))
            for number in self.tiling.walked or reversed(range(len(axes)))
        ]
        for result, name, size, at in digits:
            self.digit(result, name, size, result == digits[-1][0], False, at)
        for number, axis in enumerate(axes):
            self.line(f"start{number} = tile{number}.to({TYPES[self.far]}) * {axis.tile}")
        if self.late:  # tiles begin with a vector, the first one of them before the operands
            size = self.sizes[self.out]
            address = f"p{self.out}.to(tl.int64)"
            self.line(f"start0 = start0 - ({address} % 16 // {size}).to({TYPES[self.far]})")
        for number, dim in enumerate(outer):
            for k in self.operands:
                if dim.strides[k]:
                    stride = self.stride(f"o{number}_{self.like[k]}", self.far, dim, k)
                    self.advance(k, f"outer{number}.to({TYPES[self.far]}) * {stride}")

    def offsets(self) -> None:
        """Every operand's offsets from its pointer along every axis."""
        for number, axis in enumerate(self.tiling.axes):
            self.line(f"i{number} = {self.along_axis(number)}")
            if self.looks_up(axis):
                self.decode_in_rows(axis)
            elif "d" in axis.patterns:
                self.decode(number, axis)
            for k in self.operands:
                self.along(number, axis, k)

    def along_axis(self, number: int) -> str:
        """A tile's indices along an axis."""
        return f"tl.arange(0, {self.tiling.axes[number].tile})"

    def looks_up(self, axis: Axis) -> bool:
        """Whether threads look up where rows begin."""
        rows = len(self.tiling.axes) == 1 and axis.in_rows > 0
        return rows and self.narrow and not self.wide

    def along(self, number: int, axis: Axis, k: int) -> None:
        """An operand's pointer at the tile's start along an axis, and the offsets from there."""
        pattern = axis.pattern(k)
        if pattern in "1s":
            self.advance(k, f"start{number}{self.times_step(number, axis, k)}")
        if pattern == "1" and self.late:
            self.line(f"p{k} = tl.multiple_of(p{k}, 16)")
        self.offset(number, axis, k, axis.tile, self.shared(axis, k))

    def times_step(self, number: int, axis: Axis, k: int) -> str:
        if axis.pattern(k) == "1":
            return ""
        return f" * {self.stride(f's{number}_{self.like[k]}', self.index, axis.dims[0], k)}"

    def offset(self, number: int, axis: Axis, k: int, count: int, shared: bool) -> None:
        """An operand's offsets at so many indices of an axis; where they are `shared`, threads look
        them up which others decoded."""
        pattern = axis.pattern(k)
        runs = self.tiling.runs_along(k) == number and count > 1
        if pattern == "1":
            self.line(f"a{number}_{k} = i{number}")
        elif pattern == "s":
            offsets = f"i{number}{self.times_step(number, axis, k)}"
            if runs and len(self.tiling.axes) > 1:
                offsets = f"tl.max_contiguous({offsets}, {min(count, _RUN)})"
            self.line(f"a{number}_{k} = {offsets}")
        elif pattern == "d" and self.like[k] != k:
            self.line(f"a{number}_{k} = a{number}_{self.like[k]}")
        elif pattern == "d":
            inner, outer = self.terms(number, axis, k)
            if self.looks_up(axis):
                outer = [f"tl.gather(r{k}, row, 0)"]
            offsets = " + ".join([*inner, *outer])
            if shared:
                self.line(f"a{number}_{k} = {offsets}")
                offsets = f"tl.gather(a{number}_{k}, tl.arange(0, {count}), 0)"
            if runs:
                # most neighbours are neighbours in memory: threads that follow each other take
                # them. Nothing is said of alignment, so that no vector is made of it
                offsets = f"tl.max_contiguous({offsets}, {min(count, _RUN)})"
            self.line(f"a{number}_{k} = {offsets}")

    def terms(self, number: int, axis: Axis, k: int) -> tuple[list[str], list[str]]:
        """What an operand's offset along a decoded axis is the sum of: in a row, between rows."""
        found: tuple[list[str], list[str]] = [], []
        for position, dim in enumerate(axis.dims):
            if axis.moves(position, k):
                name = f"s{number}_{self.like[k]}_{position}"
                stride = self.stride(name, self.index, dim, k)
                found[position >= axis.in_rows].append(f"d{number}_{position} * {stride}")
        return found

    def shared(self, axis: Axis, k: int) -> bool:
        """Whether threads look offsets up which others decoded: in a tile that is turned a thread
        has one element of each of many rows, or columns, and would decode as many indices as it has
        elements. What is looked up is not known to be aligned. Elements in the output's order are
        as many as a thread decodes anyway (3x14723886 0.67, looked up 0.49)."""
        aligned = self.tiling.alignable(k, self.sizes[k])
        if isinstance(self.tiling, AnyTiling) or self.apart:
            return False
        return self.turned and self.narrow and not aligned and axis.tile >= SHARED

    def decode(self, number: int, axis: Axis) -> None:
        """The index of every dimension of a flattened axis.

        An index may lie beyond the axis; what it decodes to is masked away.
        """
        type = "tl.int64" if self.wide else "tl.int32"
        self.line(f"j = (start{number} + i{number}).to({type})")
        self.indices(number, axis, range(len(axis.dims)))

    def indices(self, number: int, axis: Axis, positions: range) -> None:
        """The index of some dimensions, of what those before have left of `j`."""
        for position in positions:
            name, dim = f"{number}_{position}", axis.dims[position]
            last, at = position == len(axis.dims) - 1, self.places.size(dim)
            self.digit(f"d{name}", f"n{name}", dim.size, last, self.wide, at)

    def decode_in_rows(self, axis: Axis) -> None:
        """The same for rows of many dimensions: where each begins is decoded once, and looked up by
        its elements (rows of 22 in five dimensions 0.76, else 0.55)."""
        inner, outer = range(axis.in_rows), range(axis.in_rows, len(axis.dims))
        self.line("j = start0.to(tl.int32)")
        self.indices(0, axis, inner)
        self.line("first = j")
        self.line(f"j = first + tl.arange(0, {_ROWS})")
        self.indices(0, axis, outer)
        for k in self.operands:
            if axis.pattern(k) == "d" and self.like[k] == k:
                terms = self.terms(0, axis, k)[1]
                self.line(f"r{k} = {' + '.join(terms) or 'j * 0'}")
        self.line("j = start0.to(tl.int32) + i0")
        self.indices(0, axis, inner)
        self.line("row = j - first")

    def digit(
        self, result: str, name: str, size: int, last: bool, wide: bool, at: int | None = None
    ) -> None:
        """Split the index `j` into a digit, j modulo the size, and the rest, which j becomes.

        Division by a number that is known beforehand is a multiplication and a shift.
        """
        if last:
            self.line(f"{result} = j")
            return
        by = self.parameter(name, "i64" if wide else "i32", size, at=at)
        if wide:
            self.line(f"q = j // {by}")
        else:
            numbers = divider(size)
            multiplier = self.parameter(f"{name}m", "i32", numbers[0], at=at, part=1)
            shift = self.parameter(f"{name}h", "i32", numbers[1], at=at, part=2)
            self.line("k = j.to(tl.uint32)")
            self.line(f"q = k.to(tl.uint64) * {multiplier}.to(tl.uint32).to(tl.uint64) >> 32")
            self.line(f"q = (q.to(tl.uint32) + k >> {shift}.to(tl.uint32)).to(tl.int32)")
        self.line(f"{result} = j - q * {by}")
        self.line("j = q")

    def advance(self, k: int, elements: str) -> None:
        """Move an operand's pointer; a complex128 is two words."""
        self.line(f"p{k} = p{k} + {'2 * ' * (self.sizes[k] == 16)}{elements}")

    def work(self) -> None:
        """Load, compute, store: without masks where the tile is full."""
        axes, tile = self.tiling.axes, self.tiling.tile
        masked = [n for n, axis in enumerate(axes) if self.late or not axis.whole]
        vector = 16 // min(self.sizes) if tile.masked else 1
        for number in masked:
            at = self.places.length(number)
            size = self.parameter(f"n{number}", self.far, axes[number].size, vector, at)
            self.line(f"left{number} = {size} - start{number}")
        *ways, last = self.ways(masked)
        for number, way in enumerate(ways):
            full = " & ".join(f"(left{n} >= {axes[n].tile})" for n in masked if n not in way)
            full += " & (start0 >= 0)" if self.late else ""
            self.line(f"{'elif' if number else 'if'} {full}:")
            self.masks(way, 2)
            self.element(way, 2)
        if ways:
            self.line("else:")
        self.masks(last, 1 + bool(ways))
        self.element(last, 1 + bool(ways))

    def ways(self, masked: list[int]) -> list[list[int]]:
        """Which axes are masked, from the fullest tiles to the others. Vectors along the columns
        are whole where these are, however many rows there are."""
        columns = len(self.tiling.axes) - 1
        cut = {n for k in self.operands for n in self.vectors(k) if n in masked}
        if self.tiling.tile.masked or not (cut or columns in masked):
            return [masked]  # the same for a whole vector, a mask costs no vectors
        short = [n for n in masked if self.tiling.never_full(n)]
        rows = [sorted({*short, *masked[:-1]})] if columns in cut else []
        found = [short, *rows, masked]
        return [way for n, way in enumerate(found) if way not in found[:n]]

    def vectors(self, k: int) -> list[int]:
        """The axis along which an operand moves in vectors, if it does."""
        if not self.tiling.alignable(k, self.sizes[k]):
            return []
        return [n for n, axis in enumerate(self.tiling.axes) if axis.pattern(k) == "1"]

    def masks(self, masked: list[int], depth: int) -> None:
        for number in masked:
            tile = self.tiling.axes[number].tile
            limit = f"tl.minimum(left{number}, {tile}).to(tl.int32)"
            self.line(f"m{number} = i{number} < {limit}", depth)
            if self.late:
                self.line(f"m{number} &= i{number} >= -start0", depth)

    def spread(self, name: str, number: int) -> str:
        """A vector along one axis as part of the tile."""
        if len(self.tiling.axes) == 1:
            return name
        axes = range(len(self.tiling.axes))
        return f"{name}[{', '.join(':' if axis == number else 'None' for axis in axes)}]"

    def address(self, k: int) -> tuple[str, list[int]]:
        """A pointer expression, and the axes along which it varies."""
        axes = [n for n, axis in enumerate(self.tiling.axes) if axis.pattern(k) != "0"]
        terms = [self.spread(f"a{number}_{k}", number) for number in axes]
        if self.tiling.axes[-1].whole:  # one pointer for a row, of which columns are known offsets
            return " + ".join([f"p{k}", *(f"({term})" for term in terms)]), axes
        # else offsets first: they are added in 32 bits, pointers in 64
        return f"p{k} + ({' + '.join(terms)})" if terms else f"p{k}", axes

    def moved(self, k: int, masked: list[int]) -> tuple[str, list[int]]:
        """The same for a load or a store. Where vectors do not pay nothing is said of the
        alignment: then threads that follow each other have neighbours, one each."""
        address, axes = self.address(k)
        vectors = self.vectors(k)
        several = len(self.tiling.axes) > 1 and not self.tiling.tile.masked
        cut = several and any(n in masked for n in vectors)  # a mask may end inside a vector
        if vectors and (cut or self.apart) and self.sizes[k] < 16:
            known = [self.sizes[k] if n in vectors else 1 for n in range(len(self.tiling.axes))]
            return f"tl.multiple_of({address}, {known})", axes
        return address, axes

    def mask(self, axes: list[int], masked: list[int]) -> str:
        terms = [self.spread(f"m{number}", number) for number in axes if number in masked]
        return " & ".join(f"({term})" for term in terms)

    def element(self, masked: list[int], depth: int) -> None:
        for k in self.loading_order():
            if self.body.loads[k] == "position":
                address, axes = self.address(k)
                mask, found = self.mask(axes, masked), f"({address}).to(tl.int64)"
                # behind the end 0, where nothing lies
                self.line(f"x{k} = {f'tl.where({mask}, {found}, 0)' if mask else found}", depth)
                continue
            address, axes = self.moved(k, masked)
            if all(self.tiling.axes[n].tile == 1 for n in axes):
                # one element of a tile is no tensor: some instructions take pairs of elements
                address, axes = f"p{k}", []
            mask = self.mask(axes, masked)
            self.line(
                f"x{k} = tl.load({address}{f', mask={mask}, other=0' if mask else ''})", depth
            )
        value = f"value({', '.join(arguments(self.body))})"
        outputs = self.operands[self.out :]
        if len(outputs) > 1:
            self.line(f"{', '.join(f'y{k}' for k in outputs)} = {value}", depth)
        for k in outputs:
            result = value if len(outputs) == 1 else f"y{k}"
            self.line(f"y = tl.broadcast_to({result}, [{self.tile_shape()}])", depth)
            self.store(k, masked, depth)

    def loading_order(self) -> list[int]:
        """Those that lie like the output last: Triton computes in the layout of the last load, and
        each change of layout is a way through shared memory."""
        return sorted(range(self.out), key=self.like_output)

    def like_output(self, k: int) -> bool:
        """Whether an operand's neighbours are neighbours in the output."""
        columns = self.tiling.axes[-1]
        return columns.pattern(k) in "01" or columns.in_runs(k)

    def store(self, k: int, masked: list[int], depth: int) -> None:
        address, axes = self.moved(k, masked)
        mask = self.mask(axes, masked)
        if self.pairs(k) and self.body.results[k - self.out].type == "i32":
            self.line("y = y.to(tl.uint32, bitcast=True).to(tl.int64)", depth)
        elif self.pairs(k):  # pairs along a last axis of two
            self.line("y = tl.join(y, tl.zeros_like(y))", depth)
            dots = ", ".join(":" for _ in self.tiling.axes)
            offset = address.removeprefix(f"p{k} + ")
            self.line(f"at = tl.broadcast_to({offset}, [{self.tile_shape()}])", depth)
            self.line(f"at = 2 * at.to(tl.int64)[{dots}, None] + tl.arange(0, 2)", depth)
            address = f"p{k} + at"
            if mask:
                self.line(f"m = tl.broadcast_to({mask}, [{self.tile_shape()}])", depth)
                mask = f"m[{dots}, None]"
        self.line(f"tl.store({address}, y{f', mask={mask}' if mask else ''})", depth)

    def tile_shape(self) -> str:
        return ", ".join(str(axis.tile) for axis in self.tiling.axes)


_POWERS = [1 << shift for shift in range(32)]


def divider(size: int) -> tuple[int, int]:
    """(multiplier, shift) with n // size == ((n·multiplier >> 32) + n) >> shift for n < 2³¹.

    >>> multiplier, shift = divider(7)
    >>> [((n * (multiplier % 2**32) >> 32) + n) >> shift for n in (6, 7, 2**31 - 1)]
    [0, 1, 306783378]
    """
    shift = (size - 1).bit_length()
    multiplier = (1 << 32) * (pick(shift, _POWERS) - size) // size + 1
    return multiplier - (1 << 32) * less((1 << 31) - 1, multiplier), shift
