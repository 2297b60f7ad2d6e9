"""The operators, one per file. A module in this folder with an `OP` is an operator; no list."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from openaclnn.spec.op import Op


@cache
def all_ops() -> dict[str, Op]:
    """Every operator by its Python name, in alphabetical order."""
    modules = sorted(module.name for module in iter_modules(__path__))
    ops = [import_module(f"{__name__}.{module}").OP for module in modules]
    return {op.name: op for op in ops}


def find(name: str) -> Op:
    """The operator of a name in either spelling.

    >>> find("aclnnSiluBackward") is find("silu_backward")
    True
    """
    for op in all_ops().values():
        if name in (op.name, op.c_name):
            return op
    raise LookupError(f"there is no operator {name!r}; there are {', '.join(all_ops())}")
