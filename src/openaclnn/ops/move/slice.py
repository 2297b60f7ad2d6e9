"""Every so many elements along a dimension, from a start up to and without an end; both may be
counted from the end and reach beyond it."""

from openaclnn.spec.call import Call
from openaclnn.spec.host import INT64
from openaclnn.spec.moves import Shape, Sound, move, moving, seen
from openaclnn.spec.op import Attr
from openaclnn.spec.rules import DimOf
from openaclnn.spec.steps import Part, Step


def forward(call: Call) -> str | None:
    if not call["self"].shape:
        return "self has no dimensions; expected at least 1"
    return None if call["step"] > 0 else f"step is {call['step']}; expected at least 1"


def taken(call: Call) -> tuple[int, int]:
    """Which element is the first, and how many there are."""
    size = call["self"].shape[call["dim"]]
    places = (place + size if place < 0 else place for place in (call["start"], call["end"]))
    start, end = (min(max(place, 0), size) for place in places)
    return start, -(-max(end - start, 0) // call["step"])


def shape(call: Call) -> Shape:
    sizes = list(call["self"].shape)
    _, sizes[call["dim"]] = taken(call)
    return tuple(sizes)


def steps(call: Call, self: Part, out: Part) -> list[Step]:
    dim, strides = call["dim"], list(self.view.strides)
    start, _ = taken(call)
    first = start * strides[dim]
    strides[dim] *= call["step"]
    return [move(self, seen(self.view, out.view.shape, strides, first), out, out.view)]


OP = moving(
    "slice",
    "Slice along a dimension",
    "切片",
    attributes=(
        Attr("dim", "the dimension", "维度", INT64),
        Attr("start", "the first", "起始位置", INT64),
        Attr("end", "what is not reached", "终止位置（不含）", INT64, usual=1),
        Attr("step", "from one to the next", "步长", INT64, usual=1),
    ),
    rules=(
        DimOf("dim", "self"),
        Sound(forward, "self has dimensions, step is at least 1", "self 至少一维，step 不小于 1"),
    ),
    shape=shape,
    steps=steps,
    source="signature: op-plugin, llama.cpp; values: PyTorch's slice",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.slice(np.arange(8), 0, 1, -1, 3)
array([1, 4])
""",
)
