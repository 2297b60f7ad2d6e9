"""Symbolic sizes with guards: integers and floats that record what is done with them.

Planning a call runs once on `Int`s and `Float`s. What they compute becomes expressions; what
decides (a comparison, a value that is asked for) becomes a guard. The traces of calls that have
everything but sizes, strides, numbers and addresses in common form a `Tree`: guards are its
branches, what a kernel takes stands in its leaves. Whoever walks it from the root (`replay` here,
replay.h in C) does for other sizes what Python did, and stops where no trace went before.

>>> tree = Tree(2)
>>> trace = Trace(tree, [10, 3])
>>> size, step = trace.inputs
>>> tree.add(trace, [-(-size // step) if step > 1 else size])
True
>>> tree.replay([11, 2]), tree.replay([11, 1])
([6], None)
"""

from __future__ import annotations

import ctypes
import math
import struct
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from itertools import count
from operator import add, floordiv, mod, mul, sub, truediv
from typing import Any

from openaclnn.base.dtypes import BF16, FLOAT, FLOAT16, DType
from openaclnn.base.scalars import scalar
from openaclnn.base.tensors import Tensor, View, contiguous_strides, product_of

# Operations, as replay.h has them. The first word of an instruction is one of these, then the slot
# that it fills and its operands: slots, but for the halves of a constant, of lists how long they
# are, and which dtype a number is narrowed to. SORT fills as many as it has items: these are sorted
# by two keys each, column after column
(
    CONSTANT, ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER, LEAST, MOST, LESS, EQUAL, BITS,
    SORT, PICK, ALL_SAME, TO_FLOAT, NARROW,
    FLOAT_ADD, FLOAT_SUBTRACT, FLOAT_MULTIPLY, FLOAT_DIVIDE, FOUND,
) = range(21)  # fmt: skip
_PART = -1  # of an operation that fills several slots: the first one's slot, and which one it is
_MOST_SORTED = 64  # as replay.h has it
# Nodes: what a branch asks; what ends a call; and what is made before it goes on, a result of these
# sizes or a workspace of so many bytes, whose address is an input from then on
BELOW, SAME, FLOAT_BELOW, FLOAT_SAME, LEAF, MADE = range(6)
WORKSPACE, RESULT = range(2)  # the first result; others have the numbers behind it

MOST_SLOTS = 8192  # of a path
MOST_WORDS = 1 << 20  # of a tree
_MOST_OPERATIONS = 1 << 16
_WORD = range(-(2**63), 2**63)

# What operations give of equal numbers, None: the number; and those, with a constant on the right
# or on the left, that give the other operand
_OF_EQUALS: dict[int, int | None] = {SUBTRACT: 0, LESS: 0, EQUAL: 1, LEAST: None, MOST: None}
_UNCHANGED = {
    (ADD, 0, False), (ADD, 0, True), (SUBTRACT, 0, False), (MULTIPLY, 1, False),
    (MULTIPLY, 1, True), (DIVIDE, 1, False),
}  # fmt: skip
_INTEGERS: dict[int, Callable[[Any, Any], Any]] = {
    ADD: add, SUBTRACT: sub, MULTIPLY: mul, DIVIDE: floordiv, REMAINDER: mod, LEAST: min, MOST: max,
    LESS: lambda a, b: int(a < b), EQUAL: lambda a, b: int(a == b),
}  # fmt: skip
_OF_FLOATS = {  # which has another number, as the operands have other bits
    ADD: FLOAT_ADD, SUBTRACT: FLOAT_SUBTRACT, MULTIPLY: FLOAT_MULTIPLY,
}  # fmt: skip
_ASKS_OF_FLOATS = {BELOW: FLOAT_BELOW, SAME: FLOAT_SAME}
_FLOATS: dict[int, Callable[[Any, Any], Any]] = {
    FLOAT_ADD: add, FLOAT_SUBTRACT: sub, FLOAT_MULTIPLY: mul, FLOAT_DIVIDE: truediv,
}  # fmt: skip


_NARROWED = (FLOAT, FLOAT16, BF16)


def _nearest(value: float, to: int) -> float:
    return float(scalar(value, _NARROWED[to]).value)  # type: ignore[arg-type]


class Untraceable(Exception):
    """What was asked of a number cannot be recorded; the call itself may be fine."""


def bits_of(value: float) -> int:
    """A float64 as the word that holds it."""
    found: int = struct.unpack("=q", struct.pack("=d", value))[0]
    return found


def _float_of(word: int) -> float:
    found: float = struct.unpack("=d", struct.pack("=q", word))[0]
    return found


