"""What windows along a dimension took, added up where it came from: each element has the exact sum
over the windows that see it."""

from openaclnn.spec.call import Call
from openaclnn.spec.families import FLOATS
from openaclnn.spec.formula import Expr, among_integers, equal, floor_div, fold, tensor, where
from openaclnn.spec.host import INT64, INT_ARRAY
from openaclnn.spec.op import Attr, In, Out
from openaclnn.spec.shaped import shape_fault, shaped
from openaclnn.spec.steps import Part, Step, integer, mapped, parts
from openaclnn.spec.windows import at_end, growing


def formula(grad_in: Expr) -> Expr:
    ahead, step = tensor("ahead"), tensor("step")
    place = floor_div(ahead, step)
    hit = among_integers(equal(place * step, ahead))
    return fold(where(hit, grad_in.at(n=place), 0), "add", over="window")


def counts(call: Call) -> tuple[int, int]:
    """The dimension, and how many windows there are."""
    dim = call["dim"] % max(len(call["input_sizes"]), 1)
    return dim, (call["input_sizes"][dim] - call["size"]) // max(call["step"], 1) + 1


def steps(call: Call) -> tuple[Step, ...]:
    known, (dim, count) = parts(call), counts(call)
    grad, out = known["grad_in"], known["out"]
    own, rank = grad.view, len(out.view.shape) + 1
    without = own.seen(
        (*own.shape[:dim], 1, *own.shape[dim + 1 :]),
        (*own.strides[:dim], 0, *own.strides[dim + 1 :]),
        own.offset,
    )
    reads = mapped("grad_in", Part(grad.tensor, without), n=(count, own.strides[dim]))
    size = out.view.shape[dim]
    reads["ahead"] = growing(rank, ((dim, size, 1), (rank - 1, call["size"], -1)))
    reads["step"] = integer(call["step"])
    return (Step(reads, (at_end(out, rank),), formula, {"window": (rank - 1,)}),)


def fits(call: Call) -> str | None:
    sizes, size, step = call["input_sizes"], call["size"], call["step"]
    if not sizes or min(sizes) < 0:
        return f"input_sizes is {list(sizes)}; expected sizes"
    if not -len(sizes) <= call["dim"] < len(sizes):
        return f"dim is {call['dim']}; expected {-len(sizes)} to {len(sizes) - 1}"
    dim, count = counts(call)
    if not 0 < size <= sizes[dim]:
        return f"size is {size}; expected 1 to {sizes[dim]}"
    if step < 1:
        return f"step is {step}; expected at least 1"
    grad = (*sizes[:dim], count, *sizes[dim + 1 :], size)
    return shape_fault(call, grad_in=grad, out=tuple(sizes))


OP = shaped(
    "unfold_grad",
    (
        In("grad_in", "gradient of the windows", "各窗口的梯度"),
        Attr("input_sizes", "the shape of what they saw", "被展开张量的 shape", INT_ARRAY,
             usual=(4, 3)),
        Attr("dim", "the dimension", "维度", INT64, usual=0),
        Attr("size", "the window", "窗口大小", INT64, usual=2),
        Attr("step", "from one to the next", "步长", INT64, usual=1),
        Out("out", "gradient of what they saw", "被展开张量的梯度"),
    ),
    formula,
    steps,
    lambda call: [tuple(call["input_sizes"])],
    fits,
    (
        "input_sizes is a shape, dim one of its dimensions, size at most as large there, step at "
        "least 1; grad_in has the windows' number there, and size last",
        "input_sizes 为 shape，dim 为其维度，size 不大于该维，step 不小于 1；"
        "grad_in 在该维为窗口个数，最后一维为 size",
    ),
    en="Gradient of windows along a dimension",
    zh="unfold 的反向传播",
    dtypes=FLOATS,
    shapes=lambda shape, attributes: {"grad_in": (3, 3, 2)},
    source="signature: op-plugin, candle; values: PyTorch's unfold_backward",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.unfold_grad(np.ones((2, 2), np.float32), [3], 0, 2, 1)
array([1., 2., 1.], dtype=float32)
""",
)  # fmt: skip
