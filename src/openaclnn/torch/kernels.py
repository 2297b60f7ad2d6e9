"""The functions that PyTorch's dispatcher calls for an operator. Each is compiled from one line of
source, because Python binds arguments fastest that way.

Tensors that need no gradient and whose memory is known take the call cache at once, where autograd
would have its say; whatever else there may be between autograd and the memory (subclasses, modes,
lazy negations, functional tensors) is PyTorch's to resolve first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

import torch

from openaclnn.base.status import AclnnError, Status
from openaclnn.calls.functions import Caller, tensor_parameters
from openaclnn.calls.replay import native
from openaclnn.spec import host
from openaclnn.spec.op import Argument, Attr, In, Op, may_be_absent
from openaclnn.spec.stages import folds_of
from openaclnn.spec.steps import elementwise
from openaclnn.torch import fake
from openaclnn.torch.gradients import NoGradientError
from openaclnn.torch.schema import called, default_of, keywords, out_names, positional

Kernel = Callable[..., Any]


class Gradients(Protocol):
    """Calls that need gradients; `nodes` are short ways, where there are such, by what tensors have
    in common."""

    short: bool
    nodes: dict[tuple[Any, ...], Kernel]

    def node(self, alike: tuple[Any, ...]) -> Kernel | None:
        """A way for tensors, of each of which this says whether it needs a gradient, and its
        dtype."""

    def __call__(self, tensors: Sequence[Any], attributes: Sequence[Any], out: Any) -> Any: ...


class Kernels:
    """The functions of one operator, which makes its outputs or (`given`) is given them."""

    def __init__(self, op: Op, caller: Caller, given: bool = False) -> None:
        self.op, self.caller, self.given = op, caller, given
        self.outs = out_names(op) if given else ()
        self.returns = bool(op.separate) and not given

    @property
    def parameters(self) -> str:
        """As Python's `def` has them. A dispatcher leaves out what is a default."""
        by_position = [
            f"{called(a)}=None" if may_be_absent(a) else called(a) for a in positional(self.op)
        ]
        by_name = [f"{called(a)}=_default_{a.name}" for a in keywords(self.op)]
        return ", ".join([*by_position, *_starred([*by_name, *self.outs])])

    @property
    def passed(self) -> str:
        """The same, handed on."""
        by_name = [f"{name}={name}" for name in (*map(called, keywords(self.op)), *self.outs)]
        return ", ".join([*map(called, positional(self.op)), *by_name])

    @property
    def bound(self) -> str:
        """Tensors and attributes as the plain function has them, in C order, and what is written
        to."""
        return ", ".join([*self._tensors, *map(_converted, self.op.attributes), self._out])

    @property
    def as_given(self) -> str:
        """The same, attributes as PyTorch has them; tensors and attributes are a tuple each."""
        tensors = "".join(f"{name}, " for name in self._tensors)
        attributes = "".join(f"{called(a)}, " for a in self.op.attributes)
        return f"({tensors}), ({attributes}), {self._out}"

    @property
    def _list(self) -> bool:
        """Whether its tensors are one list."""
        return is_one_list(self.op)

    @property
    def _tensors(self) -> list[str]:
        return [called(a) for a in tensor_parameters(self.op)]

    @property
    def _out(self) -> str:
        return (
            self.outs[0]
            if len(self.outs) == 1
            else f"({', '.join(self.outs)})"
            if self.outs
            else "None"
        )

    def names(self) -> dict[str, Any]:
        """What compiled lines know."""
        defaults = {f"_default_{a.name}": default_of(a) for a in keywords(self.op)}
        known = {f"_spec_{a.name}": a.default for a in self.op.attributes}
        return {**defaults, **known, "_tuple": tuple, "_any": any}

    def compiled(self, lines: Sequence[str], parameters: str = "", **names: Any) -> Kernel:
        source = f"def {self.op.name}({parameters or self.parameters}):\n"
        source += "".join(f"    {line}\n" for line in lines)
        namespace = {**self.names(), **names}
        exec(compile(source, f"<torch.ops.openaclnn.{self.op.name}>", "exec"), namespace)
        self.caller.enter_by(namespace, "_call")
        self.caller.enter_by(namespace, "_take", only_known=True)
        kernel: Kernel = namespace[self.op.name]
        return kernel

    def on_memory(self) -> Kernel:
        """Computes, or says why it cannot be on such tensors."""
        answer = "return " if self.returns else ""
        return self.compiled([f"{answer}_call({self.bound})"])

    def before_memory(self, differentiate: Gradients, below: Kernel) -> Kernel:
        """What autograd's place in the dispatcher has: `differentiate` takes a call that needs a
        gradient, `below` hands one on to what stands below autograd."""
        tensors = [*map(_needs_gradient, tensor_parameters(self.op))]
        outs = zip(self.outs, self.op.separate, strict=bool(self.outs))
        of_outs = [
            f"_any([t.requires_grad for t in {name}])" if output.many else f"{name}.requires_grad"
            for name, output in outs
        ]
        needs = " or ".join([*tensors, *of_outs])
        short = ["if not (_transformed() or _modes()):", *self._short_way()]
        if self.given or not differentiate.short:
            short = []
        lines = [
            f"if _grad_enabled() and ({needs}):",
            *(f"    {line}" for line in short),
            f"    return _differentiate({self.as_given})",
            f"if _forward._current_level >= 0 and _tangents({self.as_given}):",
            f"    raise _no_tangent({self.op.c_name!r})",
            "if not _modes():",
            f"    found = _take({self.bound})",
            "    if found is not None:",
            f"        return {'found' if self.returns else ''}",
            f"return _below({self.passed})",
        ]
        return self.compiled(
            lines,
            _grad_enabled=torch.is_grad_enabled,
            _forward=torch.autograd.forward_ad,
            _tangents=_tangents,
            _no_tangent=_no_tangent,
            _modes=torch._C._len_torch_dispatch_stack,
            _transformed=torch._C._are_functorch_transforms_active,
            _nodes=differentiate.nodes,
            _node=differentiate.node,
            _differentiate=differentiate,
            _below=below,
        )

    def _short_way(self) -> list[str]:
        """To a node of autograd's that was made for tensors like these, if there is one."""
        names = self._tensors
        alike = "".join(f"{name}.requires_grad, {name}.dtype, " for name in names)
        if self._list:
            alike = f"*[fact for t in {names[0]} for fact in (t.requires_grad, t.dtype)],"
            names = [f"*{names[0]}"]
        attributes = "".join(f"{called(a)}, " for a in self.op.attributes)
        values = "".join(f"{_converted(a)}, " for a in self.op.attributes)
        given = [f"({attributes})", f"({values})", *names] if attributes else names
        optional = [a for a in tensor_parameters(self.op) if isinstance(a, In) and a.optional]
        there = " and ".join(f"{called(a)} is not None" for a in optional) or "True"
        return [
            f"    if {there}:",
            f"        _alike = ({alike})",
            "        _way = _nodes.get(_alike) or _node(_alike)",
            "        if _way is not None:",
            f"            return _way({', '.join(given)})",
        ]

    def before_dispatch(self, differentiate: Gradients, usual: Kernel) -> Kernel:
        """What a call by the operator's name comes to: on plain tensors, when PyTorch's dispatcher
        would do nothing but call `before_memory`, it does what that does at once."""
        by_position = [*map(called, positional(self.op))]
        needs = " or ".join(map(_needs_gradient, tensor_parameters(self.op)))
        lists = [called(a) for a in self.op.attributes if isinstance(a.host, host.Array)]
        tensors = [f"_type({name}) in _plain" for name in self._tensors]
        if self._list:
            (name,) = self._tensors
            lists.append(name)
            tensors = [f"_type({name}) is not _none and _all([_type(t) in _plain for t in {name}])"]
        plain = " and ".join([*(f"_type({name}) in _lists" for name in lists), *tensors])
        by_name = [
            f"    {called(a)} = _named.get({called(a)!r}, _default_{a.name})"
            for a in keywords(self.op)
        ]
        told = f"_len(_args) == {len(by_position)} and (not _named or _named.keys() <= _keywords)"
        lines = [
            f"if {told} and _quiet():",
            f"    {', '.join(by_position)}, = _args",
            *by_name,
            f"    if {plain} and _forward._current_level < 0:",
            f"        if not (_grad_enabled() and ({needs})):",
            f"            _found = _take({self.bound})",
            "            if _found is not None:",
            "                return _found",
            *(["        else:"] if differentiate.short else []),
            *(f"        {line}" for line in self._short_way() if differentiate.short),
            "return _usual(_packet, *_args, **_named)",
        ]
        found = self.compiled(
            lines,
            "_packet, /, *_args, **_named",
            _keywords={*map(called, keywords(self.op))},
            _type=type,
            _len=len,
            _plain=frozenset((torch.Tensor, torch.nn.Parameter)),
            _lists=frozenset((list, tuple, type(None))),  # PyTorch takes a number for one, too
            _none=type(None),
            _all=all,
            _forward=torch.autograd.forward_ad,
            _grad_enabled=torch.is_grad_enabled,
            _nodes=differentiate.nodes,
            _node=differentiate.node,
            _usual=usual,
        )

        def bind(library: native.Library | None) -> None:
            knows = library is not None and library.knows(torch.Tensor)  # before it learns
            found.__globals__["_quiet"] = library.quiet() if library and knows else bool

        native.whenever(bind)
        return found

    def without_memory(self) -> Kernel:
        """Makes tensors like the results."""
        op = self.op

        def make(tensors: Sequence[Any], attributes: Sequence[Any], out: Any) -> Any:
            named, numbers = by_name(op, tensors, attributes)
            if not self.returns:
                return fake.written(op, named, numbers, out if isinstance(out, tuple) else (out,))
            found = fake.made(op, named, numbers)
            return found[0] if len(found) == 1 else tuple(found)

        return self.compiled([f"return _make({self.as_given})"], _make=make)


