"""From a formula to the tree of basic operations that an engine prints."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache

from openaclnn.arithmetic import conversion, functions, integers, rounding
from openaclnn.arithmetic.chebyshev import economised
from openaclnn.arithmetic.compute_types import (
    F32,
    F64,
    F64_FOR_FLOAT,
    I64,
    ComputeType,
    compute_type_of,
)
from openaclnn.arithmetic.nodes import (
    FLOATS,
    Node,
    asked_for_nan,
    before_widening,
    bits,
    but_for_nans,
    const,
    equal,
    fma,
    in_order,
    is_nan,
    make,
    narrowed,
    select,
    unequal,
)
from openaclnn.arithmetic.ratio import Algebra, Ratio
from openaclnn.base.dtypes import BOOL, FLOAT, INT32, INT64, POSITION, DType
from openaclnn.base.records import dataclass
from openaclnn.base.status import AclnnError, Status
from openaclnn.base.trace import as_word, is_traced
from openaclnn.spec.formula import (
    BELOW_ZERO,
    FOR_DOUBLE,
    SELDOM,
    WRAPPED,
    Expr,
    Traced,
    is_among,
)

BYTES = {"position": 1, "i8": 1, "i16": 2, "i32": 4, "f32": 4, "i64": 8, "f64": 8}  # of one element
_COUNTED = frozenset(
    ("add", "sub", "mul", "div", "quotient", "fma", "sqrt", "root", "neg", "abs", "select")
)
_COSTLY = 12  # an exponential takes 17 operations and more; clamps, choices and products up to 7


@dataclass(frozen=True, eq=False)
class Body:
    """What an engine does with one element: the types it loads, and the tree of each result, whose
    type is what is stored. A "position" is an i64 that is its own address, so to speak: nothing is
    loaded, and its strides are how fast it grows.

    Loads are numbered as the formula's inputs, uniforms as its uniforms; those are words of 64
    bits, "f64", or "i64" where integers are computed. `complex`: beside this result a zero of the
    same type is stored.

    `unguarded` has the same bits as `results` wherever `rare` does not hold, for fewer operations.
    Bodies are kept by those who make them, and compare by identity: they key caches of kernels.
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

    def words(self, uniforms: Sequence[float]) -> list[int]:
        """The words in which uniforms of these values are handed over; integers wrap."""
        return [
            as_word(value)
            if type == "f64" or is_traced(value)
            else (int(value) + 2**63) % 2**64 - 2**63
            for type, value in zip(self.uniforms, uniforms, strict=True)
        ]

    def packed(self, uniforms: Sequence[float]) -> bytes:
        """The same as bytes."""
        words = self.words(uniforms)
        return struct.pack(f"{len(words)}q", *words)

    @cached_property
    def usual(self) -> Body:
        """What is computed where nothing is rare, as a body of its own."""
        if self.unguarded is None:
            return self
        return replace(self, results=self.unguarded, unguarded=None, rare=None)

    @cached_property
    def moves(self) -> bool:
        """Whether results are elements as they came, or chosen among such."""
        return all(map(_moved, self.results))

    @property
    def costly(self) -> bool:
        """Whether instructions may tell beside loads and stores."""
        return self.cost >= _COSTLY

    @cached_property
    def wide(self) -> bool:
        """Whether something is computed in float64; uniforms arrive as such in any case."""
        nodes = in_order(*self.results)
        return any(node.type == "f64" and node.op != "uniform" for node in nodes)


def _moved(result: Node) -> bool:
    if result.op != "select":
        moved = result.args[0] if result.op == "bits" else result
        return moved.op in ("load", "peek")
    test, *sides = result.args
    return asked_for_nan(test) is None and any(map(_moved, sides))


@lru_cache(maxsize=1024)
def lower(
    traced: Traced,
    inputs: tuple[DType, ...],
    promoted: DType,
    outs: tuple[DType, ...],
    compute: str,
    compute_type: ComputeType | None = None,
) -> Body:
    """A formula for these dtypes, computed in f32, f64, i32 or i64: in the compute type that
    these ask for, if nothing is said.

    A result is rounded to the promoted dtype, and that converted to its output's; one that is a
    condition is 0 or 1 in any dtype.
    """
    compute_type = compute_type or compute_type_of(inputs, promoted, compute)
    algebra = Algebra(compute_type)
    results = _Lowering(traced, inputs, algebra).written(promoted, outs)
    unguarded = None
    if algebra.rare is not None:
        without = Algebra(compute_type.unguarded(), algebra.decisions)
        written = _Lowering(traced, inputs, without).written(promoted, outs)
        unguarded = tuple(_as_number(result, without.numbers) for result in written)
    return Body(
        loads=tuple(map(conversion.loaded_as, inputs)),
        uniforms=(_uniforms_of(compute_type),) * len(traced.uniforms),
        results=results,
        complex=tuple(rounding.part_of(out) is not out for out in outs),
        unguarded=unguarded,
        rare=algebra.rare,
    )


