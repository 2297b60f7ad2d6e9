"""What the sanitizer remembers of memory."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from openaclnn.sanitize.world import World

CALL: Any = SimpleNamespace(number=1)


def test_mappings_side_by_side_are_one_block() -> None:
    """As llama.cpp's pool maps them: a tensor may reach from one into the next."""
    world = World()
    for start in (0x1000, 0x2000, 0x4000):
        world.add(start, 0x1000, CALL, host=False, own=False, mapped=True)
    block = world.block_at(0x2FFF)
    assert block is not None
    assert (block.start, block.end) == (0x1000, 0x3000)
    assert not block.inherited


def test_registered_memory_is_the_devices_too() -> None:
    world = World()
    world.add(0x1000, 16, CALL, host=True, own=False, device_too=True)
    block = world.block_at(0x1000)
    assert block is not None
    assert (block.device_too, block.mapped, block.inherited) == (True, False, False)
