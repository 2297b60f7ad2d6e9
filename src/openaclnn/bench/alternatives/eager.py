"""PyTorch's own operators, their variants that write into a given output.

Operands of several dtypes go in as they are: PyTorch promotes them by itself. Its log sigmoid
wants exp(-|x|) from the forward pass on the CPU; we do without, so making it is part of its time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from openaclnn.bench.alternatives import Prepared
from openaclnn.bench.operands import Operand, Operands

VERSION_OF = "torch"
TITLE = "PyTorch eager"
MEANING = "its operators, writing into a given output"


def tensor(operand: Operand) -> Any:
    """An operand as a tensor of PyTorch that shares its memory."""
    import torch

    dtype = getattr(torch, operand.view.dtype.numpy_name)
    bits = torch.int16 if operand.view.dtype.itemsize == 2 else torch.int32
    storage = torch.from_numpy(operand.storage.view(f"i{operand.storage.itemsize}"))
    assert storage.dtype is bits
    return storage.view(dtype).as_strided(operand.view.shape, operand.view.strides)


def read(result: Any) -> Any:
    return result.float().numpy()


def prepare(operands: Operands, threads: int) -> Prepared | str:
    import torch

    torch.set_num_threads(threads)
    make = _CALLS.get(operands.op.name)
    if make is None:
        return "it has no such operator"
    inputs = [tensor(operand) for operand in operands.inputs]
    return Prepared(make(inputs, operands.attributes, tensor(operands.output)), read)


def _hardsigmoid(inputs: list[Any], attributes: dict[str, Any], out: Any) -> Callable[[], Any]:
    import torch

    g, x = inputs
    op = torch.ops.aten.hardsigmoid_backward.grad_input
    return lambda: op(g, x, grad_input=out)


def _leaky_relu(inputs: list[Any], attributes: dict[str, Any], out: Any) -> Callable[[], Any]:
    import torch

    g, x = inputs
    slope = attributes["negative_slope"].value
    op = torch.ops.aten.leaky_relu_backward.grad_input
    return lambda: op(g, x, slope, False, grad_input=out)


def _silu(inputs: list[Any], attributes: dict[str, Any], out: Any) -> Callable[[], Any]:
    import torch

    g, x = inputs
    op = torch.ops.aten.silu_backward.grad_input
    return lambda: op(g, x, grad_input=out)


def _smooth_l1(inputs: list[Any], attributes: dict[str, Any], out: Any) -> Callable[[], Any]:
    import torch

    g, x, target = inputs
    reduction, beta = attributes["reduction"], attributes["beta"]
    op = torch.ops.aten.smooth_l1_loss_backward.grad_input
    return lambda: op(g, x, target, reduction, beta, grad_input=out)


def _log_sigmoid(inputs: list[Any], attributes: dict[str, Any], out: Any) -> Callable[[], Any]:
    import torch

    g, x = inputs
    buffer = torch.empty_like(x)
    op = torch.ops.aten.log_sigmoid_backward.grad_input

    def call() -> Any:
        torch.abs(x, out=buffer)
        buffer.neg_().exp_()
        return op(g, x, buffer, grad_input=out)

    return call


_CALLS: dict[str, Callable[[list[Any], dict[str, Any], Any], Callable[[], Any]]] = {
    "hardsigmoid_backward": _hardsigmoid,
    "leaky_relu_backward": _leaky_relu,
    "log_sigmoid_backward": _log_sigmoid,
    "silu_backward": _silu,
    "smooth_l1_loss_backward": _smooth_l1,
}
