"""Coordinates of places in images."""

from typing import Any

import torch

from rows import FLOATS, Call, Case, Known, Rows, T

SIZES = {2: (2, 3, 4, 5), 3: (2, 1, 3, 1, 4)}


def matrices(spatial: int) -> Any:
    return lambda rng: {"theta": rng.normal(0, 2, (2, spatial, spatial + 1))}


def mapped(theta: Any, size: Any, align_corners: bool) -> Any:
    return torch.ops.aten.affine_grid_generator(theta, list(size), align_corners)


SAME = [[[1, 0, 0], [0, 1, 0]]]
ROWS = (
    Rows(
        "affine_grid",
        (
            Known((SAME,), ([[[[-0.5, 0], [0.5, 0]]]],), {"size": (1, 1, 1, 2)}, FLOATS),
            Known((SAME,), ([[[[-1, 0], [1, 0]]]],), {"size": (1, 1, 1, 2), "align_corners": True}),
            Known(([[[0, 2, 3], [-2, 0, 1]]],), ([[[[1, 1]], [[5, 1]]]],),
                  {"size": (1, 1, 2, 1), "align_corners": True}),
        ),
        (
            Call({}),
            Call({"theta": T(shape=(2, 3, 4)), "size": SIZES[3], "out": T(shape=(2, 3, 1, 4, 3))}),
            Call({"theta": None}, 161001, "aclnnAffineGrid: theta is null; expected a tensor"),
            Call({"size": None}, 161001, "size is null"),
            Call({"out": None}, 161001, "out is null"),
            Call({"theta": T("s32", (2, 2, 3))}, 161002, "theta has dtype INT32"),
            Call({"size": (2, 3, 4)}, 161002, "size is [2, 3, 4]; expected 4 or 5 sizes"),
            Call({"size": (2, 3, 0, 5)}, 161002, "size is [2, 3, 0, 5]; expected 4 or 5 sizes"),
            Call({"theta": T(shape=(2, 3))}, 161002, "theta has shape [2, 3]; expected [2, 2, 3]"),
            Call({"out": T(shape=(2, 4, 5))}, 161002, "out has shape [2, 4, 5]; expected"),
        ),
        plain={"theta": T(shape=(2, 2, 3)), "size": SIZES[2], "align_corners": False,
               "out": T(shape=(2, 4, 5, 2))},
        cases=tuple(
            Case(matrices(spatial), mapped, {"size": size, "align_corners": aligned}, ("f32",))
            for spatial, size in SIZES.items() for aligned in (False, True)
        ),
    ),
)  # fmt: skip
