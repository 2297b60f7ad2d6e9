"""Writes the bits of all results, as the CPU computes them, to bits.json, which `gpu` compares with
where it is there: on a machine whose CPU has no kernels."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from random_operators.calls import Call
from random_operators.doors.functions import run
from random_operators.dtypes import Array

FILE = Path("bits.json")


def digest(results: Sequence[Array]) -> str:
    return hashlib.sha256(b"".join(result.tobytes() for result in results)).hexdigest()[:16]


def together(calls: Sequence[Call]) -> Iterator[str]:
    found = {f"{number} {call}": digest(run(call)) for number, call in enumerate(calls)}
    FILE.write_text(json.dumps(found, indent=0))
    yield from ()
