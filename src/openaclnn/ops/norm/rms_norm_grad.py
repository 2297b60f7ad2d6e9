"""The gradient of RMS norm: (g − x̂·mean(g·x̂))·rstd with g the gradient times gamma and x̂ = x·rstd;
of gamma the sum of the gradient times x̂."""

from openaclnn.spec.call import Call, Meta
from openaclnn.spec.formula import Expr, fold
from openaclnn.spec.op import In, Out
from openaclnn.spec.shaped import laid, shape_fault, shaped, statistic
from openaclnn.spec.steps import Step, parts


def formula(dy: Expr, self: Expr, rstd: Expr, gamma: Expr) -> tuple[Expr, Expr]:
    x, g = self * rstd, dy * gamma
    dx = (g - x * fold(g * x, "mean", over="row")) * rstd
    return dx, fold(dy * x, "add", over="batch")


def results(call: Call) -> list[Meta]:
    x, gamma = call["self"], call["gamma"]
    return [Meta(x.shape, x.dtype), Meta(gamma.shape, statistic(gamma.dtype))]


def fits(call: Call) -> str | None:
    shape, row = call["self"].shape, call["gamma"].shape
    if not row or shape[-len(row) :] != row:
        return f"gamma has shape {list(row)}; expected the last dimensions of self, {list(shape)}"
    kept = shape[: len(shape) - len(row)]
    of_rows = (kept + (1,) * len(row), kept)
    return shape_fault(call, dy=shape, rstd=of_rows, dx=shape, dgamma=row)


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    rank, count = len(call["self"].shape), len(call["gamma"].shape)
    batch, row = tuple(range(rank - count)), tuple(range(rank - count, rank))
    reads = {one: laid(known[one], rank, batch) for one in ("dy", "self", "rstd")}
    reads["gamma"] = laid(known["gamma"], rank, row)
    writes = tuple(laid(known[one], rank, row) for one in ("dx", "dgamma"))
    return (Step(reads, writes, axes={"row": row, "batch": batch}),)


TEXTS = (
    "gamma and dgamma have the last dimensions of self; rstd has the others, and perhaps 1 along "
    "those; dy and dx have self's shape",
    "gamma 与 dgamma 的 shape 为 self 的最后若干维；rstd 具有其余各维，归一化维度可为 1；"
    "dy 与 dx 的 shape 与 self 相同",
)

OP = shaped(
    "rms_norm_grad",
    (
        In("dy", "gradient with respect to RMS norm's result", "均方根归一化结果的梯度"),
        In("self", "RMS norm's input", "均方根归一化的输入"),
        In("rstd", "the reciprocal roots", "均方根的倒数"),
        In("gamma", "what was multiplied", "缩放"),
        Out("dx", "gradient with respect to self", "self 的梯度"),
        Out("dgamma", "gradient with respect to gamma", "gamma 的梯度"),
    ),
    formula,
    steps,
    results,
    fits,
    TEXTS,
    en="Gradient of RMS normalisation",
    zh="均方根归一化的反向传播",
    shapes=lambda shape, attributes: {"rstd": (*shape[:-1], 1), "gamma": shape[-1:]},
    source="signature: op-plugin; values: mathematics (the derivative), PyTorch's rms_norm",
    example="""
>>> import numpy as np, openaclnn
>>> dy, x = np.array([[1, 0]], np.float32), np.array([[1, 1]], np.float32)
>>> openaclnn.rms_norm_grad(dy, x, np.ones(1, np.float32), np.ones(2, np.float32))[0]
array([[ 0.5, -0.5]], dtype=float32)
""",
)
