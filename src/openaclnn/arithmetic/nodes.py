"""The expanded tree: typed basic operations, each node shared by all that use it."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from operator import is_

from openaclnn.base.records import dataclass

FLOATS = {"f32": "i32", "f64": "i64"}  # and the integers of the same size
_PACKED = {"f32": "<f", "f64": "<d"}


@dataclass(frozen=True, eq=False, slots=True)
class Node:
    """One basic operation; `type` is f32, f64, i8, i16, i32, i64 or i1, `value` of a constant or an
    index.

    Operations: load and uniform (by index), const; add sub mul (integers wrap) fma sqrt (each
    rounded once) neg abs; div (of integers towards 0, and by neither 0 nor -1); quotient (what div
    is where neither operand nor result is extreme: any shorter computation of its bits will do),
    root (what sqrt is of such a number, above 0); lt le eq ne
    (integers with a sign; ne also holds for NaN); select; and or xor, not (of i1); shl shr
    (logical, by less than the width); bits and float (casts that keep the bits); widen, narrow (f32
    and f64); zext, sext, trunc (integers); from_int, from_unsigned (nearest float), to_int (towards
    zero, for what the integer has room for); from_f16, to_f16 (IEEE, as i16 bits);
    peek (the element at an address, an i64, where a condition holds, else 0);
    gather (a float64 of a table, by index: only where kernels are judged); repeat (see `Steps`).
    """

    op: str
    type: str
    args: tuple[Node, ...] = ()
    value: float | int = 0

    def __add__(self, other: Node | float) -> Node:
        return make("add", self.type, self, other)

    def __sub__(self, other: Node | float) -> Node:
        return make("sub", self.type, self, other)

    def __rsub__(self, other: float) -> Node:
        return make("sub", self.type, other, self)

    def __mul__(self, other: Node | float) -> Node:
        return make("mul", self.type, self, other)

    def __truediv__(self, other: Node | float) -> Node:
        return make("div", self.type, self, other)

    def __rtruediv__(self, other: float) -> Node:
        return make("div", self.type, other, self)

    def __neg__(self) -> Node:
        if self.type not in FLOATS:
            return make("sub", self.type, 0, self)
        return self.args[0] if self.op == "neg" else make("neg", self.type, self)

    def __abs__(self) -> Node:
        if self.type not in FLOATS:
            return select(self < 0, -self, self)
        if self.op == "abs":
            return self
        return abs(self.args[0]) if self.op == "neg" else make("abs", self.type, self)

    def __lt__(self, other: Node | float) -> Node:
        return make("lt", "i1", self, other)

    def __gt__(self, other: Node | float) -> Node:
        return make("lt", "i1", other, self)

    def __ge__(self, other: Node | float) -> Node:
        return make("le", "i1", other, self)

    def __and__(self, other: Node | int) -> Node:
        return make("and", self.type, self, other)

    def __or__(self, other: Node | int) -> Node:
        return make("or", self.type, self, other)

    def __xor__(self, other: Node | int) -> Node:
        return make("xor", self.type, self, other)

    def __invert__(self) -> Node:
        return self.args[0] if self.op == "not" else make("not", "i1", self)

    def __lshift__(self, other: int) -> Node:
        return make("shl", self.type, self, other)

    def __rshift__(self, other: int) -> Node:
        return make("shr", self.type, self, other)


_shared: dict[tuple[object, ...], Node] = {}


def make(op: str, type: str, *args: Node | float, value: float | int = 0) -> Node:
    """The node of this operation; the same operation on the same nodes is the same node."""
    nodes = [arg for arg in args if isinstance(arg, Node)]
    if len(nodes) < len(args):
        like = next((node.type for node in nodes if node.type != "i1"), type)
        nodes = [arg if isinstance(arg, Node) else const(like, arg) for arg in args]
    # a key by value alone would merge 0.0 with -0.0
    bits = struct.pack("d", value) if isinstance(value, float) else value
    key = (op, type, bits, *nodes)  # which are known by what they are, not by what they say
    found = _shared.get(key)
    # another thread may have made it meanwhile
    return found or _shared.setdefault(key, Node(op, type, tuple(nodes), value))


def const(type: str, value: float | int) -> Node:
    """A constant, rounded to its type."""
    if type == "f32":
        value = struct.unpack("f", struct.pack("f", value))[0]
    return make("const", type, value=float(value) if type in FLOATS else int(value))


@dataclass(frozen=True)
class Steps:
    """What a `repeat` does so many times: its first arguments become these results, which load the
    arguments by number. The first of them is what it gives in the end."""

    times: int
    results: tuple[Node, ...]


_steps: dict[Steps, int] = {}


def repeat(times: int, step: Callable[..., tuple[Node, ...]], *args: Node) -> Node:
    """A loop that engines print as one: `step` makes the first of its arguments anew. Together
    these depend on whatever the others do."""
    loads = (make("load", arg.type, value=number) for number, arg in enumerate(args))
    steps = Steps(times, step(*loads))
    return make("repeat", args[0].type, *args, value=_steps.setdefault(steps, len(_steps)))


def steps_of(node: Node) -> Steps:
    return list(_steps)[int(node.value)]


def fma(a: Node, b: Node | float, c: Node | float) -> Node:
    return make("fma", a.type, a, b, c)


def select(condition: Node, yes: Node | float, no: Node | float) -> Node:
    type = next(arg.type for arg in (yes, no) if isinstance(arg, Node))
    return make("select", type, condition, yes, no)


def minimum(limit: Node | float, x: Node) -> Node:
    """The smaller of both; a NaN x stays."""
    return select(x > limit, limit, x)


def maximum(limit: Node | float, x: Node) -> Node:
    """The larger of both; a NaN x stays."""
    return select(x < limit, limit, x)


def quotient(a: Node, b: Node) -> Node:
    """a/b where b lies within 2⁶⁰ (float64: 2⁹⁰⁰) either way and a and a/b well inside the type's
    range, or a is 0 or NaN, or nobody cares for the last bit."""
    return make("quotient", a.type, a, b)


def rough_quotient(a: Node, b: Node) -> Node:
    """a/b for fewer operations, to 2⁻²² of itself, in float64 to 2⁻⁴⁵; b lies within 2⁶⁰ either
    way."""
    one = const("f32", 1.0)
    if a.type == "f32":
        return a * quotient(one, b)
    seed = make("widen", "f64", quotient(one, narrowed(b)))
    return a * fma(seed, fma(-b, seed, 1.0), seed)


def square_root(x: Node) -> Node:
    """The float nearest to the root; -0 stays, below it is NaN."""
    return make("sqrt", x.type, x)


def moderate_root(x: Node) -> Node:
    """The same for an x from 2⁻⁶⁰ to 2¹²⁰, or NaN."""
    return make("root", x.type, x) if x.type == "f32" else square_root(x)


def rough_root(x: Node) -> Node:
    """The square root in fewer operations of a float64 that is 0 or lies from 2⁻⁶⁰ to 2¹²⁰, to 2⁻⁴⁵
    of itself: a step of Newton from float32's."""
    seed = moderate_root(maximum(2.0**-60, narrowed(x)))
    half = make("widen", "f64", quotient(const("f32", 1.0), seed) * 0.5)
    found = (x + x) * half
    return fma(fma(-found, found, x), half, found)


