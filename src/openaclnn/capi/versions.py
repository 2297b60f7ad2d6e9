"""Hides declared operators from programs that look names up, and from nobody else: for specialists
in linkers.

Programs that link an operator must find it, at link time and when they start; programs that ask
`dlsym` whether it is there, because they can do without, must not. glibc makes that difference
between the versions of a symbol: `dlsym` finds no version that is marked as hidden, while a program
that was linked without versions gets the oldest one, hidden or not. But linkers take nothing hidden
either. They read a library's table of versions where its section headers say it is, the loader
where its dynamic segment says: so there are two tables. The loader's marks declared operators as
hidden; the linkers' shows them like all others, without a version that programs would then need.
"""

from __future__ import annotations

import struct

# of ELF files of 64 bits
_SECTIONS_AT, _SECTION_SIZE_AT = 0x28, 0x3A  # in the file's header; the count follows the size
_TYPE_AT, _OFFSET_AT = 0x04, 0x18  # in a section's header; the size follows the offset
_VERSIONS = 0x6FFFFFFF  # the type of a section that has a version for each symbol
_PLAIN, _DECLARED, _HIDDEN = 1, 2, 0x8000  # versions; ours is the first that a script defines


def hidden_from_lookups(library: bytes) -> bytes:
    """A shared library whose symbols of the first version `dlsym` does not find."""
    (sections,) = struct.unpack_from("=Q", library, _SECTIONS_AT)
    size, count = struct.unpack_from("=HH", library, _SECTION_SIZE_AT)
    headers = range(sections, sections + size * count, size)
    header = next(at for at in headers if _number("=I", library, at + _TYPE_AT) == _VERSIONS)
    offset, length = struct.unpack_from("=QQ", library, header + _OFFSET_AT)
    versions = struct.unpack_from(f"={length // 2}H", library, offset)
    changed = bytearray(library)
    changed += bytes(-len(changed) % 2)
    struct.pack_into("=Q", changed, header + _OFFSET_AT, len(changed))
    changed += struct.pack(f"={len(versions)}H", *_with(versions, _PLAIN))
    struct.pack_into(f"={len(versions)}H", changed, offset, *_with(versions, _HIDDEN | _DECLARED))
    return bytes(changed)


def _number(form: str, data: bytes, at: int) -> int:
    (found,) = struct.unpack_from(form, data, at)
    return int(found)


def _with(versions: tuple[int, ...], declared: int) -> list[int]:
    """The table with another version for what has ours."""
    return [declared if version == _DECLARED else version for version in versions]
