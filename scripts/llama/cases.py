"""Count the test cases of llama.cpp's CANN backend by operator and outcome.

    python scripts/llama/cases.py BUILD [-o OPS] [--json FILE] [--limit SECONDS] [--seconds SECONDS]

BUILD is a build folder of llama.cpp with `bin/test-backend-ops` (docs/llama-cpp.md); nothing in it
is changed. ggml ends the process where a call of aclnn fails, so the program runs with survive.cpp
preloaded: a case that aborts is counted, with the aclnn function that refused, and the next one
runs. A case that kills the process or takes longer than the limit is counted, too, and the program
starts again behind it. The exit status is 1 if a case computes wrongly, crashes or hangs.
"""

import argparse
import collections
import dataclasses
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).parent
OUTCOMES = ("pass", "wrong", "stopped", "crashed", "hung", "unsupported")
RESULT = re.compile(r"^(\[\w+\] .*?)?  (\w+)\((.*)\): (.*)$")  # of wrong ones the error comes first
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


@dataclasses.dataclass(frozen=True)
class Case:
    operator: str
    parameters: str
    outcome: str
    reason: str = ""  # what was said where it stopped


@dataclasses.dataclass(frozen=True)
class Run:
    """What one process of test-backend-ops said before it ended."""

    compared: dict[int, Case]  # by their number; those that it skipped are named, too
    others: list[Case]  # unsupported, or stopped while tensors were allocated
    unfinished: int | None  # the number of the case that was never finished
    ending: str  # "", "crashed" or "hung"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="build folder of llama.cpp")
    parser.add_argument("-o", dest="operators", help="only these, separated by commas")
    parser.add_argument("--json", type=pathlib.Path, help="write every case to this file")
    parser.add_argument("--limit", type=float, default=300, help="seconds of a case (300)")
    parser.add_argument("--seconds", type=float, default=math.inf, help="count until then (no end)")
    parser.add_argument("--preload", type=pathlib.Path, help="survive.cpp, compiled before")
    options = parser.parse_args()
    program = options.build / "bin" / "test-backend-ops"
    if not program.exists():
        parser.error(f"{program} is missing; docs/llama-cpp.md says how it is built")
    with tempfile.TemporaryDirectory() as folder:
        preload = options.preload or compiled(options.build, pathlib.Path(folder))
        cases = every_case(
            program, options.operators, preload, options.limit, time.monotonic() + options.seconds
        )
    print(table(cases))
    if options.json:
        options.json.write_text(json.dumps(summary(cases), indent=1) + "\n")
    return int(any(case.outcome in ("wrong", "crashed", "hung") for case in cases))


