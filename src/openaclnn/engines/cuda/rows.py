"""Writes the kernel of rows: all passes over a tile of whole rows, of which each element is read
once. Softmax's largest numbers, sums and quotients are computed of what is in registers.

Short rows are read and written in chunks, so that a thread has several of each row: threads that
share a row have to tell each other what they found.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

from openaclnn.arithmetic.folding import Folding, in_units
from openaclnn.arithmetic.lower import Body
from openaclnn.arithmetic.nodes import Node, exchanged, in_order, make, renumbered
from openaclnn.engines.cuda import sums
from openaclnn.engines.cuda import tile_table as tiles
from openaclnn.engines.cuda.body import arguments, function_source
from openaclnn.engines.cuda.kernel import Kernel, Writer
from openaclnn.engines.cuda.tile_table import Tile
from openaclnn.engines.cuda.tiling import AnyAxis, AnyTiling, Axis, Tiling, dims_of, few_dims
from openaclnn.plan import Pass
from openaclnn.plan.folds import Fold, Rows


def fits_on_chip(rows: Rows) -> bool:
    """Whether a program has room for a row."""
    return 0 < math.prod(rows.folded.sizes) <= _tile(rows).columns


def _tile(rows: Rows) -> Tile:
    count, size = math.prod(rows.loop.sizes), math.prod(rows.folded.sizes)
    return tiles.row_tile(count, size, max(rows.sizes), _wide(rows), _across(rows), rows.inputs)


def _wide(rows: Rows) -> bool:
    """Whether something is computed in float64; that folds are read as such does not count."""
    return any(one.fold.how.term in ("f64", "i64") for one in rows.passes if one.fold is not None)


def _across(rows: Rows) -> bool:
    """Whether rows lie beside each other, and what is in them does not."""
    kept, folded = dims_of(rows.loop), dims_of(rows.folded)
    return abs(folded[0].strides[0]) > 1 and any(abs(dim.strides[0]) == 1 for dim in kept)


def rows_kernel(rows: Rows, arch: int) -> Kernel:
    """The kernel of rows that fit on the chip."""
    few = few_dims(rows.loop, rows.folded)
    if few is not None:
        size = math.prod(rows.folded.sizes)
        tile = tiles.few_row_tile(size, max(rows.sizes), _wide(rows), rows.inputs)
        any_axes = AnyAxis(tuple(few[0]), tile.rows), AnyAxis(tuple(few[1]), tile.columns)
        return _RowWriter(rows, AnyTiling(any_axes, (), tile), arch).kernel()
    kept, tile = dims_of(rows.loop), _tile(rows)
    taken = kept[:1]
    if _across(rows):
        taken = [next(dim for dim in kept if abs(dim.strides[0]) == 1)]
    if taken[0].size < tile.rows:  # too short for a tile: decoded
        taken = kept
    axes = Axis(tuple(taken), tile.rows), Axis(tuple(dims_of(rows.folded)), tile.columns)
    others = tuple(dim for dim in kept if dim not in taken)
    return _RowWriter(rows, Tiling(axes, others, tile), arch).kernel()


_Term = tuple[Node, tuple[int, ...], str]
SMALLEST = "smallest"  # of a row, where its largest number was sought


@lru_cache(maxsize=1024)
def with_terms(
    body: Body, reads: tuple[int, ...], terms: tuple[_Term, ...]
) -> tuple[Body, tuple[str, ...]]:
    """A body that loads what it would compute again: terms of earlier passes, each with what that
    pass reads and a name. The names of those it loads come with it."""
    names: list[str] = []
    known: dict[Node, Node] = {}
    inside = set(in_order(*body.results))
    for term, its_reads, name in terms:
        if not set(its_reads) <= set(reads):
            continue
        here = renumbered(term, {k: reads.index(read) for k, read in enumerate(its_reads)})
        if here in inside and here.args:
            known[here] = make("load", here.type, value=len(body.loads) + len(names))
            names.append(name)
    if not names:
        return body, ()
    loads = (*body.loads, *(load.type for load in known.values()))
    results = tuple(exchanged(result, known) for result in body.results)
    return replace(body, loads=loads, results=results, unguarded=None, rare=None), tuple(names)


_CHUNKS = """
@triton.jit
def in_rows(x):
    return tl.reshape(tl.permute(x, (1, 0, 2)), [ROWS, COLUMNS])


