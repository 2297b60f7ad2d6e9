"""What is above a diagonal, 0 below it. The diagonal is counted upwards from the main one; matrices
are the last two dimensions."""

from collections.abc import Callable

from openaclnn.spec.call import Call
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr, where
from openaclnn.spec.host import INT64
from openaclnn.spec.moves import Sound, moving
from openaclnn.spec.op import Attr, InOut, Op, never
from openaclnn.spec.rules import Dtypes, MaxDims
from openaclnn.spec.steps import Part, Step, parts, position

DIAGONAL = Attr("diagonal", "which diagonal", "对角线", INT64, default=0, by_place=True)


def matrices(call: Call) -> str | None:
    rank = len(call["self"].shape)
    return None if rank > 1 else f"self has {rank} dimensions; expected at least 2"


DEEP = Sound(matrices, "self has at least 2 dimensions", "self 至少 2 维")


def steps(call: Call, self: Part, out: Part) -> list[Step]:
    rank = len(self.view.shape)
    row, column = (position(self.view, rank - back) for back in (2, 1))
    return [Step({"self": self, "row": row, "column": column}, (out,))]


def triangle(
    name: str, en: str, zh: str, formula: Callable[..., Expr], example: str
) -> tuple[Op, Op]:
    """One side of a diagonal, and its in-place variant."""
    source = f"signatures: op-plugin, llama.cpp; values: PyTorch's {name}"
    changed = InOut("self", "the input, which the result replaces", "输入，结果写回其中")
    plain = moving(
        name, en, zh, (DIAGONAL,), (DEEP,), lambda call: call["self"].shape, steps, example,
        formula=formula, torch=name, source=source,
    )  # fmt: skip
    twin = Op(
        f"inplace_{name}",
        f"{en}, in place",
        f"{zh}（原地）",
        (changed, DIAGONAL),
        (Dtypes(("self",), ALL, lacks_complex=True), MaxDims(("self",)), DEEP),
        formula,
        "",
        steps=lambda call: tuple(steps(call, parts(call)["self"], parts(call)["self"])),
        wide=never,
        header=f"aclnn_{name}.h",
        torch=name,
        source=source,
    )
    return plain, twin


def above(self: Expr, row: Expr, column: Expr, diagonal: Expr) -> Expr:
    return where(column - row >= diagonal, self, 0)


OPS = triangle(
    "triu",
    "Upper triangle",
    "上三角",
    above,
    """
>>> import numpy as np, openaclnn
>>> openaclnn.triu(np.array([[1, 2], [3, 4]]))
array([[1, 2],
       [0, 4]])
""",
)
