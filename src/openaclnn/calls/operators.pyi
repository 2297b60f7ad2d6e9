# Written by python -m openaclnn.calls.stubs from the operators' specs; not by hand.

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal, Protocol, TypeVar, overload

import numpy as np

class _Tensor(Protocol):
    """An array of any library."""

    @property
    def shape(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...

_Array = TypeVar("_Array", bound=_Tensor)
_NumPy = np.ndarray[Any, Any]
_Plain = float | list[Any] | tuple[Any, ...]

@overload
def abs(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def abs(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Magnitude: |self|.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAbs answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.abs(np.array([-2, 0, 3], np.int32))
    array([2, 0, 3], dtype=int32)
    """

@overload
def acos(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def acos(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Arc cosine: acos(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAcos answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.acos(np.array([-1, 0.5, 1], np.float32))
    array([3.1415927, 1.0471976, 0.       ], dtype=float32)
    """

@overload
def acosh(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def acosh(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Inverse hyperbolic cosine: acosh(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAcosh answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.acosh(np.array([0, 1, 2], np.float32))
    array([     nan, 0.      , 1.316958], dtype=float32)
    """

@overload
def add(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    alpha: float = 1,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def add(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    alpha: float = 1,
    out: _Array | None = None,
) -> _Array:
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

@overload
def add_relu(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    alpha: float = 1,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def add_relu(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    alpha: float = 1,
    out: _Array | None = None,
) -> _Array:
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

@overload
def addcdiv(
    self: _NumPy | _Plain,
    tensor1: _NumPy | _Plain,
    tensor2: _NumPy | _Plain,
    *,
    value: float = 1.0,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def addcdiv(
    self: _Array | _Plain,
    tensor1: _Array | _Plain,
    tensor2: _Array | _Plain,
    *,
    value: float = 1.0,
    out: _Array | None = None,
) -> _Array:
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

@overload
def addcmul(
    self: _NumPy | _Plain,
    tensor1: _NumPy | _Plain,
    tensor2: _NumPy | _Plain,
    *,
    value: float = 1,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def addcmul(
    self: _Array | _Plain,
    tensor1: _Array | _Plain,
    tensor2: _Array | _Plain,
    *,
    value: float = 1,
    out: _Array | None = None,
) -> _Array:
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

@overload
def adds(
    self: _NumPy | _Plain,
    other: float,
    *,
    alpha: float = 1,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def adds(
    self: _Array | _Plain,
    other: float,
    *,
    alpha: float = 1,
    out: _Array | None = None,
) -> _Array:
    """Sum, with a number: alpha·other + self.

    self: the input.
    other: the number beside it.
    alpha: a factor of the second.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAdds answers with an error status.
    """

@overload
def amax(
    self: _NumPy | _Plain,
    dim: Sequence[int] | int = (),
    keep_dim: bool = False,
    *,
    out: _NumPy | None = None,
    axis: Sequence[int] | int = ...,
    keepdim: bool = ...,
    keepdims: bool = ...,
) -> _NumPy: ...
@overload
def amax(
    self: _Array | _Plain,
    dim: Sequence[int] | int = (),
    keep_dim: bool = False,
    *,
    out: _Array | None = None,
    axis: Sequence[int] | int = ...,
    keepdim: bool = ...,
    keepdims: bool = ...,
) -> _Array:
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

@overload
def arange(
    end: float,
    *,
    start: float = 0,
    step: float = 1,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def arange(
    end: float,
    *,
    start: float = 0,
    step: float = 1,
    out: _Array | None = None,
) -> _Array:
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

@overload
def asin(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def asin(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Arc sine: asin(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAsin answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.asin(np.array([-1, 0, 0.5], np.float32))
    array([-1.5707964,  0.       ,  0.5235988], dtype=float32)
    """

@overload
def asinh(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def asinh(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Inverse hyperbolic sine: asinh(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAsinh answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.asinh(np.array([-1, 0, 1e30], np.float32))
    array([-0.8813736,  0.       , 69.7707   ], dtype=float32)
    """

@overload
def atan(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def atan(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Arc tangent: atan(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAtan answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.atan(np.array([-1, 0, np.inf], np.float32))
    array([-0.7853982,  0.       ,  1.5707964], dtype=float32)
    """

@overload
def atan2(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def atan2(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Angle of a point: atan2(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAtan2 answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.atan2(np.array([0, 1, -1], np.float32), np.array([-1, 0, 1], np.float32))
    array([ 3.1415927,  1.5707964, -0.7853982], dtype=float32)
    """

@overload
def atanh(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def atanh(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Inverse hyperbolic tangent: atanh(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnAtanh answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.atanh(np.array([-1, 0, 0.5], np.float32))
    array([      -inf, 0.        , 0.54930615], dtype=float32)
    """

@overload
def binary_cross_entropy_backward(
    grad_output: _NumPy | _Plain,
    self: _NumPy | _Plain,
    target: _NumPy | _Plain,
    weight: _NumPy | _Plain | None = None,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def binary_cross_entropy_backward(
    grad_output: _Array | _Plain,
    self: _Array | _Plain,
    target: _Array | _Plain,
    weight: _Array | _Plain | None = None,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: _Array | None = None,
) -> _Array:
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

@overload
def binary_cross_entropy_with_logits_backward(
    grad_output: _NumPy | _Plain,
    self: _NumPy | _Plain,
    target: _NumPy | _Plain,
    weight: _NumPy | _Plain | None = None,
    pos_weight: _NumPy | _Plain | None = None,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def binary_cross_entropy_with_logits_backward(
    grad_output: _Array | _Plain,
    self: _Array | _Plain,
    target: _Array | _Plain,
    weight: _Array | _Plain | None = None,
    pos_weight: _Array | _Plain | None = None,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: _Array | None = None,
) -> _Array:
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

@overload
def bitwise_and_scalar(
    self: _NumPy | _Plain,
    other: float,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def bitwise_and_scalar(
    self: _Array | _Plain,
    other: float,
    *,
    out: _Array | None = None,
) -> _Array:
    """Bitwise and, with a number: bit_and(self, other).

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnBitwiseAndScalar answers with an error status.
    """

@overload
def bitwise_and_tensor(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def bitwise_and_tensor(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Bitwise and: bit_and(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnBitwiseAndTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.bitwise_and(np.array([1, 6], np.int8), np.array([3, 5], np.int8))
    array([1, 4], dtype=int8)
    """

@overload
def bitwise_not(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def bitwise_not(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Bitwise not: bit_xor(self, ones).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnBitwiseNot answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.bitwise_not(np.array([0, 5, -1], np.int8))
    array([-1, -6,  0], dtype=int8)
    """

@overload
def bitwise_or_scalar(
    self: _NumPy | _Plain,
    other: float,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def bitwise_or_scalar(
    self: _Array | _Plain,
    other: float,
    *,
    out: _Array | None = None,
) -> _Array:
    """Bitwise or, with a number: bit_or(self, other).

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnBitwiseOrScalar answers with an error status.
    """

@overload
def bitwise_or_tensor(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def bitwise_or_tensor(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Bitwise or: bit_or(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnBitwiseOrTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.bitwise_or(np.array([1, 6], np.int8), np.array([3, 5], np.int8))
    array([3, 7], dtype=int8)
    """

@overload
def bitwise_xor_scalar(
    self: _NumPy | _Plain,
    other: float,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def bitwise_xor_scalar(
    self: _Array | _Plain,
    other: float,
    *,
    out: _Array | None = None,
) -> _Array:
    """Bitwise xor, with a number: bit_xor(self, other).

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnBitwiseXorScalar answers with an error status.
    """

@overload
def bitwise_xor_tensor(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def bitwise_xor_tensor(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Bitwise xor: bit_xor(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnBitwiseXorTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.bitwise_xor(np.array([1, 6], np.int8), np.array([3, 5], np.int8))
    array([2, 3], dtype=int8)
    """

@overload
def cast(self: _NumPy | _Plain, dtype: Any, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def cast(self: _Array | _Plain, dtype: Any, *, out: _Array | None = None) -> _Array:
    """Conversion to another dtype: self.

    self: the input.
    dtype: of the result.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnCast answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.cast(np.array([-1.7, 300.5, np.nan], np.float32), "int8")
    array([ -1, 127,   0], dtype=int8)
    """

@overload
def cat(
    tensors: Sequence[_NumPy | _Plain],
    dim: int = 0,
    *,
    out: _NumPy | None = None,
    axis: int = ...,
) -> _NumPy: ...
@overload
def cat(
    tensors: Sequence[_Array | _Plain],
    dim: int = 0,
    *,
    out: _Array | None = None,
    axis: int = ...,
) -> _Array:
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

@overload
def ceil(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def ceil(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Ceiling: ceil(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnCeil answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.ceil(np.array([-1.5, 0.5, 2.5], np.float32))
    array([-1.,  1.,  3.], dtype=float32)
    """

@overload
def celu(self: _NumPy | _Plain, alpha: float = 1.0, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def celu(self: _Array | _Plain, alpha: float = 1.0, *, out: _Array | None = None) -> _Array:
    """CELU: expm1(self / alpha)·alpha where self ≤ 0, else self.

    self: the input.
    alpha: minus its limit far below 0.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnCelu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.celu(np.array([-1, 0, 2], np.float32), alpha=2)
    array([-0.78693867,  0.        ,  2.        ], dtype=float32)
    """

@overload
def clamp(
    self: _NumPy | _Plain,
    clip_value_min: float | None = None,
    clip_value_max: float | None = None,
    *,
    out: _NumPy | None = None,
    min: float | None = ...,
    max: float | None = ...,
) -> _NumPy: ...
@overload
def clamp(
    self: _Array | _Plain,
    clip_value_min: float | None = None,
    clip_value_max: float | None = None,
    *,
    out: _Array | None = None,
    min: float | None = ...,
    max: float | None = ...,
) -> _Array:
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

@overload
def clamp_max(
    self: _NumPy | _Plain,
    clip_value_max: float = ...,
    *,
    out: _NumPy | None = None,
    max: float = ...,
) -> _NumPy: ...
@overload
def clamp_max(
    self: _Array | _Plain,
    clip_value_max: float = ...,
    *,
    out: _Array | None = None,
    max: float = ...,
) -> _Array:
    """Clamp from above: minimum(self, clip_value_max).

    self: the input.
    clip_value_max: the upper limit.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnClampMax answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.clamp_max(np.array([-2, 0, 3], np.float32), 0)
    array([-2.,  0.,  0.], dtype=float32)
    """

@overload
def clamp_max_tensor(
    self: _NumPy | _Plain,
    clip_value_max: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def clamp_max_tensor(
    self: _Array | _Plain,
    clip_value_max: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Clamp from above by a tensor: minimum(self, clip_value_max).

    self: the input.
    clip_value_max: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnClampMaxTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.clamp_max_tensor(np.array([-2, 0, 3], np.float32), np.float32([-1, 1, 1]))
    array([-2.,  0.,  1.], dtype=float32)
    """

@overload
def clamp_min(
    self: _NumPy | _Plain,
    clip_value_min: float = ...,
    *,
    out: _NumPy | None = None,
    min: float = ...,
) -> _NumPy: ...
@overload
def clamp_min(
    self: _Array | _Plain,
    clip_value_min: float = ...,
    *,
    out: _Array | None = None,
    min: float = ...,
) -> _Array:
    """Clamp from below: maximum(self, clip_value_min).

    self: the input.
    clip_value_min: the lower limit.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnClampMin answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.clamp_min(np.array([-2, 0, 3], np.float32), 0)
    array([0., 0., 3.], dtype=float32)
    """

@overload
def clamp_min_tensor(
    self: _NumPy | _Plain,
    clip_value_min: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def clamp_min_tensor(
    self: _Array | _Plain,
    clip_value_min: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Clamp from below by a tensor: maximum(self, clip_value_min).

    self: the input.
    clip_value_min: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnClampMinTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.clamp_min_tensor(np.array([-2, 0, 3], np.float32), np.float32([-1, 1, 1]))
    array([-1.,  1.,  3.], dtype=float32)
    """

@overload
def clamp_tensor(
    self: _NumPy | _Plain,
    clip_value_min: _NumPy | _Plain | None = None,
    clip_value_max: _NumPy | _Plain | None = None,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def clamp_tensor(
    self: _Array | _Plain,
    clip_value_min: _Array | _Plain | None = None,
    clip_value_max: _Array | _Plain | None = None,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def constant_pad_nd(
    self: _NumPy | _Plain,
    padding: Sequence[int] | int = ...,
    value: float = 0,
    *,
    out: _NumPy | None = None,
    pad: Sequence[int] | int = ...,
) -> _NumPy: ...
@overload
def constant_pad_nd(
    self: _Array | _Plain,
    padding: Sequence[int] | int = ...,
    value: float = 0,
    *,
    out: _Array | None = None,
    pad: Sequence[int] | int = ...,
) -> _Array:
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

@overload
def cos(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def cos(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Cosine: cos(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnCos answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.cos(np.array([0, 1, 1e30], np.float32))
    array([ 1.       ,  0.5403023, -0.6116048], dtype=float32)
    """

@overload
def cosh(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def cosh(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Hyperbolic cosine: cosh(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnCosh answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.cosh(np.array([-1, 0, 1], np.float32))
    array([1.5430807, 1.       , 1.5430807], dtype=float32)
    """

@overload
def div(self: _NumPy | _Plain, other: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def div(self: _Array | _Plain, other: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Quotient: self / other.

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnDiv answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.div(np.array([1, 2, 0], np.int32), np.array([2, 0, 0], np.int32))
    array([0.5, inf, nan], dtype=float32)
    """

@overload
def div_mod(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    mode: Literal["trunc", "floor", "none", 1, 2, 0] = "trunc",
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def div_mod(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    mode: Literal["trunc", "floor", "none", 1, 2, 0] = "trunc",
    out: _Array | None = None,
) -> _Array:
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

@overload
def div_mods(
    self: _NumPy | _Plain,
    other: float,
    *,
    mode: Literal["trunc", "floor", "none", 1, 2, 0] = "trunc",
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def div_mods(
    self: _Array | _Plain,
    other: float,
    *,
    mode: Literal["trunc", "floor", "none", 1, 2, 0] = "trunc",
    out: _Array | None = None,
) -> _Array:
    """Quotient, rounded as wanted, with a number: trunc_div(self, other).

    self: the input.
    other: the number beside it.
    mode: what becomes of the fraction.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnDivMods answers with an error status.
    """

@overload
def divs(self: _NumPy | _Plain, other: float, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def divs(self: _Array | _Plain, other: float, *, out: _Array | None = None) -> _Array:
    """Quotient, with a number: self / other.

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnDivs answers with an error status.
    """

@overload
def elu(
    self: _NumPy | _Plain,
    alpha: float = 1.0,
    *,
    scale: float = 1.0,
    input_scale: float = 1.0,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def elu(
    self: _Array | _Plain,
    alpha: float = 1.0,
    *,
    scale: float = 1.0,
    input_scale: float = 1.0,
    out: _Array | None = None,
) -> _Array:
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

@overload
def elu_backward(
    grad_output: _NumPy | _Plain,
    self_or_result: _NumPy | _Plain,
    *,
    alpha: float = 1.0,
    scale: float = 1.0,
    input_scale: float = 1.0,
    is_result: bool = False,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def elu_backward(
    grad_output: _Array | _Plain,
    self_or_result: _Array | _Plain,
    *,
    alpha: float = 1.0,
    scale: float = 1.0,
    input_scale: float = 1.0,
    is_result: bool = False,
    out: _Array | None = None,
) -> _Array:
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

@overload
def eq_scalar(self: _NumPy | _Plain, other: float, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def eq_scalar(self: _Array | _Plain, other: float, *, out: _Array | None = None) -> _Array:
    """Equality, with a number: self = other.

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnEqScalar answers with an error status.
    """

@overload
def eq_tensor(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def eq_tensor(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def erf(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def erf(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Error function: erf(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnErf answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.erf(np.array([-1, 0, 4], np.float32))
    array([-0.8427008,  0.       ,  1.       ], dtype=float32)
    """

@overload
def erfc(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def erfc(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Complementary error function: erfc(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnErfc answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.erfc(np.array([-1, 0, 9], np.float32))
    array([1.8427008e+00, 1.0000000e+00, 4.1370317e-37], dtype=float32)
    """

@overload
def erfinv(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def erfinv(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Inverse error function: erfinv(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnErfinv answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.erfinv(np.array([-1, 0, 0.5], np.float32))
    array([      -inf, 0.        , 0.47693628], dtype=float32)
    """

@overload
def exp(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def exp(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Exponential: exp(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnExp answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.exp(np.array([-1, 0, 1], np.float32))
    array([0.36787945, 1.        , 2.7182817 ], dtype=float32)
    """

@overload
def exp2(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def exp2(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Power of two: exp2(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnExp2 answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.exp2(np.array([-1, 0, 0.5], np.float32))
    array([0.5      , 1.       , 1.4142135], dtype=float32)
    """

@overload
def expm1(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def expm1(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Exponential, less 1: expm1(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnExpm1 answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.expm1(np.array([-1, 0, 1e-10], np.float32))
    array([-6.3212055e-01,  0.0000000e+00,  1.0000000e-10], dtype=float32)
    """

@overload
def eye(n: int, m: int, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def eye(n: int, m: int, *, out: _Array | None = None) -> _Array:
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

@overload
def fast_gelu(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def fast_gelu(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Fast GELU: self·σ(self·1.702).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnFastGelu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.fast_gelu(np.array([-1, 0, 1], np.float32))
    array([-0.15420423,  0.        ,  0.84579575], dtype=float32)
    """

@overload
def fast_gelu_backward(
    grad_output: _NumPy | _Plain,
    self: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def fast_gelu_backward(
    grad_output: _Array | _Plain,
    self: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Gradient of fast GELU: grad_output·σ(self·1.702)·(1 + self·1.702·σ(−self·1.702)).

    grad_output: gradient with respect to fast GELU's result.
    self: the input of fast GELU.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnFastGeluBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.fast_gelu_backward(np.float32(2), np.array([-1, 0, 1], np.float32))
    array([-0.13555922,  1.        ,  2.1355593 ], dtype=float32)
    """

@overload
def floor(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def floor(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Floor: floor(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnFloor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.floor(np.array([-1.5, 0.5, 2.5], np.float32))
    array([-2.,  0.,  2.], dtype=float32)
    """

@overload
def floor_divide(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def floor_divide(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Floor division: floor_div(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnFloorDivide answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.floor_divide(np.array([7, -7, 7], np.int32), np.array([2, 2, 0], np.int32))
    array([ 3, -4,  0], dtype=int32)
    """

@overload
def floor_divides(self: _NumPy | _Plain, other: float, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def floor_divides(self: _Array | _Plain, other: float, *, out: _Array | None = None) -> _Array:
    """Floor division, with a number: floor_div(self, other).

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnFloorDivides answers with an error status.
    """

@overload
def fmod_scalar(self: _NumPy | _Plain, other: float, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def fmod_scalar(self: _Array | _Plain, other: float, *, out: _Array | None = None) -> _Array:
    """Remainder with the sign of the dividend, with a number: fmod(self, other).

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnFmodScalar answers with an error status.
    """

@overload
def fmod_tensor(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def fmod_tensor(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Remainder with the sign of the dividend: fmod(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnFmodTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.fmod(np.array([7, -7, 1e10], np.float32), np.array([3, 3, 7], np.float32))
    array([ 1., -1.,  4.], dtype=float32)
    """

@overload
def frac(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def frac(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Fraction: self − trunc(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnFrac answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.frac(np.array([-1.5, 0.5, 2.5], np.float32))
    array([-0.5,  0.5,  0.5], dtype=float32)
    """

@overload
def gcd(self: _NumPy | _Plain, other: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def gcd(self: _Array | _Plain, other: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Greatest common divisor: gcd(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGcd answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.gcd(np.array([12, -8, 0]), np.array([18, 6, 5]))
    array([6, 2, 5])
    """

@overload
def ge_glu_v3(
    self: _NumPy | _Plain,
    dim: int = -1,
    *,
    approximate: Literal["tanh", "none", 0, 1] = "tanh",
    activate_left: bool = False,
    out: tuple[_NumPy, _NumPy] | None = None,
    axis: int = ...,
) -> tuple[_NumPy, _NumPy]: ...
@overload
def ge_glu_v3(
    self: _Array | _Plain,
    dim: int = -1,
    *,
    approximate: Literal["tanh", "none", 0, 1] = "tanh",
    activate_left: bool = False,
    out: tuple[_Array, _Array] | None = None,
    axis: int = ...,
) -> tuple[_Array, _Array]:
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

@overload
def ge_scalar(self: _NumPy | _Plain, other: float, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def ge_scalar(self: _Array | _Plain, other: float, *, out: _Array | None = None) -> _Array:
    """Greater than or equal, with a number: self ≥ other.

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGeScalar answers with an error status.
    """

@overload
def ge_tensor(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def ge_tensor(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Greater than or equal: self ≥ other.

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGeTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.ge(np.array([1, 2, 3]), np.array([1, 4, 2]))
    array([ True, False,  True])
    """

@overload
def gelu(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def gelu(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """GELU, by tanh: self·((1 + tanh(√(2/π)·(x + 0.044715·x³))) / 2).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGelu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.gelu(np.array([-1, 0, 1], np.float32))
    array([-0.15880801,  0.        ,  0.841192  ], dtype=float32)
    """

@overload
def gelu_backward(
    grad_output: _NumPy | _Plain,
    self: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def gelu_backward(
    grad_output: _Array | _Plain,
    self: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Gradient of gelu: grad_output·gelu′(self), by tanh.

    grad_output: gradient with respect to gelu's result.
    self: the input of gelu.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGeluBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.gelu_backward(np.ones(3, np.float32), np.array([-1, 0, 1], np.float32))
    array([-0.08296409,  0.5       ,  1.0829641 ], dtype=float32)
    """

@overload
def gelu_backward_v2(
    grad_output: _NumPy | _Plain,
    self: _NumPy | _Plain,
    *,
    approximate: Literal["none", "tanh"] = "none",
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def gelu_backward_v2(
    grad_output: _Array | _Plain,
    self: _Array | _Plain,
    *,
    approximate: Literal["none", "tanh"] = "none",
    out: _Array | None = None,
) -> _Array:
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

@overload
def gelu_v2(
    self: _NumPy | _Plain,
    *,
    approximate: Literal["none", "tanh", 0, 1] = "none",
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def gelu_v2(
    self: _Array | _Plain,
    *,
    approximate: Literal["none", "tanh", 0, 1] = "none",
    out: _Array | None = None,
) -> _Array:
    """GELU: self·(erfc(−x / √2) / 2).

    self: the input.
    approximate: by which formula.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGeluV2 answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.gelu_v2(np.array([-1, 0, 1], np.float32))
    array([-0.15865526,  0.        ,  0.8413448 ], dtype=float32)
    """

@overload
def glu(
    self: _NumPy | _Plain,
    dim: int = -1,
    *,
    out: _NumPy | None = None,
    axis: int = ...,
) -> _NumPy: ...
@overload
def glu(
    self: _Array | _Plain,
    dim: int = -1,
    *,
    out: _Array | None = None,
    axis: int = ...,
) -> _Array:
    """Gated linear unit: first_half·σ(second_half).

    self: the input, of even size along dim.
    dim: the dimension that is halved.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGlu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.glu(np.array([[4, 8, 0, 100]], np.float32))
    array([[2., 8.]], dtype=float32)
    """

@overload
def glu_backward(
    grad_out: _NumPy | _Plain,
    self: _NumPy | _Plain,
    dim: int = -1,
    *,
    out: _NumPy | None = None,
    axis: int = ...,
) -> _NumPy: ...
@overload
def glu_backward(
    grad_out: _Array | _Plain,
    self: _Array | _Plain,
    dim: int = -1,
    *,
    out: _Array | None = None,
    axis: int = ...,
) -> _Array:
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

@overload
def gt_scalar(self: _NumPy | _Plain, other: float, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def gt_scalar(self: _Array | _Plain, other: float, *, out: _Array | None = None) -> _Array:
    """Greater than, with a number: self > other.

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGtScalar answers with an error status.
    """

@overload
def gt_tensor(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def gt_tensor(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Greater than: self > other.

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnGtTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.gt(np.array([1, 2, 3]), np.array([1, 4, 2]))
    array([False, False,  True])
    """

@overload
def hardshrink(
    self: _NumPy | _Plain,
    lambd: float = 0.5,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def hardshrink(
    self: _Array | _Plain,
    lambd: float = 0.5,
    *,
    out: _Array | None = None,
) -> _Array:
    """Hardshrink: 0 where self ≥ −lambd and self ≤ lambd, else self.

    self: the input.
    lambd: up to which magnitude.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnHardshrink answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.hardshrink(np.array([-2, 0.5, 3], np.float32))
    array([-2.,  0.,  3.], dtype=float32)
    """

@overload
def hardshrink_backward(
    grad_output: _NumPy | _Plain,
    self: _NumPy | _Plain,
    lambd: float,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def hardshrink_backward(
    grad_output: _Array | _Plain,
    self: _Array | _Plain,
    lambd: float,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def hardsigmoid(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def hardsigmoid(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Hardsigmoid: clamp(self + 3, 0, 6) / 6.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnHardsigmoid answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.hardsigmoid(np.array([-4, 0, 1.5], np.float32))
    array([0.  , 0.5 , 0.75], dtype=float32)
    """

@overload
def hardsigmoid_backward(
    grad_output: _NumPy | _Plain,
    self: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def hardsigmoid_backward(
    grad_output: _Array | _Plain,
    self: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def hardswish(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def hardswish(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Hardswish: self·(clamp(self + 3, 0, 6) / 6).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnHardswish answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.hardswish(np.array([-4, -1.5, 3, 8], np.float32))
    array([-0.   , -0.375,  3.   ,  8.   ], dtype=float32)
    """

@overload
def hardswish_backward(
    grad_output: _NumPy | _Plain,
    self: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def hardswish_backward(
    grad_output: _Array | _Plain,
    self: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def hardtanh(
    self: _NumPy | _Plain,
    clip_value_min: float = -1,
    clip_value_max: float = 1,
    *,
    out: _NumPy | None = None,
    min: float = ...,
    max: float = ...,
) -> _NumPy: ...
@overload
def hardtanh(
    self: _Array | _Plain,
    clip_value_min: float = -1,
    clip_value_max: float = 1,
    *,
    out: _Array | None = None,
    min: float = ...,
    max: float = ...,
) -> _Array:
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

@overload
def hardtanh_backward(
    grad_output: _NumPy | _Plain,
    self: _NumPy | _Plain,
    min: float = -1.0,
    max: float = 1.0,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def hardtanh_backward(
    grad_output: _Array | _Plain,
    self: _Array | _Plain,
    min: float = -1.0,
    max: float = 1.0,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def heaviside(
    self: _NumPy | _Plain,
    values: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def heaviside(
    self: _Array | _Plain,
    values: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Heaviside step: values where self = 0, else (1 where self > 0, else 0).

    self: the input.
    values: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnHeaviside answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.heaviside(np.array([-2, 0, 3], np.float32), np.array([0.5], np.float32))
    array([0. , 0.5, 1. ], dtype=float32)
    """

@overload
def im2col(
    self: _NumPy | _Plain,
    kernel_size: Sequence[int] | int,
    dilation: Sequence[int] | int,
    padding: Sequence[int] | int = ...,
    stride: Sequence[int] | int = ...,
    *,
    out: _NumPy | None = None,
    pad: Sequence[int] | int = ...,
) -> _NumPy: ...
@overload
def im2col(
    self: _Array | _Plain,
    kernel_size: Sequence[int] | int,
    dilation: Sequence[int] | int,
    padding: Sequence[int] | int = ...,
    stride: Sequence[int] | int = ...,
    *,
    out: _Array | None = None,
    pad: Sequence[int] | int = ...,
) -> _Array:
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

@overload
def inplace_acos(self: _NumPy) -> _NumPy: ...
@overload
def inplace_acos(self: _Array) -> _Array:
    """Arc cosine, in place: acos(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceAcos answers with an error status.
    """

@overload
def inplace_acosh(self: _NumPy) -> _NumPy: ...
@overload
def inplace_acosh(self: _Array) -> _Array:
    """Inverse hyperbolic cosine, in place: acosh(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceAcosh answers with an error status.
    """

@overload
def inplace_add(self: _NumPy, other: _NumPy | _Plain, *, alpha: float = 1) -> _NumPy: ...
@overload
def inplace_add(self: _Array, other: _Array | _Plain, *, alpha: float = 1) -> _Array:
    """Sum, in place: alpha·other + self.

    self: the input, which the result replaces.
    other: the second input.
    alpha: a factor of the second.

    Raises AclnnError where aclnnInplaceAdd answers with an error status.
    """

@overload
def inplace_add_relu(self: _NumPy, other: _NumPy | _Plain, *, alpha: float = 1) -> _NumPy: ...
@overload
def inplace_add_relu(self: _Array, other: _Array | _Plain, *, alpha: float = 1) -> _Array:
    """Sum, then ReLU, in place: 0 where alpha·other + self ≤ 0, else alpha·other + self.

    self: the input, which the result replaces.
    other: the second input.
    alpha: a factor of the second.

    Raises AclnnError where aclnnInplaceAddRelu answers with an error status.
    """

@overload
def inplace_addcdiv(
    self: _NumPy,
    tensor1: _NumPy | _Plain,
    tensor2: _NumPy | _Plain,
    *,
    value: float = 1.0,
) -> _NumPy: ...
@overload
def inplace_addcdiv(
    self: _Array,
    tensor1: _Array | _Plain,
    tensor2: _Array | _Plain,
    *,
    value: float = 1.0,
) -> _Array:
    """Sum with a quotient, in place: self + value·tensor1 / tensor2.

    self: the input, which the result replaces.
    tensor1: the dividend.
    tensor2: the divisor.
    value: a factor of the quotient.

    Raises AclnnError where aclnnInplaceAddcdiv answers with an error status.
    """

@overload
def inplace_addcmul(
    self: _NumPy,
    tensor1: _NumPy | _Plain,
    tensor2: _NumPy | _Plain,
    *,
    value: float = 1,
) -> _NumPy: ...
@overload
def inplace_addcmul(
    self: _Array,
    tensor1: _Array | _Plain,
    tensor2: _Array | _Plain,
    *,
    value: float = 1,
) -> _Array:
    """Sum with a product, in place: self + value·tensor1·tensor2.

    self: the input, which the result replaces.
    tensor1: the first factor.
    tensor2: the second factor.
    value: a third factor.

    Raises AclnnError where aclnnInplaceAddcmul answers with an error status.
    """

@overload
def inplace_adds(self: _NumPy, other: float, *, alpha: float = 1) -> _NumPy: ...
@overload
def inplace_adds(self: _Array, other: float, *, alpha: float = 1) -> _Array:
    """Sum, with a number, in place: alpha·other + self.

    self: the input, which the result replaces.
    other: the number beside it.
    alpha: a factor of the second.

    Raises AclnnError where aclnnInplaceAdds answers with an error status.
    """

@overload
def inplace_asin(self: _NumPy) -> _NumPy: ...
@overload
def inplace_asin(self: _Array) -> _Array:
    """Arc sine, in place: asin(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceAsin answers with an error status.
    """

@overload
def inplace_asinh(self: _NumPy) -> _NumPy: ...
@overload
def inplace_asinh(self: _Array) -> _Array:
    """Inverse hyperbolic sine, in place: asinh(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceAsinh answers with an error status.
    """

@overload
def inplace_atan(self: _NumPy) -> _NumPy: ...
@overload
def inplace_atan(self: _Array) -> _Array:
    """Arc tangent, in place: atan(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceAtan answers with an error status.
    """

@overload
def inplace_atan2(self: _NumPy, other: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_atan2(self: _Array, other: _Array | _Plain) -> _Array:
    """Angle of a point, in place: atan2(self, other).

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceAtan2 answers with an error status.
    """

@overload
def inplace_atanh(self: _NumPy) -> _NumPy: ...
@overload
def inplace_atanh(self: _Array) -> _Array:
    """Inverse hyperbolic tangent, in place: atanh(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceAtanh answers with an error status.
    """

@overload
def inplace_bitwise_and_scalar(self: _NumPy, other: float) -> _NumPy: ...
@overload
def inplace_bitwise_and_scalar(self: _Array, other: float) -> _Array:
    """Bitwise and, with a number, in place: bit_and(self, other).

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceBitwiseAndScalar answers with an error status.
    """

@overload
def inplace_bitwise_and_tensor(self: _NumPy, other: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_bitwise_and_tensor(self: _Array, other: _Array | _Plain) -> _Array:
    """Bitwise and, in place: bit_and(self, other).

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceBitwiseAndTensor answers with an error status.
    """

@overload
def inplace_bitwise_or_scalar(self: _NumPy, other: float) -> _NumPy: ...
@overload
def inplace_bitwise_or_scalar(self: _Array, other: float) -> _Array:
    """Bitwise or, with a number, in place: bit_or(self, other).

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceBitwiseOrScalar answers with an error status.
    """

@overload
def inplace_bitwise_or_tensor(self: _NumPy, other: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_bitwise_or_tensor(self: _Array, other: _Array | _Plain) -> _Array:
    """Bitwise or, in place: bit_or(self, other).

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceBitwiseOrTensor answers with an error status.
    """

@overload
def inplace_bitwise_xor_scalar(self: _NumPy, other: float) -> _NumPy: ...
@overload
def inplace_bitwise_xor_scalar(self: _Array, other: float) -> _Array:
    """Bitwise xor, with a number, in place: bit_xor(self, other).

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceBitwiseXorScalar answers with an error status.
    """

@overload
def inplace_bitwise_xor_tensor(self: _NumPy, other: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_bitwise_xor_tensor(self: _Array, other: _Array | _Plain) -> _Array:
    """Bitwise xor, in place: bit_xor(self, other).

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceBitwiseXorTensor answers with an error status.
    """

@overload
def inplace_ceil(self: _NumPy) -> _NumPy: ...
@overload
def inplace_ceil(self: _Array) -> _Array:
    """Ceiling, in place: ceil(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceCeil answers with an error status.
    """

@overload
def inplace_celu(self: _NumPy, alpha: float = 1.0) -> _NumPy: ...
@overload
def inplace_celu(self: _Array, alpha: float = 1.0) -> _Array:
    """CELU, in place: expm1(self / alpha)·alpha where self ≤ 0, else self.

    self: the input, which the result replaces.
    alpha: minus its limit far below 0.

    Raises AclnnError where aclnnInplaceCelu answers with an error status.
    """

@overload
def inplace_clamp_max(self: _NumPy, clip_value_max: float = ..., *, max: float = ...) -> _NumPy: ...
@overload
def inplace_clamp_max(self: _Array, clip_value_max: float = ..., *, max: float = ...) -> _Array:
    """Clamp from above, in place: minimum(self, clip_value_max).

    self: the input, which the result replaces.
    clip_value_max: the upper limit.

    Raises AclnnError where aclnnInplaceClampMax answers with an error status.
    """

@overload
def inplace_clamp_max_tensor(self: _NumPy, clip_value_max: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_clamp_max_tensor(self: _Array, clip_value_max: _Array | _Plain) -> _Array:
    """Clamp from above by a tensor, in place: minimum(self, clip_value_max).

    self: the input, which the result replaces.
    clip_value_max: the second input.

    Raises AclnnError where aclnnInplaceClampMaxTensor answers with an error status.
    """

@overload
def inplace_clamp_min(self: _NumPy, clip_value_min: float = ..., *, min: float = ...) -> _NumPy: ...
@overload
def inplace_clamp_min(self: _Array, clip_value_min: float = ..., *, min: float = ...) -> _Array:
    """Clamp from below, in place: maximum(self, clip_value_min).

    self: the input, which the result replaces.
    clip_value_min: the lower limit.

    Raises AclnnError where aclnnInplaceClampMin answers with an error status.
    """

@overload
def inplace_clamp_min_tensor(self: _NumPy, clip_value_min: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_clamp_min_tensor(self: _Array, clip_value_min: _Array | _Plain) -> _Array:
    """Clamp from below by a tensor, in place: maximum(self, clip_value_min).

    self: the input, which the result replaces.
    clip_value_min: the second input.

    Raises AclnnError where aclnnInplaceClampMinTensor answers with an error status.
    """

@overload
def inplace_copy(self: _NumPy, src: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_copy(self: _Array, src: _Array | _Plain) -> _Array:
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

@overload
def inplace_cos(self: _NumPy) -> _NumPy: ...
@overload
def inplace_cos(self: _Array) -> _Array:
    """Cosine, in place: cos(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceCos answers with an error status.
    """

@overload
def inplace_cosh(self: _NumPy) -> _NumPy: ...
@overload
def inplace_cosh(self: _Array) -> _Array:
    """Hyperbolic cosine, in place: cosh(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceCosh answers with an error status.
    """

@overload
def inplace_div(self: _NumPy, other: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_div(self: _Array, other: _Array | _Plain) -> _Array:
    """Quotient, in place: self / other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceDiv answers with an error status.
    """

@overload
def inplace_div_mod(
    self: _NumPy,
    other: _NumPy | _Plain,
    *,
    mode: Literal["trunc", "floor", "none", 1, 2, 0] = "trunc",
) -> _NumPy: ...
@overload
def inplace_div_mod(
    self: _Array,
    other: _Array | _Plain,
    *,
    mode: Literal["trunc", "floor", "none", 1, 2, 0] = "trunc",
) -> _Array:
    """Quotient, rounded as wanted, in place: trunc_div(self, other).

    self: the input, which the result replaces.
    other: the second input.
    mode: what becomes of the fraction.

    Raises AclnnError where aclnnInplaceDivMod answers with an error status.
    """

@overload
def inplace_div_mods(
    self: _NumPy,
    other: float,
    *,
    mode: Literal["trunc", "floor", "none", 1, 2, 0] = "trunc",
) -> _NumPy: ...
@overload
def inplace_div_mods(
    self: _Array,
    other: float,
    *,
    mode: Literal["trunc", "floor", "none", 1, 2, 0] = "trunc",
) -> _Array:
    """Quotient, rounded as wanted, with a number, in place: trunc_div(self, other).

    self: the input, which the result replaces.
    other: the number beside it.
    mode: what becomes of the fraction.

    Raises AclnnError where aclnnInplaceDivMods answers with an error status.
    """

@overload
def inplace_divs(self: _NumPy, other: float) -> _NumPy: ...
@overload
def inplace_divs(self: _Array, other: float) -> _Array:
    """Quotient, with a number, in place: self / other.

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceDivs answers with an error status.
    """

@overload
def inplace_elu(
    self: _NumPy,
    alpha: float = 1.0,
    *,
    scale: float = 1.0,
    input_scale: float = 1.0,
) -> _NumPy: ...
@overload
def inplace_elu(
    self: _Array,
    alpha: float = 1.0,
    *,
    scale: float = 1.0,
    input_scale: float = 1.0,
) -> _Array:
    """ELU, in place: expm1(self·input_scale)·alpha·scale where self ≤ 0, else self·scale.

    self: the input, which the result replaces.
    alpha: what is approached far below 0, times -scale.
    scale: a factor of the result.
    input_scale: a factor of the input below 0.

    Raises AclnnError where aclnnInplaceElu answers with an error status.
    """

@overload
def inplace_eq_scalar(self: _NumPy, other: float) -> _NumPy: ...
@overload
def inplace_eq_scalar(self: _Array, other: float) -> _Array:
    """Equality, with a number, in place: self = other.

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceEqScalar answers with an error status.
    """

@overload
def inplace_eq_tensor(self: _NumPy, other: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_eq_tensor(self: _Array, other: _Array | _Plain) -> _Array:
    """Equality, in place: self = other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceEqTensor answers with an error status.
    """

@overload
def inplace_erf(self: _NumPy) -> _NumPy: ...
@overload
def inplace_erf(self: _Array) -> _Array:
    """Error function, in place: erf(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceErf answers with an error status.
    """

@overload
def inplace_erfc(self: _NumPy) -> _NumPy: ...
@overload
def inplace_erfc(self: _Array) -> _Array:
    """Complementary error function, in place: erfc(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceErfc answers with an error status.
    """

@overload
def inplace_erfinv(self: _NumPy) -> _NumPy: ...
@overload
def inplace_erfinv(self: _Array) -> _Array:
    """Inverse error function, in place: erfinv(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceErfinv answers with an error status.
    """

@overload
def inplace_exp(self: _NumPy) -> _NumPy: ...
@overload
def inplace_exp(self: _Array) -> _Array:
    """Exponential, in place: exp(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceExp answers with an error status.
    """

@overload
def inplace_exp2(self: _NumPy) -> _NumPy: ...
@overload
def inplace_exp2(self: _Array) -> _Array:
    """Power of two, in place: exp2(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceExp2 answers with an error status.
    """

@overload
def inplace_expm1(self: _NumPy) -> _NumPy: ...
@overload
def inplace_expm1(self: _Array) -> _Array:
    """Exponential, less 1, in place: expm1(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceExpm1 answers with an error status.
    """

@overload
def inplace_fill_scalar(self: _NumPy, value: float) -> _NumPy: ...
@overload
def inplace_fill_scalar(self: _Array, value: float) -> _Array:
    """Fill with a number: value.

    self: what is overwritten.
    value: what every element becomes.

    Raises AclnnError where aclnnInplaceFillScalar answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.inplace_fill_scalar(np.empty(3, np.float32), 2.5)
    array([2.5, 2.5, 2.5], dtype=float32)
    """

@overload
def inplace_floor(self: _NumPy) -> _NumPy: ...
@overload
def inplace_floor(self: _Array) -> _Array:
    """Floor, in place: floor(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceFloor answers with an error status.
    """

@overload
def inplace_floor_divide(self: _NumPy, other: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_floor_divide(self: _Array, other: _Array | _Plain) -> _Array:
    """Floor division, in place: floor_div(self, other).

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceFloorDivide answers with an error status.
    """

@overload
def inplace_floor_divides(self: _NumPy, other: float) -> _NumPy: ...
@overload
def inplace_floor_divides(self: _Array, other: float) -> _Array:
    """Floor division, with a number, in place: floor_div(self, other).

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceFloorDivides answers with an error status.
    """

@overload
def inplace_fmod_scalar(self: _NumPy, other: float) -> _NumPy: ...
@overload
def inplace_fmod_scalar(self: _Array, other: float) -> _Array:
    """Remainder with the sign of the dividend, with a number, in place: fmod(self, other).

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceFmodScalar answers with an error status.
    """

@overload
def inplace_fmod_tensor(self: _NumPy, other: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_fmod_tensor(self: _Array, other: _Array | _Plain) -> _Array:
    """Remainder with the sign of the dividend, in place: fmod(self, other).

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceFmodTensor answers with an error status.
    """

@overload
def inplace_frac(self: _NumPy) -> _NumPy: ...
@overload
def inplace_frac(self: _Array) -> _Array:
    """Fraction, in place: self − trunc(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceFrac answers with an error status.
    """

@overload
def inplace_ge_scalar(self: _NumPy, other: float) -> _NumPy: ...
@overload
def inplace_ge_scalar(self: _Array, other: float) -> _Array:
    """Greater than or equal, with a number, in place: self ≥ other.

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceGeScalar answers with an error status.
    """

@overload
def inplace_ge_tensor(self: _NumPy, other: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_ge_tensor(self: _Array, other: _Array | _Plain) -> _Array:
    """Greater than or equal, in place: self ≥ other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceGeTensor answers with an error status.
    """

@overload
def inplace_gt_scalar(self: _NumPy, other: float) -> _NumPy: ...
@overload
def inplace_gt_scalar(self: _Array, other: float) -> _Array:
    """Greater than, with a number, in place: self > other.

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceGtScalar answers with an error status.
    """

@overload
def inplace_gt_tensor(self: _NumPy, other: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_gt_tensor(self: _Array, other: _Array | _Plain) -> _Array:
    """Greater than, in place: self > other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceGtTensor answers with an error status.
    """

@overload
def inplace_hardsigmoid(self: _NumPy) -> _NumPy: ...
@overload
def inplace_hardsigmoid(self: _Array) -> _Array:
    """Hardsigmoid, in place: clamp(self + 3, 0, 6) / 6.

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceHardsigmoid answers with an error status.
    """

@overload
def inplace_hardswish(self: _NumPy) -> _NumPy: ...
@overload
def inplace_hardswish(self: _Array) -> _Array:
    """Hardswish, in place: self·(clamp(self + 3, 0, 6) / 6).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceHardswish answers with an error status.
    """

@overload
def inplace_hardtanh(
    self: _NumPy,
    clip_value_min: float = -1,
    clip_value_max: float = 1,
    *,
    min: float = ...,
    max: float = ...,
) -> _NumPy: ...
@overload
def inplace_hardtanh(
    self: _Array,
    clip_value_min: float = -1,
    clip_value_max: float = 1,
    *,
    min: float = ...,
    max: float = ...,
) -> _Array:
    """Hardtanh, in place: minimum(maximum(self, clip_value_min), clip_value_max).

    self: the input, which the result replaces.
    clip_value_min: the lower limit.
    clip_value_max: the upper limit.

    Raises AclnnError where aclnnInplaceHardtanh answers with an error status.
    """

@overload
def inplace_le_scalar(self: _NumPy, other: float) -> _NumPy: ...
@overload
def inplace_le_scalar(self: _Array, other: float) -> _Array:
    """Less than or equal, with a number, in place: self ≤ other.

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceLeScalar answers with an error status.
    """

@overload
def inplace_le_tensor(self: _NumPy, other: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_le_tensor(self: _Array, other: _Array | _Plain) -> _Array:
    """Less than or equal, in place: self ≤ other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceLeTensor answers with an error status.
    """

@overload
def inplace_leaky_relu(self: _NumPy, negative_slope: float = 0.01) -> _NumPy: ...
@overload
def inplace_leaky_relu(self: _Array, negative_slope: float = 0.01) -> _Array:
    """Leaky ReLU, in place: self where self > 0, else self·negative_slope.

    self: the input, which the result replaces.
    negative_slope: the slope below 0.

    Raises AclnnError where aclnnInplaceLeakyRelu answers with an error status.
    """

@overload
def inplace_lerp(self: _NumPy, end: _NumPy | _Plain, weight: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_lerp(self: _Array, end: _Array | _Plain, weight: _Array | _Plain) -> _Array:
    """Linear interpolation, in place: self + weight·(end − self).

    self: the input, which the result replaces.
    end: where weight 1 leads.
    weight: how far to go.

    Raises AclnnError where aclnnInplaceLerp answers with an error status.
    """

@overload
def inplace_lerps(self: _NumPy, end: _NumPy | _Plain, weight: float) -> _NumPy: ...
@overload
def inplace_lerps(self: _Array, end: _Array | _Plain, weight: float) -> _Array:
    """Linear interpolation by a number, in place: self + weight·(end − self).

    self: the input, which the result replaces.
    end: where weight 1 leads.
    weight: how far to go.

    Raises AclnnError where aclnnInplaceLerps answers with an error status.
    """

@overload
def inplace_log(self: _NumPy) -> _NumPy: ...
@overload
def inplace_log(self: _Array) -> _Array:
    """Natural logarithm, in place: log(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceLog answers with an error status.
    """

@overload
def inplace_log10(self: _NumPy) -> _NumPy: ...
@overload
def inplace_log10(self: _Array) -> _Array:
    """Logarithm to base 10, in place: log10(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceLog10 answers with an error status.
    """

@overload
def inplace_log1p(self: _NumPy) -> _NumPy: ...
@overload
def inplace_log1p(self: _Array) -> _Array:
    """Logarithm of 1 + x, in place: log1p(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceLog1p answers with an error status.
    """

@overload
def inplace_log2(self: _NumPy) -> _NumPy: ...
@overload
def inplace_log2(self: _Array) -> _Array:
    """Logarithm to base 2, in place: log2(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceLog2 answers with an error status.
    """

@overload
def inplace_logical_and(self: _NumPy, other: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_logical_and(self: _Array, other: _Array | _Plain) -> _Array:
    """Logical and, in place: self and other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceLogicalAnd answers with an error status.
    """

@overload
def inplace_logical_not(self: _NumPy) -> _NumPy: ...
@overload
def inplace_logical_not(self: _Array) -> _Array:
    """Logical not, in place: self = 0.

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceLogicalNot answers with an error status.
    """

@overload
def inplace_logical_or(self: _NumPy, other: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_logical_or(self: _Array, other: _Array | _Plain) -> _Array:
    """Logical or, in place: self or other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceLogicalOr answers with an error status.
    """

@overload
def inplace_lt_scalar(self: _NumPy, other: float) -> _NumPy: ...
@overload
def inplace_lt_scalar(self: _Array, other: float) -> _Array:
    """Less than, with a number, in place: self < other.

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceLtScalar answers with an error status.
    """

@overload
def inplace_lt_tensor(self: _NumPy, other: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_lt_tensor(self: _Array, other: _Array | _Plain) -> _Array:
    """Less than, in place: self < other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceLtTensor answers with an error status.
    """

@overload
def inplace_mish(self: _NumPy) -> _NumPy: ...
@overload
def inplace_mish(self: _Array) -> _Array:
    """Mish, in place: self·tanh(log(1 + exp(self))).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceMish answers with an error status.
    """

@overload
def inplace_mul(self: _NumPy, other: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_mul(self: _Array, other: _Array | _Plain) -> _Array:
    """Product, in place: self·other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceMul answers with an error status.
    """

@overload
def inplace_muls(self: _NumPy, other: float) -> _NumPy: ...
@overload
def inplace_muls(self: _Array, other: float) -> _Array:
    """Product, with a number, in place: self·other.

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceMuls answers with an error status.
    """

@overload
def inplace_nan_to_num(
    self: _NumPy,
    nan: float = 0.0,
    posinf: float = 3.4028234663852886e38,
    neginf: float = -3.4028234663852886e38,
) -> _NumPy: ...
@overload
def inplace_nan_to_num(
    self: _Array,
    nan: float = 0.0,
    posinf: float = 3.4028234663852886e38,
    neginf: float = -3.4028234663852886e38,
) -> _Array:
    """Numbers for NaN and infinities, in place: nan where self ≠ self, else ((posinf where self >
    0, else neginf) where self − self ≠ 0, else self).

    self: the input, which the result replaces.
    nan: what NaN becomes.
    posinf: what infinity becomes; the largest float: the dtype's largest.
    neginf: what -infinity becomes; the lowest float: the dtype's lowest.

    Raises AclnnError where aclnnInplaceNanToNum answers with an error status.
    """

@overload
def inplace_ne_scalar(self: _NumPy, other: float) -> _NumPy: ...
@overload
def inplace_ne_scalar(self: _Array, other: float) -> _Array:
    """Inequality, with a number, in place: self ≠ other.

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceNeScalar answers with an error status.
    """

@overload
def inplace_ne_tensor(self: _NumPy, other: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_ne_tensor(self: _Array, other: _Array | _Plain) -> _Array:
    """Inequality, in place: self ≠ other.

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceNeTensor answers with an error status.
    """

@overload
def inplace_neg(self: _NumPy) -> _NumPy: ...
@overload
def inplace_neg(self: _Array) -> _Array:
    """Negative, in place: −self.

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceNeg answers with an error status.
    """

@overload
def inplace_one(self: _NumPy) -> _NumPy: ...
@overload
def inplace_one(self: _Array) -> _Array:
    """Fill with ones: 1.

    self: what is overwritten.

    Raises AclnnError where aclnnInplaceOne answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.inplace_one(np.zeros(2, np.int32))
    array([1, 1], dtype=int32)
    """

@overload
def inplace_pow_tensor_scalar(self: _NumPy, exponent: float) -> _NumPy: ...
@overload
def inplace_pow_tensor_scalar(self: _Array, exponent: float) -> _Array:
    """Power, with a number, in place: pow(self, exponent).

    self: the input, which the result replaces.
    exponent: the number beside it.

    Raises AclnnError where aclnnInplacePowTensorScalar answers with an error status.
    """

@overload
def inplace_pow_tensor_tensor(self: _NumPy, exponent: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_pow_tensor_tensor(self: _Array, exponent: _Array | _Plain) -> _Array:
    """Power, in place: pow(self, exponent).

    self: the input, which the result replaces.
    exponent: the second input.

    Raises AclnnError where aclnnInplacePowTensorTensor answers with an error status.
    """

@overload
def inplace_reciprocal(self: _NumPy) -> _NumPy: ...
@overload
def inplace_reciprocal(self: _Array) -> _Array:
    """Reciprocal, in place: 1 / self.

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceReciprocal answers with an error status.
    """

@overload
def inplace_relu(self: _NumPy) -> _NumPy: ...
@overload
def inplace_relu(self: _Array) -> _Array:
    """ReLU, in place: 0 where self ≤ 0, else self.

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceRelu answers with an error status.
    """

@overload
def inplace_remainder_tensor_scalar(self: _NumPy, other: float) -> _NumPy: ...
@overload
def inplace_remainder_tensor_scalar(self: _Array, other: float) -> _Array:
    """Remainder with the sign of the divisor, with a number, in place: remainder(self, other).

    self: the input, which the result replaces.
    other: the number beside it.

    Raises AclnnError where aclnnInplaceRemainderTensorScalar answers with an error status.
    """

@overload
def inplace_remainder_tensor_tensor(self: _NumPy, other: _NumPy | _Plain) -> _NumPy: ...
@overload
def inplace_remainder_tensor_tensor(self: _Array, other: _Array | _Plain) -> _Array:
    """Remainder with the sign of the divisor, in place: remainder(self, other).

    self: the input, which the result replaces.
    other: the second input.

    Raises AclnnError where aclnnInplaceRemainderTensorTensor answers with an error status.
    """

@overload
def inplace_round(self: _NumPy) -> _NumPy: ...
@overload
def inplace_round(self: _Array) -> _Array:
    """Rounding, in place: round(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceRound answers with an error status.
    """

@overload
def inplace_round_decimals(self: _NumPy, *, decimals: int = 0) -> _NumPy: ...
@overload
def inplace_round_decimals(self: _Array, *, decimals: int = 0) -> _Array:
    """Rounding to decimals, in place: round(self·up / down)·down / up.

    self: the input, which the result replaces.
    decimals: places that stay behind the point.

    Raises AclnnError where aclnnInplaceRoundDecimals answers with an error status.
    """

@overload
def inplace_rsqrt(self: _NumPy) -> _NumPy: ...
@overload
def inplace_rsqrt(self: _Array) -> _Array:
    """Reciprocal of the square root, in place: rsqrt(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceRsqrt answers with an error status.
    """

@overload
def inplace_selu(self: _NumPy) -> _NumPy: ...
@overload
def inplace_selu(self: _Array) -> _Array:
    """SELU, in place: expm1(self)·1.7580993408473766 where self ≤ 0, else self·1.0507009873554805.

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceSelu answers with an error status.
    """

@overload
def inplace_sigmoid(self: _NumPy) -> _NumPy: ...
@overload
def inplace_sigmoid(self: _Array) -> _Array:
    """Sigmoid, in place: σ(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceSigmoid answers with an error status.
    """

@overload
def inplace_sin(self: _NumPy) -> _NumPy: ...
@overload
def inplace_sin(self: _Array) -> _Array:
    """Sine, in place: sin(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceSin answers with an error status.
    """

@overload
def inplace_sinh(self: _NumPy) -> _NumPy: ...
@overload
def inplace_sinh(self: _Array) -> _Array:
    """Hyperbolic sine, in place: sinh(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceSinh answers with an error status.
    """

@overload
def inplace_sqrt(self: _NumPy) -> _NumPy: ...
@overload
def inplace_sqrt(self: _Array) -> _Array:
    """Square root, in place: sqrt(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceSqrt answers with an error status.
    """

@overload
def inplace_sub(self: _NumPy, other: _NumPy | _Plain, *, alpha: float = 1) -> _NumPy: ...
@overload
def inplace_sub(self: _Array, other: _Array | _Plain, *, alpha: float = 1) -> _Array:
    """Difference, in place: (−alpha)·other + self.

    self: the input, which the result replaces.
    other: the second input.
    alpha: a factor of the second.

    Raises AclnnError where aclnnInplaceSub answers with an error status.
    """

@overload
def inplace_subs(self: _NumPy, other: float, *, alpha: float = 1) -> _NumPy: ...
@overload
def inplace_subs(self: _Array, other: float, *, alpha: float = 1) -> _Array:
    """Difference, with a number, in place: (−alpha)·other + self.

    self: the input, which the result replaces.
    other: the number beside it.
    alpha: a factor of the second.

    Raises AclnnError where aclnnInplaceSubs answers with an error status.
    """

@overload
def inplace_tan(self: _NumPy) -> _NumPy: ...
@overload
def inplace_tan(self: _Array) -> _Array:
    """Tangent, in place: tan(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceTan answers with an error status.
    """

@overload
def inplace_tanh(self: _NumPy) -> _NumPy: ...
@overload
def inplace_tanh(self: _Array) -> _Array:
    """Hyperbolic tangent, in place: tanh(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceTanh answers with an error status.
    """

@overload
def inplace_threshold(self: _NumPy, threshold: float, value: float) -> _NumPy: ...
@overload
def inplace_threshold(self: _Array, threshold: float, value: float) -> _Array:
    """Threshold, in place: value where self ≤ threshold, else self.

    self: the input, which the result replaces.
    threshold: up to which values are replaced.
    value: what they become.

    Raises AclnnError where aclnnInplaceThreshold answers with an error status.
    """

@overload
def inplace_tril(self: _NumPy, diagonal: int = 0) -> _NumPy: ...
@overload
def inplace_tril(self: _Array, diagonal: int = 0) -> _Array:
    """What is below a diagonal, in place: self where column − row ≤ diagonal, else 0.

    self: the input, which the result replaces.
    diagonal: which diagonal.

    Raises AclnnError where aclnnInplaceTril answers with an error status.
    """

@overload
def inplace_triu(self: _NumPy, diagonal: int = 0) -> _NumPy: ...
@overload
def inplace_triu(self: _Array, diagonal: int = 0) -> _Array:
    """What is above a diagonal, in place: self where column − row ≥ diagonal, else 0.

    self: the input, which the result replaces.
    diagonal: which diagonal.

    Raises AclnnError where aclnnInplaceTriu answers with an error status.
    """

@overload
def inplace_trunc(self: _NumPy) -> _NumPy: ...
@overload
def inplace_trunc(self: _Array) -> _Array:
    """Truncation, in place: trunc(self).

    self: the input, which the result replaces.

    Raises AclnnError where aclnnInplaceTrunc answers with an error status.
    """

@overload
def inplace_zero(self: _NumPy) -> _NumPy: ...
@overload
def inplace_zero(self: _Array) -> _Array:
    """Fill with zeros: 0.

    self: what is overwritten.

    Raises AclnnError where aclnnInplaceZero answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.inplace_zero(np.ones(2, np.int32))
    array([0, 0], dtype=int32)
    """

@overload
def is_close(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def is_close(
    self: _Array | _Plain,
    other: _Array | _Plain,
    rtol: float = 1e-05,
    atol: float = 1e-08,
    equal_nan: bool = False,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def is_finite(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def is_finite(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Finiteness: self − self = 0.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnIsFinite answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.is_finite(np.array([1, np.inf, np.nan], np.float32))
    array([ True, False, False])
    """

@overload
def is_inf(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def is_inf(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Infinity: self = self and self − self ≠ 0.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnIsInf answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.is_inf(np.array([1, -np.inf, np.nan], np.float32))
    array([False,  True, False])
    """

@overload
def is_neg_inf(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def is_neg_inf(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Negative infinity: self < 0 and self − self ≠ 0.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnIsNegInf answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.is_neg_inf(np.array([np.inf, -np.inf, np.nan], np.float32))
    array([False,  True, False])
    """

@overload
def is_pos_inf(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def is_pos_inf(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Positive infinity: self > 0 and self − self ≠ 0.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnIsPosInf answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.is_pos_inf(np.array([np.inf, -np.inf, np.nan], np.float32))
    array([ True, False, False])
    """

@overload
def l1_loss(
    self: _NumPy | _Plain,
    target: _NumPy | _Plain,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def l1_loss(
    self: _Array | _Plain,
    target: _Array | _Plain,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: _Array | None = None,
) -> _Array:
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

@overload
def l1_loss_backward(
    grad_output: _NumPy | _Plain,
    self: _NumPy | _Plain,
    target: _NumPy | _Plain,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def l1_loss_backward(
    grad_output: _Array | _Plain,
    self: _Array | _Plain,
    target: _Array | _Plain,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: _Array | None = None,
) -> _Array:
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

@overload
def le_scalar(self: _NumPy | _Plain, other: float, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def le_scalar(self: _Array | _Plain, other: float, *, out: _Array | None = None) -> _Array:
    """Less than or equal, with a number: self ≤ other.

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLeScalar answers with an error status.
    """

@overload
def le_tensor(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def le_tensor(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Less than or equal: self ≤ other.

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLeTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.le(np.array([1, 2, 3]), np.array([1, 4, 2]))
    array([ True,  True, False])
    """

@overload
def leaky_relu(
    self: _NumPy | _Plain,
    negative_slope: float = 0.01,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def leaky_relu(
    self: _Array | _Plain,
    negative_slope: float = 0.01,
    *,
    out: _Array | None = None,
) -> _Array:
    """Leaky ReLU: self where self > 0, else self·negative_slope.

    self: the input.
    negative_slope: the slope below 0.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLeakyRelu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.leaky_relu(np.array([-2, 0, 3], np.float32), negative_slope=0.5)
    array([-1.,  0.,  3.], dtype=float32)
    """

@overload
def leaky_relu_backward(
    grad_output: _NumPy | _Plain,
    self: _NumPy | _Plain,
    negative_slope: float = 0.01,
    self_is_result: bool = False,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def leaky_relu_backward(
    grad_output: _Array | _Plain,
    self: _Array | _Plain,
    negative_slope: float = 0.01,
    self_is_result: bool = False,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def left_shift(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def left_shift(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Left shift: shift_left(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLeftShift answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.left_shift(np.array([1, 3, 1], np.int8), np.array([6, 7, 8], np.int8))
    array([  64, -128,    0], dtype=int8)
    """

@overload
def left_shifts(self: _NumPy | _Plain, other: float, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def left_shifts(self: _Array | _Plain, other: float, *, out: _Array | None = None) -> _Array:
    """Left shift, with a number: shift_left(self, other).

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLeftShifts answers with an error status.
    """

@overload
def lerp(
    self: _NumPy | _Plain,
    end: _NumPy | _Plain,
    weight: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def lerp(
    self: _Array | _Plain,
    end: _Array | _Plain,
    weight: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def lerps(
    self: _NumPy | _Plain,
    end: _NumPy | _Plain,
    weight: float,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def lerps(
    self: _Array | _Plain,
    end: _Array | _Plain,
    weight: float,
    *,
    out: _Array | None = None,
) -> _Array:
    """Linear interpolation by a number: self + weight·(end − self).

    self: the input.
    end: where weight 1 leads.
    weight: how far to go.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLerps answers with an error status.
    """

@overload
def linspace(start: float, end: float, steps: int, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def linspace(start: float, end: float, steps: int, *, out: _Array | None = None) -> _Array:
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

@overload
def log(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def log(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Natural logarithm: log(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLog answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.log(np.array([0, 1, 10], np.float32))
    array([     -inf, 0.       , 2.3025851], dtype=float32)
    """

@overload
def log10(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def log10(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Logarithm to base 10: log10(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLog10 answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.log10(np.array([0, 2, 1000], np.float32))
    array([   -inf, 0.30103, 3.     ], dtype=float32)
    """

@overload
def log1p(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def log1p(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Logarithm of 1 + x: log1p(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLog1p answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.log1p(np.array([-1, 0, 1e-10], np.float32))
    array([  -inf, 0.e+00, 1.e-10], dtype=float32)
    """

@overload
def log2(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def log2(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Logarithm to base 2: log2(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLog2 answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.log2(np.array([0, 8, 10], np.float32))
    array([    -inf, 3.      , 3.321928], dtype=float32)
    """

@overload
def log_add_exp(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def log_add_exp(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Logarithm of the sum of exponentials: logaddexp(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLogAddExp answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.log_add_exp(np.array([0, 800], np.float32), np.array([0, 801], np.float32))
    array([6.9314718e-01, 8.0131323e+02], dtype=float32)
    """

@overload
def log_add_exp2(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def log_add_exp2(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Logarithm of the sum of powers of two: logaddexp2(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLogAddExp2 answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.log_add_exp2(np.array([3, -1], np.float32), np.array([3, -1], np.float32))
    array([4., 0.], dtype=float32)
    """

@overload
def log_sigmoid(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def log_sigmoid(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Log sigmoid: (self where self < 0, else −0) − log1p(exp(−|self|)).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLogSigmoid answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.log_sigmoid(np.array([-100, 0, 2], np.float32))
    array([-100.        ,   -0.6931472 ,   -0.12692802], dtype=float32)
    """

@overload
def log_sigmoid_backward(
    grad_output: _NumPy | _Plain,
    self: _NumPy | _Plain,
    buffer: _NumPy | _Plain | None = None,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def log_sigmoid_backward(
    grad_output: _Array | _Plain,
    self: _Array | _Plain,
    buffer: _Array | _Plain | None = None,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def log_sigmoid_forward(
    self: _NumPy | _Plain,
    *,
    out: tuple[_NumPy, _NumPy] | None = None,
) -> tuple[_NumPy, _NumPy]: ...
@overload
def log_sigmoid_forward(
    self: _Array | _Plain,
    *,
    out: tuple[_Array, _Array] | None = None,
) -> tuple[_Array, _Array]:
    """Log sigmoid, with what its gradient may use: (self where self < 0, else −0) −
    log1p(exp(−|self|)), exp(−|self|).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLogSigmoidForward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.log_sigmoid_forward(np.array([0], np.float32))
    (array([-0.6931472], dtype=float32), array([1.], dtype=float32))
    """

@overload
def logical_and(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def logical_and(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Logical and: self and other.

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLogicalAnd answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.logical_and(np.array([0, 1, 2], np.int32), np.array([0, 0, 3], np.int32))
    array([False, False,  True])
    """

@overload
def logical_not(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def logical_not(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Logical not: self = 0.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLogicalNot answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.logical_not(np.array([0, 2, np.nan], np.float32))
    array([ True, False, False])
    """

@overload
def logical_or(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def logical_or(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Logical or: self or other.

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLogicalOr answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.logical_or(np.array([0, 1, 2], np.int32), np.array([0, 0, 3], np.int32))
    array([False,  True,  True])
    """

@overload
def logical_xor(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def logical_xor(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Logical xor: self xor other.

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLogicalXor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.logical_xor(np.array([0, 1, 2], np.int32), np.array([0, 0, 3], np.int32))
    array([False,  True, False])
    """

@overload
def lt_scalar(self: _NumPy | _Plain, other: float, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def lt_scalar(self: _Array | _Plain, other: float, *, out: _Array | None = None) -> _Array:
    """Less than, with a number: self < other.

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLtScalar answers with an error status.
    """

@overload
def lt_tensor(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def lt_tensor(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Less than: self < other.

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnLtTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.lt(np.array([1, 2, 3]), np.array([1, 4, 2]))
    array([False,  True, False])
    """

@overload
def maximum(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def maximum(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Maximum: maximum(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnMaximum answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.maximum(np.array([1, 5, np.nan], np.float32), np.array([3, 2, 1], np.float32))
    array([ 3.,  5., nan], dtype=float32)
    """

@overload
def mean(
    self: _NumPy | _Plain,
    dim: Sequence[int] | int = (),
    keep_dim: bool = False,
    *,
    dtype: Any = ...,
    out: _NumPy | None = None,
    axis: Sequence[int] | int = ...,
    keepdim: bool = ...,
    keepdims: bool = ...,
) -> _NumPy: ...
@overload
def mean(
    self: _Array | _Plain,
    dim: Sequence[int] | int = (),
    keep_dim: bool = False,
    *,
    dtype: Any = ...,
    out: _Array | None = None,
    axis: Sequence[int] | int = ...,
    keepdim: bool = ...,
    keepdims: bool = ...,
) -> _Array:
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

@overload
def minimum(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def minimum(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Minimum: minimum(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnMinimum answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.minimum(np.array([1, 5, np.nan], np.float32), np.array([3, 2, 1], np.float32))
    array([ 1.,  2., nan], dtype=float32)
    """

@overload
def mish(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def mish(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Mish: self·tanh(log(1 + exp(self))).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnMish answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.mish(np.array([-1, 0, 1], np.float32))
    array([-0.30340147,  0.        ,  0.8650984 ], dtype=float32)
    """

@overload
def mish_backward(
    grad_output: _NumPy | _Plain,
    self: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def mish_backward(
    grad_output: _Array | _Plain,
    self: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Gradient of mish: grad_output·mish′(self).

    grad_output: gradient with respect to mish's result.
    self: the input of mish.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnMishBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.mish_backward(np.ones(3, np.float32), np.array([-1, 0, 1], np.float32))
    array([0.05921676, 0.6       , 1.0490363 ], dtype=float32)
    """

@overload
def mse_loss(
    self: _NumPy | _Plain,
    target: _NumPy | _Plain,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def mse_loss(
    self: _Array | _Plain,
    target: _Array | _Plain,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: _Array | None = None,
) -> _Array:
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

@overload
def mse_loss_backward(
    grad_output: _NumPy | _Plain,
    self: _NumPy | _Plain,
    target: _NumPy | _Plain,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def mse_loss_backward(
    grad_output: _Array | _Plain,
    self: _Array | _Plain,
    target: _Array | _Plain,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: _Array | None = None,
) -> _Array:
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

@overload
def mul(self: _NumPy | _Plain, other: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def mul(self: _Array | _Plain, other: _Array | _Plain, *, out: _Array | None = None) -> _Array:
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

@overload
def muls(self: _NumPy | _Plain, other: float, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def muls(self: _Array | _Plain, other: float, *, out: _Array | None = None) -> _Array:
    """Product, with a number: self·other.

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnMuls answers with an error status.
    """

@overload
def nan_to_num(
    self: _NumPy | _Plain,
    nan: float = 0.0,
    posinf: float = 3.4028234663852886e38,
    neginf: float = -3.4028234663852886e38,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def nan_to_num(
    self: _Array | _Plain,
    nan: float = 0.0,
    posinf: float = 3.4028234663852886e38,
    neginf: float = -3.4028234663852886e38,
    *,
    out: _Array | None = None,
) -> _Array:
    """Numbers for NaN and infinities: nan where self ≠ self, else ((posinf where self > 0, else
    neginf) where self − self ≠ 0, else self).

    self: the input.
    nan: what NaN becomes.
    posinf: what infinity becomes; the largest float: the dtype's largest.
    neginf: what -infinity becomes; the lowest float: the dtype's lowest.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnNanToNum answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.nan_to_num(np.array([np.nan, np.inf, 1], np.float32), posinf=9)
    array([0., 9., 1.], dtype=float32)
    >>> openaclnn.nan_to_num(np.array([np.inf, -np.inf], np.float16)).tolist()
    [65504.0, -65504.0]
    """

@overload
def ne_scalar(self: _NumPy | _Plain, other: float, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def ne_scalar(self: _Array | _Plain, other: float, *, out: _Array | None = None) -> _Array:
    """Inequality, with a number: self ≠ other.

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnNeScalar answers with an error status.
    """

@overload
def ne_tensor(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def ne_tensor(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Inequality: self ≠ other.

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnNeTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.ne(np.array([1, 2, 3]), np.array([1, 4, 3]))
    array([False,  True, False])
    """

@overload
def neg(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def neg(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Negative: −self.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnNeg answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.neg(np.array([-2, 0, 3], np.float32))
    array([ 2., -0., -3.], dtype=float32)
    """

@overload
def permute(
    self: _NumPy | _Plain,
    dims: Sequence[int] | int = ...,
    *,
    out: _NumPy | None = None,
    dim: Sequence[int] | int = ...,
    axis: Sequence[int] | int = ...,
    axes: Sequence[int] | int = ...,
) -> _NumPy: ...
@overload
def permute(
    self: _Array | _Plain,
    dims: Sequence[int] | int = ...,
    *,
    out: _Array | None = None,
    dim: Sequence[int] | int = ...,
    axis: Sequence[int] | int = ...,
    axes: Sequence[int] | int = ...,
) -> _Array:
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

@overload
def pow_scalar_tensor(
    self: float,
    exponent: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def pow_scalar_tensor(
    self: float,
    exponent: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Power, of a number: pow(self, exponent).

    self: the number beside it.
    exponent: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnPowScalarTensor answers with an error status.
    """

@overload
def pow_tensor_scalar(
    self: _NumPy | _Plain,
    exponent: float,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def pow_tensor_scalar(
    self: _Array | _Plain,
    exponent: float,
    *,
    out: _Array | None = None,
) -> _Array:
    """Power, with a number: pow(self, exponent).

    self: the input.
    exponent: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnPowTensorScalar answers with an error status.
    """

@overload
def pow_tensor_tensor(
    self: _NumPy | _Plain,
    exponent: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def pow_tensor_tensor(
    self: _Array | _Plain,
    exponent: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def prelu(
    self: _NumPy | _Plain,
    weight: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def prelu(
    self: _Array | _Plain,
    weight: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def range(
    end: float,
    *,
    start: float = 0,
    step: float = 1,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def range(
    end: float,
    *,
    start: float = 0,
    step: float = 1,
    out: _Array | None = None,
) -> _Array:
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

@overload
def reciprocal(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def reciprocal(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Reciprocal: 1 / self.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnReciprocal answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.reciprocal(np.array([-4, 0, 2], np.int32))
    array([-0.25,   inf,  0.5 ], dtype=float32)
    """

@overload
def reduce_sum(
    self: _NumPy | _Plain,
    dims: Sequence[int] | int = (),
    keep_dims: bool = False,
    *,
    dtype: Any = ...,
    out: _NumPy | None = None,
    dim: Sequence[int] | int = ...,
    axis: Sequence[int] | int = ...,
    axes: Sequence[int] | int = ...,
    keepdim: bool = ...,
    keepdims: bool = ...,
) -> _NumPy: ...
@overload
def reduce_sum(
    self: _Array | _Plain,
    dims: Sequence[int] | int = (),
    keep_dims: bool = False,
    *,
    dtype: Any = ...,
    out: _Array | None = None,
    dim: Sequence[int] | int = ...,
    axis: Sequence[int] | int = ...,
    axes: Sequence[int] | int = ...,
    keepdim: bool = ...,
    keepdims: bool = ...,
) -> _Array:
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

@overload
def reflection_pad1d(
    self: _NumPy | _Plain,
    padding: Sequence[int] | int = ...,
    *,
    out: _NumPy | None = None,
    pad: Sequence[int] | int = ...,
) -> _NumPy: ...
@overload
def reflection_pad1d(
    self: _Array | _Plain,
    padding: Sequence[int] | int = ...,
    *,
    out: _Array | None = None,
    pad: Sequence[int] | int = ...,
) -> _Array:
    """Mirror images around a tensor: self.

    self: the input.
    padding: how many before and after.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnReflectionPad1d answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.reflection_pad1d(np.array([[1, 2, 3]]), [2, 1])
    array([[3, 2, 1, 2, 3, 2]])
    """

@overload
def relu(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def relu(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """ReLU: 0 where self ≤ 0, else self.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRelu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.relu(np.array([-2, 0, 3], np.float32))
    array([0., 0., 3.], dtype=float32)
    """

@overload
def remainder_scalar_tensor(
    self: float,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def remainder_scalar_tensor(
    self: float,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Remainder with the sign of the divisor, of a number: remainder(self, other).

    self: the number beside it.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRemainderScalarTensor answers with an error status.
    """

@overload
def remainder_tensor_scalar(
    self: _NumPy | _Plain,
    other: float,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def remainder_tensor_scalar(
    self: _Array | _Plain,
    other: float,
    *,
    out: _Array | None = None,
) -> _Array:
    """Remainder with the sign of the divisor, with a number: remainder(self, other).

    self: the input.
    other: the number beside it.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRemainderTensorScalar answers with an error status.
    """

@overload
def remainder_tensor_tensor(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def remainder_tensor_tensor(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Remainder with the sign of the divisor: remainder(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRemainderTensorTensor answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.remainder_tensor_tensor(np.array([7, -7], np.int32), np.array([3, 3], np.int32))
    array([1, 2], dtype=int32)
    """

@overload
def repeat(
    self: _NumPy | _Plain,
    repeats: Sequence[int] | int,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def repeat(
    self: _Array | _Plain,
    repeats: Sequence[int] | int,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def repeat_interleave_int_with_dim(
    self: _NumPy | _Plain,
    repeats: int,
    dim: int = ...,
    output_size: int = ...,
    *,
    out: _NumPy | None = None,
    axis: int = ...,
) -> _NumPy: ...
@overload
def repeat_interleave_int_with_dim(
    self: _Array | _Plain,
    repeats: int,
    dim: int = ...,
    output_size: int = ...,
    *,
    out: _Array | None = None,
    axis: int = ...,
) -> _Array:
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

@overload
def right_shift(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def right_shift(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Right shift: shift_right(self, other).

    self: the input.
    other: the second input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRightShift answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.right_shift(np.array([64, -3, -1], np.int8), np.array([3, 1, 8], np.int8))
    array([ 8, -2, -1], dtype=int8)
    """

@overload
def round(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def round(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Rounding: round(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRound answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.round(np.array([-1.5, 0.5, 2.5], np.float32))
    array([-2.,  0.,  2.], dtype=float32)
    """

@overload
def round_decimals(
    self: _NumPy | _Plain,
    *,
    decimals: int = 0,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def round_decimals(
    self: _Array | _Plain,
    *,
    decimals: int = 0,
    out: _Array | None = None,
) -> _Array:
    """Rounding to decimals: round(self·up / down)·down / up.

    self: the input.
    decimals: places that stay behind the point.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRoundDecimals answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.round_decimals(np.array([1.2345, -0.125, 1250], np.float32), decimals=2)
    array([ 1.23e+00, -1.20e-01,  1.25e+03], dtype=float32)
    """

@overload
def rsqrt(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def rsqrt(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Reciprocal of the square root: rsqrt(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRsqrt answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.rsqrt(np.array([0, 2, 4], np.float32))
    array([       inf, 0.70710677, 0.5       ], dtype=float32)
    """

@overload
def rsub(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    alpha: float = 1,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def rsub(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    alpha: float = 1,
    out: _Array | None = None,
) -> _Array:
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

@overload
def rsubs(
    self: _NumPy | _Plain,
    other: float,
    *,
    alpha: float = 1,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def rsubs(
    self: _Array | _Plain,
    other: float,
    *,
    alpha: float = 1,
    out: _Array | None = None,
) -> _Array:
    """Difference the other way round, with a number: (−alpha)·self + other.

    self: the input.
    other: the number beside it.
    alpha: a factor of the first.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnRsubs answers with an error status.
    """

@overload
def s_where(
    condition: _NumPy | _Plain,
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def s_where(
    condition: _Array | _Plain,
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def selu(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def selu(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """SELU: expm1(self)·1.7580993408473766 where self ≤ 0, else self·1.0507009873554805.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSelu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.selu(np.array([-1, 0, 2], np.float32))
    array([-1.1113307,  0.       ,  2.101402 ], dtype=float32)
    """

@overload
def selu_backward(
    grad_output: _NumPy | _Plain,
    result: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def selu_backward(
    grad_output: _Array | _Plain,
    result: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def shrink(
    self: _NumPy | _Plain,
    *,
    lambd: float = 0.5,
    bias: float = 0.0,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def shrink(
    self: _Array | _Plain,
    *,
    lambd: float = 0.5,
    bias: float = 0.0,
    out: _Array | None = None,
) -> _Array:
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

@overload
def sigmoid(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def sigmoid(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Sigmoid: σ(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSigmoid answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.sigmoid(np.array([-100, 0, 2], np.float32))
    array([3.783506e-44, 5.000000e-01, 8.807971e-01], dtype=float32)
    """

@overload
def sigmoid_backward(
    grad_output: _NumPy | _Plain,
    output: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def sigmoid_backward(
    grad_output: _Array | _Plain,
    output: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Gradient of sigmoid: grad_output·output·(1 − output).

    grad_output: gradient with respect to sigmoid's result.
    output: the result of sigmoid.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSigmoidBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.sigmoid_backward(np.float32(2), np.array([0, 0.5, 0.25], np.float32))
    array([0.   , 0.5  , 0.375], dtype=float32)
    """

@overload
def sign(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def sign(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Sign: (self > 0) − (self < 0).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSign answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.sign(np.array([-2, 0, 3], np.float32))
    array([-1.,  0.,  1.], dtype=float32)
    """

@overload
def signbit(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def signbit(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Sign bit: signbit(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSignbit answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.signbit(np.array([-1, -0.0, 0], np.float32))
    array([ True,  True, False])
    """

@overload
def silu(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def silu(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """SiLU (swish): self·σ(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSilu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.silu(np.array([-1, 0, 1], np.float32))
    array([-0.26894143,  0.        ,  0.7310586 ], dtype=float32)
    """

@overload
def silu_backward(
    grad_output: _NumPy | _Plain,
    self: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def silu_backward(
    grad_output: _Array | _Plain,
    self: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def sin(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def sin(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Sine: sin(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSin answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.sin(np.array([0, 1, 1e30], np.float32))
    array([ 0.        ,  0.84147096, -0.79116344], dtype=float32)
    """

@overload
def sinh(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def sinh(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Hyperbolic sine: sinh(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSinh answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.sinh(np.array([-1, 0, 1], np.float32))
    array([-1.1752012,  0.       ,  1.1752012], dtype=float32)
    """

@overload
def slice(
    self: _NumPy | _Plain,
    dim: int = ...,
    start: int = ...,
    end: int = ...,
    step: int = ...,
    *,
    out: _NumPy | None = None,
    axis: int = ...,
) -> _NumPy: ...
@overload
def slice(
    self: _Array | _Plain,
    dim: int = ...,
    start: int = ...,
    end: int = ...,
    step: int = ...,
    *,
    out: _Array | None = None,
    axis: int = ...,
) -> _Array:
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

@overload
def smooth_l1_loss(
    self: _NumPy | _Plain,
    target: _NumPy | _Plain,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    beta: float = 1.0,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def smooth_l1_loss(
    self: _Array | _Plain,
    target: _Array | _Plain,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    beta: float = 1.0,
    out: _Array | None = None,
) -> _Array:
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

@overload
def smooth_l1_loss_backward(
    grad_out: _NumPy | _Plain,
    self: _NumPy | _Plain,
    target: _NumPy | _Plain,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    beta: float = 1.0,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def smooth_l1_loss_backward(
    grad_out: _Array | _Plain,
    self: _Array | _Plain,
    target: _Array | _Plain,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    beta: float = 1.0,
    out: _Array | None = None,
) -> _Array:
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

@overload
def soft_margin_loss_backward(
    grad_output: _NumPy | _Plain,
    self: _NumPy | _Plain,
    target: _NumPy | _Plain,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def soft_margin_loss_backward(
    grad_output: _Array | _Plain,
    self: _Array | _Plain,
    target: _Array | _Plain,
    *,
    reduction: Literal["none", "mean", "sum", 0, 1, 2] = "mean",
    out: _Array | None = None,
) -> _Array:
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

@overload
def softmax(
    self: _NumPy | _Plain,
    dim: int = ...,
    *,
    out: _NumPy | None = None,
    axis: int = ...,
) -> _NumPy: ...
@overload
def softmax(
    self: _Array | _Plain,
    dim: int = ...,
    *,
    out: _Array | None = None,
    axis: int = ...,
) -> _Array:
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

@overload
def softmax_backward(
    grad_output: _NumPy | _Plain,
    output: _NumPy | _Plain,
    dim: int = ...,
    *,
    out: _NumPy | None = None,
    axis: int = ...,
) -> _NumPy: ...
@overload
def softmax_backward(
    grad_output: _Array | _Plain,
    output: _Array | _Plain,
    dim: int = ...,
    *,
    out: _Array | None = None,
    axis: int = ...,
) -> _Array:
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

@overload
def softplus(
    self: _NumPy | _Plain,
    beta: float = 1.0,
    threshold: float = 20.0,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def softplus(
    self: _Array | _Plain,
    beta: float = 1.0,
    threshold: float = 20.0,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def softplus_backward(
    grad_output: _NumPy | _Plain,
    self: _NumPy | _Plain,
    beta: float = 1.0,
    threshold: float = 20.0,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def softplus_backward(
    grad_output: _Array | _Plain,
    self: _Array | _Plain,
    beta: float = 1.0,
    threshold: float = 20.0,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def softshrink(
    self: _NumPy | _Plain,
    lambd: float = 0.5,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def softshrink(
    self: _Array | _Plain,
    lambd: float = 0.5,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def softshrink_backward(
    grad_output: _NumPy | _Plain,
    self: _NumPy | _Plain,
    lambd: float,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def softshrink_backward(
    grad_output: _Array | _Plain,
    self: _Array | _Plain,
    lambd: float,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def sqrt(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def sqrt(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Square root: sqrt(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSqrt answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.sqrt(np.array([0, 2, 9], np.float32))
    array([0.       , 1.4142135, 3.       ], dtype=float32)
    """

@overload
def square(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def square(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Square: self·self.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSquare answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.square(np.array([-4, 0, 2], np.int32))
    array([16,  0,  4], dtype=int32)
    """

@overload
def squared_relu(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def squared_relu(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Squared ReLU: 0 where self ≤ 0, else self·self.

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSquaredRelu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.squared_relu(np.array([-2, 0, 3], np.float32))
    array([0., 0., 9.], dtype=float32)
    """

@overload
def sub(
    self: _NumPy | _Plain,
    other: _NumPy | _Plain,
    *,
    alpha: float = 1,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def sub(
    self: _Array | _Plain,
    other: _Array | _Plain,
    *,
    alpha: float = 1,
    out: _Array | None = None,
) -> _Array:
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

@overload
def subs(
    self: _NumPy | _Plain,
    other: float,
    *,
    alpha: float = 1,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def subs(
    self: _Array | _Plain,
    other: float,
    *,
    alpha: float = 1,
    out: _Array | None = None,
) -> _Array:
    """Difference, with a number: (−alpha)·other + self.

    self: the input.
    other: the number beside it.
    alpha: a factor of the second.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSubs answers with an error status.
    """

@overload
def swi_glu(
    self: _NumPy | _Plain,
    dim: int = -1,
    *,
    out: _NumPy | None = None,
    axis: int = ...,
) -> _NumPy: ...
@overload
def swi_glu(
    self: _Array | _Plain,
    dim: int = -1,
    *,
    out: _Array | None = None,
    axis: int = ...,
) -> _Array:
    """SwiGLU: first_half·second_half·σ(first_half).

    self: the input, of even size along dim.
    dim: the dimension that is halved.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSwiGlu answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.swi_glu(np.array([[0, 100, 4, 8]], np.float32))
    array([[  0., 800.]], dtype=float32)
    """

@overload
def swish(self: _NumPy | _Plain, *, beta: float = 1.0, out: _NumPy | None = None) -> _NumPy: ...
@overload
def swish(self: _Array | _Plain, *, beta: float = 1.0, out: _Array | None = None) -> _Array:
    """Swish: self·σ(self·beta).

    self: the input.
    beta: a factor inside, 1 where it is null.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnSwish answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.swish(np.array([-1, 0, 1], np.float32), beta=2)
    array([-0.11920292,  0.        ,  0.8807971 ], dtype=float32)
    """

@overload
def swish_backward(
    grad_output: _NumPy | _Plain,
    self: _NumPy | _Plain,
    *,
    beta: float = 1.0,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def swish_backward(
    grad_output: _Array | _Plain,
    self: _Array | _Plain,
    *,
    beta: float = 1.0,
    out: _Array | None = None,
) -> _Array:
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

@overload
def tan(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def tan(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Tangent: tan(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnTan answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.tan(np.array([0, 1, 1e30], np.float32))
    array([0.       , 1.5574077, 1.2935861], dtype=float32)
    """

@overload
def tanh(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def tanh(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Hyperbolic tangent: tanh(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnTanh answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.tanh(np.array([-1, 0, 20], np.float32))
    array([-0.7615942,  0.       ,  1.       ], dtype=float32)
    """

@overload
def tanh_backward(
    grad_output: _NumPy | _Plain,
    output: _NumPy | _Plain,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def tanh_backward(
    grad_output: _Array | _Plain,
    output: _Array | _Plain,
    *,
    out: _Array | None = None,
) -> _Array:
    """Gradient of tanh: grad_output·(1 − output)·(1 + output).

    grad_output: gradient with respect to tanh's result.
    output: the result of tanh.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnTanhBackward answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.tanh_backward(np.float32(2), np.array([0, 0.5, 1], np.float32))
    array([2. , 1.5, 0. ], dtype=float32)
    """

@overload
def threshold(
    self: _NumPy | _Plain,
    threshold: float,
    value: float,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def threshold(
    self: _Array | _Plain,
    threshold: float,
    value: float,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def threshold_backward(
    grad_output: _NumPy | _Plain,
    self: _NumPy | _Plain,
    threshold: float,
    *,
    out: _NumPy | None = None,
) -> _NumPy: ...
@overload
def threshold_backward(
    grad_output: _Array | _Plain,
    self: _Array | _Plain,
    threshold: float,
    *,
    out: _Array | None = None,
) -> _Array:
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

@overload
def tril(self: _NumPy | _Plain, diagonal: int = 0, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def tril(self: _Array | _Plain, diagonal: int = 0, *, out: _Array | None = None) -> _Array:
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

@overload
def triu(self: _NumPy | _Plain, diagonal: int = 0, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def triu(self: _Array | _Plain, diagonal: int = 0, *, out: _Array | None = None) -> _Array:
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

@overload
def trunc(self: _NumPy | _Plain, *, out: _NumPy | None = None) -> _NumPy: ...
@overload
def trunc(self: _Array | _Plain, *, out: _Array | None = None) -> _Array:
    """Truncation: trunc(self).

    self: the input.
    out: where to write the result; a new array where it is not given.

    Raises AclnnError where aclnnTrunc answers with an error status.

    >>> import numpy as np, openaclnn
    >>> openaclnn.trunc(np.array([-1.5, 0.5, 2.5], np.float32))
    array([-1.,  0.,  2.], dtype=float32)
    """

_Level = Literal["exact", "fast"]
_Product = Literal[
    "Ascend910B",
    "Ascend910B3",
    "Ascend910B1",
    "Ascend910B2",
    "Ascend910B2C",
    "Ascend910B4",
    "Ascend910B4-1",
    "Ascend910_93",
    "Ascend910_9391",
    "Ascend910_9392",
    "Ascend910_9381",
    "Ascend910_9382",
    "Ascend910_9372",
    "Ascend910_9362",
    "Ascend910_9363",
    "Ascend950",
    "Ascend950PR",
    "Ascend950DT",
    "Ascend910",
    "Ascend910A",
    "Ascend910ProA",
    "Ascend910PremiumA",
    "Ascend910ProB",
    "Ascend310P",
    "Ascend310P3",
    "Ascend310P1",
    "Ascend310P2",
    "Ascend310P4",
    "Ascend310P5",
    "Ascend310P7",
    "Ascend310B",
    "Ascend310B1",
    "Ascend310B2",
    "Ascend310B3",
    "Ascend310B4",
]

def using(
    *,
    math: _Level | None = None,
    product: _Product | None = None,
) -> AbstractContextManager[None]:
    """Compute at this level ("exact" or "fast"), play this product's rules, inside a `with` block;
    what is not said stays as it is.

    >>> with using(math="fast", product="Ascend950"):
    ...     current().level, current().product
    ('fast', Ascend950)
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
divide = div
true_divide = div
greater_equal = ge_tensor
greater = gt_tensor
divide_ = inplace_div
true_divide_ = inplace_div
greater_equal_ = inplace_ge_tensor
greater_ = inplace_gt_tensor
less_equal_ = inplace_le_tensor
less_ = inplace_lt_tensor
multiply_ = inplace_mul
not_equal_ = inplace_ne_tensor
power_ = inplace_pow_tensor_tensor
subtract_ = inplace_sub
less_equal = le_tensor
bitwise_left_shift = left_shift
less = lt_tensor
multiply = mul
not_equal = ne_tensor
power = pow_tensor_tensor
subtract = sub
absolute = abs
arccos = acos
arccosh = acosh
max = amax
arcsin = asin
arcsinh = asinh
arctan = atan
arctan2 = atan2
arctanh = atanh
concat = cat
concatenate = cat
clip = clamp
arccos_ = inplace_acos
arccosh_ = inplace_acosh
arcsin_ = inplace_asin
arcsinh_ = inplace_asinh
arctan_ = inplace_atan
arctan2_ = inplace_atan2
arctanh_ = inplace_atanh
fill_ = inplace_fill_scalar
negative_ = inplace_neg
isclose = is_close
isfinite = is_finite
isinf = is_inf
isneginf = is_neg_inf
isposinf = is_pos_inf
logaddexp = log_add_exp
logaddexp2 = log_add_exp2
logsigmoid = log_sigmoid
negative = neg
transpose = permute
sum = reduce_sum
bitwise_right_shift = right_shift
where = s_where
