"""Pictures of a record: cost per element and bandwidth over size; gains by layout."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from openaclnn.bench import summary
from openaclnn.bench.cases import DTYPES
from openaclnn.bench.record import OURS, Cell, Record, worst_runs
from openaclnn.bench.tables import LOSING, main

_OURS, _COPY, _GRID = "#c5221f", "#5f6368", "#dadce0"
_OTHERS = ("#1a73e8", "#188038", "#e8710a", "#9334e6", "#129eaf")
_LINES = {"f32": "-", "f16": "--", "bf16": ":"}
_MARKS = ("o", "s", "^", "D", "v", "P", "X")


def draw(path: Path, record: Record) -> None:
    """Contiguous cells: a column for each operator, time per element above, bandwidth below."""
    against = main(record)
    worst = worst_runs(record.cells, against) if against else record.cells
    cells = [cell for cell in worst if summary.contiguous(cell)]
    ops = sorted({cell.case.op for cell in cells})
    if not ops:
        raise ValueError("there is nothing to draw: no contiguous case was measured")
    figure, axes = _figure(len(ops))
    for column, op in enumerate(ops):
        some = [cell for cell in cells if cell.case.op == op]
        names = [OURS, *(name for name in record.alternatives if _widely(some, name))]
        for name, colour in zip(names, (_OURS, *_OTHERS), strict=False):
            _lines(axes[:, column], some, name, colour)
        _copy(axes[1, column], some)
        axes[0, column].set_title(f"{op} ({some[0].case.level})", fontsize=10)
    axes[0, 0].set_ylabel("ns per element")
    axes[1, 0].set_ylabel("GB/s")
    _finish(figure, axes, record)
    figure.savefig(path, format=path.suffix[1:] or "png")


def draw_layouts(path: Path, record: Record) -> None:
    """Other layouts: a row for each, a mark for each operator, size and dtype."""
    against = main(record)
    cells = [cell for cell in worst_runs(record.cells, against) if summary.other_layouts(cell)]
    if not cells:
        raise ValueError("there is nothing to draw: no other layout was measured")
    figure, axes = _figure(1, 1, (10, 5))
    panel = axes[0, 0]
    layouts = list(dict.fromkeys(cell.case.layout for cell in cells))
    ops = sorted({cell.case.op for cell in cells})
    for number, op in enumerate(ops):
        some = [cell for cell in cells if cell.case.op == op]
        panel.plot(
            [cell.ratio(against) for cell in some],
            [layouts.index(cell.case.layout) + _shift(number, len(ops)) for cell in some],
            linestyle="", marker=_MARKS[number % len(_MARKS)], markersize=5, alpha=0.75,
            color=(_OURS, *_OTHERS)[number % 6], label=op,
        )  # fmt: skip
    panel.axvline(1, color=_COPY, linewidth=1)
    panel.axvline(LOSING, color=_COPY, linewidth=0.8, linestyle=":")
    panel.set_xscale("log")
    panel.set_yticks(range(len(layouts)), layouts)
    panel.invert_yaxis()
    panel.set_xlabel(f"times faster than {against}; every operator, dtype and size is one mark")
    _plain_ticks(panel)
    figure.legend(loc="outside upper center", ncols=len(ops), frameon=False, fontsize=9)
    figure.savefig(path, format=path.suffix[1:] or "png")


def _figure(columns: int, rows: int = 2, size: tuple[float, float] | None = None) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size or (3.2 * columns + 0.6, 6.4), dpi=120, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(rows, columns, squeeze=False, sharex="col", sharey="row")
    for panel in axes.flat:
        panel.spines[["top", "right"]].set_visible(False)
        panel.grid(color=_GRID, linewidth=0.6)
        panel.set_axisbelow(True)
    return figure, axes


def _lines(panels: Sequence[Any], cells: list[Cell], name: str, colour: str) -> None:
    """Time per element and bandwidth of one side, a line for each dtype."""
    for dtype in DTYPES:
        some = sorted(
            (cell for cell in cells if cell.case.dtype == dtype and name in cell.times),
            key=lambda cell: cell.case.numel,
        )
        if not some:
            continue
        sizes = [cell.case.numel for cell in some]
        times = [cell.times[name].cost for cell in some]
        style = {
            "color": colour,
            "linestyle": _LINES.get(dtype, "-."),
            "linewidth": 1.4,
            "markersize": 3,
        }
        label = f"{name} {dtype}"
        panels[0].plot(
            sizes, [t / n * 1e9 for t, n in zip(times, sizes, strict=True)],
            marker="o", label=label, **style,
        )  # fmt: skip
        panels[1].plot(
            sizes, [c.bytes_moved / t / 1e9 for c, t in zip(some, times, strict=True)],
            marker="o", **style,
        )  # fmt: skip


def _copy(panel: Any, cells: list[Cell]) -> None:
    """The copy's bandwidth, where it was measured."""
    copied = summary.geometric_mean(cell.copied for cell in cells if cell.copied)
    if copied:
        panel.axhline(copied / 1e9, color=_COPY, linewidth=1, linestyle="-.", label="copy")


def _widely(cells: list[Cell], name: str) -> bool:
    """Whether a side was measured as widely as we were, so that its line says something."""
    sizes = {cell.case.numel for cell in cells}
    return 2 * len({cell.case.numel for cell in cells if name in cell.times}) > len(sizes)


def _finish(figure: Any, axes: Any, record: Record) -> None:
    from matplotlib.ticker import LogLocator

    for panel in axes.flat:
        panel.set_xscale("log", base=2)
        panel.set_yscale("log")
        _plain_ticks(panel, "y")
    for panel in axes[-1]:
        panel.set_xlabel("elements")
        panel.xaxis.set_major_locator(LogLocator(base=16))
    handles: dict[str, Any] = {}
    for panel in axes.flat:
        for handle, label in zip(*panel.get_legend_handles_labels(), strict=True):
            handles.setdefault(label, handle)
    figure.legend(
        handles.values(), handles.keys(), loc="outside upper center",
        ncols=min(len(handles), max(2, 7 * axes.shape[1] // 5)), frameon=False, fontsize=9,
    )  # fmt: skip
    machine = record.machine
    figure.supxlabel(f"{machine['cpu']}, threads: {machine['threads']}", fontsize=9, color=_COPY)


def _plain_ticks(panel: Any, axis: str = "x") -> None:
    """1, 10, 100 rather than powers of ten."""
    from matplotlib.ticker import FuncFormatter

    chosen = panel.xaxis if axis == "x" else panel.yaxis
    chosen.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


def _shift(number: int, of: int) -> float:
    """Where among its row an operator's marks stand."""
    return 0.5 * (number / max(of - 1, 1) - 0.5)
