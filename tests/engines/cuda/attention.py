"""Attention in several panels: the GPU's kernels against the CPU's bits."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import every_operator
from host_engines import InterpretedEngine
from openaclnn.base import products, settings
from openaclnn.base.dtypes import BOOL, FLOAT, FLOAT16
from openaclnn.base.tensors import Tensor, view
from openaclnn.ops import find
from openaclnn.spec import attention
from openaclnn.spec.call import Call

OP = find("fused_infer_attention_score_v2")
HEADS, GROUPS, ROWS, KEYS, WIDTH, VALUE = 4, 2, 5, 9, 24, 20


def calls() -> Iterator[tuple[Call, str]]:
    """One with everything that is added and written, one of a band; keys are strided."""

    cache = view(FLOAT16, (1, KEYS, GROUPS, WIDTH), (KEYS * 99, GROUPS * 48, 48, 1), 3, 2,
                 (KEYS * 99,))  # fmt: skip
    given: dict[str, Any] = {
        "query": Tensor(view(FLOAT16, (1, ROWS, HEADS, WIDTH)), 0),
        "key": (Tensor(cache, 0),),
        "value": (Tensor(view(FLOAT16, (1, KEYS, GROUPS, VALUE)), 0),),
        "attention_out": Tensor(view(FLOAT16, (1, ROWS, HEADS, VALUE)), 0),
    }
    usual = {
        **dict.fromkeys((a.name for a in OP.tensors), None),
        **OP.defaults,
        "num_heads": HEADS,
        "num_key_value_heads": GROUPS,
        "scale_value": 0.3,
        "input_layout": "BSND",
    }
    scores = (1, HEADS, ROWS, KEYS)
    full = {
        "pse_shift": Tensor(view(FLOAT16, scores, (0, 0, KEYS, 1), 0, 2, (ROWS * KEYS,)), 0),
        "atten_mask": Tensor(view(BOOL, scores[2:]), 0),
        "softmax_lse": Tensor(view(FLOAT, (*scores[:3], 1)), 0),
        "softmax_lse_flag": True,
    }
    compressed = Tensor(view(BOOL, (2048, 2048), (0, 0), 0, 2, (1,)), 0)
    band = {"atten_mask": compressed, "sparse_mode": 4, "pre_tokens": 3, "next_tokens": 0}
    for more in (full, band):
        yield Call(OP, {**usual, **given, **more}, products.DEFAULT), settings.EXACT


def differing() -> int:
    """How many calls give other bits than on the CPU, in panels of a few rows."""
    most, attention.PANEL = attention.PANEL, 3 * KEYS
    try:
        found = every_operator.differing(InterpretedEngine(), OP, made=calls())
    finally:
        attention.PANEL = most
    print(*found, sep="\n")
    return len(found)
