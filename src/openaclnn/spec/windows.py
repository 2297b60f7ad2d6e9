"""Loops over sliding windows, for pooling and similar: a dimension for each spatial one of the
output, and an inner one for each dimension of the window (or of the candidates for it)."""

from __future__ import annotations

from collections.abc import Sequence

from openaclnn.spec.call import Call
from openaclnn.spec.formula import Expr, tensor
from openaclnn.spec.steps import Part, integer, mapped, places

Shape = tuple[int, ...]


def names(spatial: int) -> tuple[str, ...]:
    """The mapped axes of an image."""
    return tuple(f"s{k}" for k in range(spatial))


def image(name: str, part: Part, spatial: int, rank: int) -> dict[str, Part | None]:
    """An image of which a formula looks up elements, by places along its spatial axes."""
    own, kept = part.view, len(part.view.shape) - spatial
    ones = rank - kept
    view = own.seen(own.shape[:kept] + (1,) * ones, own.strides[:kept] + (0,) * ones, own.offset)
    dims = zip(own.shape[kept:], own.strides[kept:], strict=True)
    axes = dict(zip(names(spatial), dims, strict=True))
    return mapped(name, Part(part.tensor, view), **axes)


def along(rank: int, **sizes: tuple[int, int, int]) -> dict[str, Part | None]:
    """Numbers that grow along a loop's dimensions: of each a name, the dimension, its size, and how
    fast; from 0 on."""
    found: dict[str, Part | None] = {}
    for name, (dim, size, step) in sizes.items():
        shape, strides = [1] * rank, [0] * rank
        shape[dim], strides[dim] = size, step
        found[name] = places(shape, strides)
    return found


def growing(rank: int, dims: Sequence[tuple[int, int, int]], first: int = 0) -> Part:
    """A number that grows along several dimensions of a loop, each with its size and how fast."""
    shape, strides = [1] * rank, [0] * rank
    for dim, size, step in dims:
        shape[dim], strides[dim] = size, step
    return places(shape, strides, first)


def at_end(part: Part, rank: int) -> Part:
    """A part with dimensions of one element behind its own: what a loop folds."""
    own, more = part.view, rank - len(part.view.shape)
    view = own.seen(own.shape + (1,) * more, own.strides + (0,) * more, own.offset)
    return Part(part.tensor, view)


def inputs(text: str, spatial: int) -> list[Expr]:
    """What a formula reads by this name along each of the spatial axes."""
    return [tensor(f"{text} {k}") for k in range(spatial)]


def numbers(text: str, values: Sequence[int]) -> dict[str, Part | None]:
    """Integers by such names."""
    return {f"{text} {k}": integer(value) for k, value in enumerate(values)}


def several(call: Call, name: str, spatial: int, default: Shape | None = None) -> Shape:
    """An attribute of one number, or of one for each spatial axis."""
    given = tuple(call[name] or ())
    if not given and default is not None:
        return default
    return given * spatial if len(given) == 1 else given
