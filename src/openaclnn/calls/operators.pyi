# Written by python -m openaclnn.calls.stubs from the operators' specs; not by hand.

from collections.abc import Sequence  # noqa: F401  not all need it
from typing import Any, Literal

def hardsigmoid_backward(grad_output: Any, self: Any, *, out: Any = None) -> Any:
    """Gradient of hardsigmoid: grad_output / 6 where |self| < 3, else 0.

    grad_output: gradient with respect to hardsigmoid's result.
    self: the input of hardsigmoid.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnHardsigmoidBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> x = np.array([-4.0, 0.0, 2.5, 3.0], np.float32)
    >>> openaclnn.hardsigmoid_backward(np.full_like(x, 6), x)
    array([0., 1., 1., 0.], dtype=float32)
    """

def leaky_relu_backward(
    grad_output: Any,
    self: Any,
    *,
    negative_slope: float = 0.01,
    self_is_result: bool = False,
    out: Any = None,
) -> Any:
    """Gradient of leaky ReLU: grad_output where self > 0, else grad_output·negative_slope.

    grad_output: gradient with respect to leaky ReLU's result.
    self: the input of leaky ReLU, or its result.
    negative_slope: the slope where self <= 0.
    self_is_result: whether self is leaky ReLU's result.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLeakyReluBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> x = np.array([[-1.0, 2.0], [3.0, -4.0]], np.float32)
    >>> openaclnn.leaky_relu_backward(np.float32(8), x, negative_slope=0.125)
    array([[1., 8.],
           [8., 1.]], dtype=float32)
    """

def log_sigmoid_backward(
    grad_output: Any,
    self: Any,
    buffer: Any = None,
    *,
    out: Any = None,
) -> Any:
    """Gradient of log sigmoid: grad_output·σ(−self).

    grad_output: gradient with respect to log sigmoid's result.
    self: the input of log sigmoid.
    buffer: left by the forward pass; not used.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLogSigmoidBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> x = np.array([-100.0, 0.0, 100.0], np.float32)
    >>> openaclnn.log_sigmoid_backward(np.ones_like(x), x)
    array([1.0e+00, 5.0e-01, 3.8e-44], dtype=float32)
    """

def silu_backward(grad_output: Any, self: Any, *, out: Any = None) -> Any:
    """Gradient of SiLU (swish): grad_output·σ(self)·(1 + self·(1 − σ(self))).

    grad_output: gradient with respect to silu's result.
    self: the input of silu.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSiluBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> x = np.array([-1.0, 0.0, 1.0], np.float32)
    >>> openaclnn.silu_backward(np.ones_like(x), x)
    array([0.07232949, 0.5       , 0.92767054], dtype=float32)
    """

def smooth_l1_loss_backward(
    grad_out: Any,
    self: Any,
    target: Any,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    beta: float = 1.0,
    out: Any = None,
) -> Any:
    """Gradient of the smooth L1 loss: grad_out·k·clamp((self − target) / beta, −1, 1).

    grad_out: gradient with respect to the loss.
    self: the prediction.
    target: what was to be predicted.
    reduction: none, mean or sum: 0, 1 or 2.
    beta: where the loss turns from quadratic to linear.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSmoothL1LossBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> x, target = np.array([[0.25, 3.0], [-2.0, 1.0]], np.float32), np.ones(2, np.float32)
    >>> openaclnn.smooth_l1_loss_backward(np.float32(1), x, target, reduction="sum")
    array([[-0.75,  1.  ],
           [-1.  ,  0.  ]], dtype=float32)
    """

__all__ = [
    "hardsigmoid_backward",
    "leaky_relu_backward",
    "log_sigmoid_backward",
    "silu_backward",
    "smooth_l1_loss_backward",
]
