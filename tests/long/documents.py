"""Runs what README and the guides tell readers to type, in environments with and without extras.

    python tests/long documents [--python EXE]... [PAGE ...]

Without --python it makes two environments in build/documents: one of `pip install .` alone, one
with the extras. Every page is one shell in a copy of the last commit: its blocks `sh` and `console`
in order, and its blocks `python` and `pycon`. A command must end with 0, or with 2 where the page
shows an error; what a `console` block shows must be what is printed. Commands that need another
machine, or change this one, are listed in NOT_HERE and counted.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README", "docs/start", "docs/run-your-program", "docs/sanitizer", "docs/compare",
         "docs/pytorch", "docs/cuda", "docs/accuracy", "docs/settings",
         "docs/your-own-operators")  # fmt: skip
EXTRAS = "cuda,torch,plot"

NOT_HERE = {  # by what a command has in it
    "pip install": "the environment is installed already",
    "sudo ": "changes the machine",
    "--exhaustive": "takes half an hour",
    "--merge": "needs the parts of a proof",
    "DEVICE=cuda": "needs a GPU",
    "--device cuda": "needs a GPU",
    "cuda_sweep": "needs a GPU",
    "compute-sanitizer": "needs a GPU",
    "-m pytest": "runs the tests",
    "compile --arch sm_90 --all": "takes half an hour",
    "coverage my_project": "shows a project of the reader's",
}
NEEDS = {  # a module without which a command or a block says what is missing
    "--plot": "matplotlib",
    "openaclnn compile": "triton",
    "import torch": "torch",
}
FILES = {  # what a page's reader has by then: the page's block, or a file of the checkout
    "docs/run-your-program": {"prog.cpp": "block cpp of docs/sanitizer"},
    "docs/sanitizer": {"program.cpp": "block cpp"},
    "docs/compare": {"cases.txt": "block yaml"},
    "docs/your-own-operators": {"my_ops/hard_gate.py": "block python", "gate.cpp": "block cpp"},
}
BEFORE = {  # what the reader does between two commands, elsewhere or in words
    "openaclnn compare out.npy case": "openaclnn call silu_backward case/grad_output.npy "
    "case/self.npy -o out.npy",
}
STATUS = {"openaclnn sanitize program.cpp": (0, 1, 139), "openaclnn compare out.npy case": (0, 1)}
PYTHON = {  # what a block's names stand for
    "docs/compare": "import numpy as np, openaclnn\nmy_function = openaclnn.silu_backward\n"
    "actual, golden = np.float32([1, 2]), [1, 2 + 1e-9]\n",
}
SHOWN_BY_TESTS = {"docs/your-own-operators"}  # its Python file is an operator's, not a program


@dataclass(frozen=True)
class Block:
    language: str
    text: str


@dataclass
class Outcome:
    run: int = 0
    left_out: int = 0
    wrong: int = 0


def blocks(page: str) -> list[Block]:
    """The code of a page, those inside tabs too."""
    text = (ROOT / f"{page}.md").read_text(encoding="utf-8")
    found = re.findall(r"^( *)```(\w+)\n(.*?)^\1```$", text, re.MULTILINE | re.DOTALL)
    return [Block(language, re.sub(f"(?m)^{indent}", "", body)) for indent, language, body in found]


def typed(block: Block) -> Iterator[tuple[str, str]]:
    """Each command of a shell's block, and what the page shows after it."""
    if block.language == "sh":
        yield from ((line, "") for line in block.text.splitlines() if not line.startswith("#"))
        return
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        yield line, shown


def reason(command: str, python: Path) -> str:
    """Why a command is not run here; empty where it is."""
    for part, why in NOT_HERE.items():
        if part in command:
            return why
    for part, module in NEEDS.items():
        if part in command and not has(python, module):
            return f"needs {module}"
    return ""


def has(python: Path, module: str) -> bool:
    source = f"import importlib.util as u, sys; sys.exit(u.find_spec({module!r}) is None)"
    return subprocess.run([python, "-c", source]).returncode == 0


def plain(text: str, folder: Path) -> str:
    """Without what differs from run to run: paths, numbers of processes, addresses."""
    text = re.sub(r"^openaclnn: building .*\n", "", text, flags=re.MULTILINE)
    text = text.replace(str(folder), "/home/you")
    text = re.sub(r"==\d+==", "==PID==", text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def place(page: str, folder: Path) -> None:
    """A copy of the checkout, with the files that the page speaks of."""
    packed = subprocess.check_output(["git", "archive", "HEAD"], cwd=ROOT)
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder)
    for name, source in FILES.get(page, {}).items():
        kind, _, rest = source.partition(" ")
        if kind == "block":
            language, _, other = rest.partition(" of ")
            text = next(b.text for b in blocks(other or page) if b.language == language)
        else:
            text = (ROOT / source).read_text()
        path = folder / name
        path.parent.mkdir(mode=0o700, exist_ok=True)
        path.write_text(text)
        path.chmod(0o600)


