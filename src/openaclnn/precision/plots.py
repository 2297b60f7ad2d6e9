"""The picture of a comparison: how large errors are where values are large, and where they sit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.precision.double_double import Floats
from openaclnn.precision.profile import ERROR_EDGES, MAGNITUDE_EDGES, POSITIONS, Profile
from openaclnn.precision.result import Comparison

_DENSITY, _PEAK, _LIMIT = "Blues", "#b3261e", "#5f6368"


def require_matplotlib() -> None:
    """Say at once, before an hour of reading, that the picture cannot be drawn."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ValueError(
            "drawing needs matplotlib, which is not installed: pip install 'openaclnn[plot]'"
        ) from None


def draw(path: Path, profile: Profile, result: Comparison) -> None:
    """Write a picture with two panels: error against |golden| and error against position."""
    require_matplotlib()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 5), dpi=130, layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2, sharey=True)
    limit = next((v.figures[-1].limit for v in result.verdicts if v.standard == "ulp"), None)
    rows = _used(profile.by_position.sum(axis=0))
    magnitudes = _used(profile.by_magnitude.sum(axis=1))
    _panel(
        left, 2.0 ** MAGNITUDE_EDGES[magnitudes.start : magnitudes.stop + 1],
        profile.by_magnitude[magnitudes], profile.magnitude_peaks[magnitudes], rows, limit,
    )  # fmt: skip
    positions = np.arange(POSITIONS + 1) * (max(profile.numel, 1) / POSITIONS)
    mesh = _panel(right, positions, profile.by_position, profile.position_peaks, rows, limit)
    left.set_xscale("log", base=2)
    left.set_xlabel("|golden|")
    left.set_ylabel(f"error, ULP of {result.dtype}")
    right.set_xlabel("position (flat index)")
    right.ticklabel_format(axis="x", style="plain", useOffset=False)
    left.legend(loc="upper left", frameon=False, fontsize=9)
    if mesh is not None:
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
    )
    try:
        figure.savefig(path)
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
) -> Any:
    """Density in the background, the largest error per column as steps, the limit dashed."""
    from matplotlib.colors import LogNorm

    heights = 2.0 ** ERROR_EDGES[rows.start : rows.stop + 1]
    shown = np.ma.masked_equal(counts[:, rows].T, 0)
    mesh = None
    if shown.count():
        norm = LogNorm(1, max(10, int(shown.max())))
        mesh = axes.pcolormesh(edges, heights, shown, cmap=_DENSITY, norm=norm, rasterized=True)
    axes.stairs(
        np.where(peaks > 0, np.maximum(peaks, heights[0]), np.nan), edges,
        baseline=None, color=_PEAK, linewidth=1.2, label="largest error",
    )  # fmt: skip
    if limit is not None:
        axes.axhline(limit, color=_LIMIT, linestyle="--", linewidth=1, label=f"limit {limit:g} ULP")
    axes.set_yscale("log", base=2)
    axes.set_xlim(edges[0], edges[-1])
    top = max(heights[-1], peaks.max(initial=0), limit or 0)
    axes.set_ylim(heights[0] / 1.2, top * 2)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25, linewidth=0.6)
    axes.set_axisbelow(True)
    return mesh
