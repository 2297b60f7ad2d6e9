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
from pathlib import Path

import figures
import runtime_page
import runtime_python

from openaclnn import capi
from openaclnn.base.tables import markdown
from openaclnn.ops import declared, families, family_texts, file_of
from openaclnn.spec.describe import EN, ZH
from openaclnn.spec.op import Op

ROOT = Path(__file__).parent.parent
SUFFIX = {EN: ".md", ZH: ".zh-CN.md"}
INPLACE = "inplace_"
_SHOWN = 8  # names of a family in the READMEs

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
        "declared_text": "Programs that use these compile and link; a call answers 561003 and says "
        "so. `openaclnn ops --all` lists them.",
        "absent": "Not there yet",
        "absent_text": "Functions that known programs call and openaclnn lacks, by kind. "
        "[Your own operators](your-own-operators.md) says how to state one.",
        "kind": "kind",
        "missing": "missing",
        "not_yet": "**Not yet**, of the functions that known programs call: {}. Most of these are "
        "declared: programs link, and a call answers 561003.",
        "missing_of": "{} ({} of {} missing)",
        "comma": ", ",
    },
    ZH: {
        "family": "算子类",
        "count": "算子数",
        "some": "例如",
        "not_yet": "**尚不支持**（已知程序会调用的函数）：{}。"
        "其中多数已有声明：程序可以链接，调用返回 561003。",
        "missing_of": "{}（缺 {}/{}）",
        "comma": "、",
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
        operators = f"{_families(ops, language)}\n\n{_not_yet(ops, language)}"
        text = figures.between(text, "operators", operators)
        found[readme] = figures.with_figures(text, language)
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
    used = json.loads((ROOT / "docs" / "data" / "clients.json").read_text(encoding="utf-8"))
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
    """The table of the READMEs: a row for each family, with names that readers look for."""
    texts = TEXTS[language]
    rows = [[texts["family"], texts["count"], texts["some"]]]
    for family, some in ops.items():
        names = [op.name for op in some if not op.name.startswith(INPLACE)]
        best_known = sorted(sorted(names, key=len)[:_SHOWN])  # they are the shortest
        shown = " ".join(f"`{name}`" for name in best_known)
        said = family_texts(family)[language == ZH]
        rows.append([f"**{family}**: {said}", str(len(some)), shown])
    return markdown(rows)


def _not_yet(ops: dict[str, list[Op]], language: str) -> str:
    """Of the functions that known programs call, those that are missing: counts by kind."""
    used, kinds = (json.loads((ROOT / "docs" / "data" / name).read_text(encoding="utf-8"))
                   for name in ("clients.json", "kinds.json"))  # fmt: skip
    here = {op.c_name for some in ops.values() for op in some}
    texts, found = TEXTS[language], []
    for kind, names in used.items():
        called = {name for name, programs in names.items() if programs}
        if missing := called - here:
            name = kinds[kind]["zh" if language == ZH else "en"]
            found.append(texts["missing_of"].format(name, len(missing), len(called)))
    return str(texts["not_yet"].format(texts["comma"].join(found)))


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
