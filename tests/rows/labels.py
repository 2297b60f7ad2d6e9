"""Losses of several labels."""

from typing import Any

import numpy as np
import torch

from rows import FLOATS, Call, Case, Known, Rows, T


def drawn(*shape: int) -> Any:
    def draw(rng: Any) -> dict[str, Any]:
        return {"self": rng.normal(size=shape), "target": rng.integers(-1, shape[-1], shape)}

    return draw


def loss(self: Any, target: Any, reduction: int) -> Any:
    return torch.ops.aten.multilabel_margin_loss_forward(self, target, reduction)


X, LABELS = [0.125, 0.25, 0.5, 0.75], np.array([3, 0, -1, 1])
ROW_LABELS = np.array([LABELS, [-1, 0, 1, 2]])
ROWS = (
    Rows(
        "multilabel_margin_loss",
        (
            Known((X, LABELS), (0.9375, [1, 0, 0, 1]), {"reduction": "sum"}, FLOATS),
            Known(([X, X], ROW_LABELS), ([0.9375, 0], [[1, 0, 0, 1], [0] * 4]),
                  {"reduction": "none"}),
            Known(([X, X], ROW_LABELS), (0.46875, [[1, 0, 0, 1], [0] * 4]),
                  {"reduction": "mean"}),
        ),
        (
            Call({}),
            Call({"target": T("s32")}),
            Call({"reduction": 0, "output": T(shape=(2,))}),
            Call({"self": None}, 161001, "aclnnMultilabelMarginLoss: self is null"),
            Call({"target": None}, 161001, "target is null"),
            Call({"output": None}, 161001, "output is null"),
            Call({"is_target": None}, 161001, "is_target is null"),
            Call({"self": T("s32")}, 161002, "self has dtype INT32"),
            Call({"target": T("f32")}, 161002, "target has dtype FLOAT"),
            Call({"reduction": 3}, 161002, "reduction is 3"),
            Call({"self": T(shape=(2, 3, 4))}, 161002, "self has shape [2, 3, 4]; expected 1 or 2"),
            Call({"target": T("s64", (3,))}, 161002, "target has shape [3]; expected [2, 3]"),
            Call({"output": T(shape=(2,))}, 161002, "output has shape [2]; expected []"),
            Call({"is_target": T(shape=(3,))}, 161002, "is_target has shape [3]; expected [2, 3]"),
        ),
        plain={"target": T("s64"), "reduction": 1, "output": T(shape=())},
        cases=(
            Case(drawn(97, 16), loss, {"reduction": 0}, ("f32",)),
            Case(drawn(7, 9), loss, {"reduction": 1}),
            Case(drawn(9), loss, {"reduction": 2}),
        ),
        beyond={"target": 16},
    ),
)  # fmt: skip
