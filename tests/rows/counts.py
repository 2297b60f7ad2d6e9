"""Counts, samples, pieces, and gradients that sum up what several places took."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from rows import FLOATS, INTEGERS, NUMBERS, Call, Case, Known, Rows, S, T

NAN = math.nan
SOME = ("f32", "f16", "bf16")


def normal(**shapes: tuple[int, ...]) -> Callable[[Any], dict[str, Any]]:
    return lambda rng: {name: rng.normal(0, 3, shape) for name, shape in shapes.items()}


def integers(shape: tuple[int, ...], below: int) -> Callable[[Any], dict[str, Any]]:
    return lambda rng: {"self": rng.integers(0, below, shape)}


def divergence(rng: Any, target: Any) -> dict[str, Any]:
    grad = np.asarray(rng.normal())
    return {"grad_output": grad, "self": rng.normal(0, 1, target.shape), "target": target}


def counted(self: Any, minlength: int, weight: Any = None) -> Any:
    return torch.bincount(self.long(), weight, minlength)


def prelu(grad_output: Any, self: Any, weight: Any) -> Any:
    x, w = self.requires_grad_(), weight.requires_grad_()
    return torch.autograd.grad(functional.prelu(x, w), (x, w), grad_output)


def kl_div(grad_output: Any, self: Any, target: Any, log_target: bool = False, **_: Any) -> Any:
    x = self.requires_grad_()
    loss = functional.kl_div(x, target, reduction="sum", log_target=log_target)
    return torch.autograd.grad(loss, x, grad_output)[0]


def folded(self: Any, output_size: Any, kernel_size: Any, dilation: Any, padding: Any,
           stride: Any) -> Any:  # fmt: skip
    return functional.fold(self, output_size, kernel_size, dilation, padding, stride)


WINDOW = {"kernel_size": (2, 2), "dilation": (1, 1), "padding": (0, 0), "stride": (1, 1)}
STREAM = {"seed": 1, "offset": 0}
SUM = {"reduction": 2}


def tensors(c_name: str, *names: str) -> tuple[Call, ...]:
    first = f"{c_name}: {names[0]} is null; expected a tensor"
    return (
        Call({}),
        Call({names[0]: None}, 161001, first),
        *(Call({name: None}, 161001, f"{name} is null") for name in names[1:]),
        Call({names[0]: T("c64")}, 161002, f"{names[0]} has dtype COMPLEX64"),
    )


ROWS = (
    Rows("bincount",
         (Known(([1, 3, 1],), ([0, 2, 0, 1, 0],), {"minlength": 5}, INTEGERS, out="s64"),
          Known((np.array([1, 3, 1]), [0.5, 2, 2.0**-24]), ([0, 0.5 + 2.0**-24, 0, 2],),
                {"minlength": 4}, out="f32"),
          Known((np.array([0, 0, 0]), [2.0**60, 1, -(2.0**60)]), ([1],), {"minlength": 1}),
          Known(([],), ([0, 0],), {"minlength": 2}, ("s64",))),
         (Call({}), Call({"self": None}, 161001, "aclnnBincount: self is null"),
          Call({"out": None}, 161001, "out is null"), Call({"self": T("f32", (6,))}, 161002,
          "self has dtype FLOAT"), Call({"self": T("s64")}, 161002, "self has 2 dimensions"),
          Call({"weight": T(shape=(5,))}, 161002, "weight has shape [5]; expected [6]"),
          Call({"weight": T(shape=(6,)), "out": T(shape=(9,))}),
          Call({"weight": T("f16", (6,))}, 161002, "out has dtype INT64; expected DOUBLE"),
          Call({"minlength": -1}, 161002, "minlength is -1; expected at least 0"),
          Call({"out": T("s64", (3,))}, 161002, "out has shape [3]; expected at least [4]")),
         plain={"self": T("s64", (6,)), "weight": None, "minlength": 4, "out": T("s64", (9,))},
         cases=(Case(integers((300,), 20), counted, {"minlength": 20}, ("s64", "u8", "s16")),)),
    Rows("histc",
         (Known(([1, 2, 1],), ([0, 2, 1, 0],), {"bins": 4, "max": 3},
                (*FLOATS, "f64", "s32", "s64")),
          Known(([0, NAN, 3, 4, -1],), ([1, 0, 1],), {"bins": 3, "max": 3}, FLOATS),
          Known(([5, 1, 3],), ([1, 2],), {"bins": 2}), Known(([],), ([0, 0],), {"bins": 2}),
          Known(([1, 1],), ([0, 2],), {"bins": 2})),
         (*tensors("aclnnHistc", "self", "out"), Call({"bins": 0}, 161002, "bins is 0; expected"),
          Call({"min": S(4)}, 161002, "min is 4 and max is 3; expected finite numbers"),
          Call({"max": S(math.inf)}, 161002, "max is inf"),
          Call({"out": T(shape=(5,))}, 161002, "out has shape [5]; expected [4]")),
         plain={"bins": 4, "min": S(0), "max": S(3), "out": T(shape=(4,))},
         cases=(Case(normal(self=(40, 9)), lambda self, **how: torch.histc(self, **how),
                     {"bins": 16, "min": -4, "max": 4}, ("f32", "f64")),)),
    Rows("multinomial",
         (Known(([0, 3, 0], 3), ([1, 1, 1],), {"replacement": True, **STREAM}, FLOATS, out="s64"),
          Known(([[0, 3], [2, 0]], 1), ([[1], [0]],), STREAM, (*FLOATS, "f64"), out="s64")),
         (*tensors("aclnnMultinomial", "self", "out"),
          Call({"self": T(shape=(1, 2, 3))}, 161002, "self has 3 dimensions; expected 1 or 2"),
          Call({"num_samples": 4}, 161002, "num_samples is 4; expected 1 to 3"),
          Call({"num_samples": 0}, 161002, "num_samples is 0; expected 1 to 3"),
          Call({"out": T("f32", (2, 2))}, 161002, "out has dtype FLOAT"),
          Call({"out": T("s64", (2, 3))}, 161002, "out has shape [2, 3]; expected [2, 2]")),
         plain={"num_samples": 2, "replacement": False, **STREAM, "out": T("s64", (2, 2))}),
    Rows("linalg_cross",
         (Known(([1, 0, 0], [0, 1, 0]), ([0, 0, 1],), dtypes=("f32", "s32", "f16", "f64", "s8")),
          Known(([[1], [2], [3]], [[4], [5], [6]]), ([[-3], [6], [-3]],), {"dim": 0}),
          Known(([2.0**12 + 1, 2.0**12, 0], [2.0**12, 2.0**12 - 1, 0]), ([0, 0, -1],))),
         (*tensors("aclnnLinalgCross", "self", "other", "out"),
          Call({"dim": 0}, 161002, "self has shape [2, 3]; expected size 3 along dim"),
          Call({"dim": 2}, 161002, "dim is 2"),
          Call({"other": T(shape=(3,))}, 161002, "other has 1 dimensions; expected 2"),
          Call({"out": T(shape=(2, 4))}, 161002, "out has shape [2, 4]")),
         plain={"dim": 1},
         cases=(Case(normal(self=(7, 3), other=(1, 3)), lambda self, other: torch.linalg.cross(
             self.expand_as(self + other), other), dtypes=SOME),)),
    Rows("log_space",
         (Known((0, 2, 3), ([1, 10, 100],), out="f32"),
          Known((-2, 2, 5), ([0.25, 0.5, 1, 2, 4],), {"base": 2.0}, out="f32"),
          Known((3, 7, 1), ([1000],), out="f32"), Known((3, 7, 0), ([],), out="f32")),
         (Call({}), Call({"start": None}, 161001, "start is null; expected a scalar"),
          Call({"out": None}, 161001, "out is null"),
          Call({"out": T("s32", (3,))}, 161002, "out has dtype INT32"),
          Call({"steps": -1}, 161002, "steps is -1; expected at least 0"),
          Call({"out": T(shape=(4,))}, 161002, "out has shape [4]; expected [3]")),
         plain={"start": S(0), "end": S(1), "steps": 3, "base": 10.0, "out": T(shape=(3,))}),
    Rows("prelu_backward",
         (Known(([[1, 1, 1]], [[-2, 3, NAN]], [0.5]), ([[0.5, 1, 0.5]], [NAN]), dtypes=FLOATS),
          Known(([[1, 2], [4, 8]], [[-1, 1], [-1, -1]], [2, 3]),
                ([[2, 2], [8, 24]], [-5, -8])),
          Known(([1, 2], [-1, 3], [0.5]), ([0.5, 2], [-1])),
          Known((np.float32(2), np.float32(-1), [0.5]), (1, [-2]))),
         (*tensors("aclnnPreluBackward", "grad_output", "self", "weight", "grad_input"),
          Call({"weight": T(shape=(2,))}, 161002, "weight has shape [2]; expected [1], or [3]"),
          Call({"self": T("f16")}, 161002, "self has dtype FLOAT16; expected FLOAT"),
          Call({"grad_weight": T(shape=(3,))}, 161002, "grad_weight has shape [3]; expected [1]"),
          Call({"grad_output": T(shape=(2, 2))}, 161002, "grad_output has shape [2, 2]")),
         plain={"weight": T(shape=(1,)), "grad_weight": T(shape=(1,))},
         cases=(Case(normal(grad_output=(4, 5, 6), self=(4, 5, 6), weight=(5,)), prelu,
                     dtypes=SOME),
                Case(normal(grad_output=(4, 5), self=(4, 5), weight=(1,)), prelu, dtypes=SOME))),
    Rows("kl_div_backward",
         (Known(([4], [-1], [0.5]), ([-2],), SUM, FLOATS),
          Known((np.float32(4), [-1, NAN], [0, 0.5]), ([-0.0, -1],), {"reduction": 1})),
         (*tensors("aclnnKlDivBackward", "grad_output", "self", "target", "out"),
          Call({"reduction": 3}, 161002, "reduction is 3"),
          Call({"target": T(shape=(4,))}, 161002, "broadcast")),
         plain={"reduction": 1, "log_target": False},
         cases=(Case(lambda rng: divergence(rng, rng.random((7, 5))), kl_div, SUM, SOME),
                Case(lambda rng: divergence(rng, rng.normal(0, 2, (7, 5))), kl_div,
                     {**SUM, "log_target": True}, SOME))),
    Rows("im2col_backward",
         (Known(([[1, 2], [3, 4]], (1, 3), (1, 2), (1, 1), (0, 0), (1, 1)), ([[[1, 5, 4]]],),
                dtypes=FLOATS),
          Known(([[2.0**24, 1], [1, 1]], (1, 3), (1, 2), (1, 1), (0, 0), (1, 1)),
                ([[[2.0**24, 2, 1]]],))),
         (*tensors("aclnnIm2colBackward", "self", "out"),
          Call({"self": T(shape=(4,))}, 161002, "self has 1 dimensions; expected 2 or 3"),
          Call({"stride": (0, 1)}, 161002, "stride is [0, 1]; expected two numbers, at least 1"),
          Call({"kernel_size": (4, 4)}, 161002, "the window stands at [0, 0] places"),
          Call({"self": T(shape=(5, 4))}, 161002, "expected a multiple of 4, and 4, last"),
          Call({"out": T(shape=(1, 3, 4))}, 161002, "out has shape [1, 3, 4]; expected")),
         plain={"self": T(shape=(4, 4)), "output_size": (3, 3), **WINDOW,
                "out": T(shape=(1, 3, 3))},
         cases=(Case(normal(self=(2, 12, 20)), folded, {"output_size": (5, 6), **WINDOW},
                     dtypes=SOME),
                Case(normal(self=(2, 12, 6)), folded,
                     {"output_size": (4, 6), "kernel_size": (2, 2), "dilation": (1, 2),
                      "padding": (1, 1), "stride": (2, 3)}, dtypes=SOME))),
    Rows("split_with_size",
         (Known(([1, 2, 3], (2, 0, 1)), ([1, 2], [], [3]), dtypes=NUMBERS),
          Known(([[1, 2, 3]], (1, 2)), ([[1]], [[2, 3]]), {"dim": 1})),
         (*tensors("aclnnSplitWithSize", "self", "out"),
          Call({"split_sizes": None}, 161001, "split_sizes is null"),
          Call({"split_sizes": (1, 1)}, 161002, "split_sizes is [1, 1]; expected sizes"),
          Call({"dim": 2}, 161002, "dim is 2"),
          Call({"out": (T(shape=(2, 3)),)}, 161002, "out has 1 tensors; expected 2"),
          Call({"out": (T(shape=(2, 2)), T(shape=(2, 2)))}, 161002, "out[0] has shape [2, 2]")),
         plain={"split_sizes": (1, 2), "dim": 1, "out": (T(shape=(2, 1)), T(shape=(2, 2)))}),
    Rows("split_tensor",
         (Known(([1, 2, 3], 2), ([1, 2], [3]), dtypes=NUMBERS),),
         (*tensors("aclnnSplitTensor", "self", "out"),
          Call({"split_sections": 0}, 161002, "split_sections is 0; expected at least 1"),
          Call({"out": (T(),)}, 161002, "out has 1 tensors; expected 2")),
         plain={"split_sections": 2, "dim": 1, "out": (T(shape=(2, 2)), T(shape=(2, 1)))}),
)  # fmt: skip
