"""Same inputs, same bits: whatever the layout, the size around an element, the thread count, the
door or the run. Results on contiguous data are judged elsewhere; here everything equals them."""

from __future__ import annotations

import ctypes
import math
import mmap
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

import openaclnn
from arena import LAYOUTS, bits, compute, in_order, output, place, run
from openaclnn.base import dtypes
from openaclnn.base.tensors import Tensor, strided_view
from openaclnn.ops import all_ops
from samples import Samples, all_samples
from walks import ALL, every_broadcasting_op, every_op, every_op_in, in_turn

LEVELS = ["exact", "fast"]


def values(samples: Samples, shape: tuple[int, ...], seed: int = 0) -> list[np.ndarray]:
    """Float16 numbers around the edges, a few specials among them: exact in every dtype."""
    rng = np.random.default_rng(seed)
    special = [np.nan, np.inf, -np.inf, 0.0, -0.0, 2.0**-24, *samples.edges]
    arrays = []
    for _ in samples.inputs:
        array = rng.normal(0, 4, shape)
        chosen = rng.random(shape) < 0.1
        array = np.where(chosen, rng.choice(special, shape), array)
        with np.errstate(all="ignore"):
            arrays.append(array.astype(np.float16).astype(np.float64))
    return arrays


def in_some_dtypes() -> list[tuple[Samples, str, str]]:
    """Operators with samples in f32 at level exact, and in one other dtype or at level fast, one
    after the other; on a nightly run in all at both."""
    found = []
    for turn, samples in enumerate(ALL):
        ways = [(d, level) for d in ("f32", "f64", "f16", "bf16") for level in LEVELS]
        ways = [way for way in ways[1:] if way[0] in samples.dtypes and way != ("f64", "fast")]
        others = in_turn(ways, turn, len(ways))
        found += [(samples, *way) for way in (("f32", "exact"), *others)]
    return found


@pytest.mark.parametrize(
    ("samples", "dtype", "level"), in_some_dtypes(), ids=lambda one: getattr(one, "op", one)
)
def test_every_layout_of_every_operand(samples: Samples, dtype: str, level: str) -> None:
    """Every two of them, the third in its turn; for one operator and dtype all with all."""
    inputs = values(samples, (5, 3, 37))
    mix = [dtype] * len(inputs)
    names, everything = list(LAYOUTS), (samples.op, dtype) == ("smooth_l1_loss_backward", "f32")
    together = [
        chosen
        for chosen in product(names, repeat=3)
        if everything or sum(map(names.index, chosen)) % len(names) == 0
    ]
    with openaclnn.using(math=level):
        expected = bits(compute(samples, inputs, mix, dtype))
        for first, second, out in together:
            layouts = [first, *[second] * (len(inputs) - 1), out]
            actual = compute(samples, inputs, mix, dtype, layouts=layouts)
            assert np.array_equal(bits(actual), expected), layouts


SHAPES = [
    (), (1,), (16,), (17,), (2, 3, 1, 2, 1, 3, 2, 2), (130, 70), (0,), (3, 0, 2), (1, 1, 1),
    (257, 1), (1, 300), (65, 64, 3),
]  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@every_op
def test_every_shape(samples: Samples, shape: tuple[int, ...], engine: str) -> None:
    inputs = values(samples, shape)
    mix = ["f32"] * len(inputs)
    flat = [array.reshape(-1) for array in inputs]
    expected = bits(compute(samples, flat, mix, "f32"))
    for layout in LAYOUTS:
        actual = compute(
            samples, inputs, mix, "f32", layouts=[*[layout] * len(inputs), "contiguous"]
        )
        assert actual.shape == shape
        assert np.array_equal(bits(actual.reshape(-1)), expected), layout
        actual = compute(
            samples, inputs, mix, "f32", layouts=[*["contiguous"] * len(inputs), layout]
        )
        assert np.array_equal(bits(actual.reshape(-1)), expected), layout


@pytest.mark.parametrize(
    "shape",
    [
        (4, 5, 6, 7),
        (4, 5, 3, 2, 9),
        (20, 3, 40),
        (33, 2, 33),
        (2, 3, 70),
        (64, 2, 5),
        (10, 10, 10, 10),
    ],
    ids=str,
)
def test_every_order_of_dimensions(shape: tuple[int, ...]) -> None:
    """One input after the other, then the output: tiles of one dimension and of two, cut or not."""
    inputs = [np.random.default_rng(k).normal(size=shape).astype(np.float32) for k in (1, 2)]
    expected = openaclnn.silu_backward(*inputs)
    for order in permutations(range(len(shape))):
        for turned in range(3):
            arrays = [*inputs, np.full_like(expected, 7)]
            back = np.argsort(order)
            arrays[turned] = np.ascontiguousarray(arrays[turned].transpose(order)).transpose(back)
            openaclnn.silu_backward(*arrays[:2], out=arrays[2])
            assert np.array_equal(arrays[2], expected), (order, turned)


