"""The plot of a verification: the largest error over self, ours and PyTorch's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from openaclnn.base.settings import EXACT, FAST
from openaclnn.compare.plots import require_matplotlib
from openaclnn.verify.tally import BINADES, edges

_COLOURS = {"torch": "#e8710a", FAST: "#12a4af", EXACT: "#1a56c4"}
_NAMES = {EXACT: "level exact", FAST: "level fast", "torch": "PyTorch"}
_LOWEST, _HIGHEST = 0.05, 1e8  # smaller errors, and larger ones and NaN, are drawn here

Row = dict[str, Any]  # as Report.as_dict(profile=True) has it


def draw(path: Path, rows: Sequence[Row]) -> None:
    """One panel for every operator and dtype, operators below each other."""
    require_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    operators = list(dict.fromkeys(row["operator"] for row in rows))
    panels = {
        name: list(dict.fromkeys(row["dtype"] for row in rows if row["operator"] == name))
        for name in operators
    }
    across = max(map(len, panels.values()))
    figure = Figure(
        figsize=(1.2 + 5 * across, 0.7 + 3.1 * len(operators)), dpi=120, layout="constrained"
    )
    FigureCanvasAgg(figure)
    grid = figure.subplots(len(operators), across, squeeze=False)
    names: dict[str, Any] = {}
    for line, name in zip(grid, operators, strict=True):
        for axes, dtype in zip(line, panels[name], strict=False):
            chosen = [r for r in rows if (r["operator"], r["dtype"]) == (name, dtype)]
            _panel(axes, chosen, f"{name}, {dtype}")
            handles, labels = axes.get_legend_handles_labels()
            names.update(zip(labels, handles, strict=True))
        for axes in line[len(panels[name]) :]:
            axes.set_visible(False)
        line[0].set_ylabel("largest error, ULP")
    for axes in grid[-1]:
        axes.set_xlabel("self")
    order = [name for name in (*_NAMES.values(), *names) if name in names]
    order = list(dict.fromkeys(order))
    figure.legend(
        [names[name] for name in order], order, loc="outside upper center", ncols=len(names),
        frameon=False,
    )  # fmt: skip
    try:
        figure.savefig(path, format=path.suffix[1:] or "png")
    except (OSError, ValueError) as error:
        raise ValueError(f"the picture cannot be written to {path}: {error}") from None


def _panel(axes: Any, rows: Sequence[Row], title: str) -> None:
    lines = {row["level"]: row["over_self"] for row in rows}
    if rows[0]["same_kernel_at_both_levels"]:
        lines.pop(FAST if EXACT in lines else "", None)
    if rows[0]["torch"]:
        lines["torch"] = rows[0]["torch"]["over_self"]
    top = 1.0
    for who, colour in _COLOURS.items():
        if who in lines:
            heights = np.clip(lines[who], _LOWEST, _HIGHEST)
            top = max(top, float(heights.max()))
            axes.stairs(
                heights, edges(), baseline=None, color=colour,
                linewidth=1.6 if who == EXACT else 1.1, label=_NAMES[who],
            )  # fmt: skip
    limit = next((row["bound_ulp"] for row in rows if row["level"] == EXACT), None)
    if limit:
        axes.axhline(limit, color="#5f6368", linestyle=(0, (4, 3)), linewidth=1,
                     label=f"{limit:g} ULP")  # fmt: skip
    axes.set_title(title, fontsize=10, loc="left")
    axes.set_yscale("log")
    axes.set_ylim(_LOWEST / 1.3, max(top * 2, 20))
    smallest, largest = 2.0**BINADES.start, 2.0**BINADES.stop
    axes.set_xscale("symlog", base=2, linthresh=smallest, linscale=0.4)
    axes.set_xlim(-largest, largest)
    ticks = [2.0**b for b in (-6, -3, 0, 3, 6, 9)]
    ticks = [-t for t in reversed(ticks)] + ticks
    axes.set_xticks(ticks, [f"{t:g}" if abs(t) >= 1 else f"{'-' * (t < 0)}1/{1 / abs(t):g}"
                            for t in ticks], fontsize=8)  # fmt: skip
    axes.minorticks_off()
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)
