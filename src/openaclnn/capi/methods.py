"""Generates the C table of a device's functions, and the device that forwards every function to
Python."""

from __future__ import annotations

import inspect
import typing
from functools import cache

from openaclnn.base.records import dataclass
from openaclnn.runtime.interface import Device


@dataclass(frozen=True)
class Method:
    """A request to a device: its C parameters, then where its answers go."""

    name: str
    parameters: tuple[tuple[str, str], ...]  # C type, name
    answers: tuple[str, ...]  # C types


@cache
def methods() -> tuple[Method, ...]:
    """Every request, in the order of the description."""
    return tuple(
        _method(name, function)
        for name, function in vars(Device).items()
        if inspect.isfunction(function) and not name.startswith("_")
    )


def _method(name: str, function: object) -> Method:
    hints = typing.get_type_hints(function, include_extras=True)
    answer = hints.pop("return")
    parameters = tuple((_c_type(hint), parameter) for parameter, hint in hints.items())
    if answer is type(None):
        return Method(name, parameters, ())
    answers = typing.get_args(answer) if typing.get_origin(answer) is tuple else (answer,)
    return Method(name, parameters, tuple(map(_c_type, answers)))


def _c_type(hint: object) -> str:
    (c_type,) = typing.get_args(hint)[1:]
    return str(c_type)


def header() -> str:
    """The C header device.h: a device is a table of functions."""
    members = "\n".join(f"    int (*{m.name})({_signature(m)});" for m in methods())
    own = "\n".join(f"int cpu_{m.name}({_signature(m)});" for m in methods())
    table = " \\\n".join(f"    .{m.name} = prefix##{m.name}," for m in methods())
    return f"""/* Generated from what a device can do. */
#ifndef OPENACLNN_DEVICE_H
#define OPENACLNN_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a kind of device does its work. Arguments have been checked; failures have been reported. */
struct Device {{
    const char *name;
    bool owns_all_memory; /* nobody else allocates the memory that it works on */
    size_t margin;        /* so many bytes before and behind its blocks are nobody else's */
{members}
}};

/* The table of a device whose functions begin with a prefix. */
#define DEVICE_FUNCTIONS(prefix) \\
{table}

/* The functions of the CPU. */
{own}

#endif
"""


def forwarding() -> str:
    """The C file with the device that asks Python."""
    functions = "\n".join(_forwarder(m) for m in methods())
    return f"""/* Generated from what a device can do. */
#include "internal.h"

{functions}
const struct Device FORWARDED = {{.name = "cuda", DEVICE_FUNCTIONS(forward_)}};
"""


def _signature(method: Method) -> str:
    own = [_declared(c_type, name) for c_type, name in method.parameters]
    return ", ".join([*own, *_outs(method)]) or "void"


def _outs(method: Method) -> list[str]:
    return [_declared(f"{c_type} *", f"answer_{i}") for i, c_type in enumerate(method.answers)]


def _declared(c_type: str, name: str) -> str:
    return f"{c_type.replace('* *', '**')}{'' if c_type.endswith('*') else ' '}{name}"


def _forwarder(method: Method) -> str:
    values = ", ".join(_as_number(c_type, name) for c_type, name in method.parameters)
    given = f"(const uint64_t[]){{{values}}}, {len(method.parameters)}" if values else "NULL, 0"
    count = len(method.answers)
    if not count:
        body = f'    return ask_python("{method.name}", {given}, NULL, 0);\n'
    else:
        body = f"    uint64_t answers[{count}] = {{0}};\n"
        body += f'    int status = ask_python("{method.name}", {given}, answers, {count});\n'
        for i, c_type in enumerate(method.answers):
            body += f"    *answer_{i} = ({c_type})answers[{i}];\n"
        body += "    return status;\n"
    return f"static int forward_{method.name}({_signature(method)})\n{{\n{body}}}\n"


def _as_number(c_type: str, name: str) -> str:
    """Pointers and numbers as 64 bits; signed ones keep their sign."""
    return f"(uint64_t)(int64_t){name}" if c_type == "int32_t" else f"(uint64_t){name}"
