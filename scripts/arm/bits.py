"""Digests of what the operators give here, to be compared with another machine's.

    python scripts/arm/bits.py [--count N] [--op NAME …]

Every operator that can be called on any numbers, in every dtype and at both levels, on 2^20 inputs:
serially, and shared among threads by a host that flushes subnormals to zero or rounds another way.
The documents' five meet all of these settings, the others one in turn; the unusual comes first, so
that kernels are prepared under it. Prints JSON: for each case a digest for each setting.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from hashlib import sha256
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "support"))

import openaclnn
from host_control import computing, deviations
from openaclnn.base.settings import LEVELS
from openaclnn.ops import by_default
from subjects import Subject, all_subjects, patterns

PLAIN = "plain"
THREADS = 2


def cases(names: list[str]) -> Iterator[tuple[Subject, str, str, list[str]]]:
    """Operator, dtype, level, and how the host computes beside serially and plainly."""
    unusual = [*deviations(), PLAIN]
    chosen = [subject for subject in all_subjects().values() if subject.op in names or not names]
    levels = [(s, dtype, level) for s in chosen for dtype, level in product(s.dtypes, LEVELS)]
    for turn, (subject, dtype, level) in enumerate(levels):
        every = subject.op in by_default()
        yield subject, dtype, level, unusual if every else [unusual[turn % len(unusual)]]


def digests(
    subject: Subject, dtype: str, level: str, hows: list[str], count: int
) -> dict[str, str]:
    """Of what an operator gives, by setting."""
    inputs = [patterns(dtype, count, number) for number in range(subject.inputs)]
    found = {}
    for how, threads in [*((how, THREADS) for how in hows), (PLAIN, 1)]:
        openaclnn.set_num_threads(threads)
        with openaclnn.using(math=level), computing(how):
            results = subject.results(inputs, subject.attributes[0])
        name = how if threads == 1 else f"{how}, {threads} threads"
        found[name] = sha256(b"".join(result.tobytes() for result in results)).hexdigest()[:16]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--count", type=int, default=1 << 20)
    parser.add_argument("--op", nargs="*", default=[])
    options = parser.parse_args()
    found = {
        f"{subject.op} {dtype} {level}": digests(subject, dtype, level, hows, options.count)
        for subject, dtype, level, hows in cases(options.op)
    }
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
