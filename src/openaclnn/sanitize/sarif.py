"""Findings as SARIF 2.1.0, which code hosts show beside the lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from openaclnn import __version__
from openaclnn.sanitize.findings import KINDS

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def log(name: str, findings: list[dict[str, Any]]) -> dict[str, Any]:
    """A SARIF log of findings as --json has them."""
    rules = [
        {"id": kind, "shortDescription": {"text": sentence}, "properties": {"tags": [tool]}}
        for tool, kinds in KINDS.items() for kind, sentence in kinds.items()
    ]  # fmt: skip
    driver = {"name": name, "version": __version__, "rules": rules}
    results = [_result(finding) for finding in findings]
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": results}],
    }


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
                "artifactLocation": {"uri": Path(place["file"]).absolute().as_uri()},
                "region": {"startLine": place["line"]},
            }
        }
        for place in lines
    ]
