"""A call as the stages see it: arguments by name, absent ones None, lists as tuples; and what
follows from them, each worked out in one place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from openaclnn.base import dtypes
from openaclnn.base.dtypes import DType
from openaclnn.base.products import Product
from openaclnn.base.records import dataclass
from openaclnn.base.scalars import Scalar
from openaclnn.base.status import OpenaclnnError
from openaclnn.base.tensors import Tensor

if TYPE_CHECKING:
    from openaclnn.spec.op import Argument, Op


@dataclass(frozen=True)
class Meta:
    """What a result is like: enough to allocate it."""

    shape: tuple[int, ...]
    dtype: DType


@dataclass(frozen=True)
class Given:
    """A tensor that a call was given, and the argument that it is, or is one of."""

    argument: Argument
    tensor: Tensor
    label: str  # the argument's name; of a list's member `tensors[1]`


class UnknownArgumentError(OpenaclnnError):
    """An operator's rule, or another part of it, asks for an argument that it does not have."""

    def __init__(self, op: Op, name: str) -> None:
        known = ", ".join(argument.name for argument in op.arguments)
        super().__init__(f"{op.name}: {name!r} is no argument; expected one of {known}")
        self.name = name


class Call:
    """The arguments of one call of an operator on a product, not yet checked unless said."""

    def __init__(self, op: Op, arguments: Mapping[str, Any], product: Product) -> None:
        self.op, self.arguments, self.product = op, arguments, product

    def __getitem__(self, name: str) -> Any:
        try:
            return self.arguments[name]
        except KeyError:
            raise UnknownArgumentError(self.op, name) from None

    def of(self, names: Sequence[str]) -> Iterator[tuple[str, Any]]:
        """The named arguments that are there, by label; lists are taken apart."""
        for name in names:
            value = self[name]
            if isinstance(value, tuple):
                yield from ((f"{name}[{i}]", item) for i, item in enumerate(value))
            elif value is not None:
                yield name, value

    def _given(self, arguments: Sequence[Argument]) -> tuple[Given, ...]:
        return tuple(
            Given(argument, tensor, label)
            for argument in arguments
            for label, tensor in self.of((argument.name,))
        )

    @cached_property
    def used(self) -> tuple[Given, ...]:
        """The tensors that are read or written, in C order."""
        return self._given(self.op.used)

    @cached_property
    def reads(self) -> tuple[Given, ...]:
        return self._given(self.op.reads)

    @cached_property
    def writes(self) -> tuple[Given, ...]:
        return self._given(self.op.outputs)

    def outputs(self) -> Iterator[tuple[str, Tensor | None, Meta]]:
        """Of every result its name, its tensor where there is one, and what it is to be like."""
        for output, found in zip(
            self.op.outputs, of_outputs(self.op.outputs, self.results), strict=True
        ):
            if not isinstance(found, tuple):
                yield output.name, self[output.name], found
                continue
            given = self[output.name] or ()
            for k, meta in enumerate(found):
                yield f"{output.name}[{k}]", given[k] if k < len(given) else None, meta

    @cached_property
    def outs(self) -> tuple[Tensor | None, ...]:
        """The tensors that are written, as many as there are results: None for what is absent."""
        each = (self[output.name] for output in self.op.outputs)
        return tuple(one for given in each for one in (given if type(given) is tuple else (given,)))

    @cached_property
    def attributes(self) -> dict[str, Any]:
        """Host values by name; an absent one counts as its default."""
        return {
            a.name: a.host.from_python(a.default) if self[a.name] is None else self[a.name]
            for a in self.op.attributes
        }

    @cached_property
    def promoted(self) -> DType | None:
        """The dtype that is computed in, or None where the inputs' have none in common."""
        return self.op.promotes(self)

    @cached_property
    def results(self) -> tuple[Meta, ...]:
        """What the outputs are to be like, in C order; of a list each of its tensors."""
        return self.op.results(self)

    @cached_property
    def members(self) -> tuple[Member, ...]:
        """The calls that make up one of an operator that repeats another; else the call itself."""
        if self.op.repeats is None:
            return (Member(self, tuple(range(len(self.used)))),)
        return self.op.repeats.members(self)

    @cached_property
    def numel(self) -> int:
        """Elements of the first output."""
        return self.writes[0].tensor.view.numel


@dataclass(frozen=True, eq=False)
class Member:
    """A call that is part of another one: `tensors` are the numbers, among that one's used tensors,
    of those that this one uses."""

    call: Call
    tensors: tuple[int, ...]


One = TypeVar("One")


def of_outputs(outputs: Sequence[Argument], flat: Sequence[One]) -> list[One | tuple[One, ...]]:
    """What is said of every tensor that is written, by output: of a list a tuple.

    >>> from openaclnn.spec.op import Out
    >>> of_outputs([Out("values", many=True), Out("count")], [1, 2, 3])
    [(1, 2), 3]
    """
    lists = sum(output.many for output in outputs)
    each = (len(flat) - (len(outputs) - lists)) // max(lists, 1)  # lists are equally long
    found: list[One | tuple[One, ...]] = []
    rest = iter(flat)
    for output in outputs:
        found.append(tuple(islice(rest, each)) if output.many else next(rest))
    return found


def promoted_inputs(call: Call) -> DType | None:
    """The dtype in which the tensors that are read meet, and the scalars that take part: those
    count only where they are of a larger kind, as a Python number beside an array."""
    read = [given.tensor.dtype for given in call.reads]
    scalars = [call.attributes[a.name] for a in call.op.attributes if a.promotes]
    found = dtypes.promote(*read) if read else None
    for value in scalars:
        if isinstance(value, Scalar) and found is not None:
            found = dtypes.promote_scalar(found, value.dtype)
    return found
