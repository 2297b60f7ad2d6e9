"""The C library and how its functions become Python's: one line each."""

import ctypes
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(str(Path(__file__).resolve().parents[3] / "lib64" / "libascendcl.so"))


class Out:
    """A parameter that C writes to: Python gets it as a result."""

    def __init__(self, kind: Any) -> None:
        self.kind = kind


def returning(result: Any, name: str, *parameters: Any) -> Callable[..., Any]:
    """A C function with its own kind of result."""

    @cache
    def function() -> Any:
        found = _library()[name]
        found.restype = result
        found.argtypes = parameters
        return found

    def call(*arguments: Any) -> Any:
        return function()(*arguments)

    call.__name__ = name
    return call


def given(name: str, *parameters: Any) -> Callable[..., Any]:
    """A C function that answers a code. With `Out` parameters: (values..., code)."""
    kinds = [ctypes.POINTER(p.kind) if isinstance(p, Out) else p for p in parameters]
    function = returning(ctypes.c_int, name, *kinds)
    outs = [(place, p.kind) for place, p in enumerate(parameters) if isinstance(p, Out)]
    if not outs:
        return function

    def call(*arguments: Any) -> tuple[Any, ...]:
        cells = [kind() for _, kind in outs]
        values = list(arguments)
        for (place, _), cell in zip(outs, cells, strict=True):
            values.insert(place, cell)
        code = function(*values)
        return (*(cell.value or 0 for cell in cells), code)

    call.__name__ = name
    return call
