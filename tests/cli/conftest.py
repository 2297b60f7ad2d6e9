"""The command as people type it, without a process for each line."""

from __future__ import annotations

import shlex
import sys

import pytest
from shell import Done, Shell

from openaclnn.calls import selfcheck
from openaclnn.cli.main import main
from openaclnn.ops import all_ops


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Runs a line and checks its exit status: shell("ops --json"), shell("show nothing", 2)."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")

    def run(line: str, status: int = 0) -> Done:
        monkeypatch.setattr(sys, "argv", ["openaclnn", *shlex.split(line)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        done = Done(int(ended.value.code or 0), *capsys.readouterr())
        assert done.status == status, f"{done.out}\n{done.err}"
        return done

    return run


@pytest.fixture
def few_operators(monkeypatch: pytest.MonkeyPatch) -> None:
    """`doctor` checks two operators only, for tests of what stands around that."""
    some = {name: all_ops()[name] for name in ("leaky_relu_backward", "silu_backward")}
    monkeypatch.setattr(selfcheck, "of_each_kind", lambda by_steps: some)
