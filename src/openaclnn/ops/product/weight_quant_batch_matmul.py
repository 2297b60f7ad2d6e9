"""x · ((weight + antiquant_offset) · antiquant_scale) + bias: the product with a matrix of 8-bit or
4-bit integers that stand for floats. A scale holds for the whole weight, for a column, or for
antiquant_group_size rows of a column. Each element is exact and rounded once.

Two numbers of 4 bits share a byte, the first in its low half; INT32 holds eight of them.
"""

from typing import Any

from openaclnn.base.dtypes import BF16, FLOAT, FLOAT16, INT4, INT8, INT32, INT64, UINT64
from openaclnn.base.tensors import View, view
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.contraction import dequantised
from openaclnn.spec.formula import Expr, described
from openaclnn.spec.host import INT32 as INT32_VALUE
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, never
from openaclnn.spec.rules import Dtypes, OneOf, ResultDtype, ResultShape
from openaclnn.spec.steps import Part, Step, parts

_IN_WORD = 8  # numbers of 4 bits in one of 32
_GROUPS = 32  # whose multiples groups are


def packed_along(call: Call) -> int | None:
    """The dimension of a weight of INT32 that is an eighth of the numbers'."""
    if call["weight"].dtype is not INT32:
        return None
    return 0 if call["weight"].shape[0] * _IN_WORD == call["x"].shape[1] else 1


def shape_of_numbers(call: Call) -> tuple[int, ...]:
    """The weight's shape [k, n] by its numbers."""
    packed = packed_along(call)
    sizes = enumerate(call["weight"].shape)
    return tuple(size * _IN_WORD if d == packed else size for d, size in sizes)


def of_numbers(call: Call) -> View:
    """The weight by its numbers."""
    own: View = call["weight"].view
    packed = packed_along(call)
    if packed is None:
        return own
    strides = [stride * _IN_WORD for stride in own.strides]
    strides[packed] = 1
    storage = (own.storage_numel * _IN_WORD,)
    offset = own.offset * _IN_WORD
    return view(INT4, shape_of_numbers(call), strides, offset, own.format, storage)


