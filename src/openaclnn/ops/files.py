"""Files of operators: where they are, and what is in them. A folder of the user's own is code that
will run, so it is trusted only where it belongs to its user alone."""

from __future__ import annotations

import ast
import importlib.util
import os
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from openaclnn.base.status import OpenaclnnError
from openaclnn.base.trust import reason_against
from openaclnn.spec.op import Op


class OperatorFileError(OpenaclnnError):
    """A file of operators that cannot be used; the text says which, where and why."""

    def __init__(self, path: Path, line: int, why: str) -> None:
        super().__init__(f"{path}:{line}: {why}")


@dataclass(frozen=True)
class File:
    """One file; `own`: it is the user's."""

    path: Path
    family: str
    own: bool

    @property
    def stem(self) -> str:
        return self.path.stem

    def ops(self) -> tuple[Op, ...]:
        module = self.module()
        found = getattr(module, "OPS", None) or getattr(module, "OP", None)
        ops = found if isinstance(found, tuple) else (found,)
        if not all(isinstance(op, Op) for op in ops):
            raise OperatorFileError(self.path, 1, "expected an OP, or a tuple of them as OPS")
        return ops

    def module(self) -> ModuleType:
        return _own_module(self.path) if self.own else import_module(self._dotted())

    def _dotted(self) -> str:
        return f"openaclnn.ops.{self.family}.{self.stem}"

    def mathematics(self) -> str:
        """What the file begins with."""
        return (self.module().__doc__ or "").strip()

    def line_of(self, name: str) -> int:
        """The line that an operator's name stands in, or that of the first statement of its own."""
        for node in ast.walk(ast.parse(self.path.read_text(encoding="utf-8"))):
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
    except Exception as error:
        del sys.modules[name]
        raise OperatorFileError(
            path, _line(error, path), f"{type(error).__name__}: {error}"
        ) from error
    return module


def _line(error: Exception, path: Path) -> int:
    """The last line of a file that an error passed through."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return error.lineno or 1
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
    return (lines[-1] if lines else None) or 1


def files_below(folder: str | Path, own: bool) -> Iterator[File]:
    """The files of a folder and of the families in it, in a fixed order."""
    root = Path(folder)
    for path in sorted(root.iterdir()):
        if own and _is_file(path):
            yield File(path, root.name, own)
        elif path.is_dir() and not path.name.startswith(("_", ".")):
            yield from (File(p, path.name, own) for p in sorted(path.iterdir()) if _is_file(p))


def _is_file(path: Path) -> bool:
    return path.suffix == ".py" and not path.name.startswith((".", "_")) and path.is_file()


def trusted(folder: str, variable: str) -> Path:
    """A folder of the user's own, unless somebody else could have written what is in it."""
    path = Path(os.path.abspath(os.path.expanduser(folder)))
    reason = "is no folder" if not path.is_dir() else reason_against(path)
    if reason is not None:
        raise OpenaclnnError(f"{variable}: {path} {reason}; operators there are not loaded")
    return path
