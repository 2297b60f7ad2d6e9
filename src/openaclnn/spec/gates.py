"""The family of gated units: one half of a tensor, along a dimension, times a function of the
other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from openaclnn.base.dtypes import DType
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.host import INT64
from openaclnn.spec.op import Attr, In, Op, Out
from openaclnn.spec.rules import Castable, DimOf, Dtypes, Halved, MaxDims, ResultShape, Rule
from openaclnn.spec.steps import of_halves

DIM = Attr(
    "dim", "the dimension that is halved", "被对半切分的维度", INT64, default=-1, by_place=True
)
_OUT = Out("out", "the result, half as long along dim", "结果，在 dim 上的大小减半")


def gated(
    name: str,
    formula: Callable[..., Any],
    dtypes: tuple[DType, ...],
    en: str = "",
    zh: str = "",
    example: str = "",
    attributes: tuple[Attr, ...] = (),
    rules: tuple[Rule, ...] = (),
    also: tuple[Out, ...] = (),
    **more: Any,
) -> Op:
    """The formula's tensors are `first_half` and `second_half`; `also` are outputs beside the
    first, of its shape, `attributes` stand behind the dimension."""
    outputs = ("out", *(output.name for output in also))
    return Op(
        name,
        en,
        zh,
        (
            In("self", "the input, of even size along dim", "输入，在 dim 上的大小为偶数"),
            DIM,
            *attributes,
            _OUT,
            *also,
        ),
        (
            Dtypes(("self",), dtypes),
            DimOf("dim", "self"),
            *rules,
            Halved("self", "dim"),
            Castable(),
            MaxDims(("self", *outputs)),
            ResultShape(),
        ),
        formula,
        example,
        results=_halved,
        steps=of_halves,
        **more,
    )


def _halved(call: Call) -> tuple[Meta, ...]:
    shape = list(call["self"].shape) or [1]
    shape[call["dim"]] //= 2
    return (Meta(tuple(shape), call["self"].dtype),) * len(call.op.outputs)
