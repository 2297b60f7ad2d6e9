"""Results whose shapes depend on data, as PyTorch has them: unknown sizes without memory,
gradients, refusals where shapes must be known."""

from __future__ import annotations

import pytest
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv

import openaclnn.torch

OPS = torch.ops.openaclnn


def test_true_shapes_and_gradients() -> None:
    for shape, of_mask in (((2, 3), (2, 3)), ((3,), (2, 3)), ((2, 1), (2, 3)), ((2, 3), (3,))):
        x, mask = torch.randn(shape, requires_grad=True), torch.rand(of_mask) > 0.4
        found, expected = OPS.masked_select(x, mask), torch.masked_select(x, mask)
        assert torch.equal(found, expected)
        grad = torch.randn(found.shape)
        (ours,) = torch.autograd.grad(found, x, grad)
        (theirs,) = torch.autograd.grad(expected, x, grad)
        torch.testing.assert_close(ours, theirs)


def test_sizes_are_unknown_without_memory() -> None:
    with FakeTensorMode(shape_env=ShapeEnv()) as mode:
        found = OPS.nonzero(mode.from_tensor(torch.eye(3)))
    assert found.shape[1] == 2
    assert isinstance(found.shape[0], torch.SymInt)
    with pytest.raises(RuntimeError, match="data-dependent"):
        OPS.nonzero(torch.eye(3, device="meta"))
    with pytest.raises(openaclnn.AclnnError, match="call it for each"):
        torch.vmap(OPS.nonzero)(torch.stack([torch.eye(3), torch.ones(3, 3)]))
