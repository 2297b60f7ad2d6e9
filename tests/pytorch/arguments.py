"""Calls of any operator on PyTorch's tensors, made up from its spec."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from openaclnn import ops
from openaclnn.base.dtypes import DType
from openaclnn.base.status import AclnnError, Status
from openaclnn.calls.functions import tensor_parameters
from openaclnn.spec.op import Attr, Op
from openaclnn.spec.sample import sample_call
from openaclnn.torch.fake import torch_dtype
from openaclnn.torch.schema import called, default_of, has_schema, keywords, positional

UP_TO_1 = ("acos", "asin", "atanh", "erfinv")
SHAPES = {"contiguous": (2, 6), "permuted": (2, 6), "0-D": (), "empty": (0, 4)}


def made_by_default() -> list[str]:
    """The operators of torch.ops that have a tensor to make their result like."""
    every = ops.all_ops().items()
    return [name for name, op in every if tensor_parameters(op) and has_schema(op)]


@dataclass(frozen=True)
class Made:
    """Arguments for an operator of torch.ops."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]

    @property
    def tensors(self) -> list[Any]:
        each = [one if isinstance(one, list) else [one] for one in self.args]
        return [one for several in each for one in several if isinstance(one, torch.Tensor)]

    def again(self) -> Made:
        """The same on tensors of their own."""
        return Made(tuple(map(_copied, self.args)), dict(self.kwargs))


def made(op: Op, dtype: DType, layout: str = "contiguous", grad: bool = False) -> Made:
    """A call in a dtype; `layout` is one of SHAPES; `grad`: floats require a gradient."""
    try:
        call = sample_call(op, (dtype,), SHAPES[layout])
        highest = _highest(call)
    except (IndexError, ValueError) as error:  # a window of 0-D has no shape to speak of
        raise AclnnError(Status.PARAM_INVALID, f"{op.c_name}: no sample is {layout}") from error
    generator = torch.Generator().manual_seed(len(op.name))

    # where an operator has values: PyTorch's checks find a NaN unequal to itself
    least = 1.1 if "acosh" in op.name else 0.1
    whole = 1 if op.name.removeprefix("inplace_") in UP_TO_1 else 5

    def tensor(one: Any) -> Any:
        found = torch.rand(one.shape, generator=generator, dtype=torch.float64) * 0.8 + least
        found = (found if one.dtype.kind == "float" else found * whole).to(torch_dtype(one.dtype))
        if highest.get(id(one), -1) >= 0:  # an index
            found %= highest[id(one)] + 1
        if layout == "permuted" and found.dim() == 2:
            found = found.t().contiguous().t()
        return found.requires_grad_(grad and found.is_floating_point())

    def argument(a: Any) -> Any:
        value = call[a.name]
        if isinstance(a, Attr):
            return _attribute(a, value)
        if isinstance(value, tuple):
            return [tensor(one) for one in value]
        return None if value is None else tensor(value)

    return Made(
        tuple(argument(a) for a in positional(op)), {called(a): argument(a) for a in keywords(op)}
    )


def _highest(call: Any) -> dict[int, int]:
    """The highest index that each tensor of indices may have, by the tensor."""
    every = (limit for step in call.op.steps(call) for limit in step.limits)
    limits = (limit for limit in every if limit.part.tensor >= 0)
    return {id(call.used[limit.part.tensor].tensor): limit.high for limit in limits}


def _attribute(a: Attr, value: Any) -> Any:
    if a.choices:
        return next(name for name, number in a.choices.items() if number == value)
    if isinstance(value, DType):
        return None if default_of(a) is None and value is a.default else torch_dtype(value)
    if isinstance(value, tuple):
        return [getattr(one, "value", one) for one in value]
    return getattr(value, "value", value)


def _copied(value: Any) -> Any:
    if isinstance(value, list):
        return [_copied(one) for one in value]
    if not isinstance(value, torch.Tensor):
        return value
    found = torch.empty_strided(value.shape, value.stride(), dtype=value.dtype)
    return found.copy_(value.detach()).requires_grad_(value.requires_grad)
