"""Prints a tree of basic operations as LLVM IR on vectors of a fixed number of lanes."""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Iterable, Sequence

from openaclnn.arithmetic import integers
from openaclnn.arithmetic.lower import BYTES
from openaclnn.arithmetic.nodes import Node, in_order, steps_of
from openaclnn.engines.cpu import compile

SCALARS = {"f32": "float", "f64": "double", "i1": "i1"}
_FLOAT_OPS = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv", "quotient": "fdiv"}
_INTRINSICS = {"abs": "fabs", "sqrt": "sqrt", "root": "sqrt"}
_INT_OPS = {
    "add": "add",
    "sub": "sub",
    "mul": "mul",
    "div": "sdiv",
    "and": "and",
    "or": "or",
    "xor": "xor",
    "shl": "shl",
    "shr": "lshr",
}
TESTS = ("lt", "le", "eq", "ne")
_FLOAT_TESTS = {"lt": "olt", "le": "ole", "eq": "oeq", "ne": "une"}
_INT_TESTS = {"lt": "slt", "le": "sle", "eq": "eq", "ne": "ne"}
_CASTS = {
    "bits": "bitcast",
    "float": "bitcast",
    "widen": "fpext",
    "narrow": "fptrunc",
    "zext": "zext",
    "sext": "sext",
    "trunc": "trunc",
    "from_int": "sitofp",
    "from_unsigned": "uitofp",
    "to_int": "fptosi",
}


# the registers of what is printed already, and how an operand is fetched
Vector = tuple[dict[Node, str], Callable[[Node], str]]


def scalar(type: str) -> str:
    """LLVM's name of one of our types."""
    return SCALARS.get(type, type)


