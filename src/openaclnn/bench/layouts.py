"""How the operands of a case lie in memory.

Every layout changes one thing about contiguous operands of one dtype. "The operand" is the last
tensor that is read. An operator that takes its tensors in parts, or lists of them, has matrices in
order and no other layout.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Callable
from dataclasses import field
from functools import lru_cache, partial
from typing import Any

from openaclnn.base import layouts as by_itself
from openaclnn.base import products
from openaclnn.base.dtypes import FLOAT, FLOAT16, DType, by_name
from openaclnn.base.products import Product
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import View, contiguous_strides, view
from openaclnn.bench.any_view import OUTPUT_WAYS, WAYS, any_shape, any_view, sectors
from openaclnn.bench.cases import Case
from openaclnn.check import verdict
from openaclnn.ops import find
from openaclnn.spec import describe
from openaclnn.spec.call import Call
from openaclnn.spec.host import SCALAR, Array
from openaclnn.spec.op import REQUIRED, Attr, Op, Out
from openaclnn.spec.rules import DimOf, DimsOf
from openaclnn.spec.sample import sample_call
from openaclnn.spec.steps import elementwise
from openaclnn.truth.reference import complete

Shape = tuple[int, ...]
_DIMS = 8
_MOST_DIMS = 5  # of random shapes
_ODD = (7, 9, 11, 13, 5, 11, 7, 13)  # 45 million elements of which nothing is aligned
RANDOM = "random"
_SHAPE = re.compile(r"(\d+(?:x\d+)*)(?: over (\d+(?:,\d+)*))?")
_NUMBER = 1.5  # beside a tensor: as a power it is no special case, as a factor no 1


@dataclass(frozen=True)
class Said:
    """What a layout says: a shape and, by name, the views of tensors that are not contiguous ones
    of that shape in the case's dtype; outputs lie like `output`. `over` are dimensions for the
    attribute that names some."""

    shape: Shape
    views: dict[str, View] = field(default_factory=dict)
    output: View | None = None
    over: tuple[int, ...] = ()


Make = Callable[[Op, DType, int], Said]


@dataclass(frozen=True)
class Arrangement:
    """One layout of all operands; it takes operators with at least so many inputs. Those that are
    not `usual` are measured where they are asked for."""

    name: str
    meaning: str
    make: Make
    inputs: int = 1
    usual: bool = True


def _operand(make: Callable[[DType, int], View]) -> Make:
    """Only the operand is special, and has the shape of all."""

    def said(op: Op, dtype: DType, numel: int) -> Said:
        found = make(dtype, numel)
        return Said(found.shape, {op.reads[-1].name: found})

    return said


def _stored(shape_of: Callable[[int], Shape], *order: int) -> Make:
    """The operand's dimensions lie in this order; reversed where none is said."""

    def make(dtype: DType, numel: int) -> View:
        shape = shape_of(numel)
        dims = order or tuple(range(len(shape)))[::-1]
        storage = tuple(shape[dim] for dim in dims)
        strides = dict(zip(dims, contiguous_strides(storage), strict=True))
        return view(dtype, shape, [strides[d] for d in sorted(dims)], storage_shape=storage)

    return _operand(make)


def _repeated(shape_of: Callable[[Shape], Shape], number: int = -1) -> Make:
    """One of the tensors that are read is smaller than the matrix of the others."""

    def make(op: Op, dtype: DType, numel: int) -> Said:
        shape = _matrix(numel)
        return Said(shape, {op.reads[number].name: view(dtype, shape_of(shape))})

    return make


def _mixed(op: Op, dtype: DType, numel: int) -> Said:
    other = FLOAT16 if dtype is FLOAT else FLOAT
    return Said((numel,), {a.name: view(other, (numel,)) for a in op.reads[1:]})


def _output_transposed(op: Op, dtype: DType, numel: int) -> Said:
    turned = by_itself.by_name("transposed").make(dtype, _matrix(numel))
    return Said(turned.shape, output=turned)


def _sliced(dtype: DType, numel: int) -> View:
    return by_itself.by_name("sliced").make(dtype, _matrix(numel))


