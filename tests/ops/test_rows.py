"""Every operator's rows: known values, an independent oracle, refusals; its variants give the
same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest
import torch

import openaclnn
from arena import bits, described, message, phase_one, phase_two
from openaclnn.base import dtypes
from openaclnn.calls import executor, two_phase
from openaclnn.calls.functions import attribute
from openaclnn.ops import all_ops
from openaclnn.plan import Plan
from openaclnn.spec.formula import words_of
from openaclnn.spec.steps import elementwise
from openaclnn.truth.double_double import Pair
from openaclnn.truth.ulp import ulp_error
from rows import Known, Rows, all_rows
from samples import Call, T, all_samples
from walks import in_turn, operators

ALL = list(all_rows().values())
LEVELS = ("exact", "fast")
SIZE = 400


def test_every_operator_has_rows_or_samples() -> None:
    assert set(all_rows()) | set(all_samples()) == set(all_ops())


def array(values: Any, dtype: str) -> np.ndarray:
    with np.errstate(all="ignore"):
        if dtypes.by_name(dtype).kind == "int":
            return np.array(values, dtype=object).astype(dtypes.by_name(dtype).numpy)
        return np.array(values, np.float64).astype(dtypes.by_name(dtype).numpy)


def given(values: Any, dtype: str) -> Any:
    """A list as an array, one of lists of lists as arrays; all else as it is."""
    if isinstance(values, list) and values and isinstance(values[-1], list) and _ragged(values):
        return [array(each, dtype) for each in values]
    return array(values, dtype) if isinstance(values, list) else values


def _ragged(values: list[Any]) -> bool:
    """Whether this is a list of arrays: an array's own rows are equally long and hold numbers."""
    return isinstance(values[-1][0], list) or len({len(each) for each in values}) > 1


SHARED = 64  # elements from which on all tests of an operator and dtype share one kernel


def repeats(rows: Rows, row: Known) -> bool:
    """Whether results may be had several times over: element by element, of one dimension."""
    op = all_ops()[rows.op]
    numbers = [values for values in (*row.arguments, *row.expected) if isinstance(values, list)]
    flat = all(values and not isinstance(values[0], list) for values in numbers)
    alone = op.steps is elementwise and "reduction" not in {a.name for a in op.attributes}
    folds = any("fold" in word for tree in op.expressions for word in words_of(tree))
    return alone and flat and not folds and len(set(map(len, numbers))) == 1


def repeated(values: Any, times: int) -> Any:
    return np.tile(values, times) if times > 1 and isinstance(values, np.ndarray) else values


def tried(rows: Rows, dtypes: Sequence[str]) -> Sequence[str]:
    """The first dtype, and of operators that stand for all one of two others; on a nightly run
    every one."""
    others = in_turn(dtypes[1:], len(rows.op), of=2) if rows.op in operators() else ()
    return [*dtypes[:1], *others]


KNOWN = [
    (rows, row, dtype) for rows in ALL for row in rows.known for dtype in tried(rows, row.dtypes)
]


@pytest.mark.parametrize(
    ("rows", "row", "dtype"), KNOWN, ids=[f"{r.op}-{d}-{k.arguments}" for r, k, d in KNOWN]
)
def test_known_results(rows: Rows, row: Known, dtype: str) -> None:
    times = 1 + SHARED // len(row.expected[0]) if repeats(rows, row) else 1
    arguments = [repeated(given(values, dtype), times) for values in row.arguments]
    found = getattr(openaclnn, rows.op)(*arguments, **row.attributes)
    each = found if isinstance(found, tuple) else (found,)
    results = [one for given in each for one in (given if isinstance(given, list) else [given])]
    for result, expected in zip(results, row.expected, strict=True):
        own = isinstance(expected, np.ndarray)
        wanted = repeated(expected if own else array(expected, row.out or dtype), times)
        assert result.dtype == wanted.dtype
        if row.within:
            np.testing.assert_allclose(result, wanted, rtol=0, atol=row.within)
        else:
            assert [hex(b) for b in bits(result).ravel()] == [hex(b) for b in bits(wanted).ravel()]


class Unprepared:
    """An engine for calls that are only checked: no kernel is compiled for them."""

    def prepare(self, plan: object) -> Unprepared:
        return self

    def workspace_size(self, plan: Plan) -> int:
        return plan.workspace_size


