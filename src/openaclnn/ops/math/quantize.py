"""The integer nearest to x/scale, of two the even one, plus a zero point, within the range of the
result's dtype. A scale and a zero point hold for all elements, or for one place along `axis`."""

from openaclnn.base.dtypes import INT8, INT32, UINT8, DType
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, maximum, minimum, rounded
from openaclnn.spec.host import DATA_TYPE
from openaclnn.spec.host import INT32 as INTEGER
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, always
from openaclnn.spec.rules import DimOf, Dtypes, MaxDims, ResultDtype, ResultShape
from openaclnn.spec.shaped import laid
from openaclnn.spec.steps import Part, Step, parts

INTEGERS = (INT8, UINT8, INT32)


def formula(x: Expr, scales: Expr, zero_points: Expr | None, dtype: DType) -> Expr:
    low = 0 if dtype is UINT8 else -(2 ** (dtype.bits - 1))
    steps = rounded(x / scales)
    moved = steps if zero_points is None else steps + zero_points
    return minimum(maximum(moved, low), low + 2**dtype.bits - 1)


def sound(call: Call) -> str | None:
    for name in ("scales", "zero_points"):
        given = call[name]
        if given is None or given.shape == (1,):
            continue
        count = call["x"].shape[call["axis"]] if call["x"].shape else 1
        if given.shape != (count,):
            return f"{name} has shape {list(given.shape)}; expected [1] or [{count}]"
    return None


def steps(call: Call) -> tuple[Step, ...]:
    known, rank = parts(call), len(call["x"].shape)

    def along(part: Part | None) -> Part | None:
        if part is None or part.view.numel != 1:
            return laid(part, rank, (call["axis"] % max(rank, 1),))
        return Part(part.tensor, part.view.seen((), (), part.view.offset))

    reads = {"x": known["x"], "scales": along(known["scales"])}
    return (Step({**reads, "zero_points": along(known.get("zero_points"))}, (known["out"],)),)


OP = Op(
    name="quantize",
    en="Quantisation to integers",
    zh="量化为整数",
    arguments=(
        In("x", "the numbers", "输入"),
        In("scales", "what an integer is worth", "缩放系数"),
        In("zero_points", "the integer that stands for 0", "零点", optional=True),
        Attr("dtype", "of the result", "结果的数据类型", DATA_TYPE, usual=INT8),
        Attr("axis", "the dimension of scales and zero_points", "缩放系数与零点所在的维度", INTEGER,
             default=0),
        Out("out", "the integers", "结果"),
    ),
    rules=(
        Dtypes(("x", "scales"), FLOATS),
        Dtypes(("zero_points",), INTEGERS),
        ResultDtype(INTEGERS),
        MaxDims(("x", "out")),
        DimOf("axis", "x"),
        Sound(sound, "scales and zero_points have shape [1], or an element for each place along "
              "axis", "scales 与 zero_points 的 shape 为 [1]，或沿 axis 每个位置一个元素"),
        ResultShape(),
    ),
    formula=formula,
    promotes=lambda call: call["x"].dtype,
    results=lambda call: (Meta(call["x"].shape, call["dtype"]),),
    steps=steps,
    wide=always,
    shapes=lambda shape, attributes: {"scales": (1,), "zero_points": (1,)},
    source="signature: op-plugin; values: PyTorch's quantize_per_channel",
    example="""
>>> import numpy as np, openaclnn
>>> x, scale = np.array([-0.25, 0.75, 100], np.float32), np.array([0.5], np.float32)
>>> openaclnn.quantize(x, scale, "int8", zero_points=np.array([3], np.int8))
array([  3,   5, 127], dtype=int8)
""",
)  # fmt: skip
