"""Times of slow one-time work, above all compilation, for `openaclnn trace`."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

_WANTED = bool(os.environ.get("OPENACLNN_RECORD_TIMES"))
_spans: list[tuple[str, int, int]] = []  # what it was, and from when to when, in nanoseconds


@contextmanager
def span(name: str) -> Iterator[None]:
    """Remember how long this takes, where somebody wants to know."""
    begun = time.monotonic_ns() if _WANTED else 0
    try:
        yield
    finally:
        if _WANTED:
            _spans.append((name, begun, time.monotonic_ns()))


def take() -> list[tuple[str, int, int]]:
    """What was remembered since the last time."""
    found = _spans[:]
    _spans.clear()
    return found