class Trace:
    """One run of the planner: the guards that it passed, in order."""

    def __init__(self, tree: Tree, values: Sequence[int | float]) -> None:
        """`values` are the tree's inputs in this call."""
        self.tree = tree
        self.flat = False  # whether all tensors are contiguous
        self.closed = False  # numbers that outlive it are Python's own from then on
        self.guards: list[tuple[int, int, int, bool]] = []
        self.made: dict[int, list[int]] = {}  # what it is made of, by what is made
        self.decided: dict[tuple[int, int, int], bool] = {}
        self.natural: set[int] = set()  # inputs that are not negative on this path
        self.bounds: dict[int, int] = {}
        self.constants: dict[int, int] = {}  # slots by value
        self.made_of: dict[tuple[int, int, int], Int] = {}
        self.inputs: list[Any] = [
            (Float if isinstance(value, float) else Int)(self, slot, value)
            for slot, value in enumerate(values)
        ]
        assert len(values) == tree.inputs

    def slot(self, operation: int, *operands: int) -> int:
        """The slot of an expression over slots; equal ones share it."""
        return self.tree.slot((operation, *operands))

    def bound(self, slot: int) -> int:
        """What is known of a slot's value without asking: 1 or 0 if it is no less; else -1."""
        found = self.bounds.get(slot)
        if found is None:
            found = self.bounds[slot] = self._bound(slot)
        return found

    def _bound(self, slot: int) -> int:
        if slot in self.tree.positive:
            return 1
        if slot < self.tree.inputs:
            return 0 if slot in self.natural else -1
        operation, *operands = self.tree.operations[slot]
        if operation in (LESS, EQUAL, BITS, ALL_SAME):
            return 0
        if operation in (SORT, _PART):
            head, which = operands if operation == _PART else (slot, 0)
            _, rows, _, *keys_and_items = self.tree.operations[head]
            column = 2 * rows + which // rows * rows
            return min(map(self.bound, keys_and_items[column : column + rows]))
        if operation == CONSTANT:
            return 0 if operands[0] == 0 else -1
        if operation == SUBTRACT:
            one = self.tree.operations[operands[0]] == (CONSTANT, 1)
            return 0 if one and self._is_flag(operands[1]) else -1
        if operation == MOST:
            return max(map(self.bound, operands))
        if operation in (ADD, MULTIPLY, LEAST, DIVIDE, PICK):
            lowest = min(map(self.bound, operands[2:] if operation == PICK else operands))
            return min(lowest, 0) if operation == DIVIDE else lowest
        return -1

    def _is_flag(self, slot: int) -> bool:
        """Whether a slot is 0 or 1."""
        operation, *operands = self.tree.operations[slot] or (-1,)
        if operation in (LEAST, MOST):
            return all(map(self._is_flag, operands))
        return operation in (LESS, EQUAL, ALL_SAME)

    def of(self, number: Any) -> int:
        """The slot of a number; one of Python's own is a constant."""
        if isinstance(number, _Number):
            if number.trace is not self:
                raise Untraceable("a number of another trace")
            return number.slot
        if type(number) is int:
            found = self.constants.get(number)
            if found is not None:
                return found
        value = bits_of(number) if isinstance(number, float) else int(number)
        if value not in _WORD:
            raise Untraceable("a number beyond 64 bits")
        found = self.slot(CONSTANT, value)
        if type(number) is int:
            self.constants[number] = found
        return found

    def guard(self, asks: int, a: int, b: int, answer: bool) -> bool:
        """Note that the answer decided something."""
        key = asks, a, b
        if a != b and key not in self.decided:
            if len(self.guards) > 1024:
                raise Untraceable("too many decisions")
            self.decided[key] = answer
            self.guards.append((*key, answer))
        return answer

    def close(self) -> None:
        """Its numbers are Python's own from now on. What refers to them goes now, rather than when
        garbage is collected."""
        self.closed = True
        self.made_of.clear()
        self.inputs.clear()

    def make(self, what: int, numbers: Sequence[Any]) -> None:
        """Note that something of these numbers is made before the call goes on."""
        self.made[what] = [self.of(number) for number in numbers]
        self.guards.append((MADE, what, len(numbers), True))

    def fix(self, slot: int, word: int) -> None:
        """Note that a number must have this value."""
        if slot in self.tree.of_addresses:
            raise Untraceable("the value of an address")
        self.guard(SAME, slot, self.slot(CONSTANT, word), True)


