"""Inputs where kernels break: every binade, neighbours of edges, special values; integers, too."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.base.dtypes import BOOL, DOUBLE, FLOAT, DType, integers
from openaclnn.golden.draws import Stream
from openaclnn.truth.ulp import format_of
from openaclnn.verify.batches import bits_of
from openaclnn.verify.measure import Bits

_SOME = 1 << 14  # integers of more than 16 bits


def patterns(dtype: DType) -> Bits:
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


def near(points: tuple[float, ...], dtype: DType, reach: int) -> Bits:
    """Each edge, its nearest neighbours on both sides, and others ever further away."""
    further = [(13**k + 10**k // 2) // 10**k for k in range(15, 60)]  # 1.3^k, on every machine
    furthest = 1 << (format_of(dtype).bits - 2)
    steps = np.unique(np.array([*range(reach), *further], np.int64).clip(max=furthest))
    centre = bits_of(points, dtype).astype(np.int64)[:, None]
    sign = np.int64(1 << (8 * dtype.itemsize - 1)) if dtype is not DOUBLE else np.int64(-(2**63))
    around = np.concatenate([centre + steps, np.abs(centre - steps)], axis=1).ravel()
    both = np.concatenate([around, around ^ sign])
    return both.astype(f"u{dtype.itemsize}")


def special_values(dtype: DType) -> Bits:
    f = format_of(dtype)
    tiny, normal = 2.0 ** (f.lowest - f.bits + 1), 2.0**f.lowest
    magnitudes = [0.0, tiny, 3 * tiny, normal - tiny, normal, 1.0, 3.0, 88.0, 200.0, f.largest]
    numbers = np.array([*magnitudes, np.inf])
    found = bits_of(np.concatenate([numbers, -numbers, [np.nan]]), dtype)
    odd = found[-1] | found.dtype.type(1)  # a NaN with a payload
    negative = found[-1] | found.dtype.type(1 << (8 * dtype.itemsize - 1))
    return np.append(found, [odd, negative])


def all_kinds(dtype: DType) -> NDArray[Any]:
    """Numbers of a dtype from every binade; all integers of at most 16 bits, some of more."""
    if dtype.kind == "float":
        return patterns(dtype).view(dtype.numpy)
    if dtype is BOOL:
        return np.array([False, True])
    if dtype.bits <= 16:
        return np.arange(1 << dtype.bits).astype(f"u{dtype.itemsize}").view(dtype.numpy)
    words = Stream(0, f"integers {dtype}").words(_SOME, 0)
    depth = Stream(0, f"integers {dtype}").words(_SOME, 1) % np.uint64(dtype.bits)
    shifted = np.asarray(words >> (np.uint64(64 - dtype.bits) + depth))
    return shifted.astype(f"u{dtype.itemsize}").view(dtype.numpy)


def special(dtype: DType) -> NDArray[Any]:
    """Numbers of a dtype that break kernels."""
    if dtype.kind == "float":
        return special_values(dtype).view(dtype.numpy)
    if dtype is BOOL:
        return np.array([False, True])
    held = integers(dtype)
    half = 1 << (dtype.bits // 2)
    ends = (held[0], held[0] + 1, held[-1] - 1, held[-1])
    wanted = (0, 1, -1, 2, -2, 3, 7, -7, half - 1, half, -half, *ends)
    return np.array([n for n in wanted if n in held], dtype.numpy)


def beside(edges: tuple[float, ...], dtype: DType) -> NDArray[Any]:
    """Numbers of a dtype in the neighbourhood of some."""
    if dtype.kind == "float":
        return near(edges, dtype, 256).view(dtype.numpy)
    if dtype is BOOL:
        return np.array([False, True])
    steps = np.arange(-16, 17)
    held = integers(dtype)
    found = (np.clip(np.rint(edges), -(2.0**31), 2.0**31).astype(np.int64)[:, None] + steps).ravel()
    inside = np.array([n for n in found.tolist() if n in held])
    return inside.astype(dtype.numpy)
