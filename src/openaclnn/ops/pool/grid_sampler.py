"""Images seen through a grid: each place of the result says where in the image it looks, from −1 to
1 along each axis, which are the outermost elements' centres (align_corners) or edges. What lies
between elements is mixed of those around it, or the nearest one; what lies outside is 0, as at the
border, or reflected there. Images have two dimensions of space, volumes three.

A place is a float64: shares of the elements beside it are off by 2⁻⁵² of the image's size, which
counts where one is 2²⁰ times as large as the result."""

from collections.abc import Callable
from functools import cache
from typing import Any

from openaclnn.spec.call import Call
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import (
    Expr,
    among_integers,
    as_number,
    equal,
    floor,
    fmod,
    fold,
    maximum,
    minimum,
    rounded,
    tensor,
    where,
    whole_number,
)
from openaclnn.spec.host import FLAG, INT64
from openaclnn.spec.op import Attr, In, Op, Out
from openaclnn.spec.proof import Proof
from openaclnn.spec.rules import OneOf, SameDtype
from openaclnn.spec.shaped import laid, shape_fault, shaped
from openaclnn.spec.steps import Part, Step, narrowed, parts
from openaclnn.spec.windows import at_end, growing, image, names, numbers

MIXED, NEAREST = 0, 1
BORDER, REFLECTED = 1, 2


def looked_at(x: Expr, size: Expr, padding: int, corners: bool) -> Expr:
    """Where along an axis a number of the grid looks, counted in elements."""
    if padding == REFLECTED:  # the same again every 4, and of large numbers nothing else is known
        x = fmod(x, 4.0)
    place = (x + 1) / 2 * (size - 1) if corners else ((x + 1) * size - 1) / 2
    if padding == REFLECTED:
        low = 0.0 if corners else -0.5
        span = maximum(size - 1, 1) if corners else size
        far = abs(place - low)
        turns = floor(far / span)
        rest = far - turns * span
        there = equal(turns - 2 * floor(turns / 2), 0)
        place = where(there, rest, span - rest) + low
    if padding:
        return minimum(maximum(place, 0.0), size - 1)
    return minimum(maximum(place, -2.0), size + 1)  # there is nothing farther out either


@cache
def sampled(spatial: int, mode: int, padding: int, corners: bool) -> Any:
    def formula(input: Expr) -> Expr:
        at, share = {}, None
        for k, axis in enumerate(names(spatial)):
            size = tensor(f"size {k}")
            place = looked_at(tensor(f"grid {k}"), size, padding, corners)
            if mode == NEAREST:
                at[axis] = whole_number(rounded(place))
                continue
            corner, first = tensor(f"corner {k}"), whole_number(place)
            far = place - as_number(first)  # of the element that is taken, however it was rounded
            at[axis] = first + corner
            one = where(among_integers(equal(corner, 0)), 1.0 - far, far)
            share = one if share is None else share * one
        if share is None:
            return input.at(**at)
        return fold(where(input.has(**at), input.at(**at) * share, 0), "add", over="corners")

    return formula


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    x, grid, out = known["input"], known["grid"], known["out"]
    mode, spatial = call["interpolation_mode"], len(x.view.shape) - 2
    own_rank = 2 + spatial
    rank = own_rank + spatial * (mode == MIXED)
    reads = image("input", x, spatial, rank) | numbers("size", x.view.shape[2:])
    for k in range(spatial):  # the numbers of a grid are across, down, into the depth
        one = narrowed(grid.view, 1 + spatial, spatial - 1 - k, 1)
        own = one.seen(one.shape[:-1], one.strides[:-1], one.offset)
        reads[f"grid {k}"] = laid(Part(grid.tensor, own), rank, (0, *range(2, own_rank)))
        if mode == MIXED:
            reads[f"corner {k}"] = growing(rank, [(own_rank + k, 2, 1)])
    formula = sampled(spatial, mode, call["padding_mode"], bool(call["align_corners"]))
    axes = {"corners": tuple(range(own_rank, rank))} if mode == MIXED else {}
    return (Step(reads, (at_end(out, rank),), formula, axes),)


