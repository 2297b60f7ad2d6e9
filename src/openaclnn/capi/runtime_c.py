"""Generates the C code of the runtime from its tables: declarations, entry points, constants.

What programs call is an entry, written here: it checks that results have a place to go and calls
the function that does the work, run_ and its name, written by hand. Around that stands what
happens at every call: it is recorded, where somebody asks for that (c/record.c)."""

from __future__ import annotations

import textwrap

from openaclnn.base.acl_codes import Code
from openaclnn.capi.runtime_api import (
    ENTRIES,
    OBJECTS,
    SECTIONS,
    Function,
    Parameter,
    Section,
)  # fmt: skip
from openaclnn.capi.runtime_api.function import NOTHING

_WIDTH = 100
FUNCTIONS_HERE = "/* functions */"
CODES_HERE = "/* error codes */"
_ZERO = {"acl": "ACL_ERROR_NONE", "rt": "ACL_RT_SUCCESS"}  # other names of ACL_SUCCESS


def filled(header: str, text: str) -> str:
    """A header of ours with its functions and constants where its lines say so."""
    sections = "\n".join(declared_in(header))
    return text.replace(FUNCTIONS_HERE + "\n", sections).replace(CODES_HERE, _codes("acl"))


def declared_in(header: str) -> list[str]:
    """The declarations of each section of a header."""
    return [_declared(one) for one in SECTIONS + OBJECTS if one.header == header]


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
    written = (f for f in ENTRIES if not f.answers and not f.refuses)
    declared = "\n".join(_wrapped(f"{f.returns}run_{f.name}", f) + ";" for f in written)
    declared = declared.replace("...", "va_list values")
    return f"/* Generated from the tables of the runtime. */\n#include <stdarg.h>\n\n{declared}\n"


def entries() -> str:
    """The C file with what programs call."""
    parts = ['/* Generated from the tables of the runtime. */\n#include "internal.h"\n']
    numbers = {function.name: number for number, function in enumerate(ENTRIES)}
    for section in SECTIONS + OBJECTS:
        public = section.header and not section.header.startswith("aclnnop/")
        exported = "" if public else "#pragma GCC visibility push(default)\n"
        private = "" if public else "#pragma GCC visibility pop\n"
        written = (_entry(function, numbers[function.name]) for function in section.functions)
        parts += [exported, *written, private]
    return "\n".join(part for part in parts if part)


def _entry(function: Function, number: int) -> str:
    """The function that programs call, and where it has results to store one that checks that."""
    head = _wrapped(function.returns + function.name, function)
    values = ", ".join(p.name or "values" for p in function.parameters)
    if function.variadic:  # a message of the program's own: there is nothing to record
        last = function.parameters[-2].name
        return (
            f"{head}\n{{\n    va_list values;\n    va_start(values, {last});\n"
            f"    run_{function.name}({values});\n    va_end(values);\n}}\n"
        )
    checked = _constant_work(function) + (_checked(function, values) if function.outs else "")
    work = f"{'checked_' if function.outs else 'run_'}{function.name}({values})"
    asked = "    times_begin(&call, stream);\n" if function.name.endswith("Async") else ""
    gives = function.returns != "void "
    kept, result = (f"{function.returns}result = ", "BITS(result)") if gives else ("", "0")
    plain = f"return {work};" if gives else f"{{\n        {work};\n        return;\n    }}"
    return f"""{checked}{head}
{{
    if (!RECORDING)
        {plain.strip()}
    struct Call call = record_call({number}, {_values(function.parameters)});
{asked}    {kept}{work};
    record_end(&call, {result}, {_outs(function)});
{"    return result;" + chr(10) if gives else ""}}}
"""


def _constant_work(function: Function) -> str:
    """The work of a function that only answers a value, or refuses."""
    if not function.answers and not function.refuses:
        return ""
    unused = "".join(f"    (void){p.name};\n" for p in function.parameters)
    answer = function.answers
    if function.refuses:
        reason = f'fail({int(function.codes[-1])}, "{function.name}", "{function.refuses}")'
        answer = f"({reason}, NULL)" if "*" in function.returns else reason
    head = _wrapped(f"static {function.returns}run_{function.name}", function)
    kept = f"    return {answer};\n" if answer != NOTHING else ""
    return f"{head}\n{{\n{unused}{kept}}}\n\n"


def _checked(function: Function, values: str) -> str:
    codes = {"aclnnStatus ": "ACLNN_ERR_PARAM_NULLPTR", "HcclResult ": "HCCL_E_PTR"}
    code = codes.get(function.returns, "ACL_ERROR_INVALID_PARAM")
    checks = "".join(
        f"    if (!{out.name})\n"
        f'        return fail({code}, "{function.name}",\n'
        f'                    "{out.name} is null; expected where to store");\n'
        for out in function.outs
    )
    head = _wrapped(f"static {function.returns}checked_{function.name}", function)
    return f"{head}\n{{\n{checks}    return run_{function.name}({values});\n}}\n\n"


def _values(parameters: tuple[Parameter, ...]) -> str:
    """The arguments for record_call: their bits, and what arrays hold."""
    bits = ", ".join(f"BITS({p.name})" for p in parameters)
    arrays = [p for p in parameters if p.length]
    held = ", ".join(f"ARRAY_OF({p.name}, {p.length})" for p in arrays)
    lists = f"{_list('uint64_t', bits)}, {len(parameters)}, {_list('struct Piece', held)}"
    return f"{lists}, {len(arrays)}"


def _outs(function: Function) -> str:
    """The results for record_end: where they are, and their bytes."""
    places = ", ".join(f"{{{out.name}, sizeof *{out.name}}}" for out in function.outs)
    return f"{_list('struct Piece', places)}, {len(function.outs)}"


def _list(of: str, items: str) -> str:
    return f"(const {of}[]){{{items}}}" if items else "NULL"


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
