"""Steps of Adam and AdamW: the moments of gradients, and the parameter that moves against them.

m ← β₁m + (1 − β₁)g, v ← β₂v + (1 − β₂)g²; the parameter loses lr·m̂/(√v̂ + ε), where m̂ and v̂ are
the moments over 1 − βᵗ. AdamW first takes lr·decay of the parameter itself; AMSGrad has the largest
v̂ so far in the place of v̂. A moment that is stored is rounded, one that moves the parameter is
not."""

from dataclasses import replace
from typing import Any

from openaclnn.base.dtypes import FLOAT, INT64
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, maximum, pow, sqrt
from openaclnn.spec.host import FLAG, FLOAT32
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Argument, Attr, In, InOut, Op, always
from openaclnn.spec.rules import Dtypes, MaxDims, SameDtype
from openaclnn.spec.shaped import shape_fault
from openaclnn.spec.steps import Part, Step, elementwise

SOURCE = "signature: op-plugin; values: PyTorch's Adam and AdamW"
VAR = InOut("var", "the parameter", "参数")
M = InOut("m", "the gradients' mean", "一阶矩")
V = InOut("v", "the mean of their squares", "二阶矩")
GRAD = In("grad", "the gradient", "梯度")


def moments(m: Expr, v: Expr, grad: Expr, beta1: Expr, beta2: Expr) -> tuple[Expr, Expr]:
    return beta1 * m + (1 - beta1) * grad, beta2 * v + (1 - beta2) * (grad * grad)


def moved(var: Expr, mean: Expr, root: Expr, lr: Expr, epsilon: Expr, power: Expr) -> Expr:
    return var - lr / (1 - power) * mean / (root + epsilon)


def adam(
    var: Expr, m: Expr, v: Expr, beta1_power: Expr, beta2_power: Expr, lr: Expr, beta1: Expr,
    beta2: Expr, epsilon: Expr, grad: Expr, use_nesterov: bool,
) -> tuple[Expr, ...]:  # fmt: skip
    mean, square = moments(m, v, grad, beta1, beta2)
    rate = lr * sqrt(1 - beta2_power) / (1 - beta1_power)
    ahead = mean * beta1 + (1 - beta1) * grad if use_nesterov else mean
    return var - rate * ahead / (sqrt(square) + epsilon), mean, square


def adam_w(
    var: Expr, m: Expr, v: Expr, beta1_power: Expr, beta2_power: Expr, lr: Expr,
    weight_decay: Expr, beta1: Expr, beta2: Expr, epsilon: Expr, grad: Expr,
    max_grad_norm: Expr | None, amsgrad: bool, maximize: bool,
) -> tuple[Expr, ...]:  # fmt: skip
    mean, square = moments(m, v, -grad if maximize else grad, beta1, beta2)
    decayed = var * (1 - lr * weight_decay)
    used = square
    if amsgrad and max_grad_norm is not None:
        used = maximum(max_grad_norm, square)
    root = sqrt(used / (1 - beta2_power * beta2))
    return moved(decayed, mean, root, lr, epsilon, beta1_power * beta1), mean, square


def adam_w_v2(
    var: Expr, m: Expr, v: Expr, max_grad_norm: Expr | None, grad: Expr, step: Expr, lr: Expr,
    beta1: Expr, beta2: Expr, weight_decay: Expr, eps: Expr, amsgrad: bool, maximize: bool,
) -> tuple[Expr, ...]:  # fmt: skip
    mean, square = moments(m, v, -grad if maximize else grad, beta1, beta2)
    decayed, times = var * (1 - lr * weight_decay), step + 1
    used = square
    if amsgrad and max_grad_norm is not None:
        used = maximum(max_grad_norm, square)
    kept = used if amsgrad or max_grad_norm is None else max_grad_norm
    root = sqrt(used / (1 - pow(beta2, times)))
    return moved(decayed, mean, root, lr, eps, pow(beta1, times)), mean, square, kept


def fits(call: Call) -> str | None:
    shape: tuple[int, ...] = call["var"].shape
    numbers: dict[str, Any] = {}
    for name in ("m", "v", "grad", "max_grad_norm"):
        numbers |= {name: shape} if call.arguments.get(name) is not None else {}
    for one in call.op.inputs:
        if one.name not in ("grad", "max_grad_norm") and call[one.name] is not None:
            numbers[one.name] = ((), (1,))
    if call.arguments.get("max_grad_norm") is None and call.attributes.get("amsgrad"):
        return "max_grad_norm is null; expected a tensor, since amsgrad is true"
    return shape_fault(call, **numbers)


def steps(call: Call) -> tuple[Step, ...]:
    """One step over all elements; numbers of shape [1] also broadcast to 0-D tensors."""
    (step,) = elementwise(call)
    reads = {
        name: part and number(part, len(call["var"].shape)) for name, part in step.reads.items()
    }
    return (replace(step, reads=reads),)


def number(part: Part, rank: int) -> Part:
    view = part.view
    return part if len(view.shape) <= rank else Part(part.tensor, view.seen((), (), view.offset))


