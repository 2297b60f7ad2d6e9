"""How the operands of a case lie in memory.

Every layout changes one thing about contiguous operands of one dtype. "The operand" is the last
tensor that is read. An operator that takes its tensors in parts, or lists of them, has matrices in
order and no other layout.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache, partial
from itertools import count
from typing import Any

from openaclnn.base import products
from openaclnn.base.dtypes import FLOAT, FLOAT16, DType, by_name
from openaclnn.base.products import Product
from openaclnn.base.tensors import Tensor, View, contiguous_strides, view
from openaclnn.bench.any_view import OUTPUT_WAYS, WAYS, any_shape, any_view, sectors
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
_ODD = (7, 9, 11, 13, 5, 11, 7, 13)  # 45 million elements of which nothing is aligned
RANDOM = "random"
_APART = 1 << 44  # addresses of tensors that have no memory yet


@dataclass(frozen=True)
class Said:
    """What a layout says: a shape and, by name, the views of tensors that are not contiguous ones
    of that shape in the case's dtype. `turned`: the outputs are transposes; `output`: they lie like
    this view of the case's dtype."""

    shape: Shape
    views: dict[str, View] = field(default_factory=dict)
    turned: bool = False
    output: View | None = None


@dataclass(frozen=True)
class Arrangement:
    """One layout; it takes operators with at least so many inputs. Those that are not `usual` are
    measured where they are asked for."""

    name: str
    meaning: str
    make: Callable[[Op, DType, int], Said]
    inputs: int = 1
    usual: bool = True


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


def _channels_last(op: Op, dtype: DType, numel: int) -> Said:
    """Planes of 90 x 91 elements: no row of theirs begins where a vector of 16 bytes does."""
    planes = max(2, numel // 8192)
    shape = (batch, channels, *plane) = (planes // min(256, planes), min(256, planes), 90, 91)
    storage = (batch, *plane, channels)
    strides = (channels * 8190, 1, channels * 91, channels)
    return Said(shape, {_operand(op): view(dtype, shape, strides, storage_shape=storage)})


def _odd_sizes(op: Op, dtype: DType, numel: int) -> Said:
    a = max(2, int(numel ** (1 / 3)) - 6)
    shape, storage = (a, a + 1, a + 3), (a + 3, a, a + 1)
    strides = (a + 1, 1, a * (a + 1))
    return Said(shape, {_operand(op): view(dtype, shape, strides, storage_shape=storage)})


def _some_columns(op: Op, dtype: DType, numel: int) -> Said:
    shape, storage = (numel // 16, 13), (numel // 16, 16)
    return Said(shape, {_operand(op): view(dtype, shape, (16, 1), storage_shape=storage)})


def _few_columns(op: Op, dtype: DType, numel: int) -> Said:
    shape = (numel // 16, 16)
    return Said(shape, {_operand(op): _transposed(dtype, shape)})


def _shifted(op: Op, dtype: DType, numel: int) -> Said:
    return Said(
        (numel,), {_operand(op): view(dtype, (numel,), None, 1, storage_shape=(numel + 1,))}
    )


def _odd_dimensions(op: Op, dtype: DType, numel: int) -> Said:
    factor = (numel / math.prod(_ODD)) ** (1 / len(_ODD))
    shape = tuple(max(3, int(factor * size) | 1) for size in _ODD)
    strides = contiguous_strides(shape[::-1])[::-1]
    return Said(shape, {_operand(op): view(dtype, shape, strides, storage_shape=shape[::-1])})


ALL = {
    layout.name: layout
    for layout in (
        Arrangement("contiguous", "elements in order, one dimension", _flat, 0),
        Arrangement("transposed", "a square matrix; the operand is a transpose", _operand_transposed),
        Arrangement("out-transposed", "a square matrix; the output is a transpose", _output_transposed),
        Arrangement("row", "the operand is one row for all rows", _row, 2),
        Arrangement("column", "the operand is one column for all columns", _column, 2),
        Arrangement("scalar", "the first input is a single element", _scalar, 2),
        Arrangement("mixed", "the first input has the dtype, others f32 (f16 beside f32)", _mixed, 2),
        Arrangement("sliced", "the operand is every second element of longer rows", _sliced),
        Arrangement("permuted", "8 dimensions; the operand's in reversed order", _permuted),
        Arrangement("channels-last", "planes of 90x91; the operand's channels are fastest",
               _channels_last, usual=False),
        Arrangement("odd sizes", "400x401x403 of 403x400x401, permuted", _odd_sizes, usual=False),
        Arrangement("some columns", "the operand is 13 of 16 columns", _some_columns, usual=False),
        Arrangement("few columns", "16 columns; the operand is a transpose", _few_columns, usual=False),
        Arrangement("shifted", "the operand begins one element late", _shifted, usual=False),
        Arrangement("odd dimensions", "8 odd ones; the operand's in reversed order", _odd_dimensions,
               usual=False),
    )
}  # fmt: skip


def named(name: str) -> Arrangement:
    """The layout of a name; "random" ones are drawn by what follows."""
    if not name.startswith(RANDOM):
        return ALL[name]
    meaning = "sizes, permutations, slices, offsets and broadcasts by chance"
    return Arrangement(name, meaning, partial(_drawn, name), 2, usual=False)


def random_names(seed: int, count: int = 200) -> tuple[str, ...]:
    """
    >>> random_names(7, 2)
    ('random 7.0', 'random 7.1')
    """
    return tuple(f"{RANDOM} {seed}.{number}" for number in range(count))


def _drawn(name: str, op: Op, dtype: DType, numel: int) -> Said:
    """Every tensor lies in a way of its own; up to 6 dimensions, a quarter of the elements to
    all."""
    chance = random.Random(name)
    shape = any_shape(chance, chance.uniform(numel / 4, numel))
    views = {a.name: any_view(chance, dtype, shape, chance.choice(WAYS)) for a in op.reads}
    return Said(shape, views, output=any_view(chance, dtype, shape, chance.choice(OUTPUT_WAYS)))


@lru_cache(maxsize=64)
def call(case: Case) -> Call | str:
    """The case's call, on tensors without memory, for a product whose rules accept it, the default
    one if it does; else why none does."""
    op, layout = find(case.op), named(case.layout)
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
    said = named(case.layout).make(op, dtype, case.numel)
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
                if said.output is not None:
                    made = as_dtype(said.output, meta.dtype)
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


def bytes_in_sectors(call: Call) -> int:
    """What memory moves at least: whole sectors of 32 bytes."""
    read = sum(sectors(given.tensor.view) for given in call.reads)
    return read + sum(sectors(given.tensor.view, written=True) for given in call.writes)


def as_dtype(found: View, dtype: DType) -> View:
    """A view that lies like another one."""
    kept = found.storage_shape
    return view(dtype, found.shape, found.strides, found.offset, storage_shape=kept)


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
