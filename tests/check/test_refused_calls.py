"""Calls that are wrong in ways that once ended in an internal error or in a bare exception: each
is refused with its status and a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import openaclnn
from openaclnn import aclnn
from openaclnn.base import dtypes
from openaclnn.base.scalars import scalar
from openaclnn.base.tensors import Tensor
from openaclnn.ops import all_ops
from openaclnn.spec.host import ScalarValue
from openaclnn.spec.op import InOut, Op
from openaclnn.spec.sample import sample_call

X = np.ones((2, 3), np.float32)
IMAGE = np.ones((1, 2, 4, 4), np.float32)

CALLS: dict[str, tuple[Callable[[], Any], int, str]] = {
    "arange step": (lambda: openaclnn.arange(5, step=0), 161002, "step is 0"),
    "range step": (lambda: openaclnn.range(5, step=0), 161002, "step is 0"),
    "slice step": (lambda: openaclnn.slice(X, 0, 0, 2, 0), 161002, "step is 0"),
    "im2col stride": (
        lambda: openaclnn.im2col(IMAGE, (2, 2), (1, 1), (0, 0), (0, 0)), 161002, "stride is [0, 0]",
    ),
    "arange to inf": (lambda: openaclnn.arange(np.inf), 161002, "end is inf"),
    "arange far": (lambda: openaclnn.arange(1e30), 161002, "expected one that fits memory"),
    "arange beyond float": (
        lambda: openaclnn.arange(1e40, step=1e39, out=np.empty(3)), 161002, "out has shape [3]",
    ),
    "repeat": (lambda: openaclnn.repeat(X, (2**62, 1)), 161002, "expected one that fits memory"),
    "pad": (lambda: openaclnn.constant_pad_nd(X, (2**62, 1)), 161002, "one that fits memory"),
    "linspace": (lambda: openaclnn.linspace(0, 1, 2**62), 161002, "one that fits memory"),
    "eye": (lambda: openaclnn.eye(2**62, 2**62), 161002, "expected one that fits memory"),
    "topk": (lambda: openaclnn.topk(X, 2**40, 1), 161002, "k is 1099511627776; expected 0 to 3"),
    "cat": (lambda: openaclnn.cat([X, None]), 161001, "tensors[1] is null"),
    "sum to integers": (
        lambda: openaclnn.reduce_sum(X, dtype="int32"), 161002, "dtype is INT32; expected FLOAT16",
    ),
    "sum to a code": (lambda: openaclnn.reduce_sum(X, dtype=99), 161002, "dtype is unknown"),
    "cast to a code": (lambda: openaclnn.cast(X, -5), 161002, "unknown dtype -5"),
    "cast to c32": (lambda: openaclnn.cast(X, "complex32"), 161002, "dtype COMPLEX32"),
    "prelu": (
        lambda: openaclnn.prelu(IMAGE, np.ones((1, 2, 1), np.float32)), 161002,
        "weight has shape [1, 2, 1]; expected [1], or [2] or [1, 2, 1, 1]",
    ),
    "softshrink": (lambda: openaclnn.softshrink(X, lambd=-1), 161002, "lambd is -1"),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_call_is_refused(name: str) -> None:
    call, status, sentence = CALLS[name]
    with pytest.raises(openaclnn.AclnnError) as refused:
        call()
    assert refused.value.status.value == status
    assert sentence in str(refused.value)


WITH_SCALARS = [
    op for op in all_ops().values() if any(isinstance(a.host, ScalarValue) for a in op.attributes)
]


def complex_in(op: Op, name: str) -> dict[str, Any]:
    """The arguments of a call whose scalar of this name is complex."""
    given = {a.name: a.plain for a in op.attributes} | {name: scalar(1j)}
    tensors = [*op.inputs, *(a for a in op.outputs if isinstance(a, InOut))]
    floats = any(dtypes.FLOAT in getattr(rule, "allowed", ()) for rule in op.rules[:1])
    call = sample_call(op, (dtypes.FLOAT if floats else dtypes.INT32,), (2, 3))
    like = {a.name: call[a.name] for a in tensors if call[a.name] is not None}
    return given | {
        name: [ones(each) for each in one] if isinstance(one, tuple) else ones(one)
        for name, one in like.items()
    }


def ones(like: Tensor) -> np.ndarray:
    return np.ones(like.shape, like.dtype.numpy)


@pytest.mark.parametrize("op", WITH_SCALARS, ids=lambda op: op.name)
def test_a_complex_number_is_refused(op: Op) -> None:
    for a in op.attributes:
        if isinstance(a.host, ScalarValue):
            with pytest.raises(openaclnn.AclnnError) as refused:
                getattr(openaclnn, op.name)(**complex_in(op, a.name))
            assert refused.value.status.value == 161002
            assert a.name in str(refused.value) or "COMPLEX" in str(refused.value)


@pytest.mark.parametrize("dtype", [dtypes.INT8, dtypes.INT32, dtypes.by_code(99)])
def test_a_sum_of_floats_as_integers_is_refused_by_phase_1(dtype: dtypes.DType) -> None:
    out = np.empty((), np.float32 if dtype.kind == "other" else dtype.numpy)
    answer = aclnn.aclnnReduceSumGetWorkspaceSize(X, (), False, dtype, out)
    assert answer == (161002, 0, None)
    assert f"dtype is {dtype}; expected" in aclnn.aclGetRecentErrMsg()


@pytest.mark.parametrize("rank", range(5))
def test_log_sigmoid_forward_may_have_an_empty_buffer(rank: int) -> None:
    x = np.array(np.random.default_rng(rank).normal(size=(2, 3, 4, 5)[:rank]), np.float32)
    out, whole = np.empty_like(x), openaclnn.log_sigmoid_forward(x)[0]
    openaclnn.log_sigmoid_forward(x, out=(out, np.empty(0, np.float32)))
    np.testing.assert_array_equal(out, whole)


@pytest.mark.parametrize("shape", [(), (1,), (1, 1), (1, 1, 1, 1), (3,), (1, 3, 1, 1)])
def test_prelu_takes_weights_as_pytorch_reshapes_them(shape: tuple[int, ...]) -> None:
    rng = np.random.default_rng(6)
    x = rng.normal(size=(2, 3, 4, 5)).astype(np.float32)
    weight = np.array(rng.random(shape), np.float32)
    right = np.where(x > 0, x, weight.reshape(1, -1, 1, 1) * x)
    np.testing.assert_array_equal(openaclnn.prelu(x, weight), right)
    flipped = x.transpose(3, 1, 0, 2)
    right = right.transpose(3, 1, 0, 2)
    np.testing.assert_array_equal(openaclnn.prelu(flipped, weight), right)


def test_booleans_are_divided_as_the_number_beside_them() -> None:
    found = openaclnn.floor_divides(np.array([True, False]), 1.0)
    assert found.dtype == np.float32
    assert found.tolist() == [1.0, 0.0]
