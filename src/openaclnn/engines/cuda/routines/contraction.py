"""Contractions on a GPU: a program for each tile of the result, through float64 tensor cores.

A tile's sums are added up in chunks of K. Each has a bound of its error; where the numbers at both
ends of it round to one number, that is the result. The others are computed by the program together:
products of float32 are exact in float64, and are added up as pairs of float64, whose bound leaves
hardly anything open; then as digits of 32 bits.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from openaclnn.arithmetic import rounding
from openaclnn.arithmetic.nodes import Node, make
from openaclnn.base.dtypes import DOUBLE, FLOAT, INT4, DType
from openaclnn.base.floating import plain_arithmetic
from openaclnn.base.tensors import View
from openaclnn.engines.cuda.kernel import HEAD, NAME, Kernel, Parameter
from openaclnn.engines.cuda.routines.rows import pointee, tree_function
from openaclnn.plan import RoutinePass
from openaclnn.plan.contractions import (
    SHIFTED,
    AxesOfLetters,
    ContractedAxis,
    accumulator,
    bound,
    grouped,
    layout_of,
    operand_of,
    size_of,
)
from openaclnn.spec.contraction import Contraction

_ROWS, _COLUMNS, _STEP, _CHUNK = 64, 64, 32, 256
_WARPS = 4
_SMALL = 16  # of a tile that has fewer rows or columns
# lines that one vector is multiplied with, and terms of each at once: of those that are contiguous
# along K, and of others
_LINES, _OTHER_LINES = (4, 512), (32, 64)
REGISTERS = 128  # of a thread that repairs, so that four programs share a multiprocessor
_STAGES = 3  # chunks of both factors that are on their way
_TOGETHER = 8  # rows of tiles that are computed together, while their columns are in the cache
_VECTOR = 16  # of what sizes and strides are multiples, so that the compiler reads vectors
_TERMS = 1024  # of a sum that is repaired, at once
_IN_ORDER = 128  # products of float64 that are added up by themselves, as on the CPU
_LOWEST = -480  # the exponent of the lowest bit of 32 digits
# assembly that changes nothing and that the compiler must keep: layouts of narrow numbers do not
# reach the operands of products of float64 by it, which Triton 3.6 cannot compile
HOLD = {"tl.float32": ("mov.b32 $0, $1;", "=f,f"), "tl.float64": ("mov.b64 $0, $1;", "=d,d")}
_TYPES = {"f64": "tl.float64", "i32": "tl.int32", "i64": "tl.int64"}

# sums of two pairs of numbers, and how much their additions lost
_PAIRS = """
@triton.jit
def lost_by(x, y, total):
    part = total - x
    return (x - (total - part)) + (y - part)


@triton.jit
def pair_sum(x, x_low, x_lost, y, y_low, y_lost):
    total = x + y
    lost = lost_by(x, y, total)
    return total, x_low + y_low + lost, x_lost + y_lost + tl.abs(lost)


# a sum rounded to odd: what is cut off sets the last bit
@triton.jit
def odd_sum(x, y):
    total = x + y
    lost = lost_by(x, y, total)
    bits = total.to(tl.int64, bitcast=True)
    inward = (lost < 0) != (total < 0)
    bits = tl.where((lost != 0) & (bits % 2 == 0), tl.where(inward, bits - 1, bits + 1), bits)
    return bits.to(tl.float64, bitcast=True)


"""

# the digits of some numbers, one row for each: those of a number are bits of its fraction
_DIGITS = f"""
@triton.jit
def digits_of(p):
    bits = p.to(tl.int64, bitcast=True)
    field = (bits >> 52) & 2047
    fraction = bits & 4503599627370495
    v = tl.where(field > 0, fraction | 4503599627370496, fraction)
    s = tl.maximum(field, 1) - {1075 + _LOWEST}
    limbs = tl.arange(0, 32).to(tl.int64)
    d = s[:, None] - 32 * limbs[None, :]
    up = (v[:, None] << tl.minimum(tl.maximum(d, 0), 31)) & 4294967295
    down = (v[:, None] >> tl.minimum(tl.maximum(-d, 0), 63)) & 4294967295
    inside = tl.where(d >= 0, tl.where(d < 32, up, 0), tl.where(d > -64, down, 0))
    return tl.sum(tl.where(bits[:, None] < 0, -inside, inside), 0)


