"""Group normalisation y, and y·σ(scale·y) where that is asked for; with it each group's mean and
1/√(variance + ε)."""

from typing import Any

from openaclnn.ops.norm.group_norm import formula as normalised
from openaclnn.ops.norm.group_norm import grouped
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.formula import Expr, sigmoid
from openaclnn.spec.host import FLAG, FLOAT64, INT64, TEXT
from openaclnn.spec.op import Attr, In, Out
from openaclnn.spec.rules import OneOf
from openaclnn.spec.shaped import laid, shape_fault, shaped, statistic
from openaclnn.spec.steps import Step, parts


def formula(
    input: Expr, weight: Expr, bias: Expr, eps: Expr, activate_swish: bool, swish_scale: Expr
) -> tuple[Expr, Expr, Expr]:
    y, mean, rstd = normalised(input, weight, bias, eps)
    return y * sigmoid(swish_scale * y) if activate_swish else y, mean, rstd


def results(call: Call) -> list[Meta]:
    x = call["input"]
    each = Meta((x.shape[0], call["num_groups"]), statistic(x.dtype))
    return [Meta(x.shape, x.dtype), each, each]


def fits(call: Call) -> str | None:
    shape, group = call["input"].shape, call["num_groups"]
    if len(shape) < 2:
        return f"input has {len(shape)} dimensions; expected at least 2"
    if group < 1 or shape[1] % group:
        return f"num_groups is {group}; expected one of the divisors of input's {shape[1]} channels"
    of_groups, c = (shape[0], group), (shape[1],)
    return shape_fault(call, weight=c, bias=c, out=shape, mean=of_groups, rstd=of_groups)


def steps(call: Call) -> tuple[Step, ...]:
    known, rank, group = parts(call), len(call["input"].shape) + 1, call["num_groups"]
    reads = {"input": grouped(known["input"], rank, 1, group)}
    reads |= {one: grouped(known[one], rank, 0, group) for one in ("weight", "bias")}
    of_groups = (laid(known[one], rank, (0, 1)) for one in ("mean", "rstd"))
    writes: Any = (grouped(known["out"], rank, 1, group), *of_groups)
    return (Step(reads, writes, axes={"group": tuple(range(2, rank))}),)


OP = shaped(
    "group_norm_swish",
    (
        In("input", "the input", "输入"),
        In("weight", "what is multiplied", "缩放"),
        In("bias", "what is added", "偏移"),
        Attr("num_groups", "how many groups", "组数", INT64, usual=2),
        Attr("data_format", "NCHW", "数据格式", TEXT, "NCHW", {"NCHW": "NCHW"}),
        Attr("eps", "what is added to the variance", "加到方差上的小量", FLOAT64, 1e-5),
        Attr("activate_swish", "whether swish follows", "是否接 swish 激活", FLAG, True),
        Attr("swish_scale", "what swish's exponent is multiplied by", "swish 的系数", FLOAT64, 1.0),
        Out("out", "the result", "结果"),
        Out("mean", "the means", "均值"),
        Out("rstd", "the reciprocal deviations", "标准差的倒数"),
    ),
    formula,
    steps,
    results,
    fits,
    (
        "input has the shape [n, c, …], num_groups divides c; weight and bias have shape [c], out "
        "input's, mean and rstd [n, num_groups]",
        "input 的 shape 为 [n, c, …]，num_groups 整除 c；weight 与 bias 的 shape 为 [c]，out 与 "
        "input 相同，mean 与 rstd 为 [n, num_groups]",
    ),
    en="Group normalisation, then swish",
    zh="组归一化后接 swish 激活",
    rules=(OneOf("data_format"),),
    shapes=lambda shape, attributes: {"input": (2, 4, 3), "weight": (4,), "bias": (4,)},
    source="signature: op-plugin; values: PyTorch's native_group_norm and silu",
    example="""
>>> import numpy as np, openaclnn
>>> x, one = np.array([[[1], [3]]], np.float32), np.ones(2, np.float32)
>>> given = {"num_groups": 1, "eps": 0.0, "activate_swish": False}
>>> openaclnn.group_norm_swish(x, one, 0 * one, **given)[0].ravel()
array([-1.,  1.], dtype=float32)
""",
)
