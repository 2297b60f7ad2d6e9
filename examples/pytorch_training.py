"""A small model made of openaclnn's operators alone, trained in PyTorch: the same bits whatever the
number of threads and processes, eager or compiled, on the CPU or a GPU.

    python examples/pytorch_training.py
"""

import hashlib
import tempfile

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor
from torch.multiprocessing.spawn import start_processes

import openaclnn
import openaclnn.torch
import openaclnn.torch.sharding

of = torch.ops.openaclnn


def loss(weights, x, y):
    """The mean square by which Σ a·silu(b·x + c) misses y."""
    a, b, c = weights
    hidden = of.silu(of.add(of.mul(x, b), c))
    return of.mse_loss(of.reduce_sum(of.mul(hidden, a), dims=-1), y)


def trained(steps=50, compiled=False, device="cpu", mesh=None):
    """The loss of every step, and a digest of the weights' bits. In a mesh of processes each has a
    part of the data and all of the weights."""
    generator = torch.Generator().manual_seed(0)
    weights = [torch.randn(16, generator=generator).to(device) for _ in range(3)]
    x = torch.linspace(-3, 3, 4096)[:, None]
    y = torch.where(x[:, 0] > 0, x[:, 0], -0.5 * x[:, 0])
    x, y = x.to(device), y.to(device)
    if mesh is not None:
        weights = [distribute_tensor(weight, mesh, [Replicate()]) for weight in weights]
        x, y = distribute_tensor(x, mesh, [Shard(0)]), distribute_tensor(y, mesh, [Shard(0)])
    weights = [weight.requires_grad_() for weight in weights]
    of_step = torch.compile(loss, backend="aot_eager", fullgraph=True) if compiled else loss
    losses = []
    for _ in range(steps):
        found = of_step(weights, x, y)
        gradients = torch.autograd.grad(found, weights)
        with torch.no_grad():
            for weight, gradient in zip(weights, gradients, strict=True):
                of.inplace_add(weight, gradient, alpha=-0.02)
        losses.append((found.to_local() if isinstance(found, DTensor) else found).item())
    local = [weight.to_local() if isinstance(weight, DTensor) else weight for weight in weights]
    bits = b"".join(weight.detach().cpu().numpy().tobytes() for weight in local)
    return losses, hashlib.sha256(bits).hexdigest()[:16]


def in_processes(count, train):
    """What `train` returns, given a mesh of so many processes: the text that the first has."""
    with tempfile.TemporaryDirectory() as folder:
        start_processes(_in_mesh, (count, folder, train), nprocs=count, start_method="fork")
        with open(f"{folder}/result") as result:
            return result.read()


def _in_mesh(rank, count, folder, train):
    torch.set_num_threads(1)
    dist.init_process_group("gloo", f"file://{folder}/store", rank=rank, world_size=count)
    found = train(init_device_mesh("cpu", (count,)))
    if rank == 0:
        with open(f"{folder}/result", "w") as result:
            result.write(str(found))
    dist.destroy_process_group()


def main():
    for processes in (2, 4):  # before this one has threads
        digest = in_processes(processes, lambda mesh: trained(mesh=mesh)[1])
        print(f"{processes} processes: weights {digest}")
    for threads in (1, 2, 4):
        openaclnn.set_num_threads(threads)
        losses, digest = trained()
        print(f"{threads} threads: loss {losses[0]:.4f} to {losses[-1]:.4f}, weights {digest}")
    print(f"compiled: weights {trained(compiled=True)[1]}")
    if torch.cuda.is_available():
        print(f"on the GPU: weights {trained(device='cuda')[1]}")


if __name__ == "__main__":
    main()
