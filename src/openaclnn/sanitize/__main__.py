"""Watches a program that was started with OPENACLNN_SANITIZE; its library starts this."""

from __future__ import annotations

import contextlib
import os
import sys
from dataclasses import replace
from pathlib import Path

from openaclnn.base.status import OpenaclnnError
from openaclnn.sanitize.findings import suppressions
from openaclnn.sanitize.watch import TOOLS, Options, follow

_VARIABLE = "OPENACLNN_SANITIZE"


def parsed(text: str) -> tuple[Options, int, str]:
    """Options, the exit code of a program with mistakes (0: its own), and where reports go.

    >>> parsed("leak=0:exitcode=99:log_path=found")[1:]
    (99, 'found')
    """
    options, code, log = Options(), 0, ""
    for part in filter(None, text.split(":")):
        name, _, value = part.partition("=")
        if name == "leak":
            options = replace(options, leaks=value != "0")
        elif name == "exitcode" and value.isdigit():
            code = int(value)
        elif name == "log_path":
            log = value
        elif name == "json":
            options = replace(options, as_json=value != "0")
        elif name == "sarif":
            options = replace(options, sarif=Path(value))
        elif name == "suppressions":
            options = replace(options, hidden=suppressions(Path(value)))
        elif name == "tool" and set(value.split(",")) <= set(TOOLS):
            options = replace(options, tools=value.split(","))
        elif part not in ("0", "1"):
            raise OpenaclnnError(
                f"{_VARIABLE}: {part!r} came; expected leak=, exitcode=, log_path=, json=, sarif=, "
                f"suppressions= or tool= with {', '.join(TOOLS)}"
            )
    return options, code, log


def main() -> None:
    path, process, answer = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    mistakes, code = 0, 0
    try:
        options, code, log = parsed(os.environ.get(_VARIABLE, ""))
        with contextlib.ExitStack() as stack:
            out = stack.enter_context(open(f"{log}.{process}", "w")) if log else sys.stderr
            mistakes = follow(path, process, options, out, lambda: not _lives(process))
    except (OpenaclnnError, OSError) as error:
        print(f"openaclnn sanitizer: {error}", file=sys.stderr)
    path.unlink(missing_ok=True)
    with contextlib.suppress(OSError):  # the program may be gone
        os.write(answer, bytes([code if mistakes else 0]))


def _lives(process: int) -> bool:
    """Whether a process runs; one that nobody has waited for yet does not. (Who started it may wait
    for the end of stderr first, which we hold.)"""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


if __name__ == "__main__":
    main()
