"""Slices of a tensor along a dimension, one for every index, in the order of the indices."""

from openaclnn.spec.call import Call
from openaclnn.spec.host import INT64
from openaclnn.spec.indexed import OUT, Shape, at_index, indexed, looked_up, slices_back, within
from openaclnn.spec.op import Attr, In, Op
from openaclnn.spec.steps import Step


def steps(call: Call) -> tuple[Step, ...]:
    return looked_up(call, "self", "index", call["dim"], listed=call.op is OPS[0])


def shape(call: Call) -> Shape:
    whole = call["self"].shape or (1,)
    dim = call["dim"] % len(whole)
    of = call["index"].shape
    if call.op is OPS[0]:
        if not call["self"].shape:
            return ()
        of = of or (1,)
    return (*whole[:dim], *of, *whole[dim + 1 :])


def fits(call: Call) -> str | None:
    came = call["index"].shape
    if call.op is OPS[0] and len(came) > 1:
        return f"index has {len(came)} dimensions; expected at most 1"
    return within(call, "self", "dim")


TEXTS = (
    "dim is one of self's dimensions; out has self's shape with index's in the place of that",
    "dim 是 self 的维度；out 的 shape 为 self 的 shape 中该维度换成 index 的 shape",
)


def selecting(name: str, en: str, zh: str, source: str, example: str) -> Op:
    return indexed(
        name,
        (
            In("self", "the tensor", "被索引的张量"),
            Attr("dim", "the dimension", "维度", INT64),
            In("index", "which slices", "索引"),
            OUT,
        ),
        at_index,
        steps,
        shape,
        fits,
        TEXTS,
        en=en,
        zh=zh,
        shapes=lambda shape, attributes: {"index": (2,)},
        source=source,
        pulled_back=lambda call, name: slices_back(call, "index", call["dim"]),
        example=example,
    )


OPS = (
    selecting("index_select", "Slices selected by indices along a dimension", "按索引选取",
              "signature: op-plugin, llama.cpp; values: PyTorch's index_select", """
>>> import numpy as np, openaclnn
>>> openaclnn.index_select(np.array([[1, 2], [3, 4]]), 0, np.array([1, -1, 0]))
array([[3, 4],
       [3, 4],
       [1, 2]])
"""),
    selecting("gather_v2", "Slices by indices of any shape, along a dimension",
              "按任意形状的索引选取",
              "signature: llama.cpp, InfiniTensor (MIT, Apache-2.0); values: NumPy's take", """
>>> import numpy as np, openaclnn
>>> openaclnn.gather_v2(np.array([10, 20, 30]), 0, np.array([[2], [0]]))
array([[30],
       [10]])
"""),
)  # fmt: skip
