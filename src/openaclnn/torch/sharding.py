"""Operators on sharded tensors: `import openaclnn.torch.sharding` gives DTensor the rules.

Elementwise operators work along any dimension that is not broadcast, those along a dimension on any
other; what is neither is computed on whole tensors. So results have one machine's bits, whatever
the mesh.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.distributed.tensor import DTensor, Placement, Replicate, Shard
from torch.distributed.tensor._op_schema import RuntimeSchemaInfo
from torch.distributed.tensor.experimental import register_sharding

from openaclnn.base.tensors import broadcast
from openaclnn.spec.formula import ALL
from openaclnn.spec.op import Attr, Op
from openaclnn.spec.results import folded_dims
from openaclnn.spec.stages import folds_of
from openaclnn.spec.steps import elementwise
from openaclnn.torch import registration
from openaclnn.torch.schema import called, keywords, positional

Sharding = tuple[Sequence[Placement | None], Sequence[Placement | None]]


def _register(op: Op) -> None:
    """Give DTensor the rules of an operator that makes its results."""
    if op.in_place or not op.inputs:
        return
    overload = getattr(torch.ops.openaclnn, op.name).default
    rule = register_sharding(overload)
    rule(lambda *args, **kwargs: _shardings(op, args, kwargs))
    # PyTorch keeps what it was told by integers alone; dimensions are lists, too
    places = [place for place, a in enumerate(positional(op)) if isinstance(a, Attr)]
    names = [called(a) for a in keywords(op)]
    DTensor._op_dispatcher.sharding_propagator.op_to_schema_info[overload] = RuntimeSchemaInfo(
        min(places, default=100), names or None, needs_pytree=True
    )


def _shardings(op: Op, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Sharding]:
    """Where results may lie, and the inputs for that."""
    flat = [one for arg in args for one in (arg if isinstance(arg, (list, tuple)) else (arg,))]
    whole = [Replicate() if hasattr(one, "shape") else None for one in flat]
    found: list[Sharding] = [([Replicate()] * len(op.outputs), whole)]
    shapes = [tuple(one.shape) for one in flat if hasattr(one, "shape")]
    shape = broadcast(*shapes)
    if shape is None or op.steps is not elementwise:
        return found
    given = dict(zip(map(called, positional(op)), args, strict=False)) | kwargs
    kept = _kept_dims(op, given, len(shape))
    for place, dim in enumerate(kept):
        if shape[dim] > 1:
            inputs = [_along(one, dim, len(shape)) for one in flat]
            out = place if _folds(op) and not _rows(op) and not _keeps(op, given) else dim
            found.append(([Shard(out)] * len(op.outputs), inputs))
    return found


def _along(one: Any, dim: int, rank: int) -> Placement | None:
    """How a tensor lies where results are sharded along a dimension."""
    if not hasattr(one, "shape"):
        return None
    own = dim - (rank - len(one.shape))
    return Shard(own) if own >= 0 and one.shape[own] != 1 else Replicate()


def _folds(op: Op) -> tuple[Any, ...]:
    return folds_of(op.traced_in("f64"))


def _rows(op: Op) -> bool:
    """Whether results have the inputs' shape, though they are made along a dimension."""
    return not any(tree.op == "fold" for tree in op.expressions)


def _keeps(op: Op, given: dict[str, Any]) -> bool:
    return any(given.get(a.name, a.default) for a in op.attributes if a.name.startswith("keep"))


def _kept_dims(op: Op, given: dict[str, Any], rank: int) -> list[int]:
    """The dimensions that no fold is over."""
    over = {fold.over for fold in _folds(op)}
    if ALL in over or any(a.choices for a in op.attributes):
        return []
    folded: set[int] = set()
    for name in over:
        value = given.get(name, ())
        folded |= set(folded_dims(value if isinstance(value, int) else tuple(value), rank))
    return [dim for dim in range(rank) if dim not in folded]


registration.tell(_register)