@triton.jit
def at(values, place):
    return tl.sum(tl.where(tl.arange(0, 32) == place, values, 0), 0)


# digits as a number with an odd last bit where something was cut off
@triton.jit
def worth(digits):
    limbs = tl.arange(0, 32)
    carry = at(digits, 0) * 0
    for j in range(32):
        one = at(digits, j) + carry
        carry = one >> 32
        digits = tl.where(limbs == j, one & 4294967295, digits)
    more = tl.where(carry < 0, 1, 0).to(tl.int64)
    negative = carry < 0
    for j in range(32):
        one = at(digits, j)
        one = tl.where(negative, (4294967295 - one) + more, one)
        more = one >> 32
        digits = tl.where(limbs == j, one & 4294967295, digits)
    top = tl.maximum(tl.max(tl.where(digits != 0, limbs, 0), 0), 1)
    high, low = at(digits, top), at(digits, top - 1)
    below = tl.sum(tl.where((limbs < top - 1) & (digits != 0), 1, 0), 0)
    large = high >= 2097152
    cut = (below != 0) | (large & ((low & 2047) != 0))
    number = tl.where(large, (high << 21) | (low >> 11), (high << 32) | low)
    number = number | tl.where(cut, 1, 0)
    exponent = {_LOWEST} + 32 * (top.to(tl.int64) - 1) + tl.where(large, 11, 0) + 1023
    found = number.to(tl.float64) * (exponent << 52).to(tl.float64, bitcast=True)
    return tl.where(negative, -found, found)


"""

_INTEGERS = """
@triton.jit
def wide_b(x):
    return x.to(tl.float64)


