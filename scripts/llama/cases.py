"""Count the test cases of llama.cpp's CANN backend by operator and outcome.

    python scripts/llama/cases.py BUILD [-o OPS] [--jobs N] [--json FILE] [--limit SECONDS]
                                        [--seconds SECONDS]

BUILD is a build folder of llama.cpp with `bin/test-backend-ops` (docs/llama-cpp.md); nothing in it
is changed. ggml ends the process where a call of aclnn fails, so the program runs with survive.cpp
preloaded: a case that aborts is counted, with the aclnn function that refused, and the next one
runs. A case that kills the process or takes longer than the limit is counted, too, and the program
starts again behind it. With --jobs, so many processes share the cases. FILE is written every few
seconds. The exit status is 1 if a case computes wrongly, crashes or hangs.
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
NOISE = re.compile(r"\x1b\[[0-9;]*m|failed to allocate (weight )?tensors \[\w+\] ")
MOST_CASES = 1 << 20
TO_NAME = 2  # the state of a case that has ended its process
EVERY = 5.0  # seconds between two files


@dataclasses.dataclass(frozen=True)
class Case:
    operator: str
    parameters: str
    outcome: str
    reason: str = ""  # what was said where it stopped


class Counting:
    """What the processes that share the cases have found until now."""

    def __init__(self, states: pathlib.Path) -> None:
        self.states = states  # a byte for each case, which survive.cpp explains
        states.write_bytes(bytes(MOST_CASES))
        self.cases: dict[int, Case] = {}
        self.lost: dict[int, str] = {}  # how cases ended their process, until another names them
        self.others: list[Case] = []  # unsupported, or stopped while tensors were allocated
        self.trouble = ""
        self.lock = threading.Lock()

    def add(self, number: int, case: Case) -> None:
        with self.lock:
            ending = self.lost.pop(number, None)
            lost = dataclasses.replace(case, outcome=ending or "", reason="")
            self.cases[number] = lost if ending else case

    def lose(self, number: int, ending: str) -> None:
        with self.lock:
            self.lost[number] = ending
        with self.states.open("r+b") as file:
            file.seek(number)
            file.write(bytes([TO_NAME]))

    def all(self) -> list[Case]:
        with self.lock:
            return [self.cases[number] for number in sorted(self.cases)] + self.others


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="build folder of llama.cpp")
    parser.add_argument("-o", dest="operators", help="only these, separated by commas")
    parser.add_argument("--jobs", type=int, default=1, help="processes that share the cases (1)")
    parser.add_argument("--json", type=pathlib.Path, help="write every case to this file")
    parser.add_argument("--limit", type=float, default=300, help="seconds of a case (300)")
    parser.add_argument("--seconds", type=float, default=math.inf, help="count until then (no end)")
    parser.add_argument("--preload", type=pathlib.Path, help="survive.cpp, compiled before")
    options = parser.parse_args()
    program = options.build / "bin" / "test-backend-ops"
    if not program.exists():
        parser.error(f"{program} is missing; docs/llama-cpp.md says how it is built")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        preload = options.preload or compiled(options.build, folder)
        deadline = time.monotonic() + options.seconds
        counting = Counting(folder / "states")
        workers = [
            threading.Thread(
                target=work,
                args=(counting, program, options, preload.resolve(), deadline, number == 0),
            )
            for number in range(options.jobs)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            while worker.is_alive():
                worker.join(EVERY)
                write(options.json, counting.all())
    cases = counting.all()
    print(table(cases))
    write(options.json, cases)
    if counting.trouble:
        sys.exit(counting.trouble)
    return int(any(case.outcome in ("wrong", "crashed", "hung") for case in cases))


def write(file: pathlib.Path | None, cases: list[Case]) -> None:
    if file:
        new = file.with_name(f".{file.name}.new")  # who ends us finds a whole file
        new.write_text(json.dumps(summary(cases), indent=1) + "\n")
        new.replace(file)


def compiled(build: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """survive.cpp as a library; carry.py has made one where the sources are not."""
    made = build / "bin" / "survive.so"
    if made.exists():
        return made.resolve()
    cache = (build / "CMakeCache.txt").read_text()
    source = re.search(r"^CMAKE_HOME_DIRECTORY:\w+=(.*)$", cache, re.M)
    library = folder / "survive.so"
    flags = ["-std=c++17", "-O1", "-fPIC", "-shared", f"-I{source[1]}/ggml/include"]
    compiler = os.environ.get("CXX", "c++")
    subprocess.run([compiler, *flags, HERE / "survive.cpp", "-o", library, "-ldl"], check=True)
    return library.resolve()


def work(
    counting: Counting,
    program: pathlib.Path,
    options: argparse.Namespace,
    preload: pathlib.Path,
    deadline: float,
    first: bool,
) -> None:
    """Run cases that nobody has begun, in as many processes as it takes. The first worker also says
    which cases are unsupported; with others beside it, it begins with those of ROPE."""
    rope = {} if options.jobs == 1 else {"OPENACLNN_CASES_ROPE": "only" if first else "none"}
    while True:
        others: list[Case] = []
        number, ending = one_process(counting, program, options, preload, deadline, others, rope)
        late = time.monotonic() >= deadline
        with counting.lock:
            if first:
                counting.others = [case for case in counting.others if case.outcome == "stopped"]
            counting.others += [c for c in others if first or c.outcome == "stopped"]
        if late:
            print("the time is up: what follows was counted until then", file=sys.stderr)
        if late or (number is None and not ending):
            if late or rope.get("OPENACLNN_CASES_ROPE") != "only":
                return
            rope = {"OPENACLNN_CASES_ROPE": "none"}
            continue
        if number is None and ending != "failing":
            counting.trouble = f"{program} {ending} between two cases"
            return
        if number is not None:
            counting.lose(number, ending)
            text = f"case {number + 1} {ending}; starting again behind it"
            print(text, file=sys.stderr, flush=True)


def one_process(
    counting: Counting,
    program: pathlib.Path,
    options: argparse.Namespace,
    preload: pathlib.Path,
    deadline: float,
    others: list[Case],
    more: dict[str, str],
) -> tuple[int | None, str]:
    """Run one process, until it ends: the number of the case that was never finished, and how it
    ended: "", "crashed", "hung" or, where the device fails, "failing"."""
    command = [program, "test", "-b", "CANN0"]
    command += ["-o", options.operators] if options.operators else []
    environment = os.environ | {
        "LD_PRELOAD": str(preload),
        "OPENACLNN_CASES": str(counting.states),
        **more,
    }
    if options.jobs > 1:  # else each of them takes all cores for ggml's own results
        environment["OMP_THREAD_LIMIT"] = "1"
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    hung = threading.Event()

    def stop() -> None:
        hung.set()
        process.kill()

    def timer() -> threading.Timer:
        return threading.Timer(min(options.limit, deadline - time.monotonic()), stop)

    number: int | None = None  # of the case under way
    reason: str | None = None
    failing = False
    clock = timer()
    clock.start()
    with process:
        for line in process.stdout:
            line = NOISE.sub("", line.rstrip("\n"))
            if line.startswith("@case "):
                clock.cancel()
                if number is not None and reason is not None:  # no memory: it has no name
                    others.append(Case("(allocation)", "", "stopped", reason))
                clock = timer()
                clock.start()
                number, reason = int(line.split()[1]), None
            elif line.startswith("@stopped "):
                reason = line.removeprefix("@stopped ").strip()
            elif found := RESULT.match(line):
                error, operator, parameters, verdict = found.groups("")
                if number is None:
                    others.append(Case(operator, parameters, "unsupported"))
                    continue
                verdict = outcome(verdict, reason)
                case = Case(operator, parameters, verdict, reason or error.strip())
                counting.add(number, case)
                failing = reason is not None and is_failing(reason)
                number = reason = None
                if failing:
                    process.kill()
                    break
    clock.cancel()
    if number is not None and reason is not None and not hung.is_set():
        others.append(Case("(allocation)", "", "stopped", reason))
        number = None
    died = process.returncode < 0
    if failing:
        return None, "failing"
    return number, "hung" if hung.is_set() else "crashed" if died or number is not None else ""


def is_failing(reason: str) -> bool:
    """Whether not a call was refused but the device fails, for good perhaps."""
    return "CUDA" in reason or not re.search(r"\baclnn\w+", reason)


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
