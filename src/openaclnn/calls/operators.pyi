# Written by python -m openaclnn.calls.stubs from the operators' specs; not by hand.

from collections.abc import Sequence
from typing import Any, Literal

def abs(self: Any, *, out: Any = None) -> Any:
    """Magnitude: |self|.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAbs answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.abs(np.array([-2, 0, 3], np.int32))
    array([2, 0, 3], dtype=int32)
    """

def add(self: Any, other: Any, *, alpha: float = 1, out: Any = None) -> Any:
    """Sum: alpha·other + self.

    self: the input.
    other: the second input.
    alpha: a factor of the second.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAdd answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.add(np.array([1, 2], np.int32), np.array([[10], [20]], np.int32), alpha=3)
    array([[31, 32],
           [61, 62]], dtype=int32)
    >>> openaclnn.add(np.array([1, 2], np.float32), 0.5)
    array([1.5, 2.5], dtype=float32)
    """

def adds(self: Any, other: float, *, alpha: float = 1, out: Any = None) -> Any:
    """Sum, with a number: alpha·other + self.

    self: the input.
    other: the number beside it.
    alpha: a factor of the second.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAdds answers with an error status.
    """

def amax(self: Any, *, dim: Sequence[int] = (), keep_dim: bool = False, out: Any = None) -> Any:
    """The largest over dimensions: max(self).

    self: the input.
    dim: the dimensions that go; none means all.
    keep_dim: whether they stay, of size 1.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAmax answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.amax(np.array([[1, 7], [3, 6]], np.float32), dim=[0], keep_dim=True)
    array([[3., 7.]], dtype=float32)
    """

def binary_cross_entropy_with_logits_backward(
    grad_output: Any,
    self: Any,
    target: Any,
    weight: Any = None,
    pos_weight: Any = None,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: Any = None,
) -> Any:
    """Gradient of the binary cross entropy of logits: grad_output·k·weight·((1 − target)·σ(self) −
    pos_weight·target·σ(−self)).

    grad_output: gradient with respect to the loss.
    self: the logits.
    target: what is true, from 0 to 1.
    weight: weights of the elements.
    pos_weight: weights of what is true.
    reduction: none, mean or sum: 0, 1 or 2.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnBinaryCrossEntropyWithLogitsBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> x, target = np.zeros(2, np.float32), np.array([0, 1], np.float32)
    >>> gradient = openaclnn.binary_cross_entropy_with_logits_backward
    >>> gradient(np.float32(4), x, target, reduction="sum")
    array([ 2., -2.], dtype=float32)
    """

def cast(self: Any, dtype: Any, *, out: Any = None) -> Any:
    """Conversion to another dtype: self.

    self: the input.
    dtype: of the result.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnCast answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.cast(np.array([-1.7, 300.5, np.nan], np.float32), "int8")
    array([ -1, 127,   0], dtype=int8)
    """

def cat(tensors: Any, *, dim: int = 0, out: Any = None) -> Any:
    """Tensors one behind the other: self.

    tensors: what is joined.
    dim: the dimension along which it is.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnCat answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.cat([np.array([[1, 2]]), np.array([[3, 4], [5, 6]])])
    array([[1, 2],
           [3, 4],
           [5, 6]])
    """

def clamp(
    self: Any,
    *,
    clip_value_min: float | None = None,
    clip_value_max: float | None = None,
    out: Any = None,
) -> Any:
    """Clamp: minimum(maximum(self, low), high).

    self: the input.
    clip_value_min: the lower limit.
    clip_value_max: the upper limit.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnClamp answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.clamp(np.array([-2, 0, 3], np.float32), clip_value_min=-1, clip_value_max=1)
    array([-1.,  0.,  1.], dtype=float32)
    """

def clamp_max(self: Any, clip_value_max: float, *, out: Any = None) -> Any:
    """Clamp from above: minimum(self, clip_value_max).

    self: the input.
    clip_value_max: the upper limit.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnClampMax answers with an error status.
    """

def clamp_min(self: Any, clip_value_min: float, *, out: Any = None) -> Any:
    """Clamp from below: maximum(self, clip_value_min).

    self: the input.
    clip_value_min: the lower limit.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnClampMin answers with an error status.
    """

