"""Checks of shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from openaclnn.base import tensors
from openaclnn.base.products import Product
from openaclnn.spec.op import Op
from openaclnn.spec.rules import Broadcast, MaxDims, SameShape


def few_dimensions(
    rule: MaxDims, op: Op, arguments: Mapping[str, Any], product: Product
) -> str | None:
    for name in rule.of:
        count = len(arguments[name].shape)
        if count > rule.limit:
            return f"{name} has {count} dimensions; expected at most {rule.limit}"
    return None


def same(rule: SameShape, op: Op, arguments: Mapping[str, Any], product: Product) -> str | None:
    if product in rule.broadcast_on:
        return broadcast(Broadcast(rule.of), op, arguments, product)
    first, *others = rule.of
    expected = arguments[first].shape
    for name in (*others, op.output.name):
        came = arguments[name].shape
        if came != expected:
            return f"{name} has shape {list(came)}; expected {list(expected)}, as {first} has"
    return None


def broadcast(
    rule: Broadcast, op: Op, arguments: Mapping[str, Any], product: Product
) -> str | None:
    shapes = [arguments[name].shape for name in rule.of]
    expected = tensors.broadcast(*shapes)
    if expected is None:
        came = ", ".join(
            f"{name} has shape {list(shape)}" for name, shape in zip(rule.of, shapes, strict=True)
        )
        return f"{came}; expected shapes that broadcast to a common one"
    came = arguments[op.output.name].shape
    if came != expected:
        return (
            f"{op.output.name} has shape {list(came)}; expected {list(expected)}, "
            "the inputs' broadcast shape"
        )
    return None
