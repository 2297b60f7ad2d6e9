"""scripts/torch_npu_page.py: every failure of a suite has one reason."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "torch_npu_page.py"


def row(test: str, outcome: str = "failed", missing: str = "", reason: str = "") -> dict[str, str]:
    return {"file": "a.py", "test": test, "outcome": outcome, "missing": missing, "reason": reason}


RESULTS = [
    row("passes", "passed"),
    row("skips", "skipped"),
    row("lacks", missing="aclnnSvd", reason="RuntimeError: Svd"),
    row(
        "is refused", reason="RuntimeError: fill_:x.cpp:25 NPU function error: call aclnnAdd failed"
    ),
    row("differs", reason="AssertionError: result error"),
    row("hangs", "timeout", reason="timeout"),
    row("dies", "killed", reason="killed by SIGABRT"),
    row("is wrong", reason="fixture 'fn' not found"),
]


@pytest.fixture
def script(tmp_path: Path) -> dict[str, Any]:
    found = runpy.run_path(str(SCRIPT))
    known = tmp_path / "suites.json"
    known.write_text(json.dumps({"op-plugin": {"link": "https://x", "folder": "test"}}))
    found["count"].__globals__["SUITES"] = known
    return found


def test_reasons(script: dict[str, Any], tmp_path: Path) -> None:
    """A test that is in two files counts once."""
    files = [tmp_path / "1.json", tmp_path / "2.json"]
    files[0].write_text(json.dumps(RESULTS[:3]))
    files[1].write_text(json.dumps(RESULTS[2:]))
    script["count"]("op-plugin", "abc", *files)
    english, chinese = script["suites"]()
    assert "| [op-plugin](https://x), `test` | abc | 8 | 1 | 1 | 6 |" in english
    for reason in script["REASONS"].values():
        assert f"| {reason[0]} | 1 |" in english
        assert f"| {reason[1]} | 1 |" in chinese
    assert "Most often missing: `aclnnSvd` 1." in english
