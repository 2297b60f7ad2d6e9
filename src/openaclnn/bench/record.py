"""What a run measured, and its JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, field
from pathlib import Path
from typing import Any

from openaclnn.base.records import dataclass
from openaclnn.bench.cases import Case
from openaclnn.bench.measuring import Times

OURS = "openaclnn"
FORMAT = 2  # of the JSON


@dataclass(frozen=True)
class Cell:
    """One case, measured: the times of ours, of the alternatives and of the copy by name."""

    case: Case
    times: dict[str, Times]
    bytes_moved: int
    product: str = ""
    copied: float = 0.0  # bytes a second that a copy would have moved beside the least disturbed
    # call of ours; 0 where it was not measured
    run: int = 0  # of several
    again: bool = False  # whether a first measurement was in doubt, and this one took longer

    @property
    def ours(self) -> Times:
        return self.times[OURS]

    @property
    def bandwidth(self) -> float:
        """Bytes a second."""
        return self.bytes_moved / self.ours.cost

    @property
    def share(self) -> float | None:
        """Of the copy's bandwidth."""
        return self.bandwidth / self.copied if self.copied else None

    def ratio(self, to: str) -> float | None:
        """How many times faster than an alternative."""
        if to not in self.times:
            return None
        return self.times[to].beside or self.times[to].cost / self.ours.cost

    @property
    def alternatives(self) -> list[str]:
        return [name for name in self.times if name != OURS]


@dataclass
class Record:
    """A whole run."""

    machine: dict[str, Any]
    cells: list[Cell] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)  # sentences
    failed: list[str] = field(default_factory=list)  # what should have worked
    interrupted: bool = False

    @property
    def alternatives(self) -> list[str]:
        """Those that were measured, PyTorch first where it is one of them."""
        names = dict.fromkeys(name for cell in self.cells for name in cell.alternatives)
        return sorted(names, key=lambda name: name != "torch")


def worst_runs(cells: Iterable[Cell], against: str) -> list[Cell]:
    """Of every case's runs the one with the lowest ratio, in the order of the cases."""
    return lowest(cells, lambda cell: cell.ratio(against))


def lowest(cells: Iterable[Cell], value: Callable[[Cell], float | None]) -> list[Cell]:
    """Of every case's runs the one with the lowest value, where it has one."""
    found: dict[Case, tuple[float, Cell]] = {}
    for cell in cells:
        one = value(cell)
        if one is not None and (cell.case not in found or one < found[cell.case][0]):
            found[cell.case] = one, cell
    return [cell for _, cell in found.values()]


def dumps(record: Record) -> str:
    return json.dumps({"format": FORMAT, **asdict(record)}, indent=1, ensure_ascii=False)


def load(path: Path) -> Record:
    """A record from its file; ValueError where it is none."""
    try:
        return loads(path.read_text())
    except (ValueError, KeyError, TypeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is no result of openaclnn bench --json ({error})") from None


def loads(text: str) -> Record:
    data = json.loads(text)
    if data.pop("format") != FORMAT:
        raise ValueError("it has another format")
    cells = [_cell(**cell) for cell in data.pop("cells")]
    return Record(**data, cells=cells)


def _cell(case: dict[str, Any], times: dict[str, dict[str, Any]], **rest: Any) -> Cell:
    return Cell(Case(**case), {name: Times(**taken) for name, taken in times.items()}, **rest)
