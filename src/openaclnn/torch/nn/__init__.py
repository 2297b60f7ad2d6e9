"""Modules of torch.nn, computed by openaclnn: PyTorch's own classes, whose forward pass finds our
functions where it looks for PyTorch's. All that is said of those holds here.

>>> import torch
>>> layer = SiLU()
>>> layer, isinstance(layer, torch.nn.SiLU)
(SiLU(), True)
>>> layer(torch.tensor([-1.0, 0.0, 1.0]))
tensor([-0.2689,  0.0000,  0.7311])
"""

from __future__ import annotations

import dis
from functools import cache
from itertools import pairwise
from types import FunctionType, ModuleType
from typing import Any

import torch

from openaclnn.torch.nn import functional as functional
from openaclnn.torch.nn.attention import again

_MODULES = {"F": torch.nn.functional, "torch": torch}  # where forward passes look for functions
_MOVES = {"pad"}  # PyTorch's functions that ours may stand beside: they compute nothing


class _Switches:
    """torch.backends of a forward pass: PyTorch's fused attention is not ours."""

    class mha:
        @staticmethod
        def get_fastpath_enabled() -> bool:
            return False

    def __getattr__(self, name: str) -> Any:
        return getattr(torch.backends, name)


def _instead(module: Any, names: tuple[str, ...]) -> ModuleType:
    """As much of a module as these names, with our functions where there are such."""
    found = ModuleType(module.__name__)
    for name in names:
        if name in functional.names():
            setattr(found, name, functional.function(name))
        elif hasattr(module, name):
            setattr(found, name, getattr(module, name))
    if module is torch:
        found.backends = _Switches()  # type: ignore[attr-defined]
    return found


def _passes(own: Any) -> dict[str, Any]:
    """A module's forward pass, and the methods of its own that this calls."""
    forward = getattr(own, "forward", None)
    code = getattr(forward, "__code__", None)
    if code is None:
        return {}
    called = {name: getattr(own, name, None) for name in code.co_names if name.startswith("_")}
    methods = {name: one for name, one in called.items() if isinstance(one, FunctionType)}
    return {"forward": forward, **methods}


def _asked(own: Any) -> list[str]:
    """The functions of torch.nn.functional that a module's forward pass calls."""
    found: dict[str, None] = {}
    for function in _passes(own).values():
        steps = dis.get_instructions(function.__code__)
        for before, step in pairwise(steps):
            if before.opname == "LOAD_GLOBAL" and before.argval in _MODULES:
                found[step.argval] = None
    known = (getattr(torch.nn.functional, name, None) for name in found)
    pairs = zip(found, known, strict=True)
    return [name for name, one in pairs if callable(one) and name[0] != "_" and name not in _MOVES]


def _computed(found: Any) -> bool:
    """Whether all functions that a module's forward pass calls are ours, and there are some. One
    that is made of other modules, PyTorch's, is not."""
    if not (isinstance(found, type) and issubclass(found, torch.nn.Module)):
        return False
    members = getattr(found, "__annotations__", {}).values()
    if any(isinstance(one, type) and issubclass(one, torch.nn.Module) for one in members):
        return False
    called = _asked(found)
    return bool(called) and set(called) <= {*functional.names()}


def _why_not(name: str) -> str:
    """Why a class is not here, or which ones are near."""
    lacks = [f for f in _asked(getattr(torch.nn, name, None)) if f not in functional.names()]
    if lacks:
        return (
            f": torch.nn.{name} calls {', '.join(lacks)}, which {functional.__name__} does not have"
        )
    if hasattr(torch.nn, name):
        return f": openaclnn does not compute torch.nn.{name}"
    return functional.near(name, names())


@cache
def module(name: str) -> type[torch.nn.Module]:
    """Ours of a class of torch.nn; AttributeError where it is not all ours."""
    theirs = getattr(torch.nn, name, None)
    if not _computed(theirs):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{_why_not(name)}")
    own: Any = theirs
    members: dict[str, Any] = {"__module__": __name__}
    for method, function in _passes(own).items():
        instead = {
            one: _instead(found, function.__code__.co_names) for one, found in _MODULES.items()
        }
        members[method] = again(function, {**function.__globals__, **instead})
    members["__doc__"] = members["forward"].__doc__ = f"As torch.nn.{name}, computed by openaclnn."
    later = getattr(own, "cls_to_become", None)  # what a lazy module is once it knows its sizes
    if later is not None:
        members["cls_to_become"] = module(later.__name__)
    return type(name, (own,), members)


def __getattr__(name: str) -> Any:
    if name.startswith("_"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return globals().setdefault(name, module(name))


def names() -> list[str]:
    """The classes of torch.nn that are here."""
    return sorted(name for name in dir(torch.nn) if _computed(getattr(torch.nn, name)))


def __dir__() -> list[str]:
    return sorted({*names(), "functional"})
