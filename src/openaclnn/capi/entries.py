"""Generates the C code of operators from specs and tables: types, headers, entry points."""

from __future__ import annotations

import os
import string
from collections.abc import Iterable, Sequence

from openaclnn.base import dtypes, formats, products
from openaclnn.base.status import Status
from openaclnn.capi import runtime_c
from openaclnn.ops import all_ops, declared, file_of, own_ops
from openaclnn.spec.declared import EMPTY_HEADERS, Declared
from openaclnn.spec.op import Argument, Attr, In, InOut, Op, Out

_SECOND_PHASE = (
    "(void *workspace, uint64_t workspaceSize, aclOpExecutor *executor, aclrtStream stream)"
)


def headers() -> dict[str, str]:
    """The generated headers by their path under include/."""
    files = {"acl/acl_types.h": _types_header(), "aclnn/opdev/op_errno.h": _statuses_header()}
    operators = operator_headers([*all_ops().values(), *declared().values()])
    empty = {name: _empty_header(name) for name in EMPTY_HEADERS if name not in operators}
    for name, text in {**operators, **empty}.items():
        files[f"aclnnop/{name}"] = text
        files[f"aclnnop/level2/{name}"] = _other_place(f"aclnnop/{name}")
    return files


def own_headers() -> dict[str, str]:
    """Headers of the user's own operators by their names, for the folder where Ascend's users look
    for them."""
    names = {op.header_name for op in own_ops().values()}
    return {name: _other_place(f"aclnnop/{name}") for name in sorted(names)}


def operator_headers(ops: Iterable[Op | Declared]) -> dict[str, str]:
    """The headers of operators by their name, for whatever folder they are to lie in. Operators
    that belong together share one."""
    together: dict[str, list[Op | Declared]] = {}
    for op in sorted(ops, key=lambda op: (op.name.startswith("inplace_"), op.name)):
        together.setdefault(op.header_name, []).append(op)
    return {name: _operator_header(name, few) for name, few in together.items()}


def entry_points() -> str:
    """The C file with two functions per operator, and the tables that the library needs."""
    parts = ["/* Generated from the operators' specs. */", '#include "internal.h"', ""]
    parts.append("#pragma GCC visibility push(default)")
    parts += [f'#include "aclnnop/{name}"' for name in operator_headers(all_ops().values())]
    parts.append("#pragma GCC visibility pop\n")
    sizes = ", ".join(f"{{{dtype.code}, {dtype.itemsize}}}" for dtype in dtypes.ALL)
    parts.append(f"const struct TypeSize TYPE_SIZES[] = {{{sizes}}};")
    parts.append("const size_t TYPE_SIZES_COUNT = ELEMENTS(TYPE_SIZES);")
    parts.append(_chips())
    parts += [_entry(op) for op in all_ops().values()]
    records = "\n".join(f"    &{op.name}_operator," for op in all_ops().values())
    parts.append(f"struct Operator *const OPERATORS[] = {{\n{records}\n    NULL\n}};\n")
    return "\n".join(parts)


def declared_entry_points() -> str:
    """The C file with the functions of operators that are only declared."""
    parts = [
        "/* Generated from the operators that are only declared. */",
        '#include "internal.h"',
        "",
    ]
    parts.append("#pragma GCC visibility push(default)")
    parts += [f'#include "aclnnop/{name}"' for name in operator_headers(declared().values())]
    parts.append("#pragma GCC visibility pop\n")
    parts.append('#pragma GCC diagnostic ignored "-Wunused-parameter"\n')
    parts += [_declared_entry(op) for op in declared().values()]
    return "\n".join(parts)


def declared_version() -> str:
    """A version script for the linker: a version tells declared operators from all others."""
    names = [name for op in declared().values() for name in _functions(op)]
    return f"OPENACLNN_DECLARED {{\n{''.join(f'    {name};' + chr(10) for name in names)}}};\n"


def _chips() -> str:
    """The names that choose a chip, and the name that it then has; the default comes first."""
    rows = [
        f'    {{"{name}", "{product.chips[0] if name == product.name else name}", '
        f"{str(product.bf16).lower()}}},"
        for product in sorted(products.ALL, key=lambda product: product is not products.DEFAULT)
        for name in product.names
    ]
    expected = f'const char CHIPS_EXPECTED[] = "{products.expected()}";'
    table = ["const struct Chip CHIPS[] = {", *rows, "    {NULL, NULL, false}", "};"]
    return "\n".join([*table, f"{expected}\n"])


def _c_type(argument: Argument) -> str:
    """The C type of an argument, as it stands before its name."""
    if isinstance(argument, Attr):
        words = argument.host.c_type.replace("*", " *").split()
        return " ".join(words) + ("" if words[-1] == "*" else " ")
    name = "aclTensorList *" if argument.many else "aclTensor *"
    return f"const {name}" if isinstance(argument, In) else name


def _passing(argument: Argument) -> tuple[str, str]:
    """How an argument travels: the name in the C enumeration, the member of the C union."""
    if isinstance(argument, Attr):
        return argument.host.passing, argument.host.member
    return "PASS_TENSOR_LIST" if argument.many else "PASS_TENSOR", "pointer"


def signature(op: Op | Declared) -> str:
    """The parameters of an operator's first call."""
    own = [_c_type(argument) + argument.c_name for argument in op.arguments]
    return f"({', '.join([*own, 'uint64_t *workspaceSize', 'aclOpExecutor **executor'])})"