class _Number:
    """A number that remembers where it comes from. It is no int and no float, so that nothing takes
    its value without asking; and it has no hash, so that no cache keeps it. One that somebody has
    kept for all that is a number like any other when its trace is closed."""

    __slots__ = ("slot", "trace", "value")

    def __init__(self, trace: Trace, slot: int, value: Any) -> None:
        self.trace, self.slot, self.value = trace, slot, value

    def __repr__(self) -> str:
        return repr(self.fixed())

    def __hash__(self) -> int:
        if not self.trace.closed:
            raise TypeError("a number of a trace is no key")
        return hash(self.value)

    def _known(self, other: Any) -> tuple[Any, Any] | None:
        """Both values, where the trace is closed."""
        if not self.trace.closed:
            return None
        if isinstance(other, _Number) and not other.trace.closed:
            raise Untraceable("a number of another trace")
        return self.value, _value(other)

    def _with(self, does: int, other: Any, swapped: bool = False) -> Any:
        """What an operation gives."""
        raise NotImplementedError

    def _is(self, other: Any, asks: int, swapped: bool = False) -> Any:
        """What a comparison answers."""
        raise NotImplementedError

    def __add__(self, other: Any) -> Any:
        return self._with(ADD, other)

    def __sub__(self, other: Any) -> Any:
        return self._with(SUBTRACT, other)

    def __rsub__(self, other: Any) -> Any:
        return self._with(SUBTRACT, other, swapped=True)

    def __mul__(self, other: Any) -> Any:
        return self._with(MULTIPLY, other)

    __radd__, __rmul__ = __add__, __mul__

    def __lt__(self, other: Any) -> Any:
        return self._is(other, BELOW)

    def __gt__(self, other: Any) -> Any:
        return self._is(other, BELOW, swapped=True)

    def __eq__(self, other: Any) -> Any:
        return self._is(other, SAME)

    def __bool__(self) -> bool:
        return not self.__eq__(0)

    def fixed(self) -> Any:
        """Its value, which every call must have then."""
        if self.trace.closed:
            return self.value
        word = bits_of(self.value) if isinstance(self.value, float) else self.value
        self.trace.fix(self.slot, word)
        return self.value


class Int(_Number):
    """An integer of a trace."""

    __slots__ = ()

    def _with(self, does: int, other: Any, swapped: bool = False) -> Any:
        trace, kind, its = self.trace, type(other), other
        if trace.closed or (kind is not Int and kind is not int):
            return self._with_others(does, other, swapped)
        if kind is Int:
            slot, its = other.slot, other.value
            if other.trace is not trace:
                raise Untraceable("a number of another trace")
            if slot == self.slot and does in _OF_EQUALS:
                same = _OF_EQUALS[does]
                return self if same is None else same
        else:
            if 0 <= other <= 1 and (does, other, swapped) in _UNCHANGED:
                return self
            if does == MULTIPLY and not other:
                return 0
            if does in (LEAST, MOST, LESS):
                known = self._as_bounded(does, other, swapped)
                if known is not None:
                    return known
            slot = trace.of(other)
        key = (does, slot, self.slot) if swapped else (does, self.slot, slot)
        found = trace.made_of.get(key)
        if found is None:
            values = (its, self.value) if swapped else (self.value, its)
            found = Int(trace, trace.tree.slot(key), _INTEGERS[does](*values))
            trace.made_of[key] = found
        return found

    def _with_others(self, does: int, other: Any, swapped: bool) -> Any:
        """The same of a closed trace, or with what is no integer."""
        known = self._known(other)
        if known is not None:
            return _INTEGERS[does](*(known[::-1] if swapped else known))
        if isinstance(other, float):
            return self.as_float()._with(does, other, swapped)
        return self._with(does, int(other), swapped) if isinstance(other, int) else NotImplemented

    def _as_bounded(self, does: int, other: int, swapped: bool) -> Any:
        """What a number makes with Python's own, where its bound says that."""
        bound = self.trace.bound(self.slot)
        if bound < 0 or other > bound:
            return None
        if does == LESS:
            if swapped:
                return 1 if other < bound else None
            return 0
        return other if does == LEAST else self

    def __floordiv__(self, other: Any) -> Any:
        return self._with(DIVIDE, other)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._with(DIVIDE, other, swapped=True)

    def __mod__(self, other: Any) -> Any:
        return self._with(REMAINDER, other)

    def __rmod__(self, other: Any) -> Any:
        return self._with(REMAINDER, other, swapped=True)

    def __truediv__(self, other: Any) -> Any:
        return (self.value if self.trace.closed else self.as_float()) / other

    def __rtruediv__(self, other: Any) -> Any:
        return other / (self.value if self.trace.closed else self.as_float())

    def __neg__(self) -> Any:
        return 0 - self

    def __abs__(self) -> Any:
        if not self.trace.closed and self.trace.bound(self.slot) >= 0:
            return self
        return most(self, -self)

    def as_float(self) -> Any:
        if self.trace.closed:
            return float(self.value)
        if abs(self.value) >= 2**53:
            raise Untraceable("an integer that float64 does not hold")
        return Float(self.trace, self.trace.slot(TO_FLOAT, self.slot), float(self.value))

    @property
    def traced_view(self) -> Callable[..., View]:
        """The view of facts of which some are traced: `base.tensors.view` asks."""
        if self.trace.closed:
            raise AttributeError
        return TracedView

    def bit_length(self) -> Any:
        if self.trace.closed:
            return self.value.bit_length()
        return Int(self.trace, self.trace.slot(BITS, self.slot), self.value.bit_length())

    def _is(self, other: Any, asks: int, swapped: bool = False) -> Any:
        if not isinstance(other, (Int, int)):
            return self._as_float_is(other, asks, swapped)
        known = self._known(other)
        if known is not None:
            a, b = known[::-1] if swapped else known
            return a == b if asks == SAME else a < b
        its = other.value if isinstance(other, Int) else other
        a, b = (its, self.value) if swapped else (self.value, its)
        if isinstance(other, int):
            bound = self.trace.bound(self.slot)
            if bound >= 0 and other < bound + (asks == BELOW and not swapped):  # it is no question
                return swapped and asks == BELOW
        slots = self.slot, self.trace.of(other)
        if asks == SAME:  # either way round it is one question
            if isinstance(other, Int):
                slots = min(slots), max(slots)
            return self.trace.guard(SAME, *slots, a == b)
        return self.trace.guard(asks, *(slots[::-1] if swapped else slots), a < b)

    def _as_float_is(self, other: Any, asks: int, swapped: bool) -> Any:
        if not self.trace.closed or not isinstance(other, float):
            return NotImplemented
        a, b = (other, self.value) if swapped else (self.value, other)
        return a == b if asks == SAME else a < b

    def __le__(self, other: Any) -> Any:
        answer = self > other
        return answer if answer is NotImplemented else not answer

    def __ge__(self, other: Any) -> Any:
        answer = self < other
        return answer if answer is NotImplemented else not answer

    def __index__(self) -> int:
        found: int = self.fixed()
        return found

    __int__ = __index__

    def __float__(self) -> float:
        return float(self.__index__())


