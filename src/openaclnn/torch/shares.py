"""Reductions over tensors that are distributed among processes: each process leaves its sum as
integers that add up, and the total is rounded once.

>>> import torch
>>> import openaclnn.torch
>>> x = torch.tensor([1e8, 1.0, -1e8, 1e-8])
>>> parts = [torch.ops.openaclnn.mean_digits(share) for share in x.split(2)]
>>> worth(parts[0] + parts[1], "mean", 4, torch.float32), x.double().mean()
(tensor(0.2500), tensor(0.2500, dtype=torch.float64))
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import torch

from openaclnn import ops
from openaclnn.arithmetic.folding import DIGIT, digits_left, weights
from openaclnn.base import settings
from openaclnn.base.dtypes import DOUBLE, INT64, DType
from openaclnn.spec import host
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.formula import Expr, equal, fold, where
from openaclnn.spec.op import Attr, In, Op, Out, always
from openaclnn.spec.rules import Dtypes, MaxDims, ResultDtype, ResultShape, Rule
from openaclnn.torch import gradients

DIGITS, AMONG = "_digits", "_among"  # behind an operator's name
_COUNT = Attr("count", "how many there are in all", "总个数", host.INT64)


def by_name(name: str) -> Op | None:
    """The operator of a name, if it is one of these."""
    if name == WORTH.name:
        return WORTH
    for suffix, of in ((DIGITS, digits), (AMONG, among)):
        own = name.removesuffix(suffix)
        found = None if own == name else ops.at_hand(own) or gradients.by_name(own)
        if found is not None:
            return of(found)
    return None


@cache
def digits(op: Op) -> Op:
    """The operator that leaves the sum that another one is, or divides, as integers."""

    def leaving(formula: Callable[..., Any] | None) -> Callable[..., Any] | None:
        if formula is None:
            return None

        def left(**given: Any) -> Expr:
            found: Expr = formula(**given)
            return fold(found.args[0], "digits", over=found.over)

        left.__signature__ = inspect.signature(formula)  # type: ignore[attr-defined]
        return left

    def results(call: Call) -> tuple[Meta, ...]:
        promoted = call.promoted or DOUBLE
        compute = op.computes_in(promoted, settings.current().level, call.attributes)
        return (Meta((*op.results(call)[0].shape, digits_left(compute)), INT64),)

    return _like(
        op,
        f"{op.name}{DIGITS}",
        "The digits of a sum",
        "和的各位数字",
        (Out("digits", "integers that may be added up", "可累加的整数"),),
        rules=tuple(filter(None, (_of_inputs(op, rule) for rule in op.rules))),
        formula=leaving(op.formula),
        in_float32=leaving(op.in_float32),
        results=results,
    )


@cache
def among(op: Op) -> Op:
    """An elementwise operator that is told how many elements there are in all."""

    def uniforms(given: Mapping[str, Any], numel: int, promoted: DType) -> Mapping[str, Any]:
        return op.uniforms(given, given["count"], promoted) if op.uniforms else given

    return _like(op, f"{op.name}{AMONG}", op.en, op.zh, (_COUNT, *op.outputs), uniforms=uniforms)


def _of_inputs(op: Op, rule: Rule) -> Rule | None:
    """What a rule says of inputs."""
    if isinstance(rule, MaxDims):
        return MaxDims(tuple(name for name in rule.of if name in {a.name for a in op.inputs}))
    return None if isinstance(rule, (ResultDtype, ResultShape)) else rule


def _like(op: Op, name: str, en: str, zh: str, instead: tuple[Any, ...], **more: Any) -> Op:
    """An operator of the same arguments, with others in the outputs' place."""
    kept = {
        "rules": op.rules,
        "uniforms": op.uniforms,
        "formula": op.formula,
        "in_float32": op.in_float32,
        "results": op.results,
    }
    return Op(
        name,
        en,
        zh,
        (*(a for a in op.arguments if not isinstance(a, Out)), *instead),
        example="",
        wide=op.wide,
        promotes=op.promotes,
        products=op.products,
        **(kept | more),
    )


def _worth(digits: Expr, weights: Expr, mean: bool) -> Expr:
    terms = where(equal(digits, 0), 0, digits * weights)
    return fold(terms, "mean" if mean else "add", over="dim", count="count")


WORTH = Op(
    "sum_of_digits",
    "What integers with weights are worth: their sum, or that divided by a count",
    "加权整数之和，或其平均",
    (
        In("digits", "integers of at most 53 bits", "不超过 53 位的整数"),
        In("weights", "what each counts for", "各整数的权重"),
        Attr("mean", "whether the sum is divided", "是否求平均", host.FLAG),
        _COUNT,
        Attr("dtype", "the result's", "结果的数据类型", host.DATA_TYPE),
        Attr("dim", "where the integers lie", "整数所在维度", host.INT64, default=-1),
        Out("out", "the result", "结果"),
    ),
    (Dtypes(("digits",), (INT64,)), Dtypes(("weights",), (DOUBLE,))),
    _worth,
    "",
    wide=always,
    promotes=lambda call: call.attributes["dtype"],
    results=lambda call: (Meta(call["digits"].shape[:-1], call.attributes["dtype"]),),
)


def worth(digits: Any, kind: str, count: int, dtype: torch.dtype) -> Any:
    """What the digits of a sum ("add") or a "mean" of so many are worth: rounded once."""
    compute = next(one for one in ("f32", "f64") if digits_left(one) == digits.shape[-1])
    # two halves of either sign, each of which a float64 has
    high = torch.div(digits, 1 << DIGIT, rounding_mode="trunc")
    low = digits - high * (1 << DIGIT)
    return torch.ops.openaclnn.sum_of_digits(
        torch.cat((low, high), -1), _weights(compute, digits.device), kind == "mean", count, dtype
    )


def _weights(compute: str, device: torch.device) -> torch.Tensor:
    own = torch.tensor(weights(compute), dtype=torch.float64, device=device)
    return torch.cat((own, own * (1 << DIGIT)))
