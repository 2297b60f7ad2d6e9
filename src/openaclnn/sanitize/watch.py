"""Follows a record while a program writes it, and reports findings as they happen."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, field
from pathlib import Path
from typing import TextIO

from openaclnn.base.records import dataclass
from openaclnn.sanitize import ci, memory, sarif, tools
from openaclnn.sanitize.findings import KINDS, NOTES, Finding, Findings, Suppression
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
_ASKING = {"aclrtGetDevice"}  # whether a device is set; "none is" is an answer like others
_CLEANING = (  # what a program may still call when it gives up
    "aclDestroy", "aclrtFree", "aclrtDestroy", "aclrtReset", "aclFinalize", "aclGetRecentErrMsg",
    "aclrtUnmap", "aclrtRelease", "aclrtHostUnregister",
)  # fmt: skip
_PAUSE = 0.02  # seconds between two looks at a record


@dataclass(frozen=True)
class Options:
    """What is looked for, and how it is told."""

    tools: Sequence[str] = TOOLS
    hidden: Sequence[Suppression] = ()
    sarif: Path | None = None  # where a log for code hosts goes
    junit: Path | None = None  # where JUnit's XML goes
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
    explained: set[int] = field(default_factory=set)  # calls that a finding tells of
    stopped_by: RecordedCall | None = None  # refused; since then the program only cleans up

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
            yield from self._refused(event.call)
        elif isinstance(event, Damaged):
            yield from memory.damaged(self.world, event)
        else:
            self.order.worked(event)

    def _refused(self, call: RecordedCall) -> Iterator[Finding]:
        """Why a call was refused, unless a finding of it says so."""
        explained = call.number in self.explained
        self.explained.discard(call.number)
        if call.name in _ASKING:
            return
        if call.result and call.reason:
            self.stopped_by = None if explained else call
            if not explained:
                yield Finding("refused", call, f"{call.result}: {call.reason}",
                              "look at what the call is given")  # fmt: skip
        elif not call.name.startswith(_CLEANING):
            self.stopped_by = None

    def left(self) -> tuple[list[Finding], Finding | None]:
        """What is wrong in the end. What is left because the program has stopped at a refused call
        follows from that: one finding stands for all of it."""
        found = [*tools.left(self.world), *self.habits.left()]
        leaks = [one for one in found if one.kind in _LEAKS]
        if self.stopped_by is None or not leaks:
            return found, None
        count = sum(one.count for one in leaks)
        return found, Finding(
            leaks[0].kind, self.stopped_by,
            f"the program has stopped after this call was refused, and has left "
            f"{count} thing{'' if count == 1 else 's'} that it never frees or destroys",
            "mend the call first; to see each of them, free and destroy on the way out, too",
            count=count,
        )  # fmt: skip


class Watch:
    """Judges the events of a record. All tools see every call; what was not asked for is not
    told."""

    def __init__(self, options: Options, findings: Findings) -> None:
        kinds = {kind for tool in options.tools for kind in KINDS[tool]}
        self._told = kinds - (set() if options.leaks else set(_LEAKS))
        self._findings = findings
        self._processes: dict[int, _Process] = {}

    def see(self, event: Event) -> None:
        if isinstance(event, Ended):
            self._ended(self._processes.pop(event.process, _Process()))
            return
        for finding in self._judged(event):
            living = self._processes.get(finding.call.process)
            if living and finding.kind not in NOTES:
                living.explained.add(finding.call.number)
            if finding.kind in self._told:
                self._findings.add(finding)

    def _ended(self, process: _Process) -> None:
        found, because = process.left()
        told = [finding for finding in found if finding.kind in self._told]
        leaks = [finding for finding in told if because and finding.kind in _LEAKS]
        for finding in told:
            if finding not in leaks:
                self._findings.add(finding)
        if because:
            self._findings.fold(leaks, because)

    def last_calls(self, process: int) -> list[RecordedCall] | None:
        """What a process did last that has not ended by itself, the latest first."""
        living = self._processes.get(process)
        return None if living is None else list(living.last)

    def _judged(self, event: Event) -> Iterator[Finding]:
        if isinstance(event, Started):
            parent = self._processes.get(event.parent) if event.forked else None
            self._processes[event.process] = parent.forked(event.process) if parent else _Process()
        else:
            assert not isinstance(event, Ended)
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
        if reader.incomplete():
            problems.append(reader.incomplete())
        if options.sarif:
            problems += sarif.write(
                options.sarif, sarif.log(NAME, report.objects()), shared=options.shared_sarif
            )
        if options.junit:
            problems += ci.write_junit(options.junit, NAME, report.objects())
        report.summary(process, findings, [*problems, *report.problems])
        return Outcome(findings.total("error"), (*problems, *report.problems))
