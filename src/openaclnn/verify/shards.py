"""A proof in parts: each is some of the work, measured anywhere and written to a file; all of them
together are the whole."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import openaclnn
from openaclnn import ops
from openaclnn.base import dtypes
from openaclnn.base.records import dataclass
from openaclnn.verify.report import Report, json_number
from openaclnn.verify.run import Scope, Tallies, report_of
from openaclnn.verify.tally import Tally, Worst
from openaclnn.verify.tasks import Task

_FORMAT = 1


@dataclass(frozen=True)
class Shard:
    """One of so many parts, counted from 1."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"part {self.number} of {self.of}"

    def some(self, tasks: Sequence[Task]) -> list[Task]:
        """Its share, of every operator and kind of inputs alike."""
        return list(tasks[self.number - 1 :: self.of])


def shard(text: str) -> Shard:
    """
    >>> shard("2/8")
    Shard(number=2, of=8)
    """
    number, _, of = text.partition("/")
    try:
        found = Shard(int(number), int(of))
    except ValueError:
        found = Shard(0, 0)
    if not 1 <= found.number <= found.of:
        raise ValueError(f"{text!r} is no part; expected K/N with K from 1 to N, such as 2/8")
    return found


def dumps(work: Scope, part: Shard, tallies: Tallies, device: str, seconds: float) -> str:
    """A part as text: what it is of, and all that was counted, to the last bit."""
    head = {
        "format": _FORMAT,
        "part": [part.number, part.of],
        "version": version(work.operators),
        "work": _described(work),
        "device": device,
        "seconds": round(seconds, 1),
    }
    rows = [
        {"operator": op, "dtype": dtype, "subject": subject, **_counted(tally)}
        for (op, dtype, subject), tally in tallies.items()
    ]
    lines = ",\n".join(json.dumps(row) for row in rows)
    return f'{json.dumps(head)[:-1]}, "tallies": [\n{lines}\n]}}\n'


def merged(files: Mapping[str, str]) -> Report:
    """What the parts in some files, texts by name, prove together; ValueError where they are not
    all parts of one whole."""
    parts = {name: _loaded(name, text) for name, text in files.items()}
    if not parts:
        raise ValueError("there are no parts to merge; expected the files of all")
    first = next(iter(parts))
    work = _work(parts[first])
    for name, part in parts.items():
        _refuse_other(name, part, first, parts[first], work)
    _refuse_gaps({name: part["part"] for name, part in parts.items()})
    tallies: Tallies = {}
    for part in parts.values():
        for row in part["tallies"]:
            key = row.pop("operator"), row.pop("dtype"), row.pop("subject")
            tallies.setdefault(key, Tally()).add(_tally(row))
    device = " and ".join(sorted({part["device"] for part in parts.values()}))
    seconds = sum(part["seconds"] for part in parts.values())
    return report_of(work, tallies, device, seconds)


def _loaded(name: str, text: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(text)
        if found["format"] != _FORMAT:
            raise ValueError
        Shard(*found["part"])
        if not {"version", "work", "device", "seconds", "tallies"} <= set(found):
            raise ValueError
    except (ValueError, KeyError, TypeError):
        raise ValueError(f"{name} is no part that openaclnn verify --shard wrote") from None
    return found


def _refuse_other(
    name: str, part: dict[str, Any], first: str, other: dict[str, Any], work: Scope
) -> None:
    """Refuse a part of something else."""
    ours = version(work.operators)
    if part["version"] != ours:
        raise ValueError(f"{name} is by openaclnn {part['version']}; expected {ours}, as here")
    for key, value in other["work"].items():
        found = part["work"].get(key)
        if found != value:
            why = f"{key} is {json.dumps(found)}; expected {json.dumps(value)}"
            if isinstance(found, list):
                only = sorted(set(found) ^ set(value))
                why = f"only one of them has {', '.join(only[:3]) or 'this order'}"
            raise ValueError(f"{name} is a part of other work than {first}: {why}")
    if part["part"][1] != other["part"][1]:
        raise ValueError(
            f"{name} is one of {part['part'][1]} parts, {first} one of {other['part'][1]}"
        )


def _refuse_gaps(numbers: dict[str, list[int]]) -> None:
    known: dict[int, str] = {}
    of = 0
    for name, (number, of) in numbers.items():
        if number in known:
            raise ValueError(f"{Shard(number, of)} is in {known[number]} and in {name}")
        known[number] = name
    missing = [str(Shard(number, of)) for number in range(1, of + 1) if number not in known]
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise ValueError(f"what is missing: {', '.join(missing[:3])}{more}")


@cache
def version(operators: tuple[str, ...]) -> str:
    """What results depend on: the version, and a digest of the package's files and of those in
    which the user's own operators are."""
    found = hashlib.sha256()
    root = Path(openaclnn.__file__).parent
    own = {Path(ops.file_of(ops.find(name)).path) for name in operators}
    for path in (*sorted(root.rglob("*.py")), *sorted(p for p in own if root not in p.parents)):
        found.update(path.name.encode() + path.read_bytes())
    return f"{openaclnn.__version__} ({found.hexdigest()[:16]})"


def _described(work: Scope) -> dict[str, Any]:
    return {
        "operators": [f"{op.name} {dtype.short}" for op, dtype in work.pairs],
        "levels": list(work.levels),
        "exhaustive": work.exhaustive,
        "torch": work.torch,
    }


def _work(part: dict[str, Any]) -> Scope:
    told = part["work"]
    named = (one.split() for one in told["operators"])
    try:
        pairs = [(ops.find(name), dtypes.by_name(dtype)) for name, dtype in named]
    except LookupError as error:
        raise ValueError(str(error)) from None
    work = {name: told[name] for name in ("exhaustive", "torch")}
    return Scope(tuple(pairs), tuple(told["levels"]), **work)


def _counted(tally: Tally) -> dict[str, Any]:
    """A tally for JSON: numbers as they are, arrays as text of their bytes."""
    return {field.name: _told(getattr(tally, field.name)) for field in fields(Tally)}


def _told(value: Any) -> Any:
    if isinstance(value, Worst):
        return [_told(getattr(value, field.name)) for field in fields(Worst)]
    if isinstance(value, np.ndarray):
        little = value.astype(value.dtype.newbyteorder("<"))
        return base64.b64encode(zlib.compress(little.tobytes())).decode()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, tuple):
        return [_told(one) for one in value]
    return json_number(value) if isinstance(value, float) else value


def _tally(row: dict[str, Any]) -> Tally:
    empty = Tally()
    found: dict[str, Any] = {}
    for name, value in row.items():
        before = getattr(empty, name)
        if isinstance(before, np.ndarray):
            little = before.dtype.newbyteorder("<")
            raw = np.frombuffer(zlib.decompress(base64.b64decode(value)), little)
            found[name] = raw.astype(before.dtype)
        elif isinstance(value, list):
            found[name] = _worst(value)
        else:
            found[name] = value
    return Tally(**found)


def _worst(told: list[Any]) -> Worst:
    error, order, inputs, attributes, actual, true = told
    values = tuple(map(_number, inputs))
    return Worst(_number(error), tuple(order), values, attributes, _number(actual), _number(true))


def _number(value: Any) -> Any:
    return float(value) if isinstance(value, str) else value
