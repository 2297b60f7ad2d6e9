"""What makes two calls alike, as functions of an operator's arguments.

They are compiled from a line of source for each operator: reading the arguments by name takes a
third of the time of picking them out of a list.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any

from openaclnn.base import settings
from openaclnn.spec.op import Argument, Attr, Op

Reader = Callable[..., tuple[Any, ...]]

# As a key an attribute must tell apart what its C type does: 0.0 == -0.0 and 1 == 1.0 in Python.
# `_index` refuses what is no integer, and a scalar is equal to itself alone.
_AS_KEY = {"float": "{0} or (repr({0}),)", "int64_t": "_index({0})"}


def reader(op: Op, of_tensor: str) -> Reader:
    """Reads the choice of settings, this member of every tensor, and every attribute."""

    def read(argument: Argument) -> str:
        if not isinstance(argument, Attr):
            return f"{argument.name}.{of_tensor}"
        return _AS_KEY.get(argument.c_type, "{0}").format(argument.name)

    return _compiled(op, "_op, _choice(), " + ", ".join(map(read, op.arguments)))


def addresses(op: Op) -> Reader:
    """Reads the addresses of the tensors that are read or written, the output's last."""
    return _compiled(op, ", ".join(f"{argument.name}.address" for argument in op.used_tensors))


def _compiled(op: Op, items: str) -> Reader:
    names = ", ".join(argument.name for argument in op.arguments)
    namespace = {"_op": op, "_choice": settings.choice, "_index": index}
    found: Reader = eval(f"lambda {names}: ({items},)", namespace)
    return found
