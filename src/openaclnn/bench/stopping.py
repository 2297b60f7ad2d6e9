"""Ctrl-C during a run: the first one ends it after the case at hand, the second one at once.

An exception would be raised wherever Python happens to be, and some libraries' callbacks swallow
it there.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def stoppable() -> Iterator[Callable[[], bool]]:
    """Inside, Ctrl-C is kept: the given function says whether it was pressed."""
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
    pressed = False
    before = signal.getsignal(signal.SIGINT)

    def press(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, press)
    try:
        yield lambda: pressed
    finally:
        signal.signal(signal.SIGINT, before)
