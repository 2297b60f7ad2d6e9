"""Operators under torch.vmap: one call for the whole batch, with the batch dimension first.
Attributes that name dimensions are passed as counts from the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import torch

from openaclnn import ops
from openaclnn.base.records import dataclass
from openaclnn.base.status import AclnnError, Status
from openaclnn.base.tensors import Tensor
from openaclnn.spec import rules
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.formula import ALL
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import InOut, Op
from openaclnn.spec.results import folded_dims
from openaclnn.spec.stages import folds_of
from openaclnn.spec.steps import POSITIONS, Part, Step, elementwise
from openaclnn.torch import gradients, members
from openaclnn.torch.gradients import passes_on
from openaclnn.torch.schema import called, positional

Rule = Callable[..., Any]


def rule(op: Op) -> Rule | None:
    """The rule of an operator; None where PyTorch is to call it once for each of the batch."""
    if len(op.inputs) == 1 and op.inputs[0].many and "dim" in {a.name for a in op.attributes}:
        return _joining(op) if gradients.passes_on(op) else _one_by_one(op)
    if op.sized is not None:
        return _refusing(op)
    one = members.repeated(op)
    if one is not None and not op.in_place:
        inner = rule(one)
        return members.in_turn(op) if inner is None else members.batched(op, one, inner)
    if any(a.many for a in op.outputs):
        return members.in_turn(op)
    if op.in_place:
        return _changing(op)
    if any(a.many for a in op.inputs) or _demands_shapes(op):  # PyTorch does not look into lists
        return _one_by_one(op)
    if gradients.channels(op):
        return None
    if gradients.runs_routine(op):
        return None
    if op.steps is not elementwise:  # sizes, and dimensions by number, are another's for a batch
        alone = op.uniforms is None and not folds_of(op.traced_in("f64"))
        return _of_parts(op) if alone else None
    over = {fold.over for fold in folds_of(op.traced_in("f64"))}
    if ALL in over or len(over) > 1 or any(a.choices for a in op.attributes):
        return None
    dims = next(iter(over), None)
    folded = 1 if dims is not None else 0  # a fold has a dimension to be along
    places = [called(a) for a in positional(op)]

    def batched(info: Any, in_dims: Sequence[int | None], *args: Any, **kwargs: Any) -> Any:
        rank = max(
            one.dim() - (dim is not None)
            for one, dim in zip(args, in_dims, strict=True)
            if isinstance(one, torch.Tensor)
        )
        given = dict(zip(places, args, strict=False)) | kwargs
        for name, one, dim in zip(places, args, in_dims, strict=False):
            if isinstance(one, torch.Tensor):
                given[name] = _in_front(one, dim, max(rank, folded), info.batch_size)
        if dims is not None:
            given[dims] = _from_the_end(given.get(dims, ()), rank)
        result = getattr(torch.ops.openaclnn, op.name)(**given)
        several = isinstance(result, tuple)
        if rank == 0 and dims is not None:
            each = [one.reshape(info.batch_size) for one in (result if several else (result,))]
            result = tuple(each) if several else each[0]
        return result, (0,) * len(result) if several else 0

    return batched


def _demands_shapes(op: Op) -> bool:
    """Whether an operator over all elements has a rule of its own, which a batch may break."""
    return op.steps is elementwise and any(isinstance(one, Sound) for one in op.rules)


def _of_parts(op: Op) -> Rule:
    """The rule of an operator on parts of tensors: another one has such parts of each."""
    places = [called(a) for a in positional(op)]

    def batched(info: Any, in_dims: Sequence[int | None], *args: Any, **kwargs: Any) -> Any:
        given = dict(zip(places, args, strict=False)) | kwargs
        for name, one, dim in zip(places, args, in_dims, strict=False):
            if isinstance(one, torch.Tensor):
                given[name] = _in_front(one, dim, 0, info.batch_size)
        result = getattr(torch.ops.openaclnn, op.name + EACH)(**given)
        return result, (0,) * len(result) if isinstance(result, tuple) else 0

    return batched


EACH = "_each"  # behind an operator's name


def by_name(name: str) -> Op | None:
    """The operator of a name that is another one's for the whole batch."""
    own = name.removesuffix(EACH)
    found = None if own == name else by_name(own) or ops.at_hand(own) or gradients.by_name(own)
    return None if found is None else of_each(found)


