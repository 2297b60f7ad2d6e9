"""Routines that work on rows: the elements along one dimension, each row by itself, for threads to
share."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property

from openaclnn.base.records import dataclass
from openaclnn.base.tensors import View
from openaclnn.engines.cpu import compile
from openaclnn.engines.cpu.code import LoopCode, Value
from openaclnn.engines.cpu.routines import KernelRunner
from openaclnn.plan import WORKSPACE
from openaclnn.plan.loop import nests

NAME = "openaclnn_kernel"
_SERIAL_BELOW = 16384  # elements for which waking a thread takes longer than the work


@dataclass(frozen=True)
class RowCode:
    """A row as the code of a routine sees it: where each operand's begins, how many bytes lie
    between its neighbours, and how many elements there are; `own` are the routine's numbers, `room`
    is the row's part of the workspace."""

    at: tuple[Value, ...]
    step: tuple[Value, ...]
    count: Value
    own: tuple[Value, ...]
    room: Value
    number: Value

    def place(self, operand: int, index: Value) -> Value:
        """Where an element of an operand is."""
        return self.at[operand].code.at(self.at[operand], self.step[operand] * index)


Body = Callable[[LoopCode, RowCode], None]


def source(operands: int, numbers: int, body: Body) -> str:
    """The kernel that runs a body for some of the units, which are several rows each: its block has
    the operands' addresses, the workspace's, its bytes for a unit, the elements of a row, how many
    rows and units there are, the operands' steps, the routine's numbers, and the dimensions of
    rows, the innermost first."""
    code = LoopCode(NAME, "ptr block, i64 first, i64 last")
    block = code.given["block"]
    at = tuple(code.load(block, "ptr", k) for k in range(operands))
    room, size, count = (
        code.load(block, t, operands + k) for k, t in enumerate(("ptr", "i64", "i64"))
    )
    rows, units = (code.load(block, "i64", operands + k) for k in (3, 4))
    words = operands + 5
    step = tuple(code.load(block, "i64", words + k) for k in range(operands))
    words += operands
    own = tuple(code.load(block, "i64", words + k) for k in range(numbers))
    words += numbers
    dims = code.load(block, "i64", words)
    offsets = [code.variable(code.number(0)) for _ in range(operands)]
    left = code.variable(code.number(0))
    first, last = code.given["first"], code.given["last"]
    with (
        code.loop(first, last) as unit,
        code.loop(rows * unit // units, rows * (unit + 1) // units) as number,
    ):
        left.set(number)
        for offset in offsets:
            offset.set(0)
        with code.loop(code.number(0), dims) as dim:
            facts = dim * (1 + operands) + (words + 1)
            length = code.load(block, "i64", facts)
            here = left.get()
            index = here % length
            left.set(here // length)
            for k, offset in enumerate(offsets):
                offset.set(offset.get() + index * code.load(block, "i64", facts + (1 + k)))
        moved = tuple(code.at(p, o.get()) for p, o in zip(at, offsets, strict=True))
        body(code, RowCode(moved, step, count, own, code.at(room, unit * size), number))
    text = code.text()
    return code.declared + "\n" + text


class RowRunner(KernelRunner):
    """Runs the kernel of a routine over the rows of a pass. `views` have one shape but along `dim`;
    `room` are the bytes of the workspace for each unit, of which there are `units`, or as many as
    rows."""

    def __init__(
        self,
        views: Sequence[View],
        dim: int,
        body: Body,
        numbers: Sequence[int] = (),
        room: int = 0,
        units: int = 0,
    ) -> None:
        one = [_without(view, dim) for view in views]
        loop = nests([*one], ())[0].compact()
        self.rows = math.prod(loop.sizes)
        self.units = units or self.rows
        self.count = views[0].shape[dim] if views[0].shape else 1
        sizes = [view.dtype.itemsize for view in views]
        steps = [
            view.strides[dim] * size if view.shape else 0
            for view, size in zip(views, sizes, strict=True)
        ]
        dims = [
            number
            for k in reversed(range(len(loop.sizes)))
            for number in (
                loop.sizes[k],
                *(s[k] * size for s, size in zip(loop.strides, sizes, strict=True)),
            )
        ]
        self.words = [
            room,
            self.count,
            self.rows,
            self.units,
            *steps,
            *numbers,
            len(loop.sizes),
            *dims,
        ]
        # where rows are walked from their ends, they begin there
        starts = zip(loop.starts, views, sizes, strict=True)
        self.starts = [*((start - view.offset) * size for start, view, size in starts), 0]
        self.places = [*range(len(views)), WORKSPACE]
        self.text = source(len(views), len(numbers), body)
        self.threaded = self.units > 1 and self.rows * self.count >= _SERIAL_BELOW

    @cached_property
    def address(self) -> int:  # type: ignore[override]
        return compile.function(self.text, NAME)


def _without(view: View, dim: int) -> View:
    """A view without one dimension."""
    if not view.shape:
        return view
    shape = [size for k, size in enumerate(view.shape) if k != dim]
    strides = [stride for k, stride in enumerate(view.strides) if k != dim]
    return view.seen(shape, strides, view.offset)
