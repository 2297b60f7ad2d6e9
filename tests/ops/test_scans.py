"""Scans against PyTorch: running extremes and their places, products, sums of every length."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import torch

import openaclnn

SHAPES = ((7,), (3, 33, 4), (5, 600))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float64", "int32", "uint8"])
def test_running_extremes(dtype: str, shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(shape[0])
    x = torch.from_numpy(random.integers(0, 9, shape)).to(getattr(torch, dtype))
    if x.is_floating_point():
        x.view(-1)[5::50] = float("nan")
    for dim in range(len(shape)):
        pairs = (
            (openaclnn.cummax(x, dim), torch.cummax(x, dim)),
            (openaclnn.cummin(x, dim), torch.cummin(x, dim)),
        )
        for (values, places), expected in pairs:
            assert torch.equal(places, expected.indices)
            assert torch.equal(values.nan_to_num(99), expected.values.nan_to_num(99))


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "int64"])
def test_products(dtype: str) -> None:
    random = np.random.default_rng(4)
    x = torch.from_numpy(random.uniform(-2, 2, (4, 60))).to(getattr(torch, dtype))
    wide = x.double() if x.is_floating_point() else x
    for dim in (0, 1):
        expected = torch.cumprod(wide, dim).to(x.dtype)
        found = openaclnn.cumprod(x, dim)
        assert torch.equal(found, expected)
        kept = openaclnn.prod_dim(x, dim, keep_dim=True)
        assert torch.equal(kept, found.narrow(dim, x.shape[dim] - 1, 1))
    assert torch.equal(openaclnn.prod(x), torch.prod(wide).to(x.dtype))


@pytest.mark.parametrize("spread", [2, 60, 280])
def test_prefix_sums_are_rounded_once(spread: int) -> None:
    """Of numbers whose sums two float64 hold, and of others."""
    random = np.random.default_rng(spread)
    exponents = random.integers(-spread // 2, min(spread // 2, 120) + 1, 900)
    x = np.ldexp(random.uniform(-1, 1, 900), exponents).astype(np.float32)
    total = Fraction(0)
    for value, found in zip(x, openaclnn.cumsum(x, 0), strict=True):
        total += Fraction(float(value))
        near = [found, *(np.nextafter(found, np.float32(to)) for to in (-math.inf, math.inf))]
        assert min(near, key=lambda one: abs(Fraction(float(one)) - total)) == found
