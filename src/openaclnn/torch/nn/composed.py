"""Functions of torch.nn.functional that call several operators: linear layers and convolutions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from openaclnn.base.status import OpenaclnnError

Tensor = torch.Tensor
Numbers = int | Sequence[int]


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """input · weightᵀ + bias, one exact sum rounded once.

    >>> linear(torch.ones(1, 2), torch.ones(3, 2), torch.ones(3))
    tensor([[3., 3., 3.]])
    """
    ours: Any = torch.ops.openaclnn
    rows = input.reshape(-1, input.shape[-1])
    if bias is None:
        found = ours.mm(rows, weight.t())
    else:
        found = ours.addmm(bias, rows, weight.t())
    return torch.reshape(found, (*input.shape[:-1], weight.shape[0]))


def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Numbers = 1,
    padding: Numbers = 0,
    dilation: Numbers = 1,
    groups: int = 1,
) -> Tensor:
    """A convolution in one dimension, each result exact and rounded once.

    >>> conv1d(torch.ones(1, 1, 4), torch.ones(1, 1, 3))
    tensor([[[3., 3.]]])
    """
    return _convolved(1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Numbers = 1,
    padding: Numbers = 0,
    dilation: Numbers = 1,
    groups: int = 1,
) -> Tensor:
    """A convolution in two dimensions, each result exact and rounded once.

    >>> conv2d(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2))
    tensor([[[[4.]]]])
    """
    return _convolved(2, input, weight, bias, stride, padding, dilation, groups)


def _convolved(
    space: int,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Numbers,
    padding: Numbers,
    dilation: Numbers,
    groups: int,
) -> Tensor:
    numbers = {"stride": stride, "padding": padding, "dilation": dilation}
    for name, value in numbers.items():
        if isinstance(value, str):
            raise OpenaclnnError(f"conv{space}d: {name} is {value!r}; expected integers")
    each = {
        name: [value] * space if isinstance(value, int) else [*value]
        for name, value in numbers.items()
    }
    single = input.dim() == space + 1
    ours: Any = torch.ops.openaclnn
    batch = input.unsqueeze(0) if single else input
    found: Tensor = ours.convolution(batch, weight, bias=bias, groups=groups, **each)
    return found.squeeze(0) if single else found


FUNCTIONS: dict[str, Callable[..., Tensor]] = {
    "linear": linear, "conv1d": conv1d, "conv2d": conv2d,
}  # fmt: skip
