"""Tensors shared among 2 and 4 processes have one process's bits: elementwise, rows, folds, a loss,
a training step."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_shared_tensors_have_the_bits_of_one_process() -> None:
    script = Path(__file__).with_name("sharded.py")
    done = subprocess.run([sys.executable, script, "2", "4"], capture_output=True, text=True)
    assert done.stdout == "the same bits\n", done.stderr
