"""Writes the C code that derives from the tables of the runtime: declarations, entries, constants.

What programs call is an entry, written here: it checks that results have a place to go and calls
the function that does the work, run_ and its name, written by hand. Whatever is to happen around
every call of the runtime has its one place in `_entry`."""

from __future__ import annotations

import textwrap

from openaclnn.base.acl_codes import Code
from openaclnn.capi.runtime_api import FUNCTIONS, SECTIONS, Function, Section

_WIDTH = 100
FUNCTIONS_HERE = "/* functions */"
CODES_HERE = "/* error codes */"
_ZERO = {"acl": "ACL_ERROR_NONE", "rt": "ACL_RT_SUCCESS"}  # other names of ACL_SUCCESS


def filled(header: str, text: str) -> str:
    """A header of ours with its functions and constants where its lines say so."""
    sections = "\n".join(_declared(section) for section in SECTIONS if section.header == header)
    return text.replace(FUNCTIONS_HERE + "\n", sections).replace(CODES_HERE, _codes("acl"))


def headers() -> dict[str, str]:
    """The headers that hold nothing but constants, by their path under include/."""
    folder = "acl/error_codes"
    return {
        f"{folder}/rt_error_codes.h": f"/* Codes of devices, memory, streams and events. */\n"
        f"{_guarded('RT', _codes('rt'))}",
        f"{folder}/ge_error_codes.h": f"/* Codes of graphs. */\n"
        f"{_guarded('GE', '#include <stdint.h>' + chr(10) * 2 + _codes('ge'))}",
    }


def internal_header() -> str:
    """The C header runtime.h: the functions that do the work behind the entries."""
    declared = "\n".join(_wrapped(f"{f.returns}run_{f.name}", f) + ";" for f in FUNCTIONS)
    declared = declared.replace("...", "va_list values")
    return f"/* Generated from the tables of the runtime. */\n#include <stdarg.h>\n\n{declared}\n"


def entries() -> str:
    """The C file with what programs call."""
    parts = ['/* Generated from the tables of the runtime. */\n#include "internal.h"\n']
    for section in SECTIONS:
        exported = "" if section.header else "#pragma GCC visibility push(default)\n"
        private = "" if section.header else "#pragma GCC visibility pop\n"
        parts += [exported, *map(_entry, section.functions), private]
    return "\n".join(part for part in parts if part)


def _entry(function: Function) -> str:
    checks = "".join(
        f"    if (!{out.name})\n"
        f'        return fail(ACL_ERROR_INVALID_PARAM, "{function.name}",\n'
        f'                    "{out.name} is null; expected where to store");\n'
        for out in function.outs
    )
    values = ", ".join(p.name or "values" for p in function.parameters)
    work = f"{'' if function.returns == 'void ' else 'return '}run_{function.name}({values});"
    if function.variadic:
        last = function.parameters[-2].name
        work = f"va_list values;\n    va_start(values, {last});\n    {work}\n    va_end(values);"
    head = _wrapped(function.returns + function.name, function)
    return f"{head}\n{{\n{checks}    {work}\n}}\n"


def _declared(section: Section) -> str:
    lines = [f"/* {section.title}. */\n"]
    for function in section.functions:
        lines.append(_comment(function.sentence))
        lines.append(_wrapped(function.returns + function.name, function) + ";")
    return "\n".join(lines) + "\n"


def _comment(sentence: str) -> str:
    return "\n".join(textwrap.wrap(f"/* {sentence} */", _WIDTH - 1, subsequent_indent="   "))


def _wrapped(head: str, function: Function) -> str:
    """A prototype, its parameters under each other where the line ends."""
    parameters = [p.c_type + p.name for p in function.parameters] or ["void"]
    lines = [f"{head}("]
    for number, parameter in enumerate(parameters):
        ending = ")" if number == len(parameters) - 1 else ", "
        if number and len(lines[-1] + parameter + ending.rstrip()) > _WIDTH - 1:
            lines[-1] = lines[-1].rstrip()
            lines.append(" " * (len(head) + 1))
        lines[-1] += parameter + ending
    return "\n".join(lines)


def _codes(part: str) -> str:
    names = {code.c_name: int(code) for code in Code if code.part == part}
    zero = {_ZERO[part]: 0} if part in _ZERO else {}
    return "\n".join(_constant(part, *row) for row in {**zero, **names}.items())


def _constant(part: str, name: str, value: int) -> str:
    """As programs in the wild expect it: some name their own constants like those of acl, some
    switch over those of rt, some compare those of ge with unsigned numbers."""
    if part == "rt":
        return f"#define {name} {value}"
    return f"static const {'uint32_t' if part == 'ge' else 'int'} {name} = {value};"


def _guarded(part: str, body: str) -> str:
    guard = f"ACL_{part}_ERROR_CODES_H"
    return f"#ifndef {guard}\n#define {guard}\n\n{body}\n\n#endif\n"