def cos(self: Any, *, out: Any = None) -> Any:
    """Cosine: cos(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnCos answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.cos(np.array([0, 1, 1e30], np.float32))
    array([ 1.       ,  0.5403023, -0.6116048], dtype=float32)
    """

def div(self: Any, other: Any, *, out: Any = None) -> Any:
    """Quotient: self / other.

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnDiv answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.div(np.array([1, 2, 0], np.int32), np.array([2, 0, 0], np.int32))
    array([0.5, inf, nan], dtype=float32)
    """

def divs(self: Any, other: float, *, out: Any = None) -> Any:
    """Quotient, with a number: self / other.

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnDivs answers with an error status.
    """

def elu(
    self: Any,
    *,
    alpha: float = 1.0,
    scale: float = 1.0,
    input_scale: float = 1.0,
    out: Any = None,
) -> Any:
    """ELU: expm1(self·input_scale)·alpha·scale where self ≤ 0, else self·scale.

    self: the input.
    alpha: what is approached far below 0, times -scale.
    scale: a factor of the result.
    input_scale: a factor of the input below 0.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnElu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.elu(np.array([-1, 0, 2], np.float32), alpha=2)
    array([-1.2642411,  0.       ,  2.       ], dtype=float32)
    """

def eq_scalar(self: Any, other: float, *, out: Any = None) -> Any:
    """Equality, with a number: self = other.

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnEqScalar answers with an error status.
    """

def eq_tensor(self: Any, other: Any, *, out: Any = None) -> Any:
    """Equality: self = other.

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnEqTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.eq(np.array([1, 2, 3]), np.array([1, 0, 3]))
    array([ True, False,  True])
    >>> openaclnn.eq(np.array([0.5, 2], np.float32), 2)
    array([False,  True])
    """

def erf(self: Any, *, out: Any = None) -> Any:
    """Error function: erf(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnErf answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.erf(np.array([-1, 0, 4], np.float32))
    array([-0.8427008,  0.       ,  1.       ], dtype=float32)
    """

def exp(self: Any, *, out: Any = None) -> Any:
    """Exponential: exp(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnExp answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.exp(np.array([-1, 0, 1], np.float32))
    array([0.36787945, 1.        , 2.7182817 ], dtype=float32)
    """

def expm1(self: Any, *, out: Any = None) -> Any:
    """Exponential, less 1: expm1(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnExpm1 answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.expm1(np.array([-1, 0, 1e-10], np.float32))
    array([-6.3212055e-01,  0.0000000e+00,  1.0000000e-10], dtype=float32)
    """

def ge_scalar(self: Any, other: float, *, out: Any = None) -> Any:
    """Greater than or equal, with a number: self ≥ other.

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGeScalar answers with an error status.
    """

def ge_tensor(self: Any, other: Any, *, out: Any = None) -> Any:
    """Greater than or equal: self ≥ other.

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGeTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.ge(np.array([1, 2, 3]), np.array([1, 4, 2]))
    array([ True, False,  True])
    """

def glu(self: Any, *, dim: int = -1, out: Any = None) -> Any:
    """Gated linear unit: first_half·σ(second_half).

    self: the input, of even size along dim.
    dim: the dimension that is halved.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGlu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.glu(np.array([[4, 8, 0, 100]], np.float32))
    array([[2., 8.]], dtype=float32)
    """

def glu_backward(grad_out: Any, self: Any, *, dim: int = -1, out: Any = None) -> Any:
    """Gradient of the gated linear unit: grad_out·σ(second_half),
    grad_out·first_half·σ(second_half)·σ(−second_half).

    grad_out: gradient with respect to glu's result.
    self: the input of glu.
    dim: the dimension that is halved.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGluBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.glu_backward(np.array([[8]], np.float32), np.array([[3, 0]], np.float32))
    array([[4., 6.]], dtype=float32)
    """

def gt_scalar(self: Any, other: float, *, out: Any = None) -> Any:
    """Greater than, with a number: self > other.

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGtScalar answers with an error status.
    """

def gt_tensor(self: Any, other: Any, *, out: Any = None) -> Any:
    """Greater than: self > other.

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGtTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.gt(np.array([1, 2, 3]), np.array([1, 4, 2]))
    array([False, False,  True])
    """

def hardsigmoid(self: Any, *, out: Any = None) -> Any:
    """Hardsigmoid: clamp(self + 3, 0, 6) / 6.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnHardsigmoid answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.hardsigmoid(np.array([-4, 0, 1.5], np.float32))
    array([0.  , 0.5 , 0.75], dtype=float32)
    """

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