class Float(_Number):
    """A float64 of a trace. Beyond the four operations, comparing and rounding to float32 it is
    asked for its value."""

    __slots__ = ()

    def _with(self, does: int, other: Any, swapped: bool = False) -> Any:
        if isinstance(other, Int):
            other = other.as_float()
        elif isinstance(other, int):
            other = float(other)
        if not isinstance(other, (Float, float)):
            return NotImplemented
        does, known = _OF_FLOATS.get(does, does), self._known(other)
        if known is not None:
            return _FLOATS[does](*(known[::-1] if swapped else known))
        trace = self.trace
        values = self.value, other.value if isinstance(other, Float) else other
        slots = self.slot, trace.of(other)
        if swapped:
            values, slots = values[::-1], slots[::-1]
        return Float(trace, trace.slot(does, *slots), _FLOATS[does](*values))

    def __truediv__(self, other: Any) -> Any:
        return self._with(FLOAT_DIVIDE, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self._with(FLOAT_DIVIDE, other, swapped=True)

    def __neg__(self) -> Any:
        return -1.0 * self

    def narrowed(self, dtype: DType = FLOAT) -> Float:
        """The number of a shorter dtype that is nearest to it."""
        trace, to = self.trace, _NARROWED.index(dtype)
        assert not trace.closed
        return Float(trace, trace.slot(NARROW, self.slot, to), _nearest(self.value, to))

    def _is(self, other: Any, asks: int, swapped: bool = False) -> Any:
        asks = _ASKS_OF_FLOATS[asks]
        if isinstance(other, Int):
            other = other.as_float()
        elif isinstance(other, int):
            other = float(other)
        if not isinstance(other, (Float, float)):
            return NotImplemented
        known = self._known(other)
        if known is not None:
            a, b = known[::-1] if swapped else known
            return a == b if asks == FLOAT_SAME else a < b
        its = other.value if isinstance(other, Float) else other
        a, b = (its, self.value) if swapped else (self.value, its)
        slots = self.slot, self.trace.of(other)
        if asks == FLOAT_SAME:
            if self.slot == slots[1]:  # but for a NaN, which is not itself
                slots = self.slot, self.trace.of(math.nan)
            return self.trace.guard(asks, min(slots), max(slots), a == b)
        return self.trace.guard(asks, *(slots[::-1] if swapped else slots), a < b)

    def __le__(self, other: Any) -> Any:
        below = self < other
        return below if below is NotImplemented else below or self == other

    def __ge__(self, other: Any) -> Any:
        above = self > other
        return above if above is NotImplemented else above or self == other

    def __float__(self) -> float:
        found: float = self.fixed()
        return found


def as_word(number: Any) -> Any:
    """A number as a kernel takes it: a float by its bits; of a traced one its slot has these."""
    return bits_of(number) if isinstance(number, float) else number


def as_float(number: Any) -> Any:
    """A number as a float64."""
    if isinstance(number, Float):
        return number
    return number.as_float() if isinstance(number, Int) else float(number)


def is_traced(number: Any) -> bool:
    """Whether this is a number of a trace."""
    return isinstance(number, _Number)


def least(a: Any, b: Any) -> Any:
    """The smaller of two integers; of traced ones no decision, where `min` would be one."""
    return _chosen(LEAST, a, b)


def most(a: Any, b: Any) -> Any:
    """The larger one, likewise."""
    return _chosen(MOST, a, b)


def less(a: Any, b: Any) -> Any:
    """1 where an integer is below another, else 0: a value, where `<` would be a decision."""
    return _chosen(LESS, a, b)


def equal(a: Any, b: Any) -> Any:
    """1 where two integers are the same, else 0, likewise."""
    return _chosen(EQUAL, a, b)


def all_of(*conditions: Any) -> Any:
    """1 where all of these are 1."""
    return reduce(least, conditions)


def any_of(*conditions: Any) -> Any:
    """1 where one of these is."""
    return reduce(most, conditions)


def _chosen(does: int, a: Any, b: Any) -> Any:
    if isinstance(a, Int):
        return a._with(does, b)
    return b._with(does, a, swapped=True) if isinstance(b, Int) else _INTEGERS[does](a, b)


class WordTable:
    """Words by words, for traces to look up: what a kernel's address is, which is known when it has
    been made. Whoever reads it at the same time finds a word or nothing."""

    ROOM = 512

    def __init__(self) -> None:
        self.words = (ctypes.c_int64 * (2 * self.ROOM))()
        self.known: dict[int, int] = {}

    def find(self, key: Any, make: Callable[[int], int]) -> Any:
        """The word of a key, which is made where it is missing."""
        value: int = key.value if isinstance(key, Int) and not key.trace.closed else key
        word = self.known.get(value)
        if word is None:
            word = make(value)
            if len(self.known) == self.ROOM // 2:
                if value is key:
                    return word
                raise Untraceable("a full table")
            self.known[value] = word
            at = value % self.ROOM
            while self.words[2 * at]:
                at = (at + 1) % self.ROOM
            self.words[2 * at + 1] = word
            self.words[2 * at] = value + 1
        if value is key:
            return word
        key.trace.tree.tables.add(self)  # which lives as long as what was recorded
        place = key.trace.of(ctypes.addressof(self.words))
        return Int(key.trace, key.trace.slot(FOUND, key.slot, place), word)


def peek(number: Any) -> Any:
    """A number's value in this call, of which nobody else is told: for what a table answers."""
    return _value(number)


class Sizes(tuple[Any, ...]):
    """Traced sizes: to compare them is one question, not one for each."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (tuple, list)) and same(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def broadcast_with(self, shapes: Sequence[tuple[Any, ...]]) -> tuple[Any, ...] | None:
        """The shape that all of these broadcast to, or None: `base.tensors.broadcast` asks."""
        first, *others = shapes
        if all(len(one) == len(first) and are_same(one, first) for one in others):
            return first
        traced = next(one for one in self if isinstance(one, Int))
        flat = traced.trace.flat and len({*map(len, shapes)}) == 1
        if flat and all(shape == first for shape in others):
            return first
        found: list[Any] = []
        fits: Any = 1
        for position in range(1, 1 + max(map(len, shapes))):
            sizes = [one[-position] for one in shapes if position <= len(one)]
            size = reduce(most, sizes)
            for one in sizes if len(sizes) > 2 else [reduce(least, sizes)]:
                fits = all_of(fits, any_of(equal(one, 1), equal(one, size)))
            found.append(size)
        return Sizes(reversed(found)) if fits else None


def pick(which: Any, items: Sequence[Any]) -> Any:
    """An item by its number, which may be traced."""
    if not isinstance(which, Int):
        return items[which]
    trace = which.trace
    slots = [*map(trace.of, items)]
    if slots.count(slots[0]) == len(slots):
        return items[0]
    slot = trace.slot(PICK, which.slot, len(items), *slots)
    return Int(trace, slot, _value(items[which.value]))


def are_same(some: Sequence[Any], others: Sequence[Any]) -> bool:
    """Whether numbers are the same in every call."""
    pairs = zip(some, others, strict=True)
    return all(
        one.slot == other.slot if isinstance(one, Int) and isinstance(other, Int)
        else not is_traced(one) and not is_traced(other) and one == other
        for one, other in pairs
    )  # fmt: skip


def same(some: Sequence[Any], others: Sequence[Any]) -> bool:
    """Whether all numbers of one sequence are those of the other: of traced ones a single guard."""
    if len(some) != len(others):
        return False
    left, right = [], []
    for one, other in zip(some, others, strict=True):
        if isinstance(one, Int) or isinstance(other, Int):
            left.append(one)
            right.append(other)
        elif one != other:
            return False
    return are_same(left, right) or bool(all_same(left, right))


def all_same(left: Sequence[Any], right: Sequence[Any]) -> Any:
    """1 where all numbers of one sequence are those of the other, which has as many, else 0."""
    if not any(map(is_traced, (*left, *right))):
        return int([*left] == [*right])
    trace = next(one.trace for one in (*left, *right) if isinstance(one, Int))
    slot = trace.slot(ALL_SAME, len(left), *map(trace.of, (*left, *right)))
    return Int(trace, slot, int([*map(_value, left)] == [*map(_value, right)]))


def in_order(items: list[tuple[Any, ...]], key: Callable[[Any], tuple[Any, Any]]) -> list[Any]:
    """Tuples sorted by two keys, the largest first, equal ones as they came. Of traced numbers the
    order is no decision: what comes first is picked when it is known."""
    keys = [key(item) for item in items]
    traced = next((one for pair in keys for one in pair if isinstance(one, Int)), None)
    if traced is None:
        return [items[n] for n in _order(keys)]
    trace, count = traced.trace, len(items)
    if count > _MOST_SORTED:
        raise Untraceable("too much to sort")
    columns = [*zip(*items, strict=True)]
    order = _order([tuple(map(_value, pair)) for pair in keys])
    slots = [trace.of(one) for row in (*keys, *columns) for one in row]
    first = trace.slot(SORT, count, len(columns), *slots)
    return [
        tuple(
            Int(trace, first + k * count + place, _value(column[which]))
            for k, column in enumerate(columns)
        )
        for place, which in enumerate(order)
    ]


def _order(keys: Sequence[tuple[Any, ...]]) -> list[int]:
    return sorted(range(len(keys)), key=lambda n: keys[n], reverse=True)


def _value(number: Any) -> Any:
    return number.value if isinstance(number, _Number) else number


_numbers = count(1)


class Tree:
    """The traces of calls that differ in their inputs only, as one program."""

    def __init__(self, inputs: int, addresses: int = 0) -> None:
        """The last inputs are `addresses`: nothing may ask for their values."""
        self.inputs, self.number = inputs, next(_numbers)
        self.place = ctypes.c_void_p()  # of the words: they move
        self.of_addresses = {*range(inputs - addresses, inputs)}
        self.tables: set[WordTable] = set()
        self.positive = {*self.of_addresses}  # slots
        self.expressions: dict[tuple[int, ...], int] = {}
        self.operations: list[tuple[int, ...]] = [()] * inputs  # by slot
        self.words = array("i")  # as replay.h reads them
        self.filled: dict[int, Sequence[int]] = {}  # slots by the node that fills them
        self.hole = 0  # which word leads to what was added last
        self.leaves = 0
        # how often a call was not recorded, or in vain, since one was; how many more are not
        self.in_vain = self.resting = 0

    def slot(self, expression: tuple[int, ...]) -> int:
        found = self.expressions.get(expression)
        if found is None:
            if len(self.operations) >= _MOST_OPERATIONS:
                raise Untraceable("too much to compute")
            found = self.expressions[expression] = len(self.operations)
            self.operations.append(expression)
            operands = _slots(expression[0], expression[1:])
            if expression[0] == SORT:  # items by their columns, sorted
                fills = expression[1] * expression[2]
                self.operations += [(_PART, found, k) for k in range(1, fills)]
            if not self.of_addresses.isdisjoint(operands):
                self.of_addresses.update(self.filled_by(found))
            keeps = expression[0] in (ADD, MULTIPLY, LEAST, MOST)
            if keeps and self.positive.issuperset(operands):
                self.positive.add(found)
            if expression[0] == CONSTANT and expression[1] > 0:
                self.positive.add(found)
        return found

    def add(self, trace: Trace, results: Sequence[Any]) -> bool:
        """Put a trace into the tree, with what its calls result in. False where it does not belong
        there: the same inputs have led elsewhere before, or there is no room."""
        wanted = [trace.of(number) for number in results]
        path = _Path(self)
        at, hole = (0, -1) if self.words else (-1, -1)
        remaining = list(trace.guards)
        while at >= 0 and remaining:
            asks, a, b, answer = remaining[0]
            path.follow(self.filled[at])
            head, made = self.words[at : at + 3].tolist(), asks == MADE
            same = head == ([asks, a, b] if made else [asks, path.place(a), path.place(b)])
            if same and (not made or self._results(at, b) == [*map(path.place, trace.made[a])]):
                del remaining[0]
            elif answer and asks == head[0] == SAME and path.is_another_value(head, a, b):
                answer = False  # what is asked here, and by this one next
            else:
                return False
            hole = at + 3 + answer
            at = self.words[hole] or -1
        if at >= 0 or len(self.words) > MOST_WORDS:
            return False  # it is there, or asks on where this one has ended
        # a copy takes the place of what another thread may be reading
        before, self.words, filled = self.words, self.words[:], dict(self.filled)
        try:
            self.hole = max(hole, 0)
            for asks, a, b, answer in remaining:
                made = asks == MADE
                needs = trace.made[a] if made else (a, b)
                hole = self._append(hole, path, asks, needs, made and (a, b)) + 3 + answer
            self._append(hole, path, LEAF, wanted, (0, 0), len(wanted))
        except Untraceable:
            self.words, self.filled = before, filled
            return False
        self.place.value = self.words.buffer_info()[0]
        del before
        self.leaves += 1
        return True

    def _append(
        self,
        hole: int,
        path: _Path,
        asks: int,
        needs: Sequence[int],
        head: tuple[int, int] | bool,
        count: int = 0,
    ) -> int:
        """A node behind what there is: its head, what computes the slots that it needs, and of one
        that asks nothing, these."""
        begin, before = len(self.words), len(path.slots)
        if hole >= 0:
            self.words[hole] = begin
        instructions: list[int] = []
        for slot in needs:
            path.compute(slot, instructions)
        if len(path.slots) > MOST_SLOTS:
            raise Untraceable("too much to compute")
        places = [path.places[slot] for slot in needs]
        first, second = head if isinstance(head, tuple) else places
        self.words.extend([asks, first, second, 0, count, len(instructions), *instructions])
        if isinstance(head, tuple):
            self.words.extend(places)
        self.filled[begin] = path.slots[before:]
        return begin

    def filled_by(self, slot: int) -> range:
        """The slots that an operation fills."""
        operation, *operands = self.operations[slot]
        return range(slot, slot + (operands[0] * operands[1] if operation == SORT else 1))

    def _results(self, at: int, count: int) -> list[int]:
        """The places behind a node's instructions."""
        first = at + 6 + self.words[at + 5]
        return self.words[first : first + count].tolist()

    def _instructions(self, at: int) -> Iterator[tuple[int, int, list[int]]]:
        """What a node computes, where to, and of what."""
        words = self.words[at + 6 : at + 6 + self.words[at + 5]].tolist()
        at = 0
        while at < len(words):
            operation, place, *operands = words[at : at + 4]
            count = _length(operation, operands)
            yield operation, place, words[at + 2 : at + 2 + count]
            at += 2 + count

    def replay(
        self,
        inputs: Sequence[int | float],
        make: Callable[[int, list[int]], tuple[int, int]] | None = None,
    ) -> list[int | float] | None:
        """What calls with these inputs result in; None where no trace went their way. `make` is
        told what is to be made of which numbers, and says which input has which address then."""
        values: dict[int, Any] = dict(enumerate(inputs))
        at = 0
        while at or self.words:
            for operation, place, operands in self._instructions(at):
                found = _computed(operation, operands, values)
                if found is None:
                    return None
                values.update(enumerate(found, place))
            asks, a, b = self.words[at : at + 3]
            if asks == LEAF:
                return [values[slot] for slot in self._results(at, self.words[at + 4])]
            if asks == MADE:
                assert make is not None
                number, address = make(a, [values[slot] for slot in self._results(at, b)])
                values[number], answer = address, True
            else:
                answer = _answer(asks, values[a], values[b])
            at = self.words[at + 3 + answer]
            if not at:
                return None
        return None


class _Path:
    """Where the values of slots are along a path from the root: side by side, so that paths of
    large trees are walked in little memory."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.slots = [*range(tree.inputs)]  # by place
        self.places = dict(enumerate(self.slots))

    def follow(self, slots: Sequence[int]) -> None:
        """Fill the next places with these slots."""
        for slot in slots:
            self.places[slot] = len(self.slots)
            self.slots.append(slot)

    def place(self, slot: int) -> int:
        """Where a slot is, -1: nowhere."""
        found: int = self.places.get(slot, -1)
        return found

    def is_another_value(self, head: Sequence[int], slot: int, value: int) -> bool:
        """Whether a node of this head asks if a slot has another constant's value than this."""
        _, asked, other = head
        operations = self.tree.operations
        constants = operations[value][:1] == operations[self.slots[other]][:1] == (CONSTANT,)
        return asked == self.place(slot) and constants

    def compute(self, slot: int, found: list[int]) -> None:
        """Add instructions for a slot that is nowhere yet."""
        if slot in self.places:
            return
        operation, *operands = self.tree.operations[slot]
        if operation == _PART:
            self.compute(operands[0], found)
            return
        for operand in _slots(operation, operands):
            if operand not in self.places:
                self.compute(operand, found)
        found += (operation, len(self.slots), *self._encoded(operation, operands))
        self.follow((slot,) if operation != SORT else self.tree.filled_by(slot))

    def _encoded(self, operation: int, operands: list[int]) -> Sequence[int]:
        """Operands as words of 32 bits: slots by their places."""
        if operation == CONSTANT:
            low, high = operands[0] & 0xFFFFFFFF, operands[0] >> 32
            return low - (low >> 31 << 32), high
        its = [*map(self.places.get, operands)]
        if operation in (SORT, ALL_SAME):
            its[0] = operands[0]
            if operation == SORT:
                its[1] = operands[1]
        elif operation in (NARROW, PICK):
            its[1] = operands[1]
        return its  # type: ignore[return-value]


def _length(operation: int, operands: list[int]) -> int:
    """How many words an instruction's operands are."""
    if operation == SORT:
        return operands[0] * (2 + operands[1]) + 2
    if operation == ALL_SAME:
        return 2 * operands[0] + 1
    if operation in (BITS, TO_FLOAT):
        return 1
    return operands[1] + 2 if operation == PICK else 2


def _slots(operation: int, operands: Sequence[int]) -> Sequence[int]:
    """Those of an operation's operands that are slots."""
    if operation == CONSTANT:
        return ()
    if operation in (SORT, ALL_SAME):
        return operands[2 if operation == SORT else 1 :]
    if operation == NARROW:
        return operands[:1]
    return (operands[0], *operands[2:]) if operation == PICK else operands


def word_of(value: int | float) -> int:
    """A number as the word that holds it."""
    return bits_of(value) if isinstance(value, float) else value


def _real(value: int | float) -> float:
    return value if isinstance(value, float) else _float_of(value)


def _answer(asks: int, a: int | float, b: int | float) -> bool:
    if asks == SAME:
        return word_of(a) == word_of(b)
    if asks == BELOW:
        return a < b
    return _real(a) == _real(b) if asks == FLOAT_SAME else _real(a) < _real(b)


def _computed(operation: int, operands: list[int], values: dict[int, Any]) -> list[Any] | None:
    """What an operation fills its slots with; None where it has no result."""
    if operation == CONSTANT:
        return [(operands[0] & 0xFFFFFFFF) + (operands[1] << 32)]
    if operation == SORT:
        rows, given = operands[0], [values[slot] for slot in operands[2:]]
        order = _order([*zip(given[: 2 * rows : 2], given[1 : 2 * rows : 2], strict=True)])
        begins = range(2 * rows, len(given), rows)
        return [given[begin + which] for begin in begins for which in order]
    if operation == ALL_SAME:
        given = [values[slot] for slot in operands[1:]]
        return [int(given[: operands[0]] == given[operands[0] :])]
    if operation == PICK:
        return [values[operands[2 + values[operands[0]]]]]
    if operation == NARROW:
        return [_nearest(_real(values[operands[0]]), operands[1])]
    if operation == FOUND:
        table = (ctypes.c_int64 * (2 * WordTable.ROOM)).from_address(values[operands[1]])
        at = values[operands[0]] % WordTable.ROOM
        while table[2 * at] not in (0, values[operands[0]] + 1):
            at = (at + 1) % WordTable.ROOM
        return [table[2 * at + 1]] if table[2 * at] else None
    given = [values[slot] for slot in operands]
    if operation == BITS:
        return [given[0].bit_length()]
    if operation == TO_FLOAT:
        return [float(given[0])] if abs(given[0]) < 2**53 else None
    if operation in _FLOATS:
        return [_FLOATS[operation](*map(_real, given))]
    if operation in (DIVIDE, REMAINDER) and not given[1]:
        return None
    found = _INTEGERS[operation](*given)
    return [found] if found in _WORD else None


class TracedView(View):
    """A view whose sizes and strides are traced. Its bounds are worked out where they are asked
    for, without deciding."""

    __slots__ = ()

    def __init__(
        self,
        dtype: DType,
        shape: Sequence[Any],
        strides: Sequence[Any],
        offset: Any = 0,
        format: int = 2,
        storage_shape: Sequence[Any] = (),
    ) -> None:
        self.dtype, self.format, self.storage_shape = dtype, format, tuple(storage_shape)
        self.shape, self.strides, self.offset = Sizes(shape), tuple(strides), offset

    @property
    def numel(self) -> Any:  # type: ignore[override]
        return product_of(self.shape)

    @property
    def surely_contiguous(self) -> bool:
        """Whether elements follow each other in every call, so that nobody need ask."""
        return are_same(self.strides, contiguous_strides(self.shape))

    @property
    def low(self) -> Any:  # type: ignore[override]
        if self.surely_contiguous:
            return self.offset
        pairs = zip(self.shape, self.strides, strict=True)
        return sum((least(0, (size - 1) * stride) for size, stride in pairs), self.offset)

    @property
    def high(self) -> Any:  # type: ignore[override]
        if self.surely_contiguous:
            return self.offset + (self.numel - 1)
        pairs = zip(self.shape, self.strides, strict=True)
        return sum((most(0, (size - 1) * stride) for size, stride in pairs), self.offset)

    @property
    def first_byte(self) -> Any:  # type: ignore[override]
        return self.low * self.dtype.itemsize

    @property
    def end_byte(self) -> Any:  # type: ignore[override]
        return (self.high + 1) * self.dtype.itemsize

    @property
    def contiguous(self) -> bool:
        return same(self.strides, contiguous_strides(self.shape))

    @property
    def inside_storage(self) -> bool:
        """Whoever reads the call has seen to it: an array has its elements."""
        return True

    def seen(
        self, shape: Sequence[Any], strides: Sequence[Any], offset: Any, dtype: DType | None = None
    ) -> View:
        its = dtype or self.dtype, shape, strides, offset, self.format, self.storage_shape
        return TracedView(*its)


class TracedTensor(Tensor):
    """A tensor whose view and address are traced."""

    __slots__ = ()

    def __init__(self, view: View, address: Any, device: str, read_only: bool = False) -> None:
        self.view, self.address, self.device, self.read_only = view, address, device, read_only

    @property
    def first(self) -> Any:  # type: ignore[override]
        return self.address + self.view.first_byte

    @property
    def end(self) -> Any:  # type: ignore[override]
        return self.address + self.view.end_byte
