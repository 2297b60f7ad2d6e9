"""Writes the module acl.rt from the tables of the runtime: one line a function."""

from __future__ import annotations

from openaclnn.capi.runtime_api import SECTIONS, Function, Parameter

# how ctypes names what a C parameter is; constants of every enumeration are int
_CTYPES = {
    "int32_t": "c_int32", "uint32_t": "c_uint32", "int64_t": "c_int64", "uint64_t": "c_uint64",
    "size_t": "c_size_t", "float": "c_float", "const char *": "c_char_p",
    "void *": "c_void_p", "const void *": "c_void_p",
    "aclrtStream": "c_void_p", "aclrtEvent": "c_void_p", "aclrtContext": "c_void_p",
    "aclrtRunMode": "c_int", "aclrtMemMallocPolicy": "c_int", "aclrtMemcpyKind": "c_int",
    "aclrtMemAttr": "c_int", "aclrtStreamStatus": "c_int", "aclrtEventStatus": "c_int",
    "aclrtEventRecordedStatus": "c_int", "aclrtLastErrLevel": "c_int", "aclSysParamOpt": "c_int",
    "aclrtFloatOverflowMode": "c_int", "aclrtDevAttr": "c_int", "aclrtHostRegisterType": "c_int",
    "aclrtEventWaitStatus": "c_int",
}  # fmt: skip

_MODULE = "acl.rt."
_BY_HAND = {"acl.rt.launch_callback": "callbacks"}  # what a line cannot say, and the module with it


def module() -> str:
    """The text of acl/rt.py."""
    lines: list[str] = []
    used: set[str] = set()
    for section in SECTIONS:
        own = [f for f in section.functions if _is_written(f.python_name or "")]
        used |= {_ctype(p) for f in own for p in f.parameters}
        lines += ["", *map(_line, own)] if own else []
    return (
        '"""acl.rt: devices, contexts, memory, streams and events. Handles and addresses are\n'
        'integers. Written from the tables of openaclnn\'s runtime."""\n\n'
        f"from ctypes import {', '.join(sorted(used))}\n\n"
        f"{_imports()}\nfrom .library import Out, given\n" + "\n".join(lines) + "\n"
    )


def _imports() -> str:
    names = (name.removeprefix(_MODULE) for name in _BY_HAND)
    lines = zip(_BY_HAND.values(), names, strict=True)
    return "\n".join(f"from .{module} import {name} as {name}" for module, name in lines)


def _is_written(name: str) -> bool:
    return name.startswith(_MODULE) and name not in _BY_HAND


def _ctype(parameter: Parameter) -> str:
    c_type = parameter.c_type.removesuffix("*") if parameter.out else parameter.c_type
    return _CTYPES[c_type.strip()]


def _line(function: Function) -> str:
    words = [f'"{function.name}"']
    for parameter in function.parameters:
        name = _ctype(parameter)
        words.append(f"Out({name})" if parameter.out else name)
    name = (function.python_name or "").removeprefix(_MODULE)
    return _call(f"{name} = given", words)


def _call(head: str, words: list[str]) -> str:
    """A call or an import, broken as ruff breaks it where it is too long for a line."""
    line, inner = f"{head}({', '.join(words)})", f"    {', '.join(words)}"
    if len(line) <= 100:
        return line
    if len(inner) > 100:
        inner = "".join(f"\n    {word}," for word in words).lstrip("\n")
    return f"{head}(\n{inner}\n)"
