"""A ResNet-18 on small pictures and a transformer of four layers, trained with AdamW and mixed
precision on `npu` tensors as on the CPU, with a checkpoint half way.

    source "$(openaclnn home)/set_env.sh"
    python examples/torch_npu_training.py [resnet|transformer] [--device cpu] [--steps 20] [--amp]
"""

import argparse
import copy
import hashlib
import io

import torch
import torch.nn.functional as F
from torch import nn


class Block(nn.Module):
    """Two convolutions beside a shortcut."""

    def __init__(self, channels, out, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, out, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(out)
        self.conv2 = nn.Conv2d(out, out, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(out)
        self.shortcut: nn.Module = nn.Identity()
        if stride > 1 or channels != out:
            self.shortcut = nn.Sequential(
                nn.Conv2d(channels, out, 1, stride, bias=False), nn.BatchNorm2d(out)
            )

    def forward(self, x):
        inner = F.relu(self.norm1(self.conv1(x)))
        return F.relu(self.norm2(self.conv2(inner)) + self.shortcut(x))


class ResNet18(nn.Module):
    """The usual one, with `width` channels in its first stage."""

    def __init__(self, width=64, classes=10):
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2d(3, width, 7, 2, padding=3, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
            nn.MaxPool2d(3, 2, padding=1),
        )
        stages, channels = [], width
        for number in range(4):
            out = width << number
            stages += [Block(channels, out, 1 + (number > 0)), Block(out, out, 1)]
            channels = out
        self.stages = nn.Sequential(*stages)
        self.classify = nn.Linear(channels, classes)

    def forward(self, x):
        return self.classify(F.adaptive_avg_pool2d(self.stages(self.stem(x)), 1).flatten(1))


class Layer(nn.Module):
    """Causal attention, then a perceptron, each behind a norm and beside a shortcut."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.project, self.join = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.widen, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x, mask):
        batch, length, width = x.shape
        parts = self.project(self.norm1(x)).reshape(batch, length, 3, self.heads, -1)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        scores = query @ key.transpose(-2, -1) / (width / self.heads) ** 0.5
        attended = F.softmax(scores.masked_fill(mask, float("-inf")), -1) @ value
        x = x + self.join(attended.transpose(1, 2).reshape(batch, length, width))
        return x + self.narrow(F.silu(self.widen(self.norm2(x))))


class Transformer(nn.Module):
    def __init__(self, tokens=32, width=64, heads=4, layers=4, length=16):
        super().__init__()
        self.tokens, self.places = nn.Embedding(tokens, width), nn.Embedding(length, width)
        self.layers = nn.ModuleList(Layer(width, heads) for _ in range(layers))
        self.norm, self.predict = nn.LayerNorm(width), nn.Linear(width, tokens)

    def forward(self, x):
        length = x.shape[1]
        mask = torch.ones(length, length, dtype=torch.bool, device=x.device).triu(1)
        y = self.tokens(x) + self.places(torch.arange(length, device=x.device))
        for layer in self.layers:
            y = layer(y, mask)
        return self.predict(self.norm(y))


def task(name, random):
    """A model with its weights, the rate it learns at, and batches of what goes in and what should
    come out, all made on the CPU. (The ResNet learns slowly: at 1e-3 PyTorch's float32 is 0.03 off
    its own float64 after 20 steps, and says nothing about anybody else's.)"""
    torch.manual_seed(0)
    if name == "resnet":
        pictures = torch.randn(4, 8, 3, 32, 32, generator=random)
        labels = torch.randint(10, (4, 8), generator=random)
        return ResNet18(width=8), 1e-4, list(zip(pictures, labels, strict=True))
    first = torch.randint(32, (4, 8, 1), generator=random)
    rows = (first + torch.arange(17) * (1 + first % 5)) % 32  # each counts on in steps of its own
    return Transformer(), 1e-3, [(batch[:, :-1], batch[:, 1:]) for batch in rows]


class Trainer:
    def __init__(self, model, rate, device, amp):
        self.model, self.device, self.amp = model.to(device), device, amp
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=rate)
        self.scaler = torch.amp.GradScaler(device, init_scale=1024.0, enabled=amp)

    def step(self, x, target):
        x, target = x.to(self.device), target.to(self.device)
        with torch.autocast(self.device, dtype=torch.float16, enabled=self.amp):
            found = self.model(x)
        loss = F.cross_entropy(found.float().flatten(0, -2), target.flatten())
        self.optimizer.zero_grad()
        self.scaler.scale(loss).backward()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        return loss.item()

    def state(self):
        parts = {"model": self.model, "optimizer": self.optimizer, "scaler": self.scaler}
        return {name: part.state_dict() for name, part in parts.items()}

    def load(self, state):
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.scaler.load_state_dict(state["scaler"])


def trained(name, device, steps=20, amp=False):
    """The loss of every step, and a digest of the bits of the weights. Half way all is saved, and
    goes on from the file in another model."""
    model, rate, batches = task(name, torch.Generator().manual_seed(1))
    fresh = copy.deepcopy(model)
    trainer, losses = Trainer(model, rate, device, amp), []
    for step in range(steps):
        if step == steps // 2:
            file = io.BytesIO()
            torch.save(trainer.state(), file)
            file.seek(0)
            trainer = Trainer(fresh, rate, device, amp)
            trainer.load(torch.load(file, map_location=device))
        losses.append(trainer.step(*batches[step % len(batches)]))
    bits = hashlib.sha256()
    for weight in trainer.model.state_dict().values():
        bits.update(weight.cpu().numpy().tobytes())
    return losses, bits.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("task", nargs="?", choices=("resnet", "transformer"), default="resnet")
    parser.add_argument("--device", default="npu")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--amp", action="store_true", help="float16 where autocast has it")
    options = parser.parse_args()
    if options.device == "npu":
        import torch_npu  # noqa: F401  # pyright: ignore[reportMissingImports]
    losses, digest = trained(options.task, options.device, options.steps, options.amp)
    for step, loss in enumerate(losses, 1):
        print(f"{step:3} {loss:.6f}")
    print("weights", digest[:16])


if __name__ == "__main__":
    main()
