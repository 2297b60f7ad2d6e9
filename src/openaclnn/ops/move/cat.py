"""Tensors one behind the other along a dimension, in their promoted dtype."""

from openaclnn.base.tensors import Tensor
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL
from openaclnn.spec.host import INT64
from openaclnn.spec.op import Attr, In, Op, Out, never
from openaclnn.spec.results import promoted_dtype
from openaclnn.spec.rules import Castable, Dtypes, Joinable, MaxDims, Promotable, ResultShape
from openaclnn.spec.steps import Part, Step, copied, narrowed, parts


def joined(call: Call) -> list[tuple[str, Tensor]]:
    """The tensors that count, by label."""
    return [(label, t) for label, t in call.of(("tensors",)) if t.shape != (0,)]


def results(call: Call) -> tuple[Meta, ...]:
    shapes = [tensor.shape for _, tensor in joined(call)] or [(0,)]
    shape = list(shapes[0])
    shape[call["dim"]] = sum(each[call["dim"]] for each in shapes)
    return (Meta(tuple(shape), promoted_dtype(call)),)


def steps(call: Call) -> tuple[Step, ...]:
    known, dim, start, found = parts(call), call["dim"], 0, []
    for label, tensor in joined(call):
        place = narrowed(known["out"].view, dim, start, tensor.shape[dim])
        found.append(Step({"self": known[label]}, (Part(known["out"].tensor, place),), copied))
        start += tensor.shape[dim]
    return tuple(found)


OP = Op(
    name="cat",
    en="Concatenation along a dimension",
    zh="拼接",
    arguments=(
        In("tensors", "what is joined", "待拼接的张量", many=True),
        Attr(
            "dim", "the dimension along which it is", "拼接的维度", INT64, default=0, by_place=True
        ),
        Out("out", "the result", "结果"),
    ),
    rules=(
        Dtypes(("tensors",), ALL),
        MaxDims(("tensors", "out")),
        Joinable("tensors", "dim"),
        Promotable(),
        ResultShape(),
        Castable(),
    ),
    source="signature, tensors of shape [0]: op-plugin; promotion and values: PyTorch's cat",
    formula=copied,
    results=results,
    steps=steps,
    wide=never,
    torch="cat",
    aliases=("concat", "concatenate"),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.cat([np.array([[1, 2]]), np.array([[3, 4], [5, 6]])])
array([[1, 2],
       [3, 4],
       [5, 6]])
""",
)
