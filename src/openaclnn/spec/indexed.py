"""The family of look-ups: elements of a tensor at the places that a tensor of indices names along a
dimension. An index below 0 counts from the end; one outside is refused when the work is done."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from openaclnn.base.dtypes import INT32, INT64
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr, around, constant
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Argument, Attr, In, InOut, Op, Out, never
from openaclnn.spec.rules import Castable, Dtypes, MaxDims, ResultShape
from openaclnn.spec.scatters import ADD, as_vector, scattered, spread
from openaclnn.spec.shaped import laid
from openaclnn.spec.steps import Limit, Part, Step, mapped, parts, scratch

INDICES = (INT32, INT64)
Shape = tuple[int, ...]


def limit(part: Part, size: int, from_end: bool = True, but: int | None = None) -> Limit:
    """What indices along an axis of so many places may be."""
    return Limit(part, -size if from_end else 0, size - 1, but)


def within(call: Call, of: str, dim: str) -> str | None:
    """What is wrong with an attribute that names a dimension."""
    rank, given = len(call[of].shape), call[dim]
    if -max(rank, 1) <= given < max(rank, 1):
        return None
    return f"{dim} is {given}; expected {-rank} to {rank - 1}, as {of} has {rank} dimensions"


def at_index(self: Expr, index: Expr) -> Expr:
    return self.at(place=around(index, self.size("place")))


def looked_up(
    call: Call, name: str, index: str, dim: int, out: str = "out", listed: bool = False
) -> tuple[Step, ...]:
    """The step that reads a slice for every index: the result has the tensor's dimensions with
    those of the indices in the place of one. `listed`: one index is a list of one."""
    known = parts(call)
    whole, places = known[name], known[index]
    if listed:
        places = as_vector(places)
    own, rank = whole.view, len(places.view.shape)
    if not own.shape:  # a number has one place
        own = own.seen((1,), (0,), own.offset)
    dim %= len(own.shape)
    after = len(own.shape) - dim - 1
    ones, zeros = (1,) * rank, (0,) * rank
    along = own.seen(
        (*own.shape[:dim], *ones, *own.shape[dim + 1 :]),
        (*own.strides[:dim], *zeros, *own.strides[dim + 1 :]),
        own.offset,
    )
    spread = laid(places, dim + rank + after, range(dim, dim + rank))
    target = known[out]
    if len(target.view.shape) != dim + rank + after:  # a number
        target = Part(target.tensor, target.view.seen(ones, zeros, target.view.offset))
    size = own.shape[dim]
    reads = mapped("self", Part(whole.tensor, along), place=(size, own.strides[dim]))
    return (Step({**reads, "index": spread}, (target,), at_index, limits=(limit(places, size),)),)


def zero() -> Expr:
    return constant(0)


def added_back(call: Call, index: str, coordinates: tuple[int, ...], dims: Sequence[int]) -> Any:
    """The steps of a look-up's gradient: the results' gradients are added where they came from;
    `dims` are those of the results along which indices lie."""
    known = parts(call)
    grad, into = as_vector(known["grad_result"]), as_vector(known["grad_input"])
    none = scratch(0, into.view.dtype, ())
    each = spread(as_vector(known[index]), grad.view.shape, dims)
    zeros = spread(none, into.view.shape, ())
    return (Step({}, (none,), zero), scattered(zeros, grad, (each,), coordinates, into, ADD))


def slices_back(call: Call, index: str, dim: int) -> Any:
    """The same where a slice was read for every index."""
    rank, own = len(call["grad_input"].shape or (1,)), len(call[index].shape or (1,))
    dim %= rank
    coordinates = tuple(-1 if k == dim else k if k < dim else k - 1 + own for k in range(rank))
    return added_back(call, index, coordinates, range(dim, dim + own))


def indexed(
    name: str,
    arguments: tuple[Argument, ...],
    formula: Callable[..., Any],
    steps: Callable[[Call], tuple[Step, ...]],
    shape: Callable[[Call], Shape],
    fits: Callable[[Call], str | None],
    texts: tuple[str, str],
    en: str,
    zh: str,
    index: str = "index",
    of: str = "self",
    **more: Any,
) -> Op:
    """`of` is the tensor whose elements they are, in its dtype; `shape` is the result's."""

    def results(call: Call) -> tuple[Meta, ...]:
        found: list[Meta] = []
        for output in call.op.outputs:
            if isinstance(output, InOut):
                found.append(Meta(call[output.name].shape, call[output.name].dtype))
                continue
            try:
                made = shape(call)
            except (IndexError, TypeError, ValueError):  # of a wrong call
                made = ()
            found.append(Meta(made, call[of].dtype))
        return tuple(found)

    tensors = tuple(a.name for a in arguments if not isinstance(a, Attr))
    values = tuple(a.name for a in arguments if isinstance(a, (In, InOut)) and a.name != index)
    return Op(
        name,
        en,
        zh,
        arguments,
        (
            Dtypes(values, ALL, lacks_complex=True),
            Dtypes((index,), INDICES),
            MaxDims(tensors),
            Sound(fits, *texts),
            ResultShape(),
            Castable(),
        ),
        formula,
        steps=steps,
        results=results,
        **{"wide": never, "promotes": lambda call: call[of].dtype, **more},
    )


OUT = Out("out", "the result", "结果")
