"""The same elements, the dimensions in another order."""

from openaclnn.spec.call import Call
from openaclnn.spec.host import INT_ARRAY
from openaclnn.spec.moves import Shape, Sound, move, moving, seen
from openaclnn.spec.op import Attr
from openaclnn.spec.rules import DimsOf
from openaclnn.spec.steps import Part, Step


def all_there(call: Call) -> str | None:
    rank, dims = len(call["self"].shape), call["dims"] or ()
    if len(dims) != rank:
        return f"dims has {len(dims)} members; expected {rank}, as self has dimensions"
    return None


def shape(call: Call) -> Shape:
    sizes = call["self"].shape
    return tuple(sizes[dim] for dim in call["dims"] or () if -len(sizes) <= dim < len(sizes))


def steps(call: Call, self: Part, out: Part) -> list[Step]:
    whole = self.view
    turned = seen(whole, shape(call), [whole.strides[dim] for dim in call["dims"] or ()])
    return [move(self, turned, out, out.view)]


OP = moving(
    "permute",
    "Permutation of dimensions",
    "维度重排",
    attributes=(
        Attr("dims", "which dimension comes where", "各维度的新顺序", INT_ARRAY, usual=(1, 0)),
    ),
    rules=(
        DimsOf("dims", "self"),
        Sound(all_there, "dims has every dimension", "dims 含全部维度"),
    ),
    shape=shape,
    steps=steps,
    torch="permute",
    source="signature: op-plugin, llama.cpp; values: PyTorch's permute",
    aliases=("transpose",),
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.permute(np.array([[1, 2, 3], [4, 5, 6]]), [1, 0])
array([[1, 4],
       [2, 5],
       [3, 6]])
""",
)
