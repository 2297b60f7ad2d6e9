"""The implementations that are measured: this library on a device at a level, or PyTorch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np
from numpy.typing import NDArray

from openaclnn.base import settings
from openaclnn.base.dtypes import DOUBLE, FLOAT, DType
from openaclnn.base.products import DEFAULT, Product
from openaclnn.base.tensors import Tensor, view
from openaclnn.calls.functions import one_by_one, tensor_parameters
from openaclnn.calls.on_device import call_at
from openaclnn.engines import engine_for
from openaclnn.plan import Plan, pass_over
from openaclnn.spec.op import In, Op
from openaclnn.truth import pytorch
from openaclnn.truth.double_double import Floats
from openaclnn.truth.reference import complete
from openaclnn.verify.measure import Bits

Attributes = Mapping[str, Any]
Arrays = Mapping[str, Any]  # by argument; lists of them, None


def ours(
    op: Op, dtype: DType, level: str, device: str, inputs: Sequence[Bits], attributes: Attributes
) -> Bits:
    """Result bits for inputs that are read, in C order."""
    given = {a.name: b.view(dtype.numpy) for a, b in zip(op.reads, inputs, strict=True)}
    (found,) = called(op, level, device, given, complete(op, attributes))
    return found.view(inputs[0].dtype)


def called(
    op: Op,
    level: str,
    device: str,
    given: Arrays,
    attributes: Attributes,
    product: Product = DEFAULT,
) -> tuple[NDArray[Any], ...]:
    """Results, through the entry point that users take."""
    arrays = {a.name: given.get(a.name) for a in tensor_parameters(op)}
    with settings.using(math=level, product=product.name):
        return tuple(one_by_one(call_at(device, op, arrays, attributes)))


def unrounded(op: Op, device: str, x: Bits) -> Floats:
    """The slope of float32 values as level exact computes it, before it is rounded: what the
    kernel has for a gradient of 1 when it is told that results are float64."""
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


def torchs(
    op: Op, dtype: DType, device: str, inputs: Sequence[Bits], attributes: Attributes
) -> Bits:
    """PyTorch's result bits for the same inputs."""
    given = {a.name: b.view(dtype.numpy) for a, b in zip(op.reads, inputs, strict=True)}
    (found,) = torch_called(op, device, given, complete(op, attributes), (dtype,))
    return found.view(inputs[0].dtype)


def torch_called(
    op: Op,
    device: str,
    given: Arrays,
    attributes: Attributes,
    outs: Sequence[DType],
) -> tuple[NDArray[Any], ...]:
    """PyTorch's results in these dtypes, on the same device if it can; RuntimeError where it does
    not take the call."""
    import torch

    function = pytorch.function(op)
    assert function is not None
    torch.set_num_threads(1)
    device = device if torch.cuda.is_available() else "cpu"
    tensors = {name: _tensors(value, device) for name, value in given.items()}
    for argument in op.inputs:
        if argument.left:
            tensors[argument.name] = _left(argument, tensors)
    found = function(tensors, attributes)
    if op.in_place:
        found = tuple(tensors[output.name] for output in op.outputs)
    kinds = [getattr(torch, out.numpy_name) for out in outs]
    if [one.dtype for one in found] != kinds:
        raise RuntimeError("PyTorch's results are of other dtypes")
    return tuple(pytorch.array(one, out) for one, out in zip(found, outs, strict=True))


def _tensors(value: Any, device: str) -> Any:
    from openaclnn.base.dtypes import from_numpy

    if isinstance(value, (list, tuple)):
        return [_tensors(one, device) for one in value]
    if value is None:
        return None
    dtype = from_numpy(value.dtype)
    assert dtype is not None
    return pytorch.tensor(value.copy(), dtype).to(device)


def _left(argument: In, tensors: Arrays) -> Any:
    import torch

    like = next(one for one in tensors.values() if one is not None)
    made = torch.empty_like(like)
    pytorch.leaving(argument, tensors, made)()
    return made
