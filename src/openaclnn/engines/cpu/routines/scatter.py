"""Scatters on host memory. Elements that replace others in place are copied by a kernel, where they
lie apart from these. All else is NumPy's: sums are added up in float64 where that loses nothing,
which the lowest bits of the terms tell; else exactly."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from openaclnn.base.dtypes import DType
from openaclnn.base.floating import plain_arithmetic
from openaclnn.base.tensors import View
from openaclnn.engines.cpu import compile
from openaclnn.engines.cpu.code import LoopCode, Value
from openaclnn.engines.cpu.routines import KernelRunner, Runner
from openaclnn.plan import RoutinePass
from openaclnn.spec.scatters import ADD, MULTIPLY, PUT, Scatter

Array = np.ndarray[Any, Any]
NAME = "openaclnn_kernel"
_WORDS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def runner(one: RoutinePass) -> ScatterRunner | PutRunner:
    assert isinstance(one.routine, Scatter)
    own, src, out = one.views[0], one.views[1], one.views[-1]
    in_place = one.places[0] == one.places[-1] and own is out
    if one.routine.kind == PUT and in_place and src.dtype is out.dtype and out.dtype.itemsize:
        return PutRunner(one)
    return ScatterRunner(one)


class PutRunner(KernelRunner):
    """Copies elements to where indices say, one after the other: the last of several stays. What is
    read must not share memory with what is written; `otherwise` is what runs then."""

    units, threaded = 1, False

    def __init__(self, one: RoutinePass) -> None:
        assert isinstance(one.routine, Scatter)
        self.otherwise: Runner | None = ScatterRunner(one)
        _, src, *indices, out = one.views
        count = len(indices)
        moves = [0] * len(src.shape)
        limits: list[int] = []
        kept: list[int] = []  # the tensors of indices, in the order of the dimensions they are for
        for dim, where in enumerate(one.routine.coordinates):
            if where >= 0:
                moves[where] += out.strides[dim] * out.dtype.itemsize
            else:
                kept.append(-1 - where)
                limits += out.shape[dim], out.strides[dim] * out.dtype.itemsize
        strides = [[step * src.dtype.itemsize for step in src.strides]]
        strides += [[step * indices[k].dtype.itemsize for step in indices[k].strides] for k in kept]
        strides.append(moves)
        dims = _merged(list(zip(src.shape, *strides, strict=True)))
        assert all(index.shape == src.shape for index in indices)
        self.places = [1, *(2 + k for k in kept), 2 + count]
        self.starts = [0] * len(self.places)
        rows = math.prod(dim[0] for dim in dims[:-1])
        outer = [number for dim in reversed(dims[:-1]) for number in dim]
        self.words = [rows, *limits, *dims[-1], len(dims) - 1, *outer]
        self.text = _put(out.dtype.itemsize, tuple(indices[k].dtype.bits for k in kept))

    @property
    def address(self) -> int:  # type: ignore[override]
        return compile.function(self.text, NAME)


def _merged(dims: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Dimensions as sizes and steps, neighbours that all walk as one being one; at least one."""
    found: list[tuple[int, ...]] = []
    for size, *steps in dims:
        if size == 1:
            continue
        if found and all(
            far == size * near for far, near in zip(found[-1][1:], steps, strict=True)
        ):
            found[-1] = (found[-1][0] * size, *steps)
        else:
            found.append((size, *steps))
    return found or [(1, *([0] * (len(dims[0]) - 1 if dims else 2)))]


