"""What the site says about operators, from their specs: one JSON document for the browser, and a
page for each operator that is computed."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import examples
import plots

import openaclnn
from openaclnn.base import products, settings
from openaclnn.base.tables import markdown
from openaclnn.cli.show import declarations, mathematics, readable
from openaclnn.ops import all_ops, declared, family_of, family_texts, file_of
from openaclnn.spec import describe
from openaclnn.spec.describe import EN, ZH
from openaclnn.spec.op import Op
from openaclnn.spec.proof import Bound
from openaclnn.torch.gradients import NoGradientError, gradient
from openaclnn.verify.promises import promises
from openaclnn.verify.report import share, ulps

DOCS = Path(__file__).parents[2] / "docs"
BOUND = "error-bound"  # the anchor of that section, in both languages
_COLUMNS = 88
RESULTS = ("accuracy.json", "functions.json")  # of `openaclnn verify --exhaustive --save`

# Families of functions that openaclnn does not compute yet, as docs/data/clients.json groups them.
KINDS = json.loads((DOCS / "data" / "kinds.json").read_text(encoding="utf-8"))

TEXTS = {
    EN: {
        "all": "All operators",
        "signature": "Signature",
        "formula": "Formula",
        "computed": "How it is computed",
        "arguments": "Arguments",
        "checks": "Checks, in order",
        "order": "Phase 1 makes these checks in this order; the first that fails decides.",
        "bound": "Error bound",
        "example": "Example",
        "argument": "argument",
        "kind": "kind",
        "meaning": "meaning",
        "status": "status",
        "demand": "what must hold",
        "dtype": "dtype",
        "exact": "level exact (default)",
        "fast": "level fast",
        "measured": "largest measured",
        "at_most": "at most {} ULP",
        "for": "{}: {}",
        "where": " ({})",
        "equal": "none, the results are not rounded",
        "none": "measured, not promised",
        "no_floats": "The results are integers, booleans or copies: no rounding error.",
        "how": "ULP are units in the last place of the result's dtype. `openaclnn verify {name}` "
        "measures it on your machine; [exactness](../accuracy.md) explains the bound.",
        "proven": "Measured over {count:,} inputs; {off} of the results are not the nearest.",
        "plot": "Largest error over the input, {dtype}. The dashed line is the bound.",
        "products": "Products",
        "product": "product",
        "line": "product line",
        "here": "supported",
        "has": "yes",
        "lacks": "no: 561003",
        "source": "Where the rules come from",
        "gradient": "Gradient in PyTorch (`openaclnn.torch`): {}.",
        "yes": "yes",
        "no": "no",
        "torch_names": {"exact": "level exact", "fast": "level fast", "torch": "PyTorch"},
        "dtypes": "Input dtypes: {}.",
        "products_are": "Products: {}.",
        "torch": "Like `torch.{}`.",
        "clients": "Called by {}.",
        "made_up": "Small inputs that were made up when this page was built.",
        "colon": ": ",
        "comma": "; ",
        "more": "`openaclnn show {name}` prints the same, `--kernel cpu` also the generated code.",
    },
    ZH: {
        "all": "全部算子",
        "signature": "函数原型",
        "formula": "计算公式",
        "computed": "计算方法（英文）",
        "arguments": "参数",
        "checks": "检查顺序",
        "order": "第一阶段按下列顺序检查，首个不满足的条件决定返回的状态码。",
        "bound": "误差上界",
        "example": "示例",
        "argument": "参数",
        "kind": "类别",
        "meaning": "含义",
        "status": "状态码",
        "demand": "须满足的条件",
        "dtype": "数据类型",
        "exact": "exact 级别（默认）",
        "fast": "fast 级别",
        "measured": "实测最大误差",
        "at_most": "不超过 {} ULP",
        "for": "{} {}",
        "where": "（{}）",
        "equal": "无，结果没有舍入",
        "none": "仅测量，不作承诺",
        "no_floats": "结果为整数、布尔值或元素的拷贝，没有舍入误差。",
        "how": "ULP 是结果数据类型的末位单位。`openaclnn verify {name}` 可在你的机器上测量；"
        "误差上界的依据见[精度](../accuracy.md)。",
        "proven": "测量了 {count:,} 组输入；其中 {off} 的结果不是最接近真值的数。",
        "plot": "{dtype} 的最大误差随输入的变化，虚线为误差上界。",
        "products": "产品",
        "product": "产品",
        "line": "产品系列",
        "here": "是否支持",
        "has": "支持",
        "lacks": "不支持：561003",
        "source": "规则的来源",
        "gradient": "在 PyTorch 中的梯度（`openaclnn.torch`）：{}。",
        "yes": "有",
        "no": "无",
        "torch_names": {"exact": "exact 级别", "fast": "fast 级别", "torch": "PyTorch"},
        "dtypes": "输入的数据类型：{}。",
        "products_are": "产品：{}。",
        "torch": "对应 `torch.{}`。",
        "clients": "调用者：{}。",
        "made_up": "输入是生成本页时构造的。",
        "colon": "：",
        "comma": "；",
        "more": "`openaclnn show {name}` 显示同样的内容，加 `--kernel cpu` 还显示生成的代码。",
    },
}


def packaged() -> list[Op]:
    """The operators of the package, and none of the user's own, by name."""
    return sorted((op for op in all_ops().values() if not file_of(op).own), key=lambda op: op.name)


