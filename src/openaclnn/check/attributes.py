"""Checks of attributes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from openaclnn.base.products import Product
from openaclnn.base.scalars import Scalar
from openaclnn.check.dtypes import either
from openaclnn.spec.op import Op
from openaclnn.spec.rules import NotNegative, OneOf


def one_of(rule: OneOf, op: Op, arguments: Mapping[str, Any], product: Product) -> str | None:
    attribute = next(a for a in op.attributes if a.name == rule.of)
    came = arguments[rule.of]
    if came not in attribute.choices.values():
        allowed = [f"{value} ({name})" for name, value in attribute.choices.items()]
        return f"{rule.of} is {came}; expected {either(allowed)}"
    return None


def not_negative(
    rule: NotNegative, op: Op, arguments: Mapping[str, Any], product: Product
) -> str | None:
    came = arguments[rule.of]
    value: Any = came.value if isinstance(came, Scalar) else came
    if rule.when:
        if arguments[rule.when] and value < 0:
            return f"{rule.of} is {value:g} while {rule.when} is true; expected at least 0"
        return None
    if not value >= 0:  # "not >=" refuses NaN
        return f"{rule.of} is {value:g}; expected at least 0"
    return None
