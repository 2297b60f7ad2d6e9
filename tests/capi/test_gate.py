"""What the sanitizer could not judge is no pass: it says so, and the exit status does."""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

import report_schema
from openaclnn.sanitize.__main__ import parsed

PROGRAM = """
#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>

static void *made;
static int64_t numbers[100000];

int main(int count, char **arguments)
{
    const char *how = arguments[1];
    aclInit(nullptr);
    aclrtSetDevice(0);
    aclrtMalloc(&made, 64, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemset(made, 64, 0, 64);
    aclrtMemset(made, 64, 0, 64);
    for (int i = 0; i < (strcmp(how, "much") ? 0 : 40); i++)  // 800 KB each in the record
        aclDestroyIntArray(aclCreateIntArray(numbers, 100000));
    if (!strcmp(how, "wait")) {
        puts("ready");
        fflush(stdout);
        getchar();
    }
    if (!strcmp(how, "crash"))
        *(volatile int *)8 = 0;
    if (!strcmp(how, "again"))
        aclrtMalloc(&made, 32, ACL_MEM_MALLOC_HUGE_FIRST);
    else if (strcmp(how, "leak"))
        aclrtFree(made);
}
"""


@pytest.fixture(scope="module")
def program(toolkit, tmp_path_factory) -> Path:
    source = tmp_path_factory.mktemp("gate") / "program.cpp"
    source.write_text(PROGRAM)
    return toolkit.compile(source, source.with_suffix(""), "-g")


@pytest.fixture
def odd(tmp_path) -> Path:
    """A folder with files that cannot be what they are taken for."""
    (tmp_path / "latin").write_bytes(b"leak:caf\xe9\n")
    (tmp_path / "kinds").write_text("leek:main\n")
    (tmp_path / "lines").write_text("leak\n")
    os.mkfifo(tmp_path / "fifo")
    return tmp_path


def watched(toolkit, options: str, **variables: str) -> dict[str, str]:
    return {**toolkit.environment, "OPENACLNN_SANITIZE": options, **variables}


def limited(kilobytes: int, *command: str | Path) -> list[str | Path]:
    """A command that may write files of this size, no longer ones, as on a full disk."""
    return ["bash", "-c", f'ulimit -f {kilobytes}; exec "$@"', "bash", *command]


OPTIONS = [
    ("nosuch=1", "'nosuch=1' came; expected leak=0 or 1"),
    ("leak=yes", "'leak=yes' came"),
    ("tool=memory,momory", "'tool=memory,momory' came"),
    ("suppressions=/nonexistent", "/nonexistent cannot be read: No such file"),
    ("suppressions=latin", "latin is not text in UTF-8"),
    ("suppressions=kinds", "kinds:1: there is no kind 'leek'"),
    ("suppressions=lines", "lines:1: 'leak' came; expected kind:pattern"),
    ("suppressions=fifo", "fifo is no regular file"),
    ("suppressions=/dev/zero", "/dev/zero is no regular file"),
]


@pytest.mark.parametrize(("option", "sentence"), OPTIONS, ids=[option for option, _ in OPTIONS])
def test_options_that_cannot_be_understood(odd, monkeypatch, option, sentence):
    monkeypatch.chdir(odd)
    options, code, _ = parsed(f"{option}:exitcode=9")
    assert code == 9
    assert len(options.problems) == 1
    assert sentence in options.problems[0]


