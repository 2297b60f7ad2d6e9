"""Convolutions and their gradients."""

from typing import Any

import torch

from rows import FLOATS, INTEGERS, Call, Case, Known, Rows, T

NUMBERS = (*FLOATS, "f64", *INTEGERS)
PLAIN = {"stride": (1,), "padding": (0,), "dilation": (1,)}
ATTRIBUTES = {
    **PLAIN,
    "transposed": False,
    "output_padding": (0,),
    "groups": 1,
    "cube_math_type": 0,
}
ROW = [[[1, 2, 3, 4]]]


def refused(c_name: str) -> tuple[Call, ...]:
    """What both are refused for."""
    return (
        Call({}),
        Call({"input": None}, 161001, f"{c_name}: input is null; expected a tensor"),
        Call({"weight": T("c64")}, 161002, f"{c_name}: weight has dtype COMPLEX64"),
        Call({"weight": T("s32", (2, 3, 2))}, 161002, "weight has dtype INT32"),
        Call({"weight": T(shape=(2, 3))}, 161002, "weight has 2 dimensions; expected 3, as input"),
        Call({"weight": T(shape=(2, 2, 2))}, 161002, "input has 3 channels; expected 2"),
        Call({"input": T(shape=(3,))}, 161002, "input has 1 dimensions; expected 3 to 5"),
        Call({"stride": (0,)}, 161002, "stride is [0]; expected 1 numbers, at least 1"),
        Call({"padding": (-1,)}, 161002, "padding is [-1]; expected 1 numbers, at least 0"),
        Call({"padding": (1, 0)}, 161002, "padding is [1, 0]; expected as much at either end"),
        Call({"dilation": (1, 1)}, 161002, "dilation is [1, 1]; expected 1 numbers"),
        Call({"groups": 2}, 161002, "groups is 2; expected a number that divides the 3"),
        Call({"dilation": (9,)}, 161002, "the window stands at [-4] places"),
        Call({"cube_math_type": 9}, 161002, "cube_math_type is 9; expected"),
    )


def volumes(transposed: bool, *more: str) -> Any:
    """Numbers in three dimensions, and a window that leaves them all."""
    own = {
        "input": (2, 4, 3, 5, 4),
        "weight": (4, 3, 2, 3, 2) if transposed else (6, 2, 2, 3, 2),
        "grad_output": (2, 6, 2, 5, 6) if transposed else (2, 6, 4, 5, 3),
        "bias": (6,),
    }
    return lambda rng: {name: rng.normal(size=own[name]) for name in (*more, "input", "weight")}


def convolved(input: Any, weight: Any, bias: Any = None, **how: Any) -> Any:
    moves = (how[name] for name in ("stride", "padding", "dilation", "transposed"))
    return torch.ops.aten.convolution(input, weight, bias, *moves, how["output_padding"],
                                      how["groups"])  # fmt: skip


def gradients(grad_output: Any, input: Any, weight: Any, **how: Any) -> Any:
    given = [one.requires_grad_() for one in (input, weight, torch.zeros(6).to(input))]
    return torch.autograd.grad(convolved(*given, **how), given, grad_output)


MOVED = {"stride": (1, 1, 2), "padding": (1, 1, 1), "dilation": (1, 1, 1), "groups": 2,
         "cube_math_type": 0}  # fmt: skip
TURNED = {True: (0, 0, 0), False: (0,)}


def three(oracle: Any, *more: str, **also: Any) -> tuple[Case, ...]:
    return tuple(
        Case(volumes(turned, *more), oracle,
             {**MOVED, "transposed": turned, "output_padding": TURNED[turned], **also}, ("f32",))
        for turned in (False, True)
    )  # fmt: skip


ROWS = (
    Rows(
        op="convolution",
        known=(
            Known((ROW, [[[1, 1]]]), ([[[3, 5, 7]]],), PLAIN, dtypes=NUMBERS),
            Known((ROW, [[[1, 2]]]), ([[[2, 8, 4]]],),
                  {"stride": (2,), "padding": (1, 1), "dilation": (1,)}),
            Known((ROW, [[[1, 2]]]), ([[[1, 4, 7, 10, 8]]],), {**PLAIN, "transposed": True}),
            Known(([[[1, 2], [3, 4]]], [[[1]], [[2]]]), ([[[1, 2], [6, 8]]],),
                  {**PLAIN, "groups": 2}),
            # far more than float64 has room for
            Known(([[[1e30, 1, -1e30]]], [[[1, 1, 1]]]), ([[[1]]],), PLAIN),
        ),
        calls=(
            *refused("aclnnConvolution"),
            Call({"bias": T(shape=(3,))}, 161002, "bias has shape [3]; expected [2]"),
            Call({"output": T(shape=(2, 2, 2))}, 161002, "output has shape [2, 2, 2]; expected"),
        ),
        plain={**ATTRIBUTES, "input": T(shape=(2, 3, 5)), "weight": T(shape=(2, 3, 2)),
               "bias": T(shape=(2,)), "output": T(shape=(2, 2, 4))},
        cases=three(convolved, "bias"),
    ),
    Rows(
        op="convolution_backward",
        known=(
            Known(([[[1, 1, 1]]], ROW, [[[1, 2]]]), ([[[1, 3, 3, 2]]], [[[6, 9]]], [3]), PLAIN,
                  dtypes=NUMBERS),
        ),
        calls=(
            *refused("aclnnConvolutionBackward"),
            Call({"grad_output": T(shape=(2, 2, 3))}, 161002, "grad_output has shape [2, 2, 3]"),
            Call({"output_mask": (True,)}, 161002, "output_mask has 1 elements; expected 3"),
            Call({"grad_bias": None}, 161002, "grad_bias is null; expected a tensor, as output_"),
            Call({"grad_bias": None, "output_mask": (True, True, False)}),
        ),
        plain={**ATTRIBUTES, "bias_sizes": (2,), "output_mask": (True,) * 3,
               "grad_output": T(shape=(2, 2, 4)), "input": T(shape=(2, 3, 5)),
               "weight": T(shape=(2, 3, 2)), "grad_input": T(shape=(2, 3, 5)),
               "grad_weight": T(shape=(2, 3, 2)), "grad_bias": T(shape=(2,))},
        cases=three(gradients, "grad_output", bias_sizes=(6,), output_mask=(True,) * 3),
    ),
)  # fmt: skip
