"""C programs that fork at random moments of another thread's first call.

    python tests/long fork_moments [moments] [seed]

Half of the moments find a cache with kernels, half an empty one. Prints the seed, and what went
wrong; status 1 where something did.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from openaclnn.capi import program, toolkit

SOURCE = Path(__file__).parents[1] / "capi" / "programs" / "first_fork.cpp"


def run(made: Path, cache: Path, microseconds: int) -> tuple[str, float]:
    """What went wrong with a program that forks so late, and how long it took."""
    environment = {**os.environ, "OPENACLNN_CACHE": str(cache), "OPENACLNN_DEVICE": "cpu"}
    command = [made, str(microseconds)]
    begin = time.monotonic()
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    spent = time.monotonic() - begin
    return (f"{done.returncode} {done.stdout}{done.stderr}" if done.returncode else ""), spent


def main(moments: int, seed: int) -> int:
    print(f"fork at {moments} moments of a C program, seed {seed}", flush=True)
    rng, failures, before = random.Random(seed), 0, time.monotonic()
    made = program.executable(SOURCE, ["-std=c++17", "-O1", "-pthread"], toolkit.home())
    with tempfile.TemporaryDirectory() as folder:
        warm = Path(folder, "warm")
        _, longest = run(made, warm, 0)
        for number in range(moments):
            cache = rng.choice((warm, Path(folder, f"cold{number}")))
            moment = rng.random() ** 2 * longest
            trouble, _ = run(made, cache, int(moment * 1e6))
            if trouble:
                failures += 1
                print(
                    f"moment {number}, {moment * 1e3:.1f} ms, {cache.name}: {trouble}", flush=True
                )
    print(f"{failures} of {moments} went wrong, in {time.monotonic() - before:.0f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    numbers = [int(word) for word in sys.argv[1:]]
    count = numbers[0] if numbers else 500
    sys.exit(main(count, numbers[1] if len(numbers) > 1 else random.randrange(2**32)))
