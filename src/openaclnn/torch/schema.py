"""PyTorch schemas of operators, from their arguments.

>>> from openaclnn.ops import find
>>> schema(find("smooth_l1_loss"))
'(Tensor input, Tensor target, *, str reduction="mean", float beta=1.0) -> Tensor'
>>> schema(find("inplace_add"))
'(Tensor(a!) input, Tensor other, *, Scalar alpha=1) -> ()'
>>> out_schema(find("amax"))
'(Tensor input, *, int[1] dim=[], bool keep_dim=False, Tensor(a!) out) -> ()'
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import Any

from openaclnn.base.dtypes import DType
from openaclnn.spec import host
from openaclnn.spec.op import REQUIRED, Argument, Attr, In, InOut, Op, may_be_absent


def has_schema(op: Op) -> bool:
    """Whether PyTorch can describe an operator. It cannot say that a changed tensor may be absent.

    >>> from openaclnn.ops import find
    >>> has_schema(find("silu")), has_schema(find("batch_norm"))
    (True, False)
    """
    return not any(isinstance(a, InOut) and may_be_absent(a) for a in op.arguments)


def schema(op: Op) -> str:
    """Of the operator that makes its outputs. What is changed in place is not returned: PyTorch's
    compiler wants results that are no arguments."""
    made = ["Tensor[]" if output.many else "Tensor" for output in op.separate]
    returned = made[0] if len(made) == 1 else f"({', '.join(made)})"
    return f"({_joined(op)}) -> {returned}"


def out_schema(op: Op) -> str:
    """Of the overload `out`, which is given all outputs."""
    each = zip(out_names(op), op.separate, strict=True)
    outs = [
        f"Tensor({chr(ord('a') + k)}!){'[]' * output.many} {name}"
        for k, (name, output) in enumerate(each)
    ]
    return f"({_joined(op, outs)}) -> ()"


def out_names(op: Op) -> tuple[str, ...]:
    """What the overload's outputs are called: `out` where there is one."""
    return ("out",) if len(op.separate) == 1 else tuple(output.name for output in op.separate)


def _joined(op: Op, outs: Sequence[str] = ()) -> str:
    by_position = [_declared(a) for a in positional(op)]
    by_name = [_declared(a) for a in keywords(op)]
    by_name += outs
    return ", ".join([*by_position, *(["*", *by_name] if by_name else [])])


def positional(op: Op) -> tuple[Argument, ...]:
    """What may be given by position: what must be given in C order, then tensors that need not."""
    needed = [a for a in op.arguments if _takes(a) and not _may_lack(a)]
    return (*needed, *(a for a in op.arguments if isinstance(a, In) and _may_lack(a)))


def keywords(op: Op) -> tuple[Attr, ...]:
    """Attributes that have a default."""
    return tuple(a for a in op.attributes if _may_lack(a))


# names that PyTorch's compiler has a use for, and what stands for them
_TAKEN = {"self": "input", "mode": "mode_"}


def called(argument: Argument) -> str:
    """What PyTorch calls an argument."""
    return _TAKEN.get(argument.name, argument.name)


def _takes(argument: Argument) -> bool:
    return isinstance(argument, (In, InOut, Attr))


def _may_lack(argument: Argument) -> bool:
    if isinstance(argument, Attr):
        return argument.default is not REQUIRED
    return may_be_absent(argument)


def _declared(argument: Argument) -> str:
    """One argument: its type, its name, its default."""
    if isinstance(argument, Attr):
        kind, default = _type(argument), default_of(argument)
        if argument.default is REQUIRED:
            return f"{kind} {called(argument)}"
        optional = "?" if default is None else ""
        return f"{kind}{optional} {called(argument)}={_literal(default)}"
    if isinstance(argument, InOut):
        return f"Tensor(a!){'[]' * argument.many} {called(argument)}"
    if argument.many:
        return f"Tensor[] {called(argument)}"
    return (
        f"Tensor? {called(argument)}=None" if _may_lack(argument) else f"Tensor {called(argument)}"
    )


def default_of(argument: Attr) -> Any:
    """An attribute's default as a schema has it; None stands for what a schema cannot say: a dtype,
    an infinity."""
    default = argument.default
    if argument.choices:
        return next((name for name, value in argument.choices.items() if value == default), default)
    unsaid = isinstance(default, DType) or (isinstance(default, float) and not isfinite(default))
    return None if unsaid else default


_TYPES: dict[type[host.Host], str] = {
    host.Integer: "int",
    host.Real: "float",
    host.Flag: "bool",
    host.ScalarValue: "Scalar",
    host.DataType: "ScalarType",
    host.Text: "str",
}


def _type(argument: Attr) -> str:
    if argument.choices:
        return "str"
    if isinstance(argument.host, host.Array):
        return f"{_TYPES[type(argument.host.of)]}[{1 if argument.host is host.INT_ARRAY else ''}]"
    return _TYPES[type(argument.host)]


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(_literal, value))}]"
    return repr(value)
