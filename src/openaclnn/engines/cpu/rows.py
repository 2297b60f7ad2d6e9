"""Writes the functions that run several kernels, whose blocks stand in one, each on all of its
units."""

from __future__ import annotations

IN_TURN = "openaclnn_in_turn"
SHARED = "openaclnn_shared"
SOME_UNITS, ALL_UNITS = "openaclnn_some_units", "openaclnn_all_units"


def in_turn_ir() -> str:
    """The functions' module. Their argument has for every kernel its address, how many words its
    block has, the address of the one that runs a range (0 where it is not for threads to share), of
    how many units, and of the one that runs all on threads, given how they share (0: no other);
    then the block; at last a zero."""
    in_turn = _each(IN_TURN, "ptr %args", "  call void %kernel(ptr %block)\n  br label %ran")
    shared = _each(SHARED, "ptr %share, ptr %args, i64 %units, i32 %threads", _BY_THREADS)
    return f"{in_turn}\n{shared}"


def _each(name: str, arguments: str, run: str) -> str:
    """A function that runs every kernel."""
    return f"""
define void @{name}({arguments}) nounwind {{
entry:
  br label %head
head:
  %at = phi ptr [ %args, %entry ], [ %next, %ran ]
  %kernel = load ptr, ptr %at, align 8
  %ended = icmp eq ptr %kernel, null
  br i1 %ended, label %done, label %run
run:
  %words.at = getelementptr i64, ptr %at, i64 1
  %words = load i64, ptr %words.at, align 8
  %block = getelementptr i64, ptr %at, i64 5
  %next = getelementptr i64, ptr %block, i64 %words
{run}
ran:
  br label %head
done:
  ret void
}}
"""


_BY_THREADS = """  %range.at = getelementptr i64, ptr %at, i64 2
  %range = load ptr, ptr %range.at, align 8
  %alone = icmp eq ptr %range, null
  br i1 %alone, label %whole, label %shared
whole:
  call void %kernel(ptr %block)
  br label %ran
shared:
  %its.at = getelementptr i64, ptr %at, i64 3
  %its = load i64, ptr %its.at, align 8
  %most = sext i32 %threads to i64
  %few = icmp slt i64 %its, %most
  %each = select i1 %few, i64 %its, i64 %most
  %count = trunc i64 %each to i32
  %own.at = getelementptr i64, ptr %at, i64 4
  %own = load ptr, ptr %own.at, align 8
  %usual = icmp eq ptr %own, null
  br i1 %usual, label %range.only, label %by.itself
range.only:
  call void %share(ptr %range, ptr %block, i64 %its, i32 %count)
  br label %ran
by.itself:
  call void %own(ptr %share, ptr %block, i64 %its, i32 %count)
  br label %ran"""


def units_ir() -> str:
    """The functions' module that run a kernel of units: some of them, and all. Their argument has
    the kernel's address, how many units there are, and the block."""
    kernel = """  %kernel = load ptr, ptr %args, align 8
  %block = getelementptr i64, ptr %args, i64 2"""
    return f"""
define void @{SOME_UNITS}(ptr %args, i64 %first, i64 %last) nounwind {{
{kernel}
  call void %kernel(ptr %block, i64 %first, i64 %last)
  ret void
}}

define void @{ALL_UNITS}(ptr %args) nounwind {{
{kernel}
  %units.at = getelementptr i64, ptr %args, i64 1
  %units = load i64, ptr %units.at, align 8
  call void %kernel(ptr %block, i64 0, i64 %units)
  ret void
}}
"""
