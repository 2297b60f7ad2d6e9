"""What is computed, as steps: in each a formula reads parts of some tensors and writes parts of
others. Most operators are one step over whole tensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

from openaclnn.base.dtypes import INT64, POSITION, DType, address_of
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import View, view
from openaclnn.spec.call import Call, Given
from openaclnn.spec.formula import ADDRESS, Expr, constant
from openaclnn.spec.routine import Routine

POSITIONS = -2
SCRATCH = -3  # and below: the first, the second, … piece of scratch memory of a call
COUNT = SCRATCH - 900  # the one that has how many elements there are, if data decide it


@dataclass(frozen=True)
class Part:
    """A view of a tensor's storage that a step reads or writes; `tensor` is its number among the
    call's used ones, or POSITIONS: what is read is the element's number; or it is scratch."""

    tensor: int
    view: View


@dataclass(frozen=True)
class Limit:
    """What the elements of a tensor of indices may be. They are known when the work is done: where
    one is outside, nothing is read or written there, and the call is reported then. `low` lies
    within. `called`: of scratch memory, what a report begins with, "the sum of repeats is"."""

    part: Part
    low: int
    high: int
    but: int | None = None  # one that stands for no place
    called: str = ""


@dataclass(frozen=True)
class Step:
    """One formula over parts. What it reads broadcasts to what it writes, which has one shape, or
    with folds the shape that each result is left with.

    `reads` are by the formula's parameter, None where an optional tensor is absent; `writes` stand
    in the order of the formula's results, None where nobody wants one. No formula: the operator's.
    `axes` are the dimensions of what is read that its folds are over, by name; what is written has
    size 1 along those that a result has not. A step with a
    `routine` runs that instead of a formula: each of its parts has a shape of its own. `limits`
    are those of the indices that a formula reads.
    """

    reads: dict[str, Part | None]
    writes: tuple[Part | None, ...]
    formula: Callable[..., Any] | None = None
    axes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    routine: Routine | None = None
    limits: tuple[Limit, ...] = ()


Steps = Callable[[Call], tuple[Step, ...]]


def parts(call: Call) -> dict[str, Part]:
    """Every used tensor as a whole, by label."""
    return {given.label: _whole(number, given) for number, given in enumerate(call.used)}


def _whole(number: int, given: Given) -> Part:
    return Part(number, given.tensor.view)


def elementwise(call: Call) -> tuple[Step, ...]:
    """The operator's formula, once, over its whole tensors."""
    known = parts(call)
    reads = {a.name: known.get(a.name) for a in call.op.reads}
    return (Step(reads, tuple(known.get(a.name) for a in call.op.outputs)),)


def copied(self: Any) -> Any:
    """The formula of a step that moves values, converting them where dtypes differ."""
    return self


def zeros() -> Expr:
    """The formula of a step that reads nothing and writes 0."""
    return constant(0)


def scratch(number: int, dtype: DType, shape: Sequence[int]) -> Part:
    """A piece of scratch memory, by which one step hands something to a later one."""
    return Part(SCRATCH - number, view(dtype, tuple(shape)))


def count() -> Part:
    """Where a step leaves how many elements were found, which results' shapes follow from
    (`Op.sized`)."""
    return Part(COUNT, view(INT64, (1,)))


def integer(value: int) -> Part:
    """A number that a formula computes places with."""
    return Part(POSITIONS, view(POSITION, (), (), value))


def places(shape: Sequence[int], strides: Sequence[int], first: int = 0) -> Part:
    """Integers that grow along the dimensions of a loop: places in a mapped tensor."""
    return Part(POSITIONS, view(POSITION, tuple(shape), tuple(strides), first))


def mapped(name: str, part: Part | None, **axes: tuple[int, int]) -> dict[str, Part | None]:
    """What a formula reads that looks up elements of a tensor: `axes` are the size and the stride
    of those along which it says where; along others the part's view moves as any other."""
    if part is None:
        return {name: None}
    own, size = part.view, part.view.dtype.itemsize
    strides = [stride * size for stride in own.strides]
    at = view(address_of(own.dtype), own.shape, tuple(strides), own.offset * size)
    found: dict[str, Part | None] = {name: part, name + ADDRESS: Part(part.tensor, at)}
    for axis, (count, stride) in axes.items():
        found[f"{name} size {axis}"] = integer(count)
        found[f"{name} step {axis}"] = integer(stride * size)
    return found


def position(whole: View, dim: int) -> Part:
    """Where an element of a view stands along a dimension: 0, 1, …"""
    strides = [int(k == dim) for k in range(len(whole.shape))]
    return Part(POSITIONS, whole.seen(whole.shape, strides, 0, POSITION))


def narrowed(whole: View, dim: int, start: int, size: int) -> View:
    """Some of a view's elements: so many along a dimension, from a start on."""
    shape = list(whole.shape)
    shape[dim] = size
    return whole.seen(shape, whole.strides, whole.offset + start * whole.strides[dim])


def flipped(part: Part, dim: int) -> Part:
    """A part whose elements stand the other way round along a dimension."""
    view, strides = part.view, list(part.view.strides)
    start = view.offset + max(view.shape[dim] - 1, 0) * strides[dim]
    strides[dim] = -strides[dim]
    return Part(part.tensor, view.seen(view.shape, strides, start))


def halves(part: Part, dim: int) -> tuple[Part, Part]:
    """The first and the second half of a part along a dimension."""
    half = part.view.shape[dim] // 2
    first, second = (narrowed(part.view, dim, start, half) for start in (0, half))
    return Part(part.tensor, first), Part(part.tensor, second)


def of_halves(call: Call) -> tuple[Step, ...]:
    """One step over both halves of `self` along `dim`, the formula's `first_half` and
    `second_half`."""
    known = parts(call)
    first, second = halves(known["self"], call["dim"])
    writes = tuple(known.get(output.name) for output in call.op.outputs)
    return (Step({"first_half": first, "second_half": second}, writes),)
