"""Values of numeric attributes to test: hard ones and random ones of all sizes.

Hard: the reciprocal rounds badly, no float type has the number, or its size is extreme. Operators
whose proof names the attributes to try are left alone here: their figures are those of the proof.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

from openaclnn.base.dtypes import DType, integers
from openaclnn.golden.draws import Stream
from openaclnn.spec.op import Op
from openaclnn.verify.form import numbers_of

HARD = (
    *(3.0, 7.0, 10.0, 41.0, 49.0, 100.0, 255.0, 1 / 3, 0.1, 0.7, 1.4736, 1e-3, 0.044715),
    *(-1.0, -0.3, -3.0, 0.0, 1.0, 2.0, 0.5, 6.0, 5e-8, 1e-30, 1e30, 3e38, -1e-40, 65504.0),
)
_RANDOM = 16

Row = Mapping[str, Any]


def rows(op: Op, dtype: DType, seed: int = 0, random: int = _RANDOM) -> Iterator[Row]:
    """Numbers for all attributes that are such, whether the operator takes them or not: the first
    has every hard one in turn."""
    names = [a.name for a in numbers_of(op)]
    if not names:
        return
    for turn in range(len(HARD) + random):
        stream = Stream(seed, f"{op.name} {dtype} numbers {turn}")
        row = {name: _number(stream, place) for place, name in enumerate(names)}
        if turn < len(HARD):
            row[names[0]] = HARD[turn]
        yield row if dtype.kind == "float" else {n: _whole(v, dtype) for n, v in row.items()}
        if dtype.kind != "float":
            yield row  # where integers are computed as floats


def _number(stream: Stream, place: int) -> float:
    """A hard number, or one of ordinary or any size."""
    kind, which = (int(word) for word in stream.words(2, 2 * place))
    uniform, sign = (float(number) for number in stream.uniform(2, 2 * place + 1))
    signed = math.copysign(1.0, sign - 0.3)
    if kind % 3 == 0:
        return HARD[which % len(HARD)]
    reach = 4.0 if kind % 3 == 1 else 126.0
    return signed * math.ldexp(1 + (which % 2**40) * 2.0**-40, int(reach * (2 * uniform - 1)))


def _whole(value: float, dtype: DType) -> int:
    held = integers(dtype)
    return min(max(int(value), held[0]), held[-1])


def edges(op: Op, row: Row) -> tuple[float, ...]:
    """Inputs beside which something may happen for these numbers: the numbers, their quotients and
    products."""
    numbers = [float(row[a.name]) for a in numbers_of(op) if a.name in row]
    found = [*numbers, *(1 / n for n in numbers if n)]
    for a, b in permutations(numbers, 2):
        found += [a * b, *([a / b] if b else [])]
    return tuple(dict.fromkeys(n for n in found if math.isfinite(n)))
