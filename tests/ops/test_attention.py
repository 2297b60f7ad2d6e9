"""Attention: its accuracy, and that nothing but its arguments decides a bit."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import openaclnn
from openaclnn.base import products, settings
from openaclnn.base.dtypes import by_name
from openaclnn.calls import two_phase
from openaclnn.calls.arrays import as_tensor
from openaclnn.calls.functions import attribute
from openaclnn.engines.cpu import CpuEngine, threads
from openaclnn.engines.plain import PlainEngine
from openaclnn.ops import find
from openaclnn.plan import make_plan
from openaclnn.spec import attention
from openaclnn.spec.call import Call
from openaclnn.truth.double_double import Pair
from openaclnn.truth.ulp import ulp_error

Wide = np.longdouble
LISTS = ("key", "value")


def inputs(
    random: np.random.Generator, dtype: Any, largest: float = 4.0
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Tensors of any sizes, the keys' part of a larger cache, and the attributes; scores reach what
    is asked for, about."""
    batch, groups, each = (int(random.integers(1, n)) for n in (3, 4, 5))
    rows, keys, width = (int(random.integers(1, n)) for n in (9, 90, 70))
    value = int(random.integers(1, 70))
    q = random.normal(0, 1, (batch, groups * each, rows, width))
    k = random.normal(0, 1, (batch, groups, keys, width))
    scale = largest / max(float(abs(q).max() * abs(k).max()) * width**0.5, 1.0)
    cache = np.zeros((batch, keys + 3, groups, width + 5), dtype)
    cache[:, :keys, :, :width] = k.transpose(0, 2, 1, 3)
    tensors: dict[str, Any] = {
        "query": q.astype(dtype),
        "key": [cache[:, :keys, :, :width].transpose(0, 2, 1, 3)],
        "value": [random.normal(0, 1, (batch, groups, keys, value)).astype(dtype)],
    }
    if random.random() < 0.5:
        pse = random.normal(0, 1, (1, groups * each, rows, keys)).astype(dtype)
        tensors["pse_shift"] = np.broadcast_to(pse[:, :1], pse.shape) if rows % 2 else pse
    if random.random() < 0.5:
        tensors["atten_mask"] = random.random((batch, 1, rows, keys)) < 0.4
    attributes = {
        "num_heads": groups * each,
        "num_key_value_heads": groups,
        "scale_value": scale,
        "input_layout": "BNSD",
        "softmax_lse_flag": True,
    }
    return tensors, attributes


def truth(
    query: Any, key: Any, value: Any, pse_shift: Any = None, atten_mask: Any = None, *,
    num_heads: int, num_key_value_heads: int, scale_value: float, **others: Any,
) -> tuple[Any, Any, Any, Any]:  # fmt: skip
    """The result to 60 bits, the sums of p·|v|, the largest score, the logarithms of the sums."""
    each = num_heads // num_key_value_heads
    q, k, v = (
        np.asarray(one, Wide) for one in (query, *(np.repeat(x[0], each, 1) for x in (key, value)))
    )
    scores = (q[..., None, :] * k[:, :, None]).sum(-1) * Wide(scale_value)
    if pse_shift is not None:
        scores = scores + np.asarray(pse_shift, Wide)
    seen = np.ones(scores.shape, bool) if atten_mask is None else ~np.broadcast_to(
        np.asarray(atten_mask, bool), scores.shape
    )  # fmt: skip
    scores = np.where(seen, scores, -np.inf)
    largest = scores.max(-1, keepdims=True)
    power = np.where(seen, np.exp(scores - np.where(np.isinf(largest), 0, largest)), 0)
    total = power.sum(-1, keepdims=True)
    with np.errstate(divide="ignore"):
        lse = np.log(total) + largest
    p = power / np.where(total == 0, 1, total)
    exact = (p[..., None] * v[:, :, None]).sum(-2)
    sums = (p[..., None] * abs(v)[:, :, None]).sum(-2)
    return exact, sums, abs(np.where(seen, scores, 0)).max(), lse


def pair(exact: Any) -> Pair:
    high = exact.astype(np.float64)
    return Pair(high, (exact - high).astype(np.float64))