@pytest.fixture
def only_checked(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Prepared calls, and forms of calls, remember their engine: none is used, none is kept."""
    monkeypatch.setattr(executor, "engine_for", lambda device: Unprepared())
    two_phase._ready.clear()
    yield
    two_phase._ready.clear()


@pytest.mark.usefixtures("only_checked")
@pytest.mark.parametrize("rows", [r for r in ALL if r.calls], ids=lambda rows: rows.op)
def test_calls(rows: Rows) -> None:
    """All of an operator at once: five thousand tests of a millisecond took longer to be counted
    and told than to run."""
    wrong = {str(row): complaint for row in rows.calls if (complaint := judged(rows, row))}
    assert not wrong, "\n".join(f"{row}: {complaint}" for row, complaint in wrong.items())


def judged(rows: Rows, row: Call) -> str | None:
    """What is wrong with the answer to a call."""
    op = all_ops()[rows.op]
    named = {a.name: T() for a in op.tensors} | {**rows.plain, **row.arguments}
    values = [named[a.name] for a in op.arguments]
    arguments = [tuple(map(described, v)) if isinstance(v, tuple) else described(v) for v in values]
    with openaclnn.using(product=row.product):
        status, size, made = phase_one(op, arguments)
    text = message()
    if status != row.status:
        return f"status {status}, expected {row.status}; {text}"
    if row.message not in text:
        return f"expected {row.message!r}; {text}"
    if not status:
        return None if made is not None else "no executor"
    refused = (size, made) == (0, None) and text.startswith(f"{op.c_name}: ")
    return None if refused else f"size {size}, executor {made}; {text}"


def drawn(rows: Rows, dtype: str, seed: int = 0) -> list[np.ndarray]:
    """Inputs in a dtype: all magnitudes, many near the edges, specials among floats."""
    rng = np.random.default_rng([seed, *map(ord, rows.op + dtype)])
    found, kind = [], dtypes.by_name(dtype)
    for _ in range(rows.inputs):
        if kind.kind == "int":
            numbers = dtypes.integers(kind)
            values = rng.integers(numbers.start, numbers.stop - 1, SIZE, endpoint=True)
            found.append(np.where(rng.random(SIZE) < 0.5, values, values % 4).astype(kind.numpy))
            continue
        normal, wide = rng.normal(0, 3, SIZE), 10.0 ** rng.uniform(-44, 38, SIZE)
        near = rng.choice(rows.edges, SIZE) * (1 + rng.choice([0, 1e-7, 1e-3], SIZE))
        special = rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0], SIZE)
        wide *= rng.choice([-1, 1], SIZE)
        pick = rng.choice(5, SIZE, p=[0.4, 0.2, 0.2, 0.1, 0.1])
        with np.errstate(all="ignore"):
            values = np.choose(pick, [normal, wide, near, special, rng.uniform(-110, 110, SIZE)])
            found.append(values.astype(kind.numpy))
    return found


def oracle(rows: Rows, inputs: list[np.ndarray], attributes: Any) -> tuple[np.ndarray, ...]:
    """PyTorch's results, on float64 where floats came."""
    assert rows.oracle is not None
    wide = [a if a.dtype.kind in "iub" else a.astype(np.float64) for a in inputs]
    results = rows.oracle(*map(torch.from_numpy, wide), **attributes)
    return tuple(r.numpy() for r in (results if isinstance(results, tuple) else (results,)))


ORACLES = [(rows, dtype) for rows in ALL if rows.oracle for dtype in tried(rows, rows.dtypes)]
by_oracle = pytest.mark.parametrize(
    ("rows", "dtype"), ORACLES, ids=[f"{rows.op}-{dtype}" for rows, dtype in ORACLES]
)


@by_oracle
def test_as_pytorch_has_it(rows: Rows, dtype: str) -> None:
    inputs = drawn(rows, dtype)
    for attributes in rows.attributes:
        results = getattr(openaclnn, rows.op)(*inputs, **attributes)
        results = results if isinstance(results, tuple) else (results,)
        for result, true in zip(results, oracle(rows, inputs, attributes), strict=True):
            if result.dtype.kind in "iub":
                assert np.array_equal(result, true), attributes
                continue
            error = ulp_error(result, dtype, Pair(true, np.zeros_like(true)))
            worst = int(error.argmax())
            where = [values[worst] for values in inputs]
            assert error.max() <= rows.bound, f"{error.max()} ULP at {where} with {attributes}"


TWINS = [(rows, dtype) for rows, dtype in ORACLES if rows.in_place]


@pytest.mark.parametrize(
    ("rows", "dtype"), TWINS, ids=[f"{rows.op}-{dtype}" for rows, dtype in TWINS]
)
def test_in_place_gives_the_same_bits(rows: Rows, dtype: str) -> None:
    for attributes in rows.attributes:
        inputs = drawn(rows, dtype, seed=1)
        expected = getattr(openaclnn, rows.op)(*inputs, **attributes).astype(inputs[0].dtype)
        result = getattr(openaclnn, rows.in_place)(*inputs, **attributes)
        assert result is inputs[0]
        assert np.array_equal(bits(result), bits(expected))


@pytest.mark.parametrize("name", ["tril", "triu"])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int64])
def test_triangles_of_long_rows(name: str, dtype: type) -> None:
    """Many columns at once lie on one side of the diagonal. What is kept keeps its bits, a NaN's
    too."""
    whole = np.arange(70 * 600).reshape(70, 600)[:, :300].astype(dtype)
    if dtype is not np.int64:
        bits(whole)[::7, ::11] = bits(dtype(-np.inf)) | 5
    for diagonal in (0, 37, 240, 241, -1, -68, -69, -70, 299, 300, 999):
        kept = (bits(np.tri(*whole.shape, diagonal - (name == "triu"))) != 0) ^ (name == "triu")
        expected = np.where(kept, bits(whole), 0)
        changed = whole.copy()
        getattr(openaclnn, f"inplace_{name}")(changed, diagonal=diagonal)
        turned = np.asfortranarray(whole)
        function = getattr(openaclnn, name)
        for found in (changed, *(function(x, diagonal=diagonal) for x in (whole, turned))):
            assert np.array_equal(bits(np.ascontiguousarray(found)), expected)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_what_only_moves_keeps_its_bits(dtype: type) -> None:
    """A NaN's, too; what is computed has the one NaN."""
    x = np.linspace(-1, 1, 24).astype(dtype).reshape(4, 6)
    bits(x)[1, ::2] = bits(dtype(-np.inf)) | 1
    bits(x)[2, ::2] = bits(dtype(np.inf)) | 5
    choice = np.arange(24).reshape(4, 6) % 3 > 0
    moved = {
        "permute": (openaclnn.permute(x, [1, 0]), bits(x).T),
        "slice": (openaclnn.slice(x, 1, 1, 6, 2), bits(x)[:, 1:6:2]),
        "repeat": (openaclnn.repeat(x, [2, 1]), np.tile(bits(x), (2, 1))),
        "cat": (openaclnn.cat([x, x], dim=1), np.hstack([bits(x), bits(x)])),
        "cast": (openaclnn.cast(x, dtype), bits(x)),
        "copy": (openaclnn.inplace_copy(np.empty_like(x), x), bits(x)),
        "pad": (openaclnn.constant_pad_nd(x, [1, 0]), np.pad(bits(x), ((0, 0), (1, 0)))),
        "where": (openaclnn.s_where(choice, x, x[::-1]), np.where(choice, bits(x), bits(x)[::-1])),
    }
    for name, (found, expected) in moved.items():
        assert np.array_equal(bits(np.ascontiguousarray(found)), expected), name
    assert np.array_equal(bits(openaclnn.neg(x)[1:3, 0]), np.full(2, bits(dtype(np.nan))))


