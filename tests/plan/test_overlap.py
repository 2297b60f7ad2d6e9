"""Outputs on top of inputs: the result is as if all inputs were read before the first write."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from arena import Block, bits, compute, in_order, message, phase_one, phase_two, run
from openaclnn.base import dtypes
from openaclnn.base.overlap import onto_itself, overlapping
from openaclnn.base.tensors import Tensor, view
from openaclnn.ops import all_ops
from samples import Samples, all_samples
from walks import every_op, every_op_in, every_sampled_op


@dataclass(frozen=True)
class Pair:
    """An input and an output that share a storage of 64 elements."""

    why: str
    shape: tuple[int, ...]
    source: tuple[tuple[int, ...], int]  # strides, offset
    out: tuple[tuple[int, ...], int]
    staged: bool  # whether it takes a workspace


PAIRS = [
    Pair("the same view", (20,), ((1,), 3), ((1,), 3), False),
    Pair("the same transposed view", (4, 5), ((1, 4), 0), ((1, 4), 0), False),
    Pair("shifted up", (40,), ((1,), 0), ((1,), 1), True),
    Pair("shifted down", (40,), ((1,), 1), ((1,), 0), True),
    Pair("shifted by a vector", (40,), ((1,), 0), ((1,), 16), True),
    Pair("reversed", (40,), ((1,), 0), ((-1,), 39), True),
    Pair("transposed", (6, 6), ((6, 1), 0), ((1, 6), 0), True),
    Pair("expanded", (6, 6), ((0, 1), 0), ((6, 1), 0), True),
    Pair("one element", (40,), ((0,), 20), ((1,), 0), True),
    Pair("halves", (30,), ((1,), 0), ((1,), 30), False),
    Pair("interleaved", (20,), ((2,), 0), ((2,), 1), False),
    Pair("interleaved rows", (4, 5), ((10, 1), 0), ((10, 1), 5), False),
    Pair("strides that meet", (20,), ((3,), 0), ((2,), 0), True),
    Pair("strides that never meet", (10,), ((6,), 0), ((4,), 3), False),
    Pair("more room between", (5, 4), ((8, 2), 0), ((4, 1), 0), True),
]


def blocks(pair: Pair, dtype: str, seed: int = 0) -> tuple[Block, Tensor, Tensor]:
    """A storage of 64 elements, and the input and the output in it."""
    kind = dtypes.by_name(dtype)
    whole = Block(view(kind, (64,)))
    whole.fill(np.random.default_rng(seed).normal(0, 2, 64).astype(kind.numpy))
    made = [
        Tensor(view(kind, pair.shape, strides, offset, storage_shape=(64,)), whole.tensor.address)
        for strides, offset in (pair.source, pair.out)
    ]
    return whole, made[0], made[1]


def read(storage: np.ndarray, tensor: Tensor) -> np.ndarray:
    facts = tensor.view
    strides = [stride * storage.itemsize for stride in facts.strides]
    return np.lib.stride_tricks.as_strided(storage[facts.offset :], facts.shape, strides)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.why)
@every_op_in("f32", "f16", "f64")
def test_as_if_read_first(samples: Samples, pair: Pair, dtype: str, engine: str) -> None:
    op = all_ops()[samples.op]
    for position in range(len(samples.inputs)):
        whole, source, out = blocks(pair, dtype)
        rng = np.random.default_rng(1)
        inputs: list[Any] = [
            rng.normal(0, 2, pair.shape).astype(whole.array.dtype) for _ in samples.inputs
        ]
        tensors: list[Any] = list(inputs)
        inputs[position] = read(whole.array, source).copy()
        tensors[position] = source
        expected = compute(samples, inputs, [dtype] * len(inputs), dtype)
        after = whole.array.copy()
        read(after, out)[...] = expected
        named = dict(zip(samples.inputs, tensors, strict=True))
        size = run(op, in_order(op, named, out))
        assert size == (expected.nbytes if pair.staged else 0)
        assert np.array_equal(bits(whole.array), bits(after))


@every_op
def test_all_inputs_are_the_output(samples: Samples) -> None:
    op = all_ops()[samples.op]
    array = np.linspace(-4, 4, 1001, dtype=np.float32)
    expected = compute(samples, [array] * len(samples.inputs), ["f32"] * len(samples.inputs), "f32")
    assert run(op, in_order(op, dict.fromkeys(samples.inputs, array), array)) == 0
    assert np.array_equal(bits(array), bits(expected))


@pytest.mark.parametrize("out_dtype", ["f16", "bf16", "f64", "c64", "c128"])
def test_other_dtypes_over_the_same_bytes(out_dtype: str) -> None:
    """An output of another width on top of its input, wider and narrower."""
    samples = all_samples()["leaky_relu_backward"]
    op = all_ops()[samples.op]
    kind = dtypes.by_name(out_dtype)
    memory = np.zeros(2048, np.uint8)
    x = np.random.default_rng(2).normal(0, 2, 100).astype(np.float32)
    memory[:400] = x.view(np.uint8)
    g = np.random.default_rng(3).normal(0, 2, 100).astype(np.float32)
    expected = compute(samples, [g, x], ["f32", "f32"], out_dtype)
    source = Tensor(view(dtypes.FLOAT, (100,)), memory.ctypes.data, owner=memory)
    out = Tensor(view(kind, (100,)), memory.ctypes.data, owner=memory)
    assert run(op, in_order(op, {"grad_output": g, "self": source}, out)) == expected.nbytes
    assert memory[: expected.nbytes].tobytes() == expected.tobytes()


def test_complex_halves_are_interleaved() -> None:
    """Inputs that lie between the elements of a complex output, and do not touch it."""
    samples = all_samples()["leaky_relu_backward"]
    op = all_ops()[samples.op]
    memory = np.zeros(4 * 30, np.float32)
    source = Tensor(view(dtypes.FLOAT, (30,), (4,), 2, storage_shape=(120,)), memory.ctypes.data)
    out = Tensor(view(dtypes.COMPLEX64, (30,), (2,), 0, storage_shape=(60,)), memory.ctypes.data)
    memory[2::4] = np.arange(30)
    g = np.full(30, 3, np.float32)
    assert run(op, in_order(op, {"grad_output": g, "self": source}, out)) == 0
    assert memory[::4].tolist() == [np.float32(3) * np.float32(0.01), *[3.0] * 29]
    assert memory[2::4].tolist() == list(range(30))
    assert not memory[1::4].any()


@every_sampled_op
def test_a_workspace_that_does_not_do(samples: Samples) -> None:
    op = all_ops()[samples.op]
    whole, source, out = blocks(PAIRS[2], "f32")
    other = np.ones(40, np.float32)
    named = dict.fromkeys(samples.inputs, other) | {samples.inputs[1]: source}
    status, size, executor = phase_one(op, in_order(op, named, out))
    assert (status, size) == (0, 160)
    workspace = np.zeros(160, np.uint8)
    assert phase_two(op, workspace, 159, executor) == 161002
    assert message() == f"{op.c_name}: the workspace has 159 bytes; expected 160"
    assert phase_two(op, None, 160, executor) == 161001
    assert phase_two(op, workspace[:8], 160, executor) == 161002  # an array knows better
    assert whole.unchanged()
    assert phase_two(op, workspace, 160, executor) == 0  # nothing above used it up
    assert not whole.unchanged()


def test_an_unread_input_never_counts() -> None:
    samples = all_samples()["log_sigmoid_backward"]
    op = all_ops()[samples.op]
    array = np.ones(50, np.float32)
    g, x = np.ones(40, np.float32), np.zeros(40, np.float32)
    arguments = [g, x, array[3:43], array[:40]]
    assert phase_one(op, arguments)[1] == 0


@dataclass(frozen=True)
class Alone:
    """A view on its own: whether two of its indices mean one element."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    twice: bool


