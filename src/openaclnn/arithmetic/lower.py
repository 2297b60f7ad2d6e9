"""From a formula to the tree of basic operations that an engine prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openaclnn.arithmetic import rounding
from openaclnn.arithmetic.economise import economised
from openaclnn.arithmetic.functions import (
    F32,
    F32_FOR_BF16,
    F32_FOR_FLOAT16,
    F64,
    Width,
    scale,
    sigmoid,
)
from openaclnn.arithmetic.nodes import Node, const, copysign, make, polynomial, select
from openaclnn.base.dtypes import BF16, DOUBLE, FLOAT16, DType
from openaclnn.base.settings import EXACT
from openaclnn.spec.formula import Expr
from openaclnn.spec.op import Op


def compute_type(op: Op, promoted: DType, level: str) -> str:
    """What the tree is printed for: float64 where the result or the level's bound needs it."""
    wide = promoted is DOUBLE or (level == EXACT and promoted in op.wide)
    return "f64" if wide else "f32"


@dataclass(frozen=True)
class Body:
    """What an engine does with one element: the types it loads, the tree, the type it stores.

    Loads are numbered among the inputs that are read, uniforms (float64) as the operator names
    them. `complex`: a zero of the same type is stored beside the result.

    `shortcut` has the same bits as `result` wherever `rare` does not hold, for fewer operations.
    """

    loads: tuple[str, ...]
    uniforms: int
    result: Node
    complex: bool = False
    shortcut: Node | None = None
    rare: Node | None = None


def lower(op: Op, inputs: Sequence[DType], promoted: DType, out: DType, level: str) -> Body:
    """The operator's formula for these dtypes at this level."""
    if compute_type(op, promoted, level) == "f64":
        width = F64
    else:
        width = {FLOAT16: F32_FOR_FLOAT16, BF16: F32_FOR_BF16}.get(promoted, F32)
    lowering = _Lowering(op, inputs, width)
    result = rounding.write(lowering.number(op.expression), promoted, out)
    shortcut = None
    if lowering.rare is not None:
        value = _Lowering(op, inputs, width.unguarded()).number(op.expression)
        shortcut = rounding.write(value, promoted, out)
    return Body(
        loads=tuple(rounding.STORED_AS[dtype] for dtype in inputs),
        uniforms=len(op.uniform_names),
        result=result,
        complex=rounding.part_of(out) is not out,
        shortcut=shortcut,
        rare=lowering.rare,
    )


def copying(itemsize: int) -> Body:
    """The body that moves elements of 1 to 8 bytes as they are."""
    type = f"i{8 * itemsize}"
    return Body(loads=(type,), uniforms=0, result=make("load", type, value=0))


@dataclass(frozen=True)
class _Scaled:
    """factor · significand · 2^exponent, multiplied out last: until then nothing underflows."""

    significand: Node
    exponent: Node
    factor: Node | None = None
    value: Node | None = None  # the same as a plain number where one is at hand


