"""Writes the stubs that tell editors and type checkers what is made from the specs at import.

python -m openaclnn.calls.stubs            write them
python -m openaclnn.calls.stubs --check    exit status 1 where they say something that is not so

A new operator need not be listed at once; what is listed is right.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from openaclnn.calls import by_name, c_names, c_shaped
from openaclnn.calls.functions import docstring, signature_of
from openaclnn.ops import all_ops, file_of
from openaclnn.spec.host import SCALAR
from openaclnn.spec.op import Attr, Op

_WIDTH = 100
_HEAD = "# Written by python -m openaclnn.calls.stubs from the operators' specs; not by hand.\n\n"
_SEQUENCE = "from collections.abc import Sequence\n"
_SECOND = '''
class _SecondPhase(Protocol):
    """Run what phase 1 prepared. Returns a status."""

    def __call__(
        self, workspace: Any, workspaceSize: int, executor: Executor | None, stream: Any = None
    ) -> int: ...
'''

_FOLDER = Path(__file__).parent
_OPERATORS, _C_NAMES = _FOLDER / "operators.pyi", _FOLDER / "c_names.pyi"


def stubs(listed: Collection[str] | None = None) -> dict[Path, str]:
    """Every stub by its path, with all operators that come with the package, or those listed."""
    ops = [
        op
        for op in all_ops().values()
        if not file_of(op).own and (listed is None or op.name in listed)
    ]
    texts = {_OPERATORS: _operators(ops), _C_NAMES: _c_names(ops)}
    return {path: _without_unused(text) for path, text in texts.items()}


def _without_unused(text: str) -> str:
    return text if "Sequence[" in text else text.replace(_SEQUENCE, "", 1)


def _operators(ops: Sequence[Op]) -> str:
    parts = [_HEAD + _SEQUENCE + "from typing import Any, Literal\n"]
    parts += [_function(op.name, _parameters(op), "Any", docstring(op)) for op in ops]
    known = [op.name for op in ops]
    friendly = by_name.friendly(known)
    parts += ["".join(f"{name} = {known}\n" for name, known in friendly.items())] * bool(friendly)
    names = by_name.shadowing_nothing(sorted([*known, *friendly], key=_in_order))
    listed = "".join(f'    "{name}",\n' for name in names)
    return "\n".join([*parts, f"__all__ = [\n{listed}]\n"])


def _in_order(name: str) -> list[str | int]:
    """log2 comes before log10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]


def _parameters(op: Op) -> list[str]:
    types = {a.name: _python_type(a) for a in op.attributes}
    found: list[str] = []
    for parameter in signature_of(op).parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and "*" not in found:
            found.append("*")
        text = f"{parameter.name}: {types.get(parameter.name, 'Any')}"
        if parameter.default is not inspect.Parameter.empty:
            text += " = " + default_text(parameter.default)
        found.append(text)
    return found


def default_text(value: object) -> str:
    """A default as source, as ruff formats it; what has none is left out, as stubs may.

    >>> default_text("mean"), default_text(2.0**100)
    ('"mean"', '1.2676506002282294e30')
    """
    try:
        text = repr(ast.literal_eval(repr(value)))
    except (SyntaxError, ValueError):
        return "..."
    return text.replace("e+", "e") if isinstance(value, float) else text.replace("'", '"')


def _python_type(argument: Attr) -> str:
    if argument.choices:
        known = dict.fromkeys([*argument.choices, *argument.choices.values()])
        return f"Literal[{', '.join(map(default_text, known))}]"
    return argument.host.annotation + (" | None" if argument.default is None else "")


def _c_names(ops: Sequence[Op]) -> str:
    parts = [
        _HEAD + _SEQUENCE + "from typing import Any, Final, Protocol\n\n"
        "from openaclnn.base.scalars import Scalar\nfrom openaclnn.calls.executor import Executor\n"
        + _SECOND
    ]
    for op in ops:
        name = f"{op.c_name}GetWorkspaceSize"
        first = [
            f"{word}: {_c_type(a) if isinstance(a, Attr) else 'Any'}"
            for word, a in zip(c_shaped.parameters(op), op.arguments, strict=True)
        ]
        answer = "tuple[int, int, Executor | None]"
        parts.append(_function(name, first, answer, c_shaped.function(name).__doc__))
    parts.append("".join(f"{op.c_name}: _SecondPhase\n" for op in ops))
    numbers = {name: value for name, value in vars(c_names).items() if isinstance(value, int)}
    parts.append("".join(f"{name}: Final = {value}\n" for name, value in numbers.items()))
    return "\n".join(parts)


def _c_type(argument: Attr) -> str:
    if argument.host is SCALAR:
        return "Scalar | float | None"
    return argument.host.annotation + (" | None" if argument.host.pointer else "")


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
    listed = None
    if "--check" in arguments and _OPERATORS.exists():
        listed = re.findall(r"^def (\w+)\(", _OPERATORS.read_text(encoding="utf-8"), re.MULTILINE)
    stale = [
        path
        for path, text in stubs(listed).items()
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
