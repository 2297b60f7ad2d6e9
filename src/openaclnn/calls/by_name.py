"""Every operator as a function, made when its name is first used. Editors and type checkers know
them from operators.pyi, which `python -m openaclnn.calls.stubs` writes.

The C name in snake_case is the canonical one: `eq_tensor`, `inplace_add`, `pow_tensor_tensor`.
Friendly names are those that users of PyTorch and NumPy know: `eq`, `add_`, `pow`, `where`, `clip`;
they take numbers for their second tensor.
"""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Iterable, Iterator
from functools import wraps
from typing import Any

from openaclnn import ops
from openaclnn.calls.functions import Function, make_function
from openaclnn.spec.op import Op, Spelling

_made: dict[str, Function] = {}


def function(name: str) -> Function:
    """The function of an operator by its canonical or a friendly name; LookupError where there is
    none."""
    found = _made.get(name)
    if found is None:
        try:
            op = _operator(name)
        except LookupError:
            spelled = spellings().get(name)
            if spelled is None:
                raise
            return _made.setdefault(name, _as_spelled(spelled))
        twin = function(op.scalar) if op.scalar else None
        found = _made.setdefault(op.name, make_function(op, twin))
        _made[name] = found
    return found


def spellings() -> dict[str, Spelling]:
    """What the operators' files say of functions that are spelled otherwise elsewhere, by name."""
    known = (one for op in ops.all_ops().values() for one in op.spellings)
    return {one.__name__: one for one in known}


def _as_spelled(spelling: Spelling) -> Function:
    """A function of PyTorch's or NumPy's parameters, which calls operators."""
    first, *rest = inspect.signature(spelling).parameters.values()

    @wraps(spelling)
    def called(*args: Any, **kwargs: Any) -> Any:
        return spelling(function, *args, **kwargs)

    called.__signature__ = inspect.Signature(rest)  # type: ignore[attr-defined]
    called.__module__ = "openaclnn"
    called.__annotations__ = {n: t for n, t in called.__annotations__.items() if n != first.name}
    return called


def _operator(name: str) -> Op:
    canonical = f"inplace_{name[:-1]}" if name.endswith("_") else name
    tensors = f"{canonical}_tensor", f"{canonical}_tensor_tensor"
    found = ops.at_hand(canonical) or ops.at_hand(*tensors)
    if found is not None:
        return found
    for known in (ops.built_in, ops.all_ops):  # the first does not read the user's files
        stands_for = friendly(known().values()).get(name)
        if stands_for is not None:
            return known()[stands_for]
    return ops.find(canonical)


def friendly(known: Iterable[Op]) -> dict[str, str]:
    """The friendly names of some operators, and the canonical ones that they stand for; a name
    that another operator has is none. Of an operator for tensors and one for numbers the first,
    which takes both, has the name."""
    by_name = {op.name: op for op in known}
    found: dict[str, str] = {}
    for name in by_name:
        short = name
        if not name.endswith("_scalar_tensor"):  # which has a number first
            short = name.removesuffix("_tensor").removesuffix("_tensor")
        taken = short != name and short in by_name
        if short.startswith("inplace_"):
            short = short.removeprefix("inplace_") + "_"
        if short != name and not taken:
            found[short] = name
    for op in sorted(by_name.values(), key=lambda op: (not op.scalar, op.name)):
        for alias in _aliases(op):
            if alias not in by_name:
                found.setdefault(alias, op.name)
    return found


def _aliases(op: Op) -> Iterator[str]:
    """What PyTorch and NumPy call an operator, or its variant in place."""
    end = "_" if op.name.startswith("inplace_") else ""
    module, _, last = op.torch.rpartition(".")
    if last and (module in ("", "nn.functional") or last.endswith("_")):
        yield last.removesuffix("_") + end
    for alias in op.aliases:
        yield alias + end


def names() -> list[str]:
    """Every name, canonical or friendly."""
    known = ops.all_ops()
    return sorted({*known, *friendly(known.values()), *spellings()})


def shadowing_nothing(names: Iterable[str]) -> list[str]:
    """The names that `from openaclnn import *` brings: no builtin's."""
    return [name for name in names if not hasattr(builtins, name)]
