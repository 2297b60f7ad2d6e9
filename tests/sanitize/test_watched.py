"""Programs that are right have no finding, and those with a bug have exactly that one."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parents[1] / "capi" / "programs"


def told(toolkit, name: str) -> dict[str, tuple[set[str], set[str]]]:
    """By program: the kinds that were told, and those that must be."""
    source = PROGRAMS / "watched.cpp"
    done = toolkit.cli("sanitize", "--json", "--cxxflags=-pthread", source, name)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WRONG" not in done.stdout, done.stdout
    found: dict[int, set[str]] = defaultdict(set)
    for line in done.stderr.splitlines():
        said = json.loads(line)
        if said.get("level", "note") != "note":  # a note says why a call was refused
            found[said["process"]].add(said["kind"])
    result = {}
    for line in done.stdout.splitlines():
        process, case, kinds = line.split()
        result[case] = found.pop(int(process), set()), set(kinds.split(",")) - {"-"}
    assert not found, "somebody else's findings"
    return result


def test_right_programs_and_bugs(toolkit):
    found = told(toolkit, "all")
    assert {name: kinds for name, (kinds, _) in found.items()} == {
        name: wanted for name, (_, wanted) in found.items()
    }
    right = sum(not wanted for _, wanted in found.values())
    assert right >= 15
    assert len(found) - right >= 15


def test_each_by_itself(toolkit, request):
    """In a process that nobody has prepared by forking; it takes a minute."""
    if request.config.getoption("--hypothesis-profile") != "nightly":
        pytest.skip("make test-nightly runs each program by itself")
    table = (PROGRAMS / "watched.cpp").read_text().partition("CASES[]")[2]
    names = re.findall(r"(?:RIGHT|WRONG)\((\w+)", table)
    assert len(names) >= 30
    for name in names:
        for case, (kinds, wanted) in told(toolkit, name).items():
            assert kinds == wanted, case


@pytest.mark.parametrize(
    "name", [pytest.param("virtual_memory", marks=pytest.mark.nightly), "runtime_rest"]
)
def test_nothing_is_told_but_of_calls_that_are_refused(toolkit, name):
    """Those that the program itself expects to be."""
    source = PROGRAMS / f"{name}.cpp"
    done = toolkit.cli("sanitize", "--json", "--tool", "memory,order", source, "0")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = source.read_text().splitlines()
    findings = [json.loads(line) for line in done.stderr.splitlines()][:-1]
    assert findings
    for found in findings:
        place = next(p for p in found["call"]["stack"] if p["file"] == str(source))
        statement = "".join(lines[place["line"] - 3 : place["line"]])
        expected = re.findall(r"EXPECT\((\d+),|\? (\d{6}) : 0\)", statement)
        if found["level"] == "error":
            assert "".join(expected[-1]) != "0", (found, statement)
