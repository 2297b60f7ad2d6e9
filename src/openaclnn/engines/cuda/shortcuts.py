"""Instructions of the hardware that give the bits of several operations of the tree at once.

Each is recognised by what the tree says (nodes are shared: the same operations are the same node)
and printed as inline assembly.
"""

from __future__ import annotations

from dataclasses import dataclass

from openaclnn.arithmetic import rounding
from openaclnn.arithmetic.nodes import Node, is_nan, make


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


def quotient(a: str, b: str, type: str) -> tuple[list[str], str]:
    """a/b where nothing is extreme, from the hardware's estimate of 1/b: lines, and the result.

    In float32 one step of Newton gives the number nearest to 1/b. In float64 a cubic step and one
    of Newton do: what rcp.rn.f64 does where b is not extreme, without its branch. The estimate has
    an upper half only; what fills the lower one decides the case of b just below a power of two.
    Then a·(1/b) is corrected twice by what it leaves of a: the first time the result is one of the
    two numbers next to a/b, the second time the nearest (Markstein's theorem).
    """
    if type == "f32":
        estimate = _assembly("rcp.approx.ftz.f32 $0, $1;", "=f,f", b, "tl.float32")
        lines = [f"r = {estimate}", f"n = {b} * -1.0"]
        lines += ["e = tl.fma(n, r, tl.full((), 1.0, tl.float32))"]
    else:
        text = (
            "{ .reg .b32 low, high, upper; .reg .f64 estimate; rcp.approx.ftz.f64 estimate, $1; "
            "mov.b64 {low, high}, estimate; mov.b64 {low, upper}, $1; add.s32 low, upper, "
            "0x300402; mov.b64 $0, {low, high}; }"
        )
        residual = "e = tl.fma(n, r, tl.full((), 1.0, tl.float64))"
        lines = [f"r = {_assembly(text, '=d,d', b, 'tl.float64')}", f"n = {b} * -1.0", residual]
        lines += ["r = tl.fma(r, tl.fma(e, e, e), r)", residual]
    lines += ["r = tl.fma(e, r, r)", f"q = {a} * r"]
    return [*lines, f"q = tl.fma(tl.fma(n, q, {a}), r, q)"], f"tl.fma(tl.fma(n, q, {a}), r, q)"


def _assembly(text: str, registers: str, argument: str, type: str, pack: int = 1) -> str:
    return f"tl.inline_asm_elementwise({text!r}, {registers!r}, [{argument}], {type}, True, {pack})"
