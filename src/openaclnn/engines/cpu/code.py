"""A structured builder of LLVM IR: values, variables, loops and branches. Routines and sums are
written in it.

>>> code = LoopCode("openaclnn_count", "ptr to, i64 count")
>>> total = code.variable(code.number(0))
>>> with code.loop(0, code.given["count"]) as k, code.when(k % 3 == 0):
...     total.set(total.get() + k)
>>> code.store(total.get(), code.given["to"])
>>> code.text().splitlines()[0]
'define void @openaclnn_count(ptr %to, i64 %count) nounwind {'
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from openaclnn.arithmetic.nodes import Node, in_order
from openaclnn.engines.cpu.vector import SCALARS, Printer

_BYTES = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "i128": 16}
_BYTES |= {"half": 2, "float": 4, "double": 8}
BYTES = {**_BYTES, "ptr": 8}
_FLOATS = ("float", "double")
_SHORT = {"float": "f32", "double": "f64"}  # in the names of intrinsics


def vector(lanes: int, type: str) -> str:
    return f"<{lanes} x {type}>"


def _split(type: str) -> tuple[int, str]:
    """Lanes (0: a scalar) and the type of each."""
    if not type.startswith("<"):
        return 0, type
    lanes, _, scalar = type[1:-1].partition(" x ")
    return int(lanes), scalar


def _literal(type: str, value: float) -> str:
    """A constant, in all lanes."""
    lanes, scalar = _split(type)
    if scalar in _FLOATS:  # LLVM writes both as the bits of a float64
        one = f"0x{struct.unpack('>Q', struct.pack('>d', value))[0]:016X}"
    else:
        one = str(int(value))
    return f"<{', '.join([f'{scalar} {one}'] * lanes)}>" if lanes else one


class Value:
    """A register or constant; operators are those of its type, of integers with a sign."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, code: LoopCode, type: str, name: str) -> None:
        self.code, self.type, self.name = code, type, name
        self.lanes, self.scalar = _split(type)

    def _name(self, other: Value | float) -> str:
        return other.name if isinstance(other, Value) else _literal(self.type, other)

    def _with(self, op: str, other: Value | float, turned: bool = False) -> Value:
        a, b = self.name, self._name(other)
        word = f"f{op}" if self.scalar in _FLOATS else op
        return self.code.set(
            self.type, f"{word} {self.type} {b if turned else a}, {a if turned else b}"
        )

    def __add__(self, other: Value | float) -> Value:
        return self._with("add", other)

    def __sub__(self, other: Value | float) -> Value:
        return self._with("sub", other)

    def __rsub__(self, other: float) -> Value:
        return self._with("sub", other, turned=True)

    def __neg__(self) -> Value:
        return self.code.set(self.type, f"fneg {self.type} {self.name}")

    def __mul__(self, other: Value | float) -> Value:
        return self._with("mul", other)

    def __floordiv__(self, other: Value | int) -> Value:
        """Rounded towards 0."""
        return self._with("sdiv", other)

    def __mod__(self, other: Value | int) -> Value:
        return self._with("srem", other)

    def __and__(self, other: Value | int) -> Value:
        return self._with("and", other)

    def __or__(self, other: Value | int) -> Value:
        return self._with("or", other)

    def __xor__(self, other: Value | int) -> Value:
        return self._with("xor", other)

    def __lshift__(self, other: Value | int) -> Value:
        return self._with("shl", other)

    def __rshift__(self, other: Value | int) -> Value:
        """Zeros come in."""
        return self._with("lshr", other)

    def down(self, places: int) -> Value:
        """Shifted to the right; copies of the sign come in."""
        return self._with("ashr", places)

    def __invert__(self) -> Value:
        return self ^ (1 if self.scalar == "i1" else -1)

    def _test(self, how: str, other: Value | float) -> Value:
        compare = "icmp"
        if self.scalar in _FLOATS:
            compare, how = "fcmp", {"eq": "oeq", "ne": "une"}.get(how, how.replace("s", "o"))
        type = vector(self.lanes, "i1") if self.lanes else "i1"
        return self.code.set(type, f"{compare} {how} {self.type} {self.name}, {self._name(other)}")

    def __lt__(self, other: Value | float) -> Value:
        return self._test("slt", other)

    def __le__(self, other: Value | float) -> Value:
        return self._test("sle", other)

    def __gt__(self, other: Value | float) -> Value:
        return self._test("sgt", other)

    def __ge__(self, other: Value | float) -> Value:
        return self._test("sge", other)

    def __eq__(self, other: Value | float) -> Value:  # type: ignore[override]
        return self._test("eq", other)

    def __ne__(self, other: Value | float) -> Value:  # type: ignore[override]
        return self._test("ne", other)

    def below(self, other: Value | int) -> Value:
        """Whether it is less, both without a sign."""
        return self._test("ult", other)

    def to(self, scalar: str) -> Value:
        """The same number in another type, lane by lane; a narrower integer wraps, a sign goes
        along."""
        if scalar == self.scalar:
            return self
        wider = _BYTES[scalar] > _BYTES[self.scalar] or self.scalar == "i1"
        word = ("zext" if self.scalar == "i1" else "sext") if wider else "trunc"
        if scalar in _FLOATS:
            word = "fpext" if wider else "fptrunc"
        return self._as(word, scalar)

    def unsigned(self, scalar: str) -> Value:
        """The same integer without a sign in a wider type."""
        return self._as("zext", scalar)

    def bits(self, scalar: str) -> Value:
        """The same bits in a type of as many."""
        return self if scalar == self.scalar else self._as("bitcast", scalar)

    def _as(self, word: str, scalar: str) -> Value:
        type = vector(self.lanes, scalar) if self.lanes else scalar
        return self.code.set(type, f"{word} {self.type} {self.name} to {type}")

    def most(self, other: Value | int) -> Value:
        return self.code.intrinsic("smax", self, other)

    def least(self, other: Value | int) -> Value:
        return self.code.intrinsic("smin", self, other)


