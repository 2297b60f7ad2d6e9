"""Arithmetic as it is meant to be, where the host has set another one.

A host may round upwards or flush subnormals to zero for its own sake. Kernels see to that
themselves; but the numbers that go into them (a slope rounded to float32, 1/beta, a polynomial's
coefficients) are computed in Python, and some are kept for later calls.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

_DEFAULT = ctypes.c_void_p(-1)  # FE_DFL_ENV
_ROOM = 64  # bytes: an fenv_t has 32 on x86-64, 8 on aarch64


@contextmanager
def plain_arithmetic() -> Iterator[None]:
    """Inside, this thread rounds to nearest and keeps subnormals."""
    libm, kept = _libm(), ctypes.create_string_buffer(_ROOM)
    libm.fegetenv(kept)
    libm.fesetenv(_DEFAULT)
    try:
        yield
    finally:
        libm.fesetenv(kept)


@cache
def _libm() -> ctypes.PyDLL:
    try:
        return ctypes.PyDLL("libm.so.6")
    except OSError:  # not glibc's: libc or Python itself has it
        return ctypes.PyDLL(None)
