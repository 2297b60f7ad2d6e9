"""Resampling of images to other sizes, along one to three dimensions, with ratio r = size/count.
Nearest: input[⌊k·r⌋], the exact variants input[⌊(k + ½)·r⌋]. Linear: both neighbours of
max((k + ½)·r − ½, 0), weighted by distance; with align_corners of k·(size − 1)/(count − 1). Cubic:
the four around (k + ½)·r − ½, by cubic convolution, those outside being the nearest inside. The
gradients add up what came of each element. Coordinates are computed as PyTorch does: the nearest in
float32, the others in the dtype of the computation."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from openaclnn.base.dtypes import DType
from openaclnn.spec.call import Call
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import (
    Expr,
    among_integers,
    as_number,
    equal,
    floor,
    floored,
    fold,
    known_as,
    maximum,
    minimum,
    tensor,
    where,
    whole_number,
)
from openaclnn.spec.host import FLAG, FLOAT32, FLOAT64, INT_ARRAY, Host
from openaclnn.spec.op import Attr, In, Op, Out
from openaclnn.spec.proof import Proof
from openaclnn.spec.shaped import shape_fault, shaped
from openaclnn.spec.steps import Part, Step, parts
from openaclnn.spec.windows import at_end, growing, image, names, numbers

NEAREST, EXACT, LINEAR, CUBIC = "nearest", "nearest_exact", "linear", "cubic"
_A = -0.75  # what the cubic convolution is like: its slope one element away
_TEXTS = {
    NEAREST: ("nearest neighbour", "最近邻插值"),
    EXACT: ("nearest neighbour (exact)", "最近邻插值（exact）"),
    LINEAR: ("linear", "线性插值"),
    CUBIC: ("cubic", "三次插值"),
}
Told = tuple[bool, ...]


def ratio(k: int, scale: Expr, told: Told, corners: bool) -> Expr:
    """How far neighbouring places are apart in the image: one over a factor that is told, or size
    by size."""
    size, count = tensor(f"size {k}"), tensor(f"count {k}")
    if corners:
        found = where(count > 1, (size - 1) / maximum(count - 1, 1), 0.0)
    else:
        found = 1.0 / scale if told[k] else size / count
    return known_as("ratio", found, (0.0, 2.0**40))


def source(place: Expr, spacing: Expr, corners: bool, kind: str = LINEAR) -> Expr:
    """Where in the image a place lies, as a number that is not negative, but for cubic ones."""
    if corners:
        return spacing * place
    x = spacing * (place + 0.5) - 0.5
    return x if kind == CUBIC else maximum(x, 0.0)


def cubic(far: Expr) -> tuple[Expr, ...]:
    """The weights of the four elements around, by how far the second one is."""

    def inner(d: Expr) -> Expr:
        return ((_A + 2) * d - (_A + 3)) * d * d + 1

    def outer(d: Expr) -> Expr:
        return ((_A * d - 5 * _A) * d + 8 * _A) * d - 4 * _A

    return outer(far + 1), inner(far), inner(1 - far), outer(2 - far)


def nearest_of(k: int, place: Expr, spacing: Expr, exact: bool) -> Expr:
    return minimum(floored(spacing * (place + 0.5 if exact else place)), tensor(f"size {k}") - 1)


def shares(k: int, x: Expr, own: Expr, kind: str) -> Expr:
    """How much of an element is in what lies at x."""
    first, far, last = whole_number(x), x - floor(x), tensor(f"size {k}") - 1
    if kind == CUBIC:
        total: Expr | None = None
        for number, weight in enumerate(cubic(far)):
            tap = maximum(minimum(first + (number - 1), last), 0)
            one = where(among_integers(equal(tap, own)), weight, 0.0)
            total = one if total is None else total + one
        assert total is not None
        return total
    near = where(among_integers(equal(minimum(first, last), own)), 1.0 - far, 0.0)
    return near + where(among_integers(equal(minimum(first + 1, last), own)), far, 0.0)


@cache
def forward(kind: str, told: Told, corners: bool) -> Any:
    axes = names(len(told))

    def chosen(self: Expr, scale_0: Expr, scale_1: Expr, scale_2: Expr) -> Expr:
        at = {}
        for k, (axis, scale) in enumerate(zip(axes, (scale_0, scale_1, scale_2), strict=False)):
            spacing = ratio(k, scale, told, corners)
            at[axis] = nearest_of(k, tensor(f"place {k}"), spacing, kind == EXACT)
        return self.at(**at)

    def mixed(self: Expr, scale_0: Expr, scale_1: Expr, scale_2: Expr) -> Expr:
        at, share = {}, None
        for k, (axis, scale) in enumerate(zip(axes, (scale_0, scale_1, scale_2), strict=False)):
            corner, spacing = tensor(f"corner {k}"), ratio(k, scale, told, corners)
            x = source(tensor(f"place {k}"), spacing, corners, kind)
            at[axis] = minimum(whole_number(x) + corner, tensor(f"size {k}") - 1)
            far = x - floor(x)
            if kind == CUBIC:
                at[axis] = maximum(at[axis], 0)
                first, second, third, fourth = cubic(far)
                one = where(
                    among_integers(corner < 1),
                    where(among_integers(corner < 0), first, second),
                    where(among_integers(corner < 2), third, fourth),
                )
            else:
                one = where(among_integers(equal(corner, 0)), 1.0 - far, far)
            share = one if share is None else share * one
        assert share is not None
        return fold(self.at(**at) * share, "add", over="corners")

    return mixed if kind in (LINEAR, CUBIC) else chosen


@cache
def backward(kind: str, told: Told, corners: bool) -> Any:
    axes = names(len(told))

    def formula(grad_output: Expr, scale_0: Expr, scale_1: Expr, scale_2: Expr) -> Expr:
        at, share = {}, None
        for k, (axis, scale) in enumerate(zip(axes, (scale_0, scale_1, scale_2), strict=False)):
            own, spacing = tensor(f"own {k}"), ratio(k, scale, told, corners)
            reach = 2.0 if kind == CUBIC else 1.0
            least = maximum((own - reach) / maximum(spacing, 2.0**-40) - 1.5, 0.0)
            first = where(equal(tensor(f"every {k}"), 0), whole_number(least), 0)
            at[axis] = first + tensor(f"candidate {k}")
            place = as_number(at[axis])
            if kind in (LINEAR, CUBIC):
                one = shares(k, source(place, spacing, corners, kind), own, kind)
            else:
                hit = equal(nearest_of(k, place, spacing, kind == EXACT), own)
                one = where(among_integers(hit), 1.0, 0.0)
            share = one if share is None else share * one
        assert share is not None
        term = where(grad_output.has(**at), grad_output.at(**at) * share, 0)
        return fold(term, "add", over="candidates")

    return formula


def spatial_of(call: Call) -> int:
    return next(n for n in (1, 2, 3) if f"{n}d" in call.op.name)


def kind_of(call: Call) -> str:
    return kind_named(call.op.name)


def kind_named(name: str) -> str:
    if NEAREST in name:
        return EXACT if EXACT in name else NEAREST
    return CUBIC if CUBIC in name else LINEAR


LEAST = 2.0**-31  # of a factor: places lie farther apart than any image is long


def factors(attributes: Mapping[str, Any]) -> list[float]:
    """The factors by which sizes grow, as attributes tell them: 0 where sizes do."""
    order = ("scales_d", "scales_h", "scales_w", "scales", "scale_l")
    told = [float(attributes[name]) for name in order if name in attributes]
    return [max(factor, LEAST) if factor > 0 else 0.0 for factor in told]


def uniforms(attributes: Mapping[str, Any], numel: int, promoted: DType) -> dict[str, float]:
    found = [*factors(attributes), 0.0, 0.0, 0.0]
    return {f"scale_{k}": found[k] for k in range(3)}


def given(call: Call) -> tuple[Told, bool]:
    told = [factor > 0 for factor in factors(call.attributes)]
    missing = [False] * (spatial_of(call) - len(told))
    return (*told, *missing), bool(call.arguments.get("align_corners", False))


def steps(call: Call) -> tuple[Step, ...]:
    known, spatial, (told, corners) = parts(call), spatial_of(call), given(call)
    x = known[call.op.reads[0].name]
    out: Part = known["out"]
    outer, sizes = len(x.view.shape) - spatial, x.view.shape[-spatial:]
    counts, kind = out.view.shape[-spatial:], kind_of(call)
    rank = outer + (2 * spatial if kind in (LINEAR, CUBIC) else spatial)
    reads = image("self", x, spatial, rank)
    reads |= numbers("size", sizes) | numbers("count", counts)
    for k in range(spatial):
        reads[f"place {k}"] = growing(rank, [(outer + k, counts[k], 1)])
        if kind in (LINEAR, CUBIC):
            count, first = (4, -1) if kind == CUBIC else (2, 0)
            reads[f"corner {k}"] = growing(rank, [(outer + spatial + k, count, 1)], first)
    axes = {"corners": tuple(range(outer + spatial, rank))}
    return (Step(reads, (at_end(out, rank),), forward(kind, told, corners), axes),)


def steps_back(call: Call) -> tuple[Step, ...]:
    known, spatial, (told, corners) = parts(call), spatial_of(call), given(call)
    grad, made = known["grad_output"], known["grad_input"]
    sizes, counts = made.view.shape[-spatial:], grad.view.shape[-spatial:]
    outer = len(made.view.shape) - spatial
    rank = outer + 2 * spatial
    reads = image("grad_output", grad, spatial, rank)
    reads |= numbers("size", sizes) | numbers("count", counts)
    scales = [*factors(call.attributes), 0.0, 0.0, 0.0]
    for k in range(spatial):
        spacing = 1 / scales[k] if told[k] else sizes[k] / counts[k]
        if corners:
            spacing = (sizes[k] - 1) / max(counts[k] - 1, 1)
        reach = 4 if kind_of(call) == CUBIC else 2
        few = min(counts[k], int(reach / spacing) + 6 if spacing * counts[k] > 1 else counts[k])
        # a factor that is told may leave many places beyond the image, all at its end
        few = counts[k] if told[k] else few
        reads[f"own {k}"] = growing(rank, [(outer + k, sizes[k], 1)])
        reads[f"candidate {k}"] = growing(rank, [(outer + spatial + k, few, 1)])
        reads |= {f"every {k}": growing(rank, [], int(few == counts[k]))}
    axes = {"candidates": tuple(range(outer + spatial, rank))}
    formula = backward(kind_of(call), told, corners)
    return (Step(reads, (at_end(made, rank),), formula, axes),)


def result(call: Call) -> tuple[int, ...]:
    spatial = spatial_of(call)
    if "input_size" in call.arguments:
        return tuple(call["input_size"])
    return (*call[call.op.reads[0].name].shape[:-spatial], *call["output_size"])


def fits(call: Call) -> str | None:
    spatial, asked = spatial_of(call), tuple(call["output_size"])
    if "input_size" in call.arguments:
        shape, first = tuple(call["input_size"]), "input_size"
    else:
        first = call.op.reads[0].name
        shape = call[first].shape
    if len(shape) != spatial + 2:
        return f"{first} has {len(shape)} dimensions; expected {spatial + 2}"
    if len(asked) != spatial or min(asked) < 1 or min(shape[-spatial:]) < 1:
        return f"output_size is {list(asked)}; expected {spatial} numbers, at least 1"
    if "input_size" in call.arguments:
        return shape_fault(call, grad_output=(*shape[:-spatial], *asked), grad_input=shape)
    return shape_fault(call, out=result(call))


TEXTS = (
    "the image has its spatial dimensions last, behind two others; output_size is one number for "
    "each of them, at least 1; results have these sizes there",
    "图像的最后各维为空间维，其前有两维；output_size 每个空间维一个数，不小于 1；"
    "结果在空间维上的大小与之相同",
)
SCALES = {1: ("scales",), 2: ("scales_h", "scales_w"), 3: ("scales_d", "scales_h", "scales_w")}
CORNERS = Attr("align_corners", "whether the outermost elements stay", "是否对齐角点", FLAG, False)
SOURCE = "signature: op-plugin, llama.cpp; values: PyTorch's upsample functions"


def scales(names: tuple[str, ...], host: Host = FLOAT64) -> tuple[Attr, ...]:
    text = ("by what sizes grow, 0: as they say", "放大倍数，0 表示由大小决定")
    return tuple(Attr(name, *text, host, 0.0) for name in names)


def resized(name: str, spatial: int, more: tuple[Attr, ...], **also: Any) -> Op:
    x = In("input" if "trilinear" in name else "self", "the image", "输入")
    kind = kind_named(name)
    ones = "1, " * (spatial + 1)
    made = "1.  , 1.75, 3.25, 4.  " if kind == LINEAR else "1., 1., 4., 4."
    if kind == CUBIC:
        made = "0.68359375, 1.6796875 , 3.3203125 , 4.3164062 "
    asked = ", ".join(["1"] * (spatial - 1) + ["4"])

    formula = forward(kind, (False,) * spatial, False)
    en, zh = _TEXTS[kind]
    return shaped(
        name,
        (x, Attr("output_size", "the new sizes", "输出大小", INT_ARRAY, usual=(5,) * spatial),
         *more, Out("out", "the result", "结果")),
        formula, steps, lambda call: [result(call)], fits, TEXTS,
        f"Upsampling, {en}, {spatial}-dimensional", f"{spatial} 维{zh}",
        uniforms=uniforms, source=SOURCE,
        shapes=lambda shape, attributes: {x.name: (2, 2, *(3,) * spatial)},
        example=f"\n>>> import numpy as np, openaclnn\n"
        f">>> x = np.float32([1, 4]).reshape({ones}2)\n"
        f">>> openaclnn.{name}(x, [{asked}]).ravel()\narray([{made}], dtype=float32)\n", **also,
    )  # fmt: skip


def gradient(name: str, spatial: int, more: tuple[Attr, ...]) -> Op:
    kind = kind_named(name)
    ones = "1, " * (spatial + 1)
    asked = ", ".join(["1"] * (spatial - 1) + ["4"])
    return shaped(
        f"{name}_backward",
        (In("grad_output", "gradient with respect to the result", "结果的梯度"),
         Attr("output_size", "sizes of the result", "输出大小", INT_ARRAY, usual=(5,) * spatial),
         Attr("input_size", "the image's shape", "输入的 shape", INT_ARRAY,
              usual=(2, 2, *(3,) * spatial)), *more,
         Out("grad_input", "gradient with respect to the image", "输入的梯度")),
        backward(kind, (False,) * spatial, False), steps_back, lambda call: [result(call)], fits,
        TEXTS, f"Gradient of upsampling, {_TEXTS[kind][0]}, {spatial}-dimensional",
        f"{spatial} 维{_TEXTS[kind][1]}的反向传播", uniforms=uniforms, source=SOURCE,
        # a cubic weight near 0 is rounded to it, and loses the sign of what it makes of a gradient
        proof=Proof(exact=dict.fromkeys(FLOATS)) if kind == CUBIC else Proof(),
        shapes=lambda shape, attributes: {"grad_output": (2, 2, *(5,) * spatial)},
        example=f"\n>>> import numpy as np, openaclnn\n>>> g = np.ones(({ones}4), np.float32)\n"
        f">>> openaclnn.{name}_backward(g, [{asked}], [{ones}2]).ravel()\n"
        "array([2., 2.], dtype=float32)\n",
    )  # fmt: skip


def interpolate(
    of: Any, input: Any, size: int | Sequence[int] | None = None,
    scale_factor: float | Sequence[float] | None = None, mode: str = "nearest",
    align_corners: bool = False,
) -> Any:  # fmt: skip
    """Images in another size, or larger by factors, as PyTorch's function has it."""
    sizes = input.shape[2:]
    spatial = len(sizes)
    if (size is None) == (scale_factor is None):
        raise TypeError("interpolate() takes size or scale_factor, one of them")
    if mode not in _MODES or spatial not in _MODES[mode]:
        known = ", ".join(one for one, axes in _MODES.items() if spatial in axes)
        raise ValueError(f"interpolate(): mode is {mode!r} of {spatial} axes; expected {known}")
    factors = (scale_factor,) * spatial if isinstance(scale_factor, (int, float)) else scale_factor
    if factors is not None:
        size = [int(n * factor) for n, factor in zip(sizes, factors, strict=True)]
    wanted = (size,) * spatial if isinstance(size, int) else tuple(size or ())
    further: dict[str, Any] = {"align_corners": align_corners} if "linear" in mode else {}
    if factors is None:
        return of(_MODES[mode][spatial])(input, wanted, **further)
    if mode == NEAREST and spatial == 2:  # which takes no factors
        return of(_MODES[mode][3])(
            input[:, :, None], (1, *wanted), **dict(zip(SCALES[3], (1.0, *factors), strict=True))
        )[:, :, 0]
    name = _MODES[mode][spatial] + ("_v2" if (mode, spatial) == (NEAREST, 1) else "")
    names = {NEAREST: ("scale_l",), "nearest-exact": ("scales",), LINEAR: ("scales_h",)}[mode] if (
        spatial == 1) else SCALES[spatial]  # fmt: skip
    return of(name)(input, wanted, **further, **dict(zip(names, factors, strict=True)))


