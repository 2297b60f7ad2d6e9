"""A row of a table for every index."""

from openaclnn.spec.call import Call
from openaclnn.spec.indexed import OUT, at_index, indexed, looked_up, slices_back
from openaclnn.spec.op import In
from openaclnn.spec.steps import Step


def steps(call: Call) -> tuple[Step, ...]:
    return looked_up(call, "weight", "indices", 0)


def fits(call: Call) -> str | None:
    rank = len(call["weight"].shape)
    return None if rank == 2 else f"weight has {rank} dimensions; expected 2"


OP = indexed(
    "embedding",
    (
        In("weight", "the table", "嵌入表"),
        In("indices", "which rows", "行号"),
        OUT,
    ),
    at_index,
    steps,
    lambda call: (*call["indices"].shape, *call["weight"].shape[1:]),
    fits,
    (
        "weight has 2 dimensions; out has the shape of indices, and a row's size behind it",
        "weight 为 2 维；out 的 shape 为 indices 的 shape 后接一行的大小",
    ),
    index="indices",
    of="weight",
    en="Embedding: rows of a table by indices",
    zh="嵌入",
    shapes=lambda shape, attributes: {"weight": (4, 3), "indices": shape},
    source="signature: op-plugin; values: PyTorch's embedding",
    pulled_back=lambda call, name: slices_back(call, "indices", 0),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.embedding(np.array([[1, 2], [3, 4]], np.float32), np.array([[1], [0]]))
array([[[3., 4.]],
<BLANKLINE>
       [[1., 2.]]], dtype=float32)
""",
)
