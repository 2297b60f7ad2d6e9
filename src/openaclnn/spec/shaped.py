"""Operators whose tensors have different subsets of one loop's dimensions: norms, statistics,
losses by class.

`laid` puts a tensor's dimensions where a step's axes are, `split` makes two of one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from openaclnn.base.dtypes import FLOAT, DType
from openaclnn.base.tensors import View
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import FLOATS
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Argument, In, InOut, Op, Out, exact_level
from openaclnn.spec.results import Results
from openaclnn.spec.rules import Castable, Dtypes, MaxDims, Promotable
from openaclnn.spec.steps import Part, Steps

Shape = tuple[int, ...]


def laid(part: Part | None, rank: int, dims: Sequence[int]) -> Part | None:
    """A part whose dimensions are these of a loop that has so many; along the others it has one
    element."""
    if part is None or len(part.view.shape) == rank:
        return part
    shape, strides = [1] * rank, [0] * rank
    for dim, size, stride in zip(dims, part.view.shape, part.view.strides, strict=True):
        shape[dim], strides[dim] = size, stride
    return Part(part.tensor, part.view.seen(shape, strides, part.view.offset))


def split(part: Part | None, dim: int, outer: int) -> Part | None:
    """A part with a dimension taken apart: so many, each of as many as there are then."""
    if part is None:
        return None
    own = part.view
    inner = own.shape[dim] // max(outer, 1)
    shape = (*own.shape[:dim], outer, inner, *own.shape[dim + 1 :])
    stride = own.strides[dim]
    strides = (*own.strides[:dim], stride * inner, stride, *own.strides[dim + 1 :])
    return Part(part.tensor, own.seen(shape, strides, own.offset))


def ones(shape: Sequence[int], dims: Sequence[int]) -> Shape:
    """A shape with 1 along some dimensions."""
    return tuple(1 if dim in dims else size for dim, size in enumerate(shape))


def without(shape: Sequence[int], dims: Sequence[int]) -> Shape:
    """A shape without some dimensions."""
    return tuple(size for dim, size in enumerate(shape) if dim not in dims)


def view_of(call: Call, name: str) -> View | None:
    """The view of a tensor that may be absent."""
    given = call[name]
    return None if given is None else given.view


def shape_fault(call: Call, **shapes: Shape | tuple[Shape, ...]) -> str | None:
    """What is wrong with the shapes of tensors that are there, each of which has one shape or one
    of several."""
    for name, wanted in shapes.items():
        several = bool(wanted) and isinstance(wanted[0], tuple)
        expected: Sequence[Any] = wanted if several else (wanted,)
        if call[name] is not None and call[name].shape not in expected:
            others = " or ".join(dict.fromkeys(str(list(one)) for one in expected))
            return f"{name} has shape {list(call[name].shape)}; expected {others}"
    return None


def statistic(dtype: DType) -> DType:
    """The dtype of means and deviations of numbers of a dtype: at least FLOAT, as on GPUs."""
    return FLOAT if dtype.bits < 32 else dtype


def shaped(
    name: str,
    arguments: tuple[Argument, ...],
    formula: Callable[..., Any],
    steps: Steps,
    results: Callable[[Call], Sequence[Shape | Meta]],
    fits: Callable[[Call], str | None],
    texts: tuple[str, str],
    en: str,
    zh: str,
    dtypes: tuple[DType, ...] = FLOATS,
    given: tuple[str, ...] = (),
    rules: tuple[Any, ...] = (),
    **more: Any,
) -> Op:
    """`fits` complains of shapes, of outputs, too, and `texts` say what it demands; `results` are
    of the promoted dtype where they say no more than shapes. `given` are the tensors that have one
    of the dtypes, if not all that are read."""
    reads = given or tuple(
        a.name for a in arguments if isinstance(a, (In, InOut)) and getattr(a, "read", True)
    )
    every = tuple(a.name for a in arguments if isinstance(a, (In, Out)))

    def made(call: Call) -> tuple[Meta, ...]:
        from openaclnn.spec.results import promoted_dtype

        try:
            found = results(call)
        except (IndexError, ZeroDivisionError, TypeError, ValueError):  # of a wrong call
            found = [()] * len(call.op.outputs)
        dtype = promoted_dtype(call)
        return tuple(one if isinstance(one, Meta) else Meta(tuple(one), dtype) for one in found)

    whole: Results = made
    return Op(
        name,
        en,
        zh,
        arguments,
        (
            Dtypes(reads, dtypes),
            MaxDims(every),
            *rules,
            Sound(fits, *texts),
            Promotable(),
            Castable(),
        ),
        formula,
        steps=steps,
        results=whole,
        **{"wide": exact_level, **more},
    )


def masked(call: Call, mask: str = "output_mask") -> str | None:
    """What is wrong with an attribute that says which outputs are wanted."""
    wanted, outs = call[mask], call.op.outputs
    if len(wanted) != len(outs):
        return f"{mask} has {len(wanted)} members; expected {len(outs)}"
    for output, asked in zip(outs, wanted, strict=True):
        if asked and call[output.name] is None:
            return f"{output.name} is null; expected a tensor, since {mask} asks for it"
    return None
