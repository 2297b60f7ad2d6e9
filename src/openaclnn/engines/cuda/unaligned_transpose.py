"""Writes the kernel for transposed tiles of 16-bit elements with unaligned rows.

Of a tile's columns each row has a window that begins with a vector of 16 bytes of the output's, or
with a sector, some elements before the tile does. Inputs that lie like the output are read as
`shifted` reads them. What is transposed to it is read along the tile's rows, one element by a
thread, and put into shared memory where its window has it. Where a tile has more rows than a warp
has threads, a thread reads neighbours one after the other: the first cache asks the second one for
whole runs at once then.
"""

from __future__ import annotations

from openaclnn.arithmetic.lower import Body
from openaclnn.engines.cuda.body import arguments
from openaclnn.engines.cuda.kernel import SHARED, Writer
from openaclnn.engines.cuda.tiling import VECTOR, Axis, StagedTiling, Windows
from openaclnn.engines.cuda.unaligned_rows import NEIGHBOURS, ShiftedWriter

# Of which two ways need more, 72 to 80, where rows are decoded: smooth L1 8-D 0.79, one way 0.81.
# Of matrices they do: 400x401x403 0.89, hardsigmoid 0.88, smooth L1 0.90; one way 0.87, 0.84, 0.85.
_FEW_REGISTERS = 64
_LANES = 32  # of a warp, which reads along rows: two elements of each are 128 bytes together