def equal(a: Node, b: Node | float) -> Node:
    return make("eq", "i1", a, b)


def unequal(a: Node, b: Node | float) -> Node:
    return make("ne", "i1", a, b)


def is_nan(x: Node) -> Node:
    return unequal(x, x)


def asked_for_nan(condition: Node) -> Node | None:
    """The number of which a condition asks whether it is NaN."""
    if condition.op != "ne" or condition.args[0] is not condition.args[1]:
        return None
    return condition.args[0]


def but_for_nans(stored: Node) -> Node | None:
    """The number whose bits are stored wherever it is no NaN."""
    if stored.op != "select" or stored.args[2].op != "bits":
        return None
    number = stored.args[2].args[0]
    return number if stored.args[0] is is_nan(number) else None


def bits(x: Node) -> Node:
    return make("bits", FLOATS[x.type], x)


def from_bits(x: Node) -> Node:
    return make("float", {integer: real for real, integer in FLOATS.items()}[x.type], x)


def times_sign(y: Node, x: Node) -> Node:
    """y, or -y where the sign bit of x is set."""
    return from_bits(bits(y) ^ (bits(x) & (-1 << (int(x.type[1:]) - 1))))


def pattern(type: str, value: float) -> int:
    """The bits of a positive float as an integer."""
    return int.from_bytes(struct.pack(_PACKED[type], value), "little")


def polynomial(x: Node, coefficients: tuple[float, ...]) -> Node:
    """c₀ + c₁x + c₂x² + … by Horner's rule in fused steps."""
    *lower, highest = coefficients
    result = const(x.type, highest)
    if highest == 1 and lower:
        result = x + lower.pop()
    for coefficient in reversed(lower):
        result = fma(result, x, coefficient)
    return result


def in_two_chains(x: Node, coefficients: tuple[float, ...]) -> Node:
    """The same as P(x²) + x·Q(x²): one product more, but hardly more than half as long to wait for,
    which a processor cannot hide where there are many terms."""
    square = x * x
    return fma(polynomial(square, coefficients[1::2]), x, polynomial(square, coefficients[::2]))


def mixed_polynomial(x: Node, single: Node, coefficients: tuple[float, ...], wide: int) -> Node:
    """The same of a float64, of which `single` is float32's: so many terms are computed in float64,
    those above in float32, which is enough where they make 2⁻⁷ of the sum or less."""
    result = widened(polynomial(single, coefficients[wide:]))
    for coefficient in reversed(coefficients[:wide]):
        result = fma(result, x, coefficient)
    return result


def widened(x: Node) -> Node:
    return make("widen", "f64", x)


def narrowed(x: Node) -> Node:
    """A float64 as the nearest float32."""
    return before_widening(x) or make("narrow", "f32", x)


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


def largest(node: Node) -> float:
    """What the magnitude of a finite node is at most."""
    while node.op in ("neg", "abs", "widen"):
        node = node.args[0]
    return 65504.0 if node.op == "from_f16" else 3.5e38 if node.type == "f32" else 1.8e308


def in_order(*roots: Node) -> Iterator[Node]:
    """Every node that the roots need, each once, after what it needs itself."""
    seen: set[int] = set()
    stack = [(root, False) for root in reversed(roots)]
    while stack:
        node, ready = stack.pop()
        if id(node) in seen:
            continue
        if ready:
            seen.add(id(node))
            yield node
        else:
            stack.append((node, True))
            stack.extend((arg, False) for arg in reversed(node.args))


def exchanged(root: Node, others: Mapping[Node, Node]) -> Node:
    """The tree with other nodes in the place of some."""
    made = dict(others)
    for node in in_order(root):
        if node not in made:
            args = tuple(made[arg] for arg in node.args)
            same = all(map(is_, args, node.args))
            made[node] = node if same else make(node.op, node.type, *args, value=node.value)
    return made[root]


def renumbered(root: Node, numbers: Mapping[int, int]) -> Node:
    """The tree with other numbers for what it loads."""
    loads = [node for node in in_order(root) if node.op == "load"]
    return exchanged(root, {n: make("load", n.type, value=numbers[int(n.value)]) for n in loads})
