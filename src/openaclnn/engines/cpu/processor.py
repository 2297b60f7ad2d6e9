"""What the system says of the CPU: its model, its last cache."""

from __future__ import annotations

import os
import platform
from functools import cache
from pathlib import Path


def model() -> str:
    """The CPU's name as people know it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.processor() or platform.machine())


@cache
def last_cache() -> int:
    """Bytes of the last-level cache: more than it holds is better written past it."""
    try:
        return os.sysconf("SC_LEVEL3_CACHE_SIZE") or 1 << 25
    except (OSError, ValueError):
        return 1 << 25
