"""The elements the other way round along dimensions."""

from openaclnn.spec.call import Call
from openaclnn.spec.host import INT_ARRAY
from openaclnn.spec.moves import move, moving
from openaclnn.spec.op import Attr
from openaclnn.spec.rules import DimsOf
from openaclnn.spec.steps import Part, Step, flipped


def steps(call: Call, self: Part, out: Part) -> list[Step]:
    found = self
    for dim in call["dims"] if self.view.shape else ():
        found = flipped(found, dim % len(self.view.shape))
    return [move(found, found.view, out, out.view)]


OP = moving(
    "flip",
    "Reversal of elements along dimensions",
    "沿维度翻转",
    attributes=(Attr("dims", "the dimensions", "维度", INT_ARRAY, by_place=True),),
    rules=(DimsOf("dims", "self"),),
    shape=lambda call: call["self"].shape,
    steps=steps,
    torch="flip",
    source="signature: op-plugin, candle; values: PyTorch's flip",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.flip(np.array([[1, 2], [3, 4]]), [1])
array([[2, 1],
       [4, 3]])
""",
)
