"""g·k·d/beta where |d| < beta, else g·k·sign(d); d = x − target."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import torch

from samples import NARROW, Call, Known, Samples, T

INF, NAN = math.inf, math.nan
BIG = 3.0e38


def oracle(
    g: torch.Tensor, x: torch.Tensor, target: torch.Tensor, reduction: Any = 0, beta: float = 1.0
) -> torch.Tensor:
    g, x, target = torch.broadcast_tensors(g, x, target)
    x = x.clone().requires_grad_()
    loss = torch.nn.functional.smooth_l1_loss(x, target, reduction="none", beta=beta)
    if reduction in (1, "mean"):
        g = g / max(x.numel(), 1)
    return torch.autograd.grad(loss, x, g)[0]


def exact(g: Any, x: Any, target: Any, reduction: Any = 0, beta: float = 1.0) -> Any:
    d = mpmath.mpf(x) - mpmath.mpf(target)
    return mpmath.mpf(g) * (d / mpmath.mpf(beta) if abs(d) < beta else mpmath.sign(d))


def takes(inputs: tuple[str, ...], out: str, product: str) -> bool:
    return out in NARROW


NONE = {"reduction": "none"}

KNOWN = (
    Known(
        ([1] * 8, [0, 1, 2, 3, 4, 5, 6, 7], [1] * 8),
        [-1, 0, 1, 1, 1, 1, 1, 1],
        NONE,
        NARROW,
        why="the document's example",
    ),
    Known(([8.0, 8], [0.5, 3], [0, 0]), [2, 4], {"reduction": "mean"}, NARROW, why="mean"),
    Known(([8.0, 8], [0.5, 3], [0, 0]), [4, 8], {"reduction": "sum"}, NARROW, why="sum"),
    Known(
        ([4.0, 4, 4, 4], [2, -2, 1.984375, 1], [0, 0, 0, 0]),
        [4, -4, 3.96875, 2],
        {"reduction": 0, "beta": 2.0},
        NARROW,
        why="|d| = beta is outside",
    ),
    Known(
        ([2.0, -2, 2, 2, INF], [1, 1, -1, 5, 0], [0, 1, 0, 5, 0]),
        [2, -0.0, -2, 0, NAN],
        {"reduction": 0, "beta": 0.0},
        NARROW,
        why="beta 0 leaves the sign, and sign(0) is 0",
    ),
    Known(
        ([1.0, 1, NAN, 1, 1, INF, 1], [NAN, 0, 0, INF, INF, 0, -INF], [0, NAN, 1, INF, 0, 3, 0]),
        [NAN, NAN, NAN, NAN, 1, -INF, -1],
        NONE,
        NARROW,
        why="a NaN d gives NaN",
    ),
    Known(
        ([-1.0, 1, 1, -0.0], [0, -0.0, 0.0, 5], [0, 0, -0.0, 0]),
        [-0.0, -0.0, 0.0, -0.0],
        NONE,
        NARROW,
        why="-0",
    ),
    Known(
        ([1.0, 1, 1], [5, -5, 0], [0, 0, 0]),
        [0, -0.0, 0],
        {"reduction": 0, "beta": INF},
        NARROW,
        why="an infinite beta leaves zeros",
    ),
    Known(
        ([1.0, 2, INF, -INF, INF], [INF, -INF, 5, 0, INF], [0, 0, 0, 1, 0]),
        [1, -2, NAN, NAN, INF],
        {"reduction": 0, "beta": INF},
        NARROW,
        why="but an infinite d is as large, and an infinite gradient times 0 is NaN",
    ),
    Known(
        ([1.0], [BIG], [-BIG]), [1], NONE, ("f32", "bf16"), why="d beyond the type's largest number"
    ),
    Known(
        ([2.0**82], [0.0], [-(2.0**-107)]),
        [2.0**-125],
        {"reduction": 0, "beta": 2.0**100},
        ("f32", "bf16"),
        why="d/beta below the smallest float32",
    ),
    Known(
        ([1.0], [1.0], [1 - 2.0**-24]),
        [2.0**-24 / float.fromhex("0x1.99999ap-4")],
        {"reduction": 0, "beta": 0.1},
        within=1e-14,
        why="d taken exactly",
    ),
)

FEW = {"grad_out": T(shape=(1,) * 9), "self": T(shape=(1,) * 9), "target": T(shape=(1,) * 9)}

CALLS = (
    Call({}),
    *(Call({"reduction": reduction, "beta": beta}) for reduction in (0, 1, 2) for beta in (0.0, 2)),
    Call({"grad_out": None}, 161001, "grad_out is null"),
    Call({"self": None}, 161001, "self is null"),
    Call({"target": None}, 161001, "target is null; expected a tensor"),
    Call({"grad_input": None}, 161001, "grad_input is null"),
    Call({"target": T("s32")}, 161002, "target has dtype INT32; expected FLOAT16, FLOAT or BF16"),
    Call({"grad_input": T("c64")}, 161002, "grad_input has dtype COMPLEX64; expected FLOAT16"),
    Call({"grad_input": T("f64")}, 161002, "grad_input has dtype DOUBLE; expected FLOAT16"),
    Call({"grad_out": T("f16"), "target": T("bf16"), "grad_input": T("f16")}),
    Call({"reduction": 3}, 161002, "reduction is 3; expected 0 (none), 1 (mean) or 2 (sum)"),
    Call({"reduction": -1}, 161002, "reduction is -1; expected 0 (none), 1 (mean) or 2 (sum)"),
    Call({"reduction": 2**63 - 1}, 161002, "reduction is 9223372036854775807; expected"),
    Call({"beta": -1.0}, 161002, "aclnnSmoothL1LossBackward: beta is -1; expected at least 0"),
    Call({"beta": NAN}, 161002, "beta is nan; expected at least 0"),
    Call({"beta": -INF}, 161002, "beta is -inf; expected at least 0"),
    Call({"beta": -0.0}),
    Call({"beta": INF}),
    Call({"grad_out": T(shape=())}),
    Call({"grad_out": T(shape=(3,)), "self": T(shape=(2, 1)), "target": T(shape=(1, 1))}),
    Call({"self": T(shape=(4,))}, 161002, "self has shape [4], target has shape [2, 3]; expected"),
    Call(
        {"grad_input": T(shape=())},
        161002,
        "grad_input has shape []; expected [2, 3], the inputs' broadcast shape",
    ),
    Call({"grad_input": T(shape=(1, 2, 3))}, 161002, "grad_input has shape [1, 2, 3]; expected"),
    Call({"grad_out": T(shape=(1,) * 9)}, 161002, "grad_out has 9 dimensions; expected at most 8"),
    Call({"target": T(shape=(1,) * 9)}, 161002, "target has 9 dimensions; expected at most 8"),
    Call({"grad_input": T(shape=(1,) * 9)}, 161002, "grad_input has shape [1, 1, 1,"),
    Call({name: T(shape=(0, 3)) for name in ("self", "target", "grad_input")}
         | {"grad_out": T(shape=())}),
    Call({"self": T(shape=(0, 3)), "target": T(shape=(0, 3))}, 161002, "grad_out has shape [2, 3]"),
    # the first of two faults decides: null, dtype, dims, reduction, beta, broadcast, views
    Call({"self": T("s32"), "target": None}, 161001, "target is null"),
    Call({"reduction": 5, "grad_input": None}, 161001, "grad_input is null"),
    Call({"self": T(shape=(1,) * 9), "target": T("s8")}, 161002, "target has dtype INT8"),
    Call(FEW | {"reduction": 5}, 161002, "grad_out has 9 dimensions"),
    Call({"reduction": 5, "beta": -1.0}, 161002, "reduction is 5"),
    Call({"beta": -1.0, "self": T(shape=(4,))}, 161002, "beta is -1"),
    Call({"self": T(shape=(4,)), "grad_input": T(strides=(0, 1))}, 161002, "self has shape [4]"),
)  # fmt: skip

SAMPLES = Samples(
    op="smooth_l1_loss_backward",
    inputs=("grad_out", "self", "target"),
    output="grad_input",
    oracle=oracle,
    exact=exact,
    edges=(-1.0, 0.0, 1.0, 0.5, -0.5, 2.0),
    hard=(
        (1.0, 0.1, 0.3), (1.0, 1.0, 1e-8), (3.4e38, 3.4e38, 3.4e38), (1.0, 3.4e38, -3.4e38),
        (1e-45, 0.5, 0.0), (3.0, 1e-45, -1e-45), (1.0, 1.0, 0.99999994), (-1.5, 0.7, -0.299999),
    ),
    known=KNOWN,
    calls=CALLS,
    takes=takes,
    attributes=(
        {"reduction": "mean"},
        {"reduction": "none"},
        {"reduction": "sum", "beta": 0.1},
        {"reduction": 0, "beta": 0.0},
        {"reduction": 1, "beta": 2.0**-100},
        {"reduction": 2, "beta": 1e30},
        {"reduction": 0, "beta": 1e-45},
    ),
    plain={"reduction": 1, "beta": 1.0},
    broadcasts_on=("Ascend910B", "Ascend910_93", "Ascend950", "Ascend910", "Ascend310P"),
)  # fmt: skip
