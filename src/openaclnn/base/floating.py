"""Default floating-point arithmetic (round to nearest, subnormals kept) for constants that Python
computes, whatever mode the host program has set.

A host may round upwards or flush subnormals to zero for its own sake. Kernels see to that
themselves; but the numbers that go into them (a slope rounded to float32, 1/beta, a polynomial's
coefficients) are computed in Python, and some are kept for later calls.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache, wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

_DEFAULT = ctypes.c_void_p(-1)  # FE_DFL_ENV
_Environment = ctypes.c_char * 64  # an fenv_t has 32 bytes on x86-64, 8 on aarch64


class plain_arithmetic:
    """Inside, this thread rounds to nearest and keeps subnormals. That takes 1.2 µs, of a generator
    2.5, and a new call asks for it seven times."""

    __slots__ = ("kept",)

    def __enter__(self) -> None:
        self.kept = _Environment()
        libm = _libm()
        libm.fegetenv(self.kept)
        libm.fesetenv(_DEFAULT)

    def __exit__(self, *_: object) -> None:
        _libm().fesetenv(self.kept)

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def inside(*args: P.args, **kwargs: P.kwargs) -> R:
            with plain_arithmetic():
                return function(*args, **kwargs)

        return inside


@cache
def _libm() -> ctypes.PyDLL:
    try:
        return ctypes.PyDLL("libm.so.6")
    except OSError:  # not glibc's: libc or Python itself has it
        return ctypes.PyDLL(None)
