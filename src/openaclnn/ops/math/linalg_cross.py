"""The cross product of vectors along a dimension: a₁b₂ − a₂b₁ and so on."""

from openaclnn.base.dtypes import DOUBLE
from openaclnn.spec.call import Call
from openaclnn.spec.families import FLOATS, INTEGERS
from openaclnn.spec.formula import Expr
from openaclnn.spec.host import INT64
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, exact_level
from openaclnn.spec.proof import Proof
from openaclnn.spec.rules import Broadcast, Castable, DimOf, Dtypes, MaxDims, Promotable
from openaclnn.spec.steps import Part, Step, narrowed, parts


def of_three(call: Call) -> str | None:
    self, other = call["self"].shape, call["other"].shape
    if len(self) != len(other):
        return f"other has {len(other)} dimensions; expected {len(self)}, as self has"
    for name, shape in (("self", self), ("other", other)):
        if not shape or shape[call["dim"]] != 3:
            return f"{name} has shape {list(shape)}; expected size 3 along dim"
    return None


def formula(self: Expr, other: Expr, self_after: Expr, other_after: Expr) -> Expr:
    return self * other_after - self_after * other


def steps(call: Call) -> tuple[Step, ...]:
    known, found = parts(call), []
    for k in range(3):
        one, two = (k + 1) % 3, (k + 2) % 3
        names = {"self": ("self", one), "other": ("other", one),
                 "self_after": ("self", two), "other_after": ("other", two)}  # fmt: skip
        reads: dict[str, Part | None] = {
            key: Part(known[name].tensor, narrowed(known[name].view, call["dim"], at, 1))
            for key, (name, at) in names.items()
        }
        out = known["out"]
        target = Part(out.tensor, narrowed(out.view, call["dim"], k, 1))
        found.append(Step(reads, (target,), formula))
    return tuple(found)


OP = Op(
    "linalg_cross",
    "Cross product",
    "向量叉积",
    (
        In("self", "vectors of three", "三维向量"),
        In("other", "others", "另一组三维向量"),
        Attr("dim", "the dimension along which they are", "向量所在的维度", INT64, -1),
        Out("out", "the products", "叉积"),
    ),
    (
        Dtypes(("self", "other"), (*FLOATS, DOUBLE, *INTEGERS), lacks_complex=True),
        Promotable(),
        Castable(),
        MaxDims(("self", "other", "out")),
        DimOf("dim", "self"),
        Sound(of_three, "self and other have as many dimensions, and size 3 along dim",
              "self 与 other 维数相同，dim 维大小为 3"),
        Broadcast(("self", "other")),
    ),
    formula,
    """
>>> import numpy as np, openaclnn
>>> openaclnn.linalg_cross(np.float32([1, 0, 0]), np.float32([0, 1, 0]))
array([0., 0., 1.], dtype=float32)
""",
    steps=steps,
    wide=exact_level,
    torch="linalg.cross",
    proof=Proof(exact={DOUBLE: None}),
    shapes=lambda shape, attributes: dict.fromkeys(("self", "other"), (*shape[:-1], 3)),
    source="signature: op-plugin, candle; values: PyTorch's linalg.cross",
)  # fmt: skip
