"""Calls on tensors shared among processes, which must have one process's bits: run by a test, once
for each number of processes."""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any

import pytest
import torch
import torch.distributed as dist
from torch.distributed.tensor import (
    DTensor,
    Partial,
    Replicate,
    Shard,
    distribute_tensor,
    init_device_mesh,
)
from torch.distributed.tensor.debug import CommDebugMode

import openaclnn.torch.sharding  # noqa: F401  the rules
from openaclnn.base.status import AclnnError
from openaclnn.torch.nn.functional import linear

OF = torch.ops.openaclnn


def calls() -> list[Any]:
    return [
        (OF.silu, [(8, 5)]),
        (OF.mul, [(8, 5), (5,)]),
        (lambda x: OF.softmax(x, 1), [(8, 5)]),
        (lambda x: OF.softmax(x, 0), [(8, 5)]),
        (lambda x: OF.mean(x, dim=[1]), [(8, 5)]),
        (lambda x: OF.reduce_sum(x, dims=[0], keep_dims=True), [(8, 5)]),
        (lambda x: OF.mean(x, dim=[0]), [(8, 5)]),
        (lambda x: OF.mean(x, dim=[0, 1], keep_dim=True), [(7, 5)]),
        (OF.mse_loss, [(8, 5), (8, 5)]),
        (lambda x, y: OF.l1_loss(x, y, reduction="sum"), [(3, 5), (3, 5)]),
        (lambda x, y: OF.smooth_l1_loss(x, y, beta=0.5), [(9, 5), (5,)]),
        (lambda x, y: OF.mse_loss(x, y, reduction="none"), [(8, 5), (8, 5)]),
        (lambda x: OF.reduce_sum(OF.cast(x, torch.int32)), [(8, 5)]),
        (lambda x: OF.amax(x, dim=[0]), [(8, 5)]),
        (lambda x: OF.amax(x, dim=[1], keep_dim=True), [(8, 5)]),
        (lambda x: OF.permute(OF.tril(x), [1, 0]), [(8, 5)]),
        (lambda x: OF.repeat(OF.constant_pad_nd(x, [1, 0]), [1, 2]), [(8, 5)]),
        (lambda x: OF.mean(input=x, dim=[1]), [(8, 5)]),
        (lambda x, y: OF.cat([x, y], dim=0), [(8, 5), (8, 5)]),
    ]


LOSSES = [
    OF.mse_loss,
    lambda x, y: OF.l1_loss(x, y, reduction="sum"),
    lambda x, y: OF.reduce_sum(OF.smooth_l1_loss(x, y, reduction="none", beta=0.1)),
    lambda x, y: OF.smooth_l1_loss(x, y, beta=0.1),
]
MOVED = [
    lambda x: OF.permute(x, [1, 0]),
    lambda x: OF.reflection_pad1d(x, [2, 3]),
    lambda x: OF.cat([OF.tril(x), OF.repeat(x, [2, 1])]),
    lambda x: OF.amax(x, dim=[1]),
]


def step(x: Any, weight: Any, loss: Any) -> Any:
    """A loss of a little model."""
    return loss(OF.softmax(OF.mul(OF.silu(x), weight), 1), OF.sigmoid(x))


def shared(one: Any, mesh: Any) -> Any:
    """A tensor along the dimensions that it has; what has one is everywhere."""
    dims = [Shard(min(k, one.dim() - 1)) for k in range(mesh.ndim)]
    return distribute_tensor(one, mesh, dims if one.dim() > 1 else [Replicate()] * mesh.ndim)


def compare_calls(mesh: Any) -> None:
    for number, (of, shapes) in enumerate(calls()):
        given = [torch.randn(shape) for shape in shapes]
        found, expected = of(*(shared(one, mesh) for one in given)), of(*given)
        assert isinstance(found, DTensor)
        assert found.shape == expected.shape
        assert torch.equal(found.full_tensor(), expected), number
    x = shared(torch.randn(8, 5), mesh)
    assert OF.silu(x).placements == x.placements
    with torch.inference_mode():
        assert OF.mse_loss(x, x).full_tensor() == 0


