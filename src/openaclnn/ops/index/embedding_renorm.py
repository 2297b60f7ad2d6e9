"""Rows of a table that indices name, shrunk where their p-norm is larger than a number: times that
number over the norm, to which 1e-7 is added."""

from functools import cache
from typing import Any

from openaclnn.base.dtypes import DOUBLE, INT64
from openaclnn.ops.reduce.norm import norm, special_of
from openaclnn.spec.call import Call
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, constant, described, not_equal, where
from openaclnn.spec.host import FLOAT64
from openaclnn.spec.indexed import INDICES
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, InOut, Op, always
from openaclnn.spec.proof import Proof
from openaclnn.spec.rules import Dtypes, MaxDims, NotNegative
from openaclnn.spec.scatters import scattered, spread
from openaclnn.spec.steps import Part, Step, parts, scratch, zeros


def one() -> Expr:
    return constant(1)


@cache
def shrunk(special: float | str | None) -> Any:
    def formula(self: Expr, named: Expr, max_norm: Expr, norm_type: Expr) -> Expr:
        size = norm(self, norm_type, special)
        larger = not_equal(named, 0) & (size > max_norm)
        return where(larger, self * (max_norm / (size + 1e-7)), self)

    return formula


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    table, indices = known["self"], known["indices"]
    rows, width = table.view.shape
    if not (rows and width and indices.view.numel):
        return ()
    none, each = scratch(0, INT64, ()), scratch(1, INT64, indices.view.shape)
    named = scratch(2, INT64, (rows,))
    reads: dict[str, Part | None] = {"self": table, "named": scratch(2, INT64, (rows, 1))}
    return (
        Step({}, (none,), zeros),
        Step({}, (each,), one),
        scattered(spread(none, (rows,), ()), each, (indices,), (-1,), named),
        Step(reads, (table,), shrunk(special_of(call["norm_type"])), {"row": (1,)}),
    )


def fits(call: Call) -> str | None:
    rank, of_indices = len(call["self"].shape), len(call["indices"].shape)
    if rank != 2:
        return f"self has {rank} dimensions; expected 2"
    return None if of_indices == 1 else f"indices has {of_indices} dimensions; expected 1"


def formula(self: Expr, indices: Expr) -> Expr:
    return described("self, its rows that indices name shrunk to max_norm", self, indices)


OP = Op(
    "embedding_renorm",
    "Rows shrunk to a largest norm, in place",
    "按最大范数缩放词向量（原地）",
    (
        InOut("self", "the table", "词表"),
        In("indices", "which rows", "行号"),
        Attr("max_norm", "the largest norm", "最大范数", FLOAT64, usual=1.0),
        Attr("norm_type", "the norm's exponent", "范数的指数", FLOAT64, 2.0),
    ),
    (
        Dtypes(("self",), (*FLOATS, DOUBLE)),
        Dtypes(("indices",), INDICES),
        NotNegative("max_norm"),
        MaxDims(("self", "indices")),
        Sound(fits, "self has two dimensions, indices one", "self 为 2 维，indices 为 1 维"),
    ),
    formula,
    """
>>> import numpy as np, openaclnn
>>> table = np.array([[3, 4], [0, 10]], np.float32)
>>> openaclnn.embedding_renorm(table, np.array([1, 1]), 5.0)
array([[3., 4.],
       [0., 5.]], dtype=float32)
""",
    promotes=lambda call: call["self"].dtype,
    steps=steps,
    wide=always,
    proof=Proof(exact={DOUBLE: None}),  # a norm of large exponents is off by more
    source="signature: op-plugin; values: PyTorch's embedding_renorm_",
    shapes=lambda shape, attributes: {"self": (6, 4), "indices": (3,)},
)
