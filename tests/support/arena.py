"""Tensors in guarded memory, and calls on them through the C-shaped entry point.

Around every storage lie bytes of a known pattern, and gaps inside it hold them too, so that a
write outside the output view shows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import openaclnn.aclnn
from openaclnn.base import dtypes
from openaclnn.base.dtypes import DType
from openaclnn.base.scalars import Scalar, scalar
from openaclnn.base.tensors import Tensor, View, contiguous_strides, strided_view, view
from openaclnn.ops import all_ops
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Op
from samples import S, Samples, T

GUARD = 4096
_PATTERN = 0xA5

Array = np.ndarray[Any, Any]


class Block:
    """A guarded storage with one view of it."""

    def __init__(self, facts: View) -> None:
        size = facts.storage_numel * facts.dtype.itemsize
        # 8 more to shift by one element or so: nothing promises alignment beyond the element's
        self.bytes = np.full(size + 2 * GUARD, _PATTERN, np.uint8)
        self.view = facts
        self.tensor = Tensor(facts, self.bytes.ctypes.data + GUARD, owner=self.bytes)
        self.array = elements(self.bytes[GUARD : GUARD + size].view(facts.dtype.numpy), facts)

    def fill(self, values: Any) -> Block:
        self.array[...] = values
        self.before = self.bytes.copy()
        return self

    def result(self) -> Array:
        """A copy of the view's elements; fails where anything else in the block has changed."""
        found = self.array.copy()
        if hasattr(self, "before"):
            size = self.view.storage_numel * self.view.dtype.itemsize
            old = self.before[GUARD : GUARD + size].view(self.view.dtype.numpy)
            after = self.bytes.copy()
            kept = elements(after[GUARD : GUARD + size].view(self.view.dtype.numpy), self.view)
            kept[...] = elements(old, self.view)
            assert np.array_equal(after, self.before), "bytes outside the view have changed"
        return found

    def unchanged(self) -> bool:
        return np.array_equal(self.bytes, self.before)


def elements(storage: Array, facts: View) -> Array:
    """The elements that a view shows of its storage."""
    if facts.numel == 0:
        return np.empty(facts.shape, facts.dtype.numpy)
    size = facts.dtype.itemsize
    strides = [stride * size for stride in facts.strides]
    return np.lib.stride_tricks.as_strided(storage[facts.offset :], facts.shape, strides)


Layout = Callable[[DType, tuple[int, ...]], View]


def _contiguous(dtype: DType, shape: tuple[int, ...]) -> View:
    return view(dtype, shape)


def _offset(dtype: DType, shape: tuple[int, ...]) -> View:
    return view(dtype, shape, None, 3, storage_shape=(math.prod(shape) + 5,))


def _transposed(dtype: DType, shape: tuple[int, ...]) -> View:
    strides = contiguous_strides(shape[::-1])[::-1]
    return view(dtype, shape, strides, 0, storage_shape=(math.prod(shape),))


def _reversed(dtype: DType, shape: tuple[int, ...]) -> View:
    return strided_view(dtype, shape, [-stride for stride in contiguous_strides(shape)])


def _stepped(dtype: DType, shape: tuple[int, ...]) -> View:
    """Gaps between neighbours, and between rows."""
    strides, step = [], 3
    for size in reversed(shape):
        strides.append(step)
        step = step * size + 2
    return strided_view(dtype, shape, strides[::-1])


def _mixed(dtype: DType, shape: tuple[int, ...]) -> View:
    """Rotated in memory, every other dimension backwards, gaps between rows."""
    order = [*range(1, len(shape)), 0][: len(shape)]
    strides, step = [0] * len(shape), 1
    for position, dim in enumerate(reversed(order)):
        strides[dim] = step * (-1) ** position
        step = step * shape[dim] + 1
    return strided_view(dtype, shape, strides)


LAYOUTS: dict[str, Layout] = {
    "contiguous": _contiguous,
    "offset": _offset,
    "transposed": _transposed,
    "reversed": _reversed,
    "stepped": _stepped,
    "mixed": _mixed,
}


def place(values: Any, dtype: str | DType, layout: str = "contiguous") -> Block:
    """Values in guarded memory, laid out as named."""
    dtype = dtypes.by_name(dtype) if isinstance(dtype, str) else dtype
    values = np.asarray(values)
    block = Block(LAYOUTS[layout](dtype, values.shape))
    with np.errstate(all="ignore"):
        return block.fill(values.astype(dtype.numpy))


