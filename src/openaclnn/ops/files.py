"""Files of operators: where they are, and what is in them. A folder of the user's own is code that
will run, so it is trusted only where it belongs to its user alone."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import keyword
import os
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from openaclnn.base.dtypes import FLOAT, DType
from openaclnn.base.products import Product
from openaclnn.base.records import dataclass
from openaclnn.base.status import OpenaclnnError
from openaclnn.base.trust import reason_against
from openaclnn.spec.call import UnknownArgumentError
from openaclnn.spec.host import Host
from openaclnn.spec.mistakes import OperatorFileError, line_in, place_of, told
from openaclnn.spec.op import REQUIRED, Argument, Attr, Op, no_formula
from openaclnn.spec.rules import Dtypes, ResultDtype, Rule
from openaclnn.spec.sample import sample_call
from openaclnn.spec.steps import elementwise

_ONLY_YOURS = "operators are code, so only what is yours alone is loaded (chown, chmod go-w)"


@dataclass(frozen=True)
class File:
    """One file; `own`: it is the user's; `guarded`: it must be its user's alone."""

    path: Path
    family: str
    _: KW_ONLY
    own: bool = False
    guarded: bool = False

    @property
    def stem(self) -> str:
        return self.path.stem

    def ops(self) -> tuple[Op, ...]:
        ops = self.defined()
        for op in ops:
            for problem in self.problems(op):
                raise problem
        return ops

    def defined(self) -> tuple[Op, ...]:
        """The operators as the file states them, right or wrong."""
        found = [value for name in ("OPS", "OP") if (value := getattr(self.module(), name, None))]
        ops = found[0] if found and isinstance(found[0], (tuple, list)) else tuple(found[:1])
        if not ops or not all(isinstance(op, Op) for op in ops):
            raise OperatorFileError(self.path, 1, "expected an OP, or a tuple of them as OPS")
        return tuple(ops)

    def problems(self, op: Op) -> Iterator[OpenaclnnError]:
        """What is wrong with an operator of this file."""
        complaint = _complaint(op)
        if complaint is not None:
            yield OperatorFileError(self.path, self.line_of(op.name), complaint)
        elif self.own:
            try:
                self._try(op)
            except OpenaclnnError as error:
                yield error

    def _try(self, op: Op) -> None:
        """Run an operator's Python once, so that mistakes are told when its file is loaded, to
        whoever lists, calls or links it."""
        for formula in filter(None, (op.formula, op.in_float32)):
            absent = [a.name for a in op.reads if getattr(a, "optional", False)]
            for without in (None, *absent):
                present = {name: name != without for name in op.everything}
                count = len(op.traced(formula, present, op.defaults).results)
                if op.steps is elementwise and count != len(op.outputs):
                    why = f"{op.name}: results: the formula has {count}, expected {len(op.outputs)}"
                    raise OperatorFileError(*place_of(formula), why)
        try:
            call = sample_call(op, (FLOAT,), (2, 3))
            for rule in op.rules:
                rule.complaint(call)
        except UnknownArgumentError as error:
            line = self.line_of(error.name)
            raise OperatorFileError(self.path, line, str(error)) from None
        except OpenaclnnError:
            raise
        except Exception:  # a call that no rule has passed may be anything
            return

    def module(self) -> ModuleType:
        if not self.own:
            return import_module(f"openaclnn.ops.{self.family}.{self.stem}")
        for path in (self.path.parent, self.path) * self.guarded:
            reason = reason_against(path)
            if reason is not None:
                whose = "" if path is self.path else f"its folder {path} "
                raise OperatorFileError(self.path, 1, f"{whose}{reason}; {_ONLY_YOURS}")
        return _own_module(self.path)

    def mathematics(self) -> str:
        """What the file begins with."""
        return (self.module().__doc__ or "").strip()

    def line_of(self, name: str) -> int:
        """The line that an operator's name stands in, or that of the first statement of its own."""
        for node in ast.walk(ast.parse(self.path.read_bytes())):
            if isinstance(node, ast.Constant) and node.value == name:
                return node.lineno
        return 1


@cache
def _own_module(path: Path) -> ModuleType:
    """A module of a name that no other has; what fails in it is told by file and line."""
    name = f"openaclnn_own_ops_{path.stem}_{abs(hash(path)):x}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise OperatorFileError(path, line_in(error, path), told(error)) from error
    return module


_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
# words of C and C++ that no parameter can be called, and the parameters that every first call has
_TAKEN_IN_C = frozenset(
    """
    alignas alignof and asm auto bool break case catch char class compl const constexpr continue
    decltype default delete do double else enum explicit export extern false float for friend goto
    if inline int long mutable namespace new noexcept not nullptr operator or private protected
    public register restrict return short signed sizeof static struct switch template this throw
    true try typedef typeid typename union unsigned using virtual void volatile while xor
    workspaceSize executor
    """.split()  # noqa: SIM905
)


def is_name(name: str) -> bool:
    """Whether Python can call something this; `from_` is C's `from`, which Python cannot."""
    if keyword.iskeyword(name.removesuffix("_")):
        return name.endswith("_")
    return _NAME.fullmatch(name) is not None