def result(call: Call) -> tuple[int, ...]:
    return (*call["input"].shape[:2], *call["grid"].shape[1:-1])


def fits_in(rank: int) -> Callable[[Call], str | None]:
    def fits(call: Call) -> str | None:
        x, grid = call["input"].shape, call["grid"].shape
        if len(x) != rank:
            return f"input has {len(x)} dimensions; expected {rank}"
        if len(grid) != rank or grid[0] != x[0] or grid[-1] != rank - 2:
            expected = f"expected {rank} dimensions, {x[0]} first and {rank - 2} last"
            return f"grid has shape {list(grid)}; {expected}"
        if min(x[2:]) < 1:
            return f"input has shape {list(x)}; expected some element"
        return shape_fault(call, out=result(call))

    return fits


def chosen(name: str, en: str, zh: str, **choices: int) -> Attr:
    return Attr(name, en, zh, INT64, next(iter(choices)), choices)


def grid_sampler(
    name: str, spatial: int, texts: tuple[str, str], where: tuple[str, str],
    sizes: dict[str, tuple[int, ...]], example: str,
) -> Op:  # fmt: skip
    return shaped(
        name,
        (
            In("input", "the images", "图像"),
            In("grid", f"where each place looks: {where[0]}", f"各位置的采样坐标：{where[1]}"),
            chosen("interpolation_mode", "bilinear or nearest: 0 or 1", "插值方式", bilinear=0,
                   nearest=1),
            chosen("padding_mode", "zeros, border or reflection: 0, 1 or 2", "填充方式", zeros=0,
                   border=1, reflection=2),
            Attr("align_corners", "whether −1 and 1 are centres", "−1 与 1 是否为中心", FLAG,
                 False),
            Out("out", "what is seen", "采样结果"),
        ),
        sampled(spatial, MIXED, 0, False),
        steps,
        lambda call: [result(call)],
        fits_in(2 + spatial),
        texts,
        en=f"{'Images' if spatial == 2 else 'Volumes'} seen through a grid",
        zh=f"{'二维' if spatial == 2 else '三维'}网格采样",
        proof=Proof(exact=dict.fromkeys(FLOATS)),
        rules=(OneOf("interpolation_mode"), OneOf("padding_mode"), SameDtype(("input", "grid"))),
        shapes=lambda shape, attributes: sizes,
        source=f"signature: op-plugin, candle; values: PyTorch's grid_sampler_{spatial}d",
        example=example,
    )  # fmt: skip


OPS = (
    grid_sampler(
        "grid_sampler2_d",
        2,
        (
            "input has 4 dimensions, of which the last two are spatial; grid has a pair of numbers "
            "for each place of the result",
            "input 为 4 维，最后两维为空间维；grid 为结果的每个位置给出一对坐标",
        ),
        ("across, down", "横、纵"),
        {"input": (2, 2, 4, 5), "grid": (2, 3, 3, 2)},
        """
>>> import numpy as np, openaclnn
>>> image = np.float32([1, 3]).reshape(1, 1, 1, 2)
>>> openaclnn.grid_sampler2_d(image, np.zeros((1, 1, 1, 2), np.float32)).ravel()
array([2.], dtype=float32)
""",
    ),
    grid_sampler(
        "grid_sampler3_d",
        3,
        (
            "input has 5 dimensions, of which the last three are spatial; grid has three numbers "
            "for each place of the result",
            "input 为 5 维，最后三维为空间维；grid 为结果的每个位置给出三个坐标",
        ),
        ("across, down, into the depth", "横、纵、深"),
        {"input": (2, 2, 3, 4, 5), "grid": (2, 2, 2, 3, 3)},
        """
>>> import numpy as np, openaclnn
>>> volume = np.float32([1, 3]).reshape(1, 1, 2, 1, 1)
>>> openaclnn.grid_sampler3_d(volume, np.zeros((1, 1, 1, 1, 3), np.float32)).ravel()
array([2.], dtype=float32)
""",
    ),
)
