"""(σ(x) − t) with weights."""

from typing import Any

import torch

from rows import FLOATS, Call, Known, Rows, T

LOGITS = {"self": T(), "target": T()}


def oracle(g: Any, x: Any, t: Any, w: Any, p: Any, reduction: str = "mean") -> torch.Tensor:
    slope = (p * t + 1 - t) * torch.sigmoid(x) - p * t
    return g * slope * w / (x.numel() if reduction == "mean" else 1)


ROWS = (
    Rows(
        op="binary_cross_entropy_with_logits_backward",
        known=(
            Known(([4], [0, 0], [0, 1]), ([2, -2],), {"reduction": "sum"}, FLOATS),
            Known(([4], [0, 0], [0, 1]), ([1, -1],), {"reduction": "mean"}, FLOATS),
            Known(([4], [0, 0], [0, 1], [3, 5]), ([6, -10],), {"reduction": "none"}, FLOATS),
            Known(([4], [0, 0], [0, 1], None, [3]), ([2, -6],), {"reduction": "none"}, FLOATS),
            Known(([4], [0, 0], [0, 1], [2], [3]), ([4, -12],), {"reduction": "none"}, FLOATS),
        ),
        calls=(
            Call({}),
            Call({"weight": None}),
            Call({"weight": None, "pos_weight": None}),
            Call({"pos_weight": T(shape=(3,))}),
            Call({"grad_output": None}, 161001, "grad_output is null"),
            Call({"target": None}, 161001, "target is null"),
            Call({"weight": T("s32")}, 161002, "weight has dtype INT32"),
            Call({"reduction": 3}, 161002, "reduction is 3; expected 0 (none), 1 (mean)"),
            Call({"self": T(shape=(3,))}, 161002, "self has shape [3]; expected [2, 3], as target"),
            Call({"weight": T(shape=(2, 2))}, 161002, "weight has shape [2, 2]; expected one that"),
            Call({"out": T(shape=(3,))}, 161002, "out has shape [3]; expected [2, 3]"),
        ),
        plain={"reduction": 0},
    ),
)
