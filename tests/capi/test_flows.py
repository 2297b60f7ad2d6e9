"""Documented flows of C programs: data that comes later, addresses that are replaced, memory that
is freed too early."""

from __future__ import annotations

import sys
from pathlib import Path

LONG = Path(__file__).parents[1] / "long"


def test_flows(toolkit, device, program):
    done = toolkit.on(device).execute([program("flows")])
    assert (done.returncode, done.stdout) == (0, "flows: right\n"), done.stdout + done.stderr


def test_attention_over_a_cache(toolkit, program):
    """As llama.cpp's backend calls it, replayed for other addresses."""
    done = toolkit.execute([program("attention")])
    assert (done.returncode, done.stdout) == (0, "right\n"), done.stdout + done.stderr


def test_random_calls_whose_addresses_come_later(toolkit, device):
    """Some sixty of them; the script does any number, with other seeds."""
    calls = "60" if device == "cpu" else "30"  # a GPU's kernels take seconds to compile
    done = toolkit.on(device).execute([sys.executable, LONG, "random_flows", calls, "12"])
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{calls} calls" in done.stdout
