"""`openaclnn bench` as people type it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from openaclnn import runtime
from openaclnn.cli.bench import command

TINY = ["--op", "leaky_relu_backward", "--dtype", "f32", "--size", "2^10", "--seconds", "0",
        "--threads", "1", "--against", "numpy"]  # fmt: skip


def bench(*arguments: str, status: int = 0) -> Result:
    done = CliRunner().invoke(command, list(arguments))
    assert done.exit_code == status, done.output
    return done


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bench") / "run.json"
    path.write_text(bench(*TINY, "--layout", "contiguous", "--way", "all", "--json").stdout)
    return path


def test_json(result: Path) -> None:
    data = json.loads(result.read_text())
    assert {cell["case"]["way"] for cell in data["cells"]} == {
        "function", "phases", "repeated", "c",
    }  # fmt: skip
    assert all(set(cell["times"]) == {"openaclnn", "numpy"} for cell in data["cells"])
    assert data["machine"]["threads"] == 1


def test_an_earlier_result_is_reported_again(result: Path) -> None:
    text = bench("--from", str(result), "--long").output
    assert "Contiguous, times faster than NumPy" in text
    assert "repeated" in text


def test_compared_with_itself_nothing_changed(result: Path) -> None:
    text = bench("--from", str(result), "--compare", str(result)).output
    assert "4 cases in both: 1.00 times as fast as before" in text


def test_check_without_pytorch_has_nothing_to_say(result: Path) -> None:
    assert "not measured" in bench("--from", str(result), "--check").output


def test_pictures(result: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    bench("--from", str(result), "--plot", str(tmp_path / "out.png"))
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")


def test_layouts_are_explained() -> None:
    assert "8 dimensions" in bench("--layout", "list").output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--op", "sine"], "there is no operator 'sine'"),
        (["--dtype", "f64"], "'f64' is no dtype; expected one of f32, f16, bf16"),
        (["--size", "1000"], "'1000' is no size; expected a power of two"),
        (["--size", "2^x"], "is no size"),
        (["--layout", "round"], "'round' is no layout"),
        (["--against", "fortran"], "'fortran' is no alternative"),
        (["--from", "nowhere.json"], "nowhere.json"),
        (["--op", "log_sigmoid", "--layout", "row"], "its rules demand equal shapes"),
    ],
)
def test_wrong_usage_is_explained(arguments: list[str], words: str) -> None:
    assert words in bench(*arguments, "--seconds", "0", status=2).output


def test_no_gpu_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_driver() -> None:
        raise runtime.AclError(507899, "the NVIDIA driver cannot be used")

    monkeypatch.setattr(runtime, "cuda_runtime", no_driver)
    output = bench("--device", "cuda", status=2).output
    assert "there is no NVIDIA GPU to measure: the NVIDIA driver cannot be used" in output
