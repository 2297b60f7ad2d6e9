"""Operators that move elements, in new shapes: what their Python does with sizes is
written down once, and done again in C."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from test_new_layouts import LIBRARIES, drawn

from doors import open_only
from openaclnn import AclnnError, aclnn
from openaclnn.base import settings
from openaclnn.base.dtypes import FLOAT
from openaclnn.base.tensors import Tensor, view
from openaclnn.calls.functions import Caller
from openaclnn.calls.reckoning import Reckoning, reckons, sums_of
from openaclnn.ops import find
from openaclnn.plan import make_plan
from openaclnn.spec.call import Call
from openaclnn.spec.op import Attr


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    open_only("compiled")


def ends(chance: random.Random, size: int) -> tuple[int, int]:
    """Where a slice begins and ends, from either end, perhaps beyond it."""
    return chance.randint(-size - 2, size - 1), chance.choice((size, chance.randint(1, 2 * size)))


# attributes of a call on an array, by their places
MOVES: dict[str, Callable[[Any, Any], tuple[Any, ...]]] = {
    "slice": lambda x, chance: (1, *ends(chance, x.shape[1]), chance.randint(1, 3)),
    "permute": lambda x, chance: ([2, 0, -2],),
    "repeat": lambda x, chance: ([chance.randint(1, 3) for _ in range(4)],),
    "repeat_interleave_int_with_dim": lambda x, chance: (3, 1, 3 * x.shape[1]),
    "tril": lambda x, chance: (chance.choice((0, 0, 1)),),
    "constant_pad_nd": lambda x, chance: ([chance.randint(0, 3) for _ in range(4)], 7),
    "reflection_pad1d": lambda x, chance: ([1, chance.randint(0, x.shape[2] - 1)],),
    "im2col": lambda x, chance: ([2, 1], [1, 1], [1, 0], [1, 1]),
}


def shape_for(chance: random.Random, number: int) -> tuple[int, ...]:
    """Three sizes; now and then so many elements that threads share them."""
    if number % 15:
        return tuple(chance.choice((2, 3, 4, 5, 8, 9, 17, 33)) for _ in range(3))
    return 3, 50 + number, 300


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", MOVES)
def test_as_the_road_has_them(name: str, library: str) -> None:
    chance, fresh, road = random.Random(name), Caller(find(name)), Caller(find(name))
    entered: dict[str, Any] = {}
    fresh.enter_by(entered, "call")
    known = fresh.shortcut.learn
    roads: list[int] = []
    fresh.shortcut.learn = lambda *given: (roads.append(number), known(*given))  # type: ignore
    road.shortcut.take = road.shortcut.learn = lambda *_: None  # type: ignore
    for number in range(150):
        array, out = drawn(chance, shape_for(chance, number)), None
        attributes = MOVES[name](array, chance)
        wanted = road.call(array, *attributes, None)
        around = np.full((*wanted.shape, 2), 5, wanted.dtype)
        if number % 3 == 0:
            out = LIBRARIES[library](around[..., 1])
        found = np.asarray(entered["call"](LIBRARIES[library](array), *attributes, out))
        assert found.shape == wanted.shape
        assert np.ascontiguousarray(found).tobytes() == wanted.tobytes(), (array.shape, attributes)
        assert (around[..., 0] == 5).all()  # what lies between an output's elements is left alone
    assert len([number for number in roads if number >= 75]) < 25, roads


@pytest.mark.parametrize("library", LIBRARIES)
def test_in_place(library: str) -> None:
    chance, fresh = random.Random(library), Caller(find("inplace_tril"))
    entered: dict[str, Any] = {}
    fresh.enter_by(entered, "call")
    for number in range(60):
        array = np.ascontiguousarray(drawn(chance, shape_for(chance, number)))
        wanted = np.tril(array)
        given = LIBRARIES[library](array)
        assert entered["call"](given, 0, None) is given
        assert np.array_equal(array, wanted)


@pytest.mark.parametrize("library", LIBRARIES)
def test_both_phases(library: str) -> None:
    """A call of one pass is laid in C; one that a rule forbids is refused, though others like it
    are known."""
    chance, laid, make = random.Random(library), 0, LIBRARIES[library]
    for number in range(60):
        array = drawn(chance, shape_for(chance, number))
        wanted = array[:, 1:4:2]
        out = np.zeros((*wanted.shape, 2), np.float32)[..., 1]
        given = make(array), 1, 1, 4, 2
        status, size, executor = aclnn.aclnnSliceGetWorkspaceSize(*given, make(out))
        assert (status, size) == (0, 0)
        laid += executor._laid is not None
        assert aclnn.aclnnSlice(0, 0, executor) == 0
        assert np.array_equal(out, wanted)
        wrong = make(np.zeros((*wanted.shape, 1), np.float32))
        assert aclnn.aclnnSliceGetWorkspaceSize(*given, wrong)[0] == 161002
        assert aclnn.aclnnSliceGetWorkspaceSize(*given[:-1], 0, make(out))[0] == 161002
    assert laid > 30


@pytest.mark.parametrize("library", LIBRARIES)
def test_an_output_that_overlaps(library: str) -> None:
    """What is written over what is still to be read, or over itself, is not C's to see to."""
    fresh = Caller(find("constant_pad_nd"))
    entered: dict[str, Any] = {}
    fresh.enter_by(entered, "call")
    make = LIBRARIES[library]
    for size in range(3, 30):
        memory = np.arange(4.0 * size, dtype=np.float32)
        array, out = memory[:size], memory[size - 2 : 2 * size]
        wanted = np.concatenate([[7], array, [7]]).astype(np.float32)
        entered["call"](make(array), [1, 1], 7, make(out))
        assert np.array_equal(out, wanted)
        onto = np.lib.stride_tricks.as_strided(memory, (size + 2,), (0,), writeable=True)
        with pytest.raises(AclnnError, match="two indices"):
            entered["call"](make(array), [1, 1], 7, make(onto))


