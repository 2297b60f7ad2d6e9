"""Writes the figures and pictures of docs/accuracy.md from the results of a proof.

    openaclnn verify --exhaustive --save docs/accuracy.json    half an hour
    openaclnn verify --exhaustive --device cuda --save docs/accuracy.cuda.json    where a GPU is
    openaclnn verify exp log … --exhaustive --device cuda --dtype f32 --dtype f16 --dtype bf16 \\
        --no-torch --save docs/functions.json                                    where a GPU is
    python scripts/accuracy.py                                               seconds

The second file is optional: with it the table says whether both devices gave the same bits. The
third is the table of operators of one tensor.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from openaclnn.base.tables import markdown
from openaclnn.verify.plot import draw
from openaclnn.verify.report import share, ulps

DOCS = Path(__file__).parent.parent / "docs"
RESULTS = {"cpu": DOCS / "accuracy.json", "cuda": DOCS / "accuracy.cuda.json"}
FUNCTIONS = DOCS / "functions.json"
PAGE = DOCS / "accuracy.md"

Row = dict[str, Any]


def main() -> int:
    found = {
        device: json.loads(path.read_text(encoding="utf-8"))
        for device, path in RESULTS.items()
        if path.exists()
    }
    if "cpu" not in found:
        print(f"{RESULTS['cpu']} is missing: see the top of this script", file=sys.stderr)
        return 1
    rows: list[Row] = found["cpu"]["rows"]
    others = {_key(row): row for row in found.get("cuda", {}).get("rows", [])}
    page = PAGE.read_text(encoding="utf-8")
    functions: list[Row] = json.loads(FUNCTIONS.read_text(encoding="utf-8"))["rows"]
    for name, table in {
        "functions": markdown(_functions(functions)),
        "exact": markdown(_exact(rows)),
        "fast": markdown(_fast(rows)),
        "digests": markdown(_digests(rows, others)),
    }.items():
        page = _between(page, name, table)
    PAGE.write_text(page, encoding="utf-8")
    print(f"written: {PAGE.name}")
    for operator in dict.fromkeys(row["operator"] for row in rows):
        chosen = [r for r in rows if r["operator"] == operator and r["dtype"] != "DOUBLE"]
        picture = DOCS / "images" / f"accuracy-{operator}.png"
        draw(picture, chosen)
        print(f"written: images/{picture.name}")
    return 0


def _key(row: Row) -> tuple[str, str, str]:
    return row["operator"], row["dtype"], row["level"]


def _exact(rows: list[Row]) -> Iterator[list[str]]:
    yield ["operator", "dtype", "largest error", "for any gradient", "not the nearest", "at",
           "PyTorch's largest", "PyTorch above 0.51"]  # fmt: skip
    for row in rows:
        if row["level"] == "exact":
            torch = row["torch"]
            yield [
                f"`{row['operator']}`", row["dtype"], _ulp(row["max_ulp"]),
                _ulp(row["every_gradient_ulp"]) if row["every_gradient_ulp"] else "",
                share(row["above"]["0.5"], row["count"]), _at(row), _ulp(torch["max_ulp"]),
                share(torch["above"]["0.51"], torch["count"]),
            ]  # fmt: skip


def _fast(rows: list[Row]) -> Iterator[list[str]]:
    yield ["operator", "dtype", "largest error", "for any gradient", "promised", "where"]
    for row in rows:
        if row["level"] == "fast" and not row["same_kernel_at_both_levels"]:
            yield [
                f"`{row['operator']}`", row["dtype"], _ulp(row["max_ulp"]),
                _ulp(row["every_gradient_ulp"]) if row["every_gradient_ulp"] else "",
                f"{row['bound_ulp']:g}", row["bound_holds_where"] or "everywhere",
            ]  # fmt: skip


def _functions(rows: list[Row]) -> Iterator[list[str]]:
    yield ["operator", "FLOAT", "not the nearest", "at", "FLOAT16", "BF16", "FLOAT, level fast"]
    found = {_key(row): row for row in rows}
    for operator in dict.fromkeys(row["operator"] for row in rows):
        exact, fast, half, brain = (
            found.get((operator, dtype, level))
            for dtype, level in (
                ("FLOAT", "exact"), ("FLOAT", "fast"), ("FLOAT16", "exact"), ("BF16", "exact"),
            )
        )  # fmt: skip
        largest = [_ulp(row["max_ulp"]) if row else "" for row in (exact, half, brain, fast)]
        if fast and fast["same_kernel_at_both_levels"]:
            largest[3] = "the same"
        if exact:
            yield [
                f"`{operator}`", largest[0], share(exact["above"]["0.5"], exact["count"]),
                _at(exact), *largest[1:],
            ]  # fmt: skip


def _digests(rows: list[Row], others: dict[tuple[str, str, str], Row]) -> Iterator[list[str]]:
    yield ["operator", "dtype", "level", "results", "digest", *(["CUDA"] if others else [])]
    for row in rows:
        if row["level"] == "fast" and row["same_kernel_at_both_levels"]:
            continue
        level = "both" if row["same_kernel_at_both_levels"] else row["level"]
        cells = [f"`{row['operator']}`", row["dtype"], level, f"{row['count']:,}",
                 f"`{row['digest']}`"]  # fmt: skip
        if others:
            cells.append(_same(row, others.get(_key(row))))
        yield cells


def _same(row: Row, other: Row | None) -> str:
    if other is None or other["count"] != row["count"]:
        return "not measured"
    return "the same" if other["digest"] == row["digest"] else "**different**"


def _ulp(value: float | str) -> str:
    return ulps(float(value)) if math.isfinite(float(value)) else "NaN for a number"


def _at(row: Row) -> str:
    """The inputs of the worst result."""
    worst = row["worst"]
    shown = ", ".join(f"{float(value):.9g}" for value in worst["inputs"])
    return f"({shown})" + (f" {worst['attributes']}" if worst["attributes"] else "")


def _between(page: str, name: str, table: str) -> str:
    opening, closing = f"<!-- {name}: written by scripts/accuracy.py -->", f"<!-- end of {name} -->"
    pattern = re.compile(f"{re.escape(opening)}.*?{re.escape(closing)}", re.DOTALL)
    if not pattern.search(page):
        raise SystemExit(f"{PAGE.name} has no place for {name!r}; expected {opening}")
    return pattern.sub(lambda _: f"{opening}\n{table}\n{closing}", page)


if __name__ == "__main__":
    sys.exit(main())
