"""Right programs that are broken at a random call are told so; what is right is not. `make
test-mutants` does more of it, other ones each time."""

from __future__ import annotations

import sys
from pathlib import Path

LONG = Path(__file__).parents[1] / "long"


def test_broken_programs_are_told(toolkit):
    done = toolkit.execute([sys.executable, LONG, "mutants", "8", "5", "2"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert "8 of 8 mutants are told right" in done.stdout


def test_right_calls_in_eight_threads_and_streams(toolkit, program):
    source = program("right", "-g")
    done = toolkit.cli("sanitize", source, "10000", "7")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stderr.endswith("SUMMARY: openaclnn sanitizer: 0 errors\n"), done.stderr
