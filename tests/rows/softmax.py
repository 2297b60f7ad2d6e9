"""Softmax along a dimension, and its gradient."""

import math

import torch

from rows import FLOATS, Call, Case, Known, Rows, T
from rows.families import NINE
from rows.norms import numbers

LED = [[0, -100, -100], [-math.inf, 0, -math.inf]]
NAN = math.nan

ROWS: tuple[Rows, ...] = (
    Rows(
        op="softmax",
        known=(
            Known(([[5, 5], [-7, -7]],), ([[0.5, 0.5], [0.5, 0.5]],), {"dim": 1}, FLOATS),
            Known(([[5, 1], [5, 1]],), ([[0.5, 0.5], [0.5, 0.5]],), {"dim": 0}, FLOATS),
            Known((LED,), ([[1, 3.783506e-44, 3.783506e-44], [0, 1, 0]],), {"dim": -1}),
            Known((LED,), ([[1, 0, 0], [0, 1, 0]],), {"dim": -1}, ("f16",)),
            Known(([-math.inf, -math.inf],), ([NAN, NAN],), {"dim": 0}, FLOATS),
            Known(([math.inf, 0],), ([NAN, NAN],), {"dim": 0}, FLOATS),
            Known(([NAN, 0],), ([NAN, NAN],), {"dim": 0}, FLOATS),
            Known(([3e38, -3e38],), ([1, 0],), {"dim": 0}),
            Known(([],), ([],), {"dim": 0}, FLOATS),
        ),
        calls=(
            Call({}),
            Call({"self": T(shape=()), "out": T(shape=()), "dim": 0}),
            Call({"self": None}, 161001, "aclnnSoftmax: self is null; expected a tensor"),
            Call({"out": None}, 161001, "out is null"),
            Call({"self": T("s32")}, 161002, "self has dtype INT32"),
            Call({"dim": 2}, 161002, "dim is 2; expected -2 to 1, as self has 2 dimensions"),
            Call({"out": T("s32")}, 161002, "out has dtype INT32"),
            Call({"self": T(shape=NINE), "out": T(shape=NINE)}, 161002, "self has 9 dimensions"),
            Call({"out": T(shape=(3, 2))}, 161002, "out has shape [3, 2]; expected [2, 3]"),
        ),
        plain={"dim": -1},
    ),
    Rows(
        op="softmax_backward",
        known=(
            Known(([1, 0], [0.5, 0.5]), ([0.25, -0.25],), {"dim": 0}, FLOATS),
            Known(([[2, 2]], [[0.25, 0.75]]), ([[0, 0]],), {"dim": 1}, FLOATS),
            Known(([1, 0], [1, 0]), ([0, -0.0],), {"dim": 0}, FLOATS),
        ),
        calls=(
            Call({}),
            Call({"grad_output": None}, 161001, "aclnnSoftmaxBackward: grad_output is null"),
            Call({"output": None}, 161001, "output is null"),
            Call({"output": T("s32")}, 161002, "output has dtype INT32"),
            Call({"dim": -3}, 161002, "dim is -3; expected -2 to 1"),
            Call({"grad_output": T(shape=(3,))}, 161002, "output has shape [2, 3]; expected [3]"),
        ),
        plain={"dim": -1},
    ),
)

X = numbers(self=(4, 37, 5))

ROWS += (
    Rows(
        op="log_softmax",
        known=(
            Known(([NAN, 0],), ([NAN, NAN],), {"dim": 0}, FLOATS),
            Known(([3e38, -3e38],), ([0, -math.inf],), {"dim": 0}),
            Known(([],), ([],), {"dim": 0}, FLOATS),
        ),
        calls=(
            Call({}),
            Call({"self": None}, 161001, "aclnnLogSoftmax: self is null; expected a tensor"),
            Call({"self": T("s32")}, 161002, "self has dtype INT32"),
            Call({"dim": 2}, 161002, "dim is 2; expected -2 to 1"),
            Call({"self": T(shape=NINE), "out": T(shape=NINE)}, 161002, "self has 9 dimensions"),
            Call({"out": T(shape=(3, 2))}, 161002, "out has shape [3, 2]; expected [2, 3]"),
        ),
        plain={"dim": -1},
        cases=tuple(
            Case(X, lambda self, dim: torch.log_softmax(self, dim), {"dim": dim}) for dim in (1, -1)
        ),
    ),
    Rows(
        op="log_softmax_backward",
        known=(),
        calls=(
            Call({}),
            Call({"grad_output": None}, 161001, "aclnnLogSoftmaxBackward: grad_output is null"),
            Call({"output": T("s32")}, 161002, "output has dtype INT32"),
            Call({"dim": -3}, 161002, "dim is -3; expected -2 to 1"),
            Call({"grad_output": T(shape=(3,))}, 161002, "output has shape [2, 3]; expected [3]"),
        ),
        plain={"dim": -1},
        cases=(
            Case(
                numbers(grad_output=(4, 37), output=(4, 37)),
                lambda grad_output, output, dim: torch.ops.aten._log_softmax_backward_data(
                    grad_output, output, dim, torch.float64
                ),
                {"dim": 1},
            ),
        ),
    ),
    Rows(
        op="softmax_cross_entropy_with_logits",
        known=(),
        calls=(
            Call({}),
            Call({"features": None}, 161001, "features is null; expected a tensor"),
            Call({"labels": T("s32")}, 161002, "labels has dtype INT32"),
            Call({"labels": T(shape=(3,))}, 161002, "labels has shape [3]; expected [2, 3]"),
            Call({"features": T(shape=(3,))}, 161002, "features has 1 dimensions; expected 2"),
            Call({"loss": T()}, 161002, "loss has shape [2, 3]; expected [2]"),
        ),
        plain={"loss": T(shape=(2,))},
        cases=(
            Case(
                numbers(features=(4, 37), labels=(4, 37)),
                lambda features, labels: (
                    -(labels * torch.log_softmax(features, 1)).sum(1),
                    torch.softmax(features, 1) - labels,
                ),
            ),
        ),
    ),
)