ALONE = [
    Alone((3, 4), (4, 1), False),
    Alone((3, 4), (3, 1), True),
    Alone((3, 4), (0, 1), True),
    Alone((1, 4), (0, 1), False),
    Alone((0, 4), (0, 0), False),
    Alone((3, 2), (2, 3), False),
    Alone((3, 4), (2, 3), False),
    Alone((4, 4), (2, 3), True),
    Alone((2, 2), (1, -1), True),
    Alone((2, 3), (-3, -1), False),
    Alone((5, 7, 2), (14, 2, 1), False),
    Alone((5, 7, 2), (13, 2, 1), True),
    Alone((2,) * 20, tuple(2**k for k in range(20)), False),
    Alone((2,) * 20, (*(2**k for k in range(19)), 2**18), True),
    Alone((2**40, 2**20), (0, 0), True),
    Alone((2**31, 2**31), (1, 1), True),
    Alone((3, 5, 7), (35 * 2**40, 7 * 2**40 + 1, 2**40), False),
]


@pytest.mark.parametrize("row", ALONE, ids=str)
def test_onto_itself(row: Alone) -> None:
    facts = view(dtypes.INT8, row.shape, row.strides, 0, storage_shape=(2**62,))
    assert onto_itself(facts) is row.twice
    if 0 < facts.numel < 10_000:
        indices = np.indices(row.shape).reshape(len(row.shape), -1)
        places = np.array(row.strides) @ indices
        assert (len(np.unique(places)) < len(places)) is row.twice


def test_overlap_of_anything_is_answered() -> None:
    """Strides and shapes at the edge of 64 bits: some answer, no exception, soon."""
    rng = np.random.default_rng(4)
    for _ in range(300):
        made = []
        for _ in range(2):
            count = int(rng.integers(1, 5))
            shape = [int(2 ** rng.integers(0, 16)) for _ in range(count)]
            strides = [int(2 ** rng.integers(0, 44) + rng.integers(-1, 2)) for _ in range(count)]
            made.append(Tensor(view(dtypes.INT8, shape, strides, storage_shape=(2**62,)), 1 << 20))
        assert overlapping(*made) in (True, False)
        assert onto_itself(made[0].view) in (True, False)


def test_many_dimensions_overlap() -> None:
    """More dimensions than NumPy has, all but a few of size 1."""
    shape = (1,) * 70 + (8,)
    a = Tensor(view(dtypes.FLOAT, shape, storage_shape=(9,)), 4096)
    b = Tensor(view(dtypes.FLOAT, shape, None, 1, storage_shape=(9,)), 4096)
    assert overlapping(a, b)
