"""Results whose shapes depend on data, and what is found by halving."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from rows import FLOATS, NUMBERS, Call, Case, Known, Rows, T

NAN = math.nan
MATRIX = [[0, 3, 0], [5, 0, 7]]
SOME = ("f32", "s64", "f16", "u8")
CONTIGUOUS = "has strides [1, 6]; expected a contiguous tensor"


def usual(c_name: str, *tensors: str) -> tuple[Call, ...]:
    """The first is any tensor, the last an output."""
    return (
        Call({}),
        Call({tensors[0]: None}, 161001, f"{c_name}: {tensors[0]} is null; expected a tensor"),
        *(Call({name: None}, 161001, f"{name} is null") for name in tensors[1:]),
        Call({tensors[0]: T("c64")}, 161002, f"{tensors[0]} has dtype COMPLEX64"),
        Call({tensors[0]: T(shape=(1,) * 9)}, 161002, f"{tensors[0]} has 9 dimensions"),
    )


def matrix(shape: tuple[int, ...], *others: str) -> Callable[[Any], dict[str, Any]]:
    """Few different numbers, some of which are 0; masks."""

    def draw(rng: Any) -> dict[str, Any]:
        masks = {name: rng.integers(0, 2, shape).astype(bool) for name in others}
        return {"self": rng.integers(-3, 4, shape).astype(np.float64), **masks}

    return draw


def sorted_rows(shape: tuple[int, ...], count: int, name: str) -> Callable[[Any], dict[str, Any]]:
    def draw(rng: Any) -> dict[str, Any]:
        rows = (*shape[:-1], count) if len(shape) > 1 else (count,)
        found = np.sort(rng.integers(-9, 10, rows).astype(np.float64), -1)
        return {name: found, "self": rng.integers(-11, 12, shape).astype(np.float64)}

    return draw


def search(self: Any, rows: Any, **how: Any) -> Any:
    return torch.searchsorted(rows, self, **how)


def repeats(shape: tuple[int, ...], count: int, name: str = "self") -> Callable[[Any], Any]:
    """So many, 12 in all."""

    def draw(rng: Any) -> dict[str, Any]:
        cuts = np.sort(rng.integers(0, 13, count - 1))
        each = np.diff(np.concatenate([[0], cuts, [12]]))
        return {name: rng.normal(0, 9, shape), "repeats": each}

    return draw


def repeated(dim: int | None) -> Callable[..., Any]:
    return lambda self, repeats, **_: torch.repeat_interleave(self, repeats, dim)


def added(grad: Any, repeats: Any, dim: int) -> Any:
    pieces = torch.split(grad, repeats.tolist(), dim)
    return torch.stack([piece.sum(dim) for piece in pieces], dim)


UNIQUE = {"y": T(shape=(6,)), "y_inverse": T("s64"), "y_counts": T("s64", (6,))}
HOW = {"out_int32": False, "right": False}
ROWS_OF = {"sorted_sequence": T(shape=(4,)), "sorter": None, **HOW}
SEARCHED = (
    Call({"out": T("s64", (3, 3))}, 161002, "out has shape [3, 3]; expected"),
    Call({"out": T("s32")}, 161002, "out has dtype INT32; expected INT64"),
)

ROWS = (
    Rows("nonzero",
         (Known((MATRIX,), ([[0, 1], [1, 0], [1, 2]],), dtypes=NUMBERS, out="s64"),
          Known(([NAN, -0.0, 1],), ([[0], [2]],), dtypes=FLOATS, out="s64"),
          Known(([[0, 0]],), (np.zeros((0, 2), np.int64),), dtypes=("bool", "f32"), out="s64"),
          Known((np.float32(2),), (np.zeros((1, 0), np.int64),), out="s64")),
         (*usual("aclnnNonzero", "self", "out"), Call({"out": T("s64", (8, 2))}),
          # torch_npu has room for no row there, and places of a number have no column
          Call({"self": T(shape=()), "out": T("s64", (0, 0))}),
          Call({"out": T("f32", (6, 2))}, 161002, "out has dtype FLOAT; expected INT64"),
          Call({"out": T("s64", (5, 2))}, 161002, "out has shape [5, 2]; expected [6, 2]"),
          Call({"out": T("s64", (6, 2), (1, 6))}, 161002, CONTIGUOUS)),
         plain={"out": T("s64", (6, 2))},
         cases=(Case(matrix((7, 5, 3)), lambda self: torch.nonzero(self), dtypes=SOME),
                # places that a FLOAT16 has no room for
                Case(matrix((5000,)), lambda self: torch.nonzero(self), dtypes=("f16", "bf16")))),
    Rows("nonzero_v2",
         (Known((MATRIX,), ([[0, 1, 1], [1, 0, 2]],), dtypes=NUMBERS, out="s64"),
          Known(([[0, 0]],), (np.zeros((2, 0), np.int64),), out="s64")),
         (*usual("aclnnNonzeroV2", "self", "out"),
          Call({"out": T("s64", (6, 2))}, 161002, "out has shape [6, 2]; expected [2, 6]")),
         plain={"out": T("s64", (2, 6))},
         cases=(Case(matrix((7, 5, 3)), lambda self: torch.nonzero(self).T, dtypes=SOME),)),
    Rows("masked_select",
         (Known(([1, 2, 3], np.array([True, False, True])), ([1, 3],), dtypes=NUMBERS),
          Known(([1, 2], np.array([[True], [False]])), ([1, 2],)),
          Known(([1, 2], np.array([0, 2], np.uint8)), ([2],)),
          Known(([NAN, -0.0, 1], np.array([True, True, False])), ([NAN, -0.0],), dtypes=FLOATS)),
         (*usual("aclnnMaskedSelect", "self", "mask", "out"),
          Call({"mask": T("f32")}, 161002, "mask has dtype FLOAT"),
          Call({"mask": T("bool", (4,))}, 161002, "broadcast"),
          Call({"out": T("f16", (6,))}, 161002, "out has dtype FLOAT16"),
          Call({"out": T(shape=(5,))}, 161002, "out has shape [5]; expected [6]")),
         plain={"mask": T("bool"), "out": T(shape=(6,))},
         cases=(Case(matrix((4, 9, 2), "mask"), lambda self, mask: self[mask],
                     dtypes=SOME),)),
    Rows("inplace_masked_scatter",
         (Known(([1, 2, 3], np.array([True, False, True]), [7, 8, 9]), ([7, 2, 8],),
                dtypes=NUMBERS),
          Known(([[1, 2], [3, 4]], np.array([False, True]), [[7, 8]]), ([[1, 7], [3, 8]],))),
         (Call({}), Call({"self": None}, 161001, "aclnnInplaceMaskedScatter: self is null"),
          Call({"mask": None}, 161001, "mask is null"),
          Call({"source": None}, 161001, "source is null"),
          Call({"mask": T("f32")}, 161002, "mask has dtype FLOAT"),
          Call({"source": T("f16")}, 161002, "source has dtype FLOAT16"),
          Call({"mask": T("bool", (4,))}, 161002, "mask has shape [4]")),
         plain={"mask": T("bool")}),
    Rows("unique",
         (Known(([3, 1, 3],), ([1, 3], np.array([1, 0, 1])), {"return_inverse": True}, NUMBERS),
          Known(([NAN, 0, NAN, -0.0],), ([0, NAN, NAN], np.zeros(0, np.int64)), dtypes=FLOATS),
          Known(([],), ([], np.zeros(0, np.int64)))),
         (*usual("aclnnUnique", "self", "y", "y_inverse"),
          Call({"y": T("f16", (6,))}, 161002, "y has dtype FLOAT16; expected FLOAT"),
          Call({"y": T(shape=(5,))}, 161002, "y has shape [5]; expected [6]"),
          Call({"y_inverse": T("s64", (0,))}),
          Call({"y_inverse": T("s64", (0,)), "return_inverse": True}, 161002,
               "y_inverse has shape [0]; expected [6]")),
         plain={"sorted": True, "return_inverse": False, **UNIQUE}),
    Rows("unique2",
         (Known(([3, 1, 3],), ([1, 3], np.array([1, 0, 1]), np.array([1, 2])),
                {"return_inverse": True, "return_counts": True}, NUMBERS),),
         (*usual("aclnnUnique2", "self", "y", "y_inverse", "y_counts"),
          Call({"y_counts": T("s64", (2,)), "return_counts": True}, 161002,
               "y_counts has shape [2]; expected [6]")),
         plain={"sorted": True, "return_inverse": False, "return_counts": False, **UNIQUE},
         cases=(Case(matrix((5, 8)),
                     lambda self, **_: torch.unique(self, True, True, True),
                     {"return_inverse": True, "return_counts": True}, SOME),)),
    Rows("unique_consecutive",
         (Known(([3, 3, 1, 3],), ([3, 1, 3], np.array([0, 0, 1, 2]), np.array([2, 1, 1])),
                {"return_inverse": True, "return_counts": True}, NUMBERS),
          Known(([[1, 2], [1, 2], [1, 3]],), ([[1, 2], [1, 3]], np.array([0, 0, 1]),
                np.array([2, 1])), {"return_inverse": True, "return_counts": True, "dim": 0})),
         (*usual("aclnnUniqueConsecutive", "self", "y", "y_inverse", "y_counts"),
          Call({"dim": 2, "y": T()}, 161002, "dim is 2; expected -2 to 1, or 1000"),
          Call({"dim": 0, "y": T()}),
          Call({"dim": 0, "y": T(shape=(2, 2))}, 161002, "y has shape [2, 2]; expected [2, 3]")),
         plain={"dim": 1000, "return_inverse": False, "return_counts": False, **UNIQUE},
         cases=(Case(matrix((40,)), lambda self, **_: torch.unique_consecutive(self, True, True),
                     {"return_inverse": True, "return_counts": True}, SOME),)),
    Rows("search_sorted",
         (Known(([1, 3, 3, 7], [3, 9, 0]), ([1, 4, 0],), dtypes=NUMBERS, out="s64"),
          Known(([1, 3, 3, 7], [3, 9, 0]), ([3, 4, 0],), {"right": True}, out="s64"),
          Known(([1, 2, NAN], [NAN, 1]), ([3, 0],), out="s64"),
          Known(([], [1, 2]), ([0, 0],), out="s64"),
          Known(([7, 1, 3], [3, 9], np.array([1, 2, 0])), ([1, 3],), {"out_int32": True},
                out="s32")),
         (*usual("aclnnSearchSorted", "self", "sorted_sequence", "out"),
          Call({"sorted_sequence": T(shape=())}, 161002, "sorted_sequence has no dimensions"),
          Call({"sorted_sequence": T(shape=(3, 4))}, 161002, "expected one row"),
          Call({"sorted_sequence": T(shape=(2, 4))}),
          Call({"sorter": T("s64", (5,))}, 161002, "sorter has shape [5]; expected [4]"),
          *SEARCHED),
         plain={**ROWS_OF, "out": T("s64")},
         cases=(Case(sorted_rows((4, 6), 13, "sorted_sequence"),
                     lambda sorted_sequence, self, **how: search(self, sorted_sequence, **how),
                     {"right": True}, SOME),
                Case(sorted_rows((90,), 37, "sorted_sequence"),
                     lambda sorted_sequence, self, **how: search(self, sorted_sequence, **how),
                     dtypes=SOME))),
    Rows("search_sorteds",
         (Known(([1, 3, 3, 7], 3), (1,), dtypes=NUMBERS, out="s64"),
          Known(([1, 3, 3, 7], 3), (3,), {"right": True}, out="s64")),
         (*usual("aclnnSearchSorteds", "sorted_sequence", "out"),
          Call({"self": None}, 161001, "self is null"), *SEARCHED),
         plain={**ROWS_OF, "self": 2.0, "out": T("s64", ())}),
    Rows("bucketize",
         (Known(([3, 9, 0], [1, 3, 3, 7]), ([1, 4, 0],), dtypes=NUMBERS, out="s64"),
          Known(([3, 9, 0], [1, 3, 3, 7]), ([3, 4, 0],), {"right": True}, out="s64")),
         (*usual("aclnnBucketize", "self", "boundaries", "out"),
          Call({"boundaries": T()}, 161002, "boundaries has 2 dimensions; expected 1"), *SEARCHED),
         plain={"boundaries": T(shape=(4,)), **HOW, "out": T("s64")}),
    Rows("repeat_interleave",
         (Known(([5, 6], np.array([2, 1]), 3), ([5, 5, 6],), dtypes=NUMBERS),
          Known(([[1, 2], [3, 4]], np.array([2]), 8), ([1, 1, 2, 2, 3, 3, 4, 4],)),
          Known(([NAN, -0.0], np.array([0, 2]), 2), ([-0.0, -0.0],), dtypes=FLOATS)),
         (*usual("aclnnRepeatInterleave", "self", "repeats", "out"),
          Call({"repeats": T("f32", (6,))}, 161002, "repeats has dtype FLOAT"),
          Call({"repeats": T("s64", (2,))}, 161002, "repeats has shape [2]; expected [1] or [6]"),
          Call({"output_size": -1}, 161002, "output_size is -1; expected at least 0"),
          Call({"output_size": 5}, 161002, "out has shape [12]; expected [5]")),
         plain={"repeats": T("s64", (6,)), "output_size": 12, "out": T(shape=(12,))},
         cases=(Case(repeats((2, 3), 6), repeated(None), {"output_size": 12}, SOME),)),
    Rows("repeat_interleave_with_dim",
         (Known(([5, 6], np.array([2, 1]), 0, 3), ([5, 5, 6],), dtypes=NUMBERS),
          Known(([[1, 2], [3, 4]], np.array([0, 2]), 1, 2), ([[2, 2], [4, 4]],))),
         (*usual("aclnnRepeatInterleaveWithDim", "self", "repeats", "out"),
          Call({"dim": 2}, 161002, "dim is 2; expected -2 to 1"),
          Call({"repeats": T("s64", (2,))}, 161002, "repeats has shape [2]; expected [1] or [3]")),
         plain={"repeats": T("s64", (3,)), "dim": 1, "output_size": 12, "out": T(shape=(2, 12))},
         cases=(Case(repeats((4, 5, 2), 5), repeated(1), {"dim": 1, "output_size": 12}, SOME),)),
    Rows("repeat_interleave_tensor",
         (Known((np.array([2, 0, 1]), 3), ([0, 0, 2],), out="s64"),),
         (Call({}), Call({"repeats": None}, 161001, "aclnnRepeatInterleaveTensor: repeats is null"),
          Call({"out": None}, 161001, "out is null"),
          Call({"repeats": T("f32", (3,))}, 161002, "repeats has dtype FLOAT")),
         plain={"repeats": T("s64", (3,)), "output_size": 12, "out": T("s64", (12,))}),
    Rows("repeat_interleave_grad",
         (Known(([1, 2, 4], np.array([2, 1]), 0), ([3, 4],), dtypes=FLOATS),
          Known(([2.0**24, 1, 1], np.array([3]), 0), ([2.0**24 + 2],))),
         (*usual("aclnnRepeatInterleaveGrad", "grad", "repeats", "out"),
          Call({"grad": T("s32")}, 161002, "grad has dtype INT32"),
          Call({"dim": 2}, 161002, "dim is 2; expected -2 to 1"),
          Call({"out": T(shape=(2, 4))}, 161002, "out has shape [2, 4]; expected [2, 3]")),
         plain={"grad": T(shape=(2, 12)), "repeats": T("s64", (3,)), "dim": 1},
         cases=(Case(repeats((3, 12), 5, "grad"), added, {"dim": 1}),)),
    Rows("repeat_interleave_int",
         (Known(([[1, 2], [3, 4]], 2, 8), ([1, 1, 2, 2, 3, 3, 4, 4],), dtypes=NUMBERS),
          Known(([1, 2], 0, 0), ([],))),
         (*usual("aclnnRepeatInterleaveInt", "self", "out"),
          Call({"repeats": -1}, 161002, "repeats is -1; expected at least 0"),
          Call({"output_size": 5}, 161002, "output_size is 5; expected 12")),
         plain={"repeats": 2, "output_size": 12, "out": T(shape=(12,))}),
)  # fmt: skip
