"""Every operator as a function, made when its name is first used. Editors and type checkers know
them from operators.pyi, which `python -m openaclnn.calls.stubs` writes.

The C name in snake_case is the canonical one: `eq_tensor`, `inplace_add`, `pow_tensor_tensor`.
Friendly names are those that PyTorch's users know: `eq`, `add_`, `pow`; they take numbers for their
second tensor.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable

from openaclnn import ops
from openaclnn.calls.functions import Function, make_function
from openaclnn.spec.op import Op

_made: dict[str, Function] = {}


def function(name: str) -> Function:
    """The function of an operator by its canonical or a friendly name; LookupError where there is
    none."""
    found = _made.get(name)
    if found is None:
        op = _operator(name)
        twin = function(op.scalar) if op.scalar else None
        found = _made.setdefault(op.name, make_function(op, twin))
        _made[name] = found
    return found


def _operator(name: str) -> Op:
    if name.endswith("_"):
        return _operator(f"inplace_{name[:-1]}")
    tensors = f"{name}_tensor", f"{name}_tensor_tensor"
    return ops.at_hand(name) or ops.at_hand(*tensors) or ops.find(name)


def friendly(names: Iterable[str]) -> dict[str, str]:
    """The friendly names of some operators, and the canonical ones that they stand for; a name
    that another operator has is none."""
    found, known = {}, set(names)
    for name in names:
        short = name
        if not name.endswith("_scalar_tensor"):  # which has a number first
            short = name.removesuffix("_tensor").removesuffix("_tensor")
        taken = short != name and short in known
        if short.startswith("inplace_"):
            short = short.removeprefix("inplace_") + "_"
        if short != name and not taken:
            found[short] = name
    return found


def names() -> list[str]:
    """Every name, canonical or friendly."""
    known = ops.all_ops()
    return sorted({*known, *friendly(known)})


def shadowing_nothing(names: Iterable[str]) -> list[str]:
    """The names that `from openaclnn import *` brings: no builtin's."""
    return [name for name in names if not hasattr(builtins, name)]
