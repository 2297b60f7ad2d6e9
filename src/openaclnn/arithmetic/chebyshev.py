"""Shortening a power series for an interval around 0, by Chebyshev's polynomials."""

from __future__ import annotations

from collections.abc import Sequence


def economised(coefficients: Sequence[float], radius: float, terms: int) -> tuple[float, ...]:
    """A polynomial of `terms` terms that is close to the given one wherever |x| <= radius.

    The highest power is replaced, one after the other, by what Chebyshev's polynomial of the same
    degree says it nearly is: the error is spread evenly instead of growing towards the ends.

    >>> economised([0.0, 0.0, 1.0], radius=1.0, terms=2)  # x² is nearest to 1/2
    (0.5, 0.0)
    """
    left = [c * radius**power for power, c in enumerate(coefficients)]
    while len(left) > terms:
        degree = len(left) - 1
        pattern = _chebyshev(degree)
        factor = left[-1] / pattern[-1]
        left = [c - factor * t for c, t in zip(left, pattern, strict=True)][:-1]
    return tuple(c / radius**power for power, c in enumerate(left))


def _chebyshev(degree: int) -> list[float]:
    """Coefficients of the Chebyshev polynomial of a degree, lowest power first."""
    before, this = [1.0], [0.0, 1.0]
    if degree == 0:
        return before
    for _ in range(degree - 1):
        doubled = [0.0, *(2 * c for c in this)]
        padded = before + [0.0] * (len(doubled) - len(before))
        before, this = this, [d - p for d, p in zip(doubled, padded, strict=True)]
    return this
