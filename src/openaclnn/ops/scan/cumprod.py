"""The product of all elements up to each along a dimension, or of all: one after the other in
float64, which results of FLOAT and less are rounded from once; on the way there is no overflow.
Integers wrap."""

from collections.abc import Callable

from openaclnn.base.dtypes import DType
from openaclnn.spec.call import Call, Meta
from openaclnn.spec.extremes import DIM, KEEP
from openaclnn.spec.families import ALL, DTYPE, NUMBERS, asked_or_own
from openaclnn.spec.formula import Expr, described
from openaclnn.spec.host import SCALAR
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, In, Op, Out, never
from openaclnn.spec.proof import DEFAULT, Proof
from openaclnn.spec.results import Results, promoted_dtype
from openaclnn.spec.rules import AskedDtype, DimOf, Dtypes, MaxDims, ResultDtype, ResultShape
from openaclnn.spec.rules.rule import Rule
from openaclnn.spec.scans import Scan
from openaclnn.spec.steps import Part, Step, Steps, copied, parts, scratch

SELF = In("self", "the input", "输入")
OUT = Out("out", "the products", "乘积")


def dim_of(call: Call) -> int:
    dim = call["dim"]
    found: int = int(getattr(dim, "value", dim)) % max(len(call["self"].shape), 1)
    return found


def placed(call: Call) -> str | None:
    value, rank = call["dim"].value, max(len(call["self"].shape), 1)
    if value not in range(-rank, rank):  # it may be a complex number, or infinite
        return f"dim is {value}; expected {-rank} to {rank - 1}"
    return None


def cumulative(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    return (Step({"self": known["self"]}, (known["out"],), routine=Scan("mul", dim_of(call))),)


def along(call: Call) -> tuple[Step, ...]:
    known, dim = parts(call), dim_of(call)
    out, rank = known["out"], len(call["self"].shape)
    view = out.view
    if len(view.shape) < rank:
        shape = (*view.shape[:dim], 1, *view.shape[dim:])
        view = view.seen(shape, (*view.strides[:dim], 0, *view.strides[dim:]), view.offset)
    routine = Scan("mul", dim, last=True)
    return (Step({"self": known["self"]}, (Part(out.tensor, view),), routine=routine),)


def of_all(call: Call) -> tuple[Step, ...]:
    """All elements become one row."""
    known = parts(call)
    view, out = known["self"].view, known["out"]
    lying, row = scratch(0, view.dtype, view.shape), scratch(0, view.dtype, (view.numel,))
    result = Part(out.tensor, out.view.seen((1,), (1,), out.view.offset))
    routine = Scan("mul", 0, last=True)
    return (
        Step({"self": known["self"]}, (lying,), copied),
        Step({"self": row}, (result,), routine=routine),
    )


def left(call: Call) -> tuple[Meta, ...]:
    shape, dim = call["self"].shape, dim_of(call)
    kept = (1,) * bool(call["keep_dim"] and shape)
    return (Meta((*shape[:dim], *kept, *shape[dim + 1 :]), promoted_dtype(call)),)


def gathered_in(call: Call) -> DType | None:
    """What holds the elements until they are a row: of integers a product wraps afterwards."""
    asked, own = asked_or_own(call), call["self"].dtype
    if asked is not None and own.kind == asked.kind == "int" and own.bits > asked.bits:
        return own  # type: ignore[no-any-return]
    return asked


def operator(
    name: str, attributes: tuple[Attr, ...], rules: tuple[Rule, ...], what: str, en: str, zh: str,
    steps: Steps, results: Results, example: str, proof: Proof = DEFAULT,
    promotes: Callable[[Call], DType | None] = asked_or_own,
) -> Op:  # fmt: skip
    def formula(self: Expr) -> Expr:
        return described(f"the product of {what}", self)

    return Op(
        name,
        en,
        zh,
        (SELF, *attributes, DTYPE, OUT),
        (
            Dtypes(("self",), ALL, lacks_complex=True),
            AskedDtype("dtype", NUMBERS, "self"),
            *rules,
            ResultDtype(NUMBERS),
            MaxDims(("self", "out")),
            ResultShape(),
        ),
        formula,
        example,
        promotes=promotes,
        results=results,
        steps=steps,
        wide=never,
        proof=proof,
        source="signature: op-plugin, candle; values: PyTorch's prod and cumprod",
    )


OPS = (
    operator(
        "cumprod",
        (Attr("dim", "the dimension", "维度", SCALAR, usual=0),),
        (Sound(placed, "dim is a dimension of self", "dim 为 self 的维度"),),
        "self up to each element along dim",
        "Cumulative product along a dimension",
        "沿维度的累积积",
        cumulative,
        lambda call: (Meta(call["self"].shape, promoted_dtype(call)),),
        """
>>> import numpy as np, openaclnn
>>> openaclnn.cumprod(np.array([2, 3, 4], np.float32), 0)
array([ 2.,  6., 24.], dtype=float32)
""",
        Proof(attributes=({"dim": 0}, {"dim": 1})),
    ),
    operator(
        "prod_dim",
        (DIM, KEEP),
        (DimOf("dim", "self"),),
        "self along dim",
        "Product along a dimension",
        "沿维度求积",
        along,
        left,
        """
>>> import numpy as np, openaclnn
>>> openaclnn.prod_dim(np.array([[2, 3], [4, 5]], np.float32), 1)
array([ 6., 20.], dtype=float32)
""",
    ),
    operator(
        "prod",
        (),
        (),
        "all elements of self",
        "Product of all elements",
        "全部元素的乘积",
        of_all,
        lambda call: (Meta((), asked_or_own(call) or call["self"].dtype),),
        "",
        promotes=gathered_in,
    ),
)
