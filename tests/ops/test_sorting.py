"""Sorting against PyTorch: values, places of equal ones, NaN, zeros of either sign."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
import torch

import openaclnn

SHAPES = ((7,), (3, 33, 4), (5, 200), (2, 5000))
DTYPES = ["float32", "float16", "bfloat16", "float64", "int8", "int64", "uint8", "bool"]


def drawn(dtype: str, shape: tuple[int, ...]) -> torch.Tensor:
    """Few values, so that many are equal."""
    random = np.random.default_rng(len(dtype) + shape[0])
    given = torch.from_numpy(random.integers(0, 2 if dtype == "bool" else 90, shape))
    given = (given - 45 if dtype not in ("bool", "uint8") else given).to(getattr(torch, dtype))
    if given.is_floating_point():
        given.view(-1)[::9] = float("nan")
        given.view(-1)[1::5] = -0.0
        given.view(-1)[2::5] = 0.0
    return given


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_orders(dtype: str, shape: tuple[int, ...]) -> None:
    x = drawn(dtype, shape)
    for dim in range(len(shape)):
        for down in (False, True):
            values, places = openaclnn.sort(x, dim=dim, descending=down)
            expected = torch.sort(x, dim=dim, descending=down, stable=True)
            assert torch.equal(places, expected.indices)
            assert torch.equal(values.nan_to_num(99), expected.values.nan_to_num(99))
            assert torch.equal(openaclnn.argsort(x, dim, descending=down), places)
            few = min(3, shape[dim])
            some, where = openaclnn.topk(x, few, dim, largest=down)
            assert torch.equal(where, places.narrow(dim, 0, few))
            assert torch.equal(some.nan_to_num(99), values.narrow(dim, 0, few).nan_to_num(99))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int64"])
def test_ranks(dtype: str, shape: tuple[int, ...]) -> None:
    x = drawn(dtype, shape)
    assert torch.equal(openaclnn.median(x).nan_to_num(99), torch.median(x).nan_to_num(99))
    for dim in range(len(shape)):
        for keep in (False, True):
            rank = max(shape[dim] // 2, 1)
            pairs = (
                (
                    openaclnn.kthvalue(x, rank, dim, keepdim=keep),
                    torch.kthvalue(x, rank, dim, keep),
                ),
                (openaclnn.median_dim(x, dim, keepdim=keep), torch.median(x, dim, keep)),
            )
            for (values, places), expected in pairs:
                assert torch.equal(values.nan_to_num(99), expected.values.nan_to_num(99))
                there = places if keep else places.unsqueeze(dim)
                taken = x.take_along_dim(there, dim)
                taken = taken if keep else taken.squeeze(dim)
                assert torch.equal(values.nan_to_num(99), taken.nan_to_num(99))


def test_random_orders() -> None:
    first, second = (openaclnn.randperm(1000, seed=3, offset=offset) for offset in (0, 10))
    assert sorted(first.tolist()) == sorted(second.tolist()) == [*range(1000)]
    assert (first == second).sum() < 10
    counts = np.zeros((5, 5), int)
    for seed in range(2000):
        counts[np.arange(5), openaclnn.randperm(5, seed=seed, offset=0)] += 1
    assert (abs(counts - 400) < 4 * np.sqrt(2000 * 0.2 * 0.8)).all()


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32])
def test_places_are_not_rounded_as_elements_are(dtype: Any) -> None:
    """BF16 has no 257, FLOAT16 no 2,049."""
    x = np.random.default_rng(7).standard_normal(5_000).astype(dtype)
    x[::3] = 0
    wide = x.astype(np.float32)
    found, inverse, counts = np.unique(wide, return_inverse=True, return_counts=True)
    ours = openaclnn.unique2(x, sorted=True, return_inverse=True, return_counts=True)
    for one, other in zip(ours, (found, inverse, counts), strict=True):
        np.testing.assert_array_equal(one.astype(np.float64), other)
    np.testing.assert_array_equal(openaclnn.nonzero(x), np.argwhere(wide))
    places = openaclnn.unique_consecutive(x, return_inverse=True)[1]
    np.testing.assert_array_equal(places, np.cumsum(np.r_[0, wide[1:] != wide[:-1]]))
