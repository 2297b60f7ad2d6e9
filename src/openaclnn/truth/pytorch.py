"""PyTorch's function with an operator's meaning, as the operator's file names it; arguments are
matched with those of PyTorch's schema, by name and then in order."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from openaclnn.base.dtypes import DType
from openaclnn.base.records import dataclass
from openaclnn.base.scalars import Scalar
from openaclnn.spec.host import FLAG, Array
from openaclnn.spec.op import Argument, Attr, In, InOut, Op

if TYPE_CHECKING:
    from numpy.typing import NDArray


_DTYPE = "ScalarType"


@cache
def is_here() -> bool:
    return find_spec("torch") is not None


@dataclass(frozen=True)
class _Formal:
    """An argument of PyTorch's; `kind` is its type as the schema writes it, or nothing."""

    name: str
    kind: str
    _: KW_ONLY
    optional: bool
    by_name: bool


@dataclass(frozen=True)
class TorchFunction:
    """A function and, for each of its arguments, ours that it takes; `outs` are the names of those
    that it writes to."""

    function: Callable[..., Any]
    taken: tuple[tuple[_Formal, Argument | None], ...]
    outs: tuple[str, ...]

    def __call__(
        self, tensors: Mapping[str, Any], attributes: Mapping[str, Any], outs: Sequence[Any] = ()
    ) -> tuple[Any, ...]:
        """The results, for tensors of PyTorch's and attributes of ours by name."""
        bound = self.bound(tensors, attributes, outs)
        found = bound()
        return found if isinstance(found, tuple) else (found,)

    def bound(
        self, tensors: Mapping[str, Any], attributes: Mapping[str, Any], outs: Sequence[Any] = ()
    ) -> Callable[[], Any]:
        """A call that only has to be made."""
        positional: list[Any] = []
        named: dict[str, Any] = dict(zip(self.outs, outs, strict=True))
        in_order = True
        for formal, ours in self.taken:
            if ours is None:
                in_order = False
                if formal.kind == _DTYPE and not formal.optional:  # the gradient's own
                    named[formal.name] = next(iter(tensors.values())).dtype
                continue
            of = attributes if isinstance(ours, Attr) else tensors
            if formal.by_name or not in_order:
                named[formal.name] = _value(of[ours.name])
            else:
                positional.append(_value(of[ours.name]))
        function = self.function
        return lambda: function(*positional, **named)


@cache
def function(op: Op, into: bool = False) -> TorchFunction | None:
    """PyTorch's function, or the one that writes `into` given outputs; None where it has none that
    takes the same arguments."""
    if not op.torch or not is_here():
        return None
    for candidate, formals, outs in _candidates(op, into):
        taken = _matched(op, formals)
        if taken is not None and len(outs) == (len(op.outputs) if into else 0):
            return TorchFunction(candidate, taken, outs)
    return None


def _candidates(
    op: Op, into: bool
) -> Iterator[tuple[Callable[..., Any], list[_Formal], tuple[str, ...]]]:
    import torch

    last = op.torch.rpartition(".")[2]
    changing = [f"{last.removesuffix('_')}_"] if op.in_place else []
    for name in (*changing, last):
        packet = getattr(torch.ops.aten, name, None)
        for overload in packet.overloads() if packet is not None else ():
            one = getattr(packet, overload)
            arguments = one._schema.arguments
            outs = tuple(a.name for a in arguments if a.is_out)
            if bool(outs) == into:
                yield one, [_formal(a) for a in arguments if not a.is_out], outs
    found: Any = torch
    for part in op.torch.split("."):
        found = getattr(found, part, None)
    if into or found is None or (op.in_place and not last.endswith("_")):
        return  # a function of Python's does not change its arguments
    try:
        parameters = inspect.signature(found).parameters.values()
    except (TypeError, ValueError):  # a builtin
        return
    yield found, [_parameter(p) for p in parameters], ()


def _formal(argument: Any) -> _Formal:
    return _Formal(
        argument.name,
        str(argument.real_type),
        optional=argument.has_default_value(),
        by_name=argument.kwarg_only,
    )


