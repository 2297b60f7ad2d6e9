"""The cases of the benchmark are what they claim to be, and all sides compute the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle

import numpy as np
import pytest

import openaclnn
from openaclnn.base import products
from openaclnn.base.dtypes import FLOAT, by_name
from openaclnn.base.scalars import scalar
from openaclnn.bench import alternatives, grid, layouts, operands
from openaclnn.bench.cases import NEW, WAYS, Case, dtypes, usual_level
from openaclnn.bench.layouts import bytes_moved
from openaclnn.bench.operands import Operands
from openaclnn.bench.record import Record
from openaclnn.bench.running import measure_all
from openaclnn.bench.ways import WAYS as CALLS
from openaclnn.bench.ways import UnavailableError
from openaclnn.calls.functions import make_function
from openaclnn.ops import by_default, find
from openaclnn.spec.call import Call
from openaclnn.spec.op import In, Op, Out
from openaclnn.spec.rules import Dtypes, SameShape
from openaclnn.truth import pytorch
from walks import in_turn, operators

BENCHED = operators("bench")
NUMEL = 2**10
# why NumPy is no side: what it has not
WITHOUT_NUMPY = {f"the formula has {what}" for what in ("erf", "erfc", "erfinv", "positions")}
WITHOUT_NUMPY.add("the formula has among_integers")
WITHOUT_NUMPY |= {"it runs a routine", "it looks up elements", "it repeats another operator"}
TOLERANCE = {"f32": 1e-5, "f16": 2e-3, "bf16": 2e-2}


def accepted(case: Case) -> Call:
    found = layouts.call(case)
    assert isinstance(found, Call), found
    return found


def cases(op: str) -> list[Case]:
    """Layouts that some product accepts, in turn in one of the dtypes: every one for the operators
    that benchmarks take by default, a third of them in turn for each other."""
    first, *others = layouts.ALL
    if op not in by_default():
        others = in_turn(others, list(BENCHED).index(op), of=3)
    turn = cycle(dtypes(op))
    every = [Case(op, next(turn), NUMEL, layout, usual_level(op)) for layout in (first, *others)]
    return [case for case in every if not isinstance(layouts.call(case), str)]


def results(data: Operands, call: object, read: object = None) -> list[np.ndarray]:
    data.restore()
    returned = call()  # type: ignore[operator]
    found = read(returned) if read else data.outputs  # type: ignore[operator]
    return [np.array(one, np.float64) for one in found]


def by_every_way(data: Operands) -> Iterator[list[np.ndarray]]:
    for way, calling in CALLS.items():
        try:
            yield results(data, calling(data))
        except UnavailableError:
            assert way == NEW  # which is for contiguous arrays of one shape


SOME = {**by_default(), **dict.fromkeys(in_turn(list(BENCHED), 0, of=2))}


@pytest.mark.parametrize("op", SOME)
def test_both_sides_compute_the_same(op: str) -> None:
    """Every alternative that is installed, and every way of calling, on every layout."""
    sides, numpys_reasons = set(), set()
    for case in cases(op):
        call = accepted(case)
        with openaclnn.using(product=call.product.name, math=case.level):
            data = operands.make(call)
            first, *others = by_every_way(data)
            for other in others:
                np.testing.assert_equal(other, first, str(case))
        tolerance = TOLERANCE.get("bf16" if case.layout == "mixed" else case.dtype, 0.0)
        for name in ("torch", "numpy", "jax"):
            if name not in alternatives.installed():
                continue
            prepared = alternatives.ALL[name].prepare(data, 1)
            if not isinstance(prepared, str):
                sides.add(name)
                for found, expected in zip(
                    results(data, prepared.call, prepared.read), first, strict=True
                ):
                    told = f"{case}: {name}"
                    np.testing.assert_allclose(found, expected, tolerance, tolerance, err_msg=told)
            elif name == "numpy":
                numpys_reasons.add(prepared)
    assert "numpy" in sides or numpys_reasons <= WITHOUT_NUMPY


@pytest.mark.parametrize("name", ["cast", "permute"])
def test_a_view_is_no_alternative(name: str) -> None:
    call = layouts.call(Case(name, "f32", 256))
    assert not isinstance(call, str)
    prepared = alternatives.ALL["torch"].prepare(operands.make(call), 1)
    assert prepared == "it moves nothing: its result is a view"


@pytest.mark.parametrize("into", [False, True])
@pytest.mark.parametrize("name", ["pow_tensor_scalar", "remainder_scalar_tensor"])
def test_a_number_and_a_tensor_keep_their_places(name: str, into: bool) -> None:
    """PyTorch has the same function of a tensor and a number, and of a number and a tensor."""
    function = pytorch.function(find(name), into)
    assert function is not None
    assert all(formal.name == ours.name for formal, ours in function.taken if ours is not None)


def test_which_layouts_are_left_out() -> None:
    """Hardsigmoid and log sigmoid never broadcast; silu does on one product; log sigmoid has one
    dtype."""
    refused = {
        (case.op, case.layout)
        for op in by_default()
        for layout in layouts.ALL
        for case in [Case(op, "f16", NUMEL, layout)]
        if isinstance(layouts.call(case), str)
    }
    equal_shapes = ("hardsigmoid_backward", "log_sigmoid_backward")
    assert refused == {
        *((op, layout) for op in equal_shapes for layout in ("row", "column", "scalar")),
        ("log_sigmoid_backward", "mixed"),
    }
    assert accepted(Case("silu_backward", "f32", NUMEL, "row")).product is products.ASCEND950
    assert accepted(Case("silu_backward", "f32", NUMEL)).product is products.DEFAULT


def test_layouts_that_an_operator_cannot_have() -> None:
    assert layouts.call(Case("relu", "f32", NUMEL, "row")) == "it reads fewer than 2 tensors"
    assert layouts.call(Case("cat", "f32", NUMEL, "row")) == "it takes its tensors in parts"
    assert "dtype BOOL" in str(layouts.call(Case("silu", "bool", NUMEL)))


@pytest.mark.parametrize(
    ("layout", "dtype", "moved"),
    [
        ("contiguous", "f32", 3 * 4 * 1024),
        ("contiguous", "bf16", 3 * 2 * 1024),
        ("transposed", "f32", 3 * 4 * 1024),
        ("row", "f32", 2 * 4 * 1024 + 4 * 32),
        ("column", "f16", 2 * 2 * 1024 + 2 * 32),
        ("scalar", "f32", 2 * 4 * 1024 + 4),
        ("mixed", "f16", (2 + 4 + 4) * 1024),
        ("mixed", "f32", (4 + 2 + 4) * 1024),
        ("sliced", "f32", 3 * 4 * 1024),
        ("permuted", "f16", 3 * 2 * 1024),
    ],
)
def test_bytes_that_must_move(layout: str, dtype: str, moved: int) -> None:
    assert bytes_moved(accepted(Case("leaky_relu_backward", dtype, NUMEL, layout))) == moved


@pytest.mark.parametrize(
    ("op", "times"),
    [("smooth_l1_loss_backward", 4), ("log_sigmoid_backward", 3), ("inplace_add", 3), ("cat", 4)],
)
def test_every_operand_counts(op: str, times: int) -> None:
    """A third one; not one that is never read; what is changed twice; a list's members."""
    assert bytes_moved(accepted(Case(op, "f32", NUMEL))) == times * 4 * NUMEL


