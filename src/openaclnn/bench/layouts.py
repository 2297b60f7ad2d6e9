"""How the operands of a case lie in memory, as views.

Every layout changes one thing about contiguous operands of one dtype. "The operand" is the last
input that is read: `self`, or `target` for smooth L1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from openaclnn.base import products
from openaclnn.base.dtypes import FLOAT, FLOAT16, DType, by_name
from openaclnn.base.products import Product
from openaclnn.base.tensors import Tensor, View, contiguous_strides, view
from openaclnn.bench.cases import Case
from openaclnn.calls.functions import attribute
from openaclnn.check import verdict
from openaclnn.ops import find
from openaclnn.spec.call import Call
from openaclnn.spec.op import Op

Views = dict[str, View]
Shape = tuple[int, ...]
_DIMS = 8


@dataclass(frozen=True)
class Layout:
    """`make` gives the views of the tensors that are read or written, by name."""

    name: str
    meaning: str
    make: Callable[[Op, DType, int], Views]


def _flat(op: Op, dtype: DType, numel: int) -> Views:
    return _all(op, view(dtype, (numel,)))


def _operand_transposed(op: Op, dtype: DType, numel: int) -> Views:
    shape = _matrix(numel)
    return _all(op, view(dtype, shape)) | {_operand(op): _transposed(dtype, shape)}


def _output_transposed(op: Op, dtype: DType, numel: int) -> Views:
    shape = _matrix(numel)
    return _all(op, view(dtype, shape)) | {op.outputs[0].name: _transposed(dtype, shape)}


def _row(op: Op, dtype: DType, numel: int) -> Views:
    rows, columns = _matrix(numel)
    return _all(op, view(dtype, (rows, columns))) | {_operand(op): view(dtype, (columns,))}


def _column(op: Op, dtype: DType, numel: int) -> Views:
    rows, columns = _matrix(numel)
    return _all(op, view(dtype, (rows, columns))) | {_operand(op): view(dtype, (rows, 1))}


def _scalar(op: Op, dtype: DType, numel: int) -> Views:
    return _all(op, view(dtype, _matrix(numel))) | {op.reads[0].name: view(dtype, ())}


def _mixed(op: Op, dtype: DType, numel: int) -> Views:
    other = FLOAT16 if dtype is FLOAT else FLOAT
    views = _all(op, view(other, (numel,))) | {op.reads[0].name: view(dtype, (numel,))}
    return views | {op.outputs[0].name: view(FLOAT, (numel,))}


def _sliced(op: Op, dtype: DType, numel: int) -> Views:
    rows, columns = _matrix(numel)
    storage = (rows, 2 * columns)
    every_second = view(dtype, (rows, columns), (2 * columns, 2), storage_shape=storage)
    return _all(op, view(dtype, (rows, columns))) | {_operand(op): every_second}


def _permuted(op: Op, dtype: DType, numel: int) -> Views:
    shape = _eight_dimensions(numel)
    storage = shape[::-1]
    reversed_ = view(dtype, shape, contiguous_strides(storage)[::-1], storage_shape=storage)
    return _all(op, view(dtype, shape)) | {_operand(op): reversed_}


ALL = {
    layout.name: layout
    for layout in (
        Layout("contiguous", "elements in order, one dimension", _flat),
        Layout("transposed", "a square matrix; the operand is a transpose", _operand_transposed),
        Layout("out-transposed", "a square matrix; the output is a transpose", _output_transposed),
        Layout("row", "the operand is one row for all rows", _row),
        Layout("column", "the operand is one column for all columns", _column),
        Layout("scalar", "the gradient is a single element", _scalar),
        Layout("mixed", "the gradient has the dtype, all else is f32 (f16 beside an f32)", _mixed),
        Layout("sliced", "the operand is every second element of longer rows", _sliced),
        Layout("permuted", "8 dimensions; the operand's in reversed order", _permuted),
    )
}


def views(case: Case) -> Views:
    """Views of the tensors that are read or written, by name."""
    return ALL[case.layout].make(find(case.op), by_name(case.dtype), case.numel)


def product_for(case: Case) -> Product | str:
    """A product whose rules accept the case, the default one if it does; else why none does."""
    op = find(case.op)
    found = views(case)
    unread = found[op.reads[0].name]
    named: dict[str, object] = {
        a.name: Tensor(found.get(a.name, unread), 1 << 12) for a in op.tensors
    } | attributes(op)
    reason = ""
    for product in (products.DEFAULT, products.ASCEND950):
        answer = verdict(Call(op, named, product))
        if answer is None:
            return product
        reason = reason or answer.message
    return reason


def attributes(op: Op) -> dict[str, Any]:
    """Attributes as the benchmark uses them, by name: the defaults, but no reduction, whose factor
    would take small dtypes out of their range."""
    return {
        a.name: attribute(op, a, "none" if a.name == "reduction" else a.default)
        for a in op.attributes
    }


def bytes_moved(case: Case) -> int:
    """What must be read and written at least: each element of each operand once."""
    return sum(_distinct(v) * v.dtype.itemsize for v in views(case).values())


def bytes_kept(case: Case) -> int:
    """Memory that the operands take."""
    return sum(v.storage_numel * v.dtype.itemsize for v in views(case).values())


def _distinct(view: View) -> int:
    count = 1
    for length, stride in zip(view.shape, view.strides, strict=True):
        count *= length if stride else 1
    return count


def _all(op: Op, same: View) -> Views:
    return {argument.name: same for argument in op.used}


def _operand(op: Op) -> str:
    return op.reads[-1].name


def _matrix(numel: int) -> Shape:
    rows = 1 << ((numel.bit_length() - 1) // 2)
    return rows, numel // rows


def _transposed(dtype: DType, shape: Shape) -> View:
    rows, columns = shape
    return view(dtype, shape, (1, rows), storage_shape=(columns, rows))


def _eight_dimensions(numel: int) -> Shape:
    """
    >>> _eight_dimensions(2**10)
    (2, 2, 2, 2, 2, 2, 4, 4)
    """
    each, left = divmod(numel.bit_length() - 1, _DIMS)
    return tuple(1 << (each + (dim >= _DIMS - left)) for dim in range(_DIMS))
