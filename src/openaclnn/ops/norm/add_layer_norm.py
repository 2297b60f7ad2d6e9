"""Layer normalisation of the sum of two tensors and perhaps a bias: (x − mean)/√(variance + ε) over
gamma's dimensions, the last ones, times gamma, plus beta; and with it each mean and reciprocal
deviation, and the sum where there is a tensor for it."""

from openaclnn.spec.call import Call, Meta
from openaclnn.spec.formula import Expr, fold, rsqrt
from openaclnn.spec.host import FLAG, FLOAT64
from openaclnn.spec.op import Attr, In, Out
from openaclnn.spec.shaped import laid, shape_fault, shaped, statistic
from openaclnn.spec.steps import Step, parts


def formula(
    x1: Expr, x2: Expr, gamma: Expr, beta: Expr, bias: Expr | None, epsilon: Expr
) -> tuple[Expr, Expr, Expr, Expr]:
    x = x1 + x2 if bias is None else x1 + x2 + bias
    mean = fold(x, "mean", over="row")
    d = x - mean
    rstd = rsqrt(fold(d * d, "mean", over="row") + epsilon)
    return d * rstd * gamma + beta, mean, rstd, x


def results(call: Call) -> list[Meta]:
    x, count = call["x1"], len(call["gamma"].shape)
    each = Meta((*x.shape[: len(x.shape) - count], *(1,) * count), statistic(x.dtype))
    return [Meta(x.shape, x.dtype), each, each, Meta(x.shape, x.dtype)]


def fits(call: Call) -> str | None:
    shape, row = call["x1"].shape, call["gamma"].shape
    if not row or shape[-len(row) :] != row:
        return f"gamma has shape {list(row)}; expected the last dimensions of x1, {list(shape)}"
    if call["additional_output"] and call["x"] is None:
        return "x is null; expected a tensor, since additional_output asks for it"
    kept = results(call)[1].shape
    return shape_fault(
        call, x2=shape, beta=row, bias=(row, shape), y=shape, mean=kept, rstd=kept, x=shape
    )


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    rank, count = len(call["x1"].shape), len(call["gamma"].shape)
    row = tuple(range(rank - count, rank))
    reads = {a.name: laid(known.get(a.name), rank, row) for a in call.op.inputs}
    writes = tuple(known.get(a.name) for a in call.op.outputs)
    return (Step(reads, writes, axes={"row": row}),)


OP = shaped(
    "add_layer_norm",
    (
        In("x1", "one summand", "加数"),
        In("x2", "the other", "另一加数"),
        In("gamma", "what is multiplied", "缩放"),
        In("beta", "what is added", "偏移"),
        In("bias", "a third summand", "第三个加数", optional=True),
        Attr("epsilon", "what is added to the variance", "加到方差上的小量", FLOAT64, 1e-5),
        Attr(
            "additional_output", "whether the sum must be a result", "加和是否必须输出", FLAG, False
        ),
        Out("y", "the result", "结果"),
        Out("mean", "the means", "均值"),
        Out("rstd", "the reciprocal deviations", "标准差的倒数"),
        Out("x", "the sum", "加和", optional=True),
    ),
    formula,
    steps,
    results,
    fits,
    (
        "gamma and beta have the last dimensions of x1, bias those or all; mean and rstd have 1 "
        "along them, other tensors x1's shape",
        "gamma 与 beta 的 shape 为 x1 的最后若干维，bias 与之或 x1 相同；mean 与 rstd 在这些维度上"
        "为 1，其他张量与 x1 相同",
    ),
    en="Layer normalisation of the sum of two tensors",
    zh="相加后的层归一化",
    shapes=lambda shape, attributes: dict.fromkeys(("gamma", "beta", "bias"), shape[-1:]),
    source="signature: op-plugin; values: PyTorch's layer_norm of the sum",
    example="""
>>> import numpy as np, openaclnn
>>> x, one = np.array([[1, 2]], np.float32), np.ones(2, np.float32)
>>> openaclnn.add_layer_norm(x, x, one, 0 * one, epsilon=0.0)[0]
array([[-1.,  1.]], dtype=float32)
""",
)
