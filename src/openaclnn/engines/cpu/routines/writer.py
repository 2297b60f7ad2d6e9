"""Writes functions in LLVM IR: loops, branches, variables and arithmetic as Python calls.

Variables are places on the stack that LLVM turns into registers. Addresses count bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from openaclnn.arithmetic.nodes import Node, in_order
from openaclnn.engines.cpu.vector import Printer

Value = str | int


class IrWriter(Printer):
    """The functions of one module, written one after the other."""

    def __init__(self, lanes: int) -> None:
        super().__init__(lanes)
        self.functions: list[str] = []
        self.variables: list[str] = []

    @contextmanager
    def function(
        self, name: str, parameters: str, result: str = "void", linkage: str = "internal"
    ) -> Iterator[None]:
        """What is written inside is the body of a function, which ends by its own `ret`."""
        self.lines, self.variables = [], []
        yield
        words = " ".join(filter(None, ["define", linkage, result]))
        head = f"{words} @{name}({parameters}) nounwind #0 {{"
        body = [*self.variables, *self.lines]
        self.functions.append("\n".join([head, "entry:", *body, "}"]))

    def text(self) -> str:
        """The module."""
        ends = ['attributes #0 = { "prefer-vector-width"="512" }', ""]
        return "\n\n".join([*self.declared.values(), *self.functions, *ends])

    def variable(self, type: str, value: Value | None = None, count: int = 1) -> str:
        """Room for some values; the first one may be set."""
        name = self.fresh("var")
        self.variables.append(f"  {name} = alloca {type}, i64 {count}, align 64")
        if value is not None:
            self.store(type, value, name, 8)
        return name

    def load(self, type: str, at: str, align: int = 1) -> str:
        return self.set(f"load {type}, ptr {at}, align {align}")

    def store(self, type: str, value: Value, at: str, align: int = 1) -> None:
        self.line(f"store {type} {value}, ptr {at}, align {align}")

    def word(self, at: str, index: Value, type: str = "i64") -> str:
        """A word of 64 bits of an array."""
        return self.load(type, self.at(at, index, 8), 8)

    def at(self, base: str, index: Value, size: Value = 1) -> str:
        """The address of an element of so many bytes."""
        if isinstance(index, int) and isinstance(size, int):
            return self.set(f"getelementptr i8, ptr {base}, i64 {index * size}")
        offset = index if size == 1 else self.mul(index, size)
        return self.set(f"getelementptr i8, ptr {base}, i64 {offset}")

    def _two(self, word: str, a: Value, b: Value, type: str = "i64") -> str:
        return self.set(f"{word} {type} {a}, {b}")

    def add(self, a: Value, b: Value) -> str:
        return self._two("add", a, b)

    def sub(self, a: Value, b: Value) -> str:
        return self._two("sub", a, b)

    def mul(self, a: Value, b: Value) -> str:
        return self._two("mul", a, b)

    def divided(self, a: Value, b: Value) -> tuple[str, str]:
        """The quotient and the remainder of numbers that are not negative."""
        quotient = self._two("udiv", a, b)
        return quotient, self.sub(a, self.mul(quotient, b))

    def rounded_up(self, a: Value, unit: int) -> str:
        """How many units have so much."""
        return self._two("udiv", self.add(a, unit - 1), unit)

    def least(self, a: Value, b: Value) -> str:
        name = self.intrinsic("llvm.smin.i64", "i64", "i64, i64")
        return self.set(f"call i64 {name}(i64 {a}, i64 {b})")

    def test(self, how: str, a: Value, b: Value, type: str = "i64") -> str:
        compare = "fcmp" if type in ("double", "float") or "double" in type else "icmp"
        return self.set(f"{compare} {how} {type} {a}, {b}")

    def call(self, result: str, name: str, *arguments: str) -> str:
        """Call a function of the module, or one by its address."""
        text = f"call {result} {name}({', '.join(arguments)})"
        if result == "void":
            self.line(text)
            return ""
        return self.set(text)

    def repeat(
        self, start: Value, end: Value, body: Callable[[str], None], step: Value = 1
    ) -> None:
        """for i in range(start, end, step): body(i)"""
        self.loop("for", str(start), str(end), lambda i, _: body(i), step)

    def when(
        self,
        condition: str,
        then: Callable[[], None],
        otherwise: Callable[[], None] | None = None,
    ) -> None:
        name = self.fresh("if")[1:]
        other = f"{name}.else" if otherwise else f"{name}.done"
        self.line(f"br i1 {condition}, label %{name}.then, label %{other}")
        self.label(f"{name}.then")
        then()
        self.line(f"br label %{name}.done")
        if otherwise:
            self.label(f"{name}.else")
            otherwise()
            self.line(f"br label %{name}.done")
        self.label(f"{name}.done")

    def call_vector(self, word: str, type: str, *arguments: str) -> str:
        """An intrinsic of vectors of a type that gives another one."""
        vector = self.vector(type)
        name = self.intrinsic(
            f"llvm.{word}.v{self.lanes}{type}", vector, ", ".join([vector] * len(arguments))
        )
        return self.set(f"call {vector} {name}({', '.join(f'{vector} {a}' for a in arguments)})")

    def nodes(self, result: Node, loaded: str) -> str:
        """Print a tree of operations of which `loaded` is the only operand; its register."""
        names: dict[Node, str] = {}
        self.print(in_order(result), (names, lambda node: loaded))
        return names[result]

    def lane(self, vector: str, type: str, number: Value = 0) -> str:
        return self.set(f"extractelement {self.vector(type)} {vector}, i64 {number}")

    def shuffled(self, vector: str, a: str, b: str, order: Iterable[int]) -> str:
        lanes = [f"i32 {lane}" for lane in order]
        mask = f"<{len(lanes)} x i32> <{', '.join(lanes)}>"
        return self.set(f"shufflevector {vector} {a}, {vector} {b}, {mask}")
