"""The order of the checks: nulls, the operator's rules as listed, devices, views, the product.

The first that fails decides.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

from openaclnn.base.products import Product
from openaclnn.base.records import dataclass
from openaclnn.base.status import AclnnError, AclnnTypeError, Status
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.rules import NotNull, Rule


@dataclass(frozen=True)
class Fault:
    """A refusal: the status to answer and the sentence that says why."""

    status: Status
    message: str
    of_types: bool = False

    @property
    def error(self) -> AclnnError:
        """The exception that says so."""
        kind = AclnnTypeError if self.of_types else AclnnError
        return kind(self.status, self.message)


def verdict(call: Call) -> Fault | None:
    """Why a call is refused, or None where it may run."""
    for rule in call.op.checks:
        complaint = rule.complaint(call)
        if complaint is not None:
            hint = _accepted_elsewhere(call) if rule.status is Status.PARAM_INVALID else ""
            return Fault(rule.status, f"{call.op.c_name}: {complaint}{hint}", rule.of_types)
    return None


def results(call: Call) -> tuple[Meta, ...]:
    """What the outputs of a call that has none yet are to be like. Where it is so wrong that nobody
    can say, it is refused by the first rule that it breaks."""
    unread = (a.name for a in call.op.inputs if not a.read)  # for which any tensor serves
    made = (output.name for output in call.op.separate)
    _refuse(call, [NotNull(frozenset((*unread, *made)))])
    try:
        found = call.results
        if all(size >= 0 for meta in found for size in meta.shape if isinstance(size, int)):
            return _allocatable(call, found)
    except AclnnError:
        raise
    except Exception:  # whatever an operator's own function meets in a call that nobody has checked
        _refuse(call, call.op.rules)
        raise
    _refuse(call, call.op.rules)
    return found


_LARGE = 1 << 32


def _allocatable(call: Call, found: tuple[Meta, ...]) -> tuple[Meta, ...]:
    """The results, of dtypes that have memory, none of more bytes than an address can tell."""
    for name, _, meta in call.outputs():
        problem = ""
        if not meta.dtype.numpy_name:
            problem = f"dtype {meta.dtype}; expected one that openaclnn computes with"
        elif _known(meta.shape):
            # libraries ask for room as if no size were 0
            size = math.prod(max(extent, 1) for extent in meta.shape) * meta.dtype.itemsize
            if size > _LARGE:  # a wrong call is refused before there is no memory for it
                _refuse(call, call.op.rules)
            if size > sys.maxsize:
                problem = f"shape {list(meta.shape)}; expected one that fits memory"
        if problem:
            _refuse(call, call.op.rules)
            problem = f"{call.op.c_name}: {name} is to have {problem}"
            raise AclnnError(Status.PARAM_INVALID, problem)
    return found


def _known(shape: tuple[int, ...]) -> bool:
    """Whether sizes are numbers and not PyTorch's symbols of such."""
    return all(isinstance(size, int) for size in shape)


def _refuse(call: Call, rules: Sequence[Rule]) -> None:
    for rule in rules:
        complaint = rule.complaint(call)
        if complaint is not None:
            fault = Fault(rule.status, f"{call.op.c_name}: {complaint}", rule.of_types)
            raise fault.error from None


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