def _as_number(result: Node, numbers: set[Node]) -> Node:
    """A result without the choice of the one NaN, where it is none."""
    number = but_for_nans(result)
    return bits(number) if number is not None and number in numbers else result


@cache
def copying(itemsize: int) -> Body:
    """The body that moves elements of 1 to 8 bytes as they are."""
    type = f"i{8 * itemsize}"
    return Body((type,), (), (make("load", type, value=0),), (False,))


_BITS = ("bit_and", "bit_or", "bit_xor", "shift_left")
_REMAINDERS = ("fmod", "remainder")


def _visit_of(op: str) -> str:
    """The method that lowers an operation."""
    if op in functions.NAMES:
        return "visit_function"
    return "visit_whole" if op in integers.OPERATIONS else f"visit_{op}"


def _is_limited_difference(expr: Expr) -> bool:
    """Whether an expression is a difference, but no further from 0 than 1."""
    if expr.op != "clamp" or expr.args[0].op != "sub":
        return False
    return [limit.op == "const" and limit.value for limit in expr.args[1:]] == [-1, 1]


def _uniforms_of(compute_type: ComputeType) -> str:
    return "f64" if compute_type.type in FLOATS else "i64"


class _Lowering:
    def __init__(self, traced: Traced, inputs: Sequence[DType], algebra: Algebra) -> None:
        self.traced, self.algebra, self.compute_type = traced, algebra, algebra.compute_type
        self.inputs = dict(zip(traced.inputs, enumerate(inputs), strict=True))
        self.done: dict[int, Ratio] = {}
        self.become_float32: tuple[Expr, ...] = ()  # results of which no more digits are wanted
        self.powers: dict[int, Node] = {}
        self.outside = self  # of one that computes places, that of the formula's numbers

    def written(self, promoted: DType, outs: Sequence[DType]) -> tuple[Node, ...]:
        """The bits to store of every result."""
        if self.compute_type.name == F64_FOR_FLOAT.name and promoted is FLOAT:
            self.become_float32 = tuple(self.traced.results)
        self.promoted = promoted
        return tuple(
            (self.moved(result, out) if out is promoted else None)
            or conversion.write(self.value(result), promoted, out, self.compute_type.unsigned)
            for result, out in zip(self.traced.results, outs, strict=True)
        )

    def moved(self, expr: Expr, out: DType) -> Node | None:
        """The bits of an element that only moves, or of one of several by a condition that looks at
        no float: a NaN keeps its own. None where something is computed."""
        if expr.op == "input" and self.inputs[expr.name][1] is out and out.kind == "float":
            load = make("load", conversion.stored_as(out), value=self.inputs[expr.name][0])
            return bits(load) if load.type in FLOATS else load
        if expr.op == "peek" and self.element(expr) is out and out.kind == "float":
            stored = self.looked_up(expr)
            return bits(stored) if stored.type in FLOATS else stored
        if expr.op != "where" or any(d.kind == "float" for d in self.dtypes_in(expr.args[0])):
            return None
        sides = [self.moved(side, out) for side in expr.args[1:]]
        if not any(sides):
            return None
        for number, side in enumerate(expr.args[1:]):
            if sides[number] is None and side.op in ("const", "uniform"):
                sides[number] = conversion.write(self.value(side), out, out)
        yes, no = sides
        return yes and no and select(self.condition(expr.args[0]), yes, no)

    def dtypes_in(self, expr: Expr) -> set[DType]:
        """Those of all inputs that an expression looks at."""
        if expr.op == "input":
            return {self.inputs[expr.name][1]}
        if expr.op == "peek":
            return {self.element(expr)}
        if expr.op == "among_integers":
            return set()
        return set[DType]().union(*map(self.dtypes_in, expr.args))

    def element(self, expr: Expr) -> DType:
        """The dtype of what is looked up."""
        found = self.inputs[expr.name][1].element
        assert found is not None
        return found

    def looked_up(self, expr: Expr) -> Node:
        """The bits of an element by its address; 0 where there is none."""
        address, there, *_ = expr.args
        integers, type = self.integers, conversion.stored_as(self.element(expr))
        # behind a row's end engines load the address 0, and look nowhere
        begins = make("load", "i64", value=self.inputs[expr.name][0])
        inside = integers.condition(there) & unequal(begins, 0)
        return make("peek", type, integers.number(address), inside)

    @cached_property
    def integers(self) -> _Lowering:
        """The same formula's places and conditions on them, computed in 64 bits."""
        if self.compute_type.type == "i64":
            return self
        dtypes = [dtype for _, dtype in self.inputs.values()]
        found = _Lowering(self.traced, dtypes, Algebra(I64))
        found.promoted, found.outside = INT64, self
        return found

    def visit_peek(self, expr: Expr) -> Node:
        stored = self.looked_up(expr)
        return conversion.read_stored(stored, self.element(expr), self.compute_type.type)

    def visit_among_integers(self, expr: Expr) -> Node:
        return self.integers.condition(expr.args[0])

    def visit_among_numbers(self, expr: Expr) -> Node:
        return self.outside.condition(expr.args[0])

    def visit_floored(self, expr: Expr) -> Node:
        dtypes = [dtype for _, dtype in self.inputs.values()]
        floats = _Lowering(self.traced, dtypes, Algebra(F64 if expr.name else F32))
        floats.promoted = INT64
        return make("to_int", self.compute_type.type, integers.floor(floats.number(expr.args[0])))

    def visit_as_number(self, expr: Expr) -> Node:
        number = self.integers.number(expr.args[0])
        return (
            make("from_int", self.compute_type.type, number)
            if self.compute_type.type in FLOATS
            else number
        )

    def value(self, expr: Expr) -> Node:
        """The expression as a number of the compute type, or the condition that it is."""
        return self.algebra.number(self.visit(expr))

    def number(self, expr: Expr) -> Node:
        """The expression as a number of the compute type; a condition is 0 or 1."""
        if expr.op == "exp" and self.compute_type.name == F64_FOR_FLOAT.name:
            return self.power(expr)
        return self.algebra.number(self.ratio(expr))

    def power(self, expr: Expr) -> Node:
        """e^x as a number in float64, for which no quotient is needed."""
        from openaclnn.arithmetic.functions.exp import as_number

        if id(expr) not in self.powers:
            self.powers[id(expr)] = as_number(self.algebra, self.number(expr.args[0]))
        return self.powers[id(expr)]

    def condition(self, expr: Expr) -> Node:
        """The expression as a condition; a number is one where it is not 0."""
        if expr.op == "input" and self.inputs[expr.name][1] is BOOL:
            return conversion.read_as_is(*self.inputs[expr.name])
        if self.compute_type.type in ("f32", "i32") and self.dtypes_in(expr) == {POSITION}:
            # of more than 2²⁴ columns a float32 does not tell each from the next
            exact = Algebra(F64 if self.compute_type.type == "f32" else I64)
            dtypes = [dtype for _, dtype in self.inputs.values()]
            return _Lowering(self.traced, dtypes, exact).condition(expr)
        value = self.value(expr)
        return value if value.type == "i1" else unequal(value, 0)

    def ratio(self, expr: Expr) -> Ratio:
        """The expression before it is divided; a condition is 0 or 1."""
        found = self.visit(expr)
        if found.over.type != "i1":
            return found
        one, zero = (const(self.compute_type.type, value) for value in (1, 0))
        return Ratio(select(found.over, one, zero))

    def visit(self, expr: Expr) -> Ratio:
        if id(expr) not in self.done:
            found = getattr(self, _visit_of(expr.op))(expr)
            self.done[id(expr)] = Ratio(found) if isinstance(found, Node) else found
        return self.done[id(expr)]

    def operands(self, expr: Expr) -> tuple[Ratio, ...]:
        """The values of an operation's arguments; what the algebra decides next, it decides for
        this operation."""
        found = tuple(map(self.ratio, expr.args))
        self.algebra.place = id(expr)
        return found

    def visit_input(self, expr: Expr) -> Node:
        place, dtype = self.inputs[expr.name]
        whole = dtype.kind == "int" and dtype.bits >= 32 and dtype is not POSITION
        if (
            whole
            and self.promoted is FLOAT
            and not any(expr is result for result in self.traced.results)
        ):
            # a FLOAT first, as in PyTorch, whatever it is computed in
            return conversion.resized(conversion.read(place, dtype, "f32"), self.compute_type.type)
        return conversion.read(place, dtype, self.compute_type.type)

    def visit_uniform(self, expr: Expr) -> Node:
        index = self.traced.uniforms.index(expr.name)
        uniform = make("uniform", _uniforms_of(self.compute_type), value=index)
        return conversion.resized(uniform, self.compute_type.type)

    def visit_random(self, expr: Expr) -> Node:
        from openaclnn.arithmetic import philox

        position, *halves = expr.args
        if position.op == "input":
            at = conversion.read_as_is(*self.inputs[position.name])
        else:
            place = self.number(position)
            at = make("to_int", "i64", place) if place.type in FLOATS else place
        found = []
        for half in halves:
            index = self.traced.uniforms.index(half.name)
            word = make("uniform", _uniforms_of(self.compute_type), value=index)
            found.append(make("to_int", "i64", word) if word.type in FLOATS else word)
        counter = philox.words(at, (found[0], found[1]), (found[2], found[3]))
        value = philox.number(expr.name, int(expr.value), counter)
        if value.type != self.compute_type.type:
            raise ValueError(f"a random {expr.name} is no number of {self.compute_type.type}")
        return value

    def visit_const(self, expr: Expr) -> Node:
        if self.compute_type.type not in FLOATS and expr.value != int(expr.value):
            raise ValueError(
                f"{expr.value} is no constant of a formula in {self.compute_type.type}"
            )
        return const(self.compute_type.type, expr.value)

    def visit_known_as(self, expr: Expr) -> Ratio:
        (value,) = expr.args
        if (
            expr.value == WRAPPED
            and self.compute_type.type == conversion.carrier(self.promoted) == "i32"
        ):
            return Ratio(conversion.converted(self.number(value), INT32, self.promoted))
        double = self.compute_type.name == F64.name
        if value.op == "exp" and value.args[0].within == BELOW_ZERO and not double:
            from openaclnn.arithmetic.functions.exp import alone

            found = Ratio(alone(self.algebra, self.number(value.args[0])))
        elif expr.within is not None and self.compute_type.type in FLOATS:
            found = Ratio(self.number(value))
        else:
            found = self.visit(value)
        if expr.within is None or self.compute_type.type not in FLOATS:
            return found
        number = self.algebra.number(found)
        self.algebra.promise({number: expr.within})
        return Ratio(number)

    def visit_add(self, expr: Expr) -> Node | Ratio:
        first, second = expr.args
        if first.op == "mul" and self.compute_type.type in FLOATS:
            a, b = map(self.ratio, first.args)
            if a.plain and b.plain:  # one step, one rounding
                return fma(a.over, b.over, self.number(second))
        return self.algebra.plus(*self.operands(expr))

    def visit_sub(self, expr: Expr) -> Ratio:
        return self.algebra.minus(*self.operands(expr))

    def visit_mul(self, expr: Expr) -> Ratio:
        if is_among(expr, self.become_float32) and _is_limited_difference(expr.args[1]):
            from openaclnn.arithmetic.clamped_product import times_limited

            numbers = map(self.number, (expr.args[0], *expr.args[1].args[0].args))
            found = times_limited(self.algebra, *numbers)
            if found is not None:
                return Ratio(found)
        return self.algebra.times(*self.operands(expr))

    def visit_div(self, expr: Expr) -> Ratio:
        divisor = expr.args[1]
        if divisor.within is not None and divisor.args[0].op == "input":  # of all in a row
            return self.algebra.times_reciprocal(*self.operands(expr))
        a, b = self.operands(expr)
        return self.algebra.over(a, b, last=is_among(expr, self.traced.results))

    def visit_neg(self, expr: Expr) -> Ratio:
        return self.algebra.negative(self.ratio(expr.args[0]))

    def visit_abs(self, expr: Expr) -> Ratio:
        value = self.ratio(expr.args[0])
        return value if self.compute_type.unsigned else self.algebra.magnitude(value)

    def visit_lt(self, expr: Expr) -> Node:
        return self.less(*map(self.number, expr.args))

    def visit_gt(self, expr: Expr) -> Node:
        a, b = map(self.number, expr.args)
        return self.less(b, a)

    def visit_le(self, expr: Expr) -> Node:
        a, b = map(self.ordered, map(self.number, expr.args))
        return b >= a

    def visit_ge(self, expr: Expr) -> Node:
        a, b = map(self.ordered, map(self.number, expr.args))
        return a >= b

    def less(self, a: Node, b: Node) -> Node:
        return self.ordered(a) < self.ordered(b)

    def ordered(self, x: Node) -> Node:
        """A number that compares with a sign as this one does in its compute type."""
        return x + (-1 << 63) if self.compute_type.unsigned else x

    def visit_equal(self, expr: Expr) -> Node:
        return equal(*map(self.number, expr.args))

    def visit_not_equal(self, expr: Expr) -> Node:
        return unequal(*map(self.number, expr.args))

    def visit_and(self, expr: Expr) -> Node:
        a, b = map(self.condition, expr.args)
        return a & b

    def visit_or(self, expr: Expr) -> Node:
        a, b = map(self.condition, expr.args)
        return a | b

    def visit_xor(self, expr: Expr) -> Node:
        a, b = map(self.condition, expr.args)
        return a ^ b

    def visit_not(self, expr: Expr) -> Node:
        return ~self.condition(expr.args[0])

    def visit_where(self, expr: Expr) -> Node | Ratio:
        double = self.compute_type.name == F64.name
        if expr.name == FOR_DOUBLE or (expr.name == SELDOM and double):
            return self.visit(expr.args[1 if double else 2])
        condition = self.condition(expr.args[0])
        if expr.name == SELDOM:
            self.algebra.seldom(condition)
            if not self.compute_type.guarded:
                return self.visit(expr.args[2])
        yes, no = map(self.visit, expr.args[1:])
        if yes.over.type == no.over.type == "i1":
            return (condition & yes.over) | (~condition & no.over)
        yes, no = map(self.ratio, expr.args[1:])
        self.algebra.place = id(expr)
        return self.algebra.chosen(condition, yes, no)

    def visit_clamp(self, expr: Expr) -> Node:
        x, low, high = map(self.number, expr.args)
        at_most = select(self.less(high, x), high, x)
        return select(self.less(at_most, low), low, at_most)

    def visit_minimum(self, expr: Expr) -> Node:
        a, b = map(self.number, expr.args)
        return self.unless_nan(a, select(self.less(a, b), a, b))

    def visit_maximum(self, expr: Expr) -> Node:
        a, b = map(self.number, expr.args)
        return self.unless_nan(a, select(self.less(b, a), a, b))

    def unless_nan(self, a: Node, result: Node) -> Node:
        """A result that is right but for a NaN a."""
        return select(is_nan(a), a, result) if self.compute_type.type in FLOATS else result

    def visit_function(self, expr: Expr) -> Ratio:
        if self.compute_type.type not in FLOATS and expr.op == "pow":
            from openaclnn.arithmetic.functions.pow import whole_power

            return Ratio(whole_power(*map(self.number, expr.args)))
        if self.compute_type.type not in FLOATS:
            problem = f"openaclnn does not compute {expr.op} for integers yet"
            raise AclnnError(Status.INNER_FIND_KERNEL_ERROR, problem)
        given = [self.number(arg) for arg in expr.args]
        self.algebra.place = id(expr)
        if self.compute_type.name == F64.name:
            from openaclnn.arithmetic import double  # for which no other program waits

            return Ratio(double.FUNCTIONS[expr.op](self.algebra, *given))
        found: Ratio = functions.named(expr.op)(self.algebra, *given)
        return found

    def visit_whole(self, expr: Expr) -> Node:
        numbers = tuple(map(self.number, expr.args))
        if self.compute_type.unsigned and expr.op not in _BITS:
            raise NotImplementedError(f"{expr.op} of UINT64")
        if expr.op in _REMAINDERS and self.compute_type.type in FLOATS:
            return self.remainder(expr.op, *numbers)
        return integers.OPERATIONS[expr.op](*numbers)

    def remainder(self, op: str, a: Node, b: Node) -> Node:
        """In float64, which has room for the quotients of float32; those of numbers that are not
        far apart float32 has room for itself."""
        if a.type == "f32":
            wide = self.remainder(op, make("widen", "f64", a), make("widen", "f64", b))
            return narrowed(wide)
        double, function = self.compute_type.name == F64.name, integers.OPERATIONS[op]
        x, y = before_widening(a), before_widening(b)
        if double or x is None or y is None:
            self.algebra.seldom(integers.far_apart(a, b, double))
            return function(a, b, near=not self.compute_type.guarded, double=double)
        self.algebra.seldom(integers.far_apart(x, y))
        return (
            function(a, b)
            if self.compute_type.guarded
            else make("widen", "f64", function(x, y, True))
        )

    def visit_near(self, expr: Expr) -> Ratio:
        value = self.visit(expr.args[1])
        taylor = expr.taylor
        assert taylor is not None
        if not self.compute_type.root_terms:
            return value
        x, root = self.number(expr.args[0]), const(self.compute_type.type, taylor.root)
        low = taylor.root - float(root.value) + taylor.root_low
        distance, radius = x - root, self.compute_type.root_radius
        slopes = economised(taylor.coefficients, radius, self.compute_type.root_terms)
        return self.algebra.near(distance, radius, (-low * slopes[0], *slopes), value)
