"""The sanitizer finds every mistake of a program, at its line, and nothing in the mended one."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from signal import Signals
from xml.etree import ElementTree

import pytest

import report_schema
from openaclnn.base.language import chinese
from openaclnn.sanitize.findings import KINDS, level_of

PROGRAMS = Path(__file__).parents[1] / "capi" / "programs"
SOURCE = PROGRAMS / "sanitized.cpp"


def marked(word: str) -> set[tuple[int, str]]:
    """The lines of the program that say so, and the kinds."""
    lines = enumerate(SOURCE.read_text().splitlines(), 1)
    return {
        (number, kind) for number, line in lines for kind in re.findall(rf"{word}: (\S+)", line)
    }


def line(call: dict) -> int:
    own = [place["line"] for place in call["stack"] if place["file"].endswith(SOURCE.name)]
    return own[0] if own else 0


def lines(call: dict) -> set[int]:
    return {place["line"] for place in call["stack"]}


@pytest.fixture(scope="module")
def findings(toolkit) -> list[dict]:
    done = toolkit.cli("sanitize", "--json", SOURCE, "bugs")
    assert done.returncode == 7, done.stderr
    *found, summary = map(json.loads, done.stderr.splitlines())
    report_schema.SUMMARY(summary, "the summary")
    assert set(summary["summary"]) == {finding["kind"] for finding in found}
    return found


def test_every_mistake_is_found_at_its_line_and_no_other(findings):
    assert {(line(f["call"]), f["kind"]) for f in findings} == marked("// bug")


def test_every_kind_is_met_twice_and_its_cause_once():
    alone = {
        "leak",
        "object-leak",
        "executor-never-run",
        "phase-1-repeated",
        "refused",
    }  # have no other event
    for kind in (kind for kinds in KINDS.values() for kind in kinds):
        assert len({line for line, other in marked("// bug") if other == kind}) >= 2, kind
        assert kind in alone or any(other == kind for _, other in marked("// cause")), kind


def test_the_line_that_it_comes_from_is_named(findings):
    for number, kind in marked("// cause"):
        related = [call for f in findings if f["kind"] == kind for call in f["related"]]
        assert any(number in lines(call) for call in related), (number, kind)


def test_equal_ones_are_counted(findings):
    assert [f["count"] for f in findings if f["kind"] == "leak"] == [3, 3]


def test_json_is_as_its_schema_says(findings):
    for finding in findings:
        report_schema.FINDING(finding, finding["kind"])
        assert finding["level"] == level_of(finding["kind"])


NAMES = {
    "count", "event", "executor", "gradInput", "host", "model", "offset", "self", "shape", "stream",
    "stride", "strides", "tensor", "value", "workspace",
}  # fmt: skip


def test_findings_are_said_in_chinese(findings):
    """Each message, advice and label; names stay what they are."""
    for finding in findings:
        texts = [finding["message"], finding["advice"], *(o["label"] for o in finding["related"])]
        if finding["kind"] == "refused":
            texts = texts[1:]  # the library's own sentence
        for text in texts:
            said = re.sub(r"strides \[.*?\]|(host|offset|bytes into) ", "", chinese(text))
            words = set(re.findall(r"\b[a-z]{3,}\b", said))
            names = {*finding["call"]["arguments"], *NAMES}
            assert re.search("[\u4e00-\u9fff]", said), text
            assert words <= names | {n.split("[")[0] for n in names}, (text, said)


def test_the_mended_program_has_none(toolkit):
    done = toolkit.cli("sanitize", "--error-exitcode", "99", SOURCE, "mended")
    assert done.returncode == 7, done.stderr
    assert re.fullmatch(r"==\d+== SUMMARY: openaclnn sanitizer: 0 errors\n", done.stderr)


LEAK = """
#include "acl/acl.h"
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

