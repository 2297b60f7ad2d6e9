"""How NumPy's and PyTorch's users write arguments: by which names, and by position or by keyword.

An attribute that stands where PyTorch's function has it may be given by position
(`Attr.by_place`); the others are keyword-only. Python's numbers and lists are arrays of the dtype
that the others have, FLOAT where there is none.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from openaclnn.base import dtypes
from openaclnn.base.dtypes import FLOAT, DType
from openaclnn.base.status import AclnnError, Status
from openaclnn.spec import describe
from openaclnn.spec.op import REQUIRED, Argument, Attr, Op

# what PyTorch and NumPy call arguments that aclnn calls otherwise
_OTHER_NAMES = {
    "dim": ("axis",),
    "dims": ("dim", "axis", "axes"),
    "keep_dim": ("keepdim", "keepdims"),
    "keep_dims": ("keepdim", "keepdims"),
    "keepdim": ("keepdims",),
    "clip_value_min": ("min", "min_val"),
    "clip_value_max": ("max", "max_val"),
    "padding": ("pad",),
    "p_scalar": ("p", "ord"),
    "correction": ("unbiased", "ddof"),  # false takes 0 off the count, true 1
    "unbiased": ("correction", "ddof"),
    "diagonal": ("k",),
    "depth": ("num_classes",),
}


class _Missing:
    """Stands for an argument that was not given under any of its names."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING = _Missing()


def other_names(op: Op) -> dict[str, Attr]:
    """The names by which an operator's attributes may be given besides their own."""
    taken = {a.name for a in op.arguments}
    found: dict[str, Attr] = {}
    for a in op.attributes:
        for name in _OTHER_NAMES.get(a.name, ()):
            if name not in taken:
                found.setdefault(name, a)
    return found


def chosen(function: str, name: str, value: Any, default: Any, other: str, given: Any) -> Any:
    """The value of an argument that was given by another name."""
    if value is not default:
        raise TypeError(f"{function}() got {name} and {other}, which are the same argument")
    return given


def refuse_missing(function: str, arguments: Mapping[str, Any]) -> None:
    """Complain of required arguments that were not given, as Python does."""
    names = [repr(name) for name, value in arguments.items() if value is MISSING]
    if names:
        plural = "s" if len(names) > 1 else ""
        raise TypeError(
            f"{function}() missing {len(names)} required argument{plural}: {' and '.join(names)}"
        )


def like_range(op: Op) -> tuple[Attr, Attr] | None:
    """The first two attributes of an operator whose first need not be given: of one number alone
    it is the second, as with Python's range."""
    if len(op.attributes) < 2 or tensors_first(op):
        return None
    first, second = op.attributes[:2]
    found = first.by_place and first.default is not REQUIRED and second.default is REQUIRED
    return (first, second) if found else None


def tensors_first(op: Op) -> bool:
    """Whether something stands before an operator's attributes."""
    return not isinstance(op.arguments[0], Attr)


def by_keyword(op: Op) -> list[str]:
    """The attributes that are given by name only."""
    return [a.name for a in op.attributes if a.default is not REQUIRED and not a.by_place]


def is_plain(value: Any) -> bool:
    """Whether a value is Python's own: a number, or a list or tuple of such."""
    if isinstance(value, (list, tuple)):
        return all(map(is_plain, value))
    return type(value) in (int, float, bool)


def with_arrays(op: Op, given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The tensors of a call, with arrays for Python's numbers and lists; the same mapping where
    there are none. Nothing can be written to a number, so inputs only."""
    found = dict(given)
    arrays = [one for value in given.values() for one in _members(value) if not is_plain(one)]
    for a in op.inputs:
        value: Any = given.get(a.name)
        if a.many and _is_list(value):
            if any(map(is_plain, value)):
                found[a.name] = [
                    _array(op, a, f"{a.name}[{k}]", v, arrays) if is_plain(v) else v
                    for k, v in enumerate(value)
                ]
        elif is_plain(value):
            found[a.name] = _array(op, a, a.name, value, arrays)
    return found if any(found[name] is not given[name] for name in given) else given


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def _members(value: Any) -> list[Any]:
    return [one for one in (value if _is_list(value) else [value]) if one is not None]


def _array(op: Op, argument: Argument, name: str, value: Any, others: list[Any]) -> Any:
    """An array of Python's numbers: real ones in the dtype of a floating array beside it, integers
    in INT64 where the argument takes that."""
    try:
        array = np.asarray(value)
        dtype = dtypes.from_numpy(array.dtype)
        taken = describe.dtypes_of(op, argument.name) or describe.dtypes(op)
        if array.dtype != np.float64 and dtype in taken:
            return array
        wanted = next(filter(None, map(_floating, others)), FLOAT)
        with np.errstate(over="ignore"):  # a number beyond the dtype is infinite
            return array.astype(wanted.numpy)
    except OverflowError:
        came = "an integer that no dtype holds"
    except ValueError:
        came = "lists of unequal lengths"
    raise AclnnError(
        Status.PARAM_INVALID, f"{op.c_name}: {name} has {came}; expected what np.asarray takes"
    )


def _floating(array: Any) -> DType | None:
    """The dtype of an array of real numbers."""
    name = str(getattr(array, "dtype", "")).removeprefix("torch.")
    try:
        found = dtypes.by_name(name)
    except ValueError:
        return None
    return found if found.kind == "float" else None


def compiled_parameters(op: Op, documented: inspect.Signature) -> list[inspect.Parameter]:
    """A function's parameters as Python binds them fastest: none is keyword-only. What may be given
    by position comes first, then `out`, so that one argument too many is refused as an output;
    then attributes by name, and other names."""
    parameters = list(documented.parameters.values())
    named = other_names(op)
    missing = False
    first: list[inspect.Parameter] = []
    for p in (p for p in parameters if p.kind is not p.KEYWORD_ONLY):
        missing = missing or any(a.name == p.name for a in named.values())
        first.append(p.replace(default=MISSING) if missing and p.default is p.empty else p)
    out = [p for p in parameters if p.name == "out"]
    last = [p for p in parameters if p.kind is p.KEYWORD_ONLY and p.name != "out"]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    others = [inspect.Parameter(name, kind, default=None) for name in named]
    return [*first, *(p.replace(kind=kind) for p in (*out, *last)), *others]
