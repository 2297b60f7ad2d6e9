"""scripts/count_tests.py: every test of a suite is counted, whatever becomes of its process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "count_tests.py"

SUITE = {
    "test_mixed.py": """
import os, pytest
def test_right(): pass
def test_missing(): raise RuntimeError("the operator MatMul is not computed: openaclnn does not "
                                       "have aclnnMm yet")
def test_abort(): os.abort()
def test_after_the_abort(): pass
@pytest.mark.skip(reason="no")
def test_skipped(): pass
def test_wrong(): assert 1 == 2
def test_exit(): os._exit(7)
def test_after_the_exit(): pass
""",
    "test_no_import.py": "import not_there_at_all\n",
    "test_whole.py": "def test_one(): pass\n",
}


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("suite")
    for name, text in SUITE.items():
        (folder / name).write_text(text)
    out = folder / "all.json"
    command = [sys.executable, str(SCRIPT), str(folder), "--json", str(out), "--limit", "600"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout, {row["test"].split("::")[-1]: row for row in json.loads(out.read_text())}


def test_every_test_is_counted_once(counted):
    _, rows = counted
    assert Counter(row["outcome"] for row in rows.values()) == {
        "passed": 4, "failed": 3, "skipped": 1, "killed": 2,
    }  # fmt: skip
    assert rows["test_abort"]["reason"] == "killed by SIGABRT"
    assert rows["test_exit"]["reason"] == "ended with 7"
    assert "not_there_at_all" in rows["test_no_import.py"]["reason"]


def test_failures_are_grouped_by_what_is_missing(counted):
    text, rows = counted
    assert rows["test_missing"]["missing"] == "aclnnMm"
    assert "| aclnnMm | 1 |" in text
    assert "test_wrong: assert 1 == 2" in text
    assert "10 tests in 3 files, 1 without a failure" in text


def test_a_test_that_takes_too_long_is_ended(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPT.parent))
    from count_tests import wait

    child = os.fork()
    if child == 0:
        os.setsid()
        time.sleep(3600)
        os._exit(0)
    while os.getpgid(child) != child:  # it is a group of its own, to be ended with its children
        time.sleep(0.001)
    asked = {"diary": str(tmp_path / "none"), "begun": time.monotonic(), "limit": 0}
    assert wait(child, asked) == "timeout"
