"""Convolutions as contractions: of the input seen through a window, and the weight.

What a window sees is not stored anywhere. A transposed convolution is one for every remainder of a
position by the stride: of each, the window's elements that meet an element are as far apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import gcd, prod

from openaclnn.base.records import dataclass
from openaclnn.base.tensors import View
from openaclnn.spec.call import Call
from openaclnn.spec.contraction import Contraction, Window
from openaclnn.spec.formula import STEP, Expr, fold
from openaclnn.spec.host import FLAG, INT64, INT_ARRAY
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr
from openaclnn.spec.steps import Part, Step, copied, narrowed, scratch, zeros

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Geometry:
    """How a window moves, a number for each of the dimensions of space."""

    stride: Shape
    padding: Shape
    dilation: Shape
    groups: int

    def places(self, sizes: Sequence[int], window: Sequence[int]) -> Shape:
        """At how many places a window stands."""
        moves = zip(sizes, window, self.stride, self.padding, self.dilation, strict=True)
        return tuple((n + 2 * p - d * (k - 1) - 1) // s + 1 for n, k, s, p, d in moves)

    def reached(self, places: Sequence[int], window: Sequence[int], more: Sequence[int]) -> Shape:
        """How large the result of a transposed convolution is, `more` at its end."""
        moves = zip(places, window, self.stride, self.padding, self.dilation, more, strict=True)
        return tuple((n - 1) * s - 2 * p + d * (k - 1) + m + 1 for n, k, s, p, d, m in moves)


def geometry(call: Call, space: int) -> Geometry:
    """That of a call's attributes; one number is that of every dimension."""
    of = {}
    for name in ("stride", "padding", "dilation"):
        given = tuple(call[name] or ())
        if len(given) == 2 * space and given[::2] == given[1::2]:  # of both ends of each dimension
            given = given[::2]
        of[name] = given * space if len(given) == 1 else given
    return Geometry(of["stride"], of["padding"], of["dilation"], call["groups"])


def seen(part: Part, shape: Sequence[int], strides: Sequence[int], start: int = 0) -> Part:
    """A part's storage with other sizes and strides, from an element of it on."""
    return Part(part.tensor, part.view.seen(shape, strides, part.view.offset + start))


def _groups_apart(part: Part, dim: int, groups: int) -> tuple[list[int], list[int]]:
    """Sizes and strides of a part, of which a dimension is groups and what each has."""
    sizes, strides = list(part.view.shape), list(part.view.strides)
    own = sizes[dim] // groups
    sizes[dim : dim + 1] = [groups, own]
    strides[dim : dim + 1] = [strides[dim] * own, strides[dim]]
    return sizes, strides


def _ordered(part: Part, dim: int, groups: int, order: Sequence[int]) -> Part:
    """A part with the groups of a dimension apart, and dimensions in another order."""
    sizes, strides = _groups_apart(part, dim, groups)
    return seen(part, [sizes[d] for d in order], [strides[d] for d in order])


def _added(bias: Part | None, groups: int, shape: Sequence[int]) -> dict[str, Part | None]:
    """The bias, repeated over all but channels."""
    if bias is None:
        return {}
    (stride,) = bias.view.strides
    own = bias.view.shape[0] // groups
    return {"c": seen(bias, shape, [stride * own, stride] + [0] * (len(shape) - 2))}


def _channels_first(groups: int, space: int) -> list[int]:
    """Of (batch, group, channel, space…): group, channel, batch, space…"""
    return [1, 2, 0, *range(3, 3 + space)]


