"""The exhaustive part: all values of one input of float32, all pairs of two inputs of 16 bits.

docs/accuracy.md says why that covers every input of a gradient times a slope.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from openaclnn.base.dtypes import DOUBLE, FLOAT, DType, by_name
from openaclnn.ops import all_ops
from openaclnn.spec.op import Op
from openaclnn.truth.double_double import Floats, Pair, two_sum
from openaclnn.truth.reference import reference
from openaclnn.verify.batches import Batch, Batches, Slopes, bits_of, by_reference
from openaclnn.verify.form import as_used, form_of, shows_its_slope
from openaclnn.verify.measure import Bits, values

_SIZE = 1 << 20  # elements of a batch
_EVERY = 1 << 32
_ROW = 1 << 16
_SOME = (-0.3, 0.3, -2.0, 2.0)  # values of self among which one is sought whose slope takes work


def parts(op: Op, dtype: DType) -> list[Batches]:
    """What an exhaustive proof of an operator in a dtype walks through."""
    if dtype is DOUBLE:
        return []
    batches, cost = _EVERY // _SIZE, 0.6 * form_of(op).cost  # most are obvious
    if dtype is not FLOAT:
        three = len(op.reads) == 3
        make = partial(_differences if three else _pairs, op, dtype)
        names = [a.name for a in op.reads]
        name = " and ".join(names[1:] if three else names)
        return [Batches(f"every {name}", batches, make, _SIZE, 1.0 if three else 0.5)]
    name = op.reads[1].name
    found = [Batches(f"every {name}", batches, partial(_every_self, op), _SIZE, cost)]
    if form_of(op).gated:
        make = partial(_every_gradient, op)
        found.append(Batches(f"every {op.reads[0].name}", batches, make, _SIZE, 0.5))
    return found


def _swept(op: Op, dtype: DType) -> dict[str, Any]:
    return as_used(op, op.proof.swept, dtype)


def _run(index: int) -> Bits:
    """Consecutive bit patterns of float32."""
    return np.arange(index * _SIZE, (index + 1) * _SIZE, dtype=np.uint32)


def _every_self(op: Op, index: int) -> Batch:
    """Gradient 1, target 0."""
    x = _run(index)
    others = [np.zeros(_SIZE, np.uint32)] * (len(op.reads) - 2)
    g = np.full(_SIZE, bits_of(1.0, FLOAT)[0])
    batch = by_reference(op, FLOAT, [g, x, *others], _swept(op, FLOAT), slope=shows_its_slope(op))
    wide = values(x, FLOAT)
    if form_of(op).thresholds:
        return replace(batch, truth=lambda part: constant(op, wide[part]) or batch.truth(part))
    if op.proof.slope is not None:
        return replace(batch, truth=lambda part: obvious(op, wide[part]) or batch.truth(part))
    return batch


def constant(op: Op, x: Floats) -> Pair | None:
    """Results that depend on self by comparisons with numbers, none of which lies among or beside
    these neighbours."""
    first, last = np.sort(x[[0, -1]])
    thresholds = form_of(op).thresholds
    assert thresholds is not None
    if not last - first < np.inf or any(first <= t <= last for t in thresholds):
        return None
    high, low = reference(op, [1.0, first], _swept(op, FLOAT))
    return Pair(np.full_like(x, high), np.full_like(x, low))


def obvious(op: Op, x: Floats) -> Pair | None:
    """Slopes of neighbouring values where the mathematics gives them at once: three quarters of
    all patterns of float32. To 2⁻⁸⁰ of themselves, or to 2⁻¹⁴⁰⁰ where they are that small."""
    slope = op.proof.slope
    assert slope is not None
    nearest, furthest = np.sort(np.abs(x[[0, -1]]))
    if furthest < 2.0**-27:
        return two_sum(np.full_like(x, slope.at), x * slope.rise)
    if nearest >= 1024 and np.isfinite(furthest):
        limit = slope.above if x[0] > 0 else slope.below
        return Pair(np.full_like(x, limit), np.zeros_like(x))
    return None


def _every_gradient(op: Op, index: int) -> Batch:
    """A self where the result is not 0 or the gradient itself, if there is one."""
    g, attributes = _run(index), _swept(op, FLOAT)
    at = bits_of([_taking_work(op), 0.0][: len(op.reads) - 1], FLOAT)
    fixed = [np.full(_SIZE, bits) for bits in at]
    slopes = Slopes(op, [values(at[k : k + 1], FLOAT) for k in range(at.size)], attributes)
    return _multiplied(op, FLOAT, g, fixed, slopes, attributes)


@cache
def _taking_work(op: Op) -> float:
    others = [np.zeros(len(_SOME))] * (len(op.reads) - 2)
    slopes = reference(op, [np.ones(len(_SOME)), _SOME, *others], _swept(op, FLOAT)).high
    taking = (x for x, slope in zip(_SOME, slopes, strict=True) if slope not in (0, 1))
    return next(taking, _SOME[0])


def _multiplied(
    op: Op, dtype: DType, g: Bits, fixed: list[Bits], slopes: Slopes, attributes: Mapping[str, Any]
) -> Batch:
    wide = values(g, dtype)
    if not np.isfinite(wide).all():  # the last binade
        return by_reference(op, dtype, [g, *fixed], attributes)
    magnitude, negative = np.abs(wide), bool(np.signbit(wide[0]))
    return Batch(
        (g, *fixed), lambda stretch: slopes.times(magnitude[stretch], negative), attributes
    )


@cache
def _slopes(op_name: str, dtype_name: str) -> Slopes:
    """Of all 65,536 values of self; a worker makes them once."""
    x = values(np.arange(_ROW, dtype=np.uint16), by_name(dtype_name))
    op = all_ops()[op_name]
    return Slopes(op, [x], _swept(op, by_name(dtype_name)))


def _pairs(op: Op, dtype: DType, index: int) -> Batch:
    """Some gradients, each with every self."""
    rows = _SIZE // _ROW
    gradients = np.arange(index * rows, (index + 1) * rows, dtype=np.uint16)
    every = np.arange(_ROW, dtype=np.uint16)
    g, x = np.repeat(gradients, _ROW), np.tile(every, rows)
    attributes = _swept(op, dtype)
    slopes = _slopes(op.name, dtype.short)
    wide, every_wide = values(gradients, dtype), values(every, dtype)

    def truth(stretch: slice) -> Pair:
        row, start = divmod(stretch.start, _ROW)
        columns = slice(start, start + stretch.stop - stretch.start)
        if np.isfinite(wide[row]):
            return slopes.times(abs(wide[row]), bool(np.signbit(wide[row])), columns)
        return reference(op, [wide[row], every_wide[columns]], attributes)

    return Batch((g, x), truth, attributes, period=_ROW)


def _differences(op: Op, dtype: DType, index: int) -> Batch:
    """Some values of self, each with every target. The gradient changes from batch to batch, so
    that all of its significands take part."""
    rows = _SIZE // _ROW
    x = np.repeat(np.arange(index * rows, (index + 1) * rows, dtype=np.uint16), _ROW)
    target = np.tile(np.arange(_ROW, dtype=np.uint16), rows)
    one = int(bits_of(1.0, dtype)[0])
    span = int(bits_of(2.0, dtype)[0]) - one
    g = np.full(_SIZE, one + index % span, np.uint16)
    return by_reference(op, dtype, [g, x, target], _swept(op, dtype))
