"""(x − mean)/√(variance + ε) over groups of channels and all that they have, times a weight for
each channel, plus a bias; and with it each group's mean and 1/√(variance + ε)."""

from openaclnn.spec.call import Call, Meta
from openaclnn.spec.formula import Expr, fold, rsqrt
from openaclnn.spec.host import FLOAT64, INT64
from openaclnn.spec.op import Attr, In, Out
from openaclnn.spec.shaped import laid, shape_fault, shaped, split, statistic
from openaclnn.spec.steps import Part, Step, parts

COUNTS = (
    Attr("n", "the first dimension's size", "第一维的大小", INT64, usual=2),
    Attr("c", "how many channels", "通道数", INT64, usual=4),
    Attr("hxw", "elements of a channel", "每个通道的元素个数", INT64, usual=6),
    Attr("group", "how many groups", "组数", INT64, usual=2),
)


def formula(
    self: Expr, gamma: Expr | None, beta: Expr | None, eps: Expr
) -> tuple[Expr, Expr, Expr]:
    mean = fold(self, "mean", over="group")
    d = self - mean
    rstd = rsqrt(fold(d * d, "mean", over="group") + eps)
    scaled = d * rstd if gamma is None else d * rstd * gamma
    return scaled if beta is None else scaled + beta, mean, rstd


def counted(call: Call, x: str) -> str | None:
    """What is wrong with the numbers that tell a shape."""
    shape, (n, c, hxw, group) = call[x].shape, (call[a.name] for a in COUNTS)
    if group < 1 or c % group:
        return f"group is {group}; expected one of the divisors of c, {c}"
    if shape[:2] != (n, c) or call[x].view.numel != n * c * hxw:
        return f"{x} has shape {list(shape)}; expected [{n}, {c}, …] with {hxw} elements a channel"
    return None


def results(call: Call) -> list[Meta]:
    x = call["self"]
    each = Meta((call["n"], call["group"]), statistic(x.dtype))
    return [Meta(x.shape, x.dtype), each, each]


def fits(call: Call) -> str | None:
    of_groups, c = (call["n"], call["group"]), (call["c"],)
    return counted(call, "self") or shape_fault(
        call, gamma=c, beta=c, out=call["self"].shape, mean_out=of_groups, rstd_out=of_groups
    )


def grouped(part: Part | None, rank: int, dim: int, group: int) -> Part | None:
    """A part with its channels in groups, along the dimensions of a loop."""
    return laid(split(part, dim, group), rank, range(1, 3) if dim == 0 else range(rank))


def steps(call: Call) -> tuple[Step, ...]:
    known, rank, group = parts(call), len(call["self"].shape) + 1, call["group"]
    reads = {"self": grouped(known["self"], rank, 1, group)}
    reads |= {one: grouped(known.get(one), rank, 0, group) for one in ("gamma", "beta")}
    of_groups = (laid(known[one], rank, (0, 1)) for one in ("mean_out", "rstd_out"))
    writes = (grouped(known["out"], rank, 1, group), *of_groups)
    return (Step(reads, writes, axes={"group": tuple(range(2, rank))}),)


TEXTS = (
    "self has the shape [n, c, …] with hxw elements a channel, of which group divides c; gamma and "
    "beta have shape [c], out self's, mean_out and rstd_out [n, group]",
    "self 的 shape 为 [n, c, …]，每个通道 hxw 个元素，group 整除 c；gamma 与 beta 的 shape 为 [c]，"
    "out 与 self 相同，mean_out 与 rstd_out 为 [n, group]",
)


OP = shaped(
    "group_norm",
    (
        In("self", "the input", "输入"),
        In("gamma", "what is multiplied", "缩放", optional=True),
        In("beta", "what is added", "偏移", optional=True),
        *COUNTS,
        Attr("eps", "what is added to the variance", "加到方差上的小量", FLOAT64, 1e-5),
        Out("out", "the result", "结果"),
        Out("mean_out", "the means", "均值"),
        Out("rstd_out", "the reciprocal deviations", "标准差的倒数"),
    ),
    formula,
    steps,
    results,
    fits,
    TEXTS,
    en="Group normalisation",
    zh="组归一化",
    shapes=lambda shape, attributes: {
        "self": tuple(attributes[one] for one in ("n", "c", "hxw")),
        **dict.fromkeys(("gamma", "beta"), (attributes["c"],)),
    },
    source="signature: op-plugin, llama.cpp; values: PyTorch's native_group_norm",
    example="""
>>> import numpy as np, openaclnn
>>> x = np.array([[[1], [3]]], np.float32)
>>> openaclnn.group_norm(x, n=1, c=2, hxw=1, group=1, eps=0.0)[0].ravel()
array([-1.,  1.], dtype=float32)
""",
)
