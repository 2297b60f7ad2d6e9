"""The inexact flag of IEEE 754 (MXCSR on x86, FPSR on ARM): whether a sum was rounded."""

from __future__ import annotations

from openaclnn.base.records import dataclass


@dataclass(frozen=True)
class Note:
    """How a processor tells that a sum was rounded."""

    declared: str
    room: str  # a line at the begin of a function that has one of the next two
    forget: str  # lines after which it knows of none
    read: str  # lines that set %note …
    rounded: int  # … which has this bit then
    register: str  # what LLVM calls one for floats


def one(note: Note | None, type: str = "double") -> str:
    """A line that makes 1, of which LLVM does not know that: products with it are sums in other
    places of a processor than other sums and conversions."""
    if note is None:
        return f"%one = fadd {type} 1.0, 0.0"
    return f'%one = call {type} asm sideeffect "", "={note.register},0"({type} 1.0)'


NOTES = {
    "x86_64": Note(
        """
declare void @llvm.x86.sse.ldmxcsr(ptr)
declare void @llvm.x86.sse.stmxcsr(ptr)""",
        "%mode = alloca i32, align 4",
        """store i32 8064, ptr %mode, align 4
  call void @llvm.x86.sse.ldmxcsr(ptr %mode)""",
        """call void @llvm.x86.sse.stmxcsr(ptr %mode)
  %note = load i32, ptr %mode, align 4""",
        0x20,
        "x",
    ),
    "aarch64": Note(
        """
declare void @llvm.aarch64.set.fpsr(i64)
declare i64 @llvm.aarch64.get.fpsr()""",
        "",
        "call void @llvm.aarch64.set.fpsr(i64 0)",
        """%all.notes = call i64 @llvm.aarch64.get.fpsr()
  %note = trunc i64 %all.notes to i32""",
        0x10,
        "w",
    ),
}