def _some_columns(dtype: DType, numel: int) -> View:
    return view(dtype, (numel // 16, 13), (16, 1), storage_shape=(numel // 16, 16))


def _shifted(dtype: DType, numel: int) -> View:
    return view(dtype, (numel,), None, 1, storage_shape=(numel + 1,))


def _all_shifted(op: Op, dtype: DType, numel: int) -> Said:
    late = _shifted(dtype, numel)
    return Said((numel,), {a.name: late for a in op.reads}, output=late)


def _matrix(numel: int) -> Shape:
    rows = 1 << ((numel.bit_length() - 1) // 2)
    return rows, numel // rows


def _eight_dimensions(numel: int) -> Shape:
    """
    >>> _eight_dimensions(2**10)
    (2, 2, 2, 2, 2, 2, 4, 4)
    """
    each, left = divmod(numel.bit_length() - 1, _DIMS)
    return tuple(1 << (each + (dim >= _DIMS - left)) for dim in range(_DIMS))


def _odd_dimensions(numel: int) -> Shape:
    factor = (numel / math.prod(_ODD)) ** (1 / len(_ODD))
    return tuple(max(3, int(factor * size) | 1) for size in _ODD)


def _odd_sizes(numel: int) -> Shape:
    a = max(2, int(numel ** (1 / 3)) - 6)
    return a, a + 1, a + 3


def _planes(numel: int) -> Shape:
    """Of 90 x 91 elements: no row of theirs begins where a vector of 16 bytes does."""
    planes = max(2, numel // 8192)
    return planes // min(256, planes), min(256, planes), 90, 91


ALL = {
    one.name: one
    for one in (
        Arrangement("contiguous", "elements in order, one dimension",
                    lambda op, dtype, numel: Said((numel,)), 0),
        Arrangement("transposed", "a square matrix; the operand is a transpose", _stored(_matrix)),
        Arrangement("out-transposed", "a square matrix; the output is a transpose",
                    _output_transposed),
        Arrangement("row", "the operand is one row for all rows",
                    _repeated(lambda shape: shape[1:]), 2),
        Arrangement("column", "the operand is one column for all columns",
                    _repeated(lambda shape: (shape[0], 1)), 2),
        Arrangement("scalar", "the first input is a single element",
                    _repeated(lambda shape: (), 0), 2),
        Arrangement("mixed", "the first input has the dtype, others f32 (f16 beside f32)",
                    _mixed, 2),
        Arrangement("sliced", "the operand is every second element of longer rows",
                    _operand(_sliced)),
        Arrangement("permuted", "8 dimensions; the operand's in reversed order",
                    _stored(_eight_dimensions)),
        Arrangement("channels-last", "planes of 90x91; the operand's channels are fastest",
                    _stored(_planes, 0, 2, 3, 1), usual=False),
        Arrangement("odd sizes", "400x401x403 of 403x400x401, permuted",
                    _stored(_odd_sizes, 2, 0, 1), usual=False),
        Arrangement("some columns", "the operand is 13 of 16 columns",
                    _operand(_some_columns), usual=False),
        Arrangement("few columns", "16 columns; the operand is a transpose",
                    _stored(lambda numel: (numel // 16, 16)), usual=False),
        Arrangement("shifted", "the operand begins one element late",
                    _operand(_shifted), usual=False),
        Arrangement("all shifted", "every tensor begins one element late",
                    _all_shifted, usual=False),
        Arrangement("odd dimensions", "8 odd ones; the operand's in reversed order",
                    _stored(_odd_dimensions), usual=False),
    )
}  # fmt: skip


def named(name: str) -> Arrangement:
    """The layout of a name; "random" ones are drawn by what follows, and a shape is itself."""
    if named_shape(name):
        return Arrangement(name, "tensors of this shape in order", partial(_shaped, name), 0)
    if not name.startswith(RANDOM):
        return ALL[name]
    meaning = "random sizes, permutations, slices, offsets and broadcasts"
    return Arrangement(name, meaning, partial(_drawn, name), 2, usual=False)


def named_shape(name: str) -> Shape:
    """The shape that a name says; () where it says none.

    >>> named_shape("3x1009"), named_shape("3x1009x7 over 0,2"), named_shape("transposed")
    ((3, 1009), (3, 1009, 7), ())
    """
    found = _SHAPE.fullmatch(name)
    return tuple(map(int, found[1].split("x"))) if found else ()


def _shaped(name: str, op: Op, dtype: DType, numel: int) -> Said:
    found = _SHAPE.fullmatch(name)
    assert found is not None
    over = tuple(map(int, found[2].split(","))) if found[2] else ()
    return Said(named_shape(name), over=over)


def random_shape(chance: random.Random, op: Op, numel: int) -> str:
    """The name of a shape of up to 5 dimensions, and the ones that the operator takes, if it does.

    >>> from openaclnn.ops import find
    >>> random_shape(random.Random(1), find("softmax"), 10_000)
    '189x53 over 0'
    """
    while len(shape := any_shape(chance, numel)) > _MOST_DIMS:
        pass
    dims, named = range(len(shape)), _dims_of(op)
    if named is None:
        over = []
    elif isinstance(named.host, Array):
        over = sorted(chance.sample(dims, chance.randint(1, len(shape))))
    else:
        over = [chance.choice(dims)]
    return "x".join(map(str, shape)) + (" over " + ",".join(map(str, over)) if over else "")


def _dims_of(op: Op) -> Attr | None:
    """The attribute that names dimensions."""
    ruled = [rule.of for rule in op.rules if isinstance(rule, (DimOf, DimsOf))]
    return next((a for a in op.attributes if a.name in (*ruled, "dim")), None)


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
    by_parts = op.steps is not elementwise or any(a.many for a in op.reads)
    if case.layout != "contiguous" and not named_shape(case.layout) and by_parts:
        return "it takes its tensors in parts"
    if len(op.reads) < layout.inputs:
        return f"it reads fewer than {layout.inputs} tensors"
    reason = ""
    for product in dict.fromkeys((products.DEFAULT, products.ASCEND950, *op.products)):
        made = _made(case, op, by_parts, product)
        refusal = verdict(made)
        if refusal is None:
            return _DEMANDING if _demands(made) else made
        reason = reason or refusal.message
    return reason


_DEMANDING = "what its elements are together must fit, as of random ones it does not"


def _demands(call: Call) -> bool:
    """Whether it asks for more of its elements than that each is an index that is there."""
    return any(limit.part.tensor < 0 for step in call.op.steps(call) for limit in step.limits)


def _made(case: Case, op: Op, by_parts: bool, product: Product) -> Call:
    dtype = by_name(case.dtype)
    dtypes = describe.alike(op, dtype)
    said = Said(_matrix(case.numel))
    if not by_parts or named_shape(case.layout):
        said = named(case.layout).make(op, dtype, case.numel)
        if dtype not in dtypes.values():
            dtypes = dict.fromkeys(dtypes, dtype)  # to be refused
    tensors = sorted(op.tensors, key=lambda a: a in op.separate)

    def lies(number: int, dtype: DType, shape: Shape) -> View:
        if by_parts:
            return view(dtype, shape)
        argument = tensors[number]
        found = said.views.get(argument.name)
        like = said.output if isinstance(argument, Out) else None
        if argument not in op.separate:
            dtype = dtypes[argument.name]
        return found or as_dtype(like or view(dtype, shape), dtype)

    each = [dtypes[a.name] for a in op.reads] or [dtype]
    chosen = attributes(op, dtype, said.over)
    return sample_call(op, each, said.shape, (), lies, chosen, product)


def attributes(op: Op, dtype: DType, over: tuple[int, ...] = ()) -> dict[str, Any]:
    """Attributes as the benchmark uses them, by name: the defaults, but no reduction, whose factor
    would take small dtypes out of their range, and numbers that leave something to do. `over` are
    the dimensions where an attribute names some."""
    chosen: dict[str, Any] = {a.name: "none" for a in op.attributes if "none" in a.choices}
    if dtype.kind == "float":
        scalars = [a for a in op.attributes if a.host is SCALAR and a.default is REQUIRED]
        chosen |= {a.name: _NUMBER for a in scalars}
    named = _dims_of(op) if over else None
    if named is not None:
        chosen[named.name] = over if isinstance(named.host, Array) else over[0]
    return complete(op, chosen)


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