def run(page: str, python: Path, cache: Path) -> Outcome:
    outcome = Outcome()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        place(page, folder)
        environment = {
            **os.environ, "PATH": f"{python.parent}:{os.environ['PATH']}", "COLUMNS": "80",
            "LANG": "C.UTF-8", "OPENACLNN_CACHE": str(cache), "OPENACLNN_DEVICE": "cpu",
        }  # fmt: skip
        for variable in ("PYTHONPATH", "OPENACLNN_OPS", "LC_ALL"):
            environment.pop(variable, None)
        shell(page, python, folder, environment, outcome)
        for block in blocks(page):
            if block.language in ("python", "pycon") and page not in SHOWN_BY_TESTS:
                in_python(page, block, python, folder, environment, outcome)
    return outcome


def shell(page: str, python: Path, folder: Path, environment: dict[str, str], to: Outcome) -> None:
    """The page's commands in one shell, since some of them set variables."""
    commands, script = [], "exec 2>&1\n"
    for block in blocks(page):
        if block.language not in ("sh", "console"):
            continue
        for line, shown in typed(block):
            if line == "python":
                in_python(page, Block("pycon", shown), python, folder, environment, to)
            elif why := reason(line, python):
                to.left_out += 1
                print(f"  not run: {line.strip()[:70]} ({why})")
            else:
                commands.append((line, shown))
                before = BEFORE.get(line.partition("  #")[0].strip(), "true")
                script += f"{before} >/dev/null\n{line}\nprintf '\\n@@%d\\n' $?\n"
    done = subprocess.run(["bash", "-c", script], env=environment, cwd=folder, timeout=3000,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True)  # fmt: skip
    answers = re.split(r"^@@(\d+)\n", done.stdout, flags=re.MULTILINE)
    for k, (line, shown) in enumerate(commands):
        said, status = answers[2 * k : 2 * k + 2] or ("the shell has ended", "-1")
        command = line.partition("  #")[0].strip()
        allowed = STATUS.get(command, (2,) if shown.startswith("Error: ") else (0,))
        to.run += 1
        expected, found = plain(shown, folder), plain(said, folder)
        if int(status) not in allowed or (expected and expected != found):
            to.wrong += 1
            print(f"WRONG {page}: {line}\nstatus {status}, printed:\n{found}")
            if expected:
                print(f"the page shows:\n{expected}")


def in_python(
    page: str, block: Block, python: Path, folder: Path, environment: dict[str, str], to: Outcome
) -> None:
    if why := reason(block.text, python):
        to.left_out += 1
        print(f"  not run: {block.language} of {page} ({why})")
        return
    path = folder / "typed.txt"
    path.write_text(block.text)
    source = f"{PYTHON.get(page, '')}exec(open({str(path)!r}).read())"
    if block.language == "pycon":
        source = f"import doctest, sys; sys.exit(doctest.testfile({str(path)!r}, False).failed)"
    done = subprocess.run([python, "-c", source], env=environment, cwd=folder,
                          capture_output=True, text=True)  # fmt: skip
    to.run += 1
    if done.returncode:
        to.wrong += 1
        print(f"WRONG {page}:\n{block.text}\n{done.stdout}{done.stderr}")


def made(name: str, extras: str) -> Path:
    """The interpreter of a new environment with this checkout installed."""
    folder = ROOT / "build" / "documents" / name
    subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
    target = str(ROOT) + (f"[{extras}]" if extras else "")
    pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", target]
    subprocess.run(pip, check=True)
    return folder / "bin" / "python"


def main() -> int:
    parser = argparse.ArgumentParser(prog="documents")
    parser.add_argument("--python", action="append", type=Path, help="one that has openaclnn")
    parser.add_argument("pages", nargs="*", metavar="PAGE", default=PAGES)
    given = parser.parse_args()
    pythons = given.python or [made("plain", ""), made("extras", EXTRAS)]
    wrong = 0
    for python in pythons:
        print(f"-- {python}", flush=True)
        with tempfile.TemporaryDirectory() as cache:
            for page in given.pages:
                found = run(page, python.absolute(), Path(cache))
                wrong += found.wrong
                print(f"{page}: {found.run} run, {found.wrong} wrong, {found.left_out} left out",
                      flush=True)  # fmt: skip
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