@pytest.mark.parametrize("name", ["tril", "triu"])
def test_triangles_of_more_columns_than_float32_counts(name: str) -> None:
    columns = (1 << 24) + 4
    for dtype in (np.float16, np.int8):
        ones = np.ones((2, columns), dtype)
        for diagonal in (columns - 3, columns - 2, columns - 1):
            found = getattr(openaclnn, name)(ones, diagonal=diagonal)
            rows = np.arange(2)
            expected = rows + 1 + diagonal if name == "tril" else columns - rows - diagonal
            expected = np.clip(expected, 0, columns)
            assert np.array_equal(np.count_nonzero(found, axis=1), expected)


@pytest.mark.parametrize("rows", [rows for rows in ALL if rows.scalar], ids=lambda rows: rows.op)
def test_a_number_for_the_second_tensor(rows: Rows) -> None:
    function, twin = getattr(openaclnn, rows.op), getattr(openaclnn, rows.scalar)
    whole = all(dtypes.by_name(dtype).kind == "int" for dtype in rows.dtypes)
    integers: list[tuple[str, float]] = [("s32", 3), ("s8", -4)]
    pairs = integers if whole else [("f32", 0.5), *integers[1:], ("s32", 0.5), ("f16", 3)]
    for dtype, number in pairs if rows.op in operators() else pairs[:2]:
        x = drawn(rows, dtype)[0]
        second = np.full((), number, x.dtype if float(number).is_integer() else np.float32)
        if dtype == "s32" and number == 0.5:
            x = x % 1000
        assert np.array_equal(bits(function(x, number)), bits(twin(x, number)))
        assert np.array_equal(bits(twin(x, number)), bits(function(x, second)))


@pytest.mark.parametrize("rows", [rows for rows in ALL if rows.oracle], ids=lambda rows: rows.op)
def test_phases_and_levels(rows: Rows) -> None:
    """The C-shaped entry point gives the function's bits, at either level."""
    op, attributes = all_ops()[rows.op], rows.attributes[0]
    inputs = drawn(rows, rows.dtypes[0])
    for level in LEVELS:
        with openaclnn.using(math=level):
            expected = getattr(openaclnn, rows.op)(*inputs, **attributes)
            expected = expected if isinstance(expected, tuple) else (expected,)
            outs = [np.empty_like(result) for result in expected]
            named: dict[str, Any] = {a.name: None for a in op.inputs}  # what is optional is absent
            named |= dict(zip(named, inputs, strict=False))
            named |= dict(zip([a.name for a in op.outputs], outs, strict=True))
            values = op.defaults | dict(attributes)
            named |= {a.name: attribute(op, a, values[a.name]) for a in op.attributes}
            first = getattr(openaclnn.aclnn, f"{op.c_name}GetWorkspaceSize")
            status, size, made = first(*(named[a.name] for a in op.arguments))
            assert (status, size) == (0, 0), message()
            assert phase_two(op, None, 0, made) == 0
        for out, result in zip(outs, expected, strict=True):
            assert np.array_equal(bits(out), bits(result))
