"""What an operator's Python does with the sizes, strides and whole attributes of a call, written
down while it is done: a short list of sums that C does again for calls of other sizes.

Operators that move elements say in Python which parts of their tensors go where (`results`, `rules`
and `steps`). Once for every way through that code it runs on numbers that remember where they come
from. Where it asks one for its value, or compares two, the answer becomes a check: a call for which
it would be another is not reckoned by this list.

>>> reckoning = Reckoning()
>>> size, step = reckoning.given(10), reckoning.given(3)
>>> parts = -(-size // step) if step > 1 else size
>>> print(reckoning)
2 = 1
2 < 1
4 = 0
5 = 4 - 0
6 = 5 // 1
7 = 4 - 6
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from ctypes import Array, c_int64
from operator import add, floordiv, mod, mul, sub
from typing import Any

from openaclnn.base import settings
from openaclnn.base.dtypes import DType
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import Tensor, View, contiguous_strides, product_of
from openaclnn.plan import Pass, Plan
from openaclnn.plan.loop import nest_over
from openaclnn.spec.call import Call
from openaclnn.spec.host import INT64, INT_ARRAY
from openaclnn.spec.op import Attr, Op
from openaclnn.spec.steps import POSITIONS, Part, Step, elementwise

# what a line does, as in reckoning.h
CONSTANT, ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER, BELOW, NOT_BELOW, SAME, NOT_SAME = range(10)
_WORKED_OUT = {ADD: add, SUBTRACT: sub, MULTIPLY: mul, DIVIDE: floordiv, REMAINDER: mod}
_SIGNS = ("=", "+", "-", "*", "//", "%", "<", "not <", "==", "!=")
_LINES, _WHOLES, _PASSES, _DIMS = 1024, 64, 12, 16  # at most: reckoning.h, plan.h
_WORDS = range(-(2**63), 2**63)


class Reckoning:
    """The lines so far. The first are what is given; each other has what it does and two operands:
    numbers of earlier lines, or of a constant its value."""

    def __init__(self) -> None:
        self.lines: list[tuple[int, int, int]] = []
        self.count = 0  # of those that are given
        self.known: dict[tuple[int, int, int], int] = {}
        self.closed = False  # its numbers are plain ones from then on

    def given(self, value: int) -> Whole:
        """A number that every call has; these come first."""
        assert self.count == len(self.lines)
        self.lines.append((CONSTANT, value, 0))
        self.count += 1
        return Whole(self, self.count - 1, value)

    def line(self, does: int, a: int, b: int = 0) -> int:
        """The number of a line, a new one where there is none like it."""
        key = does, a, b
        if key not in self.known:
            if len(self.lines) > 4 * _LINES:  # it asks for ever: 7 in range(1 << 63) compares all
                raise ValueError("too much to write down")
            self.known[key] = len(self.lines)
            self.lines.append(key)
        return self.known[key]

    def of(self, number: Any) -> int:
        """The line of a number; one of Python's own is a constant. A number of another recording
        is refused: an operator's Python has kept it from an earlier call."""
        if not isinstance(number, Whole):
            return self.line(CONSTANT, int(number))
        if number.of is not self:
            raise ValueError("a number of another recording")
        return number.line

    def __str__(self) -> str:
        return "\n".join(
            f"{n} = {a}" if does == CONSTANT
            else f"{n} = {a} {_SIGNS[does]} {b}" if does < BELOW
            else f"{a} {_SIGNS[does]} {b}"
            for n, (does, a, b) in enumerate(self.lines) if n >= self.count
        )  # fmt: skip


