"""The results page and its pictures, from a result of `openaclnn bench --full --json`:

    python scripts/bench/page.py RUN.json docs/benchmarks.md
    python scripts/bench/page.py --random DRAWN.json docs/benchmarks.md

First calls and C programs are measured while it is written. The section on random shapes is that of
`openaclnn bench --random COUNT --json`, and is written by itself.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from pictures import draw, draw_layouts

import programs
from openaclnn.base.settings import LEVELS
from openaclnn.base.tables import markdown
from openaclnn.bench import alternatives, layouts, summary
from openaclnn.bench.cases import FACTS, WAY_MEANINGS
from openaclnn.bench.machine import busy
from openaclnn.bench.record import Record, load
from openaclnn.bench.tables import LOSING, Table, by_group, losses, main, number, tables
from openaclnn.bench.targets import Judged, check

_WORST, _WORST_DRAWN = 40, 20


def write(path: Path, record: Record) -> list[Path]:
    """Write the page and its pictures; the paths."""
    if not record.alternatives:
        raise ValueError("the page compares, and nothing to compare with was measured")
    images = path.parent / "images"
    images.mkdir(parents=True, exist_ok=True)
    drawn = []
    for name, make, belongs in (
        ("bench.png", draw, summary.contiguous),
        ("bench-layouts.png", draw_layouts, summary.other_layouts),
    ):
        if any(map(belongs, record.cells)):
            make(images / name, record)
            drawn.append(images / name)
    text = "\n".join(_page(record, {image.name for image in drawn})) + "\n"
    path.write_text(text)
    data = path.with_suffix(".json")
    data.write_text(by_lines(stored(text)))
    return [path, data, *drawn]


def stored(page: str) -> dict[str, Any]:
    """The page's ratios as data, from which the site draws: by section rows of what was measured
    and, by column, how many times as fast as PyTorch."""
    top, *sections = page.split("\n## ")
    found: dict[str, Any] = {"facts": [s[2:] for s in top.splitlines() if s.startswith("- ")]}
    for section in sections:
        title, _, text = section.partition("\n")
        lines = [line for line in text.splitlines() if line.startswith("|")]
        if len(lines) < 3:
            continue
        names, _, *rows = ([cell.strip(" *") for cell in line[1:-1].split("|")] for line in lines)
        if "mean" in names:
            cells = (dict(zip(names, row, strict=True)) for row in rows if row != names)
            found[title] = [{k: _value(v) for k, v in one.items()} for one in cells]
    return found


def by_lines(data: dict[str, Any]) -> str:
    """JSON with a row to a line."""
    parts = []
    for name, rows in data.items():
        lines = ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in rows)
        parts.append(f" {json.dumps(name)}: [\n  {lines}\n ]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _page(record: Record, pictures: set[str]) -> Iterator[str]:
    yield "# Benchmarks"
    yield ""
    yield "Written by `scripts/bench/page.py` from a result of `openaclnn bench --full --json`; do"
    yield "not edit. On your machine: `openaclnn bench` (two minutes) or `openaclnn bench --full`."
    yield ""
    yield from _machine(record)
    yield ""
    yield from _how(record)
    yield ""
    yield from _means(record)
    if "bench.png" in pictures:
        yield "\n## Cost over size\n"
        yield "Contiguous operands. Flat lines above mean that size does not matter; the step is"
        yield "the cache's edge. Below, bandwidth counts the bytes that must move.\n"
        yield "![Time per element and bandwidth over size](images/bench.png)"
    for table in tables(record):
        yield ""
        yield from _table(table)
        if "layouts" in table.title and "bench-layouts.png" in pictures:
            yield "\n![Gains by layout](images/bench-layouts.png)"
    yield ""
    yield from _explained(record)
    yield ""
    yield from _losses(record)
    yield ""
    yield from _targets(check(record), sum(cell.again for cell in record.cells))
    yield ""
    yield from _first_calls()
    yield ""
    yield from _programs()
    if record.failed:
        yield "\n## Failed\n"
        yield from (f"- {line}" for line in record.failed)
    if record.left_out:
        yield "\n## Left out\n"
        yield from (f"- {line}" for line in record.left_out)


def _machine(record: Record) -> Iterator[str]:
    machine = record.machine
    copied = summary.geometric_mean(cell.copied for cell in record.cells if cell.copied)
    versions = ", ".join(f"{name} {found}" for name, found in machine["versions"].items())
    runs = 1 + max((cell.run for cell in record.cells), default=0)
    yield f"- {machine['cpu']}, {machine['threads']} of {machine['cores']} cores used by every side"
    if copied:
        yield f"- memory copy: {copied / 1e9:.1f} GB/s read and written, measured in the same run"
    yield f"- {versions}, Python {machine['python']}, {machine['system']}"
    yield f"- {machine['date']}, {runs} run{'s' if runs > 1 else ''}" + (
        "; the worst of each cell is shown" if runs > 1 else ""
    )
    if warning := busy(machine) or summary.unrest(record.cells):
        yield f"- **Measured beside other load**: {warning}."
    if record.interrupted:
        yield "- **The run was interrupted**: the tables are incomplete."


def _how(record: Record) -> Iterator[str]:
    yield "A ratio of 2 means that openaclnn takes half the other side's time. All sides are"
    yield "measured interleaved, and a ratio is the median of the rounds, so that other load"
    yield "affects all of them alike. Times are the minimum of the samples."
    yield "Except where noted, both sides use the same operands and output in the same memory and"
    yield "the same number of threads, and allocate nothing. Their results are compared first."
    yield "Buffers that PyTorch needs from a forward pass, and openaclnn does not, are made within"
    yield "PyTorch's time, and so is its promotion of mixed dtypes. Level `exact` is within 0.51"
    yield "ULP of the true values, `fast` computes in float32 as PyTorch does. “Of copy” is the"
    yield "bandwidth at the largest size as a share of the copy's, whose stores bypass the caches,"
    yield "in the quarter of the rounds in which both were disturbed least."
    yield ""
    for name in record.alternatives:
        one = alternatives.ALL[name]
        yield f"- {one.title}: {one.meaning}"


def _means(record: Record) -> Iterator[str]:
    rows: list[list[str | float | None]] = []
    for name, ratios in by_group(record).items():
        below = sum(ratio < LOSING for ratio in ratios)
        mean = summary.geometric_mean(ratios)
        rows.append([name, mean, min(ratios), max(ratios), f"{below} of {len(ratios)}"])
    header = ["cells", "geometric mean", "lowest", "highest", f"below {LOSING}"]
    title = alternatives.ALL[main(record)].title
    yield from _table(Table(f"In short, times faster than {title}", header, rows, 1))


def _table(table: Table) -> Iterator[str]:
    yield f"## {table.title}\n"
    rows = ([_marked(value) for value in row] for row in table.rows)
    yield markdown([table.header, *rows], range(table.labels, len(table.header)))


def _marked(value: str | float | None) -> str:
    """Ratios that lose stand out."""
    losing = isinstance(value, float) and value < LOSING
    return f"**{number(value)}**" if losing else number(value)


def _explained(record: Record) -> Iterator[str]:
    ways = {cell.case.way for cell in record.cells}
    measured = {cell.case.layout for cell in record.cells}
    yield "Ways of calling:\n"
    yield from (f"- {way}: {what}" for way, what in WAY_MEANINGS.items() if way in ways)
    yield "\nLayouts (the operand is the last tensor that is read):\n"
    for layout in layouts.ALL.values():
        if layout.name in measured:
            yield f"- {layout.name}: {layout.meaning}"


def _losses(record: Record) -> Iterator[str]:
    lost, of = losses(record)
    yield "## Where we lose\n"
    if not lost:
        yield f"Nowhere in this run: no cell of {of} is below {LOSING}."
        return
    shown = f"; the lowest {_WORST}" if len(lost) > _WORST else ""
    yield f"{len(lost)} of {of} cells are below {LOSING}{shown}:\n"
    yield markdown([["ratio", *FACTS], *lost[:_WORST]], right=[0])


def _targets(found: list[Judged], again: int) -> Iterator[str]:
    words = {True: "met", False: "**missed**", None: "not measured"}
    yield "## Speed targets\n"
    yield "`openaclnn bench --check` checks these; all but the last are ratios to PyTorch eager"
    yield "or shares of the copy's bandwidth. Cells close to a target, on either side, are"
    yield f"measured once more, much longer, and the second ratio counts: {again} cells here.\n"
    rows = ([j.target.replace(">=", "≥"), words[j.passed], j.found] for j in found)
    yield markdown([["target", "", "found"], *rows])


_FIRST_CALLS = """
import time
import openaclnn
from openaclnn.bench import layouts, operands, ways
from openaclnn.bench.cases import PHASES, Case, usual_level
from openaclnn.ops import by_default

