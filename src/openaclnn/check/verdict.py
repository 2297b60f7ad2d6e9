"""The order of the checks: nulls, the operator's rules as listed, devices, views, the product.

The first that fails decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from openaclnn.base.dtypes import DType, promote
from openaclnn.base.products import Product
from openaclnn.base.status import Status
from openaclnn.base.tensors import Tensor
from openaclnn.check import attributes, dtypes, shapes, views
from openaclnn.spec import rules
from openaclnn.spec.op import Attr, Op


@dataclass(frozen=True)
class Fault:
    """A refusal: the status to answer and the sentence that says why."""

    status: Status
    message: str


@dataclass(frozen=True)
class Passed:
    """What the checks found out on the way."""

    promoted: DType
    shape: tuple[int, ...]  # of the output


_CHECKS: dict[type, Any] = {
    rules.Dtypes: dtypes.supported,
    rules.SameDtype: dtypes.same,
    rules.Promotable: dtypes.promotable,
    rules.Castable: dtypes.castable,
    rules.MaxDims: shapes.few_dimensions,
    rules.SameShape: shapes.same,
    rules.Broadcast: shapes.broadcast,
    rules.OneOf: attributes.one_of,
    rules.NotNegative: attributes.not_negative,
}


def verdict(op: Op, arguments: Mapping[str, Any], product: Product) -> Fault | Passed:
    """What becomes of a call with these arguments, by name; a missing one is None."""
    for argument in op.arguments:
        if arguments[argument.name] is None:
            message = f"{op.c_name}: {argument.name} is null; expected {_kind(argument)}"
            return Fault(Status.PARAM_NULLPTR, message)
    complaint = next(_complaints(op, arguments, product), None)
    if complaint is not None:
        hint = _accepted_elsewhere(op, arguments, product)
        return Fault(Status.PARAM_INVALID, f"{op.c_name}: {complaint}{hint}")
    if product not in op.products:
        having = ", ".join(other.name for other in op.products)
        return Fault(
            Status.INNER_FIND_KERNEL_ERROR,
            f"{op.c_name}: {product.name} ({product.line}) does not have this operator; "
            f"{having} do: choose one with OPENACLNN_SOC",
        )
    inputs = [arguments[i.name].view for i in op.read_inputs]
    promoted = promote(*(view.dtype for view in inputs))
    assert promoted is not None
    return Passed(promoted, arguments[op.output.name].view.shape)


def _kind(argument: object) -> str:
    return "a scalar" if isinstance(argument, Attr) else "a tensor"


def _complaints(op: Op, arguments: Mapping[str, Any], product: Product) -> Iterator[str]:
    """What is wrong, in checking order, as sentences without the operator's name."""
    for rule in op.rules:
        complaint = _CHECKS[type(rule)](rule, op, arguments, product)
        if complaint:
            yield complaint
    used = {a.name: arguments[a.name] for a in (*op.read_inputs, op.output)}
    complaint = (
        _one_device(used)
        or views.inside_storage(used)
        or views.written_once(op.output.name, arguments[op.output.name].view)
        or views.writable(op.output.name, arguments[op.output.name])
    )
    if complaint:
        yield complaint


def _one_device(tensors: Mapping[str, Tensor]) -> str | None:
    first, *others = tensors.items()
    for name, tensor in others:
        if tensor.device != first[1].device:
            return f"{name} is on {tensor.device}; expected {first[1].device}, where {first[0]} is"
    return None


def _accepted_elsewhere(op: Op, arguments: Mapping[str, Any], product: Product) -> str:
    """A hint where the chip, not the call, is what is wrong."""
    for other in op.products:
        if other is not product and next(_complaints(op, arguments, other), None) is None:
            name = other.name
            return f"; {name} accepts this call: choose it with OPENACLNN_SOC={name}"
    return ""
