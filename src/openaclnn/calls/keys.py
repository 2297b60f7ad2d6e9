"""Cache keys of calls, as functions of an operator's arguments.

They are compiled from a line of source for each operator: reading the arguments by name takes a
third of the time of picking them out of a list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import index
from typing import TYPE_CHECKING, Any

from openaclnn.base import settings
from openaclnn.spec.host import Array
from openaclnn.spec.op import Argument, Attr, In, InOut, Op

if TYPE_CHECKING:  # it needs NumPy, for which C programs would wait in vain
    from openaclnn.calls.array_readers import Kind

Reader = Callable[..., tuple[Any, ...]]


def reader(op: Op, of_tensor: str) -> Reader:
    """Reads the choice of settings, this member of every tensor, and every attribute. As a key an
    attribute tells apart what its C type does."""

    def read(argument: Argument) -> str:
        if isinstance(argument, Attr):
            key = argument.host.key.format(argument.name)
            # a pointer may be null: then the key is None
            return f"{argument.name} and ({key})" if argument.host.pointer else key
        if argument.many:
            return f"_tuple([_t.{of_tensor} for _t in {argument.name}])"
        if _optional(argument):
            return f"{argument.name} and {argument.name}.{of_tensor}"
        return f"{argument.name}.{of_tensor}"

    return _compiled(_names(op), ["_op", "_choice()", *map(read, op.arguments)], {"_op": op})


def used(op: Op) -> Reader:
    """Reads the tensors that are read or written, in C order; lists are taken apart, what is absent
    is left out."""
    return _of_tensors(op, op.used, "{0}")


def addresses(op: Op) -> Reader:
    """Reads the addresses of those."""
    return _of_tensors(op, op.used, "{0}.address")


def inputs(op: Op) -> Reader:
    """Reads the tensors that are only read, likewise."""
    return _of_tensors(op, [a for a in op.inputs if a.read], "{0}")


def outputs(op: Op) -> Reader:
    """Reads the tensors that are written, likewise."""
    return _of_tensors(op, op.outputs, "{0}")


def _of_tensors(op: Op, tensors: Sequence[Argument], item: str) -> Reader:
    def read(argument: Argument) -> str:
        one = item.format(argument.name)
        if argument.many:
            return f"*[{item.format('_t')} for _t in {argument.name}]"
        return f"*(() if {argument.name} is None else ({one},))" if _optional(argument) else one

    return _compiled(_names(op), map(read, tensors))


def _optional(argument: Argument) -> bool:
    return getattr(argument, "optional", False)


def _names(op: Op) -> list[str]:
    return [argument.name for argument in op.arguments]


def of_arrays(op: Op, kind: Kind) -> Reader:
    """Reads what two calls on arrays must have in common: of tensors, attributes as Python users
    write them, and the output, where None means that it is to be made, or that there is none."""
    layout = f"{kind.facts}, {kind.shape}, {kind.strides}"
    return _of_arrays(op, kind, layout, [f"_type({a.name}), {_value(a)}" for a in op.attributes])


def _value(attribute: Attr) -> str:
    """Tells values of one type apart; what is in a list may be of any: True is not 1, nor 1.0."""
    if isinstance(attribute.host, Array):
        return f"_repr({attribute.name})"
    return f"{attribute.name} or (_repr({attribute.name}),)"


def _of_arrays(op: Op, kind: Kind, read: str, attributes: Sequence[str]) -> Reader:
    read = "_type({0}), " + read
    items, names = [], []
    for a in op.arguments:
        if isinstance(a, Attr) or not isinstance(a, (In, InOut)):
            continue
        form = read + (", " + kind.output if isinstance(a, InOut) else "")
        one = form.format(a.name)
        items.append(f"{a.name} is None or ({one})" if isinstance(a, In) and not a.read else one)
        names.append(a.name)
    items += attributes
    items += [f"_out is None or ({(read + ', ' + kind.output).format('_out')})"]
    names += [a.name for a in op.attributes]
    return _compiled([*names, "_out"], ["_choice()", *items], kind.names)


def of_operands(op: Op, kind: Kind, read: str) -> Reader:
    """Reads something of the arrays that are read or written, in C order; it takes inputs, then
    outputs."""
    names = [a.name if isinstance(a, (In, InOut)) else f"_{a.name}" for a in op.used]
    inputs_first = sorted(names, key=lambda name: name.startswith("_"))
    return _compiled(inputs_first, [read.format(name) for name in names], kind.names)


# what the lines use of Python, by names that no argument has: a C parameter may be called `type`
_PYTHON = {f"_{one.__name__}": one for one in (id, map, repr, tuple, type)}


def _compiled(
    parameters: Iterable[str], items: Iterable[str], names: Mapping[str, Any] | None = None
) -> Reader:
    namespace = {"_choice": settings.choice, "_index": index, **_PYTHON, **(names or {})}
    source = f"lambda {', '.join(parameters)}: ({''.join(f'{item}, ' for item in items)})"
    found: Reader = eval(source, namespace)
    return found
