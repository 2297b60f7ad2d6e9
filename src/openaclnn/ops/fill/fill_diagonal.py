"""The elements whose indices are all equal become a number; of a matrix that is taller than wide,
again and again below (wrap)."""

from openaclnn.base.tensors import View
from openaclnn.spec.call import Call
from openaclnn.spec.families import ALL
from openaclnn.spec.formula import Expr
from openaclnn.spec.host import FLAG, SCALAR
from openaclnn.spec.moves import Sound
from openaclnn.spec.op import Attr, InOut, Op, never
from openaclnn.spec.rules import Dtypes, MaxDims
from openaclnn.spec.steps import Part, Step, parts


def formula(fill_value: Expr) -> Expr:
    return fill_value


def along(view: View, start: int, size: int) -> View:
    """So many elements of a diagonal, from a row on."""
    return view.seen((size,), (sum(view.strides),), view.offset + start * view.strides[0])


def steps(call: Call) -> tuple[Step, ...]:
    part = parts(call)["self"]
    view, least = part.view, min(part.view.shape)
    starts = [0]
    if call["wrap"] and len(view.shape) == 2 and least:
        starts = [*range(0, view.shape[0], view.shape[1] + 1)]
    runs = ((start, min(least, view.shape[0] - start)) for start in starts)
    return tuple(
        Step({}, (Part(part.tensor, along(view, start, size)),)) for start, size in runs if size
    )


def fits(call: Call) -> str | None:
    shape = call["self"].shape
    if len(shape) < 2:
        return f"self has {len(shape)} dimensions; expected at least 2"
    if len(shape) > 2 and len({*shape}) > 1:
        return f"self has shape {list(shape)}; expected one size along all dimensions"
    return None


OP = Op(
    "inplace_fill_diagonal",
    "Fill of a diagonal, in place",
    "填充对角线（原地）",
    (
        InOut("self", "what is filled", "被填充的张量"),
        Attr("fill_value", "the number", "填充值", SCALAR),
        Attr("wrap", "whether it begins anew below", "是否在下方重新开始", FLAG, False),
    ),
    (
        Dtypes(("self",), ALL),
        MaxDims(("self",)),
        Sound(fits, "self has two dimensions, or more of one size",
              "self 为 2 维，或更多维且各维大小相同"),
    ),
    formula,
    """
>>> import numpy as np, openaclnn
>>> openaclnn.inplace_fill_diagonal(np.zeros((2, 2)), 5)
array([[5., 0.],
       [0., 5.]])
""",
    promotes=lambda call: call["self"].dtype,
    steps=steps,
    wide=never,
    torch="Tensor.fill_diagonal_",
    source="signature: op-plugin; values: PyTorch's fill_diagonal_",
)  # fmt: skip