def hardswish(self: Any, *, out: Any = None) -> Any:
    """Hardswish: self·(clamp(self + 3, 0, 6) / 6).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnHardswish answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.hardswish(np.array([-4, -1.5, 3, 8], np.float32))
    array([-0.   , -0.375,  3.   ,  8.   ], dtype=float32)
    """

def inplace_add(self: Any, other: Any, *, alpha: float = 1) -> Any:
    """Sum, in place: alpha·other + self.

    self: the input, which the result replaces.
    other: the second input.
    alpha: a factor of the second.

    Raises AclnnError where aclnnInplaceAdd answers with an error status.
    """

def inplace_adds(self: Any, other: float, *, alpha: float = 1) -> Any:
    """Sum, with a number, in place: alpha·other + self.

    self: the input, which the result replaces.
    other: the number beside it.
    alpha: a factor of the second.

    Raises AclnnError where aclnnInplaceAdds answers with an error status.
    """

def inplace_clamp_max(self: Any, clip_value_max: float) -> Any:
    """Clamp from above, in place: minimum(self, clip_value_max).

    self: the input, which the result replaces.
    clip_value_max: the upper limit.

    Raises AclnnError where aclnnInplaceClampMax answers with an error status.
    """

def inplace_clamp_min(self: Any, clip_value_min: float) -> Any:
    """Clamp from below, in place: maximum(self, clip_value_min).

    self: the input, which the result replaces.
    clip_value_min: the lower limit.

    Raises AclnnError where aclnnInplaceClampMin answers with an error status.
    """

def inplace_copy(self: Any, src: Any) -> Any:
    """Copy: self.

    self: what is overwritten.
    src: what is copied.

    Raises AclnnError where aclnnInplaceCopy answers with an error status.

    >>> import numpy as np, openaclnn
    >>> x = np.zeros((2, 2), np.float32)
    >>> openaclnn.inplace_copy(x, np.array([1, 2]))
    array([[1., 2.],
           [1., 2.]], dtype=float32)
    """

def inplace_cos(self: Any) -> Any:
    """Cosine, in place: cos(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceCos answers with an error status.
    """

def inplace_div(self: Any, other: Any) -> Any:
    """Quotient, in place: self / other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceDiv answers with an error status.
    """

def inplace_divs(self: Any, other: float) -> Any:
    """Quotient, with a number, in place: self / other.

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceDivs answers with an error status.
    """

def inplace_elu(
    self: Any,
    *,
    alpha: float = 1.0,
    scale: float = 1.0,
    input_scale: float = 1.0,
) -> Any:
    """ELU, in place: expm1(self·input_scale)·alpha·scale where self ≤ 0, else self·scale.

    self: the input, which the result replaces.
    alpha: what is approached far below 0, times -scale.
    scale: a factor of the result.
    input_scale: a factor of the input below 0.

    Raises AclnnError where aclnnInplaceElu answers with an error status.
    """

def inplace_eq_scalar(self: Any, other: float) -> Any:
    """Equality, with a number, in place: self = other.

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceEqScalar answers with an error status.
    """

def inplace_eq_tensor(self: Any, other: Any) -> Any:
    """Equality, in place: self = other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceEqTensor answers with an error status.
    """

def inplace_erf(self: Any) -> Any:
    """Error function, in place: erf(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceErf answers with an error status.
    """

def inplace_exp(self: Any) -> Any:
    """Exponential, in place: exp(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceExp answers with an error status.
    """

def inplace_expm1(self: Any) -> Any:
    """Exponential, less 1, in place: expm1(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceExpm1 answers with an error status.
    """

def inplace_fill_scalar(self: Any, value: float) -> Any:
    """Fill with a number: value.

    self: what is overwritten.
    value: what every element becomes.

    Raises AclnnError where aclnnInplaceFillScalar answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.inplace_fill_scalar(np.empty(3, np.float32), 2.5)
    array([2.5, 2.5, 2.5], dtype=float32)
    """

def inplace_ge_scalar(self: Any, other: float) -> Any:
    """Greater than or equal, with a number, in place: self ≥ other.

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceGeScalar answers with an error status.
    """

