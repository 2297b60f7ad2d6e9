"""x/√(mean(x²) + ε) over gamma's dimensions, the last ones, times gamma; and with it the reciprocal
root. Of a sum of two tensors, and with 1 added to gamma: `OPS` are the three."""

from openaclnn.spec.call import Call, Meta
from openaclnn.spec.formula import Expr, fold, rsqrt
from openaclnn.spec.host import FLOAT64
from openaclnn.spec.op import Attr, In, Op, Out
from openaclnn.spec.shaped import laid, shape_fault, shaped, statistic
from openaclnn.spec.steps import Step, parts


def normalised(x: Expr, epsilon: Expr) -> tuple[Expr, Expr]:
    rstd = rsqrt(fold(x * x, "mean", over="row") + epsilon)
    return x * rstd, rstd


def formula(x: Expr, gamma: Expr, epsilon: Expr) -> tuple[Expr, Expr]:
    y, rstd = normalised(x, epsilon)
    return y * gamma, rstd


def from_one(self: Expr, gamma: Expr, epsilon: Expr) -> tuple[Expr, Expr]:
    y, rstd = normalised(self, epsilon)
    return y * (1 + gamma), rstd


def of_sum(x1: Expr, x2: Expr, gamma: Expr, epsilon: Expr) -> tuple[Expr, Expr, Expr]:
    x = x1 + x2
    return *formula(x, gamma, epsilon), x


def results(call: Call) -> list[Meta]:
    x, count = call.reads[0].tensor, len(call["gamma"].shape)
    kept = (*x.shape[: len(x.shape) - count], *(1,) * count)
    found = [Meta(x.shape, x.dtype), Meta(kept, statistic(x.dtype)), Meta(x.shape, x.dtype)]
    return found[: len(call.op.outputs)]


def fits(call: Call) -> str | None:
    shape, row = call.reads[0].tensor.shape, call["gamma"].shape
    first, y, rstd = call.reads[0].label, call.op.outputs[0].name, call.op.outputs[1].name
    if not row or shape[-len(row) :] != row:
        came = list(row)
        return f"gamma has shape {came}; expected the last dimensions of {first}, {list(shape)}"
    kept = shape[: len(shape) - len(row)]
    of_rows = (kept + (1,) * len(row), kept)
    others = [given.label for given in (*call.reads[1:-1], *call.writes[2:])]
    return shape_fault(call, **{rstd: of_rows}, **dict.fromkeys((y, *others), shape))


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    rank, count = len(call.reads[0].tensor.shape), len(call["gamma"].shape)
    row = tuple(range(rank - count, rank))
    reads = {a.name: laid(known[a.name], rank, row) for a in call.op.reads}
    kept = range(rank - count)
    writes = tuple(laid(known.get(a.name), rank, kept) for a in call.op.outputs)
    return (Step(reads, writes, axes={"row": row}),)


TEXTS = (
    "gamma has the last dimensions of the input; the reciprocal roots have the others, and perhaps "
    "1 along those; other outputs have the input's shape",
    "gamma 的 shape 为输入的最后若干维；均方根的倒数具有其余各维，归一化维度可为 1；"
    "其他输出的 shape 与输入相同",
)


def rms(name: str, formula: object, inputs: tuple[str, ...], outs: tuple[str, ...],
        en: str, zh: str, example: str) -> Op:  # fmt: skip
    usual = ("the result", "结果")
    texts = {"rstd": ("the reciprocal roots", "均方根的倒数"), "x": ("the sum", "两个输入之和")}
    return shaped(
        name,
        (
            *(In(one, "the input", "输入") for one in inputs),
            In("gamma", "what is multiplied", "缩放"),
            Attr("epsilon", "what is added to the mean square", "加到均方上的小量", FLOAT64, 1e-6),
            *(Out(one, *texts.get(one.removesuffix("_out"), usual)) for one in outs),
        ),
        formula,  # type: ignore[arg-type]
        steps,
        results,
        fits,
        TEXTS,
        en=en,
        zh=zh,
        shapes=lambda shape, attributes: {"gamma": shape[-1:]},
        source="signature: op-plugin, llama.cpp; values: PyTorch's rms_norm",
        example=example,
    )


OPS = (
    rms("rms_norm", formula, ("x",), ("y_out", "rstd_out"), "RMS normalisation", "均方根归一化",
        """
>>> import numpy as np, openaclnn
>>> x, gamma = np.array([[3, 4]], np.float32), np.ones(2, np.float32)
>>> openaclnn.rms_norm(x, gamma, epsilon=3.5)[0]
array([[0.75, 1.  ]], dtype=float32)
"""),
    rms("gemma_rms_norm", from_one, ("self",), ("y", "rstd"),
        "RMS normalisation with the weight 1 + gamma", "均方根归一化（乘以 1 + gamma）",
        """
>>> import numpy as np, openaclnn
>>> x, gamma = np.array([[3, 4]], np.float32), np.ones(2, np.float32)
>>> openaclnn.gemma_rms_norm(x, gamma, epsilon=3.5)[0]
array([[1.5, 2. ]], dtype=float32)
"""),
    rms("add_rms_norm", of_sum, ("x1", "x2"), ("y_out", "rstd_out", "x_out"),
        "RMS normalisation of the sum of two tensors", "相加后的均方根归一化",
        """
>>> import numpy as np, openaclnn
>>> x, gamma = np.array([[1, 2]], np.float32), np.ones(2, np.float32)
>>> openaclnn.add_rms_norm(x, 2 * np.ones((1, 2), np.float32), gamma, epsilon=3.5)[0]
array([[0.75, 1.  ]], dtype=float32)
"""),
)  # fmt: skip
