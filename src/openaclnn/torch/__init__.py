"""The operators in PyTorch: `torch.ops.openaclnn`, with gradients, compiled graphs and transforms.

>>> import torch
>>> x = torch.tensor([-1.0, 0.0, 1.0], requires_grad=True)
>>> y = torch.ops.openaclnn.silu(x)
>>> y.sum().backward()
>>> x.grad
tensor([0.0723, 0.5000, 0.9277])
"""

from contextlib import suppress as _suppress
from importlib import import_module as _import_module

try:
    import torch as _torch
except ImportError as error:
    raise ImportError(
        "openaclnn.torch needs PyTorch, which is not installed: pip install torch"
    ) from error

from openaclnn.torch.gradients import NoGradientError as NoGradientError
from openaclnn.torch.registration import install as _install

_install()

from openaclnn.torch import nn as nn  # noqa: E402  its functions are operators of torch.ops
from openaclnn.torch.imported import when_imported as _when_imported  # noqa: E402
from openaclnn.torch.patching import patched as patched  # noqa: E402


def _give_rules() -> None:
    """Tell DTensor how operators are sharded. Where a PyTorch has no such DTensor, it says so
    itself when it meets one of them."""
    with _suppress(ImportError, AttributeError):
        _import_module("openaclnn.torch.sharding")


_when_imported("torch.distributed.tensor", _give_rules)

del _torch
