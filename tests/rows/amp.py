"""Rows of what mixed precision does between steps."""

from typing import Any

import numpy as np
import torch

from rows import Call, Case, Rows, T

FACTORS = {"growth_factor": 2.0, "backoff_factor": 0.5, "growth_interval": 3}


def updated(current_scale: Any, growth_tracker: Any, found_inf: Any, **factors: Any) -> Any:
    scale, tracker = current_scale.float(), growth_tracker.clone()
    torch._amp_update_scale_(scale, tracker, found_inf.float(), *factors.values())
    return scale.double(), tracker


def drawn(tracker: int, found: float, scale: float = 8.0) -> Any:
    return lambda _: {"current_scale": np.array([scale]), "found_inf": np.array([found]),
                      "growth_tracker": np.array([tracker], np.int32)}  # fmt: skip


ROWS = [
    Rows("amp_update_scale",
         known=(),
         calls=(Call({}), Call({"current_scale": None}, 161001, "current_scale is null"),
                Call({"found_inf": T("f16", (1,))}, 161002, "found_inf has dtype FLOAT16"),
                Call({"growth_tracker": T("s64", (1,))}, 161002, "growth_tracker has dtype INT64"),
                Call({"updated_scale": T(shape=(2,))}, 161002, "updated_scale has shape [2]")),
         plain={"current_scale": T(shape=(1,)), "growth_tracker": T("s32", (1,)),
                "found_inf": T(shape=(1,)), **FACTORS,
                "updated_scale": T(shape=(1,)), "updated_growth_tracker": T("s32", (1,))},
         cases=tuple(Case(drawn(*given), updated, FACTORS, ("f32",)) for given in (
             (0, 0.0), (0, 1.0), (2, 0.0), (2, 1.0),
             (2, 0.0, 3e38)))),  # stays: 6e38 would be infinite
]  # fmt: skip
