"""Values that once were wrong, beside oracles that share nothing with the kernels: fractions,
mpmath, NumPy's IEEE operations and PyTorch."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import openaclnn

LEVELS = pytest.mark.parametrize("level", ["exact", "fast"])
DIVISORS = (3.0, 7.0, 10.0, 255.0, -0.1, 1e-40, 1e38, 2.0**100 * 1.3, 0.0, np.inf)


def every_size(seed: int, count: int = 4000) -> np.ndarray:
    """Float32 of ordinary sizes, of all exponents, the smallest subnormals and special ones."""
    rng = np.random.default_rng(seed)
    wide = rng.choice([-1, 1], count) * 2.0 ** rng.uniform(-149, 128, count)
    tiny = np.arange(-200, 200) * 2.0**-149
    special = [0.0, -0.0, np.inf, -np.inf, np.nan]
    return np.concatenate([rng.normal(size=count), wide, tiny, special]).astype(np.float32)


@LEVELS
def test_a_quotient_by_a_number_is_correctly_rounded(level: str) -> None:
    x = every_size(1)
    for divisor in DIVISORS:
        with np.errstate(all="ignore"):
            right = x / np.float32(divisor)
        changed = x.copy()
        with openaclnn.using(math=level):
            np.testing.assert_array_equal(openaclnn.divs(x, divisor), right)
            np.testing.assert_array_equal(openaclnn.div(x, divisor), right)
            openaclnn.inplace_divs(changed, divisor)
        np.testing.assert_array_equal(changed, right)


@LEVELS
@pytest.mark.parametrize("dtype", [np.int8, np.int32, np.int64])
def test_integers_are_divided_by_a_number_as_pytorch_does(level: str, dtype: type) -> None:
    limits = np.iinfo(dtype)
    x = np.random.default_rng(2).integers(limits.min, limits.max, 500, dtype)
    for divisor in (3, 10, 0.1, -7):
        with openaclnn.using(math=level):
            found = openaclnn.divs(x, divisor)
        np.testing.assert_array_equal(found, torch.from_numpy(x) / divisor)
