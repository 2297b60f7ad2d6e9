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

from functools import cache
from types import FunctionType, ModuleType
from typing import Any

import torch

from openaclnn.torch.nn import functional as functional

_MODULES = {"F": torch.nn.functional, "torch": torch}  # where forward passes look for functions


def _instead(module: Any, names: tuple[str, ...]) -> ModuleType:
    """As much of a module as these names, with our functions where there are such."""
    found = ModuleType(module.__name__)
    for name in names:
        if name in functional.names():
            setattr(found, name, functional.function(name))
        elif hasattr(module, name):
            setattr(found, name, getattr(module, name))
    return found


def _computed(found: Any) -> bool:
    """Whether all functions that a module's forward pass calls are ours, and there are some. One
    that is made of other modules, PyTorch's, is not."""
    if not (isinstance(found, type) and issubclass(found, torch.nn.Module)):
        return False
    members = getattr(found, "__annotations__", {}).values()
    if any(isinstance(one, type) and issubclass(one, torch.nn.Module) for one in members):
        return False
    code = getattr(found.forward, "__code__", None)
    if code is None:
        return False
    names = [name for name in code.co_names if hasattr(torch.nn.functional, name)]
    called = [name for name in names if callable(getattr(torch.nn.functional, name))]
    known = functional.names()
    return bool(called) and bool({*code.co_names} & {*_MODULES}) and set(called) <= {*known}


def _why_not(name: str) -> str:
    """Why a class is not here, or which ones are near."""
    forward = getattr(getattr(torch.nn, name, None), "forward", None)
    asked = getattr(getattr(forward, "__code__", None), "co_names", ())
    lacks = [f for f in asked if hasattr(torch.nn.functional, f) and f not in functional.names()]
    called = [f for f in lacks if callable(getattr(torch.nn.functional, f))]
    functions = [f for f in called if f[0] != "_" and "torch_function" not in f]
    if functions:
        where = "openaclnn.torch.nn.functional"
        return f": torch.nn.{name} calls {', '.join(functions)}, which {where} does not have"
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
    code = own.forward.__code__
    instead = {name: _instead(found, code.co_names) for name, found in _MODULES.items()}
    forward = FunctionType(code, {**own.forward.__globals__, **instead}, "forward")
    forward.__doc__ = f"As torch.nn.{name}, computed by openaclnn."
    members = {"forward": forward, "__doc__": forward.__doc__, "__module__": __name__}
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
