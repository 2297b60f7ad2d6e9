"""torch_npu's unchanged wheel on openaclnn: rows of torch_rows.py, and what surrounds them.

`make test` runs the rows that pass, with the wheel in the test environment's folder `programs`;
`make test-programs` runs all of them, in an environment of their own, whose interpreter is
PROGRAMS_PYTHON.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

os.environ.setdefault("TORCH_DEVICE_BACKEND_AUTOLOAD", "0")  # the tests themselves need no device

from torch_rows import Row, rows

from openaclnn.ops import all_ops

HERE = Path(__file__).parent
EVERY = "PROGRAMS_PYTHON" in os.environ
PYTHON = os.path.abspath(os.environ.get("PROGRAMS_PYTHON", sys.executable))
WHEEL = Path(sys.prefix) / "programs"

if not EVERY and not (WHEEL / "torch_npu").is_dir():
    pytest.skip(f"torch_npu is not in {WHEEL}: make test installs it", allow_module_level=True)

ROWS = [row for row in rows() if EVERY or not row.missing]


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    """The variables of set_env.sh, and no others that change what torch_npu does."""
    home = subprocess.run(
        [PYTHON, "-m", "openaclnn", "home"], capture_output=True, text=True, check=True
    ).stdout.strip()
    clean = {k: v for k, v in os.environ.items() if k != "TORCH_DEVICE_BACKEND_AUTOLOAD"}
    clean["OPENACLNN_DEVICE"] = "cpu"
    clean["ASCEND_GLOBAL_LOG_LEVEL"] = "2"  # torch_npu names the functions that it does not find
    if not EVERY:
        folders = [str(WHEEL), *filter(None, [os.environ.get("PYTHONPATH")])]
        clean["PYTHONPATH"] = os.pathsep.join(folders)
    sourced = subprocess.run(
        ["sh", "-c", '. "$0/set_env.sh" && env -0', home],
        env=clean, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    return dict(line.split("=", 1) for line in sourced.split("\0") if line)


@pytest.fixture(scope="session")
def outcomes(
    environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> dict[str, tuple[str, str]]:
    """By row: how it went, and what was said. A row that kills the process is one outcome, too."""
    file = tmp_path_factory.mktemp("torch_npu") / "outcomes"
    found: dict[str, tuple[str, str]] = {}
    left = [row.name for row in ROWS]
    while left:
        file.write_text("")
        done = subprocess.run(
            [PYTHON, HERE / "torch_runner.py", file, *left],
            env=environment, capture_output=True, text=True, timeout=550,
        )  # fmt: skip
        lines = [json.loads(line) for line in file.read_text().splitlines()]
        found |= {line["name"]: (line["outcome"], line["said"]) for line in lines if "name" in line}
        if not lines:
            pytest.fail(f"torch_npu does not start:\n{done.stdout}{done.stderr}")
        if "began" in lines[-1]:
            found[lines[-1]["began"]] = "killed", f"status {done.returncode}\n{done.stderr}"
        left = [name for name in left if name not in found]
    return found


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_torch_npu(row: Row, outcomes: dict[str, tuple[str, str]]) -> None:
    outcome, said = outcomes[row.name]
    if not row.missing:
        assert outcome == "same", said
        return
    assert row.missing not in computed(), f"{row.missing} is here now: expect it no longer"
    assert outcome == "raised", f"{outcome}, and {row.missing} was expected to be missing\n{said}"
    assert row.missing in said, said


def computed() -> set[str]:
    return {op.c_name for op in all_ops().values()}


def test_the_import_prints_nothing(environment: dict[str, str]) -> None:
    code = "import torch, torch_npu; print(torch.npu.device_count(), torch.npu.get_device_name())"
    done = subprocess.run(
        [PYTHON, "-W", "error", "-c", code],
        env={k: v for k, v in environment.items() if k != "ASCEND_GLOBAL_LOG_LEVEL"},
        capture_output=True, text=True,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("1 Ascend910B3\n", "")