@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16], ids=["f16", "bf16"])
@pytest.mark.parametrize("largest", [4.0, 1e3, 6e4])
def test_accuracy(dtype: Any, largest: float) -> None:
    """Half a unit in the last place, and 2^-20 of what is added up; up to scores of 1e3, and
    beyond."""
    random = np.random.default_rng(int(largest))
    short = by_name(np.dtype(dtype).name).short
    reached = 0.0
    for _ in range(25):
        tensors, attributes = inputs(random, dtype, largest)
        exact, sums, most, lse = truth(**tensors, **attributes)
        reached = max(reached, float(most))
        found, logarithms = openaclnn.fused_infer_attention_score_v2(**tensors, **attributes)
        near = abs(found.astype(Wide) - exact) <= 2.0**-20 * sums
        right = ulp_error(found, short, pair(exact)) <= 0.51
        assert (near | right).all()
        finite = np.isfinite(lse)
        assert np.array_equal(finite, np.isfinite(logarithms))
        assert (ulp_error(logarithms[finite], "f32", pair(lse[finite])) <= 0.51).all()
    assert reached > largest / 4


def planned(
    tensors: dict[str, Any], attributes: dict[str, Any]
) -> tuple[Any, list[Any], list[int]]:
    """The plan of a call, its results, and the addresses of its tensors."""
    op = find("fused_infer_attention_score_v2")
    given: dict[str, Any] = dict.fromkeys(a.name for a in op.tensors)
    for name, value in tensors.items():
        some = [as_tensor(one, False, name) for one in (value if name in LISTS else [value])]
        given[name] = tuple(some) if name in LISTS else some[0]
    values = {a.name: attribute(op, a, attributes.get(a.name, a.default)) for a in op.attributes}
    call = Call(op, {**values, **given}, products.DEFAULT)
    outs = [np.zeros(meta.shape, meta.dtype.numpy) for meta in call.results]
    for output, out in zip(op.outputs, outs, strict=True):
        given[output.name] = as_tensor(out, True, output.name)
    whole = Call(op, {**values, **given}, products.DEFAULT)
    addresses = [one.tensor.address for one in whole.used]
    return make_plan(whole, settings.EXACT), outs, addresses


def run(tensors: dict[str, Any], attributes: dict[str, Any], engine: Any = None) -> list[bytes]:
    """The bits of a call that is planned anew, on an engine that works on the host's memory."""
    plan, outs, addresses = planned(tensors, attributes)
    launcher = (engine or CpuEngine()).prepare(plan)
    workspace = np.zeros(plan.workspace_size + 1, np.uint8)
    launcher.launch(launcher.pack(addresses, workspace.ctypes.data), None)
    return [out.tobytes() for out in outs]


def test_neither_panels_nor_threads_change_a_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    random, before = np.random.default_rng(8), threads.get_num_threads()
    for number in range(12):
        tensors, attributes = inputs(random, np.float16)
        if number % 3 == 0:
            tensors["atten_mask"] = np.broadcast_to(np.zeros(1, bool), (2048, 2048))
            attributes |= {"sparse_mode": 2 + number % 2, "pre_tokens": 4, "next_tokens": 2}
        expected = run(tensors, attributes)
        for panel in (1, 7, 100, 1000):
            monkeypatch.setattr(attention, "PANEL", panel)
            assert run(tensors, attributes) == expected, panel
        monkeypatch.undo()
        try:
            for count in (1, 2, 3):
                threads.set_num_threads(count)
                assert run(tensors, attributes) == expected
        finally:
            threads.set_num_threads(before)


def test_the_plain_engine_has_the_same_bits() -> None:
    random = np.random.default_rng(3)
    for _ in range(3):
        tensors, attributes = inputs(random, np.float16)
        assert run(tensors, attributes, PlainEngine()) == run(tensors, attributes)


@pytest.mark.parametrize(
    ("mode", "sees"),
    {
        2: lambda i, j, rows, keys: j <= i,
        3: lambda i, j, rows, keys: j <= i + keys - rows,
        4: lambda i, j, rows, keys: abs(j - (i + keys - rows) + 1) <= 2,
    }.items(),
)
@pytest.mark.parametrize(("rows", "keys"), [(5, 9), (9, 5), (6, 6), (1, 7)])
def test_triangles(mode: int, sees: Any, rows: int, keys: int) -> None:
    """A compressed mask is the full one; what no row sees is not computed with."""
    random = np.random.default_rng(mode)
    q = random.normal(0, 1, (1, 2, rows, 8)).astype(np.float16)
    k, v = (random.normal(0, 1, (1, 2, keys, 8)).astype(np.float16) for _ in range(2))
    i, j = np.indices((rows, keys))
    full = ~sees(i, j, rows, keys)
    usual = {"num_heads": 2, "input_layout": "BNSD", "scale_value": 0.5, "softmax_lse_flag": True}
    tokens = {"sparse_mode": mode, "pre_tokens": 3, "next_tokens": 1}
    expected = run({"query": q, "key": [k], "value": [v], "atten_mask": full}, usual)
    compressed = np.broadcast_to(np.zeros(1, bool), (2048, 2048))
    given = {"query": q, "key": [k], "value": [v], "atten_mask": compressed}
    assert run(given, {**usual, **tokens}) == expected


