"""The gradient of layer norm: of the input (g − mean(g) − x̂·mean(g·x̂))/deviation with g the
gradient times the weight and x̂ what was normalised; of weight and bias sums over what they are
common to."""

from openaclnn.spec.call import Call, Meta
from openaclnn.spec.formula import Expr, fold
from openaclnn.spec.host import BOOL_ARRAY, INT_ARRAY
from openaclnn.spec.op import Attr, In, Out
from openaclnn.spec.shaped import laid, masked, shape_fault, shaped
from openaclnn.spec.steps import Step, parts


def formula(
    grad_out: Expr, input: Expr, mean: Expr, rstd: Expr, weight: Expr | None
) -> tuple[Expr, Expr, Expr]:
    normalised = (input - mean) * rstd
    g = grad_out if weight is None else grad_out * weight
    along = fold(g * normalised, "mean", over="row")
    grad_input = (g - fold(g, "mean", over="row") - normalised * along) * rstd
    grad_weight = fold(grad_out * normalised, "add", over="batch")
    return grad_input, grad_weight, fold(grad_out, "add", over="batch")


def results(call: Call) -> list[Meta]:
    x, size = call["input"], call["normalized_shape"]
    like = x.dtype if call["weight"] is None else call["weight"].dtype
    return [Meta(x.shape, x.dtype), Meta(size, like), Meta(size, like)]


def fits(call: Call) -> str | None:
    shape, size = call["input"].shape, call["normalized_shape"]
    if not size or shape[-len(size) :] != size:
        return (
            f"normalized_shape is {list(size)}; expected the last dimensions of input, which has "
            f"shape {list(shape)}"
        )
    kept = shape[: len(shape) - len(size)]
    of_rows = (kept + (1,) * len(size), kept)
    return masked(call) or shape_fault(
        call, grad_out=shape, mean=of_rows, rstd=of_rows, weight=size,
        grad_input=shape, grad_weight=size, grad_bias=size,
    )  # fmt: skip


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    rank, count = len(call["input"].shape), len(call["normalized_shape"])
    batch, row = tuple(range(rank - count)), tuple(range(rank - count, rank))
    reads = {one: laid(known[one], rank, batch) for one in ("grad_out", "input", "mean", "rstd")}
    reads["weight"] = laid(known.get("weight"), rank, row)
    wanted = zip(("grad_input", "grad_weight", "grad_bias"), call["output_mask"], strict=True)
    writes = tuple(laid(known.get(one), rank, row) if asked else None for one, asked in wanted)
    return (Step(reads, writes, axes={"row": row, "batch": batch}),)


TEXTS = (
    "normalized_shape are the last dimensions of input and the shape of weight, bias and their "
    "gradients; mean and rstd have the other dimensions, and perhaps 1 along those; grad_out and "
    "grad_input have input's shape; output_mask has 3 members, and outputs it asks for are there",
    "normalized_shape 为 input 的最后若干维，也是 weight、bias 及其梯度的 shape；mean 与 rstd "
    "具有其余各维，归一化维度可为 1；grad_out 与 grad_input 的 shape 与 input 相同；output_mask "
    "有 3 个元素，其要求的输出不为空",
)

OP = shaped(
    "layer_norm_backward",
    (
        In("grad_out", "gradient with respect to layer norm's result", "层归一化结果的梯度"),
        In("input", "layer norm's input", "层归一化的输入"),
        Attr("normalized_shape", "sizes of the last dimensions", "归一化维度的大小", INT_ARRAY,
             usual=(4,)),
        In("mean", "the means", "均值"),
        In("rstd", "the reciprocal deviations", "标准差的倒数"),
        In("weight", "what was multiplied", "缩放", optional=True),
        In("bias", "what was added", "偏移", optional=True, read=False),
        Attr("output_mask", "which outputs are wanted", "需要的输出", BOOL_ARRAY,
             default=(True, True, True)),
        Out("grad_input", "gradient with respect to input", "input 的梯度", optional=True),
        Out("grad_weight", "gradient with respect to weight", "weight 的梯度", optional=True),
        Out("grad_bias", "gradient with respect to bias", "bias 的梯度", optional=True),
    ),
    formula,
    steps,
    results,
    fits,
    TEXTS,
    en="Gradient of layer normalisation",
    zh="层归一化的反向传播",
    shapes=lambda shape, attributes: {
        **dict.fromkeys(
            ("grad_out", "input"), (*shape[:-1], *attributes["normalized_shape"])
        ),
        **dict.fromkeys(("mean", "rstd"), (*shape[:-1], 1)),
        **dict.fromkeys(("weight", "bias"), attributes["normalized_shape"]),
    },
    source="signature: op-plugin; values: PyTorch's native_layer_norm_backward",
    example="""
>>> import numpy as np, openaclnn
>>> g, x = np.array([[1, 0]], np.float32), np.array([[-1, 1]], np.float32)
>>> mean, rstd = np.zeros((1, 1), np.float32), np.ones((1, 1), np.float32)
>>> openaclnn.layer_norm_backward(g, x, [2], mean, rstd)[1]
array([-1.,  0.], dtype=float32)
""",
)  # fmt: skip
