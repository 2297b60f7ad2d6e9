"""Tensors of one shape behind each other along a new dimension, in their promoted dtype."""

from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr
from openaclnn.spec.host import INT64
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, never
from openaclnn.spec.results import promoted_dtype
from openaclnn.spec.rules import Castable, Dtypes, MaxDims, Promotable, ResultShape
from openaclnn.spec.steps import Part, Step, copied, narrowed, parts


def alike(call: Call) -> str | None:
    every = list(call.of(("tensors",)))
    if not every:
        return "tensors is empty; expected at least one tensor"
    (first, tensor), *others = every
    for label, other in others:
        if other.shape != tensor.shape:
            came, expected = list(other.shape), list(tensor.shape)
            return f"{label} has shape {came}; expected {expected}, as {first} has"
    rank = len(tensor.shape) + 1
    if not -rank <= call["dim"] < rank:
        return f"dim is {call['dim']}; expected {-rank} to {rank - 1}"
    return None


def results(call: Call) -> tuple[Meta, ...]:
    shapes = [tensor.shape for _, tensor in call.of(("tensors",))] or [()]
    shape, dim = list(shapes[0]), call["dim"] % (len(shapes[0]) + 1)
    return (Meta((*shape[:dim], len(shapes), *shape[dim:]), promoted_dtype(call)),)


def steps(call: Call) -> tuple[Step, ...]:
    known, found = parts(call), []
    out = known["out"]
    for place, (label, tensor) in enumerate(call.of(("tensors",))):
        dim = call["dim"] % (len(tensor.shape) + 1)
        view = known[label].view
        shape = (*view.shape[:dim], 1, *view.shape[dim:])
        read = view.seen(shape, (*view.strides[:dim], 0, *view.strides[dim:]), view.offset)
        written = Part(out.tensor, narrowed(out.view, dim, place, 1))
        found.append(Step({"self": Part(known[label].tensor, read)}, (written,), copied))
    return tuple(found)


def formula(self: Expr) -> Expr:
    return self


OP = Op(
    name="stack",
    en="Concatenation along a new dimension",
    zh="沿新维度堆叠",
    arguments=(
        In("tensors", "what is stacked", "待堆叠的张量", many=True),
        Attr("dim", "where the new dimension stands", "新维度的位置", INT64, 0, by_place=True),
        Out("out", "the result", "结果"),
    ),
    rules=(
        Dtypes(("tensors",), ALL, lacks_complex=True),
        MaxDims(("tensors", "out")),
        Sound(alike, "the tensors of tensors have one shape; dim is a dimension of the result",
              "tensors 中各张量 shape 相同，dim 为结果的维度"),
        Promotable(),
        ResultShape(),
        Castable(),
    ),
    formula=formula,
    results=results,
    steps=steps,
    wide=never,
    torch="stack",
    source="signature: op-plugin, candle; promotion and values: PyTorch's stack",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.stack([np.array([1, 2]), np.array([3, 4])], 1)
array([[1, 3],
       [2, 4]])
""",
)  # fmt: skip
