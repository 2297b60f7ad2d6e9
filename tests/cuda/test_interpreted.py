"""Without a GPU: the kernels under Triton's interpreter, in a process that starts with it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("triton", reason="needs triton")
pytest.importorskip("torch", reason="Triton's interpreter takes its arguments as torch tensors")


PARTS = [
    "layouts", "few", "operators", "slopes", "conversions", "functions", "every", "folds", "judged",
]  # fmt: skip


@pytest.mark.parametrize("part", PARTS)
def test_bits(part: str) -> None:
    here = Path(__file__).parent
    paths = [str(here.parent), os.environ.get("PYTHONPATH", "")]
    result = subprocess.run(
        [sys.executable, "-W", "ignore", str(here / "interpreted.py"), part],
        env={**os.environ, "TRITON_INTERPRET": "1", "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr
