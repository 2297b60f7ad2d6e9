"""What a window sees wherever it stands, one column for each place: channels and the window's
elements along the second last dimension, places along the last. Outside the image it sees 0."""

import math
from itertools import product

from openaclnn.spec.call import Call
from openaclnn.spec.formula import Expr, constant
from openaclnn.spec.host import INT_ARRAY
from openaclnn.spec.moves import Shape, Sound, move, moving, seen
from openaclnn.spec.op import Attr
from openaclnn.spec.steps import Part, Step

NAMES = ("kernel_size", "dilation", "padding", "stride")


def places(call: Call) -> list[int]:
    """At how many places the window stands, down and across."""
    return [
        (size + 2 * pad - far * (window - 1) - 1) // step + 1
        for size, window, far, pad, step in zip(
            call["self"].shape[-2:], *(call[name] for name in NAMES), strict=True
        )
    ]


def fits(call: Call) -> str | None:
    rank = len(call["self"].shape)
    if rank not in (3, 4):
        return f"self has {rank} dimensions; expected 3 or 4"
    for name in NAMES:
        given = call[name] or ()
        least = 0 if name == "padding" else 1
        if len(given) != 2 or min(given) < least:
            return f"{name} is {list(given)}; expected two numbers, at least {least}"
    if min(places(call)) < 1:
        return f"the window stands at {places(call)} places; expected at least 1 each way"
    return None


def shape(call: Call) -> Shape:
    *outer, channels, _, _ = call["self"].shape
    return (*outer, channels * math.prod(call["kernel_size"]), math.prod(places(call)))


def nothing() -> Expr:
    return constant(0)


def steps(call: Call, self: Part, out: Part) -> list[Step]:
    windows, far, pads, strides = (call[name] for name in NAMES)
    *outer, channels, height, width = self.view.shape
    *around, between, down, across = self.view.strides
    *behind, column, place = out.view.strides
    counts = places(call)
    found = [Step({}, (out,), nothing)] if any(pads) else []
    for at in product(*map(range, windows)):
        ranges = []
        for k, size in enumerate((height, width)):  # at which places this element is inside
            start = at[k] * far[k] - pads[k]
            first = max(0, -(start // strides[k]))
            last = min(counts[k] - 1, (size - 1 - start) // strides[k])
            ranges.append((first, last - first + 1, start + first * strides[k]))
        (top, rows, y), (left, columns, x) = ranges
        if rows < 1 or columns < 1:
            continue
        sizes = (*outer, channels, rows, columns)
        source = seen(
            self.view, sizes, (*around, between, down * strides[0], across * strides[1]),
            y * down + x * across,
        )  # fmt: skip
        element = at[0] * windows[1] + at[1]
        target = seen(
            out.view, sizes,
            (*behind, column * math.prod(windows), place * counts[1], place),
            column * element + place * (top * counts[1] + left),
        )  # fmt: skip
        found.append(move(self, source, out, target))
    return found


OP = moving(
    "im2col",
    "What a window sees",
    "滑动窗口展开",
    attributes=tuple(
        Attr(name, en, zh, INT_ARRAY, usual=(1, 1))
        for name, en, zh in (
            ("kernel_size", "the window's height and width", "窗口的高和宽"),
            ("dilation", "how far its elements are apart", "窗口元素的间隔"),
            ("padding", "how many zeros are around the image", "图像四周补零的个数"),
            ("stride", "from one place to the next", "步长"),
        )
    ),
    rules=(
        Sound(
            fits,
            "self has 3 or 4 dimensions; the others are two numbers each, at least 1, padding at "
            "least 0; the window fits somewhere",
            "self 为 3 或 4 维；其余各为两个数，不小于 1，padding 不小于 0；窗口至少有一个位置",
        ),
    ),
    shape=shape,
    steps=steps,
    shapes=lambda shape, attributes: {"self": (1, *shape)},
    torch="ops.aten.im2col",
    source="signature: op-plugin, llama.cpp; values: PyTorch's im2col",
    example="""
>>> import numpy as np, openaclnn
>>> image = np.arange(6).reshape(1, 2, 3)
>>> openaclnn.im2col(image, [2, 2], [1, 1], [0, 0], [1, 1])
array([[0, 1],
       [1, 2],
       [3, 4],
       [4, 5]])
""",
)
