"""What all tests share: Hypothesis that does the same on every run (`make test-nightly`: something
new), and a choice of engine."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from openaclnn import runtime
from openaclnn.calls import executor, two_phase
from openaclnn.engines import engine_for
from openaclnn.engines.plain import PlainEngine

# no doctests there: pytest would mistake one conftest for another, operators are no modules,
# torch_npu need not be there, and
# to import what shares tensors among processes takes each worker more than a second
collect_ignore_glob = [
    "*conftest.py", "support/own_ops/*", "programs/torch_r*", "pytorch/sharded.py",
    "checked_types/*", "long/__main__.py", "long/mutants/*", "long/random_operators/doors/*",
]  # fmt: skip

for profile, steady in (("steady", True), ("nightly", False)):
    settings.register_profile(
        profile,
        deadline=None,  # the first call of a kind compiles a kernel
        derandomize=steady,
        database=None,
        print_blob=not steady,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
settings.load_profile("steady")


@pytest.fixture(scope="session")
def gpu() -> None:
    """Skips what needs a GPU where there is none."""
    if not runtime.cuda_exists():
        pytest.skip("needs an NVIDIA GPU, triton and cuda-bindings")


@pytest.fixture
def small_heap() -> None:
    """`gc.collect()` walks over what this test makes, not over what thousands before it have left:
    that takes a second."""
    gc.freeze()


def _engine_on_host_memory(name: str) -> Any:
    if name == "plain":
        return PlainEngine()
    folder = str(Path(__file__).parent / "engines" / "cuda")
    if folder not in sys.path:
        sys.path.append(folder)
    from host_engines import CopyingEngine

    return CopyingEngine()


@pytest.fixture(params=["cpu", "plain", "cuda"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Calls on host memory run on this engine."""
    name: str = request.param
    if name == "cpu":
        yield name
        return
    if name == "cuda":
        request.getfixturevalue("gpu")
    other = _engine_on_host_memory(name)
    monkeypatch.setattr(
        executor, "engine_for", lambda device: other if device == "cpu" else engine_for(device)
    )
    two_phase._ready.clear()  # prepared calls remember their engine, and forms of calls do
    yield name
    two_phase._ready.clear()
