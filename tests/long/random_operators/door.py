"""Runs random operators through one door, in a process whose OPENACLNN_OPS names their folder."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from random import Random
from typing import Any

from random_operators import calls, operators
from random_operators.calls import Call


def main(door: str, count: int, seed: int, each: int) -> int:
    made = [
        calls.draw(operator, Random(f"{seed} {operator.name} {number}"))
        for operator in operators.draw(count, seed)
        for number in range(each)
    ]
    wrong = 0
    for complaint in _complaints(import_module(f"random_operators.doors.{door}"), made):
        wrong += 1
        print(complaint, flush=True)
    told = f"{count} operators, {len(made)} calls, {wrong} complaints"
    print(f"seed {seed}, {door}: {told}")
    return int(wrong > 0)


def _complaints(module: Any, made: Sequence[Call]) -> Iterator[str]:
    for number, call in enumerate(made):
        for check in getattr(module, "CHECKS", ()):
            for complaint in _told(check, call, Random(f"{number} {check.__name__}")):
                yield f"{call}: {check.__name__}: {complaint}"
    if hasattr(module, "together"):
        yield from _told(module.together, made)


def _told(check: Callable[..., Iterator[str]], *arguments: Any) -> list[str]:
    """What a check complains about; its own failure is a complaint."""
    try:
        return list(check(*arguments))
    except Exception:
        return [traceback.format_exc()]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
