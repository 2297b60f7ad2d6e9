"""Tensors shared among 2 and 4 processes have one process's bits: elementwise, rows, folds, losses,
changes in place, a training step. What sums are made of can be tried without other processes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from openaclnn.torch.shares import worth
from walks import nightly

OF = torch.ops.openaclnn


def test_shared_tensors_have_the_bits_of_one_process() -> None:
    script = Path(__file__).with_name("sharded.py")
    sizes = ["2", "4"] if nightly() else ["4"]  # in a row, and two by two
    done = subprocess.run([sys.executable, script, *sizes], capture_output=True, text=True)
    assert done.stdout == "the same bits\n", done.stderr


def bits(x: Any) -> Any:
    return x.view({2: torch.int16, 4: torch.int32, 8: torch.int64}[x.element_size()])


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
@pytest.mark.parametrize("size", [1, 7, 5000, 40_000])
def test_shares_of_a_sum_make_the_whole(dtype: Any, size: int) -> None:
    torch.manual_seed(size)
    spread = torch.exp(20 * torch.randn(size, dtype=torch.float64))
    x = (torch.randn(size, dtype=torch.float64) * spread).to(dtype)
    x[3:4] = float("inf")
    for parts in (1, 2, 5):
        several = [OF.mean_digits(share[:, None], dim=[0]) for share in x.tensor_split(parts)]
        found = worth(sum(several), "mean", size, dtype)
        assert torch.equal(bits(found), bits(OF.mean(x[:, None], dim=[0])))
        several = [OF.reduce_sum_digits(share) for share in x.tensor_split(parts)]
        assert torch.equal(bits(worth(sum(several), "add", 0, dtype)), bits(OF.reduce_sum(x)))


def test_a_sum_that_shares_overflow_in() -> None:
    x = torch.full((1000,), 1.7e308, dtype=torch.float64)
    digits = OF.reduce_sum_digits(x) + OF.reduce_sum_digits(-x[1:])
    assert worth(digits, "add", 0, torch.float64) == 1.7e308
    assert worth(OF.reduce_sum_digits(-x), "add", 0, torch.float64) == -float("inf")
