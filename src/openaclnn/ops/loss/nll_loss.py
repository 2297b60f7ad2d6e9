"""The negative log likelihood: −weight[t]·x[t] where t is the target among the classes, their mean
by weight or their sum; a target that is to be ignored counts for nothing. Also with images of
targets, and the gradients."""

from typing import Any

from openaclnn.spec.call import Call
from openaclnn.spec.families import FLOATS, REDUCTION, REDUCTIONS
from openaclnn.spec.formula import Expr, among_integers, constant, equal, fold, not_equal, where
from openaclnn.spec.host import INT64
from openaclnn.spec.indexed import INDICES
from openaclnn.spec.op import Attr, In, Op, Out
from openaclnn.spec.rules import Dtypes, OneOf
from openaclnn.spec.shaped import laid, shape_fault, shaped
from openaclnn.spec.steps import Limit, Part, Step, integer, mapped, parts, places, zeros


def formula(
    self: Expr, target: Expr, weight: Expr, ignored: Expr, reduction: int
) -> tuple[Expr, Expr]:
    counts = among_integers(not_equal(target, ignored))
    share = where(counts, weight.at(c=target), 0)
    loss = where(counts, -share * self.at(c=target), 0)
    if reduction == REDUCTIONS["none"]:
        return loss, constant(0)
    total = fold(share, "add", over="all")
    whole = fold(loss, "add", over="all")
    return (whole / total if reduction == REDUCTIONS["mean"] else whole), total


def slope(
    grad_output: Expr, target: Expr, weight: Expr, total_weight: Expr, ignored: Expr,
    column: Expr, reduction: int,
) -> Expr:  # fmt: skip
    hit = among_integers(equal(target, column) & not_equal(target, ignored))
    share = -grad_output * weight
    return where(hit, share / total_weight if reduction == REDUCTIONS["mean"] else share, 0)


def class_dim(call: Call) -> int:
    return min(1, len(call["self"].shape) - 1)


def steps(call: Call) -> tuple[Step, ...]:
    known, dim = parts(call), class_dim(call)
    own, rank = known["self"].view, len(known["target"].view.shape)
    size, stride = own.shape[dim], own.strides[dim]
    kept = [k for k in range(len(own.shape)) if k != dim]
    rows = own.seen([own.shape[k] for k in kept], [own.strides[k] for k in kept], own.offset)
    table = known["weight"].view
    point = Part(known["weight"].tensor, table.seen((1,) * rank, (0,) * rank, table.offset))
    reads = mapped("self", Part(known["self"].tensor, rows), c=(size, stride))
    reads |= mapped("weight", point, c=(size, table.strides[0]))
    reads |= {"target": known["target"], "ignored": integer(call["ignore_index"])}
    limit = Limit(known["target"], 0, size - 1, call["ignore_index"])
    outs = tuple(ones(known[one], rank) for one in ("out", "total_weight"))
    axes, limits = {"all": tuple(range(rank))}, (limit,)
    if call["reduction"] == REDUCTIONS["none"]:
        none = Step({}, (known["total_weight"],), zeros)
        return (Step(reads, (known["out"], None), limits=limits), none)
    return (Step(reads, outs, axes=axes, limits=limits),)


def ones(part: Part, rank: int) -> Part:
    """A number along the dimensions of a loop; anything else as it is."""
    own = part.view
    if own.numel != 1 or len(own.shape) == rank:
        return part
    return Part(part.tensor, own.seen((1,) * rank, (0,) * rank, own.offset))


def steps_back(call: Call) -> tuple[Step, ...]:
    known, dim = parts(call), class_dim(call)
    own, rank = known["self"].view, len(known["self"].view.shape)
    rows = [k for k in range(rank) if k != dim]
    total = known["total_weight"].view
    gradient = known["grad_output"]
    every = call["reduction"] == REDUCTIONS["none"]
    number = Part(gradient.tensor, gradient.view.seen((), (), gradient.view.offset))
    reads = {
        "grad_output": laid(gradient, rank, rows) if every else number,
        "target": laid(known["target"], rank, rows),
        "weight": laid(known["weight"], rank, (dim,)),
        "total_weight": Part(known["total_weight"].tensor, total.seen((), (), total.offset)),
        "ignored": integer(call["ignore_index"]),
        "column": places(own.shape, [int(k == dim) for k in range(rank)]),
    }
    limit = Limit(known["target"], 0, own.shape[dim] - 1, call["ignore_index"])
    return (Step(reads, (known[call.op.outputs[0].name],), limits=(limit,)),)


def fits(call: Call) -> str | None:
    shape, rank = call["self"].shape, len(call["self"].shape)
    allowed = (4,) if "loss2d" in call.op.name else (1, 2)
    if rank not in allowed:
        return f"self has {rank} dimensions; expected {' or '.join(map(str, allowed))}"
    dim = class_dim(call)
    rows = (*shape[:dim], *shape[dim + 1 :])
    one = call["reduction"] != REDUCTIONS["none"]
    loss = ((), (1,)) if one else rows
    shapes = {"target": rows, "weight": shape[dim : dim + 1], "total_weight": ((), (1,))}
    if call.op.steps is steps:
        return shape_fault(call, **shapes, out=loss)
    return shape_fault(call, **shapes, grad_output=loss, **{call.op.outputs[0].name: shape})


