"""`python -m openaclnn.precision.verify`: the command `openaclnn verify` where click is missing."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from openaclnn.base.settings import LEVELS
from openaclnn.precision.verify.session import REFUSED, Wanted, run


def main() -> int:
    parser = argparse.ArgumentParser(prog="openaclnn verify")
    parser.add_argument("operators", nargs="*", metavar="OPERATOR")
    parser.add_argument("--exhaustive", action="store_true")
    parser.add_argument("--dtype", action="append", default=[])
    parser.add_argument("--level", choices=LEVELS, default="")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--threads", type=int)
    parser.add_argument("--no-torch", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--save", type=Path)
    parser.add_argument("--shard", metavar="K/N", default="")
    parser.add_argument("--merge", action="store_true")
    given = parser.parse_args()
    wanted = Wanted(
        tuple(given.operators), tuple(given.dtype), given.level, given.device, given.threads,
        given.plot, given.save, given.shard, exhaustive=given.exhaustive,
        torch=not given.no_torch, as_json=given.json, merge=given.merge,
    )  # fmt: skip
    try:
        return run(wanted, print, lambda words, kind: words)
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return REFUSED


if __name__ == "__main__":
    sys.exit(main())
