"""Breaks right programs at a random call, and counts how often the sanitizer says what is wrong,
and where.

    python tests/long mutants [mutants] [seed] [programs]

The programs are examples/*.cpp, tests/capi/programs/sanitized.cpp, mended, and random ones. Each
must have no finding as it is. Status 1 where one has, or where less than 95 % of the mutants are
told right."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import random_program
import shim
from mutate import WAYS, Mutant, Story, story

from openaclnn.capi import toolkit
from openaclnn.sanitize import records
from openaclnn.sanitize.findings import Finding, Findings
from openaclnn.sanitize.records import Done, Reader, RecordedCall
from openaclnn.sanitize.stacks import Lines, SourceLine
from openaclnn.sanitize.watch import Options, Watch

ROOT = Path(__file__).resolve().parents[3]
WANTED = 0.95


@dataclass(frozen=True)
class Program:
    binary: Path
    arguments: tuple[str, ...]
    name: str


@dataclass(frozen=True)
class Seen:
    """What a run has done, and what was said of it."""

    calls: list[RecordedCall]
    findings: list[Finding]
    reader: Reader


class Runner:
    """Compiles and runs programs behind the shim, and judges their records."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.home = toolkit.home()
        self.lines = Lines()
        self.shim: Path | None = None

    def compiled(self, source: Path, *arguments: str) -> Program:
        binary = self.folder / source.stem
        command = ["g++", "-std=c++17", "-g", "-pthread", f"-I{self.home}/include", str(source)]
        command += ["-o", str(binary), f"-L{self.home}/lib64", f"-Wl,-rpath,{self.home}/lib64"]
        subprocess.run([*command, "-lascendcl", "-lnnopbase", "-lopapi"], check=True)
        return Program(binary, arguments, source.name)

    def stand_between(self, calls: Sequence[RecordedCall]) -> None:
        source, self.shim = self.folder / "shim.c", self.folder / "shim.so"
        source.write_text(shim.source(calls))
        command = ["gcc", "-shared", "-fPIC", "-w", f"-I{self.home}/include", str(source)]
        subprocess.run([*command, "-o", str(self.shim), "-ldl"], check=True)

    def run(self, program: Program, how: str = "") -> Seen:
        with tempfile.NamedTemporaryFile(dir=self.folder) as file:
            environment = {**os.environ, records.FILE: file.name, "MUTATE": how}
            environment.pop("OPENACLNN_SANITIZE", None)
            environment |= {"LD_PRELOAD": str(self.shim)} if self.shim else {}
            subprocess.run([program.binary, *program.arguments], env=environment, timeout=300,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
            reader, told = Reader(file), list[Finding]()
            watch = Watch(Options(), Findings(told.append, lambda _: []))
            calls = []
            for event in reader.events(over=True):
                watch.see(event)
                if isinstance(event, Done):
                    calls.append(event.call)
            return Seen(calls, told, reader)

    def place(self, reader: Reader, call: RecordedCall) -> SourceLine | None:
        """The program's own line."""
        places = self.lines.places(reader.frames(call.stack))
        return next((place for place in places if "shim" not in place.file), None)

    def is_told(self, mutant: Mutant, right: Seen, broken: Seen) -> bool:
        """Whether the mistake was named, at its line, with one of its causes."""
        at = self.place(right.reader, mutant.at)
        causes = {self.place(right.reader, call) for call in mutant.cause}
        for finding in broken.findings:
            if finding.kind in mutant.kinds and self.place(broken.reader, finding.call) == at:
                named = {self.place(broken.reader, call) for _, call in finding.others}
                if not causes or causes & named:
                    return True
        return False


def originals(runner: Runner, rng: random.Random, count: int) -> list[Program]:
    found = [runner.compiled(path) for path in sorted((ROOT / "examples").glob("*.cpp"))]
    mended = ROOT / "tests" / "capi" / "programs" / "sanitized.cpp"
    found.append(runner.compiled(mended, "mended"))
    for number in range(count):
        source = runner.folder / f"random_{number}.cpp"
        source.write_text(random_program.program(rng, rng.choice((20, 60, 120))))
        found.append(runner.compiled(source))
    return found


def main(count: int, seed: int, programs: int) -> int:
    print(f"seed {seed}", flush=True)
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        runner = Runner(Path(folder))
        chosen = originals(runner, rng, programs)
        plain = [runner.run(program) for program in chosen]
        runner.stand_between([call for seen in plain for call in seen.calls])
        right = [runner.run(program) for program in chosen]
        wrong = 0
        for program, seen in zip(chosen, right, strict=True):
            told = [one for one in seen.findings if one.level != "note"]  # refused on purpose
            wrong += len(told)
            for finding in told:
                print(f"{program.name} is right, but: {finding.kind}, {finding.message}, "
                      f"{runner.place(seen.reader, finding.call)}")  # fmt: skip
        stories = [story(seen.calls) for seen in right]
        told = _judge(runner, chosen, right, stories, _drawn(rng, stories, count))
    print(f"{len(chosen)} programs, {sum(len(seen.calls) for seen in right)} calls: "
          f"{wrong} findings")  # fmt: skip
    return int(wrong > 0 or told < WANTED * count)


def _drawn(rng: random.Random, stories: list[Story], count: int) -> list[tuple[int, str, Mutant]]:
    found: list[tuple[int, str, Mutant]] = []
    while len(found) < count:
        way, number = rng.choice(list(WAYS)), rng.randrange(len(stories))
        mutant = WAYS[way](stories[number], rng)
        if mutant:
            found.append((number, way, mutant))
    return found


def _judge(
    runner: Runner, programs: list[Program], right: list[Seen], stories: list[Story],
    mutants: list[tuple[int, str, Mutant]],
) -> int:  # fmt: skip
    total, told = Counter[str](), Counter[str]()

    def run(row: tuple[int, str, Mutant]) -> Seen:
        return runner.run(programs[row[0]], row[2].how)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for (number, way, mutant), broken in zip(mutants, pool.map(run, mutants), strict=True):
            total[way] += 1
            if runner.is_told(mutant, right[number], broken):
                told[way] += 1
                continue
            found = [(f.kind, str(runner.place(broken.reader, f.call))) for f in broken.findings]
            print(f"{way}: {programs[number].name} with MUTATE={mutant.how!r}: expected "
                  f"{'/'.join(mutant.kinds)} at {runner.place(right[number].reader, mutant.at)}, "
                  f"got {found[:4]}")  # fmt: skip
    for way in WAYS:
        print(f"{way:22} {told[way]} of {total[way]}")
    everything = sum(told.values())
    print(f"{everything} of {len(mutants)} mutants are told right "
          f"({100 * everything / len(mutants):.1f} %)")  # fmt: skip
    return everything


if __name__ == "__main__":
    usual = (60, random.randrange(2**32), 4)
    given = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*given, *usual[len(given) :]))
