"""Attention as torch.nn.functional has it: a chain of our operators, in float32 at least."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

import torch
from torch.nn import functional as _theirs

Tensor = torch.Tensor

PANEL = 1 << 20  # scores at once where no gradient is asked for


def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Tensor:
    """softmax(scale · query · keyᵀ + mask) · value. Both products are exact sums, rounded once to
    float32 (or float64); a row that sees no key is 0. Without gradients it is computed some rows at
    a time, with the same bits. Dropout is PyTorch's.

    >>> one = torch.ones(1, 2, 4)
    >>> scaled_dot_product_attention(one, one, one)
    tensor([[[1., 1., 1., 1.],
             [1., 1., 1., 1.]]])
    """
    if is_causal and attn_mask is not None:
        raise ValueError("scaled_dot_product_attention: is_causal needs attn_mask None")
    dtype = query.dtype
    wide = torch.float64 if dtype == torch.float64 else torch.float32
    query = query.to(wide)
    shared = enable_gqa and query.shape[-3] != key.shape[-3]
    if shared:  # a dimension of what shares keys
        query = torch.unflatten(query, -3, (key.shape[-3], -1))
        key, value = key.unsqueeze(-3), value.unsqueeze(-3)
        if attn_mask is not None and attn_mask.dim() > 2:
            alone = attn_mask.shape[-3] == 1
            attn_mask = torch.unflatten(attn_mask, -3, (1, 1) if alone else query.shape[-4:-2])
    rows, keys = query.shape[-2], key.shape[-2]
    if scale is None:
        scale = 1 / math.sqrt(query.shape[-1]) if query.shape[-1] else 1.0

    def some(first: int, last: int) -> Tensor:
        mask = _mask_of(attn_mask, is_causal, (first, last), (rows, keys), query)
        return _attended(query[..., first:last, :], key, value, mask, float(scale), dropout_p)

    tensors = [one for one in (query, key, value, attn_mask) if one is not None]
    differentiated = torch.is_grad_enabled() and any(one.requires_grad for one in tensors)
    each = max(PANEL // max(query[..., 0].numel() // max(rows, 1) * keys, 1), 1)
    if differentiated or each >= rows:
        found = some(0, rows)
    else:
        found = torch.cat([some(k, min(k + each, rows)) for k in range(0, rows, each)], -2)
    found = found.flatten(-4, -3) if shared else found
    return found.to(dtype)


def _mask_of(
    mask: Tensor | None, causal: bool, own: tuple[int, int], whole: tuple[int, int], like: Tensor
) -> Tensor | None:
    """What is added to the scores of some rows."""
    first, last = own
    rows, keys = whole
    if causal:
        places = torch.arange(first, last, device=like.device)
        mask = torch.arange(keys, device=like.device) <= places[:, None]
    elif mask is None:
        return None
    elif mask.dim() > 1 and mask.shape[-2] == rows != 1:
        mask = mask[..., first:last, :]
    if mask.dtype != torch.bool:
        return mask
    return torch.zeros(mask.shape, dtype=like.dtype, device=like.device).masked_fill(
        ~mask, -math.inf
    )


def _attended(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, scale: float, dropout: float
) -> Tensor:
    ours: Any = torch.ops.openaclnn
    scores = ours.muls(ours.matmul(query, key.transpose(-2, -1)), scale)
    if mask is not None:
        scores = ours.add(scores, mask)
        # a row that sees nothing has no softmax, and no gradient
        nothing = (scores == -math.inf).all(-1, keepdim=True)
        shares = ours.softmax(scores.masked_fill(nothing, 0.0), -1).masked_fill(nothing, 0.0)
    else:
        shares = ours.softmax(scores, -1)
    if dropout:
        shares = _theirs.dropout(shares, dropout)
    found: Tensor = ours.matmul(shares, value)
    return found


def multi_head(linear: Callable[..., Tensor]) -> Callable[..., Any]:
    """PyTorch's multi_head_attention_forward, whose products, softmax and attention are ours."""
    ours: Any = torch.ops.openaclnn
    products = ModuleType("torch")
    vars(products).update(vars(torch))
    vars(products)["bmm"] = lambda input, mat2: ours.matmul(input, mat2)
    vars(products)["baddbmm"] = lambda input, batch1, batch2: ours.baddbmm(input, batch1, batch2)
    instead: dict[str, Any] = {
        **vars(_theirs),
        "has_torch_function": lambda tensors: False,  # whatever they are, it is this chain
        "torch": products,
        "linear": linear,
        "softmax": lambda input, dim: ours.softmax(input, dim),
        "scaled_dot_product_attention": scaled_dot_product_attention,
    }
    for name in ("_in_projection_packed", "_in_projection"):
        instead[name] = again(vars(_theirs)[name], instead)
    found: Callable[..., Any] = again(_theirs.multi_head_attention_forward, instead)
    return found


def again(function: Any, names: dict[str, Any]) -> Any:
    """A Python function that finds other things under the names that it uses."""
    found = FunctionType(
        function.__code__, names, function.__name__, function.__defaults__, function.__closure__
    )
    found.__kwdefaults__ = function.__kwdefaults__
    found.__doc__ = f"{function.__name__} of PyTorch, computed by openaclnn."
    return found
