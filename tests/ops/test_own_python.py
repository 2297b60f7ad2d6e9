"""Operators whose Python does what it likes with sizes and counts: the compiled call cache computes
what their Python says, or leaves the call to it."""

from __future__ import annotations

import functools
import math
import random
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import torch

from call_tables import open_only
from openaclnn import AclnnError
from openaclnn.base.bounded import Bounded
from openaclnn.base.dtypes import FLOAT
from openaclnn.base.records import dataclass
from openaclnn.base.trace import Trace, Tree, Untraceable
from openaclnn.calls.functions import Caller
from openaclnn.engines import Launcher
from openaclnn.engines.cpu import routines
from openaclnn.engines.cpu.code import LoopCode
from openaclnn.engines.cpu.routines.rows import RowCode, RowRunner
from openaclnn.engines.plain import PlainLauncher
from openaclnn.plan import RoutinePass
from openaclnn.spec.call import Call
from openaclnn.spec.families import FLOATS, unary
from openaclnn.spec.formula import Expr, described
from openaclnn.spec.host import Integer
from openaclnn.spec.moves import move, moving, seen
from openaclnn.spec.op import Attr, Op
from openaclnn.spec.routine import Routine
from openaclnn.spec.rules.rule import Rule, said
from openaclnn.spec.steps import Part, Step, parts


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    open_only("compiled")


def entrance(op: Op) -> Callable[..., Any]:
    """The function that Python users call, with call caches of its own."""
    entered: dict[str, Any] = {}
    Caller(op).enter_by(entered, "call")
    call: Callable[..., Any] = entered["call"]
    return call


