"""Operators of every kind that the language can state, as a user would add them: what commands must
serve without an edit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from openaclnn import ops
from openaclnn.base.dtypes import BOOL, FLOAT, FLOAT16, INT32
from openaclnn.ops.files import File
from openaclnn.spec import host
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import FLOATS, INTEGERS, comparison, filling, unary
from openaclnn.spec.formula import exp, maximum, minimum, where
from openaclnn.spec.op import Attr, In, Op, Out, exact_level, never
from openaclnn.spec.rules import (
    Broadcast,
    Castable,
    Dtypes,
    Halved,
    Joinable,
    ResultShape,
    SameShape,
)
from openaclnn.spec.steps import Part, Step, copied, halves, narrowed, parts

_SELF, _OUT = In("self", "the input", "输入"), Out("out", "the result", "结果")


def joined_results(call: Call) -> tuple[Meta, ...]:
    shape = list(call["tensors"][0].shape)
    shape[call["dim"]] = sum(tensor.shape[call["dim"]] for tensor in call["tensors"])
    return (Meta(tuple(shape), call.promoted or FLOAT),)


def joined_steps(call: Call) -> tuple[Step, ...]:
    known, start, found = parts(call), 0, []
    out = known["out"]
    for number, tensor in enumerate(call["tensors"]):
        size = tensor.shape[call["dim"]]
        place = Part(out.tensor, narrowed(out.view, call["dim"], start, size))
        found.append(Step({"self": known[f"tensors[{number}]"]}, (place,), copied))
        start += size
    return tuple(found)


def gated_results(call: Call) -> tuple[Meta, ...]:
    shape = list(call["self"].shape)
    shape[call["dim"]] //= 2
    return (Meta(tuple(shape), call["self"].dtype),)


def gated_steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    first, second = halves(known["self"], call["dim"])
    return (Step({"self": first, "gate": second}, (known["out"],)),)


TRIPLED = unary(
    "tripled", lambda self: 3 * self, (*FLOATS, *INTEGERS), "Three times", "三倍", "",
    in_place=True, wide=never,
)  # fmt: skip
PARTED = Op(
    "parted",
    "Positive part, and whether it is all",
    "正部",
    (
        _SELF,
        Out("part", "the positive part", "正部"),
        Out("whole", "whether it is all", "是否全部", optional=True),
    ),
    (Dtypes(("self",), (*FLOATS, *INTEGERS)), ResultShape()),
    lambda self: (maximum(self, 0), self >= 0),
    "",
    wide=never,
    results=lambda call: (
        Meta(call["self"].shape, call["self"].dtype),
        Meta(call["self"].shape, BOOL),
    ),
)
WEIGHTED = Op(
    "weighted",
    "self·weight + bias",
    "加权",
    (
        _SELF,
        In("weight", "the weight", "权重", optional=True),
        In("bias", "the bias", "偏置", optional=True),
        _OUT,
    ),
    (Dtypes(("self", "weight", "bias"), FLOATS), Broadcast(("self", "weight", "bias")), Castable()),
    lambda self, weight, bias: (
        (self if weight is None else self * weight) + (0 if bias is None else bias)
    ),
    "",
    wide=never,
)
JOINED = Op(
    "joined",
    "Tensors beside each other",
    "拼接",
    (
        In("tensors", "what is joined", "待拼接的张量", many=True),
        Attr("dim", "along which dimension", "维度", host.INT64, default=0),
        _OUT,
    ),
    (Dtypes(("tensors",), (FLOAT, FLOAT16, INT32)), Joinable("tensors", "dim"), ResultShape()),
    copied,
    "",
    results=joined_results,
    steps=joined_steps,
    wide=never,
)
GATED = Op(
    "gated",
    "One half times the other's sigmoid",
    "门控",
    (_SELF, Attr("dim", "along which dimension", "维度", host.INT64, default=-1), _OUT),
    (Dtypes(("self",), FLOATS), Halved("self", "dim", ("out",)), Castable()),
    lambda self, gate: self / (1 + exp(-gate)),
    "",
    results=gated_results,
    steps=gated_steps,
    in_float32=lambda self, gate: where(
        gate >= 0, self / (1 + exp(-abs(gate))), self * exp(-abs(gate)) / (1 + exp(-abs(gate)))
    ),
)
CLOSER = comparison("closer", lambda self, other: abs(self) < abs(other), "Closer", "更近", "")
CHOSEN = Op(
    "chosen",
    "A number by every kind of host value",
    "各类属性",
    (
        _SELF,
        Attr("count", "an integer", "整数", host.INT32, default=2),
        Attr("factor", "a double", "双精度", host.FLOAT64, default=0.5),
        Attr("upwards", "a flag", "标志", host.FLAG, default=True),
        Attr("limits", "an array", "数组", host.INT_ARRAY, default=(-3, 3)),
        Attr("mode", "a text", "文本", host.TEXT, default="clamp"),
        Attr("dtype", "a dtype", "数据类型", host.DATA_TYPE, default=FLOAT),
        _OUT,
    ),
    (Dtypes(("self",), FLOATS), SameShape(("self",)), Castable()),
    lambda self, count, factor, upwards, limits, mode: (
        minimum(maximum(self * factor, limits[0]), limits[1]) + (count if upwards else 0)
        if mode == "clamp"
        else self
    ),
    "",
    wide=exact_level,  # a product and what is added to it may cancel
)
FILLED = filling("ones_like", lambda: 1, "Ones", "填一", "")

OPS = (*TRIPLED, PARTED, WEIGHTED, JOINED, GATED, *CLOSER, CHOSEN, FILLED)


@contextmanager
def registered() -> Iterator[None]:
    """Inside, these operators are there as if a folder of the user's own had them."""
    file = File(Path(__file__), "kinds", own=True)
    known = ops.all_ops()
    for op in OPS:
        ops._loaded[op.name] = (op, file)
        known[op.name] = op
    try:
        yield
    finally:
        for op in OPS:
            del ops._loaded[op.name], known[op.name]
