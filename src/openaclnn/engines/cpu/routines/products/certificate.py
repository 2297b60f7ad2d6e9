"""The certificate: sums with a bound of their error as results, where that leaves no doubt
(docs/contractions.md)."""

from __future__ import annotations

from openaclnn.arithmetic import rounding
from openaclnn.arithmetic.nodes import make
from openaclnn.base.dtypes import DType
from openaclnn.engines.cpu.routines.products.kind import BITS, OUT, RECORD
from openaclnn.engines.cpu.routines.products.repair import Repairing


class Certifying(Repairing):
    """Functions that make results of sums."""

    def write_finish(self) -> None:
        """A tile's numbers as results, those that are certain at once."""
        head = (
            "ptr %block, ptr %bases, ptr %c, ptr %rows, i64 %count.rows, ptr %columns, "
            "i64 %count.columns, ptr %norms.a, ptr %norms.b, ptr %least.a, ptr %least.b"
        )
        out, size = self.kind.out, self.kind.out.itemsize
        with self.function("openaclnn_finish", head):
            alpha = beta = ""
            if self.kind.scaled:
                floats = self.kind.acc == "f64"
                kind = "f64" if floats else "i64"
                numbers = [
                    self.of("%block", name, "double" if floats else "i64")
                    for name in ("alpha", "beta")
                ]
                if self.kind.acc == "i32":
                    numbers = [self.set(f"trunc i64 {x} to i32") for x in numbers]
                    kind = "i32"
                alpha, beta = (self.splat(kind, x) for x in numbers)
            results = self.variable(f"<{self.lanes} x {self.stored_type(out)}>")
            added = ""
            if self.kind.c is not None:
                added = self.variable(self.stored_vector(self.kind.c))
                self.store(self.stored_vector(self.kind.c), "zeroinitializer", added, 8)

            def row(r: str) -> None:
                record = self.at("%rows", r, 8 * RECORD)
                to = self.at(self.word("%bases", OUT, "ptr"), self.word(record, OUT))

                def vector(first: str) -> None:
                    count = self.least(self.sub("%count.columns", first), self.lanes)
                    columns = self.at("%columns", first, 8 * RECORD)
                    place = self.add(self.mul(r, self.tile.columns), first)
                    value = self.load(self.acc, self.at("%c", place, self.size), 8)
                    add = self._added(added, record, columns, count) if added else ""
                    stored, doubtful = self._rounded(value, add, alpha, beta, r, first)
                    type = f"<{self.lanes} x {self.stored_type(out)}>"
                    full = self.test("eq", count, self.lanes)
                    self.store(type, stored, results, 8)
                    if doubtful:
                        # before anything is written: what is added may lie there
                        self._repair(doubtful, count, record, columns, results)

                    def at_once() -> None:
                        found = self.load(type, results, 8)
                        self.store(type, found, self.at(to, self.word(columns, OUT)))

                    def one_by_one() -> None:
                        def one(lane: str) -> None:
                            type = self.stored_type(out)
                            element = self.load(type, self.at(results, lane, size))
                            column = self.at(columns, lane, 8 * RECORD)
                            self.store(type, element, self.at(to, self.word(column, OUT)))

                        self.repeat(0, count, one)

                    if self.kind.out_contiguous:
                        self.when(full, at_once, one_by_one)
                    else:
                        one_by_one()

                self.repeat(0, "%count.columns", vector, self.lanes)

            self.repeat(0, "%count.rows", row)
            self.line("ret void")

    def _added(self, room: str, row: str, columns: str, count: str) -> str:
        """What is added to a vector of results, as numbers."""
        c = self.kind.c
        assert c is not None
        type = self.stored_type(c)

        def one(lane: str) -> None:
            at = self._c_of("%bases", row, self.at(columns, lane, 8 * RECORD))
            self.store(type, self.load(type, at), self.at(room, lane, c.itemsize))

        self.repeat(0, count, one)
        return self.widened(c, self.load(self.stored_vector(c), room, 8))

    def _rounded(
        self, value: str, add: str, alpha: str, beta: str, r: str, first: str
    ) -> tuple[str, str]:
        """The results of a vector of sums, and where they are doubtful."""
        acc, out = self.acc, self.kind.out
        if self.kind.acc != "f64":
            if alpha:
                value = self._two("mul", value, alpha, acc)
            if add:
                more = self._two("mul", add, beta, acc) if beta else add
                value = self._two("add", value, more, acc)
            if out.kind == "bool":
                some = self.test("ne", value, "zeroinitializer", acc)
                return self.set(f"zext {self.vector('i1')} {some} to {self.vector('i8')}"), ""
            bits = int(self.kind.acc[1:])
            if bits == out.bits:
                return value, ""
            return self.set(f"trunc {acc} {value} to {self.stored_vector(out)}"), ""
        wide = ""
        if alpha:
            value = self._two("fmul", value, alpha, acc)
        if add:
            more = self._two("fmul", add, beta, acc) if beta else add
            size = self.call_vector("fabs", "f64", value)
            others = self.call_vector("fabs", "f64", more)
            wide = self._two("fadd", size, others, acc)
            value = self._two("fadd", value, more, acc)
        elif alpha:
            wide = self.call_vector("fabs", "f64", value)
        value = self._two("fadd", value, "zeroinitializer", acc)  # -0 is 0
        if not self.kind.certified:
            return self._stored(value), ""
        norm = self.splat("f64", self.word("%norms.a", r, "double"))
        others = self.load(acc, self.at("%norms.b", first, 8), 8)
        error = self._two("fmul", norm, others, acc)
        if self.kind.short:
            # both have factors: their sizes in units of their lowest bits
            factor = self.splat("f64", self.word("%least.a", r, "double"))
            beside = self.load(acc, self.at("%least.b", first, 8), 8)
            units = self._two("fmul", factor, beside, acc)
            exact = self.test("ole", units, self.constant("f64", 2.0**52), acc)
            error = self.set(
                f"select {self.vector('i1')} {exact}, {acc} zeroinitializer, {acc} {error}"
            )
        if wide:
            tiny = self.constant("f64", 2.0**-51)
            error = self.call_vector("fma", "f64", wide, tiny, error)
        # what adding the error itself may lose
        size = self.call_vector("fabs", "f64", value)
        loss = self.constant("f64", 2.0**-52)
        certain = self.test("oeq", error, "zeroinitializer", acc)
        inflated = self.call_vector("fma", "f64", size, loss, error)
        error = self.set(
            f"select {self.vector('i1')} {certain}, {acc} zeroinitializer, {acc} {inflated}"
        )
        difference = self._two("fsub", value, value, acc)
        finite = self.test("oeq", difference, "zeroinitializer", acc)
        low = self._two("fsub", value, error, acc)
        high = self._two("fadd", value, error, acc)
        chosen = self.set(f"select {self.vector('i1')} {finite}, {acc} {low}, {acc} {value}")
        stored, other = self._stored(chosen), self._stored(high)
        words = f"<{self.lanes} x i{out.bits}>"
        type = f"<{self.lanes} x {self.stored_type(out)}>"
        a, b = stored, other
        if type != words:
            a, b = (self.set(f"bitcast {type} {x} to {words}") for x in (stored, other))
        differ = self.test("ne", a, b, words)
        doubtful = self._two("and", differ, finite, self.vector("i1"))
        return stored, doubtful

    def _stored(self, value: str) -> str:
        """A vector of float64 as elements of the result."""
        result = rounding.stored(make("load", "f64", value=0), self.kind.out)
        found = self.nodes(result, value)
        type, own = self.vector(result.type), f"<{self.lanes} x {self.stored_type(self.kind.out)}>"
        return found if type == own else self.set(f"bitcast {type} {found} to {own}")

    def _repair(self, doubtful: str, count: str, row: str, columns: str, results: str) -> None:
        """Put what the exact sum gives in the places of doubtful results."""
        mask = self.set(f"bitcast {self.vector('i1')} {doubtful} to i{self.lanes}")
        some = self.test("ne", mask, 0, f"i{self.lanes}")

        def these() -> None:
            bits = self.set(f"zext i{self.lanes} {mask} to i64")

            def one(lane: str) -> None:
                shifted = self._two("lshr", bits, lane)
                bit = self._two("and", shifted, 1)

                def again() -> None:
                    column = self.at(columns, lane, 8 * RECORD)
                    value = self.call(
                        "double", "@openaclnn_exact", "ptr %block", "ptr %bases", f"ptr {row}",
                        f"ptr {column}",
                    )  # fmt: skip
                    zero = self._two("fadd", value, "0.0", "double")
                    stored = self._stored(self.splat("f64", zero))
                    type = self.stored_type(self.kind.out)
                    vector = f"<{self.lanes} x {type}>"
                    element = self.set(f"extractelement {vector} {stored}, i64 0")
                    at = self.at(results, lane, self.kind.out.itemsize)
                    self.store(type, element, at)

                self.when(self.test("ne", bit, 0), again)

            self.repeat(0, count, one)

        self.when(some, these)

    def _bounds(self, norms: str, least: str, count: str, factor: str, dtype: DType) -> None:
        """Sums of squares as norms that are not too small, and those in units of the lowest bit."""
        factors = self.splat("f64", factor)

        def some(i: str) -> None:
            at = self.at(norms, i, 8)
            root = self.call_vector("sqrt", "f64", self.load(self.acc, at, 8))
            # squares and root were rounded: 2^-30 is room for 2^22 of them, and `gamma` for more
            more = self._two("fmul", root, self.constant("f64", 1 + 2.0**-30), self.acc)
            self.store(self.acc, self._two("fmul", more, factors, self.acc), at, 8)
            if self.kind.short:
                place = self.at(least, i, 8)
                unit = self.load(self.acc, place, 8)
                lowest = self.constant("f64", 2.0 ** (1 - BITS[dtype]))
                units = self._two("fmul", unit, lowest, self.acc)
                self.store(self.acc, self._two("fdiv", more, units, self.acc), place, 8)

        self.repeat(0, count, some, self.lanes)
