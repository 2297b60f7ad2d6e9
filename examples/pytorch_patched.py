"""A usual model, whose activations and loss are openaclnn's for as long as a context lasts. Its
matrix products are PyTorch's, which add up in any order: so the weights of other processes, another
device or PyTorch's own functions are close, and nothing here claims that they are equal.

    python examples/pytorch_patched.py
"""

import contextlib
import json
from typing import Any

import torch
from pytorch_training import in_processes
from torch.nn.parallel import DistributedDataParallel

import openaclnn.torch

TOLERANCE: dict[str, Any] = {"rtol": 1e-3, "atol": 1e-5}


def trained(steps=50, ours=True, device="cpu", mesh=None):
    """The weights after so many steps, as a list of numbers. In a mesh each process has a part of
    the data, and gradients are averaged."""
    torch.manual_seed(0)
    layers = [torch.nn.Linear(1, 32), torch.nn.GELU(), torch.nn.Linear(32, 1)]
    model = torch.nn.Sequential(*layers).to(device)
    x = torch.linspace(-3, 3, 512, device=device)[:, None]
    if mesh is not None:
        x = x.tensor_split(mesh.size())[mesh.get_rank()]
    y = torch.where(x > 0, x, -0.5 * x)
    wrapped = model if mesh is None else DistributedDataParallel(model)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    with openaclnn.torch.patched() if ours else contextlib.nullcontext():
        for _ in range(steps):
            optimizer.zero_grad()
            torch.nn.functional.smooth_l1_loss(wrapped(x), y).backward()
            optimizer.step()
    return torch.cat([weight.detach().flatten() for weight in model.parameters()]).tolist()


def main():
    spread = {
        f"{count} processes": json.loads(in_processes(count, lambda mesh: trained(mesh=mesh)))
        for count in (2, 4)  # before this one has threads
    }
    expected = torch.tensor(trained())
    spread["PyTorch's own functions"] = trained(ours=False)
    if torch.cuda.is_available():
        spread["on the GPU"] = trained(device="cuda")
    for name, weights in spread.items():
        torch.testing.assert_close(torch.tensor(weights), expected, **TOLERANCE)
        most = (torch.tensor(weights) - expected).abs().max()
        print(f"{name}: weights differ by at most {most:.1e}")


if __name__ == "__main__":
    main()
