"""Sharing the units of a kernel among threads, by OpenMP's runtime if the system has it.

A forked child runs serially: OpenMP's threads do not survive a fork, and asking for new ones
there hangs. Several host threads may call at once: each gets a team of its own.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from operator import index
from typing import TYPE_CHECKING, Any

from openaclnn.base.fork_lock import fork_lock
from openaclnn.engines.cpu import compile

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

# kernel address, block or its address, units, threads
Run = Callable[[int, bytes | int, int, int], None]

_SHARE = """
declare i32 @omp_get_thread_num()
declare i32 @omp_get_num_threads()
declare void @GOMP_parallel(ptr, ptr, i32, i32)

define void @openaclnn_worker(ptr %work) nounwind {
  %kernel = load ptr, ptr %work, align 8
  %block.at = getelementptr i64, ptr %work, i64 1
  %block = load ptr, ptr %block.at, align 8
  %units.at = getelementptr i64, ptr %work, i64 2
  %units = load i64, ptr %units.at, align 8
  %me32 = call i32 @omp_get_thread_num()
  %all32 = call i32 @omp_get_num_threads()
  %me = sext i32 %me32 to i64
  %all = sext i32 %all32 to i64
  %next = add i64 %me, 1
  %before = mul i64 %units, %me
  %first = udiv i64 %before, %all
  %after = mul i64 %units, %next
  %last = udiv i64 %after, %all
  call void %kernel(ptr %block, i64 %first, i64 %last)
  ret void
}

define void @openaclnn_share(ptr %kernel, ptr %block, i64 %units, i32 %threads) nounwind {
  %work = alloca [3 x i64], align 8
  store ptr %kernel, ptr %work, align 8
  %block.at = getelementptr i64, ptr %work, i64 1
  store ptr %block, ptr %block.at, align 8
  %units.at = getelementptr i64, ptr %work, i64 2
  store i64 %units, ptr %units.at, align 8
  call void @GOMP_parallel(ptr @openaclnn_worker, ptr %work, i32 %threads, i32 0)
  ret void
}
"""

KERNEL = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
_SHARE_TYPE = ctypes.CFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int32
)


def _available() -> int:
    named = os.environ.get("OMP_NUM_THREADS", "").split(",")[0]
    if named.isascii() and named.isdigit() and int(named) > 0:
        return int(named)
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


_count = _available()
_forked = False


def _in_child() -> None:
    global _forked
    _forked = True


os.register_at_fork(after_in_child=_in_child)


def get_num_threads() -> int:
    """How many threads a large call is shared among."""
    return 1 if _forked else _count


def set_num_threads(count: int) -> None:
    """Share large calls among this many threads; the results do not depend on it."""
    global _count
    try:
        whole = index(count)
    except TypeError:
        raise TypeError(f"{count!r} is no number of threads; expected an integer") from None
    if whole < 1:
        raise ValueError(f"{whole} threads cannot work; expected at least 1")
    _count = whole


@cache
def sharer() -> Run:
    """The way to run a kernel on several threads here."""
    with fork_lock:
        try:
            runtime = ctypes.CDLL("libgomp.so.1", mode=ctypes.RTLD_GLOBAL)
            compile.define("GOMP_parallel", runtime.GOMP_parallel)
            compile.define("omp_get_thread_num", runtime.omp_get_thread_num)
            compile.define("omp_get_num_threads", runtime.omp_get_num_threads)
        except (OSError, AttributeError):
            return _share_in_python
        share = compile.function(_SHARE, "openaclnn_share")
    return _SHARE_TYPE(share)


def sharer_in_c() -> int | None:
    """The address of that way, where it is a function of C's."""
    found: Any = sharer()
    return None if found is _share_in_python else ctypes.cast(found, ctypes.c_void_p).value


@cache
def sharer_for_c() -> Any:
    """That way as a function that C can call."""
    found = sharer()
    return _SHARE_TYPE(found) if found is _share_in_python else found


@cache
def _pool() -> ThreadPoolExecutor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(thread_name_prefix="openaclnn")


def _share_in_python(kernel: int, block: bytes | int, units: int, threads: int) -> None:
    run: Any = KERNEL(kernel)
    edges = [units * part // threads for part in range(threads + 1)]
    parts, alone = [], edges[1]  # this thread runs what no other takes
    for first, last in reversed([*pairwise(edges[1:])]):
        try:
            parts.append(_pool().submit(run, block, first, last))
        except RuntimeError:  # the main thread has ended: Python starts no others now
            alone = last
            break
    run(block, 0, alone)
    for part in parts:
        part.result()
