"""The machine and the versions that a result belongs to."""

from __future__ import annotations

import hashlib
import os
import platform
import threading
import time
from importlib import metadata
from pathlib import Path
from typing import Any

import openaclnn
from openaclnn.bench import alternatives
from openaclnn.engines.cpu import processor

_FREE = 0.85  # of the cores' time: with less, threaded calls wait for each other


def describe(threads: int, against: list[str]) -> dict[str, Any]:
    """Facts for the head of a table."""
    return {
        "cpu": processor.model(),
        "cores": os.cpu_count(),
        "threads": threads,
        "cache": processor.last_cache(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "date": time.strftime("%Y-%m-%d"),
        "versions": {
            "openaclnn": openaclnn.__version__,
            "numpy": metadata.version("numpy"),
            "llvmlite": metadata.version("llvmlite"),
            **{name: alternatives.ALL[name].version for name in against},
        },
        "free": round(free_share(threads), 2),
    }


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


def free_share(threads: int, seconds: float = 0.2) -> float:
    """How much of this many cores we get, from 0 to 1: less than all where others want them too."""
    data = bytes(1 << 20)
    shares: list[float] = []

    def work() -> None:
        # from its own start: on a busy machine that may come late, and is no less busy for it
        start = time.perf_counter()
        # a thread's own time: others of this process may still spin after an earlier call
        before = time.thread_time()
        while time.perf_counter() - start < seconds:
            hashlib.sha256(data)  # runs without Python's lock
        shares.append((time.thread_time() - before) / (time.perf_counter() - start))

    workers = [threading.Thread(target=work) for _ in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return sum(shares) / threads


def busy(machine: dict[str, Any]) -> str | None:
    """What to say of a result that was taken while others used the machine."""
    if machine["free"] >= _FREE:
        return None
    got = f"{machine['free']:.0%} of the cores' time"
    return f"other programs are running, we get {got}: do not trust the figures"
