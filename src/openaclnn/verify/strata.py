"""The sample of a gradient times a slope: every binade, branch edges, roots, tails, subnormals,
special values, gradients of all sizes and gradients that are hard to round; every choice of an
attribute, and the attributes that the operator's proof names.

The same on every machine: random numbers come from `draws`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from openaclnn.base.dtypes import FLOAT, DType
from openaclnn.golden.draws import Stream, every_exponent
from openaclnn.spec.op import Op
from openaclnn.truth.reference import complete, reference
from openaclnn.truth.ulp import format_of
from openaclnn.verify.batches import Batch, Batches, bits_of, by_reference
from openaclnn.verify.form import as_used, edges, form_of, shows_its_slope, tried
from openaclnn.verify.gradients import hard_gradients
from openaclnn.verify.measure import Bits, values
from openaclnn.verify.points import near, patterns, special_values

_COUNT = 1 << 15  # elements of a batch of random numbers
_GRADIENTS = (1.0, -1.0, 3.0, 0.1, 1 - 2.0**-24, 2.0**-126, 2.0**-133, 3.4e38, -3.4e38, 1e30)
_COUNTS = (3, 7, 1000, 65521)  # results, where their number counts


def parts(op: Op, dtype: DType, more: int = 1) -> list[Batches]:
    """What is sampled of an operator in a dtype; `more` times as many random batches."""
    if len(op.reads) == 3:
        return list(_of_two_inputs(op, dtype, more))
    cost = form_of(op).cost
    found = []
    for row in tried(op):
        attributes = as_used(op, row, dtype)
        name = "".join(f", {key} {value}" for key, value in attributes.items())
        rounds = 8 * more if not name else more
        make = partial(_mixed, op, dtype, attributes)
        found += [
            Batches(f"every binade{name}", 1, partial(_binades, op, dtype, attributes),
                 patterns(dtype).size, 3 + cost),
            Batches(f"beside edges{name}", 1, partial(_beside, op, dtype, attributes), _COUNT,
                 3 + cost),
            Batches(f"edges{name}", 1, partial(_edges, op, dtype, attributes), _COUNT, 9 + cost),
            Batches(f"special values{name}", 1, partial(_special, op, dtype, attributes)),
            Batches(f"random gradients{name}", rounds, partial(make, False), _COUNT, 12 + cost),
            Batches(f"hard gradients{name}", rounds, partial(make, True), _COUNT, 20 + cost),
        ]  # fmt: skip
    return found


def _shown(op: Op, dtype: DType) -> bool:
    return dtype is FLOAT and shows_its_slope(op)


def _binades(op: Op, dtype: DType, attributes: Mapping[str, Any], index: int) -> Batch:
    x = patterns(dtype)
    g = np.full(x.shape, bits_of(1.0, dtype)[0])
    return by_reference(op, dtype, [g, x], attributes, slope=_shown(op, dtype))


def _beside(op: Op, dtype: DType, attributes: Mapping[str, Any], index: int) -> Batch:
    """Slopes in the neighbourhood of every edge."""
    x = near(edges(op), dtype, 512)
    g = np.full(x.shape, bits_of(1.0, dtype)[0])
    return by_reference(op, dtype, [g, x], attributes, slope=_shown(op, dtype))


def _edges(op: Op, dtype: DType, attributes: Mapping[str, Any], index: int) -> Batch:
    """Neighbours of every edge, with every gradient of a list and some that are hard."""
    x = near(edges(op), dtype, 48)
    g = bits_of(_GRADIENTS, dtype)
    every_x, every_g = (a.ravel() for a in np.broadcast_arrays(x[:, None], g))
    hard = _hard(op, dtype, attributes, x, "edges")
    inputs = [np.concatenate([every_g, hard]), np.concatenate([every_x, x])]
    return by_reference(op, dtype, inputs, attributes)


def _special(op: Op, dtype: DType, attributes: Mapping[str, Any], index: int) -> Batch:
    """Every pair of values that break kernels."""
    table = special_values(dtype)
    g, x = (a.ravel() for a in np.broadcast_arrays(table[:, None], table))
    return by_reference(op, dtype, [g, x], attributes)


def _mixed(op: Op, dtype: DType, attributes: Mapping[str, Any], hard: bool, index: int) -> Batch:
    """Values of self where something happens, half of them; the others from all binades."""
    stream = Stream(index, f"{op.name} {dtype} {sorted(attributes.items())} self")
    low, high = op.proof.range
    inside = low + (high - low) * stream.uniform(_COUNT, 3)
    turn = np.arange(_COUNT) % 4
    small = stream.normal(_COUNT, 4) * 2
    x = np.choose(turn, [every_exponent(stream, _COUNT, dtype), inside, inside, small])
    bits = bits_of(x, dtype)
    if hard:
        g = _hard(op, dtype, attributes, bits, f"hard {index}")
    else:
        label = f"{op.name} {dtype} gradients"
        g = bits_of(every_exponent(Stream(index, label), _COUNT, dtype), dtype)
    return by_reference(op, dtype, [g, bits], attributes)


def _hard(op: Op, dtype: DType, attributes: Mapping[str, Any], x: Bits, label: str) -> Bits:
    wide = values(x, dtype)
    slope = reference(op, [np.ones_like(wide), wide], attributes, promoted=dtype)
    return bits_of(hard_gradients(slope, dtype, Stream(0, f"{op.name} {label}")), dtype)


def _of_two_inputs(op: Op, dtype: DType, more: int) -> Iterator[Batches]:
    """Every row of attributes with every choice; the operator's defaults most often."""
    for number, row in enumerate(tried(op)):
        seen: list[tuple[float, ...]] = []
        for choice in _choices(op):
            given = as_used(op, {**row, **choice}, dtype)
            few, many = (_numbers(op, given, dtype, count) for count in (3, 7))
            known = few in seen  # the same as an earlier choice: it only has to be so
            count = 4099 if known else _COUNT // 2
            if few != many:
                count = _COUNTS[number % len(_COUNTS)]
            usual = complete(op, row) == complete(op, {})
            rounds = max(1, 8 * more * (usual and not known), more * (not seen))
            seen.append(few)
            name = ", ".join(f"{key} {value}" for key, value in given.items())
            yield Batches(name, rounds, partial(_differences, op, dtype, given, count), count, 25.0)
        first = as_used(op, {**row, **_choices(op)[0]}, dtype)
        name = ", ".join(f"{key} {value}" for key, value in first.items())
        yield Batches(f"special values, {name}", 1, partial(_special_differences, op, dtype, first))


