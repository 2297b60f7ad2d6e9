"""Writes the kernel for unaligned rows of 16-bit elements.

A thread has one of the output's vectors of 16 bytes. Every input is read in aligned vectors too:
two of them hold what belongs to the output's one, and are shifted against each other. Where a row
begins or ends inside the output's vector, its elements are stored one by one.
"""

from __future__ import annotations

from openaclnn.engines.cuda.body import arguments
from openaclnn.engines.cuda.kernel import Writer
from openaclnn.engines.cuda.tiling import VECTOR

_LAST = VECTOR - 1
NEIGHBOURS = "/* eight neighbours */"  # marks assembly that takes a vector's elements in order


class ShiftedWriter(Writer):
    """Vectors of all rows on the first axis, a vector's elements on the second."""

    def place(self) -> None:
        self.line(f"start0 = tl.program_id(0) * {self.tiling.axes[0].tile}")

    def offsets(self) -> None:
        """Of every operand where its row begins (`r`), and the first column (`c`) of each vector:
        where the output's row begins inside a vector, the first vector's is below 0."""
        vectors, columns = self.tiling.axes
        self.line(f"i0 = tl.arange(0, {vectors.tile})")
        self.decode(0, vectors)
        self.line(f"i = tl.arange(0, {columns.tile})[None, :]")
        for k in self.operands:
            terms = [
                f"d0_{position} * {self.stride(f's0_{self.like[k]}_{position}', 'i32', dim, k)}"
                for position, dim in enumerate(vectors.dims)
                if position and dim.strides[k]
            ]
            self.line(f"r{k} = {' + '.join(terms) or 'i0 * 0'}")
        self.line(f"late = {self.inside_vector(self.out)}")
        self.line(f"c = d0_0 * {VECTOR} - late")

    def inside_vector(self, k: int) -> str:
        """How many elements after a vector's beginning an operand's row begins."""
        return f"({self.elements_to(k)} + r{k}) & {_LAST}"

    def elements_to(self, k: int) -> str:
        """How many elements of memory, modulo 2³², are before an operand."""
        return f"(p{k}.to(tl.int64) >> 1).to(tl.int32)"

    def work(self) -> None:
        self.inside()
        for k in range(self.out):
            self.load(k)
        for k in range(self.out):
            self.shift(k)
        value = f"value({', '.join(arguments(self.body))})"
        outputs = self.operands[self.out :]
        self.line(f"{', '.join(f'y{k}' for k in outputs)} = {value}")
        for k in outputs:
            self.line(f"y = tl.broadcast_to(y{k}, [{self.tile_shape()}])")
            if k == self.out:
                self.store_vector(k)
            else:
                self.line(f"tl.store({self.elements(k)}, y, mask=inside)")

    def inside(self) -> None:
        """Which of a vector's elements are in its row, from the `first` to before the `last`."""
        vectors, columns = self.tiling.axes
        self.count = self.parameter("n0", "i32", vectors.size, at=self.places.length(0))
        self.width = self.parameter("n1", "i32", columns.size, at=self.places.length(1))
        self.line(f"m = {self.inside_rows()}")
        self.line("first = tl.maximum(-c, 0)")
        self.line(f"last = tl.where(m, tl.minimum({self.width} - c, {VECTOR}), 0)")
        self.line("inside = (i >= first[:, None]) & (i < last[:, None])")

    def inside_rows(self) -> str:
        """Which vectors have an element of their row."""
        return f"(start0 + i0 < {self.count}) & (c < {self.width})"

    def elements(self, k: int) -> str:
        return f"p{k} + ((r{k} + c)[:, None] + i)"

    def store_vector(self, k: int) -> None:
        if not self.laid_out_in_vectors():
            self.line(f"tl.store({self.elements(k)}, y, mask=inside)")
            return
        registers = ",".join(["=r"] * 2 + ["r"] * 4 + ["l"] * 8 + ["r"] * 16)
        self.line(f"to = (p{k} + (r{k} + c)[:, None]).to(tl.int64)")
        given = "[y, to, first[:, None], last[:, None]]"
        self.line(
            f"tl.inline_asm_elementwise({STORE!r}, {registers!r}, {given}, tl.int8, False, 8)"
        )

    def laid_out_in_vectors(self) -> bool:
        """Triton lays values out as the vectors that were read."""
        return "1" in self.tiling.axes[-1].patterns[: self.out]

    def load(self, k: int) -> None:
        """Two aligned vectors that hold an output vector's elements of an input. Each is read only
        if an element of the row is in it."""
        if self.tiling.axes[-1].pattern(k) == "0":
            self.line(f"x{k} = tl.load(p{k} + r{k}, mask=m)[:, None]")
            return
        self.line(f"shift{k} = ({self.inside_vector(k)}) - late & {_LAST}")
        self.line(f"e = c - shift{k}")
        for name, after, mask in (
            ("a", "", f"(e > -{VECTOR})"),
            ("b", f" + {VECTOR}", f"(shift{k} > 0) & (e < {self.width} - {VECTOR})"),
        ):
            at = self.vector(k, f"r{k} + e{after}")
            self.line(f"{name}{k} = tl.load({at}, mask=(m & {mask})[:, None])")

    def vector(self, k: int, first: str) -> str:
        """The addresses of an aligned vector's elements."""
        at = f"p{k} + (({first})[:, None] + i)"
        return f"tl.multiple_of(tl.max_contiguous({at}, [1, {VECTOR}]), [1, 16])"

    def shift(self, k: int) -> None:
        """The two vectors of an input against each other."""
        if self.tiling.axes[-1].pattern(k) == "0":
            return
        registers = ",".join(["=r"] * 4 + ["r"] * 16)
        given = f"[a{k}, b{k}, shift{k}[:, None]]"
        self.line(
            f"x{k} = tl.inline_asm_elementwise({SHIFT!r}, {registers!r}, {given}, "
            "tl.int16, True, 8)"
        )


