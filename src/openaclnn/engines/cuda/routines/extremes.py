"""Running extremes and their positions on a GPU: a program for each row, block after block."""

from __future__ import annotations

from openaclnn.arithmetic.sorting import extreme_key
from openaclnn.base.floating import plain_arithmetic
from openaclnn.engines.cuda.kernel import Kernel
from openaclnn.engines.cuda.routines.rows import rows_kernel, tree_function
from openaclnn.plan import RoutinePass
from openaclnn.spec.scans import RunningExtremes

_BLOCK = 256
_LATER = """@triton.jit
def later(a, i, b, j):
    wins = b >= a
    return tl.where(wins, b, a), tl.where(wins, j, i)


"""


@plain_arithmetic()
def kernels(one: RoutinePass, arch: int) -> list[tuple[Kernel, tuple[int, ...]]]:
    assert isinstance(one.routine, RunningExtremes)
    tree = extreme_key(one.dtypes[0], one.routine.largest)
    functions = tree_function("key", (tree,), arch) + _LATER
    bits, place = one.dtypes[1].bits, one.dtypes[2].bits
    body = f"""
best = tl.full((), -9223372036854775808, tl.int64)
place = tl.zeros((), tl.int64)
for start in range(0, count, {_BLOCK}):
    at = start + tl.arange(0, {_BLOCK}).to(tl.int64)
    x = tl.load(p0 + at * s0, mask=at < count, other=0)
    own = tl.where(at < count, key(x), tl.full((), -9223372036854775808, tl.int64))
    own = tl.where(at == start, tl.maximum(own, best), own)
    from_before = (at == start) & (key(x) < best)
    here = tl.where(from_before, place, at)
    own, here = tl.associative_scan((own, here), 0, later)
    value = tl.load(p0 + here * s0, mask=at < count, other=0).to(tl.int{bits}, bitcast=True)
    tl.store(p1 + at * s1, value, mask=at < count)
    tl.store(p2 + at * s2, here.to(tl.int{place}), mask=at < count)
    last = tl.minimum(count - start, {_BLOCK}) - 1 + start
    best = tl.max(tl.where(at == last, own, tl.full((), -9223372036854775808, tl.int64)), 0)
    place = tl.max(tl.where(at == last, here, 0), 0)
"""
    return [(rows_kernel(one.views, 1, one.routine.dim, functions, body, arch), (0, 1, 2))]
