"""Where compiled code is kept between runs. It is code that will run, so the folder is trusted only
where it belongs to its user alone."""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from contextlib import suppress
from functools import cache
from pathlib import Path

KINDS = ("kernels", "cubins", "triton", "toolkit", "programs")  # all that is ever kept there


def folder(*parts: str) -> Path:
    """A folder for one kind of entries, made where it is missing."""
    assert not parts or parts[0] in KINDS
    path = _root().joinpath(*parts)
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def write_atomically(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Write a file that others see whole or not at all, whoever writes it at the same time."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def clear() -> None:
    """Delete every entry, and nothing else that lies in the folder."""
    for kind in KINDS:
        shutil.rmtree(_root() / kind, ignore_errors=True)


def wanted_root() -> Path:
    """OPENACLNN_CACHE, else the user's cache folder, whether or not it can be used."""
    chosen = os.environ.get("OPENACLNN_CACHE")
    if chosen:
        return Path(chosen).absolute()
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(base).absolute() / "openaclnn"


@cache
def _root() -> Path:
    wanted = wanted_root()
    reason = _reason_against(wanted)
    if reason is None:
        return wanted
    temporary = Path(tempfile.gettempdir()) / f"openaclnn-{os.geteuid()}"
    if _reason_against(temporary) is not None:
        temporary = Path(tempfile.mkdtemp(prefix="openaclnn-"))
    warnings.warn(
        f"the cache folder {wanted} {reason}; using {temporary} instead "
        "(OPENACLNN_CACHE chooses another)",
        RuntimeWarning,
        stacklevel=3,
    )
    return temporary


def _reason_against(path: Path) -> str | None:
    """Make the folder, and say why it is not to be used, if so."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        facts = path.stat()
    except OSError as error:
        return f"cannot be made ({error.strerror})"
    if facts.st_uid != os.geteuid():
        return f"belongs to user {facts.st_uid}"
    if facts.st_mode & 0o022:
        return "can be written by others"
    if not os.access(path, os.W_OK | os.X_OK):
        return "cannot be written"
    return None
