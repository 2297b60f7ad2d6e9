"""A host that rounds its own way or flushes subnormals to zero: results do not change, nor does its
setting."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache, partial
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import host_control
import openaclnn
from host_control import computing
from openaclnn.base.settings import LEVELS
from openaclnn.engines.cpu import threads
from openaclnn.ops import measured
from samples import all_samples

if not host_control.known():
    pytest.skip("the control word of this architecture is not known", allow_module_level=True)
DEVIATIONS = host_control.deviations()
DTYPES = {"f16": np.float16, "f32": np.float32, "bf16": ml_dtypes.bfloat16}
COUNTS = {"serial": 5000, "shared": 100_000}


def results(how: str, call: Callable[..., Any], like: Any) -> bytes:
    """What a call writes in a thread of its own that computes in this way; OpenMP's workers are new
    there and take its setting over."""
    out = np.empty_like(like)

    def work() -> None:
        with computing(how):
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
            expected = results("plain", call, inputs[0])
            for deviation in DEVIATIONS:
                found = results(deviation, call, inputs[0])
                assert found == expected, (dtype, attributes, deviation)


def print_digests(deviation: str) -> None:
    """For a process of its own: digests of first calls under a deviation, then of the same calls
    without."""
    inputs = {(name, dtype): operands(name, dtype, 1000) for name in measured() for dtype in DTYPES}
    with computing(deviation):
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
    expected, _ = digests_after("plain")
    first, later = digests_after(deviation)
    assert first == expected
    assert later == expected
