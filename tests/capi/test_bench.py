"""The benchmark of C programs runs and says what it measured. Figures are no test."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "bench" / "programs.py"


@pytest.mark.nightly  # nothing else depends on it
def test_it_runs(toolkit):
    env = {**toolkit.environment, "CC": toolkit.quick_compiler}
    done = toolkit.execute([sys.executable, str(SCRIPT), "--json"], env=env)
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)["figures"]
    assert len(figures) == 5
    assert all(figure["value"] > 0 and figure["bound"] > 0 for figure in figures)
