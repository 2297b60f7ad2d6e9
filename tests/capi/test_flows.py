"""Documented flows of C programs: data that comes later, addresses that are replaced."""

from __future__ import annotations


def test_flows(toolkit, device, program):
    done = toolkit.on(device).execute([program("flows")])
    assert (done.returncode, done.stdout) == (0, "flows: right\n"), done.stdout + done.stderr
