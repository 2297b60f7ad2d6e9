"""Writes the kernel of a contraction: a blocked matrix product that certifies each element.

The result is cut into blocks of rows by columns, which threads share. For a block, chunks of both
operands are packed: read through their strides or window, converted to float64, and stored as
panels of a few rows or columns. Tiles of the block are then sums of products in registers, one sum
for each chunk of K, which are added up. At the end every sum has a bound of its error: where the
numbers at both ends of it round to one number, that is the result; the others are computed again
by the exact sum (`engines/cpu/sums.py`). So the order of additions decides nothing.

Integers are added up as integers of the result's size, which wrap. DOUBLE is rounded along the way,
in an order that depends on K alone. Quantised numbers are packed as what they stand for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY
from functools import lru_cache, partial

from openaclnn.arithmetic import rounding
from openaclnn.arithmetic.nodes import make
from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT, FLOAT16, INT4, DType
from openaclnn.base.records import dataclass
from openaclnn.base.trace import least
from openaclnn.engines.cpu import compile
from openaclnn.engines.cpu.routines.writer import IrWriter
from openaclnn.engines.cpu.vector import scalar

NAME = "openaclnn_kernel"
CHUNK = 128  # of K, of which sums are added up in registers
LINE = 1 << 14  # terms at most that a row has with other lines before their sum is kept
TURNS = 4  # vectors of a line whose products are added up apart
AHEAD = 8192  # bytes: as far before they are read numbers are asked for that are read once
ROWS_AT_ONCE = 4  # of a factor that is read across, whose products are added up together
_BITS = {FLOAT16: 11, BF16: 8, FLOAT: 24}
_EXACT_TERMS = 1024  # that the exact sum takes at once
_PADDING = 64  # terms
_STATE = 128  # words: more than the state of a sum has

# a record of a table: how far along the operands, and the two positions, in the place of which
# quantised numbers have their scale and offset
A, B, C, OUT, HIGH, WIDE = range(6)
SCALE, OFFSET = HIGH, WIDE
RECORD = 6
DIMENSION = 8  # words: a size, a record, nothing


@dataclass(frozen=True)
class RegisterTile:
    """Lanes of a vector; rows and vectors of columns that fit into the registers."""

    lanes: int
    rows: int
    vectors: int

    @property
    def columns(self) -> int:
        return self.lanes * self.vectors


@lru_cache(maxsize=1)
def tile() -> RegisterTile:
    """The tile for this processor's registers."""
    if compile.has("avx512f"):
        return RegisterTile(8, 8, 3)
    if compile.has("avx"):
        return RegisterTile(4, 4, 3)
    return RegisterTile(2, 8, 3) if compile.has("neon") else RegisterTile(2, 4, 2)


# Along which dimension an operand is contiguous, when it is packed: along K, along the rows (or
# columns), along none; or it is read through a window.
ALONG_K, ALONG_LINES, STRIDED, WINDOW = "k", "1", "s", "w"


