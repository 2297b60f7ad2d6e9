"""The sum of a matrix's diagonal: exact, and rounded once; of integers in INT64."""

from openaclnn.base.dtypes import INT64, DType
from openaclnn.ops.move.diag import along
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import ALL, NUMBERS
from openaclnn.spec.formula import Expr, fold
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import In, Op, Out, never
from openaclnn.spec.results import promoted_dtype
from openaclnn.spec.rules import Dtypes, MaxDims, ResultDtype, ResultShape
from openaclnn.spec.steps import Part, Step, copied, parts, zeros


def matrix(call: Call) -> str | None:
    rank = len(call["self"].shape)
    return None if rank == 2 else f"self has {rank} dimensions; expected 2"


def promotes(call: Call) -> DType | None:
    own: DType = call["self"].dtype
    return own if own.kind == "float" else INT64


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    diagonal = Part(known["self"].tensor, along(known["self"].view, 0))
    return (Step({"self": diagonal}, (known["out"],)),)


def pulled_back(call: Call, name: str) -> tuple[Step, ...]:
    """The sum's gradient along the diagonal, 0 elsewhere."""
    known = parts(call)
    into = known["grad_input"]
    diagonal = Part(into.tensor, along(into.view, 0))
    return Step({}, (into,), zeros), Step({"self": known["grad_result"]}, (diagonal,), copied)


def formula(self: Expr) -> Expr:
    return fold(self, "add")


OP = Op(
    "trace",
    "Sum of a matrix's diagonal",
    "矩阵的迹",
    (In("self", "the matrix", "矩阵"), Out("out", "the sum", "和")),
    (
        Dtypes(("self",), ALL, lacks_complex=True),
        Sound(matrix, "self has 2 dimensions", "self 为 2 维"),
        ResultDtype(NUMBERS),
        MaxDims(("self", "out")),
        ResultShape(),
    ),
    formula,
    """
>>> import numpy as np, openaclnn
>>> openaclnn.trace(np.array([[1, 2], [3, 4]], np.float32))
array(5., dtype=float32)
""",
    promotes=promotes,
    results=lambda call: (Meta((), promoted_dtype(call)),),
    steps=steps,
    pulled_back=pulled_back,
    wide=never,
    torch="trace",
    source="signature: candle; values: PyTorch's trace (rounded once)",
)