def groups_of(call: Call) -> int:
    size = call["antiquant_group_size"]
    return -(-call["x"].shape[1] // size) if size else 1


def fits(call: Call) -> str | None:
    x, weight = call["x"], call["weight"]
    for name, tensor in (("x", x), ("weight", weight)):
        if len(tensor.shape) != 2:
            return f"{name} has {len(tensor.shape)} dimensions; expected 2"
    k, n = shape_of_numbers(call)
    if k != x.shape[1]:
        came, expected = list(weight.shape), x.shape[1]
        return f"weight has shape {came}; expected {expected} along dimension 0, as x has"
    packed = packed_along(call)
    if packed is not None and weight.strides[packed] != 1:
        return f"weight has strides {list(weight.strides)}; expected 1 where it is packed"
    if weight.dtype is INT4 and weight.view.offset % 2:
        return f"weight has offset {weight.view.offset}; expected an even one"
    size = call["antiquant_group_size"]
    if size < 0 or (size % _GROUPS and size < x.shape[1]):
        return f"antiquant_group_size is {size}; expected 0 or a multiple of {_GROUPS}"
    sound = [[groups_of(call), n]] if size else [[1], [n], [1, n], [1, 1]]
    for name in ("antiquant_scale", "antiquant_offset"):
        if call[name] is not None and list(call[name].shape) not in sound:
            texts = " or ".join(map(str, sound))
            return f"{name} has shape {list(call[name].shape)}; expected {texts}"
    bias = call["bias"]
    if bias is not None and bias.shape not in ((n,), (1, n)):
        return f"bias has shape {list(bias.shape)}; expected [{n}] or [1, {n}]"
    return None


def plain_result(call: Call) -> str | None:
    for name in ("quant_scale", "quant_offset"):
        if call[name] is not None:
            return f"{name} has shape {list(call[name].shape)}; expected null"
    return None


def results(call: Call) -> tuple[Meta, ...]:
    x, weight = call["x"], call["weight"]
    two = len(x.shape) == len(weight.shape) == 2
    n = shape_of_numbers(call)[1] if two else 0
    return (Meta((*x.shape[:1], n), x.dtype),)


def per_group(call: Call, name: str, n: int) -> Part | None:
    """A scale or offset as [n, groups]."""
    part = parts(call).get(name)
    if part is None:
        return None
    own = part.view
    shape, strides = [*own.shape], [*own.strides]
    while len(shape) < 2:
        shape, strides = [1, *shape], [0, *strides]
    along_k, along_n = (0 if size == 1 else step for size, step in zip(shape, strides, strict=True))
    return Part(part.tensor, own.seen((n, groups_of(call)), (along_n, along_k), own.offset))


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    numbers = of_numbers(call)
    k, n = numbers.shape
    turned = numbers.seen((n, k), numbers.strides[::-1], numbers.offset)
    scale = per_group(call, "antiquant_scale", n)
    assert scale is not None
    offset = per_group(call, "antiquant_offset", n)
    group = call["antiquant_group_size"] or k
    weight = Part(known["weight"].tensor, turned)
    return (dequantised(known["x"], weight, known["y"], scale, offset, group, known.get("bias")),)


def formula(
    x: Expr,
    weight: Expr,
    antiquant_scale: Expr,
    antiquant_offset: Expr | None,
    bias: Expr | None,
) -> Expr:
    said = "the matrix product of x and (weight + antiquant_offset) * antiquant_scale, plus bias"
    given = (x, weight, antiquant_scale, antiquant_offset, bias)
    return described(said, *(one for one in given if one is not None))


def shapes(shape: tuple[int, ...], attributes: Any) -> dict[str, tuple[int, ...]]:
    rows, k = (*shape, 2, 3)[:2]
    return {"x": (rows, k), "weight": (k, 3), "antiquant_scale": (1, 3),
            "antiquant_offset": (1, 3), "bias": (3,)}  # fmt: skip


FLOATS = ("x", "antiquant_scale", "antiquant_offset")

PRECISE = Attr(
    "inner_precise",
    "0 for precision, 1 for speed; results are exact and rounded once whatever it says",
    "0 为高精度，1 为高性能；无论取何值，结果均为精确值的一次舍入",
    INT32_VALUE,
    0,
    choices={"high_precision": 0, "high_performance": 1},
)


def quantised(name: str, more: tuple[Attr, ...], example: str) -> Op:
    return Op(
        name=name,
        en="Matrix product with a quantised weight",
        zh="权重量化的矩阵乘积",
        arguments=(
            In("x", "the left factor", "左因子"),
            In("weight", "integers that stand for the right factor", "量化后的右因子"),
            In("antiquant_scale", "what an integer is multiplied by", "反量化的缩放系数"),
            In(
                "antiquant_offset",
                "what is added to an integer before",
                "反量化的偏移",
                optional=True,
            ),
            In(
                "quant_scale",
                "must be null: results are floats",
                "须为空：结果为浮点数",
                optional=True,
                read=False,
            ),
            In(
                "quant_offset",
                "must be null: results are floats",
                "须为空：结果为浮点数",
                optional=True,
                read=False,
            ),
            In("bias", "what is added to each row", "加到每一行的偏置", optional=True),
            Attr(
                "antiquant_group_size",
                "how many rows of the weight share a scale; 0: all",
                "共用一个缩放系数的权重行数，0 表示全部",
                INT32_VALUE,
                0,
            ),
            *more,
            Out("y", "the result", "结果"),
        ),
        rules=(
            Dtypes(FLOATS, (FLOAT16, BF16)),
            Dtypes(("weight",), (INT8, INT4, INT32)),
            Dtypes(("bias",), (FLOAT16, FLOAT, BF16)),
            Dtypes(("quant_scale",), (FLOAT, UINT64, INT64)),
            Sound(
                plain_result,
                "quant_scale and quant_offset are null",
                "quant_scale 与 quant_offset 为空指针",
            ),
            Sound(
                fits,
                "x is [m, k], weight [k, n] (INT32: an eighth of one of them); scale and offset "
                "are [1], [n] or [1, n], with groups [groups, n]; bias is [n]",
                "x 为 [m, k]，weight 为 [k, n]（INT32 时其中一维为八分之一）；缩放与偏移为 "
                "[1]、[n] 或 [1, n]，分组时为 [groups, n]；bias 为 [n]",
            ),
            *(OneOf(one.name) for one in more),
            ResultShape(),
            ResultDtype((FLOAT16, BF16)),
        ),
        formula=formula,
        promotes=lambda call: call["x"].dtype,
        results=results,
        steps=steps,
        wide=never,
        shapes=shapes,
        source="signature: op-plugin, llama.cpp; values: mathematics (rounded once)",
        example=example,
    )


OPS = (
    quantised("weight_quant_batch_matmul_v2", (), """
>>> import numpy as np, openaclnn
>>> x, weight = np.ones((1, 2), np.float16), np.array([[1, -2], [3, 4]], np.int8)
>>> openaclnn.weight_quant_batch_matmul_v2(x, weight, np.array([0.5, 2], np.float16))
array([[2., 4.]], dtype=float16)
"""),
    quantised("weight_quant_batch_matmul_v3", (PRECISE,), """
>>> import numpy as np, openaclnn
>>> x, weight = np.ones((1, 2), np.float16), np.array([[1], [3]], np.int8)
>>> openaclnn.weight_quant_batch_matmul_v3(x, weight, np.array([0.5], np.float16), inner_precise=1)
array([[2.]], dtype=float16)
"""),
)  # fmt: skip
