"""From a formula to the tree of basic operations that an engine prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from openaclnn.arithmetic import rounding
from openaclnn.arithmetic.economise import economised
from openaclnn.arithmetic.functions import (
    F32,
    F32_FOR_BF16,
    F32_FOR_FLOAT16,
    F64,
    Exponential,
    Width,
    exp_either,
    exp_negative,
    scale,
    times_power,
)
from openaclnn.arithmetic.nodes import (
    FLOATS,
    Node,
    before_widening,
    const,
    equal,
    fma,
    in_order,
    make,
    maximum,
    minimum,
    polynomial,
    quotient,
    select,
)
from openaclnn.base.dtypes import BF16, FLOAT16, DType
from openaclnn.spec.formula import Expr, Traced

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
    width = F64
    if compute == "f32":
        width = {FLOAT16: F32_FOR_FLOAT16, BF16: F32_FOR_BF16}.get(promoted, F32)
    guarded = _Lowering(traced, inputs, width)
    results = guarded.written(promoted, outs)
    unguarded = None
    if guarded.rare is not None:
        unguarded = _Lowering(traced, inputs, width.unguarded()).written(promoted, outs)
    return Body(
        loads=tuple(rounding.STORED_AS[dtype] for dtype in inputs),
        uniforms=("f64",) * len(traced.uniforms),
        results=results,
        complex=tuple(rounding.part_of(out) is not out for out in outs),
        unguarded=unguarded,
        rare=guarded.rare,
    )


def copying(itemsize: int) -> Body:
    """The body that moves elements of 1 to 8 bytes as they are."""
    type = f"i{8 * itemsize}"
    return Body((type,), (), (make("load", type, value=0),), (False,))


@dataclass(frozen=True)
class _Ratio:
    """factor · over / (the product of under), times 2^exponent where that may be no number.

    Until `number` divides, divisors may cancel; until it multiplies out, nothing underflows.
    """

    over: Node
    under: tuple[Node, ...] = ()
    exp: Exponential | None = None  # whose power of two is meant
    factor: Node | None = None


class _Lowering:
    def __init__(self, traced: Traced, inputs: Sequence[DType], width: Width) -> None:
        self.traced, self.width = traced, width
        self.inputs = {
            name: rounding.read(index, dtype, width.type)
            for index, (name, dtype) in enumerate(zip(traced.inputs, inputs, strict=True))
        }
        self.done: dict[int, Node | _Ratio] = {}
        self.rare: Node | None = None  # where an unguarded width is not enough

    def written(self, promoted: DType, outs: Sequence[DType]) -> tuple[Node, ...]:
        """The bits to store of every result."""
        return tuple(
            rounding.write(self.number(result), promoted, out)
            for result, out in zip(self.traced.results, outs, strict=True)
        )

    def number(self, expr: Expr) -> Node:
        """The expression as a plain number of the compute type."""
        value = self.visit(expr)
        if isinstance(value, Node):
            return value
        divided = self.divided(value)
        if value.exp is None:
            return divided
        if value.factor is None:
            return times_power(self.width, divided, value.exp)
        return scale(self.width, value.factor, divided, value.exp.exponent)

    def divided(self, ratio: _Ratio) -> Node:
        """over / under."""
        if not ratio.under:
            return ratio.over
        divisor = ratio.under[0]
        for factor in ratio.under[1:]:
            divisor = divisor * factor
        return quotient(ratio.over, divisor)

    def visit(self, expr: Expr) -> Node | _Ratio:
        if id(expr) not in self.done:
            self.done[id(expr)] = getattr(self, f"visit_{expr.op}")(expr)
        return self.done[id(expr)]

    def ratio(self, expr: Expr) -> _Ratio:
        value = self.visit(expr)
        return _Ratio(value) if isinstance(value, Node) else value

    def visit_input(self, expr: Expr) -> Node:
        return self.inputs[expr.name]

    def visit_uniform(self, expr: Expr) -> Node:
        uniform = make("uniform", "f64", value=self.traced.uniforms.index(expr.name))
        return make("narrow", "f32", uniform) if self.width.type == "f32" else uniform

    def visit_const(self, expr: Expr) -> Node:
        return const(self.width.type, expr.value)

    def visit_known_as(self, expr: Expr) -> Node | _Ratio:
        return self.visit(expr.args[0])

    def visit_add(self, expr: Expr) -> Node | _Ratio:
        first, second = expr.args
        if first.op == "mul":  # one step, one rounding
            a, b, c = map(self.number, (*first.args, second))
            return fma(a, b, c)
        term, ratio = self.number(first), self.ratio(second)
        if len(ratio.under) != 1:
            return term + self.number(second)
        over, (under,) = ratio.over, ratio.under
        if ratio.exp is not None:
            over = times_power(self.width, over, ratio.exp)
        if not _is_one(term):
            return _Ratio(fma(term, under, over), (under,))
        if second.op == "mul" and over.op == "mul":
            return _Ratio(fma(over.args[0], over.args[1], under), (under,))
        return _Ratio(under + over, (under,))

    def visit_sub(self, expr: Expr) -> Node:
        return self.number(expr.args[0]) - self.number(expr.args[1])

    def visit_mul(self, expr: Expr) -> Node | _Ratio:
        a, b = map(self.visit, expr.args)
        if isinstance(a, Node) and isinstance(b, Node):
            return a * b
        a, b = map(self.ratio, expr.args)
        if a.exp is not None and b.exp is not None:
            raise NotImplementedError("a product of two powers: no formula needs it yet")
        for ratio, plain, source in ((b, a, expr.args[0]), (a, b, expr.args[1])):
            if source.op == "input":  # without bounds: it comes last, see also `scale`
                if ratio.exp is not None:
                    return replace(ratio, factor=plain.over)
                return plain.over * self.divided(ratio)
        return _Ratio(a.over * b.over, a.under + b.under, a.exp or b.exp)

    def visit_div(self, expr: Expr) -> Node | _Ratio:
        dividend, divisor = map(self.ratio, expr.args)
        if divisor.under:
            over, kept = dividend.over, list(dividend.under)
            for factor in divisor.under:
                if factor in kept:
                    kept.remove(factor)
                else:
                    over = factor if _is_one(over) else over * factor
            return _Ratio(over, (*kept, divisor.over), dividend.exp)
        if expr.args[1].op == "const":
            return self.divided_by(expr.args[1].value, self.number(expr.args[0]))
        return self.number(expr.args[0]) / divisor.over

    def divided_by(self, divisor: float, x: Node) -> Node:
        """x divided by a number of few bits."""
        product = x * (1 / divisor)
        if not self.width.tight:
            return product
        # by how much the product is off is exact, subnormal or not; of an infinite x it is NaN.
        # This way round the sign of a zero stays
        excess = fma(product, divisor, -x)
        return select(equal(excess, excess), fma(excess, -1 / divisor, product), product)

    def visit_neg(self, expr: Expr) -> Node:
        return -self.number(expr.args[0])

    def visit_abs(self, expr: Expr) -> Node:
        return abs(self.number(expr.args[0]))

    def visit_lt(self, expr: Expr) -> Node:
        return self.number(expr.args[0]) < self.number(expr.args[1])

    def visit_gt(self, expr: Expr) -> Node:
        return self.number(expr.args[0]) > self.number(expr.args[1])

    def visit_le(self, expr: Expr) -> Node:
        return self.number(expr.args[1]) >= self.number(expr.args[0])

    def visit_ge(self, expr: Expr) -> Node:
        return self.number(expr.args[0]) >= self.number(expr.args[1])

    def visit_where(self, expr: Expr) -> Node | _Ratio:
        condition, yes, no = expr.args
        holds, chosen, other = self.number(condition), self.number(yes), self.visit(no)
        if isinstance(other, Node) or other.exp is None:
            return select(holds, chosen, self.number(no))
        exponent = select(holds, 0.0, other.exp.exponent)
        shifted = select(holds, self.width.magic, other.exp.shifted)
        exp = replace(other.exp, exponent=exponent, shifted=shifted)
        return _Ratio(select(holds, chosen, self.divided(other)), (), exp)

    def visit_clamp(self, expr: Expr) -> Node:
        x, low, high = map(self.number, expr.args)
        return maximum(low, minimum(high, x))

    def visit_exp(self, expr: Expr) -> _Ratio:
        y = -self.number(expr.args[0])
        self.common_up_to(abs(y))
        if self.width.type == "f64":
            over, under = exp_either(self.width, y)
            return _Ratio(over, (under,))
        if y.op != "abs":
            raise NotImplementedError("exp may overflow in float32; expected exp(-abs(x))")
        exp = exp_negative(self.width, y)
        if self.width.deep:
            return _Ratio(exp.over, (exp.under,), exp)
        return _Ratio(times_power(self.width, exp.over, exp), (exp.under,))

    def common_up_to(self, y: Node) -> None:
        """Note that a y beyond the width's common ones takes the long way."""
        rare = (before_widening(y) or y) > self.width.common
        self.rare = rare if self.rare in (None, rare) else make("or", "i1", self.rare, rare)

    def visit_near(self, expr: Expr) -> Node | _Ratio:
        value = self.ratio(expr.args[1])
        taylor = expr.taylor
        assert taylor is not None
        if not self.width.root_terms:
            return value
        x, root = self.number(expr.args[0]), const(self.width.type, taylor.root)
        low = taylor.root - float(root.value) + taylor.root_low
        distance = x - root
        slopes = economised(taylor.coefficients, self.width.root_radius, self.width.root_terms)
        series = polynomial(distance, (-low * slopes[0], *slopes))
        for factor in value.under:
            series = series * factor
        close = abs(distance) < self.width.root_radius
        return _Ratio(select(close, series, value.over), value.under, value.exp)


def _is_one(node: Node) -> bool:
    return node.op == "const" and node.value == 1
