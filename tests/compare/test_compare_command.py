"""`openaclnn compare` as people call it: exit statuses, tables, JSON, pictures."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from openaclnn.cli.compare import command
from openaclnn.cli.golden import command as golden_command
from openaclnn.cli.main import commands
from openaclnn.compare.standards import ALL
from openaclnn.ops import find
from samples import all_samples

GOLDEN = np.random.default_rng(1).normal(0, 1, (30, 40))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    np.save(tmp_path / "golden.npy", GOLDEN)
    np.save(tmp_path / "good.npy", GOLDEN.astype(np.float32))
    bad = GOLDEN.astype(np.float32)
    bad[3, 4] += 1
    np.save(tmp_path / "bad.npy", bad)
    GOLDEN.astype(np.float16).tofile(tmp_path / "half.bin")
    GOLDEN.tofile(tmp_path / "golden.bin")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def compare(line: str, status: int) -> str:
    done = CliRunner().invoke(command, line.split())
    assert done.exit_code == status, done.output
    return done.output


def test_exit_statuses(folder: Path) -> None:
    assert compare("good.npy golden.npy", 0).endswith("\npasses mixed\n")
    output = compare("good.npy golden.npy -s all", 0)
    assert "passes mixed, relative, double-thousandth, adapter, msprobe, ulp" in output
    assert compare("bad.npy golden.npy", 1).endswith("\nfails mixed (1 of 1)\n")
    output = compare("bad.npy golden.npy -s all", 1)
    assert "fails mixed, relative, double-thousandth, adapter, msprobe, ulp (6 of 6)" in output
    assert "[3, 4]" in output
    assert "there is no file missing.npy" in compare("missing.npy golden.npy", 2)
    assert "'x' is no standard" in compare("good.npy golden.npy -s x", 2)
    assert "'f99' is no dtype" in compare("good.npy golden.npy --dtype f99", 2)
    assert "folder without manifest.json" in compare("good.npy .", 2)


def test_results_of_another_dtype_than_the_cases(folder: Path) -> None:
    words = ["relu", "--shape", "4,5", "--dtype", "f16", "-o", "case"]
    assert CliRunner().invoke(golden_command, words).exit_code == 0
    np.save("wide.npy", np.load("case/golden.npy").astype(np.float32))
    said = "wide.npy has elements of FLOAT, the results of case are FLOAT16: they are judged as"
    assert said in compare("wide.npy case", 0)
    assert said not in compare("wide.npy case --dtype f16", 0)
    assert said not in compare("case/golden_rounded.npy case", 0)


def test_raw_files(folder: Path) -> None:
    compare("half.bin golden.bin --dtype f16 --golden-dtype f64 --shape 30,40 -s mixed", 0)
    compare("half.bin golden.npy --dtype f16 -s ulp", 0)
    assert "takes 2400" in compare("half.bin golden.bin --dtype f16 --shape 30,40", 2)


def test_options(folder: Path) -> None:
    compare("bad.npy golden.npy -s ulp --ulp 1e9", 0)
    assert "msprobe-benchmark" in compare("good.npy golden.npy --benchmark bad.npy", 0)
    assert "index" not in compare("bad.npy golden.npy --worst 0", 1)
    assert "golden in FLOAT" in compare("good.npy golden.npy --round-golden", 0)
    output = "".join(CliRunner().invoke(command, ["--help"]).output.split())  # lines break anywhere
    assert all(key in output for key in ALL)


def test_json(folder: Path) -> None:
    bad = GOLDEN.astype(np.float32)
    bad[0, 0] = np.nan
    np.save("nan.npy", bad)
    data = json.loads(compare("nan.npy golden.npy --json -s mixed --worst 2", 1))
    assert data["passed"] is False
    assert data["mismatched"] == 1
    assert data["dtype"] == "FLOAT"
    assert data["worst"][0]["actual"] == "nan"
    assert data["verdicts"][0]["figures"][0]["passed"] is False


@pytest.mark.parametrize("arguments", ["--dtype f16", "--dtype bf16", "--dtype f32", "--raw"])
def test_a_golden_case_as_the_golden_side(folder: Path, arguments: str) -> None:
    words = ["silu_backward", *arguments.split(), "--shape", "20,30", "-o", "case"]
    assert CliRunner().invoke(golden_command, words).exit_code == 0
    rounded = "case/golden_rounded.bin" if arguments == "--raw" else "case/golden_rounded.npy"
    assert "20×30" in compare(f"{rounded} case -s ulp", 0)


@pytest.fixture
def case(folder: Path) -> Path:
    assert (
        CliRunner()
        .invoke(golden_command, ["silu_backward", "--shape", "4,5", "-o", "case"])
        .exit_code
        == 0
    )
    return folder / "case"


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("output", 3, "is not the manifest of a golden case"),
        ("output shape", [float("inf")], "is not the manifest of a golden case"),
        ("output shape", [4.5, 5], "is not the manifest of a golden case"),
        ("output shape", [5, 4], "has shape [4, 5]; its manifest says [5, 4]"),
        ("golden exact", 5, "there is no file case/5"),
        ("golden exact", "../golden.npy", "expected a file beside it"),
        ("golden exact", "golden_rounded.npy", ""),
        ("sha256", 7, "is not the manifest of a golden case"),
        ("sha256 golden.npy", "0", "case/golden.npy is not as it was written"),
        ("format", 99, "has format 99; this version of openaclnn knows up to"),
        ("format", "1", "has format '1'"),
    ],
    ids=str,
)  # fmt: skip
def test_manifests_that_were_changed(case: Path, path: str, value: object, sentence: str) -> None:
    data = json.loads((case / "manifest.json").read_text())
    *parents, last = path.split()
    inner = data
    for name in parents:
        inner = inner[name]
    inner[last] = value
    (case / "manifest.json").write_text(json.dumps(data))
    output = compare("case/golden_rounded.npy case", 2 if sentence else 0)
    assert sentence in " ".join(output.split())


def test_manifests_that_are_none(case: Path) -> None:
    for text in ("", "[" * 100_000, "[1, 2]", '"x"', "\udcff"):
        (case / "manifest.json").write_bytes(text.encode("utf-8", "surrogateescape"))
        output = compare("case/golden_rounded.npy case", 2)
        assert "is not the manifest of a golden case" in output


def test_golden_values_that_were_changed(case: Path) -> None:
    golden = np.load(case / "golden.npy")
    golden[0] += 1
    np.save(case / "golden.npy", golden)
    output = compare("case/golden_rounded.npy case", 2)
    assert "has another SHA-256 for it" in " ".join(output.split())
    compare("case/golden_rounded.npy case/golden.npy", 1)


def _mixes() -> list[tuple[str, str, str]]:
    """Every operator with every dtype that it takes, and every dtype of its output."""
    found = []
    for samples in all_samples().values():
        for dtype in samples.dtypes:
            inputs = (dtype,) * len(samples.inputs)
            for out in ("f16", "bf16", "f32", "f64"):
                if samples.takes(inputs, out, "Ascend910B"):
                    found.append((samples.op, dtype, out))
    return found


@pytest.mark.parametrize(("op", "dtype", "out"), _mixes(), ids=str)
@pytest.mark.parametrize("how", ["", "--special", "--distribution bits"])
def test_the_documented_round_trip_passes(
    folder: Path, op: str, dtype: str, out: str, how: str
) -> None:
    """golden, call, compare: for true values rounded to the output's type, and for ours."""
    line = f"{op} --dtype {dtype} --out-dtype {out} --shape 20,30 {how} -o case"
    if "negative_slope" in find(op).defaults:
        line += " -a negative_slope=0.01:f64"
    assert CliRunner().invoke(golden_command, line.split()).exit_code == 0
    entries = json.loads(Path("case/manifest.json").read_text())["inputs"]
    files = [f"case/{entry['file']}" for entry in entries]
    words = ["call", op, *files, "--out-dtype", out, "-o", "out.npy"]
    assert CliRunner().invoke(commands, words).exit_code == 0
    for result in ("case/golden_rounded.npy", "out.npy"):
        for rounds in ("", " --round-golden"):
            assert "passes " in compare(f"{result} case{rounds}", 0)


def test_pictures(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    np.save("equal.npy", GOLDEN)
    np.save("empty.npy", np.zeros(0, np.float32))
    np.save("one.npy", np.float32(0))
    for actual, golden in (
        ("bad.npy", "golden.npy"), ("equal.npy", "golden.npy"),
        ("empty.npy", "empty.npy"), ("one.npy", "one.npy"),
    ):  # fmt: skip
        Path("errors.png").unlink(missing_ok=True)
        compare(f"{actual} {golden} --plot errors.png", 1 if actual == "bad.npy" else 0)
        assert Path("errors.png").read_bytes().startswith(b"\x89PNG")
    assert "cannot be written" in compare("good.npy golden.npy --plot missing/errors.png", 2)


def test_a_missing_matplotlib_is_said_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    output = compare("missing.npy golden.npy --plot errors.png", 2)
    assert "pip install matplotlib" in output