class Printer:
    """Collects lines; gives every node a name once.

    `apart`: numbers of bfloat16 stand in the order of their parity, first every second of them.
    One instruction takes either half of a register of words apart and two put them together, where
    neighbours need shuffles and their indices (`can_be_apart`).
    """

    def __init__(self, lanes: int, apart: bool = False) -> None:
        self.lanes, self.apart = lanes, apart
        self.in_rows: frozenset[Node] = frozenset()  # peeks whose addresses grow along a row
        self.rounds = compile.has("sse4.1") or compile.has("neon")
        self.lines: list[str] = []
        self.declared: dict[str, str] = {}
        self.count = 0

    def fresh(self, hint: str = "v") -> str:
        self.count += 1
        return f"%{hint}{self.count}"

    def line(self, text: str) -> None:
        self.lines.append("  " + text)

    def set(self, expression: str, hint: str = "v") -> str:
        name = self.fresh(hint)
        self.line(f"{name} = {expression}")
        return name

    def label(self, name: str) -> None:
        self.lines.append(f"{name}:")

    def vector(self, type: str) -> str:
        return f"<{self.lanes} x {scalar(type)}>"

    def splat(self, type: str, value: str) -> str:
        """A vector whose lanes all hold a scalar register."""
        vector = self.vector(type)
        first = self.set(f"insertelement {vector} poison, {scalar(type)} {value}, i64 0")
        zeros = f"<{self.lanes} x i32> zeroinitializer"
        return self.set(f"shufflevector {vector} {first}, {vector} poison, {zeros}")

    def constant(self, type: str, value: float) -> str:
        literal = f"{scalar(type)} {_literal(type, value)}"
        return "<" + ", ".join([literal] * self.lanes) + ">"

    def intrinsic(self, name: str, result: str, parameters: str) -> str:
        """Declare an LLVM intrinsic; its mangled name."""
        self.declared[name] = f"declare {result} @{name}({parameters})"
        return f"@{name}"

    def loop(
        self,
        name: str,
        start: str,
        end: str,
        body: Callable[[str, list[str]], None],
        step: int | str,
        carried: list[str] | None = None,
        advance: list[str] | None = None,
    ) -> list[str]:
        """for i = start; i < end; i += step, with pointers that advance by bytes each time.

        Returns the pointers as the loop leaves them.
        """
        number = self.fresh(name)[1:]
        carried, advance = carried or [], advance or []
        self.line(f"br label %{number}.from")
        self.label(f"{number}.from")
        self.line(f"br label %{number}.head")
        self.label(f"{number}.head")
        index, following = f"%{number}.i", f"%{number}.next"
        self.line(
            f"{index} = phi i64 [ {start}, %{number}.from ], [ {following}, %{number}.latch ]"
        )
        here = []
        for position, pointer in enumerate(carried):
            name_here = f"%{number}.p{position}"
            self.line(
                f"{name_here} = phi ptr [ {pointer}, %{number}.from ], "
                f"[ {name_here}.next, %{number}.latch ]"
            )
            here.append(name_here)
        more = self.set(f"icmp slt i64 {index}, {end}")
        self.line(f"br i1 {more}, label %{number}.body, label %{number}.done")
        self.label(f"{number}.body")
        body(index, here)
        self.line(f"br label %{number}.latch")
        self.label(f"{number}.latch")
        self.line(f"{following} = add nsw i64 {index}, {step}")
        for pointer, stride in zip(here, advance, strict=True):
            self.line(f"{pointer}.next = getelementptr i8, ptr {pointer}, i64 {stride}")
        self.line(f"br label %{number}.head")
        self.label(f"{number}.done")
        return here

    def shifted(self, pointer: str, index: str, stride: str) -> str:
        """A pointer moved by so many strides of so many bytes."""
        offset = self.set(f"mul i64 {index}, {stride}")
        return self.set(f"getelementptr i8, ptr {pointer}, i64 {offset}")

    def print(self, nodes: Iterable[Node], *vectors: Vector) -> None:
        """Print nodes in order, each for one vector after the other: what one of them has to wait
        for passes with the work on the others."""
        for node in nodes:
            for names, load in vectors:
                if node not in names:
                    names[node] = load(node) if node.op == "load" else self._operation(node, names)

    def upper_halves(self, words: str) -> str:
        """The upper 16 bits of every lane: one instruction for two registers."""
        if self.apart:
            return self._together(words)
        halves = self.set(f"bitcast {self.vector('i32')} {words} to <{2 * self.lanes} x i16>")
        order = ", ".join(f"i32 {2 * lane + 1}" for lane in range(self.lanes))
        pair = f"<{2 * self.lanes} x i16>"
        return self.set(
            f"shufflevector {pair} {halves}, {pair} poison, <{self.lanes} x i32> <{order}>"
        )

    def as_upper_halves(self, halves: str) -> str:
        """Every lane shifted up by 16 bits, zeros below."""
        if self.apart:
            return self._taken_apart(halves)
        vector = self.vector("i16")
        order = ", ".join(f"i32 {self.lanes}, i32 {lane}" for lane in range(self.lanes))
        wide = self.set(
            f"shufflevector {vector} {halves}, {vector} zeroinitializer, "
            f"<{2 * self.lanes} x i32> <{order}>"
        )
        return self.set(f"bitcast <{2 * self.lanes} x i16> {wide} to {self.vector('i32')}")

    def _taken_apart(self, halves: str) -> str:
        words = f"<{self.lanes // 2} x i32>"
        pairs = self.set(f"bitcast {self.vector('i16')} {halves} to {words}")
        lower = self.set(f"shl {words} {pairs}, {self._of_words(16)}")
        upper = self.set(f"and {words} {pairs}, {self._of_words(-1 << 16)}")
        order = ", ".join(f"i32 {lane}" for lane in range(self.lanes))
        return self.set(
            f"shufflevector {words} {lower}, {words} {upper}, <{self.lanes} x i32> <{order}>"
        )

    def _together(self, words: str) -> str:
        vector, count = self.vector("i32"), self.lanes // 2
        lower, upper = (
            self.set(
                f"shufflevector {vector} {words}, {vector} poison, <{count} x i32> "
                f"<{', '.join(f'i32 {first + lane}' for lane in range(count))}>"
            )
            for first in (0, count)
        )
        half = f"<{count} x i32>"
        lower = self.set(f"lshr {half} {lower}, {self._of_words(16)}")
        upper = self.set(f"and {half} {upper}, {self._of_words(-1 << 16)}")
        both = self.set(f"or {half} {lower}, {upper}")
        return self.set(f"bitcast {half} {both} to {self.vector('i16')}")

    def _rounded_half(self, node: Node, names: dict[Node, str]) -> str:
        """A choice between a constant and a shortened word, made before it is shortened."""
        condition, constant, shortened = node.args
        vector = self.vector("i32")
        other = self.constant("i32", int(constant.value) << 16)
        words = names[shortened.args[0].args[0]]
        test = f"{self.vector('i1')} {names[condition]}"
        return self.upper_halves(self.set(f"select {test}, {vector} {other}, {vector} {words}"))

    def _of_words(self, value: int) -> str:
        return "<" + ", ".join([f"i32 {value}"] * (self.lanes // 2)) + ">"

    def _call(self, word: str, type: str, argument: str) -> str:
        """An intrinsic of one vector that gives another one of its type."""
        vector = self.vector(type)
        name = self.intrinsic(f"llvm.{word}.v{self.lanes}{type}", vector, vector)
        return self.set(f"call {vector} {name}({vector} {argument})")

    def _peek(self, node: Node, args: list[str]) -> str:
        """Elements by their addresses where a condition holds, else 0."""
        pointers, vector, mask = f"<{self.lanes} x ptr>", self.vector(node.type), self.vector("i1")
        at = self.set(f"inttoptr {self.vector('i64')} {args[0]} to {pointers}")
        name = self.intrinsic(
            f"llvm.masked.gather.v{self.lanes}{node.type}.v{self.lanes}p0",
            vector,
            f"{pointers}, i32, {mask}, {vector}",
        )
        given = f"{pointers} {at}, i32 1, {mask} {args[1]}, {vector} zeroinitializer"
        return self.set(f"call {vector} {name}({given})")

    def _peek_in_row(self, node: Node, names: dict[Node, str]) -> str:
        """The same where addresses grow by one number: elements side by side, all of them there,
        are loaded as any others."""
        args, name = [names[arg] for arg in node.args], self.fresh("peek")[1:]
        vector, mask, last = self.vector(node.type), self.vector("i1"), self.lanes - 1
        first, final = (
            self.set(f"extractelement {self.vector('i64')} {args[0]}, i64 {lane}")
            for lane in (0, last)
        )
        span = self.set(f"sub i64 {final}, {first}")
        beside = self.set(f"icmp eq i64 {span}, {last * BYTES[node.type]}")
        reduced = self.intrinsic(f"llvm.vector.reduce.and.v{self.lanes}i1", "i1", mask)
        every = self.set(f"call i1 {reduced}({mask} {args[1]})")
        both = self.set(f"and i1 {beside}, {every}")
        self.line(f"br i1 {both}, label %{name}.row, label %{name}.each")
        self.label(f"{name}.row")
        pointer = self.set(f"inttoptr i64 {first} to ptr")
        row = self.set(f"load {vector}, ptr {pointer}, align 1")
        self.line(f"br label %{name}.done")
        self.label(f"{name}.each")
        each = self._peek(node, args)
        self.line(f"br label %{name}.done")
        self.label(f"{name}.done")
        return self.set(f"phi {vector} [ {row}, %{name}.row ], [ {each}, %{name}.each ]")

    def _repeated(self, node: Node, given: list[str]) -> str:
        """The first of what a `repeat` carries from step to step, after the last."""
        steps, name = steps_of(node), self.fresh("repeat")
        types = [self.vector(arg.type) for arg in node.args[: len(steps.results)]]
        states = [self.fresh() for _ in types]
        self.line(f"br label {name}.from")
        self.label(f"{name[1:]}.from")
        self.line(f"br label {name}.head")
        self.label(f"{name[1:]}.head")
        edges = f"[ 0, {name}.from ], [ {name}.next, {name}.head ]"
        self.line(f"{name}.i = phi i64 {edges}")
        for number, (type, state) in enumerate(zip(types, states, strict=True)):
            edges = f"[ {given[number]}, {name}.from ], [ {name}.s{number}, {name}.head ]"
            self.line(f"{state} = phi {type} {edges}")
        inside: dict[Node, str] = {}
        known = [*states, *given[len(states) :]]
        self.print(in_order(*steps.results), (inside, lambda load: known[int(load.value)]))
        for number, (type, result) in enumerate(zip(types, steps.results, strict=True)):
            # a name that is known before its register is
            self.line(f"{name}.s{number} = select i1 true, {type} {inside[result]}, {type} poison")
        self.line(f"{name}.next = add i64 {name}.i, 1")
        more = self.set(f"icmp slt i64 {name}.next, {steps.times}")
        self.line(f"br i1 {more}, label {name}.head, label {name}.done")
        self.label(f"{name[1:]}.done")
        return f"{name}.s0"

    def _operation(self, node: Node, names: dict[Node, str]) -> str:
        if node.op == "const":
            return self.constant(node.type, node.value)
        if node.op == "repeat":
            return self._repeated(node, [names[arg] for arg in node.args])
        vector = self.vector(node.type)
        rounded = integers.instruction(node) if self.rounds else None
        if rounded is not None:
            word, of = rounded
            source = names[of]
            if of.op == "from_f16" and compile.has("sse4.1"):
                # else LLVM rounds float16, which it does one by one: 40 µs for 2^16, not 6
                source = self._call("arithmetic.fence", node.type, source)
            return self._call(word, node.type, source)
        args = [names[arg] for arg in node.args]
        source = self.vector(node.args[0].type)
        floating = node.args[0].type in ("f32", "f64")
        if node.op in TESTS:
            compare, tests = ("fcmp", _FLOAT_TESTS) if floating else ("icmp", _INT_TESTS)
            return self.set(f"{compare} {tests[node.op]} {source} {args[0]}, {args[1]}")
        if node.op == "select" and node.type == "i16" and self.apart:
            return self._rounded_half(node, names)
        if node.op == "select":
            condition = self.vector("i1")
            return self.set(f"select {condition} {args[0]}, {vector} {args[1]}, {vector} {args[2]}")
        if node.op == "fma":
            suffix = f"v{self.lanes}{node.type}"
            name = self.intrinsic(f"llvm.fma.{suffix}", vector, f"{vector}, {vector}, {vector}")
            return self.set(f"call {vector} {name}({', '.join(f'{vector} {a}' for a in args)})")
        if node.op in _INTRINSICS:
            return self._call(_INTRINSICS[node.op], node.type, args[0])
        if node.op == "peek" and node in self.in_rows:
            return self._peek_in_row(node, names)
        if node.op == "peek":
            return self._peek(node, args)
        if node.op == "neg":
            return self.set(f"fneg {vector} {args[0]}")
        if node.op == "not":
            return self.set(f"xor {vector} {args[0]}, {self.constant('i1', 1)}")
        if node.op == "from_f16":
            half = self.set(f"bitcast {source} {args[0]} to <{self.lanes} x half>")
            return self.set(f"fpext <{self.lanes} x half> {half} to {vector}")
        if node.op == "to_f16":
            half = self.set(f"fptrunc {source} {args[0]} to <{self.lanes} x half>")
            return self.set(f"bitcast <{self.lanes} x half> {half} to {vector}")
        if node.op == "trunc" and node.type == "i16" and _by_half(node.args[0], "shr"):
            return self.upper_halves(names[node.args[0].args[0]])
        if _by_half(node, "shl") and _is_widened_half(node.args[0]):
            return self.as_upper_halves(names[node.args[0].args[0]])
        if node.op in _CASTS:
            return self.set(f"{_CASTS[node.op]} {source} {args[0]} to {vector}")
        operation = (_FLOAT_OPS if floating else _INT_OPS)[node.op]
        return self.set(f"{operation} {vector} {args[0]}, {args[1]}")


def _by_half(node: Node, shift: str) -> bool:
    """Whether a node shifts a 32-bit integer by 16 bits, which to a shuffle are its neighbours."""
    if node.op != shift or node.type != "i32":
        return False
    return node.args[1].value == 16 and sys.byteorder == "little"


def can_be_apart(roots: Sequence[Node]) -> bool:
    """Whether all that is loaded and stored is bfloat16, becomes words at once and is shortened
    last: then the order of lanes is nobody's business."""
    nodes = [*in_order(*roots)]
    of_halves = [node for node in nodes if any(arg.type == "i16" for arg in node.args)]
    of_widened = [node for node in nodes if any(map(_is_widened_half, node.args))]
    return (
        sys.byteorder == "little"
        and all(map(_is_rounded_bf16, roots))
        and all(node in roots or _is_widened_half(node) for node in of_halves)
        and all(_by_half(node, "shl") for node in of_widened)
        and all(node.type == "i16" for node in nodes if node.op == "load")
    )


def _is_rounded_bf16(root: Node) -> bool:
    rounded = root
    if root.op == "select" and root.args[1].op == "const":  # of a NaN
        rounded = root.args[2]
    return rounded.op == "trunc" and rounded.type == "i16" and _by_half(rounded.args[0], "shr")


def _is_widened_half(node: Node) -> bool:
    return node.op == "zext" and node.args[0].type == "i16"


def _literal(type: str, value: float) -> str:
    if type in ("f32", "f64"):  # LLVM writes both as the bits of a float64
        return f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"
    return str(int(value))
