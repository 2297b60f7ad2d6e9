"""Random operators by the C-shaped calls of openaclnn.aclnn: arguments in C order, statuses."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np

from openaclnn import aclnn
from random_operators.arguments import CHOICES, POINTERS, Attribute
from random_operators.calls import Call
from random_operators.doors.functions import run
from random_operators.dtypes import KINDS, Array, short
from random_operators.layouts import LAYOUTS, Layout, contiguous, relaid, same, storage_of


def arguments(call: Call, expected: list[Array], ins: Layout, outs: Layout) -> dict[str, Any]:
    """By their names, in C order, with outputs to write to; what is changed is as it was given."""
    made, found = iter(expected), {}
    for argument in call.operator.arguments:
        given = call.arguments.get(argument.name)
        if isinstance(argument, Attribute):
            found[argument.name] = _c_value(argument, given)
        elif argument.role == "In":
            found[argument.name] = relaid(given, ins)
        else:
            like = next(made)
            found[argument.name] = outs(np.full_like(like, 1) if given is None else given)
    return found


def _c_value(attribute: Attribute, value: Any) -> Any:
    """What a C program would hand over: codes of dtypes, numbers of choices."""
    if attribute.host == "dtype":
        return getattr(aclnn, f"ACL_{KINDS[value].name}")
    return CHOICES.get(value, value) if attribute.host == "choice" else value


def _carried_out(call: Call, given: dict[str, Any]) -> str:
    """Both phases; why they were refused."""
    name = call.operator.c_name
    status, size, executor = getattr(aclnn, f"{name}GetWorkspaceSize")(*given.values())
    workspace = np.empty(size, np.uint8) if size else None
    status = status or getattr(aclnn, name)(workspace, size, executor, None)
    return f"{status}: {aclnn.aclGetRecentErrMsg()}" if status else ""


def _outs(call: Call, given: dict[str, Any]) -> list[Array]:
    return [given[output.name] for output in call.operator.outputs]


def results(call: Call, rng: Random) -> Iterator[str]:
    """The bits of the function, of arrays of any layouts and of tensors that are made of them."""
    expected = run(call)
    given = arguments(call, expected, rng.choice(LAYOUTS), rng.choice(LAYOUTS))
    refused = _carried_out(call, given)
    if refused or not same(_outs(call, given), expected):
        yield refused or "the results differ"
    given = arguments(call, expected, rng.choice(LAYOUTS), rng.choice(LAYOUTS))
    refused = _carried_out(call, {name: _tensors(value) for name, value in given.items()})
    if refused or not same(_outs(call, given), expected):
        yield f"as tensors: {refused or 'the results differ'}"


def _tensors(value: Any) -> Any:
    """aclTensors with strides and an offset in a storage."""
    if isinstance(value, list):
        return [_tensors(one) for one in value]
    if not isinstance(value, np.ndarray):
        return value
    storage, offset = storage_of(value)
    strides = [stride // value.itemsize for stride in value.strides]
    code = getattr(aclnn, f"ACL_{KINDS[short(value.dtype)].name}")
    format, size = aclnn.ACL_FORMAT_ND, [storage.size]
    return aclnn.aclCreateTensor(value.shape, code, strides, offset, format, size, storage)


def nulls(call: Call, rng: Random) -> Iterator[str]:
    """What is optional may be null, and the other outputs are what they were. Nothing else may."""
    expected = run(call)
    for argument in call.operator.arguments:
        if isinstance(argument, Attribute) and argument.host not in POINTERS:
            continue
        if argument.optional and argument in call.operator.reads:
            continue  # a call of its own, with results of another shape
        given = {**arguments(call, expected, contiguous, contiguous), argument.name: None}
        refused = _carried_out(call, given)
        if refused.partition(":")[0] != ("" if argument.optional else "161001"):
            yield f"without {argument.name}: {refused or 'it is not refused'}"
        elif argument in call.operator.outputs and not (
            refused or same(_outs(call, given), expected)
        ):
            yield f"without {argument.name}: the other results differ"


CHECKS = (results, nulls)
