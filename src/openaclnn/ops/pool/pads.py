"""Reflection padding (elements mirrored at the border, which is not repeated) and replication
padding (copies of the border) of the last one to three dimensions. The gradients add up what came
of each element."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL, FLOATS
from openaclnn.spec.formula import Expr, among_integers, equal, fold, mirrored, nearest, where
from openaclnn.spec.host import INT_ARRAY
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, never
from openaclnn.spec.rules import Castable, Dtypes, MaxDims, ResultShape
from openaclnn.spec.shaped import shape_fault, shaped
from openaclnn.spec.steps import Part, Step, parts
from openaclnn.spec.windows import at_end, growing, image, inputs, names, numbers

MIRROR, BORDER = "reflection", "replication"


def spatial_of(call: Call) -> int:
    return int(call.op.name.removesuffix("_backward")[-2])


def kind_of(call: Call) -> str:
    return MIRROR if MIRROR in call.op.name else BORDER


@cache
def padded(spatial: int, kind: str) -> Any:
    inside = mirrored if kind == MIRROR else nearest

    def formula(self: Expr) -> Expr:
        pairs = zip(names(spatial), inputs("at", spatial), strict=True)
        return self.at(**{axis: inside(at, self.size(axis)) for axis, at in pairs})

    return formula


@cache
def gathered(spatial: int, kind: str) -> Any:
    """What came of an element: itself, and its images beside the first and the last one."""

    def formula(grad_output: Expr) -> Expr:
        hit, at = None, {}
        rows = (inputs(one, spatial) for one in ("place", "turn", "before", "size"))
        for axis, place, turn, before, size in zip(names(spatial), *rows, strict=True):
            if kind == MIRROR:
                left, right = before - place, before + 2 * (size - 1) - place
                one = where(equal(turn, 0), before + place, where(equal(turn, 1), left, right))
                own = equal(turn, 0) | (equal(turn, 1) & (place > 0))
                own = own | (equal(turn, 2) & (place < size - 1))
            else:
                one = before + place + turn
                own = equal(turn, 0) | ((turn < 0) & equal(place, 0))
                own = own | ((turn > 0) & equal(place, size - 1))
            at[axis], hit = one, own if hit is None else hit & own
        assert hit is not None
        return fold(where(among_integers(hit), grad_output.at(**at), 0), "add", over="images")

    return formula


def sides(call: Call) -> list[tuple[int, int]]:
    """How many before and after, along every spatial dimension in order."""
    given = call["padding"]
    return [(given[k], given[k + 1]) for k in range(len(given) - 2, -1, -2)]


def padding_step(call: Call, self: Part, out: Part) -> Step:
    """What pads one part into another, by a call's `padding`."""
    spatial, rank = len(sides(call)), len(self.view.shape)
    reads = image("self", self, spatial, rank)
    for k, (before, _) in enumerate(sides(call)):
        dim = rank - spatial + k
        reads[f"at {k}"] = growing(rank, [(dim, out.view.shape[dim], 1)], -before)
    return Step(reads, (out,), padded(spatial, kind_of(call)))


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    return (padding_step(call, known["self"], known["out"]),)


def pulled_back(call: Call, name: str) -> tuple[Step, ...]:
    """The gradient of a gradient, which is linear in grad_output: it is padded as the input was."""
    known = parts(call)
    return (padding_step(call, known["grad_result"], known["grad_input"]),)


def steps_back(call: Call) -> tuple[Step, ...]:
    known, spatial, kind = parts(call), spatial_of(call), kind_of(call)
    made = known["grad_input"]
    own, outer = made.view.shape, len(made.view.shape) - spatial
    rank = outer + 2 * spatial
    reads = image("grad_output", known["grad_output"], spatial, rank)
    reads |= numbers("before", [before for before, _ in sides(call)])
    reads |= numbers("size", own[outer:])
    for k, (before, after) in enumerate(sides(call)):
        first, count = (0, 3) if kind == MIRROR else (-before, before + after + 1)
        reads[f"turn {k}"] = growing(rank, [(outer + spatial + k, count, 1)], first)
        reads[f"place {k}"] = growing(rank, [(outer + k, own[outer + k], 1)])
    axes = {"images": tuple(range(outer + spatial, rank))}
    return (Step(reads, (at_end(made, rank),), gathered(spatial, kind), axes),)


def wrong(call: Call) -> str | None:
    shape, padding, spatial = call["self"].shape, call["padding"] or (), spatial_of(call)
    if len(shape) not in (spatial + 1, spatial + 2):
        return f"self has {len(shape)} dimensions; expected {spatial + 1} or {spatial + 2}"
    if len(padding) != 2 * spatial:
        return f"padding has {len(padding)} members; expected {2 * spatial}"
    for pair, size in zip(sides(call), shape[-spatial:], strict=True):
        for count in pair:
            if count < 0 or (kind_of(call) == MIRROR and count >= size) or not size:
                mirror = kind_of(call) == MIRROR
                most = f" to {size - 1}, as self is so long" if mirror else " or more"
                return f"padding has {count}; expected 0{most}"
    return None


