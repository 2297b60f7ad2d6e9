"""The kernel: blocks of the result, one after the other."""

from __future__ import annotations

from functools import lru_cache, partial

from openaclnn.base.records import dataclass
from openaclnn.engines.cpu import compile
from openaclnn.engines.cpu.routines.products.certificate import Certifying
from openaclnn.engines.cpu.routines.products.kind import (
    CHUNK,
    HIGH,
    LINE,
    NAME,
    RECORD,
    WIDE,
    WINDOW,
    A,
    B,
    ProductKind,
    Words,
)


@lru_cache(maxsize=256)
def source(kind: ProductKind) -> str:
    """The kernel's module."""
    return compile.VECTORS + ContractionKernel(kind).text()


@dataclass(frozen=True)
class ProductSizes:
    """Words of the argument block, in registers."""

    m: str
    n: str
    k: str
    block_m: str
    block_n: str
    blocks_m: str
    blocks_n: str


@dataclass(frozen=True)
class BlockRooms:
    """For how many lines there is room, and where a block's things are: panels, sums by tiles,
    records of rows, columns and terms, what the certificate knows of the lines, and the sums of one
    row's chunk."""

    padded_rows: str
    padded_columns: str
    a: str
    b: str
    sums: str
    rows: str
    columns: str
    ks: str
    norms_a: str
    norms_b: str
    least_a: str
    least_b: str
    chunk: str


@dataclass(frozen=True)
class ResultBlock:
    """How many lines and tiles a block has, and how many lines those tiles have."""

    rows: str
    columns: str
    tiles_m: str
    tiles_n: str
    padded_m: str
    padded_n: str