def call(op, dtype, numel):
    return ways.WAYS[PHASES](operands.make(layouts.call(Case(op, dtype, numel))))

call(next(iter(by_default())), "f16", 256)  # LLVM itself starts
for op in by_default():
    with openaclnn.using(math=usual_level(op)):
        start = time.perf_counter()
        call(op, "f32", 1024)()
        print(op, (time.perf_counter() - start) * 1e3)
"""


def _first_calls() -> Iterator[str]:
    yield "## First call\n"
    yield "Milliseconds until an operator's first f32 kernel has run: compiled, and from the cache"
    yield "on disk in a new process.\n"
    with tempfile.TemporaryDirectory() as empty:
        cold, kept = _first_calls_with(empty), _first_calls_with(empty)
    rows = ([op, f"{cold[op]:.0f}", f"{kept[op]:.1f}"] for op in cold)
    yield markdown([["operator", "compiled", "from the cache"], *rows], right=[1, 2])


def _first_calls_with(cache: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-c", _FIRST_CALLS],
        env={**os.environ, "OPENACLNN_CACHE": cache},
        check=True,
        capture_output=True,
        text=True,
    )
    pairs = (line.split() for line in done.stdout.splitlines())
    return {name: float(taken) for name, taken in pairs}


def _programs() -> Iterator[str]:
    yield "## C programs\n"
    yield "What a program in C pays besides the work, of nine starts the median, and our bound.\n"
    rows = (
        [one.name, f"{one.value:.3g} {one.unit}", f"{one.bound:g} {one.unit}"]
        for one in programs.measure()
    )
    yield markdown([["", "measured", "bound"], *rows], right=[1, 2])


_RANDOM = "## Random shapes\n"


def random_shapes(record: Record) -> str:
    """What `bench --random` drew: means of the levels, and where we lose most."""
    machine, theirs = record.machine, main(record)
    found = [
        (name, summary.ratios(filter(partial(summary.shapes, level=name), record.cells), theirs))
        for name in LEVELS
    ]
    rows = [
        [
            name,
            number(summary.geometric_mean(ratios)),
            number(summary.worst_tenth(ratios)),
            number(min(ratios)),
            f"{sum(ratio < LOSING for ratio in ratios)} of {len(ratios)}",
        ]
        for name, ratios in found
        if ratios
    ]
    names = sorted({cell.case.op for cell in record.cells})
    lost, _ = losses(record)
    alone = machine["threads"] == 1  # then the processor's time counts
    threads = "one thread, processor time" if alone else f"{machine['threads']} threads"
    drawn = f"--random {machine['random']} --seed {machine['seed']}"
    return "\n".join([
        _RANDOM,
        f"Operators: {', '.join(names)}. Shapes of 1 to 5 dimensions, 10⁴ to 2·10⁷ elements, and",
        f"what of them is reduced, are drawn at random (`{drawn}`), in float32, float16 and",
        f"bfloat16. Beside {alternatives.ALL[theirs].title} on {threads}; {machine['date']};",
        f"{machine['free']:.0%} of the cores' time was free.\n",
        markdown(
            [["level", "geometric mean", "worst tenth", "lowest", f"below {LOSING}"], *rows],
            right=range(1, 5),
        ),
        f"\nThe lowest {_WORST_DRAWN}:\n",
        markdown([["ratio", *FACTS], *lost[:_WORST_DRAWN]], right=[0]),
    ])  # fmt: skip


def write_random(path: Path, record: Record) -> None:
    """Replace the section, or put it before that on first calls."""
    text = path.read_text()
    begin = text.find(_RANDOM)
    following = "## First call\n"
    if begin < 0:
        begin = text.index(following)
    end = text.index(following)
    path.write_text(f"{text[:begin]}{random_shapes(record)}\n\n{text[end:]}")


if __name__ == "__main__":
    if sys.argv[1] == "--random":
        source, target = map(Path, sys.argv[2:4])
        write_random(target, load(source))
        sys.exit()
    source, target = map(Path, sys.argv[1:3])
    for written in write(target, load(source)):
        print(written)
