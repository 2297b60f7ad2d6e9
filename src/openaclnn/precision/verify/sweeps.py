"""The exhaustive part: all values of one input of float32, all pairs of two inputs of 16 bits.

docs/accuracy.md says why that covers every input.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from openaclnn.base.dtypes import DOUBLE, FLOAT, DType, by_name
from openaclnn.ops import all_ops
from openaclnn.precision.double_double import Floats, Pair, two_sum
from openaclnn.precision.reference import reference
from openaclnn.precision.verify.batches import Batch, Part, Slopes, bits_of, by_reference
from openaclnn.precision.verify.measure import Bits, values
from openaclnn.precision.verify.strata import COST, SLOPES
from openaclnn.spec.op import Op

_SIZE = 1 << 20  # elements of a batch
_EVERY = 1 << 32
_ROW = 1 << 16

GATED = ("hardsigmoid_backward", "leaky_relu_backward")  # self only decides between two results

_ATTRIBUTES: dict[str, dict[str, Any]] = {
    "leaky_relu_backward": {"negative_slope": float(np.float32(0.01))},
    "smooth_l1_loss_backward": {"reduction": 0, "beta": 1.5},
}


def parts(op: Op, dtype: DType) -> list[Part]:
    """What an exhaustive proof of an operator in a dtype walks through."""
    if dtype is DOUBLE:
        return []
    batches, cost = _EVERY // _SIZE, 0.6 * COST.get(op.name, 1.0)  # most are obvious
    if dtype is not FLOAT:
        three = len(op.reads) == 3
        make = partial(_differences if three else _pairs, op, dtype)
        name = "every self and target" if three else "every gradient and self"
        return [Part(name, batches, make, _SIZE, 1.0 if three else 0.5)]
    found = [Part("every self", batches, partial(_every_self, op), _SIZE, cost)]
    if op.name in GATED:
        make = partial(_every_gradient, op)
        found.append(Part("every gradient", batches, make, _SIZE, 0.5))
    return found


def _run(index: int) -> Bits:
    """Consecutive bit patterns of float32."""
    return np.arange(index * _SIZE, (index + 1) * _SIZE, dtype=np.uint32)


def _every_self(op: Op, index: int) -> Batch:
    """Gradient 1, target 0."""
    x = _run(index)
    others = [np.zeros(_SIZE, np.uint32)] * (len(op.reads) - 2)
    g = np.full(_SIZE, bits_of(1.0, FLOAT)[0])
    attributes = _ATTRIBUTES.get(op.name, {})
    batch = by_reference(op, FLOAT, [g, x, *others], attributes, slope=op.name in SLOPES)
    wide = values(x, FLOAT)
    known = obvious if op.name in SLOPES else constant if op.name in GATED else None
    if known is None:
        return batch
    return replace(batch, truth=lambda stretch: known(op, wide[stretch]) or batch.truth(stretch))


def constant(op: Op, x: Floats) -> Pair | None:
    """Results that depend on self by one comparison, where both ends of a run of neighbours have
    the same one."""
    ends = x[[0, -1]]
    high, low = reference(op, [np.ones(2), ends], _ATTRIBUTES.get(op.name, {}))
    if np.isnan(ends).any() or high[0] != high[1]:
        return None
    return Pair(np.full_like(x, high[0]), np.full_like(x, low[0]))


def obvious(op: Op, x: Floats) -> Pair | None:
    """Slopes of neighbouring values where the mathematics gives them at once: three quarters of
    all patterns of float32. To 2⁻⁸⁰ of themselves, or to 2⁻¹⁴⁰⁰ where they are that small."""
    nearest, furthest = np.sort(np.abs(x[[0, -1]]))
    silu = op.name == "silu_backward"
    if furthest < 2.0**-27:  # 1/2 + x/2 − x³/12 + …, and 1/2 − x/4 + x³/48 − …
        return two_sum(np.full_like(x, 0.5), x / 2 if silu else -x / 4)
    if nearest >= 1024 and np.isfinite(furthest):  # within x·e^-|x| of the limit
        if (x[0] > 0) == silu:
            return Pair(np.ones_like(x), np.zeros_like(x))
        return Pair(np.full_like(x, -0.0 if silu else 0.0), np.zeros_like(x))
    return None


def _every_gradient(op: Op, index: int) -> Batch:
    """A self where the result is not 0 or the gradient itself."""
    g = _run(index)
    at = bits_of([-0.3, 0.0][: len(op.reads) - 1], FLOAT)
    fixed = [np.full(_SIZE, bits) for bits in at]
    attributes = _ATTRIBUTES.get(op.name, {})
    slopes = Slopes(op, [values(at[k : k + 1], FLOAT) for k in range(at.size)], attributes)
    return _multiplied(op, FLOAT, g, fixed, slopes, attributes)


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
    return Slopes(all_ops()[op_name], [x], _ATTRIBUTES.get(op_name, {}))


def _pairs(op: Op, dtype: DType, index: int) -> Batch:
    """Some gradients, each with every self."""
    rows = _SIZE // _ROW
    gradients = np.arange(index * rows, (index + 1) * rows, dtype=np.uint16)
    every = np.arange(_ROW, dtype=np.uint16)
    g, x = np.repeat(gradients, _ROW), np.tile(every, rows)
    attributes = _ATTRIBUTES.get(op.name, {})
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
    return by_reference(op, dtype, [g, x, target], _ATTRIBUTES[op.name])