def shape(call: Call) -> tuple[int, ...]:
    own, pairs = call["self"].shape, sides(call)
    outer = len(own) - len(pairs)
    ends = zip(own[outer:], pairs, strict=True)
    return (*own[:outer], *(size + sum(pair) for size, pair in ends))


def fits_back(call: Call) -> str | None:
    return wrong(call) or shape_fault(call, grad_output=shape(call), grad_input=call["self"].shape)


def results(call: Call) -> tuple[Meta, ...]:
    try:
        return (Meta(shape(call), call["self"].dtype),)
    except (ValueError, TypeError, IndexError):  # of a wrong call
        return (Meta((), call["self"].dtype),)


TEXTS = (
    "self has its padded dimensions last, behind one or two others; padding has two numbers for "
    "each, the last dimension's first; mirror images are shorter than the dimension",
    "self 的最后各维被填充，其前有一或两维；padding 每维两个数，最后一维在前；镜像填充小于该维大小",
)
X, SOURCE = In("self", "the input", "输入"), "signature: op-plugin; values: PyTorch's functions"


def pads(kind: str, spatial: int) -> Op:
    padding = Attr("padding", "how many before and after", "前后填充的个数", INT_ARRAY,
                   usual=(1, 1) * spatial)  # fmt: skip
    asked = ", ".join(["2, 1", *["0, 0"] * (spatial - 1)])
    ones = "1, " * spatial
    made = "3., 2., 1., 2., 3., 2." if kind == MIRROR else "1., 1., 1., 2., 3., 3."
    zh = "镜像" if kind == MIRROR else "边界复制"
    return Op(
        f"{kind}_pad{spatial}d",
        f"{kind.capitalize()} padding, {spatial}-dimensional",
        f"{spatial} 维{zh}填充",
        (X, padding, Out("out", "the result", "结果")),
        (Dtypes(("self",), ALL, lacks_complex=True), MaxDims(("self", "out")),
         Sound(wrong, *TEXTS), ResultShape(), Castable()),
        padded(spatial, kind),
        f"\n>>> import numpy as np, openaclnn\n>>> x = np.float32([1, 2, 3]).reshape({ones}3)\n"
        f">>> openaclnn.{kind}_pad{spatial}d(x, [{asked}]).ravel()\n"
        f"array([{made}], dtype=float32)\n",
        source=SOURCE,
        steps=steps,
        wide=never,
        results=results,
        shapes=lambda _shape, attributes: {"self": (2, *(4,) * spatial)},
        torch=f"ops.aten.{kind}_pad{spatial}d",
        spellings=(pad,) if (kind, spatial) == (BORDER, 1) else (),
    )  # fmt: skip


def gradient(kind: str, spatial: int) -> Op:
    padding = Attr("padding", "how many before and after", "前后填充的个数", INT_ARRAY,
                   usual=(1, 1) * spatial)  # fmt: skip
    asked = ", ".join(["2, 1", *["0, 0"] * (spatial - 1)])
    ones = "1, " * spatial
    made = "1., 3., 2." if kind == MIRROR else "3., 1., 2."
    zh = "镜像" if kind == MIRROR else "边界复制"
    return shaped(
        f"{kind}_pad{spatial}d_backward",
        (In("grad_output", "gradient with respect to the result", "结果的梯度"),
         In("self", "the input", "输入", read=False), padding,
         Out("grad_input", "gradient with respect to self", "self 的梯度")),
        gathered(spatial, kind), steps_back, lambda call: [call["self"].shape], fits_back, TEXTS,
        f"Gradient of {kind} padding, {spatial}-dimensional", f"{spatial} 维{zh}填充的反向传播",
        (*FLOATS, DOUBLE), ("grad_output",), source=SOURCE, pulled_back=pulled_back,
        shapes=lambda _shape, attributes: {
            "self": (2, *(4,) * spatial), "grad_output": (2, *(6,) * spatial)},
        example=f"\n>>> import numpy as np, openaclnn\n>>> x = np.zeros(({ones}3), np.float32)\n"
        f">>> g = np.ones(({ones}6), np.float32)\n"
        f">>> openaclnn.{kind}_pad{spatial}d_backward(g, [{asked}], self=x).ravel()\n"
        f"array([{made}], dtype=float32)\n",
    )  # fmt: skip


def pad(of: Any, input: Any, pad: Sequence[int], mode: str = "constant", value: float = 0) -> Any:
    """Elements before and after each dimension, the last first, as PyTorch's function has it."""
    if mode == "constant":
        return of("constant_pad_nd")(input, pad, value)
    kinds = {"reflect": MIRROR, "replicate": BORDER}
    if mode not in kinds or len(pad) not in (2, 4, 6):
        raise ValueError(
            f"pad(): mode is {mode!r} with {len(pad)} numbers; expected constant, or reflect or "
            "replicate with two for each of one to three dimensions"
        )
    return of(f"{kinds[mode]}_pad{len(pad) // 2}d")(input, pad)


OPS = (
    *(pads(kind, n) for kind in (MIRROR, BORDER) for n in (1, 2, 3) if (kind, n) != (MIRROR, 1)),
    *(gradient(kind, spatial) for kind in (MIRROR, BORDER) for spatial in (1, 2, 3)),
)
