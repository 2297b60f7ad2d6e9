"""Parameters of generic tests: every operator, alone or with each dtype that it takes; and how many
examples are drawn."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

import pytest
from hypothesis import settings

from openaclnn.base.dtypes import FLOAT
from openaclnn.ops import all_ops, of_each_kind
from openaclnn.spec.formula import words_of
from openaclnn.spec.op import REQUIRED, Op
from openaclnn.spec.sample import sample_call
from openaclnn.spec.steps import elementwise
from rows import all_rows
from samples import ANY_FLOAT, Samples, all_samples

_of_each_kind = cache(of_each_kind)  # 7 ms, and a module asks for each of its tests
Test = TypeVar("Test", bound=Callable[..., Any])

ALL = list(all_samples().values())

every_sampled_op = pytest.mark.parametrize("samples", ALL, ids=lambda samples: samples.op)
every_broadcasting_op = pytest.mark.parametrize(
    "samples", [s for s in ALL if s.broadcasts_on], ids=lambda samples: samples.op
)


@cache
def stand_ins() -> list[Samples]:
    """Of each kind of elementwise operators one, with what tests of calls need to know of it: those
    with samples, and others by their rows."""
    others = [
        Samples(
            op=name,
            inputs=tuple(a.name for a in op.reads),
            output=op.outputs[0].name,
            oracle=_unknown,
            exact=_unknown,
            edges=all_rows()[name].edges,
            hard=(),
            known=(),
            calls=(),
            takes=_unknown,
            dtypes=tuple(d for d in all_rows()[name].dtypes if d in ANY_FLOAT),
            attributes=all_rows()[name].attributes,
            plain=op.defaults,
            unread=tuple(a.name for a in op.inputs if not a.read),
        )
        for name, op in _of_each_kind().items()
        if name in all_rows() and "f32" in all_rows()[name].dtypes and _is_plain(op)
    ]
    return [*ALL, *others]


def _is_plain(op: Op) -> bool:
    """Whether it needs nothing but tensors of one shape, and gives one of that and their dtype."""
    if op.steps is not elementwise or len(op.outputs) > 1 or op.in_place or op.by_default:
        return False
    if any(a.many or a.optional for a in op.inputs):
        return False
    if any(a.optional or a.default is REQUIRED for a in op.attributes):
        return False
    if any(word.startswith("fold") for tree in op.expressions for word in words_of(tree)):
        return False
    call = sample_call(op, (FLOAT,), (2, 3))
    return [(meta.shape, meta.dtype) for meta in call.results] == [((2, 3), FLOAT)]


def _unknown(*_: Any, **__: Any) -> Any:
    raise AssertionError("only operators with samples say so")


_AT_ONCE = 5


def every_op(test: Test) -> Test:
    """A test of any elementwise operator runs on five, which are others for every test, so that all
    kinds have their turns; on a nightly run on all."""
    pool = stand_ins()
    if not nightly():
        first = zlib.crc32(test.__name__.encode())
        sampled, others = ALL, pool[len(ALL) :]
        pool = [sampled[(first + k) % len(sampled)] for k in range(2)]
        pool += [others[(first + 7 * k) % len(others)] for k in range(_AT_ONCE - 2)]
    return pytest.mark.parametrize("samples", pool, ids=lambda samples: samples.op)(test)


def every_op_in(*dtypes: str) -> pytest.MarkDecorator:
    """Each operator with each of these dtypes that its inputs may have."""
    rows: list[tuple[Samples, str]] = [(s, d) for s in ALL for d in dtypes if d in s.dtypes]
    return pytest.mark.parametrize(
        ("samples", "dtype"), rows, ids=[f"{samples.op}-{dtype}" for samples, dtype in rows]
    )


A_DAY = 64  # operators of a walk, at most


@cache
def operators(walk: str = "", most: int = A_DAY) -> dict[str, Op]:
    """Those that stand for all, for tests that take their time with each: however many operators
    there are, no more than so many, other ones for every walk. On a nightly run all."""
    if nightly():
        return all_ops()
    standing = {name: op for name, op in _of_each_kind().items() if op.by_default}
    others = [name for name in _of_each_kind() if name not in standing]
    share = -(-len(others) // (most - len(standing)))
    chosen = {*standing, *others[zlib.crc32(walk.encode()) % share :: share]}
    return {name: op for name, op in _of_each_kind().items() if name in chosen}


def nightly() -> bool:
    return settings.get_current_profile_name() == "nightly"


def in_turn(values: Sequence[Any], turn: int, of: int) -> list[Any]:
    """One of so many values, others at every turn; on a nightly run all."""
    return list(values) if nightly() else list(values[turn % of :: of])


def examples(count: int) -> settings:
    """So many examples of a test, the same on every run; of a nightly run ten times as many, and
    others each time."""
    return settings(max_examples=10 * count if nightly() else count)