def framed(steps: tuple[Step, ...], number: int = 0) -> tuple[Step, ...]:
    """The steps, after those that copy what they see with zeros around it along the first dimension
    of space, where a window leaves all three: a loop looks at two positions. `number` is that of
    the copy among the call's scratch memory."""
    x = steps[0].reads["b"]
    assert x is not None
    seen_by = [step.routine.window for step in steps if isinstance(step.routine, Contraction)]
    windows = [window for window in seen_by if window is not None and 0 not in window.sizes]
    shape = x.view.shape
    if not any(len(shape) == 5 and _leaves(window, shape) for window in windows):
        return steps
    ranges = [window.range_along(2) for window in windows]
    low = min(0, *(first for first, _ in ranges))
    high = max(shape[2] - 1, *(last for _, last in ranges))
    frame = scratch(number, x.view.dtype, (*shape[:2], high - low + 1, *shape[3:]))
    inner = Part(frame.tensor, narrowed(frame.view, 2, -low, shape[2]))
    return (
        Step({}, (frame,), zeros),
        Step({"self": x}, (inner,), copied),
        *(_moved(step, frame, low) for step in steps),
    )


def _leaves(window: Window, shape: Shape) -> bool:
    """Whether positions are outside along all dimensions of space."""
    ranges = [window.range_along(d) for d in range(2, len(shape))]
    return all(low < 0 or high >= n for (low, high), n in zip(ranges, shape[2:], strict=True))


def _moved(step: Step, frame: Part, low: int) -> Step:
    """A step that sees a frame, whose first place is `low` of what it saw."""
    assert isinstance(step.routine, Contraction)
    window = step.routine.window
    assert window is not None
    start = (*window.start[:2], window.start[2] - low, *window.start[3:])
    routine = replace(step.routine, window=replace(window, start=start))
    return replace(step, reads={**step.reads, "b": frame}, routine=routine)


def convolved(
    x: Part, weight: Part, out: Part, how: Geometry, bias: Part | None = None
) -> tuple[Step, ...]:
    """out[n, co, o] = Σ x[n, ci, o·stride − padding + k·dilation] · weight[co, ci, k] + bias[co]"""
    space, g = len(how.stride), how.groups
    first = _ordered(weight, 0, g, range(3 + space))
    to = _ordered(out, 1, g, _channels_first(g, space))
    window = _window(x.view, weight.view.shape[2:], out.view.shape[2:], how)
    reads = {"a": first, "b": x, **_added(bias, g, to.view.shape)}
    routine = Contraction(1, 1, 1 + space, 1 + space, window=window)
    return framed((Step(reads, (to,), routine=routine),))


def _window(x: View, kernel: Sequence[int], places: Sequence[int], how: Geometry) -> Window:
    """The map of a loop over (group), (batch, place…), (channel, element of the window…)."""
    space, g = len(kernel), how.groups
    own = x.shape[1] // g

    def along(dim: int, step: int) -> Shape:
        return tuple(step if d == dim else 0 for d in range(2 + space))

    return Window(
        (g, x.shape[0], *places, own, *kernel),
        (0, 0, *(-p for p in how.padding)),
        (
            along(1, own),
            along(0, 1),
            *(along(2 + d, how.stride[d]) for d in range(space)),
            along(1, 1),
            *(along(2 + d, how.dilation[d]) for d in range(space)),
        ),
    )


def weighed(x: Part, grad: Part, out: Part, how: Geometry) -> tuple[Step, ...]:
    """The gradient of a convolution's weight, a sum over batch and places: out[co, ci, k] =
    Σ grad[n, co, o] · x[n, ci, o·stride − padding + k·dilation]."""
    space, g = len(how.stride), how.groups
    a = _ordered(grad, 1, g, _channels_first(g, space))
    to = _ordered(out, 0, g, range(3 + space))
    found = _window(x.view, out.view.shape[2:], grad.view.shape[2:], how)
    # channels and the window's elements are columns; batch and places are summed over
    order = [0, *range(2 + space, 3 + 2 * space), *range(1, 2 + space)]
    window = Window(
        tuple(found.sizes[d] for d in order), found.start, tuple(found.moves[d] for d in order)
    )
    routine = Contraction(1, 1, 1 + space, 1 + space, window=window)
    return framed((Step({"a": a, "b": x}, (to,), routine=routine),), 1)


