"""`torch.ops.openaclnn`: registers an operator with PyTorch when its name is first used, with
kernels for real tensors, for autograd, and for tensors without memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils._pytree import tree_flatten, tree_unflatten

from openaclnn import ops
from openaclnn.base.fork_lock import fork_lock
from openaclnn.calls import by_name
from openaclnn.calls.functions import Caller, tensor_parameters
from openaclnn.spec.op import Argument, In, Op
from openaclnn.torch import autocast, batching, gradients, shares
from openaclnn.torch.autograd import Differentiable
from openaclnn.torch.kernels import Kernels, is_one_list, of_elements, refuse_nested
from openaclnn.torch.schema import has_schema, out_schema, schema

NAMESPACE = "openaclnn"

_make: Any = torch.library.Library  # which has no types
_library = _make(NAMESPACE, "FRAGMENT")  # what it registers lives as long as it
_known: dict[str, Op] = {}
_packets: dict[str, type] = {}  # of operators whose calls need not go by PyTorch's dispatcher
_told: list[Callable[[Op], None]] = []


def tell(what: Callable[[Op], None]) -> None:
    """Call this for every operator that PyTorch knows, now or later."""
    with fork_lock:
        _told.append(what)
        for op in list(_known.values()):
            what(op)


class Namespace(torch._ops._OpNamespace):
    """The operators by name: `torch.ops.openaclnn.silu`."""

    __module__ = torch._ops._OpNamespace.__module__  # where PyTorch's compiler looks for operators

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__"):
            register(name)
            if name in vars(self):  # it was asked for on the way: there is to be one of each
                return vars(self)[name]
        try:
            packet: Any = super().__getattr__(name)
        except AttributeError as error:
            if name.startswith("__"):
                raise
            raise AttributeError(f"{error}: {_why_not(name)}") from None
        if name in _packets:
            packet.__class__ = _packets[name]
        return packet

    def __dir__(self) -> list[str]:
        every = {name for name, op in ops.all_ops().items() if has_schema(op)}
        return sorted({*super().__dir__(), *every})


def _why_not(name: str) -> str:
    """Why there is no operator of a name: what it is called here, that it is declared only, what
    is near."""
    known = ops.all_ops().get(name)
    if known is not None and not has_schema(known):
        return (
            "it changes tensors that may be absent, which a schema of PyTorch's cannot say; "
            f"call openaclnn.{name}"
        )
    canonical = by_name.friendly(ops.all_ops().values()).get(name)
    if canonical is not None:
        return f"it is called {canonical} here"
    try:
        return f"it is called {ops.find(name).name} here"
    except LookupError as error:
        return str(error)


def install() -> None:
    """Make `torch.ops.openaclnn` know every operator."""
    if not isinstance(vars(torch.ops).get(NAMESPACE), Namespace):
        setattr(torch.ops, NAMESPACE, Namespace(NAMESPACE))


def derived(name: str) -> Op | None:
    """The operator of a name that no file has: a gradient, or one for shares or batches of
    tensors."""
    return gradients.by_name(name) or shares.by_name(name) or batching.by_name(name)


def register(name: str) -> Op | None:
    """The operator of a name, which PyTorch now knows; None where there is none."""
    with fork_lock:
        if name not in _known:
            found = ops.at_hand(name) or ops.all_ops().get(name) or derived(name)
            if found is None or found.name != name:
                return None
            _known[name] = found  # first: to register a name PyTorch asks for it
            _register(found)
            for what in _told:
                what(found)
        return _known[name]


def _register(op: Op) -> None:
    if not has_schema(op):
        return
    caller = Caller(op)
    differentiate = Differentiable(op, caller)
    if tensor_parameters(op):  # else nothing says on which device a result is to be made
        kernels = Kernels(op, caller)
        _define(op, op.name, schema(op), kernels, differentiate)
        if op.separate and (is_one_list(op) or all(map(_is_one_tensor, tensor_parameters(op)))):
            usual = torch._ops.OpOverloadPacket
            call = kernels.before_dispatch(differentiate, usual.__call__)
            _packets[op.name] = type(usual.__name__, (usual,), {"__call__": call})
        for key, kernel in autocast.kernels(op, _calling(op)).items():
            _library.impl(op.name, kernel, key)
        batched = batching.rule(op)
        if batched is not None:
            torch.library.register_vmap(f"{NAMESPACE}::{op.name}", batched, lib=_library)
    if op.separate and op.name in ops.all_ops():
        given = Kernels(op, caller, given=True)
        _define(op, f"{op.name}.out", out_schema(op), given, differentiate)


def _is_one_tensor(argument: Argument) -> bool:
    return isinstance(argument, In) and argument.read and not argument.many


def _calling(op: Op) -> Callable[..., Any]:
    return lambda *args, **kwargs: getattr(torch.ops.openaclnn, op.name).default(*args, **kwargs)


def _tags(op: Op) -> tuple[torch.Tag, ...]:
    """What PyTorch may know of an operator: nested tensors ask whether it is elementwise."""
    tags = (torch.Tag.pt2_compliant_tag,)
    return (*tags, torch.Tag.pointwise) if of_elements(op) else tags


def _changing(call: Callable[..., Any], arguments: tuple[Any, ...], named: Any) -> None:
    """A call that writes to tensors. Lazy negations get their values, which are written back:
    PyTorch does that for operators that return what they change."""
    given, rest = tree_flatten((arguments, named))
    lazy = [k for k, one in enumerate(given) if isinstance(one, torch.Tensor) and one.is_neg()]
    plain = [one.resolve_neg() if k in lazy else one for k, one in enumerate(given)]
    args, kwargs = tree_unflatten(plain, rest)
    call(*args, **kwargs)
    for k in lazy:
        given[k].copy_(plain[k])


def _define(
    op: Op, name: str, declared: str, kernels: Kernels, differentiate: Differentiable
) -> None:
    _library.define(name + declared, tags=_tags(op))
    overload = name.rpartition(".")[2] if "." in name else "default"

    def below(*arguments: Any, **named: Any) -> Any:
        call = getattr(getattr(torch.ops.openaclnn, op.name), overload)
        refuse_nested(op, arguments)
        with torch._C._AutoDispatchBelowAutograd():
            if not kernels.returns:
                return _changing(call, arguments, named)
            return call(*arguments, **named)

    # every backend: those whose memory is not read or written here say so themselves
    _library.impl(name, kernels.on_memory(), "CompositeExplicitAutograd")
    _library.impl(name, kernels.before_memory(differentiate, below), "Autograd")
    torch.library.register_fake(f"{NAMESPACE}::{name}", kernels.without_memory(), lib=_library)
