"""The gradient of group norm: as that of layer norm, over groups of channels; of gamma and beta
sums over what their channel is common to."""

from openaclnn.ops.norm.group_norm import COUNTS, counted, grouped
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.formula import Expr, fold
from openaclnn.spec.host import BOOL_ARRAY
from openaclnn.spec.op import Attr, In, Out
from openaclnn.spec.shaped import laid, masked, shape_fault, shaped
from openaclnn.spec.steps import Step, parts


def formula(
    grad_out: Expr, input: Expr, mean: Expr, rstd: Expr, gamma: Expr | None
) -> tuple[Expr, Expr, Expr]:
    normalised = (input - mean) * rstd
    g = grad_out if gamma is None else grad_out * gamma
    along = fold(g * normalised, "mean", over="group")
    grad_x = (g - fold(g, "mean", over="group") - normalised * along) * rstd
    grad_gamma = fold(grad_out * normalised, "add", over="others")
    return grad_x, grad_gamma, fold(grad_out, "add", over="others")


def results(call: Call) -> list[Meta]:
    x, size = call["input"], (call["c"],)
    like = x.dtype if call["gamma"] is None else call["gamma"].dtype
    return [Meta(x.shape, x.dtype), Meta(size, like), Meta(size, like)]


def fits(call: Call) -> str | None:
    shape, of_groups, c = call["input"].shape, (call["n"], call["group"]), (call["c"],)
    return counted(call, "input") or masked(call) or shape_fault(
        call, grad_out=shape, mean=of_groups, rstd=of_groups, gamma=c,
        grad_x=shape, grad_gamma=c, grad_beta=c,
    )  # fmt: skip


def steps(call: Call) -> tuple[Step, ...]:
    known, rank, group = parts(call), len(call["input"].shape) + 1, call["group"]
    reads = {one: grouped(known[one], rank, 1, group) for one in ("grad_out", "input")}
    reads |= {one: laid(known[one], rank, (0, 1)) for one in ("mean", "rstd")}
    reads["gamma"] = grouped(known.get("gamma"), rank, 0, group)
    outs = [grouped(known.get("grad_x"), rank, 1, group)]
    outs += [grouped(known.get(one), rank, 0, group) for one in ("grad_gamma", "grad_beta")]
    wanted = zip(outs, call["output_mask"], strict=True)
    writes = tuple(out if asked else None for out, asked in wanted)
    axes = {"group": tuple(range(2, rank)), "others": (0, *range(3, rank))}
    return (Step(reads, writes, axes=axes),)


TEXTS = (
    "input has the shape [n, c, …] with hxw elements a channel, of which group divides c; grad_out "
    "and grad_x have its shape, mean and rstd [n, group], gamma, grad_gamma and grad_beta [c]; "
    "output_mask has 3 members, and outputs it asks for are there",
    "input 的 shape 为 [n, c, …]，每个通道 hxw 个元素，group 整除 c；grad_out 与 grad_x 的 shape "
    "与之相同，mean 与 rstd 为 [n, group]，gamma、grad_gamma 与 grad_beta 为 [c]；output_mask "
    "有 3 个元素，其要求的输出不为空",
)

OP = shaped(
    "group_norm_backward",
    (
        In("grad_out", "gradient with respect to group norm's result", "组归一化结果的梯度"),
        In("input", "group norm's input", "组归一化的输入"),
        In("mean", "the means", "均值"),
        In("rstd", "the reciprocal deviations", "标准差的倒数"),
        In("gamma", "what was multiplied", "缩放", optional=True),
        *COUNTS,
        Attr("output_mask", "which outputs are wanted", "需要的输出", BOOL_ARRAY,
             default=(True, True, True)),
        Out("grad_x", "gradient with respect to input", "input 的梯度", optional=True),
        Out("grad_gamma", "gradient with respect to gamma", "gamma 的梯度", optional=True),
        Out("grad_beta", "gradient with respect to beta", "beta 的梯度", optional=True),
    ),
    formula,
    steps,
    results,
    fits,
    TEXTS,
    en="Gradient of group normalisation",
    zh="组归一化的反向传播",
    shapes=lambda shape, attributes: {
        **dict.fromkeys(
            ("grad_out", "input"), tuple(attributes[one] for one in ("n", "c", "hxw"))
        ),
        **dict.fromkeys(("mean", "rstd"), (attributes["n"], attributes["group"])),
        "gamma": (attributes["c"],),
    },
    source="signature: op-plugin; values: PyTorch's native_group_norm_backward",
    example="""
>>> import numpy as np, openaclnn
>>> g, x = np.array([[[1], [0]]], np.float32), np.array([[[-1], [1]]], np.float32)
>>> one = np.ones((1, 1), np.float32)
>>> openaclnn.group_norm_backward(g, x, one * 0, one, n=1, c=2, hxw=1, group=1)[1]
array([-1.,  0.], dtype=float32)
""",
)  # fmt: skip
