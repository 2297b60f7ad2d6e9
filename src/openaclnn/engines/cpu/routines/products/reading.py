"""Reading operands: tables of where elements are, and elements as the numbers that are added up."""

from __future__ import annotations

from functools import partial

from openaclnn.arithmetic import rounding
from openaclnn.arithmetic.nodes import make
from openaclnn.base.dtypes import DOUBLE, FLOAT, FLOAT16, INT4, DType
from openaclnn.engines.cpu import compile
from openaclnn.engines.cpu.routines.products.kind import (
    DIMENSION,
    HIGH,
    OFFSET,
    RECORD,
    SCALE,
    WIDE,
    ProductKind,
    Words,
    tile,
)
from openaclnn.engines.cpu.routines.writer import IrWriter
from openaclnn.engines.cpu.vector import scalar


class ReadingOperands(IrWriter):
    """Functions and expressions that read an operand through its strides or window."""

    def __init__(self, kind: ProductKind) -> None:
        self.tile = tile()
        super().__init__(self.tile.lanes)
        self.kind = kind
        self.type = scalar(kind.acc)
        self.size = 4 if kind.acc == "i32" else 8
        self.acc = self.vector(kind.acc)
        self.panel_a = self.tile.rows * self.size  # bytes of one k
        self.panel_b = self.tile.columns * self.size
        self.bases = ""  # the operands' addresses, of the batch at hand

    def of(self, block: str, name: str, type: str = "i64") -> str:
        return self.word(block, Words.AT[name], type)

    def _dims(self, letter: str) -> tuple[str, str]:
        """Where the dimensions of a letter are, and how many."""
        names = ("batch", "m", "n", "k")
        first: str | int = Words.DIMS
        for name in names[: names.index(letter)]:
            words = self.mul(self.of("%block", f"{name}_dims"), DIMENSION)
            first = self.add(first, words)
        return self.at("%block", first, 8), self.of("%block", f"{letter}_dims")

    def _table(self, letter: str, first: str, count: str, out: str) -> None:
        dims, count_dims = self._dims(letter)
        self.call(
            "void", "@openaclnn_table", f"ptr {dims}", f"i64 {count_dims}", f"i64 {first}",
            f"i64 {count}", f"ptr {out}",
        )  # fmt: skip

    def _base(self, of: int) -> str:
        return self.word(self.bases, of, "ptr")

    def write_tables(self) -> None:
        """Records of some elements along several dimensions, the last one fastest."""
        head = "ptr %dims, i64 %count.dims, i64 %start, i64 %count, ptr %out"
        with self.function("openaclnn_table", head):
            one = self.test("eq", "%count.dims", 1)
            none = self.test("eq", "%count.dims", 0)
            more = partial(self.when, none, self._table_of_none, self._table_of_many)
            self.when(one, self._table_of_one, more)
            self.line("ret void")

    def _table_of_one(self) -> None:
        steps = [self.word("%dims", 1 + k) for k in range(RECORD)]

        def body(i: str) -> None:
            index, at = self.add(i, "%start"), self.at("%out", i, 8 * RECORD)
            for k, step in enumerate(steps):
                self.store("i64", self.mul(index, step), self.at(at, 8 * k), 8)

        self.repeat(0, "%count", body)

    def _table_of_many(self) -> None:
        """Indices of all dimensions are found where the last one begins anew."""
        last = self.at("%dims", self.sub("%count.dims", 1), 8 * DIMENSION)
        size = self.word(last, 0)
        steps = [self.word(last, 1 + k) for k in range(RECORD)]
        _, offset = self.divided("%start", size)
        runs, _ = self.divided(self.sub(self.add(self.add(offset, "%count"), size), 1), size)
        sums = [self.variable("i64") for _ in range(RECORD)]
        left = self.variable("i64")

        def run(number: str) -> None:
            before = self.sub(self.mul(number, size), offset)  # of the first run it may be negative
            first = self.sub(before, self.least(before, 0))
            end = self.least(self.add(before, size), "%count")
            self.store("i64", self.add(first, "%start"), left, 8)
            for total in sums:
                self.store("i64", 0, total, 8)

            def along(d: str) -> None:
                dim = self.at("%dims", self.sub(self.sub("%count.dims", 1), d), 8 * DIMENSION)
                quotient, rest = self.divided(self.load("i64", left, 8), self.word(dim, 0))
                self.store("i64", quotient, left, 8)
                for k, total in enumerate(sums):
                    moved = self.mul(rest, self.word(dim, 1 + k))
                    self.store("i64", self.add(self.load("i64", total, 8), moved), total, 8)

            self.repeat(0, "%count.dims", along)
            begins = [self.load("i64", total, 8) for total in sums]

            def one(i: str) -> None:
                further, at = self.sub(i, first), self.at("%out", i, 8 * RECORD)
                for k, (begin, step) in enumerate(zip(begins, steps, strict=True)):
                    value = self.add(begin, self.mul(further, step))
                    self.store("i64", value, self.at(at, 8 * k), 8)

            self.repeat(first, end, one)

        self.repeat(0, runs, run)

    def _table_of_none(self) -> None:
        def body(i: str) -> None:
            for k in range(RECORD):
                self.store("i64", 0, self.at(self.at("%out", i, 8 * RECORD), 8 * k), 8)

        self.repeat(0, "%count", body)

    def widened(self, dtype: DType, loaded: str) -> str:
        """A vector of stored elements as numbers that are added up."""
        if self.kind.acc != "f64":
            bits, own = int(self.kind.acc[1:]), dtype.bits
            if bits == own:
                return loaded
            unsigned = dtype.kind == "bool" or dtype.name.startswith("U")
            word = "trunc" if own > bits else "zext" if unsigned else "sext"
            return self.set(f"{word} {self.stored_vector(dtype)} {loaded} to {self.acc}")
        if dtype is DOUBLE:
            return loaded
        if dtype.kind == "int":
            return self.set(f"sitofp {self.stored_vector(dtype)} {loaded} to {self.acc}")
        stored = make("load", "f32" if dtype is FLOAT else "i16", value=0)
        return self.nodes(make("widen", "f64", rounding.widened(stored, dtype)), loaded)

    def stored_type(self, dtype: DType) -> str:
        return {FLOAT: "float", DOUBLE: "double"}.get(dtype, f"i{dtype.bits}")

    def stored_vector(self, dtype: DType) -> str:
        return f"<{self.lanes} x {self.stored_type(dtype)}>"

    def read_one(self, dtype: DType, at: str) -> str:
        """One element, as it is added up."""
        return self.one_widened(dtype, self.load(self.stored_type(dtype), at))

    def one_widened(self, dtype: DType, value: str) -> str:
        """A stored element as it is added up."""
        type, lanes = self.stored_type(dtype), self.lanes
        self.lanes = 1
        vector = self.set(f"insertelement <1 x {type}> poison, {type} {value}, i64 0")
        found = self.lane_of_one(self.widened_one(dtype, vector))
        self.lanes = lanes
        return found

    def widened_one(self, dtype: DType, vector: str) -> str:
        whole, self.acc = self.acc, f"<1 x {self.type}>"
        found = self.widened(dtype, vector)
        self.acc = whole
        return found

    def read_vector(self, dtype: DType, base: str, place: str) -> str:
        """A vector of elements that follow each other, as numbers that are added up."""
        if dtype is not INT4:
            return self.widened(dtype, self.load(self.stored_vector(dtype), self.at(base, place)))
        bits = 4 * self.lanes
        word = self.load(f"i{bits}", self.at(base, self._two("lshr", place, 1)))
        if bits < 32:
            word = self.set(f"zext i{bits} {word} to i32")
        type = f"<{self.lanes} x i32>"
        shifts = ", ".join(f"i32 {28 - 4 * lane}" for lane in range(self.lanes))
        upper = self._two("shl", self.splat("i32", word), f"<{shifts}>", type)
        number = self._two("ashr", upper, self.constant("i32", 28), type)
        return self.set(f"sitofp {type} {number} to {self.acc}")

    def _read_vectors(self, dtype: DType, base: str, place: str, count: int) -> list[str]:
        """Some vectors that follow each other."""
        if dtype is not FLOAT16 or not compile.has("avx512f") or count % 2:
            step = self.lanes * (dtype.itemsize or 1)
            places = [self.add(place, k * step) for k in range(count)]
            return [self.read_vector(dtype, base, one) for one in places]
        # by way of float32, 16 at once: the instruction that gives float64 is slower
        found, lanes = [], 2 * self.lanes
        floats = f"<{lanes} x float>"
        for pair in range(count // 2):
            halves = self.load(
                f"<{lanes} x half>", self.at(base, self.add(place, pair * 2 * lanes))
            )
            wide = self.set(f"fpext <{lanes} x half> {halves} to {floats}")
            for side in range(2):
                order = range(side * self.lanes, (side + 1) * self.lanes)
                part = self.shuffled(floats, wide, "poison", order)
                found.append(self.set(f"fpext <{self.lanes} x float> {part} to {self.acc}"))
        return found

    def read_element(self, dtype: DType, base: str, place: str) -> str:
        """One element, as it is added up."""
        if dtype is not INT4:
            return self.read_one(dtype, self.at(base, place))
        byte = self.load("i8", self.at(base, self._two("lshr", place, 1)))
        shift = self._two("sub", 28, self.mul(self._two("and", place, 1), 4))
        word, count = self.set(f"zext i8 {byte} to i32"), self.set(f"trunc i64 {shift} to i32")
        number = self._two("ashr", self._two("shl", word, count, "i32"), 28, "i32")
        return self.set(f"sitofp i32 {number} to double")

    def quantities(self, bases: list[str], *records: str) -> list[str]:
        """Scale, and offset if there is one, of the elements that records lead to."""
        found = []
        pairs = zip((self.kind.scale, self.kind.offset), bases, (SCALE, OFFSET), strict=True)
        for dtype, base, number in pairs:
            if dtype is not None:
                place: str | int = 0
                for record in records:
                    place = self.add(place, self.word(record, number))
                found.append(self.read_one(dtype, self.at(base, place)))
        return found

    def meant(self, values: str, quantities: list[str], type: str) -> str:
        """What quantised numbers stand for."""
        if len(quantities) > 1:
            values = self._two("fadd", values, quantities[1], type)
        return self._two("fmul", values, quantities[0], type)

    def lane_of_one(self, vector: str) -> str:
        return self.set(f"extractelement <1 x {self.type}> {vector}, i64 0")

    def inside(self, *records: str) -> str:
        """Whether the positions of two records together are inside the window."""
        found = []
        for position, size in ((HIGH, "%high"), (WIDE, "%wide")):
            one, other = (self.word(record, position) for record in records)
            found.append(self.test("ult", self.add(one, other), size))
        return self._two("and", found[0], found[1], "i1")

    def ask_for(self, at: str, count: int) -> None:
        """Have so many bytes brought into the cache."""
        name = self.intrinsic("llvm.prefetch.p0", "void", "ptr, i32, i32, i32")
        for offset in range(0, count, 64):
            self.line(f"call void {name}(ptr {self.at(at, offset)}, i32 0, i32 3, i32 1)")