def test_layouts_are_what_they_are_called() -> None:
    def operand(layout: str, name: str = "self") -> layouts.View:
        return accepted(Case("leaky_relu_backward", "f32", NUMEL, layout))[name].view

    assert (operand("transposed").shape, operand("transposed").strides) == ((32, 32), (1, 32))
    assert operand("row").shape == (32,)
    assert operand("column").shape == (32, 1)
    assert operand("sliced").strides == (64, 2)
    assert len(operand("permuted").shape) == 8
    assert operand("permuted").strides[0] == 1
    assert operand("out-transposed", "out").strides == (1, 32)


def test_the_usual_run_covers_every_table() -> None:
    jobs = grid.jobs(grid.Selection(), ["torch", "torch.compile", "numpy"])
    found = [job.case for job in jobs]
    assert len(found) == len(set(found))
    assert {case.op for case in found} == set(by_default())
    assert {case.dtype for case in found} == {"f32", "f16", "bf16"}
    assert {case.layout for case in found} == {n for n, one in layouts.ALL.items() if one.usual}
    assert {case.way for case in found} == set(WAYS)
    assert {case.level for case in found} == {"exact", "fast"}
    assert {name for job in jobs for name in job.against} == {"torch", "numpy"}


def test_a_selection_is_all_there_is() -> None:
    chosen = grid.Selection(
        ops=("silu_backward",), dtypes=("f16",), sizes=(NUMEL,), layouts=("row",),
        levels=("exact",), against=("numpy",),
    )  # fmt: skip
    assert grid.jobs(chosen, ["torch", "numpy"]) == [
        grid.Job(Case("silu_backward", "f16", NUMEL, "row", "exact"), ("numpy",))
    ]


def test_without_pytorch_numpy_is_the_alternative() -> None:
    assert {name for job in grid.jobs(grid.Selection(), ["numpy"]) for name in job.against} == {
        "numpy"
    }


def test_operands_are_touched_and_cover_every_branch() -> None:
    data = operands.make(accepted(Case("smooth_l1_loss_backward", "bf16", NUMEL)))
    x, target = (operands.array(data.call[name]).astype(np.float32) for name in ("self", "target"))
    assert 0.1 < np.mean(np.abs(x - target) < 1) < 0.9
    assert np.isnan(data.outputs[0].astype(np.float32)).all()
    assert all(given.tensor.address % 64 == 0 for given in data.call.used)


