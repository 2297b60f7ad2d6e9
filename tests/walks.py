"""Parameters of generic tests: every operator, alone or with each dtype that it takes; and how many
examples are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import pytest
from hypothesis import settings

from openaclnn.ops import all_ops, of_each_kind
from openaclnn.spec.op import Op
from samples import Samples, all_samples

ALL = list(all_samples().values())

every_op = pytest.mark.parametrize("samples", ALL, ids=lambda samples: samples.op)
every_broadcasting_op = pytest.mark.parametrize(
    "samples", [s for s in ALL if s.broadcasts_on], ids=lambda samples: samples.op
)


def every_op_in(*dtypes: str) -> pytest.MarkDecorator:
    """Each operator with each of these dtypes that its inputs may have."""
    rows: list[tuple[Samples, str]] = [(s, d) for s in ALL for d in dtypes if d in s.dtypes]
    return pytest.mark.parametrize(
        ("samples", "dtype"), rows, ids=[f"{samples.op}-{dtype}" for samples, dtype in rows]
    )


def operators() -> dict[str, Op]:
    """Those that stand for all, for tests that take their time with each; on a nightly run all."""
    return all_ops() if _nightly() else _of_each_kind()


_of_each_kind = cache(of_each_kind)  # 7 ms, and a module asks for each of its tests


def _nightly() -> bool:
    return settings.get_current_profile_name() == "nightly"


def in_turn(values: Sequence[Any], turn: int, of: int) -> list[Any]:
    """One of so many values, others at every turn; on a nightly run all."""
    return list(values) if _nightly() else list(values[turn % of :: of])


def examples(count: int) -> settings:
    """So many examples of a test, the same on every run; of a nightly run ten times as many, and
    others each time."""
    return settings(max_examples=10 * count if _nightly() else count)
