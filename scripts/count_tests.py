r"""Counts the tests of another project's suite by file, and groups failures by what is missing.

    source "$(openaclnn home)/set_env.sh"
    python scripts/count_tests.py --preload torch_npu.testing.common_utils \
        op-plugin/test/test_base_ops --json all.json

Takes an existing checkout: nothing of it belongs here. pytest runs each file in a process of its
own, forked from one that has imported what `--preload` names. A test that kills its process or
takes too long is counted as that, and the tests behind it run in a new process, so that one abort
or hang costs one test. Exit status 0 however many tests fail; 1 where nothing could be run.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import PIPE, Popen
from threading import Lock
from typing import Any

# What a failure's text says is missing; the first that is found counts.
MISSING = (
    re.compile(r"(aclnn\w+?) or \1GetWorkspaceSize not in"),
    re.compile(r"openaclnn does not have (aclnn\w+)"),
    re.compile(r"(aclnn\w+): openaclnn does not have this operator"),
    re.compile(r"(aclnn\w+)'? (?:is )?not found"),
    re.compile(r"(aclnn\w+) (?:symbols )?not available"),
    re.compile(r"Symbol not found in any library: (aclnn\w+?)(?:GetWorkspaceSize)?\b"),
    re.compile(r"Failed to find function,? ?(\w+)"),
    re.compile(r"(?:undefined symbol|has no attribute):? '?(acl\w+)"),
    re.compile(r"the operator (\w+) is not computed"),
)
OUTCOMES = ("passed", "failed", "skipped", "killed", "timeout")


@dataclass
class Result:
    """What became of one test; `missing` names a function, or is empty."""

    file: str
    test: str
    outcome: str
    missing: str = ""
    reason: str = ""


@dataclass
class Progress:
    """What a test process has written down so far."""

    collected: list[str] = field(default_factory=list)
    outcomes: dict[str, tuple[str, str]] = field(default_factory=dict)  # test: outcome, text
    running: str = ""
    since: float = 0.0


# In the test process: a plugin of pytest that writes every step down at once.


class Diary:
    """Appends one line per event to a file, and leaves out the tests that were done before."""

    def __init__(self, path: str, done: list[str]) -> None:
        self.out = open(path, "a", buffering=1)  # noqa: SIM115 - as long as the process lives
        self.done = set(done)

    def tell(self, event: str, test: str, **rest: str) -> None:
        row = {"event": event, "test": test, "at": time.monotonic(), **rest}
        self.out.write(json.dumps(row) + "\n")

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if item.nodeid not in self.done]
        for item in items:
            self.tell("collected", item.nodeid)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.tell("started", nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        text = "" if report.passed else str(report.longreprtext)
        noise = "\n".join(content for _, content in report.sections) if report.failed else ""
        if report.when == "call" or not report.passed:
            self.tell("ended", report.nodeid, outcome=report.outcome, text=f"{text}\n{noise}")

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.tell("ended", report.nodeid, outcome="failed", text=str(report.longreprtext))


def serve(preload: list[str], pytest_arguments: list[str]) -> None:
    """Fork a process for each file that stdin names, and say when it has ended."""
    for name in preload:
        importlib.import_module(name)
    import pytest

    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            os.setsid()
            bound_memory(asked["memory"])
            log = os.open(asked["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
            os.dup2(log, 1)
            os.dup2(log, 2)
            path = Path(asked["file"])
            os.chdir(path.parent)
            sys.path.insert(0, str(path.parent))
            arguments = ["-q", "-p", "no:cacheprovider", *pytest_arguments, path.name]
            status = pytest.main(arguments, plugins=[Diary(asked["diary"], asked["done"])])
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(int(status))
        status = wait(child, asked)
        print(json.dumps(status), flush=True)


def bound_memory(bytes_at_most: int) -> None:
    """Let this process have no more memory, so that a test that asks for more fails by itself.
    Where the machine's runs out, the process is the first that is ended."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")
    if bytes_at_most:
        resource.setrlimit(resource.RLIMIT_DATA, (bytes_at_most, bytes_at_most))


def wait(child: int, asked: dict[str, Any]) -> str:
    """Wait for a test process; end it where a test takes too long. How it ended."""
    while True:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            if os.WIFSIGNALED(status):
                return f"killed by {signal.Signals(os.WTERMSIG(status)).name}"
            # 2: a file that cannot be imported, which the diary tells; 5: no tests
            code = os.WEXITSTATUS(status)
            return "ended" if code in (0, 1, 2, 5) else f"ended with {code}"
        progress = read(asked["diary"])
        begun = progress.since or asked["begun"]
        if time.monotonic() - begun > asked["limit"]:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "timeout"
        time.sleep(0.05)


def read(path: str) -> Progress:
    """What a diary says; its last line may be half written."""
    progress = Progress()
    lines = Path(path).read_text().splitlines() if Path(path).exists() else []
    for line in lines:
        try:
            row = json.loads(line)
        except ValueError:
            break
        if row["event"] == "collected":
            progress.collected.append(row["test"])
        elif row["event"] == "started":
            progress.running, progress.since = row["test"], row["at"]
        else:
            progress.outcomes[row["test"]] = (row["outcome"], row["text"])
            progress.running, progress.since = "", row["at"]
    return progress


# In the command itself.


