"""Attention over caches of keys and values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch

from rows import Call, Case, Known, Rows, T

ONE_ROW = {"input_layout": "BSH"}
QKV = ([[[1, 1]]], [[[[0, 0], [0, 0], [0, 0]]]], [[[[0, 1], [2, 3], [4, 5]]]])
NOT_COMPUTED = (
    *("deq_scale1", "quant_scale1", "deq_scale2", "quant_scale2", "quant_offset2"),
    *("antiquant_scale", "antiquant_offset", "block_table", "query_padding_size"),
    *("kv_padding_size", "key_antiquant_scale", "key_antiquant_offset", "value_antiquant_scale"),
    *("value_antiquant_offset", "key_shared_prefix", "value_shared_prefix"),
)
NOTHING = np.zeros(0, np.float32)  # where no logarithms are asked for
COMPRESSED = T("bool", (2048, 2048))


def attention(
    query: Any,
    key: Any,
    value: Any,
    pse_shift: Any = None,
    atten_mask: Any = None,
    *,
    num_heads: int = 1,
    scale_value: float = 1.0,
    input_layout: str = "BSH",
    num_key_value_heads: int = 0,
    softmax_lse_flag: bool = False,
    **others: Any,
) -> Any:
    """As it is written down; the dimensions of every layout made batch, heads, rows, elements."""

    def laid(x: Any, heads: int) -> Any:
        if input_layout == "BSH":
            return x.reshape(*x.shape[:2], heads, -1).transpose(1, 2)
        return x if input_layout.startswith("BNSD") else x.transpose(1, 2)

    groups = num_key_value_heads or num_heads
    q = laid(query, num_heads)
    k, v = (
        laid(x, groups).repeat_interleave(num_heads // groups, dim=1) for x in (key[0], value[0])
    )
    scores = q @ k.transpose(-1, -2) * scale_value
    if pse_shift is not None:
        scores = scores + pse_shift
    if atten_mask is not None:
        scores = scores.masked_fill(atten_mask != 0, -math.inf)
    lse = torch.logsumexp(scores, -1, keepdim=True)
    out = torch.softmax(scores, -1).nan_to_num(nan=0.0) @ v
    if input_layout == "BSH":
        out = out.transpose(1, 2).flatten(2)
    elif input_layout != "BNSD":
        out = out.transpose(1, 2)
    return out, lse if softmax_lse_flag else None


def normal(**shapes: tuple[int, ...]) -> Any:
    """Normally distributed numbers; lists of one tensor, and masks with a row that sees no key."""

    def draw(rng: Any) -> dict[str, Any]:
        found: dict[str, Any] = {name: rng.normal(0, 1, shape) for name, shape in shapes.items()}
        for name in ("key", "value"):
            found[name] = [found[name]]
        if "atten_mask" in shapes:
            found["atten_mask"] = (found["atten_mask"] > 0.5).astype(np.int8)
            found["atten_mask"][..., 1, :] = 1
        return found

    return draw


GROUPED = {"num_heads": 6, "num_key_value_heads": 2, "scale_value": 0.3}


def usual(c_name: str, absent: tuple[str, ...]) -> tuple[Call, ...]:
    return (
        Call({}),
        Call({"pse_shift": None, "atten_mask": None, "softmax_lse": None}),
        Call({"query": None}, 161001, f"{c_name}: query is null; expected a tensor"),
        Call({"key": (None,)}, 161001, "key[0] is null; expected a tensor"),
        Call({"query": T("f32", (2, 3, 4))}, 161002, "query has dtype FLOAT; expected FLOAT16"),
        Call({"value": (T("bf16", (2, 5, 4)),)}, 161002,
             "value[0] has dtype BF16; expected FLOAT16, as query has"),
        Call({"key": (T("f16", (2, 5, 4)),) * 3}, 161002, "key has 3 tensors; expected 1 or 2"),
        Call({"key": (T("f16", (1, 5, 4)), T("f16", (1, 4, 4)))}, 161002,
             "key[1] has shape [1, 4, 4]; expected [1, 5, 4], as key[0] has"),
        Call({"key": (T("f16", (1, 5, 4)),) * 2}),
        Call({"key": (T("f16", (2, 5, 4)),) * 2, "query": T("f16", (2, 3, 4))}, 161002,
             "key has shape [4, 5, 4]; expected 2 batches, as query has"),
        Call({"key": (T("f16", (2, 5, 6)),)}, 161002,
             "key has shape [2, 5, 6]; expected 4 elements a head, as query has"),
        Call({"value": (T("f16", (2, 4, 4)),)}, 161002,
             "value has shape [2, 4, 4]; expected 5 keys, as key has"),
        Call({"key": (T("f16", (3, 5, 4)),)}, 161002, "expected 2 batches, as query has"),
        Call({"query": T("f16", (2, 3))}, 161002,
             "query has 2 dimensions; expected 3, as input_layout is BSH"),
        Call({"num_heads": 3}, 161002, "expected a multiple of 3 along dimension 2"),
        Call({"num_heads": 4, "num_key_value_heads": 3}, 161002, "num_heads is 4 and"),
        Call({"input_layout": "BNSD"}, 161002, "query has 3 dimensions; expected 4, as"),
        Call({"input_layout": "TND"}, 161002, "input_layout is TND; expected BSH, BSND"),
        Call({"sparse_mode": 5}, 161002, "sparse_mode is 5; expected 0 (default)"),
        Call({"sparse_mode": 1, "atten_mask": None}, 161002,
             "atten_mask is null; expected a tensor, as sparse_mode is 1"),
        Call({"sparse_mode": 3}, 161002, "atten_mask has shape [3, 5]; expected [2048, 2048]"),
        Call({"sparse_mode": 3, "atten_mask": COMPRESSED}),
        Call({"atten_mask": T("bool", (5, 3))}, 161002,
             "atten_mask has shape [5, 3]; expected one that broadcasts to [2, 1, 3, 5]"),
        Call({"atten_mask": T("f16", (3, 5))}, 161002, "atten_mask has dtype FLOAT16"),
        Call({"pse_shift": T("f16", (3, 5))}, 161002, "pse_shift has shape [3, 5]; expected"),
        Call({"actual_seq_lengths": (1, 2, 3)}, 161002, "has 3 numbers; expected 1 or 2"),
        Call({"actual_seq_lengths_kv": (6,)}, 161002, "has 6; expected 0 to 5"),
        Call({"attention_out": T("f16", (2, 3, 5))}, 161002,
             "attention_out has shape [2, 3, 5]; expected [2, 3, 4]"),
        Call({"attention_out": T("f32", (2, 3, 4))}, 161002, "attention_out has dtype FLOAT"),
        Call({"softmax_lse_flag": True}, 161002,
             "softmax_lse has shape [1]; expected [2, 1, 3, 1]"),
        *(Call({name: T("f16")}, 161002, f"{name} is a tensor; expected null") for name in absent),
    )  # fmt: skip


def row(name: str, c_name: str, rope: tuple[str, ...] = ()) -> Rows:
    absent = (*NOT_COMPUTED, *rope)
    return Rows(
        op=name,
        known=(
            Known(QKV, ([[[2, 3]]], NOTHING), dtypes=("f16", "bf16")),
            # 1/3 rounded to FLOAT, times 2^15: the rest is not lost before the result is rounded
            Known(([[[1]]], [[[[0], [0], [0]]]], [[[[8], [8], [8]]]]), ([[[8]]], NOTHING),
                  dtypes=("f16",)),
            # the larger score takes all, whatever 6e4·6e4 is to a FLOAT16
            Known(([[[6e4]]], [[[[6e4], [5e4]]]], [[[[1], [2]]]]), ([[[1]]], NOTHING),
                  dtypes=("f16",)),
            Known(([[[math.inf]]], [[[[1], [0]]]], [[[[1], [2]]]]), ([[[math.nan]]], NOTHING),
                  dtypes=("f16",)),
        ),
        calls=usual(c_name, absent),
        plain={
            "query": T("f16", (2, 3, 4)),
            **dict.fromkeys(("key", "value"), (T("f16", (2, 5, 4)),)),
            "pse_shift": T("f16", (2, 1, 3, 5)),
            "atten_mask": T("bool", (3, 5)),
            **dict.fromkeys(absent),
            "actual_seq_lengths": (), "actual_seq_lengths_kv": (), "actual_shared_prefix_len": (),
            "num_heads": 1, "scale_value": 1.0, "pre_tokens": 65535, "next_tokens": 65535,
            "input_layout": "BSH", "num_key_value_heads": 0, "sparse_mode": 0, "inner_precise": 0,
            "block_size": 0, "antiquant_mode": 0, "softmax_lse_flag": False,
            "key_antiquant_mode": 0, "value_antiquant_mode": 0,
            "attention_out": T("f16", (2, 3, 4)),
            "softmax_lse": T("f32", (1,)),
        },
        cases=(
            Case(normal(query=(2, 7, 6, 40), key=(2, 33, 2, 40), value=(2, 33, 2, 24)), attention,
                 {**GROUPED, "input_layout": "BSND"}, ("f16", "bf16")),
        ),
    )  # fmt: skip


ROWS = (
    row("fused_infer_attention_score_v2", "aclnnFusedInferAttentionScoreV2"),
    row("fused_infer_attention_score_v3", "aclnnFusedInferAttentionScoreV3",
        ("query_rope", "key_rope")),
)  # fmt: skip
