"""Whose results are measured: this library's on a device at a level, or PyTorch's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.arithmetic import rounding
from openaclnn.arithmetic.lower import lower
from openaclnn.arithmetic.nodes import in_order
from openaclnn.base import products, settings
from openaclnn.base.dtypes import DOUBLE, FLOAT, DType
from openaclnn.base.settings import EXACT, FAST
from openaclnn.base.tensors import Tensor, view
from openaclnn.calls.functions import attribute
from openaclnn.calls.placed import call_at
from openaclnn.engines import engine_for
from openaclnn.plan import Plan, pass_over
from openaclnn.precision.double_double import Floats
from openaclnn.precision.verify.measure import Bits
from openaclnn.precision.verify.strata import BETAS
from openaclnn.spec.op import Op

Attributes = Mapping[str, Any]


def same_kernel(op: Op, dtype: DType) -> bool:
    """Whether both levels compute alike, whatever the attributes."""
    return all(
        op.computes_in(dtype, EXACT, attributes) == op.computes_in(dtype, FAST, attributes)
        for attributes in [None, *({"beta": beta} for beta in BETAS)]
    )


def ours(
    op: Op, dtype: DType, level: str, device: str, inputs: Sequence[Bits], attributes: Attributes
) -> Bits:
    """Result bits, through the door that users take."""
    given = {a.name: b.view(dtype.numpy) for a, b in zip(op.reads, inputs, strict=True)}
    named = {a.name: given.get(a.name) for a in op.inputs}
    values = {a.name: attribute(op, a, attributes.get(a.name, a.default)) for a in op.attributes}
    with settings.using(math=level, product=products.DEFAULT.name):
        out: Bits = call_at(device, op, named, values)[0]
    return out.view(inputs[0].dtype)


def unrounded(op: Op, device: str, x: Bits) -> Floats:
    """The slope of float32 values as level exact computes it, before it is rounded: what the
    kernel has for a gradient of 1 when it is told that results are float64."""
    _refuse_other_arithmetic(op)
    arrays: list[NDArray[Any]] = [
        np.ones(x.shape, np.float32),
        x.view(np.float32),
        np.empty(x.shape),
    ]
    views = [view(dtype, x.shape) for dtype in (FLOAT, FLOAT, DOUBLE)]
    plan = Plan(op, (pass_over(views, op.traced_in("f64"), DOUBLE, "f64"),))
    launcher = engine_for(device).prepare(plan)
    with ExitStack() as held:
        if device == "cpu":
            addresses = [array.ctypes.data for array in arrays]
            launcher.launch(launcher.pack(addresses, 0), None)
        else:
            from openaclnn.runtime.moving import Moving

            moving = held.enter_context(Moving())
            tensors: list[Tensor] = [moving.there(array) for array in arrays]
            launcher.launch(launcher.pack([tensor.address for tensor in tensors], 0), None)
            moving.back(tensors[-1], arrays[-1])
    return arrays[-1]


@cache
def _refuse_other_arithmetic(op: Op) -> None:
    """The proof stands on this: results are gradient times slope in float64, rounded once, and
    the slope is what `unrounded` shows."""
    rounded, wide = (
        lower(op.traced_in("f64"), (FLOAT, FLOAT), dtype, (dtype,), "f64")
        for dtype in (FLOAT, DOUBLE)
    )
    ways = [(*body.results, *(body.unguarded or ())) for body in (rounded, wide)]
    for result, bits in zip(*ways, strict=True):
        value = bits.args[2].args[0]  # `bits` is a select between the quiet NaN and the value's
        assert result is rounding.write(value, FLOAT, FLOAT), "another value is rounded"
        assert value.op == "mul", f"{op.name} ends with {value.op}; expected gradient · slope"
        factors = [[n for n in in_order(arg) if n.op == "load"] for arg in value.args]
        loads = sorted([n.value for n in nodes] for nodes in factors)
        assert loads == [[0], [1]], f"{op.name}: the slope depends on the gradient"


@cache
def torch_is_here() -> bool:
    return find_spec("torch") is not None


def torchs(
    op: Op, dtype: DType, device: str, inputs: Sequence[Bits], attributes: Attributes
) -> Bits:
    """PyTorch's result bits for the same inputs, on the same device if it can."""
    import torch

    torch.set_num_threads(1)
    device = device if torch.cuda.is_available() else "cpu"
    kind = getattr(torch, dtype.numpy_name)
    signed = inputs[0].dtype.str.replace("u", "i")
    tensors = [torch.from_numpy(bits.view(signed)).view(kind).to(device) for bits in inputs]
    result = _TORCH[op.name](torch.ops.aten, *tensors, **attributes)
    words = result.cpu().view(getattr(torch, f"int{8 * dtype.itemsize}"))
    found: NDArray[Any] = words.numpy().view(inputs[0].dtype)
    return found


def _log_sigmoid(aten: Any, g: Any, x: Any) -> Any:
    _, buffer = aten.log_sigmoid_forward(x)
    return aten.log_sigmoid_backward(g, x, buffer)


_TORCH: dict[str, Callable[..., Any]] = {
    "hardsigmoid_backward": lambda aten, g, x: aten.hardsigmoid_backward(g, x),
    "leaky_relu_backward": lambda aten, g, x, negative_slope=0.01: aten.leaky_relu_backward(
        g, x, negative_slope, False
    ),
    "log_sigmoid_backward": _log_sigmoid,
    "silu_backward": lambda aten, g, x: aten.silu_backward(g, x),
    "smooth_l1_loss_backward": lambda aten, g, x, t, reduction=1, beta=1.0: (
        aten.smooth_l1_loss_backward(g, x, t, reduction, beta)
    ),
}
