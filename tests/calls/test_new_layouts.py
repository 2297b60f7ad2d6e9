"""Calls that differ from earlier ones in sizes, strides and numbers only: nothing is printed or
compiled for them, what is kept of them is bounded, and they mean what any call means."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
import torch

import openaclnn
from call_tables import both_tables
from openaclnn import AclnnError, aclnn
from openaclnn.base import tensors
from openaclnn.calls import two_phase
from openaclnn.calls.replay.table import CallTable
from openaclnn.engines.cpu import compile, launch

each_door = both_tables()

OPERATORS = ("silu_backward", "leaky_relu_backward", "mul", "eq_tensor", "inplace_add", "abs")
LIBRARIES = {"numpy": lambda array: array, "torch": torch.from_numpy}
every_library = pytest.mark.parametrize("library", LIBRARIES)


def drawn(chance: random.Random, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers in some layout: permuted, turned round, a slice of more."""
    order = chance.sample(range(len(shape)), len(shape))
    steps = [chance.choice((1, 1, 2)) for _ in shape]
    whole = np.random.default_rng(chance.randrange(1 << 30)).normal(
        0, 3, [shape[dim] * steps[dim] for dim in order]
    )
    array = whole.astype(np.float32).transpose([order.index(dim) for dim in range(len(shape))])
    return array[tuple(slice(None, None, step) for step in steps)]


def shape_of(chance: random.Random) -> tuple[int, ...]:
    return tuple(chance.randint(1, 7) for _ in range(chance.randint(1, 6)))


def arguments(name: str, chance: random.Random, shape: tuple[int, ...]) -> list[np.ndarray]:
    first = drawn(chance, shape)
    if name == "abs":
        return [first]
    if name in ("mul", "eq_tensor", "inplace_add") and chance.random() < 0.4:  # broadcast
        shape = tuple(chance.choice((1, size)) for size in shape)[chance.randrange(len(shape)) :]
    return [first, drawn(chance, shape)]


def call(name: str, given: list[Any], **others: Any) -> Any:
    return getattr(openaclnn, name)(*given, **others)


@every_library
@pytest.mark.parametrize("name", OPERATORS)
def test_values(name: str, library: str) -> None:
    """As of contiguous arrays."""
    chance = random.Random(name)
    for number in range(150):
        shape = shape_of(chance)
        given = arguments(name, chance, shape)
        wanted = call(name, [np.ascontiguousarray(array) for array in given])
        there = [LIBRARIES[library](array) for array in given]
        others = {}
        if name in ("mul", "abs") and number % 2:  # into what lies anyhow, too
            others["out"] = LIBRARIES[library](drawn(chance, wanted.shape))
        found = np.asarray(call(name, there, **others))
        assert found.shape == wanted.shape
        assert np.ascontiguousarray(found).tobytes() == wanted.tobytes(), (shape, number)


@every_library
@pytest.mark.parametrize("columns", [2, 3, 4])
@pytest.mark.parametrize("dtype", ["float32", "float16", "int8"])
def test_down_the_rows(columns: int, dtype: str, library: str) -> None:
    """Of few columns, which only the output has side by side or nobody has."""
    chance = np.random.default_rng(columns)
    for rows in (32, 33, 700, 2048, 3001):
        stored = chance.integers(-9, 9, (2, 3, columns, rows)).astype(dtype)
        first, second = stored.swapaxes(2, 3)
        wanted = openaclnn.mul(first.copy(), second.copy())
        for step in (1, 2):
            out = np.zeros((3, rows, columns * step), dtype)
            for given in ((first, second), (first, second[:1]), (first[1], second)):
                shown = out[..., ::step]
                openaclnn.mul(*map(LIBRARIES[library], given), out=LIBRARIES[library](shown))
                assert (shown == given[0] * given[1]).all()
            openaclnn.mul(first, second, out=out[..., ::step])
            assert (out[..., ::step] == wanted).all()
            assert not out[..., 1::step].any() or step == 1


def test_both_phases() -> None:
    """In any layout as functions have it; a wrong shape is refused, though the form is known."""
    chance = random.Random(5)
    for number in range(120):
        shape = shape_of(chance)
        given = arguments("mul", chance, shape)
        wanted = openaclnn.mul(*given)
        out = drawn(chance, wanted.shape if number % 9 else (*wanted.shape, 2))
        status, size, executor = aclnn.aclnnMulGetWorkspaceSize(*given, out)
        assert (status, size) == (0 if number % 9 else 161002, 0)
        if executor is not None:
            assert aclnn.aclnnMul(0, 0, executor) == 0
            assert np.ascontiguousarray(out).tobytes() == np.ascontiguousarray(wanted).tobytes()


def laid(size: int) -> tuple[Any, np.ndarray, np.ndarray]:
    """An executor of a call in a new layout, with what it reads and writes."""
    x = np.arange(3.0 * size, dtype=np.float32).reshape(size, 3).T
    out = np.zeros_like(x)
    status, workspace, executor = aclnn.aclnnMulGetWorkspaceSize(x, x, out)
    assert (status, workspace) == (0, 0)
    return executor, x, out


