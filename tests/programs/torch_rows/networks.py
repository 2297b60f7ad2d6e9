"""What networks consist of: products, activations, losses, layers, with their gradients."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch
import torch.nn.functional as F
from torch import nn

from torch_rows.row import Row, graded


def products() -> Iterator[Row]:
    yield Row("mm", lambda m: m(3, 4) @ m(4, 5))
    yield Row("mv", lambda m: m(3, 4) @ m(4))
    yield Row("dot", lambda m: m(4).dot(m(4)))
    yield Row("bmm", lambda m: torch.bmm(m(2, 3, 4), m(2, 4, 5)))
    yield Row("matmul broadcasts", lambda m: m(2, 3, 4) @ m(4, 5))
    yield Row("addmm", lambda m: torch.addmm(m(3, 5), m(3, 4), m(4, 5)))
    yield Row("baddbmm", lambda m: torch.baddbmm(m(2, 3, 5), m(2, 3, 4), m(2, 4, 5)))
    yield Row("F.linear", lambda m: F.linear(m(3, 4), m(5, 4), m(5)))
    yield Row("einsum", lambda m: torch.einsum("ij,jk->ik", m(3, 4), m(4, 5)))
    yield Row("outer", lambda m: torch.outer(m(3), m(4)))
    yield Row("kron", lambda m: torch.kron(m(2, 2), m(2, 2)))
    yield Row("cross", lambda m: torch.linalg.cross(m(2, 3), m(2, 3)))
    yield Row("F.conv2d", lambda m: F.conv2d(m(1, 2, 5, 5), m(3, 2, 3, 3)))
    yield Row("F.conv1d", lambda m: F.conv1d(m(1, 2, 5), m(3, 2, 3)))
    yield Row(
        "scaled_dot_product_attention",
        lambda m: F.scaled_dot_product_attention(m(1, 2, 4, 8), m(1, 2, 4, 8), m(1, 2, 4, 8)),
    )
    yield Row("linalg.inv", lambda m: torch.linalg.inv(m(3, 3)))


FIVE: dict[str, Callable[..., torch.Tensor]] = {
    "hardsigmoid": F.hardsigmoid,
    "logsigmoid": F.logsigmoid,
    "silu": F.silu,
    "leaky_relu": lambda x: F.leaky_relu(x, 0.1),
    "smooth_l1_loss": lambda x: F.smooth_l1_loss(
        x, torch.zeros_like(x), reduction="none", beta=0.7
    ),
}


def mission() -> Iterator[Row]:
    """The five operators that openaclnn began with, forward and backward."""
    for name, function in FIVE.items():
        for dtype in (torch.float32, torch.float16, torch.bfloat16):
            yield Row(
                f"{name}, {dtype}".replace("torch.", ""),
                lambda m, f=function, dtype=dtype: graded(f, m.leaf(4, 6, dtype=dtype)),
            )


def activations() -> Iterator[Row]:
    names = (
        "relu", "relu6", "elu", "selu", "celu", "hardswish", "hardtanh", "mish", "softplus",
        "softshrink", "hardshrink", "tanhshrink", "softsign", "tanh", "sigmoid",
    )  # fmt: skip
    for name in names:
        yield Row(
            f"F.{name} and its gradient",
            lambda m, name=name: graded(getattr(F, name), m.leaf(3, 5)),
        )
    # aclnnGelu, which torch_npu calls for both forms, computes the one with tanh
    yield Row(
        "F.gelu",
        lambda m: graded(
            lambda x: F.gelu(x, approximate="tanh" if m.device == "cpu" else "none"), m.leaf(3, 5)
        ),
    )
    yield Row(
        "F.gelu(tanh)", lambda m: graded(lambda x: F.gelu(x, approximate="tanh"), m.leaf(3, 5))
    )
    yield Row("F.threshold", lambda m: graded(lambda x: F.threshold(x, 0.1, 0.5), m.leaf(3, 5)))
    yield Row("F.glu", lambda m: graded(F.glu, m.leaf(3, 6)))
    yield Row("F.prelu", lambda m: F.prelu(m(2, 3, 4), m(3)))
    yield Row("F.prelu and its gradient", lambda m: graded(F.prelu, m.leaf(2, 3, 4), m.leaf(3)))
    yield Row("F.rrelu", lambda m: graded(lambda x: F.rrelu(x, training=False), m.leaf(3, 5)))
    yield Row("F.softmax", lambda m: graded(lambda x: F.softmax(x, 1), m.leaf(3, 5)))
    yield Row("F.softmin", lambda m: graded(lambda x: F.softmin(x, 1), m.leaf(3, 5)))
    yield Row("F.log_softmax", lambda m: graded(lambda x: F.log_softmax(x, 1), m.leaf(3, 5)))
    yield Row("F.silu in place", lambda m: F.silu(m(7), inplace=True))
    yield Row("F.normalize", lambda m: graded(lambda x: F.normalize(x, dim=1), m.leaf(3, 5)))


def losses() -> Iterator[Row]:
    for name in ["mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss"]:
        for reduction in ("mean", "sum", "none"):
            yield Row(
                f"F.{name}, {reduction}",
                lambda m, name=name, r=reduction: graded(
                    lambda x, y: getattr(F, name)(x, y, reduction=r), m.leaf(3, 5), m.leaf(3, 5)
                ),
            )
    yield Row("F.binary_cross_entropy", lambda m: F.binary_cross_entropy(m.unit(7), m.unit(7)))
    yield Row(
        "F.binary_cross_entropy_with_logits",
        lambda m: graded(lambda x: F.binary_cross_entropy_with_logits(x, m.unit(7)), m.leaf(7)),
    )
    yield Row(
        "F.kl_div",
        lambda m: graded(lambda x: F.kl_div(x, m.unit(3, 5), reduction="batchmean"), m.leaf(3, 5)),
    )
    yield Row(
        "F.soft_margin_loss",
        lambda m: graded(lambda x: F.soft_margin_loss(x, m(7).sign()), m.leaf(7)),
    )
    yield Row(
        "F.nll_loss",
        lambda m: graded(lambda x: F.nll_loss(x, m.whole(3, low=0, high=5)), m.leaf(3, 5)),
    )
    yield Row(
        "F.cross_entropy",
        lambda m: graded(lambda x: F.cross_entropy(x, m.whole(3, low=0, high=5)), m.leaf(3, 5)),
    )
    yield Row("F.margin_ranking_loss", lambda m: F.margin_ranking_loss(m(7), m(7), m(7).sign()))
    yield Row("F.hinge_embedding_loss", lambda m: F.hinge_embedding_loss(m(7), m(7).sign()))
    yield Row("F.cosine_similarity", lambda m: F.cosine_similarity(m(3, 5), m(3, 5)))
    yield Row("F.poisson_nll_loss", lambda m: F.poisson_nll_loss(m(7), m.unit(7)))
    yield Row("F.gaussian_nll_loss", lambda m: F.gaussian_nll_loss(m(7), m(7), m.unit(7)))
    yield Row("F.triplet_margin_loss", lambda m: F.triplet_margin_loss(m(3, 5), m(3, 5), m(3, 5)))


def layers() -> Iterator[Row]:
    yield Row("nn.Linear", lambda m: m.module(nn.Linear(4, 3))(m(2, 4)))
    yield Row("nn.Conv2d", lambda m: m.module(nn.Conv2d(2, 3, 3))(m(1, 2, 5, 5)))
    yield Row("nn.BatchNorm2d", lambda m: m.module(nn.BatchNorm2d(2))(m(3, 2, 4, 4)))
    yield Row("nn.LayerNorm", lambda m: m.module(nn.LayerNorm(6))(m(3, 6)))
    yield Row("nn.GroupNorm", lambda m: m.module(nn.GroupNorm(2, 4))(m(3, 4, 5)))
    yield Row("nn.RMSNorm", lambda m: m.module(nn.RMSNorm(6))(m(3, 6)))
    yield Row("nn.Embedding", lambda m: m.module(nn.Embedding(5, 3))(m.whole(4, low=0, high=5)))
    yield Row("nn.MaxPool2d", lambda m: nn.MaxPool2d(2)(m(1, 2, 4, 4)))
    yield Row("nn.AvgPool2d", lambda m: nn.AvgPool2d(2)(m(1, 2, 4, 4)))
    yield Row("nn.AdaptiveAvgPool2d", lambda m: nn.AdaptiveAvgPool2d(1)(m(1, 2, 4, 4)))
    yield Row("nn.LSTM", lambda m: m.module(nn.LSTM(3, 4))(m(2, 1, 3))[0])
    yield Row(
        "nn.MultiheadAttention",
        lambda m: m.module(nn.MultiheadAttention(8, 2))(*[m(3, 1, 8)] * 3)[0],
    )
    yield Row("nn.Upsample", lambda m: nn.Upsample(scale_factor=2)(m(1, 2, 3, 3)))
    yield Row(
        "F.interpolate bilinear",
        lambda m: F.interpolate(m(1, 2, 3, 3), scale_factor=2, mode="bilinear"),
    )
    yield Row("nn.PixelShuffle", lambda m: nn.PixelShuffle(2)(m(1, 8, 2, 2)))
    yield Row(
        "nn.Sequential of activations",
        lambda m: graded(nn.Sequential(nn.SiLU(), nn.Mish(), nn.Softplus()), m.leaf(3, 5)),
    )
    yield Row(
        "nn.Module.half", lambda m: m.module(nn.PReLU(1)).half()(m(2, 3, dtype=torch.float16))
    )


ROWS = (products, mission, activations, losses, layers)
