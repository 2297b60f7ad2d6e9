# Written by python -m openaclnn.calls.stubs from the operators' specs; not by hand.

from collections.abc import Sequence
from typing import Any, Final

from openaclnn.base.scalars import Scalar
from openaclnn.calls.executor import Executor

def aclnnAddGetWorkspaceSize(
    self: Any,
    other: Any,
    alpha: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAdd: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    alpha: a factor of the second.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnAdd(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnAdd: run what phase 1 prepared. Returns a status."""

def aclnnAddsGetWorkspaceSize(
    self: Any,
    other: Scalar | float | None,
    alpha: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAdds: check the arguments and prepare the call.

    self: the input.
    other: the number beside it.
    alpha: a factor of the second.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnAdds(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnAdds: run what phase 1 prepared. Returns a status."""

def aclnnAmaxGetWorkspaceSize(
    self: Any,
    dim: Sequence[int] | None,
    keepDim: bool,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAmax: check the arguments and prepare the call.

    self: the input.
    dim: the dimensions that go; none means all.
    keepDim: whether they stay, of size 1.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnAmax(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnAmax: run what phase 1 prepared. Returns a status."""

def aclnnBinaryCrossEntropyWithLogitsBackwardGetWorkspaceSize(
    gradOutput: Any,
    self: Any,
    target: Any,
    weightOptional: Any,
    posWeightOptional: Any,
    reduction: int,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnBinaryCrossEntropyWithLogitsBackward: check the arguments and prepare the
    call.

    gradOutput: gradient with respect to the loss.
    self: the logits.
    target: what is true, from 0 to 1.
    weightOptional: weights of the elements.
    posWeightOptional: weights of what is true.
    reduction: none, mean or sum: 0, 1 or 2.
    out: gradient with respect to self.

    Returns (status, workspace_size, executor).
    """

def aclnnBinaryCrossEntropyWithLogitsBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnBinaryCrossEntropyWithLogitsBackward: run what phase 1 prepared. Returns a
    status.
    """

def aclnnCastGetWorkspaceSize(self: Any, dtype: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnCast: check the arguments and prepare the call.

    self: the input.
    dtype: of the result.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnCast(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnCast: run what phase 1 prepared. Returns a status."""

def aclnnCatGetWorkspaceSize(tensors: Any, dim: int, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnCat: check the arguments and prepare the call.

    tensors: what is joined.
    dim: the dimension along which it is.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnCat(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnCat: run what phase 1 prepared. Returns a status."""

def aclnnEluGetWorkspaceSize(
    self: Any,
    alpha: Scalar | float | None,
    scale: Scalar | float | None,
    inputScale: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnElu: check the arguments and prepare the call.

    self: the input.
    alpha: what is approached far below 0, times -scale.
    scale: a factor of the result.
    inputScale: a factor of the input below 0.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnElu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnElu: run what phase 1 prepared. Returns a status."""

def aclnnEqScalarGetWorkspaceSize(
    self: Any,
    other: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnEqScalar: check the arguments and prepare the call.

    self: the input.
    other: the number beside it.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnEqScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnEqScalar: run what phase 1 prepared. Returns a status."""

def aclnnEqTensorGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnEqTensor: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnEqTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnEqTensor: run what phase 1 prepared. Returns a status."""

def aclnnGluGetWorkspaceSize(self: Any, dim: int, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnGlu: check the arguments and prepare the call.

    self: the input, of even size along dim.
    dim: the dimension that is halved.
    out: the result, half as long along dim.

    Returns (status, workspace_size, executor).
    """

def aclnnGlu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnGlu: run what phase 1 prepared. Returns a status."""

def aclnnGluBackwardGetWorkspaceSize(
    gradOut: Any,
    self: Any,
    dim: int,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnGluBackward: check the arguments and prepare the call.

    gradOut: gradient with respect to glu's result.
    self: the input of glu.
    dim: the dimension that is halved.
    out: gradient with respect to self.

    Returns (status, workspace_size, executor).
    """

def aclnnGluBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnGluBackward: run what phase 1 prepared. Returns a status."""

def aclnnHardsigmoidGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnHardsigmoid: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnHardsigmoid(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnHardsigmoid: run what phase 1 prepared. Returns a status."""

def aclnnHardsigmoidBackwardGetWorkspaceSize(
    gradOutput: Any,
    self: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnHardsigmoidBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to hardsigmoid's result.
    self: the input of hardsigmoid.
    out: gradient with respect to self.

    Returns (status, workspace_size, executor).
    """

def aclnnHardsigmoidBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnHardsigmoidBackward: run what phase 1 prepared. Returns a status."""

def aclnnInplaceAddGetWorkspaceSize(
    selfRef: Any,
    other: Any,
    alpha: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceAdd: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.
    alpha: a factor of the second.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceAdd(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceAdd: run what phase 1 prepared. Returns a status."""

def aclnnInplaceAddsGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
    alpha: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceAdds: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.
    alpha: a factor of the second.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceAdds(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceAdds: run what phase 1 prepared. Returns a status."""

def aclnnInplaceCopyGetWorkspaceSize(selfRef: Any, src: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceCopy: check the arguments and prepare the call.

    selfRef: what is overwritten.
    src: what is copied.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceCopy(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceCopy: run what phase 1 prepared. Returns a status."""

def aclnnInplaceEluGetWorkspaceSize(
    selfRef: Any,
    alpha: Scalar | float | None,
    scale: Scalar | float | None,
    inputScale: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceElu: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    alpha: what is approached far below 0, times -scale.
    scale: a factor of the result.
    inputScale: a factor of the input below 0.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceElu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceElu: run what phase 1 prepared. Returns a status."""

def aclnnInplaceEqScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceEqScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceEqScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceEqScalar: run what phase 1 prepared. Returns a status."""

def aclnnInplaceEqTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceEqTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceEqTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceEqTensor: run what phase 1 prepared. Returns a status."""

def aclnnInplaceFillScalarGetWorkspaceSize(
    selfRef: Any,
    value: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceFillScalar: check the arguments and prepare the call.

    selfRef: what is overwritten.
    value: what every element becomes.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceFillScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceFillScalar: run what phase 1 prepared. Returns a status."""

def aclnnInplaceHardsigmoidGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceHardsigmoid: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceHardsigmoid(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceHardsigmoid: run what phase 1 prepared. Returns a status."""

def aclnnInplaceLeakyReluGetWorkspaceSize(
    selfRef: Any,
    negativeSlope: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLeakyRelu: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    negativeSlope: the slope below 0.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLeakyRelu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceLeakyRelu: run what phase 1 prepared. Returns a status."""

def aclnnInplaceReluGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceRelu: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceRelu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceRelu: run what phase 1 prepared. Returns a status."""

def aclnnInplaceZeroGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceZero: check the arguments and prepare the call.

    selfRef: what is overwritten.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceZero(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceZero: run what phase 1 prepared. Returns a status."""

def aclnnL1LossGetWorkspaceSize(
    self: Any,
    target: Any,
    reduction: int,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnL1Loss: check the arguments and prepare the call.

    self: the prediction.
    target: what was to be predicted.
    reduction: none, mean or sum: 0, 1 or 2.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnL1Loss(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnL1Loss: run what phase 1 prepared. Returns a status."""

def aclnnLeakyReluGetWorkspaceSize(
    self: Any,
    negativeSlope: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLeakyRelu: check the arguments and prepare the call.

    self: the input.
    negativeSlope: the slope below 0.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLeakyRelu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLeakyRelu: run what phase 1 prepared. Returns a status."""

def aclnnLeakyReluBackwardGetWorkspaceSize(
    gradOutput: Any,
    self: Any,
    negativeSlope: Scalar | float | None,
    selfIsResult: bool,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLeakyReluBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to leaky ReLU's result.
    self: the input of leaky ReLU, or its result.
    negativeSlope: the slope where self <= 0.
    selfIsResult: whether self is leaky ReLU's result.
    out: gradient with respect to self.

    Returns (status, workspace_size, executor).
    """

def aclnnLeakyReluBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLeakyReluBackward: run what phase 1 prepared. Returns a status."""

def aclnnLogSigmoidGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLogSigmoid: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLogSigmoid(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLogSigmoid: run what phase 1 prepared. Returns a status."""

def aclnnLogSigmoidBackwardGetWorkspaceSize(
    gradOutput: Any,
    self: Any,
    buffer: Any,
    gradInput: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLogSigmoidBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to log sigmoid's result.
    self: the input of log sigmoid.
    buffer: left by the forward pass; not used.
    gradInput: gradient with respect to self.

    Returns (status, workspace_size, executor).
    """

def aclnnLogSigmoidBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLogSigmoidBackward: run what phase 1 prepared. Returns a status."""

def aclnnLogSigmoidForwardGetWorkspaceSize(
    self: Any,
    out: Any,
    buffer: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLogSigmoidForward: check the arguments and prepare the call.

    self: the input.
    out: the result.
    buffer: e^-|self|; may be empty.

    Returns (status, workspace_size, executor).
    """

def aclnnLogSigmoidForward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLogSigmoidForward: run what phase 1 prepared. Returns a status."""

def aclnnMeanGetWorkspaceSize(
    self: Any,
    dim: Sequence[int] | None,
    keepDim: bool,
    dtype: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnMean: check the arguments and prepare the call.

    self: the input.
    dim: the dimensions that go; none means all.
    keepDim: whether they stay, of size 1.
    dtype: of the result; undefined: self's, INT64 for integers.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnMean(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnMean: run what phase 1 prepared. Returns a status."""

def aclnnMseLossGetWorkspaceSize(
    self: Any,
    target: Any,
    reduction: int,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnMseLoss: check the arguments and prepare the call.

    self: the prediction.
    target: what was to be predicted.
    reduction: none, mean or sum: 0, 1 or 2.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnMseLoss(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnMseLoss: run what phase 1 prepared. Returns a status."""

def aclnnReduceSumGetWorkspaceSize(
    self: Any,
    dims: Sequence[int] | None,
    keepDims: bool,
    dtype: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnReduceSum: check the arguments and prepare the call.

    self: the input.
    dims: the dimensions that go; none means all.
    keepDims: whether they stay, of size 1.
    dtype: of the result; undefined: self's, INT64 for integers.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnReduceSum(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnReduceSum: run what phase 1 prepared. Returns a status."""

def aclnnReluGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnRelu: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnRelu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnRelu: run what phase 1 prepared. Returns a status."""

def aclnnSiluGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSilu: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSilu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSilu: run what phase 1 prepared. Returns a status."""

def aclnnSiluBackwardGetWorkspaceSize(
    gradOutput: Any,
    self: Any,
    gradInput: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSiluBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to silu's result.
    self: the input of silu.
    gradInput: gradient with respect to self.

    Returns (status, workspace_size, executor).
    """

def aclnnSiluBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSiluBackward: run what phase 1 prepared. Returns a status."""

def aclnnSmoothL1LossGetWorkspaceSize(
    self: Any,
    target: Any,
    reduction: int,
    beta: float,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSmoothL1Loss: check the arguments and prepare the call.

    self: the prediction.
    target: what was to be predicted.
    reduction: none, mean or sum: 0, 1 or 2.
    beta: where the loss turns from quadratic to linear.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSmoothL1Loss(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSmoothL1Loss: run what phase 1 prepared. Returns a status."""

def aclnnSmoothL1LossBackwardGetWorkspaceSize(
    gradOut: Any,
    self: Any,
    target: Any,
    reduction: int,
    beta: float,
    gradInput: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSmoothL1LossBackward: check the arguments and prepare the call.

    gradOut: gradient with respect to the loss.
    self: the prediction.
    target: what was to be predicted.
    reduction: none, mean or sum: 0, 1 or 2.
    beta: where the loss turns from quadratic to linear.
    gradInput: gradient with respect to self.

    Returns (status, workspace_size, executor).
    """

def aclnnSmoothL1LossBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSmoothL1LossBackward: run what phase 1 prepared. Returns a status."""

def aclnnSoftmaxGetWorkspaceSize(self: Any, dim: int, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSoftmax: check the arguments and prepare the call.

    self: the input.
    dim: the dimension along which they sum to 1.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSoftmax(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSoftmax: run what phase 1 prepared. Returns a status."""

def aclnnSoftmaxBackwardGetWorkspaceSize(
    gradOutput: Any,
    output: Any,
    dim: int,
    gradInput: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSoftmaxBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to the softmax's result.
    output: the softmax's result.
    dim: the softmax's dimension.
    gradInput: gradient with respect to the softmax's input.

    Returns (status, workspace_size, executor).
    """

def aclnnSoftmaxBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSoftmaxBackward: run what phase 1 prepared. Returns a status."""

def aclnnSwishGetWorkspaceSize(
    self: Any,
    betaOptional: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSwish: check the arguments and prepare the call.

    self: the input.
    betaOptional: a factor inside, 1 where it is null.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSwish(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSwish: run what phase 1 prepared. Returns a status."""

ACL_FLOAT: Final = 0
ACL_FLOAT16: Final = 1
ACL_INT8: Final = 2
ACL_INT32: Final = 3
ACL_UINT8: Final = 4
ACL_INT16: Final = 6
ACL_UINT16: Final = 7
ACL_UINT32: Final = 8
ACL_INT64: Final = 9
ACL_UINT64: Final = 10
ACL_DOUBLE: Final = 11
ACL_BOOL: Final = 12
ACL_STRING: Final = 13
ACL_COMPLEX64: Final = 16
ACL_COMPLEX128: Final = 17
ACL_BF16: Final = 27
ACL_INT4: Final = 29
ACL_UINT1: Final = 30
ACL_COMPLEX32: Final = 33
ACL_HIFLOAT8: Final = 34
ACL_FLOAT8_E5M2: Final = 35
ACL_FLOAT8_E4M3FN: Final = 36
ACL_FLOAT8_E8M0: Final = 37
ACL_FLOAT6_E3M2: Final = 38
ACL_FLOAT6_E2M3: Final = 39
ACL_FLOAT4_E2M1: Final = 40
ACL_FLOAT4_E1M2: Final = 41
ACL_DT_UNDEFINED: Final = -1
ACL_FORMAT_UNDEFINED: Final = -1
ACL_FORMAT_NCHW: Final = 0
ACL_FORMAT_NHWC: Final = 1
ACL_FORMAT_ND: Final = 2
ACL_FORMAT_NC1HWC0: Final = 3
ACL_FORMAT_FRACTAL_Z: Final = 4
ACL_FORMAT_NC1HWC0_C04: Final = 12
ACL_FORMAT_HWCN: Final = 16
ACL_FORMAT_NDHWC: Final = 27
ACL_FORMAT_FRACTAL_NZ: Final = 29
ACL_FORMAT_NCDHW: Final = 30
ACL_FORMAT_NDC1HWC0: Final = 32
ACL_FRACTAL_Z_3D: Final = 33
ACL_FORMAT_NC: Final = 35
ACL_FORMAT_NCL: Final = 47
ACL_FORMAT_FRACTAL_NZ_C0_16: Final = 50
ACL_FORMAT_FRACTAL_NZ_C0_32: Final = 51
ACL_FORMAT_FRACTAL_NZ_C0_2: Final = 52
ACL_FORMAT_FRACTAL_NZ_C0_4: Final = 53
ACL_FORMAT_FRACTAL_NZ_C0_8: Final = 54
ACLNN_SUCCESS: Final = 0
ACLNN_ERR_PARAM_NULLPTR: Final = 161001
ACLNN_ERR_PARAM_INVALID: Final = 161002
ACLNN_ERR_RUNTIME_ERROR: Final = 361001
ACLNN_ERR_INNER: Final = 561000
ACLNN_ERR_INNER_FIND_KERNEL_ERROR: Final = 561003
ACLNN_ERR_INNER_CREATE_EXECUTOR: Final = 561101
ACLNN_ERR_INNER_NULLPTR: Final = 561103
