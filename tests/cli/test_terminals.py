"""The command in terminals of all kinds: narrow, without colours, not Unicode's, with a Tab key."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from shell import Shell

from openaclnn.ops import all_ops

COMMAND = [sys.executable, "-m", "openaclnn.cli.main"]


def in_terminal(*arguments: str, **variables: str) -> str:
    """What a terminal gets to see."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", **variables}
    with subprocess.Popen([*COMMAND, *arguments], stdout=theirs, stderr=theirs, env=environment):
        os.close(theirs)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 1 << 16)
            except OSError:  # the other side has closed
                break
            if not piece:
                break
            shown += piece
    os.close(ours)
    return shown.decode()


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
    ids=str,
)
def test_colours(variables: dict[str, str], coloured: bool) -> None:
    assert ("\x1b[" in in_terminal("show", "silu_backward", **variables)) is coloured
    refused = in_terminal("call", "silu_backward", __file__, __file__, **variables)
    assert "Error: " in refused
    assert coloured or "\x1b[" not in refused


@pytest.mark.parametrize("encoding", ["gbk", "latin-1", "gb18030", "utf-8"])
def test_encodings(encoding: str) -> None:
    done = subprocess.run(
        [*COMMAND, "show", "silu_backward"],
        capture_output=True, timeout=1800, env={**os.environ, "PYTHONIOENCODING": encoding},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode(encoding)
    shown = done.stdout.decode(encoding)
    assert ("1 − " if encoding in ("utf-8", "gb18030") else "1 - ") in shown


@pytest.fixture
def case(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    shell("golden silu_backward --shape 20,30 --dtype bf16 --distribution bits -o case")
    return tmp_path


@pytest.mark.parametrize("columns", [40, 60, 72])
@pytest.mark.parametrize("line", ["ops", "compare case/golden_rounded.npy case"])
def test_narrow_terminals(
    shell: Shell, case: Path, monkeypatch: pytest.MonkeyPatch, columns: int, line: str
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    shown = shell(line).out
    wide = [text for text in shown.splitlines() if len(text) > columns and text not in all_ops()]
    worst = [text for text in wide if text.startswith(("index", "["))]
    assert wide == (worst if columns == 40 else [])


def test_output_to_a_program_is_not_folded(
    shell: Shell, case: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS")
    shown = shell("compare case/golden_rounded.npy case").out
    assert (
        "\n                            not counted: results within 0.51 ULP of golden fail" in shown
    )
    assert len(shell("ops").out.splitlines()[1].split("  ")) > 3


def test_results_into_pipes(case: Path) -> None:
    words = ["call", "silu_backward", "case/grad_output.npy", "case/self.npy", "-o"]
    env = {**os.environ, "OPENACLNN_CACHE": str(case / "cache")}
    for place in ("out.npy", "-", "/dev/stdout"):
        done = subprocess.run([*COMMAND, *words, place], cwd=case, capture_output=True, env=env)
        if place == "out.npy":
            assert done.stdout.decode() == "out.npy: 20×30 bfloat16\n"
            continue
        assert done.stdout == Path(case, "out.npy").read_bytes()
        assert done.stderr.decode() == f"{place}: 20×30 bfloat16\n"
    assert not Path(case, "-").exists()


def test_refusals_name_the_option(shell: Shell, case: Path) -> None:
    np.save("x.npy", np.ones(3, np.float32))
    np.save("y.npy", np.ones((2, 1), np.float32))
    hint = "; Ascend950 accepts this call: choose it with --soc Ascend950\n"
    assert shell("call silu_backward x.npy y.npy", 1).err.endswith(hint)
    refused = shell("call silu_backward x.npy x.npy --soc Ascend310P", 1).err
    assert refused.endswith("do: choose one with --soc\n")


def test_pictures_have_the_name_that_was_given(shell: Shell, case: Path) -> None:
    pytest.importorskip("matplotlib")
    assert "drawn: foo\n" in shell("compare case/golden_rounded.npy case --plot foo").out
    assert Path("foo").read_bytes().startswith(b"\x89PNG")
    assert not Path("foo.png").exists()
    assert "cannot be written" in shell("compare case/golden_rounded.npy case --plot a.xyz", 2).err


@pytest.mark.parametrize(
    ("typed", "meant"), [("cal", "call"), ("doctr", "doctor"), ("comp", "compile, compare")]
)
def test_did_you_mean(shell: Shell, typed: str, meant: str) -> None:
    assert f"There is no command '{typed}'; did you mean {meant}?" in shell(typed, 2).err
    assert "No such command 'x'" in shell("x", 2).err


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("do", "doctor"),
        ("show sil", "silu_backward"),
        ("show aclnnSil", "aclnnSiluBackward"),
        ("golden hard", "hardsigmoid_backward"),
        ("verify leaky", "leaky_relu_backward"),
        ("bench --op smooth", "smooth_l1_loss_backward"),
        ("call log", "log_sigmoid_backward"),
        ("call silu_backward --le", "--level"),
        ("call silu_backward --soc ascend95", "Ascend950"),
        ("run --soc Ascend910B", "Ascend910B3"),
    ],
)
def test_tab_completes(typed: str, completed: str) -> None:
    words = ["openaclnn", *typed.split()]
    variables = {
        "_OPENACLNN_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1),
    }  # fmt: skip
    source = "import sys; sys.argv = ['openaclnn']; from openaclnn.cli.main import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", source],
        capture_output=True,
        text=True,
        env={**os.environ, **variables},
    )
    assert f"plain,{completed}" in done.stdout.splitlines(), done.stderr