def _refusing(op: Op) -> Rule:
    """Each of a batch would have a result of another shape."""

    def batched(info: Any, in_dims: Sequence[int | None], *args: Any, **kwargs: Any) -> Any:
        raise AclnnError(
            Status.PARAM_INVALID,
            f"{op.c_name}: its result's shape depends on data, so results of a batch under "
            "torch.vmap have no common one; call it for each",
        )

    return batched


@cache
def of_each(op: Op) -> Op:
    """The operator on parts of each tensor of a batch, whose dimension comes first."""

    def one(call: Call) -> Call:
        alone = {a.name: _without_batch(call[a.name]) for a in op.tensors}
        return Call(op, {**call.arguments, **alone}, call.product)

    def results(call: Call) -> tuple[Meta, ...]:
        size = call.reads[0].tensor.shape[0]
        return tuple(Meta((size, *meta.shape), meta.dtype) for meta in op.results(one(call)))

    def shapes(
        shape: tuple[int, ...], attributes: Mapping[str, Any]
    ) -> Mapping[str, tuple[int, ...]]:
        own = op.shapes(shape, attributes)
        return {a.name: (2, *own.get(a.name, shape)) for a in op.inputs}

    found = replace(
        op,
        name=op.name + EACH,
        shapes=shapes,
        rules=tuple(_OfEach(rule, one) for rule in op.rules),
        results=results,
        steps=lambda call: tuple(_with_batch(call, step) for step in op.steps(one(call))),
    )
    gradients.HELPING[found.name] = found
    return found


@dataclass(frozen=True)
class _OfEach(rules.Rule):
    """What is demanded of each of a batch."""

    rule: rules.Rule
    one: Callable[[Call], Call]

    def complaint(self, call: Call) -> str | None:
        return self.rule.complaint(self.one(call))


def _without_batch(tensor: Any) -> Any:
    if not isinstance(tensor, Tensor):  # as much of one as results depend on
        return tensor and replace(tensor, shape=tensor.shape[1:])
    whole = tensor.view
    one = whole.seen(whole.shape[1:], whole.strides[1:], whole.offset)
    return Tensor(one, tensor.address, tensor.device)


def _with_batch(call: Call, step: Step) -> Step:
    """A step of each: its parts have one dimension more."""

    def rank(parts: Iterable[Part | None]) -> int:
        return max((len(part.view.shape) for part in parts if part is not None), default=0)

    def of_each(part: Part | None, rank: int) -> Part | None:
        if part is None:
            return None
        own, size, stride = part.view, 1, 0
        if part.tensor != POSITIONS:
            whole = call.used[part.tensor].tensor
            size, stride = whole.shape[0], whole.strides[0]
        new = rank - len(own.shape)
        shape = (size, *[1] * new, *own.shape)
        strides = (stride, *[0] * new, *own.strides)
        return Part(part.tensor, own.seen(shape, strides, own.offset))

    written = rank(step.writes)
    read = rank(step.reads.values()) if any(step.axes.values()) else written
    reads = {name: of_each(part, read) for name, part in step.reads.items()}
    writes = tuple(of_each(part, written) for part in step.writes)
    axes = {name: tuple(dim + 1 for dim in dims) for name, dims in step.axes.items()}
    return Step(reads, writes, step.formula, axes)


