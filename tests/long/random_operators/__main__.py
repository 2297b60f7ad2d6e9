"""Draws operators and runs them through every entry point, or through those that are named:

    python tests/long random_operators 200 SEED [--calls N] [DOOR …]

Prints what is wrong; the exit status is 1 where something was. `gpu` needs a GPU and PyTorch; it
compares with what `bits` writes.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from random_operators import files, operators

DOORS = ("functions", "c_shaped", "commands", "program", "interpreted", "cubins")
_TESTS = Path(__file__).resolve().parents[2]


def run(door: str, count: int, seed: int, each: int) -> subprocess.CompletedProcess[str]:
    """A process of its own, as of a user with these operators."""
    with tempfile.TemporaryDirectory() as folder:
        own = Path(folder, "mine")
        files.write(operators.draw(count, seed), own)
        folders = ("", "support", "long", "engines/cuda")
        known = [*(str(_TESTS / name) for name in folders), os.environ.get("PYTHONPATH", "")]
        environment = {
            **os.environ,
            "OPENACLNN_OPS": str(own),
            "PYTHONPATH": os.pathsep.join(filter(None, known)),
            **({"TRITON_INTERPRET": "1"} if door == "interpreted" else {}),
        }
        numbers = map(str, (count, seed, each))
        command = [sys.executable, "-W", "ignore", "-m", "random_operators.door", door, *numbers]
        return subprocess.run(
            command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )


def main() -> int:
    parser = argparse.ArgumentParser(prog="random_operators")
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--calls", type=int, default=2, help="of every operator")
    parser.add_argument("doors", nargs="*", metavar="DOOR", default=DOORS)
    given = parser.parse_args()
    failed = False
    for door in given.doors or DOORS:
        done = run(door, given.count, given.seed, given.calls)
        print(done.stdout, end="", flush=True)
        failed |= done.returncode != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
