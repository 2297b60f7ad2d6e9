"""Writes the kernel of rows: all passes over a tile of whole rows, of which each element is read
once. Softmax's largest numbers, sums and quotients are computed of what is in registers."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

from openaclnn.arithmetic.folding import Folding
from openaclnn.arithmetic.lower import Body
from openaclnn.arithmetic.nodes import Node, exchanged, in_order, make, renumbered
from openaclnn.engines.cuda import sums, tiles
from openaclnn.engines.cuda.body import arguments, function_source
from openaclnn.engines.cuda.kernel import HEAD, NAME, Kernel, Writer
from openaclnn.engines.cuda.tiles import Tile
from openaclnn.engines.cuda.tiling import Axis, Tiling, dims_of
from openaclnn.plan.folds import Rows


def fits_on_chip(rows: Rows) -> bool:
    """Whether a program has room for a row."""
    return 0 < math.prod(rows.folded.sizes) <= _tile(rows).columns


def _tile(rows: Rows) -> Tile:
    # that folds are read as float64 does not count
    wide = any(one.fold.how.term in ("f64", "i64") for one in rows.passes if one.fold is not None)
    return tiles.row_tile(math.prod(rows.folded.sizes), wide, _across(rows), rows.inputs)


def _across(rows: Rows) -> bool:
    """Whether rows lie beside each other, and what is in them does not."""
    kept, folded = dims_of(rows.loop), dims_of(rows.folded)
    return abs(folded[0].strides[0]) > 1 and any(abs(dim.strides[0]) == 1 for dim in kept)


def rows_kernel(rows: Rows, arch: int) -> Kernel:
    """The kernel of rows that fit on the chip."""
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

    def kernel(self) -> Kernel:
        self.place()
        self.offsets()
        masked = [number for number, axis in enumerate(self.tiling.axes) if axis.size % axis.tile]
        for number in masked:
            size = self.parameter(f"n{number}", self.far, self.tiling.axes[number].size, self.even)
            self.line(f"left{number} = {size} - start{number}")
        self.masks(masked, 1)
        for k in range(self.out):
            address, axes = self.address(k)
            mask = self.mask(axes, masked)
            self.line(f"x{k} = tl.load({address}{f', mask={mask}, other=0' if mask else ''})")
        self.stages(self.mask([0, 1], masked))
        for k in self.operands[self.out :]:
            self.line(f"y = tl.broadcast_to(y{k}, [ROWS, COLUMNS])")
            self.store(k, masked, 1)
        names = [f"p{k}" for k in self.operands]
        names += [f"u{number}" for number in range(len(self.body.uniforms))]
        names += [parameter.name for parameter in self.parameters]
        head = f"@triton.jit\ndef {NAME}({', '.join(names)}):\n"
        tile = {"ROWS": self.tiling.axes[0].tile, "COLUMNS": self.tiling.axes[1].tile}
        lines = sums.replaced(head + "\n".join(self.lines) + "\n", tile)
        return Kernel(
            source=HEAD + "\n\n".join([*self.functions, lines]),
            pointers=tuple(self.pointee(k) for k in self.operands),
            uniforms=len(self.body.uniforms),
            parameters=tuple(self.parameters),
            arch=self.arch,
            warps=self.tiling.tile.warps,
            registers=self.tiling.tile.registers,
            programs=self.tiling.programs,
            alignable=tuple(map(self.tiling.alignable, self.operands, self.sizes)),
        )

    @property
    def even(self) -> int:
        """What sizes are a multiple of, so that masks cut no vectors."""
        return 16 if all(axis.size % 16 == 0 for axis in self.tiling.axes) else 1

    def stages(self, mask: str) -> None:
        """The passes one after the other; a fold's value is that of all elements of its row. Terms
        are computed once: a later pass that needs them as well has them."""
        uniforms = 0
        terms: tuple[_Term, ...] = ()
        count = self.parameter("count", "i64", self.tiling.axes[1].size)
        for number, (one, reads) in enumerate(zip(self.rows.passes, self.rows.reads, strict=True)):
            compared = None if one.fold is None else compared_in_float32(one.body, one.fold.how)
            body, known = with_terms(compared or one.body, reads, terms)
            given = [*(f"x{k}" for k in reads), *known]
            given += [f"u{uniforms + k}" for k in range(len(body.uniforms))]
            uniforms += len(body.uniforms)
            assert len(given) == len(arguments(body))
            term = f"term{number}"
            names = [f"y{k}" for k in self.operands[self.out :]] if one.fold is None else [term]
            self.value(f"value{number}", body, given, names)
            if one.fold is None:
                return
            how = one.fold.how
            self.line(f"t = tl.broadcast_to({term}, [ROWS, COLUMNS])")
            if not one.body.uniforms and not compared:  # numbers of its own would have other names
                terms = (*terms, (one.body.results[0], reads, term))
            if mask:
                padding = "float('-inf')" if compared else sums.padding(how)
                self.line(f"t = tl.where({mask}, t, {padding})")
            finish = f"finish{number}"
            self.functions.append(function_source(finish, one.fold.finish, self.arch))
            folded = self.largest(how) if compared else self.folded(number, how, count)
            self.line(f"f = {finish}({folded})")
            # as it would be read again
            self.line("f = f.to(tl.float64, bitcast=True)[:, None]")
            self.line(f"x{len(self.operands) + number} = tl.broadcast_to(f, [ROWS, COLUMNS])")

    def value(self, name: str, body: Body, given: list[str], names: list[str]) -> None:
        """Set names to what a body computes: the short way where no element is rare."""
        passed, found = ", ".join(given), ", ".join(names)
        self.functions += _functions(name, body, self.arch)
        if body.rare is None or body.unguarded is None:
            self.line(f"{found} = {name}({passed})")
            return
        self.line(f"rare = tl.broadcast_to({name}_rare({passed}), [ROWS, COLUMNS])")
        self.line("if tl.max(tl.max(tl.where(rare, 1, 0), 1), 0) != 0:")
        self.line(f"{found} = {name}({passed})", 2)
        self.line("else:")
        self.line(f"{found} = {name}_usual({passed})", 2)

    def largest(self, how: Folding) -> str:
        """The largest of the numbers `t`, as the integer that a fold makes of it."""
        source = sums.largest_number(how)
        if source not in self.functions:
            self.functions.append(source)
        return f"largest_{how.value}(t)"

    def folded(self, number: int, how: Folding, count: str) -> str:
        """What the terms `t` make together: functions that have their names to themselves."""
        if not how.sums_floats:
            return "tl.max(t, 1)" if how.kind == "max" else "tl.sum(t, 1)"
        rows, columns = self.tiling.axes[0].tile, self.tiling.axes[1].tile
        self.functions.append(_folding(number, how, rows, columns))
        return f"folded_{number}(t, {count})"
