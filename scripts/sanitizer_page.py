"""Writes docs/sanitizer-bugs.md: the bugs of examples/sanitizer/bugs.cpp and what is said of each.

python scripts/sanitizer_page.py            write
python scripts/sanitizer_page.py --check    exit status 1 where it is not up to date
python scripts/sanitizer_page.py --picture  draw a trace of examples/sanitizer/pipeline.cpp as well
"""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path
from xml.sax.saxutils import escape

from openaclnn.capi import program, toolkit
from openaclnn.sanitize import records
from openaclnn.sanitize.findings import KINDS
from openaclnn.sanitize.watch import Options, follow

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "examples" / "sanitizer" / "bugs.cpp"
PAGE = ROOT / "docs" / "sanitizer-bugs.md"
PICTURE = ROOT / "docs" / "images" / "trace.svg"
_INTRO = """# One bug of each kind

[The sanitizer](sanitizer.md) · Written by `make docs` from what `openaclnn sanitize
examples/sanitizer/bugs.cpp KIND` says. Addresses and numbers of processes are left out.

"""


def page() -> str:
    """The page's text; every program runs for it."""
    lines = SOURCE.read_text().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("static float"))
    last = next(i for i, line in enumerate(lines) if line.startswith("static void leak"))
    shared = "\n".join(lines[first:last]).strip()
    parts = [_INTRO, f"All of them have this in common:\n\n```cpp\n{shared}\n```\n"]
    for tool, kinds in KINDS.items():
        parts.append(f"\n## {tool.capitalize()}\n")
        for kind, sentence in kinds.items():
            text = f"\n### {kind}\n\n{sentence[0].upper()}{sentence[1:]}.\n\n"
            text += f"```cpp\n{function(lines, kind)}\n```\n\n```text\n{report(kind)}```\n"
            parts.append(text)
    return "".join(parts)


def function(lines: list[str], kind: str) -> str:
    """The function that has a kind's bug."""
    begin = lines.index(f"static void {kind.replace('-', '_')}()")
    return "\n".join(lines[begin : lines.index("}", begin) + 1])


def report(kind: str) -> str:
    """What is said of a bug, without what differs from run to run."""
    binary = program.executable(SOURCE, ["-g"], toolkit.home())
    with records.new_record() as record:
        environment = {**os.environ, records.FILE: str(record), "OPENACLNN_DEVICE": "cpu"}
        child = subprocess.Popen([str(binary), kind], env=environment)
        out = StringIO()
        follow(record, child.pid, Options(), out, lambda: child.poll() is not None, child.wait)
    text = re.sub(r"==\d+==", "==PID==", out.getvalue())
    text = text.replace(f"{SOURCE.parent.relative_to(ROOT)}/", "").replace(f"{SOURCE.parent}/", "")
    return re.sub(r"0x[0-9a-f]{6,}", "0x…", text)


def picture() -> str:
    """A trace of a program as SVG: a row for each track, a box for each slice, an arrow for each
    flow."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "trace.json")
        command = [sys.executable, "-m", "openaclnn", "trace", "--device", "cpu", "-o", str(file)]
        subprocess.run([*command, str(SOURCE.parent / "pipeline.cpp")], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        events = json.loads(file.read_text())["traceEvents"]
    return drawn(events, *_excerpt(events))


_COLOURS = {"phase 1": "#7aa6c2", "phase 2": "#2f6f9f", "runtime": "#b9b9b9", "objects": "#d9cfa8",
            "stream": "#d98c5f", "once": "#e6e6e6"}  # fmt: skip
_WIDTH, _ROW, _LEFT = 1000, 34, 150


def _excerpt(events: list[dict]) -> tuple[float, float]:
    """The shortest time from one synchronisation to the next."""
    waits = [e for e in events if e["ph"] == "X" and e["name"] == "aclrtSynchronizeDevice"]
    ends = [wait["ts"] + wait["dur"] for wait in waits]
    return min(itertools.pairwise(ends), key=lambda pair: pair[1] - pair[0])


def drawn(events: list[dict], begin: float, end: float) -> str:
    """The SVG of a part of a trace."""
    slices = [e for e in events if e["ph"] == "X" and e["ts"] + e["dur"] > begin and e["ts"] < end]
    names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events
             if e["ph"] == "M" and e["name"] == "thread_name"}  # fmt: skip
    tracks = list(dict.fromkeys((e["pid"], e["tid"]) for e in slices))
    tracks.sort(key=lambda track: track[1])
    scale = (_WIDTH - _LEFT - 10) / (end - begin)

    def x(time: float) -> float:
        return _LEFT + (max(begin, min(end, time)) - begin) * scale

    def y(event: dict) -> int:
        return 30 + _ROW * tracks.index((event["pid"], event["tid"]))

    height = 40 + _ROW * len(tracks) + 22
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
             'font-family="sans-serif" font-size="11">',
             f'<rect width="{_WIDTH}" height="{height}" fill="white"/>',
             f'<text x="{_LEFT}" y="18">{end - begin:.0f} µs of pipeline.cpp</text>',
             ]  # fmt: skip
    for number, track in enumerate(tracks):
        name = re.sub(r" \d{3,}$", "", names[track])
        parts.append(f'<text x="8" y="{47 + _ROW * number}">{escape(name)}</text>')
    for e in slices:
        left, right = x(e["ts"]), x(e["ts"] + e["dur"])
        parts.append(f'<rect x="{left:.1f}" y="{y(e)}" width="{max(right - left, 1):.1f}" '
                     f'height="{_ROW - 8}" fill="{_COLOURS[e["cat"]]}"><title>'
                     f'{escape(e["name"])} {e["dur"]:.2f} µs</title></rect>')  # fmt: skip
        if right - left > 6.5 * len(e["name"]):
            parts.append(f'<text x="{left + 3:.1f}" y="{y(e) + 17}">{escape(e["name"])}</text>')
    ends = {e["id"]: e for e in events if e["ph"] == "f"}
    for e in events:
        if e["ph"] == "s" and begin <= e["ts"] <= end and e["id"] in ends:
            to = ends[e["id"]]
            parts.append(f'<line x1="{x(e["ts"]):.1f}" y1="{y(e) + _ROW - 8}" '
                         f'x2="{x(to["ts"]):.1f}" y2="{y(to)}" stroke="black"/>')  # fmt: skip
    for number, (name, colour) in enumerate(_COLOURS.items()):
        at, low = _LEFT + 110 * number, height - 16
        parts.append(f'<rect x="{at}" y="{low}" width="10" height="10" fill="{colour}"/>')
        parts.append(f'<text x="{at + 14}" y="{low + 9}">{name}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> int:
    text = page()
    if "--check" in sys.argv[1:]:
        stale = not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text
        if stale:
            print(f"{PAGE.name} is not up to date: run make docs", file=sys.stderr)
        return int(stale)
    PAGE.write_text(text, encoding="utf-8")
    if "--picture" in sys.argv[1:]:
        PICTURE.write_text(picture(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
