"""Results whose shapes depend on data: true elements are counted, and their positions are written
in order.

Outputs have room for the largest result there can be, and are contiguous. What was found lies at
their beginning; they get its shape when the call has run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from openaclnn.base.dtypes import BOOL, DOUBLE, INT64, DType
from openaclnn.base.records import dataclass
from openaclnn.base.tensors import View, contiguous_strides, product_of
from openaclnn.spec.call import Call
from openaclnn.spec.formula import Expr, among_numbers, floor_div, not_equal, where
from openaclnn.spec.moves import Sound
from openaclnn.spec.routine import Routine
from openaclnn.spec.steps import Part, Step, count, mapped, scratch

Shape = tuple[int, ...]
FLAGS, PLACES = 50, 51  # pieces of scratch memory


@dataclass(frozen=True)
class Compact(Routine):
    """The places of what is set among flags, in order, and how many there are. Reads the flags, a
    vector of booleans; writes the places, of which there is room for as many, and the count."""

    moves = True


def set_(self: Expr) -> Expr:
    """Whether an element is not 0; NaN is not."""
    return not_equal(self, 0)


def flags(shape: Sequence[int]) -> Part:
    """Where a step leaves what is set."""
    return scratch(FLAGS, BOOL, shape)


def found_among(numel: int) -> tuple[Step, Part]:
    """The step that finds what is set among so many flags, and their places, of which there are as
    many as it counted."""
    places = scratch(PLACES, INT64, (numel,))
    return Step({"flags": flags((numel,))}, (places, count()), routine=Compact()), places


def counted(place: Expr, count: Expr) -> Expr:
    """A place among those that were counted, else one outside of anything."""
    return where(place < count, place, -1)


def looking_up(name: str, part: Part) -> dict[str, Part | None]:
    """What a formula reads that looks up elements of a vector by `name.at(n=…)`."""
    own = part.view
    one = own.seen((), (), own.offset)
    return mapped(name, Part(part.tensor, one), n=(own.shape[0], own.strides[0]))


def has_room(shapes: Callable[[Call], Sequence[Shape | None]]) -> Sound:
    """The rule of the outputs: `shapes` are the largest that they can get, None where nothing is
    written."""

    def fault(call: Call) -> str | None:
        for output, largest in zip(call.op.outputs, shapes(call), strict=True):
            given = call[output.name]
            if given is None or largest is None:
                continue
            pairs = zip(given.shape, largest, strict=False)
            alike = len(given.shape) == len(largest)
            fits = alike and all(has >= size for has, size in pairs)
            if alike and not product_of(given.shape) and not product_of(largest):
                continue  # the places of a number have no dimension, however many rows there are
            larger = sum(has > size for has, size in zip(given.shape, largest, strict=False))
            if not fits or larger > 1:
                came, wanted = list(given.shape), list(largest)
                return f"{output.name} has shape {came}; expected {wanted}, the largest result's"
            if not dense(given.view):
                came = list(given.strides)
                return f"{output.name} has strides {came}; expected a contiguous tensor"
        return None

    return Sound(
        fault,
        "outputs have room for the largest result, and are contiguous; they get the result's shape "
        "when the call has run, which aclGetViewShape tells after synchronizing",
        "输出有足够空间容纳最大的结果且连续；执行后输出的 shape 为结果的实际 shape，"
        "同步后可由 aclGetViewShape 得到",
    )


def rows_of(name: str, part: Part) -> dict[str, Part | None]:
    """The same of rows: one for all places, or one for each; they are a part's last dimension."""
    own = part.view
    shape, strides = (*own.shape[:-1], 1), (*own.strides[:-1], 0)
    if len(own.shape) == 1:
        shape, strides = (), ()
    before = Part(part.tensor, own.seen(shape, strides, own.offset))
    return mapped(name, before, n=(own.shape[-1], own.strides[-1]))


def first_beyond(value: Expr, sequence: Expr, count: int, right: bool, sorter: Any = None) -> Expr:
    """The place of the first element of a sorted vector that is not less than a value, or (`right`)
    that is greater; how many there are, where none is. A NaN belongs behind all; one in the vector
    is less than anything, as in PyTorch."""
    size = sequence.size("n")
    low, high = Expr.number(0), size
    for _ in range(count.bit_length()):
        middle = floor_div(low + high, 2)
        one = sequence.at(n=middle if sorter is None else sorter.at(n=middle))
        beyond = among_numbers(one > value if right else one >= value)
        more = low < high
        low, high = (
            where(more & ~beyond, middle + 1, low),
            where(more & beyond, middle, high),
        )
    return low


def dense(view: View) -> bool:
    """Whether elements stand one behind the other."""
    each = zip(view.shape, view.strides, contiguous_strides(view.shape), strict=True)
    return not view.numel or all(stride == wanted or size == 1 for size, stride, wanted in each)


def promotes(call: Call) -> DType:
    """Places are not rounded as elements are: INT64 among integers, DOUBLE among floats."""
    dtype: DType = call.reads[0].tensor.dtype
    return DOUBLE if dtype.kind == "float" else INT64


def lying(part: Part, dtype: DType | None = None) -> Part:
    """A contiguous part as a vector."""
    own = part.view
    return Part(part.tensor, own.seen((own.numel,), (1,), own.offset, dtype))
