"""Collects the pages of the site in one folder for each language: those of docs/, with links that
hold inside the site, and those that are generated."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import operators
import plots
import reference

from openaclnn.spec.describe import EN, ZH

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
LANGUAGES = (EN, ZH)

# Of the site's pages, in their order: the section, then the page and what the menu calls it.
NAV: list[tuple[tuple[str, str], list[tuple[str, str, str]]]] = [
    (("Start", "开始"), [
        ("index", "Start", "开始"),
        ("support", "Support matrix", "支持的环境"),
        ("report-a-bug", "Report a bug", "报告问题"),
        ("security", "Security", "安全"),
        ("changelog", "Changes", "更新日志"),
    ]),
    (("Operators", "算子"), [("operators/index", "Operators", "算子")]),
    (("Guides", "指南"), [
        ("run-your-program", "Run a C++ program or CMake project", "运行 C++ 程序或 CMake 工程"),
        ("ci", "CI without an NPU", "没有 NPU 的 CI"),
        ("sanitizer", "Find bugs, trace calls", "查找错误与跟踪调用"),
        ("compare", "Judge an NPU's results", "比对 NPU 的结果"),
        ("pytorch", "PyTorch", "PyTorch"),
        ("torch-npu", "torch_npu", "torch_npu"),
        ("llama-cpp", "llama.cpp", "llama.cpp"),
        ("your-own-operators", "Your own operators", "自定义算子"),
        ("cuda", "NVIDIA GPUs", "NVIDIA GPU"),
        ("arm", "ARM hosts", "ARM 主机"),
    ]),
    (("Explanations", "原理"), [
        ("architecture", "Architecture", "架构"),
        ("accuracy", "Exactness and its proofs", "精度及其证明"),
        ("benchmarks", "Benchmarks", "性能"),
        ("benchmark-plots", "Benchmark plots", "性能图表"),
        ("sources", "Where the rules come from", "规则的来源"),
        ("notes/overview", "Laboratory notes", "实验记录"),
    ]),
    (("Reference", "参考"), [
        ("commands", "Commands", "命令"),
        ("api", "Python functions", "Python 函数"),
        ("arrays", "Arrays", "数组"),
        ("status-codes", "Status codes", "状态码"),
        ("runtime", "Runtime functions", "运行时函数"),
        ("sanitizer-bugs", "Sanitizer kinds, with examples", "检查项目及示例"),
        ("settings", "Environment variables", "环境变量"),
        ("files", "File formats", "文件格式"),
        ("operator-words", "Vocabulary of operator files", "算子文件的词汇"),
    ]),
    (("Contributing", "参与"), [("contributing", "Contributing", "参与贡献")]),
]  # fmt: skip

UNTRANSLATED = '!!! note ""\n    本页尚无中文版，以下为英文。\n\n'

BROWSER = {
    EN: ("# Operators", "Search by C name, Python name, PyTorch name or meaning.",
         "**Computed** works, with these dtypes and products. **Declared** compiles and links; a "
         "call returns [561003](../status-codes.md#561003). **Absent**: known programs call it, and "
         "it does not link; [add it yourself](../your-own-operators.md). `openaclnn coverage PATH` "
         "lists what your program needs. The same data for programs: "
         "[operators.json](../operators.json)."),
    ZH: ("# 算子", "可按 C 名称、Python 名称、PyTorch 名称或含义搜索。",
         "**已实现**：可用，数据类型和产品见表。**仅声明**：可以编译和链接，调用返回 "
         "[561003](../status-codes.md#561003)。**缺少**：已知程序会调用，无法链接，可以"
         "[自行添加](../your-own-operators.md)。`openaclnn coverage 路径` 列出你的程序用到的函数。"
         "供程序读取的同一份数据：[operators.json](../operators.json)。"),
}  # fmt: skip

BROWSER_TEXTS = {
    EN: {"placeholder": "aclnnSiluBackward, silu_backward, gradient, 反向 …", "any": "any",
         "state": "state", "family": "family", "dtype": "dtype", "product": "product",
         "gradient": "gradient in PyTorch", "computed": "computed", "declared": "declared",
         "absent": "absent", "yes": "yes", "no": "no", "col_operator": "operator",
         "col_state": "state", "col_dtypes": "input dtypes", "col_products": "products (Ascend…)",
         "count": "{} of {} functions", "none": "Nothing matches: remove a filter.",
         "more": "Show {} more", "used_by": "called by ", "signature": "signature",
         "differentiable": "has a gradient"},
    ZH: {"placeholder": "aclnnSiluBackward、silu_backward、反向 …", "any": "不限", "state": "状态",
         "family": "类别", "dtype": "数据类型", "product": "产品", "gradient": "PyTorch 梯度",
         "computed": "已实现", "declared": "仅声明", "absent": "缺少", "yes": "有", "no": "无",
         "col_operator": "算子", "col_state": "状态", "col_dtypes": "输入的数据类型",
         "col_products": "产品（Ascend…）", "count": "符合条件的函数 {} 个，共 {} 个", "none": "没有符合的：请减少筛选条件。",
         "more": "再显示 {} 个", "used_by": "调用者：", "signature": "函数原型",
         "differentiable": "有梯度"},
}  # fmt: skip


def stage(language: str, folder: Path) -> None:
    """Write every page of one language below a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "operators").mkdir(parents=True)
    for page in _written_pages(language):
        text = _source(page, language)
        if text is not None:
            (folder / f"{page}.md").write_text(text, encoding="utf-8")
    generated = {
        "commands": reference.commands(language),
        "api": reference.functions(language),
        "benchmark-plots": _plots(language),
        "operators/index": _browser(language),
    }
    for op in operators.packaged():
        generated[f"operators/{operators.stem(op)}"] = operators.page(op, language)
    for page, text in generated.items():
        (folder / f"{page}.md").write_text(text, encoding="utf-8")
    for note in (ROOT / "docs" / "notes").glob("*.md"):
        name = "overview.md" if note.name == "README.md" else note.name
        (folder / "notes").mkdir(exist_ok=True)
        shutil.copy(note, folder / "notes" / name)
    shutil.copytree(ROOT / "docs" / "images", folder / "images")
    for name in ("accuracy.json", "accuracy.cuda.json", "benchmarks.json", "functions.json"):
        shutil.copy(ROOT / "docs" / name, folder / name)
    shutil.copytree(HERE / "assets", folder / "javascripts", ignore=lambda *_: ["site.css"])
    shutil.copy(HERE / "assets" / "site.css", folder / "site.css")
    document = json.dumps(operators.document(), ensure_ascii=False, separators=(",", ":"))
    (folder / "operators.json").write_text(document, encoding="utf-8")
    script = f"window.openaclnnOperators = {document};\n"
    (folder / "javascripts" / "operators-data.js").write_text(script, encoding="utf-8")


