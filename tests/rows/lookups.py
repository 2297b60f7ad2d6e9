"""Elements at the places that tensors of indices name: below 0, repeated, outside."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from rows import NUMBERS, Call, Case, Known, Rows, T
from rows.families import NINE

MOST = ("f16", "f32", "f64", "s8", "s64", "bf16")
FEW = ("f32", "s16")


def table(
    shape: tuple[int, ...],
    index: tuple[int, ...],
    size: int,
    names: tuple[str, str] = ("self", "index"),
    below: bool = True,
) -> Callable[..., Any]:
    def draw(rng: Any) -> dict[str, Any]:
        drawn = rng.integers(-size if below else 0, size, index)
        return {names[0]: rng.normal(0, 40, shape), names[1]: np.asarray(drawn)}

    return draw


def positive(index: Any, size: int) -> Any:
    return torch.where(index < 0, index + size, index)


def select(self: Any, dim: int, index: Any) -> Any:
    return self.index_select(dim, positive(index, self.shape[dim]))


def gather_v2(self: Any, dim: int, index: Any) -> Any:
    flat = select(self, dim, index.reshape(-1))
    dim %= self.dim()
    return flat.reshape(*self.shape[:dim], *index.shape, *self.shape[dim + 1 :])


def gather(self: Any, dim: int, index: Any) -> Any:
    return self.gather(dim, positive(index, self.shape[dim]))


def usual(c_name: str, first: str = "self", index: str = "index") -> tuple[Call, ...]:
    return (
        Call({}),
        Call({first: None}, 161001, f"{c_name}: {first} is null; expected a tensor"),
        Call({index: None}, 161001, f"{index} is null"),
        Call({"out": None}, 161001, "out is null"),
        Call({first: T("c64")}, 161002, f"{first} has dtype COMPLEX64"),
        Call({index: T("f32")}, 161002, f"{index} has dtype FLOAT; expected INT32 or INT64"),
        Call({index: T("s64", NINE)}, 161002, f"{index} has 9 dimensions"),
        Call({"out": T(shape=(7,))}, 161002, "out has shape [7]; expected"),
    )


DIM = (Call({"dim": 2}, 161002, "dim is 2; expected -2 to 1, as self has 2 dimensions"),)

ROWS = (
    Rows(
        op="index_select",
        beyond={"index": 6},
        known=(
            Known(([1, 2, 3], 0, np.array([2, -1, 0])), ([3, 3, 1],), {}, NUMBERS),
            Known(([1, 2, 3], 0, np.array([], np.int32)), ([],)),
            # one index keeps the dimension, but of a number
            Known(([[1, 2], [3, 4]], 1, np.array(1)), ([[2], [4]],)),
            Known((np.array(5, np.float32), 0, np.array(0)), (5,)),
        ),
        calls=(
            *usual("aclnnIndexSelect"),
            *DIM,
            Call({"index": T("s64", (2, 2))}, 161002, "index has 2 dimensions; expected at most 1"),
            Call({"index": T("s32", (4,))}),
        ),
        plain={"dim": 0, "index": T("s64", (4,)), "out": T(shape=(4, 3))},
        cases=(
            Case(table((7, 6, 5), (9,), 6), select, {"dim": 1}, MOST),
            Case(table((7, 300), (9,), 7), select, {"dim": 0}, FEW),
            Case(table((7, 300), (9,), 300), select, {"dim": -1}, FEW),
        ),
    ),
    Rows(
        op="gather_v2",
        beyond={"index": 6},
        known=(Known(([1, 2, 3], 0, np.array([[2], [-1]])), ([[3], [3]],), {}, NUMBERS),),
        calls=(*usual("aclnnGatherV2"), *DIM),
        plain={"dim": 0, "index": T("s64", (4, 2)), "out": T(shape=(4, 2, 3))},
        cases=(
            Case(table((7, 6, 5), (3, 4), 6), gather_v2, {"dim": 1}, MOST),
            Case(table((70, 40), (3, 5), 70), gather_v2, {"dim": 0}, FEW),
        ),
    ),
    Rows(
        op="embedding",
        beyond={"indices": 50},
        known=(),
        calls=(
            *usual("aclnnEmbedding", "weight", "indices"),
            Call({"weight": T(shape=(2, 2, 3))}, 161002, "weight has 3 dimensions; expected 2"),
        ),
        plain={"indices": T("s64", (4, 2)), "weight": T(), "out": T(shape=(4, 2, 3))},
        cases=(
            Case(table((50, 70), (3, 4), 50, ("weight", "indices"), False),
                 lambda weight, indices: torch.nn.functional.embedding(indices, weight), {}, MOST),
        ),
    ),
    Rows(
        op="gather",
        beyond={"index": 6},
        known=(  # a number has one place
            Known((np.array(3.5, np.float32), 0, np.array([0, 0])), ([3.5, 3.5],)),
            Known((np.array([3.5], np.float32), 0, np.array(0)), (3.5,)),
        ),
        calls=(
            *usual("aclnnGather"),
            *DIM,
            Call({"index": T("s64", (3, 2)), "out": T(shape=(3, 2))}, 161002,
                 "index has shape [3, 2]; expected 2 dimensions, none longer than self's, [2, 3]"),
            Call({"index": T("s64", (3,)), "out": T(shape=(3,))}, 161002, "expected 2 dimensions"),
        ),
        plain={"dim": 1, "index": T("s64", (2, 4)), "out": T(shape=(2, 4))},
        cases=(
            Case(table((7, 6, 5), (7, 9, 5), 6), gather, {"dim": 1}, MOST),
            Case(table((7, 60), (5, 70), 60), gather, {"dim": -1}, FEW),
            Case(table((7, 60), (0, 60), 7), gather, {"dim": 0}, FEW),
        ),
    ),
    Rows(
        op="take",
        beyond={"index": 210},
        known=(),
        calls=usual("aclnnTake"),
        plain={"index": T("s64", (2, 4)), "out": T(shape=(2, 4))},
        cases=(
            Case(table((7, 6, 5), (40, 3), 210),
                 lambda self, index: self.take(positive(index, 210)), {}, MOST),
        ),
    ),
)  # fmt: skip
