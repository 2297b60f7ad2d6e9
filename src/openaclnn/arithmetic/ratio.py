"""Numbers as a formula is computed: divided as late as possible, in a range wider than the type's.

`Algebra` has an operation for everything that formulas do with numbers, and each of them accounts
for every part of a `Ratio`. What becomes a plain number has the type's range from there on. For
specialists in floating point; what it is for:

>>> from openaclnn.arithmetic.lower import lower
>>> from openaclnn.arithmetic.nodes import in_order
>>> from openaclnn.base.dtypes import FLOAT
>>> from openaclnn.spec.formula import exp, tensor, trace
>>> logistic = trace(lambda x: exp(x) / (1 + exp(x)), {"x": tensor("x")})
>>> body = lower(logistic, (FLOAT,), FLOAT, (FLOAT,), "f64")
>>> sum(node.op in ("div", "quotient") for node in in_order(*body.results))  # e^x has one as well
1
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import reduce
from typing import TypeVar

from openaclnn.arithmetic import scaling
from openaclnn.arithmetic.compute_types import ComputeType
from openaclnn.arithmetic.nodes import (
    FLOATS,
    Node,
    const,
    equal,
    exchanged,
    fma,
    make,
    polynomial,
    quotient,
    rough_quotient,
    select,
)
from openaclnn.arithmetic.ranges import Case, Ranges
from openaclnn.arithmetic.scaling import Power
from openaclnn.base.records import dataclass
from openaclnn.base.status import AclnnError, Status

T = TypeVar("T")

_MODERATE = 2.0**60  # constants up to this, and down to its inverse, multiply and divide safely
_LARGEST = {"f32": 2.0**100, "f64": 2.0**900}  # of what is still to be multiplied or divided
_DIVISOR = {"f32": 2.0**60, "f64": 2.0**900}  # see `quotient`
# exponents that float32 has room for beside a few numbers of up to 2⁸ as factors: down, and up
_DOWN, _UP = 116.0, 60.0
BESIDE_ONE = 87.0  # e^-y for a larger y has bits below 2⁻¹²⁶, which are dropped beside a number


@dataclass(frozen=True)
class Ratio:
    """factor · over / (the product of under) · power.

    Until it is divided, divisors may cancel; until it is multiplied out, nothing under- or
    overflows. Beside one of the others `over` is of moderate size, as `under` always is; the
    factor may be any number, so it comes last.
    """

    over: Node
    under: tuple[Node, ...] = ()
    power: Power | None = None
    factor: Node | None = None
    rough: bool = False  # whether a `rough_quotient` will do

    @property
    def plain(self) -> bool:
        """Whether it is `over` and nothing else."""
        return not self.under and self.power is None and self.factor is None

    @property
    def upward(self) -> bool:
        return self.power is not None and self.power.upward


@dataclass
class Algebra:
    """Operations on ratios in one compute type.

    The unguarded way has its powers multiplied in already: they are noted all the same, so that
    both ways go together and have the same bits. Where the way depends on what a node may be, the
    unguarded one takes the `decisions` of the guarded one; `place` names the operation.
    """

    compute_type: ComputeType
    decisions: dict[tuple[int, int], bool] = field(default_factory=dict)
    place: int = 0
    asked: Counter[int] = field(default_factory=Counter)
    ranges: Ranges = field(default_factory=Ranges)
    usual: Ranges = field(default_factory=Ranges)  # where the unguarded way is enough
    sizable: set[Node] = field(default_factory=set)  # functions' dividends and divisors
    rare: Node | None = None  # where it is not
    stand_ins: dict[Node, Node] = field(default_factory=dict)  # for nodes in conditions of that
    numbers: set[Node] = field(default_factory=set)  # that are no NaN elsewhere

    def coefficients(self, function: str, table: Mapping[str, T]) -> T:
        """A function's coefficients for this compute type."""
        if self.compute_type.name not in table:
            problem = f"openaclnn does not compute {function} for DOUBLE yet"
            raise AclnnError(Status.INNER_FIND_KERNEL_ERROR, problem)
        return table[self.compute_type.name]

    def decide(self, answer: Callable[[], bool]) -> bool:
        """What the guarded way answers to a question; an operation's questions come in order."""
        key = self.place, self.asked[self.place]
        self.asked[self.place] += 1
        if self.compute_type.guarded:
            self.decisions[key] = answer()
        return self.decisions[key]

    def number(self, a: Ratio) -> Node:
        """A plain number of the compute type."""
        divided = self.divided(a)
        if a.power is None or not self.compute_type.guarded:
            return divided if a.factor is None else a.factor * divided
        result = scaling.scale(self.compute_type, a.factor, divided, a.power)
        if a.factor is None and not a.power.upward:
            self.promise({result: self.ranges.down_from(divided)})
        return result

    def divided(self, a: Ratio) -> Node:
        """over / under."""
        if not a.under:
            return a.over
        divisor = reduce(Node.__mul__, a.under)
        if a.rough and self.decide(lambda: self._divides(divisor)):
            return rough_quotient(a.over, divisor)
        nothing_extreme = self._divides(divisor) and self._is_divided(a.over)
        return quotient(a.over, divisor) if nothing_extreme else a.over / divisor

    def quotient(self, a: Node, b: Node) -> Node:
        """a/b where nothing is extreme, as exact as the compute type asks for."""
        return (quotient if self.compute_type.full_precision else rough_quotient)(a, b)

    def _divides(self, x: Node) -> bool:
        """Whether a node is a divisor for `quotient`."""
        limit = _DIVISOR[self.compute_type.type]
        above, below = (1 / limit, limit), (-limit, -1 / limit)
        return self.ranges.within(x, *above) or self.ranges.within(x, *below)

    def _quickly_divided(self, a: Node, b: Node) -> bool:
        """Whether `quotient` will do for plain numbers of float64."""
        if self.compute_type.type != "f64" or self.compute_type.full_precision:
            return False
        return self.decide(lambda: self._divides(b) and self._is_divided(a))

    def _is_divided(self, x: Node) -> bool:
        """Whether a node is a dividend for `quotient`."""
        largest = _LARGEST[self.compute_type.type]
        within = self.ranges.within(x, -largest, largest) and self.ranges.finite(x)
        return self._sizable(x) and within

    def _sizable(self, x: Node) -> bool:
        """Whether a node is 0 or not tiny: what cancels of sizable numbers leaves their last bits
        at least, whatever is added to them."""
        if x not in self.sizable and self._is_sizable(x):
            self.sizable.add(x)
        return x in self.sizable

    def _is_sizable(self, x: Node) -> bool:
        if x.op == "const":
            return x.value == 0 or _moderate(x)
        if x.op == "fma":
            return self._sizable(x.args[2]) or all(map(self._sizable, x.args[:2]))
        if x.op in ("add", "sub"):
            return any(map(self._sizable, x.args))
        if x.op in ("mul", "neg", "abs", "quotient"):
            return all(map(self._sizable, x.args))
        return x.op == "select" and all(map(self._sizable, x.args[1:]))

    def _powered(self, x: Node, power: Power | None) -> Node:
        """x · 2^exponent beside a number that outweighs it where that is below the range."""
        if power is None or not self.compute_type.guarded:
            return x
        result = scaling.times_power_down(self.compute_type, x, power)
        self.promise({result.args[1]: (0.0, 1.0)})
        return result

    def negative(self, a: Ratio) -> Ratio:
        return replace(a, over=-a.over)

    def magnitude(self, a: Ratio) -> Ratio:
        factor = None if a.factor is None else abs(a.factor)
        return Ratio(abs(a.over), tuple(map(abs, a.under)), a.power, factor)

    def times(self, a: Ratio, b: Ratio) -> Ratio:
        if a.plain and b.plain:
            return Ratio(a.over * b.over)
        for plain, other in ((a, b), (b, a)):
            if plain.plain and not _moderate(plain.over):
                if other.factor is None:
                    return replace(other, factor=plain.over)
                return Ratio(plain.over * self.number(other))
        if a.factor is not None and b.factor is not None:
            return Ratio(self.number(a) * self.number(b))
        power = a.power or b.power
        if a.power is not None and b.power is not None:
            power = self._product(a.power, b.power)
        return Ratio(a.over * b.over, a.under + b.under, power, a.factor or b.factor)

    def over(self, a: Ratio, b: Ratio, last: bool = False) -> Ratio:
        """a/b. `last`: the quotient is a result, so that in the compute type of the result itself
        it is divided: a rounded reciprocal would be one rounding too many."""
        if self.compute_type.type not in FLOATS:
            raise NotImplementedError("a quotient of integers")
        if b.plain and _moderate(b.over):
            if a.plain:
                return Ratio(self._divided_by(float(b.over.value), a.over))
            return replace(a, under=(*a.under, b.over))
        divided = self.compute_type.full_precision and (last or self.compute_type.type == "f64")
        if b.plain and a.plain and _of_call(b.over) and not divided:
            return Ratio(self._by_one_for_all(a.over, b.over))
        if a.plain and b.plain and self._quickly_divided(a.over, b.over):
            return Ratio(quotient(a.over, b.over))
        if b.plain or b.factor is not None:
            return Ratio(self.number(a) / self.number(b))
        if a.plain and not _moderate(a.over):
            a = Ratio(const(self.compute_type.type, 1.0), factor=a.over)
        over, kept = a.over, list(a.under)
        for node in b.under:
            if node in kept:
                kept.remove(node)
            else:
                over = node if _is_one(over) else over * node
        power = a.power
        if b.power is not None:
            power = self._product(a.power, b.power.inverse(self.compute_type))
        return Ratio(over, (*kept, b.over), power, a.factor)

    def _by_one_for_all(self, a: Node, b: Node) -> Node:
        """a/b for a b that the whole call has: its reciprocal is found once. (Conditions are of b
        alone: those of a would be of the guarded a, whose long way nobody is to go.) Where the rest
        asks what is rare, the product stands for the quotient: where it does not, that is rare."""
        usual = (abs(b) >= 1 / _MODERATE) & ~(abs(b) > _MODERATE)
        self.seldom(~usual)
        one = const(b.type, 1.0)
        product = a * (one / b if self.compute_type.type == "f32" else quotient(one, b))
        if not self.compute_type.guarded:
            return product
        found = select(usual, product, a / b)
        self.stand_ins[found] = product
        return found

    def times_reciprocal(self, a: Ratio, b: Ratio) -> Ratio:
        """a/b for a b of moderate size that many numbers are divided by; 1/b is computed once."""
        x, divisor = self.number(a), self.number(b)
        inverse = 1.0 / divisor
        product = x * inverse
        if self.compute_type.full_precision:  # corrected by what it leaves of x
            product = fma(fma(-divisor, product, x), inverse, product)
        return Ratio(product)

    def _divided_by(self, divisor: float, x: Node) -> Node:
        """x divided by a number of few bits."""
        product = x * (1 / divisor)
        if not self.compute_type.full_precision:
            return product
        if self.compute_type.type == "f64":
            return x / divisor
        # by how much the product is off is exact, subnormal or not; of an infinite x it is NaN.
        # This way round the sign of a zero stays
        excess = fma(product, divisor, -x)
        return select(equal(excess, excess), fma(excess, -1 / divisor, product), product)

    def plus(self, a: Ratio, b: Ratio) -> Ratio:
        if a.plain and b.plain:
            return Ratio(a.over + b.over)
        if not a.plain and not b.plain:
            return self._sum(a, b)
        term, ratio = (a.over, b) if a.plain else (b.over, a)
        if not self.decide(lambda: self._joins(term, ratio)):
            return Ratio(term + self.number(ratio))
        over, (under,), power = ratio.over, ratio.under, ratio.power
        if power is not None and power.upward:
            return self._join_upward(term, over, under, power)
        over = self._powered(over, power)
        if ratio.factor is not None:
            total = fma(over, ratio.factor, under)
        else:
            total = under + over if _is_one(term) else fma(term, under, over)
        return Ratio(total, (under,))

    def _joins(self, term: Node, ratio: Ratio) -> bool:
        """Whether term + over/under may become (term·under + over)/under."""
        if len(ratio.under) != 1:
            return False
        if ratio.factor is not None:
            return ratio.power is None and _is_one(term) and self._fits(ratio.factor)
        return self._fits(term) and (ratio.power is None or self._outweighs(term, ratio.power))

    def _fits(self, x: Node) -> bool:
        """Whether a product with a dividend or a divisor does not overflow."""
        largest = _LARGEST[self.compute_type.type]
        finite = self.compute_type.type == "f32" or self.ranges.within(x, -largest, largest)
        return finite and self.usual.within(x, -largest, largest)

    def _outweighs(self, term: Node, power: Power) -> bool:
        """Whether nothing is lost beside a term by a power that drops out of the type's range."""
        return self.ranges.smallest(term, power.y, BESIDE_ONE) > 1 / _MODERATE

    def _join_upward(self, term: Node, over: Node, under: Node, power: Power) -> Ratio:
        """Both in units of the power, where that is more than 1."""
        top = scaling.larger(self.compute_type, power, None)
        over = self._powered(over, power.below(top))
        term = self._powered(term, top.inverse(self.compute_type))
        return Ratio(fma(term, under, over), (under,), top)

    def _sum(self, a: Ratio, b: Ratio) -> Ratio:
        """The sum of two ratios, neither of them plain."""
        if a.factor is not b.factor or (a.power is None) != (b.power is None):
            return Ratio(self.number(a) + self.number(b))
        first, second, top = self.divided(a), self.divided(b), None
        if a.power is not None and b.power is not None:
            top = scaling.larger(self.compute_type, a.power, b.power)
            first = self._powered(first, a.power.below(top))
            second = self._powered(second, b.power.below(top))
        return Ratio(first + second, (), top, a.factor)

    def _product(self, a: Power | None, b: Power) -> Power:
        if a is None:
            return b
        power = a.times(b)
        if self.compute_type.guarded:
            self.seldom(abs(power.exponent) > (_UP if power.upward else _DOWN))
        return power

    def minus(self, a: Ratio, b: Ratio) -> Ratio:
        if a.plain and b.plain:
            return Ratio(a.over - b.over)
        if a.plain and b.factor is None and not b.upward:
            if b.power is not None and not self._outweighs(a.over, b.power):
                return Ratio(a.over - self.number(b))
            return Ratio(a.over - self._powered(self.divided(b), b.power))
        return self.plus(a, self.negative(b))

    def chosen(self, condition: Node, a: Ratio, b: Ratio) -> Ratio:
        """a where the condition holds, else b."""
        if a.plain and b.plain:
            return Ratio(select(condition, a.over, b.over))
        power = scaling.chosen(self.compute_type, condition, a.power, b.power)
        for constant, other in ((a, b), (b, a)):
            if constant.plain and _moderate(constant.over) and other.factor is None:
                under = reduce(Node.__mul__, other.under) if other.under else None
                own = constant.over
                if under is not None:
                    own = under if _is_one(own) else own * under
                sides = (own, other.over) if constant is a else (other.over, own)
                return Ratio(select(condition, *sides), other.under, power)
        if power is None:
            return Ratio(select(condition, self.number(a), self.number(b)))
        return self._chosen_with_power(condition, a, b, power)

    def _chosen_with_power(self, condition: Node, a: Ratio, b: Ratio, power: Power) -> Ratio:
        plain = a if a.plain else b if b.plain else None
        if plain is not None:
            factors = a.factor is not None or b.factor is not None
            if factors or not self.decide(lambda: self._fits(plain.over)):
                unbounded = Ratio(const(self.compute_type.type, 1.0), factor=plain.over)
                a, b = (unbounded if side is plain else side for side in (a, b))
        factor = a.factor
        if a.factor is not b.factor:
            one = const(self.compute_type.type, 1.0)
            factor = select(condition, a.factor or one, b.factor or one)
        over = select(condition, self.divided(a), self.divided(b))
        return Ratio(over, (), power, factor)

    def near(self, distance: Node, radius: float, slopes: tuple[float, ...], a: Ratio) -> Ratio:
        """A polynomial of a distance where that is less than a radius, else a."""
        close, series = abs(distance) < radius, polynomial(distance, slopes)
        most = sum(abs(slope) * radius**n for n, slope in enumerate(slopes))
        self.promise({series: (-most, most)})  # where it is chosen
        self.sizable.add(series)
        if a.power is not None or a.factor is not None:
            return Ratio(select(close, series, self.number(a)))
        return replace(a, over=select(close, reduce(Node.__mul__, a.under, series), a.over))

    def promise(self, *cases: Case) -> None:
        """What is known of new nodes; the first case is the usual one."""
        self.ranges.promise(*cases)
        self.usual.promise(cases[0])

    def seldom(self, condition: Node) -> None:
        """Note that what meets a condition takes the guarded way."""
        condition = exchanged(condition, self.stand_ins)
        if self.rare is not None and self.rare is not condition:
            condition = make("or", "i1", self.rare, condition)
        self.rare = condition


def _of_call(node: Node) -> bool:
    """Whether a node is one number for the whole call."""
    return node.op == "uniform" or (node.op in ("narrow", "neg", "abs") and _of_call(node.args[0]))


def _is_one(node: Node) -> bool:
    return node.op == "const" and node.value == 1


def _moderate(node: Node) -> bool:
    """Whether a node is a constant that is neither 0 nor of extreme size."""
    return node.op == "const" and 1 / _MODERATE <= abs(node.value) <= _MODERATE
