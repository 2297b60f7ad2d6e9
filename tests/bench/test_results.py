"""What a record says: ratios, targets, changes, JSON, tables, the page."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
import pytest

from openaclnn.bench import grid, record, summary, tables, targets
from openaclnn.bench.cases import Case
from openaclnn.bench.measuring import Times
from openaclnn.bench.record import OURS, Cell, Record
from openaclnn.cli import bench_report as report
from openaclnn.ops import by_default

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts" / "bench"))

MACHINE = {
    "cpu": "a CPU", "cores": 2, "threads": 2, "cache": 1 << 25, "system": "Linux",
    "python": "3.12", "date": "2030-01-01", "versions": {"torch": "2"}, "free": 1.0,
}  # fmt: skip


def cell(case: Case, ratio: float, share: float = 1.0, run: int = 0, ours: float = 1e-6) -> Cell:
    """A cell in which PyTorch takes `ratio` times as long as we do."""
    times = {
        OURS: Times(1.01 * ours, ours, 5),
        "torch": Times(ratio * ours, ratio * ours, 5),
    }
    return Cell(case, times, 1000, "Ascend910B", 1000 / ours / share, run)


def whole_run(ratio: float = 2.5, **others: float) -> Record:
    """The usual run, and random shapes, with the same ratio everywhere."""
    jobs = grid.jobs(grid.Selection(), ["torch", "torch.compile"])
    jobs += grid.jobs(grid.Selection(ops=("amax",), random=20, seed=1), ["torch"])
    return Record(dict(MACHINE), [cell(job.case, ratio, **others) for job in jobs])


def test_a_ratio_is_of_the_least_disturbed_times() -> None:
    one = cell(Case("silu_backward", "f32", 1024), 3.0, share=0.5)
    assert one.ratio("torch") == pytest.approx(3)
    assert one.ratio("jax") is None
    assert one.share == pytest.approx(0.5)
    assert one.bandwidth == pytest.approx(1e9)


def test_a_ratio_is_of_the_rounds_where_they_are_known() -> None:
    times = {OURS: Times(2.0, 1.0, 5, 1.0), "torch": Times(2.0, 1.5, 5, 1.2)}
    assert Cell(Case("silu_backward", "f32", 1024), times, 1000).ratio("torch") == 1.2


def test_the_worst_run_counts() -> None:
    case = Case("silu_backward", "f32", 1024)
    cells = [cell(case, 3, run=0), cell(case, 2, run=1), cell(case, 4, run=2)]
    assert [one.run for one in record.worst_runs(cells, "torch")] == [1]
    assert record.worst_runs(cells, "jax") == []


def test_geometric_means_and_worst_cells() -> None:
    cases = [Case("silu_backward", "f32", 1 << k, level="fast") for k in (10, 12, 14)]
    cells = [cell(case, ratio) for case, ratio in zip(cases, (0.5, 2, 8), strict=True)]
    assert summary.geometric_mean(summary.ratios(cells, "torch")) == pytest.approx(2)
    assert tables.losses(Record({}, cells)) == ([["0.50", *cases[0].facts]], 3)
    assert all(map(summary.contiguous, cells))


def test_json_round_trip(tmp_path: Path) -> None:
    before = whole_run()
    before.left_out, before.failed = ["this"], ["that"]
    (tmp_path / "run.json").write_text(record.dumps(before))
    assert record.load(tmp_path / "run.json") == before


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 99}', '{"format": 1, "cells": 3}'])
def test_what_is_no_result_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="is no result of openaclnn bench"):
        record.load(path)


def test_targets_are_met_by_a_good_run() -> None:
    assert {judged.passed for judged in targets.check(whole_run())} == {True}


def test_targets_are_missed_by_a_bad_run() -> None:
    bad = whole_run(0.4, share=0.5, ours=1e-5)
    assert {judged.passed for judged in targets.check(bad)} == {False}


def test_targets_without_cells_are_open() -> None:
    assert {judged.passed for judged in targets.check(Record(dict(MACHINE)))} == {None}


@pytest.mark.parametrize(
    ("case", "ratio", "target"),
    [
        (Case("silu_backward", "f32", 2**20, level="fast"), 0.94, "contiguous, every cell"),
        (Case("silu_backward", "f32", 2**20), 0.49, "exact where it computes more, every cell"),
        (Case("silu_backward", "f32", 2**24), 0.89, "exact where it computes more, from 2^24"),
        (Case("silu_backward", "f32", 2**22, "row", "fast"), 0.9, "other layouts, every cell"),
        (Case("silu_backward", "f32", 2**24, level="fast"), 1.05, "large, bound by computing"),
        (Case("silu_backward", "f32", 2**10, level="fast"), 0.99, "1 K elements, two phases"),
        (
            Case("silu_backward", "f32", 2**10, level="fast", way="repeated"), 1.9,
            "1 K elements, repeated executor",
        ),
        (
            Case("silu_backward", "f32", 2**10, level="fast", way="function"), 0.45,
            "1 K elements, one-line function on NumPy",
        ),
        (
            Case("silu_backward", "f32", 2**10, level="fast", way="tensors"), 0.95,
            "1 K elements, one-line function on PyTorch",
        ),
    ],
)  # fmt: skip
def test_one_bad_cell_misses_its_target(case: Case, ratio: float, target: str) -> None:
    run = whole_run()
    run.cells = [cell(case, ratio) if one.case == case else one for one in run.cells]
    missed = [judged for judged in targets.check(run) if judged.passed is False]
    assert [judged.target.startswith(target) for judged in missed] == [True]
    assert len(missed[0].failing) == 1


def test_random_layouts_are_judged_one_by_one_at_either_level() -> None:
    """Where both levels compute the same; and by their mean, as others."""
    cells = [
        cell(Case("mul", "f32", 2**24, f"random 1.{number}", level), ratio)
        for number, (level, ratio) in enumerate([("fast", 1.2), ("fast", 0.9), ("exact", 0.8)])
    ]
    missed = [v for v in targets.check(Record(dict(MACHINE), cells)) if v.passed is False]
    assert [judged.target for judged in missed] == [
        "other layouts, geometric mean >= 1.8", "other layouts, every cell >= 0.95",
    ]  # fmt: skip
    assert len(missed[1].failing) == 2


def test_random_shapes_are_judged_by_their_mean_and_the_worst_tenth() -> None:
    cases = [Case("amax", "f32", 1000 + k, f"{1000 + k} over 0", "fast") for k in range(20)]
    ratios = [0.6, 0.6, 0.6, *[2.0] * 17]
    cells = [cell(case, ratio) for case, ratio in zip(cases, ratios, strict=True)]
    found = {v.target: v.passed for v in targets.check(Record(dict(MACHINE), cells))}
    assert found["random shapes at level fast, geometric mean >= 1"]
    assert found["random shapes at level fast, worst tenth >= 0.7"] is False
    assert found["random shapes at level exact, worst tenth >= 0.5"] is None
    cells = cells[2:]
    found = {v.target: v.passed for v in targets.check(Record(dict(MACHINE), cells))}
    assert found["random shapes at level fast, worst tenth >= 0.7"]


def test_the_share_of_the_copy_is_of_the_worst_run() -> None:
    case = Case("leaky_relu_backward", "f32", 2**24)
    run = Record(dict(MACHINE), [cell(case, 2, share=0.9), cell(case, 3, share=0.8, run=1)])
    found = next(v for v in targets.check(run) if "copy" in v.target)
    assert found.passed is False
    assert found.failing[0].startswith("0.80")


def test_changes() -> None:
    cases = [Case(op, "f32", 2**20) for op in by_default()]
    old = Record(dict(MACHINE), [cell(case, 2, ours=1e-3) for case in cases])
    new = Record(dict(MACHINE), [cell(case, 1, ours=2e-3) for case in cases[:1]])
    new.cells += [cell(case, 4, ours=5e-4) for case in cases[1:3]]
    new.cells.append(cell(Case("silu_backward", "f16", 2**20), 1))
    found = summary.changes(old, new)
    assert [one.faster for one in found] == pytest.approx([0.5, 2, 2])
    assert [one.drift for one in found] == pytest.approx([1, 1, 1])
    text = click.unstyle("\n".join(report.changed(found)))
    assert "slower: 1" in text
    assert "faster: 2" in text
    assert "no case in common" in "\n".join(report.changed([]))


def test_tables_line_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    run = whole_run()
    found = tables.tables(run)
    assert [table.title.split(",")[0] for table in found] == [
        "Contiguous", "Other layouts", "Level exact for all",
        "1024 elements: µs a call (times faster)",
    ]  # fmt: skip
    for table in found:
        assert {len(row) for row in table.rows} == {len(table.header)}
    text = click.unstyle("\n\n".join(report.text(run)))
    assert max(map(len, text.splitlines())) <= 80
    assert "No cell is below" in text


def test_no_case_is_kept_quiet() -> None:
    """Whatever is asked for stands in some table."""
    case = Case("leaky_relu_backward", "f32", 2**16, "row", "fast", "repeated")
    found = tables.tables(Record(dict(MACHINE), [cell(case, 2)]))
    assert [row[-1] for table in found for row in table.rows] == [2]


def test_without_an_alternative_there_are_times() -> None:
    case = Case("leaky_relu_backward", "f32", 2**16)
    alone = Cell(case, {OURS: Times(1e-6, 1e-6, 5)}, 1000)
    assert "1.00" in "\n".join(report.text(Record(dict(MACHINE), [alone])))


def test_a_narrow_terminal_gets_tables_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    text = click.unstyle("\n\n".join(report.text(whole_run())))
    assert text.count("operator  ") > len(tables.tables(whole_run()))


def test_a_busy_machine_is_not_to_be_trusted() -> None:
    run = whole_run()
    assert "do not trust" not in report.head(run)
    run.machine["free"] = 0.5
    assert "we get 50% of the cores' time: do not trust" in report.head(run).replace("\n", " ")


def test_scattered_samples_are_not_to_be_trusted() -> None:
    run = whole_run()
    assert summary.unrest(run.cells) is None
    for one in run.cells:
        one.times[OURS] = Times(1.5e-6, 1e-6, 5)
    assert "every fourth median is 50% or more above its minimum" in str(summary.unrest(run.cells))


def test_the_page_says_where_we_lose(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    run = whole_run(0.5)
    run.interrupted = True
    import page

    import programs

    monkeypatch.setattr(page, "_first_calls_with", lambda cache: {"silu_backward": 1.0})
    monkeypatch.setattr(programs, "measure", lambda: [programs.Timed("a program", 1, 2, "s")])
    written = page.write(tmp_path / "benchmarks.md", run)
    assert all(path.stat().st_size for path in written)
    names = {"benchmarks.md", "benchmarks.json", "bench.png", "bench-layouts.png"}
    assert {path.name for path in written} == names
    stored = json.loads((tmp_path / "benchmarks.json").read_text())
    rows = stored["Contiguous, times faster than PyTorch eager"]
    assert {row["mean"] for row in rows} == {0.5}
    text = written[0].read_text()
    for words in (
        "## Where we lose",
        "| 0.50 | hardsigmoid_backward |",
        "**missed**",
        "interrupted",
        "a CPU",
    ):
        assert words in text