class ContractionKernel(Certifying):
    """One kernel's functions."""

    def __init__(self, kind: ProductKind) -> None:
        super().__init__(kind)
        self.write_tables()
        self.write_packing("a", kind.a, kind.a_pattern, A, self.panel_a)
        self.write_packing("b", kind.b, kind.b_pattern, B, self.panel_b)
        self.write_micro()
        if kind.by_lines:
            self.write_lines()
        if kind.across_lines:
            self.write_across()
        if kind.certified:
            self.write_exact()
        self.write_finish()
        self.write_main()

    def write_micro(self) -> None:
        """A tile: products along a chunk of K, added to what is there."""
        rows, vectors, floats = self.tile.rows, self.tile.vectors, self.kind.acc == "f64"
        cells = [(r, v) for r in range(rows) for v in range(vectors)]
        head = "ptr %a, ptr %b, i64 %count, ptr %c, i1 %first"
        with self.function("openaclnn_micro", head):
            self.line("br label %head")
            self.label("head")
            self.line("%k = phi i64 [ 0, %entry ], [ %k.next, %head ]")
            self.line("%a.k = phi ptr [ %a, %entry ], [ %a.next, %head ]")
            self.line("%b.k = phi ptr [ %b, %entry ], [ %b.next, %head ]")
            for r, v in cells:
                zero = "zeroinitializer"
                self.line(f"%s{r}.{v} = phi {self.acc} [ {zero}, %entry ], [ %t{r}.{v}, %head ]")
            columns = [
                self.load(self.acc, self.at("%b.k", v * self.lanes * self.size), 8)
                for v in range(vectors)
            ]
            fma = f"llvm.fma.v{self.lanes}f64"
            if floats:
                self.intrinsic(fma, self.acc, ", ".join([self.acc] * 3))
            for r in range(rows):
                value = self.load(self.type, self.at("%a.k", r * self.size), 8)
                row = self.splat(self.kind.acc, value)
                for v in range(vectors):
                    if floats:
                        arguments = (row, columns[v], f"%s{r}.{v}")
                        text = ", ".join(f"{self.acc} {a}" for a in arguments)
                        self.line(f"%t{r}.{v} = call {self.acc} @{fma}({text})")
                    else:
                        product = self._two("mul", row, columns[v], self.acc)
                        self.line(f"%t{r}.{v} = add {self.acc} {product}, %s{r}.{v}")
            self.line("%k.next = add nsw i64 %k, 1")
            self.line(f"%a.next = getelementptr i8, ptr %a.k, i64 {self.panel_a}")
            self.line(f"%b.next = getelementptr i8, ptr %b.k, i64 {self.panel_b}")
            more = self.test("slt", "%k.next", "%count")
            self.line(f"br i1 {more}, label %head, label %done")
            self.label("done")
            self.when("%first", partial(self._keep, cells, False), partial(self._keep, cells, True))
            self.line("ret void")

    def _keep(self, cells: list[tuple[int, int]], adding: bool) -> None:
        for r, v in cells:
            at = self.at("%c", (r * self.tile.vectors + v) * self.lanes * self.size)
            value = f"%t{r}.{v}"
            if adding:
                word = "fadd" if self.kind.acc == "f64" else "add"
                value = self._two(word, self.load(self.acc, at, 8), value, self.acc)
            self.store(self.acc, value, at, 8)

    def write_main(self) -> None:
        self.declared["malloc"] = "declare noalias ptr @malloc(i64)"
        self.declared["free"] = "declare void @free(ptr)"
        self.memset = self.intrinsic("llvm.memset.p0.i64", "void", "ptr, i8, i64, i1")
        with self.function(NAME, "ptr %block, i64 %first, i64 %last", linkage=""):
            names = ("m", "n", "k", "block_m", "block_n", "blocks_m", "blocks_n")
            self.sizes = ProductSizes(*(self.of("%block", name) for name in names))
            memory, self.rooms = self._rooms()
            self.bases = self.variable("i64", count=RECORD)
            beside = ("scale", "offset") if self.kind.scale else ("high", "wide")
            self.beside = [f"i64 {self.of('%block', name)}" for name in beside]
            record = self.variable("i64", count=RECORD)
            self.repeat("%first", "%last", partial(self._block, record))
            self.call("void", "@free", f"ptr {memory}")
            self.line("ret void")

    def _rooms(self) -> tuple[str, BlockRooms]:
        """Memory for one block: all of it, and its rooms, which are lines of the cache."""
        tile, sizes = self.tile, self.sizes
        chunk = self.least(sizes.k, CHUNK)
        rows = self.mul(self.rounded_up(sizes.block_m, tile.rows), tile.rows)
        columns = self.mul(self.rounded_up(sizes.block_n, tile.columns), tile.columns)
        wants: list[str] = [
            self.mul(self.mul(rows, chunk), self.size),
            self.mul(self.mul(columns, chunk), self.size),
            self.mul(self.mul(rows, columns), self.size),
            self.mul(rows, 8 * RECORD),
            self.mul(columns, 8 * RECORD),
            self.mul(chunk, 8 * RECORD),
            *[self.mul(x, 8) for x in (rows, columns, rows, columns, columns)],
        ]
        places = []
        total: str | int = 0
        for want in wants:
            places.append(total)
            lines = self._two("and", self.add(want, 63), -64)
            total = self.add(total, lines)
        memory = self.call("ptr", "@malloc", f"i64 {self.add(total, 64)}")
        number = self.set(f"ptrtoint ptr {memory} to i64")
        aligned = self._two("and", self.add(number, 63), -64)
        start = self.set(f"inttoptr i64 {aligned} to ptr")
        return memory, BlockRooms(rows, columns, *(self.at(start, place) for place in places))

    def _block(self, record: str, unit: str) -> None:
        """One block of the result."""
        sizes, rooms, tile = self.sizes, self.rooms, self.tile
        per = self.mul(sizes.blocks_m, sizes.blocks_n)
        batch, rest = self.divided(unit, per)
        ib, jb = self.divided(rest, sizes.blocks_n)
        self._table("batch", batch, "1", record)
        for operand, name in enumerate(("a", "b", "c", "out")):
            start = self.at(self.of("%block", name, "ptr"), self.word(record, operand))
            self.store("ptr", start, self.at(self.bases, operand, 8), 8)
        m0, n0 = self.mul(ib, sizes.block_m), self.mul(jb, sizes.block_n)
        rows = self.least(self.sub(sizes.m, m0), sizes.block_m)
        columns = self.least(self.sub(sizes.n, n0), sizes.block_n)
        self._table("m", m0, rows, rooms.rows)
        self._table("n", n0, columns, rooms.columns)
        self._start_positions(rooms.columns, columns, record)
        tiles_m = self.rounded_up(rows, tile.rows)
        tiles_n = self.rounded_up(columns, tile.columns)
        padded_m = self.mul(tiles_m, tile.rows)
        padded_n = self.mul(tiles_n, tile.columns)
        block = ResultBlock(rows, columns, tiles_m, tiles_n, padded_m, padded_n)
        self._clear(block)
        if self.kind.by_lines or self.kind.across_lines:
            alone = self._row_along if self.kind.by_lines else self._row_across
            one = self.test("eq", sizes.m, 1)
            self.when(one, partial(alone, block), partial(self._chunks, block))
        else:
            self._chunks(block)
        if self.kind.certified:
            gamma = self.of("%block", "gamma", "double")
            self._bounds(rooms.norms_a, rooms.least_a, padded_m, gamma, self.kind.a)
            self._bounds(rooms.norms_b, rooms.least_b, padded_n, "1.0", self.kind.b)
        self._results(block)

    def _clear(self, block: ResultBlock) -> None:
        """Nothing is known of the lines; without terms the sums are 0."""
        rooms = self.rooms
        if self.kind.certified:
            for norms, count in ((rooms.norms_a, block.padded_m), (rooms.norms_b, block.padded_n)):
                self._zero(norms, self.mul(count, 8))
        if self.kind.short:
            for least, count in ((rooms.least_a, block.padded_m), (rooms.least_b, block.padded_n)):
                self.repeat(0, count, partial(self._start_least, least))

        def empty() -> None:
            bytes = self.mul(self.mul(block.padded_m, block.padded_n), self.size)
            self._zero(rooms.sums, bytes)

        self.when(self.test("eq", self.sizes.k, 0), empty)

    def _zero(self, at: str, count: str) -> None:
        self.line(f"call void {self.memset}(ptr {at}, i8 0, i64 {count}, i1 false)")

    def _chunks(self, block: ResultBlock) -> None:
        """The sums of a block, a chunk of K after the other."""
        rooms, tile = self.rooms, self.tile

        def along(k0: str) -> None:
            kc = self.least(self.sub(self.sizes.k, k0), CHUNK)
            self._table("k", k0, kc, rooms.ks)
            first = self.test("eq", k0, 0)
            self._pack("b", B, block.columns, block.tiles_n, kc)
            self._pack("a", A, block.rows, block.tiles_m, kc)

            def column(j: str) -> None:
                b = self.at(rooms.b, self.mul(j, kc), self.panel_b)

                def row(i: str) -> None:
                    a = self.at(rooms.a, self.mul(i, kc), self.panel_a)
                    number = self.add(self.mul(j, block.tiles_m), i)
                    c = self.at(rooms.sums, number, tile.rows * tile.columns * self.size)
                    self.call(
                        "void", "@openaclnn_micro", f"ptr {a}", f"ptr {b}", f"i64 {kc}",
                        f"ptr {c}", f"i1 {first}",
                    )  # fmt: skip

                self.repeat(0, block.tiles_m, row)

            self.repeat(0, block.tiles_n, column)

        self.repeat(0, self.sizes.k, along, CHUNK)

    def _row_along(self, block: ResultBlock) -> None:
        """The sums of one row with columns along K, in long stretches: what the room for panels of
        both factors holds."""
        rooms = self.rooms
        lines = self.add(rooms.padded_rows, rooms.padded_columns)
        most = self.least(self.mul(lines, CHUNK), LINE)

        def some(k0: str) -> None:
            kc = self.least(self.sub(self.sizes.k, k0), most)
            self._widen_row(k0, kc, rooms.a, rooms.norms_a, rooms.least_a, rooms.rows)
            bits = self.mul(k0, self.kind.b.bits)
            base = self.at(self._base(B), self._two("lshr", bits, 3))
            self.call(
                "void", "@openaclnn_lines", f"ptr {rooms.a}", f"ptr {base}",
                f"ptr {rooms.columns}", f"i64 {block.columns}", f"i64 {kc}",
                f"i1 {self.test('eq', k0, 0)}", f"ptr {rooms.sums}", f"ptr {rooms.norms_b}",
                f"ptr {rooms.least_b}", "ptr %block", f"i64 {k0}",
            )  # fmt: skip

        self.repeat(0, self.sizes.k, some, most)

    def _row_across(self, block: ResultBlock) -> None:
        """The same of columns that lie side by side."""
        rooms = self.rooms

        def some(k0: str) -> None:
            kc = self.least(self.sub(self.sizes.k, k0), CHUNK)
            self._table("k", k0, kc, rooms.ks)
            self._widen_row(k0, kc, rooms.a, rooms.norms_a, rooms.least_a, rooms.rows)
            self.call(
                "void", "@openaclnn_across", f"ptr {rooms.a}", f"ptr {self._base(B)}",
                f"ptr {rooms.columns}", f"i64 {block.columns}", f"ptr {rooms.ks}", f"i64 {kc}",
                f"i1 {self.test('eq', k0, 0)}", f"ptr {rooms.chunk}", f"ptr {rooms.sums}",
                f"ptr {rooms.norms_b}", f"ptr {rooms.least_b}", f"ptr {rooms.b}", *self.beside,
            )  # fmt: skip

        self.repeat(0, self.sizes.k, some, CHUNK)

    def _results(self, block: ResultBlock) -> None:
        """A block's sums as results, a tile after the other."""
        rooms, tile = self.rooms, self.tile

        def column(j: str) -> None:
            j0 = self.mul(j, tile.columns)
            count_columns = self.least(self.sub(block.columns, j0), tile.columns)

            def row(i: str) -> None:
                i0 = self.mul(i, tile.rows)
                count_rows = self.least(self.sub(block.rows, i0), tile.rows)
                number = self.add(self.mul(j, block.tiles_m), i)
                c = self.at(rooms.sums, number, tile.rows * tile.columns * self.size)
                self.call(
                    "void", "@openaclnn_finish", "ptr %block", f"ptr {self.bases}", f"ptr {c}",
                    f"ptr {self.at(rooms.rows, i0, 8 * RECORD)}", f"i64 {count_rows}",
                    f"ptr {self.at(rooms.columns, j0, 8 * RECORD)}", f"i64 {count_columns}",
                    f"ptr {self.at(rooms.norms_a, i0, 8)}", f"ptr {self.at(rooms.norms_b, j0, 8)}",
                    f"ptr {self.at(rooms.least_a, i0, 8)}", f"ptr {self.at(rooms.least_b, j0, 8)}",
                )  # fmt: skip

            self.repeat(0, block.tiles_m, row)

        self.repeat(0, block.tiles_n, column)

    def _start_least(self, least: str, i: str) -> None:
        self.store("double", f"0x{0x7FF << 52:X}", self.at(least, i, 8), 8)

    def _start_positions(self, records: str, count: str, batch: str) -> None:
        """Where the window's positions begin, and what the batch adds, is part of the columns."""
        if self.kind.b_pattern != WINDOW:
            return
        start = self.at("%block", Words.AT["start"], 8)

        def one(j: str) -> None:
            at = self.at(records, j, 8 * RECORD)
            for position in (HIGH, WIDE):
                more = self.add(self.word(start, position), self.word(batch, position))
                here = self.at(at, 8 * position)
                self.store("i64", self.add(self.load("i64", here, 8), more), here, 8)

        self.repeat(0, count, one)

    def _pack(self, name: str, of: int, count: str, tiles: str, kc: str) -> None:
        """All panels of an operand's chunk."""
        rooms = self.rooms
        if of == A:
            lines, panel, out = self.tile.rows, self.panel_a, rooms.a
            records, norms, least = rooms.rows, rooms.norms_a, rooms.least_a
        else:
            lines, panel, out = self.tile.columns, self.panel_b, rooms.b
            records, norms, least = rooms.columns, rooms.norms_b, rooms.least_b

        def one(t: str) -> None:
            to = self.at(out, self.mul(t, kc), panel)
            for group in range(lines // self.lanes):
                first = self.add(self.mul(t, lines), group * self.lanes)
                left = self.least(self.sub(count, first), self.lanes)
                most = self.intrinsic("llvm.smax.i64", "i64", "i64, i64")
                valid = self.set(f"call i64 {most}(i64 {left}, i64 0)")
                self.call(
                    "void", f"@openaclnn_pack_{name}",
                    f"ptr {self._base(of)}", f"ptr {self.at(records, first, 8 * RECORD)}",
                    f"i64 {valid}", f"ptr {rooms.ks}", f"i64 {kc}",
                    f"ptr {self.at(to, group * self.lanes * self.size)}",
                    f"ptr {self.at(norms, first, 8)}", f"ptr {self.at(least, first, 8)}",
                    *self.beside,
                )  # fmt: skip

        self.repeat(0, tiles, one)
