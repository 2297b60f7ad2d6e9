"""Without a GPU: the kernels under Triton's interpreter, in a process that starts with it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE, STDOUT, Popen

import pytest

from walks import nightly

pytest.importorskip("triton", reason="needs triton")
pytest.importorskip("torch", reason="Triton's interpreter takes its arguments as torch tensors")


PARTS = [
    "layouts", "few", "tried", "windows", "operators", "slopes", "conversions", "functions",
    "every", "folds", "judged", "products", "attention", "routines",
]  # fmt: skip


@pytest.fixture(scope="module")
def interpreted() -> Iterator[Popen[str]]:
    """One process for all parts: to import PyTorch and Triton takes it longer than most of them."""
    here = Path(__file__).parent
    tests = here.parents[1]
    paths = [str(tests), str(tests / "support"), os.environ.get("PYTHONPATH", "")]
    with Popen(
        [sys.executable, "-W", "ignore", str(here / "interpreted.py"), *["nightly"] * nightly()],
        env={**os.environ, "TRITON_INTERPRET": "1", "PYTHONPATH": os.pathsep.join(paths)},
        stdin=PIPE,
        stdout=PIPE,
        stderr=STDOUT,
        text=True,
    ) as process:
        yield process


@pytest.mark.parametrize("part", PARTS)
def test_bits(part: str, interpreted: Popen[str]) -> None:
    assert interpreted.stdin
    assert interpreted.stdout
    print(part, file=interpreted.stdin, flush=True)
    printed = []
    for line in interpreted.stdout:
        printed.append(line)
        if line.startswith("= "):
            break
    assert printed[-1:] == ["= 0\n"], "".join(printed) or "the process has ended"
