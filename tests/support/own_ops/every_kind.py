"""out = self · number + small (+ other), rest = precise − self; with the mode "tell" every call is
refused, saying what came. There is an argument of every kind that the language knows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from openaclnn.base.dtypes import DOUBLE, FLOAT, DType
from openaclnn.spec import host
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.formula import Expr
from openaclnn.spec.op import Attr, In, Op, Out
from openaclnn.spec.rules import Dtypes, Rule, SameShape


def formula(self: Expr, other: Expr | None, number: Expr, small: Expr, precise: Expr) -> Any:
    first = self * number + small
    return (first if other is None else first + other), precise - self


def results(call: Call) -> tuple[Meta, ...]:
    return (Meta(call["self"].shape, call.attributes["dtype"]),) * 2


@dataclass(frozen=True)
class Telling(Rule):
    """Tells all attributes, and how many tensors came, where the mode asks for it."""

    def complaint(self, call: Call) -> str | None:
        if call["mode"] != "tell":
            return None
        return f"{len(call['tensors'])} tensors {values(call)}"

    def sentence(self, op: Op, language: str) -> str:
        return "mode is not tell"


def values(call: Call) -> str:
    found: Mapping[str, Any] = {a.name: call[a.name] for a in call.op.attributes}
    return " ".join(f"{name}={value!r}" for name, value in found.items())


def one(name: str, kind: host.Host, **more: Any) -> Attr:
    return Attr(name, f"a value of kind {kind}", f"{kind} 类型的值", kind, **more)


DTYPES: tuple[DType, ...] = (FLOAT, DOUBLE)

OP = Op(
    name="every_kind",
    en="An argument of every kind",
    zh="每一种参数",
    arguments=(
        In("self", "the input", "输入"),
        In("other", "what is added", "加数", optional=True),
        In("tensors", "tensors that are only counted", "只计数的张量", many=True),
        one("small", host.INT8),
        one("middle", host.INT32, default=0),
        one("large", host.INT64, default=0),
        one("natural", host.UINT32, default=0),
        one("huge", host.UINT64, default=0),
        one("number", host.FLOAT32, default=1.0),
        one("precise", host.FLOAT64, default=0.0),
        one("flag", host.FLAG, default=False),
        one("scalar", host.SCALAR, default=1),
        one("factor", host.SCALAR, default=None, optional=True),
        one("dims", host.INT_ARRAY, default=()),
        one("weights", host.FLOAT_ARRAY, default=()),
        one("mask", host.BOOL_ARRAY, default=None, optional=True),
        one("dtype", host.DATA_TYPE, default="f32"),
        one("mode", host.TEXT, default=None, optional=True),
        Out("out", "the first result", "第一个结果"),
        Out("rest", "the second result", "第二个结果", optional=True),
    ),
    rules=(Dtypes(("self", "other", "tensors"), DTYPES), Telling(), SameShape(("self", "other"))),
    formula=formula,
    results=results,
    example="""
>>> import numpy as np, openaclnn
>>> out, rest = openaclnn.every_kind(np.float32([1, 2]), [], 3, number=2.0, precise=5.0)
>>> out.tolist(), rest.tolist()
([5.0, 7.0], [4.0, 3.0])
""",
)
