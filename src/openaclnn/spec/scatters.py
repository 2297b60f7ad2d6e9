"""Scatters, as a routine, and the family of operators that are one: a tensor whose elements are
replaced by others, or added to, at the places that indices name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from openaclnn.base.records import dataclass
from openaclnn.spec.call import Call
from openaclnn.spec.formula import Expr, described
from openaclnn.spec.routine import Routine
from openaclnn.spec.steps import Limit, Part, Step

PUT, ADD, MULTIPLY = "put", "add", "multiply"
KINDS = {0: PUT, 1: ADD, 2: MULTIPLY}


@dataclass(frozen=True)
class Scatter(Routine):
    """Reads a tensor, what is scattered, and tensors of indices; writes the tensor as it is then.

    `coordinates` say for every dimension of the tensor where an element of what is scattered goes
    along it: a number from 0 on is the dimension of what is scattered whose place that is, below 0
    the tensor of indices, the first being -1. Indices below 0 count from the end, and where one is
    outside nothing happens. Of several that go to one place the last replaces it; sums are exact
    and rounded once, products are rounded one after the other.
    """

    kind: str
    coordinates: tuple[int, ...]

    reads_first = True  # everything is read before anything is written
    moves = True  # what stays and what replaces it


def scattered(
    self: Part,
    src: Part,
    indices: Sequence[Part],
    coordinates: Sequence[int],
    out: Part,
    kind: str = PUT,
) -> Step:
    """The step; each tensor of indices broadcasts to what is scattered, as does a number. Those
    that the call was given are checked."""
    reads: dict[str, Part | None] = {"self": self, "src": src}
    reads |= {f"index{number}": part for number, part in enumerate(indices)}
    sizes = self.view.shape
    limits = tuple(
        Limit(indices[-1 - where], -sizes[dim], sizes[dim] - 1)
        for dim, where in enumerate(coordinates)
        if where < 0 and indices[-1 - where].tensor >= 0
    )
    routine = Scatter(kind, tuple(coordinates))
    return Step(reads, (out,), routine=routine, limits=limits)


def spread(part: Part, shape: Sequence[int], dims: Sequence[int]) -> Part:
    """A part repeated to a shape, of which it has these dimensions."""
    strides = [0] * len(shape)
    own = part.view
    for dim, size, stride in zip(dims, own.shape, own.strides, strict=True):
        strides[dim] = stride if size != 1 else 0
    return Part(part.tensor, own.seen(tuple(shape), strides, own.offset))


def as_vector(part: Part) -> Part:
    """A number as a tensor of one element."""
    own = part.view
    return part if own.shape else Part(part.tensor, own.seen((1,), (1,), own.offset))


def words(what: str) -> Callable[..., Expr]:
    """A formula for people: what it does to `self`."""

    def formula(self: Expr) -> Expr:
        return described(what, self)

    return formula


def target(call: Call) -> str:
    """The argument that is written."""
    return call.op.outputs[0].name
