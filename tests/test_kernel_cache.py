"""Compiled kernels on disk: used again, rebuilt where damaged, distrusted where others write."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import numpy as np, openaclnn
x = np.array([-1, 0, 1], np.float32)
print(openaclnn.silu_backward(np.ones_like(x), x).tolist())
"""
RIGHT = "[0.0723294"


def run(cache: Path) -> tuple[str, str]:
    """What the program prints and what it complains of, with this folder for its cache."""
    environment = {**os.environ, "OPENACLNN_CACHE": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, env=environment, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def kernels(cache: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(cache.rglob("*.o"))}


def test_kept_and_used_again(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    out, complaints = run(cache)
    assert out.startswith(RIGHT)
    assert complaints == ""
    first = kernels(cache)
    assert first
    assert cache.stat().st_mode & 0o777 == 0o700
    changed = {path: path.stat().st_mtime_ns for path in first}
    assert run(cache) == (out, "")
    assert {path: path.stat().st_mtime_ns for path in kernels(cache)} == changed


def test_damaged_entries_are_rebuilt(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    out, _ = run(cache)
    whole = kernels(cache)
    for damage in (b"", b"nonsense", None):
        for path, data in whole.items():
            path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]) if damage is None else damage)
        assert run(cache) == (out, "")
        assert kernels(cache) == whole


def test_a_folder_that_others_can_write_is_not_used(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    cache.chmod(0o777)
    out, complaints = run(cache)
    assert out.startswith(RIGHT)
    assert "can be written by others" in complaints
    assert not list(cache.iterdir())


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.write_text("")
    out, complaints = run(occupied / "cache")
    assert out.startswith(RIGHT)
    assert "cannot be made" in complaints