BROADCASTS = [
    ((4, 1), (1, 5)), ((5,), (3, 1)), ((), (3, 4)), ((3, 4), ()), ((1,), (33,)), ((0, 1), (1, 3)),
    ((2, 1, 4), (3, 1)), ((70, 1), (1, 90)), ((1,) * 8, (2, 2)), ((40, 1000), (1000,)),
]  # fmt: skip


@pytest.mark.parametrize("shapes", BROADCASTS, ids=str)
@every_broadcasting_op
def test_broadcasting(samples: Samples, shapes: tuple[tuple[int, ...], ...], engine: str) -> None:
    first, second = shapes
    inputs = [values(samples, first)[0], values(samples, second, 1)[0]]
    inputs += [values(samples, second, 2)[0]] * (len(samples.inputs) - 2)
    whole = np.broadcast_shapes(*shapes)
    full = [np.broadcast_to(array, whole) for array in inputs]
    mix = ["f32"] * len(inputs)
    with openaclnn.using(product="Ascend950"):  # where every operator that broadcasts at all does
        expected = bits(compute(samples, full, mix, "f32"))
        for layout in ("contiguous", "reversed", "transposed"):
            layouts = [*[layout] * len(inputs), "contiguous"]
            actual = compute(samples, inputs, mix, "f32", layouts=layouts)
            assert np.array_equal(bits(actual), expected), layout


