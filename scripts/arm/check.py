"""`make arm`: the project on an emulated ARM machine, whose bits must be this one's.

    python scripts/arm/check.py [--all]

Makes the machine in build/arm, installs the working tree in it, runs tests there and compares
digests of results. Emulation is slow: of the larger groups some tests are drawn unless --all.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from machine import CPUS, PROJECT, Machine, Missing, check_this_machine

BITS = "scripts/arm/bits.py"


@dataclass(frozen=True)
class Group:
    """Tests that run in one process; of more than `most` some are drawn."""

    name: str
    arguments: tuple[str, ...]
    most: int | None = None


# Under qemu the leak sanitizer does not work, nor does a second mapping of the same pages; and no
# GPU is there.
_C_PROGRAMS = [f"tests/capi/test_{name}.py" for name in ("programs", "processes", "misuse")]
_NOT_THERE = ("sanitizers", "virtual_memory", "cuda", "gpu")
_CHOSEN = " and ".join(f"not {name}" for name in (*_NOT_THERE, "fast_math"))
GROUPS = (  # the longest first
    Group("C programs", (*_C_PROGRAMS, "-k", _CHOSEN), most=20),
    Group("values", ("tests/ops/test_values.py", "tests/ops/test_rows.py"), most=250),
    Group("layouts", ("tests/engines/test_layouts.py",), most=60),
    Group("the host's arithmetic", ("tests/engines/test_host_arithmetic.py",), most=30),
    Group("C programs built with fast math", (*_C_PROGRAMS, "-k", "fast_math")),
    Group("overlap", ("tests/plan/test_overlap.py",), most=150),
    Group("executors", ("tests/calls/test_executors.py",), most=150),
)

Digests = dict[str, dict[str, str]]  # by case and setting


def say(text: str) -> None:
    print("-- " + text, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--all", action="store_true", help="run every test of every group")
    options = parser.parse_args()
    began, machine = time.time(), Machine()
    try:
        check_this_machine()
        lock = machine.lock()
    except Missing as missing:
        sys.exit(f"make arm: {missing}")
    with lock:
        good = all_is_well(machine, options.all)
    say(f"{'all is well' if good else 'something is wrong'}, after {time.time() - began:.0f} s")
    return 0 if good else 1


def all_is_well(machine: Machine, whole: bool) -> bool:
    """Whether tests pass and bits agree in the machine, which is made first."""
    say(f"the emulated machine, in {machine.folder}")
    machine.make()
    place = machine.install_project()
    say(f"  {machine.must_run('python', '-c', _DESCRIBE).strip()}")
    checks: list[Callable[[], bool]] = [
        lambda: bits_agree(machine, place, whole),
        *(lambda group=group: passes(machine, place, group, whole) for group in GROUPS),
    ]
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        return all([*pool.map(lambda check: check(), checks)])


_DESCRIBE = """
from openaclnn.engines.cpu import compile, processor
print(processor.model(), "for LLVM:", compile.host()[0])
"""


def passes(machine: Machine, place: str, group: Group, whole: bool) -> bool:
    """Whether a group of tests passes in the machine."""
    began = time.time()
    drawing = [] if whole or group.most is None else ["-p", "sampling", f"--at-most={group.most}"]
    done = machine.run(
        "sh", "-c", f'cd {place} && exec python -m pytest -p no:cacheprovider "$@"', "sh",
        *drawing, *group.arguments,
        quiet=True, PYTHONPATH=f"{place}/scripts/arm",
    )  # fmt: skip
    said = done.stdout.strip().splitlines() or ["nothing was printed"]
    counts = re.sub(r" in [\d.:]+s.*", "", said[-1].strip("= "))
    say(f"tests of {group.name}: {counts}, {time.time() - began:.0f} s")
    if done.returncode:
        print(done.stdout[-10_000:], done.stderr[-2_000:], sep="\n", flush=True)
    return done.returncode == 0


def bits_agree(machine: Machine, place: str, whole: bool) -> bool:
    """Whether results have the same bits here and there in all settings; of all CPUs if `whole`."""
    began = time.time()
    ours: Digests = json.loads(_must_run(sys.executable, str(PROJECT / BITS)))
    good = _agree(ours, ours, "this machine", time.time() - began)
    for cpu in CPUS if whole else [machine.cpu]:
        began = time.time()
        emulated = replace(machine, cpu=cpu)
        theirs: Digests = json.loads(emulated.must_run("python", f"{place}/{BITS}"))
        good &= _agree(ours, theirs, cpu, time.time() - began)
    return good


def _agree(ours: Digests, theirs: Digests, where: str, took: float) -> bool:
    others = differences(ours, theirs)
    count = sum(map(len, theirs.values()))
    say(f"digests on {where}: {count - len(others)} of {count} are right, {took:.0f} s")
    for line in others:
        print(f"   {line}", flush=True)
    return not others


def differences(ours: Digests, theirs: Digests) -> list[str]:
    """What has other bits than ours have in the plain setting, a line for each."""
    found = []
    for case, settings in ours.items():
        right = settings["plain"]
        if case not in theirs:
            found.append(f"{case} is missing: expected {right}")
        for setting, digest in theirs.get(case, {}).items():
            if digest != right:
                found.append(f"{case}, {setting}: {digest} instead of {right}")
    return found


def _must_run(*words: str) -> str:
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(words)} failed:\n{done.stderr}")
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
