"""Every so many elements along several dimensions, from a start up to and without an end; both may
be counted from the end and reach beyond it. A step below 0 goes backwards."""

from collections.abc import Iterator

from openaclnn.spec.call import Call
from openaclnn.spec.host import INT_ARRAY
from openaclnn.spec.moves import Shape, Sound, move, moving, seen
from openaclnn.spec.op import Attr
from openaclnn.spec.rules import DimsOf
from openaclnn.spec.steps import Part, Step

LISTS = ("starts", "ends", "axes", "steps")


def paired(call: Call) -> str | None:
    if call["axes"] and not call["self"].shape:
        return "self has no dimensions; expected axes without any"
    lengths = {name: len(call[name]) for name in LISTS}
    if len(set(lengths.values())) > 1:
        came = ", ".join(f"{name} has {count} numbers" for name, count in lengths.items())
        return f"{came}; expected as many of each"
    if not call["self"].shape and call["axes"]:
        return "self has no dimensions; expected at least one"
    return "steps has a 0; expected other numbers" if 0 in call["steps"] else None


def ranges(call: Call) -> Iterator[tuple[int, int, int, int]]:
    """Of each dimension that is named: which, its first element, the step, how many there are."""
    shape = call["self"].shape
    for start, end, axis, step in zip(*(call[name] for name in LISTS), strict=True):
        dim = axis % len(shape)
        size = shape[dim]
        start, end = (place + size if place < 0 else place for place in (start, end))
        low, high = (0, size) if step > 0 else (-1, size - 1)
        start, end = (min(max(place, low), high) for place in (start, end))
        yield dim, start, step, max(-((start - end) // step), 0)


def shape(call: Call) -> Shape:
    sizes = list(call["self"].shape)
    for dim, _, _, count in ranges(call):
        sizes[dim] = count
    return tuple(sizes)


def steps(call: Call, self: Part, out: Part) -> list[Step]:
    strides, first = list(self.view.strides), 0
    for dim, start, step, count in ranges(call):
        first += start * strides[dim] if count else 0
        strides[dim] *= step
    return [move(self, seen(self.view, out.view.shape, strides, first), out, out.view)]


OP = moving(
    "slice_v2",
    "Slice along several dimensions",
    "沿多个维度切片",
    attributes=(
        Attr("starts", "the first of each", "各维度的起始位置", INT_ARRAY, usual=(0,)),
        Attr("ends", "what is not reached", "各维度的终止位置（不含）", INT_ARRAY, usual=(1,)),
        Attr("axes", "the dimensions", "维度", INT_ARRAY, usual=(0,)),
        Attr("steps", "from one to the next", "各维度的步长", INT_ARRAY, usual=(1,)),
    ),
    rules=(
        DimsOf("axes", "self"),
        Sound(paired, "the lists are of one length, no step is 0", "各列表长度相同，步长不为 0"),
    ),
    shape=shape,
    steps=steps,
    source="signature: InfiniTensor; values: ONNX's Slice",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.slice_v2(np.arange(8).reshape(2, 4), [1, 0], [2, 4], [0, 1], [1, 2])
array([[4, 6]])
""",
)
