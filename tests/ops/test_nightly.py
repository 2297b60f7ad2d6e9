"""The nightly comparison with mpmath: it finds nothing in right results, and what is off."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nightly
from openaclnn.verify import subjects

PAIRS = [
    ("divs", "f32"), ("gelu", "bf16"), ("mse_loss", "f32"), ("add", "s8"),
    ("swi_glu", "f32"), ("softmax", "f32"), ("gt_scalar", "f32"), ("linspace", "f64"),
    ("cat", "f32"), ("roll", "u8"), ("cast", "s32"), ("gather", "bf16"), ("index_add", "f16"),
    ("inplace_index_fill_tensor", "f32"), ("foreach_addcdiv_scalar", "f64"), ("mm", "f16"),
    ("avg_pool2d", "f32"), ("upsample_linear1d_backward", "f32"), ("layer_norm", "f16"),
    ("cumsum", "f32"), ("topk", "s16"), ("dropout_gen_mask", "u8"), ("dropout_do_mask", "bf16"),
    ("weight_quant_batch_matmul_v2", "f16"), ("fused_infer_attention_score_v2", "bf16"),
]  # fmt: skip


@pytest.mark.parametrize("pair", PAIRS)
def test_right_results_are_right(pair: tuple[str, str]) -> None:
    found = nightly.one(pair, 11)
    assert found.compared >= 1
    assert found.judged == {pair}
    assert not found.violations


def test_a_number_makes_integers_float() -> None:
    """Of INT8 at level fast a power by 1/3 is promised what FLOAT is."""
    assert not nightly.one(("pow_tensor_scalar", "s8"), 1431931650).violations


@pytest.mark.parametrize("pair", PAIRS)
def test_wrong_results_are_found(pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    real = subjects.called

    def wrong(*arguments: Any) -> Any:
        found = real(*arguments)
        for result in found:
            bits = result.reshape(-1).view(f"u{result.dtype.itemsize}")
            bits ^= bits.dtype.type(1)
        return found

    monkeypatch.setattr(subjects, "called", wrong)
    with np.errstate(all="ignore"):
        assert nightly.one(pair, 11).violations


def test_a_promise_that_nothing_was_held_to_is_found() -> None:
    assert nightly.unjudged([("exp", "f32")], frozenset([("exp", "f32")])) == [
        f"exp {short}: promised, and nothing was judged" for short in ("f16", "bf16", "f64")
    ]
