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

def acos(self: Any, *, out: Any = None) -> Any:
    """Arc cosine: acos(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAcos answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.acos(np.array([-1, 0.5, 1], np.float32))
    array([3.1415927, 1.0471976, 0.       ], dtype=float32)
    """

def acosh(self: Any, *, out: Any = None) -> Any:
    """Inverse hyperbolic cosine: acosh(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAcosh answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.acosh(np.array([0, 1, 2], np.float32))
    array([     nan, 0.      , 1.316958], dtype=float32)
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

def add_relu(self: Any, other: Any, *, alpha: float = 1, out: Any = None) -> Any:
    """Sum, then ReLU: 0 where alpha·other + self ≤ 0, else alpha·other + self.

    self: the input.
    other: the second input.
    alpha: a factor of the second.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAddRelu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.add_relu(np.array([1, -3], np.float32), np.array([1, 2], np.float32), alpha=0.5)
    array([1.5, 0. ], dtype=float32)
    """

def addcdiv(self: Any, tensor1: Any, tensor2: Any, *, value: float = 1.0, out: Any = None) -> Any:
    """Sum with a quotient: self + value·tensor1 / tensor2.

    self: the input.
    tensor1: the dividend.
    tensor2: the divisor.
    value: a factor of the quotient.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAddcdiv answers with an error status.

    >>> import numpy as np, openaclnn
    >>> ones = np.ones(2, np.float32)
    >>> openaclnn.addcdiv(ones, np.array([2, 3], np.float32), np.array([4, 5], np.float32))
    array([1.5, 1.6], dtype=float32)
    """

def addcmul(self: Any, tensor1: Any, tensor2: Any, *, value: float = 1, out: Any = None) -> Any:
    """Sum with a product: self + value·tensor1·tensor2.

    self: the input.
    tensor1: the first factor.
    tensor2: the second factor.
    value: a third factor.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAddcmul answers with an error status.

    >>> import numpy as np, openaclnn
    >>> a, b = np.array([2, 3], np.float32), np.array([4, 5], np.float32)
    >>> openaclnn.addcmul(np.ones(2, np.float32), a, b, value=0.5)
    array([5. , 8.5], dtype=float32)
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

def arange(end: float, *, start: float = 0, step: float = 1, out: Any = None) -> Any:
    """Numbers at equal distances: position·step + start.

    start: the first number.
    end: what is not reached.
    step: from one to the next.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnArange answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.arange(4)
    array([0, 1, 2, 3])
    >>> openaclnn.arange(1.0, start=0.0, step=0.25)
    array([0.  , 0.25, 0.5 , 0.75], dtype=float32)
    """

def asin(self: Any, *, out: Any = None) -> Any:
    """Arc sine: asin(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAsin answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.asin(np.array([-1, 0, 0.5], np.float32))
    array([-1.5707964,  0.       ,  0.5235988], dtype=float32)
    """

def asinh(self: Any, *, out: Any = None) -> Any:
    """Inverse hyperbolic sine: asinh(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAsinh answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.asinh(np.array([-1, 0, 1e30], np.float32))
    array([-0.8813736,  0.       , 69.7707   ], dtype=float32)
    """

def atan(self: Any, *, out: Any = None) -> Any:
    """Arc tangent: atan(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAtan answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.atan(np.array([-1, 0, np.inf], np.float32))
    array([-0.7853982,  0.       ,  1.5707964], dtype=float32)
    """

def atan2(self: Any, other: Any, *, out: Any = None) -> Any:
    """Angle of a point: atan2(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAtan2 answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.atan2(np.array([0, 1, -1], np.float32), np.array([-1, 0, 1], np.float32))
    array([ 3.1415927,  1.5707964, -0.7853982], dtype=float32)
    """

def atanh(self: Any, *, out: Any = None) -> Any:
    """Inverse hyperbolic tangent: atanh(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAtanh answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.atanh(np.array([-1, 0, 0.5], np.float32))
    array([      -inf, 0.        , 0.54930615], dtype=float32)
    """

