"""A tensor with a number around it: pairs of how many before and after, the last dimension's first;
below 0, elements go instead."""

from openaclnn.spec.call import Call
from openaclnn.spec.formula import Expr
from openaclnn.spec.host import INT_ARRAY, SCALAR
from openaclnn.spec.moves import Shape, Sound, move, moving
from openaclnn.spec.op import Attr
from openaclnn.spec.steps import Part, Step, narrowed


def pairs(call: Call) -> list[tuple[int, int]]:
    """Before and after, for every dimension in order."""
    flat, rank = call["padding"] or (), len(call["self"].shape)
    given = list(zip(flat[::2], flat[1::2], strict=False))[:rank]
    return [*[(0, 0)] * (rank - len(given)), *given[::-1]]


def fits(call: Call) -> str | None:
    count, rank = len(call["padding"] or ()), len(call["self"].shape)
    if count % 2 or count > 2 * rank:
        return f"padding has {count} members; expected pairs, at most {rank} of them"
    for dim, size in enumerate(shape(call)):
        if size < 0:
            return f"padding leaves size {size} along dimension {dim}; expected at least 0"
    return None


def shape(call: Call) -> Shape:
    return tuple(
        size + before + after
        for size, (before, after) in zip(call["self"].shape, pairs(call), strict=True)
    )


def filled(value: Expr) -> Expr:
    return value


def steps(call: Call, self: Part, out: Part) -> list[Step]:
    source, target = self.view, out.view
    for dim, (before, after) in enumerate(pairs(call)):
        size, gone, place = source.shape[dim], 0, before
        if before < 0:
            size, gone, place = size + before, -before, 0
        if after < 0:
            size += after
        source = narrowed(source, dim, gone, max(size, 0))
        target = narrowed(target, dim, place, max(size, 0))
    around = [] if target.shape == out.view.shape else [Step({}, (out,), filled)]
    return [*around, move(self, source, out, target)] if target.numel else around


OP = moving(
    "constant_pad_nd",
    "Padding with a constant",
    "常数填充",
    attributes=(
        Attr("padding", "how many before and after, the last dimension's first",
             "各维度前后填充的个数，从最后一维开始", INT_ARRAY, usual=(1, 1)),
        Attr("value", "the number", "填充值", SCALAR, default=0, by_place=True),
    ),
    rules=(
        Sound(
            fits,
            "padding has pairs, at most one for each dimension of self, that leave sizes of at "
            "least 0",
            "padding 成对给出，至多 self 的维度数对，填充后大小不小于 0",
        ),
    ),
    shape=shape,
    steps=steps,
    torch="constant_pad_nd",
    source="signature: op-plugin, llama.cpp; values: PyTorch's constant_pad_nd",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.constant_pad_nd(np.array([1, 2]), [1, 2], value=9)
array([9, 1, 2, 9, 9])
""",
)  # fmt: skip
