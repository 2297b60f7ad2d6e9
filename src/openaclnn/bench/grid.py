"""Which cases a run has: those that the user selects, else a selection that takes about two
minutes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from math import prod

from openaclnn.base.records import dataclass
from openaclnn.base.settings import EXACT, LEVELS
from openaclnn.bench import cases, layouts
from openaclnn.bench.cases import (
    FROM_C,
    NEW,
    PHASES,
    REPEATED_FROM_C,
    SMALL,
    WAYS,
    Case,
    usual_level,
)
from openaclnn.ops import by_default, find

USUAL = "usual"  # level: exact where that costs nothing, else fast
LEVEL_CHOICES = (USUAL, *LEVELS)

_SIZES = tuple(2**k for k in (10, 16, 20, 24))
_LAYOUT_SIZES = (2**22,)
_ALL_SIZES = tuple(2**k for k in range(10, 27, 2))
_ALL_LAYOUT_SIZES = (2**16, 2**20, 2**24)
_OTHERS_SIZES = (2**10, 2**20)
_LEAST, _MOST = 10_000, 20_000_000  # elements of random shapes


@dataclass(frozen=True)
class Selection:
    """What to measure; empty means the usual."""

    ops: tuple[str, ...] = ()
    dtypes: tuple[str, ...] = ()
    sizes: tuple[int, ...] = ()
    layouts: tuple[str, ...] = ()
    ways: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    everything: bool = False  # sizes and layouts for the results page: a quarter of an hour
    random: int = 0  # so many cases in random shapes, drawn from the others by this seed
    seed: int = 0


@dataclass(frozen=True)
class Job:
    """A case and whom to measure beside it."""

    case: Case
    against: tuple[str, ...]


Cases = Iterator[tuple[Case, tuple[str, ...]]]


def jobs(selection: Selection, installed: Sequence[str]) -> list[Job]:
    """Every case once, with all that it is measured against."""
    if selection.random:
        return _random_jobs(selection, installed)
    found: dict[Case, dict[str, None]] = {}
    for op in selection.ops or by_default():
        for case, against in _cases(op, selection, installed):
            found.setdefault(case, {}).update(dict.fromkeys(against))
    return [Job(case, tuple(against)) for case, against in found.items()]


def _random_jobs(chosen: Selection, installed: Sequence[str]) -> list[Job]:
    """Operators, dtypes, levels, shapes and dimensions drawn at random."""
    found = []
    for number in range(chosen.random):
        chance = random.Random(f"{chosen.seed}.{number}")
        op = find(chance.choice(chosen.ops or tuple(by_default())))
        dtype = chance.choice(chosen.dtypes or cases.dtypes(op.name))
        level = chance.choice(chosen.levels or LEVELS)
        numel = int(_LEAST * (_MOST / _LEAST) ** chance.random())
        shape = layouts.random_shape(chance, op, numel)
        level = usual_level(op.name) if level == USUAL else level
        numel = prod(layouts.named_shape(shape))
        against = chosen.against or main_alternative(op.name, installed)
        found.append(Job(Case(op.name, dtype, numel, shape, level), against))
    return found


def main_alternative(op: str, installed: Sequence[str]) -> tuple[str, ...]:
    """PyTorch where it is installed and has the operator, else NumPy, which always is."""
    return ("torch",) if "torch" in installed and find(op).torch else ("numpy",)


def _cases(op: str, chosen: Selection, installed: Sequence[str]) -> Cases:
    against = chosen.against or main_alternative(op, installed)
    dtypes = chosen.dtypes or cases.dtypes(op)
    everything = chosen.everything
    sizes = chosen.sizes or (_ALL_SIZES if everything else _SIZES)
    if chosen.levels or chosen.layouts or chosen.ways:
        for layout in chosen.layouts or ("contiguous",):
            for way in chosen.ways or (PHASES,):
                for level in chosen.levels or (USUAL,):
                    yield from _product(against, op, dtypes, sizes, layout, level, way)
        return
    main = cases.main_dtype(find(op)).short
    if SMALL in sizes and main in dtypes:  # what the call itself costs
        for way in WAYS:
            yield from _product(against, op, (main,), (SMALL,), way=way)
    yield from _product(against, op, dtypes, sizes)
    yield from _product(against, op, dtypes, sizes, level=EXACT)
    layout_sizes = chosen.sizes or (_ALL_LAYOUT_SIZES if everything else _LAYOUT_SIZES)
    for name, found in layouts.ALL.items():
        if found.usual and name != "contiguous":
            yield from _product(against, op, dtypes, layout_sizes, name)
    if not chosen.against and main in dtypes:
        others = tuple(
            name for name in installed if name not in (*against, "torch", "torch.compile")
        )
        yield from _product(others, op, (main,), chosen.sizes or _OTHERS_SIZES)


def _product(
    against: tuple[str, ...],
    op: str,
    dtypes: Sequence[str],
    sizes: Sequence[int],
    layout: str = "contiguous",
    level: str = USUAL,
    way: str = PHASES,
) -> Cases:
    if way in (FROM_C, REPEATED_FROM_C, NEW) and layout != "contiguous":  # they know no other
        return
    named = usual_level(op) if level == USUAL else level
    if shape := layouts.named_shape(layout):
        sizes = (prod(shape),)
    for dtype in dtypes:
        yield from ((Case(op, dtype, n, layout, named, way), against) for n in sizes)