LINEARS = {1: "upsample_linear1d", 2: "upsample_bilinear2d", 3: "upsample_trilinear3d"}
_MODES: dict[str, dict[int, str]] = {
    NEAREST: {n: f"upsample_nearest{n}d" for n in (1, 2, 3)},
    "nearest-exact": {n: f"upsample_nearest_exact{n}d" for n in (1, 2, 3)},
    LINEAR: {1: LINEARS[1]},
    "bilinear": {2: LINEARS[2]},
    "trilinear": {3: LINEARS[3]},
}
OPS = (
    resized("upsample_nearest1d", 1, (), spellings=(interpolate,)),
    resized("upsample_nearest1d_v2", 1, scales(("scale_l",), FLOAT32)),
    resized("upsample_nearest2d", 2, (), header="aclnn_upsample_nearest_2d.h"),
    resized("upsample_nearest3d", 3, scales(SCALES[3])),
    *(resized(f"upsample_nearest_exact{n}d", n, scales(SCALES[n])) for n in (1, 2, 3)),
    *(gradient(f"upsample_nearest{n}d", n, scales(SCALES[n])) for n in (1, 2, 3)),
    *(
        resized(LINEARS[n], n, (CORNERS, *scales(("scales_h",) if n == 1 else SCALES[n])))
        for n in (1, 2, 3)
    ),
    *(gradient(LINEARS[n], n, (CORNERS, *scales(SCALES[n]))) for n in (1, 2, 3)),
    resized("upsample_bicubic2d", 2, (CORNERS, *scales(SCALES[2]))),
    gradient("upsample_bicubic2d", 2, (CORNERS, *scales(SCALES[2]))),
)