static void *get_weights()
{
    void *made = nullptr;
    aclrtMalloc(&made, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemset(made, 64, 0, 64);
    return made;
}

int main(int, char **arguments)
{
    aclInit(nullptr);
    aclrtSetDevice(0);
    void *made = get_weights();
    if (!strcmp(arguments[1], "fork") && fork()) {
        wait(nullptr);
        aclrtFree(made);
    } else if (strcmp(arguments[1], "leak")) {
        aclrtFree(made);
        aclrtFree(made);
    }
    if (!strcmp(arguments[1], "abort"))
        abort();
    if (!strcmp(arguments[1], "kill"))
        raise(SIGKILL);
    if (!strcmp(arguments[1], "crash"))
        *(volatile int *)8 = 0;
    if (!strcmp(arguments[1], "_exit"))
        _exit(3);
}
"""


@pytest.fixture
def leak(tmp_path) -> Path:
    (tmp_path / "leak.cpp").write_text(LEAK)
    return tmp_path / "leak.cpp"


ENDS = {"abort": -6, "kill": -9, "crash": -11, "_exit": 3}


def summary_of(end: str) -> str:
    how = f"killed by {Signals(-ENDS[end]).name}, " if ENDS[end] < 0 else ""
    return f"SUMMARY: openaclnn sanitizer: {how}1 error (double-free: 1)"


@pytest.mark.parametrize("end", ENDS)
def test_a_program_that_does_not_end_well(toolkit, leak, end):
    done = toolkit.cli("sanitize", leak, end)
    assert done.returncode == (ENDS[end] if ENDS[end] > 0 else 128 - ENDS[end])
    assert "ERROR: openaclnn sanitizer: double-free in aclrtFree (call 6)" in done.stderr
    assert f"#0 main {leak}:27" in done.stderr
    assert summary_of(end) in done.stderr


def test_a_forked_child_is_watched_too(toolkit, leak):
    done = toolkit.cli("sanitize", "--json", leak, "fork")
    assert done.returncode == 0, done.stderr
    found, summary = map(json.loads, done.stderr.splitlines())
    assert (found["kind"], line_in(found["call"], leak)) == ("double-free", 27)
    assert [line_in(call, leak) for call in found["related"]] == [26, 12]
    assert summary["summary"] == {"double-free": 1}


def line_in(call: dict, source: Path) -> int:
    return next(place["line"] for place in call["stack"] if place["file"] == str(source))


def test_exit_status_log_file_and_suppressions(toolkit, leak, tmp_path):
    log, hidden = tmp_path / "log", tmp_path / "hidden"
    done = toolkit.cli("sanitize", "--error-exitcode", "42", "--log-file", log, leak, "leak")
    assert (done.returncode, done.stderr) == (42, "")
    assert f"#0 get_weights {leak}:12" in log.read_text()
    hidden.write_text("# known\nleak:get_w*\n")
    done = toolkit.cli("sanitize", "--error-exitcode", "42", "--suppressions", hidden, leak, "leak")
    assert done.returncode == 0
    assert done.stderr.endswith("SUMMARY: openaclnn sanitizer: 0 errors; 1 suppressed\n")
    hidden.write_text("leak\n")
    done = toolkit.cli("sanitize", "--suppressions", hidden, leak, "leak")
    assert done.returncode == 2
    assert "'leak' came; expected kind:pattern" in done.stderr


def test_sarif(toolkit, leak, tmp_path):
    file = tmp_path / "found.sarif"
    done = toolkit.cli("sanitize", "--sarif", file, leak, "twice")
    assert done.returncode == 0, done.stderr
    log = json.loads(file.read_text())
    report_schema.SARIF(log, "the log")
    (run,) = log["runs"]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert rules == {kind for kinds in KINDS.values() for kind in kinds}
    (result,) = run["results"]
    assert result["ruleId"] == "double-free"
    assert result["level"] == "error"
    assert "block #1 of 64 bytes was freed already" in result["message"]["text"]

    def place(location: dict) -> tuple[str, int]:
        found = location["physicalLocation"]
        return found["artifactLocation"]["uri"], found["region"]["startLine"]

    assert [place(location) for location in result["locations"]] == [(leak.as_uri(), 27)]
    related = [(place(location)[1], location["message"]["text"]) for location in
               result["relatedLocations"]]  # fmt: skip
    assert related == [(26, "freed before by aclrtFree"), (12, "allocated by aclrtMalloc")]


def test_what_ci_shows(toolkit, leak, tmp_path):
    """Paths are relative to the sources, findings are failed tests and annotations."""
    here = {**toolkit.environment, "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(tmp_path)}
    watched = replace(toolkit, environment=here)
    log, found = tmp_path / "found.sarif", tmp_path / "found.xml"
    done = watched.cli("sanitize", "--sarif", log, "--junit", found, leak, "twice")
    assert done.returncode == 0, done.stderr
    (annotation,) = (line for line in done.stderr.splitlines() if line.startswith("::"))
    assert annotation.startswith("::error file=leak.cpp,line=27,title=double-free::aclrtFree: ")
    (run,) = json.loads(log.read_text())["runs"]
    report_schema.SARIF(json.loads(log.read_text()), "the log")
    location = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": "leak.cpp", "uriBaseId": "%SRCROOT%"}
    assert run["originalUriBaseIds"]["%SRCROOT%"]["uri"] == f"{tmp_path.as_uri()}/"
    suite = ElementTree.parse(found).getroot().find("testsuite")
    assert (suite.get("tests"), suite.get("failures")) == ("1", "1")
    assert suite[0].get("name") == "double-free at leak.cpp:27"
    watched.cli("sanitize", "--junit", found, leak, "fork")
    program = toolkit.compile(leak, tmp_path / "leak", "-g")
    options = f"junit={tmp_path / 'each.xml'}"
    toolkit.execute([program, "leak"], env={**here, "OPENACLNN_SANITIZE": options})
    (own,) = tmp_path.glob("each.*.xml")
    assert "leak at leak.cpp:12" in own.read_text()


def test_the_variable_alone(toolkit, leak, tmp_path):
    program = toolkit.compile(leak, tmp_path / "leak", "-g")
    options = f"leak=1:exitcode=99:log_path={tmp_path / 'log'}"
    watched = replace(toolkit, environment={**toolkit.environment, "OPENACLNN_SANITIZE": options})
    done = watched.execute([program, "leak"])
    assert (done.returncode, done.stderr) == (99, "")
    (log,) = tmp_path.glob("log.*")
    assert "64 bytes in 1 block" in log.read_text()
    assert f"#0 get_weights {leak}:12" in log.read_text()


@pytest.mark.parametrize("end", ENDS)
def test_the_variable_and_a_program_that_does_not_end_well(toolkit, leak, tmp_path, end):
    program = toolkit.compile(leak, tmp_path / "leak", "-g")
    environment = {**toolkit.environment, "OPENACLNN_SANITIZE": "1"}
    done = toolkit.execute([program, end], env=environment)
    assert done.returncode == ENDS[end]
    assert f"#0 main {leak}:27" in done.stderr
    assert summary_of(end) in done.stderr


def test_a_program_of_python(toolkit, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import acl\nacl.init()\nacl.rt.set_device(0)\n\n"
        "def twice(address):\n    acl.rt.free(address)\n    acl.rt.free(address)\n\n"
        "twice(acl.rt.malloc(64, 0)[0])\n"
    )
    done = toolkit.cli("sanitize", script)
    assert done.returncode == 0, done.stderr
    assert "double-free in aclrtFree" in done.stderr
    assert f"#0 twice {script}:7" in done.stderr
    assert f"#0 twice {script}:6" in done.stderr
    assert f"#0 <module> {script}:9" in done.stderr


def test_to_ask_for_a_device_needs_none(toolkit, tmp_path):
    """As torch_npu does; what needs one is told."""
    script = tmp_path / "asks.py"
    script.write_text(
        "import acl\nacl.init()\nacl.rt.get_device()\nacl.rt.get_context()\n"
        "acl.rt.get_mem_info(1)\n"
    )
    done = toolkit.cli("sanitize", script)
    assert done.stderr.count("ERROR") == 1, done.stderr
    assert "api-order in aclrtGetMemInfo" in done.stderr
    assert f"#0 <module> {script}:5" in done.stderr


THREAD = """
#include "acl/acl.h"
#include <thread>

int main()
{
    aclInit(nullptr);
    aclrtSetDevice(0);
    std::thread([] {
        for (int32_t device;;)
            aclrtGetDevice(&device);
    }).detach();
    aclrtSynchronizeDevice();
    return 3;
}
"""


def test_threads_that_go_on_while_the_program_ends(toolkit, tmp_path):
    (tmp_path / "thread.cpp").write_text(THREAD)
    done = toolkit.cli("sanitize", "--cxxflags=-pthread", tmp_path / "thread.cpp")
    assert done.returncode == 3, done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.splitlines()[-1].split("== ")[1].startswith("SUMMARY: openaclnn sanitizer: ")
