"""The CUDA engine's bits are the CPU engine's: every operator, dtype, level and layout."""

from __future__ import annotations

import itertools

import pytest

import cases
import comparison
from host_engines import CopyingEngine
from openaclnn.spec.op import Op

TYPES = [(op, types) for op in cases.operators() for types in cases.same_types(op)]
MIXED = [(op, types) for op in cases.operators() for types in cases.mixed_types(op)]
SOME = ("flat", "self turned", "output turned", "short odd rows", "one row")


def name(value: object) -> str:
    return value.name if isinstance(value, Op) else str(value)


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize(("op", "types"), TYPES, ids=name)
def test_every_layout(op: Op, types: cases.Types) -> None:
    numbers = itertools.count()
    for layout, level in itertools.product(cases.LAYOUTS, ("exact", "fast")):
        variant = next(numbers) % 3
        assert not comparison.differing(CopyingEngine(), op, types, layout, level, variant), (
            f"{layout}, {level}, variant {variant}"
        )


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize(("op", "types"), TYPES, ids=name)
def test_few_elements(op: Op, types: cases.Types) -> None:
    """By kernels that know no layout."""
    for layout in cases.LAYOUTS:
        assert not comparison.differing(CopyingEngine(), op, types, layout, "fast", few=True)


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize(("op", "types"), MIXED, ids=name)
def test_mixed_dtypes(op: Op, types: cases.Types) -> None:
    for layout in SOME:
        assert not comparison.differing(CopyingEngine(), op, types, layout, "exact"), layout
