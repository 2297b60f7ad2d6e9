"""Operators to be called on any numbers: how, as their samples and rows say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

import openaclnn
from openaclnn.base import dtypes
from rows import all_rows
from samples import all_samples


@dataclass(frozen=True)
class Subject:
    """An operator that takes so many tensors of one shape and dtype."""

    op: str
    inputs: int
    dtypes: tuple[str, ...]
    attributes: tuple[Mapping[str, Any], ...]  # combinations to try

    def results(self, inputs: list[Any], attributes: Mapping[str, Any]) -> tuple[Any, ...]:
        """All that a call gives."""
        found = getattr(openaclnn, self.op)(*inputs, **attributes)
        return found if isinstance(found, tuple) else (found,)


@cache
def all_subjects() -> dict[str, Subject]:
    """By name; in-place variants and those with a number for a tensor compute the same."""
    sampled = [Subject(s.op, len(s.inputs), s.dtypes, s.attributes) for s in all_samples().values()]
    listed = [
        Subject(r.op, r.inputs, r.dtypes, r.attributes) for r in all_rows().values() if r.oracle
    ]
    return {subject.op: subject for subject in (*sampled, *listed)}


_FIELDS = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}  # exponent, fraction


def patterns(dtype: str, count: int, number: int) -> Any:
    """Numbers of a dtype by their bits, the same on every machine: any pattern in even places, in
    odd ones of floats magnitudes from 2⁻¹⁴ to 2⁷. Arrays of other numbers have other ones."""
    words = _mixed(np.arange(count, dtype=np.uint64) + np.uint64(number << 40))
    kind = dtypes.by_name(dtype).numpy
    found = (words >> np.uint64(64 - 8 * kind.itemsize)).astype(f"u{kind.itemsize}")
    if dtype == "bool":
        found &= 1
    if dtype in _FIELDS:
        exponent, fraction = _FIELDS[dtype]
        highest = (1 << (exponent - 1)) - 1 + 7
        keep = np.array((1 << (exponent + fraction)) | ((1 << fraction) - 1), found.dtype)
        moderate = (np.uint64(highest) - words % np.uint64(22)) << np.uint64(fraction)
        found[1::2] = (found & keep | moderate.astype(found.dtype))[1::2]
    return found.view(kind)


def _mixed(words: Any) -> Any:
    """Each scrambled, by shifts and products that can be undone."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor)
    return words ^ (words >> np.uint64(31))
