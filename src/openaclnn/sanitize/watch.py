"""Follows a record while a program writes it, and tells what is wrong as it happens."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, field
from pathlib import Path
from typing import TextIO

from openaclnn.base.records import dataclass
from openaclnn.sanitize import memory, sarif, tools
from openaclnn.sanitize.findings import KINDS, Finding, Findings, Suppression
from openaclnn.sanitize.habits import Habits
from openaclnn.sanitize.order import Order
from openaclnn.sanitize.records import (
    Began,
    Damaged,
    Done,
    Ended,
    Event,
    Reader,
    RecordedCall,
    Started,
    Work,
)
from openaclnn.sanitize.report import NAME, Reporter
from openaclnn.sanitize.world import World

TOOLS = tuple(KINDS)
INCOMPLETE = 2  # the exit status where not everything could be judged, and no other is asked for
_LAST = 3  # calls of a program that was killed
_LEAKS = ("leak", "object-leak", "executor-never-run")
_PAUSE = 0.02  # seconds between two looks at a record


@dataclass(frozen=True)
class Options:
    """What is looked for, and how it is told."""

    tools: Sequence[str] = TOOLS
    hidden: Sequence[Suppression] = ()
    sarif: Path | None = None  # where a log for code hosts goes
    problems: tuple[str, ...] = ()  # what was asked for and cannot be had
    _: KW_ONLY
    shared_sarif: bool = False  # with other programs, whose findings stay in it
    leaks: bool = True
    as_json: bool = False


@dataclass(frozen=True)
class Outcome:
    """What is to be said of a program: errors, and why there may be more that were not seen."""

    errors: int
    incomplete: tuple[str, ...]


@dataclass
class _Process:
    """What is known of a process."""

    world: World = field(default_factory=World)
    order: Order = field(default_factory=Order)
    habits: Habits = field(default_factory=Habits)
    last: deque[RecordedCall] = field(default_factory=lambda: deque(maxlen=_LAST))

    def forked(self, process: int) -> _Process:
        return _Process(self.world.forked(), self.order.forked(process))

    def judged(self, event: Began | Done | Damaged | Work) -> Iterator[Finding]:
        if isinstance(event, Began):
            self.last.appendleft(event.call)
            yield from self.order.began(self.world, event.call)
            yield from self.habits.began(self.world, event.call)
            yield from tools.began(self.world, event.call)
        elif isinstance(event, Done):
            self.habits.done(self.world, event.call)
            tools.done(self.world, event.call)
            yield from self.order.done(event.call)
        elif isinstance(event, Damaged):
            yield from memory.damaged(self.world, event)
        else:
            self.order.worked(event)


class Watch:
    """Judges the events of a record. All tools see every call; what was not asked for is not
    told."""

    def __init__(self, options: Options, findings: Findings) -> None:
        kinds = {kind for tool in options.tools for kind in KINDS[tool]}
        self._told = kinds - (set() if options.leaks else set(_LEAKS))
        self._findings = findings
        self._processes: dict[int, _Process] = {}

    def see(self, event: Event) -> None:
        for finding in self._judged(event):
            if finding.kind in self._told:
                self._findings.add(finding)

    def last_calls(self, process: int) -> list[RecordedCall] | None:
        """What a process did last that has not ended by itself, the latest first."""
        living = self._processes.get(process)
        return None if living is None else list(living.last)

    def _judged(self, event: Event) -> Iterator[Finding]:
        if isinstance(event, Started):
            parent = self._processes.get(event.parent) if event.forked else None
            self._processes[event.process] = parent.forked(event.process) if parent else _Process()
        elif isinstance(event, Ended):
            process = self._processes.pop(event.process, _Process())
            yield from tools.left(process.world)
            yield from process.habits.left()
        else:
            living = self._processes.get(event.process)
            if living:  # threads may go on while it ends
                yield from living.judged(event)


def follow(
    record: Path,
    process: int,
    options: Options,
    out: TextIO,
    is_over: Callable[[], bool],
    signal: Callable[[], int | None],
) -> Outcome:
    """Follow a record until its program is over. Where it has not ended by itself, `signal` tells
    the number of the signal that has ended it, 0 for none, None where nobody knows."""
    with record.open("r+b") as file:
        reader = Reader(file)
        report = Reporter(reader, out, options.as_json)
        findings = Findings(report.tell, report.names, options.hidden)
        watch = Watch(options, findings)
        over = False
        while not over:
            # what was written before that is still to be read
            over = is_over() or reader.waits(process)
            for event in reader.events(over):
                watch.see(event)
                over = over or (isinstance(event, Ended) and event.process == process)
            if not over:
                time.sleep(_PAUSE)
        last = watch.last_calls(process)
        if last and not reader.waits(process) and signal() != 0:
            report.died(process, signal(), last)
        problems = list(options.problems)
        if reader.lost():
            problems.append("there was no room for the record of all calls")
        if options.sarif:
            problems += sarif.write(
                options.sarif, sarif.log(NAME, report.objects()), shared=options.shared_sarif
            )
        report.summary(process, findings, [*problems, *report.problems])
        return Outcome(findings.total("error"), (*problems, *report.problems))
