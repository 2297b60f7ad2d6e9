"""Compiles a program for `openaclnn run` and caches the binary.

What was compiled is valid for as long as every file that the compiler read is the same."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shlex
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from openaclnn.base import cache as disk
from openaclnn.base import settings
from openaclnn.base.compiler import identity
from openaclnn.base.status import OpenaclnnError
from openaclnn.capi import build, coverage, usage

LIBRARIES = ("-lascendcl", "-lnnopbase", "-lopapi", "-lopapi_nn", "-lopapi_math")
_CXX = {".cpp", ".cc", ".cxx", ".c++", ".cp", ".C", ".CPP"}
SOURCES = _CXX | {".c"}


class CompileError(OpenaclnnError):
    """The compiler refused the program; it has said why itself. `hint` says what it cannot know:
    which of the names that the program uses are absent here; empty where all are there."""

    def __init__(self, status: int, hint: str = "") -> None:
        super().__init__(f"the compiler ended with status {status}")
        self.status = status
        self.hint = hint


def executable(source: Path, flags: Sequence[str], toolkit: Path) -> Path:
    """The compiled program of a source file: from the cache, or compiled now."""
    includes = (toolkit / folder for folder in build.INCLUDES)
    command = [*_command(source), *flags, *(f"-I{path}" for path in includes if path.is_dir())]
    named = f"./{source}" if str(source).startswith("-") else str(source)  # no option
    command += [named, f"-L{toolkit}/lib64", f"-Wl,-rpath,{toolkit}/lib64", *LIBRARIES]
    record = disk.place("programs", f"{_key(command)}.json")
    found = _recall(record)
    if found is not None:
        return found
    try:
        return _compile(command, source, record, disk.folder("programs"))
    except OSError as error:
        raise build.BuildError(
            f"{source} cannot be compiled into {record.parent}: {error.strerror or error}; "
            "OPENACLNN_CACHE chooses another place"
        ) from None


def _command(source: Path) -> list[str]:
    if source.suffix in _CXX:
        return build.compiler("CXX", "c++", "g++", "clang++")
    return build.compiler("CC", "cc", "gcc", "clang")


def _key(command: list[str]) -> str:
    """What decides, besides the files read: the command, where it runs, and the compiler itself."""
    parts = [*command, os.getcwd(), *identity(command[0])]
    searched = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH")
    parts += [os.environ.get(name, "") for name in searched]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]


def _recall(record: Path) -> Path | None:
    try:
        kept = json.loads(disk.read(record) or b"")
        program = record.parent / kept["program"]
        if _hash(program) != kept["program"]:
            return None
        read = kept["read"]
        return program if all(_hash(Path(name)) == read[name] for name in read) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _compile(command: list[str], source: Path, record: Path, folder: Path) -> Path:
    with tempfile.TemporaryDirectory(dir=folder, prefix=".making-") as temporary:
        made, rule = Path(temporary, source.stem), Path(temporary, "rule.d")
        try:
            done = subprocess.run(
                [*command, "-o", str(made), "-MD", "-MF", str(rule), "-MT", "program"]
            )
        except OSError as error:
            raise build.BuildError(f"{command[0]} cannot be run: {error.strerror}") from None
        if done.returncode:
            raise CompileError(done.returncode, _hint(source))
        if not made.is_file():
            raise build.BuildError(f"{shlex.join(command)} ended well and made no program")
        name = _hash(made)
        program = folder / name
        os.replace(made, program)
        try:
            read = {path: _hash(Path(path)) for path in _dependencies(rule.read_text())}
        except FileNotFoundError:
            return program  # a rule cannot name a file with a line break in its name
    kept = {"source": str(source), "program": name, "read": read}
    disk.keep(record, json.dumps(kept, indent=1).encode())
    return program


def _hint(source: Path) -> str:
    """What a source uses that is absent, and what to do."""
    product = settings.current().product
    found = coverage.covered(usage.in_paths([source]), product)
    absent = [one for one in found if one.state == coverage.ABSENT and not one.by_name]
    if not absent:
        return ""
    names = ", ".join(one.name for one in absent)
    return (
        f"{absent[0].where}: openaclnn does not have {names}; an operator can be stated in a file "
        "of your own: docs/your-own-operators.md"
    )


def _dependencies(rule: str) -> list[str]:
    r"""The files that a compiler's make rule names, without make's escapes.

    >>> _dependencies("program: a\\#b.cpp my\\ header.h \\\n /usr/$$x/stdio.h\n")
    ['a#b.cpp', 'my header.h', '/usr/$x/stdio.h']
    """
    _, _, files = rule.replace("\\\n", " ").partition(": ")
    escaped = re.findall(r"(?:\\[ #]|\S)+", files)
    return [re.sub(r"\\([ #])|\$(\$)", r"\1\2", name) for name in escaped]


def _hash(path: Path) -> str:
    data = disk.read(path)
    if data is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    return hashlib.sha256(data).hexdigest()[:32]
