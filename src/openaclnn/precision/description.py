"""What users type to describe tensors: shapes, dtypes, and values given per argument by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from openaclnn.base import dtypes
from openaclnn.base.dtypes import DType
from openaclnn.precision.ulp import FORMATS

T = TypeVar("T")


def shape_of(text: str) -> tuple[int, ...]:
    """A shape as people write it; nothing between brackets is 0-D.

    >>> shape_of("128,1024"), shape_of("2x3x4"), shape_of("[5]"), shape_of("()")
    ((128, 1024), (2, 3, 4), (5,), ())
    """
    inner = text.strip().strip("[]()").strip()
    if not inner and text.strip():
        return ()
    parts = [part.strip() for part in re.split(r"[,x×]", inner.rstrip(","))]
    if not all(re.fullmatch(r"\d{1,18}", part) for part in parts):
        raise ValueError(f"{text!r} is no shape; expected sizes such as 128,1024 or (), for 0-D")
    return tuple(map(int, parts))


def float_dtype(text: str) -> DType:
    """One of the float types, in any spelling.

    >>> float_dtype("half"), float_dtype("bf16"), float_dtype("FLOAT")
    (FLOAT16, BF16, FLOAT)
    """
    dtype = FLOAT_ALIASES.get(text.lower()) or dtypes.by_name(text)
    if dtype not in FORMATS:
        known = ", ".join(d.short for d in FORMATS if d.short)
        raise ValueError(f"{text!r} is no float type; expected one of {known}")
    return dtype


FLOAT_ALIASES = {"half": dtypes.FLOAT16, "fp16": dtypes.FLOAT16, "fp32": dtypes.FLOAT}


def by_argument(
    given: Sequence[str], names: Sequence[str], read: Callable[[str], T], default: T
) -> dict[str, T]:
    """A value for every name, from texts `VALUE` (for all) and `NAME=VALUE` (for one).

    >>> by_argument(["2,3", "self=3"], ["grad_output", "self"], shape_of, ())
    {'grad_output': (2, 3), 'self': (3,)}
    """
    values = dict.fromkeys(names, default)
    for text in sorted(given, key=lambda text: "=" in text):  # those for all first
        name, equals, value = text.rpartition("=")
        if not equals:
            values = dict.fromkeys(names, read(text))
        elif name in values:
            values[name] = read(value)
        else:
            raise ValueError(f"there is no argument {name!r}; there are {', '.join(names)}")
    return values
