"""The examples: a model of our operators alone has the same bits however it is trained, a usual one
is close."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

import openaclnn
from walks import nightly

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture
def example(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return runpy.run_path(str(EXAMPLES / request.param))


def in_processes(name: str, counts: list[int]) -> list[Any]:
    """What an example trains to in so many processes, from one that has no threads yet."""
    if not counts:
        return []
    source = (
        f"import json, sys; sys.path.insert(0, {str(EXAMPLES)!r})\n"
        f"from {name} import in_processes, trained\n"
        f"for count in {counts}:\n"
        "    print(in_processes(count, lambda mesh: json.dumps(trained(3, mesh=mesh))))\n"
    )
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("example", ["pytorch_training.py"], indirect=True)
def test_the_same_bits_on_any_threads_and_processes(example: dict[str, Any]) -> None:
    trained = example["trained"]
    before = openaclnn.get_num_threads()
    try:
        openaclnn.set_num_threads(1)
        losses, digest = trained(steps=3)
        assert losses == sorted(losses, reverse=True)
        openaclnn.set_num_threads(2)
        assert trained(steps=3) == (losses, digest)
    finally:
        openaclnn.set_num_threads(before)
    assert trained(steps=3, compiled=True) == (losses, digest)
    counts = [2, 4] if nightly() else [2]
    assert in_processes("pytorch_training", counts) == [[losses, digest]] * len(counts)


@pytest.mark.parametrize("example", ["pytorch_patched.py"], indirect=True)
def test_a_usual_model_is_close(example: dict[str, Any], request: pytest.FixtureRequest) -> None:
    trained, expected = example["trained"], torch.tensor(example["trained"](3))
    counts = [2, 4] if request.config.getoption("--every") else []
    for found in (trained(3, ours=False), *in_processes("pytorch_patched", counts)):
        torch.testing.assert_close(torch.tensor(found), expected, **example["TOLERANCE"])
