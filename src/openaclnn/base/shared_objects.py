"""Shared objects (.so) in the cache, checked for completeness: a process that maps a truncated one
dies by SIGBUS. Each is stored with its digest after its last byte, where the loader does not
look."""

from __future__ import annotations

import hashlib
import os
import struct
from contextlib import suppress
from pathlib import Path

from openaclnn.base import cache as disk

_DIGEST = hashlib.sha256().digest_size
_MAGIC = b"\x7fELF\x02"  # of 64 bits
_SECTIONS_AT, _SECTION_SIZE_AT = 0x28, 0x3A  # in the header; the count follows the size


def is_complete(data: bytes) -> bool:
    """Whether a linker has written all of it: the table of sections is what it writes last."""
    if not data.startswith(_MAGIC) or len(data) < _SECTION_SIZE_AT + 4:
        return False
    (table,) = struct.unpack_from("=Q", data, _SECTIONS_AT)
    size, count = struct.unpack_from("=HH", data, _SECTION_SIZE_AT)
    return bool(table) and table + size * count <= len(data)


def keep(made: Path, path: Path) -> bool:
    """Let what a compiler has made become an entry of the cache, if it is one; `made` is gone."""
    data = disk.read(made)
    with suppress(OSError):
        os.unlink(made)
    if data is None or not is_complete(data):
        return False
    disk.keep(path, data + hashlib.sha256(data).digest())
    return is_whole(path)


def is_whole(path: Path) -> bool:
    """Whether an entry is there, as it was kept."""
    data = disk.read(path) or b""
    return hashlib.sha256(data[:-_DIGEST]).digest() == data[-_DIGEST:]