def test_lengths_and_lists_of_batches() -> None:
    """Rows beyond their number are 0; keys beyond theirs do not count; a list has one for each."""
    random = np.random.default_rng(4)
    q = random.normal(0, 1, (3, 2, 5, 8)).astype(np.float16)
    k, v = (random.normal(0, 1, (3, 2, 7, 8)).astype(np.float16) for _ in range(2))
    usual = {"num_heads": 2, "input_layout": "BNSD", "softmax_lse_flag": True}
    function = openaclnn.fused_infer_attention_score_v2
    rows, keys = [5, 2, 3], [7, 0, 4]
    found, lse = function(q, [k], [v], actual_seq_lengths=rows, actual_seq_lengths_kv=keys, **usual)
    for b, (s, t) in enumerate(zip(rows, keys, strict=True)):
        own = (q[b : b + 1, :, :s], [k[b : b + 1, :, :t]], [v[b : b + 1, :, :t]])
        out, logarithms = function(*own, **usual)
        assert np.array_equal(found[b, :, :s], out[0])
        assert np.array_equal(lse[b, :, :s], logarithms[0])
        assert not found[b, :, s:].any()
        assert (lse[b, :, s:] == -np.inf).all()
    lists = ([one[b : b + 1].copy() for b in range(3)] for one in (k, v))
    for one, other in zip(
        function(q, *lists, **usual), function(q, [k], [v], **usual), strict=True
    ):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("size", [2048, 16384])
def test_no_matrix_of_all_scores_is_in_memory(size: int) -> None:
    """The workspace is that of a panel, however many rows and keys there are."""
    q = np.broadcast_to(np.float16(0), (1, 8, size, 64))
    usual = {"num_heads": 8, "input_layout": "BNSD"}
    plan, *_ = planned({"query": q, "key": [q], "value": [q]}, usual)
    assert plan.workspace_size <= 16 * attention.PANEL


def test_sizes_of_none() -> None:
    function = openaclnn.fused_infer_attention_score_v2
    usual = {"num_heads": 2, "input_layout": "BNSD"}

    def of(batch: int, rows: int, keys: int, width: int, value: int) -> Any:
        q = np.ones((batch, 2, rows, width), np.float16)
        k, v = (np.full((batch, 2, keys, n), 3, np.float16) for n in (width, value))
        return function(q, [k], [v], **usual)[0]

    assert (of(1, 2, 5, 0, 4) == 3).all()  # every score is 0
    assert (of(1, 2, 0, 4, 4) == 0).all()
    assert of(0, 2, 3, 4, 4).shape == (0, 2, 2, 4)
    assert of(1, 0, 3, 4, 4).shape == (1, 2, 0, 4)
    assert of(1, 2, 3, 4, 0).shape == (1, 2, 2, 0)


def test_an_equal_call_is_not_planned_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tensors, attributes = inputs(np.random.default_rng(2), np.float16)
    function = openaclnn.fused_infer_attention_score_v2
    expected = function(**tensors, **attributes)[0]
    monkeypatch.setattr(two_phase, "make_plan", None)
    copies = {name: v.copy() for name, v in tensors.items() if name not in LISTS}
    copies |= {"key": tensors["key"], "value": [tensors["value"][0].copy()]}
    if "pse_shift" in copies:  # one for all heads
        copies["pse_shift"] = tensors["pse_shift"]
    assert function(**copies, **attributes)[0].tobytes() == expected.tobytes()


def test_a_result_in_place_of_what_is_read() -> None:
    random = np.random.default_rng(6)
    q, k, v = (random.normal(0, 1, (2, 300, 64)).astype(np.float16) for _ in range(3))
    expected = openaclnn.fused_infer_attention_score_v2(q, [k], [v])[0]
    lse = np.zeros(0, np.float32)
    for own in (q, v):
        given = {"q": q.copy(), "v": v.copy()}
        name = "q" if own is q else "v"
        openaclnn.fused_infer_attention_score_v2(
            given["q"], [k], [given["v"]], out=(given[name], lse)
        )
        assert np.array_equal(given[name], expected)
