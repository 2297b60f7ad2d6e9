"""How long kernels take to compile: an operator's first call on a machine and in a process."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

_PROGRAM = """
import sys, time
import openaclnn
from openaclnn.bench import operands, ways
from openaclnn.bench.cases import PHASES, Case, usual_level
from openaclnn.ops import by_default

ways.WAYS[PHASES](operands.make(Case("leaky_relu_backward", "f16", 256)))  # LLVM itself starts
for op in by_default():
    with openaclnn.using(math=usual_level(op)):
        data = operands.make(Case(op, "f32", 1024))
        start = time.perf_counter()
        ways.WAYS[PHASES](data)()
        print(op, (time.perf_counter() - start) * 1e3)
"""


def measure() -> dict[str, tuple[float, float]]:
    """Milliseconds of the first call by operator: with an empty cache, and with a filled one.

    f32, contiguous, in a process in which LLVM runs already.
    """
    with tempfile.TemporaryDirectory() as empty:
        cold, kept = _run(empty), _run(empty)
    return {name: (cold[name], kept[name]) for name in cold}


def _run(cache: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        env={**os.environ, "OPENACLNN_CACHE": cache},
        check=True,
        capture_output=True,
        text=True,
    )
    pairs = (line.split() for line in done.stdout.splitlines())
    return {name: float(taken) for name, taken in pairs}
