"""The page about the sanitizer is true: its program gives its report, its table has every kind."""

from __future__ import annotations

import re
from pathlib import Path

from openaclnn.sanitize.findings import KINDS

PAGE = Path(__file__).parents[2] / "docs" / "sanitizer.md"


def block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def test_the_report(toolkit, tmp_path):
    (tmp_path / "program.cpp").write_text(block("cpp"))
    done = toolkit.cli("sanitize", "program.cpp", cwd=tmp_path)
    report = re.sub(r"==\d+==", "==PID==", done.stderr).replace(f"{tmp_path}/", "")
    assert re.sub(r"0x[0-9a-f]+", "0x…", report) == block("text")


def test_every_kind_is_explained():
    named = set(re.findall(r"`([a-z1-]+)`", PAGE.read_text().split("## Options")[0]))
    assert {kind for kinds in KINDS.values() for kind in kinds} <= named
