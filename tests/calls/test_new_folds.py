"""Calls that fold, or have several passes, in new layouts: they mean what any call
means, and take no longer path for it."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
import torch
from test_new_layouts import LIBRARIES, drawn, shape_of

import openaclnn
from doors import library, open_only
from openaclnn import AclnnError, aclnn
from openaclnn.base.dtypes import DT_UNDEFINED
from openaclnn.calls.door import Door
from openaclnn.calls.form_in_c import Reckoned, compiled_passes
from openaclnn.calls.functions import Caller, call
from openaclnn.calls.shortcut import VariedShortcut
from openaclnn.engines import Cut
from openaclnn.engines.cuda.fold import fold_tiles
from openaclnn.engines.cuda.tiling import few_dims
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
    """As the full path has them, which is taken for new forms and kernels."""
    chance, fresh = random.Random(name), Caller(find(name))
    entered: dict[str, Any] = {}
    fresh.enter_by(entered, "call")
    known = fresh.shortcut.learn
    road = Caller(find(name))
    roads: list[Any] = []
    fresh.shortcut.learn = lambda *given: (roads.append(given), known(*given))  # type: ignore
    road.shortcut.take = road.shortcut.learn = lambda *_: None  # type: ignore
    for number in range(80):
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
    for number in range(60):
        array = drawn(chance, shape_of(chance) if number % 15 else (3, 20_000 + number))
        wanted = openaclnn.reduce_sum(array, dims=-1)
        out = np.empty((*wanted.shape, 2), np.float32)[..., 1]
        given = LIBRARIES[library](array), [-1], False, DT_UNDEFINED, LIBRARIES[library](out)
        status, size, executor = aclnn.aclnnReduceSumGetWorkspaceSize(*given)
        assert (status, size) == (0, 0)
        laid += executor._laid is not None
        assert aclnn.aclnnReduceSum(0, 0, executor) == 0
        assert np.ascontiguousarray(out).tobytes() == wanted.tobytes(), (array.shape, number)
        wrong = LIBRARIES[library](np.empty((*wanted.shape, 1), np.float32))
        assert aclnn.aclnnReduceSumGetWorkspaceSize(*given[:-1], wrong)[0] == 161002
    assert laid > 30


@ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_size_t, *[ctypes.c_uint] * 7, *[ctypes.c_void_p] * 3
)  # fmt: skip
def copies(rank: int, *given: Any) -> int:
    """What stands for the driver's function: a kernel that copies float32 over so many dimensions,
    element by element."""
    pointers = (ctypes.c_void_p * (3 + 3 * rank)).from_address(given[-2])
    source, target, _, *words = [ctypes.c_int64.from_address(pointer).value for pointer in pointers]
    offsets = [(0, 0)]
    for size, *strides in zip(*[iter(words)] * 3, strict=True):
        offsets = [
            (a + k * strides[0], b + k * strides[1]) for a, b in offsets for k in range(size)
        ]
    for a, b in offsets:
        ctypes.memmove(target + 4 * b, source + 4 * a, 4)
    return 0


def test_lists_on_a_gpu() -> None:
    """A concatenation is launched without Python as its plan says, one kernel after the other."""
    chance, op = random.Random(8), find("cat")
    x = torch.ones(2, 3, 4, 5)
    results, executor = call(op, {"tensors": [x, x]}, {"dim": 0}, [None])
    flat = VariedShortcut(op, 0)._of(2)
    cuts = [
        Cut(
            key=("", rank if rank > 1 else 0),
            function=rank,
            below=1 << 20,
            tile=64,
            launch=ctypes.cast(copies, ctypes.c_void_p).value,
            parameters=((1, 0), *[(2 + k, 0) for k in range(3 * rank)]),
        )
        for rank in (1, 2, 4)
    ]
    known, plan = Reckoned(), executor.ready.plan
    *_, told = (known.forms(executor.call(), plan, (cut, cut), True, False) for cut in cuts)
    assert told is not None
    forms, sums = told
    door = Door(library(), flat)
    door.learn_passes((x, x, 0, None), results[0], executor.ready, forms, cuts[0], lambda: 0, sums)
    refused: list[Any] = []
    enter = door.entrance(lambda *given: refused.append(given))
    for _ in range(40):
        shape = [chance.randint(1, 5) for _ in range(4)]
        parts = [drawn(chance, (chance.randint(1, 6), *shape[1:])) for _ in range(2)]
        found = enter(*map(torch.from_numpy, parts), 0, None)
        assert np.array_equal(found, np.concatenate(parts)), [part.shape for part in parts]
    assert refused == []


@ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_size_t, *[ctypes.c_uint] * 7, *[ctypes.c_void_p] * 3
)  # fmt: skip
def adds(rank: int, programs: int, *given: Any) -> int:
    """The same for a kernel that adds float32 up, of whose layout it gets all numbers."""
    pointers = (ctypes.c_void_p * (6 + 6 * rank)).from_address(given[-2])
    source, target, *words = [ctypes.c_int64.from_address(pointer).value for pointer in pointers]
    offsets: list[list[tuple[int, int]]] = []
    for half in (words[: 2 + 3 * rank], words[2 + 3 * rank :]):
        offsets.append([(0, 0)])
        for size, *strides in zip(*[iter(half[2:])] * 3, strict=True):
            offsets[-1] = [
                (a + k * strides[0], b + k * strides[1])
                for k in range(size)
                for a, b in offsets[-1]
            ]
        assert len(offsets[-1]) == half[1]
    assert programs == words[0]
    for a, b in offsets[0]:
        terms = [ctypes.c_float.from_address(source + 4 * (a + c)).value for c, _ in offsets[1]]
        ctypes.c_float.from_address(target + 4 * b).value = sum(terms)
    return 0


def test_folds_on_a_gpu() -> None:
    """Sums of few elements are launched without Python once their kernel was met, of which there
    is one for so many terms and dimensions."""
    chance, op = random.Random(8), find("reduce_sum")
    door, learnt = Door(library(), op), []

    def learn(x: torch.Tensor, dims: Any, *rest: Any) -> Any:
        (result,), executor = call(
            op, {"self": x}, {"dims": dims, "keep_dims": False, "dtype": DT_UNDEFINED}, [None]
        )
        (one,) = executor.ready.plan.passes
        few = few_dims(one.loop, one.fold.folded)  # type: ignore[union-attr]
        rank = len(few[0])  # type: ignore[index]
        cut = Cut(
            key=("", 0),
            function=rank,
            below=0,
            tile=0,
            launch=ctypes.cast(adds, ctypes.c_void_p).value,
            parameters=tuple((k, 0) for k in range(4 + 6 * rank)),
            tiles=fold_tiles(one),
        )
        forms = compiled_passes(executor.ready, 2, executor.attributes(), [[cut]], False)
        assert forms is not None
        given = x, dims, *rest
        door.learn_passes(given, result, executor.ready, forms, cut, lambda: 0)
        learnt.append((len(few[1]), rank))  # type: ignore[index]
        return result

    enter = door.entrance(learn)
    for _ in range(60):
        shape = [chance.randint(1, 7) for _ in range(chance.randint(1, 5))]
        array = np.round(drawn(chance, tuple(shape)) * 8)  # so that no sum is rounded
        dims = (0, -1) if len(shape) > 1 and chance.random() < 0.5 else (0,)
        found = enter(torch.from_numpy(array), dims, False, DT_UNDEFINED, None)
        assert np.array_equal(found, array.sum(dims)), array.shape
    assert len(learnt) < 15


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
