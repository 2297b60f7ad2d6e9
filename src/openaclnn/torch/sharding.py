"""DTensor's sharding rules of operators, registered when both are imported.

Elementwise operators work along any dimension that is not broadcast, those along a dimension on any
other. Of a sum or a mean every process leaves the digits of its share, which are integers: DTensor
adds them up, and each process rounds what they are worth, once. What is none of these is computed
on whole tensors. So results have one machine's bits, whatever the mesh.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import torch
from torch.distributed.tensor import DTensor, Partial, Placement, Replicate, Shard
from torch.distributed.tensor._dtensor_spec import DTensorSpec, TensorMeta
from torch.distributed.tensor._op_schema import RuntimeSchemaInfo
from torch.distributed.tensor.experimental import register_sharding
from torch.utils._pytree import tree_flatten, tree_unflatten

from openaclnn.base.status import AclnnError, Status
from openaclnn.base.tensors import broadcast, product_of
from openaclnn.calls.functions import attribute, tensor_parameters
from openaclnn.spec.formula import ALL, Expr, Traced
from openaclnn.spec.host import Array
from openaclnn.spec.op import Attr, InOut, Op
from openaclnn.spec.results import folded_dims
from openaclnn.spec.stages import folds_of
from openaclnn.spec.steps import elementwise
from openaclnn.torch import fake, registration, shares
from openaclnn.torch.gradients import passes_on
from openaclnn.torch.schema import called, default_of, keywords, out_names, positional

Sharding = tuple[Sequence[Placement | None], Sequence[Placement | None]]

_propagator = DTensor._op_dispatcher.sharding_propagator
_handlers: Any = DTensor._op_dispatcher._custom_op_handlers


def _register(op: Op) -> None:
    """Give DTensor the rules of an operator, and of its overload that is given the outputs."""
    if not tensor_parameters(op):
        return
    packet = getattr(torch.ops.openaclnn, op.name)
    if op.in_place:
        _handlers[packet.default] = partial(_in_place, op)
        return
    if "out" in packet.overloads():
        _handlers[packet.out] = partial(_written, op)
    if _sums_or_shares(op):
        _handlers[packet.default] = partial(_by_shares, op)
        return
    if op.steps is not elementwise:
        _handlers[packet.default] = _of_whole_tensors
        return
    if any(isinstance(a.host, Array) for a in op.attributes):  # which DTensor cannot keep
        _handlers[packet.default] = partial(_by_placements, op)
        return
    register_sharding(packet.default)(lambda *args, **kwargs: _shardings(op, args, kwargs))
    # PyTorch keeps what it was told by integers alone
    places = [place for place, a in enumerate(positional(op)) if isinstance(a, Attr)]
    names = [called(a) for a in keywords(op)]
    _propagator.op_to_schema_info[packet.default] = RuntimeSchemaInfo(
        min(places, default=100), names or None
    )


def _sums_or_shares(op: Op) -> bool:
    """Whether an operator is a sum, or an attribute makes it one, or the gradient of one: those are
    computed by others, on a share."""
    if op.steps is not elementwise or op.name.endswith((shares.DIGITS, shares.AMONG)):
        return False
    summed = op is not shares.WORTH and op.expressions[0].op == "fold"
    return any(a.choices for a in op.attributes) or (summed and op.expressions[0].name != "max")


def _given(op: Op, args: Sequence[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
    """All that a call was given or has by default, by PyTorch's names."""
    defaults = {called(a): default_of(a) for a in keywords(op)}
    return defaults | dict(zip(map(called, positional(op)), args, strict=False)) | kwargs


def _results(op: Op, given: dict[str, Any]) -> tuple[tuple[Expr, ...], dict[str, Any]]:
    """The trees of a call's results, and its attributes."""
    attributes = {}
    for a in op.attributes:
        value = given[called(a)]
        value = tuple(value) if isinstance(value, list) else value
        attributes[a.name] = attribute(op, a, a.default if value is None else value)
    present = {a.name: given.get(called(a)) is not None for a in op.reads}
    return op.traced(op.formula, present, attributes).results, attributes


