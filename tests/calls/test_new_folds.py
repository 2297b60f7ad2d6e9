"""Calls that fold, or have several passes, in new layouts: they mean what any call
means, and take no longer path for it."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from test_new_layouts import LIBRARIES, drawn, shape_of

import openaclnn
from call_tables import open_only
from openaclnn import AclnnError, aclnn
from openaclnn.base.dtypes import DT_UNDEFINED
from openaclnn.calls.functions import Caller
from openaclnn.ops import find


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    open_only("compiled")


# arguments by their places, but for the output
FOLDS: dict[str, Callable[[Any, int], tuple[Any, ...]]] = {
    "softmax": lambda x, dim: (x, dim),
    "softmax_backward": lambda x, dim: (x, x, dim),
    "reduce_sum": lambda x, dim: (x, [dim], False, DT_UNDEFINED),
    "mean": lambda x, dim: (x, [] if dim else 0, False, DT_UNDEFINED),
    "amax": lambda x, dim: (x, (dim,), True),
    "mse_loss": lambda x, dim: (x, x, "sum" if dim else "mean"),
    "smooth_l1_loss_backward": lambda x, dim: (x, x, x * 0.5, "mean", 1.0),  # over their number
    "cat": lambda x, dim: ([x, x[:1] if dim == 0 else x, x], dim),
    "glu": lambda x, dim: (x[: len(x) & -2] if dim == 0 else x[..., : x.shape[-1] & -2], dim),
}


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", FOLDS)
def test_folds_and_lists(name: str, library: str) -> None:
    """As the full path has them, which is taken for what no recording knows."""
    chance, fresh = random.Random(name), Caller(find(name))
    entered: dict[str, Any] = {}
    fresh.enter_by(entered, "call")
    known = fresh.table.learn
    road = Caller(find(name))
    roads: list[Any] = []
    fresh.table.learn = lambda *given: (roads.append(given), known(*given))  # type: ignore
    road.table.take = road.table.learn = lambda *_: None  # type: ignore
    for number in range(240):
        if number == 160:
            roads.clear()
        shape = shape_of(chance) if number % 15 else (chance.randint(2, 5), 20_000 + number)
        array, dim, out = drawn(chance, shape), chance.choice((0, -1)), None
        wanted = road.call(*FOLDS[name](array, dim), None)
        if number % 3 == 0:
            out = LIBRARIES[library](np.empty((*wanted.shape, 2), wanted.dtype)[..., 1])
        found = np.asarray(entered["call"](*FOLDS[name](LIBRARIES[library](array), dim), out))
        assert found.shape == wanted.shape
        assert np.ascontiguousarray(found).tobytes() == wanted.tobytes(), (shape, dim, number)
    assert len(roads) < 50


@pytest.mark.parametrize("library", LIBRARIES)
def test_both_phases(library: str) -> None:
    """Folds of one pass are laid in C; a wrong shape is refused, though the form is known."""
    chance, laid = random.Random(library), 0
    for number in range(150):
        array = drawn(chance, shape_of(chance) if number % 15 else (3, 20_000 + number))
        wanted = openaclnn.reduce_sum(array, dims=-1)
        out = np.empty((*wanted.shape, 2), np.float32)[..., 1]
        given = LIBRARIES[library](array), [-1], False, DT_UNDEFINED, LIBRARIES[library](out)
        status, size, executor = aclnn.aclnnReduceSumGetWorkspaceSize(*given)
        assert (status, size) == (0, 0)
        laid += executor._laid is not None
        assert aclnn.aclnnReduceSum(0, 0, executor) == 0
        assert np.ascontiguousarray(out).tobytes() == wanted.tobytes(), (array.shape, number)
        wrong = LIBRARIES[library](np.empty((*wanted.shape, 2), np.float32))
        assert aclnn.aclnnReduceSumGetWorkspaceSize(*given[:-1], wrong)[0] == 161002
    assert laid > 60


WRONG_FOLDS = {
    "softmax": [((3, 4), 2), ((3,), 1), ((3, 4), -3)],
    "mean": [((3, 4), (2,), False, DT_UNDEFINED), ((3, 4), (0, -2), False, DT_UNDEFINED)],
    "amax": [((3, 0), (1,), True), ((3, 4), (0, 0), True)],
}


@pytest.mark.parametrize("name", WRONG_FOLDS)
def test_refused_folds(name: str) -> None:
    """The form is known from another shape: what is wrong is said as by the full path."""
    for shape, *attributes in WRONG_FOLDS[name]:
        for rank in (4, 5):
            right = np.ones((2,) * rank, np.float32)
            with suppress(AclnnError):
                Caller(find(name)).call(right, *attributes, None)
                getattr(openaclnn, name).__globals__["_call"](right, *attributes, None)
        with pytest.raises(AclnnError) as caught:
            getattr(openaclnn, name).__globals__["_call"](np.ones(shape, "f4"), *attributes, None)
        assert caught.value.message.startswith(f"{find(name).c_name}: ")
    x = np.ones((2, 3, 4), np.float32)
    right = openaclnn.softmax(x, 1)
    for out in (np.empty((2, 3), "f4"), np.empty((2, 4, 3), "f4")):
        with pytest.raises(AclnnError, match="out has shape"):
            openaclnn.softmax(x, 1, out=out)
    assert openaclnn.softmax(x, 1, out=x).tobytes() == right.tobytes()  # though it is read
    for dims in ([1], (1,), 1):
        openaclnn.mean(x, dim=dims)
    with pytest.raises(AclnnError, match="dim is"):
        openaclnn.mean(x, dim=(1.0,))