def inplace_ge_tensor(self: Any, other: Any) -> Any:
    """Greater than or equal, in place: self ≥ other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceGeTensor answers with an error status.
    """

def inplace_gt_scalar(self: Any, other: float) -> Any:
    """Greater than, with a number, in place: self > other.

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceGtScalar answers with an error status.
    """

def inplace_gt_tensor(self: Any, other: Any) -> Any:
    """Greater than, in place: self > other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceGtTensor answers with an error status.
    """

def inplace_hardsigmoid(self: Any) -> Any:
    """Hardsigmoid, in place: clamp(self + 3, 0, 6) / 6.

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceHardsigmoid answers with an error status.
    """

def inplace_hardswish(self: Any) -> Any:
    """Hardswish, in place: self·(clamp(self + 3, 0, 6) / 6).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceHardswish answers with an error status.
    """

def inplace_le_scalar(self: Any, other: float) -> Any:
    """Less than or equal, with a number, in place: self ≤ other.

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceLeScalar answers with an error status.
    """

def inplace_le_tensor(self: Any, other: Any) -> Any:
    """Less than or equal, in place: self ≤ other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceLeTensor answers with an error status.
    """

def inplace_leaky_relu(self: Any, *, negative_slope: float = 0.01) -> Any:
    """Leaky ReLU, in place: self where self > 0, else self·negative_slope.

    self: the input, which the result replaces.
    negative_slope: the slope below 0.

    Raises AclnnError where aclnnInplaceLeakyRelu answers with an error status.
    """

def inplace_log(self: Any) -> Any:
    """Natural logarithm, in place: log(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceLog answers with an error status.
    """

def inplace_log1p(self: Any) -> Any:
    """Logarithm of 1 + x, in place: log1p(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceLog1p answers with an error status.
    """

def inplace_lt_scalar(self: Any, other: float) -> Any:
    """Less than, with a number, in place: self < other.

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceLtScalar answers with an error status.
    """

def inplace_lt_tensor(self: Any, other: Any) -> Any:
    """Less than, in place: self < other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceLtTensor answers with an error status.
    """

def inplace_mul(self: Any, other: Any) -> Any:
    """Product, in place: self·other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceMul answers with an error status.
    """

def inplace_muls(self: Any, other: float) -> Any:
    """Product, with a number, in place: self·other.

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceMuls answers with an error status.
    """

def inplace_ne_scalar(self: Any, other: float) -> Any:
    """Inequality, with a number, in place: self ≠ other.

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceNeScalar answers with an error status.
    """

def inplace_ne_tensor(self: Any, other: Any) -> Any:
    """Inequality, in place: self ≠ other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceNeTensor answers with an error status.
    """

def inplace_neg(self: Any) -> Any:
    """Negative, in place: −self.

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceNeg answers with an error status.
    """

def inplace_relu(self: Any) -> Any:
    """ReLU, in place: 0 where self ≤ 0, else self.

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceRelu answers with an error status.
    """

def inplace_rsqrt(self: Any) -> Any:
    """Reciprocal of the square root, in place: rsqrt(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceRsqrt answers with an error status.
    """

def inplace_sigmoid(self: Any) -> Any:
    """Sigmoid, in place: σ(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceSigmoid answers with an error status.
    """

def inplace_sin(self: Any) -> Any:
    """Sine, in place: sin(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceSin answers with an error status.
    """

def inplace_sqrt(self: Any) -> Any:
    """Square root, in place: sqrt(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceSqrt answers with an error status.
    """

def inplace_sub(self: Any, other: Any, *, alpha: float = 1) -> Any:
    """Difference, in place: (−alpha)·other + self.

    self: the input, which the result replaces.
    other: the second input.
    alpha: a factor of the second.

    Raises AclnnError where aclnnInplaceSub answers with an error status.
    """

def inplace_subs(self: Any, other: float, *, alpha: float = 1) -> Any:
    """Difference, with a number, in place: (−alpha)·other + self.

    self: the input, which the result replaces.
    other: the number beside it.
    alpha: a factor of the second.

    Raises AclnnError where aclnnInplaceSubs answers with an error status.
    """

def inplace_tanh(self: Any) -> Any:
    """Hyperbolic tangent, in place: tanh(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceTanh answers with an error status.
    """

