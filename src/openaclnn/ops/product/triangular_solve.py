"""x with a·x = self for a triangular a, row after row: x[i] = (self[i] - Σ a[i, j]·x[j]) / a[i, i].
Of FLOAT the sum is one of float64, in an order that depends on the number of terms alone, so each
x[i] is off by little more than its rounding, given the rows before it: the result solves a system
whose elements differ from a's by 2⁻²³ of themselves at most. Of DOUBLE they do by n·2⁻⁵². A 0 on
the diagonal gives infinity or NaN."""

from collections.abc import Mapping
from typing import Any

from openaclnn.base.dtypes import DOUBLE, FLOAT
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.contraction import contracted
from openaclnn.spec.formula import Expr, described
from openaclnn.spec.host import FLAG
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, always
from openaclnn.spec.proof import Proof
from openaclnn.spec.rules import Dtypes, MaxDims, ResultDtype, ResultShape, SameDtype
from openaclnn.spec.steps import Part, Step, copied, narrowed, parts, scratch

BATCH = "pqrstu"  # letters of the dimensions before the matrices'


def fits(call: Call) -> str | None:
    own, a = call["self"].shape, call["a"].shape
    if len(own) < 2:
        return f"self has {len(own)} dimensions; expected at least 2"
    expected = (*own[:-1], own[-2])
    if a != expected:
        return f"a has shape {list(a)}; expected {list(expected)}, as self has {list(own)}"
    return None


def results(call: Call) -> tuple[Meta, ...]:
    return tuple(Meta(call[name].shape, call[name].dtype) for name in ("self", "a"))


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    own, a, out = known["self"], known["a"], known["x_out"]
    x = scratch(1, own.view.dtype, own.view.shape)  # rows are read after they were written
    if call["transpose"]:
        shape, strides = ((*row[:-2], row[-1], row[-2]) for row in (a.view.shape, a.view.strides))
        a = Part(a.tensor, a.view.seen(shape, strides, a.view.offset))
    rank, n = len(own.view.shape), own.view.shape[-2]
    batch = BATCH[: rank - 2]
    total = scratch(0, DOUBLE, (*own.view.shape[:-2], 1, own.view.shape[-1]))
    upper = call["upper"] != call["transpose"]
    found = [Step({"self": known["a"]}, (known["m_out"],), copied)]

    def rows(part: Part, first: int, count: int) -> Part:
        return Part(part.tensor, narrowed(part.view, rank - 2, first, count))

    for i in reversed(range(n)) if upper else range(n):
        row, done = rows(a, i, 1), (i + 1, n - 1 - i) if upper else (0, i)
        before = Part(row.tensor, narrowed(row.view, rank - 1, *done))
        pivot = Part(row.tensor, narrowed(row.view, rank - 1, i, 1))
        reads: dict[str, Part | None] = {"total": total if done[1] else rows(own, i, 1)}
        if done[1]:
            found.append(
                contracted(f"{batch}ij,{batch}jk->{batch}ik", before, rows(x, *done), total,
                           c=rows(own, i, 1), alpha=-1.0)
            )  # fmt: skip
        if not call["unitriangular"]:
            reads["pivot"] = pivot
        found.append(Step(reads, (rows(x, i, 1),), whole if call["unitriangular"] else divided))
    return (*found, Step({"self": x}, (out,), copied))


def divided(total: Expr, pivot: Expr) -> Expr:
    return total / pivot


def whole(total: Expr) -> Expr:
    return total


def formula(self: Expr, a: Expr) -> Expr:
    return described("the solution x of a · x = self", self, a)


def shapes(shape: tuple[int, ...], attributes: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    return {"self": (2, 3, 2), "a": (2, 3, 3)}


def flag(name: str, en: str, zh: str) -> Attr:
    return Attr(name, en, zh, FLAG, False)


OP = Op(
    "triangular_solve",
    "Solution of linear systems with a triangular matrix",
    "三角方程组求解",
    (
        In("self", "the right-hand sides, as columns", "右端项，按列"),
        In("a", "the triangular matrix; its other half is not read", "三角矩阵，另一半不读取"),
        flag("upper", "whether it is an upper triangle", "是否为上三角"),
        flag("transpose", "whether it is transposed", "是否转置"),
        flag("unitriangular", "whether its diagonal counts as 1", "对角线是否视为 1"),
        Out("x_out", "the solutions", "解"),
        Out("m_out", "a copy of a", "a 的副本"),
    ),
    (
        Dtypes(("self", "a"), (FLOAT, DOUBLE), lacks_complex=True),
        SameDtype(("self", "a")),
        MaxDims(("self", "a")),
        Sound(
            fits,
            "self is [..., n, k], a is [..., n, n]",
            "self 的 shape 为 [..., n, k]，a 为 [..., n, n]",
        ),
        ResultDtype((FLOAT, DOUBLE)),
        ResultShape(),
    ),
    formula,
    """
>>> import numpy as np, openaclnn
>>> b, a = np.array([[2], [5]], np.float32), np.array([[2, 0], [1, 4]], np.float32)
>>> openaclnn.triangular_solve(b, a)[0]
array([[1.],
       [1.]], dtype=float32)
""",
    results=results,
    steps=steps,
    wide=always,
    proof=Proof(exact={FLOAT: None, DOUBLE: None}),  # of a alone, as said above
    shapes=shapes,
    source="signature: op-plugin, llama.cpp; values: PyTorch's linalg.solve_triangular",
)
