"""Which cases a run has: what the user selects, else what tells most in two minutes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from openaclnn.base.settings import EXACT, LEVELS
from openaclnn.bench import layouts
from openaclnn.bench.cases import DTYPES, FROM_C, PHASES, SMALL, WAYS, Case, usual_level
from openaclnn.ops import by_default

USUAL = "usual"  # level: hardsigmoid and leaky relu exact, the others fast
LEVEL_CHOICES = (USUAL, *LEVELS)

_SIZES = tuple(2**k for k in (10, 16, 20, 24))
_LAYOUT_SIZES = (2**22,)
_ALL_SIZES = tuple(2**k for k in range(10, 27, 2))
_ALL_LAYOUT_SIZES = (2**16, 2**20, 2**24)
_OTHERS_SIZES = (2**10, 2**20)


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

    @property
    def usual(self) -> bool:
        """Whether nothing was left to one part of the tables."""
        return not (self.ops or self.dtypes or self.sizes or self.layouts or self.ways)


@dataclass(frozen=True)
class Job:
    """A case and whom to measure beside it."""

    case: Case
    against: tuple[str, ...]


def jobs(selection: Selection, installed: Sequence[str]) -> list[Job]:
    """Every case once, with all that it is measured against."""
    found: dict[Case, dict[str, None]] = {}
    for case, against in _cases(selection, installed):
        found.setdefault(case, {}).update(dict.fromkeys(against))
    return [Job(case, tuple(against)) for case, against in found.items()]


def _cases(chosen: Selection, installed: Sequence[str]) -> Iterator[tuple[Case, tuple[str, ...]]]:
    against = chosen.against or main_alternative(installed)
    ops = chosen.ops or tuple(by_default())
    dtypes = chosen.dtypes or DTYPES
    everything = chosen.everything
    sizes = chosen.sizes or (_ALL_SIZES if everything else _SIZES)
    if chosen.levels or chosen.layouts or chosen.ways:
        for layout in chosen.layouts or ("contiguous",):
            for way in chosen.ways or (PHASES,):
                for level in chosen.levels or (USUAL,):
                    yield from _with(against, _product(ops, dtypes, sizes, layout, level, way))
        return
    layout_sizes = chosen.sizes or (_ALL_LAYOUT_SIZES if everything else _LAYOUT_SIZES)
    yield from _with(against, _calls(ops, dtypes, sizes))
    yield from _with(against, _product(ops, dtypes, sizes, "contiguous", USUAL))
    yield from _with(against, _product(ops, dtypes, sizes, "contiguous", EXACT))
    for layout in layouts.ALL:
        if layout != "contiguous":
            yield from _with(against, _product(ops, dtypes, layout_sizes, layout, USUAL))
    if not chosen.against and "f32" in dtypes:
        others = tuple(name for name in installed if name not in (*against, "torch.compile"))
        for numel in chosen.sizes or _OTHERS_SIZES:
            yield from _with(others, _product(ops, ("f32",), (numel,), "contiguous", USUAL))


def main_alternative(installed: Sequence[str]) -> tuple[str, ...]:
    """PyTorch where it is installed, else NumPy, which always is."""
    return ("torch",) if "torch" in installed else ("numpy",)


def _with(
    against: tuple[str, ...], cases: Iterable[Case]
) -> Iterator[tuple[Case, tuple[str, ...]]]:
    return ((case, against) for case in cases)


def _calls(ops: Sequence[str], dtypes: Sequence[str], sizes: Sequence[int]) -> Iterator[Case]:
    """What the call itself costs, in every way of calling."""
    if SMALL in sizes and "f32" in dtypes:
        for way in WAYS:
            yield from _product(ops, ("f32",), (SMALL,), "contiguous", USUAL, way)


def _product(
    ops: Sequence[str],
    dtypes: Sequence[str],
    sizes: Sequence[int],
    layout: str,
    level: str,
    way: str = PHASES,
) -> Iterator[Case]:
    if way == FROM_C:  # the program knows no more than this
        dtypes = [dtype for dtype in dtypes if dtype == "f32"]
        sizes = sizes if layout == "contiguous" else ()
    for op in ops:
        named = usual_level(op) if level == USUAL else level
        for dtype in dtypes:
            yield from (Case(op, dtype, numel, layout, named, way) for numel in sizes)