@triton.jit
def in_chunks(y):
    return tl.permute(tl.reshape(y, [ROWS, CHUNKS, COLUMNS // CHUNKS]), (1, 0, 2))
"""


@lru_cache(maxsize=1024)
def _functions(name: str, body: Body, arch: int) -> tuple[str, ...]:
    """What a body computes; and the short way of it, and where that is none, where it has them."""
    found = [function_source(name, body, arch)]
    if body.rare is not None and body.unguarded is not None:
        rare, usual = replace(body, results=(body.rare,)), replace(body, results=body.unguarded)
        found.append(function_source(f"{name}_rare", rare, arch))
        found.append(function_source(f"{name}_usual", usual, arch))
    return tuple(found)


@lru_cache(maxsize=1024)
def _folding(number: int, how: Folding, rows: int, columns: int) -> str:
    """The functions of what a tile's terms make together, with names of their own."""
    source = sums.functions(how) + "\n\n" + sums.folding_a_tile()
    bits = (columns - 1).bit_length()
    source = sums.renamed(sums.replaced(source, sums.numbers(how, columns_bits=bits)), number)
    return sums.replaced(source, {"ROWS": rows, "COLUMNS": columns})


@lru_cache(maxsize=1024)
def compared_in_float32(body: Body, how: Folding) -> Body | None:
    """The body of the numbers whose largest is sought, where they are float32 or made of it: a GPU
    compares those in one instruction; else None."""
    (term,) = body.results
    if how.kind != "max" or term.op != "select" or term.args[0].op != "ne":
        return None
    number, same = term.args[0].args
    number = number.args[0] if number.op == "widen" else number
    if term.args[0].args[0] is not same or number.type != "f32":
        return None
    return replace(body, results=(number,), unguarded=None, rare=None)


def _vector(axis: Axis) -> int:
    """What an axis' size is a multiple of, so that masks cut no vectors."""
    return 16 if axis.size % 16 == 0 else 1


def _numbers(one: Pass) -> Body:
    """The body of what a pass folds, or of its results: numbers rather than integers in their place
    where there are numbers."""
    if one.fold is None:
        return one.body
    return compared_in_float32(one.body, one.fold.how) or one.body


@lru_cache(maxsize=1024)
def _rare_below(
    body: Body, reads: tuple[int, ...], compared: _Term | None, folds: int
) -> Body | None:
    """The body that tells by the smallest of the numbers that were compared, its last load, whether
    some element of a row is rare; None where not those are rare that lie too far below a number of
    the whole row, as all are that are read from `folds` on."""
    if compared is None or body.rare is None or body.uniforms or body.rare.op != "not":
        return None
    number, its_reads, _ = compared
    if not set(its_reads) <= set(reads):
        return None
    number = renumbered(number, {k: reads.index(read) for k, read in enumerate(its_reads)})
    smallest = make("load", "f32", value=len(body.loads))
    rare = exchanged(body.rare, {number: smallest})
    (usual,) = rare.args  # a limit is not above what a number is more than the largest
    if usual.op != "le" or usual.args[1].op != "sub":
        return None
    least, largest = usual.args[1].args
    if least not in (smallest, make("widen", "f64", smallest)):
        return None
    loads = {int(node.value) for node in in_order(usual.args[0], largest) if node.op == "load"}
    if any(load >= len(reads) or reads[load] < folds for load in loads):
        return None
    return replace(body, loads=(*body.loads, "f32"), results=(rare,), unguarded=None, rare=None)


class _RowWriter(Writer):
    def __init__(self, rows: Rows, tiling: Tiling, arch: int) -> None:
        last = rows.passes[-1].body
        loads: dict[int, str] = {}
        for one, reads in zip(rows.passes, rows.reads, strict=True):
            loads.update(zip(reads, one.body.loads, strict=True))
        uniforms = tuple(type for one in rows.passes for type in one.body.uniforms)
        body = Body(
            tuple(loads[k] for k in range(rows.inputs)), uniforms, last.results, last.complex
        )
        super().__init__(body, tiling, arch)
        self.rows, self.heavy = rows, False
        self.functions: list[str] = []
        self.of_rows: dict[str, str] = {}  # what is one number for a row
        down, columns = tiling.axes
        together = all(columns.pattern(k) == "1" and down.pattern(k) != "0" for k in self.operands)
        cut = columns.size % columns.tile and _vector(columns) == 1
        self.chunks = tiling.tile.layers if together and not cut else 1

    def kernel(self) -> Kernel:
        self.place()
        self.offsets()
        any_layout = isinstance(self.tiling, AnyTiling)
        masked = [
            n for n, axis in enumerate(self.tiling.axes) if any_layout or axis.size % axis.tile
        ]
        for number in masked:
            axis = self.tiling.axes[number]
            at, vector = self.places.length(number), 1 if any_layout else _vector(axis)
            size = self.parameter(f"n{number}", self.far, axis.size, vector, at)
            self.line(f"left{number} = {size} - start{number}")
        self.masks(masked, 1)
        for k in range(self.out):
            self.load(k, masked, "evict_last" if self.tiling.tile.again else "")
        mask = self.mask([0, 1], masked)
        if mask and self.chunks > 1:
            self.line(f"here = tl.broadcast_to({mask}, [CHUNKS, ROWS, COLUMNS // CHUNKS])")
            mask = self.in_rows("here")
        self.stages(mask, masked)
        for k in self.operands[self.out :]:
            self.line(f"y = tl.broadcast_to(y{k}, [ROWS, COLUMNS])")
            if self.chunks > 1:
                self.line("y = in_chunks(y)")
            self.store(k, masked, 1)
        if self.chunks > 1:
            self.functions.append(_CHUNKS)
        tile = {"ROWS": self.tiling.axes[0].tile, "COLUMNS": self.tiling.axes[1].tile}
        tile["CHUNKS"] = self.chunks
        return self.finished(sums.replaced("\n\n".join([*self.functions, self.function()]), tile))

    def along_axis(self, number: int) -> str:
        if self.chunks == 1 or number == 0:
            return super().along_axis(number)
        width = self.tiling.axes[1].tile // self.chunks
        first = f"(tl.arange(0, {self.chunks}) * {width})[:, None, None]"
        return f"{first} + tl.arange(0, {width})[None, None, :]"

    def spread(self, name: str, number: int) -> str:
        if self.chunks == 1:
            return super().spread(name, number)
        return name if number else f"{name}[None, :, None]"

    def moved(self, k: int, masked: list[int]) -> tuple[str, list[int]]:
        address, axes = super().moved(k, masked) if self.chunks == 1 else self.address(k)
        return address if axes else f"{address} + tl.zeros([ROWS, COLUMNS], tl.int32)", axes

    def in_rows(self, loaded: str) -> str:
        return f"in_rows({loaded})" if self.chunks > 1 else loaded

    def load(self, k: int, masked: list[int], policy: str = "") -> None:
        address, axes = self.address(k)
        mask = self.mask(axes, masked)
        options = f", mask={mask}, other=0" if mask else ""
        if policy:
            options += f", eviction_policy='{policy}'"
        if len(axes) < 2 and self.chunks == 1:
            # read for each element, as some instructions take pairs: those would be computed first
            # of what is only made wider here
            address = f"{address} + tl.zeros([ROWS, COLUMNS], tl.int32)"
        self.line(f"x{k} = {self.in_rows(f'tl.load({address}{options})')}")

    def stages(self, mask: str, masked: list[int]) -> None:
        """The passes one after the other; a fold's value is that of all elements of its row. Terms
        are computed once: a later pass that needs them as well has them, unless it reads again."""
        uniforms = 0
        terms: tuple[_Term, ...] = ()
        compared: _Term | None = None  # numbers of which the smallest is known
        at = self.places.length(1)
        count = self.parameter("count", "i64", self.tiling.axes[1].size, at=at)
        for number, (one, reads) in enumerate(zip(self.rows.passes, self.rows.reads, strict=True)):
            numbers = _numbers(one)
            if one.fold is None and self.tiling.tile.again:
                terms = ()
                for k in range(self.out):
                    self.load(k, masked, "evict_first")
                self.line("tl.debug_barrier()")  # an output may be an input
            body, known = with_terms(numbers, reads, terms)
            given = [*(f"x{k}" for k in reads), *known]
            given += [f"u{uniforms + k}" for k in range(len(body.uniforms))]
            uniforms += len(body.uniforms)
            assert len(given) == len(arguments(body))
            term = f"term{number}"
            names = [f"y{k}" for k in self.operands[self.out :]] if one.fold is None else [term]
            rare = _rare_below(body, reads, compared, len(self.operands))
            self.value(f"value{number}", body, given, names, rare)
            if one.fold is None:
                return
            self.line(f"t = tl.broadcast_to({term}, [ROWS, COLUMNS])")
            if one.fold.how.kind == "max" and numbers is not one.body:
                compared = numbers.results[0], reads, SMALLEST
            elif not one.body.uniforms:  # numbers of its own would have other names
                terms = (*terms, (numbers.results[0], reads, term))
            self.fold(number, one.fold, numbers, mask, count)

    def value(
        self, name: str, body: Body, given: list[str], names: list[str], rare: Body | None
    ) -> None:
        """Set names to what a body computes: the short way where no element is rare, which `rare`
        tells of the smallest of a row."""
        passed, found = ", ".join(given), ", ".join(names)
        self.functions += _functions(name, body, self.arch)
        if body.rare is None or body.unguarded is None:
            self.line(f"{found} = {name}({passed})")
            return
        if rare is None:
            self.line(f"rare = tl.broadcast_to({name}_rare({passed}), [ROWS, COLUMNS])")
            self.line("rare = tl.max(tl.where(rare, 1, 0), 1)")
        else:
            self.functions.append(function_source(f"{name}_below", rare, self.arch))
            passed_rows = ", ".join([*(self.of_rows.get(x, SMALLEST) for x in given), SMALLEST])
            self.line(f"rare = tl.where({name}_below({passed_rows}), 1, 0)")
        self.line("if tl.max(rare, 0) != 0:")
        self.line(f"{found} = {name}({passed})", 2)
        self.line("else:")
        self.line(f"{found} = {name}_usual({passed})", 2)

    def fold(self, number: int, fold: Fold, numbers: Body, mask: str, count: str) -> None:
        """What the numbers `t` make together, row by row and as all elements of a row see it."""
        how, name = fold.how, f"f{number}"
        compared = how.kind == "max" and numbers.results[0].type == "f32"
        if how.kind == "powers":
            power = make("load", how.term, value=0)
            units = Body((how.term,), (), (in_units(power),), (False,))
            self.functions.append(function_source("units", units, self.arch))
            self.line("t = units(t)")
        if compared:
            self.line(f"u = tl.where({mask}, t, float('inf'))" if mask else "u = t")
        if mask:
            padding = "float('-inf')" if compared else sums.padding(how)
            self.line(f"t = tl.where({mask}, t, {padding})")
        if compared:
            self.functions.append(sums.largest_number(how))
            self.line(f"{name}, {SMALLEST} = largest_{how.value}(t, u)")
        else:
            self.line(f"{name} = {self.folded(number, how, count)}")
        finish = f"finish{number}"
        self.functions.append(function_source(finish, fold.finish, self.arch))
        # as it would be read again
        self.line(f"{name} = {finish}({name}).to(tl.float64, bitcast=True)")
        everywhere = f"x{len(self.operands) + number}"
        self.line(f"{everywhere} = tl.broadcast_to({name}[:, None], [ROWS, COLUMNS])")
        self.of_rows[everywhere] = name

    def folded(self, number: int, how: Folding, count: str) -> str:
        """What the terms `t` make together: functions that have their names to themselves."""
        if not how.sums_floats:
            return "tl.max(t, 1)" if how.kind == "max" else "tl.sum(t, 1)"
        rows, columns = self.tiling.axes[0].tile, self.tiling.axes[1].tile
        self.functions.append(_folding(number, how, rows, columns))
        return f"folded_{number}(t, {count})"
