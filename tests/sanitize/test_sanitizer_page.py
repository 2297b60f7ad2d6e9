"""The page about the sanitizer is true: its program gives its report, its table has every kind."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from openaclnn.sanitize.findings import KINDS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "sanitizer.md"


def block(language: str, page: Path = PAGE) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def test_the_report(toolkit, tmp_path):
    (tmp_path / "program.cpp").write_text(block("cpp"))
    done = toolkit.cli("sanitize", "program.cpp", cwd=tmp_path)
    report = re.sub(r"==\d+==", "==PID==", done.stderr).replace(f"{tmp_path}/", "")
    assert re.sub(r"0x[0-9a-f]+", "0x…", report) == block("text")


def test_every_kind_is_explained():
    text = PAGE.read_text().replace("`", "")
    for kinds in KINDS.values():
        for kind, sentence in kinds.items():
            assert f"| {kind} | {sentence} |" in text


def test_the_page_of_bugs(toolkit):
    """It has one of every kind, and each report is what is said today."""
    done = toolkit.execute([sys.executable, ROOT / "scripts" / "sanitizer_page.py", "--check"])
    assert done.returncode == 0, done.stderr
    text = (ROOT / "docs" / "sanitizer-bugs.md").read_text()
    for kinds in KINDS.values():
        for kind in kinds:
            report = text.split(f"### {kind}\n")[1].split("```text\n")[1]
            told = [line for line in report.splitlines() if " openaclnn sanitizer: " in line]
            assert f" openaclnn sanitizer: {kind} in " in "".join(told[:2])  # after a refusal


def test_the_chinese_page_has_the_same():
    chinese = PAGE.with_suffix(".zh-CN.md")
    assert block("cpp", chinese) == block("cpp")
    assert block("text", chinese) == block("text")
    rows = [re.findall(r"^\|.*?`([^`]+)`.* \|$", page.read_text(), re.MULTILINE)
            for page in (PAGE, chinese)]  # fmt: skip
    assert rows[0] == rows[1]
