"""A whole model on our functions, for as long as a context lasts."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from openaclnn.torch.nn import functional

Function = Callable[..., Any]


@dataclass
class Replaced:
    """What a context has replaced so far: how often each function was `ours`, and functions of
    torch.nn.functional that were called and are `missed`, for openaclnn does not have them."""

    ours: Counter[str] = field(default_factory=Counter)
    missed: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        told = ", ".join(f"{name} {count}" for name, count in self.ours.most_common())
        lost = ", ".join(f"{name} {count}" for name, count in self.missed.most_common())
        return f"ours: {told or 'none'}; PyTorch's: {lost or 'none'}"


@dataclass
class _Table:
    """What may be called: functions with ours instead, our operators, functions that we lack."""

    instead: dict[Any, tuple[str, Function]] = field(default_factory=dict)
    operators: dict[Any, str] = field(default_factory=dict)
    missed: dict[Any, str] = field(default_factory=dict)


class _Mode(TorchFunctionMode):
    """Calls ours where PyTorch's function is called, however the caller came by it."""

    def __init__(self, table: _Table, report: Replaced) -> None:
        super().__init__()
        self.table, self.report = table, report

    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        found = self.table.instead.get(func)
        if found is not None:
            name, func = found
            self.report.ours[name] += 1
        elif func in self.table.operators:
            self.report.ours[self.table.operators[func]] += 1
        elif func in self.table.missed:
            self.report.missed[self.table.missed[func]] += 1
        return func(*args, **(kwargs or {}))


@contextmanager
def patched(*names: str, kept: bool = True) -> Iterator[Replaced]:
    """A context in which openaclnn replaces functions of torch.nn.functional: the named ones, or
    all that it has. Functions of one tensor are also replaced in torch, and functions that a module
    has stored are replaced when they are called. The replacement holds for the whole process, that
    of stored functions for this thread. The context's value reports what was replaced and what was
    not. It adds some 5 µs to every function of PyTorch; `kept=False` leaves out stored functions
    and the report.

    >>> import torch
    >>> layer = torch.nn.TransformerEncoderLayer(4, 1, 8, 0.0, activation=torch.nn.functional.gelu)
    >>> with patched() as replaced:
    ...     torch.nn.SiLU()(torch.tensor([1.0])), torch.sigmoid(torch.tensor([0.0]))
    ...     _ = layer(torch.ones(2, 3, 4))
    (tensor([0.7311]), tensor([0.5000]))
    >>> replaced.ours["layer_norm"], replaced.missed["dropout"]
    (2, 3)
    """
    known = functional.names()
    missing = [name for name in names if name not in known]
    if missing:
        raise AttributeError(f"openaclnn has no torch.nn.functional.{missing[0]}")
    torch.overrides.get_overridable_functions()  # PyTorch's compiler wants to have seen its own
    report = Replaced()
    chosen = {name: functional.function(name) for name in names or known}
    table = _table(chosen)
    before: list[tuple[Any, str, Any]] = []
    try:
        for name, ours in chosen.items():
            composed = (
                kept and name in functional.of_several()
            )  # the mode sees the others' operators
            called = _counted(name, ours, report) if composed else ours
            for module in (torch.nn.functional, torch):
                if hasattr(module, name) and (module is torch.nn.functional or _one_tensor(ours)):
                    before.append((module, name, getattr(module, name)))
                    setattr(module, name, called)
        with _Mode(table, report) if kept else nullcontext():
            yield report
    finally:
        for module, name, theirs in reversed(before):
            setattr(module, name, theirs)


def _counted(name: str, ours: Function, report: Replaced) -> Function:
    @wraps(ours)
    def called(*args: Any, **kwargs: Any) -> Any:
        report.ours[name] += 1
        return ours(*args, **kwargs)

    return called


def _table(chosen: dict[str, Function]) -> _Table:
    """PyTorch's functions as somebody may have kept them, by what is to be done with each."""
    found = _Table()
    for name, theirs in vars(torch.nn.functional).items():
        if name in chosen:
            found.instead[theirs] = name, chosen[name]
        elif inspect.isroutine(theirs) and getattr(theirs, "__module__", None) in _OF_PYTORCH:
            found.missed[theirs] = name
    for name, ours in chosen.items():
        if hasattr(torch, name) and _one_tensor(ours):
            found.instead[getattr(torch, name)] = name, ours
        found.instead[ours] = name, ours  # PyTorch looks up its own functions by name
        if name in functional.equals():
            operator = getattr(torch.ops.openaclnn, functional.equals()[name].name)
            found.operators.setdefault(operator, name)
    return found


_OF_PYTORCH = {"torch.nn.functional", "torch._C._nn", "torch", "torch._C"}


def _one_tensor(ours: Any) -> bool:
    return [*inspect.signature(ours).parameters][1:] in ([], ["inplace"])
