"""What all tests share: Hypothesis that does the same on every run, and a choice of engine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from openaclnn.calls import executor, two_phase
from openaclnn.engines import engine_for
from openaclnn.engines.plain import PlainEngine

collect_ignore_glob = ["*conftest.py"]  # no doctests there: pytest would mistake one for another

settings.register_profile(
    "steady",
    deadline=None,  # the first call of a kind compiles a kernel
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("steady")


@pytest.fixture(params=["cpu", "plain"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Calls on host memory run on this engine."""
    name: str = request.param
    if name == "plain":
        plain = PlainEngine()
        monkeypatch.setattr(
            executor, "engine_for", lambda device: plain if device == "cpu" else engine_for(device)
        )
        two_phase._ready.clear()  # prepared calls remember their engine
    yield name
    if name == "plain":
        two_phase._ready.clear()
