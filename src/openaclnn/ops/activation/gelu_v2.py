"""gelu(x) = x·Φ(x), where Φ is the normal distribution (approximate 0), or what takes its place by
tanh (1), as in gelu."""

from openaclnn.ops.activation.gelu import by_erf, by_tanh
from openaclnn.spec.families import FLOATS, unary
from openaclnn.spec.host import INT64
from openaclnn.spec.op import Attr
from openaclnn.spec.rules import OneOf

NONE, TANH = 0, 1

OPS = unary(
    "gelu_v2",
    formula=lambda self, approximate: by_tanh(self) if approximate == TANH else by_erf(self),
    dtypes=FLOATS,
    attributes=(
        Attr("approximate", "by which formula", "近似方式", INT64, default="none",
             choices={"none": NONE, "tanh": TANH}),
    ),
    rules=(OneOf("approximate"),),
    en="GELU",
    zh="GELU 激活函数",
    torch="nn.functional.gelu",
    backward="gelu_backward_v2",
    source="signature and choices: op-plugin, llama.cpp; values: PyTorch's gelu",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.gelu_v2(np.array([-1, 0, 1], np.float32))
array([-0.15865526,  0.        ,  0.8413448 ], dtype=float32)
""",
)  # fmt: skip
