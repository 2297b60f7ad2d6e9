"""Where compiled code is kept between runs. It is code that will run, so the folder is trusted only
where it belongs to its user alone; and it is a cache: no call fails because nothing can be kept."""

from __future__ import annotations

import logging
import os
import stat
import time
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path

from openaclnn.base.trust import reason_against

KINDS = ("kernels", "cubins", "triton", "toolkit", "programs", "tables")  # all that is kept there

# Marks the folder as ours, and for backup programs as one that can be left out
# (https://bford.info/cachedir).
_TAG = "CACHEDIR.TAG"
_MARK = b"""Signature: 8a477f597d28d172789f06886806bc55
# openaclnn keeps here what it compiled, and makes it anew where it is missing.
"""
_STALE = 3600.0  # seconds after which something half made has been given up
_PROBE = 1 << 20

_log = logging.getLogger("openaclnn")


def folder(kind: str = "") -> Path:
    """The folder for one kind of entries, or for all of them, made where it is missing."""
    assert not kind or kind in KINDS
    path = _root() / kind
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def place(kind: str, name: str) -> Path:
    """Where an entry is kept; nothing is made for it yet."""
    assert kind in KINDS
    return _root() / kind / name


def read(path: Path) -> bytes | None:
    """An entry's bytes, or None where there is no such file."""
    try:
        # to open a FIFO would wait for somebody to write to it
        return path.read_bytes() if stat.S_ISREG(path.stat().st_mode) else None
    except OSError:
        return None


def keep(path: Path, data: bytes) -> None:
    """Write an entry, if that is possible: a full disk costs the next process time, no more."""
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(path, data)


def write_atomically(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Write a file that others see whole or not at all, whoever writes it at the same time."""
    handle, name = _new_file(path)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _new_file(path: Path) -> tuple[int, str]:
    """A file of a name that nobody else has, beside another. Python's own way to one would be
    imported for it in every process that keeps a kernel."""
    for number in count():
        name = f"{path.parent}/.{path.name}.{os.getpid()}.{number}"
        with suppress(FileExistsError):
            return os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), name
    raise AssertionError


def trouble() -> str | None:
    """Why nothing can be kept just now, if so: the disk is full, for example."""
    import tempfile

    try:
        with tempfile.TemporaryFile(dir=folder()) as file:
            file.write(bytes(_PROBE))
    except OSError as error:
        return error.strerror or str(error)
    return None


def clear() -> None:
    """Delete every entry, and nothing else: the folder is marked as ours, and links are deleted,
    not what they lead to."""
    for kind in KINDS:
        _delete(_root() / kind)


def sweep() -> None:
    """Delete what killed processes have left half made: names that begin with a dot."""
    for kind in KINDS:
        for path in (_root() / kind).glob(".*"):
            with suppress(OSError):
                if time.time() - path.lstat().st_mtime > _STALE:
                    _delete(path)


def _delete(path: Path) -> None:
    import shutil

    with suppress(OSError):
        if stat.S_ISDIR(path.lstat().st_mode):
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()


def wanted_root() -> Path | None:
    """The folder openaclnn in OPENACLNN_CACHE, else in the user's cache folder, whether or not it
    can be used; None where the user has no home."""
    chosen = os.environ.get("OPENACLNN_CACHE") or os.environ.get("XDG_CACHE_HOME")
    base = chosen or os.path.expanduser("~/.cache")
    return None if base.startswith("~") and not chosen else Path(base).absolute() / "openaclnn"


@cache
def _root() -> Path:
    wanted = wanted_root()
    reason = "is unknown, as there is no home" if wanted is None else _reason_against(wanted)
    if wanted is not None and reason is None:
        return wanted
    temporary = _temporary()
    # no warning: where those are errors it would fail the call
    _log.warning(
        "openaclnn: the cache folder %s; using %s instead (OPENACLNN_CACHE chooses another)",
        reason if wanted is None else f"{wanted} {reason}", temporary,
    )  # fmt: skip
    return temporary


def _temporary() -> Path:
    """A folder of this user's among the temporary files: the same for all processes."""
    import tempfile

    base, name = Path(tempfile.gettempdir()), f"openaclnn-{os.geteuid()}"
    for path in (base / name, *sorted(base.glob(f"{name}-*"))):
        if not path.is_symlink() and (_untrusted(path) or _not_ours(path)) is None:
            return path
    made = Path(tempfile.mkdtemp(prefix=f"{name}-"))  # the usual name is somebody else's
    _not_ours(made)  # marks it
    return made


def _reason_against(wanted: Path) -> str | None:
    """Make and mark the folder that the user wants, and say why it is not to be used, if so."""
    if os.environ.get("OPENACLNN_CACHE"):  # whoever can write there could put another in its place
        reason = _untrusted(wanted.parent)
        if reason is not None:
            return f"cannot be used: {wanted.parent} {reason}"
    return _untrusted(wanted) or _not_ours(wanted)


def _untrusted(path: Path) -> str | None:
    """Make a folder, and say why it is not its user's alone, if so."""
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        return f"cannot be made ({error.strerror})"
    reason = reason_against(path)
    if reason is not None:
        return reason
    return None if os.access(path, os.W_OK | os.X_OK) else "cannot be written"


def _not_ours(path: Path) -> str | None:
    """Mark a folder where it is empty, and say why it is not one of ours, if so."""
    tag = path / _TAG
    try:
        if read(tag) == _MARK:
            return None
        if all(name.startswith(f".{_TAG}.") for name in os.listdir(path)):
            write_atomically(tag, _MARK)
            return None
    except OSError as error:
        return f"cannot be written ({error.strerror})"
    if read(tag) == _MARK:  # another process began just now
        return None
    return f"has files in it and no {_TAG} of openaclnn's"
