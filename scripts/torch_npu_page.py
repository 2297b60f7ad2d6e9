"""Write the list of what is missing into docs/torch-npu.md and its translation.

    python scripts/torch_npu_page.py [--check]

The list is what tests/programs expects to fail.
"""

import pathlib
import re
import runpy
import sys

ROOT = pathlib.Path(__file__).parents[1]
HEADERS = {
    "torch-npu.md": ("missing function", "what needs it"),
    "torch-npu.zh-CN.md": ("缺少的函数", "需要它的操作"),
}
PLACE = re.compile(
    r"(?<=<!-- missing, written by make docs -->\n).*?(?=<!-- end of missing -->)", re.S
)


def main(check):
    table = ROOT / "tests" / "programs" / "torch_rows" / "missing.py"
    missing = runpy.run_path(str(table))["MISSING"]
    stale = []
    for name, header in HEADERS.items():
        path = ROOT / "docs" / name
        text = path.read_text()
        written = PLACE.sub(lambda _, header=header: "\n" + listed(missing, header) + "\n", text)
        if written != text:
            stale.append(name)
            if not check:
                path.write_text(written)
    if check and stale:
        sys.exit(f"{', '.join(stale)} not up to date: run make docs")


def listed(missing, header):
    rows = [header, ("---", "---")]
    rows += [(f"`{f}`", ", ".join(f"`{name}`" for name in names)) for f, names in missing.items()]
    return "".join(f"| {left} | {right} |\n" for left, right in rows)


if __name__ == "__main__":
    main("--check" in sys.argv)