def is_one_list(op: Op) -> bool:
    """Whether the tensors that an operator takes are one list."""
    return [a.many for a in tensor_parameters(op)] == [True]


@cache
def of_elements(op: Op) -> bool:
    """Whether each element of the results is computed of one of each tensor."""
    several = any(a.choices for a in op.attributes)  # ways, of which one may be a fold
    return op.steps is elementwise and not several and not folds_of(op.traced_in("f64"))


def refuse_nested(op: Op, tensors: Iterable[Any]) -> None:
    """PyTorch calls elementwise operators on the values of jagged tensors; others know no such."""
    taken = of_elements(op) and not op.in_place
    for one in (each for given in tensors for each in _flat(given)):
        if not isinstance(one, torch.Tensor) or not one.is_nested:
            continue
        if not (taken and one.layout is torch.jagged):
            also = ", or a nested one of layout torch.jagged" if taken else ""
            raise AclnnError(
                Status.PARAM_INVALID,
                f"{op.c_name}: a tensor is nested ({one.layout}); expected a plain one{also}",
            )


def _flat(given: Any) -> Sequence[Any]:
    return given if isinstance(given, (list, tuple)) else (given,)


def _tangents(tensors: Sequence[Any], attributes: Sequence[Any], out: Any) -> bool:
    """Whether a tensor has a derivative in forward mode."""
    flat = [one for given in tensors for one in _flat(given)]
    unpacked: Any = torch.autograd.forward_ad.unpack_dual
    return any(one is not None and unpacked(one).tangent is not None for one in flat)


