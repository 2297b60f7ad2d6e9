"""A row, and what its function makes its tensors with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import nn

Function = Callable[["Maker"], Any]


@dataclass(frozen=True)
class Row:
    name: str
    function: Function
    missing: str = ""
    alone: bool = False  # has no counterpart on the CPU: what it returns must be True


@dataclass
class Maker:
    """Makes tensors on a device, the same numbers on each."""

    device: str
    random: torch.Generator = field(default_factory=lambda: torch.Generator().manual_seed(1))

    def __call__(self, *shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        """Numbers of either sign."""
        return torch.randn(shape, generator=self.random).to(dtype).to(self.device)

    def unit(self, *shape: int) -> torch.Tensor:
        """Numbers within 0 and 1, neither of which is among them."""
        return (torch.rand(shape, generator=self.random) * 0.98 + 0.01).to(self.device)

    def whole(self, *shape: int, low: int = -9, high: int = 9) -> torch.Tensor:
        return torch.randint(low, high, shape, generator=self.random).to(self.device)

    def true(self, *shape: int) -> torch.Tensor:
        return (torch.rand(shape, generator=self.random) > 0.5).to(self.device)

    def leaf(self, *shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
        return self(*shape, dtype=dtype).requires_grad_()

    def module(self, module: nn.Module) -> nn.Module:
        """With parameters that are the same on each device."""
        with torch.no_grad():
            for parameter in module.parameters():
                parameter.copy_(torch.randn(parameter.shape, generator=self.random) * 0.3)
        return module.to(self.device)


def graded(function: Callable[..., torch.Tensor], *leaves: torch.Tensor) -> tuple[Any, ...]:
    """A result, and the gradients of its sum weighted with 1, 2, 3 …"""
    out = function(*leaves)
    weight = torch.arange(1, out.numel() + 1, dtype=torch.float32).reshape(out.shape) / 8
    out.backward(weight.to(out.dtype).to(out.device))
    return (out, *(leaf.grad for leaf in leaves))


def changed(x: torch.Tensor, change: Callable[[torch.Tensor], object]) -> torch.Tensor:
    """A tensor after a change in place."""
    change(x)
    return x