@dataclass(frozen=True)
class ProductKind:
    """What a kernel is printed for. `acc` is what sums are added up in: f64, i32 or i64."""

    a: DType
    b: DType
    c: DType | None
    out: DType
    acc: str
    a_pattern: str
    b_pattern: str
    _: KW_ONLY
    out_contiguous: bool
    scaled: bool  # whether there are alpha and beta other than 1
    scale: DType | None = None  # of quantised numbers in b
    offset: DType | None = None
    scales_along: bool = False  # whether both are contiguous along the columns

    @property
    def certified(self) -> bool:
        return self.acc == "f64" and DOUBLE not in (self.a, self.b, self.c, self.out)

    @property
    def by_lines(self) -> bool:
        """Whether a product of one row reads the other factor as it lies, once, along K."""
        return self.certified and self.a_pattern == self.b_pattern == ALONG_K

    @property
    def across_lines(self) -> bool:
        """The same of a factor that is contiguous along the columns."""
        along = (self.a_pattern, self.b_pattern) == (ALONG_K, ALONG_LINES)
        return self.certified and along and (self.scales_along or not self.scale)

    def additions(self, k: int, row: bool, group: int) -> int:
        """How many additions a term of K takes part in, at most."""
        chunks = -(-k // CHUNK)
        if not (row and self.by_lines):
            few: int = least(k, CHUNK) + chunks
            return few
        at_once = TURNS * (lanes := tile().lanes)
        spans: int = -(-least(k, LINE) // at_once)
        # the last terms of each stretch are added up one after the other
        rest: int = least(k, LINE if group and group % at_once else at_once)
        return spans + rest + TURNS + lanes + chunks

    @property
    def short(self) -> bool:
        """Whether sums of products are often exact: those of 16-bit numbers."""
        return self.certified and {self.a, self.b} <= {FLOAT16, BF16}


class Words:
    """Where each word of a kernel's argument block stands."""

    NAMES = (
        "a", "b", "c", "out", "scale", "offset", "m", "n", "k", "block_m", "block_n", "blocks_m",
        "blocks_n", "alpha", "beta", "gamma", "init", "absorb", "value", "high", "wide", "group",
        "scale_step", "offset_step", "batch_dims", "m_dims", "n_dims", "k_dims", "start",
    )  # fmt: skip
    AT = {name: number for number, name in enumerate(NAMES)}  # noqa: RUF012
    DIMS = len(NAMES) - 1 + RECORD  # `start` is a record


@lru_cache(maxsize=256)
def source(kind: ProductKind) -> str:
    """The kernel's module."""
    return compile.VECTORS + ContractionKernel(kind).text()


class SmallestMagnitude:
    """The smallest magnitude but zero among 16-bit numbers, found by their bits: many at once."""

    def __init__(self, writer: ContractionKernel, count: int) -> None:
        self.writer, self.type, self.count = writer, f"<{count} x i16>", count
        self.vector, self.alone = writer.variable(self.type), writer.variable("i16")

    def clear(self) -> None:
        ones = ", ".join(["i16 -1"] * self.count)
        self.writer.store(self.type, f"<{ones}>", self.vector, 8)
        self.writer.store("i16", -1, self.alone, 2)

    def note(self, at: str) -> None:
        magnitudes = ", ".join([f"i16 {0x7FFF}"] * self.count)
        ones = ", ".join(["i16 1"] * self.count)
        self._note(self.vector, at, self.type, f"<{magnitudes}>", f"<{ones}>", f".v{self.count}i16")

    def note_one(self, at: str) -> None:
        self._note(self.alone, at, "i16", str(0x7FFF), "1", ".i16")

    def _note(self, room: str, at: str, type: str, magnitude: str, one: str, suffix: str) -> None:
        write = self.writer
        bits = write._two("and", write.load(type, at), magnitude, type)
        below = write._two("sub", bits, one, type)  # of 0 it is the largest number
        least = write.intrinsic(f"llvm.umin{suffix}", type, f"{type}, {type}")
        before = write.load(type, room, 2)
        write.store(
            type, write.set(f"call {type} {least}({type} {below}, {type} {before})"), room, 2
        )

    def keep(self, least: str) -> None:
        """Its power of two, if that is less than what is there."""
        write = self.writer
        reduce = write.intrinsic(f"llvm.vector.reduce.umin.v{self.count}i16", "i16", f"{self.type}")
        found = write.set(f"call i16 {reduce}({self.type} {write.load(self.type, self.vector, 8)})")
        smaller = write.intrinsic("llvm.umin.i16", "i16", "i16, i16")
        alone = write.load("i16", self.alone, 2)
        found = write.set(f"call i16 {smaller}(i16 {found}, i16 {alone})")

        def some() -> None:
            bits = write._two("add", found, 1, "i16")
            value = write.one_widened(write.kind.b, bits)
            word = write.set(f"bitcast double {value} to i64")
            power = write._two("and", word, 0x7FF << 52)
            number = write.set(f"bitcast i64 {power} to double")
            before = write.load("double", least, 8)
            less = write.test("olt", number, before, "double")
            kept = write.set(f"select i1 {less}, double {number}, double {before}")
            write.store("double", kept, least, 8)

        write.when(write.test("ne", found, -1, "i16"), some)


class ContractionKernel(IrWriter):
    """One kernel's functions."""

    def __init__(self, kind: ProductKind) -> None:
        self.tile = tile()
        super().__init__(self.tile.lanes)
        self.kind = kind
        self.type = scalar(kind.acc)
        self.size = 4 if kind.acc == "i32" else 8
        self.acc = self.vector(kind.acc)
        self.panel_a = self.tile.rows * self.size  # bytes of one k
        self.panel_b = self.tile.columns * self.size
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

    # tables

    def write_tables(self) -> None:
        """Records of some elements along several dimensions, the last one fastest."""
        head = "ptr %dims, i64 %count.dims, i64 %start, i64 %count, ptr %out"
        with self.function("openaclnn_table", head):
            one = self.test("eq", "%count.dims", 1)
            self.when(one, self._table_of_one, self._table_of_many)
            self.line("ret void")

    def _table_of_one(self) -> None:
        steps = [self.word("%dims", 1 + k) for k in range(RECORD)]

        def body(i: str) -> None:
            index, at = self.add(i, "%start"), self.at("%out", i, 8 * RECORD)
            for k, step in enumerate(steps):
                self.store("i64", self.mul(index, step), self.at(at, 8 * k), 8)

        self.repeat(0, "%count", body)

    def _table_of_many(self) -> None:
        def body(i: str) -> None:
            left = self.variable("i64")
            self.store("i64", self.add(i, "%start"), left, 8)
            at = self.at("%out", i, 8 * RECORD)
            sums = [self.variable("i64") for _ in range(RECORD)]
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
            for k, total in enumerate(sums):
                self.store("i64", self.load("i64", total, 8), self.at(at, 8 * k), 8)

        self.repeat(0, "%count", body)

    # reading

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

    # packing

    def write_packing(self, name: str, dtype: DType, pattern: str, of: int, pitch: int) -> None:
        """Of as many lines as a vector has lanes: elements along K, one vector for each."""
        head = (
            "ptr %base, ptr %lines, i64 %valid, ptr %ks, i64 %count, ptr %out, ptr %norms, "
            "ptr %least, i64 %high, i64 %wide"
        )
        with self.function(f"openaclnn_pack_{name}", head):
            self.norms = self.least_so_far = ""
            self.of_quantities: list[str] = []
            if of == B and self.kind.scale:
                self._take_bases_of_quantities()
            if self.kind.certified:
                self.norms = self.variable(self.acc, self.load(self.acc, "%norms", 8))
            if self.kind.short:
                self.least_so_far = self.variable(self.acc, self.load(self.acc, "%least", 8))
            element = partial(self._pack_slowly, dtype, pattern, of, pitch)
            full = self.test("eq", "%valid", self.lanes)
            if pattern == ALONG_LINES and (self.kind.scales_along or not self.of_quantities):
                self.when(full, partial(self._pack_rows, dtype, of, pitch), partial(element, "0"))
            elif pattern == ALONG_K:

                def across() -> None:
                    whole = self._two("and", "%count", -self.lanes)
                    self._pack_transposed(dtype, of, pitch, whole)
                    element(whole)

                self.when(full, across, partial(element, "0"))
            else:
                element("0")
            if self.norms:
                self.store(self.acc, self.load(self.acc, self.norms, 8), "%norms", 8)
            if self.least_so_far:
                self.store(self.acc, self.load(self.acc, self.least_so_far, 8), "%least", 8)
            self.line("ret void")

    def _take_bases_of_quantities(self) -> None:
        """Scale and offset come in the place of a window's edges."""
        self.of_quantities = [self.set(f"inttoptr i64 %{name} to ptr") for name in ("high", "wide")]

    def _note(self, values: str) -> None:
        """Add to the sums of squares, and find the smallest power of two that is no number's."""
        if self.norms:
            total = self.load(self.acc, self.norms, 8)
            found = self.call_vector("fma", "f64", values, values, total)
            self.store(self.acc, found, self.norms, 8)
        if self.least_so_far:
            bits = self.set(f"bitcast {self.acc} {values} to {self.vector('i64')}")
            exponents = self.constant("i64", 0x7FF << 52)
            power = self._two("and", bits, exponents, self.vector("i64"))
            none = self.test("eq", power, "zeroinitializer", self.vector("i64"))
            found = self.set(
                f"select {self.vector('i1')} {none}, {self.vector('i64')} {exponents}, "
                f"{self.vector('i64')} {power}"
            )
            number = self.set(f"bitcast {self.vector('i64')} {found} to {self.acc}")
            before = self.load(self.acc, self.least_so_far, 8)
            smaller = self.test("olt", number, before, self.acc)
            least = self.set(
                f"select {self.vector('i1')} {smaller}, {self.acc} {number}, {self.acc} {before}"
            )
            self.store(self.acc, least, self.least_so_far, 8)

    def _pack_rows(self, dtype: DType, of: int, pitch: int) -> None:
        first = self.word("%lines", of)

        def body(k: str) -> None:
            record = self.at("%ks", k, 8 * RECORD)
            values = self.read_vector(dtype, "%base", self.add(first, self.word(record, of)))
            if self.of_quantities:
                values = self.meant(values, self._quantities_of_lanes(record, "%lines"), self.acc)
            self.store(self.acc, values, self.at("%out", k, pitch), 8)
            self._note(values)

        self.repeat(0, "%count", body)

    def _quantities_of_lanes(self, record: str, line: str) -> list[str]:
        """Scale and offset of columns that follow each other, as vectors."""
        found = []
        pairs = (self.kind.scale, SCALE), (self.kind.offset, OFFSET)
        for base, (dtype, number) in zip(self.of_quantities, pairs, strict=True):
            if dtype is not None:
                place = self.add(self.word(line, number), self.word(record, number))
                found.append(self.read_vector(dtype, base, place))
        return found

    def _pack_transposed(self, dtype: DType, of: int, pitch: int, whole: str) -> None:
        first = self.word("%ks", of)
        records = [self.at("%lines", lane * RECORD, 8) for lane in range(self.lanes)]
        lines = [self.add(first, self.word(record, of)) for record in records]

        def body(k: str) -> None:
            along = self.mul(k, dtype.itemsize or 1)
            rows = [self.read_vector(dtype, "%base", self.add(line, along)) for line in lines]
            if self.of_quantities:  # groups are multiples of a vector
                here = self.at("%ks", k, 8 * RECORD)
                for number, record in enumerate(records):
                    found = self.quantities(self.of_quantities, record, here)
                    vectors = [self.splat("f64", one) for one in found]
                    rows[number] = self.meant(rows[number], vectors, self.acc)
            for number, values in enumerate(self._transposed(rows)):
                at = self.at("%out", self.add(k, number), pitch)
                self.store(self.acc, values, at, 8)
                self._note(values)

        self.repeat(0, whole, body, self.lanes)

    def _transposed(self, rows: list[str]) -> list[str]:
        """A square of elements across its diagonal, by halves of halves."""
        span = 1
        while span < self.lanes:
            found = list(rows)
            for i in range(self.lanes):
                if i & span:
                    continue
                a, b = rows[i], rows[i | span]
                low = [(self.lanes + k - span) if k & span else k for k in range(self.lanes)]
                high = [(self.lanes + k) if k & span else k + span for k in range(self.lanes)]
                found[i] = self.shuffled(self.acc, a, b, low)
                found[i | span] = self.shuffled(self.acc, a, b, high)
            rows, span = found, 2 * span
        return rows

    def _pack_slowly(self, dtype: DType, pattern: str, of: int, pitch: int, start: str) -> None:
        """One element after the other; zeros where there are no more lines."""

        def body(k: str) -> None:
            record = self.at("%ks", k, 8 * RECORD)
            at = self.at("%out", k, pitch)
            self.store(self.acc, "zeroinitializer", at, 8)

            def one(lane: str) -> None:
                line = self.at("%lines", lane, 8 * RECORD)

                def there() -> None:
                    place = self.add(self.word(record, of), self.word(line, of))
                    value = self.read_element(dtype, "%base", place)
                    if self.of_quantities:
                        found = self.quantities(self.of_quantities, record, line)
                        value = self.meant(value, found, "double")
                    self.store(self.type, value, self.at(at, lane, self.size), 8)

                if pattern == WINDOW:
                    self.when(self.inside(record, line), there)
                else:
                    there()

            self.repeat(0, "%valid", one)
            if self.kind.certified:
                self._note(self.load(self.acc, at, 8))

        self.repeat(start, "%count", body)

    def inside(self, *records: str) -> str:
        """Whether the positions of two records together are inside the window."""
        found = []
        for position, size in ((HIGH, "%high"), (WIDE, "%wide")):
            one, other = (self.word(record, position) for record in records)
            found.append(self.test("ult", self.add(one, other), size))
        return self._two("and", found[0], found[1], "i1")

    # products

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

    def write_lines(self) -> None:
        """The dot products of one row with columns that lie along K, read once."""
        head = (
            "ptr %x, ptr %base, ptr %lines, i64 %count, i64 %k, i1 %first, ptr %sums, ptr %norms, "
            "ptr %least, ptr %block, i64 %start"
        )
        turns, tile = TURNS, self.tile
        with self.function("openaclnn_lines", head):
            together = [self.variable(self.acc) for _ in range(turns)]
            rest = self.variable("double")
            self._start_notes()
            apart = [self.variable(self.acc) for _ in range(turns)]
            dtype = self.kind.b
            smallest = SmallestMagnitude(self, turns * self.lanes) if self.kind.short else None
            self.least_so_far = ""

            def one(j: str) -> None:
                record = self.at("%lines", j, 8 * RECORD)
                line = self.word(record, B)
                ahead = self._lines_ahead(j)
                for total in (*together, *apart):
                    self.store(self.acc, "zeroinitializer", total, 8)
                self.store("double", "0.0", rest, 8)
                self._clear_notes()
                if smallest:
                    smallest.clear()

                def some(quantities: list[str], k: str) -> None:
                    whole_norms = self.norms
                    vectors = [self.splat("f64", one) for one in quantities]
                    if smallest:
                        smallest.note(self.at("%base", self.add(line, self.mul(k, 2))))
                    along = self.mul(k, dtype.itemsize or 1)
                    ahead(k)
                    read = self._read_vectors(dtype, "%base", self.add(line, along), turns)
                    rooms = zip(read, together, apart, strict=True)
                    for turn, (values, total, self.norms) in enumerate(rooms):
                        place = self.add(k, turn * self.lanes)
                        if vectors:
                            values = self.meant(values, vectors, self.acc)
                        x = self.load(self.acc, self.at("%x", place, 8), 8)
                        before = self.load(self.acc, total, 8)
                        found = self.call_vector("fma", "f64", values, x, before)
                        self.store(self.acc, found, total, 8)
                        self._note(values)
                    self.norms = whole_norms

                def last(quantities: list[str], k: str) -> None:
                    along = self.mul(k, dtype.itemsize or 1)
                    value = self.read_element(dtype, "%base", self.add(line, along))
                    if smallest:
                        smallest.note_one(self.at("%base", self.add(line, along)))
                    if quantities:
                        value = self.meant(value, quantities, "double")
                    product = self._two("fmul", value, self.word("%x", k, "double"), "double")
                    before = self.load("double", rest, 8)
                    self.store("double", self._two("fadd", before, product, "double"), rest, 8)
                    self._note(self._alone(value))

                def span(first: str, end: str, quantities: list[str]) -> None:
                    most = self._two("and", self.sub(end, first), -turns * self.lanes)
                    whole = self.add(first, most)
                    self.repeat(first, whole, partial(some, quantities), turns * self.lanes)
                    self.repeat(whole, end, partial(last, quantities))

                if self.kind.scale:
                    self._by_groups(record, span)
                else:
                    span("0", "%k", [])
                total = self._reduced("fadd", self.load("double", rest, 8), self._sum_of(together))
                self.store(self.acc, self._sum_of([self.norms, *apart]), self.norms, 8)
                number, column = self.divided(j, tile.columns)
                place = self.add(self.mul(number, tile.rows * tile.columns), column)
                at = self.at("%sums", place, 8)
                before = self.load("double", at, 8)
                start = self.set(f"select i1 %first, double 0.0, double {before}")
                self.store("double", self._two("fadd", start, total, "double"), at, 8)
                self._keep_notes("%norms", "%least", j)
                if smallest:
                    smallest.keep(self.at("%least", j, 8))

            self.repeat(0, "%count", one)
            self.line("ret void")

    def _lines_ahead(self, j: str) -> Callable[[str], None]:
        """What asks for the numbers that are read some time after those from a place on: of this
        line, or of those after it."""
        bits = self.kind.b.bits
        terms = self._two("udiv", 8 * AHEAD // bits, "%k")
        rest = self.sub(8 * AHEAD // bits, self.mul(terms, "%k"))
        last = self.sub("%count", 1)
        lines = []
        for more in range(2):
            number = self.least(self.add(self.add(j, terms), more), last)
            lines.append(self.word(self.at("%lines", number, 8 * RECORD), B))

        def ask(k: str) -> None:
            place = self.add(k, rest)
            here = self.test("slt", place, "%k")
            line = self.set(f"select i1 {here}, i64 {lines[0]}, i64 {lines[1]}")
            beyond = self.set(f"select i1 {here}, i64 0, i64 %k")
            along = self.mul(self.sub(place, beyond), self.kind.b.itemsize or 1)
            at = self.add(line, along)
            if self.kind.b is INT4:
                at = self._two("lshr", at, 1)
            self.ask_for(self.at("%base", at), TURNS * self.lanes * bits // 8)

        return ask

    def ask_for(self, at: str, count: int) -> None:
        """Have so many bytes brought into the cache."""
        name = self.intrinsic("llvm.prefetch.p0", "void", "ptr, i32, i32, i32")
        for offset in range(0, count, 64):
            self.line(f"call void {name}(ptr {self.at(at, offset)}, i32 0, i32 3, i32 1)")

    def write_across(self) -> None:
        """The same of columns that lie side by side: some numbers of each at once, in a chunk's
        sums, which are then added to what is there."""
        head = (
            "ptr %x, ptr %base, ptr %lines, i64 %count, ptr %ks, i64 %k, i1 %first, ptr %chunk, "
            "ptr %sums, ptr %norms, ptr %least, ptr %panel, i64 %high, i64 %wide"
        )
        with self.function("openaclnn_across", head):
            if self.kind.scale:
                self._take_bases_of_quantities()
            self._start_notes()
            vectors, grouped = (
                self._two("and", total, -unit)
                for total, unit in (("%count", self.lanes), ("%k", ROWS_AT_ONCE))
            )

            def clear(j: str) -> None:
                self.store(self.acc, "zeroinitializer", self.at("%chunk", j, 8), 8)

            self.repeat(0, "%count", clear, self.lanes)
            self.repeat(0, grouped, partial(self._rows_across, vectors, ROWS_AT_ONCE), ROWS_AT_ONCE)
            self.repeat(grouped, "%k", partial(self._rows_across, vectors, 1))
            some = self.test("ne", vectors, "%count")
            self.when(some, partial(self._last_across, vectors))
            self.repeat(0, "%count", self._keep_across, self.lanes)
            self.line("ret void")

    def _rows_across(self, end: str, rows: int, k: str) -> None:
        """Some numbers of each column but the last few."""
        records = [self.at("%ks", self.add(k, row), 8 * RECORD) for row in range(rows)]
        places = [self.word(record, B) for record in records]
        factors = [
            self.splat("f64", self.word("%x", self.add(k, r), "double")) for r in range(rows)
        ]
        ahead = self.add(self._two("udiv", 8 * AHEAD // self.kind.b.bits, "%count"), rows)
        last, later = self.sub("%k", 1), []
        for row in range(rows):
            number = self.least(self.add(self.add(k, row), ahead), last)
            later.append(self.word(self.at("%ks", number, 8 * RECORD), B))

        def columns(count: int, j: str) -> None:
            lines = [
                self.at("%lines", self.add(j, turn * self.lanes), 8 * RECORD)
                for turn in range(count)
            ]
            line = self.word(lines[0], B)
            for place in later if count > 1 else ():
                at = self.add(place, line)
                if self.kind.b is INT4:
                    at = self._two("lshr", at, 1)
                size = count * self.lanes * self.kind.b.bits // 8
                self.ask_for(self.at("%base", at), size)
            read = [
                self._read_vectors(self.kind.b, "%base", self.add(place, line), count)
                for place in places
            ]
            for turn in range(count):
                here = self.add(j, turn * self.lanes)
                kept = self._kept_notes(here)
                total = self.load(self.acc, self.at("%chunk", here, 8), 8)
                for record, vectors, factor in zip(records, read, factors, strict=True):
                    values = vectors[turn]
                    if self.of_quantities:
                        found = self._quantities_of_lanes(record, lines[turn])
                        values = self.meant(values, found, self.acc)
                    total = self.call_vector("fma", "f64", values, factor, total)
                    self._note(values)
                self.store(self.acc, total, self.at("%chunk", here, 8), 8)
                kept()

        together = TURNS * self.lanes
        whole = self._two("and", end, -together)
        self.repeat(0, whole, partial(columns, TURNS), together)
        self.repeat(whole, end, partial(columns, 1), self.lanes)

    def _kept_notes(self, j: str) -> Callable[[], None]:
        """Take up what was noted of a vector of columns; what puts it back."""
        pairs = ((self.norms, "%norms"), (self.least_so_far, "%least"))
        rooms = [(room, self.at(array, j, 8)) for room, array in pairs if room]
        for room, at in rooms:
            self.store(self.acc, self.load(self.acc, at, 8), room, 8)

        def put() -> None:
            for room, at in rooms:
                self.store(self.acc, self.load(self.acc, room, 8), at, 8)

        return put

    def _last_across(self, first: str) -> None:
        """The columns that are no whole vector, packed."""
        record = self.at("%lines", first, 8 * RECORD)
        norms, least = (self.at(array, first, 8) for array in ("%norms", "%least"))
        self.call(
            "void", "@openaclnn_pack_b", "ptr %base", f"ptr {record}",
            f"i64 {self.sub('%count', first)}", "ptr %ks", "i64 %k", "ptr %panel",
            f"ptr {norms}", f"ptr {least}", "i64 %high", "i64 %wide",
        )  # fmt: skip
        at = self.at("%chunk", first, 8)

        def one(k: str) -> None:
            factor = self.splat("f64", self.word("%x", k, "double"))
            values = self.load(self.acc, self.at("%panel", k, self.panel_b), 8)
            total = self.load(self.acc, at, 8)
            self.store(self.acc, self.call_vector("fma", "f64", values, factor, total), at, 8)

        self.repeat(0, "%k", one)

    def _keep_across(self, j: str) -> None:
        """Add a chunk's sums to those of the chunks before."""
        number, column = self.divided(j, self.tile.columns)
        place = self.add(self.mul(number, self.tile.rows * self.tile.columns), column)
        at, zero = self.at("%sums", place, 8), "zeroinitializer"
        before = self.load(self.acc, at, 8)
        start = self.set(f"select i1 %first, {self.acc} {zero}, {self.acc} {before}")
        more = self.load(self.acc, self.at("%chunk", j, 8), 8)
        self.store(self.acc, self._two("fadd", start, more, self.acc), at, 8)

    def _sum_of(self, variables: list[str]) -> str:
        """Vectors added up in pairs, so that additions do not wait for each other."""
        found = [self.load(self.acc, one, 8) for one in variables]
        while len(found) > 1:
            pairs = zip(found[::2], found[1::2], strict=False)
            rest = found[len(found) // 2 * 2 :]
            found = [self._two("fadd", a, b, self.acc) for a, b in pairs] + rest
        return found[0]

    def _by_groups(self, record: str, span: Callable[[str, str, list[str]], None]) -> None:
        """The stretches of a line that have one scale."""
        group, end = self.of("%block", "group"), self.add("%start", "%k")
        bases = [self.of("%block", name, "ptr") for name in ("scale", "offset")]
        steps = [self.of("%block", f"{name}_step") for name in ("scale", "offset")]
        first, _ = self.divided("%start", group)
        last, _ = self.divided(self.add(end, self.sub(group, 1)), group)
        most = self.intrinsic("llvm.smax.i64", "i64", "i64, i64")

        def one(g: str) -> None:
            at = self.mul(g, group)
            low = self.set(f"call i64 {most}(i64 {at}, i64 %start)")
            high = self.least(self.add(at, group), end)
            here = [
                self.at(base, self.mul(g, step)) for base, step in zip(bases, steps, strict=True)
            ]
            span(self.sub(low, "%start"), self.sub(high, "%start"), self.quantities(here, record))

        self.repeat(first, last, one)

    def _widen_row(
        self, start: str, count: str, to: str, norms: str, least: str, records: str
    ) -> None:
        """The elements of one row from a place on as float64."""
        self._start_notes()
        self._clear_notes()
        base = self.at(self._base(A), self.word(records, A))
        size = self.kind.a.itemsize

        def vector(k: str) -> None:
            values = self.read_vector(self.kind.a, base, self.mul(self.add(k, start), size))
            self.store(self.acc, values, self.at(to, k, 8), 8)
            self._note(values)

        def one(k: str) -> None:
            value = self.read_one(self.kind.a, self.at(base, self.mul(self.add(k, start), size)))
            self.store("double", value, self.at(to, k, 8), 8)
            self._note(self._alone(value))

        whole = self._two("and", count, -self.lanes)
        self.repeat(0, whole, vector, self.lanes)
        self.repeat(whole, count, one)
        self._keep_notes(norms, least, "0")

    def _start_notes(self) -> None:
        self.norms = self.variable(self.acc)
        self.least_so_far = self.variable(self.acc) if self.kind.short else ""

    def _clear_notes(self) -> None:
        self.store(self.acc, "zeroinitializer", self.norms, 8)
        if self.least_so_far:
            self.store(self.acc, self.constant("f64", float("inf")), self.least_so_far, 8)

    def _keep_notes(self, norms: str, least: str, line: str) -> None:
        """Put what was noted of a line's elements to what is known of it."""
        at = self.at(norms, line, 8)
        found = self._reduced(
            "fadd", self.load("double", at, 8), self.load(self.acc, self.norms, 8)
        )
        self.store("double", found, at, 8)
        if self.least_so_far:
            at = self.at(least, line, 8)
            for lane in range(self.lanes):
                number = self.lane(self.load(self.acc, self.least_so_far, 8), "f64", lane)
                before = self.load("double", at, 8)
                smaller = self.test("olt", number, before, "double")
                kept = self.set(f"select i1 {smaller}, double {number}, double {before}")
                self.store("double", kept, at, 8)

    def _alone(self, value: str) -> str:
        """A vector of a number and zeros."""
        return self.set(f"insertelement {self.acc} zeroinitializer, double {value}, i64 0")

    def _reduced(self, word: str, start: str, vector: str) -> str:
        name = self.intrinsic(
            f"llvm.vector.reduce.{word}.v{self.lanes}f64", "double", f"double, {self.acc}"
        )
        # in any order: what is reduced is certified, or a bound
        return self.set(f"call reassoc double {name}(double {start}, {self.acc} {vector})")

    # the exact sum

    def write_exact(self) -> None:
        """One element by the exact sum, rounded to odd."""
        head = "ptr %block, ptr %bases, ptr %row, ptr %column"
        with self.function("openaclnn_exact", head, "double"):
            state = self.variable("i64", count=_STATE)
            twice = 2 if self.kind.scaled or self.kind.offset else 1
            quantised = [self.of("%block", name, "ptr") for name in ("scale", "offset")]
            terms = self.variable("double", count=twice * _EXACT_TERMS + _PADDING)
            table = self.variable("i64", count=RECORD * _EXACT_TERMS)
            init, absorb, value = (self.of("%block", x, "ptr") for x in ("init", "absorb", "value"))
            self.call("void", init, f"ptr {state}")
            total, dims, count_dims = self.of("%block", "k"), *self._dims("k")
            a = self.at(self.word("%bases", A, "ptr"), self.word("%row", A))
            b, start_b = self.word("%bases", B, "ptr"), self.word("%column", B)
            alpha = self.of("%block", "alpha", "double")
            if self.kind.b_pattern == WINDOW:
                for name in ("high", "wide"):
                    self.line(f"%{name} = add i64 {self.of('%block', name)}, 0")

            def chunk(first: str) -> None:
                count = self.least(self.sub(total, first), _EXACT_TERMS)
                self.call(
                    "void", "@openaclnn_table", f"ptr {dims}", f"i64 {count_dims}",
                    f"i64 {first}", f"i64 {count}", f"ptr {table}",
                )  # fmt: skip

                def term(k: str) -> None:
                    record = self.at(table, k, 8 * RECORD)
                    x = self.read_one(self.kind.a, self.at(a, self.word(record, A)))
                    y = self._read_inside(b, self.add(start_b, self.word(record, B)), record)
                    if self.kind.scale:  # number and offset by themselves: their sum has more bits
                        scale, *more = self.quantities(quantised, "%column", record)
                        for number, factor in enumerate((y, *more)):
                            value = self._two("fmul", factor, scale, "double")
                            product = self._two("fmul", x, value, "double")
                            at = self.at(self.at(terms, k, 8 * twice), 8 * number)
                            self.store("double", product, at, 8)
                        return
                    if not self.kind.scaled:
                        product = self._two("fmul", x, y, "double")
                        self.store("double", product, self.at(terms, k, 8), 8)
                        return
                    # a product with alpha has 48 bits: two numbers of 24
                    scaled = self._two("fmul", x, alpha, "double")
                    bits = self.set(f"bitcast double {scaled} to i64")
                    upper = self._two("and", bits, -1 << 29)
                    high = self.set(f"bitcast i64 {upper} to double")
                    low = self._two("fsub", scaled, high, "double")
                    # of what is not finite there is one term
                    finite = self.test("oeq", low, low, "double")
                    low = self.set(f"select i1 {finite}, double {low}, double 0.0")
                    high = self.set(f"select i1 {finite}, double {high}, double {scaled}")
                    y_low = self.set(f"select i1 {finite}, double {y}, double 0.0")
                    at = self.at(terms, k, 16)
                    self.store("double", self._two("fmul", high, y, "double"), at, 8)
                    lower = self._two("fmul", low, y_low, "double")
                    product_low = self._finite_or_zero(lower)
                    self.store("double", product_low, self.at(at, 8), 8)

                self.repeat(0, count, term)
                self._absorb(absorb, terms, self.mul(count, twice), state)

            self.repeat(0, total, chunk, _EXACT_TERMS)
            if self.kind.c is not None:
                c = self._c_of("%bases", "%row", "%column")
                term = self.read_one(self.kind.c, c)
                if self.kind.scaled:
                    term = self._two("fmul", term, self.of("%block", "beta", "double"), "double")
                self.store("double", term, terms, 8)
                self._absorb(absorb, terms, "1", state)
            found = self.call("double", value, f"ptr {state}", "double 1.0")
            self.line(f"ret double {found}")

    def _finite_or_zero(self, value: str) -> str:
        """What is not finite is in the other term already."""
        difference = self._two("fsub", value, value, "double")
        finite = self.test("oeq", difference, "0.0", "double")
        return self.set(f"select i1 {finite}, double {value}, double 0.0")

    def _read_inside(self, base: str, place: str, record: str) -> str:
        if self.kind.b_pattern != WINDOW:
            return self.read_element(self.kind.b, base, place)
        at = self.at(base, place)
        found = self.variable("double")
        self.store("double", "0.0", found, 8)

        def there() -> None:
            self.store("double", self.read_one(self.kind.b, at), found, 8)

        self.when(self.inside(record, "%column"), there)
        return self.load("double", found, 8)

    def _absorb(self, absorb: str, terms: str, count: str, state: str) -> None:
        def zero(k: str) -> None:
            self.store("double", "0.0", self.at(terms, self.add(count, k), 8), 8)

        self.repeat(0, _PADDING, zero)
        self.call("void", absorb, f"ptr {terms}", f"i64 {count}", f"ptr {state}")

    def _c_of(self, bases: str, row: str, column: str) -> str:
        place = self.add(self.word(row, C), self.word(column, C))
        return self.at(self.word(bases, C, "ptr"), place)

    # results

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

    # the whole

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

    def _base(self, of: int) -> str:
        return self.word(self.bases, of, "ptr")

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
                lowest = self.constant("f64", 2.0 ** (1 - _BITS[dtype]))
                units = self._two("fmul", unit, lowest, self.acc)
                self.store(self.acc, self._two("fdiv", more, units, self.acc), place, 8)

        self.repeat(0, count, some, self.lanes)
