"""scripts/llama/cases.py on a stand-in for test-backend-ops: cases that abort, crash and hang."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "llama" / "cases.py"

# What the program prints with survive.cpp preloaded. {0} is replaced by Python's path
PROGRAM = """#!{0} -S
import os, signal, sys, time
states = open(os.environ["OPENACLNN_CASES"], "r+b", buffering=0)
def case(number, name, verdict, said="", end=None):
    state = os.pread(states.fileno(), 1, number)[0]
    if state == 1:
        print("failed to allocate tensors [CANN0] ", end="")
        return
    os.pwrite(states.fileno(), bytes([1]), number)
    print(f"\\n@case {{number}}", flush=True)
    if state == 2:
        said, verdict = "", "FAIL"
    elif end:
        end()
    if said:
        print(f"\\n@stopped {{said}}")
    error = "[COS] ERR = 0.1 > 0.0 " if "COS" in name else ""
    print(f"{{error}}  {{name}}: \\033[1;32m{{verdict}}\\033[0m", flush=True)
print("Backend 1/2: CANN0")
case(0, "RELU(type=f32,ne=[5,7])", "OK")
print("  CONV_2D(type=f16): not supported [CANN0] ")
case(1, "MUL_MAT(m=1)", "FAIL",
     "CANN error: aclnnMm: openaclnn does not have this operator yet: it is declared")
case(2, "MUL_MAT(m=2)", "OK", end=lambda: os.kill(os.getpid(), signal.SIGKILL))
case(3, "CONCAT(type=q4_0)", "FAIL", "CANN error: aclnnCat: tensors[0] has dtype INT4; expected …")
case(4, "SIN(type=f32)", "OK", end=lambda: time.sleep(1000))
case(5, "COS(type=f32)", "FAIL")
print("  2/6 tests passed")
sys.exit(1)
"""


class Timer:
    """Time is up where the fifth case has begun, however busy the machine is."""

    started: int

    def __init__(self, _limit: float, stop: object) -> None:
        self.stop = stop

    def start(self) -> None:
        type(self).started += 1

    def cancel(self) -> None:
        pass


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("llama_cases", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "llama_cases", module)
    spec.loader.exec_module(module)
    return module


def build(folder: Path) -> Path:
    program = folder / "bin" / "test-backend-ops"
    program.parent.mkdir()
    program.write_text(PROGRAM.format(sys.executable))
    program.chmod(0o755)
    return folder


def test_every_case_is_counted_once(
    script: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    class Late(Timer):
        started = 0

        def start(self) -> None:
            super().start()
            # a process starts a timer for itself and one for each of its cases: the first process
            # has four, the second one's fourth is that of case 4, which sleeps
            if Late.started == 4 + 4:
                self.stop()

    monkeypatch.setattr(script.threading, "Timer", Late)
    report = tmp_path / "report.json"
    arguments = [str(build(tmp_path)), "--preload", "none", "--json", str(report)]
    monkeypatch.setattr(sys, "argv", ["cases.py", *arguments])
    assert script.main() == 1
    counted = json.loads(report.read_text())
    assert counted["operators"] == {
        "CONCAT": {"stopped": 1},
        "CONV_2D": {"unsupported": 1},
        "COS": {"wrong": 1},
        "MUL_MAT": {"stopped": 1, "crashed": 1},
        "RELU": {"pass": 1},
        "SIN": {"hung": 1},
    }
    assert counted["stopped_by"] == {"aclnnMm": 1, "aclnnCat refuses": 1}
    printed = capsys.readouterr().out.splitlines()
    assert printed[-1].split() == ["sum", "1", "1", "2", "1", "1", "1"]
    assert "CONV_2D" not in " ".join(printed)  # the backend accepts no case of it


def test_what_is_missing_is_said(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["cases.py", str(tmp_path)])
    with pytest.raises(SystemExit) as end:
        script.main()
    assert end.value.code == 2
