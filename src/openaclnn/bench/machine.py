"""The machine and the versions that a result belongs to."""

from __future__ import annotations

import os
import platform
import time
from importlib import metadata
from pathlib import Path
from typing import Any

import openaclnn
from openaclnn.bench import alternatives


def describe(threads: int, against: list[str]) -> dict[str, Any]:
    """Facts for the head of a table."""
    return {
        "cpu": cpu_name(),
        "cores": os.cpu_count(),
        "threads": threads,
        "cache": last_cache(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "date": time.strftime("%Y-%m-%d"),
        "versions": {
            "openaclnn": openaclnn.__version__,
            "numpy": metadata.version("numpy"),
            "llvmlite": metadata.version("llvmlite"),
            **{name: alternatives.version(name) for name in against},
        },
        "load": round(load(), 2),
    }


def cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


def last_cache() -> int:
    """Bytes of the last-level cache."""
    try:
        return os.sysconf("SC_LEVEL3_CACHE_SIZE") or 1 << 25
    except (OSError, ValueError):
        return 1 << 25


def available_memory() -> int | None:
    """Bytes that a new program could take; None where the system does not say."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    return None


def load() -> float:
    """How many processes wanted to run in the last minute: our timings suffer from them."""
    try:
        return os.getloadavg()[0]
    except OSError:
        return 0.0