def nav(language: str, folder: Path) -> list[dict[str, object]]:
    """The menu, of the pages that are there."""
    found: list[dict[str, object]] = []
    chinese = language == ZH
    for section, pages in NAV:
        entries = [
            {page[1 + chinese]: f"{page[0]}.md"}
            for page in pages
            if (folder / f"{page[0]}.md").exists()
        ]
        if len(entries) == 1:
            found.append({section[chinese]: next(iter(entries[0].values()))})
        else:
            found.append({section[chinese]: entries})
    return found


def _written_pages(language: str) -> list[str]:
    return [page for _, pages in NAV for page, *_ in pages if "/" not in page]


def _source(page: str, language: str) -> str | None:
    """The text of a page that people write, ready for the site."""
    outside = {
        page: stem for stem, page in _ELSEWHERE.items() if stem.isupper() and stem != "README"
    }
    outside |= {"index": "docs/start"}
    stem = outside.get(page, f"docs/{page}")
    english, chinese = ROOT / f"{stem}.md", ROOT / f"{stem}.zh-CN.md"
    if not english.exists():
        return None
    text = linked(english.read_text(encoding="utf-8"))
    if language == ZH and chinese.exists():
        return anchored(linked(chinese.read_text(encoding="utf-8")), text)
    if language == EN:
        return text
    heading, _, rest = text.partition("\n")
    return f"{heading}\n\n{UNTRANSLATED}{rest}"


_HEADING = re.compile(r"^(##+) (.+)$", re.MULTILINE)
_FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def anchored(chinese: str, english: str) -> str:
    """A Chinese page whose headings have the anchors of the English page, so that a link leads to
    the same place in both.

    >>> anchored("# 甲\\n\\n## 选项", "# A\\n\\n## Options")
    '# 甲\\n\\n## 选项 { #options }'
    """
    anchors = [_slug(match[2]) for match in _HEADING.finditer(_FENCED.sub("", english))]
    found = [match for match in _HEADING.finditer(chinese) if "{ #" not in match[2]]
    found = [m for m in found if not any(f.start() < m.start() < f.end()
                                         for f in _FENCED.finditer(chinese))]  # fmt: skip
    anchors = [anchor for anchor in anchors if anchor]
    if len(found) != len(anchors):
        return chinese
    for match, anchor in zip(reversed(found), reversed(anchors), strict=True):
        chinese = f"{chinese[: match.end()]} {{ #{anchor} }}{chinese[match.end() :]}"
    return chinese


def _slug(heading: str) -> str:
    """As mkdocs makes it; nothing where a heading states its own."""
    if "{ #" in heading:
        return ""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


_SWITCH = re.compile(r"^(English \| )?\[(中文|English)\]\([^)]*\)( \| 中文| · )?", re.MULTILINE)
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
_ELSEWHERE = {"README": "index", "start": "index", "operators": "operators/index",
              "notes/README": "notes/overview",
              "CONTRIBUTING": "contributing", "CHANGELOG": "changelog", "SECURITY": "security"}  # fmt: skip


def linked(text: str) -> str:
    """Links as the site needs them. What lies in the repository and not in the site is named.

    >>> linked("[English](compare.md)\\n\\n[a](x.zh-CN.md#b) [c](../CONTRIBUTING.md) [d](../src/e.py)")
    '\\n\\n[a](x.md#b) [c](contributing.md) d (`src/e.py`)'
    """
    return _LINK.sub(_one_link, _SWITCH.sub("", text))


