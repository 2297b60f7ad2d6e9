"""From a formula to the tree of basic operations that an engine prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from openaclnn.arithmetic import rounding
from openaclnn.arithmetic.economise import economised
from openaclnn.arithmetic.functions.exp import exp
from openaclnn.arithmetic.nodes import (
    FLOATS,
    Node,
    const,
    fma,
    in_order,
    make,
    maximum,
    minimum,
)
from openaclnn.arithmetic.ratio import Algebra, Ratio
from openaclnn.arithmetic.widths import F32, F32_FOR_BF16, F32_FOR_FLOAT16, F64_FOR_FLOAT
from openaclnn.base.dtypes import BF16, FLOAT16, DType
from openaclnn.spec.formula import Expr, Traced

BYTES = {"i8": 1, "i16": 2, "i32": 4, "f32": 4, "i64": 8, "f64": 8}  # of one element
_COUNTED = frozenset(("add", "sub", "mul", "div", "quotient", "fma", "neg", "abs", "select"))
_COSTLY = 12  # an exponential takes 17 operations and more; clamps, choices and products up to 7


@dataclass(frozen=True)
class Body:
    """What an engine does with one element: the types it loads, and the tree of each result, whose
    type is what is stored.

    Loads are numbered as the formula's inputs, uniforms as its uniforms; those are words of 64
    bits, "f64" or "i64". `complex`: beside this result a zero of the same type is stored.

    `unguarded` has the same bits as `results` wherever `rare` does not hold, for fewer operations.
    """

    loads: tuple[str, ...]
    uniforms: tuple[str, ...]
    results: tuple[Node, ...]
    complex: tuple[bool, ...]
    unguarded: tuple[Node, ...] | None = None
    rare: Node | None = None

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """Bytes of an element of every operand: loads, then results."""
        pairs = zip(self.results, self.complex, strict=True)
        stored = [BYTES[result.type] * (2 if pair else 1) for result, pair in pairs]
        return (*(BYTES[type] for type in self.loads), *stored)

    @cached_property
    def cost(self) -> int:
        """How many operations on numbers the results take; conversions are not counted."""
        return sum(node.op in _COUNTED and node.type in FLOATS for node in in_order(*self.results))

    @property
    def costly(self) -> bool:
        """Whether instructions may tell beside loads and stores."""
        return self.cost >= _COSTLY

    @cached_property
    def wide(self) -> bool:
        """Whether something is computed in float64; uniforms arrive as such in any case."""
        nodes = in_order(*self.results)
        return any(node.type == "f64" and node.op != "uniform" for node in nodes)


@lru_cache(maxsize=1024)
def lower(
    traced: Traced,
    inputs: tuple[DType, ...],
    promoted: DType,
    outs: tuple[DType, ...],
    compute: str,
) -> Body:
    """A formula for these dtypes, computed in f32 or f64."""
    width = F64_FOR_FLOAT
    if compute == "f32":
        width = {FLOAT16: F32_FOR_FLOAT16, BF16: F32_FOR_BF16}.get(promoted, F32)
    algebra = Algebra(width)
    results = _Lowering(traced, inputs, algebra).written(promoted, outs)
    rare = None if algebra.always_guarded else algebra.rare
    unguarded = None
    if rare is not None:
        without = Algebra(width.unguarded(), algebra.decisions)
        unguarded = _Lowering(traced, inputs, without).written(promoted, outs)
    return Body(
        loads=tuple(rounding.STORED_AS[dtype] for dtype in inputs),
        uniforms=("f64",) * len(traced.uniforms),
        results=results,
        complex=tuple(rounding.part_of(out) is not out for out in outs),
        unguarded=unguarded,
        rare=rare,
    )


def copying(itemsize: int) -> Body:
    """The body that moves elements of 1 to 8 bytes as they are."""
    type = f"i{8 * itemsize}"
    return Body((type,), (), (make("load", type, value=0),), (False,))


class _Lowering:
    def __init__(self, traced: Traced, inputs: Sequence[DType], algebra: Algebra) -> None:
        self.traced, self.algebra, self.width = traced, algebra, algebra.width
        self.inputs = {
            name: rounding.read(index, dtype, self.width.type)
            for index, (name, dtype) in enumerate(zip(traced.inputs, inputs, strict=True))
        }
        self.done: dict[int, Ratio] = {}

    def written(self, promoted: DType, outs: Sequence[DType]) -> tuple[Node, ...]:
        """The bits to store of every result."""
        return tuple(
            rounding.write(self.number(result), promoted, out)
            for result, out in zip(self.traced.results, outs, strict=True)
        )

    def number(self, expr: Expr) -> Node:
        """The expression as a plain number of the compute type, or a condition."""
        return self.algebra.number(self.visit(expr))

    def visit(self, expr: Expr) -> Ratio:
        if id(expr) not in self.done:
            found = getattr(self, f"visit_{expr.op}")(expr)
            self.done[id(expr)] = Ratio(found) if isinstance(found, Node) else found
        return self.done[id(expr)]

    def operands(self, expr: Expr) -> tuple[Ratio, ...]:
        """The values of an operation's arguments; what the algebra decides next, it decides for
        this operation."""
        found = tuple(map(self.visit, expr.args))
        self.algebra.place = id(expr)
        return found

    def visit_input(self, expr: Expr) -> Node:
        return self.inputs[expr.name]

    def visit_uniform(self, expr: Expr) -> Node:
        uniform = make("uniform", "f64", value=self.traced.uniforms.index(expr.name))
        return make("narrow", "f32", uniform) if self.width.type == "f32" else uniform

    def visit_const(self, expr: Expr) -> Node:
        return const(self.width.type, expr.value)

    def visit_known_as(self, expr: Expr) -> Ratio:
        return self.visit(expr.args[0])

    def visit_add(self, expr: Expr) -> Node | Ratio:
        first, second = expr.args
        if first.op == "mul":
            a, b = map(self.visit, first.args)
            if a.plain and b.plain:  # one step, one rounding
                return fma(a.over, b.over, self.number(second))
        return self.algebra.plus(*self.operands(expr))

    def visit_sub(self, expr: Expr) -> Ratio:
        return self.algebra.minus(*self.operands(expr))

    def visit_mul(self, expr: Expr) -> Ratio:
        return self.algebra.times(*self.operands(expr))

    def visit_div(self, expr: Expr) -> Ratio:
        return self.algebra.over(*self.operands(expr))

    def visit_neg(self, expr: Expr) -> Ratio:
        return self.algebra.negative(self.visit(expr.args[0]))

    def visit_abs(self, expr: Expr) -> Ratio:
        return self.algebra.magnitude(self.visit(expr.args[0]))

    def visit_lt(self, expr: Expr) -> Node:
        return self.number(expr.args[0]) < self.number(expr.args[1])

    def visit_gt(self, expr: Expr) -> Node:
        return self.number(expr.args[0]) > self.number(expr.args[1])

    def visit_le(self, expr: Expr) -> Node:
        return self.number(expr.args[1]) >= self.number(expr.args[0])

    def visit_ge(self, expr: Expr) -> Node:
        return self.number(expr.args[0]) >= self.number(expr.args[1])

    def visit_where(self, expr: Expr) -> Ratio:
        condition, yes, no = self.operands(expr)
        return self.algebra.chosen(condition.over, yes, no)

    def visit_clamp(self, expr: Expr) -> Node:
        x, low, high = map(self.number, expr.args)
        return maximum(low, minimum(high, x))

    def visit_exp(self, expr: Expr) -> Ratio:
        return exp(self.algebra, self.number(expr.args[0]))

    def visit_near(self, expr: Expr) -> Ratio:
        value = self.visit(expr.args[1])
        taylor = expr.taylor
        assert taylor is not None
        if not self.width.root_terms:
            return value
        x, root = self.number(expr.args[0]), const(self.width.type, taylor.root)
        low = taylor.root - float(root.value) + taylor.root_low
        distance, radius = x - root, self.width.root_radius
        slopes = economised(taylor.coefficients, radius, self.width.root_terms)
        return self.algebra.near(distance, radius, (-low * slopes[0], *slopes), value)
