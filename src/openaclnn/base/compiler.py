"""The user's compiler: which it is, and where it is to be looked for."""

from __future__ import annotations

import os
import shlex
import shutil

from openaclnn.base.status import OpenaclnnError


class BuildError(OpenaclnnError):
    """The compiler is missing or refuses; the message says what to do."""


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
