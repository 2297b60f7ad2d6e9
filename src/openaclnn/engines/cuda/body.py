"""Prints a tree of basic operations as Triton source.

Triton is told not to contract multiplications and additions, so every line rounds exactly where
the tree says, and the results are the CPU engine's bit for bit.
"""

from __future__ import annotations

import math
import struct

from openaclnn.arithmetic import rounding
from openaclnn.arithmetic.lower import Body
from openaclnn.arithmetic.nodes import Node, in_order

TYPES = {
    "f32": "tl.float32", "f64": "tl.float64",
    "i8": "tl.int8", "i16": "tl.int16", "i32": "tl.int32", "i64": "tl.int64",
}  # fmt: skip
_INFIX = {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "shl": "<<"}
_TESTS = {"lt": "<", "le": "<=", "eq": "==", "ne": "!="}


def function_source(name: str, root: Node, body: Body, interpreted: bool) -> str:
    """A function of the loaded elements x0, x1, … and the uniforms u0, u1, … of a body.

    Uniforms arrive as the bits of a float64: a float argument is a float32 to Triton's interpreter.
    `interpreted`: for that interpreter, which knows no inline assembly.
    """
    printer = _Printer(interpreted)
    result = printer.print(root)
    lines = [*printer.lines, f"return {result}"]
    head = f"@triton.jit\ndef {name}({', '.join(arguments(body))}):\n"
    return head + "".join(f"    {line}\n" for line in lines)


def arguments(body: Body) -> list[str]:
    """What the functions of a body take."""
    loads = [f"x{number}" for number in range(len(body.loads))]
    return loads + [f"u{number}" for number in range(body.uniforms)]


class _Printer:
    def __init__(self, interpreted: bool) -> None:
        self.interpreted = interpreted
        self.lines: list[str] = []
        self.names: dict[Node, str] = {}

    def print(self, root: Node) -> str:
        for node in in_order(root):
            if node.op == "load":
                self.names[node] = f"x{int(node.value)}"
                continue
            name = self.names[node] = f"v{len(self.names)}"
            self.lines.append(f"{name} = {self.expression(node)}")
        return self.names[root]

    def expression(self, node: Node) -> str:
        args = [self.names[arg] for arg in node.args]
        op, type = node.op, TYPES.get(node.type, "")
        if op == "const":
            return constant(node)
        if op == "uniform":
            return f"u{int(node.value)}.to(tl.int64).to(tl.float64, bitcast=True)"
        if op in _TESTS:
            return f"{args[0]} {_TESTS[op]} {args[1]}"
        if op in _INFIX:
            return f"{args[0]} {_INFIX[op]} {args[1]}"
        if op == "select":
            return f"tl.where({', '.join(args)})"
        if op == "fma":
            return f"tl.fma({', '.join(args)})"
        if op == "abs":
            return f"tl.abs({args[0]})"
        if op == "neg":  # Triton's own minus is 0 - x, which loses the sign of a zero
            return f"{args[0]} * {constant(Node('const', node.type, value=-1.0))}"
        if op == "div":  # for float32 "/" is an approximation
            return f"tl.div_rn({', '.join(args)})" if node.type == "f32" else " / ".join(args)
        if op == "rcp":
            return self.reciprocal(node, args[0])
        if op == "copysign":
            magnitude, sign = (f"{arg}.to({_bits(node)}, bitcast=True)" for arg in args)
            highest = -(1 << (int(node.type[1:]) - 1))
            return f"({sign} & {highest} | {magnitude}).to({type}, bitcast=True)"
        if op == "shr":
            unsigned = type.replace("int", "uint")
            return f"({args[0]}.to({unsigned}, bitcast=True) >> {args[1]}).to({type}, bitcast=True)"
        if op in ("bits", "float"):
            return f"{args[0]}.to({type}, bitcast=True)"
        if op == "trunc" and not self.interpreted:
            value = _rounded_to_bf16(node)
            if value is not None:  # on hardware one instruction
                return f"{self.names[value]}.to(tl.bfloat16).to({type}, bitcast=True)"
        if op in ("widen", "narrow", "trunc"):
            return f"{args[0]}.to({type})"
        if op == "zext":
            unsigned = TYPES[node.args[0].type].replace("int", "uint")
            return f"{args[0]}.to({unsigned}, bitcast=True).to({type})"
        if op == "from_f16":
            return f"{args[0]}.to(tl.float16, bitcast=True).to({type})"
        if op == "to_f16":
            return f"{args[0]}.to(tl.float16).to({type}, bitcast=True)"
        raise NotImplementedError(f"no Triton for {op}")

    def reciprocal(self, node: Node, d: str) -> str:
        """1/d for 1 <= d <= 2. In float32 one step of Newton makes the hardware's estimate the
        nearest number for every such d; in float64 there is an instruction."""
        if self.interpreted:
            one = constant(Node("const", node.type, value=1.0))
            return f"tl.div_rn({one}, {d})" if node.type == "f32" else f"{one} / {d}"
        if node.type == "f64":
            return _assembly("rcp.rn.f64 $0, $1;", "=d,d", d, node.type)
        self.lines.append(f"q = {_assembly('rcp.approx.ftz.f32 $0, $1;', '=f,f', d, node.type)}")
        self.lines.append(f"e = tl.fma({d} * -1.0, q, tl.full((), 1.0, tl.float32))")
        return "tl.fma(e, q, q)"


def _rounded_to_bf16(node: Node) -> Node | None:
    """What a node rounds to bfloat16 by integer operations, if that is what it does."""
    value = node
    for _ in range(4):
        if not value.args:
            return None
        value = value.args[0]
    is_rounding = value.type == "f32" and rounding._to_bf16(value) is node
    return value if is_rounding else None


def _assembly(text: str, registers: str, argument: str, type: str) -> str:
    return (
        f"tl.inline_asm_elementwise({text!r}, {registers!r}, [{argument}], {TYPES[type]}, True, 1)"
    )


def _bits(node: Node) -> str:
    return TYPES[node.type.replace("f", "i")]


def constant(node: Node) -> str:
    """A typed scalar: a bare number would pass through float32 on its way to a float64."""
    if math.isfinite(node.value):
        return f"tl.full((), {node.value!r}, {TYPES[node.type]})"
    packed = struct.pack("<f" if node.type == "f32" else "<d", node.value)
    integer = node.type.replace("f", "i")
    pattern = int.from_bytes(packed, "little", signed=True)
    return f"tl.full((), {pattern}, {TYPES[integer]}).to({TYPES[node.type]}, bitcast=True)"
