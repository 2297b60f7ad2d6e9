"""Writes what documentation says about the operators, from their specs: the pages in
docs/operators, the tables in both READMEs between their markers; and from the tables of the
runtime docs/runtime.md and the module acl.rt.

    python scripts/pages.py            write
    python scripts/pages.py --check    exit status 1 where something is not up to date
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import openaclnn
from openaclnn import capi
from openaclnn.base import products
from openaclnn.capi import runtime_page, runtime_python
from openaclnn.cli.show import declarations, mathematics
from openaclnn.ops import all_ops
from openaclnn.spec import describe
from openaclnn.spec.describe import EN, ZH
from openaclnn.spec.formula import text as formula_text
from openaclnn.spec.op import Op

ROOT = Path(__file__).parent.parent
SUFFIX = {EN: ".md", ZH: ".zh-CN.md"}
OPEN, CLOSE = "<!-- operators, written by make docs -->", "<!-- end of operators -->"

TEXTS = {
    EN: {
        "index": "The operators",
        "intro": "Written from the operators' specs by `make docs`. `openaclnn show` prints the "
        "same, and the generated kernels.",
        "other": "中文",
        "operator": "operator",
        "dtypes": "dtypes",
        "shapes": "shapes",
        "products": "products",
        "product": "product",
        "equal": "equal",
        "equal_or": "equal; on {} the inputs broadcast",
        "broadcast": "broadcast",
        "all_but": "all but {}",
        "mathematics": "Mathematics",
        "example": "From Python",
        "arguments": "Arguments",
        "argument": "argument",
        "kind": "kind",
        "meaning": "meaning",
        "checks": "Checks",
        "order": "In this order; the first that fails decides what phase 1 answers.",
        "status": "status",
        "demand": "what must hold",
        "line": "product line",
        "bf16": "bf16",
        "has_it": "this operator",
        "yes": "yes",
        "no": "no",
        "default": " (default)",
        "comma": ", ",
    },
    ZH: {
        "index": "算子",
        "intro": "本页由 `make docs` 根据算子的声明文件生成。`openaclnn show` "
        "显示同样的内容以及生成的 kernel。",
        "other": "English",
        "operator": "算子",
        "dtypes": "数据类型",
        "shapes": "shape",
        "products": "产品",
        "product": "产品",
        "equal": "相同",
        "equal_or": "相同；在 {} 上各输入可以广播",
        "broadcast": "可广播",
        "all_but": "除 {} 外均支持",
        "mathematics": "数学说明（英文）",
        "example": "在 Python 中调用",
        "arguments": "参数",
        "argument": "参数",
        "kind": "类别",
        "meaning": "含义",
        "checks": "检查",
        "order": "按下列顺序检查，第一阶段返回首个不满足的条件所对应的状态码。",
        "status": "状态码",
        "demand": "须满足的条件",
        "line": "产品系列",
        "bf16": "bf16",
        "has_it": "支持该算子",
        "yes": "是",
        "no": "否",
        "default": "（默认）",
        "comma": "、",
    },
}


def pages() -> dict[Path, str]:
    """Every page by its path."""
    found = {}
    for language, suffix in SUFFIX.items():
        folder = ROOT / "docs" / "operators"
        other = SUFFIX[ZH if language == EN else EN]
        for op in all_ops().values():
            lines = _page(op, language, f"{op.name}{other}")
            found[folder / f"{op.name}{suffix}"] = "\n".join(lines) + "\n"
        found[folder / f"README{suffix}"] = _index(language, f"README{other}")
        readme = ROOT / f"README{suffix}"
        found[readme] = _with_table(readme.read_text(encoding="utf-8"), language)
    found[ROOT / "docs" / "runtime.md"] = runtime_page.page()
    found[Path(capi.__path__[0], "python", "acl", "rt.py")] = runtime_python.module()
    return found


def _index(language: str, other: str) -> str:
    texts = TEXTS[language]
    head = f"# {texts['index']}\n\n[{texts['other']}]({other}) · {texts['intro']}\n\n"
    return head + _table(language, "") + "\n"


def _with_table(readme: str, language: str) -> str:
    begin, end = readme.index(OPEN) + len(OPEN), readme.index(CLOSE)
    return f"{readme[:begin]}\n\n{_table(language, 'docs/operators/')}\n\n{readme[end:]}"


def _table(language: str, folder: str) -> str:
    texts = TEXTS[language]
    rows = [[texts[name] for name in ("operator", "dtypes", "shapes", "products")]]
    for op in all_ops().values():
        link = f"[`{op.name}`]({folder}{op.name}{SUFFIX[language]})"
        dtypes = " ".join(dtype.short for dtype in describe.dtypes(op))
        rows.append([f"{link}<br>`{op.c_name}`", dtypes, _shapes(op, texts), _products(op, texts)])
    return _markdown(rows)


def _shapes(op: Op, texts: dict[str, str]) -> str:
    broadcasts = describe.broadcasts(op)
    if broadcasts == op.products:
        return texts["broadcast"]
    names = texts["comma"].join(product.name for product in broadcasts)
    return texts["equal_or"].format(names) if names else texts["equal"]


def _products(op: Op, texts: dict[str, str]) -> str:
    missing = [product.name for product in products.ALL if product not in op.products]
    return texts["all_but"].format(texts["comma"].join(missing))


def _page(op: Op, language: str, other: str) -> Iterator[str]:
    texts = TEXTS[language]
    yield f"# {op.c_name}\n"
    index = f"[{texts['index']}](README{SUFFIX[language]})"
    yield f"{index} · [{texts['other']}]({other})\n"
    yield f"{describe.summary(op, language)}{'。' if language == ZH else '.'}\n"
    yield f"> {op.outputs[0].name} = {formula_text(op.expressions[0])}\n"
    yield f"## {texts['mathematics']}\n"
    yield mathematics(op) + "\n"
    yield "## C\n"
    yield f'```c\n#include "aclnnop/{op.header_name}"\n'
    yield "\n\n".join(_c_lines(declaration) for declaration in declarations(op)) + "\n```\n"
    yield f"## {texts['example']}\n"
    signature = inspect.signature(getattr(openaclnn, op.name))
    bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    yield f"```python\nopenaclnn.{op.name}{inspect.Signature(bare)}\n```\n"
    yield f"```pycon\n{op.example.strip()}\n```\n"
    yield f"## {texts['arguments']}\n"
    rows = [[texts["argument"], texts["kind"], texts["meaning"]]]
    for a in op.arguments:
        names = f"`{a.name}`" + (f", `{a.c_name}`" if a.c_name != a.name else "")
        rows.append([names, describe.kind(a, language), describe.summary(a, language)])
    yield _markdown(rows) + "\n"
    yield f"## {texts['checks']}\n\n{texts['order']}\n"
    checks = describe.checks(op, language)
    rows = [[texts["status"], texts["demand"]], *([str(int(c.status)), c.text] for c in checks)]
    yield _markdown(rows) + "\n"
    yield f"## {texts['products'].capitalize()}\n"
    yield _markdown(list(_product_rows(op, texts)))


def _product_rows(op: Op, texts: dict[str, str]) -> Iterator[list[str]]:
    yield [texts["product"], texts["line"], texts["has_it"], texts["bf16"]]
    for product in products.ALL:
        name = product.name + (texts["default"] if product is products.DEFAULT else "")
        has_it = product in op.products
        bf16 = texts["yes" if product.bf16 else "no"] if has_it else "–"
        yield [name, product.line, texts["yes" if has_it else "no"], bf16]


def _c_lines(declaration: str) -> str:
    """One parameter to a line, as C programmers write it."""
    return re.sub(r", ", ",\n    ", declaration).replace("(", "(\n    ", 1)


def _markdown(rows: list[list[str]]) -> str:
    head, *body = (f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |" for row in rows)
    return "\n".join([head, "|" + " --- |" * len(rows[0]), *body])


def main() -> int:
    check, stale = "--check" in sys.argv[1:], False
    for path, text in pages().items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale = True
        name = path.relative_to(ROOT)
        if check:
            print(f"{name} is not up to date: run make docs", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"written: {name}")
    return int(check and stale)


if __name__ == "__main__":
    sys.exit(main())
