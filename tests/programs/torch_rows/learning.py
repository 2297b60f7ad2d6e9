"""Autograd, mixed precision, optimizers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn

from torch_rows.row import Maker, Row, graded


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x)
        return x * x * x

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> torch.Tensor:
        (x,) = ctx.saved_tensors
        return 3 * x * x * grads[0]


def autograd() -> Iterator[Row]:
    def accumulated(m: Maker) -> Any:
        x = m.leaf(5)
        for _ in range(3):
            (x * x).sum().backward()
        return x.grad

    def twice(m: Maker) -> Any:
        x = m.leaf(5)
        (first,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
        return torch.autograd.grad(first.sum(), x)

    def hooked(m: Maker) -> Any:
        x = m.leaf(5)
        x.register_hook(lambda grad: grad * 2)
        x.exp().sum().backward()
        return x.grad

    def checkpointed(m: Maker) -> Any:
        from torch.utils.checkpoint import checkpoint

        return graded(
            lambda x: checkpoint(lambda y: F.silu(y).exp(), x, use_reentrant=False), m.leaf(5)
        )

    def detached(m: Maker) -> Any:
        x = m.leaf(5)
        (x.detach() * x).sum().backward()
        return x.grad

    def without(m: Maker) -> Any:
        with torch.no_grad():
            return (m.leaf(5) * 2).requires_grad

    def over(m: Maker) -> Any:
        x = m.leaf(5)
        y = x.exp().sum()
        y.backward(retain_graph=True)
        y.backward()
        return x.grad

    yield Row("grad of a chain", lambda m: graded(lambda x: (x * 2).tanh().exp(), m.leaf(5)))
    yield Row("grad accumulates", accumulated)
    yield Row("grad of a grad", twice)
    yield Row("a hook changes a grad", hooked)
    yield Row("detach", detached)
    yield Row("no_grad", without)
    yield Row("retain_graph", over)
    yield Row("checkpoint", checkpointed)
    yield Row("autograd.Function", lambda m: graded(Cube.apply, m.leaf(5)))
    yield Row("grad of a broadcast", lambda m: graded(lambda x, y: x * y, m.leaf(3, 4), m.leaf(4)))
    yield Row("grad of a slice", lambda m: graded(lambda x: x[1:, ::2] * 2, m.leaf(3, 4)))
    yield Row(
        "grad of cat",
        lambda m: graded(lambda x, y: torch.cat([x, y], 1), m.leaf(2, 3), m.leaf(2, 1)),
    )
    yield Row(
        "grad of where", lambda m: graded(lambda x: torch.where(x > 0, x, x * 0.1), m.leaf(7))
    )
    yield Row("grad of a transposed", lambda m: graded(lambda x: x.t().exp(), m.leaf(3, 4)))
    yield Row("grad of mean", lambda m: graded(lambda x: x.mean(1), m.leaf(3, 4)))
    yield Row("grad of expand", lambda m: graded(lambda x: x.expand(3, 4) * 1.5, m.leaf(4)))
    yield Row("grad of max", lambda m: graded(lambda x: x.max(1).values, m.leaf(3, 4)))
    yield Row("grad of clamp", lambda m: graded(lambda x: x.clamp(-0.5, 0.5), m.leaf(7)))
    yield Row("grad of pow", lambda m: graded(lambda x: x**3, m.leaf(7)))
    yield Row("grad of index", lambda m: graded(lambda x: x[m.whole(3, low=0, high=5)], m.leaf(5)))
    yield Row("grad of a cast", lambda m: graded(lambda x: x.half().exp(), m.leaf(7)))


def mixed_precision() -> Iterator[Row]:
    def cast(m: Maker, dtype: torch.dtype) -> Any:
        with torch.autocast(m.device, dtype=dtype):
            return (m(3, 5, dtype=dtype) * m(3, 5)).exp()

    def loss(m: Maker) -> Any:
        x = m.leaf(3, 5)
        with torch.autocast(m.device, dtype=torch.bfloat16):
            y = F.smooth_l1_loss(F.silu(x), torch.zeros_like(x))
        y.backward()
        return y, x.grad

    def scaled(m: Maker) -> Any:
        x = m.leaf(5)
        optimizer = torch.optim.SGD([x], lr=0.1)
        scaler = torch.amp.GradScaler(m.device, init_scale=8.0, enabled=m.device != "cpu")
        scaler.scale((x * x).sum()).backward()
        scaler.step(optimizer)
        scaler.update()
        return x

    yield Row("autocast to float16", lambda m: cast(m, torch.float16))
    yield Row("autocast to bfloat16", lambda m: cast(m, torch.bfloat16))
    yield Row("autocast of a loss", loss)
    yield Row("GradScaler", scaled)
    yield Row("clip_grad_norm_", lambda m: _clipped(m))
    yield Row("clip_grad_value_", lambda m: _clipped(m, by_value=True))


def _clipped(m: Maker, by_value: bool = False) -> Any:
    x = m.leaf(5)
    (x * x).sum().backward()
    if by_value:
        torch.nn.utils.clip_grad_value_([x], 0.5)
    else:
        torch.nn.utils.clip_grad_norm_([x], 0.5)
    return x.grad


class Network(nn.Module):
    """Activations with weights between them, as far as it goes without matrix products."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(6))
        self.shift = nn.Parameter(torch.zeros(6))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.leaky_relu(x * self.scale + self.shift, 0.1)
        return F.hardsigmoid(F.silu(x)) + F.logsigmoid(x)


def trained(m: Maker, kind: Any, steps: int = 3, **options: Any) -> Any:
    network = m.module(Network())
    optimizer = kind(network.parameters(), **options)
    x, target = m(8, 6), m(8, 6)
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = F.smooth_l1_loss(network(x), target)
        loss.backward()
        optimizer.step()
        losses.append(loss.detach())
    return (*losses, network.scale, network.shift)


def training() -> Iterator[Row]:
    optim = torch.optim
    yield Row("train with SGD", lambda m: trained(m, optim.SGD, lr=0.1))
    yield Row("train with momentum", lambda m: trained(m, optim.SGD, lr=0.1, momentum=0.9))
    yield Row("train with AMSGrad", lambda m: trained(m, optim.Adam, amsgrad=True))
    names = (
        "Adam", "AdamW", "Adamax", "NAdam", "RAdam", "RMSprop", "Adagrad", "Adadelta", "ASGD",
        "Rprop",
    )  # fmt: skip
    for name in names:
        kind = getattr(optim, name)
        yield Row(f"train with {name}", lambda m, kind=kind: trained(m, kind))
    for name in ("SGD", *names):
        kind = getattr(optim, name)
        yield Row(
            f"train with {name}, one by one",
            lambda m, kind=kind: trained(m, kind, lr=0.1, foreach=False),
        )


ROWS = (autograd, mixed_precision, training)