class Server:
    """A process that has imported what all files need. One that ends is started again."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.command = [sys.executable, __file__, "--serve", *options.pytest_arguments]
        for name in options.preload:
            self.command[3:3] = ["--preload", name]
        self.start()

    def start(self) -> None:
        self.process = Popen(self.command, stdin=PIPE, stdout=PIPE, text=True)

    def run(self, asked: dict[str, Any]) -> str:
        assert self.process.stdin
        assert self.process.stdout
        try:
            self.process.stdin.write(json.dumps(asked) + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
            while answer and not answer.startswith('"'):  # what an import printed
                answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            self.start()
        return str(json.loads(answer)) if answer else "the server ended"

    def end(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()


def count(file: Path, server: Server, options: argparse.Namespace) -> list[Result]:
    """Run a file's tests, in as many processes as it takes."""
    found: dict[str, Result] = {}
    while True:
        with tempfile.TemporaryDirectory() as folder:
            diary, log = f"{folder}/diary", f"{folder}/log"
            asked = {"file": str(file), "diary": diary, "log": log, "limit": options.limit,
                     "memory": int(options.memory * (1 << 30)), "done": list(found),
                     "begun": time.monotonic()}  # fmt: skip
            ending = server.run(asked)
            progress = read(diary)
            said = Path(log).read_text(errors="replace") if Path(log).exists() else ""
        before = len(found)
        for test, (outcome, text) in progress.outcomes.items():
            found[test] = result(file, test, outcome, text)
        if ending == "ended":
            return list(found.values())
        if progress.running or not progress.collected:
            test = progress.running or f"{file.name} (before its first test)"
            outcome = "timeout" if ending == "timeout" else "killed"
            found[test] = result(file, test, outcome, f"{ending}\n{said[-2000:]}")
            found[test].reason = ending
        if not progress.collected or len(found) == before:
            return list(found.values())


def result(file: Path, test: str, outcome: str, text: str) -> Result:
    if outcome in ("passed", "skipped"):
        return Result(file.name, test, outcome)
    missing = next((found[1] for found in (m.search(text) for m in MISSING) if found), "")
    return Result(file.name, test, outcome, missing, reason(text))


def reason(text: str) -> str:
    """The line of a failure that says most: pytest marks it with an E.

    >>> reason("def test():\\nE   ValueError: no\\nE   more")
    'ValueError: no'
    """
    marked = re.findall(r"^E +(\S.*)$", text, re.M)
    lines = marked or [line for line in text.splitlines() if line.strip()] or ["?"]
    return lines[0].strip()[:200]


def table(results: list[Result]) -> str:
    """Counts, then what is missing, then the failures that name nothing."""
    counted = Counter(r.outcome for r in results)
    files = {r.file for r in results}
    whole = files - {r.file for r in results if r.outcome not in ("passed", "skipped")}
    lines = [f"{len(results)} tests in {len(files)} files, {len(whole)} without a failure", ""]
    lines += ["| outcome | tests |", "| --- | --- |"]
    lines += [f"| {outcome} | {counted[outcome]} |" for outcome in OUTCOMES]
    failed = [r for r in results if r.outcome not in ("passed", "skipped")]
    missing = Counter(r.missing for r in failed if r.missing)
    lines += ["", "| missing | tests |", "| --- | --- |"]
    lines += [f"| {name} | {number} |" for name, number in missing.most_common()]
    others = [r for r in failed if not r.missing]
    lines += ["", f"{len(others)} failures name no function:", ""]
    lines += [f"- {r.outcome} {r.test}: {r.reason}" for r in others]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", type=Path, help="test files, or folders of test_*.py")
    parser.add_argument("--preload", action="append", default=[], help="import before forking")
    parser.add_argument("--limit", type=float, default=60, help="seconds that a test may take")
    parser.add_argument("--memory", type=float, default=0, metavar="GIB",
                        help="what the tests of a file may have (any)")  # fmt: skip
    parser.add_argument("--jobs", type=int, default=1, help="files at once")
    parser.add_argument(
        "--part", default="1/1", metavar="K/N", help="each N-th file, from the K-th on"
    )
    parser.add_argument("--json", type=Path, help="write every result there")
    parser.add_argument("--pytest", dest="pytest_arguments", action="append", default=[],
                        metavar="ARGUMENT", help="hand an argument to pytest")  # fmt: skip
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options, rest = parser.parse_known_args()
    if options.serve:
        serve(options.preload, [*map(str, options.paths), *rest])
        return 0
    found = ((p.rglob("test_*.py") if p.is_dir() else [p]) for p in options.paths)
    first, step = map(int, options.part.split("/"))
    files = sorted(file.resolve() for some in found for file in some)[first - 1 :: step]
    servers = [Server(options) for _ in range(options.jobs)]
    free, lock, results = list(servers), Lock(), []

    def one(file: Path) -> None:
        with lock:
            server = free.pop()
        found = count(file, server, options)
        with lock:
            free.append(server)
            results.extend(found)
            counted = Counter(r.outcome for r in found)
            said = " ".join(f"{n} {outcome}" for outcome, n in counted.items()) or "no tests"
            print(f"{file.name}: {said}", file=sys.stderr, flush=True)
            write(options.json, results)

    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(one, files))
    for server in servers:
        server.end()
    print(table(sorted(results, key=lambda r: (r.file, r.test))))
    return 0 if results else 1


def write(path: Path | None, results: list[Result]) -> None:
    if path:
        path.write_text(json.dumps([vars(r) for r in results], indent=1) + "\n")


if __name__ == "__main__":
    sys.exit(main())
