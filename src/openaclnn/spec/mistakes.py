"""Mistakes in operators' Python, told in one sentence with the file and the line."""

from __future__ import annotations

import inspect
import linecache
import os
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from openaclnn.base.status import OpenaclnnError

_PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep


class OperatorFileError(OpenaclnnError):
    """A file of operators that cannot be used; the text says which, where and why."""

    def __init__(self, path: Path | str, line: int, why: str) -> None:
        super().__init__(f"{path}:{line}: {why}")


class FormulaError(OpenaclnnError):
    """What a formula cannot do with its symbols. `advice` takes the source line in which it does
    that, and says what to write instead."""

    def __init__(self, why: str, advice: Callable[[str], str]) -> None:
        super().__init__(f"{why}; {advice('')}")
        self.why, self.advice = why, advice


def told(error: BaseException, source: str = "") -> str:
    """An error by its type and its text, without the place, which stands before it; `source` is the
    line that it comes from."""
    if isinstance(error, FormulaError):
        return f"{error.why}; {error.advice(source)}"
    if isinstance(error, OpenaclnnError):
        return str(error)
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}{_hint(error)}"


def _hint(error: BaseException) -> str:
    """Where the name that is missing is one of the vocabulary."""
    name = getattr(error, "name", None) if isinstance(error, NameError) else None
    return f"; use {name} from openaclnn.spec.formula" if name in vocabulary() else ""


def vocabulary() -> dict[str, Any]:
    """The functions that formulas are made of, by name."""
    from openaclnn.spec import formula

    return {
        name: value
        for name, value in vars(formula).items()
        if inspect.isfunction(value)
        and value.__module__ == formula.__name__
        and not name.startswith("_")
    }


def line_in(error: BaseException, path: Path | str) -> int:
    """The last line of a file that an error passed through."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno or 1
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
    return (lines[-1] if lines else None) or 1


def in_formula(formula: Callable[..., Any], error: Exception) -> OperatorFileError:
    """An error that a formula ended in, at the last line of the file that the formula is in; where
    that is one of ours, which a family made of somebody's function, of that function's file."""
    file, line = place_of(formula)
    frames = traceback.extract_tb(error.__traceback__)
    theirs = [frame for frame in frames if not frame.filename.startswith(_PACKAGE)]
    for frame in [f for f in frames if f.filename == file] if not _is_ours(file) else theirs:
        file, line = frame.filename, frame.lineno or line
    return OperatorFileError(file, line, told(error, linecache.getline(file, line)))


def place_of(formula: Callable[..., Any]) -> tuple[str, int]:
    """The file and the line that a function begins in."""
    code = getattr(inspect.unwrap(formula), "__code__", None)
    return (code.co_filename, code.co_firstlineno) if code else ("<formula>", 1)


def _is_ours(file: str) -> bool:
    return file.startswith(_PACKAGE) and not file.startswith(os.path.join(_PACKAGE, "ops", ""))