def test_numbers_that_remember() -> None:
    """What is asked of a number is a check, and nothing takes its value without one."""
    reckoning = Reckoning()
    a, b = reckoning.given(7), reckoning.given(-3)
    assert [(a + b).value, (a - 1).value, (1 - a).value, (2 * a).value] == [4, 6, -6, 14]
    assert [(a // b).value, (a % b).value, (9 // a).value, (9 % a).value] == [-3, -2, 1, 2]
    assert [(-a).value, abs(b).value, sum([a, b]).value, min(a, b).value] == [-7, 3, 4, -3]
    assert (a > b, a >= b, a < b, a <= b, a == b, a != b) == (True, True, False, False, False, True)
    for asked in (range, float, repr, bool, lambda n: [0] * 9 and "0123456789"[n]):
        known = Reckoning()
        number = known.given(7)
        asked(number)
        assert len(known.lines) == 3, asked  # itself, a constant, and the check
    for odd in (lambda: a / b, lambda: a < 0.5, lambda: a**2):
        with pytest.raises(TypeError):
            odd()


def moved(name: str, shape: tuple[int, ...], **attributes: Any) -> tuple[Call, Any]:
    """A call of a move, and its plan."""
    op, chosen = find(name), settings.current()
    given = {a.name: a.plain for a in op.arguments if isinstance(a, Attr)} | attributes
    x = Tensor(view(FLOAT, shape), 1 << 12)
    (result,) = Call(op, {"self": x, **given, "out": None}, chosen.product).results
    out = Tensor(view(FLOAT, result.shape), 1 << 30)
    call = Call(op, {"self": x, **given, "out": out}, chosen.product)
    return call, make_plan(call, chosen.level)


def test_one_list_of_sums_for_many_calls() -> None:
    """Calls that go one way have the same; others have others."""
    start, end, step = {"start": 2}, {"end": 9}, {"step": 3}
    calls = [
        moved("slice", shape, **{"dim": 1, **start, **end, **step, **other})
        for shape, other in (
            ((5, 20), {}), ((7, 30), {"start": 4, "end": 17, "step": 2}), ((7, 30), {"dim": 0}),
            ((5, 20), {"start": -3, "end": 19}),
        )
    ]  # fmt: skip
    first, alike, elsewhere, backwards = (sums_of(*call, True, [0]) for call in calls)
    assert first == alike
    assert None not in (first, elsewhere, backwards)
    assert len({first, elsewhere, backwards}) == 3


def test_what_cannot_be_written_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """An operator that does something else with numbers is Python's."""
    call, plan = moved("slice", (5, 20), dim=1, start=2, end=9)
    steps = call.op.steps

    def fails(start: Any) -> bool:
        raise RuntimeError(f"{type(start)} came")

    for asks in (lambda start: start / 2, lambda start: start + (1 << 40) in range(1 << 62), fails):
        odd = lambda call, asks=asks: steps(call) if asks(call["start"]) else ()  # noqa: E731
        monkeypatch.setitem(call.op.__dict__, "steps", odd)
        assert reckons(plan)
        assert sums_of(call, plan, True, [0]) is None
