"""Findings as SARIF 2.1.0, which code hosts show beside the lines."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from openaclnn import __version__
from openaclnn.base.cache import write_atomically
from openaclnn.sanitize.findings import KINDS, level_of

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def log(name: str, findings: list[dict[str, Any]]) -> dict[str, Any]:
    """A SARIF log of findings as --json has them."""
    rules = [
        {
            "id": kind, "shortDescription": {"text": sentence}, "properties": {"tags": [tool]},
            "help": {"text": f"{sentence}. A program with this mistake and its report: "
                             f"docs/sanitizer-bugs.md#{kind} of openaclnn"},
            "defaultConfiguration": {"level": level_of(kind)},
        }
        for tool, kinds in KINDS.items() for kind, sentence in kinds.items()
    ]  # fmt: skip
    driver = {"name": name, "version": __version__, "rules": rules}
    results = [_result(finding) for finding in findings]
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "originalUriBaseIds": {_ROOT: {"uri": f"{source_root().as_uri()}/"}},
                "results": results,
            }
        ],
    }


def write(path: Path, log: dict[str, Any], *, shared: bool) -> list[str]:
    """Write a log, and say what is wrong where it cannot be. A `shared` one is of many programs,
    some of which end at the same time: what is in the file stays, equal findings are counted."""
    text = json.dumps(log, indent=1)
    try:
        if path.exists() and not path.is_file():  # a pipe or a device
            path.write_text(text)
            return []
        with _locked(path.parent) if shared else nullcontext():
            if shared and path.exists():
                log = _merged(json.loads(path.read_text("utf-8")), log)
            write_atomically(path, json.dumps(log, indent=1).encode(), 0o666 & ~_umask())
    except OSError as error:
        return [f"{path} cannot be written: {error.strerror}"]
    except (ValueError, LookupError, TypeError):
        return [f"{path} is there already and no log of the sanitizer's; delete it"]
    return []


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Nobody else changes a log in this folder. (A lock file would be left behind.)"""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _merged(before: dict[str, Any], log: dict[str, Any]) -> dict[str, Any]:
    """What is in a file, and what is to be added."""
    (run,) = before["runs"]
    if run["tool"]["driver"]["name"] != log["runs"][0]["tool"]["driver"]["name"]:
        raise ValueError(run["tool"])
    found = {_key(result): result for result in run["results"]}
    for result in log["runs"][0]["results"]:
        known = found.setdefault(_key(result), result)
        if known is not result:
            known["occurrenceCount"] += result["occurrenceCount"]
    log["runs"][0]["results"] = list(found.values())
    return log


def _key(result: dict[str, Any]) -> str:
    return json.dumps({name: value for name, value in result.items() if name != "occurrenceCount"})


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


_ROOT = "%SRCROOT%"  # what code hosts take paths relative to


@cache
def source_root() -> Path:
    """The folder of the sources: what a CI system says, else that of the repository around the
    working folder, else the working folder."""
    for variable in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR"):
        if os.environ.get(variable):
            return Path(os.environ[variable]).absolute()
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)


def relative(path: str) -> str:
    """A path as seen from the root of the sources, or as it is where it lies elsewhere."""
    try:
        return Path(path).absolute().relative_to(source_root()).as_posix()
    except ValueError:
        return path


def _artifact(path: Path) -> dict[str, str]:
    seen = relative(str(path))
    if Path(seen).is_absolute():
        return {"uri": path.as_uri()}
    return {"uri": quote(seen), "uriBaseId": _ROOT}


def _result(finding: dict[str, Any]) -> dict[str, Any]:
    call = finding["call"]
    related = [
        {"id": number, **place, "message": {"text": f"{other['label']} {other['name']}"}}
        for number, other in enumerate(finding["related"], 1)
        for place in _locations(other)
    ]
    return {
        "ruleId": finding["kind"],
        "level": finding["level"],
        "message": {"text": f"{call['name']}: {finding['message']}; {finding['advice']}"},
        "locations": _locations(call),
        "relatedLocations": related,
        "occurrenceCount": finding["count"],
    }


def _locations(call: dict[str, Any]) -> list[dict[str, Any]]:
    """The innermost line of the program, if one is known."""
    lines = [place for place in call["stack"] if place["line"]][:1]
    return [
        {
            "physicalLocation": {
                "artifactLocation": _artifact(Path(place["file"]).absolute()),
                "region": {"startLine": place["line"]},
            }
        }
        for place in lines
    ]