def compare_changes(mesh: Any) -> None:
    x, y = torch.randn(8, 5), torch.randn(5)
    spread, expected = shared(x, mesh), x.clone()
    OF.inplace_mul(spread, shared(y, mesh))
    OF.inplace_mul(expected, y)
    assert torch.equal(spread.full_tensor(), expected)
    OF.inplace_tril(spread)
    OF.inplace_tril(expected)
    assert torch.equal(spread.full_tensor(), expected)
    out, alone = shared(torch.empty(5), mesh), torch.empty(5)
    OF.mean.out(spread, dim=[0], out=out)
    OF.mean.out(expected, dim=[0], out=alone)
    assert torch.equal(out.full_tensor(), alone)
    partial = DTensor.from_local(x, mesh, [Partial()] * mesh.ndim)
    with pytest.raises(AclnnError, match=r"in place is .*Partial.*expected a DTensor"):
        OF.inplace_relu(partial)
    with pytest.raises(AclnnError, match=r"out has shape \[2\]; expected \[8, 5\]"):
        OF.silu.out(spread, out=shared(torch.empty(2), mesh))


def compare_steps(mesh: Any) -> None:
    """A training step, which gathers nothing: sums of integers go around, and a softmax's rows."""
    x, weight = torch.randn(9, 5), torch.randn(5)
    given = shared(x, mesh)
    for loss in LOSSES:
        alone = weight.clone().requires_grad_()
        step(x, alone, loss).backward()
        spread = distribute_tensor(weight, mesh, [Replicate()] * mesh.ndim).requires_grad_()
        with CommDebugMode() as sent:
            step(given, spread, loss).backward()
        if mesh.ndim == 1:
            kinds = {str(name).rpartition(".")[2] for name in sent.get_comm_counts()}
            assert kinds == {"all_reduce"}
        assert torch.equal(spread.grad.full_tensor(), alone.grad)


def compare_moves(mesh: Any) -> None:
    """Gradients of operators on whole tensors, of which every process keeps its part."""
    x = torch.randn(8, 5)
    for of in MOVED:
        alone, spread = x.clone().requires_grad_(), shared(x, mesh).requires_grad_()
        for given in (alone, spread):
            OF.reduce_sum(OF.silu(of(given))).backward()
        assert torch.equal(spread.grad.full_tensor(), alone.grad)


def compare_products(mesh: Any) -> None:
    """A product whose factors are sharded along what is summed over, or otherwise."""
    x, weight, bias = torch.randn(6, 40), torch.randn(5, 40), torch.randn(5)
    columns, rows = [Shard(1)] * mesh.ndim, [Shard(0)] * mesh.ndim
    for of_x, of_weight in ((columns, columns), (rows, columns), (columns, rows)):
        alone = [one.clone().requires_grad_() for one in (x, weight, bias)]
        spread = [
            distribute_tensor(one, mesh, placed).requires_grad_()
            for one, placed in ((x, of_x), (weight, of_weight), (bias, [Replicate()] * mesh.ndim))
        ]
        expected, found = linear(*alone), linear(*spread)
        assert torch.equal(found.full_tensor(), expected)
        OF.reduce_sum(OF.silu(expected)).backward()
        OF.reduce_sum(OF.silu(found)).backward()
        for one, other in zip(spread, alone, strict=True):
            assert torch.equal(one.grad.full_tensor(), other.grad)


def run(rank: int, size: int, store: str) -> None:
    dist.init_process_group("gloo", f"file://{store}", rank=rank, world_size=size)
    torch.manual_seed(0)
    for shape in ((4,), (2, 2)) if size == 4 else ((size,),):
        mesh = init_device_mesh("cpu", shape)
        compare_calls(mesh)
        compare_changes(mesh)
        compare_steps(mesh)
        compare_moves(mesh)
        compare_products(mesh)
    dist.destroy_process_group()


def main() -> None:
    torch.set_num_threads(1)
    for of, shapes in calls():  # whose kernels the children then have
        of(*map(torch.randn, shapes))
    for size in map(int, sys.argv[1:]):
        with tempfile.TemporaryDirectory() as folder:
            children = []
            for rank in range(size):
                child = os.fork()
                if not child:
                    code = 1
                    try:
                        run(rank, size, f"{folder}/store")
                        code = 0
                    except BaseException:
                        sys.excepthook(*sys.exc_info())
                    os._exit(code)
                children.append(child)
            codes = [os.waitpid(child, 0)[1] for child in children]
        assert not any(codes), f"{size} processes: {codes}"
    print("the same bits")


if __name__ == "__main__":
    main()
