"""Compaction on a GPU (the positions of true elements, in order): one program, block after
block."""

from __future__ import annotations

from openaclnn.engines.cuda.kernel import Kernel
from openaclnn.engines.cuda.routines.rows import rows_kernel
from openaclnn.plan import RoutinePass

_BLOCK = 1024
_BODY = f"""
total = tl.zeros((), tl.int64)
for start in range(0, count, {_BLOCK}):
    at = start + tl.arange(0, {_BLOCK}).to(tl.int64)
    found = tl.load(p0 + at * s0, mask=at < count, other=0) != 0
    each = found.to(tl.int64)
    before = total + tl.cumsum(each, 0) - each
    tl.store(p1 + before * s1, at, mask=found)
    total += tl.sum(each, 0)
tl.store(p2, total)
"""


def kernels(one: RoutinePass, arch: int) -> list[tuple[Kernel, tuple[int, ...]]]:
    return [(rows_kernel(one.views, 1, 0, "", _BODY, arch), (0, 1, 2))]