def stem(op: Op) -> str:
    """The name of an operator's page; the browser of all of them is `index`."""
    return op.c_name if op.name == "index" else op.name


def document() -> dict[str, Any]:
    """All that the browser shows: every function that is computed, declared, or called by a known
    program and absent."""
    kinds = {name: _family_of(name, kind) for kind, names in _used().items() for name in names}
    clients = _clients()
    found = [_computed(op, clients) for op in packaged()]
    known = {entry["c_name"] for entry in found}
    for op in declared().values():
        found.append({
            "c_name": op.c_name, "name": op.name, "state": "declared",
            "family": kinds.get(op.c_name, "other"), "clients": clients.get(op.c_name, ""),
            "header": f"aclnnop/{op.header_name}", "signature": "\n".join(declarations(op)),
        })  # fmt: skip
        known.add(op.c_name)
    for c_name, kind in kinds.items():
        if c_name not in known:
            found.append({
                "c_name": c_name, "name": _snake(c_name), "state": "absent", "family": kind,
                "clients": clients[c_name],
            })  # fmt: skip
    names = dict.fromkeys(entry["family"] for entry in found)
    return {"version": 1, "families": {name: _family(name) for name in names}, "operators": found}


@cache
def _used() -> dict[str, dict[str, str]]:
    """Functions by kind, and who calls them."""
    known: dict[str, dict[str, str]] = json.loads(
        (DOCS / "data" / "clients.json").read_text(encoding="utf-8")
    )
    return known


@cache
def _clients() -> dict[str, str]:
    return {name: who for names in _used().values() for name, who in names.items()}


def _family_of(c_name: str, kind: str) -> str:
    """The family that a function would belong to: one of the package, or the kind itself."""
    for part, family in KINDS[kind].get("families", {}).items():
        if part in c_name:
            return str(family)
    return kind


def _computed(op: Op, clients: dict[str, str]) -> dict[str, Any]:
    return {
        "c_name": op.c_name, "name": op.name, "state": "computed", "family": family_of(op),
        "page": f"{stem(op)}.html",
        "clients": clients.get(op.c_name, ""), "en": op.en, "zh": op.zh, "torch": op.torch,
        "dtypes": [dtype.name for dtype in describe.dtypes(op)],
        "products": [product.name for product in op.products],
        "gradient": differentiable(op),
    }  # fmt: skip


