"""Calls on tensors shared among processes, which must have one process's bits: run by a test, once
for each number of processes."""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any

import torch
import torch.distributed as dist
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor, init_device_mesh

import openaclnn.torch.sharding  # noqa: F401  the rules

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
        (OF.mse_loss, [(8, 5), (8, 5)]),
        (lambda x, y: OF.cat([x, y], dim=0), [(8, 5), (8, 5)]),
    ]


def step(x: Any, weight: Any) -> Any:
    """A loss of a little model."""
    return OF.mse_loss(OF.softmax(OF.mul(OF.silu(x), weight), 1), OF.sigmoid(x))


def run(rank: int, size: int, store: str) -> None:
    dist.init_process_group("gloo", f"file://{store}", rank=rank, world_size=size)
    mesh = init_device_mesh("cpu", (size,))
    torch.manual_seed(0)
    for number, (of, shapes) in enumerate(calls()):
        given = [torch.randn(shape) for shape in shapes]
        shared = [
            distribute_tensor(one, mesh, [Shard(0) if one.dim() > 1 else Replicate()])
            for one in given
        ]
        found = of(*shared)
        assert isinstance(found, DTensor)
        assert torch.equal(found.full_tensor(), of(*given)), number
    assert OF.silu(shared[0]).placements == (Shard(0),)
    x, weight = torch.randn(8, 5), torch.randn(5)
    alone = weight.clone().requires_grad_()
    step(x, alone).backward()
    spread = distribute_tensor(weight, mesh, [Replicate()]).requires_grad_()
    step(distribute_tensor(x, mesh, [Shard(0)]), spread).backward()
    assert torch.equal(spread.grad.full_tensor(), alone.grad)
    dist.destroy_process_group()


def main() -> None:
    torch.set_num_threads(1)
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
