"""Writes what the repository's pages say about the operators, from their specs: docs/operators.md,
the tables in both READMEs between their markers; and from the tables of the runtime docs/runtime.md
and the module acl.rt. `make site` writes a page for each operator.

    python scripts/pages.py            write
    python scripts/pages.py --check    exit status 1 where something is not up to date
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import figures
import runtime_page
import runtime_python

from openaclnn import capi
from openaclnn.base.dtypes import BF16, FLOAT16, DType
from openaclnn.base.tables import markdown
from openaclnn.ops import declared, families, family_texts, file_of
from openaclnn.spec.describe import EN, ZH
from openaclnn.spec.op import Op

ROOT = Path(__file__).parent.parent
SUFFIX = {EN: ".md", ZH: ".zh-CN.md"}
_ORDER = ("product", "norm", "softmax", "activation", "loss", "pool", "reduce", "index", "sort",
          "scan", "move", "random")  # fmt: skip
_VARIANT = re.compile(r"Backward|Grad|V\d$")
_SHOWN, _LACKING = 7, 4  # names of a family in the READMEs
_BESIDE = {
    "softmax": "norm",
    "scan": "sort",
    "fill": "random",
    "optimizer": "foreach",
}  # in one row

TEXTS = {
    EN: {
        "title": "The operators",
        "intro": "Written by `make docs`. `make site` builds a page for each operator (signature, "
        "checks in order, formula, error bound, example) and a browser with filters; "
        "`openaclnn show NAME` prints the same in a terminal.",
        "family": "family",
        "count": "operators",
        "some": "among them",
        "computed": "Computed: {}",
        "declared": "Declared: {}",
        "declared_text": "Programs that use these compile and link; a call returns 561003 with a "
        "message. `openaclnn ops --all` lists them.",
        "absent": "Not there yet",
        "absent_text": "Functions that known programs call and openaclnn lacks, by kind. "
        "[Your own operators](your-own-operators.md) shows how to add one.",
        "kind": "kind",
        "missing": "missing",
        "over": "Over {} ",
        "works": "among them (aclnn…)",
        "not_yet": "not yet",
        "and": "; ",
        "nothing": " Nothing is there of {}.",
        "kind_of": "{} ({})",
        "note": "*Not yet* counts functions that known programs call. Most of them are declared: "
        "programs link, and a call returns 561003.",
    },
    ZH: {
        "family": "算子类",
        "count": "算子数",
        "over": "{} ",
        "works": "例如（aclnn…）",
        "not_yet": "尚不支持",
        "and": "；",
        "nothing": "完全没有的：{}。",
        "kind_of": "{}（{}）",
        "note": "*尚不支持*一列统计已知程序会调用的函数。其中多数已有声明：程序可以链接，"
        "调用返回 561003。",
    },
}


def pages(as_listed: bool = False) -> dict[Path, str]:
    """Every page by its path. `as_listed`: of operators, those that the page lists by now; a new
    one need not be there at once, but what is there is right."""
    found = {}
    path = ROOT / "docs" / "operators.md"
    ops = packaged()
    lines = list(declared())
    if as_listed:
        _, computed, others, _ = path.read_text(encoding="utf-8").split("\n## ")
        listed, linked = (set(re.findall(r"`(\w+)`", part)) for part in (computed, others))
        known = {op.name for some in ops.values() for op in some}
        ops = {family: [op for op in some if op.name in listed] for family, some in ops.items()}
        lines = sorted(linked & {*lines, *known})
    found[path] = "\n".join(_index(ops, lines, as_listed)) + "\n"
    for language, suffix in SUFFIX.items():
        readme = ROOT / f"README{suffix}"
        text = readme.read_text(encoding="utf-8")
        text = figures.between(text, "operators", _families(ops, language))
        hundreds = sum(map(len, ops.values())) // 100 * 100
        text = re.sub(r"(?<=\*\*)\w* ?\d+ (?=operators\*\*|多个算子\*\*)",
                      TEXTS[language]["over"].format(hundreds), text)  # fmt: skip
        found[readme] = figures.with_figures(text, language)
    accuracy = ROOT / "docs" / "accuracy.md"
    text = accuracy.read_text(encoding="utf-8")
    found[accuracy] = figures.between(text, "fast with 16 bits", _fast(ops))
    found[ROOT / "docs" / "runtime.md"] = runtime_page.page()
    found[Path(capi.__path__[0], "python", "acl", "rt.py")] = runtime_python.module()
    return found


def packaged() -> dict[str, list[Op]]:
    """The operators of the package, and none of the user's own, by family."""
    found = {name: [op for op in ops if not file_of(op).own] for name, ops in families().items()}
    return {name: ops for name, ops in found.items() if ops}


def _index(ops: dict[str, list[Op]], lines: list[str], as_listed: bool) -> Iterator[str]:
    texts = TEXTS[EN]
    yield f"# {texts['title']}\n"
    yield texts["intro"] + "\n"
    yield f"## {texts['computed'].format(sum(map(len, ops.values())))}\n"
    for family, some in ops.items():
        if some:
            names = " ".join(f"`{op.name}`" for op in some)
            yield f"**{family}**, {len(some)}. {family_texts(family)[0]}\n\n{names}\n"
    yield f"## {texts['declared'].format(len(lines))}\n"
    yield texts["declared_text"] + "\n"
    yield " ".join(f"`{name}`" for name in sorted(lines)) + "\n"
    yield f"## {texts['absent']}\n"
    yield texts["absent_text"] + "\n"
    yield markdown([[texts["kind"], texts["missing"], texts["some"]], *_absent(as_listed)])


