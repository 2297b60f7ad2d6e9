"""`make arm` without the emulation: what it says where something is missing, the digests that it
compares, the tests that it draws."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from openaclnn.engines.cpu import processor
from subjects import patterns

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "scripts" / "arm"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """Imports one of the scripts, for one test only."""
    monkeypatch.syspath_prepend(SCRIPTS)
    for name in ("check", "machine", "sampling"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return __import__


SUITABLE: dict[str, Any] = {
    "machine": lambda: "x86_64",
    "system": lambda: "Linux",
    "geteuid": lambda: 0,
    "which": lambda program: f"/usr/bin/{program}",
    "run": lambda *_, **__: subprocess.CompletedProcess([], 0, "", ""),
}


LACKING: dict[str, tuple[dict[str, Any], str]] = {
    "an ARM machine": ({"machine": lambda: "aarch64"}, "make test does it without emulation"),
    "another system": ({"system": lambda: "Darwin"}, "runs Darwin; expected Linux 6.7"),
    "no root": ({"geteuid": lambda: 1000}, "sudo make arm"),
    "no qemu": (
        {"which": lambda program: None if "qemu" in program else program},
        "qemu-user-static is not installed; on Debian and Ubuntu: apt-get install",
    ),
    "neither": (
        {"which": lambda program: program if program == "unshare" else None},
        "qemu-user-static and mmdebstrap are not installed",
    ),
    "an old kernel": (
        {"run": lambda *_, **__: subprocess.CompletedProcess([], 32, "", "mount: not permitted")},
        "expected Linux 6.7 or later and leave to make one",
    ),
}


def pretend(monkeypatch: pytest.MonkeyPatch, difference: dict[str, Any]) -> None:
    """Be a machine that is suitable but for a difference."""
    homes = {"machine": platform, "system": platform, "geteuid": os, "which": shutil}
    for name, answer in (SUITABLE | difference).items():
        monkeypatch.setattr(homes.get(name, subprocess), name, answer)


@pytest.mark.parametrize(("difference", "sentence"), LACKING.values(), ids=LACKING)
def test_what_is_missing_is_said(
    script: Callable[[str], ModuleType],
    monkeypatch: pytest.MonkeyPatch,
    difference: dict[str, Any],
    sentence: str,
) -> None:
    pretend(monkeypatch, difference)
    check = script("check")
    monkeypatch.setattr(sys, "argv", ["check.py"])
    with pytest.raises(SystemExit, match=sentence) as ended:
        check.main()
    assert str(ended.value).startswith("make arm: ")


def test_a_machine_that_lacks_nothing(
    script: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, {})
    script("machine").check_this_machine()


def test_one_at_a_time(script: Callable[[str], ModuleType], tmp_path: Path) -> None:
    module = script("machine")
    machine = module.Machine(tmp_path / "build" / "arm")
    with machine.lock(), pytest.raises(module.Missing, match="another make arm is at work in"):
        machine.lock()
    machine.lock().close()


def test_differences_are_named(script: Callable[[str], ModuleType]) -> None:
    ours = {"silu float32": {"up": "1", "plain": "1"}, "silu float16": {"up": "2", "plain": "2"}}
    theirs = {"silu float32": {"up": "1", "plain": "1"}, "silu float16": {"up": "3", "plain": "2"}}
    differences = script("check").differences
    assert differences(ours, ours) == []
    assert differences(ours, theirs) == ["silu float16, up: 3 instead of 2"]
    assert differences(ours, {}) == [
        "silu float32 is missing: expected 1",
        "silu float16 is missing: expected 2",
    ]


def test_bits_are_the_same_in_every_setting() -> None:
    """And few inputs are as good as many for the script to be right."""
    done = subprocess.run(
        [sys.executable, SCRIPTS / "bits.py", "--count", str(1 << 16), "--op", "silu", "add",
         "leaky_relu_backward"],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {"silu bf16 fast", "add s64 exact", "leaky_relu_backward f64 exact"} < set(found)
    for case, settings in found.items():
        assert len(settings) >= 2
        assert len(set(settings.values())) == 1, case


def test_patterns_are_of_all_kinds_and_for_ever_the_same() -> None:
    for dtype in ("f16", "bf16", "f32", "f64"):
        with np.errstate(invalid="ignore"):  # there are signalling NaNs among them
            numbers, others = (patterns(dtype, 1 << 16, n).astype(np.float64) for n in (0, 1))
        assert np.isnan(numbers).any()
        assert (abs(numbers[1::2]) >= 2.0**-14).all()
        assert (abs(numbers[1::2]) < 2.0**8).all()
        assert not np.array_equal(numbers, others)
    assert patterns("s64", 3, 0).tolist() == [0, 6238072747940578789, -2606959012126976886]
    assert patterns("f32", 3, 2).view("u4").tolist() == [22453086, 3264878321, 988489862]


def test_cpus_are_those_that_we_know(
    script: Callable[[str], ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processor, "_INFORMATION", tmp_path / "cpuinfo")
    named = {}
    for name, cpu in script("machine").CPUS.items():
        (tmp_path / "cpuinfo").write_text(cpu.text())
        named[name] = processor.model()
    assert named == {
        "kunpeng920": "HiSilicon Kunpeng 920 (TaiShan v110)",
        "neoverse-v1": "Arm Neoverse V1",
        "cortex-a53": "Arm Cortex-A53",
    }


@dataclass(frozen=True)
class Item:
    """A test that was collected."""

    nodeid: str


def test_the_same_tests_are_drawn_every_time(script: Callable[[str], ModuleType]) -> None:
    def drawn(count: int | None) -> list[str]:
        left: list[Any] = []
        hook = SimpleNamespace(pytest_deselected=lambda items: left.extend(items))
        config = SimpleNamespace(getoption={"--at-most": count}.get, hook=hook)
        items = [Item(f"tests/test_many.py::test[{number:02}]") for number in range(50)]
        script("sampling").pytest_collection_modifyitems(config, items)
        assert len(items) + len(left) == 50
        names = [item.nodeid for item in items]
        assert names == sorted(names)  # their order is kept
        return names

    assert len(drawn(5)) == 5
    assert drawn(5) == drawn(5)
    assert set(drawn(5)) < set(drawn(20))
    assert len(drawn(60)) == len(drawn(None)) == 50


def test_tests_are_drawn_from_those_that_were_chosen(tmp_path: Path) -> None:
    """Not before -k leaves others out, or too few are run."""
    (tmp_path / "test_many.py").write_text(
        "import pytest\n"
        "@pytest.mark.parametrize('way', ['cpu', 'cuda', 'gpu'])\n"
        "@pytest.mark.parametrize('number', range(20))\n"
        "def test(way, number): pass\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "sampling",
         "--at-most=10", "-k", "cpu", "-q", tmp_path],
        capture_output=True, text=True, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(SCRIPTS)},
    )  # fmt: skip
    assert "10 passed, 50 deselected" in done.stdout, done.stdout + done.stderr


def test_groups_are_of_files_that_exist(script: Callable[[str], ModuleType]) -> None:
    for group in script("check").GROUPS:
        for path in group.arguments:
            assert (ROOT / path).is_file() or not path.startswith("tests/")
