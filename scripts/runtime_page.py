"""Writes docs/runtime.md from the tables of the runtime."""

from __future__ import annotations

from collections.abc import Iterator

from openaclnn.base.acl_codes import Code
from openaclnn.base.tables import markdown
from openaclnn.capi.runtime_api import FUNCTIONS, SECTIONS, Function

_INTRO = """# The runtime

The functions of the acl runtime: what each does, and the codes that it may return besides 0. \
Written from `capi/runtime_api` by `make docs`; the C headers, the library's \
entries and the module `acl.rt` come from the same tables. \
[Run your program](run-your-program.md) lists the differences from hardware.

An out-parameter that is null is refused with 100000. The last column is the name in Python, after \
`import acl`: there out-parameters come back as values, and the code comes last.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([_INTRO, *_sections(), *_codes()])


def _sections() -> Iterator[str]:
    for section in SECTIONS:
        yield f"## {section.title}\n"
        if section.header:
            yield f'`#include "{section.header}"`\n'
        head = ["function", "what it does", "codes", "pyACL"]
        yield markdown([head, *([*_cells(function)] for function in section.functions)])
        yield ""


def _cells(function: Function) -> Iterator[str]:
    yield f"`{function.name}({', '.join(p.name or '…' for p in function.parameters)})`"
    yield function.sentence
    yield " ".join(str(int(code)) for code in sorted(function.codes))
    yield f"`{function.python_name}`" if function.python_name else ""


def _codes() -> Iterator[str]:
    """Those that some function answers; the headers have all of them."""
    answered = sorted({code for function in FUNCTIONS for code in function.codes})
    rows = [["code", "name"], *([str(int(code)), f"`{code.c_name}`"] for code in answered)]
    yield f"## The codes\n\n{markdown(rows)}"
    yield f"\nThe headers name all {len(Code)} of them.\n"