def _absent(as_listed: bool) -> Iterator[list[str]]:
    """By kind, how many are missing, and those that most programs call. It is the page's
    own table where that may lag behind."""
    used = _used()
    here = {op.c_name for some in packaged().values() for op in some}
    here |= {op.c_name for op in declared().values()}
    if as_listed:
        page = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")
        yield from ([cell.strip() for cell in row.strip("|").split("|")]
                    for row in page.splitlines() if row.startswith("| ")
                    and row.strip("| ").partition(" |")[0] in used)  # fmt: skip
        return
    for kind, names in used.items():
        missing = sorted((n for n in names if n not in here), key=lambda n: -len(names[n].split()))
        if missing:
            shown = ", ".join(name.removeprefix("aclnn") for name in missing[:8])
            yield [kind, str(len(missing)), shown]


def _families(ops: dict[str, list[Op]], language: str) -> str:
    """The table of the READMEs: by family, what works and what programs call besides."""
    texts, zh = TEXTS[language], language == ZH
    callers = {name: who.split() for names in _used().values() for name, who in names.items()}
    here = {op.c_name for some in ops.values() for op in some}
    missing: dict[str, list[str]] = {}
    for kind, names in _used().items():
        for name in (name for name in names if callers[name] and name not in here):
            missing.setdefault(family_of(name, kind), []).append(name)
    rows = [[texts["family"], texts["count"], texts["works"], texts["not_yet"]]]
    known = [family for family in _ORDER if family in ops]
    together: dict[str, list[str]] = {}
    for family in (*known, *(family for family in ops if family not in known)):
        together.setdefault(_BESIDE.get(family, family), []).append(family)
    for row in together.values():
        said = [family_texts(family)[zh].rstrip(".。") for family in row]
        said = [said[0][:1].upper() + said[0][1:], *(one[:1].lower() + one[1:] for one in said[1:])]
        every = [op for family in row for op in ops[family]]
        computed = [op.c_name for op in every if not op.in_place]
        lacks = [name for family in row for name in missing.get(family, ())]
        rows.append([
            texts["and"].join(said),
            str(len(every)),
            _known_best(computed, callers, _SHOWN),
            _counted(lacks, callers),
        ])  # fmt: skip
    rest = [texts["kind_of"].format(_kinds()[kind]["zh" if zh else "en"], _counted(lacks, callers))
            for kind, lacks in missing.items() if kind not in ops]  # fmt: skip
    nothing = texts["nothing"].format(texts["and"].join(rest)) if rest else ""
    return f"{markdown(rows)}\n\n{texts['note']}{nothing}"


def _counted(names: list[str], callers: dict[str, list[str]]) -> str:
    """How many are missing, and some of them."""
    return f"{len(names)}: {_known_best(names, callers, _LACKING)}" if names else ""


def _fast(ops: dict[str, list[Op]]) -> str:
    """The operators that compute 16 bits in a narrower type at level fast than at level exact."""
    rows = [["no bound for 16 bits at level fast",
             "operators, their in-place variants, those of lists that repeat them"]]  # fmt: skip
    every = sorted((op for some in ops.values() for op in some), key=lambda op: op.name)
    for dtypes in ((FLOAT16, BF16), (BF16,)):
        names = [op.name for op in every if not op.in_place and op.repeats is None
                 and tuple(d for d in (FLOAT16, BF16) if _narrower(op, d)) == dtypes]  # fmt: skip
        rows.append([" and ".join(d.name for d in dtypes), ", ".join(f"`{n}`" for n in names)])
    return markdown(rows)


def _narrower(op: Op, dtype: DType) -> bool:
    taken = any(dtype in getattr(rule, "allowed", ()) for rule in op.rules)
    return taken and op.computes_in(dtype, "exact") == "f64" != op.computes_in(dtype, "fast")


def _known_best(names: list[str], callers: dict[str, list[str]], count: int) -> str:
    """Those that most programs call, gradients and versions last, the shortest first of equals."""

    def place(name: str) -> tuple[bool, int, int, str]:
        return bool(_VARIANT.search(name)), -len(callers.get(name, ())), len(name), name

    found = sorted(names, key=place)
    return " ".join(f"`{name.removeprefix('aclnn')}`" for name in sorted(found[:count]))


def family_of(c_name: str, kind: str) -> str:
    """The family that a function of no operator would belong to, or the kind itself."""
    families: dict[str, str] = _kinds()[kind].get("families", {})
    return next((family for part, family in families.items() if part in c_name), kind)


@cache
def _used() -> dict[str, dict[str, str]]:
    """Functions of aclnn by kind, and the known programs that call each."""
    return dict(json.loads((ROOT / "docs" / "data" / "clients.json").read_text(encoding="utf-8")))


@cache
def _kinds() -> dict[str, dict[str, Any]]:
    return dict(json.loads((ROOT / "docs" / "data" / "kinds.json").read_text(encoding="utf-8")))


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