def _shift() -> str:
    """Eight words $4 to $11 and a number of elements $12: the four words $0 to $3 that begin so
    many elements after the first."""
    lines = [
        f"{NEIGHBOURS} .reg .pred four, two; .reg .b32 bits, w<6>, v<5>;",
        "and.b32 bits, $12, 4; setp.ne.b32 four, bits, 0;",
        "and.b32 bits, $12, 2; setp.ne.b32 two, bits, 0;",
        "and.b32 bits, $12, 1; shl.b32 bits, bits, 4;",
        *(f"selp.b32 w{n}, ${n + 6}, ${n + 4}, four;" for n in range(6)),
        *(f"selp.b32 v{n}, w{n + 1}, w{n}, two;" for n in range(5)),
        *(f"shf.r.wrap.b32 ${n}, v{n}, v{n + 1}, bits;" for n in range(4)),
    ]
    return f"{{ {' '.join(lines)} }}"


def _store() -> str:
    """Four words $2 to $5 to the address $6: the elements from number $14 to before $22 of them.

    Where they are the first ones of the vector or the last, they are four, two and one of them at
    once, seen from the vector's end: `u0` is the word at that end, `n` is how many there are."""
    words = ["$2", "$3", "$4", "$5"]
    lines = [
        f"{NEIGHBOURS} .reg .pred whole, last, four, two, one; .reg .b16 h<8>;",
        ".reg .b32 n, u<4>, v<2>, bits, far; .reg .b64 at;",
        "setp.eq.s32 last, $22, 8; setp.eq.and.s32 whole, $14, 0, last;",
        "@whole st.global.v4.b32 [$6], {$2, $3, $4, $5}; @whole bra DONE;",
        "setp.eq.s32 one, $14, 0; or.pred one, one, last; @!one bra INSIDE;",
        "sub.s32 n, 8, $14; selp.b32 n, n, $22, last;",
        *(f"selp.b32 u{n}, {words[3 - n]}, {words[n]}, last;" for n in range(4)),
        "and.b32 bits, n, 4; setp.ne.s32 four, bits, 0;",
        "and.b32 bits, n, 2; setp.ne.s32 two, bits, 0;",
        "and.b32 bits, n, 1; setp.ne.s32 one, bits, 0;",
        # four elements
        "selp.b32 v0, u1, u0, last; selp.b32 v1, u0, u1, last; selp.b32 far, 8, 0, last;",
        "cvt.s64.s32 at, far; add.s64 at, at, $6; @four st.global.v2.b32 [at], {v0, v1};",
        # two
        "selp.b32 v0, u2, u0, four; selp.b32 v1, u3, u1, four;",
        "and.b32 far, n, 4; shl.b32 far, far, 1; sub.s32 bits, 12, far;",
        "selp.b32 far, bits, far, last; cvt.s64.s32 at, far; add.s64 at, at, $6;",
        "@two st.global.b32 [at], v0;",
        # one
        "selp.b32 v0, v1, v0, two; mov.b32 {h0, h1}, v0; selp.b16 h0, h1, h0, last;",
        "and.b32 far, n, 6; shl.b32 far, far, 1; sub.s32 bits, 14, far;",
        "selp.b32 far, bits, far, last; cvt.s64.s32 at, far; add.s64 at, at, $6;",
        "@one st.global.b16 [at], h0; bra DONE;",
        "INSIDE:",
        *(f"mov.b32 {{h{2 * n}, h{2 * n + 1}}}, {words[n]};" for n in range(4)),
        *(
            f"setp.le.s32 one, $14, {n}; setp.gt.and.s32 one, $22, {n}, one; "
            f"@one st.global.b16 [$6+{2 * n}], h{n};"
            for n in range(8)
        ),
        "DONE: mov.b32 $0, 0; mov.b32 $1, 0;",
    ]
    return f"{{ {' '.join(lines)} }}"


SHIFT, STORE = _shift(), _store()
