"""A tensor with its mirror images before and after it, along the last dimension; the first and last
elements are the mirrors."""

from openaclnn.spec.call import Call
from openaclnn.spec.host import INT_ARRAY
from openaclnn.spec.moves import Shape, Sound, move, moving, seen
from openaclnn.spec.op import Attr
from openaclnn.spec.steps import Part, Step, narrowed


def fits(call: Call) -> str | None:
    shape, padding = call["self"].shape, call["padding"] or ()
    if len(shape) not in (2, 3):
        return f"self has {len(shape)} dimensions; expected 2 or 3"
    if len(padding) != 2:
        return f"padding has {len(padding)} members; expected 2"
    for count in padding:
        if not 0 <= count < max(shape[-1], 1):
            return f"padding has {count}; expected 0 to {shape[-1] - 1}, as self is so long"
    return None


def shape(call: Call) -> Shape:
    sizes = call["self"].shape
    return (*sizes[:-1], sizes[-1] + sum(call["padding"])) if sizes else ()


def steps(call: Call, self: Part, out: Part) -> list[Step]:
    before, after = call["padding"]
    *others, size = self.view.shape
    *slow, fast = self.view.strides
    dim = len(others)

    def mirrored(count: int, first: int, place: int) -> Step:
        image = seen(self.view, (*others, count), (*slow, -fast), first * fast)
        return move(self, image, out, narrowed(out.view, dim, place, count))

    middle = move(self, self.view, out, narrowed(out.view, dim, before, size))
    left, right = mirrored(before, before, 0), mirrored(after, size - 2, before + size)
    return [*[left] * bool(before), middle, *[right] * bool(after)]


OP = moving(
    "reflection_pad1d",
    "Reflection padding, 1-dimensional",
    "镜像填充（一维）",
    attributes=(
        Attr("padding", "how many before and after", "前后填充的个数", INT_ARRAY, usual=(1, 1)),
    ),
    rules=(
        Sound(
            fits,
            "self has 2 or 3 dimensions; padding has two numbers, from 0 to less than the last",
            "self 为 2 或 3 维；padding 为两个数，不小于 0 且小于最后一维的大小",
        ),
    ),
    shape=shape,
    steps=steps,
    torch="ops.aten.reflection_pad1d",
    source="signature: op-plugin, llama.cpp; values: PyTorch's reflection_pad1d",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.reflection_pad1d(np.array([[1, 2, 3]]), [2, 1])
array([[3, 2, 1, 2, 3, 2]])
""",
)
