"""How the operands of a case lie in memory.

Every layout changes one thing about contiguous operands of one dtype. "The operand" is the last
tensor that is read. An operator that takes its tensors in parts, or lists of them, has matrices in
order and no other layout.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import Any

from openaclnn.base import products
from openaclnn.base.dtypes import FLOAT, FLOAT16, DType, by_name
from openaclnn.base.products import Product
from openaclnn.base.tensors import Tensor, View, contiguous_strides, view
from openaclnn.bench.cases import Case
from openaclnn.check import verdict
from openaclnn.ops import find
from openaclnn.precision.reference import complete
from openaclnn.spec import describe
from openaclnn.spec.call import Call
from openaclnn.spec.op import In, InOut, Op
from openaclnn.spec.sample import sample_call
from openaclnn.spec.steps import elementwise

Shape = tuple[int, ...]
_DIMS = 8
_APART = 1 << 44  # addresses of tensors that have no memory yet


@dataclass(frozen=True)
class Said:
    """What a layout says: a shape and, by name, the views of tensors that are not contiguous ones
    of that shape in the case's dtype. `turned`: the outputs are transposes."""

    shape: Shape
    views: dict[str, View] = field(default_factory=dict)
    turned: bool = False


@dataclass(frozen=True)
class Layout:
    """One layout; it takes operators with at least so many inputs."""

    name: str
    meaning: str
    make: Callable[[Op, DType, int], Said]
    inputs: int = 1


def _flat(op: Op, dtype: DType, numel: int) -> Said:
    return Said((numel,))


def _operand_transposed(op: Op, dtype: DType, numel: int) -> Said:
    shape = _matrix(numel)
    return Said(shape, {_operand(op): _transposed(dtype, shape)})


def _output_transposed(op: Op, dtype: DType, numel: int) -> Said:
    return Said(_matrix(numel), turned=True)


def _row(op: Op, dtype: DType, numel: int) -> Said:
    rows, columns = _matrix(numel)
    return Said((rows, columns), {_operand(op): view(dtype, (columns,))})


def _column(op: Op, dtype: DType, numel: int) -> Said:
    rows, columns = _matrix(numel)
    return Said((rows, columns), {_operand(op): view(dtype, (rows, 1))})


def _scalar(op: Op, dtype: DType, numel: int) -> Said:
    return Said(_matrix(numel), {op.reads[0].name: view(dtype, ())})


def _mixed(op: Op, dtype: DType, numel: int) -> Said:
    other = FLOAT16 if dtype is FLOAT else FLOAT
    return Said((numel,), {a.name: view(other, (numel,)) for a in op.reads[1:]})


def _sliced(op: Op, dtype: DType, numel: int) -> Said:
    rows, columns = _matrix(numel)
    storage = (rows, 2 * columns)
    every_second = view(dtype, (rows, columns), (2 * columns, 2), storage_shape=storage)
    return Said((rows, columns), {_operand(op): every_second})


def _permuted(op: Op, dtype: DType, numel: int) -> Said:
    shape = _eight_dimensions(numel)
    storage = shape[::-1]
    reversed_ = view(dtype, shape, contiguous_strides(storage)[::-1], storage_shape=storage)
    return Said(shape, {_operand(op): reversed_})


ALL = {
    layout.name: layout
    for layout in (
        Layout("contiguous", "elements in order, one dimension", _flat, 0),
        Layout("transposed", "a square matrix; the operand is a transpose", _operand_transposed),
        Layout("out-transposed", "a square matrix; the output is a transpose", _output_transposed),
        Layout("row", "the operand is one row for all rows", _row, 2),
        Layout("column", "the operand is one column for all columns", _column, 2),
        Layout("scalar", "the first input is a single element", _scalar, 2),
        Layout("mixed", "the first input has the dtype, others f32 (f16 beside f32)", _mixed, 2),
        Layout("sliced", "the operand is every second element of longer rows", _sliced),
        Layout("permuted", "8 dimensions; the operand's in reversed order", _permuted),
    )
}  # fmt: skip


@lru_cache(maxsize=64)
def call(case: Case) -> Call | str:
    """The case's call, on tensors without memory, for a product whose rules accept it, the default
    one if it does; else why none does."""
    op, layout = find(case.op), ALL[case.layout]
    by_parts = op.steps is not elementwise or any(getattr(a, "many", False) for a in op.reads)
    if case.layout != "contiguous" and by_parts:
        return "it takes its tensors in parts"
    if len(op.reads) < layout.inputs:
        return f"it reads fewer than {layout.inputs} tensors"
    reason = ""
    for product in dict.fromkeys((products.DEFAULT, products.ASCEND950, *op.products)):
        made = _of_parts(case, op, product) if by_parts else _of_wholes(case, op, product)
        refusal = verdict(made)
        if refusal is None:
            return made
        reason = reason or refusal.message
    return reason


def _of_parts(case: Case, op: Op, product: Product) -> Call:
    dtypes = describe.alike(op, by_name(case.dtype))
    each = [dtypes[a.name] for a in op.reads]
    return sample_call(op, each, _matrix(case.numel), attributes=attributes(op), product=product)


def _of_wholes(case: Case, op: Op, product: Product) -> Call:
    dtype = by_name(case.dtype)
    dtypes = describe.alike(op, dtype)
    if dtype not in dtypes.values():
        dtypes = dict.fromkeys(dtypes, dtype)  # to be refused
    said = ALL[case.layout].make(op, dtype, case.numel)
    values: dict[str, Any] = dict.fromkeys(a.name for a in op.arguments) | attributes(op)
    places = count(1)
    for a in op.tensors:
        if isinstance(a, (In, InOut)):
            found = said.views.get(a.name)
            if found is None:
                turned = said.turned and isinstance(a, InOut)
                found = (_transposed if turned else view)(dtypes[a.name], said.shape)
            values[a.name] = Tensor(found, next(places) * _APART)
    if op.separate:
        for output, meta in zip(op.outputs, Call(op, values, product).results, strict=True):
            if output in op.separate:
                made = view(meta.dtype, meta.shape)
                if said.turned:
                    made = _transposed(meta.dtype, said.shape)
                values[output.name] = Tensor(made, next(places) * _APART)
    return Call(op, values, product)


def attributes(op: Op) -> dict[str, Any]:
    """Attributes as the benchmark uses them, by name: the defaults, but no reduction, whose factor
    would take small dtypes out of their range."""
    return complete(op, {a.name: "none" for a in op.attributes if "none" in a.choices})


def bytes_moved(call: Call) -> int:
    """What must be read and written at least: each element of each operand once, of one that is
    changed twice."""
    return sum(
        _distinct(given.tensor.view) * given.tensor.dtype.itemsize
        for given in (*call.reads, *call.writes)
    )


def bytes_kept(call: Call) -> int:
    """Memory that the operands take."""
    views = [given.tensor.view for given in call.used]
    return sum(v.storage_numel * v.dtype.itemsize for v in views)


def _distinct(view: View) -> int:
    count = 1
    for length, stride in zip(view.shape, view.strides, strict=True):
        count *= length if stride else 1
    return count


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
