"""Why a call is refused is told to who runs a program: once, with its line, then counted."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

SOURCE = """
#include "acl/acl.h"
#include "aclnnop/aclnn_silu_backward.h"
#include <cstdlib>

int main(int, char **arguments)
{
    const int64_t shape[] = {2, 3}, other[] = {3, 3};
    void *a, *b;
    uint64_t size;
    aclOpExecutor *executor;
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtMalloc(&a, 36, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&b, 36, ACL_MEM_MALLOC_HUGE_FIRST);
    aclTensor *x = aclCreateTensor(shape, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, shape, 2, a);
    aclTensor *y = aclCreateTensor(other, 2, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, other, 2, b);
    int status = 0;
    for (int i = 0; i < atoi(arguments[1]); i++)
        status = aclnnSiluBackwardGetWorkspaceSize(x, y, x, &size, &executor);
    return status != 0;
}
"""
SENTENCE = "aclnnSiluBackward: self has shape [3, 3]; expected [2, 3], as grad_output has"
LINE = next(n for n, text in enumerate(SOURCE.splitlines(), 1) if "status = aclnn" in text)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "wrong.cpp").write_text(SOURCE)
    return tmp_path / "wrong.cpp"


def test_run_tells_it_once_and_counts(toolkit, source):
    done = toolkit.cli("run", source, "5")
    assert done.returncode == 1
    assert done.stdout == ""
    first, more = done.stderr.splitlines()
    assert first == f"openaclnn: 161002 {SENTENCE} (wrong.cpp:{LINE})"
    assert more == f"openaclnn: refused 4 more times: {SENTENCE}"


def test_trace_tells_it_and_keeps_it(toolkit, source, tmp_path):
    done = toolkit.cli("trace", "--log", source, "1", cwd=tmp_path)
    assert f"openaclnn: 161002 {SENTENCE} (wrong.cpp:{LINE})\n" in done.stderr
    assert re.search(rf"= 161002 <.*> {re.escape(SENTENCE)}\n", done.stderr)
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert [e["args"]["refused"] for e in events if "refused" in e["args"]] == [SENTENCE]


def test_the_sanitizer_has_a_note_and_folds_the_leaks(toolkit, source):
    done = toolkit.cli("sanitize", "--error-exitcode", "9", "--json", source, "2")
    assert done.returncode == 9  # the leaks are errors as ever
    note, folded, summary = map(json.loads, done.stderr.splitlines())
    assert (note["kind"], note["level"]) == ("refused", "note")
    assert note["message"] == f"161002: {SENTENCE}"
    assert folded["call"]["stack"][0]["line"] == LINE
    assert folded["count"] == 4
    assert summary["summary"] == {"leak": 2, "object-leak": 2, "refused": 2}
    done = toolkit.cli("sanitize", "--error-exitcode", "9", "--no-leak-check", source, "2")
    assert done.returncode == 1  # a refused call alone is no mistake
    assert "SUMMARY: openaclnn sanitizer: 0 errors (refused: 2)" in done.stderr


@pytest.mark.parametrize("level", ["0", "3", "4", None])
def test_the_log_is_where_ascend_has_it(toolkit, source, tmp_path, level):
    """Without `run`: a file below the log folder, or stdout; nothing on stderr."""
    program = toolkit.compile(source, tmp_path / "wrong", "-g")
    environment = {**toolkit.environment, "ASCEND_PROCESS_LOG_PATH": str(tmp_path / "logs")}
    if level is not None:
        environment["ASCEND_GLOBAL_LOG_LEVEL"] = level
    done = toolkit.execute([program, "3"], env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    files = [*tmp_path.glob("logs/debug/plog/plog-*.log")]
    expected = [] if level == "4" else [
        rf"\[ERROR\] OP\(\d+,wrong\):\S+ \[wrong\.cpp:{LINE}\] 161002 {re.escape(SENTENCE)}",
        rf"\[ERROR\] OP\(\d+,wrong\):\S+ \[openaclnn\] refused 2 more times: {re.escape(SENTENCE)}",
    ]  # fmt: skip
    written = [line for file in files for line in file.read_text().splitlines()]
    assert len(written) == len(expected)
    assert all(map(re.fullmatch, expected, written)), written
    done = toolkit.execute([program, "1"], env={**environment, "ASCEND_SLOG_PRINT_TO_STDOUT": "1"})
    assert (SENTENCE in done.stdout) == (level != "4")
    assert [*tmp_path.glob("logs/debug/plog/plog-*.log")] == files


def test_a_program_without_refusals_writes_no_log(toolkit, source, tmp_path):
    program = toolkit.compile(source, tmp_path / "wrong")
    environment = {**toolkit.environment, "HOME": str(tmp_path / "home")}
    environment.pop("ASCEND_PROCESS_LOG_PATH")
    assert toolkit.execute([program, "0"], env=environment).returncode == 0
    assert not (tmp_path / "home").exists()
    assert toolkit.execute([program, "1"], env=environment).returncode == 1
    (file,) = (tmp_path / "home").glob("ascend/log/debug/plog/plog-*.log")
    assert SENTENCE in file.read_text()  # the program has no lines, and needs none


def test_a_program_of_python(toolkit, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import acl\nacl.init()\nfor _ in range(3):\n    acl.rt.set_device(99)\n")
    done = toolkit.cli("run", script)
    first, more = done.stderr.splitlines()
    assert first.startswith("openaclnn: 107001 aclrtSetDevice: ")
    assert more.startswith("openaclnn: refused 2 more times: aclrtSetDevice: ")
