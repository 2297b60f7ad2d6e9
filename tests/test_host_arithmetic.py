"""A host that rounds its own way or flushes subnormals to zero: results do not change, nor does its
setting."""

from __future__ import annotations

import ctypes
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from functools import cache, partial
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import openaclnn
from openaclnn.base.settings import LEVELS
from openaclnn.engines.cpu import compile, threads
from openaclnn.ops import measured
from samples import all_samples

# Each architecture: how to exchange the word that controls arithmetic, the plain word, and the bits
# for each deviation from it
_X86 = """
declare void @llvm.x86.sse.stmxcsr(ptr)
declare void @llvm.x86.sse.ldmxcsr(ptr)
define i64 @openaclnn_exchange_control(i64 %new) {
  %word = alloca i32, align 4
  call void @llvm.x86.sse.stmxcsr(ptr %word)
  %old = load i32, ptr %word, align 4
  %short = trunc i64 %new to i32
  store i32 %short, ptr %word, align 4
  call void @llvm.x86.sse.ldmxcsr(ptr %word)
  %wide = zext i32 %old to i64
  ret i64 %wide
}
"""
_ARM = """
declare i64 @llvm.aarch64.get.fpcr()
declare void @llvm.aarch64.set.fpcr(i64)
define i64 @openaclnn_exchange_control(i64 %new) {
  %old = call i64 @llvm.aarch64.get.fpcr()
  call void @llvm.aarch64.set.fpcr(i64 %new)
  ret i64 %old
}
"""
CONTROLS = {
    "x86_64": (_X86, 0x1F80, {"flush": 0x8040, "down": 0x2000, "up": 0x4000, "cut": 0x6000}),
    "aarch64": (_ARM, 0, {"flush": 1 << 24, "up": 1 << 22, "down": 2 << 22, "cut": 3 << 22}),
}
_FLAGS = 0x3F  # of x86: what happened so far

if compile.architecture() not in CONTROLS:
    pytest.skip(f"no control word known for {compile.architecture()}", allow_module_level=True)
IR, PLAIN, DEVIATIONS = CONTROLS[compile.architecture()]
DTYPES = {"f16": np.float16, "f32": np.float32, "bf16": ml_dtypes.bfloat16}
COUNTS = {"serial": 5000, "shared": 100_000}


@contextmanager
def control(word: int) -> Iterator[None]:
    """This thread computes as the word says; it must still do so at the end."""
    address = compile.function(IR, "openaclnn_exchange_control")
    exchange = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(address)
    before = exchange(word)
    try:
        yield
    finally:
        after = exchange(before)
    assert after & ~_FLAGS == word & ~_FLAGS


def results(word: int, call: Callable[..., Any], like: Any) -> bytes:
    """What a call writes in a thread of its own that computes as the word says; OpenMP's workers
    are new there and take the word over."""
    out = np.empty_like(like)

    def work() -> None:
        with control(word):
            call(out=out)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(copy_context().run, work).result()
    return out.tobytes()


def operands(name: str, dtype: str, count: int) -> list[Any]:
    """Numbers of every magnitude, subnormal ones among them, and where silu's slope underflows."""
    draw = np.random.default_rng(5)
    made = []
    for _ in all_samples()[name].inputs:
        values = draw.normal(0, 1, count) * np.exp2(draw.integers(-140, 12, count))
        values[::7] = draw.uniform(-104, 5, len(values[::7]))
        with np.errstate(all="ignore"):
            made.append(values.astype(DTYPES[dtype]))
    return made


@pytest.fixture
def two_threads() -> Iterator[None]:
    count = threads.get_num_threads()
    threads.set_num_threads(2)
    yield
    threads.set_num_threads(count)


@pytest.mark.usefixtures("two_threads")
@pytest.mark.parametrize("count", COUNTS.values(), ids=COUNTS)
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", measured())
def test_the_hosts_setting_neither_matters_nor_changes(name: str, level: str, count: int) -> None:
    for dtype, attributes in product(DTYPES, all_samples()[name].attributes):
        inputs = operands(name, dtype, count)
        call = partial(getattr(openaclnn, name), *inputs, **attributes)
        with openaclnn.using(math=level):
            expected = results(PLAIN, call, inputs[0])
            for deviation, bits in DEVIATIONS.items():
                found = results(PLAIN | bits, call, inputs[0])
                assert found == expected, (dtype, attributes, deviation)


def print_digests(deviation: str) -> None:
    """For a process of its own: digests of first calls under a deviation, then of the same calls
    without."""
    inputs = {(name, dtype): operands(name, dtype, 1000) for name in measured() for dtype in DTYPES}
    with control(PLAIN | DEVIATIONS.get(deviation, 0)):
        first = digests(inputs)
    print(json.dumps([first, digests(inputs)]))


def digests(inputs: dict[tuple[str, str], list[Any]]) -> dict[str, str]:
    found = {}
    for level, (name, dtype) in product(LEVELS, inputs):
        for attributes in all_samples()[name].attributes:
            with openaclnn.using(math=level):
                result = getattr(openaclnn, name)(*inputs[name, dtype], **attributes)
            found[f"{name} {level} {dtype} {attributes}"] = sha256(result.tobytes()).hexdigest()
    return found


@cache
def digests_after(deviation: str) -> list[dict[str, str]]:
    source = f"import {__name__} as tests; tests.print_digests({deviation!r})"
    done = subprocess.run(
        [sys.executable, "-c", source], cwd=Path(__file__).parent, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, str]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("deviation", DEVIATIONS)
def test_what_a_first_call_computes_and_keeps_is_plain(deviation: str) -> None:
    """Slopes, inverses, coefficients: all that Python computes for a kernel."""
    expected, _ = digests_after("none")
    first, later = digests_after(deviation)
    assert first == expected
    assert later == expected
