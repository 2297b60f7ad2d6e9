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

import runtime_page
import runtime_python

import openaclnn
from openaclnn import capi
from openaclnn.base import products
from openaclnn.base.tables import markdown
from openaclnn.cli.show import declarations, mathematics
from openaclnn.cli.show import formulas as formulas_of
from openaclnn.ops import families, family_texts, file_of
from openaclnn.spec import describe
from openaclnn.spec.describe import EN, ZH
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
        "family": "family",
        "count": "operators",
        "operator": "operator",
        "dtypes": "dtypes",
        "shapes": "shapes",
        "products": "products",
        "equal": "equal",
        "equal_or": "equal; on {} the inputs broadcast",
        "broadcast": "broadcast",
        "all_but": "all but {}",
        "argument": "argument",
        "kind": "kind",
        "meaning": "meaning",
        "order": "Checks, in this order; the first that fails decides what phase 1 answers.",
        "source": "Source: ",
        "status": "status",
        "demand": "what must hold",
        "comma": ", ",
    },
    ZH: {
        "index": "算子",
        "intro": "本页由 `make docs` 根据算子的声明文件生成。`openaclnn show` "
        "显示同样的内容以及生成的 kernel。",
        "other": "English",
        "family": "算子类",
        "count": "算子数",
        "operator": "算子",
        "dtypes": "数据类型",
        "shapes": "shape",
        "products": "产品",
        "equal": "相同",
        "equal_or": "相同；在 {} 上各输入可以广播",
        "broadcast": "可广播",
        "all_but": "除 {} 外均支持",
        "argument": "参数",
        "kind": "类别",
        "meaning": "含义",
        "order": "按下列顺序检查，第一阶段返回首个不满足的条件所对应的状态码。",
        "source": "来源：",
        "status": "状态码",
        "demand": "须满足的条件",
        "comma": "、",
    },
}


def pages(as_listed: bool = False) -> dict[Path, str]:
    """Every page by its path. `as_listed`: of operators, those that the pages have by now; a new
    one need not be there at once, but what is there is right."""
    found = {}
    folder = ROOT / "docs" / "operators"
    for language, suffix in SUFFIX.items():
        other = SUFFIX[ZH if language == EN else EN]
        counts = {}
        for family, ops in packaged().items():
            path = folder / f"{family}{suffix}"
            if as_listed:
                there = re.findall(r"^## (aclnn\w+)$", _read(path), re.MULTILINE)
                ops = [op for op in ops if op.c_name in there]
            counts[family] = len(ops)
            if ops:
                lines = _family(family, ops, language, f"{family}{other}")
                found[path] = "\n".join(lines) + "\n"
        found[folder / f"README{suffix}"] = _index(language, f"README{other}", counts)
        readme = ROOT / f"README{suffix}"
        found[readme] = _with_table(readme.read_text(encoding="utf-8"), language, counts)
    found[ROOT / "docs" / "runtime.md"] = runtime_page.page()
    found[Path(capi.__path__[0], "python", "acl", "rt.py")] = runtime_python.module()
    return found


def packaged() -> dict[str, list[Op]]:
    """The operators of the package, and none of the user's own, by family."""
    found = {name: [op for op in ops if not file_of(op).own] for name, ops in families().items()}
    return {name: ops for name, ops in found.items() if ops}


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _index(language: str, other: str, counts: dict[str, int]) -> str:
    texts = TEXTS[language]
    head = f"# {texts['index']}\n\n[{texts['other']}]({other}) · {texts['intro']}\n\n"
    return head + _families(language, "", counts) + "\n"


def _with_table(readme: str, language: str, counts: dict[str, int]) -> str:
    begin, end = readme.index(OPEN) + len(OPEN), readme.index(CLOSE)
    table = _families(language, "docs/operators/", counts)
    return f"{readme[:begin]}\n\n{table}\n\n{readme[end:]}"


def _families(language: str, folder: str, counts: dict[str, int]) -> str:
    texts = TEXTS[language]
    rows = [[texts["family"], texts["count"], texts["meaning"]]]
    for family, count in counts.items():
        said = family_texts(family)[language == ZH]
        rows.append([f"[{family}]({folder}{family}{SUFFIX[language]})", str(count), said])
    return markdown(rows)


def _family(family: str, ops: list[Op], language: str, other: str) -> Iterator[str]:
    """The page of a family: a table, then a section for each operator."""
    texts = TEXTS[language]
    yield f"# {family}\n"
    index = f"[{texts['index']}](README{SUFFIX[language]})"
    yield f"{index} · [{texts['other']}]({other})\n"
    yield family_texts(family)[language == ZH] + "\n"
    yield _table(ops, language) + "\n"
    yield "\n".join("\n".join(_section(op, language)) for op in ops)


def _table(ops: list[Op], language: str) -> str:
    texts = TEXTS[language]
    rows = [[texts[name] for name in ("operator", "dtypes", "shapes", "products")]]
    for op in ops:
        link = f"[`{op.name}`](#{op.c_name.lower()})"
        dtypes = " ".join(dtype.short for dtype in describe.dtypes(op))
        rows.append([link, dtypes, _shapes(op, texts), _products(op, texts)])
    return markdown(rows)


def _shapes(op: Op, texts: dict[str, str]) -> str:
    broadcasts = describe.broadcasts(op)
    if broadcasts == op.products:
        return texts["broadcast"]
    names = texts["comma"].join(product.name for product in broadcasts)
    return texts["equal_or"].format(names) if names else texts["equal"]


def _products(op: Op, texts: dict[str, str]) -> str:
    missing = [product.name for product in products.ALL if product not in op.products]
    return texts["all_but"].format(texts["comma"].join(missing))


def _section(op: Op, language: str) -> Iterator[str]:
    texts = TEXTS[language]
    yield f"## {op.c_name}\n"
    yield f"{describe.summary(op, language)}{'。' if language == ZH else '.'}\n"
    formulas = "\n".join(f"> {name} = {formula}\n>" for name, formula in formulas_of(op).items())
    yield f"{formulas.removesuffix('>').rstrip()}\n"
    if op.example:  # once for operators that belong together
        yield mathematics(op) + "\n"
    yield f'```c\n#include "aclnnop/{op.header_name}"\n'
    yield "\n\n".join(_c_lines(declaration) for declaration in declarations(op)) + "\n```\n"
    signature = inspect.signature(getattr(openaclnn, op.name))
    bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    yield f"```python\nopenaclnn.{op.name}{inspect.Signature(bare)}\n```\n"
    if op.example:
        yield f"```pycon\n{op.example.strip()}\n```\n"
    rows = [[texts["argument"], texts["kind"], texts["meaning"]]]
    for a in op.arguments:
        names = f"`{a.name}`" + (f", `{a.c_name}`" if a.c_name != a.name else "")
        rows.append([names, describe.kind(a, language), describe.summary(a, language)])
    yield markdown(rows) + "\n"
    yield f"{texts['order']}\n"
    checks = describe.checks(op, language)
    rows = [[texts["status"], texts["demand"]], *([str(int(c.status)), c.text] for c in checks)]
    yield markdown(rows) + "\n"
    yield f"{texts['source']}{op.source}{'。' if language == ZH else '.'}\n"


def _c_lines(declaration: str) -> str:
    """One parameter to a line, as C programmers write it."""
    return re.sub(r", ", ",\n    ", declaration).replace("(", "(\n    ", 1)


def main() -> int:
    check, stale = "--check" in sys.argv[1:], False
    for path, text in pages(as_listed=check).items():
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