def inplace_threshold(self: Any, threshold: float, value: float) -> Any:
    """Threshold, in place: value where self ≤ threshold, else self.

    self: the input, which the result replaces.
    threshold: up to which values are replaced.
    value: what they become.

    Raises AclnnError where aclnnInplaceThreshold answers with an error status.
    """

def inplace_zero(self: Any) -> Any:
    """Fill with zeros: 0.

    self: what is overwritten.

    Raises AclnnError where aclnnInplaceZero answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.inplace_zero(np.ones(2, np.int32))
    array([0, 0], dtype=int32)
    """

def l1_loss(
    self: Any,
    target: Any,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: Any = None,
) -> Any:
    """L1 loss: mean(|self − target|).

    self: the prediction.
    target: what was to be predicted.
    reduction: none, mean or sum: 0, 1 or 2.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnL1Loss answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.l1_loss(np.array([1, 2], np.float32), np.array([4, 2], np.float32))
    array(1.5, dtype=float32)
    """

def le_scalar(self: Any, other: float, *, out: Any = None) -> Any:
    """Less than or equal, with a number: self ≤ other.

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLeScalar answers with an error status.
    """

def le_tensor(self: Any, other: Any, *, out: Any = None) -> Any:
    """Less than or equal: self ≤ other.

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLeTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.le(np.array([1, 2, 3]), np.array([1, 4, 2]))
    array([ True,  True, False])
    """

