"""The gradients of a convolution: of its input (a transposed convolution of the result's gradient),
of its weight (a sum over batch and places), of its bias. Each is exact and rounded once; those that
`output_mask` does not ask for are not written."""

from collections.abc import Mapping
from typing import Any

from openaclnn.spec.call import Call, Meta
from openaclnn.spec.convolution import (
    FITS,
    MOVES,
    gradient_steps,
    out_channels,
    sizes,
)
from openaclnn.spec.families import NUMBERS
from openaclnn.spec.formula import Expr, described
from openaclnn.spec.host import BOOL_ARRAY, INT_ARRAY
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, never
from openaclnn.spec.products import CUBE, PROOF, OneKind
from openaclnn.spec.results import promoted_dtype
from openaclnn.spec.rules import Castable, Dtypes, OneOf, Promotable, ResultShape
from openaclnn.spec.steps import Step, parts

FACTORS = ("grad_output", "input", "weight")
OUTPUTS = ("grad_input", "grad_weight", "grad_bias")


def fits(call: Call) -> str | None:
    expected = [call["input"].shape[0], out_channels(call), *sizes(call)]
    if list(call["grad_output"].shape) != expected:
        return f"grad_output has shape {list(call['grad_output'].shape)}; expected {expected}"
    mask = call["output_mask"]
    if len(mask) != 3:
        return f"output_mask has {len(mask)} elements; expected 3"
    for wanted, name in zip(mask, OUTPUTS, strict=True):
        if wanted and call[name] is None:
            return f"{name} is null; expected a tensor, as output_mask asks for it"
    return None


def results(call: Call) -> tuple[Meta, ...]:
    dtype = promoted_dtype(call)
    given, weight = call["input"].shape, call["weight"].shape
    try:
        channels = out_channels(call)
    except IndexError:  # of a wrong call
        channels = 0
    return Meta(given, dtype), Meta(weight, dtype), Meta((channels,), dtype)


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    wanted = zip(OUTPUTS, call["output_mask"], strict=True)
    return tuple(
        step
        for name, asked in wanted
        if asked
        for step in gradient_steps(
            call, name.removeprefix("grad_"), known["grad_output"], known[name], known
        )
    )


def formula(grad_output: Expr, input: Expr, weight: Expr) -> tuple[Expr, ...]:
    return (
        described("the transposed convolution of grad_output and weight", grad_output, weight),
        described("what input and grad_output make of each weight", grad_output, input),
        described("the sum of grad_output over batch and space", grad_output),
    )


def shapes(shape: tuple[int, ...], attributes: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    rows, columns = (*shape, 2, 2)[:2]
    channels, across = min(rows, 8), attributes["transposed"]
    return {
        "grad_output": (2, 3, 5, columns + 3) if across else (2, 3, 3, columns + 1),
        "input": (2, channels, 4, columns + 2),
        "weight": (channels, 3, 2, 2) if across else (3, channels, 2, 2),
    }


OP = Op(
    name="convolution_backward",
    en="Gradients of a convolution",
    zh="卷积的梯度",
    arguments=(
        In("grad_output", "the gradient of the result", "结果的梯度"),
        In("input", "the convolution's input", "卷积的输入"),
        In("weight", "its weight", "卷积核"),
        Attr(
            "bias_sizes",
            "the bias's shape; not read",
            "偏置的 shape，不使用",
            INT_ARRAY,
            (),
            optional=True,
        ),
        *MOVES,
        Attr(
            "output_mask",
            "which gradients are wanted: of input, weight, bias",
            "需要哪些梯度：输入、卷积核、偏置",
            BOOL_ARRAY,
            (True, True, True),
        ),
        CUBE,
        Out("grad_input", "the gradient of input", "输入的梯度", optional=True),
        Out("grad_weight", "the gradient of weight", "卷积核的梯度", optional=True),
        Out("grad_bias", "the gradient of bias", "偏置的梯度", optional=True),
    ),
    rules=(
        Dtypes(FACTORS, NUMBERS, lacks_complex=True),
        OneKind(FACTORS),
        Promotable(),
        OneOf("cube_math_type"),
        FITS,
        Sound(
            fits,
            "grad_output has the convolution's shape; output_mask has 3 elements, and the outputs "
            "that it asks for are there",
            "grad_output 的 shape 与卷积结果相同；output_mask 含 3 个元素，所需的输出均已给出",
        ),
        ResultShape(),
        Castable(),
    ),
    formula=formula,
    results=results,
    steps=steps,
    wide=never,
    proof=PROOF,
    shapes=shapes,
    source="signature: op-plugin, candle; values: PyTorch's convolution_backward (rounded once)",
    example="""
>>> import numpy as np, openaclnn
>>> row, ones = np.arange(4, dtype=np.float32).reshape(1, 1, 4), np.ones((1, 1, 2), np.float32)
>>> grad = np.ones((1, 1, 3), np.float32)
>>> _, of_weight, _ = openaclnn.convolution_backward(grad, row, ones, [1], [0], [1])
>>> of_weight
array([[[3., 6.]]], dtype=float32)
""",
)
