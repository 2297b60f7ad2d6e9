"""Shapes and dtypes of results for PyTorch's tensors without memory, from the spec."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from openaclnn import check
from openaclnn.base import settings
from openaclnn.base.dtypes import DType, by_name
from openaclnn.base.records import dataclass
from openaclnn.base.status import AclnnError, Status
from openaclnn.base.tensors import broadcast
from openaclnn.calls.functions import attribute
from openaclnn.spec.call import Call, Meta, of_outputs
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, InOut, Op
from openaclnn.spec.steps import elementwise


@dataclass(frozen=True)
class _Shaped:
    """As much of a tensor as results depend on; sizes may be symbols."""

    shape: tuple[int, ...]
    dtype: DType


def results(op: Op, tensors: Mapping[str, Any], attributes: Mapping[str, Any]) -> tuple[Meta, ...]:
    """What the outputs are like, of PyTorch's tensors and attributes by name; the largest that they
    can be, where data decide."""
    return check.results(_call(op, tensors, attributes))


def _call(op: Op, tensors: Mapping[str, Any], attributes: Mapping[str, Any]) -> Call:
    values: dict[str, Any] = dict.fromkeys(a.name for a in op.arguments)
    values |= {name: _shaped(op, name, given) for name, given in tensors.items()}
    for a in op.attributes:
        value = _known(a, attributes[a.name])
        values[a.name] = attribute(op, a, a.default if value is None else value)
    return Call(op, values, settings.current().product)


def _known(argument: Attr, value: Any) -> Any:
    """An attribute whose value may be a symbol to PyTorch's compiler: what results are like depends
    on a number's kind alone."""
    if isinstance(value, torch.SymFloat):
        return 1.0
    return 1 if isinstance(value, torch.SymInt) and argument.host is SCALAR else value


def made(op: Op, tensors: Mapping[str, Any], attributes: Mapping[str, Any]) -> Sequence[Any]:
    """New tensors as the operator would make them: contiguous, on the given ones' device."""
    device = _device(op, tensors)
    metas = results(op, tensors, attributes)
    if op.sized is not None:
        unknown: Any = torch.library.get_ctx().new_dynamic_size(
            min=0
        )  # a meta tensor has none: refused
        shapes = op.sized(_call(op, tensors, attributes), unknown)
        metas = tuple(
            meta if shape is None else Meta(tuple(shape), meta.dtype)
            for meta, shape in zip(metas, shapes, strict=True)
        )

    def one(meta: Meta | tuple[Meta, ...]) -> Any:
        if isinstance(meta, tuple):
            return [one(each) for each in meta]
        return torch.empty(meta.shape, dtype=torch_dtype(meta.dtype), device=device)

    return [one(meta) for meta in of_outputs(op.outputs, metas)]


def written(
    op: Op, tensors: Mapping[str, Any], attributes: Mapping[str, Any], outs: Sequence[Any]
) -> None:
    """Refuse what results would not fit into: one of the tensors that is changed, or `outs`."""
    changed = {a.name: tensors[a.name] for a in op.outputs if isinstance(a, InOut)}
    if changed and op.steps is not elementwise:  # its rules say what fits, on memory
        expected: dict[str, list[Any]] = {
            name: [one.shape for one in _flat(given)] for name, given in changed.items()
        }
    elif changed and not any(a.many for a in op.outputs):
        shape = broadcast(*(one.shape for one in _each(tensors)))
        expected = {name: [shape] for name in changed}
    else:
        changed = changed or {a.name: out for a, out in zip(op.separate, outs, strict=True)}
        metas = of_outputs(op.outputs, results(op, tensors, attributes))
        expected = {
            a.name: [meta.shape for meta in _flat(found)]
            for a, found in zip(op.outputs, metas, strict=True)
        }
    _device(op, {**tensors, **changed})
    for name, given in changed.items():
        for one, shape in zip(_flat(given), expected[name], strict=True):
            if shape is None or tuple(one.shape) != tuple(shape):
                others = "one that the others broadcast to" if shape is None else list(shape)
                raise AclnnError(
                    Status.PARAM_INVALID,
                    f"{op.c_name}: {name} has shape {list(one.shape)}; expected {others}",
                )


def _device(op: Op, tensors: Mapping[str, Any]) -> torch.device:
    """Where all tensors are."""
    found: torch.device = _each(tensors)[0].device
    for name, given in tensors.items():
        for one in _flat(given):
            if one.device != found:
                raise AclnnError(
                    Status.PARAM_INVALID,
                    f"{op.c_name}: {name} is on {one.device}; expected {found}, where others are",
                )
    return found


def _each(tensors: Mapping[str, Any]) -> list[Any]:
    return [one for given in tensors.values() for one in _flat(given)]


def torch_dtype(dtype: DType) -> torch.dtype:
    found: torch.dtype = getattr(torch, dtype.numpy_name)
    return found


def _flat(given: Any) -> Sequence[Any]:
    if given is None:
        return ()
    return given if isinstance(given, (list, tuple)) else (given,)


def _shaped(op: Op, name: str, given: Any) -> Any:
    if given is None:
        return None
    if isinstance(given, (list, tuple)):
        return tuple(_shaped(op, f"{name}[{k}]", one) for k, one in enumerate(given))
    try:
        dtype = by_name(str(given.dtype).removeprefix("torch."))
    except ValueError:
        raise AclnnError(
            Status.PARAM_INVALID,
            f"{op.c_name}: {name} has dtype {given.dtype}, which aclnn does not know",
        ) from None
    return _Shaped(tuple(given.shape), dtype)
