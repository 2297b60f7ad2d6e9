"""Operators in PyTorch's autograd: one node for each call, whose backward is again one of our
operators. So higher derivatives, compiled graphs and transforms need nothing more."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, cast

import torch
from torch._functorch.utils import enable_single_level_autograd_function

from openaclnn.base.bounded import Bounded
from openaclnn.base.records import dataclass
from openaclnn.base.status import AclnnError, Status
from openaclnn.calls.functions import Caller, tensor_parameters
from openaclnn.spec.op import InOut, Op
from openaclnn.spec.results import folded_dims
from openaclnn.torch import fake, gradients, members, short
from openaclnn.torch.gradients import LIKE, RESULT, NoGradientError, grad_of
from openaclnn.torch.kernels import by_name, refuse_nested
from openaclnn.torch.schema import called, keywords, positional
from openaclnn.torch.short import Made


@dataclass
class _Made:
    """A call as the backward sees it."""

    op: Op
    names: tuple[str, ...]  # of the arguments that the tensors are, lists taken apart
    attributes: dict[str, Any]
    shapes: tuple[Any, ...]
    double: bool
    saved: tuple[str, ...]  # what the saved tensors are


class Differentiable:
    """Calls of one operator that need gradients."""

    def __init__(self, op: Op, caller: Caller) -> None:
        self.op = op
        self.changed = next((a.name for a in op.arguments if isinstance(a, InOut)), None)
        self.nodes: dict[tuple[Any, ...], Callable[..., Any]] = {}
        self.short = short.possible(op)
        _callers[op.name] = caller

    def __call__(self, tensors: Sequence[Any], attributes: Sequence[Any], out: Any) -> Any:
        if out is not None:
            raise AclnnError(
                Status.PARAM_INVALID,
                f"{self.op.c_name}: out is given, and a tensor requires grad; expected one of the "
                "two: leave out `out`, or call inside torch.no_grad()",
            )
        named, numbers = by_name(self.op, tensors, attributes)
        one = members.repeated(self.op)
        if one is not None:
            return members.one_by_one(self.op, one, named, numbers)
        try:
            self.check(named)
        except NoGradientError:
            metas = fake.results(self.op, named, numbers)
            if self.changed is not None or any(meta.dtype.kind == "float" for meta in metas):
                raise
            with torch.no_grad():  # integers and booleans have no gradient
                return self.below(named, numbers)
        names = [name for name, given in named.items() for _ in _flat(given)]
        flat = [one for given in named.values() for one in _flat(given)]
        if torch._C._are_functorch_transforms_active():
            with enable_single_level_autograd_function():  # PyTorch calls us for each level
                result = _apply(self, names, numbers, *flat)
        else:
            result = _apply(self, names, numbers, *flat)
        if self.changed is None:
            return result
        named[self.changed].copy_(result)
        return None

    def check(self, named: Any) -> None:
        """Refuse a call that needs a gradient that there is not."""
        double = _in_double([one for given in named.values() for one in _flat(given)])
        for name, given in named.items():
            if any(one.requires_grad for one in _flat(given)):
                _needed(self.op, name, double)

    def node(self, alike: tuple[Any, ...]) -> Callable[..., Any] | None:
        with suppress(NoGradientError):  # which integers do not need
            self.nodes[alike] = short.node(self.op, _callers[self.op.name], self, alike)
        return self.nodes.get(alike)

    def directly(self, tensors: Sequence[Any], attributes: Sequence[Any]) -> Any:
        return self.below(*by_name(self.op, tensors, attributes))

    def back(self, made: Made, place: int, grad: Any, saved: Sequence[Any]) -> Any:
        named, numbers = by_name(self.op, made.shapes, made.attributes)
        call = _Made(self.op, tuple(named), dict(numbers), made.shapes, made.double, made.saved)
        return _way_back(call, place, (grad,), dict(zip(made.saved, saved, strict=True)))

    def uses(self, name: str, double: bool) -> frozenset[str]:
        return _needed(self.op, name, double)

    def fitted(self, grad: Any, shape: Any) -> Any:
        return _fitted(grad, shape)

    def like(self, grad: Any, shape: Any) -> Any:
        if type(grad) is not torch.Tensor or torch._C._are_functorch_transforms_active():
            return _like(grad, shape)
        alike = shape, grad.dtype, grad.device
        found = _likes.get(alike)
        if found is None:
            found = _like(grad, shape)
            if type(found) is torch.Tensor:  # no mode has made something else of it
                _likes[alike] = found
        return found

    def spread(self, shape: Any, whole: Any) -> Any:
        return _of_channels(shape, whole)

    def caller(self, op: Op) -> Caller:
        _operator(op)
        return _callers[op.name]

    def below(self, named: Any, numbers: Any) -> Any:
        """The call itself, below autograd; what it would change is copied first."""
        given = {**named, **numbers}
        refuse_nested(self.op, named.values())
        if self.changed is not None:
            given[self.changed] = given[self.changed].clone()
        with torch._C._AutoDispatchBelowAutograd():
            result = _operator(self.op).default(
                *(given[a.name] for a in positional(self.op)),
                **{called(a): given[a.name] for a in keywords(self.op)},
            )
        return result if self.changed is None else given[self.changed]


class _Node(torch.autograd.function._SingleLevelFunction):
    """Not a Function, which is for callers above PyTorch's dispatcher: it would begin anew."""

    _compiled_autograd_key = staticmethod(torch.autograd.Function._compiled_autograd_key)

    @staticmethod
    def forward(of: Differentiable, names: Any, numbers: Any, *flat: Any) -> Any:
        named = _gathered(of.op, names, flat)
        if not torch._C._are_functorch_transforms_active():
            return of.below(named, numbers)
        with torch.enable_grad():  # this level is done with autograd, those below it may not be
            return of.below(named, numbers)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        of, names, numbers, *flat = inputs
        uses = {
            use
            for name, needs in zip(names, ctx.needs_input_grad[3:], strict=True)
            if needs
            for use in _needed(of.op, name, _in_double(flat))
        }
        saved = [(name, one) for name, one in zip(names, flat, strict=True) if name in uses]
        if of.changed in uses:  # it is written to after this
            saved = [(name, one.clone() if name == of.changed else one) for name, one in saved]
        if RESULT in uses:
            saved.append((RESULT, output))
        ctx.save_for_backward(*(one for _, one in saved))
        shapes = tuple(one.shape for one in flat)
        ctx.made = _Made(
            of.op, tuple(names), numbers, shapes, _in_double(flat), tuple(name for name, _ in saved)
        )
        results = output if isinstance(output, tuple) else (output,)
        ctx.mark_non_differentiable(*(one for one in results if not one.is_floating_point()))

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        made: _Made = ctx.made
        known = dict(zip(made.saved, ctx.saved_tensors, strict=True))
        found: list[Any] = [None, None, None]
        for place, needs in enumerate(ctx.needs_input_grad[3:]):
            found.append(_way_back(made, place, grads, known) if needs else None)
        return tuple(found)


