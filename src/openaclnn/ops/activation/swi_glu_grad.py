"""The gradient of swiglu, silu(a)·b: of a the gradient·b times the slope of silu, of b the
gradient·silu(a)."""

from openaclnn.spec.call import Call, Meta
from openaclnn.spec.families import FLOATS, sigmoid_product_slope
from openaclnn.spec.formula import Expr, sigmoid
from openaclnn.spec.gates import DIM
from openaclnn.spec.op import In, Op, Out, exact_product
from openaclnn.spec.rules import Castable, DimOf, Dtypes, Halved, MaxDims, ResultShape, SameDtype
from openaclnn.spec.steps import Step, halves, parts


def formula(grad_output: Expr, first_half: Expr, second_half: Expr) -> tuple[Expr, Expr]:
    return (
        grad_output * second_half * sigmoid_product_slope(first_half),
        grad_output * first_half * sigmoid(first_half),
    )


def steps(call: Call) -> tuple[Step, ...]:
    known = parts(call)
    first, second = halves(known["self"], call["dim"])
    reads = {"grad_output": known["grad_output"], "first_half": first, "second_half": second}
    return (Step({**reads}, halves(known["out"], call["dim"])),)


OP = Op(
    "swi_glu_grad",
    "Gradient of SwiGLU",
    "SwiGLU 的反向传播",
    (
        In("grad_output", "gradient with respect to SwiGLU's result", "SwiGLU 结果的梯度"),
        In("self", "SwiGLU's input", "SwiGLU 的输入"),
        DIM,
        Out("out", "gradient with respect to self", "self 的梯度"),
    ),
    (
        Dtypes(("grad_output", "self"), FLOATS),
        SameDtype(("grad_output", "self")),
        DimOf("dim", "self"),
        Halved("self", "dim", ("grad_output",)),
        Castable(),
        MaxDims(("grad_output", "self", "out")),
        ResultShape(),
    ),
    formula,
    """
>>> import numpy as np, openaclnn
>>> openaclnn.swi_glu_grad(np.float32([1]), np.float32([0, 100]))
array([50.,  0.], dtype=float32)
""",
    results=lambda call: (Meta(call["self"].shape, call["self"].dtype),),
    steps=steps,
    wide=exact_product,
    shapes=lambda shape, attributes: {"self": (*shape[:-1], shape[-1] * 2)},
    source="signature: op-plugin; values: PyTorch's silu",
)
