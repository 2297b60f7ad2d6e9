"""Operators that move elements, in new shapes: what their Python does with sizes is
written down once, and done again in C."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from test_new_layouts import LIBRARIES, drawn

from call_tables import open_only
from openaclnn import AclnnError, aclnn
from openaclnn.calls.functions import Caller
from openaclnn.ops import find


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
    known = fresh.table.learn
    roads: list[int] = []
    fresh.table.learn = lambda *given: (roads.append(number), known(*given))  # type: ignore
    road.table.take = road.table.learn = lambda *_: None  # type: ignore
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
    assert len([number for number in roads if number >= 75]) < 60, roads


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
