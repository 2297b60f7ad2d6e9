"""The multi-label margin loss. A row's labels are its targets up to the first below 0. For each
label t and each class i that is no label, max(0, 1 − x[t] + x[i]); their sum divided by the number
of classes is the row's loss. With it, which classes are labels: 1, else 0."""

from typing import Any

from openaclnn.spec.call import Call
from openaclnn.spec.families import REDUCTION, REDUCTIONS
from openaclnn.spec.formula import Expr, among_integers, equal, extent, fold, where
from openaclnn.spec.indexed import INDICES
from openaclnn.spec.op import In, Out
from openaclnn.spec.rules import Dtypes, OneOf
from openaclnn.spec.shaped import laid, shape_fault, shaped
from openaclnn.spec.steps import Limit, Part, Step, mapped, parts, places

Shape = tuple[int, ...]


def formula(
    self: Expr, others: Expr, target: Expr, place: Expr, column: Expr, reduction: int
) -> tuple[Expr, Expr]:
    classes = extent("labels")
    end = -fold(where(among_integers(target < 0), -place, -classes), "max", over="labels")
    counts = place < end
    hit = where(counts, where(among_integers(equal(target, column)), 1, 0), 0)
    label = fold(hit, "max", over="labels")
    margin = 1 - self.at(c=target) + others
    wrong = where(counts, where(label > 0, 0, where(margin > 0, margin, 0)), 0)
    over = "row" if reduction == REDUCTIONS["none"] else "all"
    loss = fold(wrong, "add", over=over) / classes
    return loss / extent("rows") if reduction == REDUCTIONS["mean"] else loss, label


def steps(call: Call) -> tuple[Step, ...]:
    """A loop of rows, classes and labels."""
    known = parts(call)
    x, target, labels = (as_rows(known[name]) for name in ("self", "target", "is_target"))
    rows, classes = x.view.shape
    row = x.view.seen((rows, 1, 1), (x.view.strides[0], 0, 0), x.view.offset)
    reads: dict[str, Part | None] = {
        "others": laid(x, 3, (0, 1)),
        "target": laid(target, 3, (0, 2)),
        "place": places((1, 1, classes), (0, 0, 1)),
        "column": places((1, classes, 1), (0, 1, 0)),
        **mapped("self", Part(x.tensor, row), c=(classes, x.view.strides[1])),
    }
    out = known["output"]
    each = range(len(out.view.shape))  # one for each row, or one number
    writes = (laid(out, 3, each), laid(labels, 3, (0, 1)))
    axes = {"labels": (2,), "row": (1, 2), "all": (0, 1, 2), "rows": (0,)}
    limit = Limit(target, 0, classes - 1, -1)
    return (Step(reads, writes, axes=axes, limits=(limit,)),)


def as_rows(part: Part) -> Part:
    own = part.view
    missing = 2 - len(own.shape)
    shape, strides = (1,) * missing + own.shape, (0,) * missing + own.strides
    return Part(part.tensor, own.seen(shape, strides, own.offset))


def loss_shape(call: Call) -> Shape:
    none = call["reduction"] == REDUCTIONS["none"]
    return call["self"].shape[:1] if none and len(call["self"].shape) == 2 else ()


def fits(call: Call) -> str | None:
    shape = call["self"].shape
    if len(shape) not in (1, 2) or not shape[-1]:
        return f"self has shape {list(shape)}; expected 1 or 2 dimensions, the last not empty"
    return shape_fault(call, target=shape, output=loss_shape(call), is_target=shape)


def results(call: Call) -> list[Any]:
    return [loss_shape(call), call["self"].shape]


OP = shaped(
    "multilabel_margin_loss",
    (
        In("self", "the prediction", "预测值"),
        In("target", "the labels, then a number below 0", "标签，以负数结束"),
        REDUCTION,
        Out("output", "the loss", "损失"),
        Out("is_target", "which classes are labels", "各类别是否为标签"),
    ),
    formula,
    steps,
    results,
    fits,
    (
        "self has one dimension, the classes, or two, rows before them; target has self's shape; "
        "a result for each row or one number",
        "self 为一维（类别）或二维（行、类别）；target 与 self 同形；结果每行一个，或为一个数",
    ),
    en="Multi-label margin loss",
    zh="多标签 margin 损失",
    given=("self",),
    rules=(Dtypes(("target",), INDICES), OneOf("reduction")),
    promotes=lambda call: call["self"].dtype,
    shapes=lambda shape, attributes: dict.fromkeys(("self", "target"), (3, 4)),
    source="signature: op-plugin; values: PyTorch's multilabel_margin_loss",
    example="""
>>> import numpy as np, openaclnn
>>> x, labels = np.array([0.1, 0.2, 0.4, 0.8], np.float32), np.array([3, 0, -1, 1])
>>> openaclnn.multilabel_margin_loss(x, labels)
(array(0.85, dtype=float32), array([1., 0., 0., 1.], dtype=float32))
""",
)
