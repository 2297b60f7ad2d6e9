"""The operators as people write them with an array library: `xp` is NumPy or JAX's NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Formula = Callable[..., Any]


def _hardsigmoid(xp: Any, attributes: dict[str, Any]) -> Formula:
    return lambda g, x: xp.where((x > -3) & (x < 3), g / 6, 0)


def _leaky_relu(xp: Any, attributes: dict[str, Any]) -> Formula:
    slope = float(attributes["negative_slope"].value)
    return lambda g, x: xp.where(x > 0, g, g * slope)


def _log_sigmoid(xp: Any, attributes: dict[str, Any]) -> Formula:
    return lambda g, x: g / (1 + xp.exp(x))


def _silu(xp: Any, attributes: dict[str, Any]) -> Formula:
    def silu(g: Any, x: Any) -> Any:
        s = 1 / (1 + xp.exp(-x))
        return g * s * (1 + x * (1 - s))

    return silu


def _smooth_l1(xp: Any, attributes: dict[str, Any]) -> Formula:
    beta = float(attributes["beta"])

    def smooth_l1(g: Any, x: Any, target: Any) -> Any:
        d = x - target
        return g * xp.where(abs(d) < beta, d / beta, xp.sign(d))

    return smooth_l1


FORMULAS: dict[str, Callable[[Any, dict[str, Any]], Formula]] = {
    "hardsigmoid_backward": _hardsigmoid,
    "leaky_relu_backward": _leaky_relu,
    "log_sigmoid_backward": _log_sigmoid,
    "silu_backward": _silu,
    "smooth_l1_loss_backward": _smooth_l1,
}
