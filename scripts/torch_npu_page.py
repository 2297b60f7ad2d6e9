"""Write what is missing, and what other projects' tests count, into docs/torch-npu.md and its
translation.

    python scripts/torch_npu_page.py [--check]
    python scripts/torch_npu_page.py --suite op-plugin 517f2e7 RESULTS.json...

What is missing is what tests/programs expects to fail. Counts are in docs/data/suites.json, where
the second form writes them: RESULTS are what scripts/count_tests.py --json has written.
"""

import collections
import json
import pathlib
import re
import runpy
import sys

ROOT = pathlib.Path(__file__).parents[1]
SUITES = ROOT / "docs" / "data" / "suites.json"
PAGES = ("torch-npu.md", "torch-npu.zh-CN.md")
MISSING = ("missing function", "what needs it"), ("缺少的函数", "需要它的操作")
COUNTED = (
    ("suite", "commit", "tests", "pass", "skip themselves", "fail"),
    ("测试集", "提交", "测试数", "通过", "自行跳过", "失败"),
)
WHY = ("why a test fails", "为何失败")
REASONS = {
    "missing": ("an operator is missing, and named", "缺少算子，并指出其名称"),
    "refused": ("a call is refused, with a sentence", "调用被拒绝，并说明原因"),
    "differs": ("the result differs from PyTorch's on the CPU", "结果与 PyTorch 的 CPU 结果不同"),
    "time": ("it took longer than its time limit", "超过时间限制"),
    "killed": ("its process was killed", "进程被终止"),
    "other": ("it fails elsewhere: in the test, in torch_npu", "在别处失败：测试本身或 torch_npu"),
}
MOST = 12  # missing operators that a page names


def main(*arguments):
    if arguments[:1] == ("--suite",):
        count(*arguments[1:])
    texts = {"missing": missing(), "suites": suites()}
    stale = []
    for k, name in enumerate(PAGES):
        path = ROOT / "docs" / name
        written = path.read_text()
        for place, text in texts.items():
            pattern = (
                rf"(?<=<!-- {place}, written by make docs -->\n).*?(?=<!-- end of {place} -->)"
            )
            written = re.sub(pattern, lambda _, t=text[k]: f"\n{t}\n", written, flags=re.DOTALL)
        if written != path.read_text():
            stale.append(name)
            if "--check" not in arguments:
                path.write_text(written)
    if "--check" in arguments and stale:
        sys.exit(f"{', '.join(stale)} not up to date: run make docs")


def missing():
    table = ROOT / "tests" / "programs" / "torch_rows" / "missing.py"
    found = runpy.run_path(str(table))["MISSING"]
    rows = [(f"`{f}`", ", ".join(f"`{name}`" for name in names)) for f, names in found.items()]
    return [listed(header, rows) for header in MISSING]


def suites():
    known = json.loads(SUITES.read_text())
    rows = [
        (f"[{name}]({one['link']}), `{one['folder']}`", one["commit"], *map(number, one["counts"]))
        for name, one in known.items()
    ]
    found = []
    for k, header in enumerate(COUNTED):
        reasons = collections.Counter()
        for one in known.values():
            reasons.update(one["reasons"])
        tables = [listed(header, rows)]
        if reasons:
            why = [(REASONS[name][k], number(count)) for name, count in reasons.most_common()]
            tables.append(listed((WHY[k], header[2]), why))
        named = collections.Counter()
        for one in known.values():
            named.update(one["missing"])
        most = ", ".join(f"`{name}` {count}" for name, count in named.most_common(MOST))
        if most:
            tables.append((f"Most often missing: {most}.\n", f"最常缺少的算子：{most}。\n")[k])
        found.append("\n".join(tables))
    return found


def number(count):
    return f"{count:,}"


def listed(header, rows):
    lines = [header, tuple("---" for _ in header), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def count(name, commit, *files):
    """Keep the counts of a suite."""
    results = [row for file in files for row in json.loads(pathlib.Path(file).read_text())]
    tests = {(row["file"], row["test"]): row for row in results}.values()
    failed = [row for row in tests if row["outcome"] not in ("passed", "skipped")]
    outcomes = collections.Counter(row["outcome"] for row in tests)
    counts = [len(tests), outcomes["passed"], outcomes["skipped"], len(failed)]
    reasons = collections.Counter(map(reason, failed))
    named = collections.Counter(row["missing"] for row in failed if row["missing"])
    known = json.loads(SUITES.read_text())
    known[name] |= {
        "commit": commit,
        "counts": counts,
        "reasons": dict(reasons.most_common()),
        "missing": dict(sorted(named.items(), key=lambda one: (-one[1], one[0]))),
    }
    SUITES.write_text(json.dumps(known, indent=1) + "\n")


def reason(row):
    if row["missing"]:
        return "missing"
    if row["outcome"] != "failed":
        return {"timeout": "time"}.get(row["outcome"], "killed")
    if re.search(r"call aclnn\w+ failed|rejected the call|16100\d", row["reason"]):
        return "refused"
    return "differs" if re.search(r"result error|not close|less than", row["reason"]) else "other"


if __name__ == "__main__":
    main(*sys.argv[1:])
