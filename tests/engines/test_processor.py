"""What the system says of the CPU, on machines of other kinds than this one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from openaclnn.engines.cpu import processor

Caches = dict[str, tuple[str, str, str, str]]  # by folder: level, type, size, CPUs that share it

X86: Caches = {
    "cpu0/cache/index0": ("1", "Data", "32K", "0"),
    "cpu0/cache/index1": ("1", "Instruction", "32K", "0"),
    "cpu0/cache/index2": ("2", "Unified", "1024K", "0"),
    "cpu0/cache/index3": ("3", "Unified", "32768K", "0-1"),
    "cpu1/cache/index3": ("3", "Unified", "32768K", "0-1"),
}
CHIPLETS: Caches = {
    f"cpu{cpu}/cache/index3": ("3", "Unified", size, shared)
    for cpu, size, shared in (
        (0, "98304K", "0-1,4-5"), (1, "98304K", "0-1,4-5"), (4, "98304K", "0-1,4-5"),
        (2, "32768K", "2-3,6-7"), (3, "32768K", "2-3,6-7"),
    )
}  # fmt: skip
SMALL_ARM: Caches = {
    "cpu0/cache/index0": ("1", "Data", "64K", "0"),
    "cpu0/cache/index2": ("2", "Unified", "512K", "0"),
    "cpu1/cache/index2": ("2", "Unified", "512K", "1"),
}
UNSAID = 32 << 20

CACHES: dict[str, tuple[Caches, set[int], int]] = {
    "one for all": (X86, {0, 1}, 32 << 20),
    "chiplets": (CHIPLETS, {0, 1, 2, 3, 4}, 128 << 20),
    "one chiplet of two": (CHIPLETS, {1, 4}, 96 << 20),
    "each its own": (SMALL_ARM, {0, 1}, 1 << 20),
    "nothing known": ({}, {0, 1}, UNSAID),
    "not of our CPUs": (X86, {7}, UNSAID),
    "not Linux": (X86, set(), UNSAID),
}


@pytest.fixture
def fresh() -> Iterator[None]:
    processor.last_cache.cache_clear()
    yield
    processor.last_cache.cache_clear()


@pytest.fixture
def system(
    fresh: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[Caches, set[int]], None]:
    """Makes this machine one with these caches, on some CPUs of which we run."""

    def make(caches: Caches, cpus: set[int]) -> None:
        for folder, facts in caches.items():
            (tmp_path / folder).mkdir(parents=True)
            for name, fact in zip(("level", "type", "size", "shared_cpu_list"), facts, strict=True):
                (tmp_path / folder / name).write_text(fact + "\n")
        monkeypatch.setattr(processor, "_CPUS", tmp_path)
        monkeypatch.setattr(processor, "_our_cpus", lambda: set(cpus))

    return make


@pytest.mark.parametrize(("caches", "cpus", "expected"), CACHES.values(), ids=CACHES)
def test_the_last_cache(
    system: Callable[[Caches, set[int]], None], caches: Caches, cpus: set[int], expected: int
) -> None:
    system(caches, cpus)
    assert processor.last_cache() == expected


def test_a_cache_whose_size_the_firmware_does_not_say(
    system: Callable[[Caches, set[int]], None], tmp_path: Path
) -> None:
    system(X86, {0, 1})
    for cpu in (0, 1):
        (tmp_path / f"cpu{cpu}/cache/index3/size").unlink()
    assert processor.last_cache() == 1 << 20  # of CPU 0; of CPU 1 nothing is left


def test_the_last_cache_of_this_machine(fresh: None) -> None:
    cpu = min(os.sched_getaffinity(0))
    listed = Path(f"/sys/devices/system/cpu/cpu{cpu}/cache").glob("index*/size")
    sizes = [int(path.read_text().strip().removesuffix("K")) << 10 for path in listed]
    if not sizes:
        pytest.skip("this system does not say")
    assert processor.last_cache() >= max(sizes)


CPUINFO = {
    "x86": ("processor\t: 0\nmodel name\t: AMD EPYC 9654\nflags\t\t: fpu\n\n", "AMD EPYC 9654"),
    "kunpeng": (
        "processor\t: 0\nBogoMIPS\t: 200.00\nCPU implementer\t: 0x48\nCPU part\t: 0xd01\n\n",
        "HiSilicon Kunpeng 920 (TaiShan v110)",
    ),
    "big and little": (
        "CPU implementer\t: 0x41\nCPU part\t: 0xd08\n\n"
        "CPU implementer\t: 0x41\nCPU part\t: 0xd03\n",
        "Arm Cortex-A72",
    ),
    "a part unknown": ("CPU implementer\t: 0x70\nCPU part\t: 0x662\n", "Phytium core 0x662"),
    "a maker unknown": ("CPU implementer\t: 0x7f\nCPU part\t: 0x1\n", "maker 0x7f core 0x001"),
}


@pytest.mark.parametrize(("text", "expected"), CPUINFO.values(), ids=CPUINFO)
def test_the_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, expected: str
) -> None:
    monkeypatch.setattr(processor, "_INFORMATION", tmp_path / "cpuinfo")
    assert processor.model()  # where nothing can be read
    (tmp_path / "cpuinfo").write_text(text)
    assert processor.model() == expected
