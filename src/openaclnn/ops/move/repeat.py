"""A tensor several times over along every dimension; numbers that are too many make new ones in
front."""

from openaclnn.spec.call import Call
from openaclnn.spec.host import INT_ARRAY
from openaclnn.spec.moves import Shape, Sound, move, moving, seen
from openaclnn.spec.op import Attr
from openaclnn.spec.steps import Part, Step


def enough(call: Call) -> str | None:
    rank, repeats = len(call["self"].shape), call["repeats"] or ()
    if len(repeats) < rank:
        return (
            f"repeats has {len(repeats)} members; expected at least {rank}, as self has dimensions"
        )
    negative = next((count for count in repeats if count < 0), None)
    return None if negative is None else f"repeats has {negative}; expected at least 0"


def shape(call: Call) -> Shape:
    repeats = call["repeats"] or ()
    sizes = (1,) * (len(repeats) - len(call["self"].shape)) + call["self"].shape
    return tuple(size * count for size, count in zip(sizes, repeats, strict=False))


def steps(call: Call, self: Part, out: Part) -> list[Step]:
    repeats = call["repeats"] or ()
    new = len(repeats) - len(self.view.shape)
    sizes, strides = (1,) * new + self.view.shape, (0,) * new + self.view.strides
    # every dimension is two: how often, and the input's own
    read = seen(
        self.view,
        [n for size in sizes for n in (1, size)],
        [n for one in strides for n in (0, one)],
    )
    there = list(zip(sizes, out.view.strides, strict=True))
    written = seen(
        out.view,
        [n for count, size in zip(repeats, sizes, strict=True) for n in (count, size)],
        [n for size, stride in there for n in (size * stride, stride)],
    )
    return [move(self, read, out, written)]


OP = moving(
    "repeat",
    "Repetition of a tensor along dimensions",
    "重复",
    attributes=(
        Attr(
            "repeats",
            "how often along every dimension",
            "各维度的重复次数",
            INT_ARRAY,
            usual=(2, 1),
        ),
    ),
    rules=(
        Sound(
            enough,
            "repeats has a number, at least 0, for every dimension of self, and maybe more before",
            "repeats 为 self 的每个维度给出不小于 0 的次数，前面可以更多",
        ),
    ),
    shape=shape,
    aliases=("tile",),
    steps=steps,
    torch="Tensor.repeat",
    source="signature: op-plugin, llama.cpp; values: PyTorch's repeat",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.repeat(np.array([1, 2]), [2, 2])
array([[1, 2, 1, 2],
       [1, 2, 1, 2]])
""",
)
