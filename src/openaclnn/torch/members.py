"""Operators of lists, member by member: for calls that PyTorch transforms, autograd's and vmap's,
the operator that they repeat has the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch

from openaclnn import ops
from openaclnn.spec.op import InOut, Op
from openaclnn.torch.schema import called, default_of, keywords, positional


def repeated(op: Op) -> Op | None:
    """The operator that PyTorch knows, of which one of lists is so many calls."""
    if op.repeats is None:
        return None
    one = op.repeats.op
    return one if ops.at_hand(one.name) is one else None


def one_by_one(
    op: Op, one: Op, tensors: Mapping[str, Any], attributes: Mapping[str, Any]
) -> list[Any] | None:
    """The results of the repeated operator's calls; None where it changes its tensors."""
    assert op.repeats is not None
    named = {**tensors, **attributes}
    count = len(next(named[a.name] for a in op.arguments if a.many and a.name in named))
    found = []
    for k in range(count):
        given = op.repeats.given(named, k)
        by_name = {called(a): given[a.name] for a in one.arguments if a.name in given}
        found.append(getattr(torch.ops.openaclnn, one.name)(**by_name))
    return None if any(isinstance(a, InOut) for a in op.outputs) else found


def batched(op: Op, one: Op, inner: Callable[..., Any]) -> Callable[..., Any]:
    """The rule of vmap: that of each member's call, `inner`."""
    places = [called(a) for a in positional(op)]
    own = {called(a): a.name for a in op.arguments}
    defaults = {a.name: default_of(a) for a in keywords(op)}

    def rule(info: Any, in_dims: Sequence[Any], *args: Any, **kwargs: Any) -> Any:
        assert op.repeats is not None
        by_place = {own[name]: value for name, value in zip(places, args, strict=False)}
        given = {**defaults, **by_place, **{own[name]: value for name, value in kwargs.items()}}
        dims = {own[name]: dim for name, dim in zip(places, in_dims, strict=False)}
        count = len(next(given[a.name] for a in op.inputs if a.many))
        found = []
        for k in range(count):
            values, along = op.repeats.given(given, k), op.repeats.given({**given, **dims}, k)
            names = [a.name for a in positional(one)]
            rest = {called(a): values[a.name] for a in keywords(one) if a.name in values}
            at = [along[name] if isinstance(values[name], torch.Tensor) else None for name in names]
            result, dim = inner(info, at, *(values[name] for name in names), **rest)
            found.append(result if dim == 0 else result.movedim(dim, 0))
        return found, [0] * count

    return rule


def in_turn(op: Op) -> Callable[..., Any]:
    """The rule of vmap where there is no other: a call for each of the batch. PyTorch's own way
    knows no lists."""

    def rule(info: Any, in_dims: Sequence[Any], *args: Any, **kwargs: Any) -> Any:
        operator = getattr(torch.ops.openaclnn, op.name)
        results = []
        for place in range(info.batch_size):
            given = (_of_batch(*pair, place) for pair in zip(args, in_dims, strict=True))
            results.append(operator(*given, **kwargs))
        if op.in_place:
            return None, None
        found = [torch.stack(each) for each in zip(*results, strict=True)]
        return found, [0] * len(found)

    return rule


def _of_batch(given: Any, dim: Any, place: int) -> Any:
    """What one of a batch has of an argument, or of each of a list."""
    if isinstance(given, (list, tuple)) and isinstance(dim, (list, tuple)):
        return [_of_batch(*pair, place) for pair in zip(given, dim, strict=True)]
    return given if dim is None else given.select(dim, place)
