"""hardswish has slope 0 up to -3, x/3 + 1/2 between, 1 from 3 on. The second function is for
programs that distrust the first one at ±3."""

from openaclnn.spec.families import FLOATS, activation_backward
from openaclnn.spec.formula import where
from openaclnn.spec.op import Op, exact_level


def gradient(name: str) -> Op:
    return activation_backward(
        name,
        formula=lambda grad_output, self: where(
            self <= -3, 0, where(self >= 3, grad_output, grad_output * ((self * 2 + 3) / 6))
        ),
        dtypes=FLOATS,
        of="hardswish",
        out="out",
        wide=exact_level,
        torch="ops.aten.hardswish_backward",
        source="signature: op-plugin; values: PyTorch's hardswish_backward",
        example=f"""
>>> import numpy as np, openaclnn
>>> openaclnn.{name}(np.float32(2), np.array([-3, 0, 3], np.float32))
array([0., 1., 2.], dtype=float32)
""",
    )


OPS = (gradient("hardswish_backward"), gradient("hardswish_backward_v2"))