def spread(
    x: Part, weight: Part, out: Part, how: Geometry, bias: Part | None = None
) -> tuple[Step, ...]:
    """The transposed convolution: out[n, co, i·stride − padding + k·dilation] is the sum of
    x[n, ci, i] · weight[ci, co, k], for every i and k that reach it."""
    space = len(how.stride)
    kernel, sizes = weight.view.shape[2:], out.view.shape[2:]
    every = [
        [_phase(r, kernel[d], sizes[d], how, d) for r in range(min(how.stride[d], sizes[d]))]
        for d in range(space)
    ]
    return framed(tuple(_spread(x, weight, out, how, bias, phases) for phases in product(*every)))


@dataclass(frozen=True)
class Phase:
    """Of the places with one remainder by the stride: the first, how many; the first element of the
    window that meets one, from one to the next, how many; where the first meets the first, and how
    far back the next does."""

    first: int
    count: int
    element: int
    apart: int
    elements: int
    start: int
    back: int


def _phase(remainder: int, window: int, size: int, how: Geometry, d: int) -> Phase:
    stride, dilation = how.stride[d], how.dilation[d]
    apart = stride // gcd(stride, dilation)
    begin = remainder + how.padding[d]
    fitting = [k for k in range(min(apart, window)) if (begin - k * dilation) % stride == 0]
    element = fitting[0] if fitting else 0
    return Phase(
        remainder,
        -(-(size - remainder) // stride),
        element,
        apart,
        -(-(window - element) // apart) if fitting else 0,
        (begin - element * dilation) // stride,
        apart * dilation // stride,
    )


def _spread(
    x: Part, weight: Part, out: Part, how: Geometry, bias: Part | None, phases: Sequence[Phase]
) -> Step:
    space, g = len(how.stride), how.groups
    sizes, strides = _groups_apart(weight, 0, g)
    for d, phase in enumerate(phases):
        sizes[3 + d] = phase.elements
        strides[3 + d] *= phase.apart
    begin = sum(p.element * s for p, s in zip(phases, weight.view.strides[2:], strict=True)) * bool(
        prod(p.elements for p in phases)
    )
    # group, channel of the result, channel of the input, window
    order = [0, 2, 1, *range(3, 3 + space)]
    a = seen(weight, [sizes[d] for d in order], [strides[d] for d in order], begin)
    to = _ordered(out, 1, g, _channels_first(g, space))
    counts = [p.count for p in phases]
    to_strides = list(to.view.strides)
    first = sum(p.first * to_strides[3 + d] for d, p in enumerate(phases))
    apart = [s * how.stride[d] for d, s in enumerate(to_strides[3:])]
    to = seen(to, [*to.view.shape[:3], *counts], [*to_strides[:3], *apart], first)
    own = x.view.shape[1] // g

    def along(dim: int, step: int) -> Shape:
        return tuple(step if d == dim else 0 for d in range(2 + space))

    window = Window(
        (g, x.view.shape[0], *counts, own, *(p.elements for p in phases)),
        (0, 0, *(p.start for p in phases)),
        (
            along(1, own),
            along(0, 1),
            *(along(2 + d, 1) for d in range(space)),
            along(1, 1),
            *(along(2 + d, -p.back) for d, p in enumerate(phases)),
        ),
    )
    reads = {"a": a, "b": x, **_added(bias, g, to.view.shape)}
    return Step(reads, (to,), routine=Contraction(1, 1, 1 + space, 1 + space, window=window))


def gradient_steps(
    call: Call, name: str, grad: Part, to: Part, known: Mapping[str, Part]
) -> tuple[Step, ...]:
    """The gradient of a convolution's input, weight or bias."""
    turned = call["transposed"]
    how = geometry(call, len(grad.view.shape) - 2)
    if name == "input":
        if turned:
            return convolved(grad, known["weight"], to, how)
        return spread(grad, known["weight"], to, how)
    if name == "weight":
        pair = (grad, known["input"]) if turned else (known["input"], grad)
        return weighed(*pair, to, how)
    return (_summed(grad, to),)


def _summed(grad: Part, to: Part) -> Step:
    """The sum over all but channels."""
    rank = len(grad.view.shape)
    shape, strides = [1] * rank, [0] * rank
    shape[1], strides[1] = to.view.shape[0], to.view.strides[0]
    dims = tuple(d for d in range(rank) if d != 1)
    return Step({"grad": grad}, (seen(to, shape, strides),), _total, {STEP: dims})


def _total(grad: Expr) -> Expr:
    return fold(grad, "add", over=STEP)


def fits(call: Call) -> str | None:
    given, weight = call["input"].shape, call["weight"].shape
    if len(given) not in (3, 4, 5):
        return f"input has {len(given)} dimensions; expected 3 to 5"
    if len(weight) != len(given):
        return f"weight has {len(weight)} dimensions; expected {len(given)}, as input has"
    space = len(given) - 2
    for name, least in (("stride", 1), ("padding", 0), ("dilation", 1), ("output_padding", 0)):
        numbers = call[name] or ()
        if name == "output_padding" and not call["transposed"]:
            continue
        if name == "padding" and len(numbers) == 2 * space and numbers[::2] != numbers[1::2]:
            return f"padding is {list(numbers)}; expected as much at either end of a dimension"
        both = name == "padding" and len(numbers) == 2 * space
        if not (both or len(numbers) in (1, space)) or min(numbers) < least:
            return f"{name} is {list(numbers)}; expected {space} numbers, at least {least}"
    groups, turned = call["groups"], call["transposed"]
    if groups < 1 or weight[0] % groups or given[1] % groups:
        return (
            f"groups is {groups}; expected a number that divides the {given[1]} channels of input "
            f"and the {weight[0]} of weight"
        )
    channels = weight[0] if turned else weight[1] * groups
    if given[1] != channels:
        return f"input has {given[1]} channels; expected {channels}, as weight has them"
    if min((1, *sizes(call))) < 1:
        return f"the window stands at {list(sizes(call))} places; expected at least 1 each way"
    own = out_channels(call)
    if "bias" in {a.name for a in call.op.arguments}:
        bias = call["bias"]
        if bias is not None and bias.shape != (own,):
            return f"bias has shape {list(bias.shape)}; expected [{own}]"
    return None


def out_channels(call: Call) -> int:
    weight = call["weight"].shape
    found: int = weight[1] * call["groups"] if call["transposed"] else weight[0]
    return found


def sizes(call: Call) -> tuple[int, ...]:
    """The result's sizes in space."""
    given, window = call["input"].shape[2:], call["weight"].shape[2:]
    how = geometry(call, len(given))
    if not call["transposed"]:
        return how.places(given, window)
    more = tuple(call["output_padding"] or (0,))
    return how.reached(given, window, more * len(given) if len(more) == 1 else more)


FITS = Sound(
    fits,
    "input has 3 to 5 dimensions, weight as many; channels are equal in number, and groups divides "
    "them; strides and dilations are at least 1, paddings at least 0; the window fits somewhere",
    "input 为 3 至 5 维，weight 维数相同；通道数一致且能被 groups 整除；stride 与 dilation "
    "不小于 1，padding 不小于 0；窗口至少有一个位置",
)

MOVES = (
    Attr("stride", "from one place of the window to the next", "步长", INT_ARRAY, usual=(1, 1)),
    Attr("padding", "zeros around the input", "四周补零的个数", INT_ARRAY, usual=(0, 0)),
    Attr("dilation", "how far the window's elements are apart", "窗口元素的间隔", INT_ARRAY,
         usual=(1, 1)),
    Attr("transposed", "whether elements are spread", "是否为转置卷积", FLAG, False),
    Attr("output_padding", "more at the end of a transposed one's result",
         "转置卷积结果末端的补充", INT_ARRAY, (0,)),
    Attr("groups", "channels of one group see those of the same alone", "分组数", INT64, 1),
)  # fmt: skip
