"""Weights of 4 bits as programs hand them over, and packed into INT32: the same numbers have the
same bits however they lie."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import openaclnn
from openaclnn import aclnn

GROUP = 32


def packed(numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Bytes of two numbers each, the first in the low half."""
    halves = numbers.reshape(-1).view(np.uint8) & 15
    return halves[::2] | halves[1::2] << 4


@pytest.fixture
def drawn() -> tuple[np.ndarray[Any, Any], ...]:
    random = np.random.default_rng(4)
    x = random.standard_normal((5, 96)).astype(np.float16)
    weight = random.integers(-8, 8, (96, 24)).astype(np.int8)
    return x, weight, (random.standard_normal((3, 24)) / 8).astype(np.float16)


def test_int4_lies_along_the_terms_as_in_llama_cpp(drawn: tuple[Any, ...]) -> None:
    """Transposed, behind an offset, the scales transposed, too."""
    x, weight, scale = drawn
    expected = openaclnn.weight_quant_batch_matmul_v2(x, weight, scale, antiquant_group_size=GROUP)
    before = np.zeros(8, np.uint8)
    memory = np.concatenate([before, packed(np.ascontiguousarray(weight.T))])
    handed = aclnn.aclCreateTensor(
        [96, 24], aclnn.ACL_INT4, [1, 96], 16, aclnn.ACL_FORMAT_ND, [16 + 96 * 24], memory
    )
    out, scales = np.empty((5, 24), np.float16), np.ascontiguousarray(scale.T).T
    status, _, executor = aclnn.aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(
        x, handed, scales, None, None, None, None, GROUP, out
    )
    assert status == 0, aclnn.aclGetRecentErrMsg()
    assert aclnn.aclnnWeightQuantBatchMatmulV2(None, 0, executor, None) == 0
    assert out.tobytes() == expected.tobytes()


@pytest.mark.parametrize("offset", [1, 3])
def test_int4_begins_at_a_whole_byte(drawn: tuple[Any, ...], offset: int) -> None:
    x, _weight, scale = drawn
    handed = aclnn.aclCreateTensor(
        [96, 24], aclnn.ACL_INT4, [24, 1], offset, aclnn.ACL_FORMAT_ND, [2 * 96 * 24],
        np.zeros(96 * 24, np.uint8),
    )  # fmt: skip
    out = np.empty((5, 24), np.float16)
    status, _, _ = aclnn.aclnnWeightQuantBatchMatmulV2GetWorkspaceSize(
        x, handed, scale, None, None, None, None, GROUP, out
    )
    assert status == 161002
    assert f"weight has offset {offset}; expected an even one" in aclnn.aclGetRecentErrMsg()


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("along", [0, 1])
def test_int32_holds_eight(drawn: tuple[Any, ...], along: int) -> None:
    x, weight, scale = drawn
    expected = openaclnn.weight_quant_batch_matmul_v2(x, weight, scale, antiquant_group_size=GROUP)
    if along:
        words = packed(weight).view(np.int32).reshape(96, 3)
    else:
        words = packed(np.ascontiguousarray(weight.T)).view(np.int32).reshape(24, 12).T
    found = openaclnn.weight_quant_batch_matmul_v2(x, words, scale, antiquant_group_size=GROUP)
    assert found.tobytes() == expected.tobytes()