@every_library
def test_what_is_laid_is_an_executor(library: str, each_door: str) -> None:
    for size in range(2, 8):
        executor, *_ = laid(size)
    assert (executor._laid is not None) == (each_door == "compiled")
    assert aclnn.aclnnMul(0, 0, executor) == 0
    assert aclnn.aclnnMul(0, 0, executor) == 561000  # it has run
    assert "has run already" in aclnn.aclGetRecentErrMsg()
    executor, x, out = laid(9)
    assert aclnn.aclnnSiluBackward(0, 0, executor) == 161002
    assert aclnn.aclnnMul(0, 16, executor) == 161001  # a workspace of no address
    assert aclnn.aclSetAclOpExecutorRepeatable(executor) == 0
    for _ in range(2):
        out[...] = 0
        assert aclnn.aclnnMul(0, 0, executor) == 0
        assert (out == x * x).all()
    executor, x, out = laid(10)
    other = np.full_like(x, 2)
    assert aclnn.aclSetInputTensorAddr(executor, 0, other, other.ctypes.data) == 0
    assert aclnn.aclnnMul(0, 0, executor) == 0
    assert (out == 2 * x).all()
    executor, *_ = laid(11)
    assert aclnn.aclDestroyAclOpExecutor(executor) == 0
    assert aclnn.aclnnMul(0, 0, executor) == 561000
    assert "was destroyed" in aclnn.aclGetRecentErrMsg()
    there = [LIBRARIES[library](np.ones((4, size), np.float32)) for size in (12, 12, 13)]
    assert aclnn.aclnnMulGetWorkspaceSize(*there)[0] == 161002


