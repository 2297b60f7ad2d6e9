"""Every element so many times in a row, along a dimension or in the order of rows."""

from typing import Any

from openaclnn.base.tensors import contiguous_strides, product_of
from openaclnn.spec.call import Call
from openaclnn.spec.host import INT64
from openaclnn.spec.moves import Shape, Sound, move, moving, seen
from openaclnn.spec.op import Attr, Op
from openaclnn.spec.rules import DimOf, NotNegative
from openaclnn.spec.steps import Part, Step


def whole(call: Call) -> str | None:
    if "dim" in call.arguments and not call["self"].shape:
        return "self has no dimensions; expected at least 1"
    size = shape(call)[call.attributes.get("dim", 0)]
    if call["output_size"] != size:
        return f"output_size is {call['output_size']}; expected {size}, repeats times self's size"
    return None


def shape(call: Call) -> Shape:
    if "dim" not in call.arguments:
        return (product_of(call["self"].shape) * call["repeats"],)
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


def steps_of_rows(call: Call, self: Part, out: Part) -> list[Step]:
    sizes = (*self.view.shape, call["repeats"])
    (stride,) = out.view.strides
    read = seen(self.view, sizes, (*self.view.strides, 0))
    written = seen(out.view, sizes, [each * stride for each in contiguous_strides(sizes)])
    return [move(self, read, out, written)]


def made_up(shape: Shape, attributes: Any) -> dict[str, Shape]:
    """What a made-up call has."""
    length = attributes["output_size"] // max(attributes["repeats"], 1)
    return {"self": (length, *shape[1:]) if "dim" in attributes else (length,)}


def repeated(name: str, attributes: tuple[Attr, ...], steps: Any, example: str) -> Op:
    return moving(
        name, "Repetition of each element" + " along a dimension" * bool(attributes),
        "逐元素重复" + "，沿维度" * bool(attributes),
        attributes=(
            Attr("repeats", "how often", "重复次数", INT64, usual=2), *attributes,
            Attr("output_size", "how long the result is", "结果的大小", INT64, usual=64),
        ),
        rules=(
            NotNegative("repeats"), *(DimOf("dim", "self") for _ in attributes),
            Sound(whole, "output_size is repeats times how many elements there are",
                  "output_size 为元素个数乘以 repeats"),
        ),
        shape=shape, steps=steps, shapes=made_up, header="aclnn_repeat_interleave.h"
        if attributes else "",
        source="signature: op-plugin, llama.cpp; values: PyTorch's repeat_interleave",
        example=f"\n>>> import numpy as np, openaclnn\n>>> openaclnn.{name}({example})\n"
        "array([1, 1, 1, 2, 2, 2])\n",
    )  # fmt: skip


DIM = Attr("dim", "the dimension", "维度", INT64)

OPS = (
    repeated("repeat_interleave_int", (), steps_of_rows, "np.array([1, 2]), 3, 6"),
    repeated("repeat_interleave_int_with_dim", (DIM,), steps,
             "np.array([1, 2]), 3, 0, 6"),
)  # fmt: skip
