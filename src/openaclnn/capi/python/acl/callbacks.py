"""Python functions as callbacks of a stream."""

from collections.abc import Callable
from ctypes import CFUNCTYPE, c_int, c_void_p
from itertools import count
from typing import Any

from .library import given

_numbers = count(1)
_waiting: dict[int, tuple[Callable[[Any], Any], Any]] = {}  # what was launched and has not run


def _called(number: int) -> None:
    """What C calls: for every callback the same function, with the number of what it means."""
    function, data = _waiting.pop(number)
    function(data)


_Callback = CFUNCTYPE(None, c_void_p)
_callback = _Callback(_called)
_launch = given("aclrtLaunchCallback", _Callback, c_void_p, c_int, c_void_p)


def launch_callback(fn: Callable[[Any], Any], user_data: Any, block_type: int, stream: int) -> int:
    """Let the stream's thread call fn(user_data) when the stream comes to it."""
    number = next(_numbers)
    _waiting[number] = fn, user_data
    code: int = _launch(_callback, number, block_type, stream)
    if code:
        del _waiting[number]
    return code
