"""Findings as continuous integration shows them: JUnit's XML, and annotations of GitHub."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from openaclnn.base import junit
from openaclnn.sanitize.sarif import relative


def write_junit(path: Path, name: str, findings: list[dict[str, Any]]) -> list[str]:
    """Write findings as tests that failed, one that passed where there are none; say what is wrong
    where the file cannot be written. Notes are no failures."""
    wrong = [one for one in findings if one["level"] != "note"]
    tests = [junit.TestCase(name, _where(one), failure=_text(one)) for one in wrong]
    try:
        path.write_text(junit.xml(name, tests or [junit.TestCase(name, "no findings")]) + "\n")
    except OSError as error:
        return [f"{path} cannot be written: {error.strerror}"]
    return []


def _text(finding: dict[str, Any]) -> str:
    stack = "".join(f"\n#{i} {place['function']} {relative(place['file'])}:{place['line']}"
                    for i, place in enumerate(finding["call"]["stack"]))  # fmt: skip
    said = f"{finding['call']['name']}: {finding['message']}; {finding['advice']}"
    return f"{finding['kind']} in {said}{stack}"


def _where(finding: dict[str, Any]) -> str:
    place = _line(finding)
    where = f" at {relative(place['file'])}:{place['line']}" if place else ""
    return f"{finding['kind']}{where}"


def _line(finding: dict[str, Any]) -> dict[str, Any] | None:
    lines = (place for place in finding["call"]["stack"] if place["line"])
    found: dict[str, Any] | None = next(lines, None)
    return found


def annotation(finding: dict[str, Any]) -> str:
    """The line that makes GitHub show a finding beside the source; empty elsewhere.

    >>> os.environ["GITHUB_ACTIONS"] = "true"
    >>> place = {"function": "main", "file": "a,b.cpp", "line": 7}
    >>> annotation({"kind": "leak", "level": "error", "message": "64 bytes", "advice": "free them",
    ...             "call": {"name": "aclrtMalloc", "stack": [place]}})
    '::error file=a%2Cb.cpp,line=7,title=leak::aclrtMalloc: 64 bytes; free them'
    >>> del os.environ["GITHUB_ACTIONS"]
    """
    if os.environ.get("GITHUB_ACTIONS") != "true":
        return ""
    level = {"note": "notice"}.get(finding["level"], finding["level"])
    place = _line(finding)
    where = f"file={_property(relative(place['file']))},line={place['line']}," if place else ""
    said = f"{finding['call']['name']}: {finding['message']}; {finding['advice']}"
    return f"::{level} {where}title={finding['kind']}::{_data(said)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