def _no_tangent(c_name: str) -> NoGradientError:
    return NoGradientError(
        f"{c_name} has no derivative in forward mode; backward(), torch.func.grad and "
        "torch.func.jacrev have one"
    )


def by_name(
    op: Op, tensors: Sequence[Any], attributes: Sequence[Any]
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Tensors and attributes that stand in C order, by their names."""
    named = {a.name: one for a, one in zip(tensor_parameters(op), tensors, strict=True)}
    return named, {a.name: one for a, one in zip(op.attributes, attributes, strict=True)}


def _starred(names: list[str]) -> list[str]:
    return ["*", *names] if names else []


def _converted(argument: Attr) -> str:
    """An attribute as the plain function takes it; lists come as such, and have no hash."""
    name = given = called(argument)
    if isinstance(argument.host, host.Array):
        name = f"{name} if {name} is None else _tuple({name})"
    if default_of(argument) is None and argument.default is not None:
        name = f"_spec_{argument.name} if {given} is None else {name}"
    return name


def _needs_gradient(argument: Argument) -> str:
    name = called(argument)
    if argument.many:
        return f"_any([t.requires_grad for t in {name}])"
    if may_be_absent(argument):
        return f"({name} is not None and {name}.requires_grad)"
    return f"{name}.requires_grad"
