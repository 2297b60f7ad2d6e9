"""Calls with a gradient, and their backward, through the call cache of the plain functions.

For operators of tensors and attributes whose gradients are one operator each; what is done for
calls whose tensors need gradients alike is compiled. Whatever the call cache does not know
(subclasses, modes, gradients of gradients) takes the ways of `autograd`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, dropwhile
from typing import Any, NamedTuple, Protocol

import torch

from openaclnn.calls.functions import Caller, tensor_parameters
from openaclnn.spec.host import DATA_TYPE
from openaclnn.spec.op import In, Op
from openaclnn.spec.results import folded_dims
from openaclnn.torch import gradients
from openaclnn.torch.gradients import LIKE, RESULT, Gradient, grad_of
from openaclnn.torch.kernels import is_one_list, of_elements

Apply = Callable[..., Any]


class Made(NamedTuple):
    """A call as its backward sees it."""

    attributes: tuple[Any, ...]  # as PyTorch has them …
    values: tuple[Any, ...]  # … and as the plain function takes them
    shapes: tuple[Any, ...]  # of the tensors
    double: bool
    saved: tuple[str, ...]  # what the saved tensors are


class Ways(Protocol):
    """What `autograd` does for it."""

    def directly(self, tensors: Sequence[Any], attributes: Sequence[Any]) -> Any:
        """The call itself, below autograd."""

    def back(self, made: Made, place: int, grad: Any, saved: Sequence[Any]) -> Any:
        """The gradient of one of the tensors."""

    def uses(self, name: str, double: bool) -> frozenset[str]:
        """What the gradient of a tensor is computed from."""

    def fitted(self, grad: Any, shape: Any) -> Any:
        """A gradient, summed where its tensor was broadcast."""

    def like(self, grad: Any, shape: Any) -> Any:
        """A tensor of a shape that nobody reads."""

    def spread(self, shape: Any, whole: Any) -> Any:
        """A shape in which numbers for each channel broadcast to the whole."""

    def caller(self, op: Op) -> Caller:
        """Who calls an operator that is a gradient."""


def possible(op: Op) -> bool:
    """Whether an operator's gradients are plain calls on what its own call had, or parts of the
    result's."""
    if op.in_place or len(op.outputs) != 1:
        return False
    if is_one_list(op):
        return gradients.passes_on(op)
    return all(isinstance(a, In) and a.read and not a.many for a in tensor_parameters(op))


def node(op: Op, caller: Caller, ways: Ways, alike: Sequence[Any]) -> Callable[..., Any]:
    """A function of the attributes, if there are such, as PyTorch has them and as plain functions
    take them, and of the tensors, of each of which `alike` says whether it needs a gradient, and
    the dtype. It makes the call and its node in the graph. NoGradientError where there is none."""
    if is_one_list(op):
        return _joining(op, caller, ways, alike[::2])
    names = [a.name for a in tensor_parameters(op)]
    double = torch.float64 in alike[1::2]
    if gradients.folded_over(op) is not None:
        return _folding(op, caller, ways, double)
    found = {
        place: gradients.gradient(op, names[place], double)
        for place, needs in enumerate(alike[::2])
        if needs
    }
    uses = {use for one in found.values() if not one.passes_on() for use in one.uses}
    saved = (*(name for name in names if name in uses), *(RESULT,) * (RESULT in uses))
    known: dict[str, Any] = {"_ways": ways, "_made": Made, "_double": double, "_saved": saved}
    known |= {f"_gradient{place}": one for place, one in found.items()}
    caller.enter_by(known, "_take", only_known=True)
    for place, one in found.items():
        ways.caller(one.op).enter_by(known, f"_take{place}", only_known=True)
    forward = _forward(op, names, saved, not _hands_on(op, found.values()))
    source = "\n".join([*forward, *_backward(op, found, saved, len(names))])
    exec(compile(source, f"<gradient of {op.name}>", "exec"), known)
    return _applied(op, known["forward"], known["backward"])


def _applied(op: Op, forward: Apply, backward: Apply) -> Apply:
    """A node of these two."""
    methods = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    made: Any = type(op.c_name.removeprefix("aclnn"), (torch.autograd.Function,), methods)
    made._backward_cls.made = (), (), None  # of a call of which there is nothing to tell
    made._backward_cls.apply = backward  # PyTorch's own would look for it at every call
    # not Function.apply, which is for callers above PyTorch's dispatcher: it would begin anew
    apply: Apply = super(torch.autograd.Function, made).apply
    return apply