def _changing(op: Op) -> Rule:
    """The rule of an operator in place: the whole batch is changed at once, or where an operator is
    about places or changes several tensors, one after the other."""
    places = [called(a) for a in positional(op)]
    name, *others = (called(a) for a in op.arguments if isinstance(a, InOut))
    at_once = not others and not _demands_shapes(op)
    at_once = at_once and (op.steps is elementwise or passes_on(op))

    def batched(info: Any, in_dims: Sequence[int | None], *args: Any, **kwargs: Any) -> Any:
        given = dict(zip(places, args, strict=False)) | kwargs
        dims = dict(zip(places, in_dims, strict=False))
        if any(dims[one] is None for one in (name, *others)):
            raise AclnnError(
                Status.PARAM_INVALID,
                f"{op.c_name}: what is changed in place is one for the whole batch of torch.vmap; "
                "expected one for each of it, as other tensors are",
            )
        tensors = {one: dim for one, dim in dims.items() if isinstance(given[one], torch.Tensor)}
        change = getattr(torch.ops.openaclnn, op.name)
        if at_once:
            rank = given[name].dim() - 1
            for one, dim in tensors.items():
                given[one] = _in_front(given[one], dim, rank, info.batch_size)
            change(**given)
        for k in range(0 if at_once else info.batch_size):
            change(**{**given, **{one: _of_one(given[one], dim, k) for one, dim in dims.items()}})
        return None, None

    return batched


def _joining(op: Op) -> Rule:
    """The rule of an operator that puts tensors of a list together, along a dimension."""

    def batched(info: Any, in_dims: Any, tensors: Sequence[Any], *, dim: int = 0) -> Any:
        dims = in_dims[0] if isinstance(in_dims[0], (list, tuple)) else in_dims
        pairs = list(zip(tensors, dims, strict=True))
        ranks = [one.dim() - (at is not None) for one, at in pairs]
        given = [
            _in_front(one, at, rank, info.batch_size)
            for (one, at), rank in zip(pairs, ranks, strict=True)
            if rank == max(ranks)  # others are empty, and count for nothing
        ]
        found = getattr(torch.ops.openaclnn, op.name)(
            given, dim=dim - max(ranks) if dim >= 0 else dim
        )
        return found, 0

    return batched


def _one_by_one(op: Op) -> Rule:
    """The rule of an operator that is called once for each of the batch."""

    def batched(info: Any, in_dims: Sequence[Any], *args: Any, **kwargs: Any) -> Any:
        pairs = [*zip(args, in_dims, strict=True)]
        call = getattr(torch.ops.openaclnn, op.name)
        found = [
            call(*(_of_one(*pair, k) for pair in pairs), **kwargs) for k in range(info.batch_size)
        ]
        if not isinstance(found[0], tuple):
            return torch.stack(found), 0
        return tuple(map(torch.stack, zip(*found, strict=True))), (0,) * len(found[0])

    return batched


def _of_one(given: Any, dim: Any, k: int) -> Any:
    """What an argument is to one of the batch."""
    if isinstance(given, (list, tuple)):
        dims = dim if isinstance(dim, (list, tuple)) else [dim] * len(given)
        return [_of_one(one, at, k) for one, at in zip(given, dims, strict=True)]
    return given if dim is None else given.select(dim, k)


def _in_front(tensor: Any, dim: int | None, rank: int, size: int) -> Any:
    """A tensor of the batch, of as many dimensions as all have, and the batch's."""
    tensor = tensor.expand(size, *tensor.shape) if dim is None else tensor.movedim(dim, 0)
    missing = rank - (tensor.dim() - 1)
    return tensor.reshape(size, *[1] * missing, *tensor.shape[1:]) if missing else tensor


def _from_the_end(value: Any, rank: int) -> Any:
    """Dimensions counted from the end; a number without any has one, of size 1."""
    if rank == 0:
        return -1 if isinstance(value, int) else [-1]
    if isinstance(value, int):
        return value - rank if value >= 0 else value
    return [dim - rank for dim in folded_dims(tuple(value), rank)]
