"""Σ p·(log Σ e^x − x) for every row of numbers x and probabilities p, and its gradient along x,
where probabilities sum to 1: softmax(x) − p."""

from openaclnn.spec.call import Call
from openaclnn.spec.formula import Expr, exp, fold, log
from openaclnn.spec.op import In, Out
from openaclnn.spec.shaped import laid, shape_fault, shaped
from openaclnn.spec.steps import Step, parts


def formula(features: Expr, labels: Expr) -> tuple[Expr, Expr]:
    below = features - fold(features, "max", over="row")
    power = exp(below)
    total = fold(power, "add", over="row")
    loss = fold(labels * (log(total) - below), "add", over="row")
    return loss, power / total - labels


def fits(call: Call) -> str | None:
    shape = call["features"].shape
    if len(shape) != 2:
        return f"features has {len(shape)} dimensions; expected 2"
    return shape_fault(call, labels=shape, loss=shape[:1], backprop=shape)


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    writes = (laid(known["loss"], 2, (0,)), known["backprop"])
    reads = {one: known[one] for one in ("features", "labels")}
    return (Step({**reads}, writes, axes={"row": (1,)}),)


OP = shaped(
    "softmax_cross_entropy_with_logits",
    (
        In("features", "numbers, a row each", "特征"),
        In("labels", "probabilities", "标签的概率"),
        Out("loss", "the cross entropies", "损失"),
        Out("backprop", "gradient with respect to features", "features 的梯度"),
    ),
    formula,
    steps,
    lambda call: [call["features"].shape[:1], call["features"].shape],
    fits,
    (
        "features has 2 dimensions, labels and backprop its shape, loss one element for each row",
        "features 为 2 维，labels 与 backprop 的 shape 与之相同，loss 每行一个元素",
    ),
    en="Softmax cross entropy",
    zh="Softmax 交叉熵",
    source="signature: llama.cpp; values: PyTorch's cross_entropy with probabilities",
    example="""
>>> import numpy as np, openaclnn
>>> x, p = np.array([[0, 0]], np.float32), np.array([[1, 0]], np.float32)
>>> openaclnn.softmax_cross_entropy_with_logits(x, p)
(array([0.6931472], dtype=float32), array([[-0.5,  0.5]], dtype=float32))
""",
)
