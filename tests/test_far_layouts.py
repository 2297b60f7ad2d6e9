"""Operands that no cache holds are walked in another order: the same bits on every layout."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import openaclnn
from openaclnn.calls import two_phase
from openaclnn.engines.cpu import far_tiling, launch

WAYS = ("lengthen", "cut_blocks", "run_along")
SHAPES = [
    (50, 3, 700), (700, 3, 50), (7, 31, 5, 40), (40, 31, 7), (3, 5, 9, 11, 30), (300, 9, 10),
    (64, 200), (600, 64), (17, 1000), (3, 70, 90), (90, 70, 3), (40, 60, 2), (70, 2, 80), (9, 900),
    (8, 70, 130), (5, 8, 300), (120, 150, 6), (20, 60, 24), (33, 9, 49),
]  # fmt: skip


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """No cache holds anything, and no call is known from before; how loops were cut."""
    monkeypatch.setattr(launch, "last_cache", lambda: 0)
    monkeypatch.setattr(two_phase, "phase_one", cache(two_phase.PhaseOne))
    monkeypatch.setattr(far_tiling, "_UNIT", 1024)
    monkeypatch.setattr(far_tiling, "KEPT", 16)
    found = set[str]()

    def note(name: str) -> None:
        way = getattr(far_tiling.FarTiling, name)

        def noted(tiling: Any, *given: Any) -> None:
            way(tiling, *given)
            if tiling.far:
                found.add(name)

        monkeypatch.setattr(far_tiling.FarTiling, name, noted)

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


@pytest.mark.parametrize("dtype", ["float32", "float16", "int8", "float64"])
def test_any_layout(ways: set[str], dtype: str) -> None:
    chance, draw = random.Random(dtype), np.random.default_rng(3)
    for shape in SHAPES:
        first, second = draw.integers(-9, 9, (2, *shape)).astype(dtype)
        for _ in range(6):
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
    assert ways == set(WAYS)


@pytest.mark.parametrize("places", range(1, 17))
def test_parts_of_transposes(ways: set[str], places: int) -> None:
    """So many rows of a tile, in elements of every size."""
    for dtype in ("int8", "float16", "float32", "float64"):
        stored = np.arange(333 * places).reshape(333, places) % 97
        turned = np.repeat(stored.astype(dtype)[None], 5, 0).swapaxes(1, 2)
        assert np.array_equal(openaclnn.neg(turned), -turned)
