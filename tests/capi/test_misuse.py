"""Programs that do everything wrongly: the right code and a message each time, never a crash."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from walks import nightly

PROGRAMS = Path(__file__).parent / "programs"

WITHOUT_PYTHON = ("misuse_runtime", "runtime_rest")
MISUSES = (
    *WITHOUT_PYTHON, "misuse_operators", "again", "again_in_workspace", "virtual_memory",
    "frameworks",
)  # fmt: skip


@pytest.mark.parametrize("name", MISUSES)
def test_codes_and_messages(toolkit, device, program, name):
    done = toolkit.on(device).execute([program(name)])
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith("right\n")


@pytest.mark.nightly  # by day it runs under the sanitizers
def test_layouts_never_met(toolkit, program):
    done = toolkit.execute([program("layouts")])
    assert (done.returncode, done.stdout) == (0, "right\n")


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")
def test_the_c_part_under_valgrind(toolkit, program):
    valgrind = ["valgrind", "-q", "--error-exitcode=9", "--leak-check=full"]
    done = toolkit.execute([*valgrind, program("misuse_runtime")])
    assert done.returncode == 0, done.stdout + done.stderr


# by night only: valgrind runs the first by day, and the second alone takes seconds
_LATE = ("misuse_runtime", "virtual_memory")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.nightly] if name in _LATE else [])
        for name in [*MISUSES, "layouts"]
    ],
)
def test_under_sanitizers(toolkit, tmp_path, name):
    few = ["3"] if name == "layouts" and not nightly() else []  # of ten shares of its random calls
    toolkit.without_faults(toolkit.sanitized(PROGRAMS / f"{name}.cpp", tmp_path), *few)
