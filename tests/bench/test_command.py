"""`openaclnn bench` as people type it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from openaclnn.bench.cases import WAYS
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
    assert {cell["case"]["way"] for cell in data["cells"]} == {*WAYS}
    assert all(set(cell["times"]) == {"openaclnn", "numpy"} for cell in data["cells"])
    assert data["machine"]["threads"] == 1


def test_an_earlier_result_is_reported_again(result: Path) -> None:
    text = bench("--from", str(result), "--long").output
    assert "Contiguous, times faster than NumPy" in text
    assert "repeated" in text


def test_compared_with_itself_nothing_changed(result: Path) -> None:
    text = bench("--from", str(result), "--compare", str(result)).output
    assert f"{len(WAYS)} cases in both: 1.00 times as fast as before" in text


def test_check_without_pytorch_has_nothing_to_say(result: Path) -> None:
    assert "not measured" in bench("--from", str(result), "--check").output


def test_layouts_are_explained() -> None:
    assert "8 dimensions" in bench("--layout", "list").output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--op", "sine"], "there is no operator 'sine'"),
        (["--dtype", "f8"], "'f8' is no dtype; expected one of f32, f16"),
        (["--op", "relu", "--dtype", "bool"], "aclnnRelu: self has dtype BOOL"),
        (["--size", "1000"], "'1000' is no size; expected a power of two"),
        (["--size", "2^x"], "is no size"),
        (["--layout", "round"], "'round' is no layout"),
        (["--against", "fortran"], "'fortran' is no alternative"),
        (["--from", "nowhere.json"], "nowhere.json"),
        (["--op", "log_sigmoid_backward", "--layout", "row"], "log_sigmoid_backward, row: "),
    ],
)
def test_wrong_usage_is_explained(arguments: list[str], words: str) -> None:
    assert words in bench(*arguments, "--seconds", "0", status=2).output


@pytest.mark.parametrize("op", ["cat", "swish", "glu_backward", "inplace_eq_scalar", "cast"])
def test_any_operator_in_every_way(op: str) -> None:
    done = bench("--op", op, *TINY[2:], "--way", "all", "--json")
    found = json.loads(done.stdout)
    ways = [way for way in WAYS if way != "new" or op not in ("cat", "glu_backward")]
    assert [cell["case"]["way"] for cell in found["cells"]] == ways
    assert len(found["left_out"]) == len(WAYS) - len(ways)  # which are for arrays of one shape