_apply = cast("Any", _Node).apply


_callers: dict[str, Caller] = {}  # of operators that PyTorch knows
_likes: Bounded[tuple[Any, ...], Any] = Bounded(256)  # tensors that nobody reads: see `_like`


def _operator(op: Op) -> Any:
    return getattr(torch.ops.openaclnn, op.name)


@cache
def _is_read(op: Op, name: str) -> bool:
    return name in {a.name for a in op.reads}


def _in_double(flat: Sequence[Any]) -> bool:
    return any(one.dtype is torch.float64 for one in flat)


@cache
def _needed(op: Op, name: str, double: bool) -> frozenset[str]:
    """What the gradient with respect to an input is computed from; NoGradientError where there is
    none."""
    if gradients.passes_on(op) or not _is_read(op, name):
        return frozenset()
    if gradients.folded_over(op) is not None and not gradients.takes_extremes(op):
        return frozenset()
    return gradients.gradient(op, name, double).uses


def _way_back(made: _Made, place: int, grads: Sequence[Any], known: dict[str, Any]) -> Any:
    """The gradient with respect to one of the tensors, from those of the results."""
    op, name, shape, grad = made.op, made.names[place], made.shapes[place], grads[0]
    if not _is_read(op, name):  # it was only overwritten
        return None
    over = gradients.folded_over(op)
    if over is not None:
        dims = folded_dims(_plain_dims(made.attributes[over]), len(shape))
        kept = [1 if k in dims else size for k, size in enumerate(shape)]
        grad, *others = (one.reshape(kept) for one in grads)
        if not gradients.takes_extremes(op):
            return _spread(grad, shape, op.expressions[0].name == "mean")
        grads = (grad, *others)
    if gradients.passes_on(op):
        return _fitted(_part(made, place, grad), shape)
    found = gradients.gradient(op, name, made.double)
    values = {grad_of(k): one for k, one in enumerate((grad, *grads[1:]))}
    values |= {**made.attributes, **known}
    if LIKE in found.uses:
        values[LIKE] = _like(grad, shape)
    channels = gradients.channels(op)
    along = shape
    if channels is not None:
        spread = _of_channels(made.shapes[made.names.index(channels)], made.shapes[0])
        values[channels] = known[channels].reshape(spread) if channels in known else None
        along = spread if name == channels else shape
    given = {
        called(a): values[found.arguments[a.name]]
        for a in found.op.arguments
        if found.arguments.get(a.name) in values
    }
    names = _places(found.op)
    by_place = [given.pop(name) for name in names] if given.keys() >= {*names} else []
    fitted = _fitted(_operator(found.op)(*by_place, **given), along)
    return fitted if along is shape else fitted.reshape(shape)


