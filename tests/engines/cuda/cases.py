"""What the CUDA engine is compared with the CPU engine on: layouts, dtypes, operands."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from openaclnn.base.dtypes import (
    BF16,
    COMPLEX64,
    COMPLEX128,
    DOUBLE,
    FLOAT,
    FLOAT16,
    DType,
)  # fmt: skip
from openaclnn.base.scalars import scalar
from openaclnn.base.tensors import Tensor, View, contiguous_strides, strided_view, view
from openaclnn.ops import find
from openaclnn.spec.op import Attr, Op
from samples import all_samples

Shape = tuple[int, ...]
Maker = Callable[[DType, Shape], View]


def dense(dtype: DType, shape: Shape) -> View:
    return view(dtype, shape)


def shifted(dtype: DType, shape: Shape) -> View:
    """One element further than any alignment."""
    return view(dtype, shape, None, 1, storage_shape=(math.prod(shape) + 1,))


def turned(dtype: DType, shape: Shape) -> View:
    """The first dimension fastest."""
    return strided_view(dtype, shape, contiguous_strides(shape[::-1])[::-1])


def sliced(dtype: DType, shape: Shape) -> View:
    """Rows with a gap that keeps them aligned."""
    strides = contiguous_strides((*shape[:-1], shape[-1] + 16)) if shape else ()
    return strided_view(dtype, shape, strides)


def odd(dtype: DType, shape: Shape) -> View:
    """Rows with a gap that does not."""
    strides = contiguous_strides((*shape[:-1], shape[-1] + 3)) if shape else ()
    return strided_view(dtype, shape, strides)


def padded(dtype: DType, shape: Shape) -> View:
    """Rows of any length that all start aligned."""
    return strided_view(dtype, shape, contiguous_strides((*shape[:-1], -(-shape[-1] // 16) * 16)))


def stepped(dtype: DType, shape: Shape) -> View:
    return strided_view(dtype, shape, [3 * stride for stride in contiguous_strides(shape)])


def backwards(dtype: DType, shape: Shape) -> View:
    return strided_view(dtype, shape, [-stride for stride in contiguous_strides(shape)])


def rotated(dtype: DType, shape: Shape) -> View:
    """The middle dimension fastest."""
    middle = len(shape) // 2
    order = [*range(middle + 1, len(shape)), *range(middle + 1)]
    strides, step = [0] * len(shape), 1
    for dim in reversed(order):
        strides[dim], step = step, step * shape[dim]
    return strided_view(dtype, shape, strides)


def ordered(*order: int) -> Maker:
    """These dimensions from the slowest to the fastest."""

    def make(dtype: DType, shape: Shape) -> View:
        strides, step = [0] * len(shape), 1
        for dim in reversed(order):
            strides[dim], step = step, step * shape[dim]
        return strided_view(dtype, shape, strides)

    return make


def one_row(dtype: DType, shape: Shape) -> View:
    return strided_view(dtype, shape, [0] * (len(shape) - 1) + [1])


def one_column(dtype: DType, shape: Shape) -> View:
    strides = [*contiguous_strides(shape[:-1]), 0]
    return strided_view(dtype, shape, strides)


def one_element(dtype: DType, shape: Shape) -> View:
    return strided_view(dtype, shape, [0] * len(shape))


# name: shape, makers of the inputs (taken in turn), maker of the output
LAYOUTS: dict[str, tuple[Shape, Sequence[Maker], Maker]] = {
    "flat": ((4096 + 37,), [dense], dense),
    "flat, shifted input": ((3000,), [dense, shifted], dense),
    "flat, shifted output": ((3000,), [dense], shifted),
    "flat, all shifted": ((3000,), [shifted], shifted),
    "flat, backwards": ((2050,), [dense, backwards], dense),
    "flat, stepped": ((2050,), [stepped, dense], stepped),
    "flat, one element for all": ((2050,), [dense, one_element], dense),
    "no dimension": ((), [dense], dense),
    "one element": ((1, 1), [dense], dense),
    "empty": ((3, 0, 2), [dense], dense),
    "self turned": ((130, 70), [dense, turned], dense),
    "self turned, long odd rows": ((40, 301), [dense, turned], dense),
    "self turned, windows of odd rows": ((3, 47, 371), [shifted, ordered(0, 2, 1)], odd),
    "self turned, large windows of odd rows": ((63, 1001), [shifted, turned], odd),
    "gradient turned": ((64, 128), [turned, dense], dense),
    "output turned": ((70, 130), [dense], turned),
    "both inputs turned, output backwards": ((65, 33), [turned], backwards),
    "self turned, ends in vectors": ((136, 264), [dense, turned], dense),
    "sliced": ((50, 96), [sliced, dense], dense),
    "sliced output": ((50, 96), [dense], sliced),
    "short odd rows": ((37, 17), [odd, dense], odd),
    "long odd rows, one input odd": ((3, 4103), [odd, padded], padded),
    "rows that begin anywhere": ((3, 5, 101), [odd, shifted], odd),
    "rows that begin anywhere, one row for all": ((9, 131), [one_row, odd], shifted),
    "short rows in another order": ((30, 2, 5, 4, 11), [ordered(2, 1, 0, 3, 4), dense], dense),
    "stepped rows": ((40, 30), [stepped, odd], sliced),
    "one row": ((70, 530), [dense, one_row], dense),
    "one short row": ((70, 13), [dense, one_row], dense),
    "one column": ((70, 130), [one_column, dense], dense),
    "one row, one column": ((70, 130), [one_column, one_row], dense),
    "one column for both, long odd rows": ((9, 5003), [one_column], dense),
    "one column for both, four columns": ((700, 4), [one_column], sliced),
    "one element, matrix": ((70, 130), [dense, one_element], sliced),
    "pairs turned": ((2, 999), [turned, dense], dense),
    "three dimensions": ((9, 40, 50), [rotated, dense], dense),
    "three dimensions, all differ": ((20, 30, 40), [turned, rotated], dense),
    "three dimensions, one near": ((90, 5, 63), [ordered(1, 2, 0), ordered(0, 2, 1)], dense),
    "threes turned": ((70, 4, 30, 3), [ordered(2, 1, 0, 3), dense], dense),
    "sevens in three orders": (
        (10, 9, 19, 3, 7), [ordered(2, 3, 1, 0, 4), ordered(3, 1, 2, 0, 4)], shifted,
    ),
    "threes turned, both inputs": ((70, 4, 30, 3), [ordered(2, 1, 0, 3)], dense),
    "twos before what columns have": ((5, 2, 109, 37), [ordered(0, 3, 2, 1), dense], dense),
    "twos and sixes, sixes first": ((11, 60, 24, 6, 2), [ordered(4, 0, 2, 1, 3)], dense),
    "fives and many, many first": (
        (3, 4, 300, 5), [ordered(1, 0, 3, 2), ordered(0, 2, 1, 3)], dense,
    ),
    "three dimensions, each first": ((47, 50, 93), [turned, rotated], dense),
    "few rows turned, many columns": ((37, 2601), [dense, turned], shifted),
    "both inputs turned, many columns": ((70, 2601), [turned], dense),
    "columns of several dimensions": ((4, 70, 11, 3), [dense, ordered(3, 2, 0, 1)], dense),
    "eight dimensions reversed": ((3, 4, 2, 5, 3, 2, 3, 4), [dense, turned], dense),
    "five dimensions reversed, ends in vectors": ((8, 17, 3, 8, 17), [dense, turned], dense),
    "columns that go on, rows turned": (
        (3, 45, 9, 3), [ordered(2, 3, 0, 1), ordered(3, 2, 0, 1)], dense,
    ),
    "columns that do not go on, rows turned": ((70, 14, 14), [turned, dense], sliced),
    "scattered, layers": ((14, 45, 45), [turned, ordered(2, 0, 1)], dense),
    "scattered, layers of long columns": (
        (9, 4, 33, 20), [ordered(0, 3, 1, 2), ordered(2, 3, 0, 1)], dense,
    ),
    "eight dimensions, output rotated": ((3, 4, 2, 5, 3, 2, 3, 4), [turned, odd], rotated),
}  # fmt: skip


@dataclass(frozen=True)
class Types:
    """Dtypes of one call."""

    inputs: tuple[DType, ...]
    out: DType

    def __str__(self) -> str:
        return "-".join(dtype.short for dtype in (*self.inputs, self.out))


def same_types(op: Op) -> Iterator[Types]:
    """One dtype throughout."""
    for dtype in (FLOAT, FLOAT16, BF16, DOUBLE):
        if dtype is not DOUBLE or op.name == "leaky_relu_backward":
            yield Types((dtype,) * len(op.reads), dtype)


def mixed_types(op: Op) -> Iterator[Types]:
    """Dtypes that meet in one call, where the operator lets them."""
    more = len(op.reads) - 2
    if op.name in ("hardsigmoid_backward", "leaky_relu_backward", "smooth_l1_loss_backward"):
        yield Types((FLOAT16, FLOAT) + (BF16,) * more, FLOAT)
        yield Types((BF16, FLOAT16) + (FLOAT16,) * more, FLOAT)
        yield Types((FLOAT, BF16) + (FLOAT,) * more, BF16)
        yield Types((FLOAT16, FLOAT16) + (FLOAT16,) * more, BF16)
    if op.name in ("hardsigmoid_backward", "leaky_relu_backward"):
        yield Types((FLOAT, BF16), COMPLEX64)
        yield Types((FLOAT16, FLOAT16), COMPLEX128)
        yield Types((BF16, BF16), DOUBLE)
    if op.name == "leaky_relu_backward":
        yield Types((DOUBLE, FLOAT16), DOUBLE)
        yield Types((DOUBLE, FLOAT), FLOAT16)
        yield Types((DOUBLE, BF16), COMPLEX64)


ATTRIBUTES = {
    "reduction": (0, 1, 2),
    "beta": (1.0, 0.0, 0.3),
    "negative_slope": (scalar(0.01, FLOAT), scalar(-2, None), scalar(0.3, DOUBLE)),
    "self_is_result": (False, False, False),
}


def storage(facts: View, random: np.random.Generator) -> np.ndarray[Any, Any]:
    """Bytes for a view's storage: every other element any bits at all, the rest usual numbers."""
    dtype = facts.dtype
    size = facts.storage_numel * dtype.itemsize
    raw = random.integers(0, 256, size + 16, np.uint8)[: size + 16]
    start = -raw.ctypes.data % 16  # as an allocator would align it
    aligned = raw[start : start + size] if size else raw[:0]
    if dtype in (FLOAT, DOUBLE, FLOAT16, BF16) and size:
        usual = random.normal(0, 3, facts.storage_numel)
        if dtype is BF16:
            bits = (usual.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
        else:
            bits = usual.astype(dtype.numpy).view(f"u{dtype.itemsize}")
        aligned.view(bits.dtype)[::2] = bits[::2]
    return aligned


def tensors(
    op: Op, types: Types, layout: str, random: np.random.Generator
) -> list[tuple[View, np.ndarray[Any, Any]]]:
    """Views and their storages: the inputs that are read, then the output."""
    shape, makers, out = LAYOUTS[layout]
    views = [
        makers[number % len(makers)](dtype, shape) for number, dtype in enumerate(types.inputs)
    ]
    views.append(out(types.out, shape))
    return [(facts, storage(facts, random)) for facts in views]


def arguments(op: Op, used: Sequence[Tensor], variant: int = 0) -> list[Any]:
    """All arguments in C order, given the tensors that are used."""
    left = list(used)
    result: list[Any] = []
    for argument in op.arguments:
        if isinstance(argument, Attr):
            result.append(ATTRIBUTES[argument.name][variant])
        elif not getattr(argument, "read", True):
            result.append(used[0])
        else:
            result.append(left.pop(0))
    return result


def operators() -> list[Op]:
    """Those that are tested in depth; every_operator.py has all of them."""
    return [find(name) for name in all_samples()]
