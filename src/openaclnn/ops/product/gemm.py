"""alpha · (a · b) + beta · c, exact and rounded once, of a and b as they are or transposed: with
beta 0 c is not read."""

from collections.abc import Mapping
from typing import Any

from openaclnn.base.tensors import broadcast
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.contraction import contracted
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, described
from openaclnn.spec.host import FLOAT32, INT64
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, never
from openaclnn.spec.products import CUBE, PROOF, factors_of
from openaclnn.spec.results import promoted_dtype
from openaclnn.spec.rules import Castable, Dtypes, OneOf, Promotable, ResultShape
from openaclnn.spec.steps import Step, parts

Shape = tuple[int, ...]
TENSORS = ("a", "b", "c")


def letters(call: Call) -> tuple[str, str]:
    """The dimensions of the factors."""
    return "km" if call["trans_a"] else "mk", "nk" if call["trans_b"] else "kn"


def sizes(call: Call) -> dict[str, int]:
    of_a, of_b = letters(call)
    pairs = (*zip(of_b, call["b"].shape, strict=False), *zip(of_a, call["a"].shape, strict=False))
    return dict(pairs)


def results(call: Call) -> tuple[Meta, ...]:
    found = sizes(call)
    return (Meta((found.get("m", 1), found.get("n", 1)), promoted_dtype(call)),)


def fits(call: Call) -> str | None:
    for name in ("a", "b"):
        if len(call[name].shape) != 2:
            return f"{name} has {len(call[name].shape)} dimensions; expected 2"
    of_b = letters(call)[1]
    found, own = sizes(call), list(call["b"].shape)
    if own[of_b.index("k")] != found["k"]:
        return (
            f"b has shape {own}; expected {found['k']} along dimension {of_b.index('k')}, as a has"
        )
    shape, product = call["c"].shape, (found["m"], found["n"])
    if broadcast(shape, product) != product:
        return f"c has shape {list(shape)}; expected one that broadcasts to {list(product)}"
    return None


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    subscripts = f"{','.join(letters(call))}->mn"
    return (
        contracted(subscripts, known["a"], known["b"], known["out"], known["c"],
                   **factors_of(call)),
    )  # fmt: skip


def formula(a: Expr, b: Expr, c: Expr) -> Expr:
    return described("alpha * the matrix product of a and b + beta * c", a, b, c)


def shapes(shape: Shape, attributes: Mapping[str, Any]) -> dict[str, Shape]:
    m, k = (*shape, 2, 2)[:2]
    a, b = (k, m) if attributes["trans_a"] else (m, k), (3, k) if attributes["trans_b"] else (k, 3)
    return {"a": a, "b": b, "c": (m, 3)}


def factor(name: str, en: str, zh: str) -> Attr:
    return Attr(name, f"the factor of {en}", f"{zh}的系数", FLOAT32, 1.0)


def turned(name: str, of: str) -> Attr:
    return Attr(name, f"whether {of} is transposed: 0 or 1", f"{of} 是否转置：0 或 1", INT64, 0,
                choices={"no": 0, "yes": 1})  # fmt: skip


OP = Op(
    name="gemm",
    en="Matrix product, added to a tensor, of matrices that may be transposed",
    zh="矩阵（可转置）乘积与张量之和",
    arguments=(
        In("a", "a factor", "因子"),
        In("b", "a factor", "因子"),
        In("c", "what is added", "加数"),
        factor("alpha", "the product", "乘积"),
        factor("beta", "what is added", "加数"),
        turned("trans_a", "a"),
        turned("trans_b", "b"),
        Out("out", "the result", "结果"),
        CUBE,
    ),
    rules=(
        Dtypes(TENSORS, FLOATS),
        Promotable(),
        OneOf("trans_a"),
        OneOf("trans_b"),
        OneOf("cube_math_type"),
        Sound(
            fits,
            "a and b are matrices that fit, transposed where the flags say so; c broadcasts to the "
            "product's shape",
            "a、b 为可相乘的矩阵（按标志转置）；c 可以广播为乘积的 shape",
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
    source="signature: InfiniTensor (Apache-2.0); values: PyTorch's addmm (rounded once)",
    example="""
>>> import numpy as np, openaclnn
>>> a, b = np.array([[1, 2]], np.float32), np.array([[3, 4]], np.float32)
>>> openaclnn.gemm(a, b, np.ones(1, np.float32), trans_b=1)
array([[12.]], dtype=float32)
""",
)  # fmt: skip
