"""Checks of dtypes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from openaclnn.base.dtypes import BF16, DType, converts, promote
from openaclnn.base.products import Product
from openaclnn.spec.op import Op
from openaclnn.spec.rules import Castable, Dtypes, Promotable, SameDtype


def supported(rule: Dtypes, op: Op, arguments: Mapping[str, Any], product: Product) -> str | None:
    allowed = [dtype for dtype in rule.allowed if product.bf16 or dtype is not BF16]
    for name in rule.of:
        dtype = arguments[name].dtype
        if dtype not in allowed:
            where = f" on {product.name}" if dtype in rule.allowed else ""
            return f"{name} has dtype {dtype}; expected {either(allowed)}{where}"
    return None


def same(rule: SameDtype, op: Op, arguments: Mapping[str, Any], product: Product) -> str | None:
    first, *others = rule.of
    dtype = expected = arguments[first].dtype
    for name in others:
        if arguments[name].dtype is not dtype:
            if product not in rule.mixed_on:
                return f"{name} has dtype {arguments[name].dtype}; expected {dtype}, as {first} has"
            assert rule.mixed_output is not None
            expected = rule.mixed_output
    came = arguments[op.output.name].dtype
    if came is not expected:
        why = f"as {first} has" if expected is dtype else "as the inputs' dtypes differ"
        return f"{op.output.name} has dtype {came}; expected {expected}, {why}"
    return None


def promotable(
    rule: Promotable, op: Op, arguments: Mapping[str, Any], product: Product
) -> str | None:
    if promote(*(arguments[i.name].dtype for i in op.read_inputs)) is None:
        return f"{_listed(op, arguments)}; expected dtypes that promote to a common one"
    return None


def castable(rule: Castable, op: Op, arguments: Mapping[str, Any], product: Product) -> str | None:
    promoted = promote(*(arguments[i.name].dtype for i in op.read_inputs))
    came = arguments[op.output.name].dtype
    if promoted is not None and not converts(promoted, came):
        return (
            f"{op.output.name} has dtype {came}; expected one that {promoted}, the inputs' "
            "promoted dtype, converts to: a float or complex dtype"
        )
    return None


def _listed(op: Op, arguments: Mapping[str, Any]) -> str:
    return ", ".join(f"{i.name} has dtype {arguments[i.name].dtype}" for i in op.read_inputs)


def either(choices: Sequence[DType | int | str]) -> str:
    """A, B or C.

    >>> either([1, 2, 3])
    '1, 2 or 3'
    """
    *most, last = map(str, choices)
    return f"{', '.join(most)} or {last}" if most else last
