"""Numbers as integers of few bits."""

from typing import Any

import numpy as np
import torch

from openaclnn.base.dtypes import FLOAT, INT8, INT32, UINT8
from rows import FLOATS, Call, Case, Known, Rows, T

INTEGERS = {INT8: torch.qint8, UINT8: torch.quint8, INT32: torch.qint32}


def drawn(rng: Any) -> dict[str, Any]:
    return {"x": rng.normal(0, 40, (3, 4, 5)), "scales": rng.uniform(0.1, 1, 4),
            "zero_points": rng.integers(0, 9, 4).astype(np.int32)}  # fmt: skip


def quantised(x: Any, scales: Any, zero_points: Any, dtype: Any, axis: int) -> Any:
    how = INTEGERS[dtype]
    return torch.quantize_per_channel(x.float(), scales, zero_points, axis, how).int_repr()


ROWS = (
    Rows(
        "quantize",
        (
            Known(([-0.25, 0.75, 100, -100], [0.5]), ([0, 2, 127, -128],), {"dtype": "s8"}, FLOATS,
                  out="s8"),
            Known(([-1, 0.5, 1.5, 300], [1]), ([0, 0, 2, 255],), {"dtype": "u8"}, out="u8"),
            Known(([1e10, -1e10, 3], [1]), ([2**31 - 1, -(2**31), 3],), {"dtype": "s32"},
                  out="s32"),
            Known(([[1, 2], [1, 2]], [1, 0.5]), ([[1, 2], [2, 4]],), {"dtype": "s8"}, out="s8"),
            Known(([[1, 2], [1, 2]], [1, 0.5]), ([[1, 4], [1, 4]],), {"dtype": "s8", "axis": -1},
                  out="s8"),
        ),
        (
            Call({}),
            Call({"zero_points": None}),
            Call({"zero_points": T("s32", (3,)), "scales": T(shape=(3,)), "axis": 1}),
            Call({"x": None}, 161001, "aclnnQuantize: x is null; expected a tensor"),
            Call({"scales": None}, 161001, "scales is null"),
            Call({"out": None}, 161001, "out is null"),
            Call({"x": T("s32")}, 161002, "x has dtype INT32; expected FLOAT"),
            Call({"zero_points": T("f32", (1,))}, 161002, "zero_points has dtype FLOAT"),
            Call({"dtype": FLOAT, "out": T()}, 161002, "the result has dtype FLOAT; expected INT8"),
            Call({"out": T("u8")}, 161002, "out has dtype UINT8; expected INT8"),
            Call({"x": T(shape=(1,) * 9)}, 161002, "x has 9 dimensions"),
            Call({"axis": 2}, 161002, "axis is 2; expected -2 to 1"),
            Call({"scales": T(shape=(2,)), "axis": 1}, 161002,
                 "scales has shape [2]; expected [1] or [3]"),
            Call({"zero_points": T("s8", (3,))}, 161002,
                 "zero_points has shape [3]; expected [1] or [2]"),
            Call({"out": T("s8", (3,))}, 161002, "out has shape [3]; expected [2, 3]"),
        ),
        plain={"scales": T(shape=(1,)), "zero_points": T("s8", (1,)), "dtype": INT8, "axis": 0,
               "out": T("s8")},
        cases=tuple(Case(drawn, quantised, {"dtype": dtype, "axis": 1}, ("f32",))
                    for dtype in INTEGERS),
    ),
)  # fmt: skip