def results(call: Call) -> list[tuple[int, ...]]:
    shape, dim = call["self"].shape, class_dim(call)
    none = call["reduction"] == REDUCTIONS["none"]
    return [(*shape[:dim], *shape[dim + 1 :]) if none else (), ()]


def shapes(name: str, shape: tuple[int, ...]) -> dict[str, tuple[int, ...]]:
    """Of a call made up from a shape; images have one point."""
    image = (1, 1) if "loss2d" in name else ()
    rows, classes = shape[:1], shape[1:2]
    return {"self": (*rows, *classes, *image), "target": (*rows, *image), "weight": classes}


TEXTS = (
    "the classes are self's second dimension, or its only one; target has the others, weight one "
    "element for each class; a result, or its gradient, for each target or one number",
    "类别为 self 的第二维（一维时为该维）；target 具有其余各维，weight 每个类别一个元素；"
    "结果（或其梯度）与 target 同形，或为一个数",
)
X = In("self", "logarithms of probabilities", "对数概率")
TARGET, WEIGHT = In("target", "classes", "目标类别"), In("weight", "of the classes", "各类别的权重")
IGNORE = Attr("ignore_index", "a target that counts for nothing", "忽略的目标值", INT64, -100)
TOTAL = ("total_weight", "the sum of the weights of all targets", "权重之和")
RULES = (Dtypes(("target",), INDICES), OneOf("reduction"))
SOURCE = "signature: op-plugin; values: PyTorch's nll_loss and nll_loss2d"


def nll_loss(
    of: Any, input: Any, target: Any, weight: Any = None, ignore_index: int = -100,
    reduction: str = "mean",
) -> Any:  # fmt: skip
    """The loss as PyTorch's function has it: without weights, all are 1."""
    weights = [1.0] * input.shape[min(1, len(input.shape) - 1)] if weight is None else weight
    name = "n_l_l_loss2d" if len(input.shape) == 4 else "n_l_l_loss"
    found = of(name)(input, target, weights, reduction=reduction, ignore_index=ignore_index)
    return found[0]


def forward(name: str, example: str) -> Op:
    return shaped(
        name,
        (X, TARGET, WEIGHT, REDUCTION, IGNORE, Out("out", "the loss", "损失"), Out(*TOTAL)),
        formula, steps, results, fits, TEXTS,
        "Negative log likelihood", "负对数似然损失", FLOATS, ("self", "weight"), RULES,
        source=SOURCE, example=example, promotes=lambda call: call["self"].dtype,
        shapes=lambda shape, attributes: shapes(name, shape),
        spellings=(nll_loss,) if name == "n_l_l_loss" else (),
    )  # fmt: skip


def backward(name: str, out: str, example: str) -> Op:
    gradient = In("grad_output", "gradient with respect to the loss", "损失的梯度")
    return shaped(
        name,
        (gradient, X, TARGET, WEIGHT, REDUCTION, IGNORE, In(*TOTAL),
         Out(out, "gradient with respect to self", "self 的梯度")),
        slope, steps_back, lambda call: [call["self"].shape], fits, TEXTS,
        "Gradient of the negative log likelihood", "负对数似然损失的反向传播", FLOATS,
        ("grad_output", "self", "weight", "total_weight"), RULES,
        source=SOURCE, example=example, promotes=lambda call: call["self"].dtype,
        shapes=lambda shape, attributes: {
            **(known := shapes(name, shape)), "total_weight": (),
            "grad_output": known["target"] if attributes["reduction"] == 0 else (),
        },
    )  # fmt: skip


HEAD = """
>>> import numpy as np, openaclnn
>>> x, weight, t = np.array([[-1, -2]], np.float32), np.ones(2, np.float32), np.array([1])
"""
IMAGE = ">>> x, t = x.reshape(1, 2, 1, 1), t.reshape(1, 1, 1)\n"
BACK = ">>> g = weight[0]\n"
OPS = (
    forward("n_l_l_loss",
            f"{HEAD}>>> openaclnn.n_l_l_loss(x, t, weight)[0]\narray(2., dtype=float32)\n"),
    forward("n_l_l_loss2d",
            f"{HEAD}{IMAGE}>>> openaclnn.n_l_l_loss2d(x, t, weight)[0]\n"
            "array(2., dtype=float32)\n"),
    backward("n_l_l_loss_backward", "grad_input",
             f"{HEAD}{BACK}>>> openaclnn.n_l_l_loss_backward(g, x, t, weight, g)\n"
             "array([[ 0., -1.]], dtype=float32)\n"),
    backward("n_l_l_loss2d_backward", "out",
             f"{HEAD}{IMAGE}{BACK}>>> openaclnn.n_l_l_loss2d_backward(g, x, t, weight, g).ravel()\n"
             "array([ 0., -1.], dtype=float32)\n"),
)  # fmt: skip