def _shardings(op: Op, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Sharding]:
    """Where results may lie, and the inputs for that."""
    flat = [one for arg in args for one in (arg if isinstance(arg, (list, tuple)) else (arg,))]
    whole = [Replicate() if hasattr(one, "shape") else None for one in flat]
    found: list[Sharding] = [([Replicate()] * len(op.outputs), whole)]
    shape = broadcast(*(tuple(one.shape) for one in flat if hasattr(one, "shape")))
    if shape is None or op.steps is not elementwise:
        return found
    given = _given(op, args, kwargs)
    results, attributes = _results(op, given)
    folded = _folded_dims(results, attributes, len(shape))
    drops = results[0].op == "fold" and not _keeps(op, attributes)
    for dim, size in enumerate(shape):
        inputs = [_along(one, dim, len(shape)) for one in flat]
        out: Placement = Shard(dim - sum(other < dim for other in folded) if drops else dim)
        if dim in folded:
            if not op.name.endswith(shares.DIGITS):
                continue
            out = Partial()
        if size > 1:
            found.append(([out] * len(op.outputs), inputs))
    return found


def _along(one: Any, dim: int, rank: int) -> Placement | None:
    """How a tensor lies where results are sharded along a dimension."""
    if not hasattr(one, "shape"):
        return None
    own = dim - (rank - len(one.shape))
    return Shard(own) if own >= 0 and one.shape[own] != 1 else Replicate()


def _keeps(op: Op, attributes: dict[str, Any]) -> bool:
    return any(attributes[a.name] for a in op.attributes if a.name.startswith("keep"))


def _folded_dims(results: Sequence[Expr], attributes: dict[str, Any], rank: int) -> set[int]:
    """The dimensions that folds are over."""
    over = {fold.over for fold in folds_of(Traced((), (), tuple(results)))}
    dims = [folded_dims(() if name == ALL else attributes[name], rank) for name in over]
    return {dim for several in dims for dim in several}


