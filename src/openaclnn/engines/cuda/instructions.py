"""Instructions of the hardware that give the bits of several operations of the tree at once.

Each is recognised by what the tree says (nodes are shared: the same operations are the same node)
and printed as inline assembly.
"""

from __future__ import annotations

from openaclnn.arithmetic import rounding
from openaclnn.arithmetic.nodes import Node, is_nan, make
from openaclnn.base.records import dataclass


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
    """a/b where nothing is extreme, from the hardware's estimate r of 1/b: lines, and the result.

    In float32 a step of Newton makes r the number nearest to 1/b, and a·r is corrected twice by
    what it leaves of a: first it becomes one of the two numbers next to a/b, then the nearest
    (Markstein's theorem). In float64 a cubic step and one correction do, unless a/b lies within
    2⁻⁵⁰ of a spacing beside the middle between two numbers; the slopes of all float32 were compared
    with the IEEE quotient's (tests/long/cuda_sweep.py), so none of those does.
    """
    wide = type == "f64"
    name, registers = ("tl.float64", "=d,d") if wide else ("tl.float32", "=f,f")
    estimate = _assembly(f"rcp.approx.ftz.{type} $0, $1;", registers, b, name)
    # this way round a quotient of -0 stays -0
    correction = f"tl.fma(tl.fma({b}, q, l), k, q)"
    lines = [
        f"r = {estimate}",
        f"n = {_negative(b, type)}",
        f"e = tl.fma(n, r, tl.full((), 1.0, {name}))",
        f"r = tl.fma(r, {'tl.fma(e, e, e)' if wide else 'e'}, r)",
        f"q = {a} * r",
        f"l = {_negative(a, type)}",
        f"k = {_negative('r', type)}",
    ]
    return (lines if wide else [*lines, f"q = {correction}"]), correction


def reciprocal(b: str) -> tuple[list[str], str]:
    """1/b of a float32 where nothing is extreme: the estimate after its step of Newton, the nearest
    for every significand (tests/arithmetic/test_arithmetic.py)."""
    estimate = _assembly("rcp.approx.ftz.f32 $0, $1;", "=f,f", b, "tl.float32")
    lines = [
        f"r = {estimate}",
        f"e = tl.fma({_negative(b, 'f32')}, r, tl.full((), 1.0, tl.float32))",
    ]
    return lines, "tl.fma(r, e, r)"


def is_reciprocal(node: Node) -> bool:
    """Whether a quotient is the reciprocal of a float32."""
    return node.type == "f32" and node.args[0].op == "const" and node.args[0].value == 1


def root(a: str) -> tuple[list[str], str]:
    """√a of a float32 where nothing is extreme, from the hardware's estimate of 1/√a: lines, and
    the result. A step makes both √a and half of 1/√a as exact as float32 can be, and the first is
    corrected by what its square leaves of a: the nearest, whatever the estimate's last three bits
    (tests/arithmetic/test_arithmetic.py)."""
    estimate = _assembly("rsqrt.approx.ftz.f32 $0, $1;", "=f,f", a, "tl.float32")
    lines = [
        f"y = {estimate}",
        f"g = {a} * y",
        "h = y * 0.5",
        f"e = tl.fma({_negative('g', 'f32')}, h, tl.full((), 0.5, tl.float32))",
        "g = tl.fma(g, e, g)",
        "h = tl.fma(h, e, h)",
    ]
    return lines, f"tl.fma(tl.fma({_negative('g', 'f32')}, g, {a}), h, g)"


def _negative(x: str, type: str) -> str:
    """A sign that the instruction after it takes along."""
    name, registers = ("tl.float64", "=d,d") if type == "f64" else ("tl.float32", "=f,f")
    return _assembly(f"neg.{type} $0, $1;", registers, x, name)


def _assembly(text: str, registers: str, argument: str, type: str, pack: int = 1) -> str:
    return f"tl.inline_asm_elementwise({text!r}, {registers!r}, [{argument}], {type}, True, {pack})"
