"""The gradient of prelu: 1 where x > 0, else the weight, times the gradient; of a weight the exact
sum of gradient·x over the elements that took it."""

from openaclnn.ops.activation.prelu import weights
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, fold, where
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import In, Op, Out, exact_level
from openaclnn.spec.rules import Channels, Dtypes, MaxDims, ResultShape, SameDtype
from openaclnn.spec.shaped import shape_fault
from openaclnn.spec.steps import Part, Step, parts


def formula(grad_output: Expr, self: Expr, weight: Expr) -> Expr:
    return where(self > 0, grad_output, weight * grad_output)


def of_weight(grad_output: Expr, self: Expr) -> Expr:
    return fold(where(self > 0, 0, self * grad_output), "add", over="others")


def steps(call: Call) -> tuple[Step, ...]:
    known, rank = parts(call), len(call["self"].shape)
    both: dict[str, Part | None] = {one: known[one] for one in ("grad_output", "self")}
    found = [Step({**both, "weight": weights(call, "weight")}, (known["grad_input"],), formula)]
    one = call["weight"].view.numel == 1
    axes = {"others": tuple(k for k in range(rank) if one or k != 1)}
    out = weights(call, "grad_weight")
    ones = out.view.seen((1,) * rank, (0,) * rank, out.view.offset)
    target = Part(out.tensor, ones) if one else out
    if not one:  # channels are the second dimension
        own = out.view
        shape, strides = (1,) * (rank - len(own.shape)) + own.shape, own.strides
        strides = (0,) * (rank - len(own.shape)) + strides
        target = Part(out.tensor, own.seen(shape, strides, own.offset))
    return (*found, Step(both, (target,), of_weight, axes))


def alike(call: Call) -> str | None:
    return shape_fault(call, grad_output=call["self"].shape)


OP = Op(
    "prelu_backward",
    "Gradient of parametric ReLU",
    "PReLU 的反向传播",
    (
        In("grad_output", "gradient with respect to PReLU's result", "PReLU 结果的梯度"),
        In("self", "PReLU's input", "PReLU 的输入"),
        In("weight", "the slopes below 0", "负半轴的斜率"),
        Out("grad_input", "gradient with respect to self", "self 的梯度"),
        Out("grad_weight", "gradient with respect to weight", "weight 的梯度"),
    ),
    (
        Dtypes(("grad_output", "self", "weight"), FLOATS),
        SameDtype(("grad_output", "self", "weight")),
        MaxDims(("self", "weight")),
        Channels("weight", "self"),
        Sound(alike, "grad_output has self's shape", "grad_output 的 shape 与 self 相同"),
        ResultShape(),
    ),
    formula,
    """
>>> import numpy as np, openaclnn
>>> g, x = np.ones((1, 3), np.float32), np.array([[-2, 3, -4]], np.float32)
>>> openaclnn.prelu_backward(g, x, np.array([0.5], np.float32))
(array([[0.5, 1. , 0.5]], dtype=float32), array([-6.], dtype=float32))
""",
    results=lambda call: (
        Meta(call["self"].shape, call["self"].dtype),
        Meta(call["weight"].shape, call["weight"].dtype),
    ),
    steps=steps,
    wide=exact_level,
    shapes=lambda shape, attributes: {"weight": (1,)},
    source="signature: op-plugin, candle; values: PyTorch's prelu",
)
