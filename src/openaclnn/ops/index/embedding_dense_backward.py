"""The gradient of a table: to every row the gradients of the results that are this row are added,
exactly and rounded once; none to the row of the padding. Divided by how often the row was used, if
that is wanted."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, among_integers, around, constant, described, equal, where
from openaclnn.spec.host import FLAG, INT64
from openaclnn.spec.indexed import INDICES
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, exact_float
from openaclnn.spec.rules import Castable, Dtypes, MaxDims, ResultShape
from openaclnn.spec.scatters import ADD, scattered, spread
from openaclnn.spec.shaped import laid
from openaclnn.spec.steps import Part, Step, integer, mapped, parts, scratch


def formula(grad_output: Expr, indices: Expr) -> Expr:
    return described("the sums of the grad_output of equal indices", grad_output)


def zero() -> Expr:
    return constant(0)


def one() -> Expr:
    return constant(1)


def but_padding(grad_output: Expr, indices: Expr, padding: Expr) -> Expr:
    return where(among_integers(equal(indices, padding)), 0, grad_output)


def shared(grad_output: Expr, indices: Expr, counts: Expr) -> Expr:
    return grad_output / counts.at(v=around(indices, counts.size("v")))


def steps(call: Call) -> tuple[Step, ...]:
    known, out = parts(call), parts(call)["out"]
    grad, indices = known["grad_output"], known["indices"]
    shape, rank = grad.view.shape, len(grad.view.shape)
    rows = laid(indices, rank, range(rank - 1))
    begin = scratch(0, out.view.dtype, ())
    found = [Step({}, (begin,), zero)]
    padding, number = call["padding_idx"], 1
    if padding >= 0:
        left = scratch(number, grad.view.dtype, shape)
        reads = {"grad_output": grad, "indices": rows, "padding": integer(padding)}
        found.append(Step({**reads}, (left,), but_padding))
        grad, number = left, number + 1
    if call["scale_grad_by_freq"]:
        size = call["num_weights"]
        none, unit = scratch(number, DOUBLE, ()), scratch(number + 1, DOUBLE, ())
        counts, left = scratch(number + 2, DOUBLE, (size,)), scratch(number + 3, DOUBLE, shape)
        found += [Step({}, (none,), zero), Step({}, (unit,), one)]
        each = spread(unit, indices.view.shape, ())
        found.append(scattered(spread(none, (size,), ()), each, (indices,), (-1,), counts, ADD))
        table = Part(counts.tensor, counts.view.seen((1,) * rank, (0,) * rank, 0))
        reads = {"grad_output": grad, "indices": rows, **mapped("counts", table, v=(size, 1))}
        found.append(Step(reads, (left,), shared))
        grad = left
    places = spread(indices, shape, range(rank - 1))
    zeros = spread(begin, out.view.shape, ())
    return (*found, scattered(zeros, grad, (places,), (-1, rank - 1), out, ADD))


def fits(call: Call) -> str | None:
    grad, indices = call["grad_output"].shape, call["indices"].shape
    if grad[:-1] != indices or not grad:
        return (
            f"grad_output has shape {list(grad)}; expected {list(indices)}, as indices has, and a "
            "row's size behind it"
        )
    if call["num_weights"] < 0:
        return f"num_weights is {call['num_weights']}; expected at least 0"
    return None


def results(call: Call) -> tuple[Meta, ...]:
    grad = call["grad_output"]
    return (Meta((call["num_weights"], *grad.shape[-1:]), grad.dtype),)


OP = Op(
    "embedding_dense_backward",
    "Gradient of embedding with respect to the table",
    "嵌入的反向传播",
    (
        In("grad_output", "gradient with respect to the rows", "结果的梯度"),
        In("indices", "which rows", "行号"),
        Attr("num_weights", "how many rows the table has", "嵌入表的行数", INT64, usual=4),
        Attr("padding_idx", "the row without a gradient, -1: none", "不计梯度的行", INT64, -1),
        Attr("scale_grad_by_freq", "whether gradients are divided by how often a row is there",
             "是否按出现次数缩放", FLAG, False),
        Out("out", "gradient with respect to the table", "嵌入表的梯度"),
    ),
    (
        Dtypes(("grad_output",), FLOATS),
        Dtypes(("indices",), INDICES),
        MaxDims(("grad_output", "indices")),
        Sound(fits, "grad_output has the shape of indices, and a row's size behind it",
              "grad_output 的 shape 为 indices 的 shape 后接一行的大小"),
        ResultShape(),
        Castable(),
    ),
    formula,
    """
>>> import numpy as np, openaclnn
>>> g = np.array([[1, 2], [3, 4]], np.float32)
>>> openaclnn.embedding_dense_backward(g, np.array([1, 1]), num_weights=2)
array([[0., 0.],
       [4., 6.]], dtype=float32)
""",
    source="signature: op-plugin; values: PyTorch's embedding_dense_backward",
    steps=steps,
    wide=exact_float,
    promotes=lambda call: DOUBLE if call["scale_grad_by_freq"] else call["grad_output"].dtype,
    results=results,
    shapes=lambda shape, attributes: {"indices": shape[:-1]},
)  # fmt: skip
