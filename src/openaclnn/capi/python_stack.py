"""The stack of a Python program that calls the C library, for the record of its calls."""

from __future__ import annotations

import os
import sys
import threading
from types import FrameType

_numbers: dict[tuple[object, ...], int] = {}


def python_stack() -> tuple[int, bytes]:
    """The number of the caller's stack; one that was not seen before comes with its lines."""
    key: list[object] = []
    program = frame = _innermost()
    while frame is not None:
        key += frame.f_code, frame.f_lasti
        frame = frame.f_back
    number = _numbers.get(tuple(key))
    if number is not None:
        return number, b""
    number = _numbers[tuple(key)] = len(_numbers) + 1
    lines = []
    while program is not None:
        code = program.f_code
        lines.append(f"{os.path.abspath(code.co_filename)}\x1f{program.f_lineno}\x1f{code.co_name}")
        program = program.f_back
    return number, "\n".join(lines).encode("utf-8", "backslashreplace")


def _innermost() -> FrameType | None:
    """The program's frame that calls. A thread of C alone, such as autograd's, works for the main
    thread, whose frames tell what it waits for."""
    own = sys._getframe(2).f_back  # behind python_stack is the bridge
    return own or sys._current_frames().get(threading.main_thread().ident or 0)
