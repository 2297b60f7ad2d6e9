# Written by python -m openaclnn.calls.stubs from the operators' specs; not by hand.

from collections.abc import Sequence
from typing import Any, Final, Protocol

from openaclnn.base.scalars import Scalar
from openaclnn.calls.executor import Executor

class _SecondPhase(Protocol):
    """Run what phase 1 prepared. Returns a status."""

    def __call__(
        self, workspace: Any, workspaceSize: int, executor: Executor | None, stream: Any = None
    ) -> int: ...

def aclnnAbsGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAbs: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnAcosGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAcos: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnAcoshGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAcosh: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnAsinGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAsin: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnAsinhGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAsinh: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnAtanGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAtan: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnAtan2GetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAtan2: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnAtanhGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnAtanh: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnBitwiseNotGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnBitwiseNot: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnCastGetWorkspaceSize(
    self: Any,
    dtype: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnCast: check the arguments and prepare the call.

    self: the input.
    dtype: of the result.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnCatGetWorkspaceSize(
    tensors: Any,
    dim: int,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnCat: check the arguments and prepare the call.

    tensors: what is joined.
    dim: the dimension along which it is.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnCeilGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnCeil: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnCosGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnCos: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnCoshGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnCosh: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnDivGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnDiv: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnErfGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnErf: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnErfcGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnErfc: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnErfinvGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnErfinv: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnExpGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnExp: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnExp2GetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnExp2: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnExpm1GetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnExpm1: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnEyeGetWorkspaceSize(n: int, m: int, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnEye: check the arguments and prepare the call.

    n: rows.
    m: columns.
    out: the matrix.

    Returns (status, workspace_size, executor).
    """

def aclnnFastGeluGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnFastGelu: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnFloorGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnFloor: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnFracGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnFrac: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnGcdGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnGcd: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnGeluGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnGelu: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnGluGetWorkspaceSize(self: Any, dim: int, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnGlu: check the arguments and prepare the call.

    self: the input, of even size along dim.
    dim: the dimension that is halved.
    out: the result, half as long along dim.

    Returns (status, workspace_size, executor).
    """

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

def aclnnHardsigmoidGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnHardsigmoid: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnHardswishGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnHardswish: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnInplaceAcosGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceAcos: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceAcoshGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceAcosh: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

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

def aclnnInplaceAsinGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceAsin: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceAsinhGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceAsinh: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceAtanGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceAtan: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceAtan2GetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceAtan2: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceAtanhGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceAtanh: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceBitwiseAndScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceBitwiseAndScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceBitwiseAndTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceBitwiseAndTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceBitwiseOrScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceBitwiseOrScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceBitwiseOrTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceBitwiseOrTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceBitwiseXorScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceBitwiseXorScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceBitwiseXorTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceBitwiseXorTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceCeilGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceCeil: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceCeluGetWorkspaceSize(
    selfRef: Any,
    alpha: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceCelu: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    alpha: minus its limit far below 0.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceClampMaxGetWorkspaceSize(
    selfRef: Any,
    clipValueMax: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceClampMax: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    clipValueMax: the upper limit.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceClampMaxTensorGetWorkspaceSize(
    selfRef: Any,
    clipValueMax: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceClampMaxTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    clipValueMax: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceClampMinGetWorkspaceSize(
    selfRef: Any,
    clipValueMin: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceClampMin: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    clipValueMin: the lower limit.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceClampMinTensorGetWorkspaceSize(
    selfRef: Any,
    clipValueMin: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceClampMinTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    clipValueMin: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceCopyGetWorkspaceSize(
    selfRef: Any,
    src: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceCopy: check the arguments and prepare the call.

    selfRef: what is overwritten.
    src: what is copied.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceCosGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceCos: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceCoshGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceCosh: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceDivGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceDiv: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

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

def aclnnInplaceDivsGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceDivs: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

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

def aclnnInplaceEqScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceEqScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceEqTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceEqTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceErfGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceErf: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceErfcGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceErfc: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceErfinvGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceErfinv: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceExpGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceExp: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceExp2GetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceExp2: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceExpm1GetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceExpm1: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceFillScalarGetWorkspaceSize(
    selfRef: Any,
    value: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceFillScalar: check the arguments and prepare the call.

    selfRef: what is overwritten.
    value: what every element becomes.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceFloorGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceFloor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceFloorDivideGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceFloorDivide: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceFloorDividesGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceFloorDivides: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceFmodScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceFmodScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceFmodTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceFmodTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceFracGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceFrac: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceGeScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceGeScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceGeTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceGeTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceGtScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceGtScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceGtTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceGtTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceHardsigmoidGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceHardsigmoid: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceHardswishGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceHardswish: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

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

def aclnnInplaceLeScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLeScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLeTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLeTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLeakyReluGetWorkspaceSize(
    selfRef: Any,
    negativeSlope: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLeakyRelu: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    negativeSlope: the slope below 0.

    Returns (status, workspace_size, executor).
    """

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

def aclnnInplaceLogGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLog: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLog10GetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLog10: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLog1pGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLog1p: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLog2GetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLog2: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLogicalAndGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLogicalAnd: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLogicalNotGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLogicalNot: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLogicalOrGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLogicalOr: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLtScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLtScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceLtTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceLtTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceMishGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceMish: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceMulGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceMul: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceMulsGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceMuls: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceNanToNumGetWorkspaceSize(
    selfRef: Any,
    nan: float,
    posinf: float,
    neginf: float,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceNanToNum: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    nan: what NaN becomes.
    posinf: what infinity becomes; the largest float: the dtype's largest.
    neginf: what -infinity becomes; the lowest float: the dtype's lowest.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceNeScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceNeScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceNeTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceNeTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceNegGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceNeg: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceOneGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceOne: check the arguments and prepare the call.

    selfRef: what is overwritten.

    Returns (status, workspace_size, executor).
    """

def aclnnInplacePowTensorScalarGetWorkspaceSize(
    selfRef: Any,
    exponent: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplacePowTensorScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    exponent: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplacePowTensorTensorGetWorkspaceSize(
    selfRef: Any,
    exponent: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplacePowTensorTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    exponent: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceReciprocalGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceReciprocal: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceReluGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceRelu: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceRemainderTensorScalarGetWorkspaceSize(
    selfRef: Any,
    other: Scalar | float | None,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceRemainderTensorScalar: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the number beside it.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceRemainderTensorTensorGetWorkspaceSize(
    selfRef: Any,
    other: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceRemainderTensorTensor: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    other: the second input.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceRoundGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceRound: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceRoundDecimalsGetWorkspaceSize(
    selfRef: Any,
    decimals: int,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceRoundDecimals: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    decimals: places that stay behind the point.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceRsqrtGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceRsqrt: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceSeluGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceSelu: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceSigmoidGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceSigmoid: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceSinGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceSin: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceSinhGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceSinh: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceSqrtGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceSqrt: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

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

def aclnnInplaceTanGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceTan: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceTanhGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceTanh: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

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

def aclnnInplaceTrilGetWorkspaceSize(
    selfRef: Any,
    diagonal: int,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceTril: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    diagonal: which diagonal.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceTriuGetWorkspaceSize(
    selfRef: Any,
    diagonal: int,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceTriu: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.
    diagonal: which diagonal.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceTruncGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceTrunc: check the arguments and prepare the call.

    selfRef: the input, which the result replaces.

    Returns (status, workspace_size, executor).
    """

def aclnnInplaceZeroGetWorkspaceSize(selfRef: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnInplaceZero: check the arguments and prepare the call.

    selfRef: what is overwritten.

    Returns (status, workspace_size, executor).
    """

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

def aclnnIsFiniteGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnIsFinite: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnIsInfGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnIsInf: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnIsNegInfGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnIsNegInf: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnIsPosInfGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnIsPosInf: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnLogGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLog: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLog10GetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLog10: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLog1pGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLog1p: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnLog2GetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLog2: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnLogSigmoidGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLogSigmoid: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnLogicalNotGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnLogicalNot: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnMishGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnMish: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnMulGetWorkspaceSize(
    self: Any,
    other: Any,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnMul: check the arguments and prepare the call.

    self: the input.
    other: the second input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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
    posinf: what infinity becomes; the largest float: the dtype's largest.
    neginf: what -infinity becomes; the lowest float: the dtype's lowest.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnNegGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnNeg: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnReciprocalGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnReciprocal: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnReluGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnRelu: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnRoundGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnRound: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnRsqrtGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnRsqrt: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnSeluGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSelu: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnSigmoidGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSigmoid: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnSignGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSign: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSignbitGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSignbit: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSiluGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSilu: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnSinGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSin: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSinhGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSinh: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnSoftmaxGetWorkspaceSize(
    self: Any,
    dim: int,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSoftmax: check the arguments and prepare the call.

    self: the input.
    dim: the dimension along which they sum to 1.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnSqrtGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSqrt: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSquareGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSquare: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnSquaredReluGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSquaredRelu: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnSwiGluGetWorkspaceSize(
    self: Any,
    dim: int,
    out: Any,
) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnSwiGlu: check the arguments and prepare the call.

    self: the input, of even size along dim.
    dim: the dimension that is halved.
    out: the result, half as long along dim.

    Returns (status, workspace_size, executor).
    """

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

def aclnnTanGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnTan: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

def aclnnTanhGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnTanh: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

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

def aclnnTruncGetWorkspaceSize(self: Any, out: Any) -> tuple[int, int, Executor | None]:
    """Phase 1 of aclnnTrunc: check the arguments and prepare the call.

    self: the input.
    out: the result.

    Returns (status, workspace_size, executor).
    """

aclnnAbs: _SecondPhase
aclnnAcos: _SecondPhase
aclnnAcosh: _SecondPhase
aclnnAdd: _SecondPhase
aclnnAddRelu: _SecondPhase
aclnnAddcdiv: _SecondPhase
aclnnAddcmul: _SecondPhase
aclnnAdds: _SecondPhase
aclnnAmax: _SecondPhase
aclnnArange: _SecondPhase
aclnnAsin: _SecondPhase
aclnnAsinh: _SecondPhase
aclnnAtan: _SecondPhase
aclnnAtan2: _SecondPhase
aclnnAtanh: _SecondPhase
aclnnBinaryCrossEntropyBackward: _SecondPhase
aclnnBinaryCrossEntropyWithLogitsBackward: _SecondPhase
aclnnBitwiseAndScalar: _SecondPhase
aclnnBitwiseAndTensor: _SecondPhase
aclnnBitwiseNot: _SecondPhase
aclnnBitwiseOrScalar: _SecondPhase
aclnnBitwiseOrTensor: _SecondPhase
aclnnBitwiseXorScalar: _SecondPhase
aclnnBitwiseXorTensor: _SecondPhase
aclnnCast: _SecondPhase
aclnnCat: _SecondPhase
aclnnCeil: _SecondPhase
aclnnCelu: _SecondPhase
aclnnClamp: _SecondPhase
aclnnClampMax: _SecondPhase
aclnnClampMaxTensor: _SecondPhase
aclnnClampMin: _SecondPhase
aclnnClampMinTensor: _SecondPhase
aclnnClampTensor: _SecondPhase
aclnnConstantPadNd: _SecondPhase
aclnnCos: _SecondPhase
aclnnCosh: _SecondPhase
aclnnDiv: _SecondPhase
aclnnDivMod: _SecondPhase
aclnnDivMods: _SecondPhase
aclnnDivs: _SecondPhase
aclnnElu: _SecondPhase
aclnnEluBackward: _SecondPhase
aclnnEqScalar: _SecondPhase
aclnnEqTensor: _SecondPhase
aclnnErf: _SecondPhase
aclnnErfc: _SecondPhase
aclnnErfinv: _SecondPhase
aclnnExp: _SecondPhase
aclnnExp2: _SecondPhase
aclnnExpm1: _SecondPhase
aclnnEye: _SecondPhase
aclnnFastGelu: _SecondPhase
aclnnFastGeluBackward: _SecondPhase
aclnnFloor: _SecondPhase
aclnnFloorDivide: _SecondPhase
aclnnFloorDivides: _SecondPhase
aclnnFmodScalar: _SecondPhase
aclnnFmodTensor: _SecondPhase
aclnnFrac: _SecondPhase
aclnnGcd: _SecondPhase
aclnnGeGluV3: _SecondPhase
aclnnGeScalar: _SecondPhase
aclnnGeTensor: _SecondPhase
aclnnGelu: _SecondPhase
aclnnGeluBackward: _SecondPhase
aclnnGeluBackwardV2: _SecondPhase
aclnnGeluV2: _SecondPhase
aclnnGlu: _SecondPhase
aclnnGluBackward: _SecondPhase
aclnnGtScalar: _SecondPhase
aclnnGtTensor: _SecondPhase
aclnnHardshrink: _SecondPhase
aclnnHardshrinkBackward: _SecondPhase
aclnnHardsigmoid: _SecondPhase
aclnnHardsigmoidBackward: _SecondPhase
aclnnHardswish: _SecondPhase
aclnnHardswishBackward: _SecondPhase
aclnnHardtanh: _SecondPhase
aclnnHardtanhBackward: _SecondPhase
aclnnHeaviside: _SecondPhase
aclnnIm2col: _SecondPhase
aclnnInplaceAcos: _SecondPhase
aclnnInplaceAcosh: _SecondPhase
aclnnInplaceAdd: _SecondPhase
aclnnInplaceAddRelu: _SecondPhase
aclnnInplaceAddcdiv: _SecondPhase
aclnnInplaceAddcmul: _SecondPhase
aclnnInplaceAdds: _SecondPhase
aclnnInplaceAsin: _SecondPhase
aclnnInplaceAsinh: _SecondPhase
aclnnInplaceAtan: _SecondPhase
aclnnInplaceAtan2: _SecondPhase
aclnnInplaceAtanh: _SecondPhase
aclnnInplaceBitwiseAndScalar: _SecondPhase
aclnnInplaceBitwiseAndTensor: _SecondPhase
aclnnInplaceBitwiseOrScalar: _SecondPhase
aclnnInplaceBitwiseOrTensor: _SecondPhase
aclnnInplaceBitwiseXorScalar: _SecondPhase
aclnnInplaceBitwiseXorTensor: _SecondPhase
aclnnInplaceCeil: _SecondPhase
aclnnInplaceCelu: _SecondPhase
aclnnInplaceClampMax: _SecondPhase
aclnnInplaceClampMaxTensor: _SecondPhase
aclnnInplaceClampMin: _SecondPhase
aclnnInplaceClampMinTensor: _SecondPhase
aclnnInplaceCopy: _SecondPhase
aclnnInplaceCos: _SecondPhase
aclnnInplaceCosh: _SecondPhase
aclnnInplaceDiv: _SecondPhase
aclnnInplaceDivMod: _SecondPhase
aclnnInplaceDivMods: _SecondPhase
aclnnInplaceDivs: _SecondPhase
aclnnInplaceElu: _SecondPhase
aclnnInplaceEqScalar: _SecondPhase
aclnnInplaceEqTensor: _SecondPhase
aclnnInplaceErf: _SecondPhase
aclnnInplaceErfc: _SecondPhase
aclnnInplaceErfinv: _SecondPhase
aclnnInplaceExp: _SecondPhase
aclnnInplaceExp2: _SecondPhase
aclnnInplaceExpm1: _SecondPhase
aclnnInplaceFillScalar: _SecondPhase
aclnnInplaceFloor: _SecondPhase
aclnnInplaceFloorDivide: _SecondPhase
aclnnInplaceFloorDivides: _SecondPhase
aclnnInplaceFmodScalar: _SecondPhase
aclnnInplaceFmodTensor: _SecondPhase
aclnnInplaceFrac: _SecondPhase
aclnnInplaceGeScalar: _SecondPhase
aclnnInplaceGeTensor: _SecondPhase
aclnnInplaceGtScalar: _SecondPhase
aclnnInplaceGtTensor: _SecondPhase
aclnnInplaceHardsigmoid: _SecondPhase
aclnnInplaceHardswish: _SecondPhase
aclnnInplaceHardtanh: _SecondPhase
aclnnInplaceLeScalar: _SecondPhase
aclnnInplaceLeTensor: _SecondPhase
aclnnInplaceLeakyRelu: _SecondPhase
aclnnInplaceLerp: _SecondPhase
aclnnInplaceLerps: _SecondPhase
aclnnInplaceLog: _SecondPhase
aclnnInplaceLog10: _SecondPhase
aclnnInplaceLog1p: _SecondPhase
aclnnInplaceLog2: _SecondPhase
aclnnInplaceLogicalAnd: _SecondPhase
aclnnInplaceLogicalNot: _SecondPhase
aclnnInplaceLogicalOr: _SecondPhase
aclnnInplaceLtScalar: _SecondPhase
aclnnInplaceLtTensor: _SecondPhase
aclnnInplaceMish: _SecondPhase
aclnnInplaceMul: _SecondPhase
aclnnInplaceMuls: _SecondPhase
aclnnInplaceNanToNum: _SecondPhase
aclnnInplaceNeScalar: _SecondPhase
aclnnInplaceNeTensor: _SecondPhase
aclnnInplaceNeg: _SecondPhase
aclnnInplaceOne: _SecondPhase
aclnnInplacePowTensorScalar: _SecondPhase
aclnnInplacePowTensorTensor: _SecondPhase
aclnnInplaceReciprocal: _SecondPhase
aclnnInplaceRelu: _SecondPhase
aclnnInplaceRemainderTensorScalar: _SecondPhase
aclnnInplaceRemainderTensorTensor: _SecondPhase
aclnnInplaceRound: _SecondPhase
aclnnInplaceRoundDecimals: _SecondPhase
aclnnInplaceRsqrt: _SecondPhase
aclnnInplaceSelu: _SecondPhase
aclnnInplaceSigmoid: _SecondPhase
aclnnInplaceSin: _SecondPhase
aclnnInplaceSinh: _SecondPhase
aclnnInplaceSqrt: _SecondPhase
aclnnInplaceSub: _SecondPhase
aclnnInplaceSubs: _SecondPhase
aclnnInplaceTan: _SecondPhase
aclnnInplaceTanh: _SecondPhase
aclnnInplaceThreshold: _SecondPhase
aclnnInplaceTril: _SecondPhase
aclnnInplaceTriu: _SecondPhase
aclnnInplaceTrunc: _SecondPhase
aclnnInplaceZero: _SecondPhase
aclnnIsClose: _SecondPhase
aclnnIsFinite: _SecondPhase
aclnnIsInf: _SecondPhase
aclnnIsNegInf: _SecondPhase
aclnnIsPosInf: _SecondPhase
aclnnL1Loss: _SecondPhase
aclnnL1LossBackward: _SecondPhase
aclnnLeScalar: _SecondPhase
aclnnLeTensor: _SecondPhase
aclnnLeakyRelu: _SecondPhase
aclnnLeakyReluBackward: _SecondPhase
aclnnLeftShift: _SecondPhase
aclnnLeftShifts: _SecondPhase
aclnnLerp: _SecondPhase
aclnnLerps: _SecondPhase
aclnnLinspace: _SecondPhase
aclnnLog: _SecondPhase
aclnnLog10: _SecondPhase
aclnnLog1p: _SecondPhase
aclnnLog2: _SecondPhase
aclnnLogAddExp: _SecondPhase
aclnnLogAddExp2: _SecondPhase
aclnnLogSigmoid: _SecondPhase
aclnnLogSigmoidBackward: _SecondPhase
aclnnLogSigmoidForward: _SecondPhase
aclnnLogicalAnd: _SecondPhase
aclnnLogicalNot: _SecondPhase
aclnnLogicalOr: _SecondPhase
aclnnLogicalXor: _SecondPhase
aclnnLtScalar: _SecondPhase
aclnnLtTensor: _SecondPhase
aclnnMaximum: _SecondPhase
aclnnMean: _SecondPhase
aclnnMinimum: _SecondPhase
aclnnMish: _SecondPhase
aclnnMishBackward: _SecondPhase
aclnnMseLoss: _SecondPhase
aclnnMseLossBackward: _SecondPhase
aclnnMul: _SecondPhase
aclnnMuls: _SecondPhase
aclnnNanToNum: _SecondPhase
aclnnNeScalar: _SecondPhase
aclnnNeTensor: _SecondPhase
aclnnNeg: _SecondPhase
aclnnPermute: _SecondPhase
aclnnPowScalarTensor: _SecondPhase
aclnnPowTensorScalar: _SecondPhase
aclnnPowTensorTensor: _SecondPhase
aclnnPrelu: _SecondPhase
aclnnRange: _SecondPhase
aclnnReciprocal: _SecondPhase
aclnnReduceSum: _SecondPhase
aclnnReflectionPad1d: _SecondPhase
aclnnRelu: _SecondPhase
aclnnRemainderScalarTensor: _SecondPhase
aclnnRemainderTensorScalar: _SecondPhase
aclnnRemainderTensorTensor: _SecondPhase
aclnnRepeat: _SecondPhase
aclnnRepeatInterleaveIntWithDim: _SecondPhase
aclnnRightShift: _SecondPhase
aclnnRound: _SecondPhase
aclnnRoundDecimals: _SecondPhase
aclnnRsqrt: _SecondPhase
aclnnRsub: _SecondPhase
aclnnRsubs: _SecondPhase
aclnnSWhere: _SecondPhase
aclnnSelu: _SecondPhase
aclnnSeluBackward: _SecondPhase
aclnnShrink: _SecondPhase
aclnnSigmoid: _SecondPhase
aclnnSigmoidBackward: _SecondPhase
aclnnSign: _SecondPhase
aclnnSignbit: _SecondPhase
aclnnSilu: _SecondPhase
aclnnSiluBackward: _SecondPhase
aclnnSin: _SecondPhase
aclnnSinh: _SecondPhase
aclnnSlice: _SecondPhase
aclnnSmoothL1Loss: _SecondPhase
aclnnSmoothL1LossBackward: _SecondPhase
aclnnSoftMarginLossBackward: _SecondPhase
aclnnSoftmax: _SecondPhase
aclnnSoftmaxBackward: _SecondPhase
aclnnSoftplus: _SecondPhase
aclnnSoftplusBackward: _SecondPhase
aclnnSoftshrink: _SecondPhase
aclnnSoftshrinkBackward: _SecondPhase
aclnnSqrt: _SecondPhase
aclnnSquare: _SecondPhase
aclnnSquaredRelu: _SecondPhase
aclnnSub: _SecondPhase
aclnnSubs: _SecondPhase
aclnnSwiGlu: _SecondPhase
aclnnSwish: _SecondPhase
aclnnSwishBackward: _SecondPhase
aclnnTan: _SecondPhase
aclnnTanh: _SecondPhase
aclnnTanhBackward: _SecondPhase
aclnnThreshold: _SecondPhase
aclnnThresholdBackward: _SecondPhase
aclnnTril: _SecondPhase
aclnnTriu: _SecondPhase
aclnnTrunc: _SecondPhase

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