class StagedWriter(ShiftedWriter):
    """Rows on the first axis, windows of columns on the second."""

    def __init__(self, body: Body, tiling: StagedTiling, arch: int) -> None:
        super().__init__(body, tiling, arch)
        self.rows, self.columns = tiling.axes
        assert isinstance(self.columns, Windows)
        self.early = self.columns.early
        self.turned = False  # by Triton
        self.in_vectors = [k for k in range(self.out) if self.columns.pattern(k) in "01"]
        self.across = [k for k in range(self.out) if k not in self.in_vectors]
        # A row's window begins early or late. Its words are an odd number, so that no two of 32
        # rows have a column in one bank of shared memory.
        self.pitch = self.columns.tile + 2 * self.early + 2
        # rows that follow each other of which a thread reads one after the other
        self.group = max(1, self.rows.tile // _LANES)
        self.size_of_room = 2 * self.rows.tile * (self.pitch + (self.group > 1))
        # all columns that a window may have, the first and how many: a tile's, and some early
        self.parts = (0, self.columns.tile), (self.columns.tile, self.early)

    def shared(self, axis: Axis, k: int) -> bool:
        return axis.tile >= SHARED

    def place(self) -> None:
        Writer.place(self)
        for k in self.operands:
            if self.rows.pattern(k) in "1s":
                self.advance(k, f"start0{self.times_step(0, self.rows, k)}")

    def offsets(self) -> None:
        """Of what is transposed to the vectors, then of the vectors: the first axis has them
        all."""
        self.read_across()
        per_row = self.columns.tile // VECTOR
        self.line(f"v = tl.arange(0, {self.rows.tile * per_row})")
        self.line(f"i0 = v // {per_row}")
        self.decode_rows()
        for k in (*self.in_vectors, self.out):
            self.line(f"r{k} = {self.row(k)}")
        self.line(f"late = {self.late_by(f'r{self.out}')}")
        self.line(f"at = v % {per_row} * {VECTOR}")
        self.line("c = start1 + at - late")
        self.line(f"i = tl.arange(0, {VECTOR})[None, :]")

    def late_by(self, row: str) -> str:
        """How many elements after its window's beginning the output has a row's first column."""
        return f"({self.elements_to(self.out)} + {row}) & {self.early - 1}"

    def inside_rows(self) -> str:
        """Which vectors have an element of their row: a sector may begin with one that has none."""
        found = super().inside_rows()
        return f"{found} & (c > -{VECTOR})" if self.early > VECTOR else found

    def decode_rows(self) -> None:
        if "d" in self.rows.patterns:
            self.decode(0, self.rows)

    def row(self, k: int) -> str:
        """Where an operand has the rows `i0`."""
        pattern = self.rows.pattern(k)
        if pattern == "d":
            inner, outer = self.terms(0, self.rows, k)
            return " + ".join([*inner, *outer])
        return "i0 * 0" if pattern == "0" else f"i0{self.times_step(0, self.rows, k)}"

    def read_across(self) -> None:
        """Both parts of every input that is transposed, without masks where the tile is full, and
        where in shared memory they belong."""
        for number, axis in enumerate(self.tiling.axes):
            at = self.places.length(number)
            self.parameter(f"n{number}", "i32", axis.size, at=at)
        self.line("left0 = n0 - start0")
        self.line(f"begin = start1 - {self.early}")
        self.line("left1 = n1 - begin")
        size = len(self.across) * self.size_of_room
        room = f"{{ .shared .align 4 .b8 room[{size}]; mov.u32 $0, room; }}"
        self.line(f"room = tl.inline_asm_elementwise({room!r}, '=r,r', [n1], tl.int32, False, 1)")
        for k in self.across:
            if self.columns.pattern(k) in "1s":
                self.advance(k, f"begin{self.times_step(1, self.columns, k)}")
        for turn in range(self.group):
            self.along_rows(turn)
        for first, count in self.parts:
            self.along_columns(first, count)
        short = [n for n in (0, 1) if self.tiling.never_full(n)]
        full = [f"(left0 >= {self.rows.tile})"] * (0 not in short)
        full += [f"(begin >= 0) & (left1 >= {self.columns.tile + self.early})"] * (1 not in short)
        if full:
            self.line(f"if {' & '.join(full)}:")
            self.load_across(short, 2)
            self.line("else:")
        self.load_across([0, 1], 1 + bool(full))

    def along_rows(self, turn: int) -> None:
        """Where one row of each group is, and where it belongs in shared memory."""
        count = self.rows.tile // self.group
        self.line(f"i0 = tl.arange(0, {count}) * {self.group} + {turn}")
        self.decode_rows()
        late = self.late_by(self.row(self.out))
        self.line(f"row_{turn} = room + 2 * ({self.row_in_room('i0')} + ({late}))")
        for k in self.across:
            self.offset(0, self.rows, k, count, self.shared(self.rows, k))
            offsets = f"a0_{k}"
            if self.rows.pattern(k) == "1" and self.group > 1:
                offsets = f"tl.max_contiguous({offsets}, {count})"
            if self.rows.pattern(k) != "0":
                self.line(f"a0_{k}_{turn} = {offsets}")
        self.line(f"i0_{turn} = i0")

    def row_in_room(self, row: str) -> str:
        """Where a row begins in shared memory, in elements. Of groups of rows, whose first ones
        threads put there at once, words are an odd number."""
        if self.group == 1:
            return f"{row} * {self.pitch}"
        return f"({row} * {self.pitch} + {row} // {self.group} * 2)"

    def along_columns(self, first: int, count: int) -> None:
        """The offsets of a part along the columns."""
        self.line(f"i1 = tl.arange(0, {count}) + {first}")
        if any(self.columns.pattern(k) == "d" for k in self.across):
            self.line("j = begin + i1")
            self.indices(1, self.columns, range(len(self.columns.dims)))
        for k in self.across:
            self.offset(1, self.columns, k, count, not first and self.shared(self.columns, k))
            self.line(f"a1_{k}_{first} = a1_{k}")
        self.line(f"m1_{first} = (i1 >= -begin) & (i1 < left1)")
        for turn in range(self.group):
            self.line(f"to{first}_{turn} = row_{turn}[:, None] + (2 * i1)[None, :]")

    def load_across(self, masked: list[int], depth: int) -> None:
        if 0 in masked:
            for turn in range(self.group):
                self.line(f"m0_{turn} = i0_{turn} < left0", depth)
        for first, turn, k in self.pieces:
            at = self.place_of(k, first, turn, masked)
            self.line(f"x{k}_{first}_{turn} = tl.load({at})", depth)

    @property
    def pieces(self) -> list[tuple[int, int, int]]:
        """The first column, the row of groups, and the input of everything that is transposed."""
        return [
            (first, turn, k)
            for first, _ in self.parts
            for k in self.across
            for turn in range(self.group)
        ]

    def place_of(self, k: int, first: int, turn: int, masked: list[int]) -> str:
        """Where a part's elements of an input are: one pointer for a row, as a thread has few."""
        row = "" if self.rows.pattern(k) == "0" else f" + a0_{k}_{turn}[:, None]"
        address = f"p{k}{row} + a1_{k}_{first}[None, :]"
        masks = [(f"m0_{turn}[:, None]", f"m1_{first}[None, :]")[n] for n in masked if n or row]
        return f"{address}, mask={' & '.join(masks)}" if masks else address

    def work(self) -> None:
        """Where inputs lie like the output, as many elements after a vector's beginning, vectors
        need not be shifted, which takes an eighth of the instructions: 8-D 0.81, else 0.79. Both
        ways have all of the work: where only its end differs, 8-D has 0.72."""
        self.inside()
        read = [k for k in self.in_vectors if self.columns.pattern(k) == "1"]
        alike = all(self.like[k] == self.like[self.out] for k in read)
        few = self.tiling.tile.registers <= _FEW_REGISTERS and "d" in self.rows.patterns
        if not read or not alike or few:
            self.compute(shifted=self.in_vectors)
            return
        out = self.elements_to(self.out)
        apart = " | ".join(f"({self.elements_to(k)} - {out})" for k in read)
        self.line(f"if ({apart}) & {VECTOR - 1} == 0:")
        self.compute_inside(shifted=[k for k in self.in_vectors if k not in read])
        self.line("else:")
        self.compute_inside(shifted=self.in_vectors)

    def compute_inside(self, shifted: list[int]) -> None:
        """The same, one level deeper."""
        before, self.lines = self.lines, []
        self.compute(shifted)
        self.lines = before + ["    " + line for line in self.lines]

    def compute(self, shifted: list[int]) -> None:
        """The output's vectors; those of some inputs are shifted."""
        for k in self.in_vectors:
            if k in shifted:
                self.load(k)
            else:
                self.line(f"a{k} = tl.load({self.vector(k, f'r{k} + c')}, mask=m[:, None])")
                self.line(f"x{k} = a{k}")
        self.stage()
        for k in shifted:
            self.shift(k)
        shape = f"[{self.rows.tile * self.columns.tile // VECTOR}, {VECTOR}]"
        value = f"value({', '.join(arguments(self.body))})"
        self.line(f"y = tl.broadcast_to({value}, {shape})")
        self.store_vector(self.out)

    def stage(self) -> None:
        """What is transposed to the vectors, by way of shared memory."""
        for first, turn, k in self.pieces:
            at = self.across.index(k) * self.size_of_room
            given = f"[x{k}_{first}_{turn}, to{first}_{turn} + {at}]"
            self.line(f"tl.inline_asm_elementwise({PUT!r}, '=h,h,r', {given}, tl.int16, False, 1)")
        self.line("tl.debug_barrier()")
        self.line(f"window = 2 * ({self.row_in_room('i0')} + {self.early} + at)")
        laid_out = self.laid_out()
        registers = ",".join(["=r"] * 4 + ["r"] * 12)
        for number, k in enumerate(self.across):
            given = f"[{laid_out}, (room + {number * self.size_of_room} + window)[:, None]]"
            assembly = f"{GET!r}, {registers!r}, {given}, tl.int16, False, 8"
            self.line(f"x{k} = tl.inline_asm_elementwise({assembly})")

    def laid_out_in_vectors(self) -> bool:
        return True

    def laid_out(self) -> str:
        """A vector that was read, or might have been, says how Triton lays them out."""
        found = next((f"a{k}" for k in self.in_vectors if self.columns.pattern(k) == "1"), "")
        if not found:
            at = self.vector(self.out, f"r{self.out} + c")
            self.line(f"a = tl.load({at}, mask=(c < -{self.early})[:, None])")
        return found or "a"


PUT = "{ st.shared.b16 [$2], $1; mov.b16 $0, 0; }"
_WORDS = " ".join(f"ld.shared.b32 ${n}, [$8+{4 * n}];" for n in range(VECTOR // 2))
GET = f"{{ {NEIGHBOURS} {_WORDS} }}"