@cache
@plain_arithmetic()
def _put(itemsize: int, bits: tuple[int, ...]) -> str:
    """The kernel that copies elements of so many bytes by indices of so many bits. Its block has
    the addresses of what is copied, of the indices and of the tensor; how many rows there are; for
    each tensor of indices a size and a step in the tensor; of a row its length and steps; and the
    dimensions of rows, the innermost first."""
    code = LoopCode(NAME, "ptr block, i64 first, i64 last")
    block, count, type = code.given["block"], len(bits), f"i{8 * itemsize}"
    at = [code.load(block, "ptr", k) for k in range(count + 2)]
    place = count + 2
    rows = code.load(block, "i64", place)
    limits = [
        (code.load(block, "i64", place + 1 + 2 * k), code.load(block, "i64", place + 2 + 2 * k))
        for k in range(count)
    ]
    place += 1 + 2 * count
    length, *steps = (code.load(block, "i64", place + k) for k in range(count + 3))
    place += count + 3
    dims = code.load(block, "i64", place)
    offsets = [code.variable(code.number(0)) for _ in at]
    left, far, inside = (code.variable(code.number(0)) for _ in range(3))

    def look(k: Value | int) -> None:
        """Where the indices of an element of a row say, and whether that is inside."""
        far.set(0)
        inside.set(1)
        for n, (size, step) in enumerate(limits):
            own = code.at(at[1 + n], offsets[1 + n].get() + steps[1 + n] * k)
            index = code.load(own, f"i{bits[n]}").to("i64")
            fine = (index >= code.number(0) - size) & (index < size)
            inside.set(inside.get() & fine.unsigned("i64"))
            index = code.chosen(index < 0, index + size, index)
            far.set(far.get() + index * step)

    def copy(k: Value | int) -> None:
        source = code.at(at[0], offsets[0].get() + steps[0] * k)
        target = code.at(at[-1], offsets[-1].get() + far.get() + steps[-1] * k)
        code.store(code.load(source, type), target)

    def one_by_one() -> None:
        with code.loop(code.number(0), length) as k:
            look(k)
            with code.when(inside.get() != 0):
                copy(k)

    def copied_alone() -> None:
        with code.loop(code.number(0), length) as k:
            copy(k)

    memcpy = code.printer.intrinsic("llvm.memcpy.p0.p0.i64", "void", "ptr, ptr, i64, i1")
    with code.loop(code.number(0), rows) as number:
        left.set(number)
        for offset in offsets:
            offset.set(0)
        with code.loop(code.number(0), dims) as dim:
            facts = dim * (count + 3) + (place + 1)
            size = code.load(block, "i64", facts)
            here = left.get() % size
            left.set(left.get() // size)
            for k, offset in enumerate(offsets):
                offset.set(offset.get() + here * code.load(block, "i64", facts + (1 + k)))
        same = code.number(1, "i1")
        for step in steps[1:-1]:
            same = same & (step == 0)
        with code.when(same, one_by_one):
            look(0)
            together = (steps[0] == itemsize) & (steps[-1] == itemsize)
            with code.when(inside.get() != 0), code.when(together, copied_alone):
                source = code.at(at[0], offsets[0].get())
                target = code.at(at[-1], offsets[-1].get() + far.get())
                given = f"ptr {target.name}, ptr {source.name}, i64 {(length * itemsize).name}"
                code.line(f"call void {memcpy}({given}, i1 false)")
    text = code.text()
    return code.declared + "\n" + text


class ScatterRunner:
    text = "; NumPy scatters: no kernel is compiled\n"
    otherwise: Runner | None = None

    def __init__(self, one: RoutinePass) -> None:
        assert isinstance(one.routine, Scatter)
        self.routine, self.views = one.routine, one.views

    def pack(self, addresses: Sequence[int], workspace: int) -> Any:
        return tuple(addresses)

    def run(self, packed: Any) -> None:
        views = self.views
        arrays = [seen(at, view) for at, view in zip(packed, views, strict=True)]
        own, src, *indices, out = arrays
        dtype, given = views[-1].dtype, views[1].dtype
        if np.may_share_memory(src, out):
            src = src.copy()
        here = packed[0] == packed[-1] and own.strides == out.strides
        places, there = self.places(out.shape, src.shape, indices)
        flat = None if there is None else there.ravel()
        if self.routine.kind == PUT and given is dtype:
            words = _WORDS[dtype.itemsize]
            if not here:
                out.view(words)[...] = own.view(words)
            values = src.view(words)
            if flat is None:
                lead = values.shape[: values.ndim - (out.ndim - len(places))]
                out.view(words)[tuple(np.broadcast_to(p, lead) for p in places)] = values
            else:
                values = values.ravel()[flat]
                out.view(words)[tuple(p.ravel()[flat] for p in places)] = values
            return
        whole = src.shape[len(src.shape) - (out.ndim - len(places)) :]  # copied as rows
        lead = src.shape[: src.ndim - len(whole)]
        before = own.copy()
        if not here:
            out[...] = own
        every = np.ones((), bool) if there is None else there
        taken = np.broadcast_to(every, lead).ravel()
        spread = tuple(np.broadcast_to(place, lead).ravel()[taken] for place in places)
        ids = np.ravel_multi_index(spread, out.shape[: len(places)])
        values = src.reshape(taken.size, -1)[taken]
        if ids.size and values.size:
            rows = before.reshape(-1, values.shape[1])
            found, made = self.made(ids, values, rows, dtype)
            where = np.unravel_index(found, out.shape[: len(places)])
            out[where] = made.reshape(found.size, *whole)

    def places(
        self, sizes: tuple[int, ...], shape: tuple[int, ...], indices: Sequence[Array]
    ) -> tuple[tuple[Any, ...], Array | None]:
        """Where elements go along every dimension, and which go anywhere; None: all."""
        found, there = [], None
        for dim, where in enumerate(self.routine.coordinates):
            if where >= 0:
                ones = [1] * len(shape)
                ones[where] = shape[where]
                found.append(np.arange(shape[where]).reshape(ones))
                continue
            index = indices[-1 - where]
            once = tuple(slice(0, 1) if step == 0 else slice(None) for step in index.strides)
            index = index[once].astype(np.int64)  # not what is only repeated
            inside = (index >= -sizes[dim]) & (index < sizes[dim])
            if not inside.all():
                there = inside if there is None else there & inside
            found.append(np.where(index < 0, index + sizes[dim], index))
        if there is not None:
            there = np.broadcast_to(there, shape)
            found = [np.broadcast_to(place, shape) for place in found]
        else:
            self.shorten(found, sizes, shape)
        return tuple(found), there

    def shorten(self, found: list[Any], sizes: tuple[int, ...], shape: tuple[int, ...]) -> None:
        """Whole dimensions at the end need no places: rows are copied at once."""
        rank, last = len(shape), len(sizes)
        while last > 1 and self.routine.coordinates[last - 1] == rank - 1:
            if shape[rank - 1] != sizes[last - 1] or sizes[last - 1] == 1:
                return
            others = [k for k, where in enumerate(self.routine.coordinates[: last - 1])]
            if any(np.shape(found[k])[-1:] not in ((), (1,)) and not self._same(found[k])
                   for k in others):  # fmt: skip
                return
            found.pop()
            for k in others:
                found[k] = found[k][..., 0]
            rank, last = rank - 1, last - 1

    @staticmethod
    def _same(place: Array) -> bool:
        """Whether places do not change along the last dimension."""
        return place.strides[-1] == 0 or bool((place == place[..., :1]).all())

    def made(self, ids: Array, values: Array, before: Array, dtype: DType) -> tuple[Array, Array]:
        """The places that change, and what is there then."""
        order = np.argsort(ids, kind="stable")
        ids, values = ids[order], values[order]
        starts = np.flatnonzero(np.r_[True, ids[1:] != ids[:-1]])
        found = ids[starts]
        if self.routine.kind == PUT:
            return found, values[np.r_[starts[1:], ids.size] - 1].astype(before.dtype)
        if self.routine.kind == MULTIPLY:
            total = before[found]
            counts = np.diff(np.r_[starts, ids.size])
            for turn in range(int(counts.max())):
                some = counts > turn
                total[some] *= values[starts[some] + turn].astype(total.dtype)
            return found, total
        assert self.routine.kind == ADD
        if before.dtype.kind in "iub":
            sums = np.add.reduceat(values.astype(np.int64), starts) + before[found].astype(np.int64)
            return found, (sums != 0) if before.dtype.kind == "b" else sums.astype(before.dtype)
        own = before[found].astype(np.float64)
        both = np.insert(values.astype(np.float64), starts, own, axis=0)
        return found, exact_sums(both, starts + np.arange(starts.size), before.dtype)


def exact_sums(terms: Array, starts: Array, dtype: Any) -> Array:
    """The sums of runs of rows, exact and rounded once."""
    with np.errstate(all="ignore"):
        sums = np.add.reduceat(terms, starts)
        sizes = np.add.reduceat(abs(terms), starts)
        mantissas, exponents = np.frexp(terms)
        digits = np.where(np.isfinite(terms), mantissas * 2.0**53, 0).astype(np.int64)
        lowest = np.where(digits == 0, np.inf, np.ldexp((digits & -digits) * 1.0, exponents - 53))
        fine = sizes <= np.minimum.reduceat(lowest, starts) * 2.0**52
    ends = np.r_[starts[1:], len(terms)]
    rest = np.zeros(sums.shape)
    for run, column in np.argwhere(~fine & np.isfinite(sizes)):
        some = terms[starts[run] : ends[run], column].tolist()
        sums[run, column] = math.fsum(some)
        rest[run, column] = math.fsum([*some, -sums[run, column]])
    return narrowed(sums + 0.0, rest, dtype)


def narrowed(sums: Array, rest: Array, dtype: Any) -> Array:
    """Numbers and the little that they are off as the nearest of a dtype."""
    if dtype == np.float64:
        return np.where(np.isnan(sums), np.nan, sums)
    # of two neighbours that with an odd last bit: what is rounded next rounds as the sum would
    toward = np.where(rest > 0, np.inf, -np.inf)
    even = (sums.view(np.int64) & 1) == 0
    odd = np.where((rest != 0) & even, np.nextafter(sums, toward), sums)
    with np.errstate(all="ignore"):
        single = odd.astype(np.float32)
        if dtype != np.float32:
            off = odd - single.astype(np.float64)
            even = (single.view(np.int32) & 1) == 0
            moved = np.nextafter(single, np.where(off > 0, np.inf, -np.inf).astype(np.float32))
            single = np.where((off != 0) & even & np.isfinite(off), moved, single)
        found = single.astype(dtype)
    found[np.isnan(single)] = np.nan
    return found


def seen(address: int, view: View) -> Array:
    """Host memory as an array; the address is that of the first element."""
    size = view.dtype.itemsize
    spans = [(n - 1) * s for n, s in zip(view.shape, view.strides, strict=True)]
    if view.numel == 0:
        return np.empty(view.shape, view.dtype.numpy)
    low = sum(span for span in spans if span < 0)
    count = sum(map(abs, spans)) + 1
    memory = (ctypes.c_char * (count * size)).from_address(address + low * size)
    flat = np.frombuffer(memory, view.dtype.numpy)  # type: ignore[call-overload]
    strides = [stride * size for stride in view.strides]
    return np.lib.stride_tricks.as_strided(flat[-low:], view.shape, strides)
