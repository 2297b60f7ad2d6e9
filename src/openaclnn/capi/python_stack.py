"""The stack of a Python program that calls the C library, for the record of its calls."""

from __future__ import annotations

import os
import sys
from types import FrameType

_numbers: dict[tuple[object, ...], int] = {}


def python_stack() -> tuple[int, bytes]:
    """The number of the caller's stack; one that was not seen before comes with its lines."""
    key: list[object] = []
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        key += frame.f_code, frame.f_lasti
        frame = frame.f_back
    number = _numbers.get(tuple(key))
    if number is not None:
        return number, b""
    number = _numbers[tuple(key)] = len(_numbers) + 1
    lines, frame = [], sys._getframe(2)
    while frame is not None:
        code = frame.f_code
        lines.append(f"{os.path.abspath(code.co_filename)}\x1f{frame.f_lineno}\x1f{code.co_name}")
        frame = frame.f_back
    return number, "\n".join(lines).encode("utf-8", "backslashreplace")
