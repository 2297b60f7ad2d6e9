"""Kinds of plans: one tensor or several, in place, lists, halves, several outputs, absent tensors,
nothing but numbers. Whatever the layout and the overlap, results are those of contiguous copies,
and nothing else is written. One operator stands for all of its kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import openaclnn
from arena import bits
from openaclnn.ops import at_hand
from walks import in_turn

Array = np.ndarray[Any, Any]
ROUNDS = len(in_turn(range(12), 0, of=2))


@dataclass(frozen=True)
class Kind:
    """A plan's kind: shapes of the tensors for a shape that is drawn, None where one is absent;
    a list of them where the operator takes a list."""

    op: str
    shapes: Callable[[tuple[int, ...]], list[Any]]
    result: Callable[[tuple[int, ...]], tuple[int, ...]] = lambda shape: shape
    outputs: int = 1
    in_place: bool = False
    dtypes: tuple[str, ...] = ("f4", "f2")
    attributes: dict[str, Any] = field(default_factory=dict)
    numbers: tuple[Any, ...] = ()  # positional ones behind the tensors
    out: str = ""  # the outputs' dtype, where it is another


def doubled(shape: tuple[int, ...]) -> tuple[int, ...]:
    return (*shape[:-1], 2 * shape[-1])


KINDS = [
    Kind("relu", lambda s: [s], dtypes=("f4", "i1", "i8")),
    Kind("inplace_relu", lambda s: [s], in_place=True, dtypes=("f4", "i2")),
    Kind("add", lambda s: [s, s[-1:]], dtypes=("f4", "f2", "i4", "i8", "u1")),
    Kind("inplace_add", lambda s: [s, (1, *s[1:])], in_place=True, dtypes=("f4", "i8")),
    Kind("inplace_adds", lambda s: [s], in_place=True, numbers=(3,), dtypes=("f4", "i1")),
    Kind("eq_tensor", lambda s: [s, s], dtypes=("i1", "f4"), out="?"),
    Kind("cast", lambda s: [s], attributes={}, numbers=("int16",), dtypes=("f4", "i8"), out="i2"),
    Kind("inplace_copy", lambda s: [s, s], in_place=True, dtypes=("f4", "u1")),
    Kind("inplace_fill_scalar", lambda s: [s], in_place=True, numbers=(7,), dtypes=("f4", "i4")),
    Kind("inplace_zero", lambda s: [s], in_place=True, dtypes=("f2", "i8")),
    Kind("cat", lambda s: [[s, s, s]], lambda s: (3 * s[0], *s[1:]), dtypes=("f4", "i1")),
    Kind("glu", lambda s: [doubled(s)]),
    Kind("glu_backward", lambda s: [s, doubled(s)], doubled),
    Kind("log_sigmoid_forward", lambda s: [s], outputs=2),
    Kind(
        "binary_cross_entropy_with_logits_backward",
        lambda s: [s, s, s, None, s[-1:]],
        attributes={"reduction": "sum"},
    ),
    Kind("reduce_sum", lambda s: [s], lambda s: s[:-1], attributes={"dims": (-1,)}),
    Kind(
        "amax", lambda s: [s], lambda s: (*s[:-1], 1), attributes={"dim": (-1,), "keep_dim": True}
    ),
    Kind("mse_loss", lambda s: [s, s[-1:]], lambda s: ()),
    Kind("softmax", lambda s: [s], attributes={"dim": 0}),
    Kind("softmax_backward", lambda s: [s, s], attributes={"dim": -1}),
]
PRESENT = [kind for kind in KINDS if at_hand(kind.op)]
every_kind = pytest.mark.parametrize("kind", PRESENT, ids=lambda kind: kind.op)


def test_every_kind_is_there() -> None:
    assert PRESENT == KINDS


def strided(rng: np.random.Generator, shape: tuple[int, ...], dtype: str) -> tuple[Array, Array]:
    """A view of a storage in a layout that no test names, and the storage."""
    order = rng.permutation(len(shape))
    steps = rng.choice([1, 1, 2, 3], len(shape))
    storage = np.zeros([shape[axis] * steps[axis] + rng.integers(0, 3) for axis in order], dtype)
    slices = []
    for room, axis in zip(storage.shape, order, strict=True):
        reach = (shape[axis] - 1) * steps[axis] + 1
        start = int(rng.integers(0, room - reach + 1))
        slices.append(slice(start, start + reach, steps[axis]))
    view = storage[tuple(slices)].transpose(np.argsort(order))
    turned = tuple(slice(None, None, int(rng.choice([1, 1, -1]))) for _ in shape)
    return view[(*turned, ...)], storage


def filled(rng: np.random.Generator, array: Array) -> Array:
    whole = array.dtype.kind in "iu"
    values = rng.integers(0, 9, array.shape) if whole else rng.normal(0, 3, array.shape)
    array[...] = values.astype(array.dtype)
    return array


def call(kind: Kind, tensors: list[Any], **out: Any) -> tuple[Array, ...]:
    results = getattr(openaclnn, kind.op)(*tensors, *kind.numbers, **kind.attributes, **out)
    return results if isinstance(results, tuple) else (results,)


def copied(tensors: list[Any]) -> list[Any]:
    return [
        [array.copy(order="C") for array in each]
        if isinstance(each, list)
        else each if each is None else each.copy(order="C")
        for each in tensors
    ]  # fmt: skip


def made(rng: np.random.Generator, shapes: list[Any], dtype: str) -> list[Any]:
    return [
        made(rng, each, dtype)
        if isinstance(each, list)
        else each if each is None else filled(rng, strided(rng, each, dtype)[0])
        for each in shapes
    ]  # fmt: skip


@every_kind
def test_any_layout(kind: Kind) -> None:
    rng = np.random.default_rng([ord(letter) for letter in kind.op])
    for round in range(ROUNDS):
        dtype = kind.dtypes[round % len(kind.dtypes)]
        shape = tuple(map(int, rng.integers(1, 9, rng.integers(1, 4))))
        tensors = made(rng, kind.shapes(shape), dtype)
        expected = call(kind, copied(tensors))
        if kind.in_place:
            results = call(kind, tensors)
        else:
            outs = [
                strided(rng, kind.result(shape), kind.out or dtype) for _ in range(kind.outputs)
            ]
            before = [(np.count_nonzero(view), storage.copy()) for view, storage in outs]
            results = tuple(view for view, _ in outs)
            call(kind, tensors, out=results[0] if kind.outputs == 1 else results)
            for (view, storage), (_, old) in zip(outs, before, strict=True):
                kept = view.copy()
                view[...] = 0
                assert np.array_equal(storage, old), "something else was written"
                view[...] = kept
        for result, wanted in zip(results, expected, strict=True):
            assert np.array_equal(bits(result), bits(wanted.astype(result.dtype))), (shape, dtype)


@every_kind
def test_overlapping_outputs(kind: Kind) -> None:
    """An output, or the tensor that is changed, shares memory with what is read."""
    rng = np.random.default_rng([ord(letter) for letter in kind.op])
    dtype = kind.dtypes[0]
    for _ in range(ROUNDS):
        shape = tuple(map(int, rng.integers(2, 7, 2)))
        pool = filled(rng, np.zeros(2000, dtype))

        def somewhere(size: Any, pool: Array = pool) -> Any:
            if size is None or isinstance(size, list):
                return size if size is None else [somewhere(each, pool) for each in size]
            count, start = int(np.prod(size)), int(rng.integers(0, 40))
            array = pool[start : start + count].reshape(size)
            return array if rng.random() < 0.5 or len(size) < 2 else array[::-1]

        tensors = [somewhere(size) for size in kind.shapes(shape)]
        expected = call(kind, copied(tensors))
        if kind.in_place:
            results = call(kind, tensors)
        else:
            if kind.outputs > 1 or kind.out:
                return
            out = somewhere(kind.result(shape))
            results = call(kind, tensors, out=out)
        for result, wanted in zip(results, expected, strict=True):
            assert np.array_equal(bits(result), bits(wanted.astype(result.dtype))), shape


@every_kind
def test_nothing_to_do(kind: Kind) -> None:
    if 0 not in kind.result((0, 2)):
        return  # even of nothing there is a sum
    tensors = made(np.random.default_rng(0), kind.shapes((1, 2)), kind.dtypes[0])
    emptied = [
        [each[:0] for each in array] if isinstance(array, list) else
        array if array is None or array.ndim < 2 else array[:0] for array in tensors
    ]  # fmt: skip
    for result in call(kind, emptied):
        assert result.size == 0


@every_kind
def test_the_same_bits_on_any_number_of_threads(kind: Kind) -> None:
    rng = np.random.default_rng(0)
    tensors = made(rng, kind.shapes((97, 1200)), kind.dtypes[0])
    threads = openaclnn.get_num_threads()
    found = []
    try:
        for count in (1, 2, 7):
            openaclnn.set_num_threads(count)
            found.append([bits(result) for result in call(kind, copied(tensors))])
    finally:
        openaclnn.set_num_threads(threads)
    for other in found[1:]:
        assert all(np.array_equal(a, b) for a, b in zip(found[0], other, strict=True))


def test_what_nobody_asks_for_is_no_pass() -> None:
    """A step none of whose results is wanted had no kernel: an internal error."""
    x, channels = np.ones((2, 3), np.float32), np.ones(3, np.float32)
    none = dict.fromkeys(("input_g", "weight_g", "bias_g"), False)
    for _ in range(3):
        openaclnn.batch_norm_reduce_backward(x, x, channels, channels, channels, **none)
