"""Calls on random tensors of shapes that belong together, beside PyTorch in float64: contiguous and
strided, at level exact to half a unit in the last place, at level fast to float32's digits; twice
the same bits. Every case in one of its dtypes, as each is a kernel or more to compile; by night in
all of them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
import torch

import openaclnn
from arena import bits
from openaclnn.base import dtypes
from openaclnn.truth.double_double import Pair
from openaclnn.truth.ulp import ulp_error
from rows import Case, Rows, all_rows
from walks import A_DAY, in_turn, nightly

CASES = [
    (rows, number, dtype)
    for turn, rows in enumerate(all_rows().values())
    for number, case in enumerate(rows.cases)
    for dtype in in_turn(case.dtypes, turn + number, of=len(case.dtypes))
]
every_case = pytest.mark.parametrize(
    ("rows", "number", "dtype"), CASES, ids=[f"{r.op}-{n}-{d}" for r, n, d in CASES]
)


def drawn(rows: Rows, number: int, dtype: str) -> dict[str, Any]:
    rng = np.random.default_rng([number, *map(ord, rows.op + dtype)])
    return {name: _cast(value, dtype) for name, value in rows.cases[number].draw(rng).items()}


def _cast(value: Any, dtype: str) -> Any:
    if isinstance(value, list):
        return [_cast(one, dtype) for one in value]
    if not isinstance(value, np.ndarray) or value.dtype != np.float64:
        return value
    return value.astype(dtypes.by_name(dtype).numpy)


def truth(case: Case, given: dict[str, Any]) -> list[Any]:
    wide = {name: _wide(value) for name, value in given.items()}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = case.oracle(**wide, **case.attributes)
    results = found if isinstance(found, (tuple, list)) else (found,)
    return [None if one is None else one.numpy() for one in results]


def _wide(value: Any) -> Any:
    if isinstance(value, list):
        return [_wide(one) for one in value]
    if not isinstance(value, np.ndarray):
        return value
    return torch.from_numpy(value if value.dtype.kind in "iub" else value.astype(np.float64))


def results_of(rows: Rows, case: Case, given: dict[str, Any]) -> list[Any]:
    found = getattr(openaclnn, rows.op)(**given, **case.attributes)
    each = found if isinstance(found, tuple) else (found,)
    return [one for given in each for one in (given if isinstance(given, list) else [given])]


def strided(value: Any) -> Any:
    """The same elements, each at another stride: every second one, backwards."""
    if isinstance(value, list):
        return [strided(one) for one in value]
    if not isinstance(value, np.ndarray) or not value.ndim:
        return value
    room = np.zeros((*value.shape[:-1], 2 * value.shape[-1]), value.dtype).swapaxes(0, -1)
    view = room.swapaxes(0, -1)[..., ::-2]
    view[...] = value
    return view


@every_case
def test_as_pytorch_has_it(rows: Rows, number: int, dtype: str) -> None:
    case, given = rows.cases[number], drawn(rows, number, dtype)
    true = truth(case, given)  # before tensors in place are changed
    flat = [one for value in given.values() for one in (value if type(value) is list else [value])]
    inputs = [one for one in map(np.asarray, flat) if one.dtype.kind not in "iubOU"]
    most = max((float(abs(one.astype(np.float64)).max(initial=0)) for one in inputs), default=0.0)
    copies = {name: strided(value) for name, value in given.items()}
    found = results_of(rows, case, given)
    # another layout is another kernel to compile: one for every operator, by night for every case
    again = results_of(rows, case, copies) if nightly() or not number else found
    assert len(found) == len(true)
    for result, other, exact in zip(found, again, true, strict=True):
        if exact is None:
            continue
        assert result.shape == exact.shape
        assert np.array_equal(bits(np.ascontiguousarray(other)), bits(result)), "another layout"
        if result.dtype.kind in "iub":
            assert np.array_equal(result, exact)
            continue
        finite = np.isfinite(exact)
        assert np.array_equal(np.isnan(result), np.isnan(exact))
        largest = max(most, float(abs(exact[finite]).max(initial=0)))
        near = abs(result.astype(np.float64) - exact) <= 2.0**-40 * largest
        if result.dtype == np.float64:
            assert (near | ~finite).all()
            continue
        name = dtypes.by_name(str(result.dtype)).short
        error = ulp_error(result, name, Pair(exact, np.zeros_like(exact)))
        assert (near | (error <= case.bound)).all(), f"{error.max()} ULP"


WITH_CASES = [rows for rows in all_rows().values() if rows.cases]
FAST = in_turn(WITH_CASES, 0, of=-(-len(WITH_CASES) // A_DAY))


@pytest.mark.parametrize("rows", FAST, ids=lambda rows: rows.op)
def test_fast(rows: Rows) -> None:
    """In float32: some 2⁻¹⁷ of the largest number, and a unit in the last place."""
    number, dtype = 0, rows.cases[0].dtypes[0]
    case, given = rows.cases[number], drawn(rows, number, dtype)
    true = truth(case, given)
    with openaclnn.using(math="fast"):
        found = results_of(rows, case, given)
    for result, exact in zip(found, true, strict=True):
        if exact is None or result.dtype.kind in "iub":
            continue
        wide, unit = result.astype(np.float64), float(dtypes_eps(result))
        most = float(abs(exact[np.isfinite(exact)]).max(initial=0))
        np.testing.assert_allclose(wide, exact, rtol=2 * unit, atol=max(2.0**-17, unit) * most)


def dtypes_eps(array: Any) -> float:
    """The distance of 1 to the next number."""
    return {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-23}.get(
        str(array.dtype), 2.0**-52
    )


@pytest.mark.parametrize("rows", [r for r in all_rows().values() if r.beyond], ids=lambda r: r.op)
@pytest.mark.parametrize("low", [False, True])
def test_an_index_outside_is_reported(rows: Rows, low: bool) -> None:
    """When the work is done: nothing was read or written in its place, and the others were."""
    case, given = rows.cases[0], drawn(rows, 0, "f32")
    (name, size), *_ = rows.beyond.items()
    index = given[name] = given[name].copy()
    index.flat[0] = -size - 1 if low else size
    with pytest.raises(openaclnn.AclnnError, match=f"{name} has {index.flat[0]}; expected") as told:
        getattr(openaclnn, rows.op)(**given, **case.attributes)
    assert told.value.status == 361001
    index.flat[0] = 0
    getattr(openaclnn, rows.op)(**given, **case.attributes)
