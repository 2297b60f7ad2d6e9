"""Triton source of kernels whose programs work on a row each: the elements along one dimension."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from openaclnn.arithmetic.conversion import stored_as
from openaclnn.arithmetic.nodes import Node, in_order
from openaclnn.base.tensors import View
from openaclnn.engines.cuda.body import TYPES, printed
from openaclnn.engines.cuda.kernel import HEAD, NAME, Kernel, Parameter
from openaclnn.plan.loop import nests

_POINTEES = {"f32": "*fp32", "f64": "*fp64"}


def pointee(view: View, written: bool = False) -> str:
    """Triton's type of a pointer to a view's elements. What is written are bits."""
    type = f"i{view.dtype.bits}" if written else stored_as(view.dtype)
    return _POINTEES.get(type, f"*{type}")


def tree_function(name: str, roots: Sequence[Node], arch: int) -> str:
    """Trees of basic operations as a function of what they load, in the order of the numbers."""
    lines, results = printed(tuple(roots), arch)
    body = "".join(f"    {line}\n" for line in (*lines, f"return {', '.join(results)}"))
    return f"@triton.jit\ndef {name}({', '.join(loads_of(roots))}):\n{body}\n\n"


def loads_of(roots: Sequence[Node]) -> list[str]:
    """The names of what trees load."""
    numbers = {int(node.value) for node in in_order(*roots) if node.op == "load"}
    return [f"x{number}" for number in sorted(numbers)]


def rows_kernel(
    views: Sequence[View],
    inputs: int,
    dim: int,
    functions: str,
    body: str,
    arch: int,
    numbers: Mapping[str, int] | None = None,
    warps: int = 4,
    room: bool = False,
) -> Kernel:
    """A kernel over the rows of views that have one shape but along `dim`. The body's lines know
    `count` elements, a pointer `p0`, `p1`, … to each operand's first in the row, `s0`, … from one
    to the next, `row`, and numbers by name; `room` is a pointer to bytes of the workspace."""
    one = [_without(view, dim) for view in views]
    loop = nests(one, ())[0].compact()
    operands = range(len(views))
    count = views[0].shape[dim] if views[0].shape else 1
    given: dict[str, int] = {"count": count, **(numbers or {})}
    given |= {f"s{k}": views[k].strides[dim] if views[k].shape else 0 for k in operands}
    lines = ["row = tl.program_id(0).to(tl.int64)", "left = row"]
    for number, d in enumerate(reversed(range(len(loop.sizes)))):
        given[f"n{number}"] = loop.sizes[d]
        lines += [f"i{number} = left % n{number}", f"left = left // n{number}"]
        for k in operands:
            given[f"d{number}_{k}"] = loop.strides[k][d]
            lines.append(f"p{k} += i{number} * d{number}_{k}")
    # where rows are walked from their ends, they begin there
    for k in operands:
        given[f"b{k}"] = loop.starts[k] - views[k].offset
    lines = [*(f"p{k} += b{k}" for k in operands), *lines]
    rooms = ["*i8"] * room
    lines = [f"room = p{len(views)}"] * room + lines
    names = [*(f"p{k}" for k in range(len(views) + room)), *given]
    text = "".join(f"    {line}\n" for line in (*lines, *body.strip("\n").splitlines()))
    return Kernel(
        source=f"{HEAD}{functions}@triton.jit\ndef {NAME}({', '.join(names)}):\n{text}",
        pointers=(*(pointee(view, k >= inputs) for k, view in enumerate(views)), *rooms),
        uniforms=0,
        parameters=tuple(Parameter(name, "i64", value) for name, value in given.items()),
        arch=arch,
        warps=warps,
        registers=0,
        programs=math.prod(loop.sizes),
        alignable=(False,) * (len(views) + room),
    )


def _without(view: View, dim: int) -> View:
    """A view without one dimension."""
    if not view.shape:
        return view
    shape = [size for k, size in enumerate(view.shape) if k != dim]
    strides = [stride for k, stride in enumerate(view.strides) if k != dim]
    return view.seen(shape, strides, view.offset)


def typed_zero(type: str) -> str:
    return f"tl.zeros((), {TYPES[type]})"
