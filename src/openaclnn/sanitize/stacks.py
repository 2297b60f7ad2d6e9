"""Source lines of a call: for C from addr2line, for Python from the record."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import replace

from openaclnn.base.records import dataclass
from openaclnn.capi import build
from openaclnn.sanitize.records import Frame

_E_TYPE, _ET_EXEC = 16, 2  # of an ELF file: addresses in it are those in the process
_PYACL = os.path.join(build.PYTHON, "acl") + os.sep


@dataclass(frozen=True)
class SourceLine:
    """A line of a program that is on the stack."""

    function: str
    file: str
    line: int

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}" if self.line else self.file
        return f"{self.function} {where}" if self.function else where

    def seen_from_here(self) -> SourceLine:
        """The same, its file as seen from the working folder where it is below it."""
        below = os.path.join(os.getcwd(), "")
        return replace(self, file=self.file.removeprefix(below))


class Lines:
    """Finds the places of frames; each is looked up once."""

    def __init__(self) -> None:
        self._known: dict[Frame, tuple[SourceLine, ...]] = {}

    def places(self, frames: Iterable[Frame]) -> list[SourceLine]:
        """The program's own places, from the call outwards up to main."""
        own = [frame for frame in frames if not _is_ours(frame.module)]
        self._look_up([frame for frame in own if frame not in self._known])
        found: list[SourceLine] = []
        for frame in own:
            found += self._known[frame]
            if any(place.function == "main" for place in self._known[frame]):
                break
        return found

    def _look_up(self, frames: list[Frame]) -> None:
        for frame in frames:
            plain = SourceLine(frame.name, frame.module, frame.line)
            self._known[frame] = (plain,)
        modules = {frame.module for frame in frames if frame.address}
        for module in modules:
            here = [frame for frame in frames if frame.module == module]
            self._known.update(self._addr2line(module, here))

    def _addr2line(self, module: str, frames: list[Frame]) -> dict[Frame, tuple[SourceLine, ...]]:
        tool = shutil.which("addr2line")
        if tool is None or not os.path.isfile(module):
            return {}
        base = 0 if not _is_fixed(module) else _lowest(module)
        # the call is before the address to return to
        addresses = {hex(frame.address + base - 1): frame for frame in frames}
        done = subprocess.run(
            [tool, "-a", "-f", "-C", "-i", "-e", module],
            input="\n".join(addresses), capture_output=True, text=True,
        )  # fmt: skip
        return dict(_answers(done.stdout, addresses))


def _answers(
    said: str, addresses: dict[str, Frame]
) -> Iterator[tuple[Frame, tuple[SourceLine, ...]]]:
    """What addr2line says of each address: a function and a line, and those it was inlined into."""
    parts = re.split(r"^(0x[0-9a-f]+)$", said, flags=re.MULTILINE)[1:]
    for address, part in zip(parts[::2], parts[1::2], strict=True):
        frame, lines = addresses[hex(int(address, 16))], part.strip().splitlines()
        yield (
            frame,
            tuple(
                _place(function, where, frame)
                for function, where in zip(lines[::2], lines[1::2], strict=False)
            ),
        )


def _place(function: str, where: str, frame: Frame) -> SourceLine:
    """
    >>> str(_place("main", "/a/b.cpp:12 (discriminator 2)", Frame("/a/b")))
    'main /a/b.cpp:12'
    """
    name = frame.name if function == "??" else re.sub(r"::{lambda.*", "::lambda", function)
    name = name.split("(")[0]
    file, _, line = where.partition(" (")[0].rpartition(":")
    if file == "??" or not line.isdigit() or line == "0":
        return SourceLine(name, frame.module, 0)
    return SourceLine(name, file, int(line))


def _is_ours(module: str) -> bool:
    """Whether a frame is the library's own, or pyACL's."""
    return os.path.basename(os.path.realpath(module)) == build.LIBRARY or _PYACL in module


def _is_fixed(module: str) -> bool:
    """Whether a program has its addresses from the linker."""
    with open(module, "rb") as file:
        header = file.read(_E_TYPE + 2)
    return header[_E_TYPE : _E_TYPE + 1] == bytes([_ET_EXEC])


def _lowest(module: str) -> int:
    """The address that the first part of such a program is loaded at."""
    with open(module, "rb") as file:
        data = file.read(1 << 12)
    table, size, count = (
        int.from_bytes(data[at : at + n], "little") for at, n in ((32, 8), (54, 2), (56, 2))
    )
    loaded = (data[table + i * size : table + (i + 1) * size] for i in range(count))
    return min(int.from_bytes(part[16:24], "little") for part in loaded if part[:4] == b"\1\0\0\0")
