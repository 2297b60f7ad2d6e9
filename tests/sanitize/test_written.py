"""Which bytes of a block were written, against a set of all of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openaclnn.sanitize import written
from openaclnn.sanitize.written import Runs, Written, runs_of

START, SIZE = 4096, 640

dims = st.lists(st.tuples(st.integers(1, 5), st.integers(-40, 40)), max_size=3)
views = st.tuples(st.integers(0, SIZE), st.sampled_from((1, 2, 4, 8)), dims)


def own_bytes(start: int, itemsize: int, view: list[tuple[int, int]]) -> set[int]:
    found = {start}
    for size, step in view:
        found = {low + i * step for low in found for i in range(size)}
    return {low + i for low in found for i in range(itemsize)}


def bytes_of(where: Runs) -> set[int]:
    return {byte for low, high in where.runs() for byte in range(low, high)}


@given(views)
def test_the_runs_of_a_view_are_its_bytes(view):
    start, itemsize, sizes = view
    assert bytes_of(runs_of(start, itemsize, iter(sizes))) == own_bytes(*view)


@given(st.lists(st.tuples(st.booleans(), views), max_size=12), st.booleans())
def test_what_was_written(steps, mapped):
    block, truth = Written(START, SIZE), set()
    if mapped:
        block._map()
    inside = set(range(START, START + SIZE))
    for writes, (start, itemsize, sizes) in steps:
        wanted = own_bytes(START + start, itemsize, sizes)
        if not wanted <= inside:
            continue
        where = runs_of(START + start, itemsize, iter(sizes))
        if writes:
            block.add(where)
            truth |= wanted
        else:
            missing = block.first_missing(where)
            assert (missing is None) == (wanted <= truth)
            assert missing is None or missing in wanted - truth


@pytest.mark.parametrize("rows", [100, 5000])
def test_many_rows_go_through_a_map_in_pieces(rows, monkeypatch):
    monkeypatch.setattr(written, "_PIECE", 1000)
    block = Written(START, rows * 24)
    columns = Runs(START + 8, 4, ((rows, 24),))
    block.add(columns)
    assert block.first_missing(columns) is None
    assert block.first_missing(Runs(START + 8, 5, ((rows, 24),))) == START + 12
    block.add(Runs(START, rows * 24))
    assert block.first_missing(Runs(START, rows * 24)) is None


def test_copies_hand_on_what_was_written():
    source, target = Written(START, 64), Written(8 * START, 64)
    source.add(Runs(START, 32))
    target.copy(Runs(8 * START, 64), source, START)
    assert target.first_missing(Runs(8 * START, 32)) is None
    assert target.first_missing(Runs(8 * START, 64)) == 8 * START + 32
