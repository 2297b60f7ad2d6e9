"""Compiled kernels on disk: used again, rebuilt where damaged, distrusted where others write."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import numpy as np, openaclnn
x = np.array([-1, 0, 1], np.float32)
print(openaclnn.silu_backward(np.ones_like(x), x).tolist())
"""
RIGHT = "[0.0723294"
TAG = "CACHEDIR.TAG"


def run(cache: Path, program: str = PROGRAM) -> tuple[str, str]:
    """What the program prints and what it complains of, with this folder for its cache."""
    environment = {**os.environ, "OPENACLNN_CACHE": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env=environment,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def kernels(cache: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(cache.rglob("*.o")) if path.is_file()}


def test_kept_and_used_again(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    out, complaints = run(cache)
    assert out.startswith(RIGHT)
    assert complaints == ""
    first = kernels(cache)
    assert first
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


def test_entries_that_are_no_files(tmp_path: Path) -> None:
    """A FIFO must not be waited for, a folder must not matter."""
    cache = tmp_path / "cache"
    out, _ = run(cache)
    for make in (os.mkfifo, os.mkdir):
        for path in kernels(cache):
            path.unlink()
            make(path)
        assert run(cache) == (out, "")


def test_a_full_disk_fails_no_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can be kept, and nothing is lost: files of no size are all that can be written."""
    monkeypatch.setenv("CC", "/nowhere/cc")  # a compiler in the background may write later
    cache = tmp_path / "cache"
    run(cache)  # makes the folder
    for path in kernels(cache):
        path.unlink()
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))\n"
    ignore = "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    out, complaints = run(cache, limit + ignore + PROGRAM)
    assert out.startswith(RIGHT)
    assert complaints == ""
    assert not [path for path in cache.rglob("*") if path.is_file() and path.name != TAG]


@pytest.mark.parametrize("kind", ["file", "missing", "closed"])
def test_no_place_for_kernels_fails_no_call(tmp_path: Path, kind: str) -> None:
    cache = tmp_path / "cache"
    run(cache)
    folder = cache / "openaclnn" / "kernels"
    shutil.rmtree(folder)
    if kind == "file":
        folder.write_text("")
    if kind == "closed":
        folder.mkdir(mode=0)
    assert run(cache)[0].startswith(RIGHT)


def test_no_file_handles_left_fails_no_call(tmp_path: Path) -> None:
    limit = """
import numpy as np, openaclnn, llvmlite.binding, resource
from openaclnn.arithmetic.functions import exp, sigmoid
from openaclnn.engines.cpu import launch, threads
from openaclnn.base import cache
cache.folder()
threads.sharer()
openaclnn.silu_backward
for path in cache.folder().rglob("*.o"):
    path.unlink()
resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
"""
    assert run(tmp_path / "cache", limit + PROGRAM)[0].startswith(RIGHT)


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