def compiled(build: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    cache = (build / "CMakeCache.txt").read_text()
    source = re.search(r"^CMAKE_HOME_DIRECTORY:\w+=(.*)$", cache, re.M)
    library = folder / "survive.so"
    flags = ["-std=c++17", "-O1", "-fPIC", "-shared", f"-I{source[1]}/ggml/include"]
    compiler = os.environ.get("CXX", "c++")
    subprocess.run([compiler, *flags, HERE / "survive.cpp", "-o", library, "-ldl"], check=True)
    return library.resolve()


def every_case(
    program: pathlib.Path,
    operators: str | None,
    preload: pathlib.Path,
    limit: float,
    deadline: float = math.inf,
) -> list[Case]:
    """Run all cases, in as many processes as it takes."""
    cases: dict[int, Case] = {}
    lost: dict[int, str] = {}  # how cases ended their process, until a later one names them
    skip = 0
    while True:
        run = one_process(program, operators, preload, limit, skip, deadline)
        for number, case in run.compared.items():
            if number >= skip:
                cases[number] = case
            elif number in lost:
                cases[number] = dataclasses.replace(case, outcome=lost.pop(number), reason="")
        late = time.monotonic() >= deadline
        if late:
            print("the time is up: what follows was counted until then", file=sys.stderr)
        if run.unfinished is None or late:
            if run.ending and not late:
                sys.exit(f"{program} {run.ending} between two cases")
            return [cases[number] for number in sorted(cases)] + run.others
        lost[run.unfinished] = run.ending
        skip = run.unfinished + 1
        print(f"case {skip} {run.ending}; starting again behind it", file=sys.stderr, flush=True)


def one_process(
    program: pathlib.Path,
    operators: str | None,
    preload: pathlib.Path,
    limit: float,
    skip: int,
    deadline: float,
) -> Run:
    command = [program, "test", "-b", "CANN0"] + (["-o", operators] if operators else [])
    environment = os.environ | {"LD_PRELOAD": str(preload), "OPENACLNN_CASES_SKIP": str(skip)}
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    hung = threading.Event()

    def stop() -> None:
        hung.set()
        process.kill()

    compared: dict[int, Case] = {}
    others: list[Case] = []
    number: int | None = None  # of the case under way
    reason: str | None = None
    timer = threading.Timer(limit, stop)
    timer.start()
    with process:
        for line in process.stdout:
            line = COLOUR.sub("", line.rstrip("\n"))
            if line.startswith("@case "):
                timer.cancel()
                timer = threading.Timer(min(limit, deadline - time.monotonic()), stop)
                timer.start()
                number, reason = int(line.split()[1]), None
            elif line.startswith("@stopped "):
                reason = line.removeprefix("@stopped ").strip()
                if number is None:  # the program names no case whose tensors cannot be allocated
                    others.append(Case("(allocation)", "", "stopped", reason))
            elif found := RESULT.match(line):
                error, operator, parameters, verdict = found.groups("")
                if number is None:
                    others.append(Case(operator, parameters, "unsupported"))
                else:
                    compared[number] = Case(
                        operator, parameters, outcome(verdict, reason), reason or error.strip()
                    )
                number = reason = None
    timer.cancel()
    died = process.returncode < 0
    ending = "hung" if hung.is_set() else "crashed" if died or number is not None else ""
    return Run(compared, others, number, ending)


def outcome(verdict: str, reason: str | None) -> str:
    if reason is not None:
        return "stopped"
    return "pass" if verdict.endswith("OK") else "wrong"


def stopped_by(case: Case) -> str:
    """The aclnn function that a case stopped at, or the first words of what was said."""
    function = re.search(r"\baclnn\w+", case.reason)
    if not function:
        return case.reason[:60]
    missing = "does not have this operator" in case.reason
    return function[0] if missing else f"{function[0]} refuses"


def counts(cases: list[Case]) -> dict[str, collections.Counter[str]]:
    by_operator: dict[str, collections.Counter[str]] = {}
    for case in sorted(cases, key=lambda case: case.operator):
        by_operator.setdefault(case.operator, collections.Counter())[case.outcome] += 1
    return by_operator


def summary(cases: list[Case]) -> dict[str, object]:
    """Counts and all cases but the unsupported ones, as JSON has them."""
    return {
        "operators": {name: dict(count) for name, count in counts(cases).items()},
        "total": dict(collections.Counter(case.outcome for case in cases)),
        "stopped_by": dict(blockers(cases).most_common()),
        "cases": [dataclasses.asdict(case) for case in cases if case.outcome != "unsupported"],
    }


def blockers(cases: list[Case]) -> "collections.Counter[str]":
    return collections.Counter(stopped_by(case) for case in cases if case.outcome == "stopped")


def table(cases: list[Case]) -> str:
    """A row for each operator of which a case is supported, and their sum."""
    rows = [("operator", *OUTCOMES, "stopped by")]
    for name, count in counts(cases).items():
        if set(count) != {"unsupported"}:
            why = blockers([case for case in cases if case.operator == name])
            rows.append(
                (
                    name,
                    *(str(count[outcome]) for outcome in OUTCOMES),
                    ", ".join(f"{function} {number}" for function, number in why.most_common()),
                )
            )
    total = collections.Counter(case.outcome for case in cases)
    rows.append(("sum", *(str(total[outcome]) for outcome in OUTCOMES), ""))
    width = max(len(row[0]) for row in rows)
    lines = [f"{row[0]:{width}}" + "".join(f"{cell:>13}" for cell in row[1:-1]) for row in rows]
    return "\n".join(f"{line}  {row[-1]}".rstrip() for line, row in zip(lines, rows, strict=True))


if __name__ == "__main__":
    sys.exit(main())
