"""Whether code may run: only where nobody but its user could have written it."""

from __future__ import annotations

import os
from pathlib import Path


def reason_against(path: Path) -> str | None:
    """Why a folder or file is not to be trusted, or None."""
    try:
        facts = path.stat()
    except OSError as error:
        return f"cannot be read ({error.strerror})"
    if facts.st_uid != os.geteuid():
        return f"belongs to user {facts.st_uid}"
    if facts.st_mode & 0o022:
        return "can be written by others"
    return None
