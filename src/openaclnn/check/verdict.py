"""The order of the checks: nulls, the operator's rules as listed, devices, views, the product.

The first that fails decides.
"""

from __future__ import annotations

from dataclasses import dataclass

from openaclnn.base.products import Product
from openaclnn.base.status import Status
from openaclnn.spec.call import Call


@dataclass(frozen=True)
class Fault:
    """A refusal: the status to answer and the sentence that says why."""

    status: Status
    message: str


def verdict(call: Call) -> Fault | None:
    """Why a call is refused, or None where it may run."""
    for rule in call.op.checks:
        complaint = rule.complaint(call)
        if complaint is not None:
            hint = _accepted_elsewhere(call) if rule.status is Status.PARAM_INVALID else ""
            return Fault(rule.status, f"{call.op.c_name}: {complaint}{hint}")
    return None


def _accepted_elsewhere(call: Call) -> str:
    """A hint where the chip, not the call, is what is wrong."""
    for product in call.op.products:
        if product is not call.product and _accepts(product, call):
            name = product.name
            return f"; {name} accepts this call: choose it with OPENACLNN_SOC={name}"
    return ""


def _accepts(product: Product, call: Call) -> bool:
    there = Call(call.op, call.arguments, product)
    return all(rule.complaint(there) is None for rule in call.op.checks)
