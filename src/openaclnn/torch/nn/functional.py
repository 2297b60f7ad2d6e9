"""Functions of torch.nn.functional, computed by openaclnn: every one that an operator's spec names
as its equal, with PyTorch's own signature.

>>> import torch
>>> silu(torch.tensor([-1.0, 0.0, 1.0]))
tensor([-0.2689,  0.0000,  0.7311])
>>> smooth_l1_loss(torch.tensor([1.0, 5.0]), torch.tensor([1.5, 1.0]), reduction="sum")
tensor(3.6250)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import cache
from typing import Any

import torch
from torch.nn import _reduction
from torch.nn import functional as _theirs

from openaclnn import ops
from openaclnn.base.status import OpenaclnnError
from openaclnn.calls.functions import tensor_parameters
from openaclnn.spec.op import Argument, Op, may_be_absent
from openaclnn.torch.nn import composed, own_backward
from openaclnn.torch.schema import called

Function = Callable[..., Any]

# what PyTorch's functions take besides, and what becomes of it
_PROLOGUE = {
    "size_average": (
        "if size_average is not None or reduce is not None:",
        "    reduction = _legacy(size_average, reduce)",
    ),
    "dtype": ("if dtype is not None:", "    input = input.to(dtype)"),
    "_stacklevel": ("if dim is None:", "    dim = _implicit(_name, input.dim(), _stacklevel)"),
}
_OTHERS = {"size_average", "reduce", "dtype", "_stacklevel", "inplace"}


@cache
def equals() -> dict[str, Op]:
    """The operators that are functions of torch.nn.functional, by PyTorch's names."""
    found: dict[str, Op] = {}
    for op in ops.all_ops().values():
        name = op.torch.removeprefix("nn.functional.")
        if not op.in_place and "." not in name and name and hasattr(_theirs, name):
            found.setdefault(name, op)
    return found


@cache
def of_several() -> dict[str, Function]:
    """The functions that call several operators, or have another's backward, by name."""
    return {**composed.FUNCTIONS, **own_backward.functions()}


@cache
def function(name: str) -> Function:
    """Ours of one of PyTorch's names, compiled from a few lines so that Python binds arguments."""
    if name in of_several():
        return of_several()[name]
    if name not in equals():
        return _made_of_another(name)
    op, theirs = equals()[name], getattr(_theirs, name)
    parameters = list(signature(theirs, name).parameters.values())
    passed, unknown = _matched(op, [p.name for p in parameters])
    lines = [line for p in parameters for line in _PROLOGUE.get(p.name, ())]
    for other in unknown:
        lines += [f"if {other} is not None:", f"    raise _refusal({other!r})"]
    twin = ops.at_hand(f"inplace_{op.name}")
    if any(p.name == "inplace" for p in parameters):
        lines.append("if inplace:")
        lines += _in_place(passed, twin)
    if "batchmean" in (theirs.__doc__ or ""):
        lines += [
            'if reduction == "batchmean":',
            '    reduction = "sum"',
            f"    return _by_batch(_operator({passed}), input)",
        ]
    lines.append(f"return _operator({passed})")
    namespace: dict[str, Any] = {
        "_operator": getattr(torch.ops.openaclnn, op.name),
        "_twin": getattr(torch.ops.openaclnn, twin.name) if twin else None,
        "_legacy": _reduction.legacy_get_string,
        "_implicit": vars(_theirs)["_get_softmax_dim"],
        "_name": name,
        "_by_batch": _by_batch,
        "_refusal": lambda other: OpenaclnnError(
            f"{name}: {other} is given; expected none, {op.c_name} has no such argument"
        ),
    }
    return _compiled(name, parameters, lines, namespace, op.c_name)


def _by_batch(total: torch.Tensor, input: torch.Tensor) -> torch.Tensor:
    """The mean over a batch: the exact sum, rounded, divided by the size of the batch."""
    found: torch.Tensor = torch.ops.openaclnn.divs(total, input.shape[0]) if input.dim() else total
    return found


def _compiled(
    name: str,
    parameters: Sequence[inspect.Parameter],
    lines: Sequence[str],
    namespace: dict[str, Any],
    by: str,
) -> Function:
    source = f"def {name}({', '.join(map(_written, parameters))}):\n"
    source += "".join(f"    {line}\n" for line in lines)
    exec(compile(source, f"<{__name__}.{name}>", "exec"), namespace)
    found: Function = namespace[name]
    found.__module__ = __name__
    found.__doc__ = f"torch.nn.functional.{name}, computed by {by}."
    return found


