"""Sorting on a GPU: a bitonic network over all rows at once, whose steps exchange pairs of keys and
places in the workspace. Keys that are equal are in the order of their places, so any network gives
the same."""

from __future__ import annotations

import math

from openaclnn.arithmetic.sorting import nan_key, sorting_key
from openaclnn.base.floating import plain_arithmetic
from openaclnn.engines.cuda.kernel import HEAD, NAME, Kernel, Parameter
from openaclnn.engines.cuda.routines.rows import rows_kernel, tree_function
from openaclnn.plan import RoutinePass
from openaclnn.spec.sorts import Sort, padded, rows_of

_BLOCK = 512
_ROOM = """
keys = room.to(tl.pointer_type(tl.int64))
places = keys + rows * size
"""


@plain_arithmetic()
def kernels(one: RoutinePass, arch: int) -> list[tuple[Kernel, tuple[int, ...]]]:
    routine = one.routine
    assert isinstance(routine, Sort)
    rows, count = rows_of(one.views[0], routine.dim)
    size, room = padded(count), len(one.views)
    numbers = {"rows": rows, "size": size}
    everything = (*range(room), room)
    key = tree_function("key", (sorting_key(one.dtypes[0], routine.descending),), arch)
    first = rows_kernel(one.views, 1, routine.dim, key, _ROOM + _KEYS, arch, numbers, room=True)
    exchanges = [
        (_exchange(rows, size, span, apart, arch), (room,))
        for span in (1 << bits for bits in range(1, size.bit_length()))
        for apart in (span >> bits for bits in range(1, span.bit_length()))
    ]
    shape = one.views[1].shape
    wanted = shape[routine.dim] if shape else 1
    last = rows_kernel(
        one.views, 1, routine.dim, "", _ROOM + _written(one, routine), arch,
        {**numbers, "wanted": wanted, "rank": routine.start}, room=True,
    )  # fmt: skip
    return [(first, everything), *exchanges, (last, everything)]


_KEYS = f"""
for start in range(0, size, {_BLOCK}):
    at = start + tl.arange(0, {_BLOCK}).to(tl.int64)
    x = tl.load(p0 + at * s0, mask=at < count, other=0)
    found = tl.where(at < count, key(x), tl.full((), -1, tl.int64))
    tl.store(keys + row * size + at, found, mask=at < size)
    tl.store(places + row * size + at, at, mask=at < size)
"""

_EXCHANGE = f"""
keys = p0.to(tl.pointer_type(tl.int64))
places = keys + rows * size
pair = tl.program_id(0).to(tl.int64) * {_BLOCK} + tl.arange(0, {_BLOCK})
inside = pair < rows * size // 2
low = pair // apart * 2 * apart + pair % apart
high = low + apart
a = tl.load(keys + low, mask=inside, other=0)
b = tl.load(keys + high, mask=inside, other=0)
c = tl.load(places + low, mask=inside, other=0)
d = tl.load(places + high, mask=inside, other=0)
smallest = tl.full((), -9223372036854775808, tl.int64)
after = ((a ^ smallest) > (b ^ smallest)) | ((a == b) & (c > d))
rising = (low % size) // span % 2 == 0
swap = after == rising
tl.store(keys + low, tl.where(swap, b, a), mask=inside)
tl.store(keys + high, tl.where(swap, a, b), mask=inside)
tl.store(places + low, tl.where(swap, d, c), mask=inside)
tl.store(places + high, tl.where(swap, c, d), mask=inside)
"""


def _exchange(rows: int, size: int, span: int, apart: int, arch: int) -> Kernel:
    """One step of the network: pairs `apart`, rising in every other `span`."""
    given = {"rows": rows, "size": size, "span": span, "apart": apart}
    body = "".join(f"    {line}\n" for line in _EXCHANGE.strip().splitlines())
    return Kernel(
        source=f"{HEAD}@triton.jit\ndef {NAME}(p0, {', '.join(given)}):\n{body}",
        pointers=("*i8",),
        uniforms=0,
        parameters=tuple(Parameter(name, "i64", value) for name, value in given.items()),
        arch=arch,
        warps=4,
        registers=0,
        programs=max(math.ceil(rows * size / 2 / _BLOCK), 1),
        alignable=(False,),
    )


def _written(one: RoutinePass, routine: Sort) -> str:
    lines = ["begin = tl.zeros((), tl.int64) + rank"]
    if routine.nan_wins and one.dtypes[0].kind == "float":
        nan = nan_key(one.dtypes[0], routine.descending)
        nan = nan - (1 << 64) if nan >> 63 else nan
        lines += [
            "nans = tl.zeros((), tl.int64)",
            f"for start in range(0, count, {_BLOCK}):",
            f"    at = start + tl.arange(0, {_BLOCK}).to(tl.int64)",
            "    found = tl.load(keys + row * size + at, mask=at < count, other=0)",
            f"    is_nan = (found == tl.full((), {nan}, tl.int64)) & (at < count)",
            "    nans += tl.sum(is_nan.to(tl.int64), 0)",
            "begin = tl.where(nans > 0, count - nans, begin)",
        ]
    lines += [
        f"for start in range(0, wanted, {_BLOCK}):",
        f"    at = start + tl.arange(0, {_BLOCK}).to(tl.int64)",
        "    place = tl.load(places + row * size + begin + at, mask=at < wanted, other=0)",
    ]
    if routine.values:
        bits = one.dtypes[1].bits
        lines += [
            "    value = tl.load(p0 + place * s0, mask=at < wanted, other=0)",
            f"    value = value.to(tl.int{bits}, bitcast=True)",
            "    tl.store(p1 + at * s1, value, mask=at < wanted)",
        ]
    if routine.places:
        k = len(one.views) - 1
        type = f"tl.int{one.dtypes[k].bits}"
        lines.append(f"    tl.store(p{k} + at * s{k}, place.to({type}), mask=at < wanted)")
    return "\n".join(lines)
