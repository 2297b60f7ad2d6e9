"""Prints a tree of basic operations as Triton source.

Triton is told not to contract multiplications and additions, so every line rounds exactly where
the tree says, and the results are the CPU engine's bit for bit. Where the hardware has a shorter
way to the same bits, it is taken; the interpreter gets the tree as it is.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from functools import lru_cache

from openaclnn.arithmetic.lower import Body
from openaclnn.arithmetic.nodes import FLOATS, Node, in_order, steps_of
from openaclnn.engines.cuda import instructions

INTERPRETER = 0  # the architecture, so to speak, of Triton's interpreter
TYPES = {
    "f32": "tl.float32", "f64": "tl.float64", "i1": "tl.int1",
    "i8": "tl.int8", "i16": "tl.int16", "i32": "tl.int32", "i64": "tl.int64",
}  # fmt: skip
_INFIX = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^", "shl": "<<"}
_CONVERSIONS = ("widen", "narrow", "zext", "sext", "trunc", "from_int", "to_int")
_TESTS = {"lt": "<", "le": "<=", "eq": "==", "ne": "!="}


@lru_cache(maxsize=1024)
def function_source(name: str, body: Body, arch: int, turned: bool = False) -> str:
    """The results as a function of the loaded elements x0, x1, … and the uniforms u0, u1, ….

    Of a tile that is `turned` on the chip Triton widens elements itself: then it turns them before,
    while they have 16 bits (26 instead of 22 instructions an element where it cannot look inside).
    Uniforms arrive as words of 64 bits: a float argument is a float32 to Triton's interpreter.
    """
    lines, results = printed(body.results, arch, turned)
    lines.append(f"return {', '.join(results)}")
    head = f"@triton.jit\ndef {name}({', '.join(arguments(body))}):\n"
    return head + "".join(f"    {line}\n" for line in lines)


def printed(
    roots: tuple[Node, ...], arch: int, turned: bool = False
) -> tuple[list[str], list[str]]:
    """Lines of Triton, and what they call the results. Numbers are looked up in `table`."""
    printer = _Printer(arch, turned)
    results = printer.print(roots)
    return printer.lines, results


def arguments(body: Body) -> list[str]:
    """What the functions of a body take."""
    loads = [f"x{number}" for number in range(len(body.loads))]
    return loads + [f"u{number}" for number in range(len(body.uniforms))]


class _Printer:
    def __init__(self, arch: int, turned: bool, prefix: str = "v") -> None:
        self.arch, self.turned, self.prefix = arch, turned, prefix
        self.lines: list[str] = []
        self.names: dict[Node, str] = {}

    def print(self, roots: tuple[Node, ...], loads: Sequence[str] = ()) -> list[str]:
        for node in in_order(*roots):
            if node.op == "load":
                number = int(node.value)
                self.names[node] = loads[number] if loads else f"x{number}"
                continue
            name = self.names[node] = f"{self.prefix}{len(self.names)}"
            if node.op == "repeat":
                self.repeat(node, name)
            else:
                self.lines.append(f"{name} = {self.shorter(node) or self.expression(node)}")
        return [self.names[root] for root in roots]

    def repeat(self, node: Node, name: str) -> None:
        """A loop around one step. What it carries has one shape throughout."""
        steps, given = steps_of(node), [self.names[arg] for arg in node.args]
        states = [f"{name}_{number}" for number in range(len(steps.results))]
        inside = _Printer(self.arch, self.turned, f"{name}_v")
        results = inside.print(steps.results, [*states, *given[len(states) :]])
        self.lines += [f"{one} = {first}" for one, first in zip(states, given, strict=False)]
        for one in (*states[1:], *states[1:-1]):  # the first has the shape of all after one round
            self.lines.append(f"{states[0]}, {one} = tl.broadcast({states[0]}, {one})")
        self.lines.append(f"for _ in range({steps.times}):")
        step = f"{', '.join(states)} = {', '.join(results)}"
        self.lines += [f"    {line}" for line in (*inside.lines, step)]
        self.lines.append(f"{name} = {states[0]}")

    def shorter(self, node: Node) -> str | None:
        """The hardware's own way to a node's bits, where it has one."""
        if self.arch == INTERPRETER:
            return None
        if node.op == "float" and not self.turned:
            half = instructions.widened_bf16(node)
            return None if half is None else instructions.widen_bf16(self.names[half])
        if node.op == "select" and self.arch >= 90:
            found = instructions.rounded_to_16_bits(node)
            return (
                None
                if found is None
                else instructions.round_to_16_bits(self.names[found.value], found.type, found.nan)
            )
        if node.op == "quotient":
            a, b = (self.names[arg] for arg in node.args)
            if instructions.is_reciprocal(node):
                lines, result = instructions.reciprocal(b)
            else:
                lines, result = instructions.quotient(a, b, node.type)
            self.lines += lines
            return result
        if node.op == "root":
            lines, result = instructions.root(self.names[node.args[0]])
            self.lines += lines
            return result
        return None

    def expression(self, node: Node) -> str:
        args = [self.names[arg] for arg in node.args]
        op, type = node.op, TYPES.get(node.type, "")
        if op == "const":
            return constant(node.type, node.value)
        if op == "uniform":
            word = f"u{int(node.value)}.to(tl.int64)"
            return f"{word}.to(tl.float64, bitcast=True)" if node.type == "f64" else word
        if op in _TESTS:
            return f"{args[0]} {_TESTS[op]} {args[1]}"
        if op in _INFIX:
            return f"{args[0]} {_INFIX[op]} {args[1]}"
        if op == "peek":
            pointer = f"{args[0]}.to(tl.pointer_type({type}))"
            return f"tl.load({pointer}, mask={args[1]}, other=0)"
        if op == "gather":
            return f"tl.load(table + {args[0]})"
        if op == "select":
            return f"tl.where({', '.join(args)})"
        if op == "fma":
            return f"tl.fma({', '.join(args)})"
        if op == "abs":
            return f"tl.abs({args[0]})"
        if op in ("sqrt", "root"):  # for float32 `tl.sqrt` is an approximation
            return f"{'tl.sqrt_rn' if node.type == 'f32' else 'tl.sqrt'}({args[0]})"
        if op == "neg":  # Triton's own minus is 0 - x, which loses the sign of a zero
            return f"{args[0]} * {constant(node.type, -1.0)}"
        if op == "div" and node.type not in FLOATS:  # towards 0, as in C
            return f"{args[0]} // {args[1]}"
        if op in ("div", "quotient"):
            # for float32 "/" is an approximation
            return f"tl.div_rn({', '.join(args)})" if node.type == "f32" else " / ".join(args)
        if op == "shr":
            unsigned = type.replace("int", "uint")
            return f"({args[0]}.to({unsigned}, bitcast=True) >> {args[1]}).to({type}, bitcast=True)"
        if op in ("bits", "float"):
            return f"{args[0]}.to({type}, bitcast=True)"
        if op == "not":
            return f"~{args[0]}"
        if op in ("zext", "from_unsigned") and node.args[0].type != "i1":
            unsigned = TYPES[node.args[0].type].replace("int", "uint")
            return f"{args[0]}.to({unsigned}, bitcast=True).to({type})"
        if op in _CONVERSIONS:
            return f"{args[0]}.to({type})"
        if op == "from_f16":
            return f"{args[0]}.to(tl.float16, bitcast=True).to({type})"
        if op == "to_f16":
            return f"{args[0]}.to(tl.float16).to({type}, bitcast=True)"
        raise NotImplementedError(f"no Triton for {op}")


def constant(type: str, value: float) -> str:
    """A typed scalar: a bare number would pass through float32 on its way to a float64. Of a zero
    `tl.full` forgets the sign."""
    if math.isfinite(value) and (value or math.copysign(1, value) > 0):
        return f"tl.full((), {value!r}, {TYPES[type]})"
    packed = struct.pack("<f" if type == "f32" else "<d", value)
    pattern = int.from_bytes(packed, "little", signed=True)
    integer = TYPES[type.replace("f", "i")]
    return f"tl.full((), {pattern}, {integer}).to({TYPES[type]}, bitcast=True)"