@cache
def _places(op: Op) -> tuple[str, ...]:
    """The arguments that are given by their places."""
    return tuple(called(a) for a in positional(op))


def _like(grad: Any, shape: Any) -> Any:
    """A tensor of a shape that takes no room."""
    return grad.new_empty(()).expand(shape)


def _of_channels(shape: Any, whole: Any) -> Any:
    """The shape in which numbers of channels broadcast to the input: channels are its second
    dimension."""
    if math.prod(shape) == 1:
        return shape if len(whole) else ()
    return (*shape, *[1] * (len(whole) - 2)) if len(shape) == 1 else shape


def _plain_dims(value: Any) -> Any:
    return tuple(value) if isinstance(value, (list, tuple)) else value


def _spread(grad: Any, shape: Any, mean: bool) -> Any:
    """What each element has of a sum's or a mean's gradient."""
    if mean:
        count = 1
        for size, kept in zip(shape, grad.shape, strict=True):
            count *= 1 if size == kept else size
        grad = _operator(gradients.SHARE)(grad, max(count, 1))
    return grad.expand(shape)


def _part(made: _Made, place: int, grad: Any) -> Any:
    """The part of a gradient that belongs to one of several tensors that were joined."""
    name = made.names[place]
    argument = next(a for a in tensor_parameters(made.op) if a.name == name)
    if not argument.many:
        return grad
    joined = [k for k, other in enumerate(made.names) if other == name]
    shapes, needs = [made.shapes[k] for k in joined], [k == place for k in joined]
    return short.parts(grad, made.attributes["dim"], shapes, needs)[joined.index(place)]


def _fitted(grad: Any, shape: Any) -> Any:
    """A gradient of a broadcast tensor, summed where it was broadcast: exactly, then rounded."""
    extra = grad.dim() - len(shape)
    dims = list(range(extra))
    dims += [k + extra for k, size in enumerate(shape) if size == 1 and grad.shape[k + extra] != 1]
    if dims:
        grad = _operator(gradients.SUM)(grad, dim=dims, keep_dim=True)
    return grad.reshape(shape) if extra else grad


def _flat(given: Any) -> Sequence[Any]:
    if given is None:
        return ()
    return given if isinstance(given, (list, tuple)) else (given,)


def _gathered(op: Op, names: Sequence[str], flat: Sequence[Any]) -> dict[str, Any]:
    """Tensors by argument, lists as such, what is absent None."""
    found: dict[str, Any] = {}
    for a in tensor_parameters(op):
        own = [one for name, one in zip(names, flat, strict=True) if name == a.name]
        found[a.name] = own if a.many else (own[0] if own else None)
    return found
