"""Write the counts of llama.cpp's test cases into docs/llama-cpp.md and its translation.

    python scripts/llama/page.py COUNTED.json…

The files are what cases.py wrote with --json: one of all operators, or several of some each.
"""

import collections
import json
import pathlib
import re
import sys

DOCS = pathlib.Path(__file__).parents[2] / "docs"
PLACE = re.compile(r"(?<=-->\n).*?(?=<!-- end of counts -->)", re.S)
TEXTS = {
    "llama-cpp.md": {
        "head": ("cases", "count"),
        "pass": "pass",
        "wrong": "compute wrongly: {}",
        "stopped": "stopped because `{}` refuses a call: {}",
        "missing": "stopped because openaclnn does not have `{}`: {}",
        "crashed": "crash or hang",
        "all": "All supported cases of the other {} tests pass: {}.",
    },
    "llama-cpp.zh-CN.md": {
        "head": ("用例", "数量"),
        "pass": "通过",
        "wrong": "结果错误：{}",
        "stopped": "因 `{}` 拒绝调用而中止：{}",
        "missing": "因 openaclnn 尚无 `{}` 而中止：{}",
        "crashed": "崩溃或卡住",
        "all": "其余 {} 个测试中受支持的用例全部通过：{}。",
    },
}


def main():
    operators = {}
    stopped = collections.defaultdict(collections.Counter)  # by what stopped them: tests
    for file in sys.argv[1:]:
        counted = json.loads(pathlib.Path(file).read_text())
        operators |= counted["operators"]
        for case in counted["cases"]:
            if case["outcome"] == "stopped":
                function = re.search(r"\baclnn\w+", case["reason"])
                missing = "does not have this operator" in case["reason"]
                name = function[0] if function else case["reason"][:40]
                stopped[missing, name][case["operator"]] += 1
    if not operators:
        sys.exit(__doc__)
    for name, texts in TEXTS.items():
        path = DOCS / name
        written = block(texts, operators, stopped)
        path.write_text(PLACE.sub(lambda _, written=written: written, path.read_text()))


def block(texts, operators, stopped):
    total = collections.Counter()
    for count in operators.values():
        total.update(count)
    wrong = [name for name, count in operators.items() if count.get("wrong")]
    rows = [(texts["pass"], total["pass"])]
    rows += [(texts["wrong"].format(", ".join(wrong)), total["wrong"])] * bool(wrong)
    rows.append((texts["crashed"], total["crashed"] + total["hung"]))
    for (missing, name), tests in stopped.items():
        text = texts["missing" if missing else "stopped"]
        rows.append((text.format(name, ", ".join(tests)), tests.total()))
    fine = [n for n, c in operators.items() if {*c} <= {"pass", "unsupported"} and "pass" in c]
    lines = ["| {} | {} |".format(*texts["head"]), "| --- | --: |"]
    lines += [f"| {text} | {count:,} |" for text, count in rows]
    return "\n".join([*lines, "", texts["all"].format(len(fine), " ".join(sorted(fine))), ""])


if __name__ == "__main__":
    main()
