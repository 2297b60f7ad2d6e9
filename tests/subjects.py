"""Operators to be called on any numbers: how, as their samples and rows say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import openaclnn
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
    """By name; twins in place and those with a number for a tensor compute the same."""
    sampled = [Subject(s.op, len(s.inputs), s.dtypes, s.attributes) for s in all_samples().values()]
    listed = [
        Subject(r.op, r.inputs, r.dtypes, r.attributes) for r in all_rows().values() if r.oracle
    ]
    return {subject.op: subject for subject in (*sampled, *listed)}
