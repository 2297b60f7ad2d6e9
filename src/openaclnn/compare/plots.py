"""The plot of a comparison: errors against magnitude and against position."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.compare.profile import ERROR_EDGES, MAGNITUDE_EDGES, POSITIONS, Profile
from openaclnn.compare.result import Comparison
from openaclnn.truth.double_double import Floats

_DENSITY = ("#c6dbef", "#6baed6", "#2171b5", "#08306b")  # few to many; one element shows too
_PEAK, _LIMIT = "#b3261e", "#3c4043"


def require_matplotlib() -> None:
    """Say at once, before a long work, that the picture cannot be drawn."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ValueError(
            "drawing needs matplotlib, which is not installed: pip install matplotlib"
        ) from None


def draw(path: Path, profile: Profile, result: Comparison) -> None:
    """Write a picture with two panels: error against |golden| and error against position."""
    require_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.colors import LogNorm
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 5), dpi=130, layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2, sharey=True)
    limit = next((v.figures[-1].limit for v in result.verdicts if v.standard == "ulp"), None)
    rows = _used(profile.by_position.sum(axis=0))
    columns = _used(profile.by_magnitude.sum(axis=1))
    most = max(profile.by_magnitude.max(initial=0), profile.by_position.max(initial=0))
    norm = LogNorm(1, max(10, int(most)))
    magnitudes = 2.0 ** MAGNITUDE_EDGES[columns.start : columns.stop + 1]
    positions = np.arange(POSITIONS + 1) * (max(profile.numel, 1) / POSITIONS)
    by_magnitude, peaks = profile.by_magnitude[columns], profile.magnitude_peaks[columns]
    _panel(left, magnitudes, by_magnitude[:, rows], peaks, rows, limit, norm)
    mesh = _panel(
        right, positions, profile.by_position[:, rows], profile.position_peaks, rows, limit, norm
    )
    left.set_xscale("log", base=2)
    left.set_xlabel("|golden|")
    left.set_ylabel(f"error, ULP of {result.dtype}")
    right.set_xlabel("position (flat index)")
    right.ticklabel_format(axis="x", style="plain", useOffset=False)
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper right", ncols=2, frameon=False, fontsize=9)
    figure.colorbar(mesh, ax=right, label="elements", pad=0.01)
    shape = "×".join(map(str, result.shape)) or "0-D"
    figure.suptitle(
        f"{result.dtype} {shape} against golden in {result.golden_dtype}: "
        f"{result.equal:,} of {result.numel:,} elements equal"
        + (
            f", {result.mismatched:,} mismatched NaN or inf (not drawn)"
            if result.mismatched
            else ""
        ),
        fontsize=11,
        x=0.01,
        ha="left",
    )
    try:
        figure.savefig(path, format=path.suffix[1:] or "png")
    except (OSError, ValueError) as error:
        raise ValueError(f"the picture cannot be written to {path}: {error}") from None


def _used(counts: NDArray[np.int64]) -> slice:
    """The stretch of bins that hold anything."""
    filled = np.flatnonzero(counts)
    return slice(int(filled[0]), int(filled[-1]) + 1) if filled.size else slice(0, 1)


def _panel(
    axes: Any,
    edges: NDArray[np.floating[Any]],
    counts: NDArray[np.int64],
    peaks: Floats,
    rows: slice,
    limit: float | None,
    norm: Any,
) -> Any:
    """Density in the background, the largest error per column as steps, the limit dashed."""
    from matplotlib.colors import LinearSegmentedColormap

    heights = 2.0 ** ERROR_EDGES[rows.start : rows.stop + 1]
    colours = LinearSegmentedColormap.from_list("density", _DENSITY)
    shown = np.ma.masked_equal(counts.T, 0)
    mesh = axes.pcolormesh(edges, heights, shown, cmap=colours, norm=norm, rasterized=True)
    axes.stairs(
        np.where(peaks > 0, np.maximum(peaks, heights[0]), np.nan), edges,
        baseline=None, color=_PEAK, linewidth=1.2, label="largest error",
    )  # fmt: skip
    if limit is not None:
        axes.axhline(limit, color=_LIMIT, linestyle="--", linewidth=1, label=f"limit {limit:g} ULP")
    axes.set_yscale("log")
    axes.set_xlim(edges[0], edges[-1])
    top = max(heights[-1], peaks.max(initial=0), limit or 0)
    axes.set_ylim(heights[0] / 1.2, top * 2)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)
    return mesh
