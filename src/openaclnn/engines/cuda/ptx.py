"""Prints a body with an exponential as PTX, one piece of inline assembly: for specialists in GPUs.
`openaclnn show silu_backward --kernel cuda` shows what comes of it.

- A thread takes the long way only where the few elements that it handles at once need it. Triton
  branches for a whole program, which takes a reduction and a barrier to decide.
- What changes from one layout to another (through shared memory) is what was loaded or what will be
  stored, not something wider in between: Triton cannot look inside.
"""

from __future__ import annotations

import struct

from openaclnn.arithmetic.lower import Body
from openaclnn.arithmetic.nodes import Node, before_widening, in_order
from openaclnn.engines.cuda import instructions

_INTEGER = {"add": "add.s", "sub": "sub.s", "and": "and.b", "or": "or.b", "xor": "xor.b",
            "mul": "mul.lo.s", "shl": "shl.b", "shr": "shr.u"}  # fmt: skip
_TESTS = {"lt": "lt", "le": "le", "eq": "eq", "ne": "neu"}
_CONTRARY = {"lt": "geu", "le": "gtu", "eq": "neu", "ne": "eq"}
_KNOWN = {*_INTEGER, *_TESTS} | {
    "const", "load", "float", "bits", "from_f16", "to_f16", "zext", "trunc", "select", "widen",
    "narrow", "quotient", "div", "neg", "abs", "fma", "sqrt", "root", "not", "uniform",
}  # fmt: skip


def fits(body: Body) -> bool:
    """Whether a body is one for this printer: two ways to one float of 16 or 32 bits, from such
    floats alone. float64 results, which only the proof of a bound asks of an operator with an
    exponential, are not."""
    if body.unguarded is None or any(body.complex) or len(body.results) != 1:
        return False
    roots = (*body.results, *body.unguarded)
    operations = {node.op for node in in_order(*roots)}
    return (
        operations <= _KNOWN
        and set(body.loads) <= {"f32", "i16"}
        and all(root.op == "select" and root.type in ("i16", "i32") for root in roots)
    )


def function_source(name: str, body: Body, arch: int, elements: int) -> str:
    """A Triton function of the loaded elements: assembly for so many of them at once."""
    assembly = _Assembly(body, arch, elements)
    text, registers = assembly.text()
    loads = [f"x{number}" for number in range(len(body.loads))]
    uniforms = [f"u{number}" for number in range(len(body.uniforms))]
    given = ", ".join([*loads, *(f"{uniform}.to(tl.int64)" for uniform in uniforms)])
    result = {"i16": "tl.int16", "i32": "tl.int32"}[body.results[0].type]
    return (
        f"@triton.jit\ndef {name}({', '.join([*loads, *uniforms])}):\n"
        f"    return tl.inline_asm_elementwise(\n        {text!r},\n"
        f"        {registers!r}, [{given}], {result}, True, {elements},\n    )\n"
    )