def plain(n: Any) -> Any:
    return -(-n // 2)


@functools.cache
def cached(n: Any) -> Any:
    return -(-n // 2)


def remembered_by(key: Callable[[Any], Any]) -> Callable[[Any], Any]:
    known: dict[Any, Any] = {}

    def half(n: Any) -> Any:
        if key(n) not in known:
            known[key(n)] = -(-n // 2)
        return known[key(n)]

    return half


def searched() -> Callable[[Any], Any]:
    known: list[tuple[Any, Any]] = []

    def half(n: Any) -> Any:
        for size, found in known:
            if size == n:
                return found
        known.append((n, -(-n // 2)))
        return known[-1][1]

    return half


def counted(n: Any) -> Any:
    found = 0
    while 2 * found < n:
        found += 1
    return found


def tabulated(n: Any) -> Any:
    return [-(-k // 2) for k in range(200)][n]


def rooted(n: Any) -> Any:
    return math.isqrt((n + 1) * (n + 1) // 4)


HALVES: dict[str, Callable[[], Callable[[Any], Any]]] = {
    "plain": lambda: plain,
    "functools.cache": lambda: cached,
    "a dictionary": lambda: remembered_by(lambda n: n),
    "a dictionary by text": lambda: remembered_by(str),
    "a list that is searched": searched,
    "a loop": lambda: counted,
    "a table": lambda: tabulated,
    "a square root": lambda: rooted,
}


def halved(half: Callable[[Any], Any]) -> Op:
    """Every second element along the last dimension."""

    def shape_of(sizes: tuple[int, ...]) -> tuple[int, ...]:
        return *sizes[:-1], half(sizes[-1])

    def steps(call: Call, self: Part, out: Part) -> list[Step]:
        *others, last = self.view.strides
        view = seen(self.view, shape_of(self.view.shape), (*others, 2 * last))
        return [move(self, view, out, out.view)]

    return moving("halved", "", "", (), (), lambda call: shape_of(call["self"].shape), steps, "")


@pytest.mark.parametrize("library", ["numpy", "torch"])
@pytest.mark.parametrize("half", HALVES)
def test_helpers_that_remember(half: str, library: str) -> None:
    """A number of an earlier recording, kept by a helper, was taken for one of the call's own:
    other shapes, then writes beside the output."""
    call, chance = entrance(halved(HALVES[half]())), random.Random(3)
    make = torch.from_numpy if library == "torch" else np.asarray
    for _ in range(120):
        shape = [chance.randint(1, 6) for _ in range(chance.randint(1, 4))]
        array = np.arange(1.0, 1 + math.prod(shape), dtype=np.float32).reshape(shape)
        found = np.asarray(call(make(array), None))
        assert found.shape == array[..., ::2].shape, shape  # before elements that are not there
        assert np.array_equal(found, array[..., ::2]), shape


def scaled(number: Callable[[Any], Any]) -> Op:
    """A number that an operator makes of the element count, times the input."""

    def formula(self: Expr, k: Expr) -> Expr:
        return self * k

    def uniforms(attributes: Mapping[str, Any], numel: Any, promoted: Any) -> dict[str, Any]:
        return {"k": number(numel)}

    (op,) = unary("scaled", formula, FLOATS, "", "", "", uniforms=uniforms)
    return op


NUMBERS: dict[str, Callable[[Any], Any]] = {
    "12 elements": lambda n: 2.0 if n == 12 else 3.0,
    "one element": lambda n: 5.0 if n == 1 else 0.5,
    "at most one": lambda n: 5.0 if n <= 1 else 0.5,
    "12 in a list": lambda n: 2.0 if n in (12, 13) else 3.0,
    "a cache": functools.cache(lambda n: 1.0 * n),
    "text": lambda n: float(len(str(n))),
    "a root": lambda n: 1 / math.sqrt(n),
    "a loop": lambda n: float(sum(1 for _ in range(n))),
    "its own": lambda n: n,
    "two over it": lambda n: 2 / n,
    "its inverse": lambda n: 1 / max(n, 1),
    "its inverse but for 12": lambda n: 1.0 if n == 12 else 1 / max(n, 1),
    "a constant": lambda n: 0.25,
}


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_that_depend_on_the_count(number: str) -> None:
    """Four counts were tried to guess how a number depends on them; 1 and 12 were none of these."""
    makes, chance = NUMBERS[number], random.Random(number)
    call = entrance(scaled(makes))
    for turn in range(80):
        size = 12 if turn % 20 == 19 else 1 if turn % 20 == 9 else chance.randint(2, 40)
        found = call(np.ones(size, np.float32), None)
        assert np.array_equal(found, np.full(size, makes(size), np.float32)), size


def test_a_number_of_another_trace() -> None:
    """It is refused while either is recorded, no key, and its value afterwards."""
    first, second = Trace(Tree(1), [7]), Trace(Tree(1), [2])
    (a,), (b,) = first.inputs, second.inputs
    for asks in (lambda: a + b, lambda: a < b, lambda: first.of(b)):
        with pytest.raises(Untraceable, match="another trace"):
            asks()
    with pytest.raises(TypeError, match="no key"):
        hash(a)
    first.closed = True
    guards = len(first.guards)
    assert [a + 1, 1 - a, a // 2, a % 4, a == 7, a < 3, hash(a)] == [8, -6, 3, 3, True, False, 7]
    assert [a / 2, a < 7.5, a.bit_length(), abs(a), -a] == [3.5, True, 3, 7, -7]
    assert [*range(a)] == [*range(7)]
    assert len(first.guards) == guards
    for asks in (lambda: a + b, lambda: b + a, lambda: second.of(a)):
        with pytest.raises(Untraceable, match="another trace"):
            asks()


def test_a_full_cache_keeps_its_keys() -> None:
    """It started again when a known key was written."""
    known: Bounded[int, str] = Bounded(2)
    known[1], known[2] = "a", "b"
    known[2] = "c"
    assert known == {1: "a", 2: "c"}
    known[3] = "d"
    assert known == {3: "d"}


def test_the_reference_launches_as_others_do() -> None:
    """The reference's had no `cut`."""
    demanded = {name for name in vars(Launcher) if not name.startswith("_")}
    assert demanded <= {*dir(PlainLauncher)}


@dataclass(frozen=True)
class EvenSizes(Rule):
    """A rule that nobody has written before: it asks for values of sizes."""

    def complaint(self, call: Call) -> str | None:
        odd = [size for size in call["self"].shape if size % 2]
        return f"self has sizes {odd}; expected even ones" if odd else None

    def sentence(self, op: Op, language: str) -> str:
        return said(language, "the sizes of self are even", "self 的各维大小为偶数")


class Percent(Integer):
    """An attribute kind of its own, which C passes as an int64_t."""

    def from_python(self, value: Any) -> int:
        found = super().from_python(value)
        if found not in range(101):
            raise ValueError(f"{found} is no share of a hundred")
        return found


@dataclass(frozen=True)
class Reversal(Routine):
    """A kind of pass of its own: rows from their ends."""


def reversal_runner(one: RoutinePass) -> RowRunner:
    def body(code: LoopCode, row: RowCode) -> None:
        with code.loop(0, row.count) as k:
            code.store(code.load(row.place(0, row.count - 1 - k), "float"), row.place(1, k))

    return RowRunner(one.views, len(one.views[0].shape) - 1, body)


def test_new_rules_attributes_and_passes_need_no_c(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python alone says what they are; the compiled call cache keeps to it."""

    def formula(self: Expr, share: Expr) -> Expr:
        return self * share

    percent = Attr("share", "a share", "比例", Percent(64))
    (op,) = unary(
        "of_a_hundred", formula, FLOATS, "", "", "", attributes=(percent,), rules=(EvenSizes(),)
    )
    call, chance = entrance(op), random.Random(11)
    for _ in range(150):
        shape = [chance.randint(1, 4) for _ in range(chance.randint(1, 3))]
        share = chance.randint(0, 3)
        array = np.ones(shape, np.float32)
        if any(size % 2 for size in shape):
            with pytest.raises(AclnnError, match="expected even ones"):
                call(array, share, None)
        else:
            assert np.array_equal(call(array, share, None), share * array)
    with pytest.raises((AclnnError, ValueError), match="share"):
        call(np.ones(2, np.float32), 101, None)

    module = ModuleType("openaclnn.engines.cpu.routines.reversal_of_a_test")
    module.runner = reversal_runner  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(routines._TABLE, "Reversal", "reversal_of_a_test")

    def steps(call: Call) -> list[Step]:
        known = parts(call)
        return [Step({"self": known["self"]}, (known["out"],), routine=Reversal())]

    (reversed_rows,) = unary(
        "reversed_rows", lambda self: described("self backwards", self), (FLOAT,), "", "", "",
        cast=False, steps=steps,
    )  # fmt: skip
    call = entrance(reversed_rows)
    for _ in range(60):
        array = np.random.default_rng(3).normal(size=(chance.randint(1, 5), chance.randint(1, 9)))
        rows = array.astype(np.float32)[:: chance.choice((1, 2))]
        assert np.array_equal(call(rows, None), rows[:, ::-1])
