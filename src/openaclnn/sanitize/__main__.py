"""Watches a program that was started with OPENACLNN_SANITIZE; its library starts this."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import replace
from pathlib import Path

from openaclnn.base.status import OpenaclnnError
from openaclnn.sanitize import records
from openaclnn.sanitize.findings import suppressions
from openaclnn.sanitize.report import opened
from openaclnn.sanitize.watch import INCOMPLETE, TOOLS, Options, follow

_VARIABLE = "OPENACLNN_SANITIZE"
_YES_OR_NO = {"0": False, "1": True}
_MOST = 255  # of exit codes


def parsed(text: str) -> tuple[Options, int, str]:
    """Options, the exit code of a program with mistakes (0: its own), and where reports go. What
    cannot be understood or read is among the options' problems: no typing error passes a test.

    >>> parsed("leak=0:exitcode=99:log_path=found")[1:]
    (99, 'found')
    >>> parsed("exitcode=9:lek=0")[0].problems[0]
    "'lek=0' came; expected leak=0 or 1, exitcode=1 to 255, log_path=, json=0 or 1, sarif=, ..."
    """
    options, code, log = Options(shared_sarif=True), 0, ""
    for part in filter(None, text.split(":")):
        name, _, value = part.partition("=")
        try:
            if name == "leak":
                options = replace(options, leaks=_YES_OR_NO[value])
            elif name == "json":
                options = replace(options, as_json=_YES_OR_NO[value])
            elif name == "exitcode" and 0 <= int(value) <= _MOST:
                code = int(value)
            elif name == "log_path" and value:
                log = value
            elif name == "sarif" and value:
                options = replace(options, sarif=Path(value))
            elif name == "junit" and value:
                options = replace(options, junit=Path(value))
            elif name == "suppressions":
                options = replace(options, hidden=suppressions(Path(value)))
            elif name == "tool" and set(value.split(",")) <= set(TOOLS):
                options = replace(options, tools=value.split(","))
            elif part != "1":
                raise ValueError(part)
        except OpenaclnnError as error:
            options = replace(options, problems=(*options.problems, str(error)))
        except (ValueError, KeyError):
            problem = (
                f"{part!r} came; expected leak=0 or 1, exitcode=1 to {_MOST}, log_path=, json=0 or "
                f"1, sarif=, junit=, suppressions= or tool= with {', '.join(TOOLS)}"
            )
            options = replace(options, problems=(*options.problems, problem))
    return options, code, log


def main() -> None:
    path, process, answer = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    program = _Program(process)
    try:
        with path.open("rb") as held:
            records.hold(held)
            records.sweep()
            options, code, log = parsed(os.environ.get(_VARIABLE, ""))
            with opened(f"{log}.{process}" if log else None) as (out, problem):
                if options.junit:  # other programs have their own
                    own = f"{options.junit.stem}.{process}{options.junit.suffix}"
                    options = replace(options, junit=options.junit.with_name(own))
                options = replace(options, problems=(*options.problems, *problem))
                verdict = follow(path, process, options, out, program.is_over, program.signal)
    finally:
        path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # the program may be gone
        wrong = verdict.errors or verdict.incomplete
        otherwise = INCOMPLETE if verdict.incomplete else 0
        os.write(answer, bytes([(code or otherwise) if wrong else 0]))


class _Program:
    """A process that is nobody's child here."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._status: int | None = None  # as waitpid would tell it

    def is_over(self) -> bool:
        """Whether it has ended; one that nobody has waited for yet has. (Who started it may wait
        for the end of stderr first, which we hold.)"""
        try:
            stat = Path(f"/proc/{self._process}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return True
        if stat[0] in "ZX":
            self._status = int(stat[-1])
        return stat[0] in "ZX"

    def signal(self) -> int | None:
        """The number of the signal that has ended it, 0 for none, None where nobody knows."""
        return None if self._status is None else self._status & 0x7F


if __name__ == "__main__":
    main()
