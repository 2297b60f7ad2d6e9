"""Sums of random numbers beside the exact ones: in every order, layout, dtype, number of threads.

    python tests/long sums [short sums] [long ones] [seed]

Short ones have up to 1,000 terms, long ones up to ten million. Among both are sums that cancel, and
huge terms beside tiny ones. OPENACLNN_DEVICE=cuda takes them to a GPU. Prints the seed, and what
went wrong; status 1 where something did.
"""

from __future__ import annotations

import math
import os
import sys
import time
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np

import openaclnn

Array = np.ndarray[Any, Any]
DTYPES = (np.float32, np.float16, ml_dtypes.bfloat16, np.float64)
ROWS = 500  # sums of one call


def terms(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> Array:
    """Numbers to be added along the last dimension."""
    small = np.dtype(dtype) == np.float16
    low, high = (-20, 8) if small else (-60, 60)
    way = rng.integers(5)
    found = rng.normal(0, 1, shape)
    if way == 1:
        found = found * 2.0 ** rng.integers(low, high, shape)
    elif way == 2:  # every second one takes away what came before, but for something tiny
        half = found[..., : shape[-1] // 2]
        found[..., shape[-1] - half.shape[-1] :] = -half
        found[..., 0] += 2.0**low
    elif way == 3:
        found = rng.random(shape)
    elif way == 4:
        found[..., rng.integers(shape[-1])] *= 2.0**high
    return found.astype(dtype)


def exact(row: Array, dtype: Any) -> Any:
    """The sum of a row, rounded once."""
    numbers = row.astype(np.float64)
    nearest = math.fsum(numbers)
    if np.dtype(dtype) == np.float64:
        return nearest
    return rounded_once(nearest, lambda: sum(map(Fraction, numbers.tolist())), dtype)


def rounded_once(nearest: float, whole: Any, dtype: Any) -> Any:
    """An exact number in a dtype, given the float64 that is nearest to it: where that lies half-way
    between two of the dtype, the exact one decides."""
    found = rounded(nearest, dtype)
    if not math.isfinite(nearest) or float(found) == nearest:
        return found
    back = math.nextafter(nearest, -math.inf), math.nextafter(nearest, math.inf)
    lower, upper = (rounded(each, dtype) for each in back)
    if lower == upper:
        return found
    number, middle = whole(), Fraction(nearest)
    if math.isfinite(lower) and math.isfinite(upper):  # which the float64 may lie beside
        middle = (Fraction(float(lower)) + Fraction(float(upper))) / 2
    if number == middle:
        return found
    return lower if number < middle else upper


def rounded(number: float, dtype: Any) -> Any:
    """A number in a dtype, rounded once; the conversion to bfloat16 would round to float32 first,
    which is harmless where that is to odd."""
    with np.errstate(over="ignore"):
        if np.dtype(dtype) != ml_dtypes.bfloat16:
            return np.float64(number).astype(dtype)
        short = np.float32(number)
    if float(short) != number and math.isfinite(number) and not short.view(np.int32) & 1:
        short = np.nextafter(short, np.float32(math.copysign(math.inf, number - float(short))))
    return short.astype(dtype)


def summed(values: Array, **attributes: Any) -> Array:
    """On the device that is chosen."""
    if os.environ.get("OPENACLNN_DEVICE") != "cuda":
        return np.asarray(openaclnn.reduce_sum(values, **attributes))
    import torch

    values, short = np.ascontiguousarray(values), values.dtype == ml_dtypes.bfloat16
    given = torch.from_numpy(values.view(np.int16) if short else values)
    given = (given.view(torch.bfloat16) if short else given).cuda()
    result = openaclnn.reduce_sum(given, **attributes).cpu()
    return result.view(torch.int16).numpy().view(values.dtype) if short else result.numpy()


def complaints(rng: np.random.Generator, rows: int, length: int, dtype: Any) -> list[str]:
    """What is wrong with sums of so many rows."""
    values = terms(rng, (rows, length), dtype)
    found = summed(values, dims=(1,))
    wrong = [
        f"{np.dtype(dtype)} sum {number} of {rows} rows of {length}: {got!r}, expected {wanted!r}"
        for number, row in enumerate(values)
        if (got := found[number]) != (wanted := exact(row, dtype))
    ]
    shuffled = np.ascontiguousarray(rng.permuted(values, axis=1).T)
    others = {
        "in another order, along the first dimension": summed(shuffled, dims=(0,)),
        "of what is negated": -summed(-values, dims=(1,)),
        "backwards": summed(values[:, ::-1], dims=(1,)),
    }
    if np.dtype(dtype) in (np.float32, np.float64):
        others["scaled by 1/8"] = summed(values * np.asarray(0.125, dtype), dims=(1,)) * 8
    for name, other in others.items():
        if not np.array_equal(other, found):
            wrong.append(f"{np.dtype(dtype)} sums of {rows} rows of {length}, {name}, differ")
    return wrong


def main(short: int, long: int, seed: int) -> int:
    print(f"{short} short sums and {long} long ones, seed {seed}", flush=True)
    rng, begin, failures, done = np.random.default_rng(seed), time.monotonic(), 0, 0
    threads = openaclnn.get_num_threads()
    while done < short + long:
        rows = min(ROWS, short - done) if done < short else 1
        length = int(rng.integers(1, 1001)) if done < short else int(10 ** rng.uniform(3, 7))
        openaclnn.set_num_threads(int(rng.choice([1, 2, 7])))
        found = complaints(rng, rows, length, DTYPES[rng.integers(len(DTYPES))])
        for complaint in found[:5]:
            print(complaint, flush=True)
        failures += len(found)
        done += rows
    openaclnn.set_num_threads(threads)
    print(f"{failures} went wrong, in {time.monotonic() - begin:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    given = [int(argument) for argument in sys.argv[1:]]
    defaults = [1_000_000, 1_000, int(time.time())]
    sys.exit(main(*given, *defaults[len(given) :]))
