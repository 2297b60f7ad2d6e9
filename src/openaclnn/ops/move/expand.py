"""A tensor repeated along dimensions of size 1, and along new ones in front; -1 keeps a size."""

from openaclnn.spec.call import Call
from openaclnn.spec.host import INT_ARRAY
from openaclnn.spec.moves import Shape, Sound, move, moving
from openaclnn.spec.op import Attr
from openaclnn.spec.steps import Part, Step


def fitting(call: Call) -> str | None:
    own, sizes = call["self"].shape, call["out_size"]
    if len(sizes) < len(own):
        return f"out_size has {len(sizes)} members; expected at least {len(own)}"
    new = len(sizes) - len(own)
    for k, size in enumerate(sizes):
        before = own[k - new] if k >= new else 1
        kept = size == -1 and k >= new
        if not (kept or (size >= 0 and before in (1, size))):
            wanted = "a size" if before == 1 else str(before)
            return f"out_size has {size} for dimension {k}; expected {wanted}"
    return None


def shape(call: Call) -> Shape:
    own, sizes = call["self"].shape, call["out_size"]
    new = len(sizes) - len(own)
    return tuple(own[k - new] if size == -1 and k >= new else size for k, size in enumerate(sizes))


def steps(call: Call, self: Part, out: Part) -> list[Step]:
    return [move(self, self.view, out, out.view)]


OP = moving(
    "expand",
    "Broadcast to a shape",
    "扩展为指定 shape",
    attributes=(Attr("out_size", "the sizes", "目标 shape", INT_ARRAY, usual=(-1, -1),
                     by_place=True),),
    rules=(Sound(fitting, "self broadcasts to out_size; -1 keeps a size",
                 "self 可以广播为 out_size，-1 表示保持大小"),),
    shape=shape,
    aliases=("broadcast_to",),
    steps=steps,
    source="signature: Jittor, DIOPI; values: PyTorch's expand",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.expand(np.array([[1], [2]]), (-1, 3))
array([[1, 1, 1],
       [2, 2, 2]])
""",
)  # fmt: skip
