"""Folds whose vectors lie across the rows give the bits of those that go along them: of few
outputs, which are folded one by one."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

import openaclnn
from openaclnn.base import settings

FEW = 40  # outputs at once that are never folded across
OPERATORS = {
    "amax": lambda x, dim: openaclnn.amax(x, (dim,)),
    "mean": lambda x, dim: openaclnn.mean(x, (dim,)),
    "norm": lambda x, dim: openaclnn.linalg_vector_norm(x, 2.0, (dim,)),
    "powers": openaclnn.log_softmax,
    "sum": lambda x, dim: openaclnn.reduce_sum(x, (dim,)),
}
SHAPES = {
    "side by side": ((19, 300), 0),
    "short": ((300, 5), 1),
    "alone": ((700, 1), 1),
    "few side by side": ((90, 7, 3), 1),
    "transposed in parts": ((37, 100), 0),
}


def numbers(shape: tuple[int, ...], dtype: Any, kind: str) -> NDArray[Any]:
    random = np.random.default_rng(len(kind))
    found = random.standard_normal(shape)
    if kind == "far apart":  # no two numbers have a sum's bits
        found *= 2.0 ** random.integers(-120, 100, shape)
    if kind == "not finite":
        found.flat[::97] = np.inf
        found.flat[::131] = np.nan
    return found.astype(dtype)


@pytest.mark.parametrize("kind", ["normal", "far apart", "not finite"])
@pytest.mark.parametrize("dtype", [np.float32, ml_dtypes.bfloat16, np.float64])
@pytest.mark.parametrize("lying", SHAPES)
def test_across_and_along_rows(lying: str, dtype: Any, kind: str) -> None:
    shape, dim = SHAPES[lying]
    x = numbers(shape, dtype, kind)
    if lying == "transposed in parts":
        x = np.ascontiguousarray(x.T).T
    axis = 1 if dim == 0 else 0  # along which outputs follow each other
    parts = [np.take(x, range(k, min(k + FEW, x.shape[axis])), axis)
             for k in range(0, x.shape[axis], FEW)]  # fmt: skip
    if lying == "few side by side":
        parts = [x[k : k + 12] for k in range(0, len(x), 12)]
    for name, call in OPERATORS.items():
        if name in ("norm", "powers") and dtype is np.float64:  # which they do not take
            continue
        with settings.using(math="fast"):
            whole = call(x, dim)
            some = [call(np.ascontiguousarray(part), dim) for part in parts]
        along = axis if whole.ndim == x.ndim else 0
        assert whole.tobytes() == np.concatenate(some, along).tobytes(), name
