"""(x − mean)/√(variance + ε) over the last dimensions, times a weight, plus a bias; and with it the
mean and 1/√(variance + ε). The variance divides by how many there are."""

from openaclnn.spec.call import Call, Meta
from openaclnn.spec.formula import Expr, fold, rsqrt
from openaclnn.spec.host import FLOAT64, INT_ARRAY
from openaclnn.spec.op import Attr, In, Out
from openaclnn.spec.shaped import laid, shape_fault, shaped, statistic
from openaclnn.spec.steps import Step, parts


def formula(
    input: Expr, weight: Expr | None, bias: Expr | None, eps: Expr
) -> tuple[Expr, Expr, Expr]:
    mean = fold(input, "mean", over="row")
    d = input - mean
    rstd = rsqrt(fold(d * d, "mean", over="row") + eps)
    scaled = d * rstd if weight is None else d * rstd * weight
    return scaled if bias is None else scaled + bias, mean, rstd


def results(call: Call) -> list[Meta]:
    x, count = call["input"], len(call["normalized_shape"])
    kept = (*x.shape[: len(x.shape) - count], *(1,) * count)
    each = Meta(kept, statistic(x.dtype))
    return [Meta(x.shape, x.dtype), each, each]


def fits(call: Call) -> str | None:
    shape, normalized = call["input"].shape, call["normalized_shape"]
    if not normalized or shape[-len(normalized) :] != normalized:
        return (
            f"normalized_shape is {list(normalized)}; expected the last dimensions of input, which "
            f"has shape {list(shape)}"
        )
    out, kept, _ = (one.shape for one in results(call))
    return shape_fault(
        call, weight=normalized, bias=normalized, out=out, mean_out=kept, rstd_out=kept
    )


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    rank, count = len(call["input"].shape), len(call["normalized_shape"])
    row = tuple(range(rank - count, rank))
    each = {one: laid(known.get(one), rank, row) for one in ("weight", "bias")}
    writes = tuple(known.get(one) for one in ("out", "mean_out", "rstd_out"))
    return (Step({"input": known["input"], **each}, writes, axes={"row": row}),)


TEXTS = (
    "normalized_shape are the last dimensions of input; weight and bias have that shape, out "
    "input's, mean_out and rstd_out input's with 1 along those dimensions",
    "normalized_shape 为 input 的最后若干维；weight 与 bias 的 shape 与之相同，out 与 input 相同，"
    "mean_out 与 rstd_out 在这些维度上为 1",
)

OP = shaped(
    "layer_norm",
    (
        In("input", "the input", "输入"),
        Attr(
            "normalized_shape",
            "sizes of the last dimensions",
            "归一化维度的大小",
            INT_ARRAY,
            usual=(4,),
        ),
        In("weight", "what is multiplied", "缩放", optional=True),
        In("bias", "what is added", "偏移", optional=True),
        Attr(
            "eps", "what is added to the variance", "加到方差上的小量", FLOAT64, 1e-5, by_place=True
        ),
        Out("out", "the result", "结果"),
        Out("mean_out", "the means", "均值", optional=True),
        Out("rstd_out", "the reciprocal deviations", "标准差的倒数", optional=True),
    ),
    formula,
    steps,
    results,
    fits,
    TEXTS,
    en="Layer normalisation",
    zh="层归一化",
    shapes=lambda shape, attributes: {
        "input": (*shape[:-1], *attributes["normalized_shape"]),
        **dict.fromkeys(("weight", "bias"), attributes["normalized_shape"]),
    },
    source="signature: op-plugin, llama.cpp; values: PyTorch's native_layer_norm",
    example="""
>>> import numpy as np, openaclnn
>>> y, mean, rstd = openaclnn.layer_norm(np.array([[1, 3]], np.float32), [2], eps=0.0)
>>> y, mean, rstd
(array([[-1.,  1.]], dtype=float32), array([[2.]], dtype=float32), array([[1.]], dtype=float32))
""",
)
