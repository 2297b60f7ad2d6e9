"""Every element so many times in a row, along a dimension."""

from openaclnn.spec.call import Call
from openaclnn.spec.host import INT64
from openaclnn.spec.moves import Shape, Sound, move, moving, seen
from openaclnn.spec.op import Attr
from openaclnn.spec.rules import DimOf, NotNegative
from openaclnn.spec.steps import Part, Step


def whole(call: Call) -> str | None:
    if not call["self"].shape:
        return "self has no dimensions; expected at least 1"
    size = shape(call)[call["dim"]]
    if call["output_size"] != size:
        return f"output_size is {call['output_size']}; expected {size}, repeats times self's size"
    return None


def shape(call: Call) -> Shape:
    sizes = list(call["self"].shape)
    if sizes:
        sizes[call["dim"]] *= call["repeats"]
    return tuple(sizes)


def steps(call: Call, self: Part, out: Part) -> list[Step]:
    dim, count = call["dim"] % len(self.view.shape), call["repeats"]

    def apart(part: Part, times: int, size: int) -> tuple[list[int], list[int]]:
        sizes, strides = list(part.view.shape), list(part.view.strides)
        stride = strides[dim]
        sizes[dim : dim + 1] = [size, times]
        strides[dim : dim + 1] = [stride * times, stride] if times > 1 else [stride, 0]
        return sizes, strides

    size = self.view.shape[dim]
    read, written = apart(self, 1, size), apart(out, count, size)
    return [move(self, seen(self.view, *read), out, seen(out.view, *written))]


OP = moving(
    "repeat_interleave_int_with_dim",
    "Repetition of each element along a dimension",
    "逐元素重复",
    attributes=(
        Attr("repeats", "how often", "重复次数", INT64, usual=2),
        Attr("dim", "the dimension", "维度", INT64),
        Attr("output_size", "how long the result is there", "结果在该维的大小", INT64, usual=64),
    ),
    rules=(
        NotNegative("repeats"),
        DimOf("dim", "self"),
        Sound(whole, "output_size is repeats times self's size along dim",
              "output_size 为 self 在 dim 上的大小乘以 repeats"),
    ),
    shape=shape,
    steps=steps,
    shapes=lambda shape, attributes: {
        "self": (attributes["output_size"] // max(attributes["repeats"], 1), *shape[1:])
    },
    header="aclnn_repeat_interleave.h",
    source="signature: op-plugin, llama.cpp; values: PyTorch's repeat_interleave",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.repeat_interleave_int_with_dim(np.array([1, 2]), 3, 0, 6)
array([1, 1, 1, 2, 2, 2])
""",
)  # fmt: skip
