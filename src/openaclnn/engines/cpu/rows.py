"""Writes the functions that run several kernels. Unit by unit: all of them on one unit, then all on
the next, so that rows which one kernel read from memory are in a cache for the others. Or in turn,
each on all of its units, where the operands' addresses are all that is told."""

from __future__ import annotations

from openaclnn.base.records import dataclass

NAME = "openaclnn_rows"
IN_TURN = "openaclnn_in_turn"
SHARED = "openaclnn_shared"


def rows_ir(kernels: int, kept: Kept | None = None) -> str:
    """The function's module. Its arguments are, for every kernel, its address and its block.
    `kept`: the last kernel but one may do the last one's work."""
    calls = [_call(number) for number in range(kernels)]
    if kept:
        calls[-2:] = [_call_of_two(kernels - 2, kept)]
    lines = "\n".join(calls)
    return f"""
define void @{NAME}(ptr %args, i64 %first, i64 %last) nounwind {{
entry:
  br label %head
head:
  %unit = phi i64 [ %first, %entry ], [ %next, %done ]
  %more = icmp slt i64 %unit, %last
  br i1 %more, label %body, label %end
body:
  %next = add nsw i64 %unit, 1
{lines}
  br label %done
done:
  br label %head
end:
  ret void
}}
"""


@dataclass(frozen=True)
class Kept:
    """Where the blocks of two kernels say whether the first can do the work of both: rows have not
    more than `most` columns, both take them in one order, and the output's lie side by side."""

    columns: int  # which word of the first one's block
    most: int
    strides: tuple[tuple[int, int], ...]  # words of both that are the same
    stride: int  # which word of the second one's block
    itemsize: int


def _parts(number: int) -> str:
    return f"""  %kernel.at{number} = getelementptr ptr, ptr %args, i64 {2 * number}
  %block.at{number} = getelementptr ptr, ptr %args, i64 {2 * number + 1}
  %kernel{number} = load ptr, ptr %kernel.at{number}, align 8
  %block{number} = load ptr, ptr %block.at{number}, align 8"""


def _call(number: int) -> str:
    return f"""{_parts(number)}
  call void %kernel{number}(ptr %block{number}, i64 %unit, i64 %next)"""


def _call_of_two(first: int, kept: Kept) -> str:
    last = first + 1
    lines, both = [_parts(first), _parts(last)], "true"

    def word(block: int, index: int) -> str:
        name = f"%word{len(lines)}"
        lines.append(f"  {name}.at = getelementptr i64, ptr %block{block}, i64 {index}")
        lines.append(f"  {name} = load i64, ptr {name}.at, align 8")
        return name

    alike = [(word(first, mine), "eq", word(last, its)) for mine, its in kept.strides]
    alike.append((word(first, kept.columns), "sle", str(kept.most)))
    alike.append((word(last, kept.stride), "eq", str(kept.itemsize)))
    for number, (a, how, b) in enumerate(alike):
        lines.append(f"  %alike{number} = icmp {how} i64 {a}, {b}")
        lines.append(f"  %both{number} = and i1 {both}, %alike{number}")
        both = f"%both{number}"
    lines.append(
        f"""  %rest = select i1 {both}, ptr %block{last}, ptr null
  call void %kernel{first}(ptr %block{first}, i64 %unit, i64 %next, ptr %rest)
  br i1 {both}, label %done, label %apart
apart:
  call void %kernel{last}(ptr %block{last}, i64 %unit, i64 %next)"""
    )
    return "\n".join(lines)


def in_turn_ir(tensors: int) -> str:
    """The functions' module. Their argument begins with the tensors' addresses, a zero, and room
    for the argument's own address: to these words numbers are added that give a kernel's pointers.
    Then, for every kernel, its address, how many words its block has, how many of them pointers,
    the address of the one that runs a range (0 where it is not for threads to share) and of how
    many units, for each pointer the word and the number, and the block; at last a zero."""
    in_turn = _each(IN_TURN, "ptr %args", tensors, "  call void %kernel(ptr %block)")
    given = "ptr %share, ptr %args, i64 %units, i32 %threads"
    shared = _each(SHARED, given, tensors, _BY_THREADS)
    return f"""
define internal ptr @point(ptr %args, ptr %at) nounwind {{
entry:
  %count.at = getelementptr i64, ptr %at, i64 2
  %count = load i64, ptr %count.at, align 8
  %pairs = getelementptr i64, ptr %at, i64 5
  %twice = shl i64 %count, 1
  %block = getelementptr i64, ptr %pairs, i64 %twice
  br label %point
point:
  %k = phi i64 [ 0, %entry ], [ %k.next, %put ]
  %more = icmp ult i64 %k, %count
  br i1 %more, label %put, label %done
put:
  %k.next = add i64 %k, 1
  %pair = shl i64 %k, 1
  %word.at = getelementptr i64, ptr %pairs, i64 %pair
  %word = load i64, ptr %word.at, align 8
  %number.at = getelementptr i64, ptr %word.at, i64 1
  %number = load i64, ptr %number.at, align 8
  %base.at = getelementptr i64, ptr %args, i64 %word
  %base = load i64, ptr %base.at, align 8
  %pointer = add i64 %base, %number
  %pointer.at = getelementptr i64, ptr %block, i64 %k
  store i64 %pointer, ptr %pointer.at, align 8
  br label %point
done:
  ret ptr %block
}}

define internal ptr @after(ptr %at, ptr %block) nounwind {{
  %words.at = getelementptr i64, ptr %at, i64 1
  %words = load i64, ptr %words.at, align 8
  %next = getelementptr i64, ptr %block, i64 %words
  ret ptr %next
}}

{in_turn}

{shared}
"""


def _each(name: str, arguments: str, tensors: int, run: str) -> str:
    """A function that runs every kernel, with the pointers put into its block."""
    return f"""define void @{name}({arguments}) nounwind {{
entry:
  %own.at = getelementptr i64, ptr %args, i64 {tensors + 1}
  store ptr %args, ptr %own.at, align 8
  %first = getelementptr i64, ptr %args, i64 {tensors + 2}
  br label %head
head:
  %at = phi ptr [ %first, %entry ], [ %next, %ran ]
  %kernel = load ptr, ptr %at, align 8
  %ended = icmp eq ptr %kernel, null
  br i1 %ended, label %done, label %run
run:
  %block = call ptr @point(ptr %args, ptr %at)
  %next = call ptr @after(ptr %at, ptr %block)
{run}
  br label %ran
ran:
  br label %head
done:
  ret void
}}"""


_BY_THREADS = """  %range.at = getelementptr i64, ptr %at, i64 3
  %range = load ptr, ptr %range.at, align 8
  %alone = icmp eq ptr %range, null
  br i1 %alone, label %whole, label %shared
whole:
  call void %kernel(ptr %block)
  br label %ran
shared:
  %its.at = getelementptr i64, ptr %at, i64 4
  %its = load i64, ptr %its.at, align 8
  %most = sext i32 %threads to i64
  %few = icmp slt i64 %its, %most
  %each = select i1 %few, i64 %its, i64 %most
  %count = trunc i64 %each to i32
  call void %share(ptr %range, ptr %block, i64 %its, i32 %count)"""
