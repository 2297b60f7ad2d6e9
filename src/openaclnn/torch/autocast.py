"""Operators under torch.autocast: what is cast, and to which dtype, is as for PyTorch's function of
the same meaning, which is asked on tensors without memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes
from torch.utils._pytree import tree_leaves

from openaclnn.spec.op import Op

KEYS = {"cpu": "AutocastCPU", "cuda": "AutocastCUDA"}


def kernels(op: Op, call: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """What stands at autocast's places of the dispatcher, by key, and then calls the operator;
    nothing where PyTorch's function does not care."""
    found = {}
    for device, key in KEYS.items():
        theirs = _cast_by_pytorch(op.torch.removeprefix("nn.functional."), key)
        if theirs is not None and not op.in_place:
            found[key] = _kernel(device, key, theirs, call)
    return found


def _cast_by_pytorch(name: str, key: str) -> Any:
    """An overload of PyTorch's operator that autocast changes, or one of a tensor that is made of
    others, which it may change."""
    packet = getattr(torch.ops.aten, name, None) if name else None
    for overload in packet.overloads() if packet is not None else ():
        full = f"aten::{name}" + (f".{overload}" if overload != "default" else "")
        try:
            has = torch._C._dispatch_has_kernel_for_dispatch_key
            found = getattr(packet, overload)
            kinds = [str(a.type) for a in (*_needed(found), *found._schema.returns)]
            alone = kinds == ["Tensor", "Tensor"]
            if has(full, key) or (alone and has(full, "CompositeImplicitAutograd")):
                return found
        except RuntimeError:  # it is for TorchScript alone
            continue
    return None


def _needed(theirs: Any) -> list[Any]:
    return [a for a in theirs._schema.arguments if not a.has_default_value()]


def _kernel(device: str, key: str, theirs: Any, call: Callable[..., Any]) -> Callable[..., Any]:
    keys = torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, key))

    def kernel(*args: Any, **kwargs: Any) -> Any:
        dtype = _target(theirs, device, torch.get_autocast_dtype(device))

        def cast(given: Any) -> Any:
            if isinstance(given, (list, tuple)):
                return [cast(one) for one in given]
            if not isinstance(given, torch.Tensor) or given.device.type != device:
                return given
            wanted = given.is_floating_point() and given.dtype is not torch.float64
            return given.to(dtype) if wanted and dtype is not None else given

        guard: Any = torch._C._ExcludeDispatchKeyGuard
        with guard(keys):
            return call(*map(cast, args), **{name: cast(one) for name, one in kwargs.items()})

    return kernel


@cache
def _target(theirs: Any, device: str, lower: torch.dtype) -> torch.dtype | None:
    """The dtype that PyTorch's operator casts floats to, or None: those that differ meet, as they
    do without autocast."""
    with _disable_current_modes(), FakeTensorMode(), torch.no_grad():
        found = [_result(theirs, device, lower, dtype) for dtype in (lower, torch.float32)]
    return found[0] if found[0] is found[1] and found[0].is_floating_point else None


def _result(theirs: Any, device: str, lower: torch.dtype, dtype: torch.dtype) -> torch.dtype:
    """The dtype of a result, of tensors of as many dimensions as PyTorch's operator accepts."""
    for dims in range(1, 4):
        try:
            return _result_of(
                theirs, device, lower, torch.empty((1,) * dims, dtype=dtype, device=device)
            )
        except RuntimeError as error:
            refused = error
    raise refused


def _result_of(theirs: Any, device: str, lower: torch.dtype, one: torch.Tensor) -> torch.dtype:
    kinds = {"Tensor": one, "List[Tensor]": [one], "List[int]": [0], "Optional[List[int]]": [0]}
    given = [kinds.get(str(a.type), 0) for a in _needed(theirs)]
    before = torch.is_autocast_enabled(device), torch.get_autocast_dtype(device)
    try:
        torch.set_autocast_enabled(device, True)
        torch.set_autocast_dtype(device, lower)
        with _Asked(theirs):
            found: torch.dtype = theirs(*given).dtype
    finally:
        torch.set_autocast_enabled(device, before[0])
        torch.set_autocast_dtype(device, before[1])
    return found


class _Asked(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Answers for an operator with the dtype that its tensors arrive in. So they need not have the
    shapes that it wants; only where a dtype is asked for besides is the operator itself called."""

    def __init__(self, theirs: Any) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        told = "dtype" in {a.name for a in theirs._schema.arguments}
        self.theirs = None if told else theirs

    def __torch_dispatch__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if func is not self.theirs:
            return func(*args, **(kwargs or {}))
        return next(one for one in tree_leaves(args) if isinstance(one, torch.Tensor)).clone()