def output(shape: tuple[int, ...], dtype: str | DType, layout: str = "contiguous") -> Block:
    """Room for results, filled with the pattern."""
    dtype = dtypes.by_name(dtype) if isinstance(dtype, str) else dtype
    block = Block(LAYOUTS[layout](dtype, shape))
    block.before = block.bytes.copy()
    return block


def phase_one(op: Op, arguments: Sequence[Any]) -> tuple[int, int, Any]:
    answer: tuple[int, int, Any] = getattr(openaclnn.aclnn, f"{op.c_name}GetWorkspaceSize")(
        *arguments
    )
    return answer


def phase_two(op: Op, workspace: Any, size: int, executor: Any) -> int:
    status: int = getattr(openaclnn.aclnn, op.c_name)(workspace, size, executor, None)
    return status


def message() -> str:
    return openaclnn.aclnn.aclGetRecentErrMsg() or ""


def run(op: Op, arguments: Sequence[Any]) -> int:
    """Both phases, which must succeed; the size of the workspace that was asked for."""
    status, size, executor = phase_one(op, arguments)
    assert status == 0, message()
    workspace = np.full(size + 2 * GUARD, _PATTERN, np.uint8)
    begin = workspace.ctypes.data + GUARD if size else None
    assert phase_two(op, begin, size, executor) == 0, message()
    assert (workspace[:GUARD] == _PATTERN).all()
    assert (workspace[GUARD + size :] == _PATTERN).all()
    return size


def attribute_values(op: Op, attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Every attribute as the C-shaped entry point takes it: given, or the operator's default."""
    values = {}
    for attribute in op.attributes:
        value = attributes.get(attribute.name, attribute.default)
        value = attribute.choices.get(value, value) if isinstance(value, str) else value
        if attribute.host is SCALAR and not isinstance(value, Scalar):
            value = scalar(value)
        values[attribute.name] = value
    return values


def in_order(
    op: Op, inputs: Mapping[str, Any], out: Any, attributes: Mapping[str, Any] | None = None
) -> list[Any]:
    """Arguments in C order; inputs that are not read may be left out."""
    given = {**inputs, op.outputs[0].name: out, **attribute_values(op, attributes or {})}
    for argument in op.inputs:
        given.setdefault(argument.name, out)
    return [given[argument.name] for argument in op.arguments]


def compute(
    samples: Samples,
    inputs: Sequence[Any],
    input_dtypes: Sequence[str],
    out_dtype: str,
    attributes: Mapping[str, Any] | None = None,
    layouts: Sequence[str] = (),
) -> Array:
    """Results of an operator for values in these dtypes and layouts, inputs first."""
    op = all_ops()[samples.op]
    layouts = layouts or ["contiguous"] * (len(inputs) + 1)
    blocks = [
        place(values, dtype, layout)
        for values, dtype, layout in zip(inputs, input_dtypes, layouts[:-1], strict=True)
    ]
    shape = np.broadcast_shapes(*(block.view.shape for block in blocks))
    out = output(shape, out_dtype, layouts[-1])
    tensors = dict(zip(samples.inputs, (block.tensor for block in blocks), strict=True))
    size = run(op, in_order(op, tensors, out.tensor, attributes))
    assert size == 0, "a workspace without overlap"
    assert all(block.unchanged() for block in blocks), "an input has changed"
    return out.result()


def bits(array: Array) -> Array:
    """The bit patterns of elements, complex ones as pairs."""
    array = np.ascontiguousarray(array)
    if array.dtype.kind == "c":
        array = array.view(f"f{array.dtype.itemsize // 2}")
    return array.view(f"u{array.dtype.itemsize}")


def described(argument: Any) -> Any:
    """An argument from its row: memory only where it takes little."""
    if isinstance(argument, S):
        return scalar(argument.value, dtypes.by_name(argument.dtype))
    if not isinstance(argument, T):
        return argument
    dtype = dtypes.by_name(argument.dtype)
    facts = view(
        dtype, argument.shape, argument.strides, argument.offset, storage_shape=argument.storage
    )
    size = max(facts.storage_numel, 1) * dtype.itemsize
    memory = np.zeros(size, np.uint8) if size < 1 << 20 else None
    return Tensor(facts, 0 if memory is None else memory.ctypes.data, owner=memory)


def described_call(samples: Samples, arguments: Mapping[str, Any]) -> list[Any]:
    """The plain valid call with these arguments in place of its own, in C order."""
    op = all_ops()[samples.op]
    plain = {argument.name: T() for argument in op.tensors} | dict(samples.plain)
    return [described({**plain, **arguments}[argument.name]) for argument in op.arguments]
