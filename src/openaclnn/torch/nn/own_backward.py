"""Functions of torch.nn.functional that are an operator's first result, and whose gradients are
another operator's results: found by their names and arguments."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import torch
from torch.autograd.function import once_differentiable
from torch.nn import functional as _theirs

from openaclnn import ops
from openaclnn.spec.op import Argument, Op
from openaclnn.torch.schema import called

MASK = "output_mask"


class _WithBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, op: Op, backward: Op, *values: Any) -> Any:
        given = dict(zip(_taken(op), values, strict=True))
        results = _operator(op)(**{called(a): given[a.name] for a in _arguments(op)})
        others = {
            a.name.removesuffix("_out"): one for a, one in zip(op.outputs, results, strict=True)
        }
        known = {**given, **others}
        wanted = {a.name for a in _arguments(backward)}
        tensors = {name: one for name, one in known.items() if isinstance(one, torch.Tensor)}
        kept = [name for name in tensors if name in wanted]
        ctx.save_for_backward(*(tensors[name] for name in kept))
        ctx.known = {name: one for name, one in known.items() if name not in tensors}, kept
        ctx.of = backward, list(given)
        return results[0]

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Any) -> Any:
        (others, kept), (backward, names) = ctx.known, ctx.of
        known = {**others, **dict(zip(kept, ctx.saved_tensors, strict=True))}
        needed = dict(zip(names, ctx.needs_input_grad[2:], strict=True))
        outputs = [a.name.removeprefix("grad_") for a in backward.outputs]
        known[MASK] = [needed[name] for name in outputs]
        found = _operator(backward)(**{
            called(a): grad if a.name.startswith("grad") else known[a.name]
            for a in _arguments(backward)
        })  # fmt: skip
        gradients = dict(zip(outputs, found, strict=True))
        return None, None, *(gradients[name] if needed[name] else None for name in names)


def _operator(op: Op) -> Any:
    return getattr(torch.ops.openaclnn, op.name)


def _arguments(op: Op) -> list[Argument]:
    """What a call gives an operator, but where results are to go."""
    return [*op.inputs, *op.attributes]


def _taken(op: Op) -> list[str]:
    """What PyTorch's function takes, if it is what the operator takes."""
    given = {a.name for a in _arguments(op)}
    theirs = [*inspect.signature(getattr(_theirs, op.name)).parameters]
    return theirs if set(theirs) == given else []


def _known(op: Op) -> Op | None:
    """The operator of its gradients, if it is one of these."""
    backward = ops.all_ops().get(f"{op.name}_backward")
    if len(op.outputs) == 1 or backward is None or not inspect.isfunction(
        getattr(_theirs, op.name, None)
    ):  # fmt: skip
        return None
    return backward if _taken(op) and MASK in {a.name for a in backward.attributes} else None


def functions() -> dict[str, Callable[..., Any]]:
    """Them, by name."""
    pairs = ((op, _known(op)) for op in ops.all_ops().values())
    return {op.name: _function(op, backward) for op, backward in pairs if backward is not None}


def _function(op: Op, backward: Op) -> Callable[..., Any]:
    signature = inspect.signature(getattr(_theirs, op.name))
    apply: Any = _WithBackward.apply

    def function(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        return apply(op, backward, *bound.arguments.values())

    function.__name__ = function.__qualname__ = op.name
    function.__doc__ = f"torch.nn.functional.{op.name}, computed by {op.c_name}."
    function.__signature__ = signature  # type: ignore[attr-defined]
    return function