class _Lowering:
    def __init__(self, op: Op, inputs: Sequence[DType], width: Width) -> None:
        self.op, self.width = op, width
        names = [argument.name for argument in op.read_inputs]
        self.inputs = {
            name: rounding.read(index, dtype, width.type)
            for index, (name, dtype) in enumerate(zip(names, inputs, strict=True))
        }
        self.done: dict[int, Node | _Scaled] = {}
        self.rare: Node | None = None  # where an unguarded width is not enough

    def number(self, expr: Expr) -> Node:
        """The expression as a plain number of the compute type."""
        result = self.visit(expr)
        if isinstance(result, Node):
            return result
        if result.value is not None:
            return result.value
        return scale(self.width, result.factor, result.significand, result.exponent)

    def visit(self, expr: Expr) -> Node | _Scaled:
        if id(expr) not in self.done:
            self.done[id(expr)] = getattr(self, f"visit_{expr.op}")(expr)
        return self.done[id(expr)]

    def visit_input(self, expr: Expr) -> Node:
        return self.inputs[expr.name]

    def visit_uniform(self, expr: Expr) -> Node:
        uniform = make("uniform", "f64", value=self.op.uniform_names.index(expr.name))
        return make("narrow", "f32", uniform) if self.width.type == "f32" else uniform

    def visit_const(self, expr: Expr) -> Node:
        return const(self.width.type, expr.value)

    def visit_add(self, expr: Expr) -> Node:
        # 1 + x·y is one fused step: its terms may cancel
        for term, product in (expr.args, reversed(expr.args)):
            if product.op == "mul":
                return make("fma", self.width.type, *map(self.number, (*product.args, term)))
        return self.number(expr.args[0]) + self.number(expr.args[1])

    def visit_sub(self, expr: Expr) -> Node:
        return self.number(expr.args[0]) - self.number(expr.args[1])

    def visit_mul(self, expr: Expr) -> Node | _Scaled:
        a, b = map(self.visit, expr.args)
        if isinstance(a, Node) and isinstance(b, Node):
            return a * b
        if isinstance(a, _Scaled) and isinstance(b, _Scaled):
            raise NotImplementedError("a product of two scaled numbers: no formula needs it yet")
        scaled, plain = (a, b) if isinstance(a, _Scaled) else (b, a)
        assert isinstance(scaled, _Scaled)
        assert isinstance(plain, Node)
        if "input" in (expr.args[0].op, expr.args[1].op):  # without bounds: see `scale`
            factor = plain if scaled.factor is None else plain * scaled.factor
            return _Scaled(scaled.significand, scaled.exponent, factor)
        return _Scaled(scaled.significand * plain, scaled.exponent, scaled.factor)

    def visit_div(self, expr: Expr) -> Node:
        dividend, divisor = expr.args
        if divisor.op == "const":
            return self.number(dividend) * (1 / divisor.value)
        if divisor.op == "uniform" and self.width.type == "f64":
            # one division a call; its rounding vanishes in float32. In float32 it would not,
            # and the reciprocal of an extreme number leaves the range
            return self.number(dividend) * (const("f64", 1.0) / self.number(divisor))
        return self.number(dividend) / self.number(divisor)

    def visit_neg(self, expr: Expr) -> Node:
        return -self.number(expr.args[0])

    def visit_abs(self, expr: Expr) -> Node:
        return abs(self.number(expr.args[0]))

    def visit_lt(self, expr: Expr) -> Node:
        return self.number(expr.args[0]) < self.number(expr.args[1])

    def visit_gt(self, expr: Expr) -> Node:
        return self.number(expr.args[0]) > self.number(expr.args[1])

    def visit_ge(self, expr: Expr) -> Node:
        return self.number(expr.args[0]) >= self.number(expr.args[1])

    def visit_where(self, expr: Expr) -> Node:
        condition, yes, no = expr.args
        return select(self.number(condition), self.number(yes), self.number(no))

    def visit_sign(self, expr: Expr) -> Node:
        return copysign(1.0, self.number(expr.args[0]))

    def visit_sigmoid(self, expr: Expr) -> Node | _Scaled:
        z = self.number(expr.args[0])
        result = sigmoid(self.width, z)
        self.add_rare(abs(z) > self.width.common)
        if not self.width.deep:
            return result.value
        return _Scaled(result.significand, result.exponent, value=result.value)

    def add_rare(self, condition: Node) -> None:
        if self.rare is None:
            self.rare = condition
        elif self.rare is not condition:
            self.rare = make("or", "i1", self.rare, condition)

    def visit_near(self, expr: Expr) -> Node | _Scaled:
        x, value = self.number(expr.args[0]), self.visit(expr.args[1])
        assert expr.taylor is not None
        root = const(self.width.type, expr.taylor.root)
        low = expr.taylor.root - float(root.value) + expr.taylor.root_low
        distance = x - root - low
        series = distance * polynomial(
            distance,
            economised(expr.taylor.coefficients, self.width.root_radius, self.width.root_terms),
        )
        close = abs(distance) < self.width.root_radius
        if self.width.rare_root:
            self.add_rare(close)
            if not self.width.guarded:
                return value
        if isinstance(value, Node):
            return select(close, series, value)
        return _Scaled(
            select(close, series, value.significand),
            select(close, 0.0, value.exponent),
            value.factor,
        )