def _one_link(match: re.Match[str]) -> str:
    image, said, target = match.groups()
    if "://" in target or target.startswith("#"):
        return match[0]
    path, hash, anchor = target.partition("#")
    path = path.removeprefix("../").removeprefix("docs/").replace(".zh-CN.md", ".md")
    if path.endswith(".md"):
        stem = path.removesuffix(".md")
        return f"{image}[{said}]({_ELSEWHERE.get(stem, stem)}.md{hash}{anchor})"
    if path == "LICENSE" or (target.startswith("../") and not path.startswith("images/")):
        return f"{said} (`{path}`)"
    return f"{image}[{said}]({path}{hash}{anchor})"


def _browser(language: str) -> str:
    title, intro, legend = BROWSER[language]
    texts = json.dumps(BROWSER_TEXTS[language], ensure_ascii=False)
    return (
        f"---\nhide:\n  - navigation\n  - toc\n---\n{title}\n\n{intro}\n\n"
        f'<div id="operator-browser" data-lang="{language}"></div>\n'
        f'<div id="op-legend" markdown>\n\n{legend}\n\n</div>\n'
        f'<script type="application/json" id="operator-texts">{texts}</script>\n'
        '<script src="../javascripts/operators-data.js"></script>\n'
        '<script src="../javascripts/operators.js"></script>\n'
    )


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_PLOTS = {
    EN: {
        "title": "Benchmark plots",
        "intro": "Times PyTorch eager: 2 means that openaclnn takes half the time. What is slower "
        "has the other colour. [All figures](benchmarks.md), [as data](benchmarks.json).",
        "names": {"exact": "as fast as PyTorch or faster", "lost": "slower than PyTorch"},
        "cpu": "CPU, level exact, {} contiguous elements",
        "cpu_layouts": "CPU, other layouts",
        "gpu_facts": "{device}, PyTorch {torch}, Triton {triton}; 2²⁸ elements. Stored in "
        "`scripts/bench/results/h200.json` by `scripts/bench/gpu.py`.",
        "gpu": "GPU, level {}, contiguous",
        "gpu_layouts": "GPU, other layouts, level exact",
    },
    ZH: {
        "title": "性能图表",
        "intro": "相对于 PyTorch eager 的倍数：2 表示 openaclnn 只用一半时间，较慢的用另一种颜色。"
        "[全部数据](benchmarks.md)，[JSON](benchmarks.json)。",
        "names": {"exact": "不慢于 PyTorch", "lost": "慢于 PyTorch"},
        "cpu": "CPU，exact 级别，{} 个连续元素",
        "cpu_layouts": "CPU，其他布局",
        "gpu_facts": "{device}，PyTorch {torch}，Triton {triton}；2²⁸ 个元素。"
        "数据由 `scripts/bench/gpu.py` 存入 `scripts/bench/results/h200.json`。",
        "gpu": "GPU，{} 级别，连续张量",
        "gpu_layouts": "GPU，其他布局，exact 级别",
    },
}


def _plots(language: str) -> str:
    """Every stored ratio to PyTorch's time, on a CPU and on a GPU."""
    texts = _PLOTS[language]
    parts = [f"# {texts['title']}\n", f"{texts['intro']}\n"]

    def add(title: str, pairs: list[tuple[str, float]]) -> None:
        parts.extend((f"## {title}\n", plots.ratios(pairs, title, texts["names"]) + "\n"))

    cpu = json.loads((ROOT / "docs" / "benchmarks.json").read_text(encoding="utf-8"))
    parts.append("\n".join(f"- {fact}" for fact in cpu["facts"]) + "\n")
    exact, layouts = (cpu[f"{name}, times faster than PyTorch eager"]
                      for name in ("Level exact for all", "Other layouts"))  # fmt: skip
    for size in ("2^10", "2^16", "2^20", "2^26"):
        pairs = [(f"{row['operator']}, {row['dtype']}", row[size]) for row in exact]
        base, power = size.split("^")
        add(texts["cpu"].format(base + power.translate(_RAISED)), pairs)
    means = [(f"{row['operator']}, {row['layout']}, {row['level']}", row["mean"])
             for row in layouts]  # fmt: skip
    add(texts["cpu_layouts"], means)
    path = ROOT / "scripts" / "bench" / "results" / "h200.json"
    gpu = json.loads(path.read_text(encoding="utf-8"))
    for level in ("exact", "fast"):
        pairs = [
            (f"{row['op']}, {row['dtype']}", row[level] / row["eager"])
            for row in gpu["contiguous"]
            if row.get("eager")
        ]
        add(texts["gpu"].format(level), pairs)
        if level == "exact":
            parts.insert(-1, texts["gpu_facts"].format(**gpu["facts"]) + "\n")
    pairs = [
        (f"{row['op']}, {row['case']}, {row['dtype']}", row["exact"] / row["eager"])
        for row in gpu["layouts"]
        if row.get("eager") and row.get("exact")
    ]
    add(texts["gpu_layouts"], pairs)
    return "\n".join(parts)