def _types_header() -> str:
    from openaclnn.runtime.interface import MemcpyKind  # not for programs, which have the headers

    data_types = _enumeration("aclDataType", {f"ACL_{d.name}": d.code for d in dtypes.ALL})
    labels = {formats.c_name(name): value for name, value in formats.ALL.items()}
    kinds = _enumeration("aclrtMemcpyKind", {f"ACL_MEMCPY_{k.name}": int(k) for k in MemcpyKind})
    body = f"{data_types}\n{_enumeration('aclFormat', labels)}\n{kinds}"
    return _guarded("ACL_ACL_TYPES_H", "Element types, formats, and kinds of copies.", body)


def _statuses_header() -> str:
    """Not part of what every program includes: many have constants of these names themselves."""
    rows = "\n".join(f"static const aclnnStatus {s.c_name} = {int(s)};" for s in Status)
    body = f'#include "aclnn/acl_meta.h"\n\n{rows}\n'
    return _guarded("ACLNN_OPDEV_OP_ERRNO_H", "The operators' statuses by name.", body)


def _enumeration(name: str, values: dict[str, int]) -> str:
    lines = ",\n".join(f"    {key} = {value}" for key, value in values.items())
    return f"typedef enum {name} {{\n{lines}\n}} {name};\n"


def _empty_header(name: str) -> str:
    return _guarded(_guard(name), "Nothing is declared here.", '#include "aclnn/aclnn_base.h"\n')


def _guard(name: str) -> str:
    return "ACLNNOP_" + name.replace(".", "_").upper()


def _operator_header(name: str, ops: Sequence[Op | Declared]) -> str:
    declarations = "\n".join([*map(_declarations, ops), *runtime_c.declared_in(f"aclnnop/{name}")])
    body = f"""#include "aclnn/aclnn_base.h"

#ifdef __cplusplus
extern "C" {{
#endif

{declarations}
#ifdef __cplusplus
}}
#endif
"""
    sentence = f"Declares {ops[0].c_name}" if isinstance(ops[0], Declared) else _comment(ops[0].en)
    return _guarded(_guard(name), f"{sentence}.", body)


def _declarations(op: Op | Declared) -> str:
    if isinstance(op, Declared):
        lines = ["/* Declared only: openaclnn does not compute it yet, and a call says so. */"]
        lines += [f"aclnnStatus {name}{its};" for name, its in _functions(op).items()]
        return "\n".join(lines) + "\n"
    described = "\n".join(f"   {a.c_name}: {_comment(a.en)}." for a in op.arguments)
    return f"""/* {_comment(op.en)}.
   First phase: checks the arguments, gives the size of the workspace (0 is usual) and an executor.
{described} */
aclnnStatus {op.c_name}GetWorkspaceSize{signature(op)};

/* Second phase: runs the executor on a stream. */
aclnnStatus {op.c_name}{_SECOND_PHASE};
"""


def _comment(text: str) -> str:
    """A text that neither begins nor ends a comment of C."""
    return text.replace("*/", "* /").replace("/*", "/ *")


def _other_place(header: str) -> str:
    """A header for programs that look for another one here."""
    return f'/* Another place of {header}. */\n#include "{header}"\n'


def _guarded(guard: str, sentence: str, body: str) -> str:
    return f"/* {sentence} */\n#ifndef {guard}\n#define {guard}\n\n{body}\n#endif\n"


def _entry(op: Op) -> str:
    rows, values = [], []
    for argument in op.arguments:
        passing, member = _passing(argument)
        used, read = ("true" if argument in some else "false" for some in (op.used, op.reads))
        kinds = (type(argument) is kind for kind in (Out, InOut))
        out, changed = (str(found).lower() for found in kinds)
        rows.append(f'    {{"{argument.name}", {passing}, {used}, {read}, {out}, {changed}}},')
        values.append(f"{{.{member} = {argument.c_name}}}")
    table, record = f"{op.name}_parameters", f"{op.name}_operator"
    file = file_of(op)
    own_file = _quoted(str(file.path)) if file.own else "NULL"
    return f"""static const struct Parameter {table}[] = {{
{chr(10).join(rows)}
}};
static struct Operator {record} = {{
    "{op.c_name}", "{op.name}", "{signature(op)}",
    {own_file}, {table}, {len(rows)}, NULL, NULL, false, NULL, NULL
}};

aclnnStatus {op.c_name}GetWorkspaceSize{signature(op)}
{{
    const union Argument arguments[] = {{{", ".join(values)}}};
    return first_phase(&{record}, arguments, workspaceSize, executor);
}}

aclnnStatus {op.c_name}{_SECOND_PHASE}
{{
    return second_phase(&{record}, workspace, workspaceSize, executor, stream);
}}
"""


def _functions(op: Declared) -> dict[str, str]:
    """The functions of an operator that is only declared, and their parameters."""
    return {f"{op.c_name}GetWorkspaceSize": signature(op), op.c_name: _SECOND_PHASE}


def _declared_entry(op: Declared) -> str:
    return "".join(
        f'aclnnStatus {name}{parameters}\n{{\n    return refuse_declared("{op.c_name}", '
        f"{'executor' if 'aclOpExecutor **' in parameters else 'NULL'});\n}}\n\n"
        for name, parameters in _functions(op).items()
    )


def _quoted(text: str) -> str:
    r"""A path as a C string, whatever bytes it is made of.

    >>> print(_quoted('/a "b"/é'))
    "/a \042b\042/\303\251"
    """
    plain = frozenset(b"/-_.+, " + string.ascii_letters.encode() + string.digits.encode())
    return '"' + "".join(chr(b) if b in plain else f"\\{b:03o}" for b in os.fsencode(text)) + '"'
