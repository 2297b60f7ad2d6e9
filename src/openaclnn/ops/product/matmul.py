"""The matrix product as Python's @ has it: vectors are rows or columns, dimensions before the last
two are batches, which broadcast. Each element is exact and rounded once."""

from openaclnn.base.tensors import broadcast
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.contraction import contracted
from openaclnn.spec.families import NUMBERS
from openaclnn.spec.formula import Expr, described
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import In, Op, Out, never
from openaclnn.spec.products import CUBE, PROOF, OneKind
from openaclnn.spec.results import promoted_dtype
from openaclnn.spec.rules import Castable, Dtypes, MaxDims, OneOf, Promotable, ResultShape
from openaclnn.spec.steps import Step, parts

BATCH = "abcdefgh"


def fits(call: Call) -> str | None:
    shapes = [call[name].shape for name in ("self", "mat2")]
    for name, shape in zip(("self", "mat2"), shapes, strict=True):
        if not shape:
            return f"{name} has no dimensions; expected at least 1"
    rows, columns = shapes
    inner = columns[0] if len(columns) == 1 else columns[-2]
    if rows[-1] != inner:
        return (
            f"mat2 has shape {list(columns)}; expected {rows[-1]} along dimension "
            f"{max(len(columns) - 2, 0)}, as self has shape {list(rows)}"
        )
    if broadcast(rows[:-2], columns[:-2]) is None:
        return (
            f"self has shape {list(rows)}, mat2 has shape {list(columns)}; expected dimensions "
            "before the last two that broadcast"
        )
    return None


def subscripts(rank: int, other: int) -> str:
    """Einstein's notation for tensors of so many dimensions."""
    a = BATCH[8 - max(rank - 2, 0) :] + "mk"[-min(rank, 2) :]
    b = BATCH[8 - max(other - 2, 0) :] + ("kn" if other > 1 else "k")
    batch = max(a[:-2], b[:-2], key=len)
    return f"{a},{b}->{batch}{'m' * (rank > 1)}{'n' * (other > 1)}"


def results(call: Call) -> tuple[Meta, ...]:
    rows, columns = call["self"].shape, call["mat2"].shape
    batch = broadcast(rows[:-2], columns[:-2]) or ()
    shape = (*batch, *rows[-2:-1], *(columns[-1:] if len(columns) > 1 else ()))
    return (Meta(shape, promoted_dtype(call)),)


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    how = subscripts(len(call["self"].shape), len(call["mat2"].shape))
    return (contracted(how, known["self"], known["mat2"], known["out"]),)


def formula(self: Expr, mat2: Expr) -> Expr:
    return described("the matrix product of self and mat2", self, mat2)


def shapes(shape: tuple[int, ...], attributes: object) -> dict[str, tuple[int, ...]]:
    return {"mat2": (*shape[:-2], *shape[-1:], 3)} if shape else {}


OP = Op(
    name="matmul",
    en="Matrix product with broadcast batches",
    zh="支持批量广播的矩阵乘积",
    arguments=(
        In("self", "the left factor", "左因子"),
        In("mat2", "the right factor", "右因子"),
        Out("out", "the result", "结果"),
        CUBE,
    ),
    rules=(
        Dtypes(("self", "mat2"), NUMBERS, lacks_complex=True),
        OneKind(("self", "mat2")),
        Promotable(),
        MaxDims(("self", "mat2", "out")),
        OneOf("cube_math_type"),
        Sound(
            fits,
            "the last dimension of self is the second last of mat2 (the only one of a vector); "
            "the dimensions before the last two broadcast",
            "self 的最后一维等于 mat2 的倒数第二维（向量则为唯一一维）；其余维度可以广播",
        ),
        ResultShape(),
        Castable(),
    ),
    formula=formula,
    results=results,
    steps=steps,
    wide=never,
    proof=PROOF,
    shapes=shapes,
    torch="matmul",
    source="signature: op-plugin, llama.cpp, candle; values: PyTorch's matmul (rounded once)",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.matmul(np.ones((2, 1, 3), np.float32), np.arange(3, dtype=np.float32))
array([[3.],
       [3.]], dtype=float32)
""",
)
