"""torch_npu's unchanged wheel on openaclnn: rows of torch_rows, models that are trained, and what
surrounds them.

`make test` runs the rows that pass, with the wheel in the test environment's folder `programs`;
`make test-programs` runs all of them, in an environment of their own, whose interpreter is
PROGRAMS_PYTHON.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

os.environ.setdefault("TORCH_DEVICE_BACKEND_AUTOLOAD", "0")  # the tests themselves need no device

from torch_rows import Row, rows

from openaclnn.ops import all_ops
from walks import nightly

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
EVERY = "PROGRAMS_PYTHON" in os.environ
PYTHON = os.path.abspath(os.environ.get("PROGRAMS_PYTHON", sys.executable))
WHEEL = Path(sys.prefix) / "programs"
TRAINING = ROOT / "examples" / "torch_npu_training.py"

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


def without_numbers(text: str, folder: Path) -> str:
    """A report without the numbers that differ from run to run."""
    text = text.replace(f"{folder}/", "")
    return re.sub(r"==\d+==|0x[0-9a-f]+|call \d+|\d+ bytes|#\d+ of", "", text)


def test_the_guide_is_true(environment: dict[str, str], tmp_path: Path) -> None:
    """Its two programs run as it says, under the sanitizer and traced; in Chinese it has the same
    ones."""
    text, chinese = ((ROOT / "docs" / f"torch-npu{end}.md").read_text() for end in ("", ".zh-CN"))
    for language in ("python", "text"):
        blocks = (
            re.findall(rf"```{language}\n.*?```", page, re.DOTALL) for page in (text, chinese)
        )
        assert next(blocks) == next(blocks)
    for name in ("step.py", "race.py"):
        (source,) = re.findall(rf"`{name}`[:：]\n\n```python\n(.*?)```", text, re.DOTALL)
        (tmp_path / name).write_text(source)

    quiet = {k: v for k, v in environment.items() if k != "ASCEND_GLOBAL_LOG_LEVEL"}
    commands = dict(re.findall(r"^\$ ((?:open|py)\S.*)\n((?:(?!\$|```).*\n)*)", text, re.MULTILINE))
    shown = {command: answer for command, answer in commands.items() if answer}
    assert len(shown) == 3
    # what it prints is seen when it is traced; on its own again by night
    traced = {"openaclnn trace python step.py": shown["python step.py"]}
    if not nightly():
        del shown["python step.py"]
    for command, answer in (shown | traced).items():
        words = [PYTHON if word == "python" else word for word in shlex.split(command)]
        if words[0] == "openaclnn":
            words[:1] = [PYTHON, "-m", "openaclnn"]
        done = subprocess.run(words, env=quiet, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert "openaclnn: " not in done.stderr.replace("openaclnn: building", "")
        if "sanitize" in words:  # both streams in one screen
            for line in without_numbers(answer, tmp_path).splitlines():
                assert line in without_numbers(done.stdout + done.stderr, tmp_path).splitlines()
        else:
            assert done.stdout == answer
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    # a gradient is computed in a thread of autograd's, which works for the line that calls it
    for name, line in ("aclnnSiluGetWorkspaceSize", 9), ("aclnnSiluBackwardGetWorkspaceSize", 11):
        stacks = (e["args"]["stack"] for e in events if e.get("name") == name)
        assert next(stacks)[-1] == f"<module> {tmp_path / 'step.py'}:{line}"


MISSING_IN_A_QUEUE = """
import torch, torch_npu

x = torch.full((3,), 7.0, device="npu")
try:
    print("computed", torch.linalg.svdvals(torch.rand(4, 4).npu()).cpu())
except RuntimeError:
    print("raised", (x * 2).tolist())
"""


@pytest.mark.parametrize("queue", [pytest.param("0", marks=pytest.mark.nightly), "1", "2"])
def test_a_missing_operator_is_named(queue: str, environment: dict[str, str]) -> None:
    """At once on stderr, and by an error before anybody sees its result, through torch_npu's queue
    as well; what comes later is computed."""
    done = subprocess.run(
        [PYTHON, "-c", MISSING_IN_A_QUEUE], env={**environment, "TASK_QUEUE_ENABLE": queue},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.stdout == "raised [14.0, 14.0, 14.0]\n", done.stdout + done.stderr
    said = "the operator Svd is not computed: openaclnn does not have aclnnSvd yet\n"
    assert f"openaclnn: {said}" in done.stderr
    for end in ("", ".zh-CN"):  # as the guide shows it
        assert f"aclopCompileAndExecute: {said}" in (ROOT / f"docs/torch-npu{end}.md").read_text()


every = pytest.mark.skipif(not EVERY, reason="takes minutes: make test-programs")
tasks = pytest.mark.parametrize("task", ["resnet", "transformer"])


def run(environment: dict[str, str], folder: Path, *words: str) -> str:
    quiet = {k: v for k, v in environment.items() if k != "ASCEND_GLOBAL_LOG_LEVEL"}
    done = subprocess.run(
        [PYTHON, *words], env=quiet, cwd=folder, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@every
@tasks
def test_training(task: str, environment: dict[str, str], tmp_path: Path) -> None:
    """As PyTorch trains on the CPU; the same bits on a second run, in mixed precision as well."""

    def trained(*options: str) -> tuple[list[float], str]:
        said = run(environment, tmp_path, str(TRAINING), task, *options)
        (digest,) = re.findall(r"^weights (\w+)$", said, re.MULTILINE)
        return [float(loss) for loss in re.findall(r"^ +\d+ ([\d.]+)$", said, re.MULTILINE)], digest

    expected, _ = trained("--device", "cpu")
    losses, digest = trained()
    assert len(losses) == 20
    assert losses == pytest.approx(expected, abs=1e-3)
    assert trained() == (losses, digest)
    mixed, digest = trained("--amp")
    assert mixed == pytest.approx(expected, abs=0.05)
    assert mixed != losses
    assert trained("--amp") == (mixed, digest)


@every
@tasks
def test_training_is_sanitized_and_traced(
    task: str, environment: dict[str, str], tmp_path: Path
) -> None:
    program = [PYTHON, str(TRAINING), task, "--amp", "--steps", "2"]
    watch = ["-m", "openaclnn", "sanitize", "--no-leak-check", "--error-exitcode", "1"]
    assert "sanitizer: 0 errors" in run(environment, tmp_path, *watch, *program)
    run(environment, tmp_path, "-m", "openaclnn", "trace", *program)
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    stacks = [e["args"]["stack"] for e in events if e.get("cat") == "phase 1"]
    assert all(any(f"{TRAINING}:" in line for line in stack) for stack in stacks)
