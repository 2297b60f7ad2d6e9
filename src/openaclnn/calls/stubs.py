"""Writes the stubs that tell editors and type checkers what is made from the specs at import.

python -m openaclnn.calls.stubs            write them
python -m openaclnn.calls.stubs --check    exit status 1 where they are not up to date
"""

from __future__ import annotations

import inspect
import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path

from openaclnn.calls import c_names, c_shaped
from openaclnn.calls.functions import docstring, signature_of
from openaclnn.ops import all_ops
from openaclnn.spec.op import Attr, Op

_WIDTH = 100
_HEAD = "# Written by python -m openaclnn.calls.stubs from the operators' specs; not by hand.\n\n"
_SECOND = "workspace: Any, workspaceSize: int, executor: Executor | None, stream: Any = None"
_C_TYPES = {"int64_t": "int", "float": "float", "bool": "bool"}


def stubs() -> dict[Path, str]:
    """Every stub by its path."""
    folder = Path(__file__).parent
    return {folder / "operators.pyi": _operators(), folder / "c_names.pyi": _c_names()}


def _operators() -> str:
    ops = all_ops().values()
    parts = [_HEAD + "from typing import Any, Literal\n"]
    parts += [_function(op.name, _parameters(op), "Any", docstring(op)) for op in ops]
    names = "".join(f'    "{op.name}",\n' for op in ops)
    return "\n".join([*parts, f"__all__ = [\n{names}]\n"])


def _parameters(op: Op) -> list[str]:
    signature = signature_of(op).parameters
    defaults = {a.name: repr(signature[a.name].default).replace("'", '"') for a in op.attributes}
    attributes = [f"{a.name}: {_python_type(a)} = {defaults[a.name]}" for a in op.attributes]
    inputs = [a.name + ": Any" + ("" if a.read else " = None") for a in op.inputs]
    return [*inputs, "*", *attributes, "out: Any = None"]


def _python_type(argument: Attr) -> str:
    if argument.choices:
        values = [f'"{name}"' for name in argument.choices]
        return f"Literal[{', '.join([*values, *map(str, argument.choices.values())])}]"
    return _C_TYPES.get(argument.c_type, "float")


def _c_names() -> str:
    parts = [
        _HEAD + "from typing import Any, Final\n\n"
        "from openaclnn.base.scalars import Scalar\nfrom openaclnn.calls.executor import Executor\n"
    ]
    functions = c_shaped.functions()
    for op in all_ops().values():
        names = (f"{op.c_name}GetWorkspaceSize", op.c_name)
        first = [f"{a.c_name}: {_c_type(a) if isinstance(a, Attr) else 'Any'}"
                 for a in op.arguments]  # fmt: skip
        answer = "tuple[int, int, Executor | None]"
        parts.append(_function(names[0], first, answer, functions[names[0]].__doc__))
        parts.append(_function(names[1], _SECOND.split(", "), "int", functions[names[1]].__doc__))
    numbers = {name: value for name, value in vars(c_names).items() if isinstance(value, int)}
    parts.append("".join(f"{name}: Final = {value}\n" for name, value in numbers.items()))
    return "\n".join(parts)


def _c_type(argument: Attr) -> str:
    return _C_TYPES.get(argument.c_type, "Scalar | float | None")


def _function(name: str, parameters: Iterable[str], result: str, text: str | None) -> str:
    head = f"def {name}({', '.join(parameters)}) -> {result}:"
    if len(head) > _WIDTH:
        head = f"def {name}(\n" + "".join(f"    {p},\n" for p in parameters) + f") -> {result}:"
    lines = inspect.cleandoc(text or "").splitlines()
    if len(lines[0]) > _WIDTH - 7:  # the formula may be long
        lines[:1] = textwrap.wrap(lines[0], _WIDTH - 7)
    if len(lines) == 1:
        return f'{head}\n    """{lines[0]}"""\n'
    return f'{head}\n    """' + "\n    ".join(lines).replace("\n    \n", "\n\n") + '\n    """\n'


def main(arguments: list[str]) -> int:
    stale = [
        path
        for path, text in stubs().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    for path in stale:
        if "--check" in arguments:
            print(f"{path} is not up to date: run python -m openaclnn.calls.stubs", file=sys.stderr)
        else:
            path.write_text(stubs()[path], encoding="utf-8")
            print(f"written: {path}")
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