def _joining(op: Op, caller: Caller, ways: Ways, needs: Sequence[bool]) -> Apply:
    """The node of a list that is joined: each tensor has its part of the result's gradient."""
    known: dict[str, Any] = {}
    caller.enter_by(known, "take", only_known=True)
    dim = [a.name for a in op.attributes].index("dim")

    def forward(ctx: Any, attributes: Any, values: Any, *tensors: Any) -> Any:
        ctx.made = values[dim], [one.shape for one in tensors]
        result = known["take"](tensors, *values, None)
        return ways.directly((list(tensors),), attributes) if result is None else result

    def backward(ctx: Any, grad: Any) -> Any:
        along, shapes = ctx.made
        return None, None, *parts(grad, along, shapes, needs)

    return _applied(op, forward, backward)


def _folding(op: Op, caller: Caller, ways: Ways, double: bool) -> Apply:
    """The node of one tensor of which dimensions are folded."""
    known: dict[str, Any] = {}
    caller.enter_by(known, "take", only_known=True)
    (tensor,) = tensor_parameters(op)
    uses = ways.uses(tensor.name, double)
    saved = (*(tensor.name,) * (tensor.name in uses), *(RESULT,) * (RESULT in uses))

    def forward(ctx: Any, attributes: Any, values: Any, tensor: Any) -> Any:
        result = known["take"](tensor, *values, None)
        if result is None:
            result = ways.directly((tensor,), attributes)
        ctx.made = Made(attributes, values, (tensor.shape,), double, saved)
        if saved:
            ctx.to_save = tuple(result if name is RESULT else tensor for name in saved)
        return result

    def backward(ctx: Any, grad: Any) -> Any:
        return None, None, ways.back(ctx.made, 0, grad, ctx.saved_tensors)

    def spread(ctx: Any, grad: Any) -> Any:
        (shape,), dims = ctx.made.shapes, ctx.made.values[over]
        kept, behind = _kept(dims, shape)
        if grad.shape not in (kept, behind):
            grad = grad.reshape(kept)
        return None, None, grad.expand(shape)

    over = [a.name for a in op.attributes].index(gradients.folded_over(op) or "")
    return _applied(op, forward, spread if op.expressions[0].name == "add" else backward)


