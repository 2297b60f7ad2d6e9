"""Findings as people and programs read them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from signal import Signals
from typing import Any, TextIO

from openaclnn.base.language import translated
from openaclnn.sanitize.ci import annotation
from openaclnn.sanitize.enums import name_of
from openaclnn.sanitize.findings import Finding, Findings
from openaclnn.sanitize.records import Reader, RecordedCall
from openaclnn.sanitize.stacks import Lines, SourceLine
from openaclnn.sanitize.world import handle_type

NAME = "openaclnn sanitizer"


class Reporter:
    """Writes findings as they come, and a summary."""

    def __init__(self, reader: Reader, out: TextIO, as_json: bool = False) -> None:
        self.problems: list[str] = []  # why not all can be told
        self._reader = reader
        self._out = out
        self._json = as_json
        self._lines = Lines()
        self._told: list[Finding] = []
        self._killed = ""  # by what signal

    def names(self, finding: Finding) -> list[str]:
        """What a suppression's pattern may name: functions, files, and the call."""
        calls = [finding.call, *(call for _, call in finding.others)]
        places = [place for call in calls for place in self._places(call)]
        return [
            finding.call.name, *(place.function for place in places),
            *(place.file for place in places), *(place.file.rsplit("/")[-1] for place in places),
        ]  # fmt: skip

    def objects(self) -> list[dict[str, Any]]:
        """What was told so far, as --json has it."""
        return [self._as_object(finding) for finding in self._told]

    def tell(self, finding: Finding) -> None:
        self._told.append(finding)
        if self._json:
            self._write(json.dumps(self._as_object(finding)))
            return
        pid = f"=={finding.call.process}=="
        title = f"{finding.level.upper()}: {NAME}: {finding.kind} in {_titled(finding.call)}"
        lines = [f"{pid} {translated(title)}", f"{pid}   {translated(finding.message)}"]
        arguments = described(finding.call)
        lines += [f"{pid}   {translated(f'called with {arguments}')}"] if arguments else []
        lines += [
            f"{pid}   {name}: {translated(str(text))}"
            for name, text in finding.call.meaning.items()
        ]
        lines += self._stack(pid, finding.call)
        for label, call in finding.others:
            lines.append(f"{pid}   {translated(label)} {translated(_titled(call))}")
            lines += self._stack(pid, call)
        lines.append(f"{pid}   {translated(f'to do: {finding.advice}')}")
        lines += filter(None, [annotation(self._as_object(finding))])
        self._write("\n".join(lines))

    def died(self, process: int, signal: int | None, calls: Sequence[RecordedCall]) -> None:
        """The program has not ended by itself; tell what it did last, the latest first."""
        name = _name(signal) if signal else None
        if self._json:
            last = [self._call(call) | {"returned": bool(call.done)} for call in calls]
            self._write(json.dumps({"killed": name, "process": process, "last": last}))
            return
        self._killed = f"killed by {name}" if name else ""
        pid = f"=={process}=="
        how = f"was killed by {name}" if name else "was killed, or has called _exit"
        lines = [f"{pid} {translated(f'the program {how}; its last calls, the latest first:')}"]
        for call in calls:
            title = f"{_titled(call)}{'' if call.done else ', which has not returned'}"
            lines += [f"{pid}   {translated(title)}", *self._stack(pid, call)]
        self._write("\n".join(lines))

    def summary(self, process: int, findings: Findings, incomplete: Sequence[str]) -> None:
        counts = dict(sorted(findings.counts.items()))
        if self._json:
            facts = {"summary": counts, "suppressed": findings.suppressed, "incomplete": incomplete}
            self._write(json.dumps(facts))
            return
        for problem in incomplete:
            self._write(f"=={process}== {translated(f'INCOMPLETE: {problem}')}")
        kinds = ", ".join(f"{kind}: {count}" for kind, count in counts.items())
        warnings = findings.total("warning")
        parts = [self._killed, "incomplete" if incomplete else ""]
        parts += [_counted(findings.total("error"), "error")]
        parts += [_counted(warnings, "warning") if warnings else ""]
        said = ", ".join(translated(part) for part in parts if part)
        hidden = f"; {findings.suppressed} suppressed" if findings.suppressed else ""
        told = f"{said}{f' ({kinds})' if kinds else ''}{translated(hidden)}"
        self._write(f"=={process}== {translated(f'SUMMARY: {NAME}: {told}')}")

    def _write(self, text: str) -> None:
        try:
            self._out.write(text + "\n")
            self._out.flush()
        except OSError as error:
            self.problems.append(f"the report cannot be written: {error.strerror}")
            if self._out is not sys.stderr:  # it is told there, then
                self._out = sys.stderr
                self._write(text)

    def _places(self, call: RecordedCall) -> list[SourceLine]:
        return self._lines.places(self._reader.frames(call.stack))

    def _stack(self, pid: str, call: RecordedCall) -> list[str]:
        return [
            f"{pid}     #{i} {place.seen_from_here()}" for i, place in enumerate(self._places(call))
        ]

    def _as_object(self, finding: Finding) -> dict[str, Any]:
        return {
            "kind": finding.kind,
            "level": finding.level,
            "message": finding.message,
            "process": finding.call.process,
            "count": finding.count,
            "call": self._call(finding.call),
            "related": [{"label": label, **self._call(call)} for label, call in finding.others],
            "advice": finding.advice,
        }

    def _call(self, call: RecordedCall) -> dict[str, Any]:
        return {
            "number": call.number,
            "name": call.name,
            "arguments": shown(call) | {name: str(what) for name, what in call.meaning.items()},
            "stack": [vars(place) for place in self._places(call)],
        }


@contextmanager
def opened(path: str | None) -> Iterator[tuple[TextIO, tuple[str, ...]]]:
    """Where reports go: to a file, or to stderr; there, too, where the file cannot be written, and
    why it cannot."""
    if path is None:
        yield sys.stderr, ()
        return
    try:
        file = open(path, "w")  # noqa: SIM115 - to close it may fail, too
    except OSError as error:
        yield sys.stderr, (f"{path} cannot be written: {error.strerror}",)
        return
    yield file, ()
    with suppress(OSError):  # what could not be written went to stderr
        file.close()


def _name(signal: int) -> str:
    try:
        return Signals(signal).name
    except ValueError:
        return f"signal {signal}"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _titled(call: RecordedCall) -> str:
    return f"{call.name} (call {call.number})"


def described(call: RecordedCall) -> str:
    """A call's arguments by name."""
    return ", ".join(f"{name} = {value}" for name, value in shown(call).items())


def shown(call: RecordedCall) -> dict[str, str]:
    """A call's arguments as people read them, by name."""
    found = {}
    for parameter in call.parameters:
        if parameter.out or not parameter.name or parameter.name in call.meaning:
            continue
        value = call.arguments.get(parameter.name, 0)
        if isinstance(value, tuple):
            found[parameter.name] = str(list(value))
        elif "*" in parameter.c_type or handle_type(parameter.c_type):
            found[parameter.name] = f"{value:#x}" if value else "null"
        else:
            name = name_of(parameter.c_type, value) if isinstance(value, int) else None
            found[parameter.name] = name or str(value)
    return found
