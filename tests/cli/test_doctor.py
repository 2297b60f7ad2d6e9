"""`openaclnn doctor`: it tells what is here, and notices what is broken."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from shell import Shell

import openaclnn
from openaclnn.base import cache, settings
from openaclnn.calls import selfcheck
from openaclnn.cli import doctor
from openaclnn.ops import all_ops, of_each_kind
from walks import in_turn


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cache, "_root", lambda: tmp_path)
    return tmp_path


@pytest.mark.usefixtures("few_operators")
def test_all_is_well(shell: Shell) -> None:
    shown = shell("doctor").out
    for section in ("versions", "processor", "devices and settings", "cache", "C programs"):
        assert f"\n{section}\n" in "\n" + shown
    assert shown.endswith("all is well\n")


def test_operators_of_each_kind_are_checked(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """By day every third of them."""
    kinds = of_each_kind(by_steps=False)
    assert selfcheck.checked() == [*kinds.values()]
    some = {name: kinds[name] for name in in_turn([*kinds], 0, of=3)}
    monkeypatch.setattr(selfcheck, "of_each_kind", lambda by_steps: some)
    report = json.loads(shell("doctor --json").out)
    assert report["passed"] is True
    assert set(report["self-check"]) == set(some)
    assert report["cache"]["kernels"]["entries"] > 0


def test_python_runs_the_package() -> None:
    """`python -m openaclnn` where no command was installed."""
    done = subprocess.run(
        [sys.executable, "-m", "openaclnn", "--version"], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, f"openaclnn, version {openaclnn.__version__}\n")


@pytest.mark.usefixtures("few_operators")
def test_a_wrong_result_is_noticed(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(place: str, op: Any, inputs: Any, attributes: Any) -> Any:
        outs = call(place, op, inputs, attributes)
        if op.name == "silu_backward":
            outs[0].flat[-1] += outs[0].dtype.type(0.5)
        return outs

    call = selfcheck.call_at
    monkeypatch.setattr(selfcheck, "call_at", wrong)
    done = shell("doctor", 1)
    assert done.out.count("failed") == 1
    assert (
        "\nsilu_backward: FLOAT16 at level exact: grad_input's element 32767 is" in f"\n{done.err}"
    )
    assert "try again with --clear-cache" in done.err
    report = json.loads(shell("doctor --json", 1).out)
    assert [n for n, c in report["self-check"].items() if not c["passed"]] == ["silu_backward"]


@pytest.mark.usefixtures("few_operators")
def test_an_example_that_gives_something_else_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    op = all_ops()["silu_backward"]
    monkeypatch.setitem(op.__dict__, "example", ">>> 1 + 1\n3\n")
    results = {result.name: result.why for result in selfcheck.self_check()}
    assert "its example gives something else" in results["silu_backward"]
    assert results["leaky_relu_backward"] == ""


@pytest.mark.usefixtures("few_operators")
def test_settings_do_not_disturb_the_self_check() -> None:
    with settings.using(product="Ascend310B", math="fast"):
        assert not any(result.why for result in selfcheck.self_check())


@pytest.mark.usefixtures("few_operators")
def test_clearing_the_cache_leaves_what_is_not_ours(shell: Shell, own_cache: Path) -> None:
    for kind in cache.KINDS:
        (cache.folder(kind) / "entry").write_bytes(b"x" * 1000)
    (own_cache / "letters").mkdir()
    (own_cache / "letters" / "dear").write_text("you")
    said = shell("doctor --clear-cache").out
    assert said.startswith(f"deleted {len(cache.KINDS)}.0 KB of compiled code from")
    assert not list(own_cache.glob("*/entry"))
    assert (own_cache / "letters" / "dear").exists()


@pytest.mark.usefixtures("few_operators")
def test_a_full_disk_is_named(
    shell: Shell, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "trouble", lambda: "No space left on device")
    shown = shell("doctor").out
    assert "nothing can be kept: No space left on device" in shown


@pytest.mark.usefixtures("few_operators")
def test_a_chosen_device_that_is_missing_is_named(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENACLNN_DEVICE", "cuda")
    monkeypatch.setattr("openaclnn.runtime.cuda_exists", lambda: False)
    done = shell("doctor", 1)
    assert "cuda (OPENACLNN_DEVICE), which is not there" in " ".join(done.out.split())
    assert done.err.startswith("the chosen device is not there\n")
    assert json.loads(shell("doctor --json", 1).out)["passed"] is False


@pytest.mark.usefixtures("few_operators")
def test_a_wrong_setting_is_named(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENACLNN_DEVICE", "npu")
    done = shell("doctor", status=1)
    assert "OPENACLNN_DEVICE is 'npu'" in " ".join(done.out.split())
    assert done.err.startswith("the settings are wrong\nOPENACLNN_DEVICE is 'npu'")


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Versions that seem to be installed, and what torch_npu 2.13.0 seems to need."""
    versions: dict[str, str] = {"torch": "2.13.0+cpu", "torch_npu": "2.13.0"}

    def version(name: str) -> str:
        if name not in versions:
            raise metadata.PackageNotFoundError(name)
        return versions[name]

    monkeypatch.setattr(doctor.metadata, "version", version)
    monkeypatch.setattr(doctor.metadata, "requires", lambda _: ["torch==2.13.0.*", "numpy"])
    monkeypatch.delenv("ASCEND_HOME_PATH", raising=False)
    return versions


def test_torch_npu_fits(packages: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    facts = doctor._torch_npu()
    assert facts["torch"] == "2.13.0+cpu"
    assert facts["variables"] == 'not set: source "$(openaclnn home)/set_env.sh"'
    assert facts["import"] == "not tried without the variables"
    monkeypatch.setenv("ASCEND_HOME_PATH", "/elsewhere")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/elsewhere/lib64")
    monkeypatch.setattr(sys, "executable", "/bin/false")
    facts = doctor._torch_npu()
    assert "/elsewhere, and not this openaclnn's toolkit" in facts["variables"]
    assert facts["library"] == "libascendcl.so is not in LD_LIBRARY_PATH"
    assert facts["import"] == "fails: it says nothing"


def test_torch_npu_does_not_fit(packages: dict[str, str]) -> None:
    packages |= {"torch": "2.12.1", "torch_npu": "2.13.1"}
    facts = doctor._torch_npu()
    assert facts["torch_npu"] == "2.13.1; tested is 2.13.0"
    assert facts["torch"] == "2.12.1 does not fit: torch_npu needs 2.13.0.*"
    del packages["torch"]
    assert doctor._torch_npu()["torch"] == "not installed; torch_npu needs 2.13.0.*"
    del packages["torch_npu"]
    assert doctor._torch_npu() == {"torch_npu": "not installed"}
