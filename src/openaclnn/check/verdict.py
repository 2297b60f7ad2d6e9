"""The order of the checks: nulls, the operator's rules as listed, devices, views, the product.

The first that fails decides.
"""

from __future__ import annotations

from openaclnn.base.products import Product
from openaclnn.base.records import dataclass
from openaclnn.base.status import AclnnError, Status
from openaclnn.spec.call import Call, Meta


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


def results(call: Call) -> tuple[Meta, ...]:
    """What the outputs of a call that has none yet are to be like. Where it is so wrong that nobody
    can say, it is refused by the first rule that it breaks."""
    try:
        found = call.results
        if not any(isinstance(size, int) and size < 0 for meta in found for size in meta.shape):
            return found
    except (IndexError, ValueError):
        _refuse(call)
        raise
    _refuse(call)
    return found


def _refuse(call: Call) -> None:
    for rule in call.op.rules:
        complaint = rule.complaint(call)
        if complaint is not None:
            raise AclnnError(rule.status, f"{call.op.c_name}: {complaint}") from None


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
