"""The operators in PyTorch: `torch.ops.openaclnn`, with gradients, compiled graphs and transforms.

>>> import torch
>>> x = torch.tensor([-1.0, 0.0, 1.0], requires_grad=True)
>>> y = torch.ops.openaclnn.silu(x)
>>> y.sum().backward()
>>> x.grad
tensor([0.0723, 0.5000, 0.9277])
"""

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
from openaclnn.torch.patching import patched as patched  # noqa: E402

del _torch
