"""Scatters on host memory, by NumPy: elements are copied by their indices, and sums are added up in
float64 where that loses nothing, which the lowest bits of the terms tell; else exactly."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from openaclnn.base.dtypes import DType
from openaclnn.base.tensors import View
from openaclnn.plan import RoutinePass
from openaclnn.spec.scatters import ADD, MULTIPLY, PUT, Scatter

Array = np.ndarray[Any, Any]
_WORDS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def runner(one: RoutinePass) -> ScatterRunner:
    return ScatterRunner(one)


class ScatterRunner:
    text = "; NumPy scatters: no kernel is compiled\n"

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
