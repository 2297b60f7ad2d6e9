"""Every element becomes one number, converted as a cast would."""

from openaclnn.spec.families import ALL, filling
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr
from openaclnn.spec.rules import Dtypes

OP = filling(
    "fill_scalar",
    formula=lambda value: value,
    attributes=(Attr("value", "what every element becomes", "填充值", SCALAR),),
    rules=(Dtypes(("value",), ALL),),
    en="Fill with a number",
    zh="以标量填充",
    torch="Tensor.fill_",
    source="signature: op-plugin, llama.cpp; values: PyTorch's fill_",
    example="""
>>> import numpy as np, openaclnn
>>> openaclnn.inplace_fill_scalar(np.empty(3, np.float32), 2.5)
array([2.5, 2.5, 2.5], dtype=float32)
""",
)
