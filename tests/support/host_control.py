"""The word that controls a thread's arithmetic: rounding, what becomes of subnormals, and what ends
the process (SIGFPE)."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

from openaclnn.engines.cpu import compile

# Each architecture: how to exchange the word that controls arithmetic, the plain word, and the bits
# that each deviation turns over. Traps are for divisions by zero and for what is invalid, overflows
# or underflows; not for what is rounded, which Python does all the time. ARM may have none.
_X86 = """
declare void @llvm.x86.sse.stmxcsr(ptr)
declare void @llvm.x86.sse.ldmxcsr(ptr)
define i64 @openaclnn_exchange_control(i64 %new) {
  %word = alloca i32, align 4
  call void @llvm.x86.sse.stmxcsr(ptr %word)
  %old = load i32, ptr %word, align 4
  %short = trunc i64 %new to i32
  store i32 %short, ptr %word, align 4
  call void @llvm.x86.sse.ldmxcsr(ptr %word)
  %wide = zext i32 %old to i64
  ret i64 %wide
}
"""
_ARM = """
declare i64 @llvm.aarch64.get.fpcr()
declare void @llvm.aarch64.set.fpcr(i64)
define i64 @openaclnn_exchange_control(i64 %new) {
  %old = call i64 @llvm.aarch64.get.fpcr()
  call void @llvm.aarch64.set.fpcr(i64 %new)
  ret i64 %old
}
"""
_CONTROLS = {
    "x86_64": (
        _X86,
        0x1F80,
        {"flush": 0x8040, "down": 0x2000, "up": 0x4000, "cut": 0x6000, "trap": 0x0E80},
    ),
    "aarch64": (_ARM, 0, {"flush": 1 << 24, "up": 1 << 22, "down": 2 << 22, "cut": 3 << 22}),
}
_FLAGS = 0x3F  # of x86: what happened so far


def deviations() -> list[str]:
    """The names of other settings than the plain one, or none where we know of no such word."""
    return list(_CONTROLS[compile.architecture()][2]) if known() else []


def known() -> bool:
    return compile.architecture() in _CONTROLS


@contextmanager
def computing(how: str) -> Iterator[None]:
    """This thread computes so ("plain" or a deviation), and must still do at the end."""
    ir, plain, bits = _CONTROLS[compile.architecture()]
    word = plain ^ bits.get(how, 0)
    address = compile.function(ir, "openaclnn_exchange_control")
    exchange = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(address)
    before = exchange(word)
    try:
        yield
    finally:
        after = exchange(before)
    assert after & ~_FLAGS == word & ~_FLAGS, "the setting did not survive"
