# Written by python -m openaclnn.calls.stubs from the operators' specs; not by hand.

from collections.abc import Sequence  # noqa: F401  not all need it
from typing import Any, Final

from openaclnn.base.scalars import Scalar
from openaclnn.calls.executor import Executor

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
