"""Points, shuffled channels, rows that are shrunk, images made of places."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from rows import FLOATS, NUMBERS, Call, Case, Known, Rows, T
from rows.counts import SOME, normal, tensors

NAN, INF = math.nan, math.inf


def pooled(spatial: int, sizes: tuple[int, ...]) -> Callable[[Any], dict[str, Any]]:
    """An image, where its largest are, and a gradient of them."""
    pool = getattr(functional, f"adaptive_max_pool{spatial}d")

    def draw(rng: Any) -> dict[str, Any]:
        image = rng.permutation(6 * math.prod(sizes)).reshape(2, 3, *sizes).astype(np.float64)
        largest, indices = pool(torch.from_numpy(image), (2,) * spatial, return_indices=True)
        grad = rng.normal(0, 9, largest.shape)
        return {"grad_output": grad, "self": image, "indices": indices.numpy()}

    return draw


def back(spatial: int) -> Callable[..., Any]:
    pool = getattr(functional, f"adaptive_max_pool{spatial}d")

    def oracle(grad_output: Any, self: Any, indices: Any) -> Any:
        x = self.requires_grad_()
        return torch.autograd.grad(pool(x, (2,) * spatial), x, grad_output)[0]

    return oracle


def taken(grad_output: Any, self: Any, indices: Any) -> Any:
    made = torch.zeros(self.shape, dtype=grad_output.dtype).flatten(2)
    return made.scatter_add_(2, indices.flatten(2), grad_output.flatten(2)).reshape(self.shape)


def windows(rng: Any) -> dict[str, Any]:
    image = rng.permutation(2 * 4 * 5 * 5).reshape(2, 4, 5, 5).astype(np.float64)
    largest, indices = functional.max_pool3d(torch.from_numpy(image), 2, 1, return_indices=True)
    return {"grad_output": rng.normal(0, 9, largest.shape), "self": image,
            "indices": indices.numpy()}  # fmt: skip


def windows_back(grad_output: Any, self: Any, indices: Any, **_: Any) -> Any:
    x = self.requires_grad_()
    return torch.autograd.grad(functional.max_pool3d(x, 2, 1), x, grad_output)[0]


def unpooled(sizes: tuple[int, ...]) -> Callable[[Any], dict[str, Any]]:
    """Places that differ."""

    def draw(rng: Any) -> dict[str, Any]:
        count = math.prod(sizes)
        places = np.stack([rng.permutation(4 * count)[:count] for _ in range(3)])
        return {"self": rng.normal(0, 9, (3, *sizes)), "indices": places.reshape(3, *sizes)}

    return draw


def put_back(self: Any, indices: Any, output_size: Any, **_: Any) -> Any:
    made = torch.zeros(len(self), math.prod(output_size), dtype=self.dtype)
    made.scatter_(1, indices.reshape(len(self), -1), self.reshape(len(self), -1))
    return made.reshape(len(self), *output_size)


def distances(x1: Any, x2: Any, p: float = 2.0) -> Any:
    return (x1.unsqueeze(-2) - x2.unsqueeze(-3)).norm(p, -1)


POINTS = {"x1": (2, 7, 5), "x2": (1, 6, 5)}


def adaptive(spatial: int, sizes: tuple[int, ...]) -> Rows:
    name = f"adaptive_max_pool{spatial}d_backward"
    small, whole = (2, *(2,) * spatial), (2, *(4,) * spatial)
    return Rows(
        name, (),
        (*tensors(f"aclnnAdaptiveMaxPool{spatial}dBackward", "grad_output", "indices",
                  "grad_input"),
         Call({"indices": T("f32", small)}, 161002, "indices has dtype FLOAT"),
         Call({"indices": T("s64", (2, 2))}, 161002, "indices has shape [2, 2]; expected"),
         Call({"grad_output": T(shape=(3, *small[1:]))}, 161002, "grad_output has shape [3, 2"),
         Call({"grad_input": T(shape=(2, 2))}, 161002, "grad_input has shape [2, 2]; expected")),
        plain={"grad_output": T(shape=small), "self": T(shape=whole),
               "indices": T("s64", small), "grad_input": T(shape=whole)},
        cases=(Case(pooled(spatial, sizes), back(spatial), dtypes=SOME),
               # places that a FLOAT16 has no room for
               Case(pooled(spatial, (64, 64) if spatial == 2 else (16,) * 3), taken,
                    dtypes=("f16", "bf16"))),
    )  # fmt: skip


def unpool(spatial: int, **more: Any) -> Rows:
    small, whole = (2, *(2,) * spatial), (2, *(4,) * spatial)
    sizes = (4,) * spatial
    return Rows(
        f"max_unpool{spatial}d", (),
        (*tensors(f"aclnnMaxUnpool{spatial}d", "self", "indices", "out"),
         Call({"indices": T("f32", small)}, 161002, "indices has dtype FLOAT"),
         Call({"output_size": (4,)}, 161002, f"output_size is [4]; expected {spatial} numbers"),
         Call({"out": T(shape=(2, 4))}, 161002, "out has shape [2, 4]; expected")),
        plain={"self": T(shape=small), "indices": T("s64", small), "output_size": sizes,
               "out": T(shape=whole), **more},
        cases=(Case(unpooled((2,) * spatial), put_back, {"output_size": (4, 4, 2)[:spatial] if
                    spatial == 3 else (4, 4)}, ("f32", "s32", "f16")),
               # places that a FLOAT16 has no room for
               Case(unpooled((32, 32) if spatial == 2 else (8, 8, 16)), put_back,
                    {"output_size": (64, 64) if spatial == 2 else (16,) * 3}, ("f16", "bf16"))),
    )  # fmt: skip


def to_points(rng: Any) -> dict[str, Any]:
    x1, x2 = rng.normal(0, 3, (2, 5, 3)), rng.normal(0, 3, (2, 4, 3))
    return {"grad": rng.normal(0, 3, (2, 5, 4)), "x1": x1, "x2": x2,
            "cdist": np.linalg.norm(x1[:, :, None] - x2[:, None], axis=-1)}  # fmt: skip


def nearer(grad: Any, x1: Any, x2: Any, cdist: Any, p: float) -> Any:
    return torch.ops.aten._cdist_backward(grad, x1, x2, p, cdist)


ROWS = (
    Rows("cdist",
         (Known(([[0, 0]], [[3, 4], [1, 0]]), ([[5, 1]],), dtypes=(*FLOATS, "f64")),
          Known(([[0, 0]], [[3, 4], [NAN, 0]]), ([[7, NAN]],), {"p": 1.0}),
          Known(([[1, 0]], [[1, 4]]), ([[1]],), {"p": 0.0}),
          Known(([[1, 0]], [[-2, 4]]), ([[4]],), {"p": INF})),
         (*tensors("aclnnCdist", "x1", "x2", "out"),
          Call({"x1": T(shape=(3,))}, 161002, "x1 has 1 dimensions; expected at least 2"),
          Call({"x2": T(shape=(4, 2))}, 161002, "x2 has size 2 along dimension 1; expected 3"),
          Call({"x2": T("f16", (4, 3))}, 161002, "x2 has dtype FLOAT16; expected FLOAT"),
          Call({"p": -1.0}, 161002, "p is -1; expected at least 0"),
          Call({"x1": T(shape=(2, 1, 3)), "x2": T(shape=(3, 1, 3))}, 161002, "broadcast"),
          Call({"out": T(shape=(2, 3))}, 161002, "out has shape [2, 3]; expected [2, 4]")),
         plain={"x2": T(shape=(4, 3)), "p": 2.0, "compute_mode": 0, "out": T(shape=(2, 4))},
         cases=(Case(normal(**POINTS), distances, dtypes=(*SOME, "f64")),
                Case(normal(**POINTS), distances, {"p": 3.0}, ("f32",)))),
    Rows("cdist_backward",
         # a distance of 0 has no slope, a number beside its like has none for p below 1
         (Known(([[10, 7]], [[0, 0]], [[3, 4], [0, 0]], [[5, 0]]), ([[-6, -8]],),
                dtypes=("f32", "f64")),
          Known(([[10]], [[1, 0]], [[1, 4]], [[4]]), ([[0, -10]],), {"p": 1.0}),
          Known(([[10]], [[1, 0]], [[1, 4]], [[4]]), ([[0, -10]],), {"p": 0.5}),
          Known(([[10]], [[1, 0]], [[1, 4]], [[1]]), ([[0, 0]],), {"p": 0.0}),
          Known(([[10]], [[1, 0]], [[-2, 4]], [[4]]), ([[0, -10]],), {"p": INF}),
          Known(([[10]], [[1, 0]], [[-2, 4]], [[4]]), ([[0, -10]],), {"p": -1.0}),
          Known(([[10]], [[1, 0]], [[NAN, 4]], [[NAN]]), ([[NAN, NAN]],))),
         (*tensors("aclnnCdistBackward", "grad", "x1", "x2", "cdist", "out"),
          Call({"x1": T(shape=(3,))}, 161002, "x1 has 1 dimensions; expected at least 2"),
          Call({"x2": T(shape=(4, 2))}, 161002, "x2 has shape [4, 2]; expected [4, 3]"),
          Call({"cdist": T(shape=(4, 2))}, 161002, "cdist has shape [4, 2]; expected [2, 4]"),
          Call({"grad": T(shape=(2, 3))}, 161002, "grad has shape [2, 3]; expected [2, 4]"),
          Call({"p": -2.0}, 161002, "p is -2; expected a number from 0 up, or -1"),
          Call({"out": T(shape=(2, 4))}, 161002, "out has shape [2, 4]; expected [2, 3]")),
         plain={"grad": T(shape=(2, 4)), "x2": T(shape=(4, 3)), "cdist": T(shape=(2, 4)),
                "p": 2.0},
         cases=tuple(Case(to_points, nearer, {"p": p}, ("f32", "f64") if p == 2 else ("f32",))
                     for p in (2.0, 1.5, 3.0))),
    Rows("channel_shuffle",
         (Known(([[[0], [1], [2], [3], [4], [5]]], 3), ([[[0], [2], [4], [1], [3], [5]]],),
                dtypes=NUMBERS),),
         (*tensors("aclnnChannelShuffle", "self", "out"),
          Call({"self": T()}, 161002, "self has 2 dimensions; expected at least 3"),
          Call({"groups": 3}, 161002, "groups is 3; expected one of the divisors of 4"),
          Call({"out": T(shape=(2, 4, 2))}, 161002, "out has shape [2, 4, 2]; expected")),
         plain={"self": T(shape=(2, 4, 3)), "groups": 2, "out": T(shape=(2, 4, 3))}),
    Rows("embedding_renorm",
         (Known(([[3, 4], [0, 10], [6, 8]], np.array([1, 1, 0]), 5.0),
                ([[3, 4], [0, 5], [6, 8]],), dtypes=("f32", "f16")),
          Known(([[3, 4], [1, 1]], np.array([0, -1]), 3.5), ([[2.1, 2.8], [1, 1]],), within=1e-6)),
         (Call({}), Call({"self": None}, 161001, "aclnnEmbeddingRenorm: self is null"),
          Call({"indices": None}, 161001, "indices is null"),
          Call({"self": T("s32")}, 161002, "self has dtype INT32"),
          Call({"self": T(shape=(3,))}, 161002, "self has 1 dimensions; expected 2"),
          Call({"indices": T("s64")}, 161002, "indices has 2 dimensions; expected 1"),
          Call({"max_norm": -1.0}, 161002, "max_norm is -1; expected at least 0")),
         plain={"indices": T("s64", (4,)), "max_norm": 1.0, "norm_type": 2.0},
         cases=(Case(lambda rng: {"self": rng.normal(0, 2, (9, 7)),
                                  "indices": rng.integers(0, 9, 6)},
                     lambda self, indices, **how: torch.embedding_renorm_(self, indices,
                                                                          *how.values()),
                     {"max_norm": 4.0, "norm_type": 2.0}, SOME),)),
    adaptive(2, (5, 7)),
    adaptive(3, (3, 4, 3)),
    unpool(2),
    unpool(3, stride=(1,), padding=(0,)),
    Rows("max_pool3d_with_argmax_backward", (),
         (*tensors("aclnnMaxPool3dWithArgmaxBackward", "grad_output", "indices", "grad_input"),
          Call({"indices": T("f32", (1, 1, 1, 1))}, 161002, "indices has dtype FLOAT"),
          Call({"grad_output": T(shape=(1, 2, 2, 2))}, 161002, "grad_output has shape")),
         plain={"grad_output": T(shape=(1, 1, 1, 1)), "self": T(shape=(1, 2, 2, 2)),
                "indices": T("s64", (1, 1, 1, 1)), "kernel_size": (2, 2, 2), "stride": (1, 1, 1),
                "padding": (0, 0, 0), "dilation": (1, 1, 1), "ceil_mode": False,
                "grad_input": T(shape=(1, 2, 2, 2))},
         cases=(Case(windows, windows_back,
                     {"kernel_size": (2, 2, 2), "stride": (1, 1, 1)}, SOME),)),
)  # fmt: skip
