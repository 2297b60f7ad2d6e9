"""out = 2 · tensors, one below the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from openaclnn.base.dtypes import FLOAT
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.op import In, Op, Out, never
from openaclnn.spec.rules import Dtypes, ResultShape
from openaclnn.spec.steps import Part, Step, narrowed, parts


def results(call: Call) -> tuple[Meta, ...]:
    shapes = [tensor.shape for _, tensor in call.of(("tensors",))]
    return (Meta((sum(shape[0] for shape in shapes), *shapes[0][1:]), FLOAT),)


def steps(call: Call) -> tuple[Step, ...]:
    """One for each tensor, which fills its rows."""
    known, found, start = parts(call), [], 0
    out = known.pop("out")
    for part in known.values():
        rows = part.view.shape[0]
        found.append(
            Step({"tensors": part}, (Part(out.tensor, narrowed(out.view, 0, start, rows)),))
        )
        start += rows
    return tuple(found)


def shapes(shape: tuple[int, ...], attributes: Mapping[str, Any]) -> Mapping[str, tuple[int, ...]]:
    """A made-up call needs rows."""
    return {"tensors": shape or (1,)}


OP = Op(
    name="doubled_rows",
    en="Tensors doubled, one below the other",
    zh="张量加倍后按行拼接",
    arguments=(
        In("tensors", "what is doubled", "输入", many=True),
        Out("out", "all of it", "结果"),
    ),
    rules=(Dtypes(("tensors",), (FLOAT,)), ResultShape()),
    formula=lambda tensors: 2 * tensors,
    results=results,
    steps=steps,
    shapes=shapes,
    wide=never,
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.doubled_rows([np.float32([1, 2]), np.float32([3])]).tolist()
[2.0, 4.0, 6.0]
""",
)
