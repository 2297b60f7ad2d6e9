"""A small GPT trains, with the same bits on any number of threads and on a GPU."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from openaclnn.engines.cpu import threads
from openaclnn.torch import nn

OF = torch.ops.openaclnn
LETTERS, LENGTH, WIDTH = 7, 24, 32


class Block(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.attention = nn.MultiheadAttention(WIDTH, 4, batch_first=True)
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.active = nn.GELU()

    def forward(self, x: Any, mask: Any) -> Any:
        y = self.first(x)
        x = x + self.attention(y, y, y, need_weights=False, attn_mask=mask, is_causal=True)[0]
        return x + self.narrow(self.active(self.wide(self.second(x))))


class Gpt(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.letter, self.place = nn.Embedding(LETTERS, WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.blocks = torch.nn.ModuleList([Block(), Block()])
        self.last, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, LETTERS)

    def forward(self, letters: Any) -> Any:
        places = torch.arange(LENGTH, device=letters.device)
        mask = torch.ones(LENGTH, LENGTH, dtype=torch.bool, device=letters.device).triu(1)
        x = self.letter(letters) + self.place(places)
        for block in self.blocks:
            x = block(x, mask)
        return self.head(self.last(x))


def trained(steps: int, device: str = "cpu") -> tuple[list[float], list[Any]]:
    """The losses and the weights of a model that learns to say what it read three letters ago."""
    torch.manual_seed(0)
    model = Gpt()
    letters = torch.randint(LETTERS, (8, LENGTH + 3))
    given, wanted = letters[:, 3:], letters[:, :LENGTH]
    chosen = torch.nn.functional.one_hot(wanted, LETTERS).float().to(device)
    model, given, losses = model.to(device), given.to(device), []
    for _ in range(steps):
        likely = OF.log_softmax(model(given), -1)
        loss = OF.muls(OF.reduce_sum(OF.mul(likely, chosen)), -1 / wanted.numel())
        model.zero_grad()
        loss.backward()
        with torch.no_grad():
            for weight in model.parameters():
                OF.inplace_add(weight, weight.grad, alpha=-0.25)
        losses.append(loss.item())
    return losses, [weight.detach().cpu() for weight in model.parameters()]


@pytest.fixture(scope="module")
def alone() -> Any:
    """On one thread."""
    before = threads.get_num_threads(), torch.get_num_threads()
    try:
        threads.set_num_threads(1)
        torch.set_num_threads(1)
        return trained(12)
    finally:
        threads.set_num_threads(before[0])
        torch.set_num_threads(before[1])


def test_a_small_gpt_trains_with_the_same_bits_on_any_number_of_threads(alone: Any) -> None:
    losses, weights = alone
    assert losses[-1] < 0.9 * losses[0]
    before = threads.get_num_threads()
    try:
        threads.set_num_threads(2)
        found, others = trained(12)
    finally:
        threads.set_num_threads(before)
    assert found == losses
    assert all(map(torch.equal, others, weights))


@pytest.mark.usefixtures("gpu")
def test_and_on_a_gpu(alone: Any) -> None:
    losses, weights = alone
    found, others = trained(12, "cuda")
    assert found == losses
    assert all(map(torch.equal, others, weights))
