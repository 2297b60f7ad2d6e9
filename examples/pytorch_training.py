"""A small model made of openaclnn's operators alone, trained in PyTorch: the same bits whatever the
number of threads, eager or compiled.

    python examples/pytorch_training.py
"""

import hashlib

import torch

import openaclnn
import openaclnn.torch

of = torch.ops.openaclnn


def loss(weights, x, y):
    """The mean square by which Σ a·silu(b·x + c) misses y."""
    a, b, c = weights
    hidden = of.silu(of.add(of.mul(x, b), c))
    return of.mse_loss(of.reduce_sum(of.mul(hidden, a), dims=-1), y)


def trained(steps=50, compiled=False):
    """The loss of every step, and a digest of the weights' bits."""
    generator = torch.Generator().manual_seed(0)
    weights = [torch.randn(16, generator=generator).requires_grad_() for _ in range(3)]
    x = torch.linspace(-3, 3, 4096)[:, None]
    y = torch.where(x[:, 0] > 0, x[:, 0], -0.5 * x[:, 0])
    of_step = torch.compile(loss, backend="aot_eager", fullgraph=True) if compiled else loss
    losses = []
    for _ in range(steps):
        found = of_step(weights, x, y)
        gradients = torch.autograd.grad(found, weights)
        with torch.no_grad():
            for weight, gradient in zip(weights, gradients, strict=True):
                of.inplace_add(weight, gradient, alpha=-0.02)
        losses.append(found.item())
    bits = b"".join(weight.detach().numpy().tobytes() for weight in weights)
    return losses, hashlib.sha256(bits).hexdigest()[:16]


def main():
    for threads in (1, 2, 4):
        openaclnn.set_num_threads(threads)
        losses, digest = trained()
        print(f"{threads} threads: loss {losses[0]:.4f} to {losses[-1]:.4f}, weights {digest}")
    print(f"compiled: weights {trained(compiled=True)[1]}")


if __name__ == "__main__":
    main()
