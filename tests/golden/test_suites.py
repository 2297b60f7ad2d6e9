"""One standard decides; many cases at once; golden cases in Python and in pytest."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from click.testing import CliRunner, Result

import openaclnn
from openaclnn.cli.compare import command as compare_command
from openaclnn.cli.golden import command as golden_command
from openaclnn.compare import compare
from openaclnn.golden import golden, golden_suite
from openaclnn.ops import find

EXACT = np.random.default_rng(3).normal(0, 1, (64, 128))
NOISE = np.random.default_rng(4).normal(0, 1, (64, 128))


def test_noise_of_a_few_eps_is_no_failure() -> None:
    found = compare((EXACT * (1 + 3e-7 * NOISE)).astype(np.float32), EXACT)
    assert found.passed
    verdicts = {v.standard: (v.passed, v.counts) for v in found.verdicts}
    assert verdicts["mixed"] == (True, True)
    assert verdicts["ulp"] == (False, False)
    assert "(fail)   ulp" in str(found)
    assert not compare((EXACT * (1 + 3e-7 * NOISE)).astype(np.float32), EXACT, standard="all")


def test_what_is_wrong_fails() -> None:
    wrong = EXACT.astype(np.float32)
    wrong[3, 5] += 1
    assert not compare(wrong, EXACT)
    assert not compare(EXACT + 1e-9, EXACT)  # of DOUBLE the error in ULP decides


def test_the_first_line_says_what_matters() -> None:
    first, second, *_ = str(compare(EXACT.astype(np.float32), EXACT)).splitlines()
    assert first.endswith("8,192 of 8,192 elements correctly rounded")
    assert second.startswith("largest errors ")


@pytest.mark.parametrize("scale", [1e-300, 1e-30, 1.0, 1e30, 1e300])
def test_measures(scale: float) -> None:
    a, g = (EXACT + 0.01 * NOISE) * scale, EXACT * scale
    found = compare(a, g).measures
    error = np.abs(a / scale - g / scale)
    expected = [error.max(), error.mean(), np.sqrt(np.mean(np.square(error)))]
    measured = np.array([found.largest, found.mean, found.rmse]) / scale
    np.testing.assert_allclose(measured, expected, rtol=1e-9)
    x, y = (a / scale).ravel(), (g / scale).ravel()
    cosine = x @ y / np.sqrt((x @ x) * (y @ y))
    np.testing.assert_allclose(found.cosine, cosine, rtol=1e-12)


def test_measures_of_little() -> None:
    assert compare(np.zeros(3, np.float32), np.zeros(3)).measures.cosine == 1
    assert compare(np.zeros(3, np.float32), np.ones(3)).measures.cosine == 0
    assert compare(np.full(2, np.nan, np.float32), np.full(2, np.nan)).measures.rmse == 0
    opposite = compare(-np.ones(4, np.float32), np.ones(4)).measures
    assert (opposite.cosine, opposite.rmse) == (-1, 2)


SUITE = """
# two operators, one of which has two outputs
silu_backward --shape {3,4|5} --dtype {f16|bf16|f32} --seed 3   # six cases
log_sigmoid_forward --shape 4,5
relu --shape 4
relu --shape 4
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "cases.txt").write_text(SUITE)
    done = CliRunner().invoke(golden_command, ["--suite", "cases.txt", "-o", "cases"])
    assert done.exit_code == 0, done.output
    assert "9 cases written to cases" in done.output
    for case in (tmp_path / "cases").iterdir():
        rounded = sorted(case.glob("golden*_rounded.npy"))
        if len(rounded) == 1:
            results = tmp_path / "results" / f"{case.name}.npy"
        else:
            results = tmp_path / "results" / case.name / "NAME.npy"
        results.parent.mkdir(parents=True, exist_ok=True)
        for file in rounded:
            name = file.stem.removeprefix("golden_").removesuffix("_rounded")
            results.with_name(results.name.replace("NAME", name)).write_bytes(file.read_bytes())
    return tmp_path


def judged(*options: str) -> Result:
    return CliRunner().invoke(compare_command, ["results", "cases", *options])


def test_a_suite_is_compared(folder: Path) -> None:
    assert sorted(path.name for path in (folder / "cases").iterdir())[1:3] == ["relu-4", "relu-4-2"]
    done = judged("--junit", "found.xml", "--csv", "found.csv")
    assert done.exit_code == 0, done.output
    assert done.output.endswith("\n10 of 10 pass, 0 fail, 0 missing\n")
    rows = list(csv.DictReader((folder / "found.csv").read_text().splitlines()))
    assert len(rows) == 10
    assert {row["passed"] for row in rows} == {"True"}
    assert {row["mixed"] for row in rows} == {"pass"}
    suite = ElementTree.parse(folder / "found.xml").getroot().find("testsuite")
    assert suite is not None
    assert [suite.get(name) for name in ("tests", "failures", "errors")] == ["10", "0", "0"]


