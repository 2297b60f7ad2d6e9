"""Functions of torch.nn.functional that are no operator's equal: linear layers, convolutions,
attention, rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch

from openaclnn.base.status import OpenaclnnError
from openaclnn.torch.nn.attention import multi_head, scaled_dot_product_attention

Tensor = torch.Tensor
Numbers = int | Sequence[int]


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """input · weightᵀ + bias, one exact sum rounded once.

    >>> linear(torch.ones(1, 2), torch.ones(3, 2), torch.ones(3))
    tensor([[3., 3., 3.]])
    """
    ours: Any = torch.ops.openaclnn
    rows = input.reshape(-1, input.shape[-1])
    if bias is None:
        found = ours.mm(rows, weight.t())
    else:
        found = ours.addmm(bias, rows, weight.t())
    return torch.reshape(found, (*input.shape[:-1], weight.shape[0]))


def conv1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Numbers = 1,
    padding: Numbers = 0,
    dilation: Numbers = 1,
    groups: int = 1,
) -> Tensor:
    """A convolution in one dimension, each result exact and rounded once.

    >>> conv1d(torch.ones(1, 1, 4), torch.ones(1, 1, 3))
    tensor([[[3., 3.]]])
    """
    return _convolved(1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Numbers = 1,
    padding: Numbers = 0,
    dilation: Numbers = 1,
    groups: int = 1,
) -> Tensor:
    """A convolution in two dimensions, each result exact and rounded once.

    >>> conv2d(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2))
    tensor([[[[4.]]]])
    """
    return _convolved(2, input, weight, bias, stride, padding, dilation, groups)


def conv_transpose1d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Numbers = 1,
    padding: Numbers = 0,
    output_padding: Numbers = 0,
    groups: int = 1,
    dilation: Numbers = 1,
) -> Tensor:
    """A transposed convolution in one dimension, each result exact and rounded once.

    >>> conv_transpose1d(torch.ones(1, 1, 2), torch.ones(1, 1, 3))
    tensor([[[1., 2., 2., 1.]]])
    """
    return _convolved(1, input, weight, bias, stride, padding, dilation, groups, output_padding)


def conv_transpose2d(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    stride: Numbers = 1,
    padding: Numbers = 0,
    output_padding: Numbers = 0,
    groups: int = 1,
    dilation: Numbers = 1,
) -> Tensor:
    """A transposed convolution in two dimensions, each result exact and rounded once.

    >>> conv_transpose2d(torch.ones(1, 1, 1, 1), torch.ones(1, 1, 2, 2))
    tensor([[[[1., 1.],
              [1., 1.]]]])
    """
    return _convolved(2, input, weight, bias, stride, padding, dilation, groups, output_padding)


def _convolved(
    space: int,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: Numbers,
    padding: Numbers,
    dilation: Numbers,
    groups: int,
    more: Numbers | None = None,
) -> Tensor:
    """A convolution; a transposed one where `more` says how much its result has at the end."""
    given = {"stride": stride, "dilation": dilation}
    given |= {} if more is None else {"output_padding": more}
    each: dict[str, Any] = {
        name: [value] * space if isinstance(value, int) else [*value]
        for name, value in given.items()
    }
    ours: Any = torch.ops.openaclnn
    if isinstance(padding, str):
        input, padding = _padded(space, input, weight, padding, each)
    each["padding"] = [padding] * space if isinstance(padding, int) else [*padding]
    single = input.dim() == space + 1
    batch = input.unsqueeze(0) if single else input
    each |= {"bias": bias, "groups": groups, "transposed": more is not None}
    found: Tensor = ours.convolution(batch, weight, **each)
    return found.squeeze(0) if single else found


def _padded(
    space: int, input: Tensor, weight: Tensor, padding: str, each: dict[str, list[int]]
) -> tuple[Tensor, list[int]]:
    """What `padding="valid"` and `padding="same"` mean: an input, and how much is padded at either
    end of each dimension. An odd one of what is padded is at the end."""
    if padding == "valid":
        return input, [0] * space
    if padding != "same" or any(one != 1 for one in each["stride"]):
        raise OpenaclnnError(
            f"conv{space}d: padding is {padding!r} and stride {each['stride']}; expected integers, "
            "'valid', or 'same' with a stride of 1"
        )
    sizes = zip(each["dilation"], weight.shape[2:], strict=True)
    totals = [dilation * (size - 1) for dilation, size in sizes]
    if any(total % 2 for total in totals):
        ends = [end for total in reversed(totals) for end in (0, total % 2)]
        input = torch.nn.functional.pad(input, ends)
    return input, [total // 2 for total in totals]


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """Rows of `weight`; the gradient of one that is taken often is an exact sum.

    >>> embedding(torch.tensor([1, 0]), torch.tensor([[1.0], [2.0]]))
    tensor([[2.],
            [1.]])
    """
    refused = {"max_norm": max_norm is not None, "sparse": sparse}
    for name, given in (refused | {"scale_grad_by_freq": scale_grad_by_freq}).items():
        if given:
            raise OpenaclnnError(f"embedding: {name} is given; aclnnEmbedding has no such argument")
    ours: Any = torch.ops.openaclnn
    found: Tensor = ours.embedding(weight, input)
    if padding_idx is not None:  # of which there is no gradient
        padding = (input == padding_idx % weight.shape[0])[..., None]
        found = torch.where(padding, found.detach(), found)
    return found


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "linear": linear,
    "conv1d": conv1d,
    "conv2d": conv2d,
    "conv_transpose1d": conv_transpose1d,
    "conv_transpose2d": conv_transpose2d,
    "embedding": embedding,
    "multi_head_attention_forward": multi_head(linear),
    "scaled_dot_product_attention": scaled_dot_product_attention,
}
