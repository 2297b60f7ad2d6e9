"""What makes two calls alike, as functions of an operator's arguments.

They are compiled from a line of source for each operator: reading the arguments by name takes a
third of the time of picking them out of a list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import index
from typing import Any

from openaclnn.base import settings
from openaclnn.calls.kinds import Kind
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

    return _compiled(_names(op), ["_op", "_choice()", *map(read, op.arguments)], {"_op": op})


def addresses(op: Op) -> Reader:
    """Reads the addresses of the tensors that are read or written, the output's last."""
    return _compiled(_names(op), [f"{argument.name}.address" for argument in op.used_tensors])


def _names(op: Op) -> list[str]:
    return [argument.name for argument in op.arguments]


def of_arrays(op: Op, kind: Kind) -> Reader:
    """Reads what two calls on arrays must have in common: of read inputs, unread ones, attributes
    as Python users write them, and the output, where None means that it is to be made."""
    read, unread = _read(op), [a.name for a in op.inputs if not a.read]
    attributes = [a.name for a in op.attributes]
    layout = "type({0}), " + kind.layout
    items = [layout.format(name) for name in read]
    items += [f"{name} is None or ({layout.format(name)})" for name in unread]
    # with their types: True is not 1, nor 1.0
    items += [f"type({name}), {name} or (repr({name}),)" for name in attributes]
    items += [f"_out is None or ({(layout + ', ' + kind.output).format('_out')})"]
    names = [*read, *unread, *attributes, "_out"]
    return _compiled(names, ["_choice()", *items], kind.names)


def addresses_of_arrays(op: Op, kind: Kind) -> Reader:
    """Reads the addresses of the inputs that are read, and of the output."""
    names = [*_read(op), "_out"]
    return _compiled(names, [kind.address.format(name) for name in names], kind.names)


def _read(op: Op) -> list[str]:
    return [argument.name for argument in op.read_inputs]


def _compiled(
    parameters: Iterable[str], items: Iterable[str], names: Mapping[str, Any] | None = None
) -> Reader:
    namespace = {"_choice": settings.choice, "_index": index} | dict(names or {})
    source = f"lambda {', '.join(parameters)}: ({', '.join(items)},)"
    found: Reader = eval(source, namespace)
    return found
