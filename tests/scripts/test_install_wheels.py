"""scripts/install_wheels.py: what make says where torch_npu cannot be installed."""

from __future__ import annotations

import runpy
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "install_wheels.py"


@pytest.mark.parametrize("fails", [False, True])
def test_one_line_and_a_stamp(
    fails: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    done = SimpleNamespace(returncode=int(fails), stderr="WARNING: slow\nERROR: no such wheel\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: done)
    runpy.run_path(str(SCRIPT))["main"](str(tmp_path), "torch_npu==2.13.0", "pyyaml")
    said = capsys.readouterr().out
    assert said.count("\n") == 1
    assert (tmp_path / ".installed").exists() is not fails
    why = ": ERROR: no such wheel\n" if fails else f" unpacked in {tmp_path}\n"
    assert said.startswith("-- torch_npu==2.13.0")
    assert said.endswith(why)
