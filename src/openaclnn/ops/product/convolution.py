"""A window moves over the input; each result is the sum of the products of what it sees and the
weight, exact and rounded once. Transposed: each element of the input is spread by the window.

Padding is zeros: times an infinite weight it is NaN."""

from collections.abc import Mapping, Sequence
from typing import Any

from openaclnn.spec.call import Call, Meta
from openaclnn.spec.convolution import (
    FITS,
    MOVES,
    convolved,
    geometry,
    gradient_steps,
    out_channels,
    sizes,
    spread,
)
from openaclnn.spec.families import NUMBERS
from openaclnn.spec.formula import Expr, described
from openaclnn.spec.op import In, Op, Out, never
from openaclnn.spec.products import CUBE, PROOF, OneKind
from openaclnn.spec.results import promoted_dtype
from openaclnn.spec.rules import Castable, Dtypes, OneOf, Promotable, ResultShape
from openaclnn.spec.steps import Step, parts


def results(call: Call) -> tuple[Meta, ...]:
    try:
        shape = (call["input"].shape[0], out_channels(call), *sizes(call))
    except (IndexError, ValueError, ZeroDivisionError):  # of a wrong call
        shape = call["input"].shape
    return (Meta(shape, promoted_dtype(call)),)


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    x, weight, out = known["input"], known["weight"], known["output"]
    how = geometry(call, len(x.view.shape) - 2)
    if call["transposed"]:
        return spread(x, weight, out, how, known.get("bias"))
    return convolved(x, weight, out, how, known.get("bias"))


def pulled_back(call: Call, name: str) -> tuple[Step, ...]:
    known = parts(call)
    return gradient_steps(call, name, known["grad_result"], known["grad_input"], known)


def formula(input: Expr, weight: Expr, bias: Expr | None) -> Expr:
    there = (x for x in (input, weight, bias) if x is not None)
    return described("the convolution of input and weight, plus bias", *there)


def shapes(shape: tuple[int, ...], attributes: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    rows, columns = (*shape, 2, 2)[:2]
    channels = min(rows, 8)
    between = (channels, 3) if attributes["transposed"] else (3, channels)
    return {"input": (2, channels, 4, columns + 2), "weight": (*between, 2, 2), "bias": (3,)}


def _each(value: Any, count: int) -> Sequence[int]:
    """A window's numbers, one for each axis."""
    return (value,) * count if isinstance(value, int) else value


def spelling(axes: int) -> Any:
    def called(
        of: Any, input: Any, weight: Any, bias: Any = None, stride: int | Sequence[int] = 1,
        padding: int | Sequence[int] = 0, dilation: int | Sequence[int] = 1, groups: int = 1, *,
        out: Any = None,
    ) -> Any:  # fmt: skip
        """Convolution as PyTorch's function has it."""
        moves = (_each(value, axes) for value in (stride, padding, dilation))
        return of("convolution")(input, weight, *moves, bias, groups=groups, out=out)

    called.__name__ = called.__qualname__ = f"conv{axes}d"
    return called


def transposed(axes: int) -> Any:
    def called(
        of: Any, input: Any, weight: Any, bias: Any = None, stride: int | Sequence[int] = 1,
        padding: int | Sequence[int] = 0, output_padding: int | Sequence[int] = 0, groups: int = 1,
        dilation: int | Sequence[int] = 1, *, out: Any = None,
    ) -> Any:  # fmt: skip
        """Transposed convolution as PyTorch's function has it."""
        moves = (_each(value, axes) for value in (stride, padding, dilation))
        return of("convolution")(
            input, weight, *moves, bias, transposed=True, groups=groups,
            output_padding=_each(output_padding, axes), out=out,
        )  # fmt: skip

    called.__name__ = called.__qualname__ = f"conv_transpose{axes}d"
    return called


OP = Op(
    name="convolution",
    en="Convolution in one to three dimensions",
    zh="一至三维卷积",
    arguments=(
        In("input", "batch, channels, space", "输入，依次为批、通道与空间"),
        In("weight", "the window for each pair of channels", "每对通道的卷积核"),
        In("bias", "what is added to each channel", "每个通道的偏置", optional=True),
        *MOVES,
        Out("output", "the result", "结果"),
        CUBE,
    ),
    rules=(
        Dtypes(("input", "weight", "bias"), NUMBERS, lacks_complex=True),
        OneKind(("input", "weight", "bias")),
        Promotable(),
        OneOf("cube_math_type"),
        FITS,
        ResultShape(),
        Castable(),
    ),
    formula=formula,
    results=results,
    steps=steps,
    spellings=(*map(spelling, (1, 2, 3)), *map(transposed, (1, 2, 3))),
    pulled_back=pulled_back,
    wide=never,
    proof=PROOF,
    shapes=shapes,
    source="signature: op-plugin, candle; values: PyTorch's convolution (rounded once)",
    example="""
>>> import numpy as np, openaclnn
>>> row, ones = np.arange(4, dtype=np.float32).reshape(1, 1, 4), np.ones((1, 1, 2), np.float32)
>>> openaclnn.convolution(row, ones, [1], [0], [1])
array([[[1., 3., 5.]]], dtype=float32)
""",
)
