"""What values a node may take: intervals, found from the tree and from what functions promise.

A function promises by cases, such as "where y is at most 80, this lies between 2⁻¹¹⁶ and 1": what
depends on y twice is judged case by case. NaN is left out everywhere: None is an interval without
numbers. Rounding is left out too, so limits that are asked for must have room.

>>> from openaclnn.arithmetic.nodes import make
>>> ranges, y = Ranges(), make("load", "f32", value=0)
>>> ranges.promise({y: (0.0, 80.0)})
>>> ranges.of(y * y + 1.0), ranges.finite(y * y)
([(1.0, 6401.0)], True)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import product

from openaclnn.arithmetic.nodes import Node

Interval = tuple[float, float]
Case = Mapping[Node, Interval]
ANYTHING: Interval = (-math.inf, math.inf)
_MOST_CASES = 40


class Ranges:
    """Promises, and intervals that follow from them."""

    def __init__(self) -> None:
        self.cases: list[dict[Node, Interval]] = [{}]
        self.found: list[dict[Node, Interval | None]] = [{}]

    def promise(self, *cases: Case) -> None:
        """One of these cases holds, whatever holds of other promises."""
        if len(cases) * len(self.cases) > _MOST_CASES:
            keys = set.intersection(*(set(case) for case in cases))
            cases = ({key: _hull([case[key] for case in cases]) or ANYTHING for key in keys},)
        completed = [_with_origins(case) for case in cases]
        self.cases = [
            combined
            for before, new in product(self.cases, completed)
            if (combined := _combined(before, new)) is not None
        ]
        self.found = [dict(case) for case in self.cases]

    def of(self, node: Node) -> list[Interval]:
        """The interval of a node in every case in which it may be a number."""
        intervals = [self._in_case(node, known) for known in self.found]
        return [interval for interval in intervals if interval is not None]

    def within(self, node: Node, low: float, high: float) -> bool:
        """Whether a node, where it is a finite number, surely is between these."""
        return all((low <= a and b <= high) or _infinite(a, b) for a, b in self.of(node))

    def finite(self, node: Node) -> bool:
        """Whether a node, where it is a number, surely is no infinity."""
        return all(math.isfinite(a) and math.isfinite(b) for a, b in self.of(node))

    def smallest(self, node: Node, given: Node | None = None, above: float = 0.0) -> float:
        """What the magnitude of a node is at least, where another one lies above a limit."""
        ends = []
        for known in self.found:
            interval = self._in_case(node, known)
            limit = self._in_case(given, known) if given is not None else None
            if interval is not None and (limit is None or limit[1] > above):
                ends.append(max(interval[0], -interval[1], 0.0))
        return min(ends, default=math.inf)

    def down_from(self, node: Node) -> Interval:
        """Where a node lies that was multiplied by something between 0 and 1."""
        low, high = _hull(self.of(node)) or ANYTHING
        return min(low, 0.0), max(high, 0.0)

    def _in_case(self, node: Node, known: dict[Node, Interval | None]) -> Interval | None:
        if node not in known:
            known[node] = self._follow(node, known)
        return known[node]

    def _follow(self, node: Node, known: dict[Node, Interval | None]) -> Interval | None:
        if node.op == "const":
            return None if math.isnan(node.value) else (node.value, node.value)
        if node.op not in _FOLLOW or node.type[0] != "f":
            return ANYTHING
        given = node.args[1:] if node.op == "select" else node.args
        args = [self._in_case(arg, known) for arg in given]
        if node.op == "select":
            return _hull(args)
        if None in args:
            return None
        return _FOLLOW[node.op](*(arg for arg in args if arg is not None))


def _with_origins(case: Case) -> dict[Node, Interval]:
    """What is known of |x| or -x is known of x."""
    known = dict(case)
    for node, (low, high) in case.items():
        while node.op in ("abs", "neg"):
            low, high = (-high, high) if node.op == "abs" else (-high, -low)
            node = node.args[0]
            known.setdefault(node, (low, high))
    return known


def _combined(
    first: Mapping[Node, Interval], second: Mapping[Node, Interval]
) -> dict[Node, Interval] | None:
    """Both cases at once; None where they exclude each other."""
    result = dict(first)
    for node, (low, high) in second.items():
        a, b = first.get(node, ANYTHING)
        result[node] = max(a, low), min(b, high)
        if result[node][0] > result[node][1]:
            return None
    return result


def _infinite(low: float, high: float) -> bool:
    return low == high and math.isinf(low)


def _hull(intervals: Sequence[Interval | None]) -> Interval | None:
    numbers = [interval for interval in intervals if interval is not None]
    return (min(a for a, _ in numbers), max(b for _, b in numbers)) if numbers else None


def _ends(operation: Callable[[float, float], float], a: Interval, b: Interval) -> Interval | None:
    """From the results at the ends; one that is NaN stands between results that may be anything,
    unless there is nothing but ends."""
    results = [operation(x, y) for x in a for y in b]
    if not any(map(math.isnan, results)):
        return min(results), max(results)
    return None if a[0] == a[1] and b[0] == b[1] else ANYTHING


def _add(a: Interval, b: Interval) -> Interval | None:
    low, high = a[0] + b[0], a[1] + b[1]
    if math.isnan(low) and math.isnan(high):
        return None
    return (-math.inf if math.isnan(low) else low), (math.inf if math.isnan(high) else high)


def _multiply(a: Interval, b: Interval) -> Interval | None:
    if (0.0, 0.0) in (a, b):  # or NaN
        return 0.0, 0.0
    return _ends(lambda x, y: x * y, a, b)


def _divide(a: Interval, b: Interval) -> Interval | None:
    return ANYTHING if b[0] <= 0 <= b[1] else _ends(lambda x, y: x / y, a, b)


def _negative(a: Interval) -> Interval:
    return -a[1], -a[0]


def _magnitude(a: Interval) -> Interval:
    return max(a[0], -a[1], 0.0), max(-a[0], a[1])


def _root(a: Interval) -> Interval | None:
    return None if a[1] < 0 else (math.sqrt(max(a[0], 0.0)), math.sqrt(max(a[1], 0.0)))


def _fused(a: Interval, b: Interval, c: Interval) -> Interval | None:
    both = _multiply(a, b)
    return None if both is None else _add(both, c)


_FOLLOW: dict[str, Callable[..., Interval | None]] = {
    "add": _add,
    "sub": lambda a, b: _add(a, _negative(b)),
    "mul": _multiply,
    "div": _divide,
    "quotient": _divide,
    "fma": _fused,
    "neg": _negative,
    "abs": _magnitude,
    "sqrt": _root,
    "root": _root,
    "widen": lambda a: a,
    "narrow": lambda a: a,
    "select": lambda yes, no: _hull([yes, no]),
}
