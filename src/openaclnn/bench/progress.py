"""A line on the terminal that says how far a run is and how long it will take yet."""

from __future__ import annotations

import sys
import time

from openaclnn.cli.style import columns, padded

_BAR = 20


class Progress:
    """Called with jobs done, jobs in all and the next one; silent where stderr is no terminal."""

    def __init__(self) -> None:
        self._start = time.monotonic()
        self._shown = sys.stderr.isatty()

    def __call__(self, done: int, of: int, following: str) -> None:
        if not self._shown:
            return
        filled = _BAR * done // max(of, 1)
        taken = time.monotonic() - self._start
        left = f"{clock(taken / done * (of - done))} left" if done else "starting"
        line = f"[{'#' * filled}{' ' * (_BAR - filled)}] {done}/{of}  {left}  {following}"
        sys.stderr.write("\r" + padded(line[: columns() - 1], columns() - 1))
        sys.stderr.flush()

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r" + " " * (columns() - 1) + "\r")
            sys.stderr.flush()


def clock(seconds: float) -> str:
    """
    >>> clock(75.4)
    '1:15'
    """
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
