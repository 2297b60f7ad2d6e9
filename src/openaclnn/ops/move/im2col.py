"""What a window sees wherever it stands, one column for each place: channels and the window's
elements along the second last dimension, places along the last. Outside the image it sees 0."""

import math
from itertools import product

from openaclnn.spec.call import Call
from openaclnn.spec.host import INT_ARRAY
from openaclnn.spec.moves import Shape, Sound, move, moving, seen
from openaclnn.spec.op import Attr
from openaclnn.spec.steps import Part, Step, zeros

TEXTS = {
    "kernel_size": ("the window's height and width", "窗口的高和宽"),
    "dilation": ("how far its elements are apart", "窗口元素的间隔"),
    "padding": ("how many zeros are around the image", "图像四周补零的个数"),
    "stride": ("from one place to the next", "步长"),
}
NAMES = tuple(TEXTS)


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


Run = tuple[int, int]  # the first, and how many


def inside(
    size: int, window: int, far: int, pad: int, step: int, count: int
) -> list[tuple[Run, Run]]:
    """Along one dimension, which of the window's elements are inside the image at which places, in
    as few blocks as there are: by elements, or by places, of which those where the whole window is
    inside are one block."""
    first = min(-(-pad // step), count)
    behind = max((size - 1 - (window - 1) * far + pad) // step + 1, first)
    edges = [*range(first), *(behind + k for k in range(count - behind))]
    found: list[tuple[Run, Run]] = []
    if len(edges) < window:
        found.append(((0, window), (first, behind - first)))
        for place in edges:
            start = place * step - pad
            found.append((_reached(start, far, window, size), (place, 1)))
    else:
        for at in range(window):
            found.append(((at, 1), _reached(at * far - pad, step, count, size)))
    return [(elements, to) for elements, to in found if elements[1] > 0 and to[1] > 0]


def _reached(start: int, step: int, count: int, size: int) -> Run:
    """Of so many numbers from a start on, those that are at least 0 and below a size."""
    first = max(0, -(start // step))
    return first, min(count - 1, (size - 1 - start) // step) - first + 1


def steps(call: Call, self: Part, out: Part) -> list[Step]:
    windows, far, pads, strides = (call[name] for name in NAMES)
    *outer, channels, height, width = self.view.shape
    *around, between, down, across = self.view.strides
    *behind, column, place = out.view.strides
    counts = places(call)
    found = [Step({}, (out,), zeros)] if any(pads) else []
    blocks = (
        inside(size, windows[k], far[k], pads[k], strides[k], counts[k])
        for k, size in enumerate((height, width))
    )
    for (tall, rows), (wide, columns) in product(*blocks):
        sizes = (*outer, channels, tall[1], wide[1], rows[1], columns[1])
        y, x = (
            at[0] * far[k] + to[0] * strides[k] - pads[k]
            for k, (at, to) in enumerate(((tall, rows), (wide, columns)))
        )
        source = seen(
            self.view, sizes,
            (*around, between, down * far[0], across * far[1], down * strides[0],
             across * strides[1]),
            y * down + x * across,
        )  # fmt: skip
        target = seen(
            out.view, sizes,
            (*behind, column * math.prod(windows), column * windows[1], column,
             place * counts[1], place),
            column * (tall[0] * windows[1] + wide[0]) + place * (rows[0] * counts[1] + columns[0]),
        )  # fmt: skip
        found.append(move(self, source, out, target))
    return found


OP = moving(
    "im2col",
    "im2col: the elements of each window as a column",
    "滑动窗口展开",
    attributes=tuple(Attr(name, *text, INT_ARRAY, usual=(1, 1)) for name, text in TEXTS.items()),
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
