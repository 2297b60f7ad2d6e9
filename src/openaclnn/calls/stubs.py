"""Writes the type stubs of the functions that are made from the operators' files.

    python -m openaclnn.calls.stubs [FOLDER]

The build runs this (setup.py), so that wheels and editable installs have them; `make stubs` writes
them anew in a checkout.
"""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

from openaclnn.base import products, settings
from openaclnn.calls import by_name, c_names, c_shaped, conventions
from openaclnn.calls.functions import docstring, signature_of, tensor_parameters
from openaclnn.ops import all_ops, file_of
from openaclnn.spec.host import SCALAR, Array
from openaclnn.spec.op import Argument, Attr, InOut, Op, Spelling, may_be_absent

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


def stubs() -> dict[str, str]:
    """Every stub by the name of its file, with all operators that come with the package."""
    ops = [op for op in all_ops().values() if not file_of(op).own]
    texts = {"operators.pyi": _operators(ops), "c_names.pyi": _c_names(ops)}
    return {name: _without_unused(text) for name, text in texts.items()}


def _without_unused(text: str) -> str:
    return text if "Sequence[" in text else text.replace(_SEQUENCE, "", 1)


_ARRAYS = '''
class _Tensor(Protocol):
    """An array of any library."""

    @property
    def shape(self) -> Any: ...
    @property
    def dtype(self) -> Any: ...

_Array = TypeVar("_Array", bound=_Tensor)
_NumPy = np.ndarray[Any, Any]
_Plain = float | list[Any] | tuple[Any, ...]
'''


def _operators(ops: Sequence[Op]) -> str:
    """Two signatures for each operator: NumPy's arrays and Python's numbers to NumPy's arrays, and
    arrays of another library to such."""
    head = "from typing import Any, Literal, Protocol, TypeVar, overload\n\nimport numpy as np\n"
    head = "from contextlib import AbstractContextManager\n" + head
    parts = [_HEAD + _SEQUENCE + head + _ARRAYS]
    for op in ops:
        numpy = _head(op.name, _parameters(op, "_NumPy"), _result(op, "_NumPy"))
        array, result = _parameters(op, "_Array"), _result(op, "_Array")
        function = _function(op.name, array, result, docstring(op))
        parts.append(f"@overload\n{numpy} ...\n@overload\n{function}")
    names = [name for product in products.ALL for name in product.names]
    levels = ", ".join(map(default_text, settings.LEVELS))
    chips = "".join(f"    {default_text(name)},\n" for name in names)
    parts.append(f"_Level = Literal[{levels}]\n_Product = Literal[\n{chips}]\n")
    using = ["math: _Level | None = None", "product: _Product | None = None"]
    managed, doc = "AbstractContextManager[None]", inspect.getdoc(settings.using)
    parts.append(_function("using", ["*", *using], managed, doc))
    parts += [_spelled(one) for one in by_name.spellings().values()]
    friendly = by_name.friendly(ops)
    parts += ["".join(f"{name} = {known}\n" for name, known in friendly.items())] * bool(friendly)
    return "\n".join(parts)


def _spelled(spelling: Spelling) -> str:
    """A function of PyTorch's or NumPy's parameters, but for what gives it operators."""
    _, *parameters = inspect.signature(spelling).parameters.values()
    signature = inspect.Signature(parameters)
    words = str(signature).replace("typing.", "").replace("collections.abc.", "")
    lines = words.strip("()").replace("'", '"').split(", ")
    return _function(spelling.__name__, lines, "Any", spelling.__doc__)


def _result(op: Op, array: str) -> str:
    each = [f"list[{array}]" if output.many else array for output in op.outputs]
    return each[0] if len(each) == 1 else f"tuple[{', '.join(each)}]"


def _parameters(op: Op, array: str) -> list[str]:
    """A function's parameters where arrays are of a kind. What can be given by several names need
    not be given by any."""
    types = {a.name: _python_type(a) for a in op.attributes}
    types |= {a.name: _array_type(a, array) for a in tensor_parameters(op)}
    types["out"] = f"{_result_given(op, array)} | None"
    others = conventions.other_names(op)
    found: list[str] = []
    for parameter in signature_of(op).parameters.values():
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and "*" not in found:
            found.append("*")
        text = f"{parameter.name}: {types[parameter.name]}"
        if parameter.default is None and "None" not in text:
            text += " | None"
        if parameter.default is not inspect.Parameter.empty:
            text += " = " + default_text(parameter.default)
        elif "=" in "".join(found) or any(a.name == parameter.name for a in others.values()):
            text += " = ..."
        found.append(text)
    if others and "*" not in found:
        found.append("*")
    return found + [f"{name}: {types[a.name]} = ..." for name, a in others.items()]


def _array_type(argument: Argument, array: str) -> str:
    if isinstance(argument, InOut):
        one = f"Sequence[{array}]" if argument.many else array
        return f"{one} | None" if argument.optional else one
    one = f"{array} | _Plain"
    if argument.many:
        return f"Sequence[{one}]"
    optional = may_be_absent(argument)
    return f"{one} | None" if optional else one


def _result_given(op: Op, array: str) -> str:
    """What `out` is: an array, or a tuple of those that are made."""
    each = [f"Sequence[{array}]" if output.many else array for output in op.separate]
    return each[0] if len(each) == 1 else f"tuple[{', '.join(each)}]"


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
    found = argument.host.annotation
    if isinstance(argument.host, Array):
        found += f" | {argument.host.of.annotation}"
    return found + (" | None" if argument.default is None else "")


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


def _head(name: str, parameters: Sequence[str], result: str) -> str:
    head = f"def {name}({', '.join(parameters)}) -> {result}:"
    if len(head) + 4 > _WIDTH:
        head = f"def {name}(\n" + "".join(f"    {p},\n" for p in parameters) + f") -> {result}:"
    return head


def _function(name: str, parameters: Sequence[str], result: str, text: str | None) -> str:
    head = _head(name, parameters, result)
    lines = inspect.cleandoc(text or "").splitlines()
    if len(lines[0]) > _WIDTH - 7:  # the formula may be long
        lines[:1] = textwrap.wrap(lines[0], _WIDTH - 7)
    if len(lines) == 1:
        return f'{head}\n    """{lines[0]}"""\n'
    return f'{head}\n    """' + "\n    ".join(lines).replace("\n    \n", "\n\n") + '\n    """\n'


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0]) if arguments else Path(__file__).parent
    for name, text in stubs().items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"written: {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
