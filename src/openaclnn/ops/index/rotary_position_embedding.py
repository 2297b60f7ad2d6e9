"""Rotary position embedding: pairs of elements along the last dimension, turned by angles of which
the cosines and sines are given. A pair is one element of either half (mode "half"), or two
neighbours ("interleave")."""

from openaclnn.spec.call import Call
from openaclnn.spec.formula import Expr
from openaclnn.spec.host import INT64
from openaclnn.spec.op import Attr, In, InOut, Op, Out
from openaclnn.spec.rules import OneOf
from openaclnn.spec.shaped import shaped
from openaclnn.spec.steps import Part, Step, parts

HALF, INTERLEAVE = 0, 1
NAMES = ("x", "cos", "sin")


def formula(
    x0: Expr, x1: Expr, cos0: Expr, cos1: Expr, sin0: Expr, sin1: Expr
) -> tuple[Expr, Expr]:
    return x0 * cos0 - x1 * sin0, x1 * cos1 + x0 * sin1


def pair(part: Part, mode: int) -> tuple[Part, Part]:
    """The first and the second of all pairs."""
    own = part.view
    count, stride = own.shape[-1] // 2, own.strides[-1]
    step, apart = (stride, count * stride) if mode == HALF else (2 * stride, stride)
    shape, strides = (*own.shape[:-1], count), (*own.strides[:-1], step)
    first, second = (own.seen(shape, strides, own.offset + by) for by in (0, apart))
    return Part(part.tensor, first), Part(part.tensor, second)


def turned(x: Part, cos: Part, sin: Part, out: Part, mode: int) -> Step:
    given = zip(NAMES, (x, cos, sin), strict=True)
    reads = {f"{name}{k}": one for name, part in given for k, one in enumerate(pair(part, mode))}
    return Step({**reads}, pair(out, mode))


def fault(call: Call, name: str) -> str | None:
    shape = call[name].shape
    if not shape or shape[-1] % 2:
        return f"{name} has shape {list(shape)}; expected an even size at its end"
    for other in ("cos", "sin"):
        came = call[other].shape
        spread = all(few in (1, many) for few, many in zip(came, shape, strict=False))
        if len(came) != len(shape) or came[-1] != shape[-1] or not spread:
            return (
                f"{other} has shape {list(came)}; expected {name}'s, {list(shape)}, or 1 along "
                "dimensions before the last"
            )
    return None


def fits(call: Call) -> str | None:
    if call["out"].shape != call["x"].shape:
        return f"out has shape {list(call['out'].shape)}; expected {list(call['x'].shape)}"
    return fault(call, "x")


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    return (turned(known["x"], known["cos"], known["sin"], known["out"], call["mode"]),)


def fits_both(call: Call) -> str | None:
    return fault(call, "query") or fault(call, "key")


def steps_of_both(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    cos, sin = known["cos"], known["sin"]
    return tuple(turned(known[x], cos, sin, known[x], HALF) for x in ("query", "key"))


TEXTS = (
    "the last dimension is of even size; cos and sin have the shape of what is turned, or 1 along "
    "dimensions before the last; out has it",
    "最后一维大小为偶数；cos 与 sin 的 shape 与被旋转的张量相同，最后一维之前可为 1；out 与之相同",
)
ANGLES = (In("cos", "cosines", "余弦"), In("sin", "sines", "正弦"))
SOURCE = "signature: llama.cpp, op-plugin; values: llama.cpp's rope"

OPS: tuple[Op, ...] = (
    shaped(
        "rotary_position_embedding",
        (
            In("x", "what is turned", "输入"),
            *ANGLES,
            Attr("mode", "what a pair is", "成对方式", INT64, "half",
                 {"half": HALF, "interleave": INTERLEAVE}),
            Out("out", "the result", "结果"),
        ),
        formula,
        steps,
        lambda call: [call["x"].shape],
        fits,
        TEXTS,
        en="Rotary position embedding",
        zh="旋转位置编码",
        rules=(OneOf("mode"),),
        source=SOURCE,
        example="""
>>> import numpy as np, openaclnn
>>> x, cos, sin = np.array([[1, 2]], np.float32), np.zeros((1, 2)), np.ones((1, 2))
>>> openaclnn.rotary_position_embedding(x, np.float32(cos), np.float32(sin))
array([[-2.,  1.]], dtype=float32)
""",
    ),
    shaped(
        "apply_rotary_pos_emb",
        (
            InOut("query", "queries, which are turned", "query，原地旋转"),
            InOut("key", "keys, which are turned", "key，原地旋转"),
            *ANGLES,
            Attr("layout", "of the dimensions: BSND", "维度的排布", INT64, "BSND", {"BSND": 1}),
        ),
        formula,
        steps_of_both,
        lambda call: [call["query"].shape, call["key"].shape],
        fits_both,
        TEXTS,
        en="Rotary position embedding of queries and keys",
        zh="query 与 key 的旋转位置编码",
        rules=(OneOf("layout"),),
        source=SOURCE,
        example="""
>>> import numpy as np, openaclnn
>>> q, cos, sin = np.array([[1, 2]], np.float32), np.zeros((1, 2)), np.ones((1, 2))
>>> openaclnn.apply_rotary_pos_emb(q, q + 1, np.float32(cos), np.float32(sin))[0]
array([[-2.,  1.]], dtype=float32)
""",
    ),
)  # fmt: skip
