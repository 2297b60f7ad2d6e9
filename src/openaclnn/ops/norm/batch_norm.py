"""(x − mean)/√(variance + ε) for every channel, the second dimension, times a weight, plus a bias.
Training takes mean and variance of the batch, gives the mean and 1/√(variance + ε), and moves the
running ones towards them (of the variance the unbiased one); otherwise the running ones are taken,
and nothing is given but the result."""

from openaclnn.spec.call import Call, Meta
from openaclnn.spec.formula import Expr, constant, extent, fold, rsqrt
from openaclnn.spec.host import FLAG, FLOAT64
from openaclnn.spec.op import Attr, In, InOut, Out
from openaclnn.spec.shaped import laid, shape_fault, shaped, statistic
from openaclnn.spec.steps import Part, Step, parts

OF_CHANNELS = ("weight", "bias", "running_mean", "running_var")


def towards(running: Expr | None, new: Expr, momentum: Expr) -> Expr:
    """A running statistic, moved."""
    return constant(0) if running is None else running + momentum * (new - running)


def formula(
    input: Expr,
    weight: Expr | None,
    bias: Expr | None,
    running_mean: Expr | None,
    running_var: Expr | None,
    training: bool,
    momentum: Expr,
    eps: Expr,
) -> tuple[Expr, ...]:
    mean, var = running_mean, running_var
    new_mean, new_var = constant(0), constant(0)  # which nobody wants
    if training or mean is None or var is None:
        mean = fold(input, "mean", over="batch")
        squares = fold((input - mean) * (input - mean), "add", over="batch")
        var = squares / extent("batch")
        unbiased = squares / (extent("batch") - 1)
        new_mean = towards(running_mean, mean, momentum)
        new_var = towards(running_var, unbiased, momentum)
    rstd = rsqrt(var + eps)
    scaled = (input - mean) * rstd if weight is None else (input - mean) * rstd * weight
    y = scaled if bias is None else scaled + bias
    return new_mean, new_var, y, mean, rstd


def results(call: Call) -> list[Meta]:
    x = call["input"]
    c, dtype = x.shape[1:2], statistic(x.dtype)
    saved = Meta(c if call["training"] else (0,), dtype)
    return [Meta(c, dtype), Meta(c, dtype), Meta(x.shape, x.dtype), saved, saved]


def fits(call: Call) -> str | None:
    shape = call["input"].shape
    if len(shape) < 2:
        return f"input has {len(shape)} dimensions; expected at least 2"
    if (call["running_mean"] is None) != (call["running_var"] is None):
        return "one of running_mean and running_var is null; expected both tensors, or neither"
    if not call["training"] and call["running_mean"] is None:
        return "running_mean is null; expected a tensor, since training is false"
    c = shape[1:2]
    saved = (c, c) if call["training"] else (c, (0,))
    fault = shape_fault(call, **dict.fromkeys(OF_CHANNELS, c), output=shape)
    return fault or shape_fault(call, save_mean=saved, save_invstd=saved)


def steps(call: Call) -> tuple[Step, ...]:
    known, rank = parts(call), len(call["input"].shape)
    reads: dict[str, Part | None] = {"input": known["input"]}
    reads |= {one: laid(known.get(one), rank, (1,)) for one in OF_CHANNELS}
    kept, saved = ("running_mean", "running_var"), ("save_mean", "save_invstd")
    given = {one: laid(known.get(one), rank, (1,)) for one in (*kept, *saved)}
    made = given if call["training"] else dict[str, Part | None]()
    writes = (*map(made.get, kept), known["output"], *map(made.get, saved))
    return (Step(reads, writes, axes={"batch": (0, *range(2, rank))}),)


TEXTS = (
    "input has at least 2 dimensions; weight, bias, running_mean, running_var, save_mean and "
    "save_invstd have one element for each channel, its second dimension, output has input's "
    "shape; both running statistics are there or none, and where training is false they are, and "
    "the saved ones may be empty",
    "input 至少 2 维；weight、bias、running_mean、running_var、save_mean 与 save_invstd 每个通道"
    "（第二维）一个元素，output 的 shape 与 input 相同；两个滑动统计量同时存在或同时为空，"
    "training 为 false 时必须存在，此时 save_mean 与 save_invstd 可以为空张量",
)

OP = shaped(
    "batch_norm",
    (
        In("input", "the input", "输入"),
        In("weight", "what is multiplied", "缩放", optional=True),
        In("bias", "what is added", "偏移", optional=True),
        InOut("running_mean", "the running mean", "滑动均值", optional=True),
        InOut("running_var", "the running variance", "滑动方差", optional=True),
        Attr("training", "whether the batch's own are taken", "是否为训练", FLAG, usual=True),
        Attr("momentum", "how far the running ones move", "动量", FLOAT64, 0.1),
        Attr("eps", "what is added to the variance", "加到方差上的小量", FLOAT64, 1e-5),
        Out("output", "the result", "结果"),
        Out("save_mean", "the means", "均值"),
        Out("save_invstd", "the reciprocal deviations", "标准差的倒数"),
    ),
    formula,
    steps,
    results,
    fits,
    TEXTS,
    en="Batch normalisation",
    zh="批归一化",
    shapes=lambda shape, attributes: dict.fromkeys(OF_CHANNELS, shape[1:2]),
    source="signature: op-plugin; values: PyTorch's native_batch_norm",
    example="""
>>> import numpy as np, openaclnn
>>> x = np.array([[1], [3]], np.float32)
>>> *_, y, mean, rstd = openaclnn.batch_norm(x, training=True, eps=0.0)
>>> y.ravel(), mean, rstd
(array([-1.,  1.], dtype=float32), array([2.], dtype=float32), array([1.], dtype=float32))
""",
)
