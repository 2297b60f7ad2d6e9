"""The sample: every binade, branch edges, the root, tails, subnormals, special values, gradients
of all sizes and gradients that are hard to round; for smooth L1 every reduction and many betas.

The same on every machine: random numbers come from `draws`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from openaclnn.base.dtypes import DOUBLE, FLOAT, DType
from openaclnn.precision.draws import Stream, every_exponent
from openaclnn.precision.reference import reference
from openaclnn.precision.ulp import format_of
from openaclnn.precision.verify.batches import Batch, Part, bits_of, by_reference
from openaclnn.precision.verify.gradients import hard_gradients
from openaclnn.precision.verify.measure import Bits, values
from openaclnn.spec.op import Op

_COUNT = 1 << 15  # elements of a batch of random numbers
SLOPES = ("log_sigmoid_backward", "silu_backward")  # g·f'(x) with an f' that takes work
COST = {"log_sigmoid_backward": 3.0, "silu_backward": 5.0}  # of a true value, relative to others

_SILU_ROOT = -1.2784645427610738
_EDGES: dict[str, tuple[float, ...]] = {
    "hardsigmoid_backward": (-3.0, 3.0, 0.0),
    "leaky_relu_backward": (0.0,),
    "log_sigmoid_backward": (
        0.0, 16.6, 80.0, -80.0, 87.33, 88.72, 103.3, 103.97, 104.0, 150.0, 192.0, 340.0, 700.0,
        708.0, -87.33, -103.97, -700.0, 1e4,
    ),
    "silu_backward": (
        0.0, _SILU_ROOT, _SILU_ROOT - 2.0**-10, _SILU_ROOT + 2.0**-10, _SILU_ROOT - 0.25,
        _SILU_ROOT + 0.25, -80.0, 80.0, -87.33, -87.0, -92.0, -103.97, -108.0, -150.0, -197.0,
        -198.0, -340.0, -700.0, -708.0, 2.3994, 16.6, 88.0, 340.0, 708.0,
    ),
    "smooth_l1_loss_backward": (-1.0, 1.0, 0.0),
}  # fmt: skip
_RANGES = {"log_sigmoid_backward": (-25.0, 200.0), "silu_backward": (-205.0, 25.0)}
_GRADIENTS = (1.0, -1.0, 3.0, 0.1, 1 - 2.0**-24, 2.0**-126, 2.0**-133, 3.4e38, -3.4e38, 1e30)

SLOPE_VALUES = (0.01, 1 / 3, -0.5, 0.0, 1.0, 2.0**-149, 3.4e38, -1e-30)
BETAS = (0.0, 2.0**-149, 1e-40, 1e-3, 0.3, 1.0, 3.0, 1e4, 1e30, 3.4e38, np.inf)
_COUNTS = (3, 7, 1000, 65521)  # elements that "mean" divides by


def parts(op: Op, dtype: DType, more: int = 1) -> list[Part]:
    """What is sampled of an operator in a dtype; `more` times as many random batches."""
    cost = COST.get(op.name, 1.0)
    if op.name == "smooth_l1_loss_backward":
        return list(_smooth_l1(op, dtype, more))
    found = []
    for attributes in _attributes(op, dtype):
        name = "".join(f", {key} {value:g}" for key, value in attributes.items())
        rounds = 8 * more if not name else more
        make = partial(_mixed, op, dtype, attributes)
        found += [
            Part(f"every binade{name}", 1, partial(_binades, op, dtype, attributes),
                 _patterns(dtype).size, 3 + cost),
            Part(f"beside edges{name}", 1, partial(_beside, op, dtype, attributes), _COUNT,
                 3 + cost),
            Part(f"edges{name}", 1, partial(_edges, op, dtype, attributes), _COUNT, 9 + cost),
            Part(f"special values{name}", 1, partial(_special, op, dtype, attributes)),
            Part(f"random gradients{name}", rounds, partial(make, False), _COUNT, 12 + cost),
            Part(f"hard gradients{name}", rounds, partial(make, True), _COUNT, 20 + cost),
        ]  # fmt: skip
    return found


def _attributes(op: Op, dtype: DType) -> list[dict[str, float]]:
    """The attributes to try, as the operator uses them."""
    if op.name != "leaky_relu_backward":
        return [{}]
    wide = np.float64 if dtype is DOUBLE else np.float32
    return [{"negative_slope": float(wide(slope))} for slope in SLOPE_VALUES]


def _patterns(dtype: DType) -> Bits:
    """Bit patterns from every binade, both signs: all of 16 bits, 512 to a binade of more."""
    size = 8 * dtype.itemsize
    if size == 16:
        return np.arange(1 << 16, dtype=np.uint16)
    f = format_of(dtype)
    stored = f.bits - 1
    fields = np.arange(1 << (size - stored), dtype=np.uint64)  # sign and exponent
    each = 512 if dtype is FLOAT else 64
    inside = Stream(0, f"binades {dtype}").words(fields.size * each, 0) >> np.uint64(64 - stored)
    inside = inside.reshape(fields.size, each)
    full = np.uint64((1 << stored) - 1)
    inside[:, :4] = np.array([0, 1, full - np.uint64(1), full], np.uint64)
    return np.asarray(((fields[:, None] << np.uint64(stored)) | inside).ravel(), f"u{size // 8}")


def _binades(op: Op, dtype: DType, attributes: Mapping[str, Any], index: int) -> Batch:
    x = _patterns(dtype)
    g = np.full(x.shape, bits_of(1.0, dtype)[0])
    return by_reference(op, dtype, [g, x], attributes, slope=op.name in SLOPES and dtype is FLOAT)


def _beside(op: Op, dtype: DType, attributes: Mapping[str, Any], index: int) -> Batch:
    """Slopes in the neighbourhood of every edge."""
    x = _near(_EDGES[op.name], dtype, 512)
    g = np.full(x.shape, bits_of(1.0, dtype)[0])
    return by_reference(op, dtype, [g, x], attributes, slope=op.name in SLOPES and dtype is FLOAT)


def _edges(op: Op, dtype: DType, attributes: Mapping[str, Any], index: int) -> Batch:
    """Neighbours of every edge, with every gradient of a list and some that are hard."""
    x = _near(_EDGES[op.name], dtype, 48)
    g = bits_of(_GRADIENTS, dtype)
    every_x, every_g = (a.ravel() for a in np.broadcast_arrays(x[:, None], g))
    hard = _hard(op, dtype, attributes, x, "edges")
    inputs = [np.concatenate([every_g, hard]), np.concatenate([every_x, x])]
    return by_reference(op, dtype, inputs, attributes)


def _near(edges: tuple[float, ...], dtype: DType, reach: int) -> Bits:
    """Each edge, its nearest neighbours on both sides, and others ever further away."""
    further = [(13**k + 10**k // 2) // 10**k for k in range(15, 60)]  # 1.3^k, on every machine
    furthest = 1 << (format_of(dtype).bits - 2)
    steps = np.unique(np.array([*range(reach), *further], np.int64).clip(max=furthest))
    centre = bits_of(edges, dtype).astype(np.int64)[:, None]
    sign = np.int64(1 << (8 * dtype.itemsize - 1)) if dtype is not DOUBLE else np.int64(-(2**63))
    around = np.concatenate([centre + steps, np.abs(centre - steps)], axis=1).ravel()
    both = np.concatenate([around, around ^ sign])
    return both.astype(f"u{dtype.itemsize}")


def _special(op: Op, dtype: DType, attributes: Mapping[str, Any], index: int) -> Batch:
    """Every pair of values that break kernels."""
    table = special_values(dtype)
    g, x = (a.ravel() for a in np.broadcast_arrays(table[:, None], table))
    return by_reference(op, dtype, [g, x], attributes)


def special_values(dtype: DType) -> Bits:
    f = format_of(dtype)
    tiny, normal = 2.0 ** (f.lowest - f.bits + 1), 2.0**f.lowest
    magnitudes = [0.0, tiny, 3 * tiny, normal - tiny, normal, 1.0, 3.0, 88.0, 200.0, f.largest]
    numbers = np.array([*magnitudes, np.inf])
    found = bits_of(np.concatenate([numbers, -numbers, [np.nan]]), dtype)
    odd = found[-1] | found.dtype.type(1)  # a NaN with a payload
    negative = found[-1] | found.dtype.type(1 << (8 * dtype.itemsize - 1))
    return np.append(found, [odd, negative])


def _mixed(op: Op, dtype: DType, attributes: Mapping[str, Any], hard: bool, index: int) -> Batch:
    """Values of self where something happens, half of them; the others from all binades."""
    stream = Stream(index, f"{op.name} {dtype} {sorted(attributes.items())} self")
    low, high = _RANGES.get(op.name, (-4.0, 4.0))
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


def _smooth_l1(op: Op, dtype: DType, more: int) -> Iterator[Part]:
    for number, beta in enumerate(BETAS):
        for reduction, name in enumerate(("none", "mean", "sum")):
            used = float(np.float32(beta))
            attributes = {"reduction": reduction, "beta": used}
            count = _COUNTS[number % len(_COUNTS)] if name == "mean" else _COUNT // 2
            if name == "sum":
                count = 4099  # the same numbers as "none": it only has to be so
            make = partial(_differences, op, dtype, attributes, count)
            rounds = max(1, 8 * more * (name != "sum") * (beta == 1.0), more * (name == "none"))
            yield Part(f"beta {beta:g}, {name}", rounds, make, count, 25.0)
        make_special = partial(_special_differences, op, dtype, beta)
        yield Part(f"special values, beta {beta:g}", 1, make_special)


def _special_differences(op: Op, dtype: DType, beta: float, index: int) -> Batch:
    table = special_values(dtype)
    shape = np.broadcast_arrays(table[:, None, None], table[:, None], table)
    attributes = {"reduction": 0, "beta": float(np.float32(beta))}
    return by_reference(op, dtype, [a.ravel() for a in shape], attributes)


def _differences(
    op: Op, dtype: DType, attributes: Mapping[str, Any], count: int, index: int
) -> Batch:
    """Pairs (self, target) whose difference is anything, tiny, or beside beta; gradients that are
    random or hard."""
    stream = Stream(index, f"{op.name} {dtype} {sorted(attributes.items())}")
    beta = min(attributes["beta"], format_of(dtype).largest)
    turn = np.arange(count) % 8
    target = np.where(turn < 4, stream.normal(count, 0), every_exponent(stream, count, dtype))
    target = np.where(turn == 7, 0.0, target)
    closeness = np.floor(30 * stream.uniform(count, 8)).astype(np.int64)
    near_one = 1 + np.ldexp(stream.normal(count, 6), -closeness)
    other = every_exponent(Stream(index, f"{stream.label} self"), count, dtype)
    sign = np.where(stream.words(count, 9) >> np.uint64(63) == 0, -1.0, 1.0)
    with np.errstate(all="ignore"):
        x = np.choose(turn, [
            target + stream.normal(count, 10), target + sign * beta * near_one,
            target * near_one, target + sign * beta * stream.uniform(count, 12),
            other, target + sign * beta * near_one, target * near_one, other,
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
