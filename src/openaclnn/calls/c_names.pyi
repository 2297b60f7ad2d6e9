# Written by python -m openaclnn.calls.stubs from the operators' specs; not by hand.

from collections.abc import Sequence
from typing import Any, Final

from openaclnn.base.scalars import Scalar
from openaclnn.calls.executor import Executor

def aclnnAbsGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAbs: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnAbs(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnAbs: run what phase 1 prepared. Returns a status."""

def aclnnAcosGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAcos: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnAcos(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnAcos: run what phase 1 prepared. Returns a status."""

def aclnnAcoshGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAcosh: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnAcosh(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnAcosh: run what phase 1 prepared. Returns a status."""

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

def aclnnAddReluGetWorkspaceSize(
    self: Any,
    other: Any,
    alpha: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAddRelu: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    alpha: a factor of the second.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnAddRelu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnAddRelu: run what phase 1 prepared. Returns a status."""

def aclnnAddcdivGetWorkspaceSize(
    self: Any,
    tensor1: Any,
    tensor2: Any,
    value: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAddcdiv: check the arguments and prepare the call.

    self: the input.
    tensor1: the dividend.
    tensor2: the divisor.
    value: a factor of the quotient.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnAddcdiv(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnAddcdiv: run what phase 1 prepared. Returns a status."""

def aclnnAddcmulGetWorkspaceSize(
    self: Any,
    tensor1: Any,
    tensor2: Any,
    value: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAddcmul: check the arguments and prepare the call.

    self: the input.
    tensor1: the first factor.
    tensor2: the second factor.
    value: a third factor.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnAddcmul(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnAddcmul: run what phase 1 prepared. Returns a status."""

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

def aclnnArangeGetWorkspaceSize(
    start: Scalar | float | None,
    end: Scalar | float | None,
    step: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnArange: check the arguments and prepare the call.

    start: the first number.
    end: what is not reached.
    step: from one to the next.
    out: the numbers, along one dimension.

    Returns (status, workspace_size, executor).
    """

def aclnnArange(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnArange: run what phase 1 prepared. Returns a status."""

def aclnnAsinGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAsin: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnAsin(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnAsin: run what phase 1 prepared. Returns a status."""

def aclnnAsinhGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAsinh: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnAsinh(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnAsinh: run what phase 1 prepared. Returns a status."""

def aclnnAtanGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAtan: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnAtan(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnAtan: run what phase 1 prepared. Returns a status."""

def aclnnAtan2GetWorkspaceSize(self: Any, other: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAtan2: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnAtan2(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnAtan2: run what phase 1 prepared. Returns a status."""

def aclnnAtanhGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAtanh: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnAtanh(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnAtanh: run what phase 1 prepared. Returns a status."""

def aclnnBinaryCrossEntropyBackwardGetWorkspaceSize(
    gradOutput: Any,
    self: Any,
    target: Any,
    weightOptional: Any,
    reduction: int,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnBinaryCrossEntropyBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to the loss.
    self: the prediction.
    target: what was to be predicted.
    weightOptional: weights of the elements.
    reduction: none, mean or sum: 0, 1 or 2.
    out: gradient with respect to self.

    Returns (status, workspace_size, executor).
    """

def aclnnBinaryCrossEntropyBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnBinaryCrossEntropyBackward: run what phase 1 prepared. Returns a status."""

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

def aclnnBitwiseAndScalarGetWorkspaceSize(
    self: Any,
    other: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnBitwiseAndScalar: check the arguments and prepare the call.

    self: the input.
    other: the number beside it.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnBitwiseAndScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnBitwiseAndScalar: run what phase 1 prepared. Returns a status."""

def aclnnBitwiseAndTensorGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnBitwiseAndTensor: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnBitwiseAndTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnBitwiseAndTensor: run what phase 1 prepared. Returns a status."""

def aclnnBitwiseNotGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnBitwiseNot: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnBitwiseNot(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnBitwiseNot: run what phase 1 prepared. Returns a status."""

def aclnnBitwiseOrScalarGetWorkspaceSize(
    self: Any,
    other: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnBitwiseOrScalar: check the arguments and prepare the call.

    self: the input.
    other: the number beside it.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnBitwiseOrScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnBitwiseOrScalar: run what phase 1 prepared. Returns a status."""

def aclnnBitwiseOrTensorGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnBitwiseOrTensor: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnBitwiseOrTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnBitwiseOrTensor: run what phase 1 prepared. Returns a status."""

def aclnnBitwiseXorScalarGetWorkspaceSize(
    self: Any,
    other: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnBitwiseXorScalar: check the arguments and prepare the call.

    self: the input.
    other: the number beside it.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnBitwiseXorScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnBitwiseXorScalar: run what phase 1 prepared. Returns a status."""

def aclnnBitwiseXorTensorGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnBitwiseXorTensor: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnBitwiseXorTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnBitwiseXorTensor: run what phase 1 prepared. Returns a status."""

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

def aclnnCeilGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnCeil: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnCeil(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnCeil: run what phase 1 prepared. Returns a status."""

def aclnnCeluGetWorkspaceSize(
    self: Any,
    alpha: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnCelu: check the arguments and prepare the call.

    self: the input.
    alpha: minus its limit far below 0.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnCelu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnCelu: run what phase 1 prepared. Returns a status."""

def aclnnClampGetWorkspaceSize(
    self: Any,
    clipValueMinOptional: Scalar | float | None,
    clipValueMaxOptional: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnClamp: check the arguments and prepare the call.

    self: the input.
    clipValueMinOptional: the lower limit.
    clipValueMaxOptional: the upper limit.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnClamp(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnClamp: run what phase 1 prepared. Returns a status."""

def aclnnClampMaxGetWorkspaceSize(
    self: Any,
    clipValueMax: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnClampMax: check the arguments and prepare the call.

    self: the input.
    clipValueMax: the upper limit.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnClampMax(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnClampMax: run what phase 1 prepared. Returns a status."""

def aclnnClampMaxTensorGetWorkspaceSize(
    self: Any,
    clipValueMax: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnClampMaxTensor: check the arguments and prepare the call.

    self: the input.
    clipValueMax: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnClampMaxTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnClampMaxTensor: run what phase 1 prepared. Returns a status."""

def aclnnClampMinGetWorkspaceSize(
    self: Any,
    clipValueMin: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnClampMin: check the arguments and prepare the call.

    self: the input.
    clipValueMin: the lower limit.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnClampMin(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnClampMin: run what phase 1 prepared. Returns a status."""

def aclnnClampMinTensorGetWorkspaceSize(
    self: Any,
    clipValueMin: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnClampMinTensor: check the arguments and prepare the call.

    self: the input.
    clipValueMin: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnClampMinTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnClampMinTensor: run what phase 1 prepared. Returns a status."""

def aclnnClampTensorGetWorkspaceSize(
    self: Any,
    clipValueMinOptional: Any,
    clipValueMaxOptional: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnClampTensor: check the arguments and prepare the call.

    self: the input.
    clipValueMinOptional: the lower limits.
    clipValueMaxOptional: the upper limits.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnClampTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnClampTensor: run what phase 1 prepared. Returns a status."""

def aclnnConstantPadNdGetWorkspaceSize(
    self: Any,
    padding: Sequence[int] | None,
    value: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnConstantPadNd: check the arguments and prepare the call.

    self: the input.
    padding: how many before and after, the last dimension's first.
    value: the number.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnConstantPadNd(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnConstantPadNd: run what phase 1 prepared. Returns a status."""

def aclnnCosGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnCos: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnCos(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnCos: run what phase 1 prepared. Returns a status."""

def aclnnCoshGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnCosh: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnCosh(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnCosh: run what phase 1 prepared. Returns a status."""

def aclnnDivGetWorkspaceSize(self: Any, other: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnDiv: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnDiv(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnDiv: run what phase 1 prepared. Returns a status."""

def aclnnDivModGetWorkspaceSize(
    self: Any,
    other: Any,
    mode: int,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnDivMod: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    mode: what becomes of the fraction.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnDivMod(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnDivMod: run what phase 1 prepared. Returns a status."""

def aclnnDivModsGetWorkspaceSize(
    self: Any,
    other: Scalar | float | None,
    mode: int,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnDivMods: check the arguments and prepare the call.

    self: the input.
    other: the number beside it.
    mode: what becomes of the fraction.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnDivMods(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnDivMods: run what phase 1 prepared. Returns a status."""

def aclnnDivsGetWorkspaceSize(
    self: Any,
    other: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnDivs: check the arguments and prepare the call.

    self: the input.
    other: the number beside it.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnDivs(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnDivs: run what phase 1 prepared. Returns a status."""

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

def aclnnEluBackwardGetWorkspaceSize(
    gradOutput: Any,
    alpha: Scalar | float | None,
    scale: Scalar | float | None,
    inputScale: Scalar | float | None,
    isResult: bool,
    selfOrResult: Any,
    gradInput: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnEluBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to ELU's result.
    alpha: what is approached far below 0, times -scale.
    scale: a factor of the result.
    inputScale: a factor of the input below 0.
    isResult: whether ELU's result is given.
    selfOrResult: the result of ELU.
    gradInput: gradient with respect to the input.

    Returns (status, workspace_size, executor).
    """

def aclnnEluBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnEluBackward: run what phase 1 prepared. Returns a status."""

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

def aclnnErfGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnErf: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnErf(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnErf: run what phase 1 prepared. Returns a status."""

def aclnnErfcGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnErfc: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnErfc(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnErfc: run what phase 1 prepared. Returns a status."""

def aclnnErfinvGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnErfinv: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnErfinv(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnErfinv: run what phase 1 prepared. Returns a status."""

def aclnnExpGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnExp: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnExp(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnExp: run what phase 1 prepared. Returns a status."""

def aclnnExp2GetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnExp2: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnExp2(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnExp2: run what phase 1 prepared. Returns a status."""

def aclnnExpm1GetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnExpm1: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnExpm1(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnExpm1: run what phase 1 prepared. Returns a status."""

def aclnnEyeGetWorkspaceSize(n: int, m: int, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnEye: check the arguments and prepare the call.

    n: rows.
    m: columns.
    out: the matrix.

    Returns (status, workspace_size, executor).
    """

def aclnnEye(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnEye: run what phase 1 prepared. Returns a status."""

def aclnnFastGeluGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnFastGelu: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnFastGelu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnFastGelu: run what phase 1 prepared. Returns a status."""

def aclnnFastGeluBackwardGetWorkspaceSize(
    gradOutput: Any,
    self: Any,
    gradInput: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnFastGeluBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to fast GELU's result.
    self: the input of fast GELU.
    gradInput: gradient with respect to the input.

    Returns (status, workspace_size, executor).
    """

def aclnnFastGeluBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnFastGeluBackward: run what phase 1 prepared. Returns a status."""

def aclnnFloorGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnFloor: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnFloor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnFloor: run what phase 1 prepared. Returns a status."""

def aclnnFloorDivideGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnFloorDivide: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnFloorDivide(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnFloorDivide: run what phase 1 prepared. Returns a status."""

def aclnnFloorDividesGetWorkspaceSize(
    self: Any,
    other: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnFloorDivides: check the arguments and prepare the call.

    self: the input.
    other: the number beside it.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnFloorDivides(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnFloorDivides: run what phase 1 prepared. Returns a status."""

def aclnnFmodScalarGetWorkspaceSize(
    self: Any,
    other: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnFmodScalar: check the arguments and prepare the call.

    self: the input.
    other: the number beside it.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnFmodScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnFmodScalar: run what phase 1 prepared. Returns a status."""

def aclnnFmodTensorGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnFmodTensor: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnFmodTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnFmodTensor: run what phase 1 prepared. Returns a status."""

def aclnnFracGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnFrac: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnFrac(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnFrac: run what phase 1 prepared. Returns a status."""

def aclnnGcdGetWorkspaceSize(self: Any, other: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnGcd: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnGcd(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnGcd: run what phase 1 prepared. Returns a status."""

def aclnnGeGluV3GetWorkspaceSize(
    self: Any,
    dim: int,
    approximate: int,
    activateLeft: bool,
    out: Any,
    outGelu: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnGeGluV3: check the arguments and prepare the call.

    self: the input, of even size along dim.
    dim: the dimension that is halved.
    approximate: by which formula.
    activateLeft: whether the first half is activated.
    out: the result, half as long along dim.
    outGelu: what gelu gives.

    Returns (status, workspace_size, executor).
    """

def aclnnGeGluV3(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnGeGluV3: run what phase 1 prepared. Returns a status."""

def aclnnGeScalarGetWorkspaceSize(
    self: Any,
    other: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnGeScalar: check the arguments and prepare the call.

    self: the input.
    other: the number beside it.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnGeScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnGeScalar: run what phase 1 prepared. Returns a status."""

def aclnnGeTensorGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnGeTensor: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnGeTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnGeTensor: run what phase 1 prepared. Returns a status."""

def aclnnGeluGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnGelu: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnGelu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnGelu: run what phase 1 prepared. Returns a status."""

def aclnnGeluBackwardGetWorkspaceSize(
    gradOutput: Any,
    self: Any,
    gradInput: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnGeluBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to gelu's result.
    self: the input of gelu.
    gradInput: gradient with respect to the input.

    Returns (status, workspace_size, executor).
    """

def aclnnGeluBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnGeluBackward: run what phase 1 prepared. Returns a status."""

def aclnnGeluBackwardV2GetWorkspaceSize(
    gradOutput: Any,
    self: Any,
    approximate: str | None,
    gradInput: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnGeluBackwardV2: check the arguments and prepare the call.

    gradOutput: gradient with respect to gelu's result.
    self: the input of gelu.
    approximate: by which formula.
    gradInput: gradient with respect to the input.

    Returns (status, workspace_size, executor).
    """

def aclnnGeluBackwardV2(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnGeluBackwardV2: run what phase 1 prepared. Returns a status."""

def aclnnGeluV2GetWorkspaceSize(
    self: Any,
    approximate: int,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnGeluV2: check the arguments and prepare the call.

    self: the input.
    approximate: by which formula.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnGeluV2(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnGeluV2: run what phase 1 prepared. Returns a status."""

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

def aclnnGtScalarGetWorkspaceSize(
    self: Any,
    other: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnGtScalar: check the arguments and prepare the call.

    self: the input.
    other: the number beside it.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnGtScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnGtScalar: run what phase 1 prepared. Returns a status."""

def aclnnGtTensorGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnGtTensor: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnGtTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnGtTensor: run what phase 1 prepared. Returns a status."""

def aclnnHardshrinkGetWorkspaceSize(
    self: Any,
    lambd: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnHardshrink: check the arguments and prepare the call.

    self: the input.
    lambd: up to which magnitude.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnHardshrink(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnHardshrink: run what phase 1 prepared. Returns a status."""

def aclnnHardshrinkBackwardGetWorkspaceSize(
    gradOutput: Any,
    self: Any,
    lambd: Scalar | float | None,
    gradInput: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnHardshrinkBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to hardshrink's result.
    self: the input of hardshrink.
    lambd: up to which magnitude.
    gradInput: gradient with respect to the input.

    Returns (status, workspace_size, executor).
    """

def aclnnHardshrinkBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnHardshrinkBackward: run what phase 1 prepared. Returns a status."""

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

def aclnnHardswishGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnHardswish: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnHardswish(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnHardswish: run what phase 1 prepared. Returns a status."""

def aclnnHardswishBackwardGetWorkspaceSize(
    gradOutput: Any,
    self: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnHardswishBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to hardswish's result.
    self: the input of hardswish.
    out: gradient with respect to the input.

    Returns (status, workspace_size, executor).
    """

def aclnnHardswishBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnHardswishBackward: run what phase 1 prepared. Returns a status."""

def aclnnHardtanhGetWorkspaceSize(
    self: Any,
    clipValueMin: Scalar | float | None,
    clipValueMax: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnHardtanh: check the arguments and prepare the call.

    self: the input.
    clipValueMin: the lower limit.
    clipValueMax: the upper limit.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnHardtanh(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnHardtanh: run what phase 1 prepared. Returns a status."""

def aclnnHardtanhBackwardGetWorkspaceSize(
    gradOutput: Any,
    self: Any,
    min: Scalar | float | None,
    max: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnHardtanhBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to hardtanh's result.
    self: the input of hardtanh.
    min: the lower limit.
    max: the upper limit.
    out: gradient with respect to the input.

    Returns (status, workspace_size, executor).
    """

def aclnnHardtanhBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnHardtanhBackward: run what phase 1 prepared. Returns a status."""

def aclnnHeavisideGetWorkspaceSize(
    self: Any,
    values: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnHeaviside: check the arguments and prepare the call.

    self: the input.
    values: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnHeaviside(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnHeaviside: run what phase 1 prepared. Returns a status."""

def aclnnIm2colGetWorkspaceSize(
    self: Any,
    kernelSize: Sequence[int] | None,
    dilation: Sequence[int] | None,
    padding: Sequence[int] | None,
    stride: Sequence[int] | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnIm2col: check the arguments and prepare the call.

    self: the input.
    kernelSize: the window's height and width.
    dilation: how far its elements are apart.
    padding: how many zeros are around the image.
    stride: from one place to the next.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnIm2col(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnIm2col: run what phase 1 prepared. Returns a status."""

def aclnnInplaceAcosGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceAcos: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceAcos(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceAcos: run what phase 1 prepared. Returns a status."""

def aclnnInplaceAcoshGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceAcosh: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceAcosh(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceAcosh: run what phase 1 prepared. Returns a status."""

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

def aclnnInplaceAddReluGetWorkspaceSize(
    selfRef: Any,
    other: Any,
    alpha: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceAddRelu: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.
    alpha: a factor of the second.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceAddRelu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceAddRelu: run what phase 1 prepared. Returns a status."""

def aclnnInplaceAddcdivGetWorkspaceSize(
    selfRef: Any,
    tensor1: Any,
    tensor2: Any,
    value: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceAddcdiv: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    tensor1: the dividend.
    tensor2: the divisor.
    value: a factor of the quotient.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceAddcdiv(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceAddcdiv: run what phase 1 prepared. Returns a status."""

def aclnnInplaceAddcmulGetWorkspaceSize(
    selfRef: Any,
    tensor1: Any,
    tensor2: Any,
    value: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceAddcmul: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    tensor1: the first factor.
    tensor2: the second factor.
    value: a third factor.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceAddcmul(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceAddcmul: run what phase 1 prepared. Returns a status."""

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

def aclnnInplaceAsinGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceAsin: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceAsin(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceAsin: run what phase 1 prepared. Returns a status."""

def aclnnInplaceAsinhGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceAsinh: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceAsinh(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceAsinh: run what phase 1 prepared. Returns a status."""

def aclnnInplaceAtanGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceAtan: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceAtan(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceAtan: run what phase 1 prepared. Returns a status."""

def aclnnInplaceAtan2GetWorkspaceSize(selfRef: Any, other: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceAtan2: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceAtan2(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceAtan2: run what phase 1 prepared. Returns a status."""

def aclnnInplaceAtanhGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceAtanh: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceAtanh(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceAtanh: run what phase 1 prepared. Returns a status."""

def aclnnInplaceBitwiseAndScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceBitwiseAndScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceBitwiseAndScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceBitwiseAndScalar: run what phase 1 prepared. Returns a status."""

def aclnnInplaceBitwiseAndTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceBitwiseAndTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceBitwiseAndTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceBitwiseAndTensor: run what phase 1 prepared. Returns a status."""

def aclnnInplaceBitwiseOrScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceBitwiseOrScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceBitwiseOrScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceBitwiseOrScalar: run what phase 1 prepared. Returns a status."""

def aclnnInplaceBitwiseOrTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceBitwiseOrTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceBitwiseOrTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceBitwiseOrTensor: run what phase 1 prepared. Returns a status."""

def aclnnInplaceBitwiseXorScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceBitwiseXorScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceBitwiseXorScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceBitwiseXorScalar: run what phase 1 prepared. Returns a status."""

def aclnnInplaceBitwiseXorTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceBitwiseXorTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceBitwiseXorTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceBitwiseXorTensor: run what phase 1 prepared. Returns a status."""

def aclnnInplaceCeilGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceCeil: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceCeil(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceCeil: run what phase 1 prepared. Returns a status."""

def aclnnInplaceCeluGetWorkspaceSize(
    selfRef: Any,
    alpha: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceCelu: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    alpha: minus its limit far below 0.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceCelu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceCelu: run what phase 1 prepared. Returns a status."""

def aclnnInplaceClampMaxGetWorkspaceSize(
    selfRef: Any,
    clipValueMax: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceClampMax: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    clipValueMax: the upper limit.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceClampMax(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceClampMax: run what phase 1 prepared. Returns a status."""

def aclnnInplaceClampMaxTensorGetWorkspaceSize(
    selfRef: Any,
    clipValueMax: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceClampMaxTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    clipValueMax: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceClampMaxTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceClampMaxTensor: run what phase 1 prepared. Returns a status."""

def aclnnInplaceClampMinGetWorkspaceSize(
    selfRef: Any,
    clipValueMin: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceClampMin: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    clipValueMin: the lower limit.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceClampMin(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceClampMin: run what phase 1 prepared. Returns a status."""

def aclnnInplaceClampMinTensorGetWorkspaceSize(
    selfRef: Any,
    clipValueMin: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceClampMinTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    clipValueMin: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceClampMinTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceClampMinTensor: run what phase 1 prepared. Returns a status."""

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

def aclnnInplaceCosGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceCos: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceCos(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceCos: run what phase 1 prepared. Returns a status."""

def aclnnInplaceCoshGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceCosh: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceCosh(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceCosh: run what phase 1 prepared. Returns a status."""

def aclnnInplaceDivGetWorkspaceSize(selfRef: Any, other: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceDiv: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceDiv(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceDiv: run what phase 1 prepared. Returns a status."""

def aclnnInplaceDivModGetWorkspaceSize(
    selfRef: Any,
    other: Any,
    mode: int,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceDivMod: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.
    mode: what becomes of the fraction.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceDivMod(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceDivMod: run what phase 1 prepared. Returns a status."""

def aclnnInplaceDivModsGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
    mode: int,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceDivMods: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.
    mode: what becomes of the fraction.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceDivMods(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceDivMods: run what phase 1 prepared. Returns a status."""

def aclnnInplaceDivsGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceDivs: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceDivs(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceDivs: run what phase 1 prepared. Returns a status."""

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

def aclnnInplaceErfGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceErf: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceErf(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceErf: run what phase 1 prepared. Returns a status."""

def aclnnInplaceErfcGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceErfc: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceErfc(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceErfc: run what phase 1 prepared. Returns a status."""

def aclnnInplaceErfinvGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceErfinv: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceErfinv(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceErfinv: run what phase 1 prepared. Returns a status."""

def aclnnInplaceExpGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceExp: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceExp(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceExp: run what phase 1 prepared. Returns a status."""

def aclnnInplaceExp2GetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceExp2: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceExp2(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceExp2: run what phase 1 prepared. Returns a status."""

def aclnnInplaceExpm1GetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceExpm1: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceExpm1(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceExpm1: run what phase 1 prepared. Returns a status."""

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

def aclnnInplaceFloorGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceFloor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceFloor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceFloor: run what phase 1 prepared. Returns a status."""

def aclnnInplaceFloorDivideGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceFloorDivide: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceFloorDivide(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceFloorDivide: run what phase 1 prepared. Returns a status."""

def aclnnInplaceFloorDividesGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceFloorDivides: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceFloorDivides(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceFloorDivides: run what phase 1 prepared. Returns a status."""

def aclnnInplaceFmodScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceFmodScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceFmodScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceFmodScalar: run what phase 1 prepared. Returns a status."""

def aclnnInplaceFmodTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceFmodTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceFmodTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceFmodTensor: run what phase 1 prepared. Returns a status."""

def aclnnInplaceFracGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceFrac: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceFrac(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceFrac: run what phase 1 prepared. Returns a status."""

def aclnnInplaceGeScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceGeScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceGeScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceGeScalar: run what phase 1 prepared. Returns a status."""

def aclnnInplaceGeTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceGeTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceGeTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceGeTensor: run what phase 1 prepared. Returns a status."""

def aclnnInplaceGtScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceGtScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceGtScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceGtScalar: run what phase 1 prepared. Returns a status."""

def aclnnInplaceGtTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceGtTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceGtTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceGtTensor: run what phase 1 prepared. Returns a status."""

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

def aclnnInplaceHardswishGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceHardswish: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceHardswish(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceHardswish: run what phase 1 prepared. Returns a status."""

def aclnnInplaceHardtanhGetWorkspaceSize(
    selfRef: Any,
    clipValueMin: Scalar | float | None,
    clipValueMax: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceHardtanh: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    clipValueMin: the lower limit.
    clipValueMax: the upper limit.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceHardtanh(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceHardtanh: run what phase 1 prepared. Returns a status."""

def aclnnInplaceLeScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLeScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLeScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceLeScalar: run what phase 1 prepared. Returns a status."""

def aclnnInplaceLeTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLeTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLeTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceLeTensor: run what phase 1 prepared. Returns a status."""

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

def aclnnInplaceLerpGetWorkspaceSize(
    selfRef: Any,
    end: Any,
    weight: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLerp: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    end: where weight 1 leads.
    weight: how far to go.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLerp(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceLerp: run what phase 1 prepared. Returns a status."""

def aclnnInplaceLerpsGetWorkspaceSize(
    selfRef: Any,
    end: Any,
    weight: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLerps: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    end: where weight 1 leads.
    weight: how far to go.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLerps(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceLerps: run what phase 1 prepared. Returns a status."""

def aclnnInplaceLogGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLog: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLog(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceLog: run what phase 1 prepared. Returns a status."""

def aclnnInplaceLog10GetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLog10: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLog10(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceLog10: run what phase 1 prepared. Returns a status."""

def aclnnInplaceLog1pGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLog1p: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLog1p(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceLog1p: run what phase 1 prepared. Returns a status."""

def aclnnInplaceLog2GetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLog2: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLog2(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceLog2: run what phase 1 prepared. Returns a status."""

def aclnnInplaceLogicalAndGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLogicalAnd: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLogicalAnd(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceLogicalAnd: run what phase 1 prepared. Returns a status."""

def aclnnInplaceLogicalNotGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLogicalNot: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLogicalNot(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceLogicalNot: run what phase 1 prepared. Returns a status."""

def aclnnInplaceLogicalOrGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLogicalOr: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLogicalOr(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceLogicalOr: run what phase 1 prepared. Returns a status."""

def aclnnInplaceLtScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLtScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLtScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceLtScalar: run what phase 1 prepared. Returns a status."""

def aclnnInplaceLtTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLtTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLtTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceLtTensor: run what phase 1 prepared. Returns a status."""

def aclnnInplaceMishGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceMish: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceMish(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceMish: run what phase 1 prepared. Returns a status."""

def aclnnInplaceMulGetWorkspaceSize(selfRef: Any, other: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceMul: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceMul(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceMul: run what phase 1 prepared. Returns a status."""

def aclnnInplaceMulsGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceMuls: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceMuls(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceMuls: run what phase 1 prepared. Returns a status."""

def aclnnInplaceNanToNumGetWorkspaceSize(
    selfRef: Any,
    nan: float,
    posinf: float,
    neginf: float,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceNanToNum: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    nan: what NaN becomes.
    posinf: what infinity becomes.
    neginf: what -infinity becomes.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceNanToNum(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceNanToNum: run what phase 1 prepared. Returns a status."""

def aclnnInplaceNeScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceNeScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceNeScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceNeScalar: run what phase 1 prepared. Returns a status."""

def aclnnInplaceNeTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceNeTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceNeTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceNeTensor: run what phase 1 prepared. Returns a status."""

def aclnnInplaceNegGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceNeg: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceNeg(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceNeg: run what phase 1 prepared. Returns a status."""

def aclnnInplaceOneGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceOne: check the arguments and prepare the call.

    selfRef: what is overwritten.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceOne(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceOne: run what phase 1 prepared. Returns a status."""

def aclnnInplacePowTensorScalarGetWorkspaceSize(
    selfRef: Any,
    exponent: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplacePowTensorScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    exponent: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplacePowTensorScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplacePowTensorScalar: run what phase 1 prepared. Returns a status."""

def aclnnInplacePowTensorTensorGetWorkspaceSize(
    selfRef: Any,
    exponent: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplacePowTensorTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    exponent: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplacePowTensorTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplacePowTensorTensor: run what phase 1 prepared. Returns a status."""

def aclnnInplaceReciprocalGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceReciprocal: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceReciprocal(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceReciprocal: run what phase 1 prepared. Returns a status."""

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

def aclnnInplaceRemainderTensorScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceRemainderTensorScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceRemainderTensorScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceRemainderTensorScalar: run what phase 1 prepared. Returns a status."""

def aclnnInplaceRemainderTensorTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceRemainderTensorTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceRemainderTensorTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceRemainderTensorTensor: run what phase 1 prepared. Returns a status."""

def aclnnInplaceRoundGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceRound: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceRound(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceRound: run what phase 1 prepared. Returns a status."""

def aclnnInplaceRoundDecimalsGetWorkspaceSize(
    selfRef: Any,
    decimals: int,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceRoundDecimals: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    decimals: places that stay behind the point.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceRoundDecimals(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceRoundDecimals: run what phase 1 prepared. Returns a status."""

def aclnnInplaceRsqrtGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceRsqrt: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceRsqrt(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceRsqrt: run what phase 1 prepared. Returns a status."""

def aclnnInplaceSeluGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceSelu: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceSelu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceSelu: run what phase 1 prepared. Returns a status."""

def aclnnInplaceSigmoidGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceSigmoid: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceSigmoid(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceSigmoid: run what phase 1 prepared. Returns a status."""

def aclnnInplaceSinGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceSin: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceSin(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceSin: run what phase 1 prepared. Returns a status."""

def aclnnInplaceSinhGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceSinh: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceSinh(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceSinh: run what phase 1 prepared. Returns a status."""

def aclnnInplaceSqrtGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceSqrt: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceSqrt(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceSqrt: run what phase 1 prepared. Returns a status."""

def aclnnInplaceSubGetWorkspaceSize(
    selfRef: Any,
    other: Any,
    alpha: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceSub: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.
    alpha: a factor of the second.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceSub(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceSub: run what phase 1 prepared. Returns a status."""

def aclnnInplaceSubsGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
    alpha: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceSubs: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.
    alpha: a factor of the second.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceSubs(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceSubs: run what phase 1 prepared. Returns a status."""

def aclnnInplaceTanGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceTan: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceTan(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceTan: run what phase 1 prepared. Returns a status."""

def aclnnInplaceTanhGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceTanh: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceTanh(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceTanh: run what phase 1 prepared. Returns a status."""

def aclnnInplaceThresholdGetWorkspaceSize(
    selfRef: Any,
    threshold: Scalar | float | None,
    value: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceThreshold: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    threshold: up to which values are replaced.
    value: what they become.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceThreshold(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceThreshold: run what phase 1 prepared. Returns a status."""

def aclnnInplaceTrilGetWorkspaceSize(
    selfRef: Any,
    diagonal: int,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceTril: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    diagonal: which diagonal.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceTril(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceTril: run what phase 1 prepared. Returns a status."""

def aclnnInplaceTriuGetWorkspaceSize(
    selfRef: Any,
    diagonal: int,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceTriu: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    diagonal: which diagonal.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceTriu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceTriu: run what phase 1 prepared. Returns a status."""

def aclnnInplaceTruncGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceTrunc: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceTrunc(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnInplaceTrunc: run what phase 1 prepared. Returns a status."""

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

def aclnnIsCloseGetWorkspaceSize(
    self: Any,
    other: Any,
    rtol: float,
    atol: float,
    equalNan: bool,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnIsClose: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    rtol: how far, beside other.
    atol: how far, in any case.
    equalNan: whether NaN is close to NaN.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnIsClose(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnIsClose: run what phase 1 prepared. Returns a status."""

def aclnnIsFiniteGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnIsFinite: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnIsFinite(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnIsFinite: run what phase 1 prepared. Returns a status."""

def aclnnIsInfGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnIsInf: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnIsInf(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnIsInf: run what phase 1 prepared. Returns a status."""

def aclnnIsNegInfGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnIsNegInf: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnIsNegInf(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnIsNegInf: run what phase 1 prepared. Returns a status."""

def aclnnIsPosInfGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnIsPosInf: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnIsPosInf(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnIsPosInf: run what phase 1 prepared. Returns a status."""

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

def aclnnL1LossBackwardGetWorkspaceSize(
    gradOutput: Any,
    self: Any,
    target: Any,
    reduction: int,
    gradInput: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnL1LossBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to the loss.
    self: the prediction.
    target: what was to be predicted.
    reduction: none, mean or sum: 0, 1 or 2.
    gradInput: gradient with respect to self.

    Returns (status, workspace_size, executor).
    """

def aclnnL1LossBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnL1LossBackward: run what phase 1 prepared. Returns a status."""

def aclnnLeScalarGetWorkspaceSize(
    self: Any,
    other: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLeScalar: check the arguments and prepare the call.

    self: the input.
    other: the number beside it.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLeScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLeScalar: run what phase 1 prepared. Returns a status."""

def aclnnLeTensorGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLeTensor: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLeTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLeTensor: run what phase 1 prepared. Returns a status."""

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

def aclnnLeftShiftGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLeftShift: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLeftShift(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLeftShift: run what phase 1 prepared. Returns a status."""

def aclnnLeftShiftsGetWorkspaceSize(
    self: Any,
    other: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLeftShifts: check the arguments and prepare the call.

    self: the input.
    other: the number beside it.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLeftShifts(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLeftShifts: run what phase 1 prepared. Returns a status."""

def aclnnLerpGetWorkspaceSize(
    self: Any,
    end: Any,
    weight: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLerp: check the arguments and prepare the call.

    self: the input.
    end: where weight 1 leads.
    weight: how far to go.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLerp(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLerp: run what phase 1 prepared. Returns a status."""

def aclnnLerpsGetWorkspaceSize(
    self: Any,
    end: Any,
    weight: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLerps: check the arguments and prepare the call.

    self: the input.
    end: where weight 1 leads.
    weight: how far to go.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLerps(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLerps: run what phase 1 prepared. Returns a status."""

def aclnnLinspaceGetWorkspaceSize(
    start: Scalar | float | None,
    end: Scalar | float | None,
    steps: int,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLinspace: check the arguments and prepare the call.

    start: the first number.
    end: the last number.
    steps: how many there are.
    out: the numbers.

    Returns (status, workspace_size, executor).
    """

def aclnnLinspace(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLinspace: run what phase 1 prepared. Returns a status."""

def aclnnLogGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLog: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLog(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLog: run what phase 1 prepared. Returns a status."""

def aclnnLog10GetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLog10: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLog10(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLog10: run what phase 1 prepared. Returns a status."""

def aclnnLog1pGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLog1p: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLog1p(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLog1p: run what phase 1 prepared. Returns a status."""

def aclnnLog2GetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLog2: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLog2(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLog2: run what phase 1 prepared. Returns a status."""

def aclnnLogAddExpGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLogAddExp: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLogAddExp(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLogAddExp: run what phase 1 prepared. Returns a status."""

def aclnnLogAddExp2GetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLogAddExp2: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLogAddExp2(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLogAddExp2: run what phase 1 prepared. Returns a status."""

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

def aclnnLogicalAndGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLogicalAnd: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLogicalAnd(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLogicalAnd: run what phase 1 prepared. Returns a status."""

def aclnnLogicalNotGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLogicalNot: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLogicalNot(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLogicalNot: run what phase 1 prepared. Returns a status."""

def aclnnLogicalOrGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLogicalOr: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLogicalOr(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLogicalOr: run what phase 1 prepared. Returns a status."""

def aclnnLogicalXorGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLogicalXor: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLogicalXor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLogicalXor: run what phase 1 prepared. Returns a status."""

def aclnnLtScalarGetWorkspaceSize(
    self: Any,
    other: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLtScalar: check the arguments and prepare the call.

    self: the input.
    other: the number beside it.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLtScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLtScalar: run what phase 1 prepared. Returns a status."""

def aclnnLtTensorGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLtTensor: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLtTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnLtTensor: run what phase 1 prepared. Returns a status."""

def aclnnMaximumGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnMaximum: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnMaximum(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnMaximum: run what phase 1 prepared. Returns a status."""

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

def aclnnMinimumGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnMinimum: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnMinimum(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnMinimum: run what phase 1 prepared. Returns a status."""

def aclnnMishGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnMish: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnMish(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnMish: run what phase 1 prepared. Returns a status."""

def aclnnMishBackwardGetWorkspaceSize(
    gradOutput: Any,
    self: Any,
    gradInput: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnMishBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to mish's result.
    self: the input of mish.
    gradInput: gradient with respect to the input.

    Returns (status, workspace_size, executor).
    """

def aclnnMishBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnMishBackward: run what phase 1 prepared. Returns a status."""

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

def aclnnMseLossBackwardGetWorkspaceSize(
    gradOutput: Any,
    self: Any,
    target: Any,
    reduction: int,
    gradInput: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnMseLossBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to the loss.
    self: the prediction.
    target: what was to be predicted.
    reduction: none, mean or sum: 0, 1 or 2.
    gradInput: gradient with respect to self.

    Returns (status, workspace_size, executor).
    """

def aclnnMseLossBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnMseLossBackward: run what phase 1 prepared. Returns a status."""

def aclnnMulGetWorkspaceSize(self: Any, other: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnMul: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnMul(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnMul: run what phase 1 prepared. Returns a status."""

def aclnnMulsGetWorkspaceSize(
    self: Any,
    other: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnMuls: check the arguments and prepare the call.

    self: the input.
    other: the number beside it.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnMuls(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnMuls: run what phase 1 prepared. Returns a status."""

def aclnnNanToNumGetWorkspaceSize(
    self: Any,
    nan: float,
    posinf: float,
    neginf: float,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnNanToNum: check the arguments and prepare the call.

    self: the input.
    nan: what NaN becomes.
    posinf: what infinity becomes.
    neginf: what -infinity becomes.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnNanToNum(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnNanToNum: run what phase 1 prepared. Returns a status."""

def aclnnNeScalarGetWorkspaceSize(
    self: Any,
    other: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnNeScalar: check the arguments and prepare the call.

    self: the input.
    other: the number beside it.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnNeScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnNeScalar: run what phase 1 prepared. Returns a status."""

def aclnnNeTensorGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnNeTensor: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnNeTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnNeTensor: run what phase 1 prepared. Returns a status."""

def aclnnNegGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnNeg: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnNeg(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnNeg: run what phase 1 prepared. Returns a status."""

def aclnnPermuteGetWorkspaceSize(
    self: Any,
    dims: Sequence[int] | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnPermute: check the arguments and prepare the call.

    self: the input.
    dims: which dimension comes where.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnPermute(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnPermute: run what phase 1 prepared. Returns a status."""

def aclnnPowScalarTensorGetWorkspaceSize(
    self: Scalar | float | None,
    exponent: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnPowScalarTensor: check the arguments and prepare the call.

    self: the number beside it.
    exponent: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnPowScalarTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnPowScalarTensor: run what phase 1 prepared. Returns a status."""

def aclnnPowTensorScalarGetWorkspaceSize(
    self: Any,
    exponent: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnPowTensorScalar: check the arguments and prepare the call.

    self: the input.
    exponent: the number beside it.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnPowTensorScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnPowTensorScalar: run what phase 1 prepared. Returns a status."""

def aclnnPowTensorTensorGetWorkspaceSize(
    self: Any,
    exponent: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnPowTensorTensor: check the arguments and prepare the call.

    self: the input.
    exponent: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnPowTensorTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnPowTensorTensor: run what phase 1 prepared. Returns a status."""

def aclnnPreluGetWorkspaceSize(
    self: Any,
    weight: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnPrelu: check the arguments and prepare the call.

    self: the input.
    weight: the slopes below 0.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnPrelu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnPrelu: run what phase 1 prepared. Returns a status."""

def aclnnRangeGetWorkspaceSize(
    start: Scalar | float | None,
    end: Scalar | float | None,
    step: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnRange: check the arguments and prepare the call.

    start: the first number.
    end: what is not reached.
    step: from one to the next.
    out: the numbers, along one dimension.

    Returns (status, workspace_size, executor).
    """

def aclnnRange(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnRange: run what phase 1 prepared. Returns a status."""

def aclnnReciprocalGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnReciprocal: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnReciprocal(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnReciprocal: run what phase 1 prepared. Returns a status."""

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

def aclnnReflectionPad1dGetWorkspaceSize(
    self: Any,
    padding: Sequence[int] | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnReflectionPad1d: check the arguments and prepare the call.

    self: the input.
    padding: how many before and after.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnReflectionPad1d(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnReflectionPad1d: run what phase 1 prepared. Returns a status."""

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

def aclnnRemainderScalarTensorGetWorkspaceSize(
    self: Scalar | float | None,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnRemainderScalarTensor: check the arguments and prepare the call.

    self: the number beside it.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnRemainderScalarTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnRemainderScalarTensor: run what phase 1 prepared. Returns a status."""

def aclnnRemainderTensorScalarGetWorkspaceSize(
    self: Any,
    other: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnRemainderTensorScalar: check the arguments and prepare the call.

    self: the input.
    other: the number beside it.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnRemainderTensorScalar(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnRemainderTensorScalar: run what phase 1 prepared. Returns a status."""

def aclnnRemainderTensorTensorGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnRemainderTensorTensor: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnRemainderTensorTensor(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnRemainderTensorTensor: run what phase 1 prepared. Returns a status."""

def aclnnRepeatGetWorkspaceSize(
    self: Any,
    repeats: Sequence[int] | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnRepeat: check the arguments and prepare the call.

    self: the input.
    repeats: how often along every dimension.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnRepeat(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnRepeat: run what phase 1 prepared. Returns a status."""

def aclnnRepeatInterleaveIntWithDimGetWorkspaceSize(
    self: Any,
    repeats: int,
    dim: int,
    outputSize: int,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnRepeatInterleaveIntWithDim: check the arguments and prepare the call.

    self: the input.
    repeats: how often.
    dim: the dimension.
    outputSize: how long the result is there.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnRepeatInterleaveIntWithDim(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnRepeatInterleaveIntWithDim: run what phase 1 prepared. Returns a status."""

def aclnnRightShiftGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnRightShift: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnRightShift(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnRightShift: run what phase 1 prepared. Returns a status."""

def aclnnRoundGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnRound: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnRound(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnRound: run what phase 1 prepared. Returns a status."""

def aclnnRoundDecimalsGetWorkspaceSize(
    self: Any,
    decimals: int,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnRoundDecimals: check the arguments and prepare the call.

    self: the input.
    decimals: places that stay behind the point.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnRoundDecimals(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnRoundDecimals: run what phase 1 prepared. Returns a status."""

def aclnnRsqrtGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnRsqrt: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnRsqrt(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnRsqrt: run what phase 1 prepared. Returns a status."""

def aclnnRsubGetWorkspaceSize(
    self: Any,
    other: Any,
    alpha: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnRsub: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    alpha: a factor of the first.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnRsub(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnRsub: run what phase 1 prepared. Returns a status."""

def aclnnRsubsGetWorkspaceSize(
    self: Any,
    other: Scalar | float | None,
    alpha: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnRsubs: check the arguments and prepare the call.

    self: the input.
    other: the number beside it.
    alpha: a factor of the first.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnRsubs(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnRsubs: run what phase 1 prepared. Returns a status."""

def aclnnSWhereGetWorkspaceSize(
    condition: Any,
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSWhere: check the arguments and prepare the call.

    condition: whether to take self.
    self: what is taken where it holds.
    other: what is taken elsewhere.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSWhere(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSWhere: run what phase 1 prepared. Returns a status."""

def aclnnSeluGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSelu: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSelu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSelu: run what phase 1 prepared. Returns a status."""

def aclnnSeluBackwardGetWorkspaceSize(
    gradOutput: Any,
    result: Any,
    gradInput: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSeluBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to SELU's result.
    result: the result of SELU.
    gradInput: gradient with respect to the input.

    Returns (status, workspace_size, executor).
    """

def aclnnSeluBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSeluBackward: run what phase 1 prepared. Returns a status."""

def aclnnShrinkGetWorkspaceSize(
    self: Any,
    lambd: Scalar | float | None,
    bias: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnShrink: check the arguments and prepare the call.

    self: the input.
    lambd: up to which magnitude.
    bias: what is taken away.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnShrink(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnShrink: run what phase 1 prepared. Returns a status."""

def aclnnSigmoidGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSigmoid: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSigmoid(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSigmoid: run what phase 1 prepared. Returns a status."""

def aclnnSigmoidBackwardGetWorkspaceSize(
    gradOutput: Any,
    output: Any,
    gradInput: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSigmoidBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to sigmoid's result.
    output: the result of sigmoid.
    gradInput: gradient with respect to the input.

    Returns (status, workspace_size, executor).
    """

def aclnnSigmoidBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSigmoidBackward: run what phase 1 prepared. Returns a status."""

def aclnnSignGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSign: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSign(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSign: run what phase 1 prepared. Returns a status."""

def aclnnSignbitGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSignbit: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSignbit(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSignbit: run what phase 1 prepared. Returns a status."""

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

def aclnnSinGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSin: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSin(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSin: run what phase 1 prepared. Returns a status."""

def aclnnSinhGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSinh: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSinh(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSinh: run what phase 1 prepared. Returns a status."""

def aclnnSliceGetWorkspaceSize(
    self: Any,
    dim: int,
    start: int,
    end: int,
    step: int,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSlice: check the arguments and prepare the call.

    self: the input.
    dim: the dimension.
    start: the first.
    end: what is not reached.
    step: from one to the next.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSlice(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSlice: run what phase 1 prepared. Returns a status."""

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

def aclnnSoftMarginLossBackwardGetWorkspaceSize(
    gradOutput: Any,
    self: Any,
    target: Any,
    reduction: int,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSoftMarginLossBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to the loss.
    self: the prediction.
    target: what was to be predicted.
    reduction: none, mean or sum: 0, 1 or 2.
    out: gradient with respect to self.

    Returns (status, workspace_size, executor).
    """

def aclnnSoftMarginLossBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSoftMarginLossBackward: run what phase 1 prepared. Returns a status."""

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

def aclnnSoftplusGetWorkspaceSize(
    self: Any,
    beta: Scalar | float | None,
    threshold: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSoftplus: check the arguments and prepare the call.

    self: the input.
    beta: a factor inside.
    threshold: where it becomes linear.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSoftplus(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSoftplus: run what phase 1 prepared. Returns a status."""

def aclnnSoftplusBackwardGetWorkspaceSize(
    gradOutput: Any,
    self: Any,
    beta: Scalar | float | None,
    threshold: Scalar | float | None,
    gradInput: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSoftplusBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to softplus's result.
    self: the input of softplus.
    beta: a factor inside.
    threshold: where it becomes linear.
    gradInput: gradient with respect to the input.

    Returns (status, workspace_size, executor).
    """

def aclnnSoftplusBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSoftplusBackward: run what phase 1 prepared. Returns a status."""

def aclnnSoftshrinkGetWorkspaceSize(
    self: Any,
    lambd: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSoftshrink: check the arguments and prepare the call.

    self: the input.
    lambd: up to which magnitude.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSoftshrink(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSoftshrink: run what phase 1 prepared. Returns a status."""

def aclnnSoftshrinkBackwardGetWorkspaceSize(
    gradOutput: Any,
    self: Any,
    lambd: Scalar | float | None,
    gradInput: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSoftshrinkBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to softshrink's result.
    self: the input of softshrink.
    lambd: up to which magnitude.
    gradInput: gradient with respect to the input.

    Returns (status, workspace_size, executor).
    """

def aclnnSoftshrinkBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSoftshrinkBackward: run what phase 1 prepared. Returns a status."""

def aclnnSqrtGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSqrt: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSqrt(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSqrt: run what phase 1 prepared. Returns a status."""

def aclnnSquareGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSquare: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSquare(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSquare: run what phase 1 prepared. Returns a status."""

def aclnnSquaredReluGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSquaredRelu: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSquaredRelu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSquaredRelu: run what phase 1 prepared. Returns a status."""

def aclnnSubGetWorkspaceSize(
    self: Any,
    other: Any,
    alpha: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSub: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    alpha: a factor of the second.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSub(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSub: run what phase 1 prepared. Returns a status."""

def aclnnSubsGetWorkspaceSize(
    self: Any,
    other: Scalar | float | None,
    alpha: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSubs: check the arguments and prepare the call.

    self: the input.
    other: the number beside it.
    alpha: a factor of the second.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSubs(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSubs: run what phase 1 prepared. Returns a status."""

def aclnnSwiGluGetWorkspaceSize(self: Any, dim: int, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSwiGlu: check the arguments and prepare the call.

    self: the input, of even size along dim.
    dim: the dimension that is halved.
    out: the result, half as long along dim.

    Returns (status, workspace_size, executor).
    """

def aclnnSwiGlu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSwiGlu: run what phase 1 prepared. Returns a status."""

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

def aclnnSwishBackwardGetWorkspaceSize(
    gradOutput: Any,
    self: Any,
    betaOptional: Scalar | float | None,
    gradInput: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSwishBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to swish's result.
    self: the input of swish.
    betaOptional: a factor inside, 1 where it is null.
    gradInput: gradient with respect to the input.

    Returns (status, workspace_size, executor).
    """

def aclnnSwishBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnSwishBackward: run what phase 1 prepared. Returns a status."""

def aclnnTanGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnTan: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnTan(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnTan: run what phase 1 prepared. Returns a status."""

def aclnnTanhGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnTanh: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnTanh(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnTanh: run what phase 1 prepared. Returns a status."""

def aclnnTanhBackwardGetWorkspaceSize(
    gradOutput: Any,
    output: Any,
    gradInput: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnTanhBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to tanh's result.
    output: the result of tanh.
    gradInput: gradient with respect to the input.

    Returns (status, workspace_size, executor).
    """

def aclnnTanhBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnTanhBackward: run what phase 1 prepared. Returns a status."""

def aclnnThresholdGetWorkspaceSize(
    self: Any,
    threshold: Scalar | float | None,
    value: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnThreshold: check the arguments and prepare the call.

    self: the input.
    threshold: up to which values are replaced.
    value: what they become.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnThreshold(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnThreshold: run what phase 1 prepared. Returns a status."""

def aclnnThresholdBackwardGetWorkspaceSize(
    gradOutput: Any,
    self: Any,
    threshold: Scalar | float | None,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnThresholdBackward: check the arguments and prepare the call.

    gradOutput: gradient with respect to threshold's result.
    self: the input of threshold.
    threshold: up to which the slope is 0.
    out: gradient with respect to the input.

    Returns (status, workspace_size, executor).
    """

def aclnnThresholdBackward(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnThresholdBackward: run what phase 1 prepared. Returns a status."""

def aclnnTrilGetWorkspaceSize(
    self: Any,
    diagonal: int,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnTril: check the arguments and prepare the call.

    self: the input.
    diagonal: which diagonal.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnTril(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnTril: run what phase 1 prepared. Returns a status."""

def aclnnTriuGetWorkspaceSize(
    self: Any,
    diagonal: int,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnTriu: check the arguments and prepare the call.

    self: the input.
    diagonal: which diagonal.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnTriu(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnTriu: run what phase 1 prepared. Returns a status."""

def aclnnTruncGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnTrunc: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnTrunc(
    workspace: Any,
    workspaceSize: int,
    executor: Executor | None,
    stream: Any = None,
) -> int:
    """Phase 2 of aclnnTrunc: run what phase 1 prepared. Returns a status."""

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