def test_what_is_changed_is_as_it_was() -> None:
    data = operands.make(accepted(Case("inplace_relu", "f32", NUMEL)))
    before = data.outputs[0].copy()
    CALLS["function"](data)()
    assert (data.outputs[0] >= 0).all()
    data.restore()
    np.testing.assert_array_equal(data.outputs[0], before)


def test_an_operator_that_pytorch_has_not_is_measured_beside_numpy() -> None:
    chosen = grid.Selection(ops=("swish",))
    assert {name for job in grid.jobs(chosen, ["torch", "numpy"]) for name in job.against} == {
        "numpy"
    }


PAIR = Op(
    name="sum_and_difference",
    en="Two results",
    zh="两个结果",
    arguments=(
        In("x", "the first", "第一个"),
        In("unread", "ignored", "忽略", read=False),
        In("y", "the second", "第二个", optional=True),
        Out("total", "the sum", "和"),
        Out("rest", "the difference", "差"),
    ),
    rules=(Dtypes(("x", "y"), (FLOAT,)), SameShape(("x", "y"))),
    formula=lambda x, y: (x + y, x - y),
    example="",
)


def test_several_outputs_and_what_is_left_out_in_between(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layouts, "find", lambda name: PAIR)
    monkeypatch.setattr(openaclnn, PAIR.name, make_function(PAIR), raising=False)
    data = operands.make(accepted(Case(PAIR.name, "f32", NUMEL)))
    x, y = (operands.array(data.call[name]).astype(np.float64) for name in ("x", "y"))
    found = results(data, CALLS["function"](data))
    np.testing.assert_allclose(found, [x + y, x - y], 1e-6, 1e-6)


def test_numpy_wraps_integers_as_kernels_do() -> None:
    """A number that the dtype cannot hold is no fault."""
    data = operands.make(accepted(Case("add", "u8", NUMEL)))
    given = Call(data.op, {**data.call.arguments, "alpha": scalar(-1)}, data.call.product)
    prepared = alternatives.ALL["numpy"].prepare(replace(data, call=given), 1)
    assert not isinstance(prepared, str)
    (found,) = results(data, prepared.call)
    expected = operands.array(given["self"]) - operands.array(given["other"])
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("name", layouts.random_names(2026, 12))
def test_random_layouts_compute_the_same(name: str) -> None:
    case = Case("mul", "f32", NUMEL, name)
    call = accepted(case)
    assert all(given.tensor.view.inside_storage for given in call.used)
    data = operands.make(call)
    (found,) = results(data, CALLS[WAYS[0]](data))
    prepared = alternatives.ALL["numpy"].prepare(data, 1)
    assert not isinstance(prepared, str)
    (expected,) = results(data, prepared.call, prepared.read)
    np.testing.assert_allclose(found, expected, 1e-6)


def test_random_shapes_compute_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Operators, dtypes, levels, shapes and the dimensions that are reduced."""
    monkeypatch.setattr(grid, "_MOST", 40_000)
    chosen = grid.Selection(
        ops=("amax", "reduce_sum", "softmax", "log_softmax_backward", "layer_norm", "atan2"),
        dtypes=("f32", "bf16"),
        against=("torch",),
        random=16,
        seed=2026,
    )
    jobs = grid.jobs(chosen, ("torch",))
    assert jobs == grid.jobs(chosen, ("torch",)) != grid.jobs(replace(chosen, seed=1), ("torch",))
    assert {job.case.op for job in jobs} == set(chosen.ops)
    record = Record({"versions": {}})
    measure_all(jobs, record, 1, 0.0, lambda *told: None)
    assert not record.failed
    assert len(record.cells) == len(jobs) == len({job.case for job in jobs})


def test_a_shape_is_a_layout() -> None:
    call = accepted(Case("reduce_sum", "f32", 2310, "3x7x11x10 over 1,3"))
    assert [given.tensor.shape for given in call.used] == [(3, 7, 11, 10), (3, 11)]


@pytest.mark.parametrize(
    ("layout", "dtype", "sectors"),
    [
        ("contiguous", "f32", 3.0),
        ("transposed", "f32", 3.0),
        ("sliced", "f32", 4.0),  # every second element: twice the sectors
        ("some columns", "f32", 2 + 16 / 13),
    ],
)
def test_sectors_that_memory_moves(layout: str, dtype: str, sectors: float) -> None:
    call = accepted(Case("mul", dtype, 2**20, layout))
    size = call.numel * by_name(dtype).itemsize
    assert layouts.bytes_in_sectors(call) / size == pytest.approx(sectors, rel=1e-3)