def leaky_relu(self: Any, *, negative_slope: float = 0.01, out: Any = None) -> Any:
    """Leaky ReLU: self where self > 0, else self·negative_slope.

    self: the input.
    negative_slope: the slope below 0.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLeakyRelu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.leaky_relu(np.array([-2, 0, 3], np.float32), negative_slope=0.5)
    array([-1.,  0.,  3.], dtype=float32)
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

def log(self: Any, *, out: Any = None) -> Any:
    """Natural logarithm: log(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLog answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.log(np.array([0, 1, 10], np.float32))
    array([     -inf, 0.       , 2.3025851], dtype=float32)
    """

def log1p(self: Any, *, out: Any = None) -> Any:
    """Logarithm of 1 + x: log1p(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLog1p answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.log1p(np.array([-1, 0, 1e-10], np.float32))
    array([  -inf, 0.e+00, 1.e-10], dtype=float32)
    """

def log_sigmoid(self: Any, *, out: Any = None) -> Any:
    """Log sigmoid: (self where self < 0, else −0) − log1p(exp(−|self|)).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLogSigmoid answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.log_sigmoid(np.array([-100, 0, 2], np.float32))
    array([-100.        ,   -0.6931472 ,   -0.12692802], dtype=float32)
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

def log_sigmoid_forward(self: Any, *, out: Any = None) -> Any:
    """Log sigmoid, with what its gradient may use: (self where self < 0, else −0) −
    log1p(exp(−|self|)), exp(−|self|).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLogSigmoidForward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.log_sigmoid_forward(np.array([0], np.float32))
    (array([-0.6931472], dtype=float32), array([1.], dtype=float32))
    """

def lt_scalar(self: Any, other: float, *, out: Any = None) -> Any:
    """Less than, with a number: self < other.

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLtScalar answers with an error status.
    """

def lt_tensor(self: Any, other: Any, *, out: Any = None) -> Any:
    """Less than: self < other.

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLtTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.lt(np.array([1, 2, 3]), np.array([1, 4, 2]))
    array([False,  True, False])
    """

def mean(
    self: Any,
    *,
    dim: Sequence[int] = (),
    keep_dim: bool = False,
    dtype: Any = ...,
    out: Any = None,
) -> Any:
    """Mean over dimensions: mean(self).

    self: the input.
    dim: the dimensions that go; none means all.
    keep_dim: whether they stay, of size 1.
    dtype: of the result; undefined: self's, INT64 for integers.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnMean answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.mean(np.array([[1, 2], [3, 6]], np.float32), dim=[1])
    array([1.5, 4.5], dtype=float32)
    """

def mse_loss(
    self: Any,
    target: Any,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: Any = None,
) -> Any:
    """Mean squared error: mean((self − target)·(self − target)).

    self: the prediction.
    target: what was to be predicted.
    reduction: none, mean or sum: 0, 1 or 2.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnMseLoss answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.mse_loss(np.array([1, 2], np.float32), np.array([4, 2], np.float32))
    array(4.5, dtype=float32)
    """

def mul(self: Any, other: Any, *, out: Any = None) -> Any:
    """Product: self·other.

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnMul answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.mul(np.array([1, 2], np.int8), np.array([[10], [20]], np.float16))
    array([[10., 20.],
           [20., 40.]], dtype=float16)
    >>> openaclnn.mul(np.array([1, 2], np.float32), 0.5)
    array([0.5, 1. ], dtype=float32)
    """

def muls(self: Any, other: float, *, out: Any = None) -> Any:
    """Product, with a number: self·other.

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnMuls answers with an error status.
    """

def ne_scalar(self: Any, other: float, *, out: Any = None) -> Any:
    """Inequality, with a number: self ≠ other.

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnNeScalar answers with an error status.
    """

def ne_tensor(self: Any, other: Any, *, out: Any = None) -> Any:
    """Inequality: self ≠ other.

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnNeTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.ne(np.array([1, 2, 3]), np.array([1, 4, 3]))
    array([False,  True, False])
    """

def neg(self: Any, *, out: Any = None) -> Any:
    """Negative: −self.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnNeg answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.neg(np.array([-2, 0, 3], np.float32))
    array([ 2., -0., -3.], dtype=float32)
    """

def reduce_sum(
    self: Any,
    *,
    dims: Sequence[int] = (),
    keep_dims: bool = False,
    dtype: Any = ...,
    out: Any = None,
) -> Any:
    """Sum over dimensions: sum(self).

    self: the input.
    dims: the dimensions that go; none means all.
    keep_dims: whether they stay, of size 1.
    dtype: of the result; undefined: self's, INT64 for integers.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnReduceSum answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.reduce_sum(np.array([[1e8, 1], [-1e8, 1]], np.float32))
    array(2., dtype=float32)
    """

def relu(self: Any, *, out: Any = None) -> Any:
    """ReLU: 0 where self ≤ 0, else self.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRelu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.relu(np.array([-2, 0, 3], np.float32))
    array([0., 0., 3.], dtype=float32)
    """

def rsqrt(self: Any, *, out: Any = None) -> Any:
    """Reciprocal of the square root: rsqrt(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRsqrt answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.rsqrt(np.array([0, 2, 4], np.float32))
    array([       inf, 0.70710677, 0.5       ], dtype=float32)
    """

def sigmoid(self: Any, *, out: Any = None) -> Any:
    """Sigmoid: σ(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSigmoid answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.sigmoid(np.array([-100, 0, 2], np.float32))
    array([3.783506e-44, 5.000000e-01, 8.807971e-01], dtype=float32)
    """

def sign(self: Any, *, out: Any = None) -> Any:
    """Sign: (self > 0) − (self < 0).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSign answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.sign(np.array([-2, 0, 3], np.float32))
    array([-1.,  0.,  1.], dtype=float32)
    """

def silu(self: Any, *, out: Any = None) -> Any:
    """SiLU (swish): self·σ(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSilu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.silu(np.array([-1, 0, 1], np.float32))
    array([-0.26894143,  0.        ,  0.7310586 ], dtype=float32)
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

def sin(self: Any, *, out: Any = None) -> Any:
    """Sine: sin(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSin answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.sin(np.array([0, 1, 1e30], np.float32))
    array([ 0.        ,  0.84147096, -0.79116344], dtype=float32)
    """

def smooth_l1_loss(
    self: Any,
    target: Any,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    beta: float = 1.0,
    out: Any = None,
) -> Any:
    """Smooth L1 loss: mean((|self − target|·(|self − target| / beta)·0.5 where |self − target| <
    beta, else |self − target| − beta·0.5)).

    self: the prediction.
    target: what was to be predicted.
    reduction: none, mean or sum: 0, 1 or 2.
    beta: where the loss turns from quadratic to linear.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSmoothL1Loss answers with an error status.

    >>> import numpy as np, openaclnn
    >>> x, target = np.array([1, 5], np.float32), np.array([1.5, 1], np.float32)
    >>> openaclnn.smooth_l1_loss(x, target, reduction="sum")
    array(3.625, dtype=float32)
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

def softmax(self: Any, dim: int, *, out: Any = None) -> Any:
    """Softmax along a dimension: exp(self − max(self)) / sum(exp(self − max(self))).

    self: the input.
    dim: the dimension along which they sum to 1.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSoftmax answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.softmax(np.array([[0, 0], [0, 100]], np.float32), dim=1)
    array([[5.0e-01, 5.0e-01],
           [3.8e-44, 1.0e+00]], dtype=float32)
    """

def softmax_backward(grad_output: Any, output: Any, dim: int, *, out: Any = None) -> Any:
    """Gradient of the softmax: output·(grad_output − sum(grad_output·output)).

    grad_output: gradient with respect to the softmax's result.
    output: the softmax's result.
    dim: the softmax's dimension.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSoftmaxBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> g, y = np.array([1, 0], np.float32), np.array([0.5, 0.5], np.float32)
    >>> openaclnn.softmax_backward(g, y, dim=0)
    array([ 0.25, -0.25], dtype=float32)
    """

def softplus(self: Any, *, beta: float = 1.0, threshold: float = 20.0, out: Any = None) -> Any:
    """Softplus: self where self·beta > threshold, else ((self·beta where self·beta > 0, else 0) +
    log1p(exp(−|self·beta|))) / beta.

    self: the input.
    beta: a factor inside.
    threshold: where it becomes linear.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSoftplus answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.softplus(np.array([-1, 0, 30], np.float32))
    array([ 0.3132617,  0.6931472, 30.       ], dtype=float32)
    """

def sqrt(self: Any, *, out: Any = None) -> Any:
    """Square root: sqrt(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSqrt answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.sqrt(np.array([0, 2, 9], np.float32))
    array([0.       , 1.4142135, 3.       ], dtype=float32)
    """

def sub(self: Any, other: Any, *, alpha: float = 1, out: Any = None) -> Any:
    """Difference: (−alpha)·other + self.

    self: the input.
    other: the second input.
    alpha: a factor of the second.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSub answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.sub(np.array([1, 2], np.float32), np.array([[10], [20]], np.float32), alpha=2)
    array([[-19., -18.],
           [-39., -38.]], dtype=float32)
    """

def subs(self: Any, other: float, *, alpha: float = 1, out: Any = None) -> Any:
    """Difference, with a number: (−alpha)·other + self.

    self: the input.
    other: the number beside it.
    alpha: a factor of the second.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSubs answers with an error status.
    """

def swish(self: Any, *, beta: float = 1.0, out: Any = None) -> Any:
    """Swish: self·σ(self·beta).

    self: the input.
    beta: a factor inside, 1 where it is null.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSwish answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.swish(np.array([-1, 0, 1], np.float32), beta=2)
    array([-0.11920292,  0.        ,  0.8807971 ], dtype=float32)
    """

def tanh(self: Any, *, out: Any = None) -> Any:
    """Hyperbolic tangent: tanh(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnTanh answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.tanh(np.array([-1, 0, 20], np.float32))
    array([-0.7615942,  0.       ,  1.       ], dtype=float32)
    """

def threshold(self: Any, threshold: float, value: float, *, out: Any = None) -> Any:
    """Threshold: value where self ≤ threshold, else self.

    self: the input.
    threshold: up to which values are replaced.
    value: what they become.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnThreshold answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.threshold(np.array([-2, 1, 3], np.float32), 1, 9)
    array([9., 9., 3.], dtype=float32)
    """

eq = eq_tensor
ge = ge_tensor
gt = gt_tensor
add_ = inplace_add
adds_ = inplace_adds
clamp_max_ = inplace_clamp_max
clamp_min_ = inplace_clamp_min
copy_ = inplace_copy
cos_ = inplace_cos
div_ = inplace_div
divs_ = inplace_divs
elu_ = inplace_elu
eq_scalar_ = inplace_eq_scalar
eq_ = inplace_eq_tensor
erf_ = inplace_erf
exp_ = inplace_exp
expm1_ = inplace_expm1
fill_scalar_ = inplace_fill_scalar
ge_scalar_ = inplace_ge_scalar
ge_ = inplace_ge_tensor
gt_scalar_ = inplace_gt_scalar
gt_ = inplace_gt_tensor
hardsigmoid_ = inplace_hardsigmoid
hardswish_ = inplace_hardswish
le_scalar_ = inplace_le_scalar
le_ = inplace_le_tensor
leaky_relu_ = inplace_leaky_relu
log_ = inplace_log
log1p_ = inplace_log1p
lt_scalar_ = inplace_lt_scalar
lt_ = inplace_lt_tensor
mul_ = inplace_mul
muls_ = inplace_muls
ne_scalar_ = inplace_ne_scalar
ne_ = inplace_ne_tensor
neg_ = inplace_neg
relu_ = inplace_relu
rsqrt_ = inplace_rsqrt
sigmoid_ = inplace_sigmoid
sin_ = inplace_sin
sqrt_ = inplace_sqrt
sub_ = inplace_sub
subs_ = inplace_subs
tanh_ = inplace_tanh
threshold_ = inplace_threshold
zero_ = inplace_zero
le = le_tensor
lt = lt_tensor
ne = ne_tensor

__all__ = [
    "add",
    "add_",
    "adds",
    "adds_",
    "amax",
    "binary_cross_entropy_with_logits_backward",
    "cast",
    "cat",
    "clamp",
    "clamp_max",
    "clamp_max_",
    "clamp_min",
    "clamp_min_",
    "copy_",
    "cos",
    "cos_",
    "div",
    "div_",
    "divs",
    "divs_",
    "elu",
    "elu_",
    "eq",
    "eq_",
    "eq_scalar",
    "eq_scalar_",
    "eq_tensor",
    "erf",
    "erf_",
    "exp",
    "exp_",
    "expm1",
    "expm1_",
    "fill_scalar_",
    "ge",
    "ge_",
    "ge_scalar",
    "ge_scalar_",
    "ge_tensor",
    "glu",
    "glu_backward",
    "gt",
    "gt_",
    "gt_scalar",
    "gt_scalar_",
    "gt_tensor",
    "hardsigmoid",
    "hardsigmoid_",
    "hardsigmoid_backward",
    "hardswish",
    "hardswish_",
    "inplace_add",
    "inplace_adds",
    "inplace_clamp_max",
    "inplace_clamp_min",
    "inplace_copy",
    "inplace_cos",
    "inplace_div",
    "inplace_divs",
    "inplace_elu",
    "inplace_eq_scalar",
    "inplace_eq_tensor",
    "inplace_erf",
    "inplace_exp",
    "inplace_expm1",
    "inplace_fill_scalar",
    "inplace_ge_scalar",
    "inplace_ge_tensor",
    "inplace_gt_scalar",
    "inplace_gt_tensor",
    "inplace_hardsigmoid",
    "inplace_hardswish",
    "inplace_le_scalar",
    "inplace_le_tensor",
    "inplace_leaky_relu",
    "inplace_log",
    "inplace_log1p",
    "inplace_lt_scalar",
    "inplace_lt_tensor",
    "inplace_mul",
    "inplace_muls",
    "inplace_ne_scalar",
    "inplace_ne_tensor",
    "inplace_neg",
    "inplace_relu",
    "inplace_rsqrt",
    "inplace_sigmoid",
    "inplace_sin",
    "inplace_sqrt",
    "inplace_sub",
    "inplace_subs",
    "inplace_tanh",
    "inplace_threshold",
    "inplace_zero",
    "l1_loss",
    "le",
    "le_",
    "le_scalar",
    "le_scalar_",
    "le_tensor",
    "leaky_relu",
    "leaky_relu_",
    "leaky_relu_backward",
    "log",
    "log1p",
    "log1p_",
    "log_",
    "log_sigmoid",
    "log_sigmoid_backward",
    "log_sigmoid_forward",
    "lt",
    "lt_",
    "lt_scalar",
    "lt_scalar_",
    "lt_tensor",
    "mean",
    "mse_loss",
    "mul",
    "mul_",
    "muls",
    "muls_",
    "ne",
    "ne_",
    "ne_scalar",
    "ne_scalar_",
    "ne_tensor",
    "neg",
    "neg_",
    "reduce_sum",
    "relu",
    "relu_",
    "rsqrt",
    "rsqrt_",
    "sigmoid",
    "sigmoid_",
    "sign",
    "silu",
    "silu_backward",
    "sin",
    "sin_",
    "smooth_l1_loss",
    "smooth_l1_loss_backward",
    "softmax",
    "softmax_backward",
    "softplus",
    "sqrt",
    "sqrt_",
    "sub",
    "sub_",
    "subs",
    "subs_",
    "swish",
    "tanh",
    "tanh_",
    "threshold",
    "threshold_",
    "zero_",
]
