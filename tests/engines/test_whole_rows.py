"""Passes over whole rows in one kernel give the bits of those passes one after the other."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

from openaclnn.base import settings
from openaclnn.base.dtypes import DT_UNDEFINED
from openaclnn.calls import two_phase
from openaclnn.calls.functions import Caller
from openaclnn.engines.cpu.launch import CpuEngine
from openaclnn.ops import find

# arguments: tensors, attributes, `out`
OPERATORS: dict[str, Any] = {
    "softmax": lambda x, y, dim: (x, dim, None),
    "log_softmax": lambda x, y, dim: (x, dim, None),
    "softmax_backward": lambda x, y, dim: (x, y, dim, None),
    "log_softmax_backward": lambda x, y, dim: (x, y, dim, None),
    "layer_norm": lambda x, y, dim: (x, None, None, x.shape[dim:], 1e-5, None),
    "linalg_vector_norm": lambda x, y, dim: (x, 2.0, (dim,), False, DT_UNDEFINED, None),
    "amax": lambda x, y, dim: (x, (dim,), False, None),
    "mse_loss": lambda x, y, dim: (x, y, "sum", None),
}
# rows of which sixteen are transposed, that vectors run along, that lie side by side; long ones
SHAPES = {
    "short": ((70, 5), 1), "few": ((3, 4), 1), "transposed": ((100, 100), 1),
    "along": ((9, 77), 1), "long": ((5, 1500), 1), "longer": ((2, 9000), 1),
    "side by side": ((19, 131), 0), "planes": ((3, 40, 33), 1), "many": ((600, 70), 0),
    "none": ((3, 0), 0), "single": ((1, 17), 0),
}  # fmt: skip
KINDS = ("normal", "far apart", "integers", "zeros", "not finite")


def numbers(shape: tuple[int, ...], dtype: Any, kind: str, seed: int) -> NDArray[Any]:
    drawn = np.random.default_rng(seed)
    found = drawn.standard_normal(shape)
    if kind == "far apart":
        found *= 2.0 ** drawn.integers(-120, 60, shape)
    if kind == "integers":
        found = np.rint(4 * found)
    if kind == "zeros":
        found *= drawn.integers(0, 2, shape)
    if kind == "not finite":
        found.flat[::97], found.flat[5::131] = np.nan, np.inf
    with np.errstate(all="ignore"):
        return found.astype(dtype)


def results(name: str, *given: Any) -> list[bytes]:
    found = Caller(find(name)).call(*OPERATORS[name](*given))
    return [each.tobytes() for each in (found if isinstance(found, tuple) else (found,))]


@pytest.mark.parametrize("lying", SHAPES)
@pytest.mark.parametrize("name", OPERATORS)
def test_bits_of_one_kernel_and_of_several(
    name: str, lying: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (shape, dim), chance = SHAPES[lying], random.Random(f"{name} {lying}")
    prepare = CpuEngine.prepare
    if 0 in shape and name == "amax":
        return  # refused
    for kind in chance.sample(KINDS, 2):
        dtype = chance.choice([np.float32, np.float16, ml_dtypes.bfloat16])
        x, y = (numbers(shape, dtype, kind, seed) for seed in (1, 2))
        if chance.random() < 0.3:
            x = np.ascontiguousarray(x.T).T
        level = chance.choice(["fast", "exact"])
        found = []
        for apart in (False, True):
            with monkeypatch.context() as patched, settings.using(math=level):
                patched.setattr(two_phase, "_ready", {})
                if apart:
                    patched.setattr(
                        CpuEngine, "prepare",
                        lambda engine, plan: prepare(engine, replace(plan, rows=None, whole=None)),
                    )  # fmt: skip
                    patched.setattr(
                        CpuEngine, "workspace_size", lambda engine, plan: plan.workspace_size
                    )
                found.append(results(name, x, y, dim))
        assert found[0] == found[1], (kind, dtype, level)
