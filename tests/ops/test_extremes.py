"""Extremes and places against PyTorch and NumPy: of several equal ones the first, NaN first."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import openaclnn

SHAPES = ((5, 7), (3, 300, 4), (2, 1, 5), (33,), (6, 40000))


@pytest.mark.parametrize("dtype", ["float32", "float16", "float64", "int32", "int64", "uint8"])
@pytest.mark.parametrize("shape", SHAPES)
def test_extremes_and_places(dtype: str, shape: tuple[int, ...]) -> None:
    random = np.random.default_rng(len(shape) + shape[0])
    x = random.integers(0 if dtype == "uint8" else -5, 6, shape).astype(dtype)
    if "float" in dtype:
        x.ravel()[::13] = np.nan
    given = torch.from_numpy(x)
    for dim in range(len(shape)):
        for keep in (False, True):
            ways = (
                (openaclnn.max_dim, openaclnn.arg_max, torch.amax, np.argmax),
                (openaclnn.min_dim, openaclnn.arg_min, torch.amin, np.argmin),
            )
            for both, place, value, first in ways:
                values, places = both(x, dim, keep_dim=keep)
                expected = first(x, axis=dim, keepdims=keep)
                np.testing.assert_array_equal(values, value(given, dim, keep).numpy())
                np.testing.assert_array_equal(places, expected)
                np.testing.assert_array_equal(place(x, dim, **_keep(place, keep)), expected)


def _keep(function: object, keep: bool) -> dict[str, bool]:
    return {"keep_dim": keep}


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int8", "bool"])
def test_whether_elements_are_not_zero(dtype: str) -> None:
    random = np.random.default_rng(7)
    given = torch.from_numpy(random.integers(0, 2, (4, 6, 3))).to(getattr(torch, dtype))
    for dim in (0, 1, 2):
        for ours, theirs in ((openaclnn.any, torch.any), (openaclnn.all, torch.all)):
            assert torch.equal(ours(given, dim=[dim]), theirs(given, dim))
