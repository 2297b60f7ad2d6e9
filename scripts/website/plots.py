"""Pictures as SVG with the colours of the page, so that one picture serves light and dark."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from openaclnn.verify.tally import edges

Row = dict[str, Any]
_LEFT, _TOP, _WIDTH, _HEIGHT = 56, 26, 700, 250
_LOWEST, _HIGHEST = 0.05, 1e8  # smaller errors, and larger ones and NaN, are drawn here


def errors(rows: Sequence[Row], title: str, names: dict[str, str]) -> str:
    """The largest error over the input, at each level and PyTorch's: rows of one operator and
    dtype, as `openaclnn verify --save` writes them with profiles."""
    lines = {row["level"]: row["over_self"] for row in rows}
    if rows[0]["same_kernel_at_both_levels"] and "exact" in lines:
        lines.pop("fast", None)
    if rows[0].get("torch"):
        lines["torch"] = rows[0]["torch"]["over_self"]
    top = max(20.0, 2 * max(max(map(_inside, heights)) for heights in lines.values()))
    x_of, y_of = _inputs(), _logarithmic(_LOWEST / 1.3, top)
    drawn = []
    for power in range(-1, math.ceil(math.log10(top)) + 1):
        if _LOWEST / 1.3 <= 10.0**power <= top:
            drawn += [_across(y_of(10.0**power)), _label(_LEFT - 6, y_of(10.0**power) + 4,
                                                         f"{10.0**power:g}", "end")]  # fmt: skip
    for power in (-6, -3, 0, 3, 6, 9):
        for sign in (-1, 1):
            value = sign * 2.0**power
            shown = f"{value:g}" if power >= 0 else f"{'-' * (sign < 0)}1/{2**-power}"
            drawn.append(_label(x_of(value), _TOP + _HEIGHT + 16, shown, "middle"))
    bound = next((row["bound_ulp"] for row in rows if row["level"] == "exact"), None)
    if bound:
        drawn.append(_across(y_of(bound), "limit"))
    for who in ("torch", "fast", "exact"):
        if who in lines:
            drawn.append(_stairs(lines[who], x_of, y_of, who))
    return _svg(drawn, title, [(who, names[who]) for who in ("exact", "fast", "torch")
                               if who in lines])  # fmt: skip


def ratios(pairs: Sequence[tuple[str, float]], title: str, names: dict[str, str]) -> str:
    """Bars of how many times as fast we are; those that lose have another colour."""
    longest = max(len(name) for name, _ in pairs)
    height, left = 17, 12 + 6 * longest
    wide = _LEFT + _WIDTH - left
    top = max(value for _, value in pairs)
    step = 1 if top > 2 else 0.5
    drawn, grid = [], []
    for tick in range(int(top / step) + 1):
        x = left + wide * tick * step / top
        kind = "limit" if tick * step == 1 else "grid"
        grid.append(f'<line class="{kind}" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" '
                     f'y2="{_TOP + height * len(pairs)}"/>')  # fmt: skip
        drawn.append(_label(x, _TOP + height * len(pairs) + 14, f"{tick * step:g}", "middle"))
    for place, (name, value) in enumerate(pairs):
        y = _TOP + height * place
        kind = "lost" if value < 0.995 else "exact"
        drawn.append(_label(left - 6, y + 12, name, "end"))
        drawn.append(f'<rect class="bar-{kind}" x="{left}" y="{y + 2}" height="{height - 4}" '
                     f'width="{wide * value / top:.1f}"><title>{escape(name)}: {value:.2f}</title>'
                     "</rect>")  # fmt: skip
        drawn.append(_label(left + wide * value / top + 4, y + 12, f"{value:.2f}"))
    keys = [(who, names[who]) for who in ("exact", "lost")]
    return _svg([*drawn, *grid], title, keys, _TOP + height * len(pairs) + 22)


def _inside(value: float | str) -> float:
    number = float(value)
    return min(max(number, _LOWEST), _HIGHEST) if number == number else _HIGHEST


def _inputs() -> Callable[[float], float]:
    """A logarithmic axis for either sign, zero in the middle."""
    ends = [edge for edge in edges() if edge > 0]
    low, high = math.log2(ends[0]), math.log2(ends[-1])
    half = _WIDTH / 2

    def place(value: float) -> float:
        if value == 0:
            return _LEFT + half
        share = 0.04 + 0.96 * (math.log2(abs(value)) - low) / (high - low)
        return _LEFT + half + math.copysign(half * share, value)

    return place


def _logarithmic(low: float, high: float) -> Callable[[float], float]:
    def place(value: float) -> float:
        share = math.log(_inside(value) / low) / math.log(high / low)
        return _TOP + _HEIGHT * (1 - share)

    return place


def _stairs(heights: Sequence[float], x_of: Any, y_of: Any, who: str) -> str:
    points = []
    for start, stop, height in zip(edges()[:-1], edges()[1:], heights, strict=True):
        y = y_of(height)
        points += [f"{x_of(start):.1f},{y:.1f}", f"{x_of(stop):.1f},{y:.1f}"]
    return f'<polyline class="line {who}" points="{" ".join(points)}"/>'


def _across(y: float, kind: str = "grid") -> str:
    return f'<line class="{kind}" x1="{_LEFT}" x2="{_LEFT + _WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>'


def _label(x: float, y: float, text: str, anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(drawn: list[str], title: str, keys: list[tuple[str, str]], height: int = 0) -> str:
    height = height or _TOP + _HEIGHT + 26
    x, legend = _LEFT, []
    for who, name in keys:
        legend.append(f'<rect class="key-{who}" x="{x}" y="6" width="14" height="4"/>')
        legend.append(_label(x + 19, 13, name))
        x += 40 + 7 * sum(2 if ord(c) > 0x2E80 else 1 for c in name)
    inside = "".join([*legend, *drawn])
    width = _LEFT + _WIDTH + 50
    return (
        f'<div class="plot"><svg viewBox="0 0 {width} {height}" role="img" '
        f'aria-label="{escape(title)}"><title>{escape(title)}</title>{inside}</svg></div>'
    )
