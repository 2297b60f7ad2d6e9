"""Runs all tools on every call, and merges what they report."""

from __future__ import annotations

from collections.abc import Iterator

from openaclnn.sanitize import memory, objects
from openaclnn.sanitize.findings import Finding
from openaclnn.sanitize.records import RecordedCall
from openaclnn.sanitize.world import World


def began(world: World, call: RecordedCall) -> Iterator[Finding]:
    """What is wrong with a call that is about to be made; what it ends has ended."""
    if call.phase == 1:
        call.meaning = world.meaning(call)
    yield from memory.began(world, call)
    yield from objects.began(world, call)


def done(world: World, call: RecordedCall) -> None:
    """Keep what a call has made."""
    memory.done(world, call)
    objects.done(world, call)


def left(world: World) -> Iterator[Finding]:
    """What is wrong with what a program leaves when it ends."""
    yield from memory.left(world)
    yield from objects.left(world)
