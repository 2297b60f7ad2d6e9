"""The gradient of batch norm. Of a batch's own statistics as that of layer norm, over all but the
channels; of running ones the gradient times weight/√(variance + ε). Of weight and bias sums."""

from openaclnn.spec.call import Call, Meta
from openaclnn.spec.formula import Expr, constant, extent, fold, rsqrt
from openaclnn.spec.host import BOOL_ARRAY, FLAG, FLOAT64
from openaclnn.spec.op import Attr, In, Out
from openaclnn.spec.shaped import laid, masked, shape_fault, shaped, statistic
from openaclnn.spec.steps import Step, parts

OF_CHANNELS = ("weight", "running_mean", "running_var", "save_mean", "save_invstd")


def formula(
    grad_out: Expr,
    self: Expr,
    weight: Expr | None,
    running_mean: Expr | None,
    running_var: Expr | None,
    save_mean: Expr | None,
    save_invstd: Expr | None,
    train: bool,
    eps: Expr,
) -> tuple[Expr, Expr, Expr]:
    mean, rstd = save_mean, save_invstd
    if not train and running_mean is not None and running_var is not None:
        mean, rstd = running_mean, rsqrt(running_var + eps)
    assert mean is not None
    assert rstd is not None
    normalised = (self - mean) * rstd
    grad_bias = fold(grad_out, "add", over="batch")
    grad_weight = fold(grad_out * normalised, "add", over="batch")
    n, scale = extent("batch"), rstd * (constant(1) if weight is None else weight)
    if not train:
        return grad_out * scale, grad_weight, grad_bias
    grad_input = (grad_out - grad_bias / n - normalised * (grad_weight / n)) * scale
    return grad_input, grad_weight, grad_bias


def results(call: Call) -> list[Meta]:
    x = call["self"]
    dtype = statistic(x.dtype) if call["weight"] is None else call["weight"].dtype
    of_channels = Meta(x.shape[1:2], dtype)
    return [Meta(x.shape, x.dtype), of_channels, of_channels]


def fits(call: Call) -> str | None:
    shape = call["self"].shape
    if len(shape) < 2:
        return f"self has {len(shape)} dimensions; expected at least 2"
    needed = ("save_mean", "save_invstd") if call["train"] else ("running_mean", "running_var")
    for name in needed:
        if call[name] is None:
            told = str(call["train"]).lower()
            return f"{name} is null; expected a tensor, since train is {told}"
    return masked(call, "grad_input_mask") or shape_fault(
        call,
        grad_out=shape,
        grad_input=shape,
        **dict.fromkeys(("grad_weight", "grad_bias", "weight", *needed), shape[1:2]),
    )


def steps(call: Call) -> tuple[Step, ...]:
    known, rank = parts(call), len(call["self"].shape)
    unread = ("running_mean", "running_var") if call["train"] else ("save_mean", "save_invstd")
    given = {name: part for name, part in known.items() if name not in unread}
    reads = {one: laid(given.get(one), rank, (1,)) for one in ("grad_out", "self", *OF_CHANNELS)}
    wanted = zip(call.op.outputs, call["grad_input_mask"], strict=True)
    writes = tuple(laid(known.get(a.name), rank, (1,)) if asked else None for a, asked in wanted)
    return (Step(reads, writes, axes={"batch": (0, *range(2, rank))}),)


TEXTS = (
    "self has at least 2 dimensions, grad_out and grad_input its shape, all else one element for "
    "each channel, the second dimension; the saved statistics are there where train is true, the "
    "running ones where it is false; grad_input_mask has 3 members, and outputs it asks for are "
    "there",
    "self 至少 2 维，grad_out 与 grad_input 的 shape 与之相同，其余每个通道（第二维）一个元素；"
    "train 为 true 时保存的统计量不为空，为 false 时滑动统计量不为空；grad_input_mask 有 3 个元素，"
    "其要求的输出不为空",
)

OP = shaped(
    "batch_norm_backward",
    (
        In("grad_out", "gradient with respect to batch norm's result", "批归一化结果的梯度"),
        In("self", "batch norm's input", "批归一化的输入"),
        In("weight", "what was multiplied", "缩放", optional=True),
        In("running_mean", "the running mean", "滑动均值", optional=True),
        In("running_var", "the running variance", "滑动方差", optional=True),
        In("save_mean", "the means", "均值", optional=True),
        In("save_invstd", "the reciprocal deviations", "标准差的倒数", optional=True),
        Attr("train", "whether the batch's own were taken", "是否为训练", FLAG, usual=True),
        Attr("eps", "what was added to the variance", "加到方差上的小量", FLOAT64, 1e-5),
        Attr("grad_input_mask", "which outputs are wanted", "需要的输出", BOOL_ARRAY,
             default=(True, True, True)),
        Out("grad_input", "gradient with respect to self", "self 的梯度", optional=True),
        Out("grad_weight", "gradient with respect to weight", "weight 的梯度", optional=True),
        Out("grad_bias", "gradient with respect to bias", "bias 的梯度", optional=True),
    ),
    formula,
    steps,
    results,
    fits,
    TEXTS,
    en="Gradient of batch normalisation",
    zh="批归一化的反向传播",
    shapes=lambda shape, attributes: dict.fromkeys(OF_CHANNELS, shape[1:2]),
    source="signature: op-plugin; values: PyTorch's native_batch_norm_backward",
    example="""
>>> import numpy as np, openaclnn
>>> g, x, one = np.array([[1], [0]], np.float32), np.array([[-1], [1]], np.float32), np.ones(1)
>>> found = openaclnn.batch_norm_backward(
...     g, x, train=True, save_mean=np.float32(0 * one), save_invstd=np.float32(one))
>>> found[1:]
(array([-1.], dtype=float32), array([1.], dtype=float32))
""",
)  # fmt: skip