def test_all_that_is_wrong_is_said(toolkit, program, odd):
    paths = "log_path=/nonexistent/x:sarif=/nonexistent/y"
    wrong = ":".join([paths, *(option for option, _ in OPTIONS), "exitcode=9"])
    done = toolkit.execute([program, "right"], env=watched(toolkit, wrong), cwd=odd)
    process = done.stderr.split("==")[1]
    assert done.returncode == 9, done.stderr
    for sentence in (
        *(sentence for _, sentence in OPTIONS),
        f"/nonexistent/x.{process} cannot be written: No such file",
        "/nonexistent/y cannot be written: No such file",
    ):
        assert f"=={process}== INCOMPLETE: {sentence}" in done.stderr
    assert "SUMMARY: openaclnn sanitizer: incomplete, 0 errors" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_status_where_no_other_is_asked_for(toolkit, program):
    for options in ("exitcode=x", "exitcode=300", "log_path=/nonexistent/x"):
        done = toolkit.execute([program, "leak"], env=watched(toolkit, options))
        assert done.returncode == 2, done.stderr
        assert "leak in aclrtMalloc" in done.stderr  # it is told all the same
        assert "incomplete, 1 error (leak: 1)" in done.stderr
    for options in ("0", ""):  # nobody watches
        done = toolkit.execute([program, "leak"], env=watched(toolkit, options))
        assert (done.returncode, done.stderr) == (0, "")


def test_no_place_for_the_record(toolkit, program, tmp_path):
    env = watched(toolkit, "exitcode=9", TMPDIR=str(tmp_path / "none"))
    done = toolkit.execute([program, "right"], env=env)
    assert done.returncode == 9
    assert "incomplete: the calls could not be recorded" in done.stderr


@pytest.mark.parametrize("kilobytes", [0, 1000, 16500])
def test_no_room_for_the_record(toolkit, program, tmp_path, kilobytes):
    """Not for its beginning, not for any call, not for all of them."""
    env = watched(toolkit, "exitcode=9", TMPDIR=str(tmp_path))
    done = toolkit.execute(limited(kilobytes, program, "much"), env=env)
    assert done.returncode == 9, done.stderr
    assert "SUMMARY: openaclnn sanitizer: incomplete" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("asked", "kilobytes"), [((), 1000), (("--error-exitcode", "7"), 16500)])
def test_no_room_for_the_record_of_the_command(toolkit, program, asked, kilobytes):
    command = [*toolkit.command, "sanitize", *asked, program, "much"]
    done = toolkit.execute(limited(kilobytes, *command))
    assert done.returncode == (7 if asked else 2), done.stderr
    assert "INCOMPLETE: there was no room for the record of all calls" in done.stderr


def test_a_reader_that_is_killed(toolkit, program, tmp_path):
    env = watched(toolkit, "exitcode=9", TMPDIR=str(tmp_path))
    with subprocess.Popen(
        [program, "wait"], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    ) as child:  # fmt: skip
        assert child.stdout.readline() == "ready\n"
        (record,) = tmp_path.glob("openaclnn-record-*")
        readers = []
        while not readers:
            readers = [path for path in Path("/proc").glob("[0-9]*") if reads(path, record)]
        os.kill(int(readers[0].name), signal.SIGKILL)
        _, said = child.communicate("\n")
    assert child.returncode == 9
    assert "incomplete: the process that judges has ended" in said
    assert not list(tmp_path.iterdir())


def reads(process: Path, record: Path) -> bool:
    try:
        return bytes(record) in (process / "cmdline").read_bytes()
    except OSError:
        return False


def test_records_that_were_left(toolkit, program, tmp_path):
    old, held, new = (tmp_path / f"openaclnn-record-{name}" for name in ("old", "held", "new"))
    for path in (old, held, new):
        path.write_bytes(bytes(4096))
    for path in (old, held):
        os.utime(path, (0, 0))
    with held.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        env = watched(toolkit, "exitcode=9", TMPDIR=str(tmp_path))
        assert toolkit.execute([program, "right"], env=env).returncode == 0
    assert sorted(tmp_path.iterdir()) == [held, new]


REFUSED = [
    (("--log-file", "/nonexistent/x"), "there is no folder /nonexistent"),
    (("--sarif", "/nonexistent/x"), "there is no folder /nonexistent"),
    (("--suppressions", "latin"), "latin is not text in UTF-8"),
    (("--suppressions", "kinds"), "kinds:1: there is no kind 'leek'"),
    (("--suppressions", "fifo"), "fifo is no regular file"),
]


