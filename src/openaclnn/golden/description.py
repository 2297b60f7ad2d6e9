"""What users type to describe tensors: shapes, dtypes, and values given per argument by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TypeVar

from openaclnn.base import dtypes
from openaclnn.base.dtypes import DType

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


def real_dtype(text: str) -> DType:
    """One of the types of real numbers, in any spelling.

    >>> real_dtype("half"), real_dtype("bf16"), real_dtype("FLOAT"), real_dtype("int8")
    (FLOAT16, BF16, FLOAT, INT8)
    """
    dtype = FLOAT_ALIASES.get(text.lower()) or dtypes.by_name(text)
    if dtype.kind not in ("float", "int", "bool"):
        known = ", ".join(d.short for d in dtypes.ALL if d.kind in ("float", "int", "bool"))
        raise ValueError(f"{text!r} is no type of real numbers; expected one of {known}")
    return dtype


FLOAT_ALIASES = {"half": dtypes.FLOAT16, "fp16": dtypes.FLOAT16, "fp32": dtypes.FLOAT}


def said(
    given: Sequence[str], names: Sequence[str], read: Callable[[str], T]
) -> tuple[T | None, dict[str, T]]:
    """What texts `VALUE` (for all) and `NAME=VALUE` (for one) say: for all, or None, and by name.

    >>> said(["2,3", "self=3"], ["grad_output", "self"], shape_of)
    ((2, 3), {'self': (3,)})
    """
    for_all, by_name = None, {}
    for text in given:
        name, equals, value = text.rpartition("=")
        if not equals:
            for_all = read(text)
        elif name in names:
            by_name[name] = read(value)
        else:
            raise ValueError(f"there is no argument {name!r}; there are {', '.join(names)}")
    return for_all, by_name
