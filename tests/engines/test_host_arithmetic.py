"""A host that rounds its own way, flushes subnormals to zero or traps exceptions: results do not
change, nor does its setting."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from hashlib import sha256
from itertools import product
from typing import Any

import numpy as np
import pytest

import host_control
import openaclnn
from host_control import computing
from openaclnn.base import dtypes
from openaclnn.base.settings import LEVELS
from openaclnn.engines.cpu import threads
from subjects import Subject, all_subjects
from walks import operators

if not host_control.known():
    pytest.skip("the control word of this architecture is not known", allow_module_level=True)
DEVIATIONS = host_control.deviations()
ALL = [subject for name, subject in all_subjects().items() if name in operators("host arithmetic")]
SERIAL, SHARED = 1000, 100_000  # elements


def results(how: str, subject: Subject, inputs: list[Any], attributes: Any) -> bytes:
    """What a call gives in a thread of its own that computes in this way; OpenMP's workers are new
    there and take its setting over."""

    def work() -> bytes:
        with computing(how):
            found = subject.results(inputs, attributes)
        return b"".join(result.tobytes() for result in found)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(copy_context().run, work).result()


def operands(subject: Subject, dtype: str, count: int) -> list[Any]:
    """Numbers of every magnitude, subnormal ones among them, and where silu's slope underflows."""
    draw, kind = np.random.default_rng(5), dtypes.by_name(dtype)
    made = []
    for _ in range(subject.inputs):
        values = draw.normal(0, 1, count) * np.exp2(draw.integers(-140, 12, count))
        values[::7] = draw.uniform(-104, 5, len(values[::7]))
        if kind.kind == "int":
            values = draw.integers(0, 100, count)
        with np.errstate(all="ignore"):
            made.append(values.astype(kind.numpy))
    return made


@pytest.fixture
def two_threads() -> Iterator[None]:
    count = threads.get_num_threads()
    threads.set_num_threads(2)
    yield
    threads.set_num_threads(count)


@pytest.mark.usefixtures("two_threads")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("subject", ALL, ids=lambda subject: subject.op)
def test_the_hosts_setting_neither_matters_nor_changes(subject: Subject, level: str) -> None:
    for dtype, attributes in product(subject.dtypes, subject.attributes):
        inputs = operands(subject, dtype, SHARED if dtype == "f32" else SERIAL)
        with openaclnn.using(math=level):
            expected = results("plain", subject, inputs, attributes)
            for how in DEVIATIONS:
                found = results(how, subject, inputs, attributes)
                assert found == expected, (dtype, attributes, how)


def print_digests() -> None:
    """For a process of its own, which has called nothing: each way to compute has a child, which
    prints the digests of first calls in that way, then of the same calls in the plain one; of every
    third dtype of an operator, in turn."""
    floats = [
        (s, dtype)
        for turn, s in enumerate(ALL)
        for dtype in [d for d in s.dtypes if dtypes.by_name(d).kind != "int"][turn % 3 :: 3]
    ]
    inputs = {(s.op, dtype): operands(s, dtype, SERIAL) for s, dtype in floats}
    for how in ("plain", *DEVIATIONS):
        if child := os.fork():
            os.waitpid(child, 0)
            continue
        with computing(how):
            first = digests(inputs)
        print(json.dumps([how, first, digests(inputs)]), flush=True)
        os._exit(0)


def digests(inputs: dict[tuple[str, str], list[Any]]) -> dict[str, str]:
    found = {}
    for level, ((name, dtype), arrays) in product(LEVELS, inputs.items()):
        subject = all_subjects()[name]
        for attributes in subject.attributes:
            with openaclnn.using(math=level):
                given = subject.results(arrays, attributes)
            digest = sha256(b"".join(result.tobytes() for result in given))
            found[f"{name} {level} {dtype} {attributes}"] = digest.hexdigest()
    return found


@pytest.fixture(scope="module")
def of_first_calls() -> dict[str, list[dict[str, str]]]:
    """Two digests of every call, by the way in which the first ones were computed. One process
    imports everything for all of them: that takes it longer than the calls take a child."""
    source = f"import sys; sys.path[:0] = {sys.path!r}; import {__name__} as tests"
    done = subprocess.run(
        [sys.executable, "-c", f"{source}; tests.print_digests()"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    print(done.stderr)  # what became of a child that is missing
    return {how: found for how, *found in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("deviation", DEVIATIONS)
def test_what_a_first_call_computes_and_keeps_is_plain(
    deviation: str, of_first_calls: dict[str, list[dict[str, str]]]
) -> None:
    """Slopes, inverses, coefficients: all that Python computes for a kernel."""
    expected, _ = of_first_calls["plain"]
    first, later = of_first_calls[deviation]
    assert first == expected
    assert later == expected
