"""Operands that no cache holds are walked in another order: the same bits on every layout."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
import pytest

import openaclnn
from openaclnn.base.tensors import contiguous_strides
from openaclnn.calls import two_phase
from openaclnn.calls.arrays import as_tensor
from openaclnn.engines.cpu import fastest, large_tiling, launch
from openaclnn.engines.cpu.access import LONGEST, TILE
from openaclnn.engines.cpu.kernel import ELEMENT, IN_ROW, Step
from openaclnn.engines.cpu.transpose import BLOCK
from openaclnn.ops import find
from openaclnn.plan.loop import nest_over
from walks import in_turn

DTYPES = ["float32", "float16", "int8", "float64"]
WAYS = ("lengthen", "shorten", "cut_blocks", "run_along")
SHAPES = [
    (50, 3, 700), (700, 3, 50), (7, 31, 5, 40), (40, 31, 7), (3, 5, 9, 11, 30), (300, 9, 10),
    (64, 200), (600, 64), (17, 1000), (3, 70, 90), (90, 70, 3), (40, 60, 2), (70, 2, 80), (9, 900),
    (8, 70, 130), (5, 8, 300), (120, 150, 6), (20, 60, 24), (33, 9, 49), (150, 260, 5),
    (40, 300, 12), (2, 30, 40, 11), (30, 90, 4, 20), (40, 24, 3, 33),
]  # fmt: skip


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """No cache holds anything, and no call is known from before; how loops were cut."""
    monkeypatch.setattr(launch, "last_cache", lambda: 0)
    monkeypatch.setattr(two_phase, "phase_one", cache(two_phase.PhaseOne))
    monkeypatch.setattr(large_tiling, "_UNIT", 1024)
    monkeypatch.setattr(large_tiling, "KEPT", 16)
    monkeypatch.setattr(large_tiling, "_FEW_LINES", 16)
    found = set[str]()

    def note(name: str) -> None:
        way = getattr(large_tiling.FarTiling, name)

        def noted(tiling: Any, *given: Any) -> Any:
            taken = way(tiling, *given)
            if tiling.far or name == "shorten":
                found.add(name)
            return taken

        monkeypatch.setattr(large_tiling.FarTiling, name, noted)

    for name in WAYS:
        note(name)
    two_phase._ready.clear()  # prepared calls remember their kernel
    yield found
    two_phase._ready.clear()


def laid(chance: random.Random, values: np.ndarray) -> np.ndarray:
    """Values in some layout: permuted, turned round, a slice of more."""
    order = chance.sample(range(values.ndim), values.ndim)
    steps = [chance.choice((1, 1, 1, 2)) for _ in order]
    left_out = [chance.choice((0, 0, 3)) for _ in order]
    more = [
        size * step + extra for size, step, extra in zip(values.shape, steps, left_out, strict=True)
    ]
    stored = np.full([more[dim] for dim in order], 77, values.dtype)
    shown = stored.transpose(np.argsort(order))
    for dim, (size, step) in enumerate(zip(values.shape, steps, strict=True)):
        shown = shown[(slice(None),) * dim + (slice(0, size * step, step),)]
    shown = shown[tuple(slice(None, None, chance.choice((1, 1, 1, -1))) for _ in order)]
    shown[...] = values
    return shown


@pytest.mark.parametrize("dtype", DTYPES)
def test_any_layout(ways: set[str], dtype: str) -> None:
    chance, draw = random.Random(dtype), np.random.default_rng(3)
    for shape in in_turn(SHAPES, DTYPES.index(dtype), 2):
        first, second = draw.integers(-9, 9, (2, *shape)).astype(dtype)
        for _ in in_turn(range(12), 0, 2):
            repeated = [chance.choice((size, size, size, size, 1)) for size in shape]
            other = second[tuple(slice(size) for size in repeated)]
            out = laid(chance, np.zeros(shape, dtype))
            around = out.base.copy() if out.base is not None else out
            openaclnn.mul(laid(chance, first), laid(chance, other), out=out)
            wanted = first * other
            assert np.array_equal(out, wanted), (shape, out.strides)
            if out.base is not None:  # what lies between is as it was
                out[...] = 0
                assert np.array_equal(out.base, around)
    assert ways >= set(WAYS) - {"shorten"}


@pytest.mark.parametrize("dtype", DTYPES)
def test_an_input_with_a_line_for_each_element(ways: set[str], dtype: str) -> None:
    first, second = np.random.default_rng(4).integers(-9, 9, (2, 12, 40, 4, 50)).astype(dtype)
    turned, apart = (
        np.ascontiguousarray(values.transpose(order)).transpose(np.argsort(order))
        for values, order in ((first, (0, 3, 2, 1)), (second, (1, 3, 0, 2)))
    )
    assert np.array_equal(openaclnn.mul(turned, apart), first * second)
    assert "shorten" in ways or np.dtype(dtype).itemsize == 1


@pytest.mark.parametrize("places", range(1, 17))
def test_parts_of_transposes(ways: set[str], places: int) -> None:
    """So many rows of a tile, in elements of every size."""
    for dtype in ("int8", "float16", "float32", "float64"):
        stored = np.arange(333 * places).reshape(333, places) % 97
        turned = np.repeat(stored.astype(dtype)[None], 5, 0).swapaxes(1, 2)
        assert np.array_equal(openaclnn.neg(turned), -turned)


@pytest.mark.parametrize("cut", [large_tiling.FarTiling, large_tiling.TurnedTiling])
def test_what_is_turned_has_room(cut: type[large_tiling.FarTiling]) -> None:
    """Tiles of any loop: the buffer for one that is transposed, whole blocks of it, and the table
    of its lines."""
    chance, turned = random.Random(5), 0
    for _ in range(2000):
        sizes = [chance.choice((2, 3, 5, 8, 9, 16, 17, 31, 33, 64, 100, 257)) for _ in range(5)]
        sizes = sizes[: chance.randint(2, 5)]
        strides = []
        for _ in range(2):
            order, strides_of = chance.sample(range(len(sizes)), len(sizes)), [0] * len(sizes)
            step = 1
            for dim in order:
                strides_of[dim] = step
                step *= sizes[dim]
            strides.append(tuple(strides_of))
        shape = tuple(sizes)
        loop = nest_over(shape, [*strides, contiguous_strides(shape)], (0, 0, 0))
        tiling = cut(loop, (4, 4, 4))
        if "t" not in tiling.patterns:
            continue
        turned += 1
        column, row, columns, rows = tiling.tile
        in_blocks = [-(-side // BLOCK) * BLOCK for side in (column * columns, row * rows)]
        assert math.prod(in_blocks) <= TILE * TILE, (loop, tiling.tile)
        assert max(in_blocks) <= LONGEST, (loop, tiling.tile)
    assert turned > 500


def ways_of(*tensors: np.ndarray) -> Iterator[tuple[Step, Callable[[], None]]]:
    """Every way of a product: what its kernel takes at once, and a call that goes it."""
    executor = two_phase.phase_one(find("mul")).prepare([*map(as_tensor, tensors)])
    executor.make_repeatable()
    launcher, run = executor.ready.launcher, partial(executor.run, 0, 0, None)
    if isinstance(launcher, launch._OneKernel):
        yield launcher.one.at_once, run
        return
    for tried in launcher.fastest.ways:
        launcher.fastest.ways = [tried]
        yield tried.way.at_once, run


@pytest.mark.parametrize(
    ("dtype", "columns"), [(d, n) for n in range(2, 18) for d in in_turn(DTYPES, n // 2, 2)]
)
def test_every_way_of_short_rows(ways: set[str], dtype: str, columns: int) -> None:
    """The same bits by tiles, by rows and element after element, in place, too."""
    chance, draw, taken = random.Random(columns), np.random.default_rng(5), set[Step]()
    for shape in ((70, columns), (9, 31, columns), (4, 5, 13, columns), (3, 2, 4, 5, columns)):
        first, second = draw.integers(-9, 9, (2, *shape)).astype(dtype)
        for step, in_place in product((1, 2), (False, True)):
            around = np.full((*shape[:-1], step * columns + 3), 77, dtype)
            out = around[..., : step * columns : step]
            given, other = (laid(chance, values) for values in (first, second))
            for at_once, run in ways_of(out if in_place else given, other, out):
                out[...] = first
                run()
                assert np.array_equal(out, first * second), (shape, in_place, at_once)
                taken.add(at_once)
            out[...] = 77  # what lies between is as it was
            assert (around == 77).all()
    assert {step.row for step in taken} <= {0, columns}
    assert any(step.row for step in taken) or columns > IN_ROW
    light = np.dtype(dtype).itemsize > 2
    assert (ELEMENT in taken) == (light and columns <= 8)
    assert all(step.lanes <= columns for step in taken if step.row) or not light


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("columns", [17, 23, 35, 63])
def test_rows_in_vectors_without_a_mask(ways: set[str], dtype: str, columns: int) -> None:
    """The last one begins inside the one before: what is read is not written yet, in place, too."""
    draw = np.random.default_rng(columns)
    first, second = draw.integers(-9, 9, (2, 13, 31, columns)).astype(dtype)
    other = np.ascontiguousarray(second.transpose(1, 0, 2)).transpose(1, 0, 2)
    for in_place in (False, True):
        around, taken = np.full((13, 31, columns + 5), 77, dtype), set[int]()
        out = around[..., 2 : columns + 2]
        for at_once, run in ways_of(out if in_place else first.copy(), other, out):
            out[...] = first
            run()
            assert np.array_equal(out, first * second), (in_place, at_once)
            taken.add(at_once.row)
        out[...] = 77
        assert (around == 77).all()
        assert taken == {0, columns}


def test_a_few_short_rows_are_a_group() -> None:
    shape = 9, 18, 54, 3, 2
    loop = nest_over(shape, [(1, 9, 162, 8748, 26244), contiguous_strides(shape)], (0, 0))
    tiling = large_tiling.RowTiling(loop, (4, 4))
    assert [size for size, _ in tiling.axes] == [2, 3, 1, 54]
    assert tiling.units == 9 * 18


@pytest.mark.parametrize("faster", [0, 1])
def test_calls_find_out_the_faster_way(
    ways: set[str], monkeypatch: pytest.MonkeyPatch, faster: int
) -> None:
    """Each way has its turns, all to the same bits; then the one that took less time stays."""
    values = np.arange(120 * 300 * 20, dtype=np.float32).reshape(120, 300, 20)
    first, second = values, np.ascontiguousarray(values.transpose(2, 1, 0)).transpose(2, 1, 0)
    phase = two_phase.phase_one(find("mul"))
    out = np.empty_like(values)
    executor = phase.prepare([*map(as_tensor, (first, second, out))])
    executor.make_repeatable()
    launcher = executor.ready.launcher
    assert isinstance(launcher, launch._InSomeWay)
    assert launcher.trying
    assert executor.compiled() is None
    clock, ran = [0.0], list[bool]()
    monkeypatch.setattr(fastest, "perf_counter", lambda: clock[0])
    run = launch._Elementwise.run

    def timed(way: launch._Elementwise, *given: Any) -> None:
        which = type(way.tiling) is large_tiling.RowTiling
        ran.append(which)
        clock[0] += 1.0 if which == faster else 1.5
        run(way, *given)

    monkeypatch.setattr(launch._Elementwise, "run", timed)
    for _ in range(8):
        out[:] = 0
        executor.run(0, 0, None)
        assert np.array_equal(out, first * second)
    assert [*map(int, ran)] == [0, 0, 1, 0, 1] + [faster] * 3
    assert not launcher.trying
    assert launcher.fastest.left is not None
    assert launcher.fastest.left.streaming or executor.compiled() is not None


class _Way:
    """One that takes so long."""

    def __init__(self, times: list[float], clock: list[float], ran: list[int], name: int) -> None:
        self.times, self.clock, self.ran, self.name = times, clock, ran, name

    def pack(self, addresses: Sequence[int], workspace: int = 0) -> bytes:
        return b""

    def run(self, block: bytes, stream: int | None = None) -> None:
        self.clock[0] += self.times.pop(0)
        self.ran.append(self.name)


@pytest.mark.parametrize(
    ("times", "order"),
    [
        ([[9, 1], [2.1]], [0, 0, 1, 0]),  # the first call does not count
        ([[1, 1, 1], [1.9, 1.9]], [0, 0, 1, 0, 1, 0]),
        ([[1, 1.1, 1.1, 1.1], [1.9, 1.1, 1.0]], [0, 0, 1, 0, 1, 0, 1, 1]),  # the least counts
        ([[1, 3, 3], [1, 1], [1.1, 1.1, 1.1]], [0, 0, 1, 2, 1, 2, 1, 2, 1]),
    ],
)
def test_slow_ways_are_given_up(
    monkeypatch: pytest.MonkeyPatch, times: list[list[float]], order: list[int]
) -> None:
    clock, ran, made = [0.0], list[int](), list[int]()
    monkeypatch.setattr(fastest, "perf_counter", lambda: clock[0])

    def make(number: int) -> _Way:
        made.append(number)
        return _Way([*times[number], *[times[number][-1]] * 9], clock, ran, number)

    call = fastest.Fastest(make(0), *(partial(make, k) for k in range(1, len(times))))
    for number in range(len(order)):
        call.run(())
        assert set(made) == {0, *ran}, "a way is made when its turn comes"
        assert len(made) == len(set(made)), number
    assert ran == order
