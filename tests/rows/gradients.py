"""Gradients of activations and of losses."""

import math

import torch

from rows import FLOATS, Call, Known, S, T
from rows.families import backward_rows, loss_backward_rows

NAN, INF = math.nan, math.inf
ATEN = torch.ops.aten
TWO = [2, 2, 2, 2]
LAMBD = {"lambd": S(0.5)}
ELU = {"alpha": S(1.0), "scale": S(1.0), "input_scale": S(1.0), "is_result": False}
SOFTPLUS = {"beta": S(1.0), "threshold": S(20.0)}


def deep(x: torch.Tensor) -> torch.Tensor:
    """Whose exponential is 0 only at -infinity: an infinite gradient stays so before that."""
    return torch.where((x < -700) & torch.isfinite(x), -700.0, x)


def sigmoid(x: torch.Tensor) -> torch.Tensor:
    return torch.sigmoid(deep(x))


def swish(g: torch.Tensor, x: torch.Tensor, beta: float = 1.0) -> torch.Tensor:
    s = sigmoid(x * beta)
    return g * (s * (1 + x * beta * sigmoid(-x * beta)))


def mish(g: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    e = torch.exp(-abs(x))
    d = torch.where(x >= 0, 1 + 2 * e + 2 * e * e, 2 + 2 * e + e * e)
    t = torch.where(x >= 0, 1 + 2 * e, e * (e + 2)) / d
    return g * (t + x * (4 * e * (1 + e) * torch.where(x >= 0, e, 1.0) / (d * d)))


def gelu(g: torch.Tensor, x: torch.Tensor, approximate: str = "none") -> torch.Tensor:
    if approximate == "none":
        z = torch.where((x < -30) & torch.isfinite(x), -30.0, x)
        density = torch.exp(-z * z / 2) / math.sqrt(2 * math.pi)
        return g * (torch.erfc(-z / math.sqrt(2)) / 2 + z * density)
    x = torch.where((x < -20) & torch.isfinite(x), -15.0, x)
    y = 2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
    rise = 2 * math.sqrt(2 / math.pi) * (1 + 3 * 0.044715 * x * x)
    return g * sigmoid(y) * (1 + x * rise * sigmoid(-y))


def elu(g: torch.Tensor, x: torch.Tensor, alpha: float = 1.0, is_result: bool = False) -> object:
    below = x + alpha if is_result else torch.exp(deep(x)) * alpha
    return torch.where(x > 0, g, g * below)


def l1(g: torch.Tensor, x: torch.Tensor, t: torch.Tensor, reduction: str = "mean") -> object:
    return g * ((x > t).double() - (x < t).double()) / (x.numel() if reduction == "mean" else 1)


def mse(g: torch.Tensor, x: torch.Tensor, t: torch.Tensor, reduction: str = "mean") -> object:
    return g * 2 * (x - t) / (x.numel() if reduction == "mean" else 1)


ROWS = (
    backward_rows(
        "hardtanh_backward",
        Known((TWO, [-1, 0.5, 3, NAN]), ([0, 2, 0, 0],), dtypes=(*FLOATS, "f64")),
        oracle=lambda g, x, min=-1.0, max=1.0: ATEN.hardtanh_backward(g, x, min, max),
        edges=(-1.0, 1.0),
        out="out",
        plain={"min": S(-1.0), "max": S(1.0)},
    ),
    backward_rows(
        "threshold_backward",
        Known((TWO, [-1, 0.5, 3, NAN], 0.5), ([0, 0, 2, 2],), dtypes=(*FLOATS, "f64")),
        oracle=lambda g, x, threshold: ATEN.threshold_backward(g, x, threshold),
        attributes=({"threshold": 0.5},),
        out="out",
        plain={"threshold": S(0.5)},
    ),
    *(
        backward_rows(
            f"{name}_backward",
            Known((TWO, [-1, 0.5, -0.5, NAN], 0.5), ([2, 0, 0, 0],), dtypes=(*FLOATS, "f64")),
            oracle=getattr(ATEN, f"{name}_backward"),
            attributes=({"lambd": 0.5},),
            plain=LAMBD,
        )
        for name in ("hardshrink", "softshrink")
    ),
    *(
        backward_rows(
            name,
            Known((TWO, [-3, 0, 3, NAN]), ([0, 1, 2, NAN],), dtypes=FLOATS),
            oracle=ATEN.hardswish_backward,
            edges=(-3.0, 3.0, -1.5),
            bound=0.52,
            out="out",
        )
        for name in ("hardswish_backward", "hardswish_backward_v2")
    ),
    backward_rows(
        "sigmoid_backward",
        Known((TWO, [0, 0.5, 1, NAN]), ([0, 0.5, 0, NAN],), dtypes=FLOATS),
        oracle=ATEN.sigmoid_backward,
        second="output",
        edges=(0.0, 0.5, 1.0),
    ),
    backward_rows(
        "tanh_backward",
        Known((TWO, [0, 0.5, 1, NAN]), ([2, 1.5, 0, NAN],), dtypes=FLOATS),
        oracle=lambda g, y: g * ((1 - y) * (1 + y)),
        second="output",
        edges=(0.0, 1.0, -1.0),
    ),
    backward_rows(
        "softplus_backward",
        Known((TWO, [0, 30, -INF, NAN]), ([1, 2, 0, NAN],), dtypes=FLOATS),
        oracle=lambda g, x, beta=1.0, threshold=20.0: torch.where(
            x * beta > threshold, g, g * sigmoid(x * beta)
        ),
        attributes=({}, {"beta": 2.0, "threshold": 3.0}),
        plain=SOFTPLUS,
    ),
    backward_rows(
        "elu_backward",
        Known((TWO, [0, 1, -INF, NAN]), ([2, 2, 0, NAN],), dtypes=FLOATS),
        Known((TWO[:2], [-1, 1]), ([0, 2],), {"is_result": True}, FLOATS),
        oracle=elu,
        second="self_or_result",
        attributes=({}, {"alpha": 1.5, "is_result": True}),
        edges=(0.0, -1.5, -88.0),
        calls=(
            Call({"alpha": S(-1.0), "is_result": True}, 161002, "alpha is -1 while is_result is"),
        ),
        plain=ELU,
    ),
    backward_rows(
        "selu_backward",
        Known((TWO[:2], [1, NAN]), ([2.101402, NAN],), within=1e-6),
        oracle=lambda g, y: torch.where(
            y > 0, g * 1.0507009873554805, g * (y + 1.6732632423543772 * 1.0507009873554805)
        ),
        second="result",
        edges=(0.0, -1.758),
    ),
    backward_rows(
        "fast_gelu_backward",
        Known((TWO[:3], [0, 1000, -1000]), ([1, 2, -0.0],), dtypes=FLOATS),
        oracle=lambda g, x: swish(g, x, 1.702),
    ),
    backward_rows(
        "swish_backward",
        Known((TWO[:3], [0, 1000, -1000]), ([1, 2, -0.0],), {"beta": 2}, FLOATS),
        oracle=swish,
        attributes=({}, {"beta": 0.75}),
        calls=(Call({"beta": None}),),
        plain={"beta": S(1.0)},
    ),
    backward_rows(
        "mish_backward",
        Known((TWO[:3], [1000, -1000, NAN]), ([2, -0.0, NAN],), dtypes=FLOATS),
        oracle=mish,
        edges=(-1.1924, 0.0, -88.0),
    ),
    backward_rows(
        "gelu_backward",
        Known((TWO[:3], [1000, -1000, NAN]), ([2, -0.0, NAN],), dtypes=FLOATS),
        oracle=lambda g, x: gelu(g, x, "tanh"),
        edges=(-0.7524614, 0.0, -8.0),
    ),
    backward_rows(
        "gelu_backward_v2",
        Known((TWO[:3], [1000, -1000, NAN]), ([2, -0.0, NAN],), dtypes=FLOATS),
        Known((TWO[:2], [1000, NAN]), ([2, NAN],), {"approximate": "tanh"}, FLOATS),
        oracle=gelu,
        edges=(-0.7517915, 0.0, -13.0),
        attributes=({}, {"approximate": "tanh"}),
        plain={"approximate": "none"},
        calls=(
            Call({"approximate": "erf"}, 161002, "approximate is"),
            Call({"approximate": None}, 161001, "approximate is null"),
        ),
    ),
    loss_backward_rows(
        "l1_loss_backward",
        Known(([8, 8, 8, 8], [1, 3, 2, NAN], TWO), ([-2, 2, 0, 0],), dtypes=FLOATS),
        oracle=l1,
    ),
    loss_backward_rows(
        "mse_loss_backward",
        Known(([8, 8], [1, 3.5], TWO[:2]), ([-8, 12],), dtypes=FLOATS),
        oracle=mse,
    ),
    loss_backward_rows(
        "soft_margin_loss_backward",
        Known(([8, 8], [0, 1000], [1, -1]), ([-2, 4],), dtypes=FLOATS),
        oracle=lambda g, x, t, reduction="mean": (
            -t * g * sigmoid(-t * x) / (x.numel() if reduction == "mean" else 1)
        ),
        out="out",
    ),
    loss_backward_rows(
        "binary_cross_entropy_backward",
        Known(([8, 8], [0.5, 0.25], [0, 1]), ([8, -16],), dtypes=FLOATS),
        Known(([1, 1], [0.5, 1], [0, 1]), ([2, 0],), {"reduction": "sum"}),
        oracle=lambda g, x, t, reduction="mean": (
            g * (x - t) / torch.clamp((1 - x) * x, min=1e-12)
            / (x.numel() if reduction == "mean" else 1)
        ),
        out="out",
        plain={"reduction": 1, "weight": T()},
    ),
)  # fmt: skip
