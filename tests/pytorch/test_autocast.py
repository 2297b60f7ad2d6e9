"""torch.autocast: operators cast as PyTorch's functions of the same meaning do, on either device;
tensors without memory tell."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

import openaclnn.torch  # noqa: F401
from openaclnn import ops
from openaclnn.calls.functions import tensor_parameters
from openaclnn.spec.op import REQUIRED

OF = torch.ops.openaclnn


def pairs() -> dict[str, tuple[Any, Any]]:
    """Functions of tensors alone, ours and PyTorch's."""
    found: dict[str, tuple[Any, Any]] = {}
    for name, op in ops.all_ops().items():
        theirs: Any = torch
        for part in filter(None, op.torch.split(".")):
            theirs = getattr(theirs, part, None)
        plain = all(a.default is not REQUIRED for a in op.attributes)
        plain = plain and not op.in_place and len(op.outputs) == 1
        if callable(theirs) and theirs is not torch and plain and "_backward" not in name:
            found[name] = getattr(OF, name), theirs
    return found | {
        "cat": (lambda *x: OF.cat(x, dim=0), lambda *x: torch.cat(x, dim=0)),
        "softmax": (lambda x: OF.softmax(x, 0), lambda x: torch.softmax(x, 0)),
        "pow": (lambda x: OF.pow_tensor_scalar(x, 2), lambda x: torch.pow(x, 2)),
    }


def dtype_of(function: Any, device: str, dtypes: list[torch.dtype], ranks: Any) -> Any:
    before = torch.is_autocast_enabled(device), torch.get_autocast_dtype(device)
    with FakeTensorMode():
        given = [
            torch.empty((4,) * rank, dtype=dtype, device=device)
            for rank, dtype in zip(ranks, dtypes, strict=True)
        ]
        try:
            torch.set_autocast_enabled(device, True)
            torch.set_autocast_dtype(device, torch.bfloat16)
            return function(*given).dtype
        except (RuntimeError, TypeError, ValueError, IndexError):  # it wants other arguments
            return None
        finally:
            torch.set_autocast_enabled(device, before[0])
            torch.set_autocast_dtype(device, before[1])


@pytest.mark.filterwarnings("ignore:reduction. 'mean' divides")  # PyTorch's own, of kl_div
@pytest.mark.parametrize("device", ["cpu", "cuda"])
def test_dtypes_are_those_of_pytorch(device: str) -> None:
    counts = {"cat": 2} | {name: len(tensor_parameters(op)) for name, op in ops.all_ops().items()}
    compared = cast = 0
    for name, (ours, theirs) in pairs().items():
        count = counts.get(name, 1)
        for first in (torch.float32, torch.bfloat16):
            dtypes = [first, *[torch.bfloat16] * (count - 1)]
            ranks = {"addmv": (1, 2, 1), "mv": (2, 1)}.get(name)
            for shapes in [ranks] if ranks else [(rank,) * count for rank in (1, 2, 3)]:
                expected = dtype_of(theirs, device, dtypes, shapes)
                if expected is not None and expected.is_floating_point:
                    assert dtype_of(ours, device, dtypes, shapes) is expected, (name, dtypes)
                    compared += 1
                    cast += expected not in dtypes
                    break
    assert compared > 80
    assert cast > (15 if device == "cuda" else 2)


def test_values_and_gradients_under_autocast() -> None:
    x = torch.randn(5).to(torch.bfloat16).requires_grad_()
    y = torch.randn(5)
    compiled = torch.compile(OF.mse_loss, backend="aot_eager", fullgraph=True)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        found, traced = OF.mse_loss(x, y), compiled(x, y)
    assert torch.equal(found, OF.mse_loss(x.float(), y))
    assert torch.equal(traced, found)
    found.backward()
    assert torch.equal(x.grad, OF.mse_loss_backward(torch.tensor(1.0), x.float(), y).bfloat16())
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=False):
        assert OF.mse_loss(x, x).dtype is torch.bfloat16