# what an operator's fields are, where that is not seen by their use
_FIELDS: dict[str, tuple[Any, str]] = {
    "name": (str, "a text"),
    "en": (str, "a text"),
    "zh": (str, "a text"),
    "example": (str, "a text"),
    "source": (str, "a text"),
    "header": (str, "a text"),
    "torch": (str, "a text"),
    "scalar": (str, "the name of an operator"),
    "formula": (Callable, "a function"),
    "results": (Callable, "a function of openaclnn.spec.results, or one like it"),
    "steps": (Callable, "a function of openaclnn.spec.steps, or one like it"),
    "promotes": (Callable, "a function of a call"),
    "wide": (Callable, "a function such as openaclnn.spec.op.never"),
}
_MEMBERS: dict[str, tuple[Any, str]] = {
    "arguments": (Argument, "In, Out, InOut and Attr"),
    "rules": (Rule, "rules of openaclnn.spec.rules, or classes like them"),
    "products": (Product, "chips of openaclnn.base.products"),
    "aliases": (str, "texts"),
    "spellings": (Callable, "functions"),
}


def _of_wrong_types(op: Op) -> str | None:
    """A field that is something else than it should be."""
    for name, (kind, expected) in _FIELDS.items():
        value = getattr(op, name)
        if not isinstance(value, kind):
            return f"{op.name}: {name} is {value!r}; expected {expected}"
    for name, (kind, expected) in _MEMBERS.items():
        values = getattr(op, name)
        if not isinstance(values, (tuple, list)):
            return f"{op.name}: {name} is {values!r}; expected a tuple of {expected}"
        for value in values:
            if not isinstance(value, kind):
                return f"{op.name}: {value!r} is among {name}; expected {expected}"
    if op.formula is no_formula:
        return f"{op.name}: there is no formula"
    for rule in op.rules:
        allowed = getattr(rule, "allowed", ()) if isinstance(rule, (Dtypes, ResultDtype)) else ()
        if not isinstance(allowed, tuple) or not all(isinstance(one, DType) for one in allowed):
            kind = type(rule).__name__
            return f"{op.name}: {kind} allows {allowed!r}; expected dtypes of openaclnn.base.dtypes"
    for argument in op.arguments:
        texts = (argument.name, argument.en, argument.zh)
        if not all(isinstance(text, str) for text in texts):
            return f"{op.name}: {argument!r} has names and texts that are no texts"
    return None


def _default_complaint(argument: Attr) -> str | None:
    """A default that is no value of its kind."""
    if argument.default is REQUIRED or argument.default is None:
        return None
    value = argument.default
    value = argument.choices.get(value, value) if argument.choices else value
    try:
        argument.host.from_python(value)
    except Exception:  # whatever a value is like
        return f"its default is {argument.default!r}; expected {argument.host.expected}"
    return None


def _complaint(op: Op) -> str | None:
    """What is wrong with an operator that nobody could even call."""
    wrong = _of_wrong_types(op)
    if wrong is not None:
        return wrong
    seen: set[str] = set()
    for name in (op.name, *(a.name for a in op.arguments)):
        if not is_name(name):
            return f"{op.name}: {name!r} is no name; expected words in lower case, as in grad_input"
    for argument in op.arguments:
        if argument.name in seen:
            return f"{op.name}: two arguments are called {argument.name}"
        if isinstance(argument, Attr) and not isinstance(argument.host, Host):
            return (
                f"{op.name}: {argument.name} is an Attr of {argument.host!r}; expected a kind of "
                "openaclnn.spec.host, such as FLOAT32 or INT64"
            )
        default = _default_complaint(argument) if isinstance(argument, Attr) else None
        if default is not None:
            return f"{op.name}: {argument.name}: {default}"
        if argument.c_name in _TAKEN_IN_C:
            return f"{op.name}: no parameter of a C function can be called {argument.c_name}"
        seen.add(argument.name)
    if not op.outputs:
        return f"{op.name}: there is no output; expected an Out or an InOut"
    if op.uniforms is None and op.steps is elementwise:  # nobody else gives names to a formula
        for name in inspect.signature(op.formula).parameters:
            if name not in seen:
                return f"{op.name}: the formula asks for {name!r}, which is no argument"
    return None


def files_below(folder: str | Path, own: bool = False, guarded: bool = False) -> Iterator[File]:
    """The files of a folder and of the families in it, in a fixed order."""
    root = Path(folder)
    for path in sorted(root.iterdir()):
        if own and _is_file(path):
            yield File(path, root.name, own=own, guarded=guarded)
        elif path.is_dir() and not path.name.startswith(("_", ".")):
            files = (p for p in sorted(path.iterdir()) if _is_file(p))
            yield from (File(p, path.name, own=own, guarded=guarded) for p in files)


def _is_file(path: Path) -> bool:
    return path.suffix == ".py" and not path.name.startswith((".", "_")) and path.is_file()


def trusted(folder: Path, variable: str) -> Path:
    """A folder of the user's own, unless somebody else could have written what is in it."""
    if not folder.is_dir():
        raise OpenaclnnError(f"{variable}: {folder} is no folder")
    reason = reason_against(folder)
    if reason is not None:
        raise OpenaclnnError(f"{variable}: {folder} {reason}; {_ONLY_YOURS}")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise OpenaclnnError(f"{variable}: {folder} cannot be read")
    return folder