@lru_cache(maxsize=256)
def _kept(dims: Any, shape: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """A shape with 1 for what was folded, and the same without leading ones."""
    folded = folded_dims(dims, len(shape))
    kept = tuple(1 if k in folded else size for k, size in enumerate(shape))
    return kept, tuple(dropwhile(lambda size: size == 1, kept))


def parts(grad: Any, dim: int, shapes: Sequence[Any], needs: Sequence[bool]) -> Sequence[Any]:
    """The parts of a gradient that belong to tensors that were joined; of others None."""
    none = [len(shape) == 1 and not shape[0] for shape in shapes]  # which count for nothing
    sizes = [0 if nothing else shape[dim] for nothing, shape in zip(none, shapes, strict=True)]
    if all(needs) and not any(none) and not torch.is_grad_enabled():
        found: Sequence[Any] = grad.split_with_sizes(sizes, dim)
        return found
    starts = [*accumulate(sizes, initial=0)][:-1]
    return [
        None if not needed else grad.new_zeros(0) if nothing else grad.narrow(dim, start, size)
        for nothing, start, size, needed in zip(none, starts, sizes, needs, strict=True)
    ]


def _forward(op: Op, names: Sequence[str], saved: Sequence[str], tells: bool) -> list[str]:
    tensors = {name: f"tensor{place}" for place, name in enumerate(names)}
    values = [f"values[{place}]" for place in range(len(op.attributes))]
    known = {**tensors, RESULT: "result"}
    listed = "".join(f"{one}, " for one in tensors.values())
    first = "attributes, values, " if op.attributes else ""
    # what has floats for inputs has floats for results, unless an attribute tells a dtype
    told = any(a.host is DATA_TYPE for a in op.attributes)
    unless = [
        "    if not result.is_floating_point():",
        "        ctx.mark_non_differentiable(result)",
    ]
    return [
        f"def forward(ctx, {first}{listed}):",
        f"    result = _take({', '.join([*tensors.values(), *values, 'None'])})",
        "    if result is None:",
        f"        result = _ways.directly(({listed}), {'attributes' if first else '()'})",
        *([f"    ctx.to_save = ({''.join(f'{known[one]}, ' for one in saved)})"] if saved else []),
        *(_telling(op, [f"{one}.shape" for one in tensors.values()]) if tells else []),
        *(unless if told else []),
        "    return result",
    ]


def _hands_on(op: Op, found: Iterable[Gradient]) -> bool:
    """Whether the one gradient that there is is the result's."""
    alone = len(tensor_parameters(op)) == 1 and of_elements(op)
    return alone and all(one.passes_on() for one in found)


def _telling(op: Op, shapes: Sequence[str]) -> list[str]:
    """What the backward is told: attributes, and shapes, unless all have the result's."""
    every = f"({''.join(f'{one}, ' for one in shapes)})"
    same = " == ".join(shapes) if len(shapes) > 1 else "True"
    if not of_elements(op):
        same = "False"
    if op.attributes:
        return [f"    ctx.made = attributes, values, None if {same} else {every}"]
    return [f"    if not ({same}):", f"        ctx.made = (), (), {every}"]


def _backward(op: Op, found: dict[int, Gradient], saved: Sequence[str], tensors: int) -> list[str]:
    lines = [
        "def backward(ctx, grad):",
        f"    saved = {'ctx.saved_tensors' if saved else '()'}",
        "    attributes, values, shapes = ctx.made",
    ]
    if _hands_on(op, found.values()):
        return [lines[0], f"    return {'None, None, ' if op.attributes else ''}grad,"]
    channels, to = gradients.channels(op), [f"shapes[{place}]" for place in range(tensors)]
    if channels is not None:
        place = [a.name for a in tensor_parameters(op)].index(channels)
        lines.append(f"    spread = _ways.spread(shapes[{place}], shapes[0])")
        to[place] = "spread"
    for place, one in found.items():
        lines += [
            f"    found{place} = {_found(op, one, saved, place)}",
            f"    if found{place} is None:",
            f"        each = shapes or (grad.shape,) * {tensors}",
            "        call = _made(attributes, values, each, _double, _saved)",
            f"        found{place} = _ways.back(call, {place}, grad, saved)",
            f"    elif shapes is not None and found{place}.shape != {to[place]}:",
            f"        found{place} = _ways.fitted(found{place}, {to[place]})",
            *(
                [
                    f"    if spread != shapes[{place}]:",
                    f"        found{place} = found{place}.reshape(shapes[{place}])",
                ]
                * (to[place] == "spread")
            ),
        ]
    every = [f"found{place}" if place in found else "None" for place in range(tensors)]
    first = ["None", "None"] if op.attributes else []
    return [*lines, f"    return {', '.join([*first, *every])},"]


def _found(op: Op, one: Gradient, saved: Sequence[str], place: int) -> str:
    """A gradient: the result's own, or what the call cache gives, None where it does not know."""
    if one.passes_on():
        return "grad"
    taken = f"_take{place}({_arguments(op, one, saved, place)})"
    for number, a in enumerate(op.attributes):
        if one.passes_on(times=a.name):
            return f"grad if values[{number}] == 1 else {taken}"
    return taken


def _arguments(op: Op, found: Gradient, saved: Sequence[str], place: int) -> str:
    """A gradient's arguments in C order, then no output."""
    known = {grad_of(0): "grad", LIKE: f"_ways.like(grad, shapes[{place}])"}
    known |= {name: f"saved[{number}]" for number, name in enumerate(saved)}
    channels = gradients.channels(op)
    if channels in known:
        whole = known[channels]
        known[channels] = f"{whole} if spread == {whole}.shape else {whole}.reshape(spread)"
    known |= {a.name: f"values[{number}]" for number, a in enumerate(op.attributes)}
    roles = found.arguments
    given = [known.get(roles.get(a.name, ""), "None") for a in tensor_parameters(found.op)]
    given += [
        known.get(roles.get(a.name, ""), f"_gradient{place}.op.attributes[{number}].default")
        for number, a in enumerate(found.op.attributes)
    ]
    return ", ".join([*given, "None"])
