"""A builder of LLVM IR with variables, loops and branches: what routines are written in.

>>> code = LoopCode("openaclnn_count", ptr="to", i64="count")
>>> total = code.variable(code.number(0))
>>> with code.loop(code.number(0), code.given["count"]) as k:
...     with code.when(k % 3 == 0):
...         total.set(total.get() + k)
>>> code.store(total.get(), code.given["to"])
>>> code.text().splitlines()[0]
'define void @openaclnn_count(ptr %to, i64 %count) nounwind {'
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from openaclnn.arithmetic.nodes import Node, in_order
from openaclnn.engines.cpu.vector import SCALARS, Printer

_TYPES = {llvm: ours for ours, llvm in SCALARS.items()}
_TESTS = {"lt": "slt", "le": "sle", "gt": "sgt", "ge": "sge"}
BYTES = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "float": 4, "double": 8, "ptr": 8}


class Value:
    """A scalar register or constant; operators are those of integers with a sign."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, code: LoopCode, type: str, name: str) -> None:
        self.code, self.type, self.name = code, type, name

    def _with(self, op: str, other: Value | int, turned: bool = False) -> Value:
        a, b = self.name, other.name if isinstance(other, Value) else str(other)
        return self.code.set(
            self.type, f"{op} {self.type} {b if turned else a}, {a if turned else b}"
        )

    def __add__(self, other: Value | int) -> Value:
        return self._with("add", other)

    def __sub__(self, other: Value | int) -> Value:
        return self._with("sub", other)

    def __rsub__(self, other: int) -> Value:
        return self._with("sub", other, turned=True)

    def __mul__(self, other: Value | int) -> Value:
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

    def __invert__(self) -> Value:
        return self ^ (1 if self.type == "i1" else -1)

    def _test(self, how: str, other: Value | int) -> Value:
        b = other.name if isinstance(other, Value) else str(other)
        return self.code.set("i1", f"icmp {how} {self.type} {self.name}, {b}")

    def __lt__(self, other: Value | int) -> Value:
        return self._test("slt", other)

    def __le__(self, other: Value | int) -> Value:
        return self._test("sle", other)

    def __gt__(self, other: Value | int) -> Value:
        return self._test("sgt", other)

    def __ge__(self, other: Value | int) -> Value:
        return self._test("sge", other)

    def __eq__(self, other: Value | int) -> Value:  # type: ignore[override]
        return self._test("eq", other)

    def __ne__(self, other: Value | int) -> Value:  # type: ignore[override]
        return self._test("ne", other)

    def below(self, other: Value | int) -> Value:
        """Whether it is less, both without a sign."""
        return self._test("ult", other)

    def to(self, type: str) -> Value:
        """The same integer in another type; a narrower one wraps, a sign goes along."""
        if type == self.type:
            return self
        wider = BYTES[type] > BYTES[self.type] or self.type == "i1"
        word = ("zext" if self.type == "i1" else "sext") if wider else "trunc"
        return self.code.set(type, f"{word} {self.type} {self.name} to {type}")

    def unsigned(self, type: str) -> Value:
        """The same integer without a sign in a wider type."""
        return self.code.set(type, f"zext {self.type} {self.name} to {type}")


class Variable:
    def __init__(self, code: LoopCode, type: str, place: str) -> None:
        self.code, self.type, self.place = code, type, place

    def get(self) -> Value:
        return self.code.set(self.type, f"load {self.type}, ptr {self.place}")

    def set(self, value: Value | int) -> None:
        name = value.name if isinstance(value, Value) else str(value)
        self.code.line(f"store {self.type} {name}, ptr {self.place}")


class LoopCode:
    """Writes one function. Its parameters are `given` by name."""

    def __init__(self, name: str, returns: str = "void", **parameters: str) -> None:
        self.name, self.returns, self.printer = name, returns, Printer(1)
        listed = [(type, n.strip()) for type, names in parameters.items() for n in names.split(",")]
        self.head = ", ".join(f"{type} %{name}" for type, name in listed)
        self.given = {name: Value(self, type, f"%{name}") for type, name in listed}
        self.variables: list[str] = []

    def text(self) -> str:
        self.line("ret void" if self.returns == "void" else "unreachable")
        head = f"define {self.returns} @{self.name}({self.head}) nounwind {{\n"
        return head + "\n".join([*self.variables, *self.printer.lines]) + "\n}\n"

    @property
    def declared(self) -> str:
        return "\n".join(self.printer.declared.values())

    def line(self, text: str) -> None:
        self.printer.line(text)

    def set(self, type: str, expression: str) -> Value:
        return Value(self, type, self.printer.set(expression))

    def number(self, value: int, type: str = "i64") -> Value:
        return Value(self, type, str(value))

    def chosen(self, condition: Value, yes: Value, no: Value) -> Value:
        pair = f"{yes.type} {yes.name}, {no.type} {no.name}"
        return self.set(yes.type, f"select i1 {condition.name}, {pair}")

    def variable(self, value: Value) -> Variable:
        place = self.printer.fresh("var")
        self.variables.append(f"  {place} = alloca {value.type}")
        found = Variable(self, value.type, place)
        found.set(value)
        return found

    def room(self, size: int) -> Value:
        """So many bytes on the stack."""
        place = self.printer.fresh("room")
        self.variables.append(f"  {place} = alloca [{size} x i8], align 16")
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

    @contextmanager
    def loop(self, start: Value, end: Value, step: Value | int = 1) -> Iterator[Value]:
        """Numbers from a start on that are less than an end."""
        index = self.variable(start)
        with self.repeat(lambda: index.get() < end):
            yield (now := index.get())
            index.set(now + step)

    @contextmanager
    def repeat(self, condition: Any) -> Iterator[None]:
        """As long as a condition holds, which is asked before each round."""
        name = self.printer.fresh("loop")[1:]
        self.line(f"br label %{name}.head")
        self.printer.label(f"{name}.head")
        self.line(f"br i1 {condition().name}, label %{name}.body, label %{name}.done")
        self.printer.label(f"{name}.body")
        yield
        self.line(f"br label %{name}.head")
        self.printer.label(f"{name}.done")

    @contextmanager
    def when(self, condition: Value) -> Iterator[None]:
        name = self.printer.fresh("when")[1:]
        self.line(f"br i1 {condition.name}, label %{name}.yes, label %{name}.done")
        self.printer.label(f"{name}.yes")
        yield
        self.line(f"br label %{name}.done")
        self.printer.label(f"{name}.done")

    def computed(self, roots: Sequence[Node], loads: Sequence[Value]) -> list[Value]:
        """What trees of basic operations give for these loads."""

        def load(node: Node) -> str:
            value = loads[int(node.value)]
            return self.printer.set(
                f"insertelement <1 x {value.type}> poison, {value.type} {value.name}, i64 0"
            )

        names: dict[Node, str] = {}
        self.printer.print(in_order(*roots), (names, load))
        found = []
        for root in roots:
            type = SCALARS.get(root.type, root.type)
            found.append(self.set(type, f"extractelement <1 x {type}> {names[root]}, i64 0"))
        return found
