"""The kernel: blocks of the result, one after the other."""

from __future__ import annotations

from functools import lru_cache, partial

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
        memset = self.intrinsic("llvm.memset.p0.i64", "void", "ptr, i8, i64, i1")
        tile, size = self.tile, self.size
        with self.function(NAME, "ptr %block, i64 %first, i64 %last", linkage=""):
            names = ("m", "n", "k", "block_m", "block_n", "blocks_m", "blocks_n")
            m, n, k, bm, bn, ms, ns = (self.of("%block", name) for name in names)
            chunk = self.least(k, CHUNK)
            # rooms: panels, sums, records, norms; all of them lines
            rows = self.mul(self.rounded_up(bm, tile.rows), tile.rows)
            columns = self.mul(self.rounded_up(bn, tile.columns), tile.columns)
            wants: list[str] = [
                self.mul(self.mul(rows, chunk), size),
                self.mul(self.mul(columns, chunk), size),
                self.mul(self.mul(rows, columns), size),
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
            room = self.set(f"inttoptr i64 {aligned} to ptr")
            ends = [self.at(room, place) for place in places]
            pa, pb, sums, mrec, nrec, krec, na, nb, la, lb, chunk_sums = ends
            ka = krec
            self.bases = bases = self.variable("i64", count=RECORD)
            beside = ("scale", "offset") if self.kind.scale else ("high", "wide")
            high, wide = (self.of("%block", name) for name in beside)
            record = self.variable("i64", count=RECORD)

            def unit(u: str) -> None:
                per = self.mul(ms, ns)
                batch, rest = self.divided(u, per)
                ib, jb = self.divided(rest, ns)
                self._table("batch", batch, "1", record)
                for operand, name in enumerate(("a", "b", "c", "out")):
                    start = self.at(self.of("%block", name, "ptr"), self.word(record, operand))
                    self.store("ptr", start, self.at(bases, operand, 8), 8)
                m0, n0 = self.mul(ib, bm), self.mul(jb, bn)
                mc = self.least(self.sub(m, m0), bm)
                nc = self.least(self.sub(n, n0), bn)
                self._table("m", m0, mc, mrec)
                self._table("n", n0, nc, nrec)
                self._start_positions(nrec, nc, record)
                tiles_m = self.rounded_up(mc, tile.rows)
                tiles_n = self.rounded_up(nc, tile.columns)
                padded_m = self.mul(tiles_m, tile.rows)
                padded_n = self.mul(tiles_n, tile.columns)
                if self.kind.certified:
                    for norms, count in ((na, padded_m), (nb, padded_n)):
                        self.line(
                            f"call void {memset}(ptr {norms}, i8 0, i64 {self.mul(count, 8)}, "
                            "i1 false)"
                        )
                if self.kind.short:
                    for least, count in ((la, padded_m), (lb, padded_n)):
                        self.repeat(0, count, partial(self._start_least, least))

                def empty() -> None:
                    bytes = self.mul(self.mul(padded_m, padded_n), size)
                    self.line(f"call void {memset}(ptr {sums}, i8 0, i64 {bytes}, i1 false)")

                self.when(self.test("eq", k, 0), empty)

                def along(k0: str) -> None:
                    kc = self.least(self.sub(k, k0), CHUNK)
                    self._table("k", k0, kc, ka)
                    first = self.test("eq", k0, 0)
                    self._pack("b", B, nrec, nc, tiles_n, ka, kc, pb, nb, lb, high, wide)
                    self._pack("a", A, mrec, mc, tiles_m, ka, kc, pa, na, la, high, wide)

                    def column(j: str) -> None:
                        b = self.at(pb, self.mul(j, kc), self.panel_b)

                        def row(i: str) -> None:
                            a = self.at(pa, self.mul(i, kc), self.panel_a)
                            number = self.add(self.mul(j, tiles_m), i)
                            c = self.at(sums, number, tile.rows * tile.columns * size)
                            self.call(
                                "void", "@openaclnn_micro", f"ptr {a}", f"ptr {b}", f"i64 {kc}",
                                f"ptr {c}", f"i1 {first}",
                            )  # fmt: skip

                        self.repeat(0, tiles_m, row)

                    self.repeat(0, tiles_n, column)

                def one_row() -> None:
                    # what the room for panels of both factors holds
                    lines = self.add(rows, columns)
                    most = self.least(self.mul(lines, CHUNK), LINE)

                    def some(k0: str) -> None:
                        kc = self.least(self.sub(k, k0), most)
                        self._widen_row(k0, kc, pa, na, la, mrec)
                        bits = self.mul(k0, self.kind.b.bits)
                        base = self.at(self._base(B), self._two("lshr", bits, 3))
                        self.call(
                            "void", "@openaclnn_lines", f"ptr {pa}", f"ptr {base}", f"ptr {nrec}",
                            f"i64 {nc}", f"i64 {kc}", f"i1 {self.test('eq', k0, 0)}",
                            f"ptr {sums}", f"ptr {nb}", f"ptr {lb}", "ptr %block", f"i64 {k0}",
                        )  # fmt: skip

                    self.repeat(0, k, some, most)

                def one_row_across() -> None:
                    def some(k0: str) -> None:
                        kc = self.least(self.sub(k, k0), CHUNK)
                        self._table("k", k0, kc, ka)
                        self._widen_row(k0, kc, pa, na, la, mrec)
                        self.call(
                            "void", "@openaclnn_across", f"ptr {pa}", f"ptr {self._base(B)}",
                            f"ptr {nrec}", f"i64 {nc}", f"ptr {ka}", f"i64 {kc}",
                            f"i1 {self.test('eq', k0, 0)}", f"ptr {chunk_sums}", f"ptr {sums}",
                            f"ptr {nb}", f"ptr {lb}", f"ptr {pb}", f"i64 {high}", f"i64 {wide}",
                        )  # fmt: skip

                    self.repeat(0, k, some, CHUNK)

                def blocks() -> None:
                    self.repeat(0, k, along, CHUNK)

                if self.kind.by_lines or self.kind.across_lines:
                    alone = one_row if self.kind.by_lines else one_row_across
                    self.when(self.test("eq", m, 1), alone, blocks)
                else:
                    blocks()
                if self.kind.certified:
                    gamma = self.of("%block", "gamma", "double")
                    self._bounds(na, la, padded_m, gamma, self.kind.a)
                    self._bounds(nb, lb, padded_n, "1.0", self.kind.b)

                def column(j: str) -> None:
                    j0 = self.mul(j, tile.columns)
                    count_columns = self.least(self.sub(nc, j0), tile.columns)

                    def row(i: str) -> None:
                        i0 = self.mul(i, tile.rows)
                        count_rows = self.least(self.sub(mc, i0), tile.rows)
                        number = self.add(self.mul(j, tiles_m), i)
                        c = self.at(sums, number, tile.rows * tile.columns * size)
                        self.call(
                            "void", "@openaclnn_finish", "ptr %block", f"ptr {bases}", f"ptr {c}",
                            f"ptr {self.at(mrec, i0, 8 * RECORD)}", f"i64 {count_rows}",
                            f"ptr {self.at(nrec, j0, 8 * RECORD)}", f"i64 {count_columns}",
                            f"ptr {self.at(na, i0, 8)}", f"ptr {self.at(nb, j0, 8)}",
                            f"ptr {self.at(la, i0, 8)}", f"ptr {self.at(lb, j0, 8)}",
                        )  # fmt: skip

                    self.repeat(0, tiles_m, row)

                self.repeat(0, tiles_n, column)

            self.repeat("%first", "%last", unit)
            self.call("void", "@free", f"ptr {memory}")
            self.line("ret void")

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

    def _pack(
        self, name: str, of: int, records: str, count: str, tiles: str, ks: str, kc: str,
        out: str, norms: str, least: str, high: str, wide: str,
    ) -> None:  # fmt: skip
        """All panels of an operand's chunk."""
        lines = self.tile.rows if of == A else self.tile.columns
        panel = self.panel_a if of == A else self.panel_b

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
                    f"i64 {valid}", f"ptr {ks}", f"i64 {kc}",
                    f"ptr {self.at(to, group * self.lanes * self.size)}",
                    f"ptr {self.at(norms, first, 8)}", f"ptr {self.at(least, first, 8)}",
                    f"i64 {high}", f"i64 {wide}",
                )  # fmt: skip

        self.repeat(0, tiles, one)
