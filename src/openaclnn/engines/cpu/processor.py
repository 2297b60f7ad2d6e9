"""The CPU's model and the size of its last cache, as the system reports them."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from openaclnn.base.records import dataclass

_INFORMATION = Path("/proc/cpuinfo")
_CPUS = Path("/sys/devices/system/cpu")
_USUAL_CACHE = 1 << 25  # of a server of today, where the system does not say

# An ARM core says who made it and which one it is, in numbers. Those of servers:
_MAKERS = {
    0x41: "Arm", 0x46: "Fujitsu", 0x48: "HiSilicon", 0x4E: "NVIDIA", 0x61: "Apple",
    0x70: "Phytium", 0xC0: "Ampere",
}  # fmt: skip
_CORES = {
    (0x41, 0xD03): "Cortex-A53",
    (0x41, 0xD05): "Cortex-A55",
    (0x41, 0xD07): "Cortex-A57",
    (0x41, 0xD08): "Cortex-A72",
    (0x41, 0xD0B): "Cortex-A76",
    (0x41, 0xD0C): "Neoverse N1",
    (0x41, 0xD40): "Neoverse V1",
    (0x41, 0xD49): "Neoverse N2",
    (0x41, 0xD4F): "Neoverse V2",
    (0x46, 0x001): "A64FX",
    (0x48, 0xD01): "Kunpeng 920 (TaiShan v110)",
    (0x48, 0xD02): "Kunpeng (TaiShan v120)",
    (0xC0, 0xAC3): "AmpereOne",
}


def model() -> str:
    """The CPU's name as people know it."""
    try:
        lines = _INFORMATION.read_text().splitlines()
    except OSError:
        lines = []
    facts = {}
    for line in reversed(lines):  # the first CPU's are the last to come
        name, _, fact = line.partition(":")
        facts[name.strip()] = fact.strip()
    if "model name" in facts:
        return facts["model name"]
    try:
        return _arm(int(facts["CPU implementer"], 16), int(facts["CPU part"], 16))
    except (KeyError, ValueError):
        import platform

        return platform.processor() or platform.machine()


def _arm(maker: int, part: int) -> str:
    core = _CORES.get((maker, part), f"core {part:#05x}")
    return f"{_MAKERS.get(maker, f'maker {maker:#04x}')} {core}"


@cache
def last_cache() -> int:
    """Bytes of the last-level caches that this process's CPUs have: more than they hold is better
    written past them."""
    total, left = 0, _our_cpus()
    while left:
        cpu = min(left)
        last = max(_caches(cpu), key=lambda found: found.level, default=_NONE)
        total += last.size
        left -= {cpu, *last.cpus}
    return total or _USUAL_CACHE


def _our_cpus() -> set[int]:
    try:
        return os.sched_getaffinity(0)
    except AttributeError:  # not Linux
        return set()


@dataclass(frozen=True)
class _Cache:
    level: int
    size: int
    cpus: frozenset[int]


_NONE = _Cache(0, 0, frozenset())


def _caches(cpu: int) -> list[_Cache]:
    """A CPU's caches of data, as far as the system knows them."""
    found = []
    try:
        folders = list((_CPUS / f"cpu{cpu}" / "cache").glob("index*"))
    except OSError:  # no file handles are left
        folders = []
    for folder in folders:
        try:
            level, size, kind, cpus = (
                (folder / name).read_text().strip()
                for name in ("level", "size", "type", "shared_cpu_list")
            )
            if kind != "Instruction":
                found.append(_Cache(int(level), _bytes(size), _numbers(cpus)))
        except (OSError, ValueError):
            continue  # ARM's firmware often leaves out what it does not know
    return found


def _bytes(size: str) -> int:
    """
    >>> _bytes("32768K")
    33554432
    """
    return int(size.removesuffix("K")) << 10


def _numbers(ranges: str) -> frozenset[int]:
    """
    >>> sorted(_numbers("0-2,8"))
    [0, 1, 2, 8]
    """
    numbers: set[int] = set()
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        numbers.update(range(int(first), int(last or first) + 1))
    return frozenset(numbers)
