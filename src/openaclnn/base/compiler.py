"""Finds the user's C and C++ compiler."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess

from openaclnn.base.status import OpenaclnnError


class BuildError(OpenaclnnError):
    """The compiler is missing or refuses; the message says what to do."""


_PATIENCE = 900.0  # seconds after which a compiler has failed, on an emulated machine too


def compiler(variable: str, *usual: str) -> list[str]:
    """The command of $CC or $CXX, else the first of the usual ones that is there."""
    chosen = os.environ.get(variable)
    if chosen:
        try:
            return shlex.split(chosen)
        except ValueError as error:
            raise BuildError(f"{variable} is {chosen!r}: {error}") from None
    found = next((name for name in usual if shutil.which(name)), None)
    if found is None:
        raise BuildError(
            f"there is no compiler: none of {', '.join(usual)} is on the PATH; install one "
            f"(on Debian and Ubuntu: apt install g++), or name yours in {variable}"
        )
    return [found]


def chosen(variable: str) -> tuple[str, ...]:
    """What stands for the compiler that the user has named, in the names of what it makes: another
    one makes it anew. Nothing where none is named: what the usual one made is used without it."""
    named = os.environ.get(variable)
    if not named:
        return ()
    try:
        return (*shlex.split(named), *identity(shlex.split(named)[0]))
    except (ValueError, IndexError):  # who wants to run it says so
        return (named,)


def identity(program: str) -> tuple[str, ...]:
    """Which file a program is, and whether it has changed."""
    path = shutil.which(program) or program
    facts = os.stat(path) if os.path.exists(path) else None
    return os.path.realpath(path), *((str(facts.st_size), str(facts.st_mtime_ns)) if facts else ())


def run(command: list[str], what: str) -> None:
    """Let a compiler make something."""
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=_PATIENCE
        )
    except OSError as error:
        raise BuildError(f"{command[0]} cannot be run: {error.strerror}") from None
    except subprocess.TimeoutExpired:
        raise BuildError(f"{command[0]} has not built {what} in {_PATIENCE:.0f} s") from None
    if done.returncode:
        raise BuildError(f"{command[0]} could not build {what}:\n{done.stderr}")