@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (0, 2), (0, 1, 2)], ids=str)
@every_op
def test_expanded_inputs(samples: Samples, axes: tuple[int, ...]) -> None:
    """Stride 0 along some dimensions of one input after the other."""
    shape = (4, 5, 18)
    op = all_ops()[samples.op]
    inputs = values(samples, shape)
    for position, array in enumerate(inputs):
        index = tuple(slice(0, 1) if axis in axes else slice(None) for axis in range(3))
        few = np.ascontiguousarray(array[index]).astype(np.float32)
        wide = np.broadcast_to(few, shape)
        strides = [0 if axis in axes else s // 4 for axis, s in enumerate(few.strides)]
        facts = strided_view(dtypes.FLOAT, shape, strides)
        replaced = [wide if k == position else other for k, other in enumerate(inputs)]
        expected = compute(samples, replaced, ["f32"] * len(inputs), "f32")
        blocks = [place(other, "f32") for other in inputs]
        tensors = [block.tensor for block in blocks]
        tensors[position] = Tensor(facts, few.ctypes.data, owner=few)
        out = output(shape, "f32")
        named = dict(zip(samples.inputs, tensors, strict=True))
        assert run(op, in_order(op, named, out.tensor)) == 0
        assert np.array_equal(bits(out.result()), bits(expected))


@pytest.mark.parametrize("size", [1, 7, 32768, 40_001, 300_007])
@every_op
def test_threads_change_nothing(samples: Samples, size: int) -> None:
    inputs = values(samples, (size,))
    mix = ["f32"] * len(inputs)
    before = openaclnn.get_num_threads()
    try:
        openaclnn.set_num_threads(1)
        expected = bits(compute(samples, inputs, mix, "f32"))
        for count in (2, 3, 7):
            openaclnn.set_num_threads(count)
            assert openaclnn.get_num_threads() == count
            assert np.array_equal(bits(compute(samples, inputs, mix, "f32")), expected)
    finally:
        openaclnn.set_num_threads(before)


@every_op
def test_threads_change_nothing_on_tiles(samples: Samples) -> None:
    inputs = values(samples, (300, 301))
    mix, layouts = (
        ["f32"] * len(inputs),
        ["contiguous", *["transposed"] * (len(inputs) - 1), "mixed"],
    )
    before = openaclnn.get_num_threads()
    expected = bits(compute(samples, inputs, mix, "f32"))
    try:
        for count in (1, 4):
            openaclnn.set_num_threads(count)
            actual = compute(samples, inputs, mix, "f32", layouts=layouts)
            assert np.array_equal(bits(actual), expected)
    finally:
        openaclnn.set_num_threads(before)


@every_op_in("f32", "f16", "bf16")
def test_an_element_alone(samples: Samples, dtype: str) -> None:
    """An element's result does not depend on its neighbours or on its place in a vector."""
    inputs = values(samples, (400,))
    mix = [dtype] * len(inputs)
    attributes = {"reduction": "sum"} if "reduction" in samples.plain else {}
    expected = bits(compute(samples, inputs, mix, dtype, attributes))
    for index in range(0, 400, 3):
        alone = [array[index : index + 1] for array in inputs]
        assert bits(compute(samples, alone, mix, dtype, attributes))[0] == expected[index]
    for start in (1, 5, 15, 31):
        later = [array[start:] for array in inputs]
        assert np.array_equal(
            bits(compute(samples, later, mix, dtype, attributes)), expected[start:]
        )


@every_op
def test_a_second_call_gives_the_same_bits(samples: Samples) -> None:
    inputs = values(samples, (70_001,))
    mix = ["f32"] * len(inputs)
    first = bits(compute(samples, inputs, mix, "f32"))
    assert np.array_equal(bits(compute(samples, inputs, mix, "f32")), first)


@every_op
def test_both_tables_agree(samples: Samples) -> None:
    function = getattr(openaclnn, samples.op)
    for attributes in samples.attributes:
        inputs = [array.astype(np.float32) for array in values(samples, (3, 50))]
        expected = compute(samples, inputs, ["f32"] * len(inputs), "f32", attributes)
        result = function(*inputs, **attributes)
        assert type(result) is np.ndarray
        assert np.array_equal(bits(result), bits(expected))
        out = np.empty_like(inputs[0])
        assert function(*inputs, **attributes, out=out) is out
        assert np.array_equal(bits(out), bits(expected))


@every_op
def test_all_alignments(samples: Samples) -> None:
    """Addresses that are no multiple of the element's size."""
    op = all_ops()[samples.op]
    inputs = [array.astype(np.float32) for array in values(samples, (77,))]
    expected = compute(samples, inputs, ["f32"] * len(inputs), "f32")
    facts = strided_view(dtypes.FLOAT, (77,), (1,))

    def shifted(by: int) -> tuple[np.ndarray, Tensor]:
        memory = np.zeros(77 * 4 + 8, np.uint8)
        return memory, Tensor(facts, memory.ctypes.data + by, owner=memory)

    for shift in range(1, 8):
        tensors: dict[str, Any] = {}
        for name, array in zip(samples.inputs, inputs, strict=True):
            memory, tensors[name] = shifted(shift)
            memory[shift : shift + 308] = array.view(np.uint8)
        memory, out = shifted(shift)
        run(op, in_order(op, tensors, out))
        assert bytes(memory[shift : shift + 308]) == expected.tobytes()


@every_op
def test_many_dimensions(samples: Samples) -> None:
    """Eight dimensions that no two operands order alike, none of which merge."""
    shape = (2, 3, 2, 3, 2, 3, 2, 3)
    inputs = values(samples, shape)
    mix = ["f32"] * len(inputs)
    expected = bits(compute(samples, inputs, mix, "f32"))
    layouts = ["mixed", "transposed", "stepped"][: len(inputs)]
    for out in LAYOUTS:
        actual = compute(samples, inputs, mix, "f32", layouts=[*layouts, out])
        assert np.array_equal(bits(actual), expected)


def test_no_limit_of_dimensions_for_log_sigmoid() -> None:
    samples = all_samples()["log_sigmoid_backward"]
    inputs = values(samples, (1, 2) * 7 + (1,) * 9)
    mix = ["f32", "f32"]
    expected = bits(compute(samples, [array.reshape(-1) for array in inputs], mix, "f32"))
    for layout in LAYOUTS:
        actual = compute(samples, inputs, mix, "f32", layouts=[layout, "mixed", "transposed"])
        assert np.array_equal(bits(actual.reshape(-1)), expected), layout


@pytest.mark.parametrize("dtype", ["i1", "f2", "f4", "f8"])
@pytest.mark.parametrize("shape", [(2, 70), (5, 33), (9, 17), (16, 57), (31, 3), (4, 9, 21)])
def test_nothing_is_read_behind_a_transpose(shape: tuple[int, ...], dtype: str) -> None:
    """Its storage ends where a page does that nobody may read."""
    page, count = mmap.PAGESIZE, math.prod(shape) * np.dtype(dtype).itemsize
    whole = -(-count // page) * page
    memory = mmap.mmap(-1, whole + page)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    assert not ctypes.CDLL(None).mprotect(ctypes.c_void_p(address + whole), page, 0)
    x = np.frombuffer(memory, dtype, math.prod(shape), whole - count).reshape(shape[::-1]).T
    x[...] = np.arange(x.size).reshape(shape) % 100
    assert np.array_equal(openaclnn.add(x, np.ones(shape, dtype)), x + 1)