class Variable:
    """A place on the stack that LLVM turns into registers."""

    def __init__(self, code: LoopCode, type: str, place: str) -> None:
        self.code, self.type, self.place = code, type, place

    def get(self) -> Value:
        return self.code.set(self.type, f"load {self.type}, ptr {self.place}")

    def set(self, value: Value | float) -> None:
        name = value.name if isinstance(value, Value) else _literal(self.type, value)
        self.code.line(f"store {self.type} {name}, ptr {self.place}")


class LoopCode:
    """Writes one function. Its parameters are `given` by name; it returns where `give` says, at the
    latest behind everything else."""

    def __init__(
        self,
        name: str,
        parameters: str,
        returns: str = "void",
        linkage: str = "",
        attributes: str = "",
    ) -> None:
        self.name, self.returns, self.printer = name, returns, Printer(1)
        listed = [tuple(one.split()) for one in parameters.split(",")]
        taken = ", ".join(f"{type} %{name}" for type, name in listed)
        words = "define", linkage, returns, f"@{name}({taken})", "nounwind", attributes, "{"
        self.head = " ".join(filter(None, words))
        self.given = {name: Value(self, type, f"%{name}") for type, name in listed}
        self.variables: list[str] = []

    def text(self) -> str:
        self.line("ret void" if self.returns == "void" else "unreachable")
        return "\n".join([self.head, *self.variables, *self.printer.lines]) + "\n}\n"

    @property
    def declared(self) -> str:
        return "\n".join(self.printer.declared.values())

    def line(self, text: str) -> None:
        self.printer.line(text)

    def set(self, type: str, expression: str) -> Value:
        return Value(self, type, self.printer.set(expression))

    def give(self, value: Value | float | None = None) -> None:
        """Return; what is written behind it on this branch is never reached."""
        if value is None:
            self.line("ret void")
        else:
            name = value.name if isinstance(value, Value) else _literal(self.returns, value)
            self.line(f"ret {self.returns} {name}")

    def number(self, value: float, type: str = "i64") -> Value:
        return Value(self, type, _literal(type, value))

    def chosen(self, condition: Value, yes: Value, no: Value | float) -> Value:
        other = no.name if isinstance(no, Value) else _literal(yes.type, no)
        given = f"{yes.type} {yes.name}, {yes.type} {other}"
        return self.set(yes.type, f"select {condition.type} {condition.name}, {given}")

    def variable(self, value: Value) -> Variable:
        place = self.printer.fresh("var")
        self.variables.append(f"  {place} = alloca {value.type}")
        found = Variable(self, value.type, place)
        found.set(value)
        return found

    def room(self, size: int) -> Value:
        """So many bytes on the stack."""
        place = self.printer.fresh("room")
        self.variables.append(f"  {place} = alloca [{size} x i8], align 64")
        return Value(self, "ptr", place)

    def at(self, pointer: Value, offset: Value | int) -> Value:
        """A pointer so many bytes further."""
        name = offset.name if isinstance(offset, Value) else str(offset)
        return self.set("ptr", f"getelementptr i8, ptr {pointer.name}, i64 {name}")

    def load(self, pointer: Value, type: str = "i64", index: Value | int | None = None) -> Value:
        """An element of a type, the one of a number where it is given."""
        if index is not None:
            pointer = self.at(pointer, index * BYTES[type])
        return self.set(type, f"load {type}, ptr {pointer.name}, align 1")

    def first(self, count: Value, lanes: int) -> Value:
        """A mask of the first lanes, so many."""
        numbers = ", ".join(f"{count.type} {lane}" for lane in range(lanes))
        return Value(self, vector(lanes, count.type), f"<{numbers}>") < self.spread(count, lanes)

    def load_masked(self, pointer: Value, scalar: str, mask: Value) -> Value:
        """The lanes that a mask has, and zeros."""
        type, short = vector(mask.lanes, scalar), _SHORT.get(scalar, scalar)
        name = self.printer.intrinsic(
            f"llvm.masked.load.v{mask.lanes}{short}.p0", type, f"ptr, i32, {mask.type}, {type}"
        )
        given = f"ptr {pointer.name}, i32 1, {mask.type} {mask.name}, {type} zeroinitializer"
        return self.set(type, f"call {type} {name}({given})")

    def shuffled(self, a: Value, b: Value | None, lanes: Sequence[int]) -> Value:
        """Lanes of one vector or two."""
        numbers, other = (
            ", ".join(f"i32 {lane}" for lane in lanes),
            "poison" if b is None else b.name,
        )
        given = f"{a.type} {a.name}, {a.type} {other}, <{len(lanes)} x i32> <{numbers}>"
        return self.set(vector(len(lanes), a.scalar), f"shufflevector {given}")

    def store(self, value: Value, pointer: Value, index: Value | int | None = None) -> None:
        if index is not None:
            pointer = self.at(pointer, index * BYTES[value.type])
        self.line(f"store {value.type} {value.name}, ptr {pointer.name}, align 1")

    def call(self, name: str, *given: Value, returns: str = "void") -> Value:
        listed = ", ".join(f"{value.type} {value.name}" for value in given)
        if returns == "void":
            self.line(f"call void @{name}({listed})")
            return Value(self, returns, "")
        return self.set(returns, f"call {returns} @{name}({listed})")

    def intrinsic(self, word: str, *given: Value | float, returns: str = "") -> Value:
        """One of LLVM's functions of values of one type."""
        first = given[0]
        assert isinstance(first, Value)
        type = f"{f'v{first.lanes}' if first.lanes else ''}{_SHORT.get(first.scalar, first.scalar)}"
        found = [one if isinstance(one, Value) else self.number(one, first.type) for one in given]
        result = returns or first.type
        name = self.printer.intrinsic(
            f"llvm.{word}.{type}", result, ", ".join(one.type for one in found)
        )
        return self.call(name[1:], *found, returns=result)

    def reduced(self, word: str, given: Value) -> Value:
        """All lanes of a vector as one."""
        return self.intrinsic(f"vector.reduce.{word}", given, returns=given.scalar)

    def sum_of_lanes(self, given: Value) -> Value:
        """Of floats, in any order."""
        word = f"llvm.vector.reduce.fadd.v{given.lanes}{_SHORT[given.scalar]}"
        name = self.printer.intrinsic(word, given.scalar, f"{given.scalar}, {given.type}")
        parts = f"{given.scalar} -0.0, {given.type} {given.name}"
        return self.set(given.scalar, f"call reassoc {given.scalar} {name}({parts})")

    def leading_zeros(self, given: Value) -> Value:
        """How many there are; of 0 any number."""
        type = given.type
        name = self.printer.intrinsic(f"llvm.ctlz.{type}", type, f"{type}, i1 immarg")
        return self.set(type, f"call {type} {name}({type} {given.name}, i1 true)")

    def spread(self, value: Value, lanes: int) -> Value:
        """A vector whose lanes all hold a value."""
        type = vector(lanes, value.type)
        first = self.set(type, f"insertelement {type} poison, {value.type} {value.name}, i64 0")
        zeros = f"<{lanes} x i32> zeroinitializer"
        return self.set(type, f"shufflevector {type} {first.name}, {type} poison, {zeros}")

    @contextmanager
    def loop(self, start: Value | int, end: Value | int, step: Value | int = 1) -> Iterator[Value]:
        """Numbers from a start on that are less than an end."""
        index = self.variable(start if isinstance(start, Value) else self.number(start))
        with self.repeat(lambda: index.get() < end):
            yield (now := index.get())
            index.set(now + step)

    @contextmanager
    def repeat(self, condition: Callable[[], Value]) -> Iterator[None]:
        """As long as a condition holds, which is asked before each round."""
        name = self.printer.fresh("loop")[1:]
        self.line(f"br label %{name}.head")
        self.printer.label(f"{name}.head")
        self.line(f"br i1 {condition().name}, label %{name}.body, label %{name}.done")
        self.printer.label(f"{name}.body")
        yield
        self.line(f"br label %{name}.head{self.latch()}")
        self.printer.label(f"{name}.done")

    def latch(self) -> str:
        """What a loop's last line says besides."""
        return ""

    @contextmanager
    def when(
        self, condition: Value, otherwise: Callable[[], object] | None = None
    ) -> Iterator[None]:
        name = self.printer.fresh("when")[1:]
        no = "no" if otherwise else "done"
        self.line(f"br i1 {condition.name}, label %{name}.yes, label %{name}.{no}")
        self.printer.label(f"{name}.yes")
        yield
        self.line(f"br label %{name}.done")
        if otherwise:
            self.printer.label(f"{name}.no")
            otherwise()
            self.line(f"br label %{name}.done")
        self.printer.label(f"{name}.done")

    def computed(self, roots: Sequence[Node], loads: Sequence[Value]) -> list[Value]:
        """What trees of basic operations give for these loads, which are vectors or no vectors."""
        lanes = loads[0].lanes if loads else 0
        self.printer.lanes = lanes or 1

        def load(node: Node) -> str:
            value = loads[int(node.value)]
            return value.name if lanes else self.spread(value, 1).name

        names: dict[Node, str] = {}
        self.printer.print(in_order(*roots), (names, load))
        found = []
        for root in roots:
            type = SCALARS.get(root.type, root.type)
            whole = Value(self, vector(lanes or 1, type), names[root])
            found.append(whole if lanes else self._only(whole))
        return found

    def _only(self, value: Value) -> Value:
        """The one lane of a vector."""
        one = f"extractelement {value.type} {value.name}, i64 0"
        return self.set(value.scalar, one)