def binary_cross_entropy_backward(
    grad_output: Any,
    self: Any,
    target: Any,
    weight: Any = None,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: Any = None,
) -> Any:
    """Gradient of the binary cross entropy: grad_output·k·weight·(self − target) / maximum((1 −
    self)·self, 1e−12).

    grad_output: gradient with respect to the loss.
    self: the prediction.
    target: what was to be predicted.
    weight: weights of the elements.
    reduction: none, mean or sum: 0, 1 or 2.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnBinaryCrossEntropyBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> x, target = np.array([0.5, 0.25], np.float32), np.array([0, 1], np.float32)
    >>> openaclnn.binary_cross_entropy_backward(np.float32(8), x, target)
    array([  8., -16.], dtype=float32)
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

def bitwise_and_scalar(self: Any, other: float, *, out: Any = None) -> Any:
    """Bitwise and, with a number: bit_and(self, other).

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnBitwiseAndScalar answers with an error status.
    """

def bitwise_and_tensor(self: Any, other: Any, *, out: Any = None) -> Any:
    """Bitwise and: bit_and(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnBitwiseAndTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.bitwise_and(np.array([1, 6], np.int8), np.array([3, 5], np.int8))
    array([1, 4], dtype=int8)
    """

def bitwise_not(self: Any, *, out: Any = None) -> Any:
    """Bitwise not: bit_xor(self, ones).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnBitwiseNot answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.bitwise_not(np.array([0, 5, -1], np.int8))
    array([-1, -6,  0], dtype=int8)
    """

def bitwise_or_scalar(self: Any, other: float, *, out: Any = None) -> Any:
    """Bitwise or, with a number: bit_or(self, other).

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnBitwiseOrScalar answers with an error status.
    """

def bitwise_or_tensor(self: Any, other: Any, *, out: Any = None) -> Any:
    """Bitwise or: bit_or(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnBitwiseOrTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.bitwise_or(np.array([1, 6], np.int8), np.array([3, 5], np.int8))
    array([3, 7], dtype=int8)
    """

def bitwise_xor_scalar(self: Any, other: float, *, out: Any = None) -> Any:
    """Bitwise xor, with a number: bit_xor(self, other).

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnBitwiseXorScalar answers with an error status.
    """

def bitwise_xor_tensor(self: Any, other: Any, *, out: Any = None) -> Any:
    """Bitwise xor: bit_xor(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnBitwiseXorTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.bitwise_xor(np.array([1, 6], np.int8), np.array([3, 5], np.int8))
    array([2, 3], dtype=int8)
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

def ceil(self: Any, *, out: Any = None) -> Any:
    """Ceiling: ceil(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnCeil answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.ceil(np.array([-1.5, 0.5, 2.5], np.float32))
    array([-1.,  1.,  3.], dtype=float32)
    """

def celu(self: Any, *, alpha: float = 1.0, out: Any = None) -> Any:
    """CELU: expm1(self / alpha)·alpha where self ≤ 0, else self.

    self: the input.
    alpha: minus its limit far below 0.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnCelu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.celu(np.array([-1, 0, 2], np.float32), alpha=2)
    array([-0.78693867,  0.        ,  2.        ], dtype=float32)
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

    >>> import numpy as np, openaclnn
    >>> openaclnn.clamp_max(np.array([-2, 0, 3], np.float32), 0)
    array([-2.,  0.,  0.], dtype=float32)
    """

def clamp_max_tensor(self: Any, clip_value_max: Any, *, out: Any = None) -> Any:
    """Clamp from above by a tensor: minimum(self, clip_value_max).

    self: the input.
    clip_value_max: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnClampMaxTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.clamp_max_tensor(np.array([-2, 0, 3], np.float32), np.float32([-1, 1, 1]))
    array([-2.,  0.,  1.], dtype=float32)
    """

def clamp_min(self: Any, clip_value_min: float, *, out: Any = None) -> Any:
    """Clamp from below: maximum(self, clip_value_min).

    self: the input.
    clip_value_min: the lower limit.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnClampMin answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.clamp_min(np.array([-2, 0, 3], np.float32), 0)
    array([0., 0., 3.], dtype=float32)
    """

def clamp_min_tensor(self: Any, clip_value_min: Any, *, out: Any = None) -> Any:
    """Clamp from below by a tensor: maximum(self, clip_value_min).

    self: the input.
    clip_value_min: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnClampMinTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.clamp_min_tensor(np.array([-2, 0, 3], np.float32), np.float32([-1, 1, 1]))
    array([-1.,  1.,  3.], dtype=float32)
    """

def clamp_tensor(
    self: Any,
    clip_value_min: Any = None,
    clip_value_max: Any = None,
    *,
    out: Any = None,
) -> Any:
    """Clamp by tensors: minimum(maximum(self, clip_value_min), clip_value_max).

    self: the input.
    clip_value_min: the lower limits.
    clip_value_max: the upper limits.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnClampTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> x, low = np.array([-2, 0, 3], np.float32), np.array([-1, 1, 1], np.float32)
    >>> openaclnn.clamp_tensor(x, low, np.float32([2]))
    array([-1.,  1.,  2.], dtype=float32)
    """

def constant_pad_nd(self: Any, padding: Sequence[int], *, value: float = 0, out: Any = None) -> Any:
    """A number around a tensor: self.

    self: the input.
    padding: how many before and after, the last dimension's first.
    value: the number.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnConstantPadNd answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.constant_pad_nd(np.array([1, 2]), [1, 2], value=9)
    array([9, 1, 2, 9, 9])
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

def cosh(self: Any, *, out: Any = None) -> Any:
    """Hyperbolic cosine: cosh(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnCosh answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.cosh(np.array([-1, 0, 1], np.float32))
    array([1.5430807, 1.       , 1.5430807], dtype=float32)
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

def div_mod(
    self: Any,
    other: Any,
    *,
    mode: Literal["trunc", "floor", "none", 1, 2, 0] = "trunc",
    out: Any = None,
) -> Any:
    """Quotient, rounded as wanted: trunc_div(self, other).

    self: the input.
    other: the second input.
    mode: what becomes of the fraction.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnDivMod answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.div_mod(np.array([7, -7], np.int32), np.array([2, 2], np.int32), mode="floor")
    array([ 3, -4], dtype=int32)
    """

def div_mods(
    self: Any,
    other: float,
    *,
    mode: Literal["trunc", "floor", "none", 1, 2, 0] = "trunc",
    out: Any = None,
) -> Any:
    """Quotient, rounded as wanted, with a number: trunc_div(self, other).

    self: the input.
    other: the number beside it.
    mode: what becomes of the fraction.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnDivMods answers with an error status.
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

def elu_backward(
    grad_output: Any,
    self_or_result: Any,
    *,
    alpha: float = 1.0,
    scale: float = 1.0,
    input_scale: float = 1.0,
    is_result: bool = False,
    out: Any = None,
) -> Any:
    """Gradient of ELU: grad_output·scale where self_or_result > 0, else
    grad_output·input_scale·exp(self_or_result·input_scale)·alpha·scale.

    grad_output: gradient with respect to ELU's result.
    alpha: what is approached far below 0, times -scale.
    scale: a factor of the result.
    input_scale: a factor of the input below 0.
    is_result: whether ELU's result is given.
    self_or_result: the result of ELU.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnEluBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.elu_backward(np.ones(3, np.float32), np.array([-1, 0, 2], np.float32), alpha=2)
    array([0.7357589, 2.       , 1.       ], dtype=float32)
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

def erfc(self: Any, *, out: Any = None) -> Any:
    """Complementary error function: erfc(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnErfc answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.erfc(np.array([-1, 0, 9], np.float32))
    array([1.8427008e+00, 1.0000000e+00, 4.1370317e-37], dtype=float32)
    """

def erfinv(self: Any, *, out: Any = None) -> Any:
    """Inverse error function: erfinv(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnErfinv answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.erfinv(np.array([-1, 0, 0.5], np.float32))
    array([      -inf, 0.        , 0.47693628], dtype=float32)
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

def exp2(self: Any, *, out: Any = None) -> Any:
    """Power of two: exp2(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnExp2 answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.exp2(np.array([-1, 0, 0.5], np.float32))
    array([0.5      , 1.       , 1.4142135], dtype=float32)
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

def eye(n: int, m: int, *, out: Any = None) -> Any:
    """Ones on the diagonal: 1 where row = column, else 0.

    n: rows.
    m: columns.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnEye answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.eye(2, 3)
    array([[1., 0., 0.],
           [0., 1., 0.]], dtype=float32)
    """

def fast_gelu(self: Any, *, out: Any = None) -> Any:
    """Fast GELU: self·σ(self·1.702).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnFastGelu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.fast_gelu(np.array([-1, 0, 1], np.float32))
    array([-0.15420423,  0.        ,  0.84579575], dtype=float32)
    """

def fast_gelu_backward(grad_output: Any, self: Any, *, out: Any = None) -> Any:
    """Gradient of fast GELU: grad_output·σ(self·1.702)·(1 + self·1.702·σ(−self·1.702)).

    grad_output: gradient with respect to fast GELU's result.
    self: the input of fast GELU.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnFastGeluBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.fast_gelu_backward(np.float32(2), np.array([-1, 0, 1], np.float32))
    array([-0.13555922,  1.        ,  2.1355593 ], dtype=float32)
    """

def floor(self: Any, *, out: Any = None) -> Any:
    """Floor: floor(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnFloor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.floor(np.array([-1.5, 0.5, 2.5], np.float32))
    array([-2.,  0.,  2.], dtype=float32)
    """

def floor_divide(self: Any, other: Any, *, out: Any = None) -> Any:
    """Floor division: floor_div(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnFloorDivide answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.floor_divide(np.array([7, -7, 7], np.int32), np.array([2, 2, 0], np.int32))
    array([ 3, -4,  0], dtype=int32)
    """

def floor_divides(self: Any, other: float, *, out: Any = None) -> Any:
    """Floor division, with a number: floor_div(self, other).

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnFloorDivides answers with an error status.
    """

def fmod_scalar(self: Any, other: float, *, out: Any = None) -> Any:
    """Remainder with the sign of the dividend, with a number: fmod(self, other).

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnFmodScalar answers with an error status.
    """

def fmod_tensor(self: Any, other: Any, *, out: Any = None) -> Any:
    """Remainder with the sign of the dividend: fmod(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnFmodTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.fmod(np.array([7, -7, 1e10], np.float32), np.array([3, 3, 7], np.float32))
    array([ 1., -1.,  4.], dtype=float32)
    """

def frac(self: Any, *, out: Any = None) -> Any:
    """Fraction: self − trunc(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnFrac answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.frac(np.array([-1.5, 0.5, 2.5], np.float32))
    array([-0.5,  0.5,  0.5], dtype=float32)
    """

def gcd(self: Any, other: Any, *, out: Any = None) -> Any:
    """Greatest common divisor: gcd(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGcd answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.gcd(np.array([12, -8, 0]), np.array([18, 6, 5]))
    array([6, 2, 5])
    """

def ge_glu_v3(
    self: Any,
    *,
    dim: int = -1,
    approximate: Literal["tanh", "none", 0, 1] = "tanh",
    activate_left: bool = False,
    out: Any = None,
) -> Any:
    """GeGLU: first_half·second_half·((1 + tanh(√(2/π)·(x + 0.044715·x³))) / 2), second_half·((1 +
    tanh(√(2/π)·(x + 0.044715·x³))) / 2).

    self: the input, of even size along dim.
    dim: the dimension that is halved.
    approximate: by which formula.
    activate_left: whether the first half is activated.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGeGluV3 answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.ge_glu_v3(np.array([[2, 3, 100, 0]], np.float32))
    (array([[200.,   0.]], dtype=float32), array([[100.,   0.]], dtype=float32))
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

def gelu(self: Any, *, out: Any = None) -> Any:
    """GELU, by tanh: self·((1 + tanh(√(2/π)·(x + 0.044715·x³))) / 2).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGelu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.gelu(np.array([-1, 0, 1], np.float32))
    array([-0.15880801,  0.        ,  0.841192  ], dtype=float32)
    """

def gelu_backward(grad_output: Any, self: Any, *, out: Any = None) -> Any:
    """Gradient of gelu: grad_output·gelu′(self), by tanh.

    grad_output: gradient with respect to gelu's result.
    self: the input of gelu.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGeluBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.gelu_backward(np.ones(3, np.float32), np.array([-1, 0, 1], np.float32))
    array([-0.08296409,  0.5       ,  1.0829641 ], dtype=float32)
    """

def gelu_backward_v2(
    grad_output: Any,
    self: Any,
    *,
    approximate: Literal["none", "tanh"] = "none",
    out: Any = None,
) -> Any:
    """Gradient of gelu: grad_output·gelu′(self).

    grad_output: gradient with respect to gelu's result.
    self: the input of gelu.
    approximate: by which formula.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGeluBackwardV2 answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.gelu_backward_v2(np.ones(3, np.float32), np.array([-1, 0, 1], np.float32))
    array([-0.08331547,  0.5       ,  1.0833155 ], dtype=float32)
    """

def gelu_v2(
    self: Any,
    *,
    approximate: Literal["none", "tanh", 0, 1] = "none",
    out: Any = None,
) -> Any:
    """GELU: self·(erfc(−x / √2) / 2).

    self: the input.
    approximate: by which formula.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGeluV2 answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.gelu_v2(np.array([-1, 0, 1], np.float32))
    array([-0.15865526,  0.        ,  0.8413448 ], dtype=float32)
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

def hardshrink(self: Any, *, lambd: float = 0.5, out: Any = None) -> Any:
    """Hardshrink: 0 where self ≥ −lambd and self ≤ lambd, else self.

    self: the input.
    lambd: up to which magnitude.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnHardshrink answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.hardshrink(np.array([-2, 0.5, 3], np.float32))
    array([-2.,  0.,  3.], dtype=float32)
    """

def hardshrink_backward(grad_output: Any, self: Any, lambd: float, *, out: Any = None) -> Any:
    """Gradient of hardshrink: grad_output where self > lambd or self < −lambd, else 0.

    grad_output: gradient with respect to hardshrink's result.
    self: the input of hardshrink.
    lambd: up to which magnitude.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnHardshrinkBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.hardshrink_backward(np.float32(2), np.array([-1, 0.5, 3], np.float32), 0.5)
    array([2., 0., 2.], dtype=float32)
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

def hardswish_backward(grad_output: Any, self: Any, *, out: Any = None) -> Any:
    """Gradient of hardswish: 0 where self ≤ −3, else (grad_output where self ≥ 3, else
    grad_output·((self·2 + 3) / 6)).

    grad_output: gradient with respect to hardswish's result.
    self: the input of hardswish.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnHardswishBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.hardswish_backward(np.float32(2), np.array([-3, 0, 3], np.float32))
    array([0., 1., 2.], dtype=float32)
    """

def hardtanh(
    self: Any,
    *,
    clip_value_min: float = -1,
    clip_value_max: float = 1,
    out: Any = None,
) -> Any:
    """Hardtanh: minimum(maximum(self, clip_value_min), clip_value_max).

    self: the input.
    clip_value_min: the lower limit.
    clip_value_max: the upper limit.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnHardtanh answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.hardtanh(np.array([-2, 0.5, 3], np.float32))
    array([-1. ,  0.5,  1. ], dtype=float32)
    """

def hardtanh_backward(
    grad_output: Any,
    self: Any,
    *,
    min: float = -1.0,
    max: float = 1.0,
    out: Any = None,
) -> Any:
    """Gradient of hardtanh: grad_output where self > min and self < max, else 0.

    grad_output: gradient with respect to hardtanh's result.
    self: the input of hardtanh.
    min: the lower limit.
    max: the upper limit.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnHardtanhBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.hardtanh_backward(np.float32(2), np.array([-1, 0.5, 3], np.float32))
    array([0., 2., 0.], dtype=float32)
    """

def heaviside(self: Any, values: Any, *, out: Any = None) -> Any:
    """Heaviside step: values where self = 0, else (1 where self > 0, else 0).

    self: the input.
    values: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnHeaviside answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.heaviside(np.array([-2, 0, 3], np.float32), np.array([0.5], np.float32))
    array([0. , 0.5, 1. ], dtype=float32)
    """

def im2col(
    self: Any,
    kernel_size: Sequence[int],
    dilation: Sequence[int],
    padding: Sequence[int],
    stride: Sequence[int],
    *,
    out: Any = None,
) -> Any:
    """What a window sees: self.

    self: the input.
    kernel_size: the window's height and width.
    dilation: how far its elements are apart.
    padding: how many zeros are around the image.
    stride: from one place to the next.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnIm2col answers with an error status.

    >>> import numpy as np, openaclnn
    >>> image = np.arange(6).reshape(1, 2, 3)
    >>> openaclnn.im2col(image, [2, 2], [1, 1], [0, 0], [1, 1])
    array([[0, 1],
           [1, 2],
           [3, 4],
           [4, 5]])
    """

def inplace_acos(self: Any) -> Any:
    """Arc cosine, in place: acos(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceAcos answers with an error status.
    """

def inplace_acosh(self: Any) -> Any:
    """Inverse hyperbolic cosine, in place: acosh(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceAcosh answers with an error status.
    """

def inplace_add(self: Any, other: Any, *, alpha: float = 1) -> Any:
    """Sum, in place: alpha·other + self.

    self: the input, which the result replaces.
    other: the second input.
    alpha: a factor of the second.

    Raises AclnnError where aclnnInplaceAdd answers with an error status.
    """

def inplace_add_relu(self: Any, other: Any, *, alpha: float = 1) -> Any:
    """Sum, then ReLU, in place: 0 where alpha·other + self ≤ 0, else alpha·other + self.

    self: the input, which the result replaces.
    other: the second input.
    alpha: a factor of the second.

    Raises AclnnError where aclnnInplaceAddRelu answers with an error status.
    """

def inplace_addcdiv(self: Any, tensor1: Any, tensor2: Any, *, value: float = 1.0) -> Any:
    """Sum with a quotient, in place: self + value·tensor1 / tensor2.

    self: the input, which the result replaces.
    tensor1: the dividend.
    tensor2: the divisor.
    value: a factor of the quotient.

    Raises AclnnError where aclnnInplaceAddcdiv answers with an error status.
    """

def inplace_addcmul(self: Any, tensor1: Any, tensor2: Any, *, value: float = 1) -> Any:
    """Sum with a product, in place: self + value·tensor1·tensor2.

    self: the input, which the result replaces.
    tensor1: the first factor.
    tensor2: the second factor.
    value: a third factor.

    Raises AclnnError where aclnnInplaceAddcmul answers with an error status.
    """

def inplace_adds(self: Any, other: float, *, alpha: float = 1) -> Any:
    """Sum, with a number, in place: alpha·other + self.

    self: the input, which the result replaces.
    other: the number beside it.
    alpha: a factor of the second.

    Raises AclnnError where aclnnInplaceAdds answers with an error status.
    """

def inplace_asin(self: Any) -> Any:
    """Arc sine, in place: asin(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceAsin answers with an error status.
    """

def inplace_asinh(self: Any) -> Any:
    """Inverse hyperbolic sine, in place: asinh(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceAsinh answers with an error status.
    """

def inplace_atan(self: Any) -> Any:
    """Arc tangent, in place: atan(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceAtan answers with an error status.
    """

def inplace_atan2(self: Any, other: Any) -> Any:
    """Angle of a point, in place: atan2(self, other).

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceAtan2 answers with an error status.
    """

def inplace_atanh(self: Any) -> Any:
    """Inverse hyperbolic tangent, in place: atanh(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceAtanh answers with an error status.
    """

def inplace_bitwise_and_scalar(self: Any, other: float) -> Any:
    """Bitwise and, with a number, in place: bit_and(self, other).

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceBitwiseAndScalar answers with an error status.
    """

def inplace_bitwise_and_tensor(self: Any, other: Any) -> Any:
    """Bitwise and, in place: bit_and(self, other).

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceBitwiseAndTensor answers with an error status.
    """

def inplace_bitwise_or_scalar(self: Any, other: float) -> Any:
    """Bitwise or, with a number, in place: bit_or(self, other).

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceBitwiseOrScalar answers with an error status.
    """

def inplace_bitwise_or_tensor(self: Any, other: Any) -> Any:
    """Bitwise or, in place: bit_or(self, other).

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceBitwiseOrTensor answers with an error status.
    """

def inplace_bitwise_xor_scalar(self: Any, other: float) -> Any:
    """Bitwise xor, with a number, in place: bit_xor(self, other).

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceBitwiseXorScalar answers with an error status.
    """

def inplace_bitwise_xor_tensor(self: Any, other: Any) -> Any:
    """Bitwise xor, in place: bit_xor(self, other).

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceBitwiseXorTensor answers with an error status.
    """

def inplace_ceil(self: Any) -> Any:
    """Ceiling, in place: ceil(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceCeil answers with an error status.
    """

def inplace_celu(self: Any, *, alpha: float = 1.0) -> Any:
    """CELU, in place: expm1(self / alpha)·alpha where self ≤ 0, else self.

    self: the input, which the result replaces.
    alpha: minus its limit far below 0.

    Raises AclnnError where aclnnInplaceCelu answers with an error status.
    """

def inplace_clamp_max(self: Any, clip_value_max: float) -> Any:
    """Clamp from above, in place: minimum(self, clip_value_max).

    self: the input, which the result replaces.
    clip_value_max: the upper limit.

    Raises AclnnError where aclnnInplaceClampMax answers with an error status.
    """

def inplace_clamp_max_tensor(self: Any, clip_value_max: Any) -> Any:
    """Clamp from above by a tensor, in place: minimum(self, clip_value_max).

    self: the input, which the result replaces.
    clip_value_max: the second input.

    Raises AclnnError where aclnnInplaceClampMaxTensor answers with an error status.
    """

def inplace_clamp_min(self: Any, clip_value_min: float) -> Any:
    """Clamp from below, in place: maximum(self, clip_value_min).

    self: the input, which the result replaces.
    clip_value_min: the lower limit.

    Raises AclnnError where aclnnInplaceClampMin answers with an error status.
    """

def inplace_clamp_min_tensor(self: Any, clip_value_min: Any) -> Any:
    """Clamp from below by a tensor, in place: maximum(self, clip_value_min).

    self: the input, which the result replaces.
    clip_value_min: the second input.

    Raises AclnnError where aclnnInplaceClampMinTensor answers with an error status.
    """

def inplace_copy(self: Any, src: Any) -> Any:
    """Copy: src.

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

def inplace_cosh(self: Any) -> Any:
    """Hyperbolic cosine, in place: cosh(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceCosh answers with an error status.
    """

def inplace_div(self: Any, other: Any) -> Any:
    """Quotient, in place: self / other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceDiv answers with an error status.
    """

def inplace_div_mod(
    self: Any,
    other: Any,
    *,
    mode: Literal["trunc", "floor", "none", 1, 2, 0] = "trunc",
) -> Any:
    """Quotient, rounded as wanted, in place: trunc_div(self, other).

    self: the input, which the result replaces.
    other: the second input.
    mode: what becomes of the fraction.

    Raises AclnnError where aclnnInplaceDivMod answers with an error status.
    """

def inplace_div_mods(
    self: Any,
    other: float,
    *,
    mode: Literal["trunc", "floor", "none", 1, 2, 0] = "trunc",
) -> Any:
    """Quotient, rounded as wanted, with a number, in place: trunc_div(self, other).

    self: the input, which the result replaces.
    other: the number beside it.
    mode: what becomes of the fraction.

    Raises AclnnError where aclnnInplaceDivMods answers with an error status.
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

def inplace_erfc(self: Any) -> Any:
    """Complementary error function, in place: erfc(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceErfc answers with an error status.
    """

def inplace_erfinv(self: Any) -> Any:
    """Inverse error function, in place: erfinv(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceErfinv answers with an error status.
    """

def inplace_exp(self: Any) -> Any:
    """Exponential, in place: exp(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceExp answers with an error status.
    """

def inplace_exp2(self: Any) -> Any:
    """Power of two, in place: exp2(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceExp2 answers with an error status.
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

def inplace_floor(self: Any) -> Any:
    """Floor, in place: floor(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceFloor answers with an error status.
    """

def inplace_floor_divide(self: Any, other: Any) -> Any:
    """Floor division, in place: floor_div(self, other).

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceFloorDivide answers with an error status.
    """

def inplace_floor_divides(self: Any, other: float) -> Any:
    """Floor division, with a number, in place: floor_div(self, other).

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceFloorDivides answers with an error status.
    """

def inplace_fmod_scalar(self: Any, other: float) -> Any:
    """Remainder with the sign of the dividend, with a number, in place: fmod(self, other).

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceFmodScalar answers with an error status.
    """

def inplace_fmod_tensor(self: Any, other: Any) -> Any:
    """Remainder with the sign of the dividend, in place: fmod(self, other).

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceFmodTensor answers with an error status.
    """

def inplace_frac(self: Any) -> Any:
    """Fraction, in place: self − trunc(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceFrac answers with an error status.
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

def inplace_hardtanh(self: Any, *, clip_value_min: float = -1, clip_value_max: float = 1) -> Any:
    """Hardtanh, in place: minimum(maximum(self, clip_value_min), clip_value_max).

    self: the input, which the result replaces.
    clip_value_min: the lower limit.
    clip_value_max: the upper limit.

    Raises AclnnError where aclnnInplaceHardtanh answers with an error status.
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

def inplace_lerp(self: Any, end: Any, weight: Any) -> Any:
    """Linear interpolation, in place: self + weight·(end − self).

    self: the input, which the result replaces.
    end: where weight 1 leads.
    weight: how far to go.

    Raises AclnnError where aclnnInplaceLerp answers with an error status.
    """

def inplace_lerps(self: Any, end: Any, weight: float) -> Any:
    """Linear interpolation by a number, in place: self + weight·(end − self).

    self: the input, which the result replaces.
    end: where weight 1 leads.
    weight: how far to go.

    Raises AclnnError where aclnnInplaceLerps answers with an error status.
    """

def inplace_log(self: Any) -> Any:
    """Natural logarithm, in place: log(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceLog answers with an error status.
    """

def inplace_log10(self: Any) -> Any:
    """Logarithm to base 10, in place: log10(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceLog10 answers with an error status.
    """

def inplace_log1p(self: Any) -> Any:
    """Logarithm of 1 + x, in place: log1p(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceLog1p answers with an error status.
    """

def inplace_log2(self: Any) -> Any:
    """Logarithm to base 2, in place: log2(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceLog2 answers with an error status.
    """

def inplace_logical_and(self: Any, other: Any) -> Any:
    """Logical and, in place: self and other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceLogicalAnd answers with an error status.
    """

def inplace_logical_not(self: Any) -> Any:
    """Logical not, in place: self = 0.

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceLogicalNot answers with an error status.
    """

def inplace_logical_or(self: Any, other: Any) -> Any:
    """Logical or, in place: self or other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceLogicalOr answers with an error status.
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

def inplace_mish(self: Any) -> Any:
    """Mish, in place: self·tanh(log(1 + exp(self))).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceMish answers with an error status.
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

def inplace_nan_to_num(
    self: Any,
    *,
    nan: float = 0.0,
    posinf: float = 3.4028234663852886e38,
    neginf: float = -3.4028234663852886e38,
) -> Any:
    """Numbers for NaN and infinities, in place: nan where self ≠ self, else ((posinf where self >
    0, else neginf) where self − self ≠ 0, else self).

    self: the input, which the result replaces.
    nan: what NaN becomes.
    posinf: what infinity becomes.
    neginf: what -infinity becomes.

    Raises AclnnError where aclnnInplaceNanToNum answers with an error status.
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

def inplace_one(self: Any) -> Any:
    """Fill with ones: 1.

    self: what is overwritten.

    Raises AclnnError where aclnnInplaceOne answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.inplace_one(np.zeros(2, np.int32))
    array([1, 1], dtype=int32)
    """

def inplace_pow_tensor_scalar(self: Any, exponent: float) -> Any:
    """Power, with a number, in place: pow(self, exponent).

    self: the input, which the result replaces.
    exponent: the number beside it.

    Raises AclnnError where aclnnInplacePowTensorScalar answers with an error status.
    """

def inplace_pow_tensor_tensor(self: Any, exponent: Any) -> Any:
    """Power, in place: pow(self, exponent).

    self: the input, which the result replaces.
    exponent: the second input.

    Raises AclnnError where aclnnInplacePowTensorTensor answers with an error status.
    """

def inplace_reciprocal(self: Any) -> Any:
    """Reciprocal, in place: 1 / self.

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceReciprocal answers with an error status.
    """

def inplace_relu(self: Any) -> Any:
    """ReLU, in place: 0 where self ≤ 0, else self.

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceRelu answers with an error status.
    """

def inplace_remainder_tensor_scalar(self: Any, other: float) -> Any:
    """Remainder with the sign of the divisor, with a number, in place: remainder(self, other).

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceRemainderTensorScalar answers with an error status.
    """

def inplace_remainder_tensor_tensor(self: Any, other: Any) -> Any:
    """Remainder with the sign of the divisor, in place: remainder(self, other).

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceRemainderTensorTensor answers with an error status.
    """

def inplace_round(self: Any) -> Any:
    """Rounding, in place: round(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceRound answers with an error status.
    """

def inplace_round_decimals(self: Any, *, decimals: int = 0) -> Any:
    """Rounding to decimals, in place: round(self·up / down)·down / up.

    self: the input, which the result replaces.
    decimals: places that stay behind the point.

    Raises AclnnError where aclnnInplaceRoundDecimals answers with an error status.
    """

def inplace_rsqrt(self: Any) -> Any:
    """Reciprocal of the square root, in place: rsqrt(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceRsqrt answers with an error status.
    """

def inplace_selu(self: Any) -> Any:
    """SELU, in place: expm1(self)·1.7580993408473766 where self ≤ 0, else self·1.0507009873554805.

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceSelu answers with an error status.
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

def inplace_sinh(self: Any) -> Any:
    """Hyperbolic sine, in place: sinh(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceSinh answers with an error status.
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

def inplace_tan(self: Any) -> Any:
    """Tangent, in place: tan(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceTan answers with an error status.
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

def inplace_tril(self: Any, *, diagonal: int = 0) -> Any:
    """What is below a diagonal, in place: self where column − row ≤ diagonal, else 0.

    self: the input, which the result replaces.
    diagonal: which diagonal.

    Raises AclnnError where aclnnInplaceTril answers with an error status.
    """

def inplace_triu(self: Any, *, diagonal: int = 0) -> Any:
    """What is above a diagonal, in place: self where column − row ≥ diagonal, else 0.

    self: the input, which the result replaces.
    diagonal: which diagonal.

    Raises AclnnError where aclnnInplaceTriu answers with an error status.
    """

def inplace_trunc(self: Any) -> Any:
    """Truncation, in place: trunc(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceTrunc answers with an error status.
    """

def inplace_zero(self: Any) -> Any:
    """Fill with zeros: 0.

    self: what is overwritten.

    Raises AclnnError where aclnnInplaceZero answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.inplace_zero(np.ones(2, np.int32))
    array([0, 0], dtype=int32)
    """

def is_close(
    self: Any,
    other: Any,
    *,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
    out: Any = None,
) -> Any:
    """Closeness: self = other or (|self − other| − |self − other| = 0 and |self − other| ≤ atol +
    rtol·|other|).

    self: the input.
    other: the second input.
    rtol: how far, beside other.
    atol: how far, in any case.
    equal_nan: whether NaN is close to NaN.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnIsClose answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.is_close(np.array([1, 2], np.float32), np.array([1.000001, 2.1], np.float32))
    array([ True, False])
    """

def is_finite(self: Any, *, out: Any = None) -> Any:
    """Finiteness: self − self = 0.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnIsFinite answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.is_finite(np.array([1, np.inf, np.nan], np.float32))
    array([ True, False, False])
    """

def is_inf(self: Any, *, out: Any = None) -> Any:
    """Infinity: self = self and self − self ≠ 0.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnIsInf answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.is_inf(np.array([1, -np.inf, np.nan], np.float32))
    array([False,  True, False])
    """

def is_neg_inf(self: Any, *, out: Any = None) -> Any:
    """Negative infinity: self < 0 and self − self ≠ 0.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnIsNegInf answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.is_neg_inf(np.array([np.inf, -np.inf, np.nan], np.float32))
    array([False,  True, False])
    """

def is_pos_inf(self: Any, *, out: Any = None) -> Any:
    """Positive infinity: self > 0 and self − self ≠ 0.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnIsPosInf answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.is_pos_inf(np.array([np.inf, -np.inf, np.nan], np.float32))
    array([ True, False, False])
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

def l1_loss_backward(
    grad_output: Any,
    self: Any,
    target: Any,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: Any = None,
) -> Any:
    """Gradient of the L1 loss: grad_output·k·((self > target) − (self < target)).

    grad_output: gradient with respect to the loss.
    self: the prediction.
    target: what was to be predicted.
    reduction: none, mean or sum: 0, 1 or 2.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnL1LossBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> x, target = np.array([0.5, 0.25], np.float32), np.array([0, 1], np.float32)
    >>> openaclnn.l1_loss_backward(np.float32(8), x, target)
    array([ 4., -4.], dtype=float32)
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

def left_shift(self: Any, other: Any, *, out: Any = None) -> Any:
    """Left shift: shift_left(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLeftShift answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.left_shift(np.array([1, 3, 1], np.int8), np.array([6, 7, 8], np.int8))
    array([  64, -128,    0], dtype=int8)
    """

def left_shifts(self: Any, other: float, *, out: Any = None) -> Any:
    """Left shift, with a number: shift_left(self, other).

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLeftShifts answers with an error status.
    """

def lerp(self: Any, end: Any, weight: Any, *, out: Any = None) -> Any:
    """Linear interpolation: self + weight·(end − self).

    self: the input.
    end: where weight 1 leads.
    weight: how far to go.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLerp answers with an error status.

    >>> import numpy as np, openaclnn
    >>> a, b = np.array([0, 1], np.float32), np.array([8, 3], np.float32)
    >>> openaclnn.lerp(a, b, np.array([0.25, 0.5], np.float32))
    array([2., 2.], dtype=float32)
    """

def lerps(self: Any, end: Any, weight: float, *, out: Any = None) -> Any:
    """Linear interpolation by a number: self + weight·(end − self).

    self: the input.
    end: where weight 1 leads.
    weight: how far to go.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLerps answers with an error status.
    """

def linspace(start: float, end: float, steps: int, *, out: Any = None) -> Any:
    """Numbers at equal distances between two: (start·(last − position) + end·position) / last.

    start: the first number.
    end: the last number.
    steps: how many there are.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLinspace answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.linspace(0, 1, 5)
    array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)
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

def log10(self: Any, *, out: Any = None) -> Any:
    """Logarithm to base 10: log10(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLog10 answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.log10(np.array([0, 2, 1000], np.float32))
    array([   -inf, 0.30103, 3.     ], dtype=float32)
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

def log2(self: Any, *, out: Any = None) -> Any:
    """Logarithm to base 2: log2(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLog2 answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.log2(np.array([0, 8, 10], np.float32))
    array([    -inf, 3.      , 3.321928], dtype=float32)
    """

def log_add_exp(self: Any, other: Any, *, out: Any = None) -> Any:
    """Logarithm of the sum of exponentials: logaddexp(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLogAddExp answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.log_add_exp(np.array([0, 800], np.float32), np.array([0, 801], np.float32))
    array([6.9314718e-01, 8.0131323e+02], dtype=float32)
    """

def log_add_exp2(self: Any, other: Any, *, out: Any = None) -> Any:
    """Logarithm of the sum of powers of two: logaddexp2(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLogAddExp2 answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.log_add_exp2(np.array([3, -1], np.float32), np.array([3, -1], np.float32))
    array([4., 0.], dtype=float32)
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

def logical_and(self: Any, other: Any, *, out: Any = None) -> Any:
    """Logical and: self and other.

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLogicalAnd answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.logical_and(np.array([0, 1, 2], np.int32), np.array([0, 0, 3], np.int32))
    array([False, False,  True])
    """

def logical_not(self: Any, *, out: Any = None) -> Any:
    """Logical not: self = 0.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLogicalNot answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.logical_not(np.array([0, 2, np.nan], np.float32))
    array([ True, False, False])
    """

def logical_or(self: Any, other: Any, *, out: Any = None) -> Any:
    """Logical or: self or other.

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLogicalOr answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.logical_or(np.array([0, 1, 2], np.int32), np.array([0, 0, 3], np.int32))
    array([False,  True,  True])
    """

def logical_xor(self: Any, other: Any, *, out: Any = None) -> Any:
    """Logical xor: self xor other.

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLogicalXor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.logical_xor(np.array([0, 1, 2], np.int32), np.array([0, 0, 3], np.int32))
    array([False,  True, False])
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

def maximum(self: Any, other: Any, *, out: Any = None) -> Any:
    """Maximum: maximum(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnMaximum answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.maximum(np.array([1, 5, np.nan], np.float32), np.array([3, 2, 1], np.float32))
    array([ 3.,  5., nan], dtype=float32)
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

def minimum(self: Any, other: Any, *, out: Any = None) -> Any:
    """Minimum: minimum(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnMinimum answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.minimum(np.array([1, 5, np.nan], np.float32), np.array([3, 2, 1], np.float32))
    array([ 1.,  2., nan], dtype=float32)
    """

def mish(self: Any, *, out: Any = None) -> Any:
    """Mish: self·tanh(log(1 + exp(self))).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnMish answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.mish(np.array([-1, 0, 1], np.float32))
    array([-0.30340147,  0.        ,  0.8650984 ], dtype=float32)
    """

def mish_backward(grad_output: Any, self: Any, *, out: Any = None) -> Any:
    """Gradient of mish: grad_output·mish′(self).

    grad_output: gradient with respect to mish's result.
    self: the input of mish.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnMishBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.mish_backward(np.ones(3, np.float32), np.array([-1, 0, 1], np.float32))
    array([0.05921676, 0.6       , 1.0490363 ], dtype=float32)
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

def mse_loss_backward(
    grad_output: Any,
    self: Any,
    target: Any,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: Any = None,
) -> Any:
    """Gradient of the mean squared error: grad_output·2·k·(self − target).

    grad_output: gradient with respect to the loss.
    self: the prediction.
    target: what was to be predicted.
    reduction: none, mean or sum: 0, 1 or 2.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnMseLossBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> x, target = np.array([0.5, 0.25], np.float32), np.array([0, 1], np.float32)
    >>> openaclnn.mse_loss_backward(np.float32(8), x, target)
    array([ 4., -6.], dtype=float32)
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

def nan_to_num(
    self: Any,
    *,
    nan: float = 0.0,
    posinf: float = 3.4028234663852886e38,
    neginf: float = -3.4028234663852886e38,
    out: Any = None,
) -> Any:
    """Numbers for NaN and infinities: nan where self ≠ self, else ((posinf where self > 0, else
    neginf) where self − self ≠ 0, else self).

    self: the input.
    nan: what NaN becomes.
    posinf: what infinity becomes.
    neginf: what -infinity becomes.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnNanToNum answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.nan_to_num(np.array([np.nan, np.inf, 1], np.float32), posinf=9)
    array([0., 9., 1.], dtype=float32)
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

def permute(self: Any, dims: Sequence[int], *, out: Any = None) -> Any:
    """Dimensions in another order: self.

    self: the input.
    dims: which dimension comes where.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnPermute answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.permute(np.array([[1, 2, 3], [4, 5, 6]]), [1, 0])
    array([[1, 4],
           [2, 5],
           [3, 6]])
    """

def pow_scalar_tensor(self: float, exponent: Any, *, out: Any = None) -> Any:
    """Power, of a number: pow(self, exponent).

    self: the number beside it.
    exponent: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnPowScalarTensor answers with an error status.
    """

def pow_tensor_scalar(self: Any, exponent: float, *, out: Any = None) -> Any:
    """Power, with a number: pow(self, exponent).

    self: the input.
    exponent: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnPowTensorScalar answers with an error status.
    """

def pow_tensor_tensor(self: Any, exponent: Any, *, out: Any = None) -> Any:
    """Power: pow(self, exponent).

    self: the input.
    exponent: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnPowTensorTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.pow(np.array([9, -8], np.float32), np.array([0.5, 3], np.float32))
    array([   3., -512.], dtype=float32)
    >>> openaclnn.pow(np.array([1, 2, 3]), 2)
    array([1, 4, 9])
    """

def prelu(self: Any, weight: Any, *, out: Any = None) -> Any:
    """Parametric ReLU: self where self > 0, else weight·self.

    self: the input.
    weight: the slopes below 0.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnPrelu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.prelu(np.array([[-2, -4], [3, -6]], np.float32), np.array([0.5, 2], np.float32))
    array([[ -1.,  -8.],
           [  3., -12.]], dtype=float32)
    """

def range(end: float, *, start: float = 0, step: float = 1, out: Any = None) -> Any:
    """Numbers at equal distances, with the last: position·step + start.

    start: the first number.
    end: what is not reached.
    step: from one to the next.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRange answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.range(4)
    array([0, 1, 2, 3, 4])
    >>> openaclnn.range(1.0, start=0.0, step=0.25)
    array([0.  , 0.25, 0.5 , 0.75, 1.  ], dtype=float32)
    """

def reciprocal(self: Any, *, out: Any = None) -> Any:
    """Reciprocal: 1 / self.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnReciprocal answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.reciprocal(np.array([-4, 0, 2], np.int32))
    array([-0.25,   inf,  0.5 ], dtype=float32)
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

def reflection_pad1d(self: Any, padding: Sequence[int], *, out: Any = None) -> Any:
    """Mirror images around a tensor: self.

    self: the input.
    padding: how many before and after.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnReflectionPad1d answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.reflection_pad1d(np.array([[1, 2, 3]]), [2, 1])
    array([[3, 2, 1, 2, 3, 2]])
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

def remainder_scalar_tensor(self: float, other: Any, *, out: Any = None) -> Any:
    """Remainder with the sign of the divisor, of a number: remainder(self, other).

    self: the number beside it.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRemainderScalarTensor answers with an error status.
    """

def remainder_tensor_scalar(self: Any, other: float, *, out: Any = None) -> Any:
    """Remainder with the sign of the divisor, with a number: remainder(self, other).

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRemainderTensorScalar answers with an error status.
    """

def remainder_tensor_tensor(self: Any, other: Any, *, out: Any = None) -> Any:
    """Remainder with the sign of the divisor: remainder(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRemainderTensorTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.remainder_tensor_tensor(np.array([7, -7], np.int32), np.array([3, 3], np.int32))
    array([1, 2], dtype=int32)
    """

def repeat(self: Any, repeats: Sequence[int], *, out: Any = None) -> Any:
    """Several times over: self.

    self: the input.
    repeats: how often along every dimension.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRepeat answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.repeat(np.array([1, 2]), [2, 2])
    array([[1, 2, 1, 2],
           [1, 2, 1, 2]])
    """

def repeat_interleave_int_with_dim(
    self: Any,
    repeats: int,
    dim: int,
    output_size: int,
    *,
    out: Any = None,
) -> Any:
    """Elements several times in a row: self.

    self: the input.
    repeats: how often.
    dim: the dimension.
    output_size: how long the result is there.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRepeatInterleaveIntWithDim answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.repeat_interleave_int_with_dim(np.array([1, 2]), 3, 0, 6)
    array([1, 1, 1, 2, 2, 2])
    """

def right_shift(self: Any, other: Any, *, out: Any = None) -> Any:
    """Right shift: shift_right(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRightShift answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.right_shift(np.array([64, -3, -1], np.int8), np.array([3, 1, 8], np.int8))
    array([ 8, -2, -1], dtype=int8)
    """

def round(self: Any, *, out: Any = None) -> Any:
    """Rounding: round(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRound answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.round(np.array([-1.5, 0.5, 2.5], np.float32))
    array([-2.,  0.,  2.], dtype=float32)
    """

def round_decimals(self: Any, *, decimals: int = 0, out: Any = None) -> Any:
    """Rounding to decimals: round(self·up / down)·down / up.

    self: the input.
    decimals: places that stay behind the point.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRoundDecimals answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.round_decimals(np.array([1.2345, -0.125, 1250], np.float32), decimals=2)
    array([ 1.23e+00, -1.20e-01,  1.25e+03], dtype=float32)
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

def rsub(self: Any, other: Any, *, alpha: float = 1, out: Any = None) -> Any:
    """Difference the other way round: (−alpha)·self + other.

    self: the input.
    other: the second input.
    alpha: a factor of the first.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRsub answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.rsub(np.array([1, 2], np.float32), 10, alpha=2)
    array([8., 6.], dtype=float32)
    """

def rsubs(self: Any, other: float, *, alpha: float = 1, out: Any = None) -> Any:
    """Difference the other way round, with a number: (−alpha)·self + other.

    self: the input.
    other: the number beside it.
    alpha: a factor of the first.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRsubs answers with an error status.
    """

def s_where(condition: Any, self: Any, other: Any, *, out: Any = None) -> Any:
    """Choice by a condition: self where condition, else other.

    condition: whether to take self.
    self: what is taken where it holds.
    other: what is taken elsewhere.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSWhere answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.s_where(np.array([True, False]), np.array([1, 2]), np.array([3, 4]))
    array([1, 4])
    """

def selu(self: Any, *, out: Any = None) -> Any:
    """SELU: expm1(self)·1.7580993408473766 where self ≤ 0, else self·1.0507009873554805.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSelu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.selu(np.array([-1, 0, 2], np.float32))
    array([-1.1113307,  0.       ,  2.101402 ], dtype=float32)
    """

def selu_backward(grad_output: Any, result: Any, *, out: Any = None) -> Any:
    """Gradient of SELU: grad_output·1.0507009873554805 where result > 0, else grad_output·(result +
    1.7580993408473766).

    grad_output: gradient with respect to SELU's result.
    result: the result of SELU.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSeluBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.selu_backward(np.float32(2), np.array([-1, 0, 3], np.float32))
    array([1.5161986, 3.5161986, 2.101402 ], dtype=float32)
    """

def shrink(self: Any, *, lambd: float = 0.5, bias: float = 0.0, out: Any = None) -> Any:
    """Shrink: self + bias where self < −lambd, else (self − bias where self > lambd, else self·0).

    self: the input.
    lambd: up to which magnitude.
    bias: what is taken away.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnShrink answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.shrink(np.array([-2, 0.5, 3], np.float32), bias=0.25)
    array([-1.75,  0.  ,  2.75], dtype=float32)
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

def sigmoid_backward(grad_output: Any, output: Any, *, out: Any = None) -> Any:
    """Gradient of sigmoid: grad_output·output·(1 − output).

    grad_output: gradient with respect to sigmoid's result.
    output: the result of sigmoid.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSigmoidBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.sigmoid_backward(np.float32(2), np.array([0, 0.5, 0.25], np.float32))
    array([0.   , 0.5  , 0.375], dtype=float32)
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

def signbit(self: Any, *, out: Any = None) -> Any:
    """Sign bit: signbit(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSignbit answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.signbit(np.array([-1, -0.0, 0], np.float32))
    array([ True,  True, False])
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

def sinh(self: Any, *, out: Any = None) -> Any:
    """Hyperbolic sine: sinh(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSinh answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.sinh(np.array([-1, 0, 1], np.float32))
    array([-1.1752012,  0.       ,  1.1752012], dtype=float32)
    """

def slice(self: Any, dim: int, start: int, end: int, step: int, *, out: Any = None) -> Any:
    """Elements along a dimension: self.

    self: the input.
    dim: the dimension.
    start: the first.
    end: what is not reached.
    step: from one to the next.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSlice answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.slice(np.arange(8), 0, 1, -1, 3)
    array([1, 4])
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

def soft_margin_loss_backward(
    grad_output: Any,
    self: Any,
    target: Any,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: Any = None,
) -> Any:
    """Gradient of the soft margin loss: (−target)·grad_output·k·σ((−target)·self).

    grad_output: gradient with respect to the loss.
    self: the prediction.
    target: what was to be predicted.
    reduction: none, mean or sum: 0, 1 or 2.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSoftMarginLossBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> x, target = np.array([0.5, 0.25], np.float32), np.array([0, 1], np.float32)
    >>> openaclnn.soft_margin_loss_backward(np.float32(8), x, target)
    array([-0.      , -1.751294], dtype=float32)
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

def softplus_backward(
    grad_output: Any,
    self: Any,
    *,
    beta: float = 1.0,
    threshold: float = 20.0,
    out: Any = None,
) -> Any:
    """Gradient of softplus: grad_output where self·beta > threshold, else grad_output·σ(self·beta).

    grad_output: gradient with respect to softplus's result.
    self: the input of softplus.
    beta: a factor inside.
    threshold: where it becomes linear.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSoftplusBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.softplus_backward(np.float32(2), np.array([0, 30, -200], np.float32))
    array([1., 2., 0.], dtype=float32)
    """

def softshrink(self: Any, *, lambd: float = 0.5, out: Any = None) -> Any:
    """Softshrink: self − lambd where self > lambd, else (self + lambd where self < −lambd, else
    self·0).

    self: the input.
    lambd: up to which magnitude.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSoftshrink answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.softshrink(np.array([-2, 0.5, 3], np.float32))
    array([-1.5,  0. ,  2.5], dtype=float32)
    """

def softshrink_backward(grad_output: Any, self: Any, lambd: float, *, out: Any = None) -> Any:
    """Gradient of softshrink: grad_output where self > lambd or self < −lambd, else 0.

    grad_output: gradient with respect to softshrink's result.
    self: the input of softshrink.
    lambd: up to which magnitude.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSoftshrinkBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.softshrink_backward(np.float32(2), np.array([-1, 0.5, 3], np.float32), 0.5)
    array([2., 0., 2.], dtype=float32)
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

def square(self: Any, *, out: Any = None) -> Any:
    """Square: self·self.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSquare answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.square(np.array([-4, 0, 2], np.int32))
    array([16,  0,  4], dtype=int32)
    """

def squared_relu(self: Any, *, out: Any = None) -> Any:
    """Squared ReLU: 0 where self ≤ 0, else self·self.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSquaredRelu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.squared_relu(np.array([-2, 0, 3], np.float32))
    array([0., 0., 9.], dtype=float32)
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

def swi_glu(self: Any, *, dim: int = -1, out: Any = None) -> Any:
    """SwiGLU: first_half·second_half·σ(first_half).

    self: the input, of even size along dim.
    dim: the dimension that is halved.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSwiGlu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.swi_glu(np.array([[0, 100, 4, 8]], np.float32))
    array([[  0., 800.]], dtype=float32)
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

def swish_backward(grad_output: Any, self: Any, *, beta: float = 1.0, out: Any = None) -> Any:
    """Gradient of swish: grad_output·σ(self·beta)·(1 + self·beta·σ(−self·beta)).

    grad_output: gradient with respect to swish's result.
    self: the input of swish.
    beta: a factor inside, 1 where it is null.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSwishBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.swish_backward(np.float32(2), np.array([-1, 0, 1], np.float32))
    array([0.14465898, 1.        , 1.8553411 ], dtype=float32)
    """

def tan(self: Any, *, out: Any = None) -> Any:
    """Tangent: tan(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnTan answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.tan(np.array([0, 1, 1e30], np.float32))
    array([0.       , 1.5574077, 1.2935861], dtype=float32)
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

def tanh_backward(grad_output: Any, output: Any, *, out: Any = None) -> Any:
    """Gradient of tanh: grad_output·(1 − output)·(1 + output).

    grad_output: gradient with respect to tanh's result.
    output: the result of tanh.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnTanhBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.tanh_backward(np.float32(2), np.array([0, 0.5, 1], np.float32))
    array([2. , 1.5, 0. ], dtype=float32)
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

def threshold_backward(grad_output: Any, self: Any, threshold: float, *, out: Any = None) -> Any:
    """Gradient of threshold: 0 where self ≤ threshold, else grad_output.

    grad_output: gradient with respect to threshold's result.
    self: the input of threshold.
    threshold: up to which the slope is 0.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnThresholdBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.threshold_backward(np.float32(2), np.array([-1, 0.5, 3], np.float32), 0.5)
    array([0., 0., 2.], dtype=float32)
    """

def tril(self: Any, *, diagonal: int = 0, out: Any = None) -> Any:
    """What is below a diagonal: self where column − row ≤ diagonal, else 0.

    self: the input.
    diagonal: which diagonal.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnTril answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.tril(np.array([[1, 2], [3, 4]]))
    array([[1, 0],
           [3, 4]])
    """

def triu(self: Any, *, diagonal: int = 0, out: Any = None) -> Any:
    """What is above a diagonal: self where column − row ≥ diagonal, else 0.

    self: the input.
    diagonal: which diagonal.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnTriu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.triu(np.array([[1, 2], [3, 4]]))
    array([[1, 2],
           [0, 4]])
    """

def trunc(self: Any, *, out: Any = None) -> Any:
    """Truncation: trunc(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnTrunc answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.trunc(np.array([-1.5, 0.5, 2.5], np.float32))
    array([-1.,  0.,  2.], dtype=float32)
    """

bitwise_and = bitwise_and_tensor
bitwise_or = bitwise_or_tensor
bitwise_xor = bitwise_xor_tensor
eq = eq_tensor
fmod = fmod_tensor
ge = ge_tensor
gt = gt_tensor
acos_ = inplace_acos
acosh_ = inplace_acosh
add_ = inplace_add
add_relu_ = inplace_add_relu
addcdiv_ = inplace_addcdiv
addcmul_ = inplace_addcmul
adds_ = inplace_adds
asin_ = inplace_asin
asinh_ = inplace_asinh
atan_ = inplace_atan
atan2_ = inplace_atan2
atanh_ = inplace_atanh
bitwise_and_scalar_ = inplace_bitwise_and_scalar
bitwise_and_ = inplace_bitwise_and_tensor
bitwise_or_scalar_ = inplace_bitwise_or_scalar
bitwise_or_ = inplace_bitwise_or_tensor
bitwise_xor_scalar_ = inplace_bitwise_xor_scalar
bitwise_xor_ = inplace_bitwise_xor_tensor
ceil_ = inplace_ceil
celu_ = inplace_celu
clamp_max_ = inplace_clamp_max
clamp_min_ = inplace_clamp_min
copy_ = inplace_copy
cos_ = inplace_cos
cosh_ = inplace_cosh
div_ = inplace_div
div_mod_ = inplace_div_mod
div_mods_ = inplace_div_mods
divs_ = inplace_divs
elu_ = inplace_elu
eq_scalar_ = inplace_eq_scalar
eq_ = inplace_eq_tensor
erf_ = inplace_erf
erfc_ = inplace_erfc
erfinv_ = inplace_erfinv
exp_ = inplace_exp
exp2_ = inplace_exp2
expm1_ = inplace_expm1
fill_scalar_ = inplace_fill_scalar
floor_ = inplace_floor
floor_divide_ = inplace_floor_divide
floor_divides_ = inplace_floor_divides
fmod_scalar_ = inplace_fmod_scalar
fmod_ = inplace_fmod_tensor
frac_ = inplace_frac
ge_scalar_ = inplace_ge_scalar
ge_ = inplace_ge_tensor
gt_scalar_ = inplace_gt_scalar
gt_ = inplace_gt_tensor
hardsigmoid_ = inplace_hardsigmoid
hardswish_ = inplace_hardswish
hardtanh_ = inplace_hardtanh
le_scalar_ = inplace_le_scalar
le_ = inplace_le_tensor
leaky_relu_ = inplace_leaky_relu
lerp_ = inplace_lerp
lerps_ = inplace_lerps
log_ = inplace_log
log10_ = inplace_log10
log1p_ = inplace_log1p
log2_ = inplace_log2
logical_and_ = inplace_logical_and
logical_not_ = inplace_logical_not
logical_or_ = inplace_logical_or
lt_scalar_ = inplace_lt_scalar
lt_ = inplace_lt_tensor
mish_ = inplace_mish
mul_ = inplace_mul
muls_ = inplace_muls
nan_to_num_ = inplace_nan_to_num
ne_scalar_ = inplace_ne_scalar
ne_ = inplace_ne_tensor
neg_ = inplace_neg
one_ = inplace_one
pow_tensor_scalar_ = inplace_pow_tensor_scalar
pow_ = inplace_pow_tensor_tensor
reciprocal_ = inplace_reciprocal
relu_ = inplace_relu
remainder_tensor_scalar_ = inplace_remainder_tensor_scalar
remainder_ = inplace_remainder_tensor_tensor
round_ = inplace_round
round_decimals_ = inplace_round_decimals
rsqrt_ = inplace_rsqrt
selu_ = inplace_selu
sigmoid_ = inplace_sigmoid
sin_ = inplace_sin
sinh_ = inplace_sinh
sqrt_ = inplace_sqrt
sub_ = inplace_sub
subs_ = inplace_subs
tan_ = inplace_tan
tanh_ = inplace_tanh
threshold_ = inplace_threshold
tril_ = inplace_tril
triu_ = inplace_triu
trunc_ = inplace_trunc
zero_ = inplace_zero
le = le_tensor
lt = lt_tensor
ne = ne_tensor
pow = pow_tensor_tensor
remainder = remainder_tensor_tensor

__all__ = [
    "acos",
    "acos_",
    "acosh",
    "acosh_",
    "add",
    "add_",
    "add_relu",
    "add_relu_",
    "addcdiv",
    "addcdiv_",
    "addcmul",
    "addcmul_",
    "adds",
    "adds_",
    "amax",
    "arange",
    "asin",
    "asin_",
    "asinh",
    "asinh_",
    "atan",
    "atan2",
    "atan2_",
    "atan_",
    "atanh",
    "atanh_",
    "binary_cross_entropy_backward",
    "binary_cross_entropy_with_logits_backward",
    "bitwise_and",
    "bitwise_and_",
    "bitwise_and_scalar",
    "bitwise_and_scalar_",
    "bitwise_and_tensor",
    "bitwise_not",
    "bitwise_or",
    "bitwise_or_",
    "bitwise_or_scalar",
    "bitwise_or_scalar_",
    "bitwise_or_tensor",
    "bitwise_xor",
    "bitwise_xor_",
    "bitwise_xor_scalar",
    "bitwise_xor_scalar_",
    "bitwise_xor_tensor",
    "cast",
    "cat",
    "ceil",
    "ceil_",
    "celu",
    "celu_",
    "clamp",
    "clamp_max",
    "clamp_max_",
    "clamp_max_tensor",
    "clamp_min",
    "clamp_min_",
    "clamp_min_tensor",
    "clamp_tensor",
    "constant_pad_nd",
    "copy_",
    "cos",
    "cos_",
    "cosh",
    "cosh_",
    "div",
    "div_",
    "div_mod",
    "div_mod_",
    "div_mods",
    "div_mods_",
    "divs",
    "divs_",
    "elu",
    "elu_",
    "elu_backward",
    "eq",
    "eq_",
    "eq_scalar",
    "eq_scalar_",
    "eq_tensor",
    "erf",
    "erf_",
    "erfc",
    "erfc_",
    "erfinv",
    "erfinv_",
    "exp",
    "exp2",
    "exp2_",
    "exp_",
    "expm1",
    "expm1_",
    "eye",
    "fast_gelu",
    "fast_gelu_backward",
    "fill_scalar_",
    "floor",
    "floor_",
    "floor_divide",
    "floor_divide_",
    "floor_divides",
    "floor_divides_",
    "fmod",
    "fmod_",
    "fmod_scalar",
    "fmod_scalar_",
    "fmod_tensor",
    "frac",
    "frac_",
    "gcd",
    "ge",
    "ge_",
    "ge_glu_v3",
    "ge_scalar",
    "ge_scalar_",
    "ge_tensor",
    "gelu",
    "gelu_backward",
    "gelu_backward_v2",
    "gelu_v2",
    "glu",
    "glu_backward",
    "gt",
    "gt_",
    "gt_scalar",
    "gt_scalar_",
    "gt_tensor",
    "hardshrink",
    "hardshrink_backward",
    "hardsigmoid",
    "hardsigmoid_",
    "hardsigmoid_backward",
    "hardswish",
    "hardswish_",
    "hardswish_backward",
    "hardtanh",
    "hardtanh_",
    "hardtanh_backward",
    "heaviside",
    "im2col",
    "inplace_acos",
    "inplace_acosh",
    "inplace_add",
    "inplace_add_relu",
    "inplace_addcdiv",
    "inplace_addcmul",
    "inplace_adds",
    "inplace_asin",
    "inplace_asinh",
    "inplace_atan",
    "inplace_atan2",
    "inplace_atanh",
    "inplace_bitwise_and_scalar",
    "inplace_bitwise_and_tensor",
    "inplace_bitwise_or_scalar",
    "inplace_bitwise_or_tensor",
    "inplace_bitwise_xor_scalar",
    "inplace_bitwise_xor_tensor",
    "inplace_ceil",
    "inplace_celu",
    "inplace_clamp_max",
    "inplace_clamp_max_tensor",
    "inplace_clamp_min",
    "inplace_clamp_min_tensor",
    "inplace_copy",
    "inplace_cos",
    "inplace_cosh",
    "inplace_div",
    "inplace_div_mod",
    "inplace_div_mods",
    "inplace_divs",
    "inplace_elu",
    "inplace_eq_scalar",
    "inplace_eq_tensor",
    "inplace_erf",
    "inplace_erfc",
    "inplace_erfinv",
    "inplace_exp",
    "inplace_exp2",
    "inplace_expm1",
    "inplace_fill_scalar",
    "inplace_floor",
    "inplace_floor_divide",
    "inplace_floor_divides",
    "inplace_fmod_scalar",
    "inplace_fmod_tensor",
    "inplace_frac",
    "inplace_ge_scalar",
    "inplace_ge_tensor",
    "inplace_gt_scalar",
    "inplace_gt_tensor",
    "inplace_hardsigmoid",
    "inplace_hardswish",
    "inplace_hardtanh",
    "inplace_le_scalar",
    "inplace_le_tensor",
    "inplace_leaky_relu",
    "inplace_lerp",
    "inplace_lerps",
    "inplace_log",
    "inplace_log1p",
    "inplace_log2",
    "inplace_log10",
    "inplace_logical_and",
    "inplace_logical_not",
    "inplace_logical_or",
    "inplace_lt_scalar",
    "inplace_lt_tensor",
    "inplace_mish",
    "inplace_mul",
    "inplace_muls",
    "inplace_nan_to_num",
    "inplace_ne_scalar",
    "inplace_ne_tensor",
    "inplace_neg",
    "inplace_one",
    "inplace_pow_tensor_scalar",
    "inplace_pow_tensor_tensor",
    "inplace_reciprocal",
    "inplace_relu",
    "inplace_remainder_tensor_scalar",
    "inplace_remainder_tensor_tensor",
    "inplace_round",
    "inplace_round_decimals",
    "inplace_rsqrt",
    "inplace_selu",
    "inplace_sigmoid",
    "inplace_sin",
    "inplace_sinh",
    "inplace_sqrt",
    "inplace_sub",
    "inplace_subs",
    "inplace_tan",
    "inplace_tanh",
    "inplace_threshold",
    "inplace_tril",
    "inplace_triu",
    "inplace_trunc",
    "inplace_zero",
    "is_close",
    "is_finite",
    "is_inf",
    "is_neg_inf",
    "is_pos_inf",
    "l1_loss",
    "l1_loss_backward",
    "le",
    "le_",
    "le_scalar",
    "le_scalar_",
    "le_tensor",
    "leaky_relu",
    "leaky_relu_",
    "leaky_relu_backward",
    "left_shift",
    "left_shifts",
    "lerp",
    "lerp_",
    "lerps",
    "lerps_",
    "linspace",
    "log",
    "log1p",
    "log1p_",
    "log2",
    "log2_",
    "log10",
    "log10_",
    "log_",
    "log_add_exp",
    "log_add_exp2",
    "log_sigmoid",
    "log_sigmoid_backward",
    "log_sigmoid_forward",
    "logical_and",
    "logical_and_",
    "logical_not",
    "logical_not_",
    "logical_or",
    "logical_or_",
    "logical_xor",
    "lt",
    "lt_",
    "lt_scalar",
    "lt_scalar_",
    "lt_tensor",
    "maximum",
    "mean",
    "minimum",
    "mish",
    "mish_",
    "mish_backward",
    "mse_loss",
    "mse_loss_backward",
    "mul",
    "mul_",
    "muls",
    "muls_",
    "nan_to_num",
    "nan_to_num_",
    "ne",
    "ne_",
    "ne_scalar",
    "ne_scalar_",
    "ne_tensor",
    "neg",
    "neg_",
    "one_",
    "permute",
    "pow_",
    "pow_scalar_tensor",
    "pow_tensor_scalar",
    "pow_tensor_scalar_",
    "pow_tensor_tensor",
    "prelu",
    "reciprocal",
    "reciprocal_",
    "reduce_sum",
    "reflection_pad1d",
    "relu",
    "relu_",
    "remainder",
    "remainder_",
    "remainder_scalar_tensor",
    "remainder_tensor_scalar",
    "remainder_tensor_scalar_",
    "remainder_tensor_tensor",
    "repeat",
    "repeat_interleave_int_with_dim",
    "right_shift",
    "round_",
    "round_decimals",
    "round_decimals_",
    "rsqrt",
    "rsqrt_",
    "rsub",
    "rsubs",
    "s_where",
    "selu",
    "selu_",
    "selu_backward",
    "shrink",
    "sigmoid",
    "sigmoid_",
    "sigmoid_backward",
    "sign",
    "signbit",
    "silu",
    "silu_backward",
    "sin",
    "sin_",
    "sinh",
    "sinh_",
    "smooth_l1_loss",
    "smooth_l1_loss_backward",
    "soft_margin_loss_backward",
    "softmax",
    "softmax_backward",
    "softplus",
    "softplus_backward",
    "softshrink",
    "softshrink_backward",
    "sqrt",
    "sqrt_",
    "square",
    "squared_relu",
    "sub",
    "sub_",
    "subs",
    "subs_",
    "swi_glu",
    "swish",
    "swish_backward",
    "tan",
    "tan_",
    "tanh",
    "tanh_",
    "tanh_backward",
    "threshold",
    "threshold_",
    "threshold_backward",
    "tril",
    "tril_",
    "triu",
    "triu_",
    "trunc",
    "trunc_",
    "zero_",
]
