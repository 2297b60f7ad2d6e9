"""What tells whether a toolkit folder and this Python package belong together: a checksum of the
sources that the C library and the package share the knowledge of."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from zlib import crc32

import openaclnn
from openaclnn.base.language import translated

_FOLDERS = ("capi/c", "capi/runtime_api", "calls/replay", "runtime")
_KINDS = (".c", ".h", ".py")


@cache
def interface() -> str:
    """The version of the package and the checksum, as in 0.1.0-9e0570bc."""
    return f"{openaclnn.__version__}-{number():08x}"


@cache
def number() -> int:
    """The checksum: 0.8 ms, so not of all sources."""
    root = Path(openaclnn.__file__).parent
    total = 0
    for folder in _FOLDERS:
        with os.scandir(root / folder) as entries:
            paths = sorted(entry.path for entry in entries if entry.name.endswith(_KINDS))
        for path in paths:
            with open(path, "rb", buffering=0) as file:
                total = crc32(file.read(), total)
    return total or 1


def disagreement(found: str, library: str) -> str:
    """Why a library that was made for another interface cannot be served; empty where it can.

    >>> disagreement("0.0.9-00000001", "/old/lib64/libopenaclnn.so").partition(";")[0]
    '/old/lib64/libopenaclnn.so was built by openaclnn 0.0.9-00000001'
    >>> disagreement(interface(), "/new/lib64/libopenaclnn.so")
    ''
    """
    if found == interface():
        return ""
    return translated(
        f"{library} was built by openaclnn {found}; expected {interface()}, which Python has in "
        f'{Path(openaclnn.__file__).parent}: run source "$(openaclnn home)/set_env.sh" again; '
        "programs that were linked with a path to the old library must be linked again"
    )