@pytest.fixture
def texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The modules that are asked for: each was printed."""
    asked: list[str] = []
    known = compile.function

    def function(ir: str, name: str) -> int:
        asked.append(ir)
        return known(ir, name)

    monkeypatch.setattr(compile, "function", function)
    return asked


@pytest.mark.parametrize("name", ["softmax", "reduce_sum", "amax"])
def test_no_fold_is_printed_for_them(name: str, texts: list[str]) -> None:
    dim = {{"softmax": "dim", "reduce_sum": "dims", "amax": "dim"}[name]: -1}
    for columns in range(70, 90):
        getattr(openaclnn, name)(np.ones((3, columns), np.float32), **dim)
        if columns == 70:
            texts.clear()
    assert texts == []


@pytest.mark.parametrize("entry", ["function", "phases"])
def test_nothing_is_printed_for_them(entry: str, texts: list[str]) -> None:
    chance = random.Random(entry)
    plain = [
        [np.ones((a, b), np.float32).T if turned else np.ones((b, a), np.float32) for turned in way]
        for a in range(40, 54)
        for b in range(70, 78)
        for way in ((False, False), (True, False))
    ]
    chance.shuffle(plain)

    def run(given: list[np.ndarray], slope: float) -> None:
        if entry == "function":
            openaclnn.leaky_relu_backward(*given, negative_slope=slope)
            return
        out = np.empty_like(given[1])
        status, size, executor = aclnn.aclnnLeakyReluBackwardGetWorkspaceSize(
            *given, slope, False, out
        )
        assert (status, size) == (0, 0)
        assert aclnn.aclnnLeakyReluBackward(0, 0, executor) == 0

    for given in plain[:20]:
        run(given, 0.5)
    texts.clear()
    for number, given in enumerate(plain[20:]):
        run(given, 0.01 + number / 1000)
    assert texts == []


def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(two_phase._ready, "most", 16)
    monkeypatch.setattr(tensors._interned, "most", 16)
    two_phase._ready.clear()
    tensors._interned.clear()
    for size in range(1, 200):
        x = np.ones((size, 3), np.float32)
        openaclnn.silu_backward(x, x)
        status, _, executor = aclnn.aclnnSiluBackwardGetWorkspaceSize(x, x, x.copy())
        assert status == 0
        executor.destroy()
    assert len(two_phase._ready) <= 16
    assert len(tensors._interned) <= 16
    kernels = launch._kernels_of_body.cache_info()
    assert kernels.currsize <= kernels.maxsize


WRONG = [
    (np.ones((3, 5), np.float32), np.ones((3, 4), np.float32), {}),
    (np.ones((1,) * 9, np.float32), np.ones((1,) * 9, np.float32), {}),
    (np.ones((3, 5), np.float32), np.ones((3, 5), np.float32), {"out": np.ones((5, 3), "f4")}),
    (
        np.ones((4, 5), np.float32),
        np.ones((4, 5), np.float32),
        {"out": np.lib.stride_tricks.as_strided(np.ones(9, "f4"), (4, 5), (4, 4))},
    ),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_refusals(number: int) -> None:
    """The form is known: what is wrong is said as ever."""
    x = np.ones((2, 3), np.float32)
    openaclnn.silu_backward(x, x)
    openaclnn.silu_backward(x, x, out=x.copy())
    *given, others = WRONG[number]
    with pytest.raises(AclnnError) as caught:
        openaclnn.silu_backward(*given, **others)
    assert caught.value.message.startswith("aclnnSiluBackward: ")


def test_numbers_are_checked() -> None:
    x = np.ones((2, 3), np.float32)
    for beta in (1.0, 2.0):
        openaclnn.smooth_l1_loss_backward(x, x, x, beta=beta)
    with pytest.raises(AclnnError, match="beta is -1"):
        openaclnn.smooth_l1_loss_backward(x, x, x, beta=-1.0)
    for slope in (0.1, 0.2):
        openaclnn.leaky_relu_backward(x, x, negative_slope=slope, self_is_result=True)
    with pytest.raises(AclnnError, match=r"negative_slope is -0\.5"):
        openaclnn.leaky_relu_backward(x, x, negative_slope=-0.5, self_is_result=True)


def test_numbers_of_sizes() -> None:
    """A mean divides by how many there are."""
    for size in (3, 4, 5, 8):
        x = np.zeros((size, 7), np.float32)
        found = openaclnn.mse_loss_backward(x + 1, x + 1, x, reduction="mean")
        assert np.allclose(found, 2 / (7 * size))


@every_library
def test_outputs_that_overlap(library: str) -> None:
    """They are computed as if they did not."""
    for size in (50, 51, 52, 53):
        memory = np.arange(2 * size, dtype=np.float32)
        first, out = memory[:size], memory[size // 2 : size // 2 + size]
        wanted = first * first
        if library == "torch":
            openaclnn.mul(*[torch.from_numpy(first)] * 2, out=torch.from_numpy(out))
        else:
            openaclnn.mul(first, first, out=out)
        assert (out == wanted).all()


NUMBERS = [0.1, 0.3, 1 / 3, 2.5, 1.0, 0.0, -0.0, -0.7, 1e-40, 1e-46, 3e38, 1e39, float("inf"), 7.0]


@every_library
def test_numbers_as_they_come(library: str) -> None:
    """Rounded as a C compiler would pass them, whatever they are."""
    random_numbers = random.Random(library)
    x = np.linspace(-3, 3, 60, dtype=np.float32)
    for number in [*(random_numbers.random() for _ in range(60)), *NUMBERS, 0.25, 0.5]:
        wanted = np.empty_like(x)
        status, _, executor = aclnn.aclnnLeakyReluGetWorkspaceSize(x, number, wanted)
        assert status == 0
        assert aclnn.aclnnLeakyRelu(0, 0, executor) == 0
        found = openaclnn.leaky_relu(LIBRARIES[library](x), negative_slope=number)
        assert np.asarray(found).tobytes() == wanted.tobytes(), number
        doubled = x.astype(np.float64)
        found = openaclnn.muls(LIBRARIES[library](doubled), number)
        assert np.asarray(found).tobytes() == (doubled * number).tobytes(), number


def test_every_size_has_its_own_number(each_door: str) -> None:
    """Integers that change together with the size, and come back."""
    dtype = {"python": np.int16, "compiled": np.int8}[each_door]  # either knows no call like these
    for size, alpha in ((2, 3), (40, -3), (41, 1), (42, -3), (43, 3), (44, 2), (45, -3), (46, 2)):
        x, y = np.arange(size).astype(dtype), np.full(size, 10, dtype)
        assert np.array_equal(openaclnn.add(x, y, alpha=alpha), x + dtype(alpha) * y), (size, alpha)


def test_equal_numbers_are_one_number(each_door: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A beta that is made anew for every call, beside numbers that depend on the size: the compiled
    table knows both after a few calls, and asks Python no more."""
    if each_door == "python":
        pytest.skip("there is no table to ask")
    asked: list[Any] = []
    for size in (1000, 1000, 1000, 1001, 1002, 1003):
        if size == 1003:
            monkeypatch.setattr(CallTable, "take", lambda *given: asked.append(given))
        x = np.linspace(-3, 3, size, dtype=np.float32)
        found = openaclnn.smooth_l1_loss_backward(x, x, -x, beta=float("1.0"))
        assert np.allclose(found, np.clip(2 * x, -1, 1) * x / size)
    assert not asked


@every_library
def test_inputs_of_which_the_shape_alone_counts(library: str) -> None:
    """A pool's gradient has the shape of an input that no kernel reads, whatever the gradient's."""
    chance = np.random.default_rng(7)
    for _ in range(60):
        shape, pooled = (2, *chance.integers(3, 9, 2)), (2, *chance.integers(1, 4, 2))
        given = LIBRARIES[library](chance.normal(size=pooled).astype(np.float32))
        like = LIBRARIES[library](np.zeros(shape, np.float32))
        found = openaclnn.adaptive_avg_pool2d_backward(given, like)
        assert found.shape == shape
        assert float(found.sum()) == pytest.approx(float(given.sum()), abs=1e-4)
