"""What a prediction differs from a target by, its mean, its sum."""

import math
from typing import Any

import torch
from torch.nn import functional

from rows import FLOATS, Call, Case, Known, Rows, T
from rows.families import loss
from rows.norms import numbers

NONE, SUM = {"reduction": "none"}, {"reduction": "sum"}
X, TARGET = [1, -2, 3, 7], [2, 2, 3, 0]

MEAN = {"reduction": "mean"}


def shares(*names: str) -> Any:
    """Numbers between 0 and 1."""
    return lambda rng: {name: rng.random((3, 7)) for name in names}


def kl_div(self: Any, target: Any, reduction: str, log_target: bool = False) -> Any:
    return functional.kl_div(self, target, reduction=reduction, log_target=log_target)


ROWS = (
    Rows(
        op="l1_loss",
        known=(
            Known((X, TARGET), (3,), {}, FLOATS),
            Known((X, TARGET), (12,), SUM, FLOATS),
            Known((X, TARGET), ([1, 4, 0, 7],), NONE, FLOATS),
            Known(([1e8, 1, 1], [0, 0, 0]), (1e8 + 2,), SUM),
            Known(([], []), (math.nan,)),
            Known(([], []), (0,), SUM),
            Known(([math.inf, 1], [1, math.nan]), (math.nan,)),
        ),
        calls=loss("aclnnL1Loss"),
        oracle=lambda x, target, reduction="mean": functional.l1_loss(
            x, target, reduction=reduction
        ),
        inputs=2,
        attributes=(NONE,),
        plain={"reduction": 1},
    ),
    Rows(
        op="mse_loss",
        known=(
            Known((X, TARGET), (16.5,), {}, FLOATS),
            Known((X, TARGET), (66,), SUM, FLOATS),
            Known((X, TARGET), ([1, 16, 0, 49],), NONE, FLOATS),
            Known(([1e20, 0], [0, 1e20]), (math.inf,), SUM),
        ),
        calls=loss("aclnnMseLoss"),
        oracle=lambda x, target, reduction="mean": functional.mse_loss(
            x, target, reduction=reduction
        ),
        inputs=2,
        attributes=(NONE,),
        plain={"reduction": 1},
    ),
    Rows(
        op="soft_margin_loss",
        known=(
            Known(([0, 0], [1, -1]), ([math.log(2)] * 2,), NONE, FLOATS),
            Known(([1000, -1000, math.inf], [1, 1, -1]), ([0, 1000, math.inf],), NONE, FLOATS),
            Known(([1000, -1000, 7], [1, 1, 0]), (1000 + math.log(2),), SUM),
            Known(([0, math.nan], [1, 1]), (math.nan,)),
            Known(([], []), (math.nan,)),
        ),
        calls=loss("aclnnSoftMarginLoss"),
        # PyTorch's own is infinite from -target·x = 710 on
        oracle=lambda x, target, reduction="mean": torch.logaddexp(
            torch.zeros((), dtype=x.dtype), -target * x
        ),
        inputs=2,
        attributes=(NONE,),
        plain={"reduction": 1},
    ),
    Rows(
        op="smooth_l1_loss",
        known=(
            Known(([0, 1, -3], [0.5, 2, 1]), (4.125 / 3,), {}, ("f32",)),
            Known(([0, 1, -3], [0.5, 2, 1]), ([0.125, 0.5, 3.5],), NONE, FLOATS),
            Known(([0, 1], [0.5, 3]), ([0.5, 2],), {**NONE, "beta": 0.0}, FLOATS),
            Known(([0, 1], [1, 3]), ([0.125, 0.5],), {**NONE, "beta": 4.0}, FLOATS),
        ),
        calls=(*loss("aclnnSmoothL1Loss"), Call({"beta": -1.0}, 161002, "beta is -1; expected")),
        oracle=lambda x, target, reduction="mean", beta=1.0: functional.smooth_l1_loss(
            x, target, reduction=reduction, beta=beta
        ),
        inputs=2,
        attributes=(NONE, {**NONE, "beta": 0.25}, {**NONE, "beta": 4.0}),
        edges=(0.0, 1.0, -1.0),
        plain={"reduction": 1, "beta": 1.0},
    ),
    Rows(
        op="binary_cross_entropy",
        known=(Known(([1, 0], [0, 0]), ([100, 0],), NONE, FLOATS),),
        calls=(*loss("aclnnBinaryCrossEntropy"),
               Call({"reduction": 0, "weight": T("s32"), "out": T()}, 161002, "weight has dtype")),
        plain={"reduction": 1, "weight": None},
        cases=(
            Case(shares("self", "target"), lambda self, target, reduction:
                 functional.binary_cross_entropy(self, target, reduction=reduction), NONE),
            Case(shares("self", "target", "weight"), lambda self, target, weight, reduction:
                 functional.binary_cross_entropy(self, target, weight, reduction=reduction), MEAN),
        ),
    ),
    Rows(
        op="binary_cross_entropy_with_logits",
        known=(Known(([0, 100], [1, 0]), ([math.log(2), 100],), NONE, within=1e-7),),
        calls=loss("aclnnBinaryCrossEntropyWithLogits"),
        plain={"reduction": 1, "weight": None, "pos_weight": None},
        cases=(
            Case(numbers(self=(3, 7), target=(3, 7)), lambda self, target, reduction:
                 functional.binary_cross_entropy_with_logits(self, target, reduction=reduction),
                 NONE),
            Case(numbers(self=(3, 7), target=(3, 7), weight=(7,), pos_weight=(7,)),
                 lambda self, target, weight, pos_weight, reduction:
                 functional.binary_cross_entropy_with_logits(
                     self, target, weight, pos_weight=pos_weight, reduction=reduction), SUM),
        ),
    ),
    Rows(
        op="kl_div",
        known=(Known(([-1, -2], [1, 0]), ([1, 0],), NONE, FLOATS),),
        calls=loss("aclnnKlDiv"),
        plain={"reduction": 1, "log_target": False},
        cases=(
            Case(shares("self", "target"), kl_div, NONE),
            Case(numbers(self=(3, 7), target=(3, 7)), kl_div, {**MEAN, "log_target": True}),
        ),
    ),
)  # fmt: skip
