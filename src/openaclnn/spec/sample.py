"""Generates a valid call of any operator: for showing and compiling kernels, for proofs, benchmarks
and self-checks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from openaclnn.base import products
from openaclnn.base.dtypes import DType
from openaclnn.base.products import Product
from openaclnn.base.tensors import Tensor, View, view
from openaclnn.spec.call import Call, of_outputs
from openaclnn.spec.describe import alike
from openaclnn.spec.host import DATA_TYPE, INT64
from openaclnn.spec.op import REQUIRED, Attr, In, InOut, Op

_MEMBERS = 2  # of a list
_COUNT = 70

Layout = Callable[[int, DType, tuple[int, ...]], View]


def contiguous(number: int, dtype: DType, shape: tuple[int, ...]) -> View:
    return view(dtype, shape)


def sample_call(
    op: Op,
    dtypes: Sequence[DType],
    shape: tuple[int, ...],
    outs: Sequence[DType | None] = (),
    layout: Layout = contiguous,
    attributes: Mapping[str, Any] | None = None,
    product: Product = products.DEFAULT,
    without: Collection[str] = (),
) -> Call:
    """A call on tensors without memory. `dtypes` are those of the tensors that are read, one for
    all that take it or one for each; where none is read, the one that attributes name. `outs` are
    those of the outputs, where they are not the results' own; `without` names optional tensors that
    are absent."""
    each = list(dtypes)
    if len(dtypes) == 1:
        taken = alike(op, dtypes[0])
        each = [taken.get(a.name, dtypes[0]) for a in op.reads] or each
    values: dict[str, Any] = dict(op.defaults)
    values |= {a.name: a.host.from_python(a.usual) for a in op.attributes if a.usual is not None}
    if not op.reads:
        values |= {a.name: each[0] for a in op.attributes if a.host is DATA_TYPE}
        counts = (a for a in op.attributes if a.host is INT64 and a.default is REQUIRED)
        values |= {a.name: _COUNT for a in counts}  # sizes of what is made
    values |= dict(attributes or {})
    shapes = op.shapes(shape, values)
    number = 0
    for argument in op.arguments:
        if isinstance(argument, Attr):
            continue
        unread = isinstance(argument, In) and argument.optional and not argument.read
        if argument.name in without or unread:
            values[argument.name] = None
            continue
        if argument in op.reads or argument in op.inputs:
            dtype = each[op.reads.index(argument)] if argument in op.reads else each[0]
            made = [
                Tensor(layout(number + k, dtype, shapes.get(argument.name, shape)), 0)
                for k in range(_MEMBERS if argument.many else 1)
            ]
            number += len(made)
            values[argument.name] = tuple(made) if argument.many else made[0]
        elif isinstance(argument, InOut):  # only overwritten
            made = [
                Tensor(layout(number + k, each[0], shape), 0)
                for k in range(_MEMBERS if argument.many else 1)
            ]
            number += len(made)
            values[argument.name] = tuple(made) if argument.many else made[0]
        else:
            values[argument.name] = None
    call = Call(op, values, product)
    if not op.separate:
        return call
    wanted = [*outs, *[None] * (len(op.outputs) - len(outs))]
    metas = of_outputs(op.outputs, call.results)
    for output, meta, other in zip(op.outputs, metas, wanted, strict=True):
        if output in op.separate and output.name not in without:
            each_meta = meta if isinstance(meta, tuple) else (meta,)
            made = [
                Tensor(layout(number + k, other or one.dtype, one.shape), 0)
                for k, one in enumerate(each_meta)
            ]
            number += len(made)
            values[output.name] = tuple(made) if output.many else made[0]
    return Call(op, values, product)
