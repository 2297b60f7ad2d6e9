"""PyTorch's operators through torch.compile: one fused kernel that writes into a given output."""

from __future__ import annotations

from typing import Any

from openaclnn.bench.alternatives import Prepared, eager
from openaclnn.bench.operands import Operands

VERSION_OF = "torch"
TITLE = "torch.compile"
MEANING = "its operators fused into one kernel, writing into a given output"


def prepare(operands: Operands, threads: int) -> Prepared | str:
    import torch

    torch.set_num_threads(threads)
    torch._dynamo.reset()  # every case is compiled for its own shapes and strides
    make = _FUNCTIONS.get(operands.op.name)
    if make is None:
        return "it has no such operator"
    function = make(operands.attributes)

    def into(out: Any, *inputs: Any) -> Any:
        return out.copy_(function(*inputs))

    compiled = torch.compile(into, dynamic=False)
    arguments = [eager.tensor(operand) for operand in (operands.output, *operands.inputs)]
    try:
        compiled(*arguments)
    except Exception as error:
        return f"it failed: {str(error).splitlines()[0]}"
    return Prepared(lambda: compiled(*arguments), eager.read)


def _hardsigmoid(attributes: dict[str, Any]) -> Any:
    import torch

    return torch.ops.aten.hardsigmoid_backward


def _silu(attributes: dict[str, Any]) -> Any:
    import torch

    return torch.ops.aten.silu_backward


def _leaky_relu(attributes: dict[str, Any]) -> Any:
    import torch

    slope = attributes["negative_slope"].value
    return lambda g, x: torch.ops.aten.leaky_relu_backward(g, x, slope, False)


def _smooth_l1(attributes: dict[str, Any]) -> Any:
    import torch

    reduction, beta = attributes["reduction"], attributes["beta"]
    return lambda g, x, t: torch.ops.aten.smooth_l1_loss_backward(g, x, t, reduction, beta)


def _log_sigmoid(attributes: dict[str, Any]) -> Any:
    import torch

    return lambda g, x: torch.ops.aten.log_sigmoid_backward(g, x, torch.exp(-torch.abs(x)))


_FUNCTIONS = {
    "hardsigmoid_backward": _hardsigmoid,
    "leaky_relu_backward": _leaky_relu,
    "log_sigmoid_backward": _log_sigmoid,
    "silu_backward": _silu,
    "smooth_l1_loss_backward": _smooth_l1,
}
