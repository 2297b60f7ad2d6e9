"""The toolkit folder: headers, libraries, set_env.sh, the module `acl`; laid out like the vendor's.

It is made at first use, and anew whenever something that it is made from has changed."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import openaclnn
from openaclnn import ops
from openaclnn.base import cache as disk
from openaclnn.capi import build

_MANIFEST = "manifest.json"

# Where a variable is not set yet. torch_npu's queue of tasks would go on after a failed operator,
# and leave old bytes in tensors without an error.
# Its log is where it says which function it misses; our log reads that, and shows errors (c/log.c).
DEFAULTS = {"TASK_QUEUE_ENABLE": "0", "ASCEND_GLOBAL_LOG_LEVEL": "02"}


def key() -> str:
    """What a cache of compiled code depends on: the version, the platform, Python and everything
    that the toolkit is made from."""
    platform = f"{sysconfig.get_platform()}-{sys.implementation.cache_tag}".replace(" ", "-")
    return f"openaclnn-{openaclnn.__version__}-{platform}-{build.digest(dict(build.sources()))}"


@cache
def home(say: Callable[[str], None] = lambda text: None) -> Path:
    """The toolkit folder of this Python and this version of the package."""
    files = dict(build.sources())
    folder = disk.place("toolkit", build.digest(files))
    if not _whole(folder):
        say(f"openaclnn: building the toolkit folder {folder}")
        disk.sweep()
        try:
            disk.folder("toolkit")
            _make(folder, files)
        except OSError as error:
            raise build.BuildError(
                f"the toolkit folder {folder} cannot be written: {error.strerror or error}; "
                "OPENACLNN_CACHE chooses another place"
            ) from None
    return folder


def environment(folder: Path) -> dict[str, list[str] | str]:
    """The variables that programs for Ascend look at; a list goes before what is there. Where the
    user has operators of their own, the program's Python is to find the same ones."""
    found: dict[str, list[str] | str] = {
        "ASCEND_HOME": str(folder),
        "ASCEND_HOME_PATH": str(folder),
        "ASCEND_TOOLKIT_HOME": str(folder),
        "ASCEND_CUSTOM_PATH": str(folder),
        "ASCEND_OPP_PATH": str(folder / "opp"),
        "LD_LIBRARY_PATH": [str(folder / "lib64")],
        "PYTHONPATH": [str(folder / build.PYTHON)],
        "CMAKE_PREFIX_PATH": [str(folder)],
        "PKG_CONFIG_PATH": [str(folder / "share" / "pkgconfig")],
    }
    if ops.own_ops():
        found["ASCEND_CUSTOM_OPP_PATH"] = [str(folder / build.CUSTOM)]
    if build.own_folders():
        found[ops.VARIABLE] = os.pathsep.join(build.own_folders())
    return found


def applied(folder: Path, to: dict[str, str]) -> dict[str, str]:
    """A copy of an environment with the toolkit's variables set."""
    result = DEFAULTS | to
    for name, value in environment(folder).items():
        if isinstance(value, list):
            rest = [entry for entry in to.get(name, "").split(":") if entry and entry not in value]
            value = ":".join([*value, *rest])
        result[name] = value
    return result


def _make(folder: Path, files: dict[str, bytes]) -> None:
    """Lay everything out under a temporary name, then rename: nobody sees half a toolkit."""
    temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".making-"))
    try:
        for name, data in files.items():
            path = temporary / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        for name in ("lib64", *build.FOLDERS):
            (temporary / name).mkdir()
        build.compile_library(temporary, temporary / "lib64" / build.LIBRARY)
        shutil.rmtree(temporary / "c")
        for name, target in build.LINKS.items():
            link = temporary / name
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(os.path.relpath(temporary / target, link.parent))
        (temporary / "set_env.sh").write_bytes(os.fsencode(_set_env(folder)))
        (temporary / _MANIFEST).write_text(json.dumps(_hashes(temporary), indent=1))
        temporary.chmod(0o700)
        if folder.exists() and not _whole(folder):
            os.replace(folder, tempfile.mkdtemp(dir=folder.parent, prefix=".damaged-"))
        if not folder.exists():
            temporary.rename(folder)
    except OSError:
        if not _whole(folder):  # otherwise somebody else was faster
            raise
    finally:
        for leftover in (temporary, *folder.parent.glob(".damaged-*")):
            shutil.rmtree(leftover, ignore_errors=True)


def _hashes(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != _MANIFEST and "__pycache__" not in path.parts
    }


def _whole(folder: Path) -> bool:
    """Whether a toolkit is there and every file is as it was made."""
    try:
        expected = json.loads(disk.read(folder / _MANIFEST) or b"")
        return bool(_hashes(folder) == expected)
    except (OSError, ValueError):
        return False


def _set_env(folder: Path) -> str:
    lines = ["# Source this file: programs for Ascend then build and run with openaclnn."]
    for name, value in environment(folder).items():
        if isinstance(value, str):
            lines.append(f"export {name}={shlex.quote(value)}")
            continue
        for entry in value:
            path = shlex.quote(entry)
            lines.append(
                f'case ":${{{name}:-}}:" in *:{path}:*) ;; '
                f"*) export {name}={path}${{{name}:+:${name}}} ;; esac"
            )
    lines += [f'export {name}="${{{name}:-{value}}}"' for name, value in DEFAULTS.items()]
    return "\n".join(lines) + "\n"
