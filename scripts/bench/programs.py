"""What a C program pays: start-up, and the cycle of one small call.

    python scripts/bench/programs.py [--json]

Each figure stands beside the bound that it is held to.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from openaclnn.bench import from_c, layouts
from openaclnn.bench.cases import Case
from openaclnn.ops import by_default

_ELEMENTS = 8
_REPEATS = 9
_ROUNDS = 20_000


@dataclass(frozen=True)
class Timed:
    """One measured time and the bound that it must keep."""

    name: str
    value: float
    bound: float
    unit: str


def measure() -> list[Timed]:
    """All figures, measured on this machine now."""
    call = layouts.call(Case(next(iter(by_default())), "f32", _ELEMENTS))
    assert not isinstance(call, str), call
    measured = from_c.executable(call)
    return [
        Timed("toolkit folder, built anew", _build(), 5, "s"),
        Timed("program that allocates and copies", _start(measured, "allocate"), 0.1, "s"),
        Timed("program with one operator", _start(measured, "once"), 1, "s"),
        Timed("the same, with an empty cache", _cold_start(measured), 6, "s"),
        Timed(f"create, two calls, destroy; {_ELEMENTS} elements", _cycle(measured), 30, "µs"),
    ]


def _timed(command: list[str], environment: Mapping[str, str]) -> float:
    before = time.perf_counter()
    subprocess.run(command, env=dict(environment), check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - before


def _start(measured: Path, mode: str) -> float:
    _timed([str(measured), mode], os.environ)
    times = [_timed([str(measured), mode], os.environ) for _ in range(_REPEATS)]
    return statistics.median(times)


def _cold_start(measured: Path) -> float:
    times = []
    for _ in range(_REPEATS):
        with tempfile.TemporaryDirectory() as empty:
            times.append(_timed([str(measured), "once"], {**os.environ, "OPENACLNN_CACHE": empty}))
    return statistics.median(times)


def _build() -> float:
    command = [sys.executable, "-c", "from openaclnn.capi import toolkit; toolkit.home()"]
    with tempfile.TemporaryDirectory() as empty:
        return _timed(command, {**os.environ, "OPENACLNN_CACHE": empty})


def _cycle(measured: Path) -> float:
    """The median of several runs, in microseconds."""
    runs = []
    for _ in range(_REPEATS):
        done = subprocess.run(
            [str(measured), "cycle"],
            input=f"{_ROUNDS}\n",
            check=True,
            capture_output=True,
            text=True,
        )
        runs.append(int(done.stdout) / _ROUNDS / 1e3)
    return statistics.median(runs)


def main() -> None:
    """Print the figures, as a table or (--json) for programs."""
    figures = measure()
    if "--json" in sys.argv[1:]:
        machine = {"machine": platform.machine(), "python": platform.python_version()}
        print(json.dumps({**machine, "figures": [asdict(figure) for figure in figures]}, indent=2))
        return
    for figure in figures:
        print(f"{figure.name:40}{figure.value:10.3g} {figure.unit}  (bound {figure.bound:g})")


if __name__ == "__main__":
    main()
