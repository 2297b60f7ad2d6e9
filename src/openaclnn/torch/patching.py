"""A whole model on our functions, for as long as a context lasts."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from openaclnn.torch.nn import functional


@contextmanager
def patched(*names: str) -> Iterator[None]:
    """A context in which functions of torch.nn.functional are ours: those of these names, or all
    that there are. Functions of one tensor are replaced in torch, too. Modules find them there;
    who has imported a function by its name keeps what it has. The whole process is patched.

    >>> import torch
    >>> with patched():
    ...     torch.nn.SiLU()(torch.tensor([1.0])), torch.sigmoid(torch.tensor([0.0]))
    (tensor([0.7311]), tensor([0.5000]))
    """
    known = functional.names()
    missing = [name for name in names if name not in known]
    if missing:
        raise AttributeError(f"openaclnn has no torch.nn.functional.{missing[0]}")
    torch.overrides.get_overridable_functions()  # PyTorch's compiler wants to have seen its own
    before: list[tuple[Any, str, Any]] = []
    try:
        for name in names or known:
            ours = functional.function(name)
            for module in (torch.nn.functional, torch):
                if hasattr(module, name) and (module is torch.nn.functional or _one_tensor(ours)):
                    before.append((module, name, getattr(module, name)))
                    setattr(module, name, ours)
        yield
    finally:
        for module, name, theirs in reversed(before):
            setattr(module, name, theirs)


def _one_tensor(ours: Any) -> bool:
    return [*inspect.signature(ours).parameters][1:] in ([], ["inplace"])