def _family(name: str) -> dict[str, str]:
    if name in KINDS:
        return {language: KINDS[name][language] for language in ("en", "zh")}
    english, chinese = family_texts(name)
    return {"en": english.rstrip("."), "zh": chinese.rstrip("。")}


def _snake(c_name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", c_name.removeprefix("aclnn")).lower()


@cache
def differentiable(op: Op) -> bool:
    """Whether openaclnn.torch has a gradient with respect to some input."""
    if op.in_place:
        return False
    for argument in op.reads:
        try:
            gradient(op, argument.name)
        except NoGradientError:
            continue
        return True
    return False


def page(op: Op, language: str) -> str:
    """The page of one operator."""
    return "\n".join(_page(op, language)) + "\n"


def _in_chinese(op: Op) -> str:
    """What the search finds where somebody types Chinese, with a link to the page."""
    summary = escape(describe.summary(op, ZH))
    return f" <a lang='zh' href='../zh/operators/{op.name}.html'>{summary}</a>"


def _page(op: Op, language: str) -> Iterator[str]:
    texts, zh = TEXTS[language], language == ZH
    stop = "。" if zh else "."
    family = family_of(op)
    yield "---\nhide:\n  - navigation\nsearch:\n  boost: 3\n---"
    yield f"# {op.c_name}\n"
    yield (f"[{texts['all']}](index.md) · <a href='index.html#family={family}'>"
           f"{_family(family)['zh' if zh else 'en']}</a> · `openaclnn.{op.name}`\n")  # fmt: skip
    yield f"{describe.summary(op, language)}{stop}{'' if zh else _in_chinese(op)}\n"
    dtypes = ", ".join(dtype.name for dtype in describe.dtypes(op))
    yield "- " + texts["dtypes"].format(dtypes)
    yield "- " + texts["products_are"].format(", ".join(p.name for p in op.products))
    yield f"- [{texts['bound']}](#{BOUND}){texts['colon']}{_shortly(op, texts)}{stop}"
    if op.torch and not op.torch.startswith("ops."):
        yield "- " + texts["torch"].format(op.torch)
    yield "- " + texts["gradient"].format(texts["yes" if differentiable(op) else "no"])
    if who := _clients().get(op.c_name):
        yield "- " + texts["clients"].format(", ".join(who.split()))
    yield ""
    yield f"## {texts['formula']}\n"
    for name, formula in readable(op).items():
        yield f"> {name} = {formula}\n>"
    yield ""
    said, _, rest = (mathematics(op) or "").partition("\n\n")
    if said:
        yield said + "\n"
    if rest:
        yield f'<details class="plain" markdown><summary>{texts["computed"]}</summary>\n'
        yield rest + "\n\n</details>\n"
    yield f"## {texts['signature']}\n"
    yield f'```c\n#include "aclnnop/{op.header_name}"\n'
    yield "\n\n".join(_c_lines(declaration) for declaration in declarations(op)) + "\n```\n"
    signature = inspect.signature(getattr(openaclnn, op.name))
    bare = [p.replace(annotation=p.empty) for p in signature.parameters.values()]
    yield f"```python\n{_python_lines(op.name, inspect.Signature(bare))}\n```\n"
    yield f"## {texts['example']}\n"
    if not op.example:
        yield texts["made_up"] + "\n"
    text = op.example.strip().replace("<BLANKLINE>", "") or examples.made_up(op)
    yield f"```pycon\n{text}\n```\n"
    yield f"## {texts['arguments']}\n"
    rows = [[texts["argument"], texts["kind"], texts["meaning"]]]
    for a in op.arguments:
        names = f"`{a.name}`" + (f", `{a.c_name}`" if a.c_name != a.name else "")
        rows.append([names, describe.kind(a, language), describe.summary(a, language)])
    yield markdown(rows) + "\n"
    yield f"## {texts['checks']} {{ data-search-exclude }}\n"
    yield f"{texts['order']}\n"
    checks = describe.checks(op, language)
    rows = [[texts["status"], texts["demand"]]]
    rows += [[f"[{int(c.status)}](../status-codes.md#{int(c.status)})", c.text] for c in checks]
    yield markdown(rows) + "\n"
    yield f"## {texts['bound']} {{ #{BOUND} }}\n"
    yield from _bounds(op, texts)
    yield f"## {texts['products']} {{ data-search-exclude }}\n"
    rows = [[texts["product"], texts["line"], texts["here"]]]
    for product in products.ALL:
        has = texts["has" if product in op.products else "lacks"]
        rows.append([f"`{product.name}`", product.line, has])
    yield markdown(rows) + "\n"
    yield texts["more"].format(name=op.name) + "\n"
    if op.source:
        yield f"[{texts['source']}](../sources.md): {op.source}{stop}"


def _shortly(op: Op, texts: dict[str, Any]) -> str:
    """The bound at level exact: of most dtypes, then of others that differ."""
    found: dict[str, list[str]] = {}
    for one in promises(op):
        limit = one.bounds[settings.EXACT]
        text = texts["none"] if limit is None else _limit(limit, texts)
        found.setdefault(text, []).append(one.dtype.name)
    if not found:
        return str(texts["equal"])
    first, *others = sorted(found, key=lambda text: -len(found[text]))
    said = [texts["for"].format(", ".join(found[text]), text) for text in others]
    return str(texts["comma"].join([first, *said]))


def _limit(limit: Bound, texts: dict[str, Any]) -> str:
    where = texts["where"].format(limit.where) if limit.where else ""
    return str(texts["at_most"].format(limit)) + where


def _bounds(op: Op, texts: dict[str, Any]) -> Iterator[str]:
    if not promises(op):
        yield texts["no_floats"] + "\n"
        return
    measured = {(r["dtype"], r["level"]): r for r in results().get(op.name, ())}
    rows = [[texts["dtype"], texts["exact"], texts["fast"], texts["measured"]]]
    for one in promises(op):
        cells = [one.dtype.name]
        for limit in one.bounds.values():
            cells.append(texts["none"] if limit is None else _limit(limit, texts))
        found = measured.get((one.dtype.name, "exact"))
        cells.append(ulps(float(found["max_ulp"])) if found else "")
        rows.append(cells)
    if not measured:
        rows = [row[:3] for row in rows]
    yield markdown(rows) + "\n"
    yield texts["how"].format(name=op.name) + "\n"
    if found := measured.get(("FLOAT", "exact")):
        off = share(found["above"]["0.5"], found["count"])
        yield texts["proven"].format(count=found["count"], off=off) + "\n"
    for one in promises(op):
        chosen = [r for r in results().get(op.name, ()) if r["dtype"] == one.dtype.name]
        if chosen and "over_self" in chosen[0]:
            title = texts["plot"].format(dtype=one.dtype.name)
            yield title + "\n"
            yield plots.errors(chosen, title, texts["torch_names"]) + "\n"


@cache
def results() -> dict[str, list[dict[str, Any]]]:
    """Stored rows of proofs, by operator."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name in RESULTS:
        for row in json.loads((DOCS / name).read_text(encoding="utf-8"))["rows"]:
            found.setdefault(row["operator"], []).append(row)
    return found


def _python_lines(name: str, signature: inspect.Signature) -> str:
    """On one line where it has room, else one parameter to a line."""
    text = f"openaclnn.{name}{signature}"
    if len(text) <= _COLUMNS:
        return text
    said = [str(p) for p in signature.parameters.values()]
    kinds = [p.kind for p in signature.parameters.values()]
    if inspect.Parameter.KEYWORD_ONLY in kinds:
        said.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    return "\n".join([f"openaclnn.{name}(", *(f"    {one}," for one in said), ")"])


def _c_lines(declaration: str) -> str:
    """One parameter to a line, as C programmers write it."""
    return re.sub(r", ", ",\n    ", declaration).replace("(", "(\n    ", 1)