class _Assembly:
    asks_again = False  # whether on the long way

    def __init__(self, body: Body, arch: int, elements: int) -> None:
        self.body, self.arch, self.elements = body, arch, elements
        self.lines: list[str] = []
        self.counts = {"v": 0, "w": 0, "h": 0, "p": 0}
        self.registers: list[str] = []
        self.outputs = self.declare(body.results[0].type, "=r")
        self.inputs = [self.declare(t, "r" if t == "i16" else "f") for t in body.loads]
        self.uniforms = [self.declare("i64", "l")[0] for _ in body.uniforms]
        self.known: dict[Node, bool] = {}
        self.names: list[dict[Node, str]] = [{} for _ in range(self.elements)]

    def declare(self, type: str, constraint: str) -> list[str]:
        """The registers of an operand's elements; two of 16 bits share one."""
        count = self.elements // 2 if type == "i16" else self.elements
        first = len(self.registers)
        self.registers += [constraint] * count
        return [f"${first + number}" for number in range(count)]

    def text(self) -> tuple[str, str]:
        body = self.body
        assert body.unguarded is not None
        assert body.rare is not None
        self.branch(body.rare, body.unguarded[0], body.results[0])
        declared = (
            f".reg .b32 v<{self.counts['v']}>; .reg .b64 w<{self.counts['w'] + 1}>; "
            f".reg .b16 h<{self.counts['h'] + 1}>; .reg .pred p<{self.counts['p']}>;"
        )
        return "{ " + declared + " " + " ".join(self.lines) + " }", ",".join(self.registers)

    def branch(self, rare: Node, unguarded: Node, result: Node) -> None:
        anywhere, *others = (self.name(rare, element) for element in range(self.elements))
        for other in others:
            anywhere = self.set("or.pred", anywhere, other, kind="p")
        self.line(f"@{anywhere} bra LONG")
        # the long way asks again, so that no condition is kept for it
        known = [{k: v for k, v in names.items() if k.type != "i1"} for names in self.names]
        self.store(unguarded)
        self.line("bra DONE")
        self.lines.append("LONG:")
        self.names, self.asks_again = known, True
        self.store(result)
        self.lines.append("DONE:")

    def line(self, text: str) -> None:
        self.lines.append(text + ";")

    def fresh(self, kind: str) -> str:
        self.counts[kind] += 1
        return f"{kind}{self.counts[kind] - 1}"

    def set(self, operation: str, *operands: str, kind: str = "v") -> str:
        name = self.fresh(kind)
        self.line(f"{operation} {', '.join((name, *operands))}")
        return name

    def store(self, root: Node) -> None:
        """Compute the elements and move them to the output's registers."""
        if root.type == "i32":
            for element, output in enumerate(self.outputs):
                self.line(f"mov.b32 {output}, {self.name(root, element)}")
            return
        found = instructions.rounded_to_16_bits(root)
        assert found is not None, "16-bit results are rounded with one NaN"
        for pair, output in enumerate(self.outputs):
            low, high = (self.name(found.value, 2 * pair + half) for half in (0, 1))
            if self.arch >= 90:
                nan = self.set("mov.b32", f"{found.nan << 16 | found.nan:#x}")
                self.line(f"cvt.rn.{found.type}x2.f32 {output}, {high}, {low}")
                self.line(f"min.s16x2 {output}, {output}, {nan}")
            else:
                halves = ", ".join(self.rounded(value, found) for value in (low, high))
                self.line(f"mov.b32 {output}, {{{halves}}}")

    def rounded(self, value: str, found: instructions.Rounded) -> str:
        half = self.set(f"cvt.rn.{found.type}.f32", value, kind="h")
        is_nan = self.set("setp.nan.f32", value, value, kind="p")
        return self.set("selp.b16", f"{found.nan:#x}", half, is_nan, kind="h")

    def name(self, node: Node, element: int) -> str:
        """The register, or the literal, that holds a node's value for an element."""
        names = self.names[element if self.of_element(node) else 0]
        if node not in names:
            names[node] = self.special(node, element) or self.operation(
                node, [self.name(arg, element) for arg in node.args]
            )
        return names[node]

    def of_element(self, node: Node) -> bool:
        """Whether a node's value differs from element to element."""
        if node not in self.known:
            self.known[node] = node.op == "load" or any(map(self.of_element, node.args))
        return self.known[node]

    def special(self, node: Node, element: int) -> str | None:
        """What is not printed from its arguments."""
        if node.op == "const":
            return _literal(node)
        if node.op == "load":
            return self.inputs[int(node.value)][element]
        if node.op == "uniform":
            return self.set("mov.b64", self.uniforms[int(node.value)], kind="w")
        if node.op == "float":
            half = instructions.widened_bf16(node)
            return None if half is None else self.widened(int(half.value), element)
        if node.op == "from_f16":
            register = self.inputs[int(node.args[0].value)][element // 2]
            halves = [self.fresh("h"), self.fresh("h")]
            self.line(f"mov.b32 {{{halves[0]}, {halves[1]}}}, {register}")
            return self.set("cvt.f32.f16", halves[element % 2])
        if node.op in _TESTS:
            narrow = [before_widening(arg) for arg in node.args]
            if None not in narrow:
                a, b = (self.name(arg, element) for arg in narrow if arg is not None)
                return self.tested(node.op, "f32", a, b)
        return None

    def tested(self, op: str, type: str, a: str, b: str) -> str:
        """A condition; one that is asked again is the contrary of its contrary, in which ptxas does
        not find the first."""
        if not self.asks_again:
            return self.set(f"setp.{_TESTS[op]}.{type}", a, b, kind="p")
        contrary = self.set(f"setp.{_CONTRARY[op]}.{type}", a, b, kind="p")
        return self.set("not.pred", contrary, kind="p")

    def widened(self, operand: int, element: int) -> str:
        register = self.inputs[operand][element // 2]
        if element % 2:
            return self.set("and.b32", register, "0xffff0000")
        return self.set("shl.b32", register, "16")

    def operation(self, node: Node, args: list[str]) -> str:
        op, type = node.op, node.type
        if op in ("bits", "float"):
            return args[0]
        if op in _TESTS:
            source = node.args[0].type
            if source[0] == "f":
                return self.tested(op, source, *args)
            return self.set(f"setp.{op}.s{source[1:]}", *args, kind="p")
        if type == "i1":
            return self.set(f"{op}.pred", *args, kind="p")
        kind = "w" if type.endswith("64") else "v"
        if op == "select":
            return self.set(f"selp.b{type[1:]}", args[1], args[2], args[0], kind=kind)
        if op == "widen":
            return self.set("cvt.f64.f32", args[0], kind=kind)
        if op == "narrow":
            return self.set("cvt.rn.f32.f64", args[0], kind=kind)
        if op in ("zext", "trunc"):
            return self.set(f"cvt.u{type[1:]}.u{node.args[0].type[1:]}", args[0], kind=kind)
        if op == "quotient" and instructions.is_reciprocal(node):
            return self.reciprocal(args[1])
        if op == "quotient":
            return self.quotient(args[0], args[1], type, kind)
        if op == "root":
            return self.root(args[0])
        if op in ("neg", "abs"):
            return self.set(f"{op}.{type}", args[0], kind=kind)
        if type[0] == "f":
            return self.set(f"{op}.rn.{type}", *args, kind=kind)
        if op == "shl" and not args[1].isdigit():
            raise NotImplementedError("a shift by a number that is not constant")
        return self.set(f"{_INTEGER[op]}{type[1:]}", *args, kind=kind)

    def quotient(self, a: str, b: str, type: str, kind: str) -> str:
        """See `instructions.quotient`."""
        fused, one = f"fma.rn.{type}", "0f3F800000" if type == "f32" else "0d3FF0000000000000"
        r = self.set(f"rcp.approx.ftz.{type}", b, kind=kind)
        minus = self.set(f"neg.{type}", b, kind=kind)
        error = self.set(fused, minus, r, one, kind=kind)
        if type == "f64":
            error = self.set(fused, error, error, error, kind=kind)
        r = self.set(fused, r, error, r, kind=kind)
        q = self.set(f"mul.rn.{type}", a, r, kind=kind)
        less, back = (self.set(f"neg.{type}", x, kind=kind) for x in (a, r))
        for _ in range(1 if type == "f64" else 2):
            q = self.set(fused, self.set(fused, b, q, less, kind=kind), back, q, kind=kind)
        return q

    def reciprocal(self, b: str) -> str:
        """See `instructions.reciprocal`."""
        r = self.set("rcp.approx.ftz.f32", b)
        error = self.set("fma.rn.f32", self.set("neg.f32", b), r, "0f3F800000")
        return self.set("fma.rn.f32", r, error, r)

    def root(self, a: str) -> str:
        """See `instructions.root`."""
        y = self.set("rsqrt.approx.ftz.f32", a)
        half = "0f3F000000"
        g, h = self.set("mul.rn.f32", a, y), self.set("mul.rn.f32", y, half)
        error = self.set("fma.rn.f32", self.set("neg.f32", g), h, half)
        g, h = self.set("fma.rn.f32", g, error, g), self.set("fma.rn.f32", h, error, h)
        rest = self.set("fma.rn.f32", self.set("neg.f32", g), g, a)
        return self.set("fma.rn.f32", rest, h, g)


def _literal(node: Node) -> str:
    if node.type == "f32":
        return f"0f{struct.unpack('>I', struct.pack('>f', node.value))[0]:08X}"
    if node.type == "f64":
        return f"0d{struct.unpack('>Q', struct.pack('>d', node.value))[0]:016X}"
    return str(int(node.value))


_TRITON = {"f64": "tl.float64", "i32": "tl.int32"}


def straight_source(name: str, loads: tuple[str, ...], roots: tuple[Node, ...]) -> str:
    """A Triton function of loads x0, x1, … and of a `table`: one long piece of assembly for what
    Triton would take minutes to compile. Conditions are returned as integers, 0 or 1."""
    assembly = _Straight(loads, roots)
    text, registers = assembly.text()
    arguments = ", ".join(f"x{number}" for number in range(len(loads)))
    results = ", ".join(_TRITON[kind] for kind in assembly.kinds)
    return (
        f"@triton.jit\ndef {name}({arguments}, table):\n"
        f"    return tl.inline_asm_elementwise(\n        {text!r},\n"
        f"        {registers!r}, [{arguments}, table.to(tl.int64)], ({results},), True, 1,\n    )\n"
    )


class _Straight(_Assembly):
    """One element, several results, and integers of 64 bits among what is computed."""

    def __init__(self, loads: tuple[str, ...], roots: tuple[Node, ...]) -> None:
        self.elements, self.roots = 1, roots
        self.lines, self.registers = [], []
        self.counts = {"v": 0, "w": 0, "h": 0, "p": 0}
        self.kinds = ["i32" if root.type == "i1" else root.type for root in roots]
        self.outputs = [
            self.declare(kind, "=d" if kind == "f64" else "=r")[0] for kind in self.kinds
        ]
        kinds = {"f32": "f", "f64": "d"}
        self.inputs = [self.declare(load, kinds.get(load, "r")) for load in loads]
        (self.table,) = self.declare("i64", "l")
        self.known, self.names = {}, [{}]

    def text(self) -> tuple[str, str]:
        for node in in_order(*self.roots):  # in this order nothing is far down
            self.name(node, 0)
        for output, root in zip(self.outputs, self.roots, strict=True):
            found = self.name(root, 0)
            if root.type == "i1":
                self.line(f"selp.b32 {output}, 1, 0, {found}")
            else:
                self.line(f"mov.{'f64' if root.type == 'f64' else 'b32'} {output}, {found}")
        declared = " ".join(
            f".reg .{type} {kind}<{self.counts[kind] + 1}>;"
            for kind, type in (("v", "b32"), ("w", "b64"), ("p", "pred"))
        )
        return "{ " + declared + " " + " ".join(self.lines) + " }", ",".join(self.registers)

    def special(self, node: Node, element: int) -> str | None:
        if node.op == "const" and node.type == "i1":
            return self.set("setp.ne.s32", str(int(node.value)), "0", kind="p")
        if node.op == "const" and node.type == "i64":
            return f"{int(node.value) % 2**64:#x}"
        return super().special(node, element)

    def operation(self, node: Node, args: list[str]) -> str:
        if node.op == "gather":
            address = self.set("mad.lo.s64", args[0], "8", self.table, kind="w")
            return self.set("ld.global.nc.f64", f"[{address}]", kind="w")
        if node.op == "zext" and node.args[0].type == "i1":
            return self.set("selp.b64", "1", "0", args[0], kind="w")
        if node.op == "from_int":
            return self.set("cvt.rn.f64.s64", args[0], kind="w")
        if node.op == "to_int":
            return self.set("cvt.rzi.s64.f64", args[0], kind="w")
        if node.op == "div" and node.type == "i64":
            return self.set("div.s64", *args, kind="w")
        if node.op in ("shl", "shr"):
            return self.set(
                f"{_INTEGER[node.op]}64", args[0], str(int(node.args[1].value)), kind="w"
            )
        return super().operation(node, args)
