"""Operators that move elements: ours, PyTorch's, and the shape of what they move."""

from __future__ import annotations

from typing import Any

import torch

import openaclnn.torch  # noqa: F401

OF = torch.ops.openaclnn
F = torch.nn.functional


def window(*numbers: Any) -> Any:
    """im2col, ours and PyTorch's, of attributes in C order."""
    return (
        lambda x: OF.im2col(x, *map(list, numbers)),
        lambda x: torch.ops.aten.im2col(x, *numbers),
    )


MOVES = [
    (lambda x: OF.permute(x, [2, 0, 1]), lambda x: x.permute(2, 0, 1), [(2, 3, 4)]),
    (lambda x: OF.permute(x, [-1, 0]), lambda x: x.t(), [(1, 3)]),
    (lambda x: OF.permute(x, []), lambda x: x * 1, [()]),
    (lambda x: OF.repeat(x, [3, 2, 2]), lambda x: x.repeat(3, 2, 2), [(2, 3)]),
    (lambda x: OF.repeat(x, [4]), lambda x: x.repeat(4), [()]),
    (lambda x: OF.repeat(x, [1, 5]), lambda x: x.repeat(1, 5), [(3, 1)]),
    (lambda x: OF.repeat(x, [5, 4]), lambda x: x.repeat(5, 4), [(2, 3)]),
    (
        lambda x: OF.repeat_interleave_int_with_dim(x, 3, -1, 12),
        lambda x: x.repeat_interleave(3, -1),
        [(2, 4)],
    ),
    (lambda x: OF.slice(x, 1, 1, -1, 2), lambda x: x[:, 1:-1:2], [(3, 9)]),
    (lambda x: OF.slice(x, 0, 5, 2, 1), lambda x: x[5:2], [(7,)]),
    (
        lambda x: OF.constant_pad_nd(x, [1, -2, 0, 3], value=7),
        lambda x: F.pad(x, [1, -2, 0, 3], value=7),
        [(3, 4)],
    ),
    (lambda x: OF.reflection_pad1d(x, [3, 2]), lambda x: F.pad(x, [3, 2], "reflect"), [(2, 4)]),
    (lambda x: OF.reflection_pad1d(x, [6, 5]), lambda x: F.pad(x, [6, 5], "reflect"), [(2, 2, 8)]),
    (lambda x: OF.tril(x, diagonal=-1), lambda x: x.tril(-1), [(2, 3, 4)]),
    (lambda x: OF.triu(x), lambda x: x.triu(), [(4, 3)]),
    (*window((2, 3), (1, 1), (0, 0), (1, 1)), [(2, 4, 5)]),
    (*window((3, 3), (1, 1), (1, 1), (1, 1)), [(2, 3, 5, 6)]),
    (*window((3, 2), (2, 1), (1, 2), (2, 3)), [(1, 2, 9, 8)]),
    (*window((2, 2), (1, 1), (0, 0), (2, 2)), [(1, 5, 5)]),
    (*window((3, 3), (3, 2), (4, 1), (2, 1)), [(1, 5, 6)]),
    (*window((5, 5), (1, 1), (2, 2), (1, 1)), [(1, 6, 7)]),
]
