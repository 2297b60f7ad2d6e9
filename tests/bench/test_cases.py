"""The cases of the benchmark are what they claim to be, and all sides compute the same."""

from __future__ import annotations

import numpy as np
import pytest

import openaclnn
from openaclnn.base import products
from openaclnn.bench import alternatives, grid, layouts, operands
from openaclnn.bench.cases import DTYPES, PHASES, WAYS, Case, usual_level
from openaclnn.bench.layouts import bytes_moved, product_for
from openaclnn.bench.ways import WAYS as CALLS
from openaclnn.ops import by_default, find

NUMEL = 2**10
TOLERANCE = {"f32": 1e-5, "f16": 2e-3, "bf16": 2e-2}


def cases() -> list[Case]:
    """Every operator, layout and dtype that some product accepts."""
    every = [
        Case(op, dtype, NUMEL, layout, usual_level(op))
        for op in by_default()
        for layout in layouts.ALL
        for dtype in DTYPES
    ]
    return [case for case in every if not isinstance(product_for(case), str)]


def run(case: Case, way: str = PHASES) -> np.ndarray:
    product = product_for(case)
    assert isinstance(product, products.Product)
    with openaclnn.using(product=product.name), openaclnn.using(math=case.level):
        data = operands.make(case)
        CALLS[way](data)()
    return np.array(data.output.array, np.float32)


@pytest.mark.parametrize("case", cases(), ids=str)
def test_both_sides_compute_the_same(case: Case) -> None:
    """Every alternative that is installed, and every way of calling, on every layout."""
    expected = run(case)
    assert np.isfinite(expected).all()
    for way in CALLS:
        np.testing.assert_array_equal(run(case, way), expected)
    tolerance = TOLERANCE["bf16" if case.layout == "mixed" else case.dtype]
    for name in ("torch", "numpy", "jax", "numexpr"):
        if alternatives.version(name) is None:
            continue
        data = operands.make(case)
        prepared = alternatives.module(name).prepare(data, 1)
        if not isinstance(prepared, str):
            found = prepared.read(prepared.call())
            np.testing.assert_allclose(found, expected, tolerance, tolerance, err_msg=name)


def test_which_layouts_are_left_out() -> None:
    """Hardsigmoid and log sigmoid never broadcast; silu does on one product; log sigmoid has one
    dtype."""
    refused = {
        (case.op, case.layout)
        for op in by_default()
        for layout in layouts.ALL
        for case in [Case(op, "f16", NUMEL, layout)]
        if isinstance(product_for(case), str)
    }
    equal_shapes = ("hardsigmoid_backward", "log_sigmoid_backward")
    assert refused == {
        *((op, layout) for op in equal_shapes for layout in ("row", "column", "scalar")),
        ("log_sigmoid_backward", "mixed"),
    }
    assert product_for(Case("silu_backward", "f32", NUMEL, "row")) is products.ASCEND950
    assert product_for(Case("silu_backward", "f32", NUMEL)) is products.DEFAULT


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
    assert bytes_moved(Case("leaky_relu_backward", dtype, NUMEL, layout)) == moved


def test_smooth_l1_reads_a_third_operand() -> None:
    assert bytes_moved(Case("smooth_l1_loss_backward", "f32", NUMEL)) == 4 * 4 * NUMEL
    assert bytes_moved(Case("log_sigmoid_backward", "f32", NUMEL)) == 3 * 4 * NUMEL


def test_layouts_are_what_they_are_called() -> None:
    def operand(layout: str) -> layouts.View:
        return layouts.views(Case("leaky_relu_backward", "f32", NUMEL, layout))["self"]

    assert (operand("transposed").shape, operand("transposed").strides) == ((32, 32), (1, 32))
    assert operand("row").shape == (32,)
    assert operand("column").shape == (32, 1)
    assert operand("sliced").strides == (64, 2)
    assert len(operand("permuted").shape) == 8
    assert operand("permuted").strides[0] == 1
    out = layouts.views(Case("leaky_relu_backward", "f32", NUMEL, "out-transposed"))["out"]
    assert out.strides == (1, 32)


def test_the_usual_run_covers_every_table() -> None:
    jobs = grid.jobs(grid.Selection(), ["torch", "torch.compile", "numpy"])
    found = [job.case for job in jobs]
    assert len(found) == len(set(found))
    assert {case.op for case in found} == set(by_default())
    assert {case.dtype for case in found} == set(DTYPES)
    assert {case.layout for case in found} == set(layouts.ALL)
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
    data = operands.make(Case("smooth_l1_loss_backward", "bf16", NUMEL))
    x, target = (operand.array.astype(np.float32) for operand in data.inputs[1:])
    assert 0.1 < np.mean(np.abs(x - target) < 1) < 0.9
    assert data.op is find("smooth_l1_loss_backward")
    assert np.isnan(data.output.array.astype(np.float32)).all()
    assert all(one.storage.ctypes.data % 64 == 0 for one in (*data.inputs, data.output))