"""


@plain_arithmetic()
def kernels(one: RoutinePass, arch: int) -> list[tuple[Kernel, tuple[int, ...]]]:
    """The kernels of a contraction: one, or those of a large product."""
    from openaclnn.engines.cuda.routines import products

    packed = products.packing_of(one)
    if packed is not None:
        return products.kernels(one, packed, arch)
    return [(ContractionWriter(one, arch).kernel(), tuple(range(len(one.views))))]


def room(one: RoutinePass) -> int:
    """Bytes of the workspace that the kernels need."""
    from openaclnn.engines.cuda.routines import products

    packed = products.packing_of(one)
    return 0 if packed is None else packed.size


class ContractionWriter:
    """Writes the lines of a kernel that computes tiles of a contraction's result."""

    def __init__(self, one: RoutinePass, arch: int) -> None:
        assert isinstance(one.routine, Contraction)
        self.how, self.views, self.arch = one.routine, one.views, arch
        a, b, *rest = one.views
        self.quantised, rest = rest[: self.how.quantities], rest[self.how.quantities :]
        self.a, self.b, self.out = a, b, rest[-1]
        self.c: View | None = rest[0] if len(rest) == 2 else None
        self.right = operand_of(b, self.how.window)
        self.layout: AxesOfLetters = layout_of(
            self.how, operand_of(a), self.right, self.c, self.out
        )
        self.terms = size_of(self.layout.k)
        if self.quantised:
            self.layout = grouped(self.layout, self.how.group, *self.quantised)
        self.acc = accumulator(a.dtype, b.dtype, self.out.dtype)
        dtypes = [v.dtype for v in one.views]
        self.certified = self.acc == "f64" and DOUBLE not in dtypes
        beta = self.how.beta if self.c is not None else 1
        self.scaled = self.how.alpha != 1 or beta != 1
        self.vector = ""
        self.given: dict[str, int] = {}
        self.lines: list[str] = []

    def kernel(self) -> Kernel:
        """All in one kernel."""
        m, n = (size_of(getattr(self.layout, x)) for x in "mn")
        self.vector = ("a" if m == 1 else "b") if self.certified and 1 in (m, n) else ""
        rows, columns = (side if size > _SMALL else _SMALL
                         for side, size in ((_ROWS, m), (_COLUMNS, n)))  # fmt: skip
        if self.vector:
            lines, self.terms_at_once = self._lines_of_matrix()
            rows, columns = (1, lines) if m == 1 else (lines, 1)
        self.numbers(_CHUNK)
        self.given |= {
            "start": self.right.start, "first_h": self.right.first[0],
            "first_w": self.right.first[1], "high": self.right.edges[0],
            "wide": self.right.edges[1],
        }  # fmt: skip
        self.write(rows, columns)
        given = [
            "pa",
            "pb",
            *["ps", "pq"][: len(self.quantised)],
            *(["pc"] if self.c is not None else []),
            "po",
        ]
        last = len(self.views) - 1  # views that are equal may be one object
        pointers = [pointee(v, number == last) for number, v in enumerate(self.views)]
        if self.b.dtype is INT4:
            pointers[1] = "*i8"
        alignable = (self.certified,) * len(self.views)
        return self.finished(given, pointers, alignable, REGISTERS if self.vector else 0)

    def numbers(self, chunk: int) -> None:
        """The sizes and the numbers that the lines know by name; sums have chunks of so many."""
        m, n = (size_of(getattr(self.layout, x)) for x in "mn")
        roundings = min(self.terms, chunk) + -(-self.terms // chunk) + 4
        gamma = bound(roundings + (SHIFTED if self.how.shifted else 0), self.terms)
        gamma *= 1 + 2.0**-30
        self.given |= {"m": m, "n": n, "k": self.terms}
        if self.acc == "f64":
            numbers = {"alpha": self.how.alpha, "beta": self.how.beta,
                       "gamma": gamma * abs(self.how.alpha), "loss": 2.0**-52,
                       "wider": 2.0**-51}  # fmt: skip
            self.given |= {f"{name}_bits": _word(number) for name, number in numbers.items()}
            self.lines += [f"{x} = {x}_bits.to(tl.float64, bitcast=True)" for x in numbers]
        else:
            self.given |= {"alpha": int(self.how.alpha), "beta": int(self.how.beta)}

    def finished(
        self,
        operands: Sequence[str],
        pointers: Sequence[str],
        alignable: tuple[bool, ...],
        registers: int = 0,
    ) -> Kernel:
        """The kernel of the lines, which call its operands so."""
        numbered = [f"p{number}" for number in range(len(operands))]
        lines = [*map("{} = {}".format, operands, numbered), *self.lines]
        names = [*numbered, *self.given]
        text = "".join(f"    {line}\n" for line in lines)
        return Kernel(
            source=f"{HEAD}{self.functions()}@triton.jit\ndef {NAME}({', '.join(names)}):\n{text}",
            pointers=tuple(pointers),
            uniforms=0,
            parameters=tuple(
                Parameter(name, "i64", value, _multiple(value, bool(self.vector)))
                for name, value in self.given.items()
            ),
            arch=self.arch,
            warps=_WARPS,
            registers=registers,
            programs=size_of(self.layout.batch) * self.tiles,
            alignable=alignable,
            stages=_STAGES if self.certified else 1,
        )

    def functions(self) -> str:
        if self.acc != "f64":
            return ""
        found = tree_function("wide_a", (_widened(self.a.dtype),), self.arch)
        found += _INTEGERS if self.quantised else ""
        for name, view in zip(("wide_s", "wide_q"), self.quantised, strict=False):
            found += tree_function(name, (_widened(view.dtype),), self.arch)
        if not self.quantised:
            found += tree_function("wide_b", (_widened(self.b.dtype),), self.arch)
        for name, dtype in (("a", self.a.dtype), ("b", self.b.dtype)):
            if self._narrow(name):
                stored = make("load", "i16", value=0)
                found += tree_function(
                    f"single_{name}", (rounding.widened(stored, dtype),), self.arch
                )
        if self.c is not None:
            found += tree_function("wide_c", (_widened(self.c.dtype),), self.arch)
        number = make("load", "f64", value=0)
        found += tree_function("stored", (rounding.stored(number, self.out.dtype),), self.arch)
        return found + (_PAIRS + _DIGITS if self.certified else "")

    def walk(self, letter: str, index: str, indent: str = "") -> None:
        """How far an index of a letter is along every operand, as NAMES_a, …"""
        axes: tuple[ContractedAxis, ...] = getattr(self.layout, letter)
        ends = ("a", "b", "c", "o", "h", "w")
        self.lines += [f"{indent}{letter}_{x} = {index} * 0" for x in ends]
        self.lines.append(f"{indent}left_{letter} = {index}")
        for d, axis in reversed([*enumerate(axes)]):
            digit = f"left_{letter}"
            if d:  # the first one has all that is left
                self.given[f"size_{letter}{d}"] = axis.size
                self.lines += [
                    f"{indent}digit_{letter} = left_{letter} % size_{letter}{d}",
                    f"{indent}left_{letter} //= size_{letter}{d}",
                ]
                digit = f"digit_{letter}"
            for x, step in zip(ends, (*axis.moves, *axis.positions), strict=True):
                if step == 1:  # which the compiler must know to read vectors
                    self.lines.append(f"{indent}{letter}_{x} += {digit}")
                elif step:
                    self.given[f"step_{letter}{d}_{x}"] = step
                    self.lines.append(f"{indent}{letter}_{x} += {digit} * step_{letter}{d}_{x}")

    def tile(self, rows: int, columns: int, program: str = "tl.program_id(0)") -> None:
        """Lines that find the program's tile of so many rows and columns."""
        self.rows, self.columns = rows, columns
        tiles = (-(-self.given["m"] // rows), -(-self.given["n"] // columns))
        self.tiles = tiles[0] * tiles[1]
        self.given |= {"tiles_m": tiles[0], "tiles_n": tiles[1]}
        self.lines += [
            f"pid = {program}",
            "tiles_of_columns = tiles_n.to(tl.int32)",
            "tiles = tiles_m.to(tl.int32) * tiles_of_columns",
            "tile = pid % tiles",
            f"first_row = tile // ({_TOGETHER} * tiles_of_columns) * {_TOGETHER}",
            f"tile = tile % ({_TOGETHER} * tiles_of_columns)",
            f"tile_rows = tl.minimum(tiles_m.to(tl.int32) - first_row, {_TOGETHER})",
        ]
        self.walk("batch", "(pid // tiles).to(tl.int64)")
        self.lines += [
            f"i = (first_row + tile % tile_rows).to(tl.int64) * {rows} + tl.arange(0, {rows})",
            f"j = (tile // tile_rows).to(tl.int64) * {columns} + tl.arange(0, {columns})",
        ]

    def begin(self, *operands: str) -> None:
        """Lines that move operands' pointers to the batch."""
        present = [x for x in operands if x != "c" or self.c is not None]
        self.lines += [f"p{x} += batch_{x}" for x in present]

    def write(self, rows: int, columns: int) -> None:
        self.tile(rows, columns)
        self.walk("m", "i")
        self.walk("n", "j")
        self.begin("a", "b", "c", "o")
        self.lines += [
            "pb += start", "n_h += batch_h + first_h", "n_w += batch_w + first_w",
        ]  # fmt: skip
        self.lines.append(f"total = tl.zeros([{rows}, {columns}], {_TYPES[self.acc]})")
        if self.vector:
            self._by_lines()
        elif self.certified:
            self._together()
        else:
            self._in_order()
        self.finish()
        if self.certified:
            self.judge("norms" if not self.vector else "term_sizes")
            self.repair()
        self.lines.append("tl.store(po + m_o[:, None] + n_o[None, :], result, mask=mask)")

    def _read(self, lanes: str) -> list[str]:
        """Lines that load both factors; `lanes` are those of K."""
        inside = f"(j < n)[None, :] & ({lanes} < k)[:, None]"
        if self.right.windowed:
            inside += (
                " & (n_h[None, :] + k_h[:, None] >= 0) & (n_h[None, :] + k_h[:, None] < high)"
                " & (n_w[None, :] + k_w[:, None] >= 0) & (n_w[None, :] + k_w[:, None] < wide)"
            )
        return [
            f"a = tl.load(pa + m_a[:, None] + k_a[None, :], "
            f"mask=(i < m)[:, None] & ({lanes} < k)[None, :], other=0)",
            *self._read_b("n_b[None, :] + k_b[:, None]", inside),
            *self._read_quantities("n_h[None, :] + k_h[:, None]", "n_w[None, :] + k_w[:, None]",
                                   inside),
        ]  # fmt: skip

    def _read_b(self, place: str, inside: str) -> list[str]:
        if self.b.dtype is not INT4:
            return [f"b = tl.load(pb + {place}, mask={inside}, other=0)"]
        return [
            f"half = {place}",
            f"b = tl.load(pb + (half >> 1), mask={inside}, other=0).to(tl.int32)",
            "b = (((b >> ((half & 1) * 4).to(tl.int32)) & 15) ^ 8) - 8",
        ]

    def _read_quantities(self, scale: str, offset: str, inside: str) -> list[str]:
        found = [f"s = wide_s(tl.load(ps + {scale}, mask={inside}, other=0))",
                 f"q = wide_q(tl.load(pq + {offset}, mask={inside}, other=0))"]  # fmt: skip
        return found[: len(self.quantised)]

    def _meant(self) -> list[str]:
        """What quantised numbers stand for."""
        if not self.quantised:
            return []
        return ["y = (y + q) * s" if self.how.shifted else "y = y * s"]

    def _together(self) -> None:
        """The norms first: the loop over products has no registers left for them."""
        rows, columns = self.rows, self.columns
        self.lines += [
            f"squares_a = tl.zeros([{rows}, {_STEP}], tl.float64)",
            f"squares_b = tl.zeros([{_STEP}, {columns}], tl.float64)",
            f"for k0 in range(0, k, {_STEP}):",
            f"    kk = k0 + tl.arange(0, {_STEP}).to(tl.int64)",
        ]
        self.walk("k", "kk", " " * 4)
        self.lines += [" " * 4 + line for line in self._read("kk")]
        self.lines += [
            "    x, y = wide_a(a), wide_b(b)",
            *(" " * 4 + line for line in self._meant()),
            "    squares_a += x * x",
            "    squares_b += y * y",
            "norm_a, norm_b = tl.sum(squares_a, 1), tl.sum(squares_b, 0)",
            f"for k0 in range(0, k, {_CHUNK}):",
            f"    part = tl.zeros([{rows}, {columns}], tl.float64)",
            f"    for k1 in range(k0, tl.minimum(k0 + {_CHUNK}, k), {_STEP}):",
            f"        kk = k1 + tl.arange(0, {_STEP}).to(tl.int64)",
        ]
        self.walk("k", "kk", " " * 8)
        self.lines += [" " * 8 + line for line in self._read("kk")]
        self.lines += [
            f"        x, y = {self._factor('a')}, {self._factor('b')}",
            *(" " * 8 + line for line in self._meant()),
            *[f"        y = {_held('y', 'tl.float64')}"] * bool(self.quantised),
            '        part = tl.dot(x, y, part, out_dtype=tl.float64, input_precision="ieee")',
            "    total += part",
        ]

    def _factor(self, name: str) -> str:
        """A factor that was loaded, in float64."""
        if not self._narrow(name):
            return f"wide_{name}({name})"
        return _held(f"single_{name}({name})", "tl.float32") + ".to(tl.float64)"

    def _narrow(self, name: str) -> bool:
        dtype = self.a.dtype if name == "a" else self.b.dtype
        return dtype.bits < 32 and dtype.kind == "float"

    def _lines_of_matrix(self) -> tuple[int, int]:
        k, of = self.layout.k, 1 if self.vector == "a" else 0
        return _LINES if not k or k[-1].moves[of] == 1 else _OTHER_LINES

    def _by_lines(self) -> None:
        """A vector with the lines of a matrix: their products are added up lane by lane. No sum has
        more additions than one in chunks."""
        rows, columns, terms = self.rows, self.columns, self.terms_at_once
        first = self.vector == "a"
        shape = f"{terms}, {columns}" if first else f"{rows}, {terms}"
        self.lines += [
            f"parts = tl.zeros([{shape}], tl.float64)",
            f"part_sizes = tl.zeros([{shape}], tl.float64)",
            f"for k0 in tl.range(0, k, {terms}, num_stages={_STAGES}):",
            f"    kk = k0 + tl.arange(0, {terms}).to(tl.int64)",
        ]
        self.walk("k", "kk", " " * 4)
        self.lines += [" " * 4 + line for line in self._read("kk")]
        self.lines += [
            "    x, y = wide_a(a), wide_b(b)",
            *(" " * 4 + line for line in self._meant()),
            "    x = tl.trans(x)" if first else "    y = tl.trans(y)",
            "    term = x * y",
            "    parts += term",
            "    part_sizes += tl.abs(term)",
        ]
        along, across = (0, "[None, :]") if first else (1, "[:, None]")
        self.lines += [f"total += tl.sum(parts, {along}){across}",
                       f"term_sizes = tl.sum(part_sizes, {along}){across}"]  # fmt: skip

    def _in_order(self) -> None:
        """One product after the other: of float64, whose sums are rounded, and of integers."""
        rows, columns, type = self.rows, self.columns, _TYPES[self.acc]
        floats = self.acc == "f64"
        self.lines += [
            f"for k0 in range(0, k, {_IN_ORDER}):",
            f"    part = tl.zeros([{rows}, {columns}], {type})",
            f"    for k1 in range(k0, tl.minimum(k0 + {_IN_ORDER}, k)):",
            "        kk = k1 + tl.arange(0, 1).to(tl.int64)",
        ]
        self.walk("k", "kk", " " * 8)
        self.lines += [" " * 8 + line for line in self._read("kk")]
        if floats:
            shape = f"[{rows}, {columns}]"
            self.lines.append(
                f"        part = tl.fma(tl.broadcast_to(wide_a(a), {shape}), "
                f"tl.broadcast_to(wide_b(b), {shape}), part)"
            )
            self.lines.append("    total = tl.where(k0 == 0, part, total + part)")
        else:
            self.lines.append(f"        part += a.to({type}) * b.to({type})")
            self.lines.append("    total += part")

    def finish(self) -> None:
        """The sums times alpha, with what is added, rounded; and which of them are results."""
        lines = self.lines
        lines.append("mask = (i < m)[:, None] & (j < n)[None, :]")
        floats = self.acc == "f64"
        if self.scaled:
            lines.append("total = total * alpha" + ("" if floats else f".to({_TYPES[self.acc]})"))
        if self.c is not None:
            self.read_added("mask")
            lines += ["size = tl.abs(total) + tl.abs(more)", "total = total + more"]
        elif self.scaled:
            lines.append("size = tl.abs(total)")
        if not floats:
            lines.append(f"result = total.to(tl.int{self.out.dtype.bits})")
        else:
            lines.append("total = total + 0.0")
            if not self.certified:
                lines.append("result = stored(total)")

    def read_added(self, mask: str) -> None:
        """Lines that load what is added to the sums, as `more`."""
        floats = self.acc == "f64"
        more = "wide_c(c)" if floats else f"c.to({_TYPES[self.acc]})"
        if self.scaled:
            more += " * beta" if floats else f" * beta.to({_TYPES[self.acc]})"
        self.lines += [
            f"c = tl.load(pc + m_c[:, None] + n_c[None, :], mask={mask}, other=0)",
            f"more = {more}",
        ]

    def judge(self, by: str) -> None:
        """Lines that find out which sums are `left_open`, by the norms of their factors or by the
        sums of their terms' sizes."""
        wide = " + size * wider" if self.scaled or self.c is not None else ""
        error = "tl.sqrt(norm_a)[:, None] * tl.sqrt(norm_b)[None, :]" if by == "norms" else by
        self.lines += [
            f"error = gamma * {error}" + wide,
            "finite = (total - total) == 0",
            "error = tl.where((error == 0) | (finite == 0), 0.0, error + tl.abs(total) * loss)",
            "result = stored(total - error)",
            "left_open = (result != stored(total + error)) & mask",
        ]

    def repair(self) -> None:
        """Lines that compute the elements that are left open, one after the other."""
        lines = self.lines
        lines += [
            f"ii = tl.arange(0, {self.rows})[:, None]",
            f"jj = tl.arange(0, {self.columns})[None, :]",
            "count = tl.sum(tl.sum(left_open.to(tl.int32), 1), 0)",
            "while count > 0:",
            f"    places = tl.where(left_open, ii * {self.columns} + jj + 1, 0)",
            "    place = tl.max(tl.max(places, 1), 0) - 1",
            f"    here = (ii == place // {self.columns}) & (jj == place % {self.columns})",
            f"    row = tl.arange(0, {self.rows}) == place // {self.columns}",
            f"    column = tl.arange(0, {self.columns}) == place % {self.columns}",
            "    row_a = tl.sum(tl.where(row, m_a, 0), 0)",
            *(
                f"    column_{x} = tl.sum(tl.where(column, n_{x}, 0), 0)"
                for x in ("b", *(("h", "w") if self.right.windowed or self.quantised else ()))
            ),
        ]
        if self.c is not None:
            lines.append("    added = tl.sum(tl.sum(tl.where(here, more, 0.0), 1), 0)")
        self.in_pairs(" " * 4)
        lines += [
            f"    low, high_end = {rounded_at('here', 'below')}, {rounded_at('here', 'above')}",
            "    found = below",
            "    differs = tl.sum(tl.sum((low != high_end).to(tl.int32), 1), 0)",
            "    if differs > 0:",
        ]
        self.in_digits(" " * 8)
        lines += [
            f"    result = tl.where(here, {rounded_at('here', 'found')}, result)",
            "    left_open = left_open & (here == 0)",
            "    count -= 1",
        ]

    def in_digits(self, indent: str) -> None:
        """Lines that add one element's terms up exactly, as `found`."""
        lines = [
            "digits = tl.zeros([32], tl.int64)",
            f"for k1 in range(0, k, {_STEP}):",
        ]
        self.lines += [indent + line for line in lines]
        self._read_terms(_STEP, indent + " " * 4)
        lines = [f"    digits += digits_of({term})" for term in self._terms()]
        if self.c is not None:
            lines.append("digits += digits_of(tl.where(tl.arange(0, 32) == 0, added, 0.0))")
        self.lines += [indent + line for line in (*lines, "found = worth(digits)")]

    def _terms(self) -> list[str]:
        """The exact products of a term. Number and offset are by themselves: their sum has more
        bits; and so are the halves of a factor times alpha, which has 48 bits."""
        terms = ["y * s", *["q * s"] * self.how.shifted] if self.quantised else ["y"]
        halves = ["upper", "(x - upper)"] if self.scaled else ["x"]
        return [f"{half} * ({term})" for half in halves for term in terms]

    def _read_terms(self, count: int, indent: str, many: bool = False) -> None:
        """Lines that load so many factors of the terms of one element, or of `many`, as x and y."""
        inside, rows, columns = "(kk < k)", ("row_a", "column_b"), ("k_a", "k_b")
        if many:
            inside = "(kk < k)[None, :]"
            rows, columns = ("rows_a", "columns_b"), ("k_a[None, :]", "k_b[None, :]")
        within = inside
        if self.right.windowed:
            within += (
                " & (column_h + k_h >= 0) & (column_h + k_h < high)"
                " & (column_w + k_w >= 0) & (column_w + k_w < wide)"
            )
        self.lines.append(f"{indent}kk = k1 + tl.arange(0, {count}).to(tl.int64)")
        self.walk("k", "kk", indent)
        self.lines += [
            indent + line
            for line in (
                f"x = wide_a(tl.load(pa + {rows[0]} + {columns[0]}, mask={inside}, other=0))",
                *self._read_b(f"{rows[1]} + {columns[1]}", within),
                *self._read_quantities("column_h + k_h", "column_w + k_w", within),
                "y = wide_b(b)",
            )
        ]
        if self.scaled:
            self.lines += [
                f"{indent}x = x * alpha",
                f"{indent}upper = (x.to(tl.int64, bitcast=True) & -536870912)",
                f"{indent}upper = upper.to(tl.float64, bitcast=True)",
            ]

    def in_pairs(self, indent: str, many: int = 0) -> None:
        """Lines that add up the terms of one element, or of so `many`, as pairs of float64. What
        additions lose is added up itself: each of n of them loses 2^-53 of the sum of sizes at
        most, and so does adding up what they lost. Where they lost nothing, the sum is exact.
        `below` and `above` are what the sum lies between."""
        count = _TERMS // (many or 1)
        shape, axis = (f"[{many}, {count}]", 1) if many else (f"[{count}]", 0)
        names = ("high_part", "low_part", "lost_sizes", "sizes")
        lines = [f"{name} = tl.zeros({shape}, tl.float64)" for name in names]
        lines.append(f"for k1 in tl.range(0, k, {count}, num_stages={_STAGES}):")
        self.lines += [indent + line for line in lines]
        self._read_terms(count, indent + " " * 4, bool(many))
        lines = []
        for term in self._terms():
            lines += [
                f"    term = {term}",
                "    sizes += tl.abs(term)",
                "    after = high_part + term",
                "    lost = lost_by(high_part, term, after)",
                "    low_part += lost",
                "    lost_sizes += tl.abs(lost)",
                "    high_part = after",
            ]
        parts = "(high_part, low_part, lost_sizes)"
        lines += [
            f"head, tail, lost_size = tl.reduce({parts}, {axis}, pair_sum)",
            f"size_of_all = tl.sum(sizes, {axis})",
        ]
        if self.c is not None:
            added = "all_added" if many else "added"
            lines += [
                f"head, tail, lost_size = pair_sum(head, tail, lost_size, {added}, 0.0, 0.0)",
                f"size_of_all += tl.abs({added})",
            ]
        lines += [
            "near = head + tail",
            "tail = lost_by(head, tail, near)",
            f"additions = (k * {max(len(self._terms()), 2)} + {2 * _TERMS}).to(tl.float64)",
            "bound = additions * additions * size_of_all * 4.930380657631324e-32",
            "bound = tl.where(lost_size == 0, 0.0, bound + tl.abs(tail) * loss)",
            "below, above = odd_sum(near, tail - bound), odd_sum(near, tail + bound)",
        ]
        self.lines += [indent + line for line in lines]


def _held(number: str, type: str) -> str:
    text, registers = HOLD[type]
    return f"tl.inline_asm_elementwise({text!r}, {registers!r}, [{number}], {type}, False, 1)"


def rounded_at(here: str, number: str) -> str:
    """A number rounded to what is stored, at some places of a tile. Compilers would round one
    number for all elements, and assembly for two 16-bit numbers takes no one."""
    return f"stored(tl.where({here}, {number} + 0.0, 0.0))"


def _widened(dtype: DType) -> Node:
    if dtype is DOUBLE:
        return make("load", "f64", value=0)
    stored = make("load", "f32" if dtype is FLOAT else "i16", value=0)
    return make("widen", "f64", rounding.widened(stored, dtype))


def _multiple(value: int, exactly: bool) -> int:
    """What the compiler is told that a number is a multiple of: `exactly`, where reading in shorter
    vectors pays for another kernel."""
    if value % _VECTOR and exactly:
        return value & -value
    return 1 if value % _VECTOR else _VECTOR


def _word(number: float) -> int:
    (word,) = struct.unpack("q", struct.pack("d", number))
    return int(word)