def stepping(
    name: str, formula: Any, arguments: tuple[Argument, ...], en: str, zh: str, example: str
) -> Op:
    same = (*(a.name for a in arguments if isinstance(a, InOut)), "grad")
    numbers = tuple(a.name for a in arguments if type(a) is In and a.name not in (*same, "step"))
    step = (Dtypes(("step",), (FLOAT, INT64)),) if "step" in {a.name for a in arguments} else ()
    tensors = tuple(a.name for a in arguments if not isinstance(a, Attr))
    return Op(
        name, en, zh, arguments,
        (Dtypes(same, FLOATS), SameDtype(same), *((Dtypes(numbers, FLOATS),) if numbers else ()),
         *step, MaxDims(tensors), TEXTS),
        formula, example, wide=always, source=SOURCE, steps=steps,
        promotes=lambda call: call["var"].dtype,
        results=lambda call: (Meta(call["var"].shape, call["var"].dtype),) * len(call.op.outputs),
        shapes=lambda shape, attributes: {
            a.name: (1,) for a in arguments if type(a) is In and a.name in (*numbers, "step")
            and a.name != "max_grad_norm"},
    )  # fmt: skip


def numbers(**texts: tuple[str, str]) -> tuple[In, ...]:
    return tuple(In(name, *text) for name, text in texts.items())


TEXTS = Sound(
    fits,
    "m, v, grad and max_grad_norm have var's shape, the others are one number; max_grad_norm is "
    "there where amsgrad is true",
    "m、v、grad 与 max_grad_norm 的 shape 与 var 相同，其余为一个数；"
    "amsgrad 为真时须给出 max_grad_norm",
)
POWERS = numbers(
    beta1_power=("beta1 to the power of the steps so far", "beta1 的步数次幂"),
    beta2_power=("beta2 to the power of the steps so far", "beta2 的步数次幂"),
    lr=("the learning rate", "学习率"),
)
BETAS = numbers(
    beta1=("how much of m stays", "一阶矩的衰减率"),
    beta2=("how much of v stays", "二阶矩的衰减率"),
    epsilon=("what is added to the root", "分母中加的小量"),
)
DECAY = In("weight_decay", "how much of the parameter goes", "权重衰减")
LARGEST = In("max_grad_norm", "the largest v so far", "v 的历史最大值", optional=True)
AMSGRAD = Attr("amsgrad", "whether the largest v counts", "是否使用 AMSGrad", FLAG, False)
MAXIMIZE = Attr("maximize", "whether it moves along the gradient", "是否最大化", FLAG, False)
RATES = tuple(
    Attr(name, *texts, FLOAT32, usual=usual)
    for name, texts, usual in (
        ("lr", ("the learning rate", "学习率"), 0.5),
        ("beta1", ("how much of m stays", "一阶矩的衰减率"), 0.5),
        ("beta2", ("how much of v stays", "二阶矩的衰减率"), 0.5),
        ("weight_decay", ("how much of the parameter goes", "权重衰减"), 0.0),
        ("eps", ("what is added to the root", "分母中加的小量"), 0.25),
    )
)

OPS = (
    stepping(
        "apply_adam", adam,
        (VAR, M, V, *POWERS, *BETAS, GRAD,
         Attr("use_locking", "no effect", "不起作用", FLAG, False),
         Attr("use_nesterov", "whether m is looked ahead", "是否使用 Nesterov 动量", FLAG, False)),
        "A step of Adam", "Adam 单步更新",
        """
>>> import numpy as np, openaclnn
>>> var, m, v, half = (np.full(1, x, np.float32) for x in (1, 0, 0, 0.5))
>>> openaclnn.apply_adam(var, m, v, half, half, half, half, half, half * 0, np.float32([2]))[0]
array([0.5], dtype=float32)
""",
    ),
    stepping(
        "apply_adam_w", adam_w,
        (VAR, M, V, *POWERS, DECAY, *BETAS, GRAD, LARGEST, AMSGRAD, MAXIMIZE),
        "A step of AdamW", "AdamW 单步更新",
        """
>>> import numpy as np, openaclnn
>>> var, m, v, half = (np.full(1, x, np.float32) for x in (1, 0, 0, 0.5))
>>> one, none = half * 2, half * 0
>>> openaclnn.apply_adam_w(var, m, v, one, one, half, none, half, half, none, np.float32([2]))[0]
array([0.5], dtype=float32)
""",
    ),
    stepping(
        "apply_adam_w_v2", adam_w_v2,
        (VAR, M, V, InOut("max_grad_norm", "the largest v so far", "v 的历史最大值", optional=True),
         GRAD, In("step", "how many steps were before", "已完成的步数"), *RATES, AMSGRAD, MAXIMIZE),
        "A step of AdamW that counts steps", "AdamW 单步更新（由步数计算幂）",
        """
>>> import numpy as np, openaclnn
>>> var, m, v = (np.full(1, x, np.float32) for x in (1, 0, 0))
>>> rates = {"lr": 0.5, "beta1": 0.5, "beta2": 0.5, "weight_decay": 0, "eps": 0}
>>> grad, step = np.float32([2]), np.float32([0])
>>> openaclnn.apply_adam_w_v2(var, m, v, grad=grad, step=step, **rates)[0]
array([0.5], dtype=float32)
""",
    ),
)  # fmt: skip