def _by_shares(op: Op, overload: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """A sum by its digits; what is elementwise by the operator that is told how many there are."""
    given = _given(op, args, kwargs)
    (tree, *_), attributes = _results(op, given)
    tensors = {a.name: given.get(called(a)) for a in tensor_parameters(op)}
    meta = fake.results(op, tensors, {a.name: given[called(a)] for a in op.attributes})[0]
    if tree.op != "fold":
        found = getattr(torch.ops.openaclnn, op.name + shares.AMONG)
        return found(**given, count=product_of(meta.shape))
    dtype = fake.torch_dtype(meta.dtype)
    if not dtype.is_floating_point:
        return _of_whole_tensors(overload, args, kwargs)
    digits = getattr(torch.ops.openaclnn, op.name + shares.DIGITS)(**given)
    placements = [Replicate() if one.is_partial() else one for one in digits.placements]
    local = digits.redistribute(placements=placements).to_local()
    shape = broadcast(*(tuple(one.shape) for one in tensors.values() if one is not None))
    assert shape is not None
    dims = _folded_dims([tree], attributes, len(shape))
    count = product_of([shape[dim] for dim in dims])
    result = shares.worth(local, tree.name, count, dtype)
    return _shared(result, digits.device_mesh, placements, tuple(meta.shape))


def _of_whole_tensors(overload: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    given, rest = tree_flatten((args, kwargs))
    mesh = next(one.device_mesh for one in given if isinstance(one, DTensor))
    everywhere = [Replicate()] * mesh.ndim
    whole = [_part(one, everywhere) if isinstance(one, DTensor) else one for one in given]
    again, named = tree_unflatten(whole, rest)
    result = overload(*again, **named)
    if isinstance(result, (tuple, list)):
        return type(result)(_everywhere(one, mesh) for one in result)
    return _everywhere(result, mesh)


def _by_placements(op: Op, overload: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    """On the parts that the processes have, where they may have such."""
    given = _given(op, args, kwargs)
    names = [called(a) for a in positional(op) if isinstance(given.get(called(a)), DTensor)]
    tensors = [given[name] for name in names]
    shardings = _shardings(op, [given.get(called(a)) for a in positional(op)], kwargs)
    mesh = tensors[0].device_mesh
    chosen = [_nearest(shardings, tensors, axis) for axis in range(mesh.ndim)]
    metas = {a.name: given.get(called(a)) for a in tensor_parameters(op)}
    expected = fake.results(op, metas, {a.name: given[called(a)] for a in op.attributes})
    for place, (name, one) in enumerate(zip(names, tensors, strict=True)):
        placements = [_wanted(sharding)[place] for sharding in chosen]
        given[name] = _part(one, placements)
    outs = [[placed for placed in placements if placed is not None] for placements, _ in chosen]
    found = overload(**given)
    several = found if isinstance(found, tuple) else (found,)
    shared = tuple(
        _shared(one, mesh, [placements[place] for placements in outs], tuple(meta.shape))
        for place, (one, meta) in enumerate(zip(several, expected, strict=True))
    )
    return shared if isinstance(found, tuple) else shared[0]


def _nearest(shardings: Sequence[Sharding], tensors: Sequence[Any], axis: int) -> Sharding:
    """One that sends nothing along an axis of the mesh, or the first: whole tensors."""
    now = [one.placements[axis] for one in tensors]
    for sharding in shardings[1:]:
        pairs = list(zip(now, _wanted(sharding), strict=True))
        at_hand = all(one == wanted or one == Replicate() for one, wanted in pairs)
        if at_hand and any(one == wanted != Replicate() for one, wanted in pairs):
            return sharding
    return shardings[0]


def _wanted(sharding: Sharding) -> list[Placement]:
    """How the tensors are to lie."""
    return [one for one in sharding[1] if one is not None]


def _everywhere(local: Any, mesh: Any) -> Any:
    return _shared(local, mesh, [Replicate()] * mesh.ndim, tuple(local.shape))


def _shared(local: Any, mesh: Any, placements: Sequence[Placement], shape: tuple[int, ...]) -> Any:
    """A process's part of a contiguous result as the whole that it is a part of."""
    strides = torch.empty(shape, device="meta").stride()
    meta = TensorMeta(torch.Size(shape), strides, local.dtype)
    make: Any = DTensor
    return make(local, DTensorSpec(mesh, tuple(placements), meta), requires_grad=False)


def _in_place(op: Op, overload: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
    """Change every process's part; what else is read lies as that does."""
    given = _given(op, args, kwargs)
    name, *others = (called(a) for a in op.arguments if isinstance(a, InOut))
    changed, lists = given[name], any(a.many for a in op.outputs)
    whole = isinstance(changed, DTensor) and not any(p.is_partial() for p in changed.placements)
    if not (whole or lists):
        came = getattr(changed, "placements", "one process's")
        raise AclnnError(
            Status.PARAM_INVALID,
            f"{op.c_name}: what is changed in place is {came}; expected a DTensor that is sharded "
            "or replicated, as the others are",
        )
    about_places = op.steps is not elementwise and not passes_on(op)
    if others or lists or about_places:
        _in_place_on_whole_tensors(op, overload, given)
        return
    for other in map(called, tensor_parameters(op)):
        if isinstance(given[other], DTensor):
            given[other] = _beside(changed, given[other])
    overload(**given)


def _in_place_on_whole_tensors(op: Op, overload: Any, given: dict[str, Any]) -> None:
    """Change whole tensors, of each of which every process gets its part."""
    flat, tree = tree_flatten(given)
    whole = [
        _part(one, [Replicate()] * one.device_mesh.ndim) if isinstance(one, DTensor) else one
        for one in flat
    ]
    there = tree_unflatten(whole, tree)
    overload(**there)
    for a in op.outputs:
        here, after = (tree_flatten(each[called(a)])[0] for each in (given, there))
        for one, result in zip(here, after, strict=True):
            if isinstance(one, DTensor):
                one.copy_(_everywhere(result, one.device_mesh))


def _beside(changed: Any, one: Any) -> Any:
    """A process's part of a tensor that broadcasts to another."""
    rank = changed.dim()
    return _part(
        one,
        [
            _along(one, place.dim, rank) if isinstance(place, Shard) else Replicate()
            for place in changed.placements
        ],
    )


def _part(one: Any, placements: Sequence[Placement | None]) -> Any:
    """What a process has of a tensor that lies so; autograd has had its say."""
    return one.detach().redistribute(placements=placements).to_local()


def _written(op: Op, overload: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> None:
    """Results, then copied to what was given for them, however that lies."""
    outs = [kwargs[name] for name in out_names(op)]
    rest = {name: one for name, one in kwargs.items() if name not in out_names(op)}
    found = getattr(torch.ops.openaclnn, op.name)(*args, **rest)
    results = found if isinstance(found, tuple) else (found,)
    named = [
        (name, *pair)
        for name, *given in zip(out_names(op), outs, results, strict=True)
        for pair in zip(*(one if isinstance(one, list) else [one] for one in given), strict=True)
    ]
    for name, out, result in named:
        if out.shape != result.shape:
            raise AclnnError(
                Status.PARAM_INVALID,
                f"{op.c_name}: {name} has shape {list(out.shape)}; expected {list(result.shape)}",
            )
        out.copy_(result)


registration.tell(_register)
