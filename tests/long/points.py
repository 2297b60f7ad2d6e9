"""The true values of functions against mpmath, on a million points each; the exit status tells.

    python tests/long points cpu|cuda COUNT [FUNCTION ...]

Of erfinv it is mpmath's erf that has to lead back: its own takes hours.
"""

from __future__ import annotations

import multiprocessing
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import mpmath
import numpy as np

from openaclnn.ops import find
from openaclnn.truth.double_double import Pair
from openaclnn.truth.reference import reference

GOOD = 2.0**-75  # of itself: a hundred-thousandth of what any result is judged by is 2⁻⁴¹
_BITS = 160

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "exp": mpmath.exp,
    "exp2": lambda x: mpmath.power(2, x),
    "expm1": mpmath.expm1,
    "log": mpmath.log,
    "log2": lambda x: mpmath.log(x) / mpmath.ln2,
    "log10": lambda x: mpmath.log(x) / mpmath.ln10,
    "log1p": mpmath.log1p,
    "sqrt": mpmath.sqrt,
    "rsqrt": lambda x: 1 / mpmath.sqrt(x),
    "sin": mpmath.sin,
    "cos": mpmath.cos,
    "tan": mpmath.tan,
    "asin": mpmath.asin,
    "acos": mpmath.acos,
    "atan": mpmath.atan,
    "sinh": mpmath.sinh,
    "cosh": mpmath.cosh,
    "tanh": mpmath.tanh,
    "asinh": mpmath.asinh,
    "acosh": mpmath.acosh,
    "atanh": mpmath.atanh,
    "erf": mpmath.erf,
    "erfc": mpmath.erfc,
    "erfinv": mpmath.erf,
}
_INSIDE = {"log1p": (-1, 9), "asin": (-1, 1), "acos": (-1, 1), "atanh": (-1, 1), "erfinv": (-1, 1)}
_ABOVE = {"log": 0, "log2": 0, "log10": 0, "sqrt": 0, "rsqrt": 0, "acosh": 1}


def points(name: str, count: int) -> Any:
    """Half of them from all binades, half from where most happens; all of them numbers of which
    the function has one, and not beyond what a float64 has room for."""
    rng = np.random.default_rng(list(name.encode()))
    low, high = _INSIDE.get(name, (_ABOVE.get(name, -9), 9))
    found = np.zeros(0, np.float32)
    while found.size < count:
        patterns = rng.integers(0, 2**32, count, dtype=np.uint32).view(np.float32)
        near = rng.uniform(low, high, count).astype(np.float32)
        some = np.concatenate([patterns[: count // 2], near[count // 2 :]])
        kept = np.isfinite(some) & (some != 0) & (some >= _ABOVE.get(name, -np.inf))
        if name in _INSIDE:
            kept &= (some > low) & (some < (np.inf if name == "log1p" else high))
        if name in ("exp", "exp2", "expm1", "sinh", "cosh"):
            kept &= np.abs(some) < 400
        if name in ("erfc",):
            kept &= some < 15
        found = np.concatenate([found, some[kept]])
    return found[:count]


def farthest(work: tuple[str, Any, Any, Any]) -> tuple[float, float]:
    """The largest relative difference of true values from mpmath's, and at what number."""
    name, numbers, highs, lows = work
    function, worst = FUNCTIONS[name], (0.0, 0.0)
    with mpmath.workprec(_BITS):
        for x, high, low in zip(numbers.tolist(), highs.tolist(), lows.tolist(), strict=True):
            ours = mpmath.mpf(high) + mpmath.mpf(low)
            if name == "erfinv":
                slope = 2 / mpmath.sqrt(mpmath.pi) * mpmath.exp(-ours * ours)
                off = (function(ours) - x) / slope
                right = ours
            else:
                right = function(mpmath.mpf(x))
                off = ours - right
            relative = float(abs(off / right)) if right else float(abs(off))
            worst = max(worst, (relative, x))
    return worst


def main(device: str, count: int, names: Sequence[str]) -> int:
    wrong = 0
    with multiprocessing.get_context("spawn").Pool() as pool:
        for name in names or FUNCTIONS:
            begun = time.perf_counter()
            x, op = points(name, count), find(name)
            true = _on_cuda(op, x) if device == "cuda" else reference(op, [x])
            cuts = range(4096, count, 4096)
            parts = zip(*(np.split(one, cuts) for one in (x, *true)), strict=True)
            worst, at = max(pool.imap_unordered(farthest, [(name, *part) for part in parts]))
            verdict = "ok" if worst <= GOOD else "WRONG"
            seconds = time.perf_counter() - begun
            exponent = np.log2(worst) if worst else -np.inf
            print(
                f"{verdict} {name} {count:,} points: 2^{exponent:.1f} at {at!r}, {seconds:.0f} s",
                flush=True,
            )
            wrong += worst > GOOD
    return wrong


def _on_cuda(op: Any, x: Any) -> Pair:
    """The GPU's; some of them must be the host's to the bit."""
    from openaclnn.verify import device

    found, some = device.truths(op, x), slice(1 << 14)
    here = reference(op, [x[some]])
    same = (found.high[some] == here.high) & (
        np.abs(found.low[some] - here.low) <= 2.0**-95 * np.abs(here.high)
    )
    if not same.all():
        print(f"{op.name}: {np.count_nonzero(~same)} true values are other ones than here")
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), sys.argv[3:]))