class Whole:
    """An integer that remembers where it comes from. It is no int, so that nothing takes its
    value without asking, and no key while it is recorded: a cache would hand it to later calls.
    One that an operator's Python has kept nevertheless is its value once the recording ends."""

    __slots__ = ("line", "of", "value")

    def __init__(self, of: Reckoning, line: int, value: int) -> None:
        self.of, self.line, self.value = of, line, value

    def _with(self, does: int, other: Any, turned: bool = False) -> Any:
        if not isinstance(other, (Whole, int)):
            return NotImplemented
        its = other.value if isinstance(other, Whole) else other
        values = (its, self.value) if turned else (self.value, its)
        found = _WORKED_OUT[does](*values)
        if self._is_plain(other):
            return found
        lines = self.line, self.of.of(other)
        return Whole(self.of, self.of.line(does, *(lines[::-1] if turned else lines)), found)

    def _is_plain(self, other: Any) -> bool:
        """Whether neither number is recorded any more."""
        if not self.of.closed:
            return False
        if isinstance(other, Whole) and not other.of.closed:
            raise ValueError("a number of another recording")
        return True

    def __add__(self, other: Any) -> Any:
        return self._with(ADD, other)

    def __sub__(self, other: Any) -> Any:
        return self._with(SUBTRACT, other)

    def __rsub__(self, other: Any) -> Any:
        return self._with(SUBTRACT, other, turned=True)

    def __mul__(self, other: Any) -> Any:
        return self._with(MULTIPLY, other)

    __radd__, __rmul__ = __add__, __mul__

    def __floordiv__(self, other: Any) -> Any:
        return self._with(DIVIDE, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._with(DIVIDE, other, turned=True)

    def __mod__(self, other: Any) -> Any:
        return self._with(REMAINDER, other)

    def __rmod__(self, other: Any) -> Any:
        return self._with(REMAINDER, other, turned=True)

    def __neg__(self) -> Any:
        return 0 - self

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def _is(self, other: Any, yes: int, no: int, turned: bool = False) -> Any:
        """Whether it is below another, or the same: checked in every call."""
        if not isinstance(other, (Whole, int)):
            return NotImplemented
        its = other.value if isinstance(other, Whole) else other
        a, b = (its, self.value) if turned else (self.value, its)
        answer = a < b if yes == BELOW else a == b
        if self._is_plain(other):
            return answer
        mine, others = self.line, self.of.of(other)
        if mine != others:
            self.of.line(yes if answer else no, *((others, mine) if turned else (mine, others)))
        return answer

    def __lt__(self, other: Any) -> Any:
        return self._is(other, BELOW, NOT_BELOW)

    def __gt__(self, other: Any) -> Any:
        return self._is(other, BELOW, NOT_BELOW, turned=True)

    def __le__(self, other: Any) -> Any:
        answer = self > other
        return answer if answer is NotImplemented else not answer

    def __ge__(self, other: Any) -> Any:
        answer = self < other
        return answer if answer is NotImplemented else not answer

    def __eq__(self, other: Any) -> Any:
        return self._is(other, SAME, NOT_SAME)

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __index__(self) -> int:
        """Its value, which every call must have then."""
        self._is(self.value, SAME, NOT_SAME)
        return self.value

    __int__ = __index__

    def __float__(self) -> float:
        return float(self.__index__())

    def __hash__(self) -> int:
        if not self.of.closed:
            raise TypeError("a number that is recorded is no key")
        return hash(self.value)

    def __repr__(self) -> str:
        return repr(self.__index__())


class _Traced(View):
    """A view whose sizes and strides remember where they come from."""

    __slots__ = ()

    def __init__(self, like: View, shape: Any, strides: Any, offset: Any, dtype: DType) -> None:
        self.dtype, self.format, self.storage_shape = dtype, like.format, ()
        self.shape, self.strides, self.offset = tuple(shape), tuple(strides), offset
        self.numel = product_of(self.shape)
        self.low = self.high = self.first_byte = self.end_byte = 0  # which nobody asks for here

    def seen(
        self, shape: Sequence[int], strides: Sequence[int], offset: int, dtype: DType | None = None
    ) -> View:
        return _Traced(self, shape, strides, offset, dtype or self.dtype)


def whole_attributes(op: Op) -> list[Attr]:
    """The attributes that a reckoning of an operator is given; none where it has no need of one."""
    if op.steps is elementwise:
        return []
    return [a for a in op.attributes if a.host is INT64 or a.host is INT_ARRAY]


def reckons(plan: Plan) -> bool:
    """Whether calls like one of this plan can be reckoned: all they do is passes over elements of
    parts of their tensors."""
    several = _PASSES if not plan.op.in_place else 1
    return (
        plan.op.steps is not elementwise
        and len(plan.op.outputs) == 1
        and not plan.staged
        and not plan.workspace_size
        and not plan.routines
        and len(plan.formulas) <= several
        and not any(one.fold is not None or one.empty for one in plan.formulas)
    )


@dataclass(frozen=True)
class Sums:
    """What calls that go one way through an operator's Python have in common, as reckoning.h has
    it."""

    words: tuple[int, ...]

    def in_c(self) -> Array[c_int64]:
        return (c_int64 * len(self.words))(*self.words)


def sums_of(call: Call, plan: Plan, made: bool, forms: Sequence[int]) -> Sums | None:
    """The sums of a call that went well, by this plan; `made`: its output was made for it; `forms`:
    which one each pass has. None where they cannot be written down."""
    reckoning = Reckoning()
    try:
        return _Tracing(call, made, reckoning).sums(plan, forms)
    except Exception:  # it does something else with numbers; the call itself has gone well
        return None
    finally:
        reckoning.closed = True


class _Tracing:
    def __init__(self, call: Call, made: bool, reckoning: Reckoning) -> None:
        self.first, self.made, op = call, made, call.op
        self.reckoning = reckoning
        self.output = op.outputs[0].name
        # every tensor's sizes and strides, then the attributes
        self.given = [given for given in call.used if not made or given.label != self.output]
        views = [given.tensor.view for given in self.given]
        laid = [
            [[*map(reckoning.given, own)] for own in (view.shape, view.strides)] for view in views
        ]
        self.sizes = reckoning.count
        self.arguments: dict[str, Any] = dict(call.arguments)
        for name in (attribute.name for attribute in whole_attributes(op)):
            value = call[name]
            if isinstance(value, tuple):
                self.arguments[name] = tuple(map(reckoning.given, value))
            elif value is not None:
                self.arguments[name] = reckoning.given(value)
        for given, (sizes, strides) in zip(self.given, laid, strict=True):
            self._put(given.argument.name, given.tensor, sizes, strides)

    def _put(self, name: str, like: Tensor, sizes: Sequence[Any], strides: Sequence[Any]) -> None:
        """A tensor whose first element is its storage's; of a list the next one."""
        traced = Tensor(_Traced(like.view, sizes, strides, 0, like.dtype), 0, like.device)
        if isinstance(self.first[name], tuple):
            before = self.arguments[name]
            own = () if before is self.first[name] else before
            self.arguments[name] = (*own, traced)
        else:
            self.arguments[name] = traced

    def sums(self, plan: Plan, forms: Sequence[int]) -> Sums | None:
        op, product = self.first.op, self.first.product
        if self.made:
            without = Call(op, {**self.arguments, self.output: None}, product)
            (result,) = without.results
            strides = contiguous_strides(result.shape)
            self._put(self.output, self.first[self.output], result.shape, strides)
        call = Call(op, self.arguments, product)
        if any(rule.complaint(call) is not None for rule in op.rules):
            return None
        shape = call[self.output].shape
        steps = op.steps(call)
        if len(steps) != len(plan.formulas):
            return None
        pairs = zip(steps, plan.formulas, strict=True)
        passes = [_PassTraced(self._parts(call, step, one.uniforms)) for step, one in pairs]
        if not all(map(self._same, passes, plan.formulas)):
            return None
        return self._written_down(shape, passes, forms)

    def _parts(self, call: Call, step: Step, numbers: Sequence[float]) -> list[Part]:
        """What a step reads and writes, as `make_plan` has it; all that is decided by numbers is
        checked by this."""
        op, promoted, attributes = call.op, call.promoted, call.attributes
        assert promoted is not None
        compute = op.computes_in(promoted, settings.current().level, attributes)
        formula = step.formula or op.formula_of(compute, promoted, attributes)
        present = {name: part is not None for name, part in step.reads.items()}
        traced = op.traced(formula, present, attributes, (True,) * len(step.writes))
        found = op.numbers(traced.uniforms, attributes, call.numel, promoted)
        if tuple(map(repr, found)) != tuple(map(repr, numbers)):
            raise ValueError("numbers that are others")
        parts = [*(step.reads[name] for name in traced.inputs), *step.writes]
        return [part for part in parts if part is not None]

    def _same(self, traced: _PassTraced, one: Pass) -> bool:
        """Whether a pass is the plan's."""
        starts = self._starts(traced.parts)
        loop = nest_over(_values(traced.sizes), [*map(_values, traced.strides)], starts)
        places = [place.tensor for place in one.places]
        return loop == one.loop and traced.tensors == places and len(traced.sizes) <= _DIMS

    def _starts(self, parts: Sequence[Part]) -> list[int]:
        """Where a plan of the call has its parts start."""
        used = self.first.used
        return [
            _value(part.view.offset)
            + (0 if part.tensor == POSITIONS else used[part.tensor].tensor.view.offset)
            for part in parts
        ]

    def _written_down(
        self, shape: Sequence[Any], passes: Sequence[_PassTraced], forms: Sequence[int]
    ) -> Sums | None:
        """The lines that checks and results need, and where results are."""
        of, count = self.reckoning.of, self.reckoning.count
        result = [*map(of, shape)]
        found = [[*map(of, one.numbers)] for one in passes]
        lines = self.reckoning.lines
        needed = {n for n, (does, _, _) in enumerate(lines) if does >= BELOW}
        needed.update(result, *found)
        for n in range(len(lines) - 1, count - 1, -1):
            does, a, b = lines[n]
            if n in needed and does != CONSTANT:
                needed |= {a, b}
        kept = [n for n in range(count, len(lines)) if n in needed]
        if count + len(kept) > _LINES or count - self.sizes > _WHOLES:
            return None
        numbers = {n: n for n in range(count)} | {n: count + k for k, n in enumerate(kept)}
        tensors = [
            (len(given.tensor.shape) if given in self.given else -1, given.tensor.dtype.itemsize)
            for given in self.first.used
        ]
        words = [len(tensors), count - self.sizes, len(kept), len(shape), len(passes)]
        words += (number for pair in tensors for number in pair)
        for n in kept:
            does, a, b = lines[n]
            words += (does, a, b) if does == CONSTANT else (does, numbers[a], numbers[b])
        words += (numbers[n] for n in result)
        for form, one, own in zip(forms, passes, found, strict=True):
            words += (form, len(one.sizes), *one.tensors, *(numbers[n] for n in own))
        return Sums((1 + len(words), *words)) if all(word in _WORDS for word in words) else None


class _PassTraced:
    """A pass over parts of tensors: its sizes, and of every part the strides along them."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts, self.tensors = parts, [part.tensor for part in parts]
        self.sizes = parts[-1].view.shape
        self.strides = [self._spread(part.view) for part in parts]

    def _spread(self, own: View) -> tuple[Any, ...]:
        """As `spread` of plan/loop.py has it; where a size is surely the loop's no call is asked
        whether it is 1: then its stride does not matter."""
        new = len(self.sizes) - len(own.shape)
        sizes = self.sizes[new:]
        along = [
            stride if _surely_same(size, whole) or (size != 1 and size == whole) else 0
            for size, stride, whole in zip(own.shape, own.strides, sizes, strict=True)
        ]
        return (0,) * new + tuple(along)

    @property
    def numbers(self) -> Iterator[Any]:
        yield from self.sizes
        for part, strides in zip(self.parts, self.strides, strict=True):
            yield part.view.offset
            yield from strides


def _surely_same(a: Any, b: Any) -> bool:
    """Whether two numbers are the same in every call, as far as was found out before."""
    if not (isinstance(a, Whole) and isinstance(b, Whole)):
        return a is b
    pairs = (a.line, b.line), (b.line, a.line)
    return a.line == b.line or any((SAME, *pair) in a.of.known for pair in pairs)


def _value(number: Any) -> int:
    """What a number is in the call that is written down."""
    return number.value if isinstance(number, Whole) else int(number)


def _values(numbers: Sequence[Any]) -> list[int]:
    return [*map(_value, numbers)]