@pytest.mark.parametrize(("options", "sentence"), REFUSED, ids=lambda each: str(each))
def test_options_of_the_command(toolkit, program, odd, options, sentence):
    done = toolkit.cli("sanitize", *options, program, "leak", cwd=odd)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_reports_on_a_full_disk(toolkit, program):
    done = toolkit.cli(
        "sanitize", "--log-file", "/dev/full", "--sarif", "/dev/full", program, "leak"
    )
    assert done.returncode == 2
    assert "leak in aclrtMalloc" in done.stderr
    assert "INCOMPLETE: the report cannot be written: No space left on device" in done.stderr
    assert "INCOMPLETE: /dev/full cannot be written: No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


def test_traces_on_a_full_disk(toolkit, program):
    done = toolkit.cli("trace", "-o", "/dev/full", program, "right")
    assert done.returncode == 1
    assert "aclrtMemset" in done.stderr  # the table
    assert done.stderr.endswith("/dev/full cannot be written: No space left on device\n")
    done = toolkit.cli("trace", "-o", "/nonexistent/x", program, "right")
    assert done.returncode == 2
    assert "there is no folder /nonexistent" in done.stderr


def test_programs_at_once_share_a_sarif_log(toolkit, program, tmp_path):
    log = tmp_path / "found.sarif"
    env = watched(toolkit, f"exitcode=9:sarif={log}:log_path={tmp_path / 'log'}")
    kinds = ["leak", "again", "right"] * 2
    running = [subprocess.Popen([program, kind], env=env) for kind in kinds]
    assert [child.wait() for child in running] == [9, 9, 0] * 2
    found = json.loads(log.read_text())
    report_schema.SARIF(found, "the log")
    (run,) = found["runs"]
    lines = {
        place["physicalLocation"]["region"]["startLine"]: result["occurrenceCount"]
        for result in run["results"]
        for place in result["locations"]
    }
    text = PROGRAM.splitlines()
    first = 1 + next(i for i, line in enumerate(text) if "made, 64, ACL" in line)
    second = 1 + next(i for i, line in enumerate(text) if "made, 32, ACL" in line)
    assert lines == {first: 4, second: 2}  # "again" leaks both
    assert {path.name.partition(".")[0] for path in tmp_path.iterdir()} == {"found", "log"}


def test_a_log_of_somebody_else_stays(toolkit, program, tmp_path):
    log = tmp_path / "found.sarif"
    log.write_text("{}")
    done = toolkit.execute([program, "leak"], env=watched(toolkit, f"sarif={log}"))
    assert done.returncode == 2
    assert "is there already and no log of the sanitizer's; delete it" in done.stderr
    assert log.read_text() == "{}"


def test_a_program_that_crashes(toolkit, program):
    done = toolkit.cli("sanitize", program, "crash")
    assert done.returncode == 128 + signal.SIGSEGV
    said = done.stderr.splitlines()
    at = next(i for i, line in enumerate(said) if "the program was killed by SIGSEGV" in line)
    assert [line.split()[1] for line in said[at + 1 : -1 : 2]] == ["aclrtMemset"] * 2 + [
        "aclrtMalloc"
    ]
    assert "main" in said[at + 2]
    *_, killed, summary = toolkit.cli("sanitize", "--json", program, "crash").stderr.splitlines()
    report_schema.KILLED(json.loads(killed), "the end")
    assert json.loads(killed)["killed"] == "SIGSEGV"
    assert [call["returned"] for call in json.loads(killed)["last"]] == [True] * 3
    report_schema.SUMMARY(json.loads(summary), "the summary")


def test_a_program_that_crashes_with_the_variable(toolkit, program):
    """Who started it waits for it late: what has ended it can be seen until then."""
    with subprocess.Popen(
        [program, "crash"], env=watched(toolkit, "1"), stderr=subprocess.PIPE, text=True
    ) as child:
        said = child.stderr.read()  # until the reader has ended
        assert child.wait() == -signal.SIGSEGV
    assert "the program was killed by SIGSEGV; its last calls, the latest first:" in said
