"""The same inputs give the same bits: threads, layouts, sizes and neighbours do not count."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import openaclnn
from openaclnn.base.dtypes import DType
from openaclnn.base.settings import LEVELS
from openaclnn.golden.draws import Stream, draw, every_exponent, standard
from openaclnn.ops import by_default
from openaclnn.spec import describe
from openaclnn.spec.op import Op
from openaclnn.verify.batches import bits_of
from openaclnn.verify.points import special_values

ROWS, COLUMNS = 257, 300  # enough for threads, and no multiple of a vector
CASES = [
    (op, dtype, level)
    for op in by_default().values()
    for dtype in describe.dtypes(op)
    for level in LEVELS
]


@pytest.fixture(autouse=True)
def threads() -> Iterator[None]:
    before = openaclnn.get_num_threads()
    yield
    openaclnn.set_num_threads(before)


def numbers(op: Op, dtype: DType) -> list[np.ndarray[Any, Any]]:
    """A matrix per input: ordinary numbers, all binades, special ones and the root."""
    count = ROWS * COLUMNS
    found = []
    for argument in op.reads:
        stream = Stream(0, f"{op.name} {dtype} {argument.name}")
        values = draw(stream, count, dtype, standard, special=True)
        values[1::3] = draw(stream, count, dtype, every_exponent, special=False)[1::3]
        values[::97] = bits_of(-1.27846, dtype).view(dtype.numpy)[0]
        special = special_values(dtype).view(dtype.numpy)
        values[2 : 2 + 7 * special.size : 7] = special
        found.append(values.reshape(ROWS, COLUMNS))
    return found


def bits(array: Any) -> Any:
    return np.ascontiguousarray(array).view(f"u{array.dtype.itemsize}")


@pytest.mark.parametrize(
    ("op", "dtype", "level"), CASES, ids=[f"{o.name}-{d}-{v}" for o, d, v in CASES]
)
def test_same_bits(op: Op, dtype: DType, level: str) -> None:
    attributes = {"reduction": "sum", "beta": 0.7} if op.name.startswith("smooth") else {}
    function = getattr(openaclnn, op.name)

    def run(*inputs: Any) -> Any:
        with openaclnn.using(math=level):
            return bits(function(*inputs, **attributes))

    inputs = numbers(op, dtype)
    openaclnn.set_num_threads(2)
    expected = run(*inputs)
    for count in (1, 3):
        openaclnn.set_num_threads(count)
        assert np.array_equal(run(*inputs), expected), f"{count} threads"
    openaclnn.set_num_threads(2)
    assert np.array_equal(run(*(i.copy(order="F") for i in inputs)), expected), "all transposed"
    mixed = [inputs[0], *(i.copy(order="F") for i in inputs[1:])]
    assert np.array_equal(run(*mixed), expected), "one transposed"
    gaps = [np.repeat(i, 2, axis=1)[:, ::2] for i in inputs]
    assert np.array_equal(run(*gaps), expected), "every second element"
    backwards = [i[::-1, ::-1] for i in inputs]
    assert np.array_equal(run(*backwards)[::-1, ::-1], expected), "backwards"
    flat = [i.ravel() for i in inputs]
    for start, size in ((0, 1000), (517, 33), (4000, 17)):
        part = run(*(i[start : start + size] for i in flat))
        assert np.array_equal(part, expected.ravel()[start : start + size]), "a part, serially"
    for place in range(0, flat[0].size, 997):
        single = run(*(i[place : place + 1] for i in flat))
        assert single[0] == expected.ravel()[place], f"element {place} alone"
