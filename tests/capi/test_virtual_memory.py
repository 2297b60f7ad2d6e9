"""Reserved addresses and physical memory, from C++ programs."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("seed", range(3))
def test_virtual_memory(toolkit, device, program, seed):
    done = toolkit.on(device).execute([program("virtual_memory"), str(seed)])
    assert (done.returncode, done.stdout) == (0, "virtual memory: right\n")
