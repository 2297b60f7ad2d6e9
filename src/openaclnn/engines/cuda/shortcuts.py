"""Instructions of the hardware that give the bits of several operations of the tree at once.

Each is recognised by what the tree says (nodes are shared: the same operations are the same node)
and printed as inline assembly.
"""

from __future__ import annotations

from dataclasses import dataclass

from openaclnn.arithmetic import rounding
from openaclnn.arithmetic.nodes import Node, const, is_nan, make


@dataclass(frozen=True)
class Rounded:
    """A float32 that is rounded to 16 bits with one NaN."""

    value: Node
    type: str  # as PTX calls it
    nan: int


def widened_bf16(node: Node) -> Node | None:
    """The bits of the bfloat16 that a node makes a float32 of, if that is what it does."""
    shifted = node.args[0]
    if shifted.op == "shl" and shifted.args[0].op == "zext" and shifted.args[1].value == 16:
        return shifted.args[0].args[0]
    return None


def widen_bf16(half: str) -> str:
    """Two bfloat16 in a register: one is shifted up, the other has its neighbour removed."""
    text = "shl.b32 $0, $2, 16; and.b32 $1, $2, 0xffff0000;"
    wide = _assembly(text, "=r,=r,r", half, "tl.int32", pack=2)
    return f"{wide}.to(tl.float32, bitcast=True)"


def before_widening(node: Node) -> Node | None:
    """A float64 as the float32 that it was widened from: comparing those is the same, cheaper."""
    if node.op == "widen":
        return node.args[0]
    if node.op == "abs":
        inner = before_widening(node.args[0])
        return None if inner is None else make("abs", "f32", inner)
    if node.op == "const" and node.type == "f64":
        narrow = const("f32", node.value)
        return narrow if narrow.value == node.value else None
    return None


def wider(rare: Node) -> Node:
    """A test in float32 that holds wherever `rare` does, and hardly more often."""
    if rare.op == "or":
        return make("or", "i1", *map(wider, rare.args))
    number, limit = rare.args
    if number.op != "abs" or limit.op != "const" or limit.type != "f64":
        return rare
    distance, shift = number.args[0], 0.0  # |x - a - b| < limit
    while distance.op == "sub" and distance.args[1].op == "const":
        distance, shift = distance.args[0], shift + distance.args[1].value
    narrow = before_widening(distance)
    if narrow is None or limit.value < 2**-16:  # far above the rounding of x - shift
        return rare
    return abs(narrow - shift) < limit.value * 1.01


def rounded_to_16_bits(node: Node) -> Rounded | None:
    """What a node rounds to 16 bits, if that is what it does."""
    condition, nan, rounded = node.args
    if node.type != "i16" or condition.op != "ne" or nan.op != "const":
        return None
    value = condition.args[0]
    if value.type != "f32" or condition is not is_nan(value):
        return None
    if rounded is make("to_f16", "i16", value):
        return Rounded(value, "f16", int(nan.value))
    if rounded is rounding.to_bf16(value):
        return Rounded(value, "bf16", int(nan.value))
    return None


def round_to_16_bits(value: str, type: str, nan: int) -> str:
    """Two at once. The conversion makes every NaN 0x7fff, which as a signed integer is the only one
    above the NaN that is wanted: the smaller of both is right for all."""
    text = (
        f"{{ .reg .b32 nan; mov.b32 nan, {nan << 16 | nan:#x}; "
        f"cvt.rn.{type}x2.f32 $0, $2, $1; min.s16x2 $0, $0, nan; }}"
    )
    return _assembly(text, "=r,f,f", value, "tl.int16", pack=2)


def reciprocal(d: str, type: str) -> tuple[list[str], str]:
    """1/d for 1 <= d <= 2, from the hardware's estimate: lines, and the result.

    In float32 one step of Newton gives the nearest number for every such d. In float64 a cubic step
    and one of Newton do: what rcp.rn.f64 does where d is not extreme, without its branch. The
    estimate has an upper half only; what fills the lower one decides the case of d just below 2.
    """
    if type == "f32":
        estimate = _assembly("rcp.approx.ftz.f32 $0, $1;", "=f,f", d, "tl.float32")
        lines = [f"q = {estimate}", f"n = {d} * -1.0"]
        return [*lines, "e = tl.fma(n, q, tl.full((), 1.0, tl.float32))"], "tl.fma(e, q, q)"
    text = (
        "{ .reg .b32 low, high, upper; .reg .f64 estimate; rcp.approx.ftz.f64 estimate, $1; "
        "mov.b64 {low, high}, estimate; mov.b64 {low, upper}, $1; add.s32 low, upper, 0x300402; "
        "mov.b64 $0, {low, high}; }"
    )
    residual = "e = tl.fma(n, q, tl.full((), 1.0, tl.float64))"
    lines = [f"q = {_assembly(text, '=d,d', d, 'tl.float64')}", f"n = {d} * -1.0", residual]
    return [*lines, "q = tl.fma(q, tl.fma(e, e, e), q)", residual], "tl.fma(e, q, q)"


def _assembly(text: str, registers: str, argument: str, type: str, pack: int = 1) -> str:
    return f"tl.inline_asm_elementwise({text!r}, {registers!r}, [{argument}], {type}, True, {pack})"