def test_what_is_wrong_in_a_suite_is_named(folder: Path) -> None:
    results = folder / "results"
    np.save(results / "relu-4.npy", np.ones(4, np.float32) * 77)
    (results / "relu-4-2.npy").unlink()
    np.save(results / "silu_backward-5-f32-3.npy", np.ones(6, np.float32))
    done = judged("--junit", "found.xml", "--json")
    assert done.exit_code == 1
    found = {one["case"]: one for one in json.loads(done.output) if not one["passed"]}
    assert set(found) == {"relu-4", "relu-4-2", "silu_backward-5-f32-3"}
    assert "measures" in found["relu-4"], found["relu-4"]
    assert found["relu-4"]["measures"]["largest"] > 70
    assert "there are no results: expected results/relu-4-2.npy" in found["relu-4-2"]["problem"]
    assert "shape" in found["silu_backward-5-f32-3"]["problem"]
    suite = ElementTree.parse(folder / "found.xml").getroot().find("testsuite")
    assert suite is not None
    assert [suite.get(name) for name in ("failures", "errors")] == ["1", "2"]
    assert "7 of 10 pass, 1 fail, 2 missing" in judged().output


def test_results_of_another_dtype_are_said(folder: Path) -> None:
    file = folder / "results" / "silu_backward-5-f16-3.npy"
    np.save(file, np.load(file).astype(np.float32))
    assert "has elements of FLOAT; expected FLOAT16" in judged().output


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("relu --shap 3", "there is no option '--shap' of a case; there are --attribute, "),
        ("rellu", "cases.txt:1: "),
        ("relu --shape", "cases.txt:1: "),
        ("relu 'x", "cases.txt:1: No closing quotation"),
        ("matmul_of_nothing --shape 3", "cases.txt:1: "),
    ],
)
def test_mistakes_in_a_suite(folder: Path, line: str, sentence: str) -> None:
    (folder / "cases.txt").write_text(line)
    done = CliRunner().invoke(golden_command, ["--suite", "cases.txt", "-o", "other"])
    assert done.exit_code == 2
    assert sentence in done.output


@pytest.mark.parametrize("name", ["silu_backward", "cat", "log_sigmoid_forward", "inplace_relu"])
@pytest.mark.parametrize("dtype", ["f16", "f32"])
def test_golden_in_python(name: str, dtype: str, tmp_path: Path) -> None:
    """The same bytes as in files, and our own functions pass."""
    case = golden(name, shape=(3, 4), dtype=dtype, layout="transposed", seed=5)
    case.write(tmp_path)
    actual = getattr(openaclnn, name)(**case.inputs)
    outputs = [a.name for a in find(name).outputs]
    if len(outputs) == 1:
        np.testing.assert_array_equal(case.expected, np.load(tmp_path / "golden.npy"))
        np.testing.assert_array_equal(case.rounded, np.load(tmp_path / "golden_rounded.npy"))
        assert case.compare(actual)
        return
    for output, result in zip(outputs, actual, strict=False):
        np.testing.assert_array_equal(
            case.expected[output], np.load(tmp_path / f"golden_{output}.npy")
        )
        if result.size:
            assert case.compare(result, output)


def test_a_suite_in_python(folder: Path) -> None:
    cases = golden_suite(folder / "cases.txt")
    assert len(cases) == 9
    assert cases["relu-4"].compare(openaclnn.relu(**cases["relu-4"].inputs))


PROGRAM = """
import numpy as np
import openaclnn

def test_every_case(aclnn_case, assert_accurate):
    assert_accurate(openaclnn.silu(**aclnn_case.inputs), aclnn_case)

def test_wrong(aclnn_golden, assert_accurate):
    case = aclnn_golden("silu", shape=(3, 4))
    assert_accurate(case.rounded, case.expected)
    assert_accurate(case.rounded + 1, case)
"""


@pytest.mark.parametrize("cases", [True, False])
def test_the_pytest_plugin(tmp_path: Path, cases: bool) -> None:
    (tmp_path / "test_it.py").write_text(PROGRAM)
    (tmp_path / "cases.txt").write_text("silu --shape {3|4,5} --dtype {f16|f32}\n")
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_it.py"]
    known = subprocess.run([*words, "--help"], cwd=tmp_path, capture_output=True, text=True)
    if "--aclnn-cases" not in known.stdout:  # installed before it had a plugin
        words += ["-p", "openaclnn.golden.pytest_plugin"]
    words += ["--aclnn-cases", "cases.txt"] if cases else []
    environment = {**os.environ, "PYTHONPATH": str(Path(openaclnn.__file__).parents[1])}
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, env=environment)
    assert done.returncode == 1, done.stdout + done.stderr
    assert ("1 failed, 4 passed" if cases else "1 failed, 1 skipped") in done.stdout
    assert "FLOAT 3×4 against golden in DOUBLE: 0 of 12 elements correctly rounded" in done.stdout
