"""The page about your own operators: what it shows is written, typed and answered as it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "your-own-operators.md").read_text()


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a reader of the page would stand."""
    home = tmp_path_factory.mktemp("you")
    (home / "my_ops").mkdir(mode=0o700)
    (operator,), (program,) = blocks("python"), blocks("cpp")
    for path, text in ((home / "my_ops/hard_gate.py", operator), (home / "gate.cpp", program)):
        path.write_text(text)
        path.chmod(0o600)
    return home


@pytest.fixture(scope="module")
def environment(folder: Path) -> dict[str, str]:
    """A shell in which openaclnn is this one, with a folder of its own for what is compiled."""
    commands = folder / "bin"
    commands.mkdir()
    command = commands / "openaclnn"
    command.write_text(f"#!{sys.executable}\nfrom openaclnn.cli.main import main\n\nmain()\n")
    command.chmod(0o700)
    (folder / "cache").mkdir(mode=0o700)
    compiler = commands / "quick_cc"  # builds the library in half of the time
    compiler.write_text('#!/bin/sh\nexec cc "$@" -O0\n')
    compiler.chmod(0o700)
    return {
        "CC": str(compiler),
        "PATH": f"{commands}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "src"),
        "OPENACLNN_CACHE": str(folder / "cache"),
        "OPENACLNN_OPS": str(folder / "my_ops"),
        "OPENACLNN_DEVICE": "cpu",
        "COLUMNS": "80",
        "LANG": "C.UTF-8",
    }


def typed(block: str) -> list[tuple[str, str]]:
    """The lines that are typed, each with what is shown after it."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)
    return [(line, shown) for line, _, shown in (part.partition("\n") for part in parts[1:])]


def without_spaces(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


@pytest.fixture(scope="module")
def answers(folder: Path, environment: dict[str, str]) -> dict[str, str]:
    """What each block's lines answer: typed in the page's order, whichever test comes first."""
    found = {}
    for block in blocks("console"):
        script = "".join(f"{line}\necho status $?\n" for line, _ in typed(block))
        done = subprocess.run(
            ["bash", "-c", f"exec 2>&1\n{script}"],
            env=environment, cwd=folder, capture_output=True, text=True, timeout=300,
        )  # fmt: skip
        told = re.sub(r"^openaclnn: building .*\n", "", done.stdout, flags=re.MULTILINE)
        found[block] = told.replace(str(folder), "/home/you")
    return found


@pytest.mark.parametrize("block", blocks("console"), ids=lambda block: typed(block)[0][0][:30])
def test_what_is_typed(answers: dict[str, str], block: str) -> None:
    """In one shell; a line that says nothing on the page says nothing here."""
    expected = ""
    for _, shown in typed(block):
        status = 2 if shown.startswith("Error: ") else 0
        expected += f"{shown}status {status}\n"
    assert without_spaces(answers[block]) == without_spaces(expected)


def test_the_python_session(folder: Path, environment: dict[str, str]) -> None:
    (session,) = blocks("pycon")
    path = folder / "session.txt"
    path.write_text(session)
    script = f"import doctest; print(doctest.testfile({str(path)!r}, False))"
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True
    )
    assert "failed=0" in done.stdout, done.stdout + done.stderr


def test_a_benchmark(environment: dict[str, str], folder: Path) -> None:
    few = "--dtype f32 --size 2^10 --layout contiguous --way phases --level exact --seconds 0.01"
    command = ["openaclnn", "bench", "--op", "hard_gate", "--json", *few.split()]
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert '"hard_gate"' in done.stdout


@pytest.fixture
def broken(folder: Path, environment: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """The same, with a file that does not load."""
    (tmp_path / "my_ops").mkdir(mode=0o700)
    (tmp_path / "my_ops" / "broken.py").write_text("1 +")
    (tmp_path / "my_ops" / "broken.py").chmod(0o600)
    return {**environment, "OPENACLNN_OPS": str(tmp_path / "my_ops")}


@pytest.mark.parametrize("command", ["ops", "show silu_bakward", "call", "doctor", "home"])
def test_who_asks_for_all_operators_is_told(broken: dict[str, str], command: str) -> None:
    line = ["openaclnn", *command.split()]
    done = subprocess.run(line, env=broken, capture_output=True, text=True)
    (said,) = done.stderr.splitlines()
    assert said.startswith(f"Error: {broken['OPENACLNN_OPS']}/broken.py:1: SyntaxError: ")
    assert done.returncode == 2


def test_in_chinese_and_while_typing(broken: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "my_ops").chmod(0o770)
    said = subprocess.run(
        ["openaclnn", "ops"], env={**broken, "LANG": "zh_CN.UTF-8"}, capture_output=True, text=True
    )
    assert said.stderr.startswith(
        f"错误：其他用户可以写入 OPENACLNN_OPS: {tmp_path}/my_ops；算子是"
    )
    tab = {
        "_OPENACLNN_COMPLETE": "bash_complete",
        "COMP_WORDS": "openaclnn show ",
        "COMP_CWORD": "2",
    }
    typed = subprocess.run(["openaclnn"], env={**broken, **tab}, capture_output=True, text=True)
    assert (typed.stdout, typed.stderr) == ("", "")


def test_what_is_asked_by_name_works(broken: dict[str, str]) -> None:
    for command in ("show silu_backward", "call silu_backward --help", "show inplace_relu"):
        line = ["openaclnn", *command.split()]
        assert subprocess.run(line, env=broken, stdout=subprocess.DEVNULL).returncode == 0
