"""Digests of what the operators give here, to be compared with another machine's.

    python scripts/arm/bits.py [--count N]

The first 2^20 places of every sweep of tests/digests.py: serially, shared among threads, and by a
host that flushes subnormals to zero or rounds another way. The unusual comes first, so that kernels
are prepared under it. Prints JSON: for each sweep a digest for each setting.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

import openaclnn
from digests import OPERATORS, Host, Stretch, Sweep, at, digest, every_sweep
from host_control import computing, deviations

THREADS = 2


def settings() -> list[tuple[str, str, int]]:
    """Name, how the host computes, how many threads share the work."""
    unusual = [(f"{how}, {THREADS} threads", how, THREADS) for how in deviations()]
    return [*unusual, (f"plain, {THREADS} threads", "plain", THREADS), ("plain", "plain", 1)]


def digests(sweep: Sweep, count: int) -> dict[str, str]:
    """Of the first places of a sweep, by setting."""
    facts, stretch = OPERATORS[sweep.operator], Stretch(Host(), 0, count)
    inputs = sweep.inputs(stretch, sweep.dtype, facts.arity)
    call = getattr(openaclnn, sweep.operator)
    found = {}
    for name, how, threads in settings():
        out = stretch.device.empty(count, sweep.dtype)
        openaclnn.set_num_threads(threads)
        with at(sweep.level), computing(how):
            call(*inputs, **facts.attributes, out=out)
        found[name] = f"{digest(out, stretch):016x}"
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--count", type=int, default=1 << 20)
    count = parser.parse_args().count
    print(
        json.dumps({" ".join(s.key.values()): digests(s, count) for s in every_sweep()}, indent=1)
    )


if __name__ == "__main__":
    main()