def _parameter(parameter: inspect.Parameter) -> _Formal:
    by_name = parameter.kind is inspect.Parameter.KEYWORD_ONLY
    optional = parameter.default is not parameter.empty
    return _Formal(parameter.name, "", optional=optional, by_name=by_name)


def _matched(op: Op, formals: list[_Formal]) -> tuple[tuple[_Formal, Argument | None], ...] | None:
    """Which argument of ours each of PyTorch's takes: None where it keeps its default; nothing
    where they do not fit."""
    left: list[Argument] = [
        a
        for a in op.arguments
        if isinstance(a, (Attr, InOut)) or (isinstance(a, In) and (a.read or a.left))
    ]
    found: dict[str, Argument] = {}
    for formal in formals:
        name = _spelt(formal.name)
        same = next((a for a in left if _spelt(a.name) == name and _fits(a, formal)), None)
        if same is not None:
            found[formal.name] = same
            left.remove(same)
    for formal in formals:
        if formal.name not in found and not (formal.optional and formal.kind):
            if formal.kind and any(a.name == formal.name for a in op.arguments):
                return None  # a number where ours is a tensor: the arguments change places
            other = next((a for a in left if _fits(a, formal)), None)
            if other is None and not formal.optional and formal.kind != _DTYPE:
                return None
            if other is not None:
                found[formal.name] = other
                left.remove(other)
    return None if left else tuple((formal, found.get(formal.name)) for formal in formals)


def _spelt(name: str) -> str:
    """
    >>> _spelt("keep_dims"), _spelt("keepdim")
    ('keepdim', 'keepdim')
    """
    return name.replace("_", "").removesuffix("s")


def _fits(argument: Argument, formal: _Formal) -> bool:
    if not formal.kind:
        return isinstance(argument, Attr) == formal.optional
    if not isinstance(argument, Attr):
        many = argument.many
        return "Tensor" in formal.kind and ("List" in formal.kind) == many
    if isinstance(argument.host, Array):
        return "List" in formal.kind and "Tensor" not in formal.kind
    wanted = ("bool",) if argument.host is FLAG else ("number", "float", "int", "Scalar")
    return "Tensor" not in formal.kind and any(word in formal.kind for word in wanted)


def _value(value: Any) -> Any:
    import torch

    if isinstance(value, Scalar):
        return value.value
    if isinstance(value, DType):
        return getattr(torch, value.numpy_name) if value.numpy_name else None
    return list(value) if isinstance(value, tuple) else value


def tensor(array: NDArray[Any], dtype: DType) -> Any:
    """A tensor on the array's memory; NumPy's bfloat16 is nothing that PyTorch takes."""
    import torch

    kind = getattr(torch, dtype.numpy_name)
    bits = torch.from_numpy(array.view(f"i{dtype.itemsize}"))
    return bits.view(kind)


def array(tensor: Any, dtype: DType) -> NDArray[Any]:
    """The elements of a tensor of this dtype."""
    import torch

    bits = tensor.cpu().contiguous().view(getattr(torch, f"int{dtype.bits}"))
    found: NDArray[Any] = bits.numpy().view(dtype.numpy)
    return found


def leaving(argument: In, tensors: Mapping[str, Any], into: Any) -> Callable[[], Any]:
    """A call that makes what the forward pass leaves in an input that we do not read: a chain of
    functions of one tensor, each of which writes where the one before it did."""
    import torch

    from openaclnn.spec.formula import tensor, trace

    assert argument.left is not None
    names = inspect.signature(argument.left).parameters
    (tree,) = trace(argument.left, {name: tensor(name) for name in names}).results
    chain: list[Callable[..., Any]] = []
    while tree.op != "input":
        chain.insert(0, getattr(torch, tree.op))
        (tree,) = tree.args
    first = tensors[tree.name]

    def leave() -> Any:
        value = first
        for function in chain:
            value = function(value, out=into)
        return value

    return leave