# functions of PyTorch's that are others with certain arguments
_OTHERS_WITH = {"relu6": ("hardtanh", {"min_val": 0.0, "max_val": 6.0})}


@cache
def names() -> tuple[str, ...]:
    """The functions that are here: operators' equals, those in place that are called so (`relu_`),
    and others with certain arguments."""
    in_place = [f"{name}_" for name in equals() if hasattr(_theirs, f"{name}_")]
    others = [name for name, (other, _) in _OTHERS_WITH.items() if other in equals()]
    return tuple(dict.fromkeys((*equals(), *in_place, *others, *of_several())))


def _made_of_another(name: str) -> Function:
    """A function that calls another one of ours: in place, or with certain arguments."""
    another, certain = _OTHERS_WITH.get(name, (name.removesuffix("_"), {"inplace": True}))
    parameters = list(signature(getattr(_theirs, name), name).parameters.values())
    passed = [f"{p.name}={p.name}" for p in parameters] + [f"{k}={v!r}" for k, v in certain.items()]
    lines = [f"return _another({', '.join(passed)})"]
    by = equals()[another].c_name
    return _compiled(name, parameters, lines, {"_another": function(another)}, by)


def signature(theirs: Function, name: str) -> inspect.Signature:
    """Of a function of PyTorch's; one that is built in says it in its first line only."""
    try:
        return inspect.signature(theirs)
    except ValueError:
        first, *_ = (theirs.__doc__ or "").strip().partition(" -> ")
        scope: dict[str, Any] = {}
        exec(f"def {first}: pass", scope)
        return inspect.signature(scope[name])


def _written(parameter: inspect.Parameter) -> str:
    bare = parameter.replace(annotation=inspect.Parameter.empty)
    return str(bare)


def _matched(op: Op, names: list[str]) -> tuple[str, list[str]]:
    """How PyTorch's parameters are passed on, tensors and attributes alike: by their names or,
    where those differ, in order; and the parameters that an operator knows nothing of."""
    asked = [name for name in names if name not in _OTHERS]
    tensors = {called(a): a for a in tensor_parameters(op)}
    count = len(tensors)
    given = {name: name for name in asked if name in tensors}
    others = [name for name in asked[:count] if name not in given]
    given |= dict(zip((one for one in tensors if one not in given), others, strict=False))
    rest = [name for name in asked if name not in given.values()]
    attributes: dict[str, Argument] = {a.name: a for a in op.attributes}
    matched = {name: attributes.pop(name) for name in rest if name in attributes}
    others = [name for name in rest if name not in matched]
    unknown = [name for name in others if not attributes]
    for name, own in zip(others, list(attributes.values()), strict=False):
        matched[name] = own
    given |= {called(own): name for name, own in matched.items()}
    leading = [given.pop(called(a)) for a in tensor_parameters(op) if not may_be_absent(a)]
    return ", ".join([*leading, *(f"{own}={name}" for own, name in given.items())]), unknown


def _in_place(passed: str, twin: Op | None) -> list[str]:
    if twin is None:  # a copy: what autograd keeps of the input is not to change
        return [f"    return input.copy_(_operator({passed.replace('input', 'input.clone()', 1)}))"]
    return [f"    _twin({passed})", "    return input"]


def __getattr__(name: str) -> Function:
    if name.startswith("_") or name not in names():
        known = f": openaclnn.torch does not have torch.nn.functional.{name}"
        if ops.at_hand(name) is not None:
            known += f"; there is an operator torch.ops.openaclnn.{name}"
        why = known if hasattr(_theirs, name) else near(name, names())
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{why}")
    return globals().setdefault(name, function(name))  # type: ignore[no-any-return]


def near(name: str, known: Sequence[str]) -> str:
    """Names that somebody may have meant."""
    capitals = {one.lower(): one for one in known}
    found = [capitals[one] for one in get_close_matches(name.lower(), capitals, n=3)]
    return f": did you mean {' or '.join(found)}?" if found else ""


def __dir__() -> list[str]:
    return sorted(names())