def _choices(op: Op) -> list[dict[str, Any]]:
    """What an attribute with choices may be; the first one's, where there are several."""
    for a in op.attributes:
        if a.choices:
            return [{a.name: value} for value in a.choices.values()]
    return [{}]


def _numbers(op: Op, given: Mapping[str, Any], dtype: DType, numel: int) -> tuple[float, ...]:
    """What kernels are handed for attributes."""
    traced = op.traced_in("f64")
    return op.numbers(traced.uniforms, complete(op, given), numel, dtype)


def _special_differences(op: Op, dtype: DType, attributes: Mapping[str, Any], index: int) -> Batch:
    table = special_values(dtype)
    shape = np.broadcast_arrays(table[:, None, None], table[:, None], table)
    return by_reference(op, dtype, [a.ravel() for a in shape], attributes)


def _differences(
    op: Op, dtype: DType, attributes: Mapping[str, Any], count: int, index: int
) -> Batch:
    """Pairs whose difference is anything, tiny, or beside the distance at which something happens;
    gradients that are random or hard."""
    stream = Stream(index, f"{op.name} {dtype} {sorted(attributes.items())}")
    reach = min(attributes.get(op.proof.distance, 1.0), format_of(dtype).largest)
    turn = np.arange(count) % 8
    target = np.where(turn < 4, stream.normal(count, 0), every_exponent(stream, count, dtype))
    target = np.where(turn == 7, 0.0, target)
    closeness = np.floor(30 * stream.uniform(count, 8)).astype(np.int64)
    near_one = 1 + np.ldexp(stream.normal(count, 6), -closeness)
    other = every_exponent(Stream(index, f"{stream.label} self"), count, dtype)
    sign = np.where(stream.words(count, 9) >> np.uint64(63) == 0, -1.0, 1.0)
    with np.errstate(all="ignore"):
        x = np.choose(turn, [
            target + stream.normal(count, 10), target + sign * reach * near_one,
            target * near_one, target + sign * reach * stream.uniform(count, 12),
            other, target + sign * reach * near_one, target * near_one, other,
        ])  # fmt: skip
    largest = format_of(dtype).largest
    x_bits = bits_of(np.clip(x, -largest, largest), dtype)
    target_bits = bits_of(target, dtype)
    wide = [values(b, dtype) for b in (x_bits, target_bits)]
    slope = reference(op, [np.ones(count), *wide], attributes, count)
    hard = hard_gradients(slope, dtype, Stream(index, f"{stream.label} gradients"))
    plain = every_exponent(Stream(index, f"{stream.label} plain"), count, dtype)
    g = np.where(np.arange(count) // 8 % 2 == 0, plain, hard)
    return by_reference(op, dtype, [bits_of(g, dtype), x_bits, target_bits], attributes)
