"""Integers and booleans have no error: they are equal to golden or wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.base.dtypes import DType
from openaclnn.compare import standards
from openaclnn.compare.result import Comparison, Element, Figure, Verdict
from openaclnn.compare.sources import Source, common_shape

KEY, TITLE = "equal", "integers and booleans"


def judge(
    actual: Source, golden: Source, dtype: DType, standard: str | Sequence[str], worst: int
) -> Comparison:
    """The comparison; of the standards it is said that they have nothing to say."""
    if "float" in (dtype.kind, golden.dtype.kind):
        hint = "; if these are bit patterns, say of which type (dtype)" if _unsigned(dtype) else ""
        raise ValueError(
            f"{actual.name} has dtype {dtype}; expected {golden.dtype}, as {golden.name} has{hint}"
        )
    shape = common_shape([actual, golden])
    numel = differing = 0
    elements: list[Element] = []
    for a, g in zip(actual.walk(), golden.walk(), strict=True):
        wrong = np.flatnonzero(a != g)
        elements += _elements(wrong[: worst - len(elements)], numel, a, g, shape)
        numel += a.size
        differing += wrong.size
    figure = Figure("elements that differ", differing, "<=", 0)
    verdicts = [Verdict(KEY, TITLE, not differing, (figure,))]
    if not {standards.DEFAULT, "all"} & {*([standard] if isinstance(standard, str) else standard)}:
        note = f"says nothing about {dtype}"
        verdicts += [
            Verdict(s.key, s.title, None, (), note) for s in standards.choose(standard, True)
        ]
    return Comparison(
        dtype, golden.dtype, shape, numel, numel - differing, numel - differing, 0, 0,
        tuple(verdicts), tuple(elements),
    )  # fmt: skip


def _unsigned(dtype: DType) -> bool:
    return dtype.name.startswith("UINT") and dtype.bits > 8


def _elements(
    places: NDArray[Any], start: int, a: NDArray[Any], g: NDArray[Any], shape: tuple[int, ...]
) -> list[Element]:
    found = []
    for place in places.tolist():
        index = tuple(map(int, np.unravel_index(start + place, shape))) if shape else ()
        came, expected = int(a[place]), int(g[place])
        error = abs(came - expected)
        relative = error / abs(expected) if expected else float("inf")
        found.append(Element(index, came, expected, error, relative, error))
    return found
