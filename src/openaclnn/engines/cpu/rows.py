"""Writes the function that runs several kernels unit by unit: all of them on one unit, then all on
the next, so that rows which one kernel read from memory are in a cache for the others."""

from __future__ import annotations

NAME = "openaclnn_rows"


def rows_ir(kernels: int) -> str:
    """The function's module. Its arguments are, for every kernel, its address and its block."""
    calls = "\n".join(map(_call, range(kernels)))
    return f"""
define void @{NAME}(ptr %args, i64 %first, i64 %last) nounwind {{
entry:
  br label %head
head:
  %unit = phi i64 [ %first, %entry ], [ %next, %body ]
  %more = icmp slt i64 %unit, %last
  br i1 %more, label %body, label %done
body:
  %next = add nsw i64 %unit, 1
{calls}
  br label %head
done:
  ret void
}}
"""


def _call(number: int) -> str:
    return f"""  %kernel.at{number} = getelementptr ptr, ptr %args, i64 {2 * number}
  %block.at{number} = getelementptr ptr, ptr %args, i64 {2 * number + 1}
  %kernel{number} = load ptr, ptr %kernel.at{number}, align 8
  %block{number} = load ptr, ptr %block.at{number}, align 8
  call void %kernel{number}(ptr %block{number}, i64 %unit, i64 %next)"""
